"""The state that ARX itself would choose in each step, to the last bit of its arithmetic.

The paper breaks a tie of (loss, c1, c2) by c3. ARX compares losses as floating point numbers, then c1, and among equals
keeps the state that its search came to first. So both the numbers and the search are followed here. Where nothing ties
this is the paper's choice.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cra_engine.publish.flash import Flash, Place
from cra_engine.publish.local.passing import Passing
from cra_engine.raw.cells import OccupiedCells
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import State
from cra_engine.study.step_rule import least_published, suppression_limit
from cra_engine.study.study import Study

# ARX cuts the loss of each attribute after the tenth decimal.
_CUT = 1e10
# So rounding on the way there moves the loss of a state by less than this.
_SLACK = 1e-9


class ArxOrder:
    """ARX's choice of states in one run of local recoding.

    Args:
        study: the hierarchies, and how much a step must publish.
        columns: their positions in the order of the table's columns, which is the order that ARX works in.
        values: per attribute the number of different raw values in the table.
        cells: all cells that hold records.
        passing: the test on boxes.
    """

    def __init__(
        self, study: Study, columns: Sequence[int], values: Sequence[int], cells: OccupiedCells, passing: Passing
    ) -> None:
        self._columns = tuple(columns)
        self._attributes = [study.attributes[column] for column in columns]
        self._passing, self._share, self._records = passing, study.share, cells.records
        self._shape = tuple(attribute.layers for attribute in self._attributes)
        self._top = tuple(height - 1 for height in self._shape)
        shares = [[a.shares(layer + 1) for layer in range(a.layers)] for a in self._attributes]
        self._shares = [[np.array([float(share) for share in nodes]) for nodes in layers] for layers in shares]
        # Counts times a half, a quarter, .. add up without rounding, in whatever order.
        self._exact = all(s.denominator.bit_count() == 1 for layers in shares for nodes in layers for s in nodes)
        distinct = [
            [len(np.unique(ranks[cells.leaves[:, column]])) / values[column] for ranks in attribute.ranks]
            for column, attribute in zip(self._columns, self._attributes, strict=True)
        ]
        self._flash = Flash(self._shape, distinct, lowest=[attribute.finest for attribute in self._attributes])
        # Records in boxes that are large enough when a state was last looked at: later there can only be fewer.
        self._most = np.full(self._shape, self._records, dtype=np.int64)

    def choose(self, cells: OccupiedCells) -> State | None:
        """The state that ARX publishes next; None where too few records are left or only the top would do.

        Args:
            cells: what is left.
        """
        if cells.records < self._passing.least:
            return None
        need = least_published(self._share, self._records, cells.records)
        held: dict[Place, int] = {}

        def feasible(place: Place) -> bool:
            if self._most[place] < need:
                return False
            if place not in held:
                state = self._state(place)
                large = self._passing.large(cells, state)
                self._most[place] = held[place] = int(large.sizes.sum())
                if held[place] >= need:
                    held[place] = int(self._passing.filled(cells, state, large).sizes.sum())
                if self._passing.monotone:
                    self._most[place] = held[place]
            return held[place] >= need

        table = self._losses(cells)

        def loss(place: Place) -> float:
            return float(table[place]) if self._exact else self._rounded_loss(cells, place)

        best: list[Place] = []
        cut = math.inf
        candidates = np.flatnonzero(self._most.ravel() >= need)
        for flat in candidates[np.argsort(table.ravel()[candidates], kind="stable")]:
            place = tuple(int(layer) for layer in np.unravel_index(flat, self._shape))
            if table[place] > cut:
                break
            if place != self._top and feasible(place):
                best.append(place)
                cut = min(cut, table[place] + (0.0 if self._exact else _SLACK))
        if not best:
            return None
        least = min((loss(place), sum(place)) for place in best)
        tied = [place for place in best if (loss(place), sum(place)) == least]
        if len(tied) == 1:
            return self._state(tied[0])
        # Without any suppression allowed ARX searches by a plainer plan.
        prune = suppression_limit(self._share, self._records, cells.records) > 0
        return self._state(self._flash.first_visited(tied, feasible, loss, prune=prune))

    def _state(self, place: Place) -> State:
        layers = [0] * len(place)
        for column, layer in zip(self._columns, place, strict=True):
            layers[column] = layer + 1
        return tuple(layers)

    def _losses(self, cells: OccupiedCells) -> NDArray[np.float64]:
        """The loss of every state, bit for bit where shares add up without rounding."""
        result = np.ones(())
        for column, attribute, shares in zip(self._columns, self._attributes, self._shares, strict=True):
            in_leaf = np.bincount(cells.leaves[:, column], weights=cells.counts, minlength=attribute.leaves)
            spread = [
                float(np.bincount(ranks, weights=in_leaf) @ share)
                for ranks, share in zip(attribute.ranks, shares, strict=True)
            ]
            factors = [self._factor(attribute, value, cells.records) for value in spread]
            result = np.multiply.outer(result, factors)
        return result - 1.0

    def _rounded_loss(self, cells: OccupiedCells, place: Place) -> float:
        """The loss of a state with the sums rounded as ARX does: box by box, in the order of their first rows."""
        position, codes, totals = cells.boxes(self._state(place), gaps=True)
        ranks = cells.grid.ranks_of(self._state(place), codes)
        first = np.full(len(totals), self._records, dtype=np.int64)
        np.minimum.at(first, position, cells.first_rows)
        order = np.argsort(first)
        result = 1.0
        for column, attribute, shares, layer in zip(self._columns, self._attributes, self._shares, place, strict=True):
            terms = totals[order] * shares[layer][ranks[order, column]]
            result *= self._factor(attribute, float(np.cumsum(terms)[-1]), cells.records)
        return result - 1.0

    def _factor(self, attribute: Hierarchy, spread: float, records: int) -> float:
        """One attribute's part of the geometric mean, from the sum of records times share."""
        least = float(records * attribute.least_share)
        value = max((spread - least) / (records - least), 0.0)
        return float((math.floor(value * _CUT) / _CUT + 1.0) ** (1.0 / len(self._shape)))
