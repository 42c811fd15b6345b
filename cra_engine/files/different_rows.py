"""A table as its different rows with how many records show each; who counts a stored one is said elsewhere."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.expected import expect
from cra_engine.words import rows_text


@dataclass(frozen=True, eq=False)
class CountedRows:
    """The different rows of a table, in the order in which they come first.

    Attributes:
        frame: each of them once, with the columns that were asked for.
        records: how many records show each.
        first: the first record that does, from 0.
        parts: the names of the table's files and, of each, the records of all before it; empty of a single file.
    """

    frame: pd.DataFrame
    records: NDArray[np.int64]
    first: NDArray[np.int64]
    parts: tuple[tuple[str, int], ...]

    def place(self, row: int) -> str:
        """Say where a row of the frame stands first: ``"row 5 (6 in a spreadsheet) of part-001.csv"``."""
        record = int(self.first[row])
        name, before = next(((name, before) for name, before in reversed(self.parts) if before <= record), ("", 0))
        return rows_text([record - before + 1]) + (f" of {name}" if name else "")

    def shown(self, frame: pd.DataFrame) -> Self:
        """The same with its rows as they are read: without apostrophes, with decimals in one notation."""
        return replace(self, frame=frame)


Table = pd.DataFrame | CountedRows
"""What a task takes that looks at rows that are alike together."""


def rows_of(table: Table, what: str) -> tuple[pd.DataFrame, NDArray[np.int64] | None]:
    """Return a table's rows, and how many records each stands for; None where each is one.

    Raises:
        DataError: it is no table.
    """
    if isinstance(table, CountedRows):
        return table.frame, table.records
    expect(table, pd.DataFrame, what)
    return table, None
