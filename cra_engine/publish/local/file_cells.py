"""A file on its way into cells: its records block by block, counted, and what there is to say of their values."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from cra_engine.choices import DecimalSign
from cra_engine.errors import DataError
from cra_engine.files.block_files import TableFile, changed
from cra_engine.files.notation import with_decimal
from cra_engine.files.tables import no_column
from cra_engine.publish.local.file_columns import CategoryColumn, FileColumn, NumberColumn
from cra_engine.raw.cells import CellCounts, Held, RawValues
from cra_engine.raw.columns import read_column
from cra_engine.raw.placement import Gaps, column_order
from cra_engine.raw.sensitive import SensitiveCounts, sensitive_columns
from cra_engine.study.grid import Grid
from cra_engine.study.study import Study


class FileCells:
    """The records of a file to recode locally, as cells.

    Args:
        table: the file.
        study: hierarchies and roles.
        decimal: how the quasi-identifiers' numbers are written, where they do not tell.

    Attributes:
        table: as given.
        grid: the cells.
        columns: the quasi-identifiers, with what was found of their values in the last pass.
        published: the names of the columns that a release of it has.
        order: the positions of the quasi-identifiers in the order of these columns.
        gaps: what the last pass found of missing values.
        held: what the numbers of cells are places in, see :class:`cra_engine.raw.cells.CellCounts`; known once the
            records were counted.

    Raises:
        DataError: a quasi-identifier is no column of the file.
    """

    def __init__(
        self,
        table: TableFile,
        study: Study,
        decimal: DecimalSign | None = None,
        held: Held = None,
    ) -> None:
        for name in study.names:
            if name not in table.columns:
                for _ in table.blocks(table.columns[:1]):
                    pass  # where the file itself is at fault, that is said
                raise no_column(name, table.columns)
        study.roles.check(table.columns)
        self.table = table
        self.grid = Grid(study.attributes)
        self.published = [name for name in table.columns if name not in study.roles.remove]
        self.order = column_order(study, self.published)
        self.columns: list[FileColumn] = [
            NumberColumn(a, decimal) if a.numeric else CategoryColumn(a) for a in study.attributes
        ]
        self._study, self._decimal = study, decimal
        self.gaps = Gaps(study)
        self.held = held

    @property
    def fits(self) -> bool:
        """False when some value of the last pass fits nowhere; its codes then mean nothing."""
        return all(column.fits for column in self.columns)

    def count(self) -> CellCounts:
        """The records by cell, in one pass; in two where a column has to tell first how its numbers are written."""
        cells = self._counted()
        if any(column.undecided for column in self.columns):
            for column in self.columns:
                if column.undecided:
                    column.decide(self.table)
            cells = self._counted()
        self.held = cells.held
        return cells

    def _counted(self) -> CellCounts:
        cells = CellCounts(self.grid)
        for codes, _ in self._codes_by_block():
            cells.add(codes)
        return cells

    def numbers_by_block(
        self, *, all_columns: bool = False, more: Sequence[str] = ()
    ) -> Iterator[tuple[NDArray[np.signedinteger[Any]], tuple[pa.Table, pd.DataFrame]]]:
        """The numbers of the cells of each block's records, with the block: the quasi-identifiers, and ``more``.

        Raises:
            DataError: the file was changed since it was counted.
        """
        for codes, block in self._codes_by_block(all_columns=all_columns, more=more):
            if self.held is None:
                yield codes, block
                continue
            numbers = np.searchsorted(self.held, codes)
            if (self.held[np.minimum(numbers, len(self.held) - 1)] != codes).any():
                raise changed(self.table.name)
            yield numbers, block

    def _codes_by_block(
        self, *, all_columns: bool = False, more: Sequence[str] = ()
    ) -> Iterator[tuple[NDArray[np.signedinteger[Any]], tuple[pa.Table, pd.DataFrame]]]:
        names = [*(column.attribute.name for column in self.columns), *more]
        for column in self.columns:
            column.begin()
        self.gaps = Gaps(self._study)
        for block in self.table.blocks(self.published if all_columns else names):
            frame = self.table.frame(block)
            kept, gaps = self.gaps.add(frame)
            if len(kept) < len(frame):
                block, frame = block.take(pa.array(kept.index)), kept.reset_index(drop=True)  # noqa: PLW2901
                if not len(frame):
                    continue
            leaves = np.stack(
                [c.add(frame[c.attribute.name], gaps.get(c.attribute.name)) for c in self.columns], axis=1
            )
            # Where a value fits nowhere the codes mean nothing, and nobody asks for them.
            yield self.grid.codes(leaves if self.fits else np.zeros_like(leaves)), (block, frame)

    def raw_values(self) -> RawValues:
        """Which raw values lie in which cells, in a pass of its own."""
        found = RawValues(self.order)
        for numbers, _ in self.numbers_by_block():
            for position, column in enumerate(self.columns):
                found.add(position, column.raw, numbers)
        return found

    def sensitive(self) -> SensitiveCounts:
        """Which values of the columns that privacy models read lie in which cells, in a pass of its own."""
        found = SensitiveCounts(sensitive_columns(self._study.names, self._study.privacy))
        for name in found.columns:
            if name not in self.published:
                raise no_column(name, self.published)
        for numbers, (_, frame) in self.numbers_by_block(more=list(found.columns)):
            found.add(frame, numbers, self.gaps.kept_rows)
        found.table_rows = self.gaps.records
        return found

    def settled(self) -> tuple[str, ...]:
        """The warnings of all columns.

        Raises:
            DataError: a value fits nowhere.
        """
        return (*self.gaps.notes, *settled_warnings(self.columns, [self.table], self._study, self._decimal))


def settled_warnings(
    columns: Sequence[FileColumn], tables: Sequence[TableFile], study: Study, decimal: DecimalSign | None = None
) -> tuple[str, ...]:
    """Return the warnings of all columns of a file to recode; in doubt a whole column is asked, for the same words.

    Args:
        columns: with what was found of their values.
        tables: the files that hold them, one after the other.
        study: names the quasi-identifiers.
        decimal: how their numbers are written.

    Raises:
        DataError: a value fits nowhere.
    """
    warnings: list[str] = []
    for column in columns:
        name = column.attribute.name
        if column.doubtful:
            frames = (table.frame(block) for table in tables for block in table.blocks([name]))
            whole = pd.concat(list(frames), ignore_index=True)
            whole = whole if decimal is None else with_decimal(whole, study.names, decimal)
            problems = list(read_column(whole[name], column.attribute, every=False).problems)
        else:
            problems = column.problems()
        for problem in problems:
            if problem.fatal:
                raise DataError(problem.text)
            warnings.append(problem.text)
        if not column.fits:
            raise changed(tables[0].name)
    return tuple(warnings)
