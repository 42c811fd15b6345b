"""Columns of numbers as people write them, and what is wrong with those that are none."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.files.notation import may_mark_thousands, notation, plain, rewritten
from cra_engine.raw.written import Problem, Written, row_numbers
from cra_engine.words import how_many, number_text, rows_text

MISSING_CODES = (-99, -999, -9999, -99999)


def plain_numbers(column: "pd.Series[Any]") -> NDArray[Any] | None:
    """Read a raw column of text as numbers at once; None where a cell needs a closer look, or all of them do.

    What is read here is what ``pd.to_numeric`` reads, only faster: that goes from cell to cell.
    """
    if not isinstance(column.dtype, pd.StringDtype) or column.dtype.storage != "pyarrow":
        return None
    try:
        values = column.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
    except ValueError:
        return None
    # From 2**53 on not every whole number is a double; NaN compares False, too.
    if not (np.abs(values) < 2**53).all():
        return None
    if (values == np.rint(values)).all():
        try:
            return column.astype("Int64").to_numpy(dtype=np.int64)
        except ValueError:  # 5.0
            pass
    return values


def numbers(
    column: "pd.Series[Any]", *, gaps: bool = False, plain: NDArray[Any] | None = None
) -> tuple[NDArray[Any], list[Problem]]:
    """Read a raw column as numbers: whole ones stay whole, gaps and text become NaN and are reported.

    Args:
        column: the cells.
        gaps: True where gaps are no finding.
        plain: what :func:`plain_numbers` makes of the column, where it was asked already.

    Returns:
        The numbers (int64 or float64, one per row) and the findings: empty cells, then text.
    """
    name = str(column.name)
    if column.dtype.kind in "iuf":
        values = column.to_numpy(dtype=float, na_value=np.nan) if column.hasnans else column.to_numpy()
        if values.dtype.kind in "iu":
            return values, []
        if values.dtype.itemsize < 8:
            values = values.astype(str).astype(float)  # 0.7 as it is written, not the 0.69999999 that it is stored as
        empty = row_numbers(column)[np.isnan(values)]
        problems = [empty_cells(name, empty)] if len(empty) and not gaps else []
        return values, [*problems, *_missing_codes(values, name, lambda: row_numbers(column))]
    values_at_once = plain_numbers(column) if plain is None else plain
    if values_at_once is None:
        return written_numbers(Written.of(column), gaps=gaps)
    grouped = may_mark_thousands(column) if values_at_once.dtype.kind == "f" else ""
    problems = _by_groups(Written.of(column), grouped) if grouped else []
    return values_at_once, [*problems, *_missing_codes(values_at_once, name, lambda: row_numbers(column))]


def written_numbers(column: Written, *, gaps: bool = False) -> tuple[NDArray[Any], list[Problem]]:
    """Read a raw column of text as :func:`numbers` does."""
    text, empty = pd.Series(column.texts, dtype=object), np.array(column.empty, dtype=bool)
    values = pd.to_numeric(text, errors="coerce").to_numpy()
    rows = column.rows(empty)
    problems = [empty_cells(column.name, rows)] if len(rows) and not gaps else []
    if values.dtype.kind == "f":
        if (np.isnan(values) & ~empty).any():
            values, unclear = _by_notation(column, text, empty, values)
            problems += unclear
        else:
            problems += _by_groups(column, may_mark_thousands(text[~empty]))
        named = [row for problem in problems for row in problem.rows if problem.fatal]
        rows = column.rows(np.isnan(values) & ~empty)
        rows = rows[~np.isin(rows, named)]
        if len(rows):
            said = (
                f"Column {column.name!r}: {how_many(len(rows), 'cell')} with text where a number is needed: "
                f"{column.listed(rows)}; correct them or do not use this column as a quasi-identifier."
            )
            problems.append(Problem(column.name, tuple(rows.tolist()), said))
    of_rows = values[column.codes]
    return of_rows, [*problems, *_missing_codes(of_rows, column.name, lambda: column.numbers)]


def empty_cells(name: str, rows: NDArray[np.int64]) -> Problem:
    """Say what is wrong with a raw column's gaps that nobody has chosen for.

    Args:
        name: the column's.
        rows: counted from 1.
    """
    return Problem(
        name,
        tuple(rows.tolist()),
        f"Column {name!r}: {how_many(len(rows), 'missing value')} in {rows_text(rows)}; complete or remove these rows, "
        "or choose what becomes of them (on the page Data, or missing in the study): each record counts.",
        gap=True,
    )


def _by_notation(
    column: Written, text: "pd.Series[str]", empty: NDArray[np.bool_], values: NDArray[Any]
) -> tuple[NDArray[Any], list[Problem]]:
    """Returns the numbers of a column that is not written in plain notation, or why nobody can tell them."""
    way = notation(text[~empty])
    if way.decimal is not None:
        return pd.to_numeric(rewritten(text, way.decimal), errors="coerce").to_numpy(), []
    numeric = np.array([plain(cell, "comma") is not None or plain(cell, "point") is not None for cell in text])
    rows = column.rows(np.isnan(values) & ~empty & numeric)
    if way.open_cell:
        return values, [_asked(column, way.open_cell, rows)]
    said = (
        f"Column {column.name!r}: {way.comma_cell!r} in {column.row_of(way.comma_cell)} has a decimal comma and "
        f"{way.point_cell!r} in {column.row_of(way.point_cell)} a decimal point; write all numbers of a column "
        "alike."
    )
    return values, [Problem(column.name, tuple(rows.tolist()), said)]


def _by_groups(column: Written, reason: Literal["", "note", "ask"]) -> list[Problem]:
    """Returns what to know of a column in plain notation that could as well hold thousands: 1.250 for 1250."""
    if not reason:
        return []
    with_point = [not nothing and "." in text for text, nothing in zip(column.texts, column.empty, strict=True)]
    rows = column.rows(with_point)
    cells = column.cells(rows)
    cell = next((cell for cell in cells if cell.endswith("0")), cells[0])
    if reason == "ask":
        return [_asked(column, cell, rows)]
    said = (
        f"Column {column.name!r}: all decimals have three digits; {cell} in {column.row_of(cell)} is read as "
        f"{number_shown(float(cell))}, not as {cell.replace('.', '')}; remove the points if they mark thousands."
    )
    return [Problem(column.name, (), said, fatal=False)]


def _asked(column: Written, cell: str, rows: NDArray[np.int64]) -> Problem:
    said = (
        f"Column {column.name!r}: {cell!r} in {column.row_of(cell)} can be {number_shown(plain(cell, 'comma'))} "
        f"or {number_shown(plain(cell, 'point'))}; say whether a comma or a point marks the decimals: on the page "
        "Data, on the command line with --decimal, in Python with decimal or thousands of pandas.read_csv."
    )
    return Problem(column.name, tuple(rows.tolist()), said, asks=True)


def _missing_codes(values: NDArray[Any], name: str, numbers: Callable[[], NDArray[np.int64]]) -> list[Problem]:
    """A note where the only negative number is one that often stands for a missing value, such as -999."""
    below = values < 0
    if not below.any() or below.all():
        return []
    code = values[below][0]
    if code not in MISSING_CODES or (values[below] != code).any():
        return []
    rows = numbers()[below]
    return [
        Problem(
            name,
            tuple(rows.tolist()),
            f"Column {name!r}: {how_many(len(rows), 'cell')} in {rows_text(rows)} with {number_shown(code)}, the only "
            "negative number, which often stands for a missing value; if it does, complete or remove these rows.",
            fatal=False,
        )
    ]


def number_shown(value: Any) -> str:
    """Write a raw number as a person would."""
    number = float(value)
    return number_text(Decimal(repr(number))) if np.isfinite(number) and abs(number) < 1e15 else str(value)
