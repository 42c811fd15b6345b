"""Global recoding: one state for all records, and records in boxes of fewer than k suppressed.

This is the textbook's full-domain generalization, and the alternative to the paper's local recoding. All boxes of one
state are disjoint and none was published before another, so there is no order of formation: what the attack on local
recoding concludes from it (sparse, halves and overlap constraints of a class) does not hold here and is not used.
"""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError, StudyError, TooLargeError
from cra_engine.patience import checkpoint
from cra_engine.raw.placement import locate
from cra_engine.release import FullDomainRelease
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.lattice import Lattice, State
from cra_engine.study.study import Study
from cra_engine.utility.loss import MeanLoss

MOST_LOOKS = 500_000_000  # occupied cells times states: about half a minute


@dataclass(frozen=True)
class GlobalRecoding:
    """The best global recoding of a table.

    Attributes:
        study: hierarchies and k; the profile plays no part.
        limit: the largest share of all records that may be suppressed.
        records: number of records.
        feasible: the states at which no more than that has to be suppressed, each with its number of suppressed
            records, in the lattice's order.
        state: the one whose table loses least, suppressed records counted as losing all; the first of exact equals.
        classes: its boxes with k records or more, with their records.
        suppressed: number of records in its other boxes.
        loss: of the published table.
    """

    study: Study
    limit: Fraction
    records: int
    feasible: tuple[tuple[State, int], ...]
    state: State
    classes: tuple[tuple[Segment, int], ...]
    suppressed: int
    loss: MeanLoss

    @property
    def release(self) -> FullDomainRelease:
        """What is published and nothing more."""
        return FullDomainRelease(self.study, self.state, self.classes, self.suppressed)


def allowed_share(limit: float | Decimal | Fraction) -> Fraction:
    """A suppression limit as an exact share of all records, decimals as they are written.

    Raises:
        StudyError: it is no number between 0 and 1.
    """
    try:
        share = limit if isinstance(limit, Fraction) else Fraction(str(limit))
    except ValueError:
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise StudyError(
            f"The suppression limit is {limit}; give the share of all records that may be suppressed, 0 to 1."
        )
    return share


class GlobalSearch:
    """The states of a table's lattice, as global recoding sees them; serves any k and any limit.

    Args:
        data: the raw table.
        study: the hierarchies; k is given later.

    Attributes:
        records: number of records.
        alone: number of records that are alone in their cell.

    Raises:
        DataError: the table does not fit the study.
        TooLargeError: the grid or the lattice is larger than the engine admits, or both together.
    """

    def __init__(self, data: pd.DataFrame, study: Study) -> None:
        self.study = study
        self.grid = Grid(study.attributes)
        self.lattice = Lattice(study.attributes)
        leaves = locate(data, study).leaves
        codes, counts = np.unique(self.grid.codes(leaves), return_counts=True)
        self._leaves = np.stack(np.unravel_index(codes, self.grid.shape), axis=1)
        self._counts = counts
        self.records = len(data)
        self.alone = int((counts == 1).sum())
        looks = self.lattice.size * len(codes)
        if looks > MOST_LOOKS:
            raise TooLargeError(
                f"The lattice has {self.lattice.size:,} states and the table fills {len(codes):,} cells; "
                "take fewer layers or fewer attributes for global recoding."
            )
        self._sizes: dict[State, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def recode(self, k: int, limit: float | Decimal | Fraction = 0) -> GlobalRecoding:
        """The best state for a k, with at most a share of all records suppressed.

        Raises:
            StudyError: k or the limit is unusable.
            DataError: k exceeds the number of records.
        """
        share = allowed_share(limit)
        study = self.study.with_k(k)
        if k > self.records:
            raise DataError(f"k = {k} is more than the {self.records} records of the table; take a smaller k.")
        feasible = self._feasible(k, floor(share * self.records))
        state, suppressed = min(feasible, key=lambda found: self._loss(found[0], found[1], k))  # the first of equals
        classes = self._classes(state, k)
        loss = MeanLoss.of(study.attributes, classes, suppressed)
        return GlobalRecoding(study, share, self.records, feasible, state, classes, suppressed, loss)

    def _loss(self, state: State, suppressed: int, k: int) -> MeanLoss:
        if not self.lattice.uniform:
            return MeanLoss.of(self.lattice.attributes, self._classes(state, k), suppressed)
        # All boxes of a state lose the same: no need to look at them.
        kept = self.records - suppressed
        any_box = Segment(state, (0,) * len(state))
        return MeanLoss.of(self.lattice.attributes, [(any_box, kept)] if kept else [], suppressed)

    def suppressed(self, state: State, k: int) -> int:
        """Records in boxes of a state that hold fewer than k."""
        if state not in self._sizes:
            checkpoint()
            sizes, times = np.unique(self._totals(state)[1], return_counts=True)
            self._sizes[state] = sizes, times
        sizes, times = self._sizes[state]
        small = sizes < k
        return int((sizes[small] * times[small]).sum())

    def _feasible(self, k: int, allowed: int) -> tuple[tuple[State, int], ...]:
        """The states with at most ``allowed`` suppressed records, in the lattice's order.

        Each box of a coarser state is made of whole boxes of a finer one, so generalizing suppresses no further record:
        below a state that is not feasible none is, and only states under feasible ones need be counted.
        """
        found: dict[State, int] = {}
        for state in sorted(self.lattice.states, key=self.lattice.c1, reverse=True):
            if all(coarser in found for coarser in self.lattice.coverers(state)):
                suppressed = self.suppressed(state, k)
                if suppressed <= allowed:
                    found[state] = suppressed
        return tuple((state, found[state]) for state in self.lattice.states if state in found)

    def _totals(self, state: State) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The occupied boxes of a state in row-major order, and their records."""
        ranks = [
            attribute.ranks[layer - 1][self._leaves[:, i]]
            for i, (attribute, layer) in enumerate(zip(self.lattice.attributes, state, strict=True))
        ]
        present, position = np.unique(np.ravel_multi_index(ranks, self._shape(state)), return_inverse=True)
        totals = np.zeros(len(present), dtype=np.int64)
        np.add.at(totals, position, self._counts)
        return present, totals

    def _shape(self, state: State) -> tuple[int, ...]:
        return tuple(a.nodes_in(layer) for a, layer in zip(self.lattice.attributes, state, strict=True))

    def _classes(self, state: State, k: int) -> tuple[tuple[Segment, int], ...]:
        """The boxes of a state with k records or more, in the order of the boxes."""
        present, totals = self._totals(state)
        full = totals >= k
        ranks = np.stack(np.unravel_index(present[full], self._shape(state)), axis=1)
        return tuple(
            (Segment(state, tuple(row)), total)
            for row, total in zip(ranks.tolist(), totals[full].tolist(), strict=True)
        )


def recode_globally(data: pd.DataFrame, study: Study, limit: float | Decimal | Fraction = 0) -> GlobalRecoding:
    """Publish a table with one state for all records.

    Among all states at which at most ``limit`` of the records lie in boxes of fewer than k, the one is taken whose
    published table loses least, compared exactly; suppressed records count as losing all.

    Args:
        data: one row per person; the study's quasi-identifiers are columns.
        study: hierarchies and k.
        limit: largest share of all records that may be suppressed, 0 to 1.

    Raises:
        StudyError: the limit is unusable.
        DataError: the table does not fit the study, or k exceeds the number of records.
        TooLargeError: the lattice or the grid is larger than the engine admits.
    """
    return GlobalSearch(data, study).recode(study.k, limit)
