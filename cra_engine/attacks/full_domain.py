"""The attack on a table of one state, by a reader who knows the hierarchies, k and the rule.

All boxes of one state are disjoint and none was published before another, so there is no order of formation: what the
attack on local recoding concludes from it (sparse, halves and overlap constraints of a class) does not hold here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, inf, log10, prod

import numpy as np

from cra_engine.attacks.intervals import none_and_one
from cra_engine.attacks.prior import DISTINCT
from cra_engine.counting.convolution import Whole, convolve
from cra_engine.errors import ReleaseError, TooLargeError
from cra_engine.patience import checkpoint
from cra_engine.release import FullDomainRelease
from cra_engine.study.grid import Grid
from cra_engine.study.hierarchy import Hierarchy

MOST_SUPPRESSED = 2000  # suppressed records up to which what they may be is counted
NO_TABLE = "No table gives this release by one state for all records."


# Per attribute what a node holds: its values, and how many of its leaves hold how many values.
Shape = tuple[tuple[int, tuple[tuple[int, int], ...]], ...]


@dataclass(frozen=True)
class GlobalView:
    """What an attacker concludes who holds a globally recoded table, its hierarchies, k, and the rule.

    The rule: every box of the state with k records or more is published, the records of all others are suppressed. With
    privacy models beside k a box may be suppressed for these, however many records it holds: of the rule only that
    published boxes hold no suppressed record is used then. That the state was chosen as the best is not used; an
    attacker who knows how it was chosen can exclude further tables.

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


def global_view(release: FullDomainRelease) -> GlobalView:
    """Attack a globally recoded table, knowing the hierarchies, k and the rule.

    Raises:
        TooLargeError: more than 2,000 records are suppressed.
    """
    attributes, grid = release.study.attributes, Grid(release.study.attributes)
    k, left = release.study.k, release.suppressed
    shapes = [
        [_shape(a, layer, rank) for rank in range(a.nodes_in(layer))]
        for a, layer in zip(attributes, release.state, strict=True)
    ]
    published = Counter(
        (tuple(shapes[i][rank] for i, rank in enumerate(segment.ranks)), size) for segment, size in release.classes
    )
    promised = counted = expected = likeliest = 0.0
    certain = alike = 0
    for (shape, size), boxes in published.items():
        volume = _volume(shape)
        ways = DISTINCT.log10_tables(volume, size)
        if ways > -inf:
            promised += boxes * ways
            counted += boxes * ways
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
    if release.study.privacy:
        room = sum(many * _volume(shape) for shape, many in hidden.items())
        if not room:
            raise ReleaseError(NO_TABLE)
        if left <= room:
            promised += DISTINCT.log10_tables(grid.volume(grid.whole), left)
            counted += DISTINCT.log10_tables(room, left)
        else:
            alike += 1
        cells_left = 0
        for shape, many in hidden.items():
            for cell, cells in _cells(shape).items():
                chance = none_and_one(cell, room, left)[1]
                cells_left += many * cells
                expected += many * cells * chance
                likeliest = max(likeliest, chance)
        return GlobalView(promised, counted, int(left == cells_left == 1), expected, likeliest, alike)
    boxes = hidden.total()
    most, least = min(k - 1, left), max(0, left - (boxes - 1) * (k - 1))
    if most == least == 1:
        certain = sum(many for shape, many in hidden.items() if _cells(shape).total() == 1)
    suppressed = _Suppressed(hidden, k - 1, left)
    if suppressed.total:
        promised += DISTINCT.log10_tables(grid.volume(grid.whole), left)
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
        if not total:
            raise ReleaseError(NO_TABLE)
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
