"""The information loss of a whole published table: the mean over its records, compared exactly.

A record loses what its published box loses, ``prod_i (1 + Q_loss_i)^(1/m) - 1`` (paper, equation (2)), from 0 for
single values to 1 for the whole domain. A suppressed record shows the whole domain, so it loses 1. Such a mean is a sum
of m-th roots. Positive m-th roots whose ratios are irrational are linearly independent over the rationals (Besicovitch
1940, Mordell 1953), so two means are equal only where the roots cancel one by one; else enough digits tell them apart.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import total_ordering

from propcache.api import cached_property

from cra_engine.release import Release
from cra_engine.study.grid import Segment
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.utility.signs import sign_of_sum

CLEAR = 1e-9  # means that differ by more differ in their floats, too


@total_ordering
@dataclass(frozen=True, eq=False)
class MeanLoss:
    """The mean loss over the records of a published table.

    Attributes:
        growths: per ``prod_i (1 + Q_loss_i)`` how many records have it; at least one record.
        root: number of attributes, m.
    """

    growths: Mapping[Fraction, int]
    root: int

    @classmethod
    def of(
        cls, attributes: Sequence[Hierarchy], classes: Iterable[tuple[Segment, int]], suppressed: int = 0
    ) -> "MeanLoss":
        """The mean loss of a table of classes, each with its number of records, and suppressed records."""
        growths: dict[Fraction, int] = {}
        for segment, size in classes:
            growth = box_growth(attributes, segment)
            growths[growth] = growths.get(growth, 0) + size
        if suppressed:
            worst = Fraction(2) ** len(attributes)
            growths[worst] = growths.get(worst, 0) + suppressed
        return cls(growths, len(attributes))

    @classmethod
    def of_release(cls, release: Release) -> "MeanLoss":
        """The mean loss of a release of local recoding."""
        parts = [(one.segment, one.size) for one in release.classes]
        return cls.of(release.attributes, parts, release.suppressed)

    @property
    def records(self) -> int:
        """Number of records."""
        return sum(self.growths.values())

    @cached_property
    def value(self) -> float:
        """The mean as a float, right to about 14 digits."""
        terms = (count * (float(growth) ** (1 / self.root) - 1) for growth, count in self.growths.items())
        return math.fsum(terms) / self.records

    def __eq__(self, other: object) -> bool:
        """Exactly equal; tables of as many attributes."""
        return self._sign(other) == 0 if isinstance(other, MeanLoss) else NotImplemented

    def __lt__(self, other: "MeanLoss") -> bool:
        """Exactly less; tables of as many attributes."""
        return self._sign(other) < 0

    __hash__ = None  # type: ignore[assignment]

    def _sign(self, other: "MeanLoss") -> int:
        if self.root != other.root:
            raise ValueError("losses over different numbers of attributes")
        if abs(self.value - other.value) > CLEAR:
            return -1 if self.value < other.value else 1
        weights: dict[Fraction, Fraction] = {}
        for mean, sign in ((self, 1), (other, -1)):
            for growth, count in mean.growths.items():
                weights[growth] = weights.get(growth, Fraction(0)) + Fraction(sign * count, mean.records)
        left = _independent(weights, self.root)
        if not left:
            return 0
        return sign_of_sum(
            lambda: [_decimal(weight) * _decimal(growth) ** (1 / Decimal(self.root)) for growth, weight in left.items()]
        )


def box_growth(attributes: Sequence[Hierarchy], segment: Segment) -> Fraction:
    """Return the loss ``prod_i (1 + Q_loss_i)`` of a box: 1 for single values, ``2^m`` for the whole domain.

    Where all nodes of a layer have the same share of the domain this is the growth of the box's state.
    """
    growth = Fraction(1)
    for attribute, layer, rank in zip(attributes, segment.state, segment.ranks, strict=True):
        least = attribute.least_share
        growth *= 1 + (attribute.shares(layer)[rank] - least) / (1 - least)
    return growth


def _independent(weights: Mapping[Fraction, Fraction], root: int) -> dict[Fraction, Fraction]:
    """The same sum of ``weight * growth^(1/root)`` without roots of rational ratio, and without those that cancel."""
    result: dict[Fraction, Fraction] = {}
    for growth, weight in weights.items():
        for known in result:
            ratio = _exact_root(growth / known, root)
            if ratio is not None:
                result[known] += weight * ratio
                break
        else:
            result[growth] = weight
    return {growth: weight for growth, weight in result.items() if weight}


def _exact_root(value: Fraction, root: int) -> Fraction | None:
    """The root of a positive number where it is rational."""
    above, below = _whole_root(value.numerator, root), _whole_root(value.denominator, root)
    return Fraction(above, below) if Fraction(above, below) ** root == value else None


def _whole_root(value: int, root: int) -> int:
    """The root of a whole number above 0, rounded down (Newton's method from above)."""
    nearer = 1 << -(-value.bit_length() // root)
    while True:
        found, nearer = nearer, ((root - 1) * nearer + value // nearer ** (root - 1)) // root
        if nearer >= found:
            return found


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
