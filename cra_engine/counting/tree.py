"""Sums over the numbers of records per orthant, each child holding at most so many: a tree that splits by attribute.

Nodes of the tree are sets of orthants: the root all of them, its children those of one child of the first attribute,
and so on; leaves are single orthants. A node's table says, per number of records inside and per what the attributes
still to be split have to know, in how many ways that can be. What they have to know are the table's axes; see
:mod:`cra_engine.counting.axes`.

The root needs no axis, since its children's numbers of records are enumerated. Nor is its table ever made, the largest
by far: two halves of its children are held against each other, by sums over the window that one leaves the other.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from propcache.api import cached_property

from cra_engine.counting.axes import Axis, CountTable, Orthants, other_nodes
from cra_engine.counting.convolution import Whole, convolution_seconds, convolve, correlate
from cra_engine.patience import checkpoint


@dataclass(frozen=True)
class SplitPlan:
    """The plan of a counting tree: the attributes in the order in which they are split, the first without an axis.

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
                    once = convolution_seconds(*shapes, self.pointwise(depth + 1), int(bits[first] + bits[second]))
                    work += once * self.axes[depth - 1].multiplications(first, second)
            for records in numbers:
                own += math.prod(self.shape(depth, records)) * (50 + bits[records] / 8)
            time += nodes[depth] * (work + own * 1e-9)
            space += nodes[depth] * own
        time += self._estimate_root(bits)
        return time, space

    def _estimate_root(self, bits: Sequence[float]) -> float:
        time = 0.0
        for children in (self.fanouts[0] // 2, -(-self.fanouts[0] // 2)):
            for more in range(1, children):
                for first, second in product(range(self.cap + 1), range(min(more * self.cap, self.size) + 1)):
                    if first + second <= self.size:
                        shapes = self.shape(1, first), self.shape(1, second)
                        width = bits[first] + bits[min(second, len(bits) - 1)] * max(1, second / self.cap)
                        time += convolution_seconds(*shapes, self.pointwise(1), int(width))
        for records in range(min(self.cap, self.size) + 1):
            time += math.prod(self.shape(1, records)) * (4e-7 + 1e-7 * len(self.axes))
        return time


class OrthantTree:
    """The exact sum over numbers of records per orthant that keep the bounds, of the product of their weights.

    Args:
        plan: how to count.
        rows: per orthant (in row-major order of the plan's attributes) and number of records from 0 to the cap its
            weight.
    """

    def __init__(self, plan: SplitPlan, rows: Sequence[Sequence[int]]) -> None:
        self.plan = plan
        self._rows = rows
        kinds = {tuple(row): kind for kind, row in reversed(list(enumerate(rows)))}
        self._kinds = [kinds[tuple(row)] for row in rows]
        self._known: dict[tuple[int, ...], Orthants] = {}
        self._folded: dict[tuple[int, ...], CountTable] = {}

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
    def children(self) -> tuple[Orthants, ...]:
        """The root's children."""
        below = self._below(1)
        return tuple(self._split(1, child * below) for child in range(self.plan.fanouts[0]))

    def _split(self, depth: int, first: int) -> Orthants:
        below = self._below(depth)
        kind = tuple(self._kinds[first : first + below])
        if kind not in self._known:
            self._known[kind] = self._make(depth, first)
        return self._known[kind]

    def _make(self, depth: int, first: int) -> Orthants:
        if depth == len(self.plan.fanouts):
            row = self._rows[first]
            return Orthants({n: np.array([weight], dtype=object) for n, weight in enumerate(row) if weight}, ())
        below = self._below(depth + 1)
        children = tuple(self._split(depth + 1, first + child * below) for child in range(self.plan.fanouts[depth]))
        table: CountTable = {}
        for total, place, ways in self.plan.axes[depth - 1].joined(self, depth + 1, children):
            if total not in table:
                table[total] = np.zeros(self.plan.shape(depth, total), dtype=object)
            table[total][self.plan.own_index(depth, place)] = ways
        return Orthants(table, children)

    def products(self, depth: int, nodes: Sequence[Orthants]) -> Iterator[tuple[tuple[int, ...], Whole]]:
        """All numbers of records in some sibling nodes, together no more than the cap, with the ways to have them."""
        if len(nodes) == 1:
            yield from (((count,), ways) for count, ways in nodes[0].table.items())
            return
        for counts, ways in self.products(depth, nodes[:-1]):
            for count, more in nodes[-1].table.items():
                if sum(counts) + count <= self.plan.cap:
                    yield (*counts, count), self.convolve(depth, ways, more)

    def convolve(self, depth: int, left: Whole, right: Whole) -> Whole:
        """The product of two tables' arrays at a depth."""
        checkpoint()
        return convolve(left, right, self.plan.pointwise(depth), self.plan.most(depth))

    def fold(self, depth: int, nodes: tuple[Orthants, ...], most: int) -> CountTable:
        """The table of some nodes of a depth together, up to a number of records."""
        if not nodes:
            return {0: np.ones(self.plan.shape(depth, 0), dtype=object)}
        if len(nodes) == 1:
            return {records: ways for records, ways in nodes[0].table.items() if records <= most}
        key = (most, *map(id, nodes))
        if key not in self._folded:
            half = len(nodes) // 2
            table: CountTable = {}
            for first, ways in self.fold(depth, nodes[:half], most).items():
                for second, more in self.fold(depth, nodes[half:], most).items():
                    total = first + second
                    if total <= most:
                        both = self.convolve(depth, ways, more)
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
            others = self.fold(1, other_nodes(self.children, position), self.plan.size)
            outside = {
                records: self.close(others[self.plan.size - records], ways.shape)
                for records, ways in child.table.items()
                if self.plan.size - records in others
            }
            self._descend(child, outside, 1, parts)
        return parts

    def _descend(self, node: Orthants, outside: CountTable, depth: int, parts: list[list[int]]) -> None:
        """Carry down, per table entry, the number of ways in which everything outside the node can be filled."""
        if not node.children:
            row = self._rows[len(parts)]
            parts.append([int(outside[n][0]) * weight if n in outside else 0 for n, weight in enumerate(row)])
            return
        axis = self.plan.axes[depth - 1]
        for position, child in enumerate(node.children):
            below: CountTable = {}
            for count, total, place, sign, ways in axis.beside(self, depth + 1, node.children, position):
                if total in outside:
                    seen = outside[total][self.plan.own_index(depth, place)]
                    result = sign * self._correlate(depth + 1, seen, ways, child.table[count].shape)
                    below[count] = below[count] + result if count in below else result
            self._descend(child, below, depth + 1, parts)

    def _correlate(self, depth: int, outer: Whole, inner: Whole, shape: tuple[int, ...]) -> Whole:
        """For each place of an array of the given shape the sum of what goes with it."""
        checkpoint()
        pointwise = self.plan.pointwise(depth)
        # Longer by zeros where counters stop at a limit, so that each place has its own.
        reach = [a + b - 1 for a, b in zip(shape[pointwise:], inner.shape[pointwise:], strict=True)]
        return correlate(_grown(outer, (*shape[:pointwise], *reach)), inner, pointwise)


def _grown(values: Whole, shape: tuple[int, ...]) -> Whole:
    """The array with zeros appended up to a shape."""
    if values.shape == shape:
        return values
    result = np.zeros(shape, dtype=object)
    result[tuple(map(slice, values.shape))] = values
    return result
