"""Which boxes of a state may be published: those whose remaining records are k or more and pass all privacy models."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.groups import Groups, Spread
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.raw.cells import Filled, OccupiedCells
from cra_engine.study.lattice import State
from cra_engine.study.study import Study

_ROOMY = 8  # so many times more pairs of a box and a value than entries are counted; more are sorted


@dataclass(frozen=True, eq=False)
class _Entries:
    """A column's values in cells: the cell among all, the value, the records."""

    cell: NDArray[np.int64]
    value: NDArray[np.int64]
    count: NDArray[np.int64]

    def of(self, cells: OccupiedCells, many: int) -> "_Entries":
        """Those of some cells."""
        there = np.zeros(many, dtype=bool)
        there[cells.places] = True
        kept = there[self.cell]
        return _Entries(self.cell[kept], self.value[kept], self.count[kept])


class Passing:
    """The test of local recoding on the boxes of a state, for one table.

    Args:
        study: k and the privacy models.
        cells: all cells that hold records.
        spreads: per column that models read how its values spread over the cells, by their numbers.

    Attributes:
        least: the fewest records of a box that passes.
        monotone: True where a box that passes still does with more records: then what fails once fails for good.
    """

    def __init__(self, study: Study, cells: OccupiedCells, spreads: Mapping[str, Spread]) -> None:
        by_class = [model for model in study.privacy if not isinstance(model, AverageRisk)]
        self._distinct = [m for m in by_class if isinstance(m, LDiversity) and m.variant == "distinct"]
        self._by_class = [model for model in by_class if model not in self._distinct]
        self._by_all = [model for model in study.privacy if isinstance(model, AverageRisk)]
        self.least = max((study.k, *(model.least for model in study.privacy)))
        self.monotone = all(model.monotone for model in study.privacy)
        self._cells, self._spreads = len(cells.counts), spreads
        at = cells.numbers
        self._all = {n: _Entries(np.searchsorted(at, s.group), s.value, s.count) for n, s in spreads.items()}
        self._held, self._entries = self._cells, self._all

    def large(self, cells: OccupiedCells, state: State) -> Filled:
        """The boxes that hold enough records; others cannot pass, nor ever will when records are taken."""
        return cells.filled(state, self.least)

    def filled(self, cells: OccupiedCells, state: State, large: Filled | None = None) -> Filled:
        """The boxes that pass.

        Args:
            cells: what remains.
            state: its layers.
            large: what :meth:`large` gives, where that is known.
        """
        boxes = self.large(cells, state) if large is None else large
        if not (self._distinct or self._by_class or self._by_all) or not len(boxes.codes):
            return boxes
        inside = np.flatnonzero(boxes.inside)
        box_of_cell = np.searchsorted(boxes.codes, cells.box_codes(state)[inside])
        box_of = np.full(self._cells, -1, dtype=np.int64)
        box_of[cells.places[inside]] = box_of_cell
        self._keep_to(cells)
        passes = np.ones(len(boxes.codes), dtype=bool)
        for model in self._distinct:
            passes &= self._values_held(model.attribute, box_of, len(passes)) >= model.least
        if self._by_class:
            groups = self._groups(boxes.sizes, box_of)
            for other in self._by_class:
                passes &= other.passes(groups)
        for average in self._by_all:
            # ARX suppresses the smallest, of equal ones the one that begins first in the table.
            first = np.full(len(boxes.codes), np.iinfo(np.int64).max)
            np.minimum.at(first, box_of_cell, cells.first_rows[inside])
            left = np.flatnonzero(passes)
            left = left[np.argsort(first[left])]
            passes[left] = average.passes(Groups(boxes.sizes[left]))
        kept = np.zeros(len(boxes.inside), dtype=bool)
        kept[inside] = passes[box_of_cell]
        return Filled(boxes.codes[passes], boxes.sizes[passes], kept)

    def _keep_to(self, cells: OccupiedCells) -> None:
        """Look at the entries of what remains, once that is much less."""
        held = len(cells.counts)
        if held > self._held or 2 * held < self._held:
            self._entries = {name: entries.of(cells, self._cells) for name, entries in self._all.items()}
            self._held = held

    def _values_held(self, name: str, box_of: NDArray[np.int64], many: int) -> NDArray[np.int64]:
        """Per box its different values of a column; ``box_of`` has the box of each cell, -1 for none."""
        entries, width = self._entries[name], len(self._spreads[name].values)
        held = np.zeros((many + 1) * width, dtype=bool)
        held[box_of[entries.cell] * width + entries.value] = True  # -1 is the row after the last box
        return np.asarray(np.count_nonzero(held.reshape(-1, width)[:many], axis=1))

    def _groups(self, sizes: NDArray[np.int64], box_of: NDArray[np.int64]) -> Groups:
        """The boxes as criteria read them."""
        many = len(sizes)
        spreads = {}
        for name, entries in self._entries.items():
            spread, box = self._spreads[name], box_of[entries.cell]
            there = box >= 0
            width = len(spread.values)
            keys, weights = box[there] * width + entries.value[there], entries.count[there]
            if many * width <= _ROOMY * len(keys) + 1024:
                totals = np.bincount(keys, weights, minlength=many * width)
                pairs = np.flatnonzero(totals)
                counts = totals[pairs]
            else:
                pairs, place = np.unique(keys, return_inverse=True)
                counts = np.bincount(place, weights)
            spreads[name] = Spread(
                spread.values, spread.totals, pairs // width, pairs % width, counts.astype(np.int64), spread.numeric
            )
        return Groups(sizes, spreads)
