"""A lower bound of a sum over orthants that is too large to count: each orthant keeps to a quota of its own.

Quotas are dealt out so that no child gets more than it may hold, all attributes at once. Whoever keeps to them keeps
every bound, whatever the other orthants hold, so these arrangements are a simple product: one orthant after the other.
They are some of those that are wanted, never others.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from cra_engine.counting.convolution import convolve
from cra_engine.patience import checkpoint


def quota_bound(
    fanouts: Sequence[int],
    measures: Sequence[int],
    weigh: Callable[[int, int], int],
    size: int,
    cap: int,
    scale: int = 1,
) -> int:
    """Return a lower bound of the sum over orthants of :class:`cra_engine.counting.inclusion.SetSum`, by quotas.

    It is 0 where no quotas were found.

    >>> import math
    >>> quota_bound((3,), [1, 1, 1], math.comb, size=3, cap=1)  # each of three places one record: here all there is
    1
    """
    quotas = _dealt(fanouts, measures, weigh, size, cap)
    if quotas is None:
        return 0
    ways = np.array([scale], dtype=object)
    for measure, quota in zip(measures, quotas, strict=True):
        if quota:
            checkpoint()
            row = np.array([weigh(measure, n) for n in range(quota + 1)], dtype=object)
            ways = convolve(ways, row, most=(size + 1,)) // scale
    return int(ways[size])


def _dealt(
    fanouts: Sequence[int], measures: Sequence[int], weigh: Callable[[int, int], int], size: int, cap: int
) -> list[int] | None:
    """Quotas per orthant, together ``size`` or more, at most ``cap`` in each child; None where dealing gets stuck.

    One after the other goes where it adds many arrangements and where the children have much room left.
    """
    children = np.unravel_index(np.arange(len(measures)), tuple(fanouts))
    rooms = [np.full(fanout, cap) for fanout in fanouts]
    # A place that cannot be empty has what it needs before the others.
    quotas = [next((n for n in range(cap + 1) if weigh(measure, n)), cap + 1) for measure in measures]
    for child, room in zip(children, rooms, strict=True):
        np.subtract.at(room, child, quotas)
        if room.min() < 0:
            return None
    gains = np.array([_gain(measure, weigh, quota) for measure, quota in zip(measures, quotas, strict=True)])
    logarithms = np.array([-math.inf, *map(math.log, range(1, cap + 1))])
    while True:
        checkpoint()
        chances: NDArray[np.float64] = gains.copy()
        for child, room in zip(children, rooms, strict=True):
            chances += logarithms[room[child]]
        orthant = int(chances.argmax())
        if chances[orthant] == -math.inf:
            return quotas if sum(quotas) >= size else None
        quotas[orthant] += 1
        gains[orthant] = _gain(measures[orthant], weigh, quotas[orthant])
        for child, room in zip(children, rooms, strict=True):
            room[child[orthant]] -= 1


def _gain(measure: int, weigh: Callable[[int, int], int], records: int) -> float:
    """The logarithm of how many times more ways there are with one more record; of numbers that no float may hold."""
    more = weigh(measure, records + 1)
    return math.log(more) - math.log(weigh(measure, records)) if more else -math.inf
