"""Mondrian with cluster means: halves along the column that is spread most."""

from collections.abc import Callable
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.patience import checkpoint
from cra_engine.publish.microaggregation.mdav import Clusters


def mondrian(values: NDArray[Any], k: int, progress: Callable[[int, int], None] | None = None) -> Clusters:
    """Form clusters of ``k`` to ``2k - 1`` records by Mondrian (paper 003; LeFevre, DeWitt, Ramakrishnan 2005).

    A part of ``2k`` records or more (the paper's "more than 2k" contradicts its own clusters of at most ``2k - 1``) is
    split on the column whose range is widest relative to its range in the whole table, the first of equals, into its
    lower ``floor(m / 2)`` records, equal values in the input's order, and the rest.

    Args:
        values: whole numbers, one row per record.
        k: the smallest size of a cluster, 1 to the number of records.
        progress: told now and then how many records are in clusters, and of how many.

    Returns:
        Row numbers per cluster, ascending; the clusters from the lower to the upper parts.

    >>> [rows.tolist() for rows in mondrian(np.array([[1], [2], [9], [10], [4]]), 2)]
    [[0, 1], [2, 3, 4]]
    """
    spans = [int(span) for span in values.max(axis=0) - values.min(axis=0)]
    whole = lcm(*(span for span in spans if span))
    weights = [whole // span if span else 0 for span in spans]  # width * weight is the relative width, times whole
    clusters: list[NDArray[np.int64]] = []
    todo = [np.arange(len(values))]
    done = 0
    while todo:
        checkpoint()
        rows = todo.pop()
        if len(rows) < 2 * k:
            clusters.append(np.sort(rows))
            done += len(rows)
            if progress is not None and len(clusters) % 64 == 0:
                progress(done, len(values))
            continue
        part = values[rows]
        widths = [
            int(width) * weight for width, weight in zip(part.max(axis=0) - part.min(axis=0), weights, strict=True)
        ]
        column = widths.index(max(widths))
        rows = rows[np.argsort(part[:, column], kind="stable")]
        half = len(rows) // 2
        # The order inside a part is the input's, for the ties of the next split.
        todo += [np.sort(rows[half:]), np.sort(rows[:half])]
    return tuple(clusters)
