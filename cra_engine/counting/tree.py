"""Sums over the numbers of records per orthant, each child holding at most so many: a tree that splits by attribute.

Nodes of the tree are sets of orthants: the root all of them, its children those of one child of the first attribute,
and so on; leaves are single orthants. A node's table says, per number of records inside and per what the attributes
still to be split have to know, in how many ways that can be. What they have to know (the table's axes) is one of two:

- :class:`Counters`: how many records each child but the last holds.
- :class:`Violations`: nothing, or how many lie *outside* one child that breaks the bound. Where at most one child can
  hold more than the cap, the arrangements that keep the bound are all arrangements less those that break it at the
  first child, at the second, and so on. Only few can lie outside such a child, so the axis is short: this pays off for
  three or more children, or for sizes just above the cap.

The root needs no axis, since its children's numbers of records are enumerated. Nor is its table ever made, the largest
by far: two halves of its children are held against each other, by sums over the window that one leaves the other.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.counting.convolution import Whole, convolve, correlate, seconds
from cra_engine.patience import checkpoint

Table = dict[int, Whole]
"""Per number of records an array: the axes of the attributes still to be split, and a lone last one of length 1."""


@dataclass(frozen=True)
class Counters:
    """An attribute as the records in each child but the last."""

    fanout: int
    size: int
    cap: int

    pointwise = 0

    def lengths(self, records: int) -> tuple[int, ...]:
        """Lengths of the axes in a table's array for so many records: first those multiplied entry by entry."""
        return (min(records, self.cap) + 1,) * (self.fanout - 1)

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """Whether all children keep the bound, by the records in each but the last."""
        held = np.indices((self.cap + 1,) * (self.fanout - 1))
        last = self.size - held.sum(axis=0)
        return np.asarray((last >= 0) & (last <= self.cap))

    def close(
        self, ways: Whole, axes: tuple[int, ...], lengths: tuple[int, ...], used: tuple[int, ...] | None = None
    ) -> Whole:
        """For each place of the one half the sum over the places of the other that keep the bound with it.

        Args:
            ways: the other half.
            axes: which of its axes are this attribute's.
            lengths: how long they are in the one half.
            used: what is held besides by neither half.
        """
        used = (0,) * len(axes) if used is None else used
        if self.fanout == 2:
            return _window(ways, axes[0], lengths[0], self.size - self.cap - used[0], self.cap - used[0])
        ways = np.moveaxis(ways, axes, range(len(axes)))
        result = np.zeros((*lengths, *ways.shape[len(axes) :]), dtype=object)
        for other in np.ndindex(ways.shape[: len(axes)]):
            checkpoint()
            for own in np.ndindex(lengths):
                held = tuple(map(sum, zip(own, other, used, strict=True)))
                if max(held) <= self.cap and self.allowed[held]:
                    result[own] += ways[other]
        return np.moveaxis(result, range(len(axes)), axes)


@dataclass(frozen=True)
class Violations:
    """An attribute as no child, or one child that breaks the bound and the records outside it."""

    fanout: int
    size: int
    cap: int

    pointwise = 1

    @property
    def excess(self) -> int:
        """The most records that can lie outside a child that holds more than the cap."""
        return self.size - self.cap - 1

    def lengths(self, records: int) -> tuple[int, ...]:
        """As for counters."""
        return (self.fanout + 1, min(records, self.excess) + 1)

    def close(
        self, ways: Whole, axes: tuple[int, ...], lengths: tuple[int, ...], used: tuple[int, ...] | None = None
    ) -> Whole:
        """As for counters."""
        used = (0,) * len(axes) if used is None else used
        return _window(ways, axes[1], lengths[1], 0, self.excess - used[1])


Axis = Counters | Violations


def _window(ways: Whole, axis: int, length: int, low: int, high: int) -> Whole:
    """For each place from 0 to ``length`` the sum over the places that add up with it to ``low`` up to ``high``."""
    ends = np.cumsum(ways, axis=axis, dtype=object)
    ends = np.concatenate([np.zeros_like(ends.take([0], axis)), ends], axis)
    most = ends.shape[axis] - 1
    own = np.arange(length)
    stop = np.clip(high + 1 - own, 0, most)
    start = np.minimum(np.clip(low - own, 0, most), stop)
    return np.asarray(ends.take(stop, axis) - ends.take(start, axis))


@dataclass(frozen=True)
class Plan:
    """How to count: the attributes in the order in which they are split, the first without an axis.

    Attributes:
        fanouts: number of children per attribute.
        size: number of records in all.
        cap: most records in one child.
        axes: what the tables keep per attribute after the first.
    """

    fanouts: tuple[int, ...]
    size: int
    cap: int
    axes: tuple[Axis, ...]

    @property
    def excess(self) -> int:
        """The most records that can lie outside a child that holds more than the cap."""
        return self.size - self.cap - 1

    def pointwise(self, depth: int) -> int:
        """Number of axes that are multiplied entry by entry in tables at a depth."""
        return sum(axis.pointwise for axis in self.axes[max(depth - 1, 0) :])

    def shape(self, depth: int, records: int) -> tuple[int, ...]:
        """Shape of a table's array for so many records."""
        lengths = [(axis.pointwise, axis.lengths(records)) for axis in self.axes[max(depth - 1, 0) :]]
        copies = [length for modes, own in lengths for length in own[:modes]]
        counters = [length for modes, own in lengths for length in own[modes:]]
        return (*copies, *counters, 1)

    def most(self, depth: int) -> tuple[int, ...]:
        """Longest that the other axes can get."""
        return self.shape(depth, self.size)[self.pointwise(depth) :]

    def own_index(self, depth: int, place: tuple[int, ...]) -> tuple[int | slice, ...]:
        """The place of a node's own attribute as an index into its table's arrays."""
        modes = self.axes[depth - 1].pointwise
        return (*place[:modes], *(slice(None),) * self.pointwise(depth + 1), *place[modes:])

    def estimate(self, bits: Sequence[float], nodes: Sequence[int]) -> tuple[float, float]:
        """About how many seconds the total takes, and how many bytes its tables.

        Args:
            bits: per number of records the length of the largest entry.
            nodes: per depth the number of different nodes.
        """
        time = space = 0.0
        numbers = range(self.cap + 1)
        for depth in range(1, len(self.fanouts)):
            own = work = 0.0
            for first, second in product(numbers, repeat=2):
                if first + second <= self.cap:
                    shapes = self.shape(depth + 1, first), self.shape(depth + 1, second)
                    once = seconds(*shapes, self.pointwise(depth + 1), int(bits[first] + bits[second]))
                    work += once * self._products(depth, first, second)
            for records in numbers:
                own += math.prod(self.shape(depth, records)) * (50 + bits[records] / 8)
            time += nodes[depth] * (work + own * 1e-9)
            space += nodes[depth] * own
        time += self._estimate_root(bits)
        return time, space

    def _products(self, depth: int, first: int, second: int) -> int:
        """How often arrays for so many records are multiplied to join some children into a node."""
        fanout = self.fanouts[depth]
        if isinstance(self.axes[depth - 1], Counters):
            return sum(math.comb(first + many - 1, many - 1) for many in range(1, fanout))
        return fanout - 1 + fanout * (second <= self.excess) + fanout * (fanout - 2) * (first + second <= self.excess)

    def _estimate_root(self, bits: Sequence[float]) -> float:
        time = 0.0
        for children in (self.fanouts[0] // 2, -(-self.fanouts[0] // 2)):
            for more in range(1, children):
                for first, second in product(range(self.cap + 1), range(min(more * self.cap, self.size) + 1)):
                    if first + second <= self.size:
                        shapes = self.shape(1, first), self.shape(1, second)
                        width = bits[first] + bits[min(second, len(bits) - 1)] * max(1, second / self.cap)
                        time += seconds(*shapes, self.pointwise(1), int(width))
        for records in range(min(self.cap, self.size) + 1):
            time += math.prod(self.shape(1, records)) * (4e-7 + 1e-7 * len(self.axes))
        return time


@dataclass(frozen=True)
class Node:
    """Some orthants; a leaf is a single one."""

    table: Table
    children: tuple["Node", ...]


class OrthantTree:
    """The sum over all numbers of records per orthant that keep the bounds, of the product of the orthants' weights.

    Args:
        plan: how to count.
        rows: per orthant (in row-major order of the plan's attributes) and number of records from 0 to the cap its
            weight.
    """

    def __init__(self, plan: Plan, rows: Sequence[Sequence[int]]) -> None:
        self.plan = plan
        self._rows = rows
        kinds = {tuple(row): kind for kind, row in reversed(list(enumerate(rows)))}
        self._kinds = [kinds[tuple(row)] for row in rows]
        self._known: dict[tuple[int, ...], Node] = {}
        self._folded: dict[tuple[int, ...], Table] = {}

    def _below(self, depth: int) -> int:
        return math.prod(self.plan.fanouts[depth:])

    def nodes(self) -> list[int]:
        """Per depth the number of different nodes."""
        result = []
        for depth in range(len(self.plan.fanouts) + 1):
            below = self._below(depth)
            result.append(len({tuple(self._kinds[i : i + below]) for i in range(0, len(self._kinds), below)}))
        return result

    @cached_property
    def children(self) -> tuple[Node, ...]:
        """The root's children."""
        below = self._below(1)
        return tuple(self._split(1, child * below) for child in range(self.plan.fanouts[0]))

    def _split(self, depth: int, first: int) -> Node:
        below = self._below(depth)
        kind = tuple(self._kinds[first : first + below])
        if kind not in self._known:
            self._known[kind] = self._make(depth, first)
        return self._known[kind]

    def _make(self, depth: int, first: int) -> Node:
        if depth == len(self.plan.fanouts):
            row = self._rows[first]
            return Node({n: np.array([weight], dtype=object) for n, weight in enumerate(row) if weight}, ())
        below = self._below(depth + 1)
        children = tuple(self._split(depth + 1, first + child * below) for child in range(self.plan.fanouts[depth]))
        if isinstance(self.plan.axes[depth - 1], Violations):
            return Node(self._join_violations(depth, children), children)
        return Node(self._join_counters(depth, children), children)

    def _join_counters(self, depth: int, children: tuple[Node, ...]) -> Table:
        table: Table = {}
        for counts, ways in self._products(depth + 1, children):
            own = self._opened(table, depth, sum(counts))
            own[self.plan.own_index(depth, counts[:-1])] = ways
        return table

    def _join_violations(self, depth: int, children: tuple[Node, ...]) -> Table:
        table: Table = {}
        for total, ways in self.fold(depth + 1, children, self.plan.cap).items():
            self._opened(table, depth, total)[self.plan.own_index(depth, (0, 0))] = ways
        for position, child in enumerate(children):
            others = self.fold(depth + 1, _without(children, position), self.plan.excess)
            for (outside, ways), (inside, more) in product(others.items(), child.table.items()):
                if inside + outside <= self.plan.cap:
                    place = self.plan.own_index(depth, (position + 1, outside))
                    self._opened(table, depth, inside + outside)[place] = self._convolve(depth + 1, more, ways)
        return table

    def _opened(self, table: Table, depth: int, total: int) -> Whole:
        return table.setdefault(total, np.zeros(self.plan.shape(depth, total), dtype=object))

    def _products(self, depth: int, nodes: Sequence[Node]) -> Iterator[tuple[tuple[int, ...], Whole]]:
        """All numbers of records in some sibling nodes, together no more than the cap, with the ways to have them."""
        if len(nodes) == 1:
            yield from (((count,), ways) for count, ways in nodes[0].table.items())
            return
        for counts, ways in self._products(depth, nodes[:-1]):
            for count, more in nodes[-1].table.items():
                if sum(counts) + count <= self.plan.cap:
                    yield (*counts, count), self._convolve(depth, ways, more)

    def _convolve(self, depth: int, left: Whole, right: Whole) -> Whole:
        """The product of two tables' arrays at a depth."""
        checkpoint()
        return convolve(left, right, self.plan.pointwise(depth), self.plan.most(depth))

    def fold(self, depth: int, nodes: tuple[Node, ...], most: int) -> Table:
        """The table of some nodes of a depth together, up to a number of records."""
        if not nodes:
            return {0: np.ones(self.plan.shape(depth, 0), dtype=object)}
        if len(nodes) == 1:
            return {records: ways for records, ways in nodes[0].table.items() if records <= most}
        key = (most, *map(id, nodes))
        if key not in self._folded:
            half = len(nodes) // 2
            table: Table = {}
            for first, ways in self.fold(depth, nodes[:half], most).items():
                for second, more in self.fold(depth, nodes[half:], most).items():
                    total = first + second
                    if total <= most:
                        both = self._convolve(depth, ways, more)
                        table[total] = table[total] + both if total in table else both
            self._folded[key] = table
        return self._folded[key]

    def close(self, ways: Whole, shape: tuple[int, ...], used: tuple[int, ...] | None = None) -> Whole:
        """For each place in an array of the given shape the sum over those places in ``ways`` that go with it.

        Args:
            ways: an array of a table of some of the root's children.
            shape: that of others of the root's children.
            used: the place of the root's remaining children, if there are any.
        """
        checkpoint()
        mode, counter = 0, self.plan.pointwise(1)
        for axis in self.plan.axes:
            counters = len(axis.lengths(0)) - axis.pointwise
            axes = (*range(mode, mode + axis.pointwise), *range(counter, counter + counters))
            held = None if used is None else tuple(used[i] for i in axes)
            ways = axis.close(ways, axes, tuple(shape[i] for i in axes), held)
            mode, counter = mode + axis.pointwise, counter + counters
        return ways

    @cached_property
    def total(self) -> int:
        """The sum itself."""
        half = len(self.children) // 2
        left, right = (self.fold(1, nodes, self.plan.size) for nodes in (self.children[:half], self.children[half:]))
        total = 0
        for records, ways in left.items():
            if self.plan.size - records in right:
                both = ways * self.close(right[self.plan.size - records], ways.shape)
                total += self._signed(both.sum(axis=tuple(range(self.plan.pointwise(1), both.ndim))))
        return total

    def _signed(self, sums: Whole) -> int:
        """All arrangements less those that break the bound at each child."""
        for _ in range(self.plan.pointwise(1)):
            sums = sums[0] - sums[1:].sum(axis=0)
        return int(sums)

    @cached_property
    def by_orthant(self) -> list[list[int]]:
        """Per orthant and number of records n, the part of the sum in which it holds n."""
        parts: list[list[int]] = []
        for position, child in enumerate(self.children):
            others = self.fold(1, _without(self.children, position), self.plan.size)
            outside = {
                records: self.close(others[self.plan.size - records], ways.shape)
                for records, ways in child.table.items()
                if self.plan.size - records in others
            }
            self._descend(child, outside, 1, parts)
        return parts

    def _descend(self, node: Node, outside: Table, depth: int, parts: list[list[int]]) -> None:
        """Carry down, per table entry, the number of ways in which everything outside the node can be filled."""
        if not node.children:
            row = self._rows[len(parts)]
            parts.append([int(outside[n][0]) * weight if n in outside else 0 for n, weight in enumerate(row)])
            return
        for position, child in enumerate(node.children):
            below: Table = {}
            if isinstance(self.plan.axes[depth - 1], Violations):
                terms = self._beside_violations(node.children, position, outside, depth)
            else:
                terms = self._beside_counters(node.children, position, outside, depth)
            for count, sign, seen, ways in terms:
                found = sign * self._correlate(depth + 1, seen, ways, child.table[count].shape)
                below[count] = below[count] + found if count in below else found
            self._descend(child, below, depth + 1, parts)

    def _beside_counters(
        self, children: tuple[Node, ...], position: int, outside: Table, depth: int
    ) -> Iterator[tuple[int, int, Whole, Whole]]:
        """What surrounds one of some siblings: its records, a sign, what is outside all of them, the other siblings."""
        for rest, ways in self._products(depth + 1, _without(children, position)):
            for count in children[position].table:
                counts = (*rest[:position], count, *rest[position:])
                if sum(counts) in outside:
                    yield count, 1, outside[sum(counts)][self.plan.own_index(depth, counts[:-1])], ways

    def _beside_violations(
        self, children: tuple[Node, ...], position: int, outside: Table, depth: int
    ) -> Iterator[tuple[int, int, Whole, Whole]]:
        """As for counters."""
        excess = self.plan.excess
        for count in children[position].table:
            for rest, ways in self.fold(depth + 1, _without(children, position), self.plan.cap).items():
                if count + rest in outside:
                    seen = outside[count + rest]
                    yield count, 1, seen[self.plan.own_index(depth, (0, 0))], ways
                    if rest <= excess:
                        yield count, -1, seen[self.plan.own_index(depth, (position + 1, rest))], ways
        for other, full in enumerate(children):
            if other == position:
                continue
            beside = self.fold(depth + 1, _without(children, position, other), excess)
            for (rest, ways), (inside, more) in product(beside.items(), full.table.items()):
                both = self._convolve(depth + 1, more, ways)
                for count in children[position].table:
                    total = count + rest + inside
                    if count + rest <= excess and total in outside:
                        seen = outside[total][self.plan.own_index(depth, (other + 1, count + rest))]
                        yield count, -1, seen, both

    def _correlate(self, depth: int, outer: Whole, inner: Whole, shape: tuple[int, ...]) -> Whole:
        """For each place of an array of the given shape the sum of what goes with it."""
        checkpoint()
        pointwise = self.plan.pointwise(depth)
        # Longer by zeros where counters stop at a limit, so that each place has its own.
        reach = [a + b - 1 for a, b in zip(shape[pointwise:], inner.shape[pointwise:], strict=True)]
        return correlate(_grown(outer, (*shape[:pointwise], *reach)), inner, pointwise)


def _without(nodes: tuple[Node, ...], *positions: int) -> tuple[Node, ...]:
    return tuple(node for position, node in enumerate(nodes) if position not in positions)


def _grown(values: Whole, shape: tuple[int, ...]) -> Whole:
    """The array with zeros appended up to a shape."""
    if values.shape == shape:
        return values
    result = np.zeros(shape, dtype=object)
    result[tuple(map(slice, values.shape))] = values
    return result
