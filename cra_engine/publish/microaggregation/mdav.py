"""MDAV, "maximum distance to average vector": clusters around the records farthest from the middle."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.patience import checkpoint
from cra_engine.publish.microaggregation.distances import Remaining

Clusters = tuple[NDArray[np.int64], ...]


def mdav(
    values: NDArray[Any],
    k: int,
    weights: Sequence[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Clusters:
    """Form clusters of ``k`` to ``2k - 1`` records by MDAV (paper 003; Domingo-Ferrer and Mateo-Sanz 2002).

    While ``3k`` or more records are left, ``x_r`` is the one farthest from their centroid and ``x_s`` the one farthest
    from ``x_r``; the ``k`` nearest to ``x_r``, and then of the rest the ``k`` nearest to ``x_s``, become clusters. With
    ``2k`` or more left, the ``k`` nearest to the record then farthest from the centroid do. The rest is the last
    cluster. Of records at equal distances the first in the input's order is taken; equality is exact.

    Args:
        values: whole numbers, one row per record.
        k: the smallest size of a cluster, 1 to the number of records.
        weights: what each column's squared differences count, positive whole numbers.
        progress: told now and then how many records are in clusters, and of how many.

    Returns:
        Row numbers per cluster, ascending; the clusters in the order in which they were formed.

    >>> [rows.tolist() for rows in mdav(np.array([[1], [2], [9], [10], [4]]), 2)]
    [[2, 3], [0, 1, 4]]
    """
    remaining = Remaining(values, weights)
    clusters: list[NDArray[np.int64]] = []

    while remaining.count >= 2 * k:
        checkpoint()
        first = remaining.farthest_from_centroid()
        if remaining.count >= 3 * k:
            second = remaining.farthest_from(first)
            clusters += [remaining.take(first, k), remaining.take(second, k)]
        else:
            clusters.append(remaining.take(first, k))
        if progress is not None and len(clusters) % 64 == 0:
            progress(len(values) - remaining.count, len(values))
    clusters.append(remaining.left())
    return tuple(clusters)
