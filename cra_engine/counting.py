"""Exact counting of what a class can hold, without enumerating it.

Every proper sub-segment of a class lies inside one child of the class's node in some attribute, so all sparse
constraints reduce to one bound per child. These bounds only see how many records fall in each *orthant* (one child per
attribute that was generalized). Within an orthant the free cells merge: by Vandermonde's identity the number of ways
to place n records is ``C(V, n)`` with V the orthant's free volume. What remains is a sum over the orthants' counts,
computed by splitting one attribute after the other; a table at each split holds, per number of records and per child
of the attributes still to come, the exact whole number of ways.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.errors import TooLargeError

# Per number of records an array with one axis per child but the last of each attribute still to be split, and
# innermost a lone axis of length 1, so that a single orthant has an axis too.
Table = dict[int, NDArray[Any]]
MAX_TABLE_BYTES = 64 * 2**20


def convolve(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """The exact convolution of two arrays of non-negative whole numbers, any number of dimensions.

    The arrays are packed into one long integer each, far enough apart that no digit spills over (Kronecker
    substitution): one multiplication of long integers does the work.
    """
    if left.size == 1 or right.size == 1:
        return np.asarray(left * right)
    shape = tuple(a + b - 1 for a, b in zip(left.shape, right.shape, strict=True))
    bits = (
        max(map(int.bit_length, left.flat))
        + max(map(int.bit_length, right.flat))
        + min(left.size, right.size).bit_length()
    )
    width = bits // 8 + 1
    packed = _pack(left, shape, width) * _pack(right, shape, width)
    size = math.prod(shape)
    digits = packed.to_bytes(size * width, "little")
    result = np.empty(size, dtype=object)
    result[:] = [int.from_bytes(digits[i * width : (i + 1) * width], "little") for i in range(size)]
    return result.reshape(shape)


def _pack(values: NDArray[Any], shape: tuple[int, ...], width: int) -> int:
    spread = np.zeros(shape, dtype=object)
    spread[tuple(slice(length) for length in values.shape)] = values
    return int.from_bytes(b"".join(value.to_bytes(width, "little") for value in spread.flat), "little")


def correlate(outer: NDArray[Any], inner: NDArray[Any]) -> NDArray[Any]:
    """For each shift of ``inner`` that fits inside ``outer``: the exact sum of their products."""
    product_ = convolve(outer, inner[(slice(None, None, -1),) * inner.ndim])
    return product_[tuple(slice(b - 1, a) for a, b in zip(outer.shape, inner.shape, strict=True))]


@dataclass(frozen=True)
class _Node:
    """A split of some orthants by one attribute; a leaf is a single orthant."""

    table: Table
    children: tuple["_Node", ...]


class OrthantSum:
    """The sum over all admissible numbers of records per orthant of the product of their weights.

    Args:
        fanouts: number of children of each attribute that was generalized; orthants are in row-major order of the
            children chosen.
        weight: ``weight(orthant, n)``, the number of ways in which an orthant can hold n records.
        size: number of records of the class.
        cap: largest number of records that one child may hold.

    Raises:
        TooLargeError: the tables would need more than 64 MiB.
    """

    def __init__(self, fanouts: Sequence[int], weight: Callable[[int, int], int], size: int, cap: int) -> None:
        """See the class."""
        self.fanouts = tuple(fanouts)
        self.size = size
        self.cap = min(cap, size) if self.fanouts else size
        self.orthants = math.prod(self.fanouts)
        self._weight = weight
        self._check_size()

    def _check_size(self) -> None:
        axes = sum(fanout - 1 for fanout in self.fanouts[1:])
        largest = max(sum(self._weight(o, n) for o in range(self.orthants)) for n in range(self.cap + 1))
        total = (self.size + 1) ** axes * (largest.bit_length() * 2 // 8 + 1)
        if total > MAX_TABLE_BYTES:
            raise TooLargeError(
                f"Counting this class exactly ({self.size} records, {len(self.fanouts)} generalized attributes) needs "
                f"about {total // 2**20:,} MiB of tables; take fewer attributes, a smaller fanout or a smaller k."
            )

    @cached_property
    def _root(self) -> _Node:
        return self._split(0, 0)

    def _split(self, depth: int, first: int) -> _Node:
        if depth == len(self.fanouts):
            held = range(self.cap + 1) if depth else [self.size]
            return _Node({n: np.array([self._weight(first, n)], dtype=object) for n in held}, ())
        below = math.prod(self.fanouts[depth + 1 :])
        children = tuple(self._split(depth + 1, first + c * below) for c in range(self.fanouts[depth]))
        table: Table = {}
        for counts in self._shares(depth, len(children)):
            total = sum(counts)
            ways = children[0].table[counts[0]]
            for child, count in zip(children[1:], counts[1:], strict=True):
                ways = convolve(ways, child.table[count])
            shape = (total + 1,) * (len(children) - 1) + ways.shape
            own = table.setdefault(total, np.zeros(shape, dtype=object))
            own[counts[:-1]] = ways
        return _Node(table, children)

    def _shares(self, depth: int, children: int) -> list[tuple[int, ...]]:
        """How the records of a node may be spread over its children."""
        shares = product(range(self.cap + 1), repeat=children)
        if depth == 0:
            return [counts for counts in shares if sum(counts) == self.size]
        return [counts for counts in shares if sum(counts) <= self.cap]

    @cached_property
    def _admissible(self) -> NDArray[Any]:
        """One where no child of any attribute holds more than the cap, on the axes of the root's table."""
        axes = sum(fanout - 1 for fanout in self.fanouts)
        allowed = np.ones((self.size + 1,) * axes, dtype=bool)
        grid = np.indices(allowed.shape, sparse=True) if axes else ()
        start = 0
        for fanout in self.fanouts:
            own = grid[start : start + fanout - 1]
            last = self.size - sum(own)
            for count in (*own, last):
                allowed &= (count >= 0) & (count <= self.cap)
            start += fanout - 1
        return np.where(allowed, 1, 0).astype(object)[..., np.newaxis]

    @cached_property
    def total(self) -> int:
        """The sum itself."""
        table = self._root.table.get(self.size)
        return 0 if table is None else int((table * self._admissible).sum())

    @cached_property
    def by_orthant(self) -> list[list[int]]:
        """Per orthant and number of records n, the part of the sum in which it holds n."""
        parts: list[list[int]] = []
        self._descend(self._root, {self.size: self._admissible}, 0, parts)
        return parts

    def _descend(self, node: _Node, outside: Table, depth: int, parts: list[list[int]]) -> None:
        """Carry down, per table entry, the number of ways in which everything outside the node can be filled."""
        if not node.children:
            index = len(parts)
            top = self.size if not self.fanouts else self.cap
            parts.append([int(outside[n][0]) * self._weight(index, n) if n in outside else 0 for n in range(top + 1)])
            return
        shares = [counts for counts in self._shares(depth, len(node.children)) if sum(counts) in outside]
        for position, child in enumerate(node.children):
            below: Table = {}
            for counts in shares:
                ways = outside[sum(counts)][counts[:-1]]
                for other, count in enumerate(counts):
                    if other != position:
                        ways = correlate(ways, node.children[other].table[count])
                count = counts[position]
                below[count] = below[count] + ways if count in below else ways
            self._descend(child, below, depth + 1, parts)

    def sample(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Numbers of records per orthant (draws x orthants), each row drawn with probability proportional to its term.

        Raises:
            ValueError: the sum is 0.
        """
        if not self.total:
            raise ValueError("nothing to draw from: the sum is 0")
        root = self._root.table[self.size] * self._admissible
        places = _draw(root, rng, count)
        return self._fill(self._root, np.full(count, self.size), places, rng)

    def _fill(
        self, node: _Node, totals: NDArray[np.int64], places: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Split rows of (records, place in the node's table) over its orthants; equal rows are split together."""
        if not node.children:
            return totals[:, np.newaxis]
        own = places[:, : len(node.children) - 1]
        shares = np.column_stack([own, totals - own.sum(axis=1)])
        rest = places[:, len(node.children) - 1 :].copy()
        filled = []
        for position, child in enumerate(node.children):
            mine = rest.copy()
            if position < len(node.children) - 1:
                rows, row = np.unique(np.column_stack([shares, rest]), axis=0, return_inverse=True)
                for which, key in enumerate(rows):
                    chosen = np.flatnonzero(row.ravel() == which)
                    held = [int(share) for share in key[: len(node.children)]]
                    others = node.children[position + 1].table[held[position + 1]]
                    for later, share in zip(node.children[position + 2 :], held[position + 2 :], strict=True):
                        others = convolve(others, later.table[share])
                    ways, low = _ways_to_split(child.table[held[position]], others, key[len(node.children) :])
                    mine[chosen] = _draw(ways, rng, len(chosen)) + low
            rest -= mine
            filled.append(self._fill(child, shares[:, position], mine, rng))
        return np.concatenate(filled, axis=1)


def _ways_to_split(
    mine: NDArray[Any], others: NDArray[Any], rest: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """For each place in ``mine`` that leaves a place in ``others``: the product of both; and the first such place."""
    low = np.maximum(rest - np.array(others.shape) + 1, 0)
    high = np.minimum(rest, np.array(mine.shape) - 1)
    first = tuple(slice(int(a), int(b) + 1) for a, b in zip(low, high, strict=True))
    second = tuple(slice(int(r - b), int(r - a) + 1) for r, a, b in zip(rest, low, high, strict=True))
    return mine[first] * others[second][(slice(None, None, -1),) * others.ndim], low


def _draw(weights: NDArray[Any], rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Places (draws x axes) drawn with probability proportional to their weights.

    The weights are whole numbers of any size; each is divided by their sum exactly and rounded once.
    """
    total = int(weights.sum())
    ends = np.cumsum([int(weight) / total for weight in weights.flat])
    flat = np.searchsorted(ends, rng.random(count) * ends[-1], side="right")
    return np.stack(np.unravel_index(flat, weights.shape), axis=1)


def spread(
    counts: NDArray[np.int64],
    orthant: Sequence[int],
    volumes: Sequence[int],
    rng: np.random.Generator,
    *,
    distinct: bool = True,
) -> NDArray[np.int64]:
    """Spread records over the cells of their orthants: uniformly over raw values.

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
    for group in range(counts.shape[1]):
        cells = np.flatnonzero(np.asarray(orthant) == group)
        if not len(cells):
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


def placements(volumes: Sequence[int]) -> Callable[[int, int], int]:
    """Weights that count data sets: ``C(V, n)`` ways to place n distinct records in volume V."""
    return lambda orthant, n: math.comb(volumes[orthant], n)


def repetitions(volumes: Sequence[int], size: int) -> Callable[[int, int], int]:
    """Weights proportional to the ways to place n of ``size`` records in volume V when values may repeat: V**n / n!."""
    return lambda orthant, n: volumes[orthant] ** n * (math.factorial(size) // math.factorial(n))


def multisets(cells: Sequence[int]) -> Callable[[int, int], int]:
    """Weights that count assignments: ``C(n + f - 1, n)`` ways to spread n records over f cells."""
    return lambda orthant, n: math.comb(n + cells[orthant] - 1, n) if cells[orthant] else int(n == 0)
