"""Comparing the logarithm of a fraction with a rational number, exactly."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.groups import Whole

_CLEAR = 1e-9  # logarithms of fractions of machine integers that differ by more differ in their floats too


def log_minus(parts: Whole, wholes: Whole, limits: NDArray[np.float64], exact: list[Fraction], *, two: bool) -> Whole:
    """Return for a criterion the sign of ``log(parts / wholes) - limit`` per entry: -1, 0 or 1.

    Args:
        parts: whole numbers above 0.
        wholes: whole numbers above 0.
        limits: as floats.
        exact: the same, as they are.
        two: True for the logarithm to base 2, False for the natural one.

    >>> log_minus(np.array([2, 3]), np.array([1, 1]), np.array([1.0, 1.1]), [Fraction(1), Fraction(11, 10)], two=True)
    array([0, 1])
    """
    logarithm = (np.log2 if two else np.log)(parts.astype(float) / wholes.astype(float))
    apart = logarithm - limits
    signs: Whole = np.sign(apart).astype(np.int64)
    for place in np.flatnonzero(np.abs(apart) <= _CLEAR * (1 + np.abs(logarithm))):
        signs[place] = _sign(Fraction(int(parts[place]), int(wholes[place])), exact[place], two=two)
    return signs


def _sign(value: Fraction, limit: Fraction, *, two: bool) -> int:
    if value == 1 or (two and limit.denominator == 1):
        rational = -limit if value == 1 else value - Fraction(2) ** int(limit)
        return (rational > 0) - (rational < 0)
    # Any other such logarithm is irrational, so that more digits tell at last.
    digits = 40
    while True:
        with localcontext(prec=digits):
            logarithm = (Decimal(value.numerator) / value.denominator).ln()
            if two:
                logarithm /= Decimal(2).ln()
            apart = logarithm - Decimal(limit.numerator) / limit.denominator
            if abs(apart) > Decimal(10) ** (8 - digits):
                return 1 if apart > 0 else -1
        digits *= 2
