"""What the page Data asks of a table before it can be published: decimals, missing values, columns without a role."""

from collections.abc import Mapping
from typing import Literal

import streamlit as st

from cra_dashboard.session import datasets, decisions, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import telling
from cra_dashboard.table import columns
from cra_dashboard.table.source import PLACE
from cra_dashboard.texts import words
from cra_engine import Study
from cra_engine.checks.outcome import CheckedColumn
from cra_engine.choices import DecimalSign
from cra_engine.raw import contents
from cra_engine.raw.first_study import advised_missing
from cra_engine.raw.written import Written
from cra_engine.study.grid import MAX_CELLS, MAX_CODES
from cra_engine.study.lattice import MAX_STATES
from cra_engine.study.roles import Role
from cra_engine.words import how_many, listed

NAMED, ASKED = 5, 1
APART = "{}: spellings that are alike stay apart"  # how the answer is noted


# What may become of missing values, and what that means for the release.
GAPS = {
    "leave-out": ("Leave the rows out", "{gaps} of {records} not published at all"),
    "category": ("A category of their own", "{gaps} published as NULL, one value more"),
    "*": ("Hidden in these rows", "{gaps} published with * in this column"),
}
GAPS_HELP = {
    "leave-out": "What is said of the release is then true of the people who are in it.",
    "category": "A group like any other: who reads the release sees whose value is missing.",
    "*": "Such a record is published only where its column shows *, so it shares a row with others whose value is "
    "hidden.",
}


def show_question(data: state.Dataset, found: tuple[contents.Column, ...]) -> None:
    """Ask on Data what marks the decimals, where numbers can be read in two ways."""
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
    st.caption("Whatever you say, a column that others do not know is published as it stands in the file.")


def take_decimal(names: list[str], decimal: DecimalSign) -> None:
    """Read the numbers of some columns as a person on Data says they are written."""
    data, study = state.dataset(), state.study()
    if data is not None:
        read, noted = datasets.with_decimals_decided(data, names, decimal), decisions.noted()
        state.use_dataset(read, study or contents.proposed_study(contents.inspect(read.frame)))
        decisions.use_noted(noted)


def show_misfits(data: state.Dataset) -> None:
    """Ask on Data what becomes of a few cells that fit nowhere, such as text in a column of dates."""
    first = columns.misfits(data, state.study())
    if first is None:
        return
    problem, texts = first
    many, name = how_many(len(problem.rows), "cell"), words.plain(problem.column)
    with st.container(border=True, key="data-misfits"):
        named = words.plain(listed([f"“{text[:40]}”" for text in list(texts)[:NAMED]]))
        st.markdown(f"**{name}**: {many} that cannot be read: {named}. What becomes of them?")
        with st.container(horizontal=True):
            act(
                f"Leave {how_many(len(problem.rows), 'row')} out",
                take_meant,
                problem.column,
                texts,
                "leave-out",
                type="primary",
                key="data-misfits-out",
                help=f"Rows {columns.rows_named(problem.rows)} of your file, and those where the column is empty.",
            )
            act("Make them missing", take_meant, problem.column, texts, key="data-misfits-missing")


def show_spellings(data: state.Dataset, found: tuple[contents.Column, ...]) -> None:
    """Ask on Data whether texts that differ in capitals, blanks or accents, or mean the same sex, are one value."""
    study = state.study()
    gone = study.roles.remove if study else ()
    noted = {one.what for one in decisions.noted()}
    for column in found:
        several = columns.written_alike(data, column)
        if not several or column.name in gone or APART.format(column.name) in noted:
            continue
        name = words.plain(column.name)
        with st.container(border=True, key=f"data-alike-{column.name}"):
            st.markdown(
                f"**{name}** seems to write one value in several ways. Apart, they are groups of their own. "
                f"Read {words.plain(columns.said_alike(several))}?"
            )
            with st.container(horizontal=True):
                act("Merge them", take_meant, column.name, several, type="primary", key="data-alike-merge")
                act("Leave them apart", decisions.note, APART.format(column.name), key="data-alike-apart")
        return


def take_meant(name: str, meant: Mapping[str, str], gaps: str = "") -> None:
    """Read cells of a column as a person on Data says; where they are missing now, say what becomes of the gaps."""
    data, study = state.dataset(), state.study()
    if data is None:
        return
    with telling(PLACE):
        before, noted, rule = columns.of_session(data), decisions.noted(), decisions.rule()
        read = datasets.with_cells_read_as(data, name, meant)
        state.use_dataset(read, None)
        decisions.use_rule(rule)
        decisions.use_noted(noted)
        if study is not None:
            study = contents.carried_over(study, before, columns.of_session(read))
            attributes = [one.with_missing(gaps) if gaps and one.name == name else one for one in study.attributes]
            state.use_study(study.changed(attributes=attributes))
        # No cell is named: what is noted is filed.
        merged = any(meant.values())
        decisions.note(f"{name}: {how_many(len(meant), 'text')} read as {'other spellings' if merged else 'missing'}")
        if gaps:
            decisions.note_gaps(name, gaps)


def show_gaps(data: state.Dataset) -> None:
    """Ask on Data what becomes of missing values that nobody decided about: all columns at once, with its price."""
    gaps = decisions.open_gaps()
    if not gaps:
        return
    one = len(gaps) == 1
    rows, left = decisions.rows_with_open_gaps()
    of = how_many(left, "record") if left == len(data.frame) else f"the {how_many(left, 'record')} that are left"
    with st.container(border=True, key="data-gaps-all"):
        have = "has" if one else "have"
        named = listed([f"**{words.plain(name)}**" for name in gaps])
        said = dict.fromkeys(word for name in gaps for word in Written.of(data.frame[name]).gap_words)
        among = f", {words.plain(listed([f'“{word}”' for word in said]))} among them" if said else ""
        st.markdown(f"{named} {have} {how_many(sum(gaps.values()), 'missing value')}{among}. What becomes of them?")
        _ask_gaps(of, tuple(gaps), next(iter(gaps)) if one else "all", rows, advised_missing(rows, left))
        if not one:
            with st.expander("Each column by itself"):
                for name, many in gaps.items():
                    _ask_gaps(of, (name,), name, many)


def _ask_gaps(of: str, names: tuple[str, ...], called: str, rows: int, advised: str = "") -> None:
    """The answers for some columns, each with what it costs, of so many records."""
    for missing, (label, consequence) in GAPS.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            act(
                f"{label}: {words.plain(called)}",
                choose_gaps,
                names,
                missing,
                type="primary" if missing == advised else "secondary",
                key=f"data-missing-{missing}-{called}",
                help=GAPS_HELP[missing],
            )
            st.caption(consequence.format(gaps=how_many(rows, "record"), records=of), width="content")


def choose_gaps(names: tuple[str, ...], missing: str) -> None:
    """Set from a question on Data what becomes of the missing values of some quasi-identifiers."""
    study = state.study()
    if study is not None:
        with telling(PLACE):
            attributes = [a.with_missing(missing) if a.name in names else a for a in study.attributes]
            state.use_study(study.changed(attributes=attributes))
            for name in names:
                decisions.note_gaps(name, missing)


def show_too_many() -> None:
    """Say on Data which columns known to others are too many to be published together, and what to do."""
    study = state.study()
    if study is None:
        return
    kept = fitting(study)
    if len(kept) == len(study.names):
        return
    others = [name for name in study.names if name not in kept]
    many, some = how_many(len(study.names), "column"), words.plain(listed(list(kept)))
    say = f"Keep {some}, and remove the others or call them sensitive; or let Check search which can go out."
    if len(fitting(study, MAX_CODES)) < len(study.names):
        messages.error(f"{many} that others know are too many to publish together. {say}")
    else:
        st.warning(
            f"{many} that others know are too many to try all ways in which somebody could be singled out. As they "
            f"are, Check looks at the groups alone, and says what nobody looked at. {say}",
            icon=":material/warning:",
        )
    with st.container(horizontal=True):
        act(
            f"Keep these {len(kept)}, remove the others",
            decisions.keep_known,
            kept,
            type="primary",
            key="data-too-many",
            help=f"Removed: {words.plain(listed(others))}.",
        )
        st.page_link("pages/check.py", label="Make it publishable, on Check", icon=":material/auto_fix_high:")


def fitting(study: Study, most: int = MAX_CELLS) -> tuple[str, ...]:
    """Return the first quasi-identifiers that can keep their role together with the hierarchies as they are.

    Args:
        study: of the page Data.
        most: cells of the grid, as many as can be attacked when left out.
    """
    kept: list[str] = []
    leaves = layers = 1
    for attribute in study.attributes:
        if leaves * attribute.leaves <= most and layers * attribute.layers <= MAX_STATES:
            leaves, layers = leaves * attribute.leaves, layers * attribute.layers
            kept.append(attribute.name)
    return tuple(kept)


def show_births(found: tuple[contents.Column, ...]) -> None:
    """Ask on Data about days of birth that were removed as proposed: people want the year, which can be had."""
    noted = [one.what for one in decisions.noted()]
    looks = {one.name: one for one in decisions.columns()}
    for column in found:
        attribute, said = column.hierarchy, decisions.AS_PROPOSED.format(column.name)
        if attribute is None or not attribute.dates or looks[column.name].role != "removed" or said not in noted:
            continue
        if decisions.STAYS_OUT.format(column.name) in noted[noted.index(said) :]:
            continue
        name, width = words.plain(column.name), attribute.layer_nodes[0][0].values
        with st.container(border=True, key=f"data-born-{column.name}"):
            st.markdown(f"**{name}** is removed, as proposed: {words.plain(looks[column.name].reason)}.")
            with st.container(horizontal=True):
                act(
                    f"Publish {name} in groups of {how_many(width, attribute.unit)}",
                    make_known,
                    column.name,
                    key=f"data-born-years-{column.name}",
                    help="As known to others, for others may know when somebody was born. Narrower groups, down to "
                    f"a single {attribute.unit}, by more layers on the page Hierarchies.",
                )
                act(
                    f"Leave {name} out",
                    decisions.note,
                    decisions.STAYS_OUT.format(column.name),
                    key=f"data-born-out-{column.name}",
                )


def show_undecided(able: list[str]) -> None:
    """Ask for the roles of undecided columns: one by one where they identify, the rest at once."""
    asked = (*decisions.open_questions(), *decisions.known_to_others())
    for column in asked[:ASKED]:
        name = words.plain(column.name)
        if column.identifying:
            says = "says" if column.direct else "nearly says"
            decide = "Before the table is published somebody has to decide."
            if _advised(column, able) == "sensitive":
                decide = "Call it sensitive where nobody else can know it, known to others where somebody can."
            why = f"{says} who somebody is: {column.reason}. {decide}"
        else:
            why = f"is {column.reason}. As it stands it makes the groups smaller that people can hide in."
        with st.container(border=True, key=f"data-ask-{column.name}"):
            st.markdown(f"**{name}** {words.plain(why)}")
            with st.container(horizontal=True):
                advised = _advised(column, able)
                if column.name in able:
                    act(
                        f"Others may know {name}",
                        make_known,
                        column.name,
                        type="primary" if advised == "known" else "secondary",
                        key=f"data-make-{column.name}",
                    )
                answers: tuple[tuple[str, Role], ...] = (
                    (f"Remove {name}", "removed"),
                    (f"{name} is sensitive", "sensitive"),
                    (f"Keep {name}", "kept"),
                )
                for label, role in answers:
                    act(
                        label,
                        decisions.give,
                        {column.name: role},
                        type="primary" if advised == role else "secondary",
                        key=f"data-{role}-{column.name}",
                    )
    if len(asked) > ASKED:
        left = words.plain(listed([column.name for column in asked[ASKED:]]))
        st.caption(
            f"Then {how_many(len(asked) - ASKED, 'more column')} like these: {left}; the lists above take them too."
        )
        act(
            f"All {len(asked)} as advised",
            take_advised,
            {column.name: _advised(column, able) for column in asked},
            key="data-advised",
            help=_said_advised({column.name: _advised(column, able) for column in asked}),
        )
    show_proposals()


def _advised(column: CheckedColumn, able: list[str]) -> Role | Literal["known"]:
    """What a person is advised: sensitive where it looks so, known to others where it can be coarser, else removed."""
    if column.proposed == "sensitive" and not column.direct:
        return "sensitive"
    return "known" if column.name in able and not column.direct else "removed"


def _said_advised(advised: Mapping[str, Role | Literal["known"]]) -> str:
    said = {"known": "known to others, made coarser", "sensitive": "sensitive", "removed": "removed"}
    named = {role: [name for name, of in advised.items() if of == role] for role in said}
    parts = [f"{said[role]}: {listed(names)}" for role, names in named.items() if names]
    return words.plain(words.sentence("; ".join(parts)))


def take_advised(advised: Mapping[str, Role | Literal["known"]]) -> None:
    """Answers all questions about columns as advised."""
    decisions.give({name: role for name, role in advised.items() if role != "known"})
    for name, role in advised.items():
        if role == "known":
            make_known(name)


def show_proposals() -> None:
    """Offer to take at once the roles proposed for the columns in which nothing identifying is seen."""
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
            f"Proposed: {words.plain(decisions.decision_text(proposed))}. Check counts who is alone by what is kept."
        )
        act(words.sentence(", ".join(does)), decisions.give, proposed, key="data-take")


def make_known(name: str) -> None:
    """Give a column the role of a quasi-identifier, with the hierarchy proposed for it."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return
    reason = next((column.reason for column in decisions.columns() if column.name == name), "")
    found = columns.of_session(data)
    state.use_study(contents.with_quasi_identifiers(study, found, [*study.names, name]))
    decisions.note(f"{name} is a quasi-identifier", reason)
