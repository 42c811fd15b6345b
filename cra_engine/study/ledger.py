"""The ledger of a floored ladder: what each rung may spend, by what was published before it.

A box is the less likely to be published the fewer people it holds, and the fewer it would leave. Such a threshold has
two sides, and where a region holds most of the people that are left, one person who moves in it changes two boxes the
same way. What that costs is entered when a rung is done, from published numbers alone, so that publisher and reader
keep the same book.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

_PLANNED = Fraction(3, 4)  # of what is left a rung spends its share of so much, since most rungs cost what they spend


@dataclass(frozen=True, eq=False)
class Turn:
    """One rung's turn.

    Attributes:
        rate: the exponent per record too many.
        left: per box of the rung (row-major, an array over its boxes) the people left when it is tried; 0 for one that
            is not tried. None where the threshold has one side, whoever is left.
        after: people left after the rung.
    """

    rate: Fraction
    left: NDArray[np.int64] | None
    after: int


class Ledger:
    """What was spent of epsilon.

    Args:
        epsilon: for all rungs.
        weights: of the rungs, in which they share what is left.
        k: smallest size of a class.
    """

    def __init__(self, epsilon: Fraction, weights: tuple[Fraction, ...], k: int) -> None:
        self._epsilon, self._weights, self._k = epsilon, weights, k
        self._done: list[tuple[Fraction, int]] = []

    def rate(self, left: int) -> Fraction:
        """What the next rung spends, with so many people left; 0 where it can publish nothing."""
        if left < 2 * self._k:
            return Fraction(0)
        spent = sum((rate * cost(left, after, self._k) for rate, after in self._done), Fraction(0))
        own, *_ = later = self._weights[len(self._done) :]
        rest = self._epsilon - spent
        return min(_PLANNED * rest * own / sum(later), rest / 2)

    def enter(self, rate: Fraction, after: int) -> None:
        """Enter a rung that is done, and how many people it left."""
        self._done.append((rate, after))


def cost(people: int, after: int, k: int) -> int:
    """By how many times a rung's rate one person's move can change the chance, in a region of so many people.

    Args:
        people: of the region.
        after: people left after the rung.
        k: smallest size of a class.

    >>> cost(5, 20, 3), cost(13, 20, 3)
    (1, 2)
    """
    return 2 if 2 * people >= after + 2 * k else 1
