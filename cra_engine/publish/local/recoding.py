"""Recoding a table in memory: its records are put into cells, the cells are published, the rows get their labels."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import MANY, blocks, looked_up
from cra_engine.choices import RecodeTies
from cra_engine.files.tables import column_of
from cra_engine.publish.local.sweep import CellRecoding
from cra_engine.raw.cells import CellCounts, RawValues
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.release import Release
from cra_engine.study.grid import Grid
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import Lattice
from cra_engine.study.study import Study


class Recoding(CellRecoding):
    """The outcome of ARX-LR on a table: what is published, and how it came about.

    Attributes:
        study: the study it was run with.
        ties: how exact ties were broken, ``"paper"`` or ``"arx"``.
        release: what is published and nothing more.
        frame: the published table, rows in the input's order, other columns as they were. Quasi-identifiers are
            categories, so that a label is held once and a row costs one or two bytes.
        iterations: the rounds of Algorithm 2, to step through.
        classes: the classes in the attacker's order, with the iteration that formed each.
        outliers: number of suppressed records.
        warnings: findings in the table that did not stop the recoding.
    """

    def __init__(self, data: pd.DataFrame, study: Study, ties: RecodeTies = "paper") -> None:
        """Run ARX-LR; see :func:`recode`."""
        grid, lattice = Grid(study.attributes), Lattice(study.attributes)
        located = locate(data, study)
        self.warnings = located.warnings
        self._code_of_record = grid.codes(located.leaves)
        del located
        cells = CellCounts(grid)
        for block in blocks(len(data), MANY):
            cells.add(self._code_of_record[block])
        super().__init__(study, ties, lattice, cells, list(data.columns), lambda: self._read_raw_values(data))
        self.frame = self._publish(data)
        self.release = Release(study, self.frame)

    def _read_raw_values(self, data: pd.DataFrame) -> RawValues:
        found = RawValues(len(self.study.attributes))
        for position, attribute in enumerate(self.study.attributes):
            found.add(position, raw_values(column_of(data, attribute.name), attribute), self._code_of_record)
        return found

    def _publish(self, data: pd.DataFrame) -> pd.DataFrame:
        labels = {
            name: pd.Categorical.from_codes(self._of_records(codes), dtype=pd.CategoricalDtype(shown))
            for name, (shown, codes) in zip(self.study.names, self.published_labels(), strict=True)
        }
        published = {
            name: labels[name] if name in labels else _apart(data.iloc[:, position].array)
            for position, name in enumerate(data.columns)
        }
        return pd.DataFrame(published, index=data.index.copy(), columns=data.columns)

    def _of_records(self, of_cells: NDArray[np.signedinteger[Any]]) -> NDArray[np.signedinteger[Any]]:
        """Per record what is given per occupied cell."""
        by_code = np.zeros(self.grid.size, dtype=of_cells.dtype)
        by_code[self._codes] = of_cells
        return looked_up(by_code, self._code_of_record)

    @property
    def iteration_of_record(self) -> NDArray[np.signedinteger[Any]]:
        """Per record the iteration that published it; 0 for outliers."""
        return self._of_records(self._taken)


def _apart(column: "pd.api.extensions.ExtensionArray") -> "pd.api.extensions.ExtensionArray":
    """A column in new memory: one that shares it with the raw table would carry the quasi-identifiers along."""
    # An Arrow column's copy() still shares, take() does not.
    return column.take(np.arange(len(column))) if hasattr(column, "__arrow_array__") else column.copy()


def raw_values(column: "pd.Series[Any]", attribute: Hierarchy) -> NDArray[Any]:
    """Per record its raw value, equal where the values are: "5" and "5.0" are one number."""
    return numbers(column)[0] if attribute.numeric else column.astype(str).str.strip().to_numpy(dtype=object)


def recode(data: pd.DataFrame, study: Study, *, ties: RecodeTies = "paper") -> Recoding:
    """Publish a table with ARX-LR (paper, Algorithms 1 and 2).

    Args:
        data: one row per person; the study's quasi-identifiers are columns of numbers, other columns are kept.
        study: hierarchies and k.
        ties: which of several equally good states forms its classes first: ``"paper"`` by the third criterion c3 on the
            remaining records, ``"arx"`` the one that ARX's own code takes, with ARX's rounding of losses and limits.
            Hierarchies whose nodes differ in share within a layer, which the paper does not know, are always recoded as
            ARX does.

    Raises:
        DataError: the table does not fit the study, or k exceeds the number of records.
        TooLargeError: the lattice or the grid is larger than the engine admits.
    """
    return Recoding(data, study, ties)
