"""Data: choose a table, say which columns an outsider may know, and see what is in it."""

from functools import partial

import pandas as pd
import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.panels.frame import records_said, require_app
from cra_dashboard.panels.stage import say, stage
from cra_dashboard.session import datasets, decisions, fields, keys, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import show_told, telling
from cra_dashboard.table import columns
from cra_dashboard.table.charts import bar_rows, histogram, takeaway
from cra_dashboard.table.source import EXAMPLE, PLACE, choose_table
from cra_dashboard.texts import glossary, words
from cra_engine.choices import DecimalSign
from cra_engine.study.roles import Role
from cra_engine.words import how_many, listed

PREVIEW, WHOLE, NAMED, ASKED = 200, 20, 5, 1
SHOWN = "data-shown"
# What may become of missing values, and what that means for the release.
GAPS = {
    "leave-out": ("Leave the rows out", "{gaps} of {records} not published at all"),
    "category": ("A category of their own", "{gaps} published as NULL, one value more"),
    "*": ("As * from the start", "{gaps} published with * in this column"),
}
GAPS_HELP = {
    "leave-out": "What is said of the release is then true of the people who are in it.",
    "category": "A group like any other: who reads the release sees whose value is missing.",
    "*": "Such a record is published only where its column shows *, so it shares a row with others whose value is "
    "hidden.",
}
ROLE_LISTS: dict[str, tuple[Role, str]] = {
    "data-removed": ("removed", "They are in no release: names, numbers, addresses, free text."),
    "data-sensitive": (
        "sensitive",
        "Published, and nobody is to learn them of a person.",
    ),
    "data-kept": ("kept", "Published as they stand in the table, because somebody decided so."),
}


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Data", help=glossary.of_page("data"))
    data, study = state.dataset(), state.study()
    if data is None:
        choose_first()
        return
    with st.spinner("Looking at the columns…"):
        inspected = columns.of_session(data)
    problems = columns.findings(data, inspected, study)
    chosen = study.names if study else ()
    known = f"Others may know {listed(list(chosen))}" if chosen else "Which columns may others know"
    say(
        st.container(),
        f"{data.name}: {records_said(data, study)}, {how_many(len(inspected), 'column')}. "
        f"{known} of a person{'.' if chosen else '?'}",
        "The raw table, one row per person, as the publisher has it before anything is made coarser.",
    )
    with st.expander("Another table", expanded=st.session_state.get(keys.ASKED_BESIDE) == data.digest):
        choose_table()
    show_told(PLACE)
    figure, controls = stage(5, 3)
    with controls:
        show_stopping(problems)
        show_question(data, inspected)
        show_gaps(data)
        column = choose_column(inspected, chosen)
        show_roles(inspected)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link("pages/check.py", label="May it go out? Check", icon=":material/verified:")
            act("Forget my data", forget, key="data-forget", icon="delete")
    with figure:
        role = "quasi-identifier" if column.name in chosen else study.roles.of(column.name) if study else "undecided"
        st.markdown(summary(column, role))
        show_column(data.digest, column, study.k if study else 0)
    with st.expander(f"All {how_many(len(inspected), 'column')}: roles and contents"):
        show_overview(inspected)
    with st.expander(f"Problems, and what was read how: {len(problems)}" if problems else "Problems: none"):
        show_problems(problems)
    with st.expander("The distribution as a table"):
        st.dataframe(pd.DataFrame(bar_rows(column)), hide_index=True, alt="Records per bar of the histogram")
    with st.expander("The first rows"):
        show_rows(data, inspected)


def choose_first() -> None:
    """Asks for the first table."""
    say(
        st.container(),
        "Choose the raw table: one row per person.",
        "As the publisher has it, before anything is made coarser.",
    )
    choose_table()
    show_told(PLACE)
    st.info("There is no table yet: choose one above.", icon=":material/table:")


def forget() -> None:
    """Drops everything, and begins again at the first choice."""
    state.forget()
    # Set, not left to its default: the browser still shows the old choice, and is told only of what is set.
    st.session_state[keys.TABLE_FROM] = EXAMPLE


def show_stopping(rows: list[dict[str, str]]) -> None:
    """Says above everything else what stops the recoding, and the first of it."""
    stopping = [row for row in rows if row["stops the recoding"] == "yes"]
    if stopping:
        (first, *more) = stopping
        named = f"**{words.plain(first['column'])}**: {words.plain(first['what'])}{'; and more' if more else ''}."
        messages.error(
            f"{how_many(len(stopping), 'problem')} must be mended before the table can be recoded: by a choice where "
            f"values are missing, in the file, or with other quasi-identifiers. {named}",
        )


def show_question(data: state.Dataset, found: tuple[columns.Column, ...]) -> None:
    """Asks what marks the decimals, where numbers can be read in two ways."""
    asked = [(column, problem) for column in found for problem in column.problems if problem.asks]
    if not asked:
        return
    column, problem = asked[0]
    cell = str(data.frame[column.name].iloc[problem.rows[0] - 1]).strip()
    names = listed([words.plain(column.name) for column, _ in asked[:NAMED]])
    more = f" and {len(asked) - NAMED} more" if len(asked) > NAMED else ""
    st.warning(
        f"The numbers in **{names}**{more} can be read in two ways. What marks the decimals?",
        icon=":material/question_mark:",
    )
    chosen = [column.name for column, _ in asked]
    with st.container(horizontal=True):
        for decimal, reading in datasets.readings(cell).items():
            act(words.plain(reading), take_decimal, chosen, decimal, key=f"data-decimal-{decimal}")
    st.caption("Whatever you say, a column that is no quasi-identifier is published as it stands in the file.")


def take_decimal(names: list[str], decimal: DecimalSign) -> None:
    """Reads the numbers of some columns as a person says they are written."""
    data, study = state.dataset(), state.study()
    if data is not None:
        read = datasets.decided(data, names, decimal)
        state.use_dataset(read, study or columns.proposed_study(columns.inspect(read.frame)))


def show_gaps(data: state.Dataset) -> None:
    """Asks what becomes of missing values, one question per quasi-identifier that has some and no choice."""
    records = how_many(len(data.frame), "record")
    for column, gaps in decisions.open_gaps().items():
        name = words.plain(column)
        with st.container(border=True, key=f"data-gaps-{column}"):
            st.markdown(f"**{name}** has {how_many(gaps, 'missing value')}. What becomes of them?")
            for missing, (label, consequence) in GAPS.items():
                with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                    act(
                        f"{label}: {name}",
                        choose_gaps,
                        column,
                        missing,
                        key=f"data-missing-{missing}-{column}",
                        help=GAPS_HELP[missing],
                    )
                    st.caption(consequence.format(gaps=how_many(gaps, "record"), records=records), width="content")


def choose_gaps(name: str, missing: str) -> None:
    """Sets what becomes of the missing values of a quasi-identifier."""
    study = state.study()
    if study is not None:
        with telling(PLACE):
            attributes = [a.with_missing(missing) if a.name == name else a for a in study.attributes]
            state.use_study(study.changed(attributes=attributes))
            decisions.note_gaps(name, missing)


def choose_column(found: tuple[columns.Column, ...], chosen: tuple[str, ...]) -> columns.Column:
    """Chooses the column whose distribution is shown; quasi-identifiers come first."""
    order = sorted(found, key=lambda column: (column.name not in chosen, not (column.numeric or column.counted)))
    by_name = {column.name: column for column in order}
    if st.session_state.get(SHOWN) not in by_name:
        st.session_state.pop(SHOWN, None)
    return by_name[fields.selectbox("Column shown", list(by_name), key=SHOWN)]


def show_roles(found: tuple[columns.Column, ...]) -> None:
    """Asks which columns others may know of a person, and what becomes of the rest."""
    study = state.study()
    chosen = study.names if study else ()
    # Text with many values can be one too, once the Hierarchies page has given it a hierarchy file.
    able = [column.name for column in found if column.hierarchy is not None or column.name in chosen]
    st.session_state["data-roles"] = [name for name in chosen if name in able]
    st.multiselect(
        "Quasi-identifiers",
        able,
        key="data-roles",
        on_change=take_roles,
        wrap=True,
        placeholder="Choose at least one column" if able else "No column can be one",
        help="Columns that somebody outside may know about a person, such as age or postal code. Published "
        "as intervals or groups.",
    )
    if st.session_state.pop("data-no-role", False):
        st.warning("At least one quasi-identifier is needed, so the last one stays.", icon=":material/info:")
    others = [column.name for column in found if column.name not in chosen]
    if study is not None and others:
        with st.grid("auto", min_column_width=130):
            for key, (role, text) in ROLE_LISTS.items():
                st.session_state[key] = [name for name in others if study.roles.of(name) == role]
                st.multiselect(
                    words.sentence(role),
                    others,
                    key=key,
                    on_change=take_lists,
                    placeholder="None yet",
                    help=text,
                    wrap=True,
                )
    if not able:
        messages.warning(
            "No column of this table holds numbers or a few categories, so none can be a quasi-identifier by itself: "
            "code text as numbers, or give a column of text an ARX hierarchy file on the Hierarchies page.",
        )
    show_births(found)
    show_undecided(able)


def take_roles() -> None:
    """Makes the chosen columns the quasi-identifiers; without any, everything stays as it was."""
    data = state.dataset()
    names = st.session_state["data-roles"]
    st.session_state["data-no-role"] = not names
    if data is not None and names:
        before = state.study()
        state.use_study(columns.with_quasi_identifiers(before, columns.of_session(data), names))
        if before is None:
            decisions.note_removed()


def take_lists() -> None:
    """Gives the columns the roles that the three lists say; what is in none of them is undecided."""
    study = state.study()
    if study is None:
        return
    chosen: dict[str, Role] = {}
    for key, (role, _) in ROLE_LISTS.items():
        named = st.session_state[key]
        chosen |= {name: role for name in named if study.roles.of(name) != role}
        chosen |= {
            name: "undecided" for name in study.roles.named if study.roles.of(name) == role and name not in named
        }
    decisions.give(chosen)


def show_births(found: tuple[columns.Column, ...]) -> None:
    """Asks about days of birth that were removed as proposed: people want the year of them, which can be had."""
    noted = [one.what for one in decisions.noted()]
    looks = {one.name: one for one in decisions.columns()}
    for column in found:
        attribute, said = column.hierarchy, decisions.AS_PROPOSED.format(column.name)
        if attribute is None or not attribute.dates or looks[column.name].role != "removed" or said not in noted:
            continue
        if decisions.STAYS_OUT.format(column.name) in noted[noted.index(said) :]:
            continue
        name, width = words.plain(column.name), attribute.layer_nodes[0][0].values  # noqa: PD011 - no data frame
        with st.container(border=True, key=f"data-born-{column.name}"):
            st.markdown(f"**{name}** is removed, as proposed: {words.plain(looks[column.name].reason)}.")
            with st.container(horizontal=True):
                act(
                    f"Publish {name} in groups of {how_many(width, attribute.unit)}",
                    make_known,
                    column.name,
                    key=f"data-born-years-{column.name}",
                    help="As a quasi-identifier, for others may know when somebody was born. Narrower groups, down to "
                    f"a single {attribute.unit}, by more layers on the page Hierarchies.",
                )
                act(
                    f"Leave {name} out",
                    decisions.note,
                    decisions.STAYS_OUT.format(column.name),
                    key=f"data-born-out-{column.name}",
                )


def show_undecided(able: list[str]) -> None:
    """Asks about the columns that nobody decided about: one by one where they identify, the rest at once."""
    asked = (*decisions.open_questions(), *decisions.known_to_others())
    for column in asked[:ASKED]:
        name = words.plain(column.name)
        if column.identifying:
            says = "says" if column.direct else "nearly says"
            why = f"{says} who somebody is: {column.reason}. Before the table is published somebody has to decide."
        else:
            why = f"is {column.reason}. As it stands it makes the groups smaller that people can hide in."
        with st.container(border=True, key=f"data-ask-{column.name}"):
            st.markdown(f"**{name}** {words.plain(why)}")
            with st.container(horizontal=True):
                if column.name in able:
                    act(f"Make {name} a quasi-identifier", make_known, column.name, key=f"data-make-{column.name}")
                answers = (
                    (f"Remove {name}", "removed"),
                    (f"{name} is sensitive", "sensitive"),
                    (f"Keep {name}", "kept"),
                )
                for label, role in answers:
                    act(label, decisions.give, {column.name: role}, key=f"data-{role}-{column.name}")
    if len(asked) > ASKED:
        left = words.plain(listed([column.name for column in asked[ASKED:]]))
        st.caption(
            f"Then {how_many(len(asked) - ASKED, 'more column')} like these: {left}; the lists above take them too."
        )
    show_proposals()


def show_proposals() -> None:
    """Offers to take at once what is proposed for the columns in which nothing identifying is seen."""
    proposed = decisions.proposals()
    if not proposed:
        return
    roles = list(proposed.values())
    keep, sensitive = roles.count("kept"), roles.count("sensitive")
    # All of them are named: what stands behind "and more" would go out unseen.
    does = [f"Keep {how_many(keep, 'column')}"] if keep else []
    does += [f"call {how_many(sensitive, 'column')} sensitive"] if sensitive else []
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{how_many(len(proposed), 'column')} without a role, in which nothing identifying is seen. "
            f"Proposed: {words.plain(decisions.said(proposed))}."
        )
        act(words.sentence(", ".join(does)), decisions.give, proposed, key="data-take")


def make_known(name: str) -> None:
    """Makes a column a quasi-identifier, with the hierarchy proposed for it."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return
    reason = next((column.reason for column in decisions.columns() if column.name == name), "")
    found = columns.of_session(data)
    state.use_study(columns.with_quasi_identifiers(study, found, [*study.names, name]))
    decisions.note(f"{name} is a quasi-identifier", reason)


def summary(column: columns.Column, role: str) -> str:
    """Describes a column in a line."""
    parts = [role, how_many(column.distinct, "different value")]
    if column.missing:
        parts.append(how_many(column.missing, "empty cell"))
    return f"**{words.plain(column.name)}** · {' · '.join(parts)}"


def show_column(digest: str, column: columns.Column, k: int) -> None:
    """Draws the distribution of a column."""
    if not (column.numeric or column.counted):
        st.info("This column holds no values.", icon=":material/bar_chart:")
        return
    figure = state.once(f"histogram of {column.name}", (digest, k), partial(histogram, column, k))
    st.plotly_chart(figure, key=f"spread-{column.name}", config=CONFIG, alt=takeaway(column))
    st.caption(
        f"Each bar counts records. Hatched: fewer than k = {k}, so whoever is there stands out."
        if k
        else "Each bar counts records."
    )


def show_overview(found: tuple[columns.Column, ...]) -> None:
    """Shows every column with its role, what is proposed, and what it holds."""
    overview = columns.overview(found, state.study())
    tall = "content" if len(overview) <= WHOLE else "auto"
    st.dataframe(
        overview,
        hide_index=True,
        height=tall,
        alt="Role, proposal and contents per column",
        column_config={"because": st.column_config.TextColumn(width=260)},
    )


def show_problems(rows: list[dict[str, str]]) -> None:
    """Shows what is amiss, and what was read otherwise than it is written."""
    if not rows:
        st.markdown(
            ":material/check_circle: No empty cells, no text among numbers, no value outside its domain; every cell "
            "is read as it is written."
        )
        return
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        row_height=80,
        alt="Problems, and what was read how, with their column and rows",
        # Narrow enough for the sentences to break into lines.
        column_config={"rows": st.column_config.TextColumn(width=150)}
        | {name: st.column_config.TextColumn(width=270) for name in ("what", "how to mend")},
    )


def show_rows(data: state.Dataset, found: tuple[columns.Column, ...]) -> None:
    """Shows the first rows of the table."""
    st.dataframe(preview(data, found), height=320, alt="The first rows of the table")
    st.caption(f"The first {min(PREVIEW, len(data.frame)):,} of {how_many(len(data.frame), 'row')}.")


def preview(data: state.Dataset, found: tuple[columns.Column, ...]) -> pd.DataFrame:
    """Returns the first rows, numbered as problems number them; columns of numbers as numbers."""
    head = data.frame.head(PREVIEW).copy()
    for column in found:
        if column.numeric and not column.problems and len(column.values) == column.cells:
            head[column.name] = column.values[:PREVIEW]  # noqa: PD011 - no data frame
    head.index = pd.RangeIndex(1, len(head) + 1, name="row")
    return head


page()
