"""Counting classes of many records by inclusion and exclusion over sets of children that break their bound.

With three or more children several can hold more than the cap at once. Let S be a set of children, of any attributes,
and F(S) the sum over all arrangements in which each child in S holds at least cap + 1, whatever the others hold. Then
the sum that is wanted is that of (-1)^|S| F(S) over all S. Of one attribute at most size / (cap + 1) children can be in
S. In F(S) the children of an attribute that are not in S merge into one, since only their volumes' sum matters
(Vandermonde's identity), and can only hold the few records that those in S leave.

Stopped after the sets of r children the sum is too large for an even r and too small for an odd one (Bonferroni).
Where that leaves no lower bound above 0, quotas do: see :mod:`cra_engine.counting.quotas`.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.counting.axes import CountTable
from cra_engine.counting.convolution import Whole, convolution_seconds, convolve
from cra_engine.counting.quotas import quota_bound
from cra_engine.patience import checkpoint

Measures = NDArray[Any]
Weigh = Callable[[int, int], int]
MAX_SECONDS = 2.0
MAX_SETS = 20_000


@dataclass(frozen=True)
class Bracket:
    """A counted number between two others; the number itself where they are equal."""

    lower: int
    upper: int

    @property
    def exact(self) -> bool:
        """True when the number is known."""
        return self.lower == self.upper


class SetSum:
    """The exact sum over numbers of records per orthant, as :class:`OrthantSum`, by inclusion over sets of children.

    Args:
        fanouts: number of children of each attribute.
        measures: per orthant, in row-major order, what its weight depends on: its volume, its number of cells.
        weigh: ``weigh(measure, n)``, the ways in which an orthant, or several together, can hold n records.
        size: number of records.
        cap: most records in one child.
        scale: what each weight is multiplied by to make it whole.

    >>> SetSum((3,), [1, 1, 1], math.comb, size=2, cap=1).bracket()  # two of three places, each its own child
    Bracket(lower=3, upper=3)
    """

    def __init__(
        self, fanouts: Sequence[int], measures: Sequence[int], weigh: Weigh, size: int, cap: int, scale: int = 1
    ) -> None:
        """See the class."""
        self.fanouts = tuple(fanouts)
        self.measures = list(measures)
        self.weigh = weigh
        self.size, self.cap = size, cap
        self.least = cap + 1
        self._scale = scale
        self._measures = np.array(measures, dtype=object).reshape(self.fanouts)
        self._bits = max(1, weigh(int(sum(measures)), size).bit_length())

    def like(self, measures: Sequence[int], weigh: Weigh) -> "SetSum":
        """The same children and bounds, but other weights, with the same scale."""
        return SetSum(self.fanouts, measures, weigh, self.size, self.cap, self._scale)

    def bracket(self, most_seconds: float = MAX_SECONDS) -> Bracket:
        """The sum, or limits where it would take more than about so many seconds, by an estimate made beforehand."""
        whole = self.weigh(int(self._measures.sum()), self.size)
        alone = [self._alone(i) for i in range(len(self.fanouts))]
        # All attributes are kept at least as often as no single one of them is broken.
        lower, upper = max(0, whole - sum(whole - kept for kept in alone)), min([whole, *alone])
        per_attribute = self.size // self.least
        partial, spent = 0, 0.0
        for many in range(sum(min(per_attribute, fanout) for fanout in self.fanouts) + 1):
            terms = self._terms(many, per_attribute)
            spent += math.inf if terms is None else sum(self._seconds(shape) for shape, _ in terms)
            if terms is None or spent > most_seconds:
                return Bracket(lower or self._least(), upper)
            for (shape, key), times in terms.items():
                checkpoint()
                partial += (-1) ** many * times * self._term(np.array(key, dtype=object).reshape(shape))
            if many % 2:
                lower = max(lower, partial)
            else:
                upper = min(upper, partial)
        return Bracket(partial, partial)

    def _least(self) -> int:
        """A lower bound where inclusion and exclusion give none."""
        return quota_bound(self.fanouts, self.measures, self.weigh, self.size, self.cap, self._scale)

    def _alone(self, attribute: int) -> int:
        """The sum with the bounds of one attribute only."""
        others = tuple(i for i in range(len(self.fanouts)) if i != attribute)
        ways = np.array([1], dtype=object)
        for measure in self._measures.sum(axis=others):
            row = np.array([self.weigh(int(measure), n) for n in range(self.least)], dtype=object)
            ways = convolve(ways, row, most=(self.size + 1,))
        total = int(ways[self.size]) if len(ways) > self.size else 0
        return int(total // self._scale ** (self.fanouts[attribute] - 1))

    def _terms(self, many: int, per_attribute: int) -> Counter[tuple[tuple[int, ...], tuple[int, ...]]] | None:
        """The sets of so many children as the measures that they leave, equal ones counted; None for too many sets."""
        if math.comb(sum(self.fanouts), many) > MAX_SETS:
            return None
        # One attribute after the other, so that sets that begin alike are merged once; equal ones go on as one.
        terms: dict[tuple[int, tuple[int, ...], tuple[int, ...]], int] = {
            (0, self.fanouts, tuple(self._measures.ravel().tolist())): 1
        }
        for left in range(len(self.fanouts) - 1, -1, -1):
            fanout = self.fanouts[left]
            room = sum(min(per_attribute, other) for other in self.fanouts[:left])
            coming: Counter[tuple[int, tuple[int, ...], tuple[int, ...]]] = Counter()
            for (taken, shape, key), times in terms.items():
                checkpoint()
                measures = np.array(key, dtype=object).reshape(shape)
                for more in range(max(0, many - taken - room), min(per_attribute, fanout, many - taken) + 1):
                    for chosen in combinations(range(fanout), more):
                        merged = self._merged(measures, left, chosen)
                        coming[taken + more, merged.shape, tuple(merged.ravel().tolist())] += times
            terms = coming
        return Counter({(shape, key): times for (_, shape, key), times in terms.items()})

    def _merged(self, measures: Measures, axis: int, chosen: Sequence[int]) -> Measures:
        """The measures with the other children of an attribute together, and before each of the chosen ones."""
        rest = [child for child in range(self.fanouts[axis]) if child not in chosen]
        parts = [measures.take(rest, axis).sum(axis=axis), *(measures.take(child, axis) for child in chosen)]
        return np.asarray(np.stack(parts, axis) if chosen else parts[0], dtype=object)

    def _slack(self, length: int) -> int:
        """The most records outside the chosen children of an attribute, ``length - 1`` of them."""
        return self.size - (length - 1) * self.least

    def _room(self, length: int, records: int) -> tuple[int, ...]:
        """Lengths of the axes of an attribute: what the rest holds, then each chosen child but the last."""
        slack = self._slack(length)
        return (min(records, slack) + 1, *((min(records, self.least + slack) + 1,) * (length - 2)))

    def _shape(self, lengths: Sequence[int], records: int) -> tuple[int, ...]:
        return (*(side for length in lengths for side in self._room(length, records)), 1)

    def _counts(self, length: int) -> list[range]:
        """Limits of the rest and of each chosen child of the first attribute."""
        slack = self._slack(length)
        return [range(slack + 1), *[range(self.least, self.least + slack + 1)] * (length - 1)]

    def _splits(self, length: int) -> Iterator[tuple[int, ...]]:
        """All numbers of records of the first attribute's children."""
        *free, last = self._counts(length)
        for counts in product(*free):
            if self.size - sum(counts) in last:
                yield (*counts, self.size - sum(counts))

    def _term(self, measures: Measures) -> int:
        """The arrangements in which each chosen child holds at least ``least`` records."""
        if not measures.ndim:
            return self.weigh(int(measures), self.size)
        length, *others = measures.shape
        if self._slack(length) < 0:
            return 0
        known: dict[tuple[int, ...], CountTable] = {}
        held = zip(measures, self._counts(length), strict=True)
        tables = [self._table(child, max(counts), known) for child, counts in held]
        result = np.zeros(self._shape(others, self.size), dtype=object)
        for counts in self._splits(length):
            checkpoint()
            ways = np.ones((1,) * result.ndim, dtype=object)
            for table, count in zip(tables, counts, strict=True):
                ways = convolve(ways, table[count], most=result.shape)
            result[tuple(map(slice, ways.shape))] += ways
        total = int(result[self._allowed(others, result.shape)].sum())
        return int(total // self._scale ** (measures.size - 1))

    def _allowed(self, lengths: Sequence[int], shape: tuple[int, ...]) -> NDArray[np.bool_]:
        """The places of the last array in which each chosen child holds enough."""
        allowed = np.ones(shape, dtype=bool)
        held = np.indices(shape)
        start = 0
        for length in lengths:
            own = held[start : start + length - 1]
            allowed &= (own[1:] >= self.least).all(axis=0) & (self.size - own.sum(axis=0) >= self.least)
            start += length - 1
        return allowed

    def _table(self, measures: Any, most: int, known: dict[tuple[int, ...], CountTable]) -> CountTable:
        """Per number of records up to ``most`` the ways, with the axes of the attributes still to be split."""
        measures = np.asarray(measures, dtype=object)
        key = (most, *measures.shape, -1, *measures.ravel().tolist())
        if key not in known:
            known[key] = self._made(measures, most, known)
        return known[key]

    def _made(self, measures: Measures, most: int, known: dict[tuple[int, ...], CountTable]) -> CountTable:
        if not measures.ndim:
            return {n: np.array([self.weigh(int(measures), n)], dtype=object) for n in range(most + 1)}
        length, *others = measures.shape
        slack = self._slack(length)
        if slack < 0:
            return {n: np.zeros((1,) * len(self._shape(measures.shape, n)), dtype=object) for n in range(most + 1)}
        tables = [self._table(measures[0], min(most, slack), known)]
        tables += [self._table(child, min(most, self.least + slack), known) for child in measures[1:]]
        table = {n: np.zeros(self._shape(measures.shape, n), dtype=object) for n in range(most + 1)}
        partial: dict[tuple[int, ...], Whole] = {(): np.ones((1,) * len(self._shape(others, 0)), dtype=object)}
        for place, child in enumerate(tables):
            checkpoint()
            joined: dict[tuple[int, ...], Whole] = {}
            for counts, ways in partial.items():
                for count, more in child.items():
                    if sum(counts) + count <= most:
                        both = convolve(ways, more, most=self._shape(others, self.size))
                        if place < length - 1:
                            joined[(*counts, count)] = both
                        else:
                            own = table[sum(counts) + count][counts]
                            own[tuple(map(slice, both.shape))] += both
            partial = joined
        return table

    def _seconds(self, shape: tuple[int, ...]) -> float:
        """About how long a term of this shape takes."""
        if not shape:
            return 0.0
        length, *others = shape
        slack = self._slack(length)
        if slack < 0:
            return 0.0
        splits = math.comb(slack + length - 1, length - 1)
        most = self.least + slack
        whole = self._shape(others, most)
        spent = splits * (length - 1) * convolution_seconds(whole, whole, 0, self._bits)
        nodes = length
        for depth, inner in enumerate(others):
            room = self._slack(inner)
            if room < 0:
                return 0.0
            sides = self._shape(others[depth + 1 :], most)
            ways = (min(most, room) + 1) * math.comb(most + inner - 1, inner - 1)
            spent += nodes * ways * (2e-6 + convolution_seconds(sides, sides, 0, self._bits))
            nodes *= inner
        return spent
