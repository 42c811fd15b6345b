"""What is decided about the columns of the session's table, and why: for the verdict and the project file."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, cast

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from cra_dashboard.session import datasets, state
from cra_dashboard.session.kept import Kept
from cra_engine import CRAError, Rule, Study
from cra_engine.checks.columns import column_roles
from cra_engine.checks.outcome import CheckedColumn
from cra_engine.checks.project import ACCEPTED, Decision
from cra_engine.checks.sensitive_values import is_left_shown
from cra_engine.publishable import Pin
from cra_engine.publishable.words import REPEATS
from cra_engine.raw.columns import gaps_in
from cra_engine.raw.placement import LEFT_OUT
from cra_engine.raw.proposed_roles import UNTOLD
from cra_engine.raw.written import row_numbers
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.roles import Role
from cra_engine.words import how_many, listed, rows_text

# How lines begin: a finding that somebody accepted, whose text follows; rows that are left out; the rule.
LEFT_ROWS, RULE_SET = "left out, ", "the rule: "
PUBLISHED = "published as searched for: "  # by Make it publishable: the table that was taken
MOST, MOST_ROWS = 500, 20  # decisions that are kept; rows that one of them names
MOST_TOLD = 5  # decisions of one change
STAYS = "what has to stay: "  # a column, and how narrow its groups are, which Make it publishable heeds
_ASKED: Kept[int] = Kept("cra_still_asked")  # of a file: how many questions Data still asks about it
# How notes are worded: of columns, and of what may become of missing values.
AS_PROPOSED, STAYS_OUT, KNOWN = "{} is removed, as proposed", "{} stays removed", "{} is known to others"
REMOVED = "{} is removed"
TOO_MANY = "with it the columns that others know were too many"  # why it is
ONLY_HERE = ", and nobody has its exact numbers from elsewhere"  # follows that a column is sensitive
OF_NAMES = (  # of the file's first line, which stays as it was decided once other questions followed
    "the file has no line of names; its columns are named here: ",
    "the first line of the file is names, though it looks like a person's",
)
READ_MISSING, READ_OTHERWISE = "read as missing", "read as other spellings"
CALLED, HIDDEN = "missing values are “{}”", "hidden, so that no * tells one of them"
# Of rows that are left out.
WITHOUT, NO_PERSON, NO_AGE = "with {} missing", "holding no person", "with an age in {} that no person has"
OF_GAPS = {
    "leave-out": "rows without it are left out",
    "category": "published as one category more, NULL",
    "*": "published as * from the start",
    "": "there may be none; what was decided before is taken back",
}


def noted() -> tuple[Decision, ...]:
    """Return the decisions about the session's table, the first first."""
    data = state.dataset()
    digest, found = st.session_state.get(state.DECIDED, ("", ()))
    return cast("tuple[Decision, ...]", found) if data is not None and digest == data.file else ()


def pins() -> tuple[Pin, ...]:
    """Return what has to stay of the session's table."""
    data = state.dataset()
    names = set() if data is None else set(map(str, data.frame.columns))
    found = (_pin(one.what.removeprefix(STAYS), names) for one in noted() if _on_pins(one.what))
    return tuple(pin for pin in found if pin is not None)


def _pin(text: str, names: Collection[str]) -> Pin | None:
    """What has to stay as it is noted, perhaps in a project file; None where it is no column of the table."""
    if text in names:
        return Pin(text)
    try:
        pin = Pin.of(text)
    except CRAError:
        return None
    return pin if pin.name in names else None


def use_pins(chosen: Iterable[Pin]) -> None:
    """Let other columns of the session's table have to stay; this can be taken back."""
    if (wanted := [f"{STAYS}{pin}" for pin in chosen]) != [one.what for one in noted() if _on_pins(one.what)]:
        with state.one_change():
            drop(_on_pins)
            for what in wanted:
                note(what)


def _on_pins(what: str) -> bool:
    return what.startswith(STAYS)


def takes_table(what: str) -> bool:
    """Tell whether a decision of the session took a table that Make it publishable found."""
    return what.startswith(PUBLISHED)


def _of_file() -> str:
    data = state.dataset()
    return "" if data is None else data.file


def by_people(what: str) -> bool:
    """Tell whether a person decided so about the session's table; the rest the program supposed."""
    return not what.endswith(AS_PROPOSED.format(""))


def note(what: str, why: str = "", over: Callable[[str], bool] | None = None, table: str = "") -> None:
    """Note a decision about the session's table, in place of those of which ``over`` says so: these hold no longer.

    What is accepted in a published table is noted with what tells that ``table`` from others.
    """
    data = state.dataset()
    if data is not None:
        if over is not None:
            drop(over)
        st.session_state[state.DECIDED] = (data.file, (*noted(), Decision(today(), what, why, table))[-MOST:])


def today() -> str:
    """Return the day on which something is decided in a session, as it is noted."""
    return datetime.now().astimezone().date().isoformat()


def drop(over: Callable[[str], bool]) -> bool:
    """Take those decisions out of the session's of which ``over`` says so: they hold no longer; whether any did."""
    data, left = state.dataset(), tuple(one for one in noted() if not over(one.what))
    gone = len(left) < len(noted())
    if data is not None and gone:
        st.session_state[state.DECIDED] = (data.file, left)
    return gone


def keep_still_asked(questions: int) -> None:
    """Keep how many questions Data still asks about the session's table."""
    _ASKED.keep(_of_file(), questions)


def still_asked() -> int:
    """Return how many questions Data still asks about the session's table, as Check saw it last."""
    return _ASKED.of(_of_file()) or 0


def decide(what: str, why: str = "") -> None:
    """Note an answer in this session that changes nothing but what was decided, so that it can be taken back."""
    with state.one_change():
        note(what, why)


def ask_again_of_shown(name: str) -> None:
    """Take back in this session that values of a column that single people have stay shown; Undo brings it back."""
    with state.one_change():
        drop(lambda what: is_left_shown(what, name))


def last_change() -> str:
    """Say what the session's last change decided, or else what of it is another now; empty where Undo has nothing."""
    before = state.changes()
    if not before:
        return _in_place()
    _, known = before[-1].decided or ("", ())
    new = [one.what for one in noted() if one not in known]
    gone = [one.what for one in known if one not in noted()]
    answers = [what for what in gone if by_people(what)]
    if not new and len(answers) > 1 and sum(not _of_a_table(what) for what in answers) > 1:
        return f"asked again: {how_many(len(answers), 'answer')}"
    if not new and any(map(_on_pins, gone)):
        return "what has to stay"
    if not new and any(map(takes_table, gone)):
        return "the search anew"
    if new and takes_table(new[-1]):
        other = any(map(takes_table, gone))  # its own words are too long for a button
        return "the table taken in place of the one before" if other else "the table that was taken"
    data = state.dataset()
    if new and new[-1].startswith(LEFT_ROWS) and data is not None and before[-1].data is not None:
        return f"{how_many(len(before[-1].data.frame) - len(data.frame), 'row')} left out"
    if new and is_left_shown(new[-1]):
        return f"{new[-1].partition(':')[0]} left shown"
    if not new and any(what.startswith(LEFT_ROWS) for what in gone):
        return "rows put back"
    if not new:
        return f"asked again: {gone[0]}" if gone else _set_otherwise(before[-1])
    more = [f"{len(new) - MOST_TOLD:,} more"] if len(new) > MOST_TOLD else []
    return "; ".join([*new[:MOST_TOLD], *more])


def _of_a_table(what: str) -> bool:
    return _on_pins(what) or takes_table(what) or is_left_shown(what) or what.startswith(LEFT_ROWS)


def _in_place() -> str:
    """That the session's table took the place of another; empty where none did, or the other does not come back."""
    data, other = state.dataset(), state.replaced()
    if data is None or other is None:
        return ""
    if data.sha256 == other.sha256:
        return "what the columns are called"
    return f"{data.name} in place of {'the one before' if data.name == other.name else other.name}"


def _set_otherwise(before: state.Before) -> str:
    """What a change set otherwise that decided nothing."""
    was, study = before.study, state.study()
    if before.data is not state.dataset():
        return "how cells are read"
    if was is None or study is None or was == study:
        return "the rule"
    if was.names != study.names:
        return "what others know"
    if was.k != study.k:
        return f"k = {study.k}"
    if roles := [one.name for one in columns() if was.roles.of(one.name) != study.roles.of(one.name)]:
        return f"the role of {listed(roles)}"
    other = [now.name for then, now in zip(was.attributes, study.attributes, strict=True) if then != now]
    return f"the hierarchy of {listed(other)}" if other else "the settings"


def on_role(name: str) -> Callable[[str], bool]:
    """Tell which of the session's decisions are on a column's role."""
    return lambda what: what.startswith((f"{name} is ", STAYS_OUT.format(name)))


def known_untold() -> tuple[str, ...]:
    """Return the columns that others may know as a person of the session answered, of which nothing else told it."""
    study = state.study()
    untold = {one.what for one in noted() if one.why.startswith(UNTOLD)}
    return tuple(name for name in (study.names if study else ()) if KNOWN.format(name) in untold)


def on_gaps(name: str) -> Callable[[str], bool]:
    """Tell which of the session's decisions are on what becomes of a column's missing values."""
    return lambda what: what.startswith(f"{name}: ") and what.endswith(tuple(OF_GAPS.values()))


def on_cells(name: str) -> Callable[[str], bool]:
    """Tell which of the session's decisions are on how cells of a column are read."""
    begins, ends = CALLED.format("").removesuffix("”"), (READ_MISSING, READ_OTHERWISE, HIDDEN)
    return lambda what: what.startswith(f"{name}: {begins}") or (what.startswith(f"{name}: ") and what.endswith(ends))


def accept(finding: str, why: str, table: str) -> None:
    """Note the session's decision to accept what a finding says in a table, which is told from others by its mark."""
    with state.one_change():
        note(f"{ACCEPTED}{finding}", why, table=table)


def accept_no_longer(finding: str) -> None:
    """Let what a finding says not be accepted any more in this session."""
    with state.one_change():
        drop(f"{ACCEPTED}{finding}".__eq__)


def left_out(data: state.Dataset | None) -> dict[int, str]:
    """Return by row of a table's file, counted from 1, why a person left it out of the table.

    Each has one reason, as pages and verdict count it: that it repeats another in every column, or the first said.
    """
    if data is None or not data.left_out:
        return {}
    twice = state.once("rows that repeat another", data.file, lambda: np.flatnonzero(data.whole.duplicated()) + 1)
    why = {row: why for why, rows in reversed(data.left_out.items()) for row in rows}
    return why | dict.fromkeys(why.keys() & {*twice.tolist(), *data.left_out.get(REPEATS, ())}, REPEATS)


def is_in_row(why: str, names: Iterable[str]) -> bool:
    """Tell whether a row is left out for what it says itself, whatever others say: so in any table of these columns."""
    return why in {NO_PERSON, *(said.format(name) for name in names for said in (WITHOUT, NO_AGE))}


def left_out_for_gaps() -> frozenset[int]:
    """Return the rows of the session's file that are left out for missing values, whether or not these are shown."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return frozenset()
    return frozenset(row_numbers(data.frame)[~_left(data, study)].tolist())


def left_out_text() -> str:
    """Name the rows of the session's file that a person left out, each once, with why, as words that follow."""
    gone = left_out(state.dataset())
    of = {why: sorted(row for row in gone if gone[row] == why) for why in dict.fromkeys(gone.values())}
    every = f"{how_many(len(gone), 'row')}: " * (len(of) > 1)
    return every + state.in_file("; ".join(f"{rows_text(rows, MOST_ROWS)}, {why}" for why, rows in of.items()))


def leave_out(rows: Sequence[int], why: str = REPEATS) -> None:
    """Leave more rows of the session's file out of its table, whatever page looks at it; the study goes on."""
    data = state.dataset()
    if data is not None:
        gone = data.left_out | {why: tuple(sorted({*data.left_out.get(why, ()), *rows}))}
        state.read_otherwise(datasets.with_rows_left_out(data, gone), state.study())
        note(state.in_file(f"{LEFT_ROWS}{why}: {rows_text(rows, MOST_ROWS)}"))


def leave_in(why: str = "") -> None:
    """Leave the rows of the session's file that are out for a reason in its table again; for any where none is given.

    What belongs to no reason that still holds is another reason's, too: a row may be out for two.
    """
    data = state.dataset()
    if data is not None:
        left = {reason: rows for reason, rows in data.left_out.items() if why and reason != why}
        state.read_otherwise(datasets.with_rows_left_out(data, left), state.study())
        drop(lambda what: what.startswith(f"{LEFT_ROWS}{why}{':' * bool(why)}"))


def use_noted(decisions: tuple[Decision, ...]) -> None:
    """Go on in this session with the decisions of a project file, or on a former table of these columns."""
    data = state.dataset()
    if data is not None:
        st.session_state[state.DECIDED] = (data.file, decisions[-MOST:])


def count_anew() -> None:
    """State the session's decisions on rows, cells and missing values by the file that it works on now.

    They were noted of another file of these columns, whose rows have other numbers.
    """
    data = state.dataset()
    if data is not None:
        told = {what: one for one in noted() if (what := _of_file_now(one.what, data))}
        st.session_state[state.DECIDED] = (data.file, tuple(replace(one, what=what) for what, one in told.items()))


def _of_file_now(what: str, data: state.Dataset) -> str:
    """A decision by the rows of a file; empty where it is about none of them."""
    if what.startswith(LEFT_ROWS):
        why = what.removeprefix(LEFT_ROWS).rpartition(": ")[0]
        rows = data.left_out.get(why, ())
        return state.in_file(f"{LEFT_ROWS}{why}: {rows_text(rows, MOST_ROWS)}") if rows else ""
    name = next((one for one in map(str, data.whole.columns) if what.startswith(f"{one}: ")), "")
    if name in data.given and what.endswith((READ_MISSING, READ_OTHERWISE)):
        read_so = READ_MISSING if what.endswith(READ_MISSING) else READ_OTHERWISE
        texts = [text for text, other in data.read_as[name].items() if bool(other) == (read_so == READ_OTHERWISE)]
        written = data.given[name].astype("object").fillna("").astype(str).str.strip()
        cells = int(written.isin(texts).sum())
        return f"{name}: {how_many(cells, 'cell')} {read_so}" if cells else ""
    if name and (of_gaps := next((text for text in OF_GAPS.values() if what.endswith(f", {text}")), "")):
        return f"{name}: {how_many(gaps().get(name, 0), 'missing value')}, {of_gaps}"
    return what


def rule() -> Rule:
    """Return the rule that a release of the session's table has to meet; the usual one until somebody sets it."""
    return cast("Rule", st.session_state.get(state.RULE, Rule()))


def use_rule(chosen: Rule) -> None:
    """Demand something else of a release of the session's table from now on; another table begins with the usual."""
    st.session_state[state.RULE] = chosen


def columns() -> tuple[CheckedColumn, ...]:
    """Return the columns of the session's table with their roles and looks; none without a table and a study."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return ()
    known = set(map(str, data.frame.columns))
    if not set(study.roles.named) <= known:
        return ()
    return state.once("column roles", (data.digest, study), lambda: column_roles(data.frame, study))


def open_questions() -> tuple[CheckedColumn, ...]:
    """Return the session's columns that say, or nearly, who somebody is, and that nobody decided about."""
    return tuple(
        column for column in columns() if column.identifying and column.role == "undecided" and column.published
    )


def note_removed() -> None:
    """Note as a decision of the session the columns that a new study removes, as proposed."""
    for column in columns():
        if column.role == "removed":
            note(AS_PROPOSED.format(column.name), column.reason)


def removed_as_proposed() -> list[str]:
    """Return the columns of the session's table that were removed as proposed, and still are."""
    noted_of = {one.what for one in noted()}
    return [one.name for one in columns() if one.role == "removed" and AS_PROPOSED.format(one.name) in noted_of]


def known_to_others() -> tuple[CheckedColumn, ...]:
    """Return the uploaded table's columns that others may know by their names, undecided in this session."""
    data = state.dataset()
    if data is None or data.origin != "uploaded":
        return ()
    return tuple(
        column
        for column in columns()
        if column.role == "undecided" and column.proposed == "quasi-identifier" and not column.identifying
    )


def gaps() -> dict[str, int]:
    """Count the missing values of each quasi-identifier of the session's table that has any."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return {}
    found: dict[str, int] = {}
    for one in study.attributes:
        if one.name in data.frame.columns:
            count = partial(_gaps_of, data.frame[one.name], one)
            number = state.once(f"gaps of {one.name}", (data.digest, one), count)
            found |= {one.name: number} if number else {}
    return found


def _gaps_of(column: "pd.Series[Any]", attribute: Hierarchy) -> int:
    return int(gaps_in(column, attribute).sum())


def open_gaps() -> dict[str, int]:
    """Return the session's gaps that nobody has decided about; until then nothing can be published.

    Those of rows that are left out already ask for nothing.
    """
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return {}
    chosen = {one.name for one in study.attributes if one.missing}
    asked = [name for name in gaps() if name not in chosen]
    found = state.once("open gaps", (data.digest, study), lambda: {name: _left_with_gaps([name])[0] for name in asked})
    return {name: number for name, number in found.items() if number}


def rows_with_open_gaps() -> tuple[int, int]:
    """Count the rows of the session's table with a missing value that nobody has decided about, and all rows.

    Rows that are left out already count in neither.
    """
    return _left_with_gaps(open_gaps())


def _left_with_gaps(names: Collection[str]) -> tuple[int, int]:
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return 0, 0
    gap, left = np.zeros(len(data.frame), dtype=bool), _left(data, study)
    for one in study.attributes:
        if one.name in names:
            gap |= gaps_in(data.frame[one.name], one)
    return int((gap & left).sum()), int(left.sum())


def _left(data: state.Dataset, study: Study) -> NDArray[np.bool_]:
    """Which rows of the session's table no decision on missing values leaves out; asked several times in one run."""

    def compute() -> NDArray[np.bool_]:
        left = np.ones(len(data.frame), dtype=bool)
        for one in study.attributes:
            if one.missing == LEFT_OUT and one.name in data.frame.columns:
                left &= ~gaps_in(data.frame[one.name], one)
        return left

    return state.once("rows that are left", (data.digest, study), compute)


def still_in(rows: Iterable[int]) -> tuple[int, ...]:
    """Return those rows of the session's file that no decision on missing values leaves out already."""
    gone = left_out_for_gaps()
    return tuple(row for row in rows if row not in gone)


def keep_known(names: Sequence[str]) -> None:
    """Keep these quasi-identifiers in the session's study and remove the others; to be called from a callback."""
    study = state.study()
    if study is None:
        return
    roles = study.roles
    for name in study.names:
        if name not in names:
            roles = roles.given(name, "removed")
    attributes = [one for one in study.attributes if one.name in names]
    state.use_study(study.changed(attributes=attributes, roles=roles))
    for name in study.names:
        if name not in names:
            note(REMOVED.format(name), TOO_MANY, over=on_role(name))


def removed_as_too_many() -> tuple[str, ...]:
    """Return the columns of the session's table that are removed only as others know too many to keep them all."""
    told = {one.what for one in noted() if one.why == TOO_MANY}
    study = state.study()
    return tuple(name for name in (study.roles.remove if study else ()) if REMOVED.format(name) in told)


def proposals() -> dict[str, Role]:
    """Return the roles proposed to the session for columns in which nothing identifying is seen: kept, sensitive."""
    undecided = [column for column in columns() if column.role == "undecided" and not column.identifying]
    return {column.name: column.proposed for column in undecided if column.proposed in ("kept", "sensitive")}


def decision_text(chosen: Mapping[str, Role]) -> str:
    """Say what a decision on roles comes to: ``keep ward; call diagnosis sensitive``; every column is named."""
    keep, sensitive, removed = (
        listed([name for name, role in chosen.items() if role == of]) for of in ("kept", "sensitive", "removed")
    )
    parts = [keep and f"keep {keep}", sensitive and f"call {sensitive} sensitive", removed and f"remove {removed}"]
    return "; ".join(filter(None, parts))


def note_gaps(name: str, missing: str) -> None:
    """Note the session's decision on what becomes of a quasi-identifier's missing values."""
    note(f"{name}: {how_many(gaps().get(name, 0), 'missing value')}, {OF_GAPS[missing]}", over=on_gaps(name))


def give(chosen: Mapping[str, Role], *, only_here: bool = False) -> None:
    """Give columns of the session's table roles that are no quasi-identifier's, and note each as a decision.

    Args:
        chosen: by column its role.
        only_here: whether nobody has their exact numbers from elsewhere; they are sensitive then.
    """
    study = state.study()
    if study is None:
        return
    changed = [column for column in columns() if chosen.get(column.name, column.role) != column.role]
    roles = study.roles
    for column in changed:
        roles = roles.given(column.name, chosen[column.name])
    if only_here:
        roles = replace(roles, only_here=(*roles.only_here, *chosen))
    if changed:
        state.use_study(study.with_roles(roles))
    for column in changed:
        if chosen[column.name] == "undecided":
            drop(on_role(column.name))
        else:
            said = f"{column.name} is {chosen[column.name]}{ONLY_HERE * only_here}"
            note(said, column.reason, over=on_role(column.name))
