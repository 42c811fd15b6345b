"""Raw tables: reading them from CSV and placing their records on the grid, with every finding in a sentence."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import blocks
from cra_engine.decimals import groups, notation, plain, rewritten
from cra_engine.delimited import read_rows
from cra_engine.errors import DataError, TooLargeError
from cra_engine.hierarchy import Hierarchy, number_text
from cra_engine.study import Study

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "."})
MAX_COLUMNS = 1000
MISSING_CODES = (-99, -999, -9999, -99999)


def read_table(source: str | os.PathLike[str] | bytes, name: str = "") -> pd.DataFrame:
    """Read a CSV file as it stands: every cell is text, every row and column is kept.

    UTF-8 (with or without BOM), UTF-16 and Windows-1252 are understood; the delimiter is found among comma, semicolon,
    tab and ``|``, or named by Excel's ``sep=`` line.

    Args:
        source: the file's path, or its bytes.
        name: the file's name for messages, where ``source`` is bytes.

    Raises:
        DataError: no text, no columns, a row of another length, a column name twice or blank.
        TooLargeError: more columns or cells than the engine admits.
    """
    return read_noted(source, name)[0]


def read_noted(source: str | os.PathLike[str] | bytes, name: str = "") -> tuple[pd.DataFrame, tuple[str, ...]]:
    """A table as :func:`read_table` reads it, and sentences on what is not in the table or was guessed."""
    rows, name, notes = read_rows(source, name)
    if not rows:
        raise empty_file(name)
    header, *lines = rows
    check_header(header, name)
    records = [row for row in lines if row] if len(header) > 1 else lines  # a blank line holds no record
    for position, row in enumerate(records, start=1):
        if len(row) != len(header) and (row or len(header) > 1):
            raise wrong_length(name, position, len(row), len(header))
    blank = len(lines) - len(records)
    if blank:
        notes += (blank_lines(name, blank, next(position for position, row in enumerate(lines) if not row)),)
    return pd.DataFrame([row or [""] for row in records], columns=header, dtype=str), notes


def empty_file(name: str) -> DataError:
    """What is wrong with a file that does not even name its columns."""
    return DataError(f"{name} is empty; a table needs a line of column names and one line per record.")


def wrong_length(name: str, row: int, cells: int, columns: int) -> DataError:
    """What is wrong with a row that has more or fewer cells than there are columns."""
    return DataError(
        f"{name}, row {row}: {cells} cells where the first line names {columns} columns; "
        "complete the row, or quote cells that contain the delimiter."
    )


def blank_lines(name: str, count: int, before: int) -> str:
    """What to know of blank lines between the records, the first after so many records."""
    place = f"after row {before}" if before else "below the column names"
    return f"{_plural(count, 'blank line')} of {name} (the first {place}) held no record."


def check_header(header: list[str], name: str) -> None:
    """Refuse column names that are blank, twice there or too many.

    Raises:
        DataError: a name is blank or twice there.
        TooLargeError: more columns than the engine admits.
    """
    if len(header) > MAX_COLUMNS:
        raise TooLargeError(
            f"{name} has {len(header):,} columns, more than {MAX_COLUMNS:,}; keep those that are needed."
        )
    for position, column in enumerate(header, start=1):
        if not column.strip():
            raise DataError(f"{name}: column {position} has no name; give each column a name in the first line.")
        if column in header[: position - 1]:
            raise DataError(f"{name}: the column name {column!r} appears twice; give each column its own name.")


@dataclass(frozen=True)
class Problem:
    """One finding in one column of a raw table.

    Attributes:
        column: the column's name.
        rows: the rows concerned, counted from 1 below the header.
        text: the sentence to show.
        fatal: True when the table cannot be recoded before this is mended.
        asks: True when a person has to say how the numbers are written; see :func:`cra_engine.decimals.with_decimal`.
    """

    column: str
    rows: tuple[int, ...]
    text: str
    fatal: bool = True
    asks: bool = False


def listed(values: Iterable[Any], rows: NDArray[np.int64]) -> str:
    """The first three findings with their rows: ``512 in row 4, 433 in row 9``."""
    return ", ".join(f"{value} in row {row}" for value, row in list(zip(values, rows, strict=False))[:3])


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def plain_numbers(column: "pd.Series[Any]") -> NDArray[Any] | None:
    """Text as numbers at once, int64 where all are whole; None where a cell needs a closer look, or all of them do.

    What is read here is what ``pd.to_numeric`` reads, only faster: that goes from cell to cell.
    """
    if not isinstance(column.dtype, pd.StringDtype) or column.dtype.storage != "pyarrow":
        return None
    try:
        found = column.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
    except ValueError:
        return None
    # From 2**53 on not every whole number is a double; NaN compares False, too.
    if not (np.abs(found) < 2**53).all():
        return None
    if (found == np.rint(found)).all():
        try:
            return column.astype("Int64").to_numpy(dtype=np.int64)
        except ValueError:  # 5.0
            pass
    return found


def numbers(column: "pd.Series[Any]") -> tuple[NDArray[Any], list[Problem]]:
    """A column as numbers: whole numbers stay whole, gaps and text become NaN and are reported.

    Returns:
        The numbers (int64 or float64, one per row) and the findings: empty cells, then text.
    """
    name = str(column.name)
    text = None
    if column.dtype.kind in "iuf":
        values = column.to_numpy(dtype=float, na_value=np.nan) if column.hasnans else column.to_numpy()
        if values.dtype.kind in "iu":
            return values, []
        if values.dtype.itemsize < 8:
            values = values.astype(str).astype(float)  # 0.7 as it is written, not the 0.69999999 that it is stored as
        empty = np.isnan(values)
    elif (plain := plain_numbers(column)) is not None:
        values, text, empty = plain, column, np.zeros(len(column), dtype=bool)
    else:
        missing = column.isna().to_numpy(dtype=bool)
        text = column.astype("object").map(lambda cell: str(cell).strip()).mask(missing, "")
        values = pd.to_numeric(text, errors="coerce").to_numpy()
        empty = text.str.lower().isin(MISSING).to_numpy(dtype=bool)
    problems = []
    rows = np.flatnonzero(empty) + 1
    if len(rows):
        shown = ", ".join(str(row) for row in rows[:3])
        problems.append(
            Problem(
                name,
                tuple(rows.tolist()),
                f"Column {name!r}: {_plural(len(rows), 'empty cell')} (row {shown}{', ...' if len(rows) > 3 else ''}); "
                "complete or remove these rows, since a release must account for every record.",
            )
        )
    if text is not None and values.dtype.kind == "f":
        if (np.isnan(values) & ~empty).any():
            values, unclear = _by_notation(text, empty, values, name)
            problems += unclear
        else:
            problems += _by_groups(text, empty, name)
        named = {row for problem in problems for row in problem.rows if problem.fatal}
        bad = np.isnan(values) & ~empty
        rows = np.array([row for row in np.flatnonzero(bad) + 1 if row not in named], dtype=np.int64)
        if len(rows):
            cells = [repr(str(text.iloc[row - 1])[:40]) for row in rows[:3]]
            problems.append(
                Problem(
                    name,
                    tuple(rows.tolist()),
                    f"Column {name!r}: {_plural(len(rows), 'cell')} with text where a number is needed: "
                    f"{listed(cells, rows)}; correct them or do not use this column as a quasi-identifier.",
                )
            )
    problems += _missing_codes(values, name)
    return values, problems


def _by_notation(
    text: "pd.Series[str]", empty: NDArray[np.bool_], values: NDArray[Any], name: str
) -> tuple[NDArray[Any], list[Problem]]:
    """The numbers of a column that is not written in plain notation, or why nobody can tell them."""
    found = notation(text[~empty].unique())
    if found.decimal is not None:
        return pd.to_numeric(rewritten(text, found.decimal), errors="coerce").to_numpy(), []
    numeric = [cell for cell in text[~empty].unique() if plain(cell, "comma") or plain(cell, "point")]
    rows = tuple((np.flatnonzero(np.isnan(values) & text.isin(numeric).to_numpy()) + 1).tolist())
    if found.open_cell:
        return values, [_asked(text, found.open_cell, rows, name)]
    said = (
        f"Column {name!r}: {found.comma_cell!r} in row {_row(text, found.comma_cell)} has a decimal comma and "
        f"{found.point_cell!r} in row {_row(text, found.point_cell)} a decimal point; write all numbers of a column "
        "alike."
    )
    return values, [Problem(name, rows, said)]


def _by_groups(text: "pd.Series[str]", empty: NDArray[np.bool_], name: str) -> list[Problem]:
    """What to know of a column in plain notation that could as well hold thousands: 1.250 for 1250."""
    filled = text[~empty]
    found = groups(filled)
    if not found:
        return []
    cells = filled[filled.str.contains(".", regex=False)]
    shown = next((cell for cell in cells if cell.endswith("0")), cells.iloc[0])
    if found == "ask":
        rows = tuple((np.flatnonzero(~empty & text.str.contains(".", regex=False).to_numpy(dtype=bool)) + 1).tolist())
        return [_asked(text, shown, rows, name)]
    said = (
        f"Column {name!r}: all decimals have three digits; {shown} in row {_row(text, shown)} is read as "
        f"{_shown(float(shown))}, not as {shown.replace('.', '')}; remove the points if they mark thousands."
    )
    return [Problem(name, (), said, fatal=False)]


def _asked(text: "pd.Series[str]", cell: str, rows: tuple[int, ...], name: str) -> Problem:
    said = (
        f"Column {name!r}: {cell!r} in row {_row(text, cell)} can be {_shown(plain(cell, 'comma'))} or "
        f"{_shown(plain(cell, 'point'))}; say whether a comma or a point marks the decimals: on the page Data, or on "
        "the command line with --decimal."
    )
    return Problem(name, rows, said, asks=True)


def _row(text: "pd.Series[str]", cell: str) -> int:
    return int(np.argmax((text == cell).to_numpy())) + 1


def _missing_codes(values: NDArray[Any], name: str) -> list[Problem]:
    """A note where the only negative number is one that often stands for a missing value, such as -999."""
    below = values < 0
    rows = np.flatnonzero(below) + 1
    if not len(rows) or len(rows) == len(values):
        return []
    code = values[rows[0] - 1]
    if code not in MISSING_CODES or (values[rows - 1] != code).any():
        return []
    return [
        Problem(
            name,
            tuple(rows.tolist()),
            f"Column {name!r}: {_plural(len(rows), 'cell')} with {_shown(code)}, the only negative number "
            f"(row {rows[0]}{', ...' if len(rows) > 1 else ''}), which often stands for a missing value; if it does, "
            "complete or remove these rows.",
            fatal=False,
        )
    ]


class Findings:
    """Rows of one kind, gathered block by block.

    Args:
        every: True to keep all their numbers, False to keep the first three only.

    Attributes:
        count: how many there are.
        cells: the first three as they are to be shown.
    """

    def __init__(self, *, every: bool = True) -> None:
        """See the class."""
        self._every = every
        self._rows: list[NDArray[np.int64]] = []
        self.count = 0
        self.cells: list[str] = []

    def add(self, rows: NDArray[np.int64], cells: Callable[[int], str]) -> None:
        """Note some more rows, counted from 1, and take the first of them by their position for showing."""
        if len(rows) and (self._every or len(self.cells) < 3):
            self._rows.append(rows if self._every else rows[: 3 - len(self.cells)])
        self.cells += [cells(position) for position in range(min(len(rows), 3 - len(self.cells)))]
        self.count += len(rows)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The rows that were kept, counted from 1."""
        return np.concatenate(self._rows) if self._rows else np.empty(0, dtype=np.int64)

    def problem(self, column: str, text: str, *, fatal: bool = True) -> Problem:
        """What was found, as a problem of a column."""
        return Problem(column, tuple(self.rows.tolist()), text, fatal)


class Placement:
    """Puts numbers on the leaves of an attribute, block by block, and remembers those that do not fit.

    Args:
        attribute: a numeric one.
        every: as for :class:`Findings`.
    """

    def __init__(self, attribute: Hierarchy, *, every: bool = True) -> None:
        """See the class."""
        self.attribute = attribute
        self._lower, self._step = float(attribute.lower), float(attribute.resolution)
        self._outside, self._off = Findings(every=every), Findings(every=every)
        self._records = 0

    def add(self, values: NDArray[Any]) -> NDArray[np.int16]:
        """The leaf of each number; meaningless where it is none (NaN) or lies outside the domain."""
        leaf = self.attribute.locate(values)
        inside = (leaf >= 0) & (leaf < self.attribute.leaves)
        whole = bool(inside.all())
        if not whole:
            known = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), dtype=bool)
            self._note(self._outside, np.flatnonzero(known & ~inside), values)
        if not self._outside.count:  # else nobody is told about the resolution
            steps = (values if whole else values[inside]).astype(np.float64)
            np.subtract(steps, self._lower, out=steps)
            np.divide(steps, self._step, out=steps)
            np.subtract(steps, np.rint(steps), out=steps)
            np.abs(steps, out=steps)
            if steps.max(initial=0.0) > 1e-6:
                self._look_closer(values, inside, steps)
        self._records += len(values)
        return leaf

    def _look_closer(self, values: NDArray[Any], inside: NDArray[np.bool_], apart: NDArray[np.float64]) -> None:
        """Large numbers of small steps are not as exact as others: their rounding is no fault."""
        size = np.maximum(np.abs(values[inside].astype(float)), abs(self._lower))
        off = apart > 1e-6 + size / self._step * 2**-52
        self._note(self._off, np.flatnonzero(inside)[off], values)

    def _note(self, findings: Findings, at: NDArray[np.int64], values: NDArray[Any]) -> None:
        findings.add(self._records + at + 1, lambda position: _shown(values[at[position]]))

    def problems(self) -> list[Problem]:
        """Values outside the domain, or else values finer than the resolution."""
        name = self.attribute.name
        if self._outside.count:
            domain = f"[{number_text(self.attribute.lower)}, {number_text(self.attribute.upper)})"
            text = (
                f"Column {name!r}: {_plural(self._outside.count, 'value')} outside the domain {domain}: "
                f"{listed(self._outside.cells, self._outside.rows)}; widen the domain or correct the values."
            )
            return [self._outside.problem(name, text)]
        if self._off.count:
            text = (
                f"Column {name!r}: {_plural(self._off.count, 'value')} finer than the resolution "
                f"{number_text(self.attribute.resolution)}: {listed(self._off.cells, self._off.rows)}; "
                "the recoding is right, but possibilities are counted in whole steps."
            )
            return [self._off.problem(name, text, fatal=False)]
        return []


def check_column(
    column: "pd.Series[Any]", attribute: Hierarchy, *, every: bool = True
) -> tuple[NDArray[np.int16], list[Problem]]:
    """Place a column's values on the leaves of an attribute.

    Args:
        column: the raw values.
        attribute: the hierarchy.
        every: False to name only the first three rows of each finding.

    Returns:
        The leaf index per record (meaningless where a fatal problem names the row) and every finding: gaps, text,
        values outside the domain, values finer than the resolution (not fatal: the recoding is right, the counts of
        possibilities suppose whole steps).
    """
    if not attribute.numeric:
        return _check_categories(column, attribute)
    values, problems = numbers(column)
    placement = Placement(attribute, every=every)
    leaf = np.empty(len(values), dtype=np.int16)
    for block in blocks(len(values)):
        leaf[block] = placement.add(values[block])
    found = placement.problems()
    if not any(problem.fatal for problem in found):  # a domain that holds all values settles how they are meant
        problems = [problem for problem in problems if problem.rows]
    return leaf, problems + found


def _check_categories(column: "pd.Series[Any]", attribute: Hierarchy) -> tuple[NDArray[np.int16], list[Problem]]:
    codes, texts = _texts(column)
    known = np.array([attribute.leaf_of_value.get(text, -1) for text in texts], dtype=np.int16)
    leaf = known[codes]
    rows = np.flatnonzero(leaf < 0) + 1
    if not len(rows):
        return leaf, []
    cells = [repr(texts[codes[row - 1]][:40]) for row in rows[:3]]
    found = (
        f"Column {attribute.name!r}: {_plural(len(rows), 'value')} not listed in its hierarchy: {listed(cells, rows)}; "
        "add them to the hierarchy or correct them."
    )
    return leaf, [Problem(attribute.name, tuple(rows.tolist()), found)]


def _texts(column: "pd.Series[Any]") -> tuple[NDArray[np.int64], list[str]]:
    """A column's cells as stripped text, each text once: per row its place among the texts, and the texts."""
    if column.dtype == object:  # 1, 1.0 and True are equal there, but they are written differently
        column = column.map(lambda cell: "" if pd.isna(cell) else str(cell))
    codes, different = pd.factorize(column, use_na_sentinel=False)
    return codes, ["" if pd.isna(cell) else str(cell).strip() for cell in different]


def _shown(value: Any) -> str:
    number = float(value)
    return number_text(Decimal(repr(number))) if np.isfinite(number) and abs(number) < 1e15 else str(value)


@dataclass(frozen=True)
class Located:
    """A raw table placed on the grid.

    Attributes:
        leaves: leaf index per record and attribute (records x attributes).
        warnings: findings that do not stop the recoding, as sentences.
    """

    leaves: NDArray[np.int16]
    warnings: tuple[str, ...]


def no_column(name: str, columns: Sequence[Any]) -> DataError:
    """What is wrong with a table that lacks the column of an attribute."""
    have = ", ".join(repr(str(column)) for column in columns[:12])
    return DataError(f"The table has no column {name!r}; it has: {have}.")


def column_of(data: pd.DataFrame, name: str) -> "pd.Series[Any]":
    """The column of a table that an attribute names.

    Raises:
        DataError: the column is missing or there are several of that name.
    """
    if name not in data.columns:
        raise no_column(name, list(data.columns))
    column = data[name]
    if isinstance(column, pd.DataFrame):
        raise DataError(f"The table has several columns {name!r}; give each column its own name.")
    return column


def no_records() -> DataError:
    """What is wrong with a table without rows."""
    return DataError("The table holds no record; it needs one row per person below the column names.")


def locate(data: pd.DataFrame, study: Study) -> Located:
    """Place every record of a raw table on the leaves of the study's hierarchies.

    Raises:
        DataError: no record, a missing column, or the first fatal finding of :func:`check_column`.
    """
    columns = [column_of(data, name) for name in study.names]
    if not len(data):
        raise no_records()
    leaves = np.empty((len(data), len(columns)), dtype=np.int16, order="F")
    warnings = []
    for position, (column, attribute) in enumerate(zip(columns, study.attributes, strict=True)):
        leaves[:, position], problems = check_column(column, attribute, every=False)
        for problem in problems:
            if problem.fatal:
                raise DataError(problem.text)
            warnings.append(problem.text)
    return Located(leaves, tuple(warnings))
