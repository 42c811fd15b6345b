"""Rows of a raw table that stand on the same leaves, counted: what publishing by hierarchies needs of many records."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.files.different_rows import CountedRows
from cra_engine.raw.cells import RawValues
from cra_engine.raw.placement import Located, column_order


@dataclass(frozen=True, eq=False)
class AlikeRows(CountedRows):
    """The rows of a table that no recoding by its hierarchies tells apart, each once: one stands for all like it.

    Attributes:
        row_of: per record the row that stands for it; -1 for none.
        values: per attribute and record the number of its own raw value, of which c3 asks.
    """

    row_of: NDArray[np.int64]
    values: Mapping[str, NDArray[np.int64]]

    def raw_values(self, located: Located, number_of_row: NDArray[np.signedinteger]) -> RawValues:
        """Returns which raw values lie in which cells, those of all records.

        Args:
            located: the rows on the grid, none left out.
            number_of_row: per row the number of its cell.
        """
        result = RawValues(column_order(located.study, list(located.data.columns)))
        known = self.row_of >= 0
        cells = np.asarray(number_of_row)[self.row_of[known]]
        for position, name in enumerate(located.study.names):
            result.add(position, self.values[name][known], cells)
        return result
