"""What the columns of a raw table hold: numbers or text, gaps, findings, and which may be quasi-identifiers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_dashboard.session import decisions, state
from cra_dashboard.table.charts import shows_thin
from cra_engine import DataError, Roles, Study
from cra_engine.checks.sensitive_values import single_values
from cra_engine.files.tables import column_of
from cra_engine.raw import ages
from cra_engine.raw.column_looks import Look
from cra_engine.raw.columns import find_gaps, read_column
from cra_engine.raw.contents import MOST_TEXTS, Column
from cra_engine.raw.dates import days_otherwise
from cra_engine.raw.missing_words import MISSING, nobody_knows
from cra_engine.raw.readings import readings
from cra_engine.raw.spellings import spellings
from cra_engine.raw.written import Problem, Written, row_numbers
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import how_many, listed, rows_text

ROWS_NAMED = 5
MORE = 10  # times as many repeated rows as by chance are no chance
MOST_READ = 200  # different dates written otherwise that the archive's script names
FEW_CELLS, FEW_OF_ALL = 20, 0.05  # that fit nowhere: so many are slips, more are another way to write the column
_HEAD = ("column", "rows", "what", "how to mend", "stops the recoding")
WHY = "why it cannot be a quasi-identifier"


def placed(data: state.Dataset, attribute: Hierarchy) -> tuple[NDArray[np.int16], tuple[Problem, ...]]:
    """Return for Data each record's leaf in the hierarchy of one column, and what is wrong; looked up once per setting.

    A column that the table lacks is one problem without rows.
    """

    def place() -> tuple[NDArray[np.int16], tuple[Problem, ...]]:
        try:
            column = read_column(column_of(data.frame, attribute.name), attribute)
        except DataError as error:
            return np.zeros(0, dtype=np.int16), (Problem(attribute.name, (), str(error)),)
        return column.leaves, column.problems

    return state.once(f"leaves of {attribute.name}", (data.digest, attribute), place)


def placed_left(data: state.Dataset, attribute: Hierarchy) -> tuple[NDArray[np.int16], tuple[Problem, ...]]:
    """Return for Hierarchies what :func:`placed` finds, without the leaves of rows left out for missing values."""
    leaves, problems = placed(data, attribute)
    gone = np.isin(row_numbers(data.frame), list(decisions.left_out_for_gaps()))
    return (leaves[~gone] if len(leaves) else leaves), problems


def read_otherwise(data: state.Dataset, attribute: Hierarchy, *, ends: bool) -> tuple[Problem, ...]:
    """Return what Data says of a column that is read otherwise than it is written. See :func:`readings`."""

    def read() -> tuple[Problem, ...]:
        there = attribute.name in data.frame.columns
        return tuple(readings(data.frame[attribute.name], attribute, ends=ends)) if there else ()

    return state.once(f"readings of {attribute.name}", (data.digest, attribute, ends), read)


def overview(found: Sequence[Column], study: Study | None) -> pd.DataFrame:
    """Return Data's table of role, looks and contents of every column.

    What is proposed is what its question advises: beside what others know a column may say more than by itself.
    """
    chosen = study.names if study else ()
    roles = study.roles if study else Roles()
    looks = {column.name: (column.looks.role, column.looks.reason) for column in found if column.looks is not None}
    looks |= {one.name: (one.proposed, one.reason) for one in decisions.columns() if one.name not in chosen}
    rows = [
        {
            "column": column.name,
            "role": "quasi-identifier" if column.name in chosen else roles.of(column.name),
            "proposed": looks.get(column.name, ("", ""))[0],
            "because": looks.get(column.name, ("", ""))[1],
            "holds": column.holds or "numbers"
            if column.holds or column.numeric
            else "text"
            if column.cells > column.missing
            else "nothing",
            "different values": column.distinct,
            "missing values": column.missing,
            "smallest": column.smallest,
            "largest": column.largest,
            WHY: "" if column.name in chosen else column.refusal,
        }
        for column in found
    ]
    table = pd.DataFrame(rows)
    return table if any(row[WHY] for row in rows) else table.iloc[:, :-1]


def heeds_k(name: str) -> bool:
    """Return whether people can be found by a column's rare values: by none of what nobody gets, or others do not know.

    A sensitive column that others may know by its looks is one by which they can.
    """
    one = next((one for one in decisions.columns() if one.name == name), None)
    return one is None or one.doubted or one.role not in ("removed", "sensitive")


def rare_told(cells: "pd.Series[Any]", column: Column, study: Study | None) -> str:
    """Say below Data's histogram of a sensitive column what there is to its bars of fewer than k; empty of any other.

    Args:
        cells: of the records that are left to publish.
        column: what they hold.
        study: of the table.
    """
    sensitive = study is not None and column.name in study.roles.sensitive
    if study is None or not sensitive or heeds_k(column.name) or not shows_thin(column, study.k):
        return ""
    asked = " Check asks about values that a single person has." * bool(single_values(cells, study.roles.as_values))
    return f"Sensitive: a rare value may go out; what counts is that in no group all have the same.{asked}"


def findings(data: state.Dataset, found: Sequence[Column], study: Study | None) -> list[dict[str, str]]:
    """Return Data's table of every problem with its column and rows; quasi-identifiers are held to their domain."""
    attributes = {attribute.name: attribute for attribute in study.attributes} if study else {}
    values = study.roles.as_values if study else ()
    rows = []
    for column in found:
        attribute = attributes.get(column.name)
        asked = attribute or (column.listed_in(column.flat, values) if column.flat and column.missing else None)
        problems = placed(data, asked)[1] if asked else column.problems
        meant = attribute or column.hierarchy
        read = () if meant is None else read_otherwise(data, meant, ends=attribute is not None)
        for problem in (*(problem for problem in problems if not problem.settled), *read):
            what, mend = map(state.in_file, in_parts(problem))
            where = state.in_file(rows_text(problem.rows, ROWS_NAMED)) if problem.rows else ""
            if problem.gap and attribute is None:  # nothing to choose
                mend = "published empty where the column goes out"
            stops = "yes" if attribute and problem.fatal else "no"
            rows.append(
                dict(
                    zip(
                        _HEAD,
                        (column.name, where, what, mend, stops),
                        strict=True,
                    )
                )
            )
        if several := written_alike(data, column):
            what = f"one value written in several ways: {said_alike(several)}"
            mend = "merge them, asked above, or leave them apart"
            rows.append(dict(zip(_HEAD, (column.name, "", what, mend, "no"), strict=True)))
    return rows


def written_alike(data: state.Dataset, column: Column) -> dict[str, str]:
    """Return for Data the spellings of values in an uploaded table's column of a few texts, each by the usual one."""
    if data.origin != "uploaded" or column.numeric or column.holds or not 1 < len(column.counted) <= MOST_TEXTS:
        return {}
    found = spellings(column.name, column.counted)
    # What the session's script could not tell its command line.
    return {} if any("=" in text for text in (column.name, *found)) else found


def said_alike(several: Mapping[str, str]) -> str:
    """Say on Data which spellings are one value: ``W and weiblich as w``."""
    usual = dict.fromkeys(several.values())
    return "; ".join(f"{listed([one for one in several if several[one] == kept])} as {kept}" for kept in usual)


@dataclass(frozen=True)
class Misfits:
    """Cells of a column of Data that fit nowhere and stop the publishing.

    Attributes:
        problem: what is wrong, with the rows.
        texts: the cells, each once.
        ways: where they are dates written otherwise than the rest, how they can be read: by text the day.
        like: a cell of the rest, then.
    """

    problem: Problem
    texts: tuple[str, ...]
    ways: tuple[dict[str, str], ...] = ()
    like: str = ""


def misfits(data: state.Dataset, study: Study | None) -> Iterator[Misfits]:
    """Give for Data the cells that fit nowhere where a person can say what they are: few, or dates."""
    for attribute in study.attributes if study else ():
        for problem in placed(data, attribute)[1]:
            if problem.fatal and problem.rows and not (problem.gap or problem.asks):
                key = (data.digest, attribute, problem.rows)
                found = state.once(f"misfits of {attribute.name}", key, partial(_misfits, data, attribute, problem))
                few = len(problem.rows) <= max(FEW_CELLS, len(data.frame) * FEW_OF_ALL)
                told = all("=" not in text for text in (attribute.name, *found.texts))
                if told and (few or found.ways):
                    yield found


def _misfits(data: state.Dataset, attribute: Hierarchy, problem: Problem) -> Misfits:
    column, at = data.frame[attribute.name], [row - 1 for row in problem.rows]
    texts = tuple(dict.fromkeys(str(cell).strip() for cell in column.loc[at]))
    ways = days_otherwise(texts) if attribute.dates and len(texts) <= MOST_READ else []
    rest = (str(cell).strip() for cell in column.drop(index=at))
    return Misfits(problem, texts, tuple(ways), next((cell for cell in rest if cell.lower() not in MISSING), ""))


def no_ages(data: state.Dataset, found: Sequence[Column], study: Study | None) -> dict[str, tuple[int, ...]]:
    """Return for Data by column that goes out the rows with an age that no person has."""

    def every() -> dict[str, tuple[int, ...]]:
        numbered = row_numbers(data.frame)
        at = {one.name: ages.no_ages(data.frame[one.name]) for one in found if one.numeric and "=" not in one.name}
        return {name: tuple(numbered[those].tolist()) for name, those in at.items() if those.any()}

    removed = study.roles.remove if study else ()
    rows = state.once("no ages", data.digest, every)
    return {name: those for name, those in rows.items() if name not in removed}


def unknown(data: state.Dataset, study: Study) -> dict[str, tuple[str, ...]]:
    """Return by column of an uploaded table the words among its values that say that nobody knows the value.

    Columns that are removed are not looked at, nor words that a person left as values. Among numbers and dates that
    others know such words are gaps already, and can be nothing else; among texts ``?`` may be left as a value, too.
    """
    if data.origin != "uploaded":
        return {}
    unlisted = {one.name: one.unlisted for one in state.columns_of(data)}
    may_be = {one.name: {*one.reader.listed, *unlisted[one.name]} for one in study.attributes}
    removed, values = study.roles.remove, study.roles.as_values

    def of(name: str) -> tuple[str, ...]:
        if name in removed or "=" in name:
            return ()
        texts = Written.of(data.frame[name]).texts
        nothing = nobody_knows(texts)
        words = [text for text in texts if text.lower() in nothing and text not in values]
        return tuple(word for word in words if name not in may_be or word in may_be[name])

    def every() -> dict[str, tuple[str, ...]]:
        return {name: words for name in map(str, data.frame.columns) if (words := of(name))}

    return state.once("words for nothing", (data.digest, study), every)


def repeated(data: state.Dataset, found: Sequence[Column]) -> str:
    """Return Data's sentence on people who seem to stand in several rows of an uploaded table; empty without any."""
    if data.origin != "uploaded":
        return ""
    return state.once("people twice", data.digest, lambda: _repeated(data, found))


def repeated_rows(data: state.Dataset) -> tuple[int, ...]:
    """Return the rows of an uploaded table, counted from 1, that repeat another one; none where chance makes as many.

    Pages that see them: Data asks about them, and Check offers to leave them out.
    """

    def found() -> tuple[int, ...]:
        rows = row_numbers(data.frame)[data.frame.duplicated()]
        return tuple(rows.tolist()) if len(rows) > MORE * _by_chance(data.frame) else ()

    return state.once("rows that repeat", data.digest, found) if data.origin == "uploaded" else ()


def repeated_numbers(data: state.Dataset, found: Sequence[Column]) -> dict[str, tuple[int, ...]]:
    """Return for Data the rows whose number of a person, or address, stands in a row above, by column."""

    def of(column: Column) -> tuple[int, ...]:
        cells = data.frame[column.name]
        look = Look.of(cells)
        of_one = column.direct and (look.email or (look.number and not look.telephone))
        later = cells.duplicated() & ~find_gaps(cells)
        return tuple(row_numbers(data.frame)[later].tolist()) if of_one else ()

    def every() -> dict[str, tuple[int, ...]]:
        return {column.name: rows for column in found if (rows := of(column))}

    return state.once("numbers that repeat", data.digest, every)


def pairs(data: state.Dataset, found: Sequence[Column]) -> tuple[tuple[int, int], ...]:
    """Return for Data by twos the rows that repeat, or have a number that stands above: the earlier and the later."""

    def every() -> tuple[tuple[int, int], ...]:
        frame, numbers, first_of = data.frame, row_numbers(data.frame), dict[int, int]()
        of_number = (([name], rows) for name, rows in repeated_numbers(data, found).items())
        for columns, later in ((list(frame.columns), repeated_rows(data)), *of_number):
            if later:
                alike = frame.groupby(columns, sort=False, dropna=False).ngroup().to_numpy()
                first = dict(zip(alike[::-1].tolist(), numbers[::-1].tolist(), strict=True))
                at = np.isin(numbers, later)
                for row, group in zip(numbers[at].tolist(), alike[at].tolist(), strict=True):
                    first_of.setdefault(row, first[group])
        return tuple((first, row) for row, first in sorted(first_of.items()))

    return state.once("rows of one person", data.digest, every)


def side_by_side(data: state.Dataset, two: Sequence[tuple[int, int]]) -> tuple[pd.DataFrame, NDArray[np.bool_]]:
    """Return Data's table of earlier and later rows, one under the other, and which cells differ from that above."""
    at = [row - 1 for rows in two for row in rows]
    table = data.whole.iloc[at].astype("object").fillna("").astype(str)
    table.index = pd.Index(
        [f"{pair}: {state.in_file(rows_text([row]))}" for pair, rows in enumerate(two, start=1) for row in rows],
        name="pair",
    )
    cells = table.apply(lambda column: column.str.strip()).to_numpy()
    differ = np.zeros(table.shape, dtype=bool)
    differ[1::2] = cells[1::2] != cells[::2]
    order = np.argsort(~differ.any(axis=0), kind="stable")  # what differs first: the page is narrow there
    return table.iloc[:, order], differ[:, order]


def _repeated(data: state.Dataset, found: Sequence[Column]) -> str:
    rows = repeated_rows(data)
    said = [f"{how_many(len(rows), 'row repeats', 'rows repeat')} another in every column"] if rows else []
    for name in repeated_numbers(data, found):
        look = Look.of(data.frame[name])
        said.append(f"{name} has {how_many(look.distinct, 'different value')} in {look.records:,} rows")
    if not said:
        return ""
    return (
        f"People seem to stand in several rows: {listed(said)}. A person in two rows counts twice for k; leave the "
        "later rows out, unless these are different people."
    )


def _by_chance(frame: pd.DataFrame) -> float:
    """About how many pairs of rows would be the same if columns knew nothing of each other: age and sex often are."""
    alike = [float((frame[name].value_counts(normalize=True, dropna=False) ** 2).sum()) for name in frame.columns]
    return len(frame) * (len(frame) - 1) / 2 * math.prod(alike)


def in_parts(problem: Problem) -> tuple[str, str]:
    """Split a problem's sentence for Data: what is wrong, and how to mend it, without the column's name."""
    what, _, mend = problem.text.removeprefix(f"Column {problem.column!r}: ").rpartition("; ")
    return what, mend.rstrip(".")
