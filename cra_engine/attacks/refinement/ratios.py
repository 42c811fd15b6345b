"""Ratios of any size, and their means."""

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Real
from types import NoneType

from cra_engine.expected import expect_each

_DECIMALS = 10**30


def mean_ratio(ratios: Sequence[Fraction | None]) -> Fraction | None:
    """Return the mean of classes' ratios of tables, to thirty decimals; None where one is unknown, or without any.

    The exact sum of thousands of fractions would have a denominator of as many factors.

    >>> mean_ratio([Fraction(3), Fraction(4)]), mean_ratio([Fraction(3), None])
    (Fraction(7, 2), None)
    """
    ratios = expect_each(ratios, (Real, NoneType), "mean_ratio(ratios)")
    known = [ratio for ratio in ratios if ratio is not None]
    if not known or len(known) < len(ratios):
        return None
    return Fraction(sum(int(ratio * _DECIMALS) for ratio in known), _DECIMALS * len(known))


def as_float(ratio: Fraction | None) -> float:
    """Return a class's ratio as a float: NaN where it is unknown, infinite past 1e308."""
    if ratio is None:
        return math.nan
    try:
        return float(ratio)
    except OverflowError:
        return math.inf


def log10_of_ratio(ratio: Fraction | None) -> float:
    """Return a class's ratio's decimal logarithm, finite for any size; NaN where it is unknown."""
    if ratio is None:
        return math.nan
    if ratio < 10**300:
        return math.log10(ratio)
    return math.log10(ratio.numerator) - math.log10(ratio.denominator)
