"""Tables as CSV text that a spreadsheet may open: no cell of it runs as a formula.

A cell such as ``=HYPERLINK(..)`` in a table about patients may have been typed by a stranger. A spreadsheet runs what
begins with ``= + - @``, also behind a tab, a line end or a blank. Such a cell is written with an apostrophe before it,
which spreadsheets take for "this is text". Numbers, negative ones too, stay as they are. A cell that has apostrophes
before a formula already gets one more, so that :func:`restored` gives back every cell as it was.
"""

import csv
import io
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.expected import expect

# The last four are the wide forms of East Asian keyboards, which spreadsheets read as the narrow ones.
_FORMULA = "'*[ \\n]*[-\\t\\r=+@\uff1d\uff0b\uff0d\uff20]"
_NUMBER = r"'*[-+](?:[0-9]+(?:[.,][0-9]+)*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?%?|'*[-+]+"


def csv_lines(rows: Iterable[Iterable[str]]) -> str:
    """Write rows as CSV text with ``,`` between cells and formulas made harmless, as :func:`csv_text` does a table."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([defused_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def defused_cell(cell: str) -> str:
    """Put an apostrophe before a CSV file's cell where it would run as a formula.

    >>> defused_cell("=1+1"), defused_cell("-1.5"), defused_cell("age")
    ("'=1+1", '-1.5', 'age')
    """
    return f"'{cell}" if _is_formula(cell) else cell


def restored_cell(cell: str) -> str:
    """Return a CSV file's cell as it was before :func:`defused_cell`."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell) else cell


def _is_formula(cell: str) -> bool:
    return re.match(_FORMULA, cell) is not None and re.fullmatch(_NUMBER, cell) is None


def csv_text(table: pd.DataFrame, *, header: bool = True) -> str:
    """Write a table as CSV text as ARX does, ``;`` between columns, with formulas made harmless.

    Rows are written one by one: a table in pieces, the first with the header and the others without, gives the same
    bytes as the table in one piece.

    >>> print(csv_text(pd.DataFrame({"age": ["[20, 40["], "note": ["=1+1"]})), end="")
    age;note
    [20, 40[;'=1+1
    """
    expect(table, pd.DataFrame, "csv_text(table)")
    safe = defused(table)
    text = _written(safe, csv.QUOTE_MINIMAL, header=header)
    if "\r" not in text:
        return text
    # Python 3.11 leaves a carriage return unquoted, and a reader takes it for the end of a line.
    returns = np.zeros(len(safe), dtype=bool)
    for position in range(safe.shape[1]):
        column = safe.iloc[:, position]
        if column.dtype.kind not in "iufbMm":
            returns |= column.astype("object").map(lambda cell: "\r" in str(cell)).to_numpy(dtype=bool)
    pieces = []
    if header:
        quoting = csv.QUOTE_ALL if any("\r" in str(name) for name in safe.columns) else csv.QUOTE_MINIMAL
        pieces.append(_written(safe.iloc[:0], quoting, header=True))
    for quoted, run in groupby(range(len(safe)), key=returns.__getitem__):
        rows = list(run)
        quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
        pieces.append(_written(safe.iloc[rows[0] : rows[-1] + 1], quoting, header=False))
    return "".join(pieces)


def _written(table: pd.DataFrame, quoting: Any, *, header: bool) -> str:
    return str(table.to_csv(index=False, sep=";", lineterminator="\n", quoting=quoting, header=header))


def formulas(table: pd.DataFrame) -> int:
    """Count the cells of a CSV file that a spreadsheet would run as a formula; column names are not counted."""
    return sum(int(_found(_cells(table.iloc[:, at])).sum()) for at in range(table.shape[1]) if _is_text(table, at))


def defused(table: pd.DataFrame) -> pd.DataFrame:
    """Put an apostrophe before every cell and column name of a CSV file that would run as a formula."""
    return _changed(table, lambda cells: "'" + cells)


def restored(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table read from a CSV file as it was before :func:`defused`."""
    return _changed(table, lambda cells: cells.str[1:], only="'")


def _changed(table: pd.DataFrame, change: Any, only: str = "") -> pd.DataFrame:
    columns: dict[int, Any] = {}
    table = table.reset_index(drop=True)  # an index may repeat, and is not written
    for position in range(table.shape[1]):
        if _is_text(table, position):
            column = table.iloc[:, position]
            new = _applied(_cells(column), change, only)
            if new is not None:
                kind = isinstance(column.dtype, pd.CategoricalDtype)
                columns[position] = column.cat.rename_categories(new.tolist()) if kind else new
    names = pd.Series(table.columns, dtype="object")
    named = _applied(names, change, only)
    if not columns and named is None:
        return table
    parts = [columns.get(position, table.iloc[:, position]) for position in range(table.shape[1])]
    result = pd.concat(parts, axis=1) if parts else table.copy()
    result.columns = pd.Index(names if named is None else named)
    return result


def _is_text(table: pd.DataFrame, position: int) -> bool:
    dtype = table.dtypes.iloc[position]
    if isinstance(dtype, pd.CategoricalDtype):
        return dtype.categories.dtype.kind == "O" or isinstance(dtype.categories.dtype, pd.StringDtype)
    return dtype.kind == "O" or isinstance(dtype, pd.StringDtype)


def _cells(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """The column's texts; of a column of categories each category once."""
    return pd.Series(column.cat.categories) if isinstance(column.dtype, pd.CategoricalDtype) else column


def _found(cells: "pd.Series[Any]") -> "pd.Series[bool]":
    if not any(isinstance(cell, str) for cell in cells):  # dates, or true and false with gaps
        return pd.Series(False, index=cells.index)
    found = cells.str.match(_FORMULA, na=False).astype(bool)
    found[found] = ~cells[found].str.fullmatch(_NUMBER)
    return found


def _applied(cells: "pd.Series[Any]", change: Any, only: str) -> "pd.Series[Any] | None":
    """The cells with the formulas among them changed; None when there are none."""
    found = _found(cells)
    if only:
        found &= cells.str.startswith(only, na=False)
    if not found.any():
        return None
    new = cells.copy()
    new[found] = change(cells[found])
    return new
