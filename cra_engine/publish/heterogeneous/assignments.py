"""Rows to records of one bucket pair, one to one, at little cost: HG, SG and GR of the paper's section 5.

All three take a stack of square cost matrices, each of another bucket pair, since buckets can be many and small; a
forbidden pair costs infinity.
"""

import heapq

import numpy as np
from numpy.typing import NDArray

from cra_engine.choices import MatchMethod

Costs = NDArray[np.float64]
Chosen = NDArray[np.int64]

STUCK = "no assignment without forbidden pairs"
SMALL = 64  # bucket size up to which looking for the cheapest pair anew for each pair beats keeping a heap


def assign(costs: Costs, method: MatchMethod) -> Chosen:
    """Choose matches: a column for each row of each matrix, no column twice in a matrix.

    Args:
        costs: shape (matrices, size, size); infinity where row and column must not meet.
        method: HG: the least sum of costs. SG: the cheapest pair of all that are left, again and again. GR: row by row
            the cheapest column that is left. Where SG and GR have run into a dead end, augmenting paths lead out of it.

    Returns:
        Shape (matrices, size): the column of each row.

    Raises:
        ValueError: a matrix has no assignment without forbidden pairs.

    Examples:
        >>> costs = np.array([[[2.0, 1.0, 6.0], [1.0, 3.0, 9.0], [0.0, 5.0, 8.0]]])
        >>> [(m, assign(costs, m)[0].tolist()) for m in ("HG", "SG", "GR")]
        [('HG', [2, 1, 0]), ('SG', [1, 2, 0]), ('GR', [1, 0, 2])]
    """
    if method == "HG":
        return _optimal(costs)
    if method == "GR":
        chosen = _row_by_row(costs)
    elif costs.shape[1] <= SMALL:
        chosen = _cheapest_of_small(costs)
    else:
        chosen = np.stack([_cheapest_by_heap(matrix) for matrix in costs])
    for index in np.flatnonzero((chosen < 0).any(axis=1)):
        _augment(chosen[index], np.isfinite(costs[index]))
    return chosen


def _optimal(costs: Costs) -> Chosen:
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - takes long to load

    # Taking off each row's and each column's least cost changes no optimum and saves the solver a third of its time.
    rows = costs.min(axis=2, keepdims=True)
    columns = (costs - np.where(np.isfinite(rows), rows, 0)).min(axis=1, keepdims=True)
    if not (np.isfinite(rows).all() and np.isfinite(columns).all()):
        raise ValueError(STUCK)
    reduced = costs - rows - columns
    return np.stack([linear_sum_assignment(matrix)[1] for matrix in reduced])


def _row_by_row(costs: Costs) -> Chosen:
    many, size, _ = costs.shape
    matrices = np.arange(many)
    taken = np.zeros((many, size))
    chosen = np.empty((many, size), dtype=np.int64)
    for row in range(size):
        left = costs[:, row] + taken
        best = left.argmin(axis=1)
        chosen[:, row] = np.where(np.isfinite(left[matrices, best]), best, -1)
        taken[matrices[chosen[:, row] >= 0], best[chosen[:, row] >= 0]] = np.inf
    return chosen


def _cheapest_of_small(costs: Costs) -> Chosen:
    many, size, _ = costs.shape
    matrices = np.arange(many)
    left = costs.copy()
    flat = left.reshape(many, -1)
    chosen = np.full((many, size), -1, dtype=np.int64)
    for _ in range(size):
        row, column = np.divmod(flat.argmin(axis=1), size)
        fits = np.isfinite(left[matrices, row, column])
        at, row, column = matrices[fits], row[fits], column[fits]
        chosen[at, row] = column
        left[at, row] = np.inf
        left[at, :, column] = np.inf
    return chosen


def _cheapest_by_heap(matrix: Costs) -> Chosen:
    """The same choices: each row's cheapest column waits in a heap and is looked for anew when it is gone."""
    size = len(matrix)
    chosen = np.full(size, -1, dtype=np.int64)
    taken = np.zeros(size)
    first = matrix.argmin(axis=1)
    heap = list(zip(matrix[np.arange(size), first].tolist(), range(size), first.tolist(), strict=True))
    heapq.heapify(heap)
    gone = bytearray(size)
    left = np.empty(size)
    while heap:
        cost, row, column = heap[0]
        if cost == np.inf:
            break
        if gone[column]:
            np.add(matrix[row], taken, out=left)
            column = int(left.argmin())
            heapq.heapreplace(heap, (float(left[column]), row, column))
        else:
            heapq.heappop(heap)
            chosen[row] = column
            gone[column] = 1
            taken[column] = np.inf
    return chosen


def _augment(chosen: Chosen, allowed: NDArray[np.bool_]) -> None:
    """Give every row a column, changing others' columns along an augmenting path where none is free."""
    owner = np.full(len(chosen), -1, dtype=np.int64)
    owner[chosen[chosen >= 0]] = np.flatnonzero(chosen >= 0)
    for start in np.flatnonzero(chosen < 0).tolist():
        came_from = np.full(len(chosen), -1, dtype=np.int64)  # per column the row from which it was reached
        waiting = [start]
        end = -1
        while waiting and end < 0:
            row = waiting.pop(0)
            new = np.flatnonzero(allowed[row] & (came_from < 0))
            came_from[new] = row
            free = new[owner[new] < 0]
            end = int(free[0]) if len(free) else -1
            waiting.extend(owner[new[owner[new] >= 0]].tolist())
        if end < 0:
            raise ValueError(STUCK)
        while end >= 0:
            row = int(came_from[end])
            owner[end] = row
            chosen[row], end = end, int(chosen[row])
