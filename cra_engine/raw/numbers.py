"""Columns of numbers as people write them, and what is wrong with those that are none."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.files.notation import groups, notation, plain, rewritten
from cra_engine.words import how_many, number_text

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "."})


MISSING_CODES = (-99, -999, -9999, -99999)


@dataclass(frozen=True)
class Problem:
    """One finding in one column of a raw table.

    Attributes:
        column: the column's name.
        rows: the rows concerned, counted from 1 below the header.
        text: the sentence to show.
        fatal: True when the table cannot be recoded before this is mended.
        asks: True when a person has to say how the numbers are written; see :func:`cra_engine.decimals.with_decimal`.
        settled: True for what was read otherwise than it is written, which is said even where all values fit.
    """

    column: str
    rows: tuple[int, ...]
    text: str
    fatal: bool = True
    asks: bool = False
    settled: bool = False


def listed(values: Iterable[Any], rows: NDArray[np.int64]) -> str:
    """The first three findings with their rows: ``512 in row 4, 433 in row 9``."""
    return ", ".join(f"{value} in row {row}" for value, row in list(zip(values, rows, strict=False))[:3])


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


def numbers(column: "pd.Series[Any]", *, gaps: bool = False) -> tuple[NDArray[Any], list[Problem]]:
    """A column as numbers: whole numbers stay whole, gaps and text become NaN and are reported.

    Args:
        column: the cells.
        gaps: True where gaps are no finding.

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
    if len(rows) and not gaps:
        problems.append(empty_cells(name, rows))
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
                    f"Column {name!r}: {how_many(len(rows), 'cell')} with text where a number is needed: "
                    f"{listed(cells, rows)}; correct them or do not use this column as a quasi-identifier.",
                )
            )
    problems += _missing_codes(values, name)
    return values, problems


def empty_cells(name: str, rows: NDArray[np.int64]) -> Problem:
    """What is wrong with gaps that nobody has chosen for.

    Args:
        name: the column's.
        rows: counted from 1.
    """
    shown = ", ".join(str(row) for row in rows[:3])
    return Problem(
        name,
        tuple(rows.tolist()),
        f"Column {name!r}: {how_many(len(rows), 'empty cell')} "
        f"(row {shown}{', ...' if len(rows) > 3 else ''}); complete or remove these rows, "
        "or choose what becomes of them (on the page Data, or missing in the study): each record counts.",
    )


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
            f"Column {name!r}: {how_many(len(rows), 'cell')} with {_shown(code)}, the only negative number "
            f"(row {rows[0]}{', ...' if len(rows) > 1 else ''}), which often stands for a missing value; if it does, "
            "complete or remove these rows.",
            fatal=False,
        )
    ]


def _shown(value: Any) -> str:
    number = float(value)
    return number_text(Decimal(repr(number))) if np.isfinite(number) and abs(number) < 1e15 else str(value)
