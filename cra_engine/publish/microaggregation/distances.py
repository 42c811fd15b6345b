"""Finds the farthest and the nearest records, decided exactly though computed with floats.

A squared distance from ``y`` orders as ``|x|^2 - 2 x.y``, one product of a matrix and a vector. Where all numbers are
so small that every partial sum is a whole number below 2**53, floats hold it without an error, in whatever order the
library sums. Otherwise each result comes with a bound of its error, and records that the bounds cannot tell apart are
compared in whole numbers.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isqrt, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

_EXACT = 2**53  # up to here every whole number is a double
_OUT = 1e300  # more than any value of a record, exact or not
_INT64 = 2**62
_ONE_THREAD = 9000  # numbers of a block: OpenBLAS takes another thread for 9216 and more
_FEW = 8  # nearest records that are found one by one faster than by sorting out


class Remaining:
    """The records not yet in a cluster, and how far they are apart; the first of equals is always taken.

    Args:
        values: whole numbers, one row per record; int64 or Python ints.
        weights: what a column's squared differences count, positive whole numbers; 1 each where none are given.

    >>> remaining = Remaining(np.array([[0], [1], [9], [-8]]))
    >>> remaining.farthest_from_centroid(), remaining.farthest_from(2)
    (2, 3)
    >>> remaining.take(0, 2).tolist(), remaining.left().tolist()
    ([0, 1], [2, 3])
    """

    def __init__(self, values: NDArray[Any], weights: Sequence[int] | None = None) -> None:
        """See the class."""
        self._values = centred(values)
        self._weights = [1] * values.shape[1] if weights is None else list(weights)
        self.count = len(values)
        self.rows = np.arange(len(values))  # of the records in the matrix, those taken among them
        self._sums = self._values.sum(axis=0)
        columns = values.shape[1]
        between, from_centroid = self._fits()
        self._exact = between and set(self._weights) <= {1}
        self._exact_centroid = from_centroid and self._exact
        # Per record its numbers, its squared length, its length, and 1 once it was taken.
        matrix = np.zeros((len(values), columns + 3))
        self._scale = np.ones(columns)
        if not self._exact:
            self._scale = _scales(self._values, self._weights)
        own = matrix[:, :columns]
        np.multiply(self._values.astype(float), self._scale, out=own)
        matrix[:, columns] = np.einsum("ij,ij->i", own, own)
        matrix[:, columns + 1] = np.sqrt(matrix[:, columns])
        self._blocks = _blocks(matrix)
        # Rounding of the numbers, their products and their sums, each at most 2**-53 of its size, many times over.
        self._error = (columns + 16) * 2.0**-49

    def _fits(self) -> tuple[bool, bool]:
        """Whether whatever a distance between records, and from their centroid, is computed from is below 2**53."""
        sizes = [int(largest) for largest in np.abs(self._values).max(axis=0)]
        lengths = sum(size * size for size in sizes)
        sums = sum(size * int(total) for size, total in zip(sizes, np.abs(self._values).sum(axis=0), strict=True))
        return 3 * lengths < _EXACT, self.count * lengths + 2 * sums < _EXACT

    def farthest_from_centroid(self) -> int:
        """The record farthest from the mean of those that remain."""
        if self._exact_centroid:  # by count * |x|^2 - 2 x.sum, whole numbers
            return self._farthest(self._sums.astype(float), float(self.count), None, exact=True)
        means = [float(Fraction(int(total), self.count)) for total in self._sums]
        return self._farthest(np.array(means) * self._scale, 1.0, None, exact=False)

    def farthest_from(self, row: int) -> int:
        """The record farthest from another."""
        return self._farthest(self._point(row), 1.0, row, exact=self._exact)

    def take(self, row: int, k: int) -> NDArray[np.int64]:
        """Take out the ``k`` records nearest to one that need not remain; their rows, ascending."""
        at = self._nearest(row, k)
        rows: NDArray[np.int64] = self.rows[at]
        size = self._blocks.shape[2]
        self._blocks[at // size, -1, at % size] = 1.0
        self._sums -= np.add.reduce(self._values[rows])
        self.count -= k
        if self.count * 4 < len(self.rows) * 3:
            left = self._left()
            matrix = self._blocks.transpose(0, 2, 1).reshape(-1, self._blocks.shape[1])
            self._blocks, self.rows = _blocks(matrix[: len(left)][left]), self.rows[left]
        return rows

    def left(self) -> NDArray[np.int64]:
        """The records that remain, ascending."""
        rows: NDArray[np.int64] = self.rows[self._left()]
        return rows

    def _left(self) -> NDArray[np.bool_]:
        remaining: NDArray[np.bool_] = self._blocks[:, -1].ravel()[: len(self.rows)] == 0.0
        return remaining

    def _nearest(self, row: int, k: int) -> NDArray[np.int64]:
        """Returns where the ``k`` nearest records stand in the matrix, ascending."""
        low, high = self._bounds(self._point(row), 1.0, _OUT, exact=self._exact)
        if self._exact and k <= _FEW:
            nearest = []
            for _ in range(k):
                first = int(low.argmin())
                nearest.append(first)
                low[first] = _OUT
            return np.array(sorted(nearest))
        at = np.flatnonzero(low <= np.partition(high, k - 1)[k - 1])
        if len(at) > k:
            if self._exact:
                at = at[np.argsort(low[at], kind="stable")[:k]]
            else:
                distances = self._exactly(at, row)
                at = at[sorted(range(len(at)), key=distances.__getitem__)[:k]]
            at.sort()
        return at

    def _point(self, row: int) -> NDArray[np.float64]:
        """A record as it stands in the matrix."""
        own: NDArray[np.float64] = self._values[row].astype(float)
        return own if self._exact else own * self._scale

    def _bounds(
        self, point: NDArray[np.float64], times: float, out: float, *, exact: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Between which numbers ``times * |x|^2 - 2 x.point`` lies, per record; ``out`` for those taken."""
        vector = np.zeros(len(point) + 3)
        np.multiply(point, -2.0, out=vector[:-3])
        vector[-3], vector[-1] = times, out
        if exact:
            product = self._product(vector)
            return product, product
        error = np.zeros(len(vector))
        error[-3:-1] = self._error, 2.0 * self._error * sqrt(float(point @ point))
        return self._product(vector - error), self._product(vector + error)

    def _product(self, vector: NDArray[np.float64]) -> NDArray[np.float64]:
        product: NDArray[np.float64] = np.matmul(vector, self._blocks).ravel()
        return product

    def _farthest(self, point: NDArray[np.float64], times: float, row: int | None, *, exact: bool) -> int:
        low, high = self._bounds(point, times, -_OUT, exact=exact)
        first = int(low.argmax())
        if not exact:
            at = np.flatnonzero(high >= low[first])
            if len(at) > 1:
                distances = self._exactly(at, row)
                first = int(at[distances.index(max(distances))])
        return int(self.rows[first])

    def _exactly(self, at: NDArray[np.int64], row: int | None) -> list[int]:
        """Squared distances from a record, or from the mean of those that remain, times what makes them whole."""
        point = [int(number) for number in (self._sums if row is None else self._values[row])]
        times = self.count if row is None else 1
        return [
            sum(w * (times * x - y) ** 2 for w, x, y in zip(self._weights, numbers, point, strict=True))
            for numbers in self._values[self.rows[at]].tolist()
        ]


def _blocks(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """A matrix of records in blocks, column by column: shape (blocks, columns, records of a block).

    So small that the library multiplies each in one thread: with several they wait for each other longer than the
    product takes, on a busy machine a hundred times as long. Rows that fill up the last block count as taken.
    """
    records, columns = matrix.shape
    size = max(1, min(records, _ONE_THREAD // columns))
    count = max(1, -(-records // size))
    padded = np.zeros((count * size, columns))
    padded[:records] = matrix
    padded[records:, -1] = 1.0
    return np.ascontiguousarray(padded.reshape(count, size, columns).transpose(0, 2, 1))


def centred(values: NDArray[Any]) -> NDArray[Any]:
    """Centre the numbers to cluster on the middle of their column, divided by what divides all: order stays."""
    ordered = np.sort(values, axis=0)
    moved = values - ordered[len(values) // 2]
    if moved.dtype != object:
        divisor = int(np.gcd.reduce(moved, axis=None))
        if int(np.abs(moved).max(initial=0)) * len(moved) >= _INT64:
            moved = moved.astype(object)
    else:
        divisor = gcd(*moved.ravel().tolist())
    quotient: NDArray[Any] = moved // divisor if divisor > 1 else moved
    return quotient


def _scales(values: NDArray[Any], weights: Sequence[int]) -> NDArray[np.float64]:
    """By what to multiply each column so that differences count as weighted, and no number is above 1."""
    largest = [max(map(abs, column.tolist())) for column in values.T]
    most = max((size * size * weight for size, weight in zip(largest, weights, strict=True)), default=1) or 1
    return np.array([_square_root(weight, most) for weight in weights])


def _square_root(number: int, divisor: int) -> float:
    """The square root of a fraction with 60 bits and more, whatever its size."""
    half = max(0, (divisor.bit_length() - number.bit_length()) // 2) + 64
    return float(Fraction(isqrt((number << 2 * half) // divisor), 1 << half))
