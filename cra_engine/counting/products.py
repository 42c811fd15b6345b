"""Products of many whole numbers."""

from collections.abc import Iterable


def product(numbers: Iterable[int]) -> int:
    """Multiply whole numbers in pairs, and these again, so that long ones are met seldom: ``math.prod`` meets all.

    A number of tables has as many digits as there are records, and one factor per class.

    >>> product([2, 3, 7]), product([])
    (42, 1)
    """
    left = list(numbers)
    while len(left) > 1:
        odd = left[-1:] if len(left) % 2 else []
        left = [one * other for one, other in zip(left[::2], left[1::2], strict=False)] + odd
    return left[0] if left else 1
