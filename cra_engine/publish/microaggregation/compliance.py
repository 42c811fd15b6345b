"""Merging clusters until no cell is sensitive.

The paper leaves open how to get there (its section 4, "dynamic k-anonymity"). Two facts settle more than it says, for
contributions that are not negative:

- Two clusters in which a rule is content stay so together. Dominance: the n largest of both are at most the n largest
  of each, so at most ``r`` times each total. p %: let the largest ``c`` stand in A; what A or B adds to the rest is at
  least the rest of A, which was at least ``p c``.
- So if all records together form a sensitive cell, every partition has one: nobody can comply, not only this program.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.cells import CellRule, ClassCells, judged
from cra_engine.patience import checkpoint
from cra_engine.publish.microaggregation.distances import centred
from cra_engine.publish.microaggregation.mdav import Clusters

_CLOSE = 1e-9  # costs that differ by no more, relative to the smallest, are compared in fractions
_TRIED = 2  # nearest clusters that are asked whether they settle the matter at once; more cost more, measured


def offending(clusters: Clusters, values: NDArray[Any], rules: Sequence[CellRule]) -> NDArray[np.bool_]:
    """Return per cluster whether any rule calls any of its cells sensitive."""
    cells = ClassCells(clusters, values)
    sensitive = np.zeros(len(clusters), dtype=bool)
    for rule in rules:
        sensitive |= judged(rule, cells)[0].any(axis=1)
    return sensitive


def merged_clusters(
    clusters: Clusters,
    values: NDArray[Any],
    rules: Sequence[CellRule],
    weights: Sequence[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Clusters:
    """Merge clusters that have a sensitive cell, until none has one.

    Cluster by cluster, each that has a sensitive cell is merged with the one that adds least to the squared error, or
    with the next where only that settles the matter at once. All records together must not be
    sensitive, and no contribution negative: else there is no end to find.

    Args:
        clusters: row numbers per cluster.
        values: whole numbers, one row per record, none negative.
        rules: the rules that no cell may break.
        weights: what each column's squared differences count; 1 each where none are given.
        progress: told how many clusters were looked at, and of how many.

    >>> from cra_engine.criteria.concentration import Dominance
    >>> values = np.array([[1], [9], [8], [9], [50], [60]])
    >>> three = (np.array([0, 1]), np.array([2, 3]), np.array([4, 5]))
    >>> [rows.tolist() for rows in merged_clusters(three, values, [Dominance(1, "0.6")])]
    [[0, 1, 2, 3], [4, 5]]
    """
    places = _Places(clusters, values, weights)
    bad = offending(clusters, values, rules)
    for start in np.flatnonzero(bad).tolist():
        if progress is not None:
            progress(start, len(clusters))
        if not places.there[start] or not bad[start]:
            continue
        while bad[start]:
            checkpoint()
            near = places.nearest(start, _TRIED)
            unions = tuple(np.sort(np.concatenate([places.rows[start], places.rows[other]])) for other in near)
            still = offending(unions, values, rules)
            best = int(still.argmin())  # the first that settles it, else the nearest
            places.merge(start, near[best])
            bad[start], bad[near[best]] = still[best], False
    return tuple(rows for rows, there in zip(places.rows, places.there, strict=True) if there)


class _Places:
    """Where clusters are, and what it costs to merge two: ``m_a m_b / (m_a + m_b)`` times their squared distance."""

    def __init__(self, clusters: Clusters, values: NDArray[Any], weights: Sequence[int] | None) -> None:
        self.rows = [np.asarray(rows) for rows in clusters]
        self.there = np.ones(len(clusters), dtype=bool)
        self._weights = [1] * values.shape[1] if weights is None else list(weights)
        self._sizes = np.array([len(rows) for rows in clusters], dtype=np.int64)
        self._sums = ClassCells(clusters, centred(values)).total.copy()
        largest = max(self._weights)
        self._float_weights = np.array([float(Fraction(weight, largest)) for weight in self._weights])

    def nearest(self, start: int, count: int) -> list[int]:
        """The clusters that cost least to merge with one, the cheapest first; of equals the first."""
        sizes = self._sizes.astype(float)
        means = self._sums.astype(float) / sizes[:, None]
        costs = ((means - means[start]) ** 2 * self._float_weights).sum(axis=1) * sizes * sizes[start]
        costs /= sizes + sizes[start]
        costs[~self.there] = np.inf
        costs[start] = np.inf
        count = min(count, int(self.there.sum()) - 1)
        limit = np.partition(costs, count - 1)[count - 1]
        near = np.flatnonzero(costs <= limit * (1 + _CLOSE)).tolist()
        return sorted(near, key=lambda other: (self._cost(start, other), other))[:count]

    def _cost(self, one: int, other: int) -> Fraction:
        a, b = int(self._sizes[one]), int(self._sizes[other])
        apart = sum(
            weight * (int(y) * a - int(x) * b) ** 2
            for weight, x, y in zip(self._weights, self._sums[one], self._sums[other], strict=True)
        )
        return Fraction(apart, a * b * (a + b))

    def merge(self, one: int, other: int) -> None:
        """Put the records of another cluster into one."""
        self.rows[one] = np.sort(np.concatenate([self.rows[one], self.rows[other]]))
        self._sums[one] = self._sums[one] + self._sums[other]
        self._sizes[one] += self._sizes[other]
        self.there[other] = False
