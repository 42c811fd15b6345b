"""Global recoding: one state for all records, and records in boxes of fewer than k suppressed.

This is the textbook's full-domain generalization, and the alternative to the paper's local recoding. All boxes of one
state are disjoint and none was published before another, so there is no order of formation: what the attack on local
recoding concludes from it (sparse, halves and overlap constraints of a class) does not hold here and is not used.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb, floor, log10, prod

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.convolution import Whole, convolve
from cra_engine.errors import DataError, StudyError, TooLargeError
from cra_engine.grid import Grid, Segment
from cra_engine.hierarchy import Hierarchy
from cra_engine.interval_baseline import none_and_one
from cra_engine.lattice import Lattice, State
from cra_engine.mean_loss import MeanLoss
from cra_engine.patience import checkpoint
from cra_engine.study import Study
from cra_engine.table import locate

MOST_LOOKS = 500_000_000  # occupied cells times states: about half a minute
MOST_SUPPRESSED = 2000  # suppressed records up to which what they may be is counted

Shape = tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
"""Per attribute what a node holds: its values, and how many of its leaves hold how many values."""


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


@dataclass(frozen=True)
class GlobalView:
    """What somebody concludes who holds a globally recoded table, its hierarchies, k, and the rule.

    The rule: every box of the state with k records or more is published, the records of all others are suppressed. That
    the state was chosen as the best is not used; an attacker who knows how it was chosen can exclude further tables.

    Attributes:
        log10_promised: decimal logarithm of the number of tables that the published intervals allow.
        log10_left: the same when the suppressed records must lie in unpublished boxes, fewer than k in each.
        certain: number of cells that hold exactly one person for certain by this, records alike or not.
        expected: expected number of cells that hold exactly one person, every table that is left equally likely.
        likeliest: the largest probability of a cell to hold exactly one person.
        alike: number of boxes whose records must be alike in part, which are left out of the logarithms.
    """

    log10_promised: float
    log10_left: float
    certain: int
    expected: float
    likeliest: float
    alike: int


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
        """See the class."""
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


def global_view(recoding: GlobalRecoding) -> GlobalView:
    """What a globally recoded table tells somebody who knows the hierarchies, k and the rule.

    Raises:
        TooLargeError: more than 2,000 records are suppressed.
    """
    attributes, grid = recoding.study.attributes, Grid(recoding.study.attributes)
    k, left = recoding.study.k, recoding.suppressed
    shapes = [
        [_shape(a, layer, rank) for rank in range(a.nodes_in(layer))]
        for a, layer in zip(attributes, recoding.state, strict=True)
    ]
    published = Counter(
        (tuple(shapes[i][rank] for i, rank in enumerate(segment.ranks)), size) for segment, size in recoding.classes
    )
    promised = counted = expected = likeliest = 0.0
    certain = alike = 0
    for (shape, size), boxes in published.items():
        volume = _volume(shape)
        ways = comb(volume, size)
        if ways:
            promised += boxes * log10(ways)
            counted += boxes * log10(ways)
        elif _cells(shape).total() > 1:
            alike += boxes
        for cell, cells in _cells(shape).items():
            chance = none_and_one(cell, volume, size)[1]
            expected += boxes * cells * chance
            likeliest = max(likeliest, chance)
    if not left:
        return GlobalView(promised, counted, certain, expected, likeliest, alike)
    if left > MOST_SUPPRESSED:
        raise TooLargeError(
            f"{left:,} records are suppressed, more than {MOST_SUPPRESSED:,}; what they may be is not counted then. "
            "Take a smaller suppression limit."
        )
    # The unpublished boxes, those of equal shape together.
    hidden = _all_boxes(shapes)
    for (shape, _), boxes in published.items():
        hidden[shape] -= boxes
    hidden = +hidden
    boxes = hidden.total()
    most, least = min(k - 1, left), max(0, left - (boxes - 1) * (k - 1))
    if most == least == 1:
        certain = sum(many for shape, many in hidden.items() if _cells(shape).total() == 1)
    suppressed = _Suppressed(hidden, k - 1, left)
    if suppressed.total:
        promised += log10(comb(grid.volume(grid.whole), left))
        counted += log10(suppressed.total)
    else:
        alike += 1
    for shape, chances in suppressed.counts.items():
        volume = _volume(shape)
        for cell, cells in _cells(shape).items():
            chance = sum(p * none_and_one(cell, volume, size)[1] for size, p in enumerate(chances) if size and p)
            expected += hidden[shape] * cells * chance
            likeliest = max(likeliest, chance)
    return GlobalView(promised, counted, certain, expected, likeliest, alike)


class _Suppressed:
    """How so many records spread over boxes that hold at most ``cap`` each.

    Attributes:
        total: number of tables of distinct records; 0 where there are none.
        counts: per shape of box the probabilities of 0, 1, 2, .. records in a box of it; where there is no table of
            distinct records, records may be alike.
    """

    def __init__(self, boxes: Counter[Shape], cap: int, records: int) -> None:
        shapes = list(boxes)
        volumes = [_volume(shape) for shape in shapes]
        rows = [np.array([comb(volume, n) for n in range(min(cap, records) + 1)], dtype=object) for volume in volumes]
        self.total = _coefficient(rows, [boxes[shape] for shape in shapes], records)
        total = self.total
        if not total:
            # Values may repeat: weights V^n / n!, brought to whole numbers by a common factor.
            common = prod(range(1, min(cap, records) + 1))
            rows = [
                np.array([volume**n * (common // _factorial(n)) for n in range(min(cap, records) + 1)], dtype=object)
                for volume in volumes
            ]
            total = _coefficient(rows, [boxes[shape] for shape in shapes], records)
        self.counts: dict[Shape, list[float]] = {}
        for position, shape in enumerate(shapes):
            checkpoint()
            others = [boxes[other] - (other == shape) for other in shapes]
            rest = _power_product(rows, others, records)
            chances = []
            for n, ways in enumerate(rows[position]):
                outside = rest[records - n] if records - n < len(rest) else 0
                chances.append(float(Fraction(int(ways) * int(outside), total)))
            self.counts[shape] = chances


def _factorial(n: int) -> int:
    return prod(range(1, n + 1))


def _power_product(rows: Sequence[Whole], powers: Sequence[int], most: int) -> Whole:
    """The product of polynomials to powers, up to the term ``most``."""
    result: Whole = np.array([1], dtype=object)
    for row, power in zip(rows, powers, strict=True):
        base, left = row, power
        while left:
            checkpoint()
            if left & 1:
                result = convolve(result, base, most=(most + 1,))
            left >>= 1
            if left:
                base = convolve(base, base, most=(most + 1,))
    return result


def _coefficient(rows: Sequence[Whole], powers: Sequence[int], most: int) -> int:
    product_ = _power_product(rows, powers, most)
    return int(product_[most]) if most < len(product_) else 0


def _shape(attribute: Hierarchy, layer: int, rank: int) -> tuple[int, tuple[tuple[int, int], ...]]:
    node = attribute.node(layer, rank)
    leaves = Counter(attribute.leaf_values[node.start : node.stop])
    return sum(values * many for values, many in leaves.items()), tuple(sorted(leaves.items()))


def _all_boxes(shapes: Sequence[Sequence[tuple[int, tuple[tuple[int, int], ...]]]]) -> Counter[Shape]:
    result: Counter[Shape] = Counter()
    for combined in product(*(Counter(nodes).items() for nodes in shapes)):
        result[tuple(shape for shape, _ in combined)] += prod(many for _, many in combined)
    return result


def _volume(shape: Shape) -> int:
    return prod(values for values, _ in shape)


def _cells(shape: Shape) -> Counter[int]:
    """The cells of a box: how many hold how many value combinations."""
    result: Counter[int] = Counter()
    for combined in product(*(leaves for _, leaves in shape)):
        result[prod(values for values, _ in combined)] += prod(many for _, many in combined)
    return result
