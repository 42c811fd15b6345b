"""Counting what a class can hold where its records differ in kind, and what a child can hold depends on the kinds.

A *filling* of a place is a number of its records per kind. Given how many records a place holds, every way to say
which of them are of which kind counts: with n records in an orthant of measure V, u_v of kind v, that is
``weigh(V, n)`` times ``n! / prod u_v!``. Places without a bound between them merge, as their volumes do.

The bounds are told by inclusion and exclusion over sets of children that *pass*, which no child may. Where a set of
children passes, little is left for all others, so that there is little to look at: of a class of 12 of which 10 pass
whatever they show, what 2 records show. Regions of the box, parted by the chosen children, are filled one after the
other; a state says what each child but the last of an attribute holds so far, and what all regions do.

Fillings are numbered so that the number of a sum is the sum of the numbers, as long as the sum is one.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import TooLargeError
from cra_engine.patience import checkpoint

Ints = NDArray[np.int64]
Whole = NDArray[Any]
"""An array of Python ints."""
MOST_FILLINGS = 1500
MOST_STATES = 100_000
PER_STATE = 20  # sums of fillings that are looked at in the time that one takes that is kept


class Fillings:
    """All ways to take some records by kind, for exact counting.

    Args:
        counts: the class's records per kind, each at least one.

    Attributes:
        counts: as given.
        held: per filling its records of each kind; shape (fillings, kinds).
        sizes: per filling its records.
        ways: per filling ``n! / prod u_v!``.

    Raises:
        TooLargeError: more than 1,500.

    >>> Fillings([2, 1]).held.tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]
    """

    def __init__(self, counts: Sequence[int]) -> None:
        """See the class."""
        self.counts = tuple(counts)
        if math.prod(count + 1 for count in counts) > MOST_FILLINGS:
            raise TooLargeError("The class's records can be parted by their values in too many ways to count.")
        self.held = np.array(list(product(*(range(count + 1) for count in counts))), dtype=np.int64)
        self.sizes: Ints = self.held.sum(axis=1)
        factorial = [math.factorial(n) for n in range(sum(counts) + 1)]
        self.ways: Whole = np.array(
            [factorial[sum(row)] // math.prod(factorial[count] for count in row) for row in self.held.tolist()],
            dtype=object,
        )

    @property
    def whole(self) -> int:
        """The number of the filling of all records."""
        return len(self.sizes) - 1


@dataclass(frozen=True)
class _Term:
    """What one set of children that pass adds.

    Attributes:
        total: the weight of all fillings by which each of them passes.
        by_size: per region and number of records in it the weight of what is around it, times the ways to tell kinds.
        by_kind: the same times the records of each kind in the region.
    """

    total: int
    by_size: dict[int, dict[int, int]]
    by_kind: dict[int, dict[int, list[int]]]


class KindSum:
    """The exact sum over all ways to part records, by kind, among orthants.

    Args:
        fanouts: children per attribute that the class generalizes.
        measures: per orthant, row-major.
        weigh: the weight of some records in a measure; that of a union sums up products of weights of its parts.
        fillings: of the class's records.
        allowed: per filling whether a child may hold it.

    Raises:
        TooLargeError: it would take too long.

    >>> import math
    >>> fillings = Fillings([1, 1])  # two records, of different kinds, in two places of one value each
    >>> KindSum([2], [1, 1], math.comb, fillings, fillings.sizes < 2).total
    2
    """

    def __init__(
        self,
        fanouts: Sequence[int],
        measures: Sequence[int],
        weigh: Callable[[int, int], int],
        fillings: Fillings,
        allowed: NDArray[np.bool_],
    ) -> None:
        """See the class."""
        self._fanouts, self._measures, self._weigh = tuple(fanouts), np.array(measures, dtype=object), weigh
        self._fillings, self._passes = fillings, ~allowed
        self._unit, self._spent = weigh(0, 0), 0
        self._known: dict[tuple[object, ...], _Term] = {}
        size, kinds = sum(fillings.counts), len(fillings.counts)
        self.total = 0
        parts = [[0] * (size + 1) for _ in measures]
        shown = [[[0] * kinds for _ in range(size + 1)] for _ in measures]
        for sign, shape, regions in self._sets():
            term = self._term(shape, regions)
            self.total += sign * term.total
            self._add(sign, term, regions, parts, shown)
        self.by_orthant = parts
        """Per orthant and number of records that it holds the part of the sum in which it does."""
        self.shown = shown
        """Per orthant, number of records and kind: that part times how many of them are of the kind."""

    def _sets(self) -> Iterator[tuple[int, tuple[int, ...], Ints]]:
        """Yields the sets of children: sign, chosen ones per attribute and one, per orthant its region."""
        size, passing = sum(self._fillings.counts), self._fillings.sizes[self._passes]
        most = size // int(passing.min()) if len(passing) else 0
        choices = []
        for fanout in self._fanouts:
            chosen = [one for many in range(min(most, fanout) + 1) for one in combinations(range(fanout), many)]
            # Those that are not chosen are together the first part, the last chosen one the last.
            choices.append([np.array([one.index(c) + 1 if c in one else 0 for c in range(fanout)]) for one in chosen])
        # Where one child of each attribute passes, the others of each can hold any of these: so many states at least.
        least = int(self._beside.sum()) ** len(self._fanouts) if most else 0
        self._spend(least if least > MOST_STATES else math.prod(map(len, choices)))
        for parts in product(*choices):
            shape = tuple(int(own.max()) + 1 for own in parts)
            places = np.meshgrid(*parts, indexing="ij")
            yield (-1) ** sum(length - 1 for length in shape), shape, np.ravel_multi_index(places, shape).ravel()

    def _spend(self, states: int) -> None:
        checkpoint()
        self._spent += states
        if self._spent > MOST_STATES:
            raise TooLargeError("Counting this class by the values that its records show would take too long.")

    def _weights(self, measure: int, chosen: Ints) -> Whole:
        """The weights of fillings in a measure."""
        sizes = self._fillings.sizes[chosen]
        by_size = {size: self._weigh(measure, size) for size in np.unique(sizes).tolist()}
        return np.array([by_size[size] for size in sizes.tolist()], dtype=object) * self._fillings.ways[chosen]

    @cached_property
    def _beside(self) -> NDArray[np.bool_]:
        """Per filling whether it leaves enough for a child that passes."""
        held = self._fillings.held
        left = held[-1] - held[self._passes]
        # A child that holds more passes too, mostly: few of them say it all.
        largest = left[[not ((left >= row).all(axis=1) & (left > row).any(axis=1)).any() for row in left]]
        return np.asarray((held[:, np.newaxis] <= largest).all(axis=2).any(axis=1))

    def _term(self, shape: tuple[int, ...], regions: Ints) -> _Term:
        measures = np.zeros(math.prod(shape), dtype=object)
        np.add.at(measures, regions, self._measures)
        key = (shape, *measures.tolist())
        if key not in self._known:
            self._known[key] = self._filled(shape, measures.tolist())
        return self._known[key]

    def _filled(self, shape: tuple[int, ...], measures: list[int]) -> _Term:
        """All ways to fill the regions one after the other, the one of all last chosen children at the end."""
        fillings, whole = self._fillings, self._fillings.whole
        options = np.flatnonzero(self._beside) if max(shape) > 1 else np.zeros(1, dtype=np.int64)
        slots = [(axis, child) for axis, length in enumerate(shape) for child in range(length - 1)]
        states, totals, forward = np.zeros((1, len(slots)), dtype=np.int64), np.zeros(1, dtype=np.int64), _ones(1)
        steps: list[tuple[int, Ints, Ints, Ints, Whole, Whole]] = []
        for region, place in enumerate(list(np.ndindex(shape))[:-1]):
            if any(not at and length > fanout for at, length, fanout in zip(place, shape, self._fanouts, strict=True)):
                continue  # there are no others than the chosen children
            touched = [at for at, (axis, child) in enumerate(slots) if place[axis] == child]
            start, taken, states, totals, end = self._step(states, totals, options, touched)
            weights = self._weights(measures[region], taken)
            steps.append((region, start, taken, end, weights, forward))
            forward = _summed(forward[start] * weights, end, len(states))
        kept = np.ones(len(states), dtype=bool)
        for axis, length in enumerate(shape):
            own = [at for at, (of, _) in enumerate(slots) if of == axis]
            for at in own[1:]:
                kept &= self._passes[states[:, at]]
            if length > 1:
                kept &= self._passes[whole - states[:, own].sum(axis=1)]
        backward = self._weights(measures[-1], whole - totals) * kept
        total = int((forward * backward).sum())
        around = {len(measures) - 1: _summed(forward * kept, whole - totals, whole + 1)}
        for region, start, taken, end, weights, before in reversed(steps):
            around[region] = _summed(before[start] * backward[end], taken, whole + 1)
            backward = _summed(weights * backward[end], start, len(before))
        by_size: dict[int, dict[int, int]] = {region: {} for region in around}
        by_kind: dict[int, dict[int, list[int]]] = {region: {} for region in around}
        for region, row in around.items():
            there = np.flatnonzero(row != 0)
            weighed = row[there] * fillings.ways[there]
            for size in np.unique(fillings.sizes[there]).tolist():
                chosen = fillings.sizes[there] == size
                by_size[region][size] = int(weighed[chosen].sum())
                by_kind[region][size] = (weighed[chosen] @ fillings.held[there[chosen]]).tolist()
        total *= self._unit ** (len(self._measures) - len(around))
        return _Term(total, by_size, by_kind)

    def _step(
        self, states: Ints, totals: Ints, options: Ints, touched: Sequence[int]
    ) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """What a region can take: from which state, how much; the states that come of it, and which comes of which."""
        fillings = self._fillings
        self._spend(len(states) * len(options) // PER_STATE)
        room = (fillings.held[totals][:, np.newaxis] + fillings.held[options] <= fillings.counts).all(axis=2)
        start, option = np.nonzero(room)
        taken = options[option]
        for slot in touched:
            fits = self._beside[states[start, slot] + taken]
            start, taken = start[fits], taken[fits]
        self._spend(len(start))
        coming = np.column_stack([states[start], totals[start] + taken])
        coming[:, touched] += taken[:, np.newaxis]
        coming, end = np.unique(coming, axis=0, return_inverse=True)
        return start, taken, coming[:, :-1], coming[:, -1], end.ravel()

    def _add(self, sign: int, term: _Term, regions: Ints, parts: list[list[int]], shown: list[list[list[int]]]) -> None:
        """Part what is in each region among its orthants: of which kinds an orthant's records are is chance."""
        orthants, merged = len(regions), len(term.by_size)
        sizes = np.bincount(regions).tolist()
        measures = np.zeros(len(sizes), dtype=object)
        np.add.at(measures, regions, self._measures)
        for orthant, region in enumerate(regions.tolist()):
            alone = sizes[region] == 1
            own, scale = self._measures[orthant], sign * self._unit ** (orthants - merged - (not alone))
            for size, around in term.by_size[region].items():
                for n in [size] if alone else range(size + 1):
                    rest = 1 if alone else self._weigh(measures[region] - own, size - n)
                    ways = scale * self._weigh(own, n) * rest
                    parts[orthant][n] += ways * around
                    if n and ways:
                        row = shown[orthant][n]
                        for kind, count in enumerate(term.by_kind[region][size]):
                            row[kind] += ways * count * n // size


def _ones(length: int) -> Whole:
    return np.array([1] * length, dtype=object)


def _summed(values: Whole, groups: Ints, size: int) -> Whole:
    """Sums of values by their group, of which there are so many."""
    result = np.array([0] * size, dtype=object)
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    if len(starts):
        result[ordered[starts]] = np.add.reduceat(values[order], starts)
    return result
