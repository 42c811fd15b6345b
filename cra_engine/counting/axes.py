"""Axes of a table of some orthants, for an attribute that is still to be split: two kinds.

- :class:`Counters`: how many records each child but the last holds.
- :class:`Violations`: nothing, or how many lie *outside* one child that breaks the bound. Where at most one child can
  hold more than the cap, the arrangements that keep the bound are all arrangements less those that break it at the
  first child, at the second, and so on. Only few can lie outside such a child, so the axis is short: this pays off for
  three or more children, or for sizes just above the cap.

Each kind knows how the tables of an attribute's children join into one (:meth:`Axis.joined`), what surrounds one of
them (:meth:`Axis.beside`), and which halves keep the bounds together (:meth:`Axis.close`).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.counting.convolution import Whole
from cra_engine.patience import checkpoint

CountTable = dict[int, Whole]
"""Per number of records an array: the axes of the attributes still to be split, and a lone last one of length 1."""
Place = tuple[int, ...]
"""An attribute's own place on its axes."""


@dataclass(frozen=True)
class Orthants:
    """A counting tree's node: some orthants together; a leaf is a single one."""

    table: CountTable
    children: tuple["Orthants", ...]


class Products(Protocol):
    """How the counting tables of nodes of one depth are multiplied."""

    def fold(self, depth: int, nodes: tuple[Orthants, ...], most: int) -> CountTable:
        """The table of some nodes together, up to a number of records."""

    def products(self, depth: int, nodes: Sequence[Orthants]) -> Iterator[tuple[tuple[int, ...], Whole]]:
        """All numbers of records in some nodes, together no more than the cap, with the ways to have them."""

    def convolve(self, depth: int, left: Whole, right: Whole) -> Whole:
        """The product of two tables' arrays."""


class Surroundings(NamedTuple):
    """What surrounds one of some sibling nodes of orthants in a counting table.

    Attributes:
        held: records in the one.
        total: records in all of them.
        place: where what is outside all of them is looked up.
        sign: to add or to take away.
        ways: how the others can be filled.
    """

    held: int
    total: int
    place: Place
    sign: int
    ways: Whole


class Axis(Protocol):
    """An axis of a counting table of orthants, for an attribute that is still to be split."""

    @property
    def fanout(self) -> int:
        """Number of the attribute's children."""

    @property
    def pointwise(self) -> int:
        """Returns how many of its axes are multiplied entry by entry."""

    def lengths(self, records: int) -> tuple[int, ...]:
        """Lengths of the axes in a table's array for so many records: first those multiplied entry by entry."""

    def multiplications(self, first: int, second: int) -> int:
        """Returns how often arrays for so many records are multiplied to join the children into a node."""

    def joined(self, of: Products, depth: int, children: tuple[Orthants, ...]) -> Iterator[tuple[int, Place, Whole]]:
        """The children, nodes of this depth, as one node: per number of records and place the ways."""

    def beside(self, of: Products, depth: int, children: tuple[Orthants, ...], position: int) -> Iterator[Surroundings]:
        """The surroundings of one of the children."""

    def close(self, ways: Whole, axes: Place, lengths: Place, used: Place | None = None) -> Whole:
        """For each place of the one half the sum over the places of the other that keep the bound with it.

        Args:
            ways: the other half.
            axes: which of its axes are this attribute's.
            lengths: how long they are in the one half.
            used: what is held besides by neither half.
        """


@dataclass(frozen=True)
class Counters:
    """A counting table's axes for an attribute: the records in each child but the last."""

    fanout: int
    size: int
    cap: int

    pointwise = 0

    def lengths(self, records: int) -> tuple[int, ...]:
        """See :class:`Axis`."""
        return (min(records, self.cap) + 1,) * (self.fanout - 1)

    def multiplications(self, first: int, _second: int) -> int:
        """See :class:`Axis`."""
        return sum(math.comb(first + many - 1, many - 1) for many in range(1, self.fanout))

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """Returns whether all children keep the bound, by the records in each but the last."""
        held = np.indices((self.cap + 1,) * (self.fanout - 1))
        last = self.size - held.sum(axis=0)
        return np.asarray((last >= 0) & (last <= self.cap))

    def joined(self, of: Products, depth: int, children: tuple[Orthants, ...]) -> Iterator[tuple[int, Place, Whole]]:
        """See :class:`Axis`."""
        for counts, ways in of.products(depth, children):
            yield sum(counts), counts[:-1], ways

    def beside(self, of: Products, depth: int, children: tuple[Orthants, ...], position: int) -> Iterator[Surroundings]:
        """See :class:`Axis`."""
        for rest, ways in of.products(depth, other_nodes(children, position)):
            for count in children[position].table:
                counts = (*rest[:position], count, *rest[position:])
                yield Surroundings(count, sum(counts), counts[:-1], 1, ways)

    def close(self, ways: Whole, axes: Place, lengths: Place, used: Place | None = None) -> Whole:
        """See :class:`Axis`."""
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
    """A counting table's axes for an attribute: no child, or one that breaks the bound and the records outside it."""

    fanout: int
    size: int
    cap: int

    pointwise = 1

    @property
    def excess(self) -> int:
        """The most records that can lie outside a child that holds more than the cap."""
        return self.size - self.cap - 1

    def lengths(self, records: int) -> tuple[int, ...]:
        """See :class:`Axis`."""
        return (self.fanout + 1, min(records, self.excess) + 1)

    def multiplications(self, first: int, second: int) -> int:
        """See :class:`Axis`."""
        fanout = self.fanout
        return fanout - 1 + fanout * (second <= self.excess) + fanout * (fanout - 2) * (first + second <= self.excess)

    def joined(self, of: Products, depth: int, children: tuple[Orthants, ...]) -> Iterator[tuple[int, Place, Whole]]:
        """See :class:`Axis`."""
        for total, ways in of.fold(depth, children, self.cap).items():
            yield total, (0, 0), ways
        for position, child in enumerate(children):
            others = of.fold(depth, other_nodes(children, position), self.excess)
            for (outside, ways), (inside, more) in product(others.items(), child.table.items()):
                if inside + outside <= self.cap:
                    yield inside + outside, (position + 1, outside), of.convolve(depth, more, ways)

    def beside(self, of: Products, depth: int, children: tuple[Orthants, ...], position: int) -> Iterator[Surroundings]:
        """See :class:`Axis`."""
        for count in children[position].table:
            for rest, ways in of.fold(depth, other_nodes(children, position), self.cap).items():
                yield Surroundings(count, count + rest, (0, 0), 1, ways)
                if rest <= self.excess:
                    yield Surroundings(count, count + rest, (position + 1, rest), -1, ways)
        for other, full in enumerate(children):
            if other == position:
                continue
            beside = of.fold(depth, other_nodes(children, position, other), self.excess)
            for (rest, ways), (inside, more) in product(beside.items(), full.table.items()):
                both = of.convolve(depth, more, ways)
                for count in children[position].table:
                    if count + rest <= self.excess:
                        yield Surroundings(count, count + rest + inside, (other + 1, count + rest), -1, both)

    def close(self, ways: Whole, axes: Place, lengths: Place, used: Place | None = None) -> Whole:
        """See :class:`Axis`."""
        used = (0,) * len(axes) if used is None else used
        return _window(ways, axes[1], lengths[1], 0, self.excess - used[1])


def _window(ways: Whole, axis: int, length: int, low: int, high: int) -> Whole:
    """For each place from 0 to ``length`` the sum over the places that add up with it to ``low`` up to ``high``."""
    ends = np.cumsum(ways, axis=axis, dtype=object)
    ends = np.concatenate([np.zeros_like(ends.take([0], axis)), ends], axis)
    most = ends.shape[axis] - 1
    own = np.arange(length)
    stop = np.clip(high + 1 - own, 0, most)
    start = np.minimum(np.clip(low - own, 0, most), stop)
    return np.asarray(ends.take(stop, axis) - ends.take(start, axis))


def other_nodes(nodes: tuple[Orthants, ...], *positions: int) -> tuple[Orthants, ...]:
    """Return the nodes of orthants but for those at some positions."""
    return tuple(node for position, node in enumerate(nodes) if position not in positions)
