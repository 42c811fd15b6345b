"""Exact counting of what a class can hold, without enumerating it.

Every proper sub-segment of a class lies inside one child of the class's node in some attribute, so all sparse
constraints reduce to one bound per child. These bounds only see how many records fall in each *orthant* (one child per
attribute that was generalized). Within an orthant the free cells merge: by Vandermonde's identity the number of ways
to place n records is ``C(V, n)`` with V the orthant's free volume. What remains is a sum over the orthants' counts: by
a tree that splits by one attribute after the other (:mod:`cra_engine.counting.tree`), or, where no bound can be broken,
by one orthant after the other.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.counting.axes import Axis, Counters, Violations
from cra_engine.counting.convolution import Whole, convolve
from cra_engine.counting.draws import OrthantDraws
from cra_engine.counting.tree import OrthantTree, SplitPlan
from cra_engine.errors import TooLargeError
from cra_engine.patience import checkpoint

Weigh = Callable[[int, int], int]
Rows = list[list[int]]
MAX_SECONDS = 5.0
MAX_TABLE_BYTES = 512 * 2**20
OFTEN, RAREST = 1 / 4, 1 / 1000  # of draws that keep some bounds, the share that should, and must, keep all of them
MOST_DRAWN = 4_000_000  # numbers drawn at a time


class _Chain:
    """The sum over all numbers of records per orthant with a given total, one orthant after the other; no bounds."""

    def __init__(self, rows: Rows, most: int) -> None:
        """``rows[orthant][n]`` are the weights; totals up to ``most`` are looked at."""
        self._rows = [np.array(row, dtype=object) for row in rows]
        self._most = most

    @cached_property
    def _rest(self) -> list[Whole]:
        """Per orthant the sums over it and those after it, by total."""
        sums = [np.array([1], dtype=object)]
        for row in reversed(self._rows):
            checkpoint()
            sums.append(convolve(row, sums[-1], most=(self._most + 1,)))
        return sums[::-1]

    @property
    def totals(self) -> list[int]:
        """Per total the sum."""
        sums = [int(ways) for ways in self._rest[0]]
        return sums + [0] * (self._most + 1 - len(sums))

    def by_orthant(self) -> Iterator[list[int]]:
        """Per orthant and number of records n, the part of the sum for the largest total in which it holds n."""
        before = np.array([1], dtype=object)
        for row, after in zip(self._rows, self._rest[1:], strict=True):
            outside = convolve(before, after, most=(self._most + 1,))
            held = range(self._most + 1)
            others = [int(outside[self._most - n]) if self._most - n < len(outside) else 0 for n in held]
            yield [int(row[n]) * others[n] if n < len(row) else 0 for n in held]
            before = convolve(before, row, most=(self._most + 1,))

    def draw(self, rng: np.random.Generator, totals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Split each total over the orthants, in proportion to the weights (draws x orthants)."""
        result = np.zeros((len(totals), len(self._rows)), dtype=np.int64)
        left = totals.copy()
        for orthant, row in enumerate(self._rows[:-1]):
            checkpoint()
            after = self._rest[orthant + 1]
            for total in np.unique(left).tolist():
                rows = np.flatnonzero(left == total)
                held = range(max(0, total - len(after) + 1), min(total + 1, len(row)))
                ways = [int(row[n]) * int(after[total - n]) for n in held]
                largest = max(ways)
                ends = np.cumsum([way / largest for way in ways])
                chosen = np.searchsorted(ends, rng.random(len(rows)) * ends[-1], side="right")
                result[rows, orthant] = held.start + chosen
            left -= result[:, orthant]
        result[:, -1] = left
        return result


class OrthantSum:
    """The exact sum over all admissible numbers of records per orthant of the product of their weights.

    Args:
        fanouts: number of children of each attribute that was generalized; orthants are in row-major order of the
            children chosen.
        measures: per orthant what its weight depends on: its volume, its number of cells.
        weigh: ``weigh(measure, n)``, the ways in which an orthant can hold n records: ``math.comb`` of the volume where
            no two may be alike, :func:`repetitions` where they may, :func:`multisets` for assignments to cells.
        size: number of records of the class.
        cap: largest number of records that one child may hold.

    Raises:
        TooLargeError: by an estimate made beforehand, counting would take more than some seconds or 512 MiB.
    """

    def __init__(self, fanouts: Sequence[int], measures: Sequence[int], weigh: Weigh, size: int, cap: int) -> None:
        self.fanouts = tuple(fanouts)
        self.size = size
        self.bound = bool(self.fanouts) and cap < size
        self.cap = cap if self.bound else size
        self.orthants = math.prod(self.fanouts)
        self.rows: Rows = [[weigh(measure, n) for n in range(self.cap + 1)] for measure in measures]
        # An only child holds all records, which are more than the cap.
        self.impossible = self.bound and 1 in self.fanouts
        if self.bound and not self.impossible:
            self._order, self._tree = self._quickest()

    def _plans(self) -> Iterator[tuple[tuple[int, ...], SplitPlan]]:
        """Ways to count, each with the order in which it splits the attributes."""
        everybody = range(len(self.fanouts))
        for root in {fanout: i for i, fanout in enumerate(self.fanouts)}.values():
            rest = sorted(set(everybody) - {root}, key=lambda i: -self.fanouts[i])
            order = (root, *rest)
            fanouts = tuple(self.fanouts[i] for i in order)
            counters: list[Axis] = [Counters(fanout, self.size, self.cap) for fanout in fanouts[1:]]
            choices = [counters]
            if self.size <= 2 * self.cap + 1:  # else more than one child can break the bound
                violations: list[Axis] = [Violations(fanout, self.size, self.cap) for fanout in fanouts[1:]]
                mixed = [c if c.fanout == 2 else v for c, v in zip(counters, violations, strict=True)]
                choices += [violations, mixed]
            for axes in choices:
                yield order, SplitPlan(fanouts, self.size, self.cap, tuple(axes))

    def _quickest(self) -> tuple[tuple[int, ...], OrthantTree]:
        best: tuple[tuple[int, ...], OrthantTree] | None = None
        least = MAX_SECONDS
        for order, plan in self._plans():
            tree = OrthantTree(plan, [self.rows[i] for i in _reordered(self.fanouts, order)])
            seconds = self.seconds(tree)
            if seconds < least:
                best, least = (order, tree), seconds
        if best is None:
            raise TooLargeError(
                f"Counting this class exactly ({self.size} records, {len(self.fanouts)} generalized attributes) would "
                "take too long; take fewer attributes, a smaller fanout or a smaller k."
            )
        return best

    def seconds(self, tree: OrthantTree) -> float:
        """About how long a tree takes to count; infinite where its tables would not fit."""
        seconds, space = tree.plan.estimate(self._bits, tree.nodes())
        return seconds if space <= MAX_TABLE_BYTES else math.inf

    @cached_property
    def _bits(self) -> list[float]:
        """About how many bits a table's entries have, by number of records."""
        ways = max(2, sum(row[1] for row in self.rows))
        return [max(1.0, n * math.log2(ways) - math.lgamma(n + 1) / math.log(2)) for n in range(self.cap + 1)]

    @cached_property
    def _chain(self) -> _Chain:
        return _Chain(self.rows, self.size)

    @cached_property
    def total(self) -> int:
        """The sum itself."""
        if self.impossible:
            return 0
        return self._tree.total if self.bound else self._chain.totals[self.size]

    @cached_property
    def by_orthant(self) -> Rows:
        """Per orthant and number of records n, the part of the sum in which it holds n."""
        if not self.bound:
            return list(self._chain.by_orthant())
        if self.impossible:
            return [[0] * len(row) for row in self.rows]
        parts: Rows = [[]] * self.orthants
        for orthant, part in zip(_reordered(self.fanouts, self._order), self._tree.by_orthant, strict=True):
            parts[orthant] = part
        return parts

    def sample(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Numbers of records per orthant (draws x orthants), each row drawn with probability proportional to its term.

        Raises:
            ValueError: the sum is 0.
            TooLargeError: drawing would take too long.
        """
        if not self.total:
            raise ValueError("nothing to draw from: the sum is 0")
        if not self.bound:
            return self._chain.draw(rng, np.full(count, self.size))
        drawn = [np.empty((0, self.orthants), dtype=np.int64)]
        missing = count
        while missing:
            checkpoint()
            tries = min(math.ceil(missing / self._loose.kept), max(1, MOST_DRAWN // self.orthants))
            rows = self._loose.draw(rng, tries)
            rows = rows[self._keeps_bounds(rows)][:missing]
            drawn.append(rows)
            missing -= len(rows)
        return np.concatenate(drawn)

    def _keeps_bounds(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        held = rows.reshape(-1, *self.fanouts)
        axes = range(1, held.ndim)
        fullest = [held.sum(axis=tuple(other for other in axes if other != axis)).max(axis=1) for axis in axes]
        return np.asarray(np.max(fullest, axis=0) <= self.cap)

    @cached_property
    def _loose(self) -> "_Loose":
        """Draws that keep the bounds of some attributes, so many that most draws keep all."""
        root, *others = sorted(range(len(self.fanouts)), key=lambda i: self.fanouts[i])[::-1]
        loose = _Loose(self, (root,))
        for many in range(1, len(others) + 1):
            if loose.kept > OFTEN:
                break
            try:
                loose = _Loose(self, (root, *others[-many:]))
            except TooLargeError:
                break
        if loose.kept < RAREST:
            raise TooLargeError(
                f"Drawing from this class ({self.size} records, {len(self.fanouts)} generalized attributes) would take "
                "too long; take fewer attributes, a smaller fanout or a smaller k."
            )
        return loose


class _Loose:
    """Draws that keep the bounds of some attributes.

    Attributes:
        kept: share of the draws that keep the bounds of all attributes.
    """

    def __init__(self, whole: OrthantSum, bound: tuple[int, ...]) -> None:
        """Keep the bounds of the attributes ``bound`` of a sum, split in this order."""
        orthants = np.arange(whole.orthants).reshape(whole.fanouts)
        loose = [i for i in range(orthants.ndim) if i not in bound]
        fanouts = tuple(whole.fanouts[i] for i in bound)
        # One row per orthant of the bound attributes: the orthants of the class that it holds.
        members = orthants.transpose(*bound, *loose).reshape(math.prod(fanouts), -1)
        self._order = members.ravel()
        self._chains = [_Chain([whole.rows[i] for i in row], whole.cap) for row in members.tolist()]
        axes = tuple(Counters(fanout, whole.size, whole.cap) for fanout in fanouts[1:])
        tree = OrthantTree(SplitPlan(fanouts, whole.size, whole.cap, axes), [chain.totals for chain in self._chains])
        if whole.seconds(tree) > MAX_SECONDS:
            raise TooLargeError("The tables for drawing are too large; take a smaller k.")
        self._draws = OrthantDraws(tree, axes)
        self.kept = whole.total / tree.total

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Numbers of records per orthant (draws x orthants)."""
        held = self._draws.draw(rng, count)
        result = np.empty((count, len(self._order)), dtype=np.int64)
        result[:, self._order] = np.concatenate(
            [chain.draw(rng, totals) for chain, totals in zip(self._chains, held.T, strict=True)], axis=1
        )
        return result


def _reordered(fanouts: Sequence[int], order: Sequence[int]) -> list[int]:
    """Where the orthants stand in row-major order of the attributes as given, in row-major order of another order."""
    own = np.arange(math.prod(fanouts)).reshape(fanouts)
    return [int(position) for position in own.transpose(order).ravel()]


def spread(
    counts: NDArray[np.int64],
    orthant: Sequence[int],
    volumes: Sequence[int],
    rng: np.random.Generator,
    *,
    distinct: bool = True,
) -> NDArray[np.int64]:
    """Spread records at random over the cells of their orthants: uniformly over raw values.

    Args:
        counts: records per orthant (draws x orthants).
        orthant: the orthant of each cell.
        volumes: number of raw values in each cell.
        rng: where the randomness comes from.
        distinct: True when no two records may share all their values.

    Returns:
        Records per cell (draws x cells).
    """
    result = np.zeros((len(counts), len(orthant)), dtype=np.int64)
    for group, cells in _cells_of_orthants(orthant):
        if len(cells) == 1:
            result[:, cells[0]] = counts[:, group]
            continue
        room = np.array([float(volumes[int(cell)]) for cell in cells])
        ends = np.cumsum(room)
        for already in range(int(counts[:, group].max(initial=0))):
            rows = np.flatnonzero(counts[:, group] > already)
            while len(rows):
                chosen = np.searchsorted(ends, rng.random(len(rows)) * ends[-1], side="right")
                taken = result[rows, cells[chosen]]
                # A raw value that a record already has cannot be drawn again.
                fits = rng.random(len(rows)) * room[chosen] < room[chosen] - taken * distinct
                result[rows[fits], cells[chosen[fits]]] += 1
                rows = rows[~fits]
    return result


def _cells_of_orthants(orthant: Sequence[int]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Each orthant that has cells, with the places of these."""
    of_cell = np.asarray(orthant)
    for group in np.unique(of_cell).tolist():
        checkpoint()
        yield group, np.flatnonzero(of_cell == group)


def repetitions(most: int) -> Weigh:
    """Count the ways of n records that may be alike, V**n / n! for up to ``most`` in V, times ``most!``: whole."""
    return lambda volume, n: volume**n * (math.factorial(most) // math.factorial(n))


def multisets(cells: int, n: int) -> int:
    """Count the assignments: ``C(n + f - 1, n)`` ways to spread n records over f cells."""
    return math.comb(n + cells - 1, n) if cells else int(n == 0)


def placed_in_cell(parts: Sequence[int], volume: int, rest: int) -> list[Fraction]:
    """Count data sets with 0, 1, 2, .. records in one cell, from those with as many in a union of cells.

    Of all ``C(volume + rest, n)`` ways to place n records in the union, ``C(volume, j) * C(rest, n - j)`` put j into
    the cell; the sum over n is a convolution.

    Args:
        parts: the number of data sets by the number of records in the union.
        volume: of the cell.
        rest: volume of the union's other cells.
    """
    if not rest:
        return [Fraction(part) for part in parts]
    counts = range(len(parts))
    elsewhere = [part // math.comb(volume + rest, n) if part else 0 for n, part in enumerate(parts)]
    beside = [math.comb(rest, n) for n in counts]
    sums = convolve(np.array(elsewhere[::-1], dtype=object), np.array(beside, dtype=object), most=(len(parts),))
    return [Fraction(math.comb(volume, j) * int(ways)) for j, ways in zip(counts, sums[::-1], strict=True)]


def repeated_in_cell(parts: Sequence[int], volume: int, rest: int) -> list[Fraction]:
    """Count as :func:`placed_in_cell` where records may be alike: each is in the cell by its share of volume."""
    whole, most = volume + rest, len(parts) - 1
    scaled = [part * whole ** (most - n) for n, part in enumerate(parts)]
    return [
        Fraction(
            sum(
                part * math.comb(n, j) * volume**j * rest ** (n - j) for n, part in enumerate(scaled) if n >= j and part
            ),
            whole**most,
        )
        for j in range(len(parts))
    ]


def assigned_to_cells(parts: Sequence[int], cells: int, others: int) -> list[Fraction]:
    """Count as :func:`placed_in_cell` where every assignment of numbers to cells counts once.

    Args:
        parts: the number of assignments by the number of records in the union.
        cells: number of the cells that are asked for.
        others: number of the union's other cells.
    """
    if not others:
        return [Fraction(part) for part in parts]
    result = [Fraction(0)] * len(parts)
    for n, part in enumerate(parts):
        for j in range(n + 1 if part else 0):
            ways = multisets(cells, j) * multisets(others, n - j)
            result[j] += Fraction(part * ways, multisets(cells + others, n))
    return result


def spread_alike(counts: NDArray[np.int64], orthant: Sequence[int], rng: np.random.Generator) -> NDArray[np.int64]:
    """Spread records at random over the cells of their orthants, every assignment alike likely.

    Shares of the cells that are drawn uniformly, and then records by these shares, do that.

    Args:
        counts: records per orthant (draws x orthants).
        orthant: the orthant of each cell.
        rng: where the randomness comes from.

    Returns:
        Records per cell (draws x cells).
    """
    result = np.zeros((len(counts), len(orthant)), dtype=np.int64)
    for group, cells in _cells_of_orthants(orthant):
        shares = rng.dirichlet(np.ones(len(cells)), size=len(counts))
        result[:, cells] = rng.multinomial(counts[:, group], shares)
    return result
