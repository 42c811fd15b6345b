"""A raw column as it is written, each different text once; and what is found to be wrong in a column."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.raw.missing_words import MISSING
from cra_engine.words import in_spreadsheet, rows_text

ROW = "row of the file"  # what the index of a table is called that keeps the numbers of its rows, from 0


@dataclass(frozen=True)
class Problem:
    """One problem in one column of a raw table.

    Attributes:
        column: the column's name.
        rows: the rows concerned, counted from 1 below the header.
        text: the sentence to show.
        fatal: True when the table cannot be recoded before this is mended.
        asks: True when a person has to say how the numbers are written; see :func:`cra_engine.decimals.with_decimal`.
        gap: True for empty cells that nobody has chosen for.
        settled: True for what was read otherwise than it is written, which is said even where all values fit.
    """

    column: str
    rows: tuple[int, ...]
    text: str
    fatal: bool = True
    asks: bool = False
    settled: bool = False
    gap: bool = False


def row_numbers(table: "pd.DataFrame | pd.Series[Any]") -> NDArray[np.int64]:
    """Return the number of each row of a raw table in the file that somebody gave, counted from 1 below its header.

    The one rule by which rows are named to people, whatever rows were left out on the way; see :func:`rows_left`.
    """
    if table.index.name == ROW:
        return table.index.to_numpy(dtype=np.int64) + 1
    return np.arange(1, len(table) + 1)


def rows_left(data: pd.DataFrame, kept: NDArray[np.bool_]) -> pd.DataFrame:
    """Return some rows of a raw table, which keep their index, and by it their numbers; one of its own has none.

    >>> row_numbers(rows_left(pd.DataFrame({"age": [34, 51, 28]}), np.array([True, False, True]))).tolist()
    [1, 3]
    """
    if kept.all():
        return data
    counted = isinstance(data.index, pd.RangeIndex) and (data.index.start, data.index.step) == (0, 1)
    return data[kept].rename_axis(index=ROW) if counted else data[kept]


def listed(values: Iterable[Any], rows: NDArray[np.int64]) -> str:
    """Write the first three problems of a raw column with their rows: ``512 in row 4, 433 in row 9 (5, 10 in ..)``."""
    first = list(zip(values, rows, strict=False))[:3]
    said = ", ".join(f"{value} in row {row}" for value, row in first)
    return f"{said} {in_spreadsheet([int(row) for _, row in first])}"


@dataclass(frozen=True, eq=False)
class Written:
    """A raw column as it is written.

    Attributes:
        name: the column's name.
        texts: the different cells without blanks at their ends; empty for one that holds nothing.
        codes: per row the place of its cell among them.
        numbers: per row its number; see :func:`row_numbers`.
    """

    name: str
    texts: Sequence[str]
    codes: NDArray[np.int64]
    numbers: NDArray[np.int64]

    @classmethod
    def of(cls, column: "pd.Series[Any]") -> Self:
        """Reads a column of whatever kind."""
        numbers = row_numbers(column)
        # 1, 1.0 and True are equal among objects, but they are written differently.
        if column.dtype == object and pd.api.types.infer_dtype(column) != "string":
            column = column.map(lambda cell: "" if pd.isna(cell) else str(cell))
        codes, cells = pd.factorize(column, use_na_sentinel=False)
        texts = [
            "" if gap else str(cell).strip() for cell, gap in zip(cells.astype(object), pd.isna(cells), strict=True)
        ]
        alike, different = pd.factorize(np.array(texts, dtype=object))
        return cls(str(column.name), different.tolist(), alike[codes], numbers)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.codes)

    @property
    def empty(self) -> list[bool]:
        """Per text whether it is nothing, or a word such as ``NA`` that stands for nothing."""
        return [text.lower() in MISSING for text in self.texts]

    def rows(self, chosen: Iterable[bool]) -> NDArray[np.int64]:
        """Returns the numbers of the rows that hold one of the texts that are chosen."""
        wanted = np.fromiter(chosen, dtype=bool, count=len(self.texts))
        return np.asarray(self.numbers[wanted[self.codes]])

    def row_of(self, text: str) -> str:
        """Returns the first row that holds a text, in words."""
        return rows_text(self.rows(other == text for other in self.texts)[:1])

    def listed(self, rows: NDArray[np.int64]) -> str:
        """Returns the first three of some rows with their cells: ``'x' in row 4, 'y' in row 9``."""
        return listed([repr(text[:40]) for text in self.cells(rows[:3])], rows)

    def cells(self, rows: NDArray[np.int64]) -> list[str]:
        """Returns the texts of some rows, given by their numbers."""
        return [self.texts[code] for code in self.codes[np.searchsorted(self.numbers, rows)]]

    def with_texts(self, texts: Sequence[str]) -> "Written":
        """Returns the same column with other texts, one for each."""
        return replace(self, texts=texts)
