"""Coins that fall with a chance of exactly exp(-x), for rational x (Canonne, Kamath and Steinke 2020, Algorithm 1).

Numbers of the computer's own would not do: where exp(-x) is smaller than what they can tell from 0, a table that fits
a release would get no chance at all, and the promise of safe recoding would be broken for it.
"""

from fractions import Fraction
from random import Random, SystemRandom

from cra_engine.errors import StudyError
from cra_engine.expected import whole_number


class Coins:
    """The coins of safe recoding.

    Args:
        seed: None for the randomness of the system. Whoever knows the seed knows every coin, so a seed is for teaching
            and for tests alone.
    """

    def __init__(self, seed: int | None = None) -> None:
        fixed = whole_number(seed)
        if seed is not None and fixed is None:
            raise StudyError(f"The seed is {seed!r}; give a whole number, or none for the randomness of the system.")
        self._random: Random = SystemRandom() if fixed is None else Random(fixed)

    def exp_minus(self, x: Fraction) -> bool:
        """True with a chance of exactly ``exp(-x)``, for ``x`` of 0 or more.

        >>> Coins(seed=0).exp_minus(Fraction(0))
        True
        """
        whole, rest = divmod(x, 1)
        return all(self._below_one(Fraction(1)) for _ in range(int(whole))) and self._below_one(rest)

    def _below_one(self, x: Fraction) -> bool:
        """True with a chance of ``exp(-x)``, for ``x`` from 0 to 1.

        The first of the coins with chances x, x/2, x/3, .. that fails is the n-th with a chance of
        ``x^(n-1) / (n-1)! - x^n / n!``; over odd n these sum to the series of exp(-x).
        """
        tosses = 1
        while self._random.randrange(x.denominator * tosses) < x.numerator:
            tosses += 1
        return tosses % 2 == 1
