"""Raw tables: reading them from CSV and placing their records on the grid, with every finding in a sentence."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.delimited import read_rows
from cra_engine.errors import DataError
from cra_engine.hierarchy import Hierarchy, number_text
from cra_engine.study import Study

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "."})
_DECIMAL_COMMA = re.compile(r"^[-+]?\d+,\d+$")


def read_table(source: str | os.PathLike[str] | bytes, name: str = "") -> pd.DataFrame:
    """Read a CSV file as it stands: every cell is text, every row and column is kept.

    UTF-8 (with or without BOM), UTF-16 with BOM and Windows-1252 are understood; the delimiter is found among comma,
    semicolon, tab and ``|``.

    Args:
        source: the file's path, or its bytes.
        name: the file's name for messages, where ``source`` is bytes.

    Raises:
        DataError: no text, no columns, a row of another length, a column name twice or blank.
    """
    rows, name = read_rows(source, name)
    if not rows:
        raise DataError(f"{name} is empty; a table needs a line of column names and one line per record.")
    header, *records = rows
    _check_header(header, name)
    if len(header) > 1:
        records = [row for row in records if row]  # a blank line holds no record
    for position, row in enumerate(records, start=1):
        if len(row) != len(header) and (row or len(header) > 1):
            raise DataError(
                f"{name}, row {position}: {len(row)} cells where the first line names {len(header)} columns; "
                "complete the row, or quote cells that contain the delimiter."
            )
    return pd.DataFrame([row or [""] for row in records], columns=header, dtype=str)


def _check_header(header: list[str], name: str) -> None:
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
    """

    column: str
    rows: tuple[int, ...]
    text: str
    fatal: bool = True


def listed(values: Iterable[Any], rows: NDArray[np.int64]) -> str:
    """The first three findings with their rows: ``512 in row 4, 433 in row 9``."""
    return ", ".join(f"{value} in row {row}" for value, row in list(zip(values, rows, strict=False))[:3])


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


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
        bad = np.isnan(values) & ~empty
        rows = np.flatnonzero(bad) + 1
        if len(rows):
            cells = [str(text.iloc[row - 1])[:40] for row in rows[:3]]
            hint = (
                "write decimals with a point"
                if all(_DECIMAL_COMMA.match(cell) for cell in cells)
                else "correct them or do not use this column as a quasi-identifier"
            )
            problems.append(
                Problem(
                    name,
                    tuple(rows.tolist()),
                    f"Column {name!r}: {_plural(len(rows), 'cell')} with text where a number is needed: "
                    f"{listed([repr(cell) for cell in cells], rows)}; {hint}.",
                )
            )
    return values, problems


def check_column(column: "pd.Series[Any]", attribute: Hierarchy) -> tuple[NDArray[np.int64], list[Problem]]:
    """Place a column's values on the leaves of an attribute.

    Returns:
        The leaf index per record (meaningless where a fatal problem names the row) and every finding: gaps, text,
        values outside the domain, values finer than the resolution (not fatal: the recoding is right, the counts of
        possibilities suppose whole steps).
    """
    if not attribute.numeric:
        return _check_categories(column, attribute)
    values, problems = numbers(column)
    known = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), dtype=bool)
    leaf = attribute.locate(values)
    rows = np.flatnonzero(known & ((leaf < 0) | (leaf >= attribute.leaves))) + 1
    domain = f"[{number_text(attribute.lower)}, {number_text(attribute.upper)})"
    if len(rows):
        outside = [_shown(values[row - 1]) for row in rows[:3]]
        problems.append(
            Problem(
                attribute.name,
                tuple(rows.tolist()),
                f"Column {attribute.name!r}: {_plural(len(rows), 'value')} outside the domain {domain}: "
                f"{listed(outside, rows)}; widen the domain or correct the values.",
            )
        )
    else:
        inside, lower, step = values[known].astype(float), float(attribute.lower), float(attribute.resolution)
        steps = (inside - lower) / step
        rounding = np.maximum(np.abs(inside), abs(lower)) / step * 2**-52
        off = np.abs(steps - np.round(steps)) > 1e-6 + rounding
        if off.any():
            rows = np.flatnonzero(known)[off] + 1
            problems.append(
                Problem(
                    attribute.name,
                    tuple(rows.tolist()),
                    f"Column {attribute.name!r}: {_plural(len(rows), 'value')} finer than the resolution "
                    f"{number_text(attribute.resolution)}: "
                    f"{listed([_shown(values[row - 1]) for row in rows[:3]], rows)}; "
                    "the recoding is right, but possibilities are counted in whole steps.",
                    fatal=False,
                )
            )
    return leaf, problems


def _check_categories(column: "pd.Series[Any]", attribute: Hierarchy) -> tuple[NDArray[np.int64], list[Problem]]:
    text = column.astype("object").map(lambda cell: "" if pd.isna(cell) else str(cell).strip())
    leaf: NDArray[np.int64] = np.array([attribute.leaf_of_value.get(cell, -1) for cell in text], dtype=np.int64)
    rows = np.flatnonzero(leaf < 0) + 1
    if not len(rows):
        return leaf, []
    cells = [repr(text.iloc[row - 1][:40]) for row in rows[:3]]
    found = (
        f"Column {attribute.name!r}: {_plural(len(rows), 'value')} not listed in its hierarchy: {listed(cells, rows)}; "
        "add them to the hierarchy or correct them."
    )
    return leaf, [Problem(attribute.name, tuple(rows.tolist()), found)]


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

    leaves: NDArray[np.int64]
    warnings: tuple[str, ...]


def column_of(data: pd.DataFrame, name: str) -> "pd.Series[Any]":
    """The column of a table that an attribute names.

    Raises:
        DataError: the column is missing or there are several of that name.
    """
    if name not in data.columns:
        have = ", ".join(repr(str(column)) for column in list(data.columns)[:12])
        raise DataError(f"The table has no column {name!r}; it has: {have}.")
    column = data[name]
    if isinstance(column, pd.DataFrame):
        raise DataError(f"The table has several columns {name!r}; give each column its own name.")
    return column


def locate(data: pd.DataFrame, study: Study) -> Located:
    """Place every record of a raw table on the leaves of the study's hierarchies.

    Raises:
        DataError: no record, a missing column, or the first fatal finding of :func:`check_column`.
    """
    if not len(data):
        raise DataError("The table holds no record; it needs one row per person below the column names.")
    leaves = np.empty((len(data), len(study.attributes)), dtype=np.int64)
    warnings = []
    for position, attribute in enumerate(study.attributes):
        leaves[:, position], problems = check_column(column_of(data, attribute.name), attribute)
        for problem in problems:
            if problem.fatal:
                raise DataError(problem.text)
            warnings.append(problem.text)
    return Located(leaves, tuple(warnings))
