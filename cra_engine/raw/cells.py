"""The publisher's records by cell: how many lie in each, what remains, and which raw values they have."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.blocks import FEW, counted
from cra_engine.study.grid import Grid
from cra_engine.study.lattice import State

Held = NDArray[np.int64] | None
"""What the numbers of cells are places in, see :class:`CellCounts`."""


class CellCounts:
    """The records of a raw table counted by cell, block by block.

    Args:
        grid: the cells.

    Attributes:
        grid: the cells.
        held: where the grid is too large for arrays over it the codes of the cells that hold records, ascending: the
            number of a cell is its place among them. None where the number of a cell is its code.
        rows: number of rows so far.
        counts: records per cell, by the cell's number.
        first_rows: per cell that holds records the first row, from 0, that lies in it.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.held: Held = None if grid.whole_fits else np.empty(0, dtype=np.int64)
        self.rows = 0
        self.counts = np.zeros(grid.size if self.held is None else 0, dtype=np.int64)
        self.first_rows = np.zeros_like(self.counts)

    @property
    def records(self) -> int:
        """Number of records so far, of which a row may stand for several."""
        return int(self.counts.sum())

    def add(self, codes: NDArray[np.signedinteger[Any]], times: NDArray[np.int64] | None = None) -> None:
        """Count more records, given by the codes of their cells, and of rows that stand for several by how many."""
        if self.held is not None:
            new, first_rows, places = np.unique(codes, return_index=True, return_inverse=True)
            self._merge(self.held, new, first_rows, counted(places, len(new), times), len(codes))
            return
        at, size = 0, max(FEW // 16, self.grid.size)
        while at < len(codes):
            block = slice(at, at + size)
            places = codes[block].astype(np.intp, copy=False)
            at, size = at + size, min(2 * size, max(FEW, self.grid.size))  # nearly all cells are met soon
            own = counted(places, self.grid.size, None if times is None else times[block])
            fresh = (own > 0) & (self.counts == 0)
            if fresh.any():
                rows = np.flatnonzero(fresh[places])[::-1]  # of equal places the last assignment stays: the first row
                self.first_rows[places[rows]] = self.rows + rows
            self.counts += own
            self.rows += len(places)

    def join(self, later: "CellCounts") -> None:
        """Count the records of another part of the table, whose rows follow."""
        if self.held is not None and later.held is not None:
            self._merge(self.held, later.held, later.first_rows, later.counts, later.rows)
            return
        fresh = (later.counts > 0) & (self.counts == 0)
        self.first_rows[fresh] = self.rows + later.first_rows[fresh]
        self.counts += later.counts
        self.rows += later.rows

    def _merge(
        self,
        before: NDArray[np.int64],
        codes: NDArray[np.signedinteger[Any]],
        first_rows: NDArray[np.signedinteger[Any]],
        counts: NDArray[np.signedinteger[Any]],
        rows: int,
    ) -> None:
        """Count records of cells that may be new, and get their numbers only now."""
        self.held = np.union1d(before, codes).astype(np.int64)
        was, now = np.searchsorted(self.held, before), np.searchsorted(self.held, codes)
        added = np.zeros((2, len(self.held)), dtype=np.int64)
        added[:, now] = counts, self.rows + first_rows
        added[0, was] += self.counts
        added[1, was] = self.first_rows  # a cell keeps its first row
        self.counts, self.first_rows = added
        self.rows += rows


@dataclass(frozen=True, eq=False)
class OccupiedCells:
    """The cells of a raw table that hold records which no class has taken yet.

    Attributes:
        grid: the cells.
        leaves: leaf index per cell and attribute.
        counts: records per cell.
        first_rows: the first row of the table that lies in each cell.
        places: the place of each cell among those that hold records in the whole table.
        numbers: by which number records name each cell, ascending; see :class:`CellCounts`.
        most_numbers: how many numbers there are.
    """

    grid: Grid
    leaves: NDArray[np.int64]
    counts: NDArray[np.int64]
    first_rows: NDArray[np.int64]
    places: NDArray[np.int64]
    numbers: NDArray[np.int64]
    most_numbers: int

    @classmethod
    def of(cls, cells: CellCounts) -> Self:
        """All cells that hold records, in row-major order."""
        numbers = np.flatnonzero(cells.counts)
        codes = numbers if cells.held is None else cells.held
        leaves = np.stack(np.unravel_index(codes, cells.grid.shape), axis=1)
        counts, first_rows = cells.counts[numbers], cells.first_rows[numbers]
        return cls(cells.grid, leaves, counts, first_rows, np.arange(len(codes)), numbers, len(cells.counts))

    @property
    def codes(self) -> NDArray[np.int64]:
        """The code of each cell in the grid."""
        return np.asarray(np.ravel_multi_index(tuple(self.leaves.T), self.grid.shape), dtype=np.int64)

    @cached_property
    def records(self) -> int:
        """Number of records in these cells."""
        return int(self.counts.sum())

    def box_codes(self, state: State) -> NDArray[np.int64]:
        """Per cell the box of a state that it lies in, named by the code of the first cell of the box."""
        return reduce(np.add, (self._first_cells(i, layer) for i, layer in enumerate(state)))

    def _first_cells(self, position: int, layer: int) -> NDArray[np.int64]:
        """Returns what one attribute adds to the codes of boxes; kept, where that is little, for the states to come."""
        codes = self._kept.get((position, layer))
        if codes is None:
            codes = self.grid.first_cells[position][layer - 1][self.leaves[:, position]]
            if len(codes) <= FEW:
                self._kept[position, layer] = codes
        return codes

    @cached_property
    def _kept(self) -> dict[tuple[int, int], NDArray[np.int64]]:
        return {}

    def boxes(
        self, state: State, *, gaps: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Per cell the position of its box, and per box the code of its first cell and its records, in row-major order.

        Args:
            state: its layers.
            gaps: True to count the records of boxes that may not be shown, too; see :meth:`Grid.in_gap`.
        """
        present, position = _present(self.box_codes(state), self.grid.size)
        totals = np.bincount(position, self.counts if gaps else self._shown(state))
        return position, present, totals.astype(np.int64)  # sums of floats are exact as far as records can be counted

    def filled(self, state: State, least: int) -> "Filled":
        """The boxes of a state that hold ``least`` records or more, as :meth:`boxes` has them."""
        codes = self.box_codes(state)
        if self.grid.size > FEW:
            position, present, totals = self.boxes(state)
            full = totals >= least
            return Filled(present[full], totals[full], full[position])
        by_code = np.bincount(codes, self._shown(state))
        enough = by_code >= least
        present = np.flatnonzero(enough)
        return Filled(present, by_code[present].astype(np.int64), enough[codes])

    def held(self, states: NDArray[np.int64], least: int) -> NDArray[np.int64]:
        """Per state (states x attributes) the records in boxes of ``least`` or more, all counted at once.

        As :meth:`filled` of each, in fewer and longer steps; records that a state may not show are counted too.
        """
        many = len(states)
        sizes = self.grid.box_shapes(states)
        starts = np.concatenate([[0], np.cumsum(sizes.prod(axis=1))])
        numbers = np.zeros((many, len(self.counts)), dtype=np.int64)
        for i, attribute in enumerate(self.grid.attributes):
            by_layer = np.stack([ranks[self.leaves[:, i]] for ranks in attribute.ranks])
            numbers *= sizes[:, i, np.newaxis]
            numbers += by_layer[states[:, i] - 1]
        numbers += starts[:-1, np.newaxis]
        totals = np.bincount(numbers.ravel(), np.broadcast_to(self.counts, numbers.shape).ravel(), int(starts[-1]))
        totals[totals < least] = 0.0
        return np.add.reduceat(totals, starts[:-1]).astype(np.int64)

    def _shown(self, state: State) -> NDArray[np.int64]:
        """Records per cell, 0 where no box of the state may show them."""
        hidden = self.grid.in_gap(state, self.leaves)
        return self.counts if hidden is None else np.where(hidden, 0, self.counts)

    def without(self, taken: NDArray[np.bool_]) -> "OccupiedCells":
        """Returns the cells that remain when some of the cells, a mask over them, are taken."""
        left = np.flatnonzero(~taken)
        return OccupiedCells(
            self.grid,
            self.leaves[left],
            self.counts[left],
            self.first_rows[left],
            self.places[left],
            self.numbers[left],
            self.most_numbers,
        )

    def by_number(self, per_cell: NDArray[Any]) -> NDArray[Any]:
        """What is given per cell, by the number that records name the cell by; 0 for all others."""
        result = np.zeros(self.most_numbers, dtype=per_cell.dtype)
        result[self.numbers] = per_cell
        return result


@dataclass(frozen=True, eq=False)
class Filled:
    """The boxes of a state that hold enough of a raw table's records.

    Attributes:
        codes: per box the code of its first cell, ascending.
        sizes: records per box.
        inside: per cell whether it lies in one of them.
    """

    codes: NDArray[np.int64]
    sizes: NDArray[np.int64]
    inside: NDArray[np.bool_]


def _present(numbers: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers below ``size`` that occur, in order, and the place of each number among them."""
    if size > FEW:
        return np.unique(numbers, return_inverse=True)
    there = np.zeros(size, dtype=bool)
    there[numbers] = True
    present = np.flatnonzero(there)
    places = np.zeros(size, dtype=np.int64)
    places[present] = np.arange(len(present))
    return present, places[numbers]


class RawValues:
    """The raw values in each cell: all that the third criterion c3 and ARX's own order ask of the data.

    Each pair of a value and a cell is kept once, so the memory grows with the number of different values.

    Args:
        order: the positions of the attributes in the order of the table's columns, in which ARX works.
    """

    def __init__(self, order: Sequence[int]) -> None:
        """Start without any records."""
        self.order = tuple(order)
        self._pairs: list[list[tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]]] = [[] for _ in self.order]

    def add(
        self, position: int, values: NDArray[Any], cells: NDArray[Any], times: NDArray[np.int64] | None = None
    ) -> None:
        """Note some records.

        Args:
            position: the attribute's.
            values: per record its raw value.
            cells: per record the number of its cell.
            times: how often each counts; once when left out.
        """
        often = np.ones(len(values), dtype=np.int64) if times is None else times
        self._pairs[position].append(_each_once(values, cells, often))
        first, *later = [len(own) for own, _, _ in self._pairs[position]]
        if sum(later) > first:  # so that the joint pairs about double each time
            self._join(position)

    def join(self, other: "RawValues") -> None:
        """Note the records of another part of the table."""
        for position, pairs in enumerate(other._pairs):  # noqa: SLF001 - of the same class
            self._pairs[position] += pairs
            self._join(position)

    def _join(self, position: int) -> None:
        if len(self._pairs[position]) < 2:  # a part without rows has noted nothing
            return
        values, cells, counts = (np.concatenate(parts) for parts in zip(*self._pairs[position], strict=True))
        self._pairs[position] = [_each_once(values, cells, counts)]

    def distinct(self, remaining: NDArray[np.bool_]) -> list[int]:
        """The number of different raw values of each attribute in the remaining cells, a mask by number."""
        for position in range(len(self._pairs)):
            self._join(position)
        return [len(pd.unique(values[remaining[cells]])) for ((values, cells, _),) in self._pairs]

    def counted(self, position: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """The pairs of an attribute's values and cells: numbers for the values, those of the cells, the records."""
        self._join(position)
        ((values, cells, counts),) = self._pairs[position]
        return pd.factorize(values, use_na_sentinel=False)[0].astype(np.int64), cells, counts


def _each_once(
    values: NDArray[Any], cells: NDArray[Any], counts: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int32], NDArray[np.int64]]:
    """The pairs of a value and a cell, each once, and their counts summed up."""
    codes, different = pd.factorize(values, use_na_sentinel=False)  # a gap is a value like every other
    width = int(cells.max(initial=0)) + 1
    places, pairs = pd.factorize(codes.astype(np.int64) * width + cells)
    return different[pairs // width], (pairs % width).astype(np.int32), np.bincount(places, counts).astype(np.int64)
