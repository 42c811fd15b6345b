"""A raw table on the grid: rows whose gaps are left out, every column read once, the records placed and counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.blocks import combined
from cra_engine.errors import DataError
from cra_engine.files.tables import column_of
from cra_engine.raw.cells import CellCounts, RawValues
from cra_engine.raw.columns import RawColumn, find_gaps, read_column
from cra_engine.raw.sensitive import SensitiveCounts, sensitive_columns
from cra_engine.raw.written import ROW, row_numbers, rows_left
from cra_engine.study.coded import NULL
from cra_engine.study.grid import Grid
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, rows_text

ROWS_NAMED = 5
LEFT_OUT = "leave-out"


@dataclass(frozen=True, eq=False)
class Complete:
    """A raw table without the rows that its study leaves out.

    Attributes:
        data: the other rows.
        gaps: by the name of each attribute that may have gaps, per row of ``data`` whether it is one.
        left_out: the rows of the table that was given which were left out, counted from 1.
        notes: sentences on what became of gaps.
        times: how many records each row of ``data`` stands for; None where each is one.
    """

    data: pd.DataFrame
    gaps: Mapping[str, NDArray[np.bool_]]
    left_out: tuple[int, ...]
    notes: tuple[str, ...]
    times: NDArray[np.int64] | None = None

    @property
    def rows(self) -> NDArray[np.int64]:
        """Per row of ``data`` its row in the whole table, from 0."""
        return np.delete(np.arange(len(self.data) + len(self.left_out)), np.array(self.left_out, dtype=np.int64) - 1)


class Gaps:
    """The gaps of a raw table that comes block by block.

    Args:
        study: says what becomes of them.
    """

    def __init__(self, study: Study) -> None:
        self._asked = [attribute for attribute in study.attributes if attribute.missing]
        self._rows: dict[str, list[int]] = {attribute.name: [] for attribute in self._asked}
        self._count = dict.fromkeys(self._rows, 0)
        self.records = 0
        self.left_out: list[int] = []
        self._named_out: list[int] = []
        self.kept_rows: NDArray[np.int64] = np.empty(0, dtype=np.int64)  # of the last rows those that are kept, from 0

    def add(self, data: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, NDArray[np.bool_]]]:
        """Notes the gaps of more rows; returns the rows that are kept, and per attribute which of them are gaps."""
        kept, gaps, numbers = np.ones(len(data), dtype=bool), {}, row_numbers(data) + self.records
        for attribute in self._asked:
            gap = gaps[attribute.name] = find_gaps(column_of(data, attribute.name), attribute.reader.listed)
            rows = numbers[gap]
            self._count[attribute.name] += len(rows)
            named = self._rows[attribute.name]
            named += rows[: ROWS_NAMED - len(named)].tolist()
            if attribute.missing == LEFT_OUT:
                kept &= ~gap
        self._named_out += numbers[~kept][: ROWS_NAMED - len(self._named_out)].tolist()
        self.left_out += (np.flatnonzero(~kept) + 1 + self.records).tolist()
        self.kept_rows = np.flatnonzero(kept) + self.records
        self.records += len(data)
        return (data, gaps) if kept.all() else (data[kept], {name: gap[kept] for name, gap in gaps.items()})

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what became of the gaps, one per column that has some, and one on the rows that are left out."""
        said = []
        for attribute in self._asked:
            many = self._count[attribute.name]
            if many:
                said.append(
                    f"Column {attribute.name!r}: {how_many(many, 'missing value')} "
                    f"in {_listed(self._rows[attribute.name], many)}, {_BECOMES[attribute.missing]}."
                )
        if self.left_out:
            many = len(self.left_out)
            said.append(
                f"{how_many(many, 'row')} of {self.records:,} left out for missing values: "
                f"{_listed(self._named_out, many)}; the release holds the other {self.records - many:,}."
            )
        return tuple(said)


_BECOMES = {
    LEFT_OUT: "whose rows are left out",
    "category": f"published as a category of its own, {NULL}",
    ROOT_LABEL: f"published as {ROOT_LABEL} from the start",
}


def _listed(rows: list[int], many: int) -> str:
    return rows_text(rows, ROWS_NAMED, many)


def complete(data: pd.DataFrame, study: Study, times: NDArray[np.int64] | None = None) -> Complete:
    """Return a raw table without the rows whose gaps the study leaves out, with what became of all gaps in words.

    Args:
        data: the raw table.
        study: says what becomes of gaps.
        times: how many records each row stands for, of which the words on gaps know nothing; one when left out.

    Raises:
        DataError: a column is missing, or every row has a gap.

    >>> from cra_engine import Attribute
    >>> study = Study([Attribute("age", 0, 80, layers=3, missing="leave-out")], k=2)
    >>> found = complete(pd.DataFrame({"age": ["34", "", "41"]}), study)
    >>> found.left_out, found.notes[1]
    ((2,), '1 row of 3 left out for missing values: row 2 (3 in a spreadsheet); the release holds the other 2.')
    """
    gaps = Gaps(study)
    rows, gaps_of = gaps.add(data)
    if len(data) and not len(rows):
        raise every_row()
    kept = np.ones(len(data), dtype=bool)
    kept[np.array(gaps.left_out, dtype=np.int64) - 1] = False
    own = None if times is None else times[kept]
    return Complete(rows_left(data, kept), gaps_of, tuple(gaps.left_out), gaps.notes, own)


def every_row() -> DataError:
    """Say that no row of a raw table is left, as each has a gap."""
    return DataError(
        "Every row has a missing value whose rows are to be left out; take another choice for them in the study."
    )


@dataclass(frozen=True, eq=False)
class Located:
    """A raw table placed on the grid.

    Attributes:
        study: the study.
        complete: the table without the rows that the study leaves out, and what became of gaps.
        columns: per attribute its column of that table, read.
        warnings: findings that do not stop the recoding, as sentences.
    """

    study: Study
    complete: Complete
    columns: tuple[RawColumn, ...]
    warnings: tuple[str, ...]

    @property
    def data(self) -> pd.DataFrame:
        """The table without the rows that the study leaves out."""
        return self.complete.data

    @cached_property
    def leaves(self) -> NDArray[np.int16]:
        """The leaf index per record and attribute (records x attributes)."""
        return np.stack([column.leaves for column in self.columns], axis=1)

    def count_cells(self, grid: Grid) -> tuple[CellCounts, NDArray[np.signedinteger[Any]]]:
        """Returns the records by cell, and per record the number of its cell."""
        codes = combined([column.leaves for column in self.columns], grid.shape)
        cells = CellCounts(grid)
        cells.add(codes, self.complete.times)
        return cells, codes if cells.held is None else np.searchsorted(cells.held, codes)

    def raw_values(self, number_of_record: NDArray[np.signedinteger[Any]]) -> RawValues:
        """Returns which raw values lie in which cells."""
        result = RawValues(column_order(self.study, list(self.data.columns)))
        for position, column in enumerate(self.columns):
            result.add(position, column.raw_values, number_of_record, self.complete.times)
        return result

    def sensitive(self, number_of_record: NDArray[np.signedinteger[Any]]) -> SensitiveCounts:
        """Returns which values of the columns that privacy models read lie in which cells."""
        result = SensitiveCounts(sensitive_columns(self.study.names, self.study.privacy))
        rows = row_numbers(self.data) - 1 if self.data.index.name == ROW else self.complete.rows
        result.add(self.data, number_of_record, rows, self.complete.times)
        return result


def locate(data: pd.DataFrame, study: Study) -> Located:
    """Place every record of a raw table on the leaves of the study's hierarchies, but for rows that it leaves out.

    Raises:
        DataError: no record, a missing column, or the first fatal finding in one.
    """
    return place(complete(data, study), study)


def place(table: Complete, study: Study) -> Located:
    """Place every record of a raw table without gaps but those the study knows; as :func:`locate`."""
    raw = [column_of(table.data, attribute.name) for attribute in study.attributes]
    if not len(table.data):
        raise no_records()
    columns, warnings = [], []
    for cells, attribute in zip(raw, study.attributes, strict=True):
        column = read_column(cells, attribute, every=False, gaps=table.gaps.get(attribute.name))
        for problem in column.problems:
            if problem.fatal:
                raise DataError(problem.text)
            warnings.append(problem.text)
        columns.append(column)
    return Located(study, table, tuple(columns), tuple(warnings))


def column_order(study: Study, columns: Sequence[str]) -> list[int]:
    """Return the positions of a study's attributes in the order of a raw table's columns."""
    return sorted(range(len(study.names)), key=lambda position: columns.index(study.names[position]))


def no_records() -> DataError:
    """Say that a raw table has no rows."""
    return DataError("The table holds no record; it needs one row per person below the column names.")
