"""Counting what a class can hold where its records differ in kind, and what a child can hold depends on the kinds.

A *filling* of an orthant is a number of its records per kind. Given how many records an orthant holds, every way to say
which of them are of which kind counts: with n records in an orthant of measure V, u_v of kind v, that is
``weigh(V, n)`` times ``n! / prod u_v!``. Bounds see what each child holds, kind by kind. Tables of sub-boxes are joined
along one attribute after the other, the last first; a key says what the sub-box holds and, per attribute already
joined, what each child but the last holds in it. A second pass down the same tables gives what each orthant holds.

Fillings are numbered so that the number of a sum is the sum of the numbers, as long as the sum is one.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import TooLargeError
from cra_engine.patience import checkpoint

Rest = tuple[int, ...]
Table = dict[int, dict[Rest, int]]
"""Per filling of a sub-box, per filling of children in it, the weight."""
MOST_FILLINGS = 1500
MOST_PRODUCTS = 3_000_000


class Fillings:
    """All ways to take some of a class's records by kind.

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
        self.sizes: list[int] = self.held.sum(axis=1).tolist()
        self.ways = [
            math.factorial(size) // math.prod(map(math.factorial, row))
            for size, row in zip(self.sizes, self.held.tolist(), strict=True)
        ]

    @property
    def whole(self) -> int:
        """The number of the filling of all records."""
        return len(self.sizes) - 1

    @cached_property
    def _room(self) -> NDArray[np.bool_]:
        """Which two fillings are one together."""
        return np.asarray((self.held[:, np.newaxis] + self.held <= self.held[-1]).all(axis=2))

    @cached_property
    def beside(self) -> list[list[int]]:
        """Per filling those that there is room for beside it."""
        return [np.flatnonzero(row).tolist() for row in self._room]


class KindSum:
    """The sum over all ways to part a class's records, by kind, among its orthants.

    Args:
        fanouts: children per attribute that the class generalizes.
        measures: per orthant, row-major.
        weigh: the weight of some records in a measure.
        fillings: of the class's records.
        allowed: per filling whether a child may hold it.
        closed: True where whatever lies in an allowed filling is allowed, too.
    """

    def __init__(
        self,
        fanouts: Sequence[int],
        measures: Sequence[int],
        weigh: Callable[[int, int], int],
        fillings: Fillings,
        allowed: NDArray[np.bool_],
        *,
        closed: bool,
    ) -> None:
        """See the class."""
        self._fanouts, self._measures, self._weigh = tuple(fanouts), tuple(measures), weigh
        self.fillings, self._closed = fillings, closed
        self._allowed: list[bool] = allowed.tolist()
        self._products = 0

    @cached_property
    def _levels(self) -> list[list[Table]]:
        """Per number of attributes that are still to be joined the tables of the sub-boxes, row-major; orthants last.

        Raises:
            TooLargeError: that would take too long.
        """
        levels = [[self._orthant(measure) for measure in self._measures]]
        for depth in reversed(range(len(self._fanouts))):
            fanout, below = self._fanouts[depth], levels[0]
            known: dict[tuple[int, ...], Table] = {}
            joined = []
            width = math.prod(self._fanouts[depth:])
            for start in range(0, len(below), fanout):
                # Sub-boxes of equal measures are alike.
                own = self._measures[start // fanout * width : (start // fanout + 1) * width]
                if own not in known:
                    known[own] = self._joined(below[start : start + fanout], last=depth == 0)[-1]
                joined.append(known[own])
            levels.insert(0, joined)
        return levels

    def _orthant(self, measure: int) -> Table:
        weights = [self._weigh(measure, size) for size in range(self.fillings.sizes[-1] + 1)]
        named = zip(self.fillings.sizes, self.fillings.ways, strict=True)
        whole = not self._fanouts
        return {
            filling: {(): weights[size] * ways}
            for filling, (size, ways) in enumerate(named)
            if weights[size] and (not whole or filling == self.fillings.whole)
        }

    def _joined(self, tables: Sequence[Table], *, last: bool) -> list[Table]:
        """The tables of the first, the first two, .. of an attribute's children together, its own slots first."""
        slots = len(tables) - 1
        results = [self._lifted(tables[0], 0, slots)]
        for child, table in enumerate(tables[1:], start=1):
            results.append(self._product(results[-1], self._lifted(table, child, slots), final=last and child == slots))
        return results

    def _lifted(self, table: Table, child: int, slots: int) -> Table:
        """A child's table with what it holds written into its slot; without what no child may hold."""
        lifted: Table = {}
        for filling, row in table.items():
            if self._closed and not self._allowed[filling]:
                continue
            own = tuple(filling if slot == child else 0 for slot in range(slots))
            lifted[filling] = {own + rest: weight for rest, weight in row.items()}
        return lifted

    def _product(self, left: Table, right: Table, *, final: bool) -> Table:
        table: Table = defaultdict(lambda: defaultdict(int))
        whole = self.fillings.whole
        for filling, row in left.items():
            beside = [whole - filling] if final else self.fillings.beside[filling]
            for other in beside:
                columns = right.get(other)
                if columns is None:
                    continue
                self._spend(len(row) * len(columns))
                into = table[filling + other]
                for one, weight in row.items():
                    for two, more in columns.items():
                        into[tuple(map(int.__add__, one, two))] += weight * more
        return {filling: kept for filling, row in table.items() if (kept := self._kept(row, final=final))}

    def _spend(self, products: int) -> None:
        checkpoint()
        self._products += products
        if self._products > MOST_PRODUCTS:
            raise TooLargeError("Counting this class by the values that its records show would take too long.")

    def _kept(self, row: dict[Rest, int], *, final: bool) -> dict[Rest, int]:
        """Without what no child may hold: at the end all children are looked at, before it what they hold so far."""
        if not (final or self._closed):
            return row
        return {
            rest: weight
            for rest, weight in row.items()
            if all(self._allowed[held] for held in rest) and (not final or self._lasts_allowed(rest))
        }

    def _lasts_allowed(self, rest: Rest) -> bool:
        """Whether each attribute's last child may hold what the others leave."""
        start = 0
        for fanout in self._fanouts:
            if not self._allowed[self.fillings.whole - sum(rest[start : start + fanout - 1])]:
                return False
            start += fanout - 1
        return True

    @cached_property
    def total(self) -> int:
        """The sum.

        Raises:
            TooLargeError: it would take too long.
        """
        return sum(self._levels[0][0].get(self.fillings.whole, {}).values())

    @cached_property
    def by_filling(self) -> list[dict[int, int]]:
        """Per orthant and filling that it can hold the part of the sum in which it does.

        Raises:
            TooLargeError: it would take too long.
        """
        whole = self.fillings.whole
        outside: list[Table] = [{whole: dict.fromkeys(self._levels[0][0].get(whole, {}), 1)}]
        for depth, fanout in enumerate(self._fanouts):
            below = self._levels[depth + 1]
            outside = [
                table
                for place, around in enumerate(outside)
                for table in self._parted(below[place * fanout : (place + 1) * fanout], around, last=depth == 0)
            ]
        return [
            {
                filling: weight
                for filling, row in own.items()
                if (weight := row[()] * around.get(filling, {}).get((), 0))
            }
            for own, around in zip(self._levels[-1], outside, strict=True)
        ]

    def _parted(self, tables: Sequence[Table], around: Table, *, last: bool) -> list[Table]:
        """Of an attribute's children, from what is around all of them, what is around each of them."""
        slots = len(tables) - 1
        results: list[Table] = []
        before = self._joined(tables, last=last) if slots else []
        if not slots:
            return [around]
        for child in range(slots, 0, -1):
            own = self._lifted(tables[child], child, slots)
            first, beside = self._divided(before[child - 1], own, around)
            results.insert(0, _dropped(beside, slots))
            around = first
        results.insert(0, _dropped(around, slots))
        return results

    def _divided(self, left: Table, right: Table, around: Table) -> tuple[Table, Table]:
        """What is around each of two factors, from what is around their product."""
        of_left: Table = defaultdict(lambda: defaultdict(int))
        of_right: Table = defaultdict(lambda: defaultdict(int))
        for filling, row in left.items():
            for other in self.fillings.beside[filling]:
                columns, outer = right.get(other), around.get(filling + other)
                if columns is None or outer is None:
                    continue
                self._spend(len(row) * len(columns))
                mine, others = of_left[filling], of_right[other]
                for one, weight in row.items():
                    for two, more in columns.items():
                        if weighed := outer.get(tuple(map(int.__add__, one, two)), 0):
                            mine[one] += weighed * more
                            others[two] += weighed * weight
        return of_left, of_right


def _dropped(table: Table, slots: int) -> Table:
    """A child's table without the slots that say again what it holds."""
    return {filling: {rest[slots:]: weight for rest, weight in row.items()} for filling, row in table.items()}
