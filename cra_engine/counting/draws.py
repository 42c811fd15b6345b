"""Drawing numbers of records per orthant, each arrangement with probability proportional to its weight.

The tables of the tree are walked from the root down: first how many records a child gets and what they add to the
counters of the other attributes, then the same inside it. Weights are exact whole numbers; each is divided by the
largest of its array and rounded once.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cra_engine.counting.axes import Counters, Orthants
from cra_engine.counting.convolution import Whole, convolve
from cra_engine.counting.tree import OrthantTree
from cra_engine.patience import checkpoint

Rows = NDArray[np.int64]
Floats = NDArray[np.float64]


class OrthantDraws:
    """Draws of records per orthant from a counting tree all of whose axes are counters."""

    def __init__(self, tree: OrthantTree, axes: Sequence[Counters]) -> None:
        self.tree = tree
        self._axes = axes
        self._known: dict[tuple[int, ...], tuple[Whole, Floats]] = {}
        self._first: tuple[list[tuple[int, tuple[int, ...]]], Floats] | None = None

    def draw(self, rng: np.random.Generator, count: int) -> Rows:
        """Numbers of records per orthant, draws x orthants."""
        left = np.full(count, self.tree.plan.size)
        used = np.zeros((count, len(self.tree.plan.shape(1, 0))), dtype=np.int64)
        filled = []
        for position, child in enumerate(self.tree.children):
            records, places = np.zeros_like(left), np.zeros_like(used)
            for key, rows in _groups(np.column_stack([left, used])):
                records[rows], places[rows] = self._pick(position, key[0], key[1:], rng, len(rows))
            filled.append(self._fill(child, records, places, 1, rng))
            left, used = left - records, used + places
        return np.concatenate(filled, axis=1)

    def _pick(
        self, position: int, left: int, used: tuple[int, ...], rng: np.random.Generator, count: int
    ) -> tuple[Rows, Rows]:
        """For one of the root's children its number of records and what they add to the counters."""
        table = self.tree.children[position].table
        if position == len(self.tree.children) - 1:
            weights = self._floats((0, position, left), table[left])[1] * self._allowed(table[left].shape, used)
            options = [(left, weights.shape)]
        elif position == 0 and self._first is not None:
            options, weights = self._first
        else:
            rest = self.tree.fold(1, self.tree.children[position + 1 :], self.tree.plan.size)
            options = [(n, ways.shape) for n, ways in table.items() if left - n in rest]
            weights = _relative(
                np.concatenate(
                    [(table[n] * self.tree.close(rest[left - n], shape, used)).ravel() for n, shape in options]
                )
            )
            if position == 0:
                self._first = options, weights
        chosen = _draw(weights.ravel(), rng, count)
        starts = np.cumsum([0, *(math.prod(shape) for _, shape in options)])
        which = np.searchsorted(starts, chosen, side="right") - 1
        places = np.zeros((count, len(used)), dtype=np.int64)
        for i, (_, shape) in enumerate(options):
            own = which == i
            places[own] = np.column_stack(np.unravel_index(chosen[own] - starts[i], shape))
        return np.array([n for n, _ in options])[which], places

    def _allowed(self, shape: tuple[int, ...], used: tuple[int, ...]) -> NDArray[np.bool_]:
        """The places of the root's last child that keep the bounds with what the others hold."""
        result = np.ones(shape, dtype=bool)
        start = 0
        for axis in self._axes:
            stop = start + axis.fanout - 1
            allowed = np.zeros(shape[start:stop], dtype=bool)
            ends = zip(used[start:stop], allowed.shape, strict=True)
            inside = axis.allowed[tuple(slice(held, held + length) for held, length in ends)]
            allowed[tuple(map(slice, inside.shape))] = inside
            result &= allowed.reshape((1,) * start + allowed.shape + (1,) * (len(shape) - stop))
            start = stop
        return result

    def _fill(self, node: Orthants, totals: Rows, places: Rows, depth: int, rng: np.random.Generator) -> Rows:
        """Split rows of (records, place in the node's table) over its orthants; equal rows are split together."""
        if not node.children:
            return totals[:, np.newaxis]
        many = len(node.children)
        own = places[:, : many - 1]
        shares = np.column_stack([own, totals - own.sum(axis=1)])
        rest = places[:, many - 1 :].copy()
        filled = []
        for position, child in enumerate(node.children):
            mine = rest.copy()
            if position < many - 1:
                for key, rows in _groups(np.column_stack([shares[:, position:], rest])):
                    counts, place = key[: many - position], key[many - position :]
                    mine[rows] = self._share(node, position, counts, place, depth, rng, len(rows))
            rest -= mine
            filled.append(self._fill(child, shares[:, position], mine, depth + 1, rng))
        return np.concatenate(filled, axis=1)

    def _share(
        self,
        node: Orthants,
        position: int,
        counts: tuple[int, ...],
        place: tuple[int, ...],
        depth: int,
        rng: np.random.Generator,
        draws: int,
    ) -> Rows:
        """The addition of a child to the counters, where it and its later siblings add ``place`` together."""
        mine = self._floats((id(node), position, counts[0]), node.children[position].table[counts[0]])
        others = self._product(node, position + 1, counts[1:], depth)
        low = [max(at - length + 1, 0) for at, length in zip(place, others[0].shape, strict=True)]
        high = [min(at, length - 1) for at, length in zip(place, mine[0].shape, strict=True)]
        first = tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))
        second = tuple(slice(at - b, at - a + 1) for at, a, b in zip(place, low, high, strict=True))
        turned = (slice(None, None, -1),) * len(place)
        weights = mine[1][first] * others[1][second][turned]
        if not weights.any():  # too small for floats, not for whole numbers
            weights = _relative(mine[0][first] * others[0][second][turned])
        chosen = _draw(weights.ravel(), rng, draws)
        return np.asarray(np.column_stack(np.unravel_index(chosen, weights.shape)) + np.array(low))

    def _product(self, node: Orthants, position: int, counts: tuple[int, ...], depth: int) -> tuple[Whole, Floats]:
        """The ways in which the children of a node from a position on hold these numbers of records."""
        key = (id(node), position, *counts)
        if key not in self._known:
            ways = node.children[position].table[counts[0]]
            if len(counts) > 1:
                ways = convolve(
                    ways, self._product(node, position + 1, counts[1:], depth)[0], most=self.tree.plan.most(depth + 1)
                )
            return self._floats(key, ways)
        return self._known[key]

    def _floats(self, key: tuple[int, ...], ways: Whole) -> tuple[Whole, Floats]:
        if key not in self._known:
            self._known[key] = ways, _relative(ways)
        return self._known[key]


def _groups(rows: Rows) -> Iterator[tuple[tuple[int, ...], Rows]]:
    """Each different row with the positions where it stands."""
    # A row as one number, which sorts much faster; counters are small, so it fits.
    sides = (rows.max(axis=0, initial=0) + 1).tolist()
    codes = np.ravel_multi_index(tuple(rows.T), sides) if math.prod(sides) < 2**62 else _numbered(rows)
    order = np.argsort(codes, kind="stable")
    ends = np.flatnonzero(np.diff(codes[order], append=-1)) + 1
    start = 0
    for end in ends.tolist():
        checkpoint()
        yield tuple(rows[order[start]].tolist()), order[start:end]
        start = end


def _numbered(rows: Rows) -> Rows:
    """Per row its place among the different ones."""
    return np.asarray(np.unique(rows, axis=0, return_inverse=True)[1].ravel())


def _relative(weights: Whole) -> Floats:
    """Whole numbers of any size as parts of the largest."""
    largest = max(weights.flat)
    return np.array([weight / largest if weight else 0.0 for weight in weights.flat]).reshape(weights.shape)


def _draw(weights: Floats, rng: np.random.Generator, count: int) -> Rows:
    ends = np.cumsum(weights)
    return np.asarray(np.searchsorted(ends, rng.random(count) * ends[-1], side="right"))
