"""Algorithm 2: which records each published row stands for, one of every bucket, at little loss."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.choices import MatchMethod
from cra_engine.patience import checkpoint
from cra_engine.publish.heterogeneous.assignments import assign

MOST_AT_ONCE = 2_000_000  # costs, or prices of categories, of one stack of bucket pairs

FEW = 64  # bucket size up to which the categories of all pairs are looked up one by one

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Places:
    """The places of all buckets to match, bucket after bucket, a record or a dummy in each.

    Attributes:
        buckets: number of buckets.
        size: places in a bucket.
        numeric: numbers as shares of their column's range, NaN for dummies; shape (numeric columns, places).
        categories: codes of categories, -1 for dummies; shape (categorical columns, places).
        cardinalities: distinct values per categorical column, in the whole table.
        real: which places hold a record; shape (places,).
        split: a number for the sensitive value where it must not come twice to a row and lies in several buckets, else
            -1; shape (places,).
    """

    buckets: int
    size: int
    numeric: NDArray[np.float64]
    categories: NDArray[np.int64]
    cardinalities: Sequence[int]
    real: NDArray[np.bool_]
    split: NDArray[np.int64]


class Extension:
    """The extents of heterogeneous rows while they take one match after the other.

    Args:
        places: what lies where.

    Attributes:
        low, high: smallest and largest number of a row's matches; shape (numeric columns, places).
        held: per categorical column which categories a row's matches have; shape (places, cardinality).
    """

    def __init__(self, places: Places) -> None:
        """Each row holds itself alone; a dummy's row holds nothing."""
        self._places = places
        everybody = np.arange(places.buckets * places.size)
        self.low = np.full(places.numeric.shape, np.inf)
        self.high = np.full(places.numeric.shape, -np.inf)
        self.held = [np.zeros((len(everybody), many), dtype=bool) for many in places.cardinalities]
        self._empty = np.ones(len(everybody), dtype=bool)
        self._seen = np.zeros((len(everybody), int(places.split.max(initial=-1)) + 1), dtype=bool)
        self._loss = np.zeros(len(everybody))
        self.take(everybody, everybody, np.zeros(len(everybody)))

    def costs(self, rows: Whole, records: Whole) -> Real:
        """Sum of NCP over attributes of each row's extent enlarged by each record: the paper's cost matrix.

        Args:
            rows: shape (pairs of buckets, size).
            records: places, shape (pairs of buckets, size).

        Returns:
            Shape (pairs, size, size); infinity where a row has seen the record's sensitive value and must not again.
        """
        costs = np.repeat(self._loss[rows][:, :, None], records.shape[1], axis=2)
        beyond = np.empty_like(costs)
        empty = self._empty[rows]  # whatever comes first costs such a row nothing
        for numbers, low, high in zip(self._places.numeric, self.low, self.high, strict=True):
            value = numbers[records][:, None, :]
            np.subtract(value, np.where(empty, np.inf, high[rows])[:, :, None], out=beyond)
            costs += np.fmax(beyond, 0, out=beyond)  # of a dummy's NaN it takes 0
            np.subtract(np.where(empty, -np.inf, low[rows])[:, :, None], value, out=beyond)
            costs += np.fmax(beyond, 0, out=beyond)
        for codes, held in zip(self._places.categories, self.held, strict=True):
            if held.shape[1] > 1:
                _add_new_categories(costs, held, rows, codes[records], empty)
        if self._seen.shape[1]:
            split = self._places.split[records]
            seen = self._seen[rows[:, :, None], np.maximum(split, 0)[:, None, :]]
            costs[seen & (split >= 0)[:, None, :]] = np.inf
        return costs

    def take(self, rows: Whole, records: Whole, losses: Real) -> None:
        """Enlarge the extent of each row by one record; no row twice.

        Args:
            rows: places.
            records: the place of each row's new match.
            losses: each row's sum of NCP with it.
        """
        for numbers, low, high in zip(self._places.numeric, self.low, self.high, strict=True):
            low[rows] = np.fmin(low[rows], numbers[records])
            high[rows] = np.fmax(high[rows], numbers[records])
        real = self._places.real[records]
        for codes, held in zip(self._places.categories, self.held, strict=True):
            held[rows[real], codes[records[real]]] = True
        known = self._places.split[records] >= 0
        self._seen[rows[known], self._places.split[records][known]] = True
        self._empty[rows[real]] = False
        self._loss[rows] = losses

    def loss(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Sum of NCP over attributes of each row's extent."""
        total = np.zeros(len(rows))
        for low, high in zip(self.low, self.high, strict=True):
            total += np.maximum(high[rows] - low[rows], 0)
        for held in self.held:
            if held.shape[1] > 1:
                total += np.maximum(held[rows].sum(axis=1) - 1, 0) / (held.shape[1] - 1)
        return total


def match(
    places: Places,
    method: MatchMethod,
    buckets: Sequence[int] | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[NDArray[np.int32], Extension]:
    """Match every row with itself, then with one from each further bucket in turn (Algorithm 2).

    A row's choices hang on its own extent alone and a bucket's rows choose among themselves, so all buckets take their
    x-th match at once instead of one bucket after the other; the outcome is the paper's.

    Args:
        places: what lies in which bucket.
        method: how matches of a bucket pair are chosen.
        buckets: the buckets whose rows are to be matched; all by default.
        progress: told how many bucket pairs have just been matched.

    Returns:
        Per place the place of its match in each bucket, shape (places, buckets), its own in its own bucket (rows of
        other buckets: -1), and the rows' extents.
    """
    mu, size = places.buckets, places.size
    ours = np.arange(mu) if buckets is None else np.array(buckets)
    extension = Extension(places)
    everybody = np.arange(mu * size)
    matches = np.full((mu * size, mu), -1, dtype=np.int32)
    matches[everybody, everybody // size] = everybody
    inside = np.arange(size)
    for step in range(1, mu):
        for some in _stacks(ours, size, places.cardinalities):
            checkpoint()
            others = (some + step) % mu
            rows, records = some[:, None] * size + inside, others[:, None] * size + inside
            costs = extension.costs(rows, records)
            columns = assign(costs, method)
            chosen = np.take_along_axis(records, columns, axis=1)
            losses = np.take_along_axis(costs, columns[:, :, None], axis=2)
            matches[rows, others[:, None]] = chosen
            extension.take(rows.ravel(), chosen.ravel(), losses.ravel())
            if progress is not None:
                progress(len(some))
    return matches, extension


def _add_new_categories(
    costs: Real, held: NDArray[np.bool_], rows: Whole, wanted: Whole, empty: NDArray[np.bool_]
) -> None:
    """Add what one more category costs each row that does not hold it; -1, a dummy's, costs nothing."""
    more = 1 / (held.shape[1] - 1)
    if wanted.shape[1] <= FEW:
        new = ~held[rows[:, :, None], wanted[:, None, :]]
        new &= (wanted >= 0)[:, None, :]
        new[empty] = False
        costs += new * more
        return
    # In large buckets categories come many times: what each would cost each row is written down first.
    for at, (own, asked, nothing) in enumerate(zip(rows, wanted, empty, strict=True)):
        price = np.zeros((len(own), held.shape[1] + 1))  # the last column is the dummies'
        price[:, :-1] = ~held[own]
        price[nothing] = 0
        costs[at] += np.take(price * more, asked, axis=1, mode="wrap")


def _stacks(buckets: NDArray[Any], size: int, cardinalities: Sequence[int]) -> Iterator[NDArray[Any]]:
    at_once = max(1, MOST_AT_ONCE // (size * max(size, *cardinalities, 1)))
    for start in range(0, len(buckets), at_once):
        yield buckets[start : start + at_once]
