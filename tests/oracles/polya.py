"""Counting by symmetric functions: a third route to the totals, for boxes too large to enumerate.

Where no earlier class takes cells away, all orthants of a box look alike. Multisets (or sets) of n records whose
children each hold at most ``bound`` are then counted by the power-sum expansion of the homogeneous (or elementary)
symmetric function: a sum over the partitions of n in which each attribute contributes a factor of its own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial, prod


def partitions(total: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The partitions of a whole number, parts descending."""
    if total == 0:
        yield ()
        return
    for part in range(min(total, largest or total), 0, -1):
        for rest in partitions(total - part, part):
            yield (part, *rest)


def ways(parts: Sequence[int], children: int, bound: int) -> int:
    """In how many ways whole parts can be dealt to the children so that none gets more than ``bound``."""
    loads = Counter({(0,) * children: 1})
    for part in parts:
        dealt: Counter[tuple[int, ...]] = Counter()
        for load, count in loads.items():
            for child in range(children):
                if load[child] + part <= bound:
                    dealt[(*load[:child], load[child] + part, *load[child + 1 :])] += count
        loads = dealt
    return sum(loads.values())


def _total(size: int, children: Sequence[int], bound: int, places: int, sign: int) -> int:
    result = Fraction(0)
    for parts in partitions(size):
        z = prod(part**repeat * factorial(repeat) for part, repeat in Counter(parts).items())
        term = places ** len(parts) * prod(ways(parts, split, bound) for split in children)
        result += Fraction(sign ** (size - len(parts)) * term, z)
    assert result.denominator == 1
    return int(result)


def combinations(size: int, children: Sequence[int], bound: int, cells: int) -> int:
    """Feasible counts: ``children`` per split attribute, ``cells`` in each orthant, at most ``bound`` in a child."""
    return _total(size, children, bound, cells, 1)


def cra_solutions(size: int, children: Sequence[int], bound: int, volume: int) -> int:
    """Raw data sets of a box: ``volume`` value combinations in each orthant, no two records alike."""
    return _total(size, children, bound, volume, -1)
