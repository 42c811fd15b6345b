"""What the page Data asks of a table before it can be published, one question at a time, in one place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from cra_dashboard.session import datasets, decisions, keys, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.messages import telling
from cra_dashboard.table import columns
from cra_dashboard.table.source import PLACE
from cra_dashboard.texts import words
from cra_engine import Study
from cra_engine.checks.outcome import CheckedColumn
from cra_engine.choices import DecimalSign
from cra_engine.raw import contents
from cra_engine.raw.columns import find_gaps
from cra_engine.raw.first_study import advised_missing
from cra_engine.raw.nameless import names_like_cells
from cra_engine.raw.written import Written
from cra_engine.study.grid import MAX_CELLS, MAX_CODES
from cra_engine.study.lattice import MAX_STATES
from cra_engine.study.roles import Role
from cra_engine.words import how_many, listed, rows_text, spoken

NAMED = 5
# How answers are noted.
APART, TWICE = "{}: spellings that are alike stay apart", "rows that seem to be of the same people stay in"
KNOWN = "“{}” stays a value"
SEARCHED = "which of too many columns that others know go out is left to Make it publishable"
_ONLY_NOTED = (*(text.split("{}")[-1] for text in (APART, KNOWN, decisions.STAYS_OUT)), TWICE, SEARCHED)
_ASKED: Kept[tuple[str, ...]] = Kept("cra_asked")  # the questions so far about a table of these columns
# Whoever answered a question finds the next one where the last one stood, by keyboard too.
_FOCUS = """<script>/* {} */ (question => {{
  question.tabIndex = -1; question.focus({{preventScroll: true}}); question.scrollIntoView({{block: "nearest"}})
}})(document.querySelector(".st-key-data-question, .st-key-data-answered"))</script>"""


# What may become of missing values, and what that means for the release.
GAPS = {
    "leave-out": ("Leave the rows out", "{gaps} of {records} not published at all"),
    "category": (
        "A category of their own",
        "{gaps} published as NULL, a group like any other, so k are needed: {name} shows {value}, others, or NULL",
    ),
    "*": ("Hidden in these rows", "{gaps} published with * in this column"),
}
GAPS_HELP = {
    "leave-out": "What is said of the release is then true of the people who are in it.",
    "category": "A group like any other: who reads the release sees whose value is missing.",
    "*": "Such a record is published only where its column shows *, so it shares a row with others whose value is "
    "hidden.",
}


@dataclass(frozen=True)
class Question:
    """A question of the page Data.

    Attributes:
        name: what tells it from the others, whatever was answered before.
        ask: shows it with its answers; the one that is advised, where there is one, is the only primary button.
        column: the first that it is about; empty where it is about rows.
        more: whether an answer may raise others.
    """

    name: str
    ask: Callable[[], None]
    column: str = ""
    more: bool = False


def show_next(data: state.Dataset, found: tuple[contents.Column, ...]) -> Question | None:
    """Show on Data the first question that is open, which of how many it is; None where none is, which is said then."""
    # Rows first: a number that repeats in them says who somebody is once they are out.
    asked = [*_of_cells(data, found), *_of_rows(data, found), *_of_roles(data, found)]
    columns_asked = tuple(map(str, data.frame.columns))
    before = _ASKED.of(columns_asked) or ()
    if not asked:
        if before:
            with st.container(border=True, key="data-answered"):
                said = f"All questions are answered ({len(before)})."
                st.markdown(f":material/check_circle: **{said}** Next: May it go out?")
                st.html(_FOCUS.format(said), unsafe_allow_javascript=True)
        return None
    first = asked[0].name
    _ASKED.keep(columns_asked, before := before if first in before else (*before, first))
    number = before.index(first) + 1
    left, so_far = len(asked) - 1, " so far" if any(question.more for question in asked) else ""
    with st.container(border=True, key="data-question"):
        # How many more there are depends on the answers: a number that is only ever made larger would be none.
        counted = f"Question {number}{f', {left} more{so_far}' if left else '' if so_far else ', the last one'}"
        st.caption(counted)
        asked[0].ask()
        if number > 1:
            st.html(_FOCUS.format(counted), unsafe_allow_javascript=True)
    return asked[0]


def _of_cells(data: state.Dataset, found: tuple[contents.Column, ...]) -> Iterator[Question]:
    """How cells are to be read: the first line, decimals, texts that are no value, spellings of one value."""
    if alike := state.once("names like values", data.digest, lambda: names_like_cells(data.frame)):
        yield Question("names", partial(ask_names, data, alike), alike[0], more=True)
    unclear = [column.name for column in found for problem in column.problems if problem.asks]
    if unclear:
        yield Question("decimals", partial(ask_decimals, data, found), unclear[0], more=True)
    study = state.study()
    for misfits in columns.misfits(data, study):
        name = misfits.problem.column
        yield Question(f"misfits of {name}", partial(ask_misfits, misfits), name, more=True)
    noted = _noted()
    unknown = {
        name: left
        for name, said in columns.unknown(data, study).items()
        if (left := tuple(word for word in said if KNOWN.format(word) not in noted))
    }
    if unknown:
        yield Question("unknown", partial(ask_unknown, data, unknown), next(iter(unknown)), more=True)
    settled = {
        *(study.roles.remove if study else ()),
        *(one.name for one in found if APART.format(one.name) in noted),
    }
    for column in found:
        if column.name not in settled and (several := columns.written_alike(data, column)):
            yield Question(f"spellings of {column.name}", partial(ask_spellings, column.name, several), column.name)


def _of_roles(data: state.Dataset, found: tuple[contents.Column, ...]) -> Iterator[Question]:
    """Which columns others know, and what becomes of the rest; then of the gaps in what others know."""
    for born in births(found):
        yield Question(f"birth by {born.name}", partial(ask_birth, born), born.name, more=True)
    undecided = (*decisions.open_questions(), *decisions.known_to_others())
    for column in undecided:
        yield Question(
            f"role of {column.name}",
            partial(ask_role, undecided, able_to_be_known(found)),
            undecided[0].name,
            more=True,
        )
    study = state.study()
    if study is not None and len(fitting(study)) < len(study.names) and SEARCHED not in _noted():
        yield Question("too many", partial(ask_too_many, study))
    if gaps := decisions.open_gaps():
        yield Question(f"gaps of {sorted(gaps)}", partial(ask_gaps, data, gaps), next(iter(gaps)))
    if proposed := decisions.proposals():
        yield Question("proposals", partial(ask_proposals, proposed, able_to_be_known(found)), next(iter(proposed)))


def _of_rows(data: state.Dataset, found: tuple[contents.Column, ...]) -> Iterator[Question]:
    """Whether people stand in several rows."""
    rows = columns.repeated_rows(data)
    settled = decisions.REPEATS in data.left_out or TWICE in _noted()
    if not settled and (said := columns.repeated(data, found)):
        yield Question("repeated", partial(ask_repeated, said, rows), more=True)


def _noted() -> set[str]:
    return {one.what for one in decisions.noted()}


def is_only_noted(what: str) -> bool:
    """Return whether a decision of Data is an answer that changed nothing else: without it the question is asked."""
    return what.endswith(_ONLY_NOTED)


def able_to_be_known(found: tuple[contents.Column, ...]) -> list[str]:
    """Return the columns that Data lets somebody call known to others: those with a hierarchy."""
    study = state.study()
    # Text with many values can be one too, once the Hierarchies page has given it a hierarchy file.
    return [one.name for one in found if one.hierarchy is not None or (study is not None and one.name in study.names)]


def ask_names(data: state.Dataset, alike: tuple[str, ...]) -> None:
    """Ask on Data for a file whose first line names the columns, where it seems to be a record."""
    named = words.plain(listed([f"“{name[:40]}”" for name in alike[:NAMED]]))
    st.markdown(
        f"The first line of the file seems to be a person's, not the names of the columns: {named}. It would go out "
        "as names. Put a line of names above it, and upload the file again. If they are names, call the columns "
        "otherwise."
    )
    act("Upload the file with names", upload_again, data.digest, type="primary", key="data-names-upload")


def upload_again(digest: str) -> None:
    """Open on Data the place where another file is taken."""
    st.session_state.update({keys.ASKED_BESIDE: digest, keys.TABLE_FROM: keys.UPLOAD})


def ask_decimals(data: state.Dataset, found: tuple[contents.Column, ...]) -> None:
    """Ask on Data what marks the decimals, where numbers can be read in two ways."""
    asked = [(column, problem) for column in found for problem in column.problems if problem.asks]
    column, problem = asked[0]
    cell = str(data.frame[column.name].loc[problem.rows[0] - 1]).strip()
    names = listed([words.plain(column.name) for column, _ in asked[:NAMED]])
    more = f" and {len(asked) - NAMED} more" if len(asked) > NAMED else ""
    st.markdown(f"The numbers in **{names}**{more} can be read in two ways. What marks the decimals?")
    chosen = [column.name for column, _ in asked]
    with st.container(horizontal=True):
        for decimal, reading in datasets.readings(cell).items():
            act(words.plain(reading), take_decimal, chosen, decimal, key=f"data-decimal-{decimal}")
    st.caption("Whatever you say, a column that others do not know is published as it stands in the file.")


def take_decimal(names: list[str], decimal: DecimalSign) -> None:
    """Read the numbers of some columns as a person on Data says they are written."""
    data, study = state.dataset(), state.study()
    if data is not None:
        read = datasets.with_decimals_decided(data, names, decimal)
        state.read_otherwise(read, study or contents.proposed_study(contents.inspect(read.frame)))


def ask_misfits(misfits: columns.Misfits) -> None:
    """Ask on Data what becomes of cells that fit nowhere, such as text or dates written otherwise among dates."""
    problem, missing = misfits.problem, dict.fromkeys(misfits.texts, "")
    many, name = how_many(len(problem.rows), "cell"), words.plain(problem.column)
    if misfits.ways:
        text = next(iter(misfits.ways[0]))
        st.markdown(
            f"**{name}**: {many} written otherwise, such as “{words.plain(text)}”; the rest is like "
            f"“{words.plain(misfits.like)}”. What do they mean?"
        )
    else:
        named = words.plain(listed([f"“{text[:40]}”" for text in misfits.texts[:NAMED]]))
        st.markdown(f"**{name}**: {many} that cannot be read: {named}. What becomes of them?")
    clear = len(misfits.ways) == 1
    with st.container(horizontal=True):
        for place, way in enumerate(misfits.ways):
            day = date.fromisoformat(way[text])
            act(
                words.plain(f"{text} is {day.day} {day:%B %Y}"),
                take_meant,
                {problem.column: way},
                type="primary" if clear else "secondary",
                key=f"data-misfits-day-{place}",
            )
        act(
            f"Leave {how_many(len(problem.rows), 'row')} out",
            take_meant,
            {problem.column: missing},
            "leave-out",
            type="secondary" if misfits.ways else "primary",
            key="data-misfits-out",
            help=f"{words.sentence(rows_text(problem.rows, columns.ROWS_NAMED))}, and those where the column is empty.",
        )
        act("Make them missing", take_meant, {problem.column: missing}, key="data-misfits-missing")


def ask_unknown(data: state.Dataset, unknown: Mapping[str, tuple[str, ...]]) -> None:
    """Ask on Data whether words such as “unknown” are missing values, in all columns at once, with what it makes."""
    gone = {name: data.frame[name].astype(str).str.strip().isin(texts) for name, texts in unknown.items()}
    cells = sum(int(where.sum()) for where in gone.values())
    blank = pd.DataFrame({name: where | find_gaps(data.frame[name]) for name, where in gone.items()})
    shown = [f"**{words.plain(name)}**" for name in list(unknown)[:NAMED]]
    shown += [f"{len(unknown) - NAMED} more"] if len(unknown) > NAMED else []
    every = tuple(dict.fromkeys(word for of in unknown.values() for word in of))
    said = listed([f"“{words.plain(word)}”" for word in every])
    st.markdown(
        f"{how_many(cells, 'cell')} of {listed(shown)} {'hold' if cells > 1 else 'holds'} {said}. "
        f"{'Are these missing values' if cells > 1 else 'Is this a missing value'}?"
    )
    with st.container(horizontal=True):
        act("Read them as missing", take_meant, _missing(unknown, every), type="primary", key="data-unknown-missing")
        act("Leave them as values", leave_as_values, every, key="data-unknown-values")
    st.caption(
        f"Missing: {how_many(int(blank.to_numpy().sum()), 'empty cell')} in "
        f"{how_many(int(blank.any(axis=1).sum()), 'row')}, all one thing. As values each word is a group of its own."
    )
    if len(every) > 1:
        with st.expander("Each word by itself"):
            for word in every:
                with st.container(horizontal=True):
                    one, told = f"“{words.plain(word)}”", _missing(unknown, [word])
                    act(f"{one} is missing", take_meant, told, key=f"data-unknown-missing-{word}")
                    act(f"{one} is a value", leave_as_values, [word], key=f"data-unknown-values-{word}")


def _missing(unknown: Mapping[str, tuple[str, ...]], these: Sequence[str]) -> dict[str, dict[str, str]]:
    """What reads these words as missing, by column."""
    found = {name: {word: "" for word in said if word in these} for name, said in unknown.items()}
    return {name: told for name, told in found.items() if told}


def leave_as_values(said: Sequence[str]) -> None:
    """Note from a question on Data that words which say that nobody knows stay values."""
    with state.one_change():
        for word in said:
            decisions.note(KNOWN.format(word))


def ask_spellings(column: str, several: dict[str, str]) -> None:
    """Ask on Data whether texts that differ in capitals, blanks or accents, or mean the same sex, are one value."""
    st.markdown(
        f"**{words.plain(column)}** seems to write one value in several ways. Apart, they are groups of their own. "
        f"Read {words.plain(columns.said_alike(several))}?"
    )
    with st.container(horizontal=True):
        act("Merge them", take_meant, {column: several}, type="primary", key="data-alike-merge")
        act("Leave them apart", decisions.decide, APART.format(column), key="data-alike-apart")


def take_meant(told: Mapping[str, Mapping[str, str]], gaps: str = "") -> None:
    """Read cells of columns as a person on Data says; where they are missing now, say what becomes of the gaps."""
    data, study = state.dataset(), state.study()
    if data is None:
        return
    with telling(PLACE):
        before = contents.hierarchies(state.columns_of(data))
        read = data
        for name, meant in told.items():
            read = datasets.with_cells_read_as(read, name, meant)
        if study is not None:
            study = contents.carried_over(study, before, state.columns_of(read))
            attributes = [one.with_missing(gaps) if gaps and one.name in told else one for one in study.attributes]
            study = study.changed(attributes=attributes)
        state.read_otherwise(read, study)
        # No cell is named: what is noted is filed.
        for name, meant in told.items():
            merged = any(meant.values())
            decisions.note(
                f"{name}: {how_many(len(meant), 'text')} read as {'other spellings' if merged else 'missing'}"
            )
            if gaps:
                decisions.note_gaps(name, gaps)


def ask_gaps(data: state.Dataset, gaps: Mapping[str, int]) -> None:
    """Ask on Data what becomes of missing values that nobody decided about: all columns at once, with its price."""
    one, many = len(gaps) == 1, sum(gaps.values())
    rows, left = decisions.rows_with_open_gaps()
    of = how_many(left, "record") if left == len(data.frame) else f"the {how_many(left, 'record')} that are left"
    named = listed([f"**{words.plain(name)}**" for name in gaps])
    columns_written = [Written.of(data.frame[name]) for name in gaps]
    said = dict.fromkeys(word for column in columns_written for word in column.gap_words)
    empty = sum(len(column.rows(not text for text in column.texts)) for column in columns_written)
    written = f", {'some of them ' * bool(empty)}written {words.plain(listed([f'“{word}”' for word in said]))}"
    st.markdown(
        f"{named} {'has' if one else 'have'} {how_many(many, 'missing value')}{written if said else ''}. "
        "What becomes of them?"
    )
    _ask_gaps(of, tuple(gaps), next(iter(gaps)) if one else "all", rows, advised_missing(rows, left))
    if not one:
        with st.expander("Each column by itself"):
            for name, number in gaps.items():
                _ask_gaps(of, (name,), name, number)


def _ask_gaps(of: str, names: tuple[str, ...], called: str, rows: int, advised: str = "") -> None:
    """The answers for some columns, each with what it costs, of so many records, and what a cell shows then."""
    study = state.study()
    if study is None:
        return
    first = next(one for one in study.attributes if one.name == names[0])
    value = words.plain(spoken(next(node.label for node in first.layer_nodes[0] if not node.coded)))
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
            gaps = how_many(rows, "record")
            said = consequence.format(gaps=gaps, records=of, name=words.plain(first.name), value=value)
            st.caption(said, width="content")


def choose_gaps(names: tuple[str, ...], missing: str) -> None:
    """Set from a question on Data what becomes of the missing values of some quasi-identifiers."""
    study = state.study()
    if study is not None:
        with telling(PLACE):
            attributes = [a.with_missing(missing) if a.name in names else a for a in study.attributes]
            state.use_study(study.changed(attributes=attributes))
            for name in names:
                decisions.note_gaps(name, missing)


def ask_too_many(study: Study) -> None:
    """Ask on Data which columns known to others go out, where they are too many to be published together."""
    kept = fitting(study)
    others = [name for name in study.names if name not in kept]
    known = f"**{how_many(len(study.names), 'column')}** that others know are too many"
    if len(fitting(study, MAX_CODES)) < len(study.names):
        st.markdown(f"{known} to publish together.")
    else:
        st.markdown(
            f"{known} to try all ways in which somebody could be singled out. As they are, Check looks at the groups "
            "alone, and says what nobody looked at."
        )
    st.markdown(f"Keep {words.plain(listed(list(kept)))}, and remove the others or call them sensitive?")
    with st.container(horizontal=True):
        act(
            f"Keep these {len(kept)}, remove the others",
            decisions.keep_known,
            kept,
            type="primary",
            key="data-too-many",
            help=f"Removed: {words.plain(listed(others))}.",
        )
        act("Let Make it publishable choose", decisions.decide, SEARCHED, key="data-too-many-searched")


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


def births(found: tuple[contents.Column, ...]) -> Iterator[contents.Column]:
    """Give for Data the days of birth that were removed as proposed: people want the year, which can be had."""
    noted = [one.what for one in decisions.noted()]
    looks = {one.name: one for one in decisions.columns()}
    for column in found:
        attribute, said = column.hierarchy, decisions.AS_PROPOSED.format(column.name)
        if attribute is None or not attribute.dates or looks[column.name].role != "removed" or said not in noted:
            continue
        if decisions.STAYS_OUT.format(column.name) not in noted[noted.index(said) :]:
            yield column


def ask_birth(column: contents.Column) -> None:
    """Ask on Data whether a day of birth is published in groups of years."""
    name, attribute = words.plain(column.name), column.hierarchy
    reason = column.looks.reason if column.looks else ""
    if attribute is None:
        return
    st.markdown(
        f"**{name}** is removed, as proposed: {words.plain(reason)}. Most readers need an age: groups of years give it "
        "and hide the day. Check may make them wider, and says so."
    )
    with st.container(horizontal=True):
        act(
            f"Publish {name} in groups of {how_many(attribute.layer_nodes[0][0].values, attribute.unit)}",
            make_known,
            column.name,
            type="primary",
            key=f"data-born-years-{column.name}",
            help="As known to others, for others may know when somebody was born. Narrower groups, down to "
            f"a single {attribute.unit}, by more layers on the page Hierarchies.",
        )
        act(
            f"Leave {name} out",
            decisions.decide,
            decisions.STAYS_OUT.format(column.name),
            key=f"data-born-out-{column.name}",
        )


def ask_role(undecided: tuple[CheckedColumn, ...], able: list[str]) -> None:
    """Ask on Data for the role of the first undecided column; all of them can be answered as advised."""
    column, advised = undecided[0], {one.name: _advised(one, able) for one in undecided}
    name, best = words.plain(column.name), advised[column.name]
    if column.identifying:
        says = "says" if column.direct else "nearly says"
        decide = "Before the table is published somebody has to decide."
        if best == "sensitive":
            decide = "Call it sensitive where nobody else can know it, known to others where somebody can."
        why = f"{says} who somebody is: {column.reason}. {decide}"
    else:
        why = f"is {column.reason}. As it stands it makes the groups smaller that people can hide in."
    st.markdown(f"**{name}** {words.plain(why)}")
    answers: list[tuple[str, str, Callable[[], None]]] = [
        (f"Others may know {name}", "known", partial(make_known, column.name)),
        (f"Remove {name}", "removed", partial(decisions.give, {column.name: "removed"})),
        (f"{name} is sensitive", "sensitive", partial(decisions.give, {column.name: "sensitive"})),
        (f"Keep {name}", "kept", partial(decisions.give, {column.name: "kept"})),
    ]
    with st.container(horizontal=True):
        for label, role, do in answers:
            if role != "known" or column.name in able:
                looks: Literal["primary", "secondary"] = "primary" if role == best else "secondary"
                act(label, do, type=looks, key=f"data-{role}-{column.name}")
    if len(undecided) > 1:
        st.caption(f"{len(undecided)} columns are asked about. Advised: {_said_advised(advised)}.")
        act(f"All {len(undecided)} as advised", take_advised, advised, type="primary", key="data-advised")


def _advised(column: CheckedColumn, able: list[str]) -> Role | Literal["known"]:
    """What a person is advised: sensitive where it looks so, known to others where it can be coarser, else removed."""
    if column.proposed == "sensitive" and not column.direct:
        return "sensitive"
    return "known" if column.name in able and not column.direct else "removed"


def _said_advised(advised: Mapping[str, Role | Literal["known"]]) -> str:
    said = {"known": "known to others, made coarser", "sensitive": "sensitive", "removed": "removed"}
    named = {role: [name for name, of in advised.items() if of == role] for role in said}
    parts = [f"{said[role]}: {listed(names)}" for role, names in named.items() if names]
    return words.plain("; ".join(parts))


def take_advised(advised: Mapping[str, Role | Literal["known"]]) -> None:
    """Answers all questions about columns as advised."""
    with state.one_change():
        decisions.give({name: role for name, role in advised.items() if role != "known"})
        for name, role in advised.items():
            if role == "known":
                make_known(name)


def ask_repeated(said: str, rows: tuple[int, ...]) -> None:
    """Ask on Data what becomes of rows that repeat another one."""
    st.markdown(words.plain(said))
    with st.container(horizontal=True):
        if 0 < len(rows) <= columns.MOST_LEFT_OUT:
            act(
                f"Leave {how_many(len(rows), 'row')} out",
                decisions.leave_out,
                rows,
                type="primary",
                key="data-repeated-out",
                help=f"From every page and what goes out: {rows_text(rows, len(rows))}.",
            )
        act("Leave them in", decisions.decide, TWICE, key="data-repeated-in")


def ask_proposals(proposed: Mapping[str, Role], able: list[str]) -> None:
    """Ask on Data what columns are in which nothing identifying is seen: as proposed at once, or each by itself."""
    roles = list(proposed.values())
    keep, sensitive = roles.count("kept"), roles.count("sensitive")
    one = words.plain(next(iter(proposed))) if len(proposed) == 1 else ""
    # All of them are named: what stands behind "and more" would go out unseen.
    does = [f"Keep {one or how_many(keep, 'column')}"] if keep else []
    does += [f"call {one or how_many(sensitive, 'column')} sensitive"] if sensitive else []
    st.markdown(
        f"{how_many(len(proposed), 'column')} without a role, in which nothing identifying is seen. "
        f"Proposed: {words.plain(decisions.decision_text(proposed))}. What is kept goes out as it stands, and "
        "makes the groups smaller for whoever knows it of a person."
    )
    known = [name for name, role in proposed.items() if role == "kept" and name in able]
    with st.container(horizontal=True):
        act(words.sentence(", ".join(does)), decisions.give, proposed, type="primary", key="data-take")
        if known:
            label = f"Others may know {words.plain(known[0]) if len(known) == 1 else f'these {len(known)}'}"
            advised = {**proposed, **dict.fromkeys(known, "known")}
            act(label, take_advised, advised, key="data-take-known", help=words.plain(listed(known)))
        if one:
            _other_roles(next(iter(proposed)), proposed, [])
    if len(proposed) > 1:
        with st.expander("Each column by itself"):
            for name in proposed:
                with st.container(horizontal=True):
                    _other_roles(name, {}, able)


def _other_roles(name: str, but: Mapping[str, Role], able: list[str]) -> None:
    """The answers for one column, but those that stand beside already."""
    if name in able:
        act(f"Others may know {words.plain(name)}", make_known, name, key=f"data-known-{name}")
    said: tuple[tuple[Role, str], ...] = (("sensitive", f"{name} is sensitive"), ("kept", f"Keep {name}"))
    for role, label in said:
        if but.get(name) != role:
            act(words.plain(label), decisions.give, {name: role}, key=f"data-{role}-{name}")


def make_known(name: str) -> None:
    """Give a column the role of a quasi-identifier, with the hierarchy proposed for it."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return
    reason = next((column.reason for column in decisions.columns() if column.name == name), "")
    found = state.columns_of(data)
    state.use_study(contents.with_quasi_identifiers(study, found, [*study.names, name]))
    decisions.note(decisions.KNOWN.format(name), reason, over=decisions.on_role(name))
