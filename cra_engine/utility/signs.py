"""The sign of a sum that is not 0, of terms that can be had to any number of digits."""

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext


def sign_of_sum(terms: Callable[[], Sequence[Decimal]]) -> int:
    """Return the sign, 1 or -1, of a loss's sum; asked for terms with ever more digits, no end where it is 0.

    Args:
        terms: gives the terms by decimal arithmetic, each operation of it right to the last digit or one unit of it.

    >>> sign_of_sum(lambda: [Decimal(2).sqrt(), -Decimal("1.4142135623730950488")])
    1
    """
    digits = 40
    while True:
        with localcontext() as context:
            context.prec = digits
            parts = terms()
            total = sum(parts, Decimal(0))
            # A hundred units of the last digit for each term are plenty.
            if abs(total) > sum(map(abs, parts)) * len(parts) * Decimal(10) ** (2 - digits):
                return -1 if total < 0 else 1
        digits *= 2
