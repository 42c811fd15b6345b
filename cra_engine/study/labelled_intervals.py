"""Labels of a hierarchy file that are intervals of numbers: ``[0, 10[``."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from itertools import accumulate

from cra_engine.study.hierarchy import INTERVAL

Ends = tuple[Decimal, Decimal]


def interval_in(label: str) -> Ends | None:
    """Return the ends of the interval that a hierarchy's label is; None where it is none.

    >>> interval_in("[0, 2.5["), interval_in("child")
    ((Decimal('0'), Decimal('2.5')), None)
    """
    match = INTERVAL.match(label.strip())
    lower, upper = (number_in(match[1]), number_in(match[2])) if match else (None, None)
    return None if lower is None or upper is None else (lower, upper)


def number_in(text: str) -> Decimal | None:
    """Return the number that a hierarchy's label is, however many digits it has; None where it is none."""
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def all_intervals(labels: Iterable[str]) -> bool:
    """Return whether every label of a hierarchy is an interval."""
    return all(interval_in(label) is not None for label in set(labels))


class LayerIntervals:
    """The intervals of a hierarchy's layer, to find the one around a piece without looking at all of them."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels = {ends: label for label in sorted(labels) if (ends := interval_in(label))}
        self._sorted = sorted(self._labels)
        self._lowest = [lower for lower, _ in self._sorted]
        # Up to each place the interval that reaches farthest.
        self._farthest = list(accumulate(self._sorted, _farther))

    @property
    def ends(self) -> Iterator[Decimal]:
        """The numbers where the intervals begin and end."""
        return (end for ends in self._sorted for end in ends)

    def around(self, piece: Ends) -> str | None:
        """The label of an interval that covers a piece; None where there is none."""
        place = bisect_right(self._lowest, piece[0]) - 1
        if place < 0 or self._farthest[place][1] < piece[1]:
            return None
        return self._labels[self._farthest[place]]


def _farther(one: Ends, other: Ends) -> Ends:
    return one if one[1] >= other[1] else other
