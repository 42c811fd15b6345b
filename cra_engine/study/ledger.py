"""The ledger of safe recoding: what each rung may spend, by what was published before it.

A box is the less likely to be published the fewer people it holds, and the fewer it would leave. Such a threshold has
two sides, and where a region holds most of the people that are left, one person who moves in it changes two boxes the
same way. What that costs is entered when a rung is done, from published numbers alone, so that publisher and reader
keep the same book.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from cra_engine.study.grid import Segment

DECAY = Fraction(17, 20)  # of what a rung may spend, the share that the next one may
_PLANNED = Fraction(3, 4)  # of what is left a rung spends its share of so much, since most rungs cost what they spend


@dataclass(frozen=True)
class EarlierRelease:
    """A safe release that is out already, as the study of a later release of the same people states it.

    Attributes:
        k: its smallest size of a class.
        epsilon: what it spent.
        floor: whether it left k people or more beside each box; True but for releases of long ago.
        classes: its boxes with their people, as they were published.
        suppressed: number of suppressed people.
    """

    k: int
    epsilon: Decimal
    floor: bool
    classes: tuple[tuple[Segment, int], ...]
    suppressed: int

    @property
    def records(self) -> int:
        """Number of people."""
        return sum(size for _, size in self.classes) + self.suppressed


class Ledger:
    """A study's ledger: what one floored ladder spent of epsilon.

    Args:
        epsilon: for all rungs.
        rungs: their number.
        k: smallest size of a class.
    """

    def __init__(self, epsilon: Fraction, rungs: int, k: int) -> None:
        self._epsilon, self._weights, self._k = epsilon, rung_weights(rungs), k
        self._done: list[tuple[Fraction, int]] = []

    def rate(self, left: int) -> Fraction:
        """Returns what the next rung spends, with so many people left; 0 where it can publish nothing."""
        if left < 2 * self._k:
            return Fraction(0)
        spent = sum((rate * rung_cost(left, after, self._k) for rate, after in self._done), Fraction(0))
        own, *_ = later = self._weights[len(self._done) :]
        rest = self._epsilon - spent
        return min(_PLANNED * rest * own / sum(later), rest / 2)

    def enter(self, rate: Fraction, after: int) -> None:
        """Enter a rung that is done, and how many people it left."""
        self._done.append((rate, after))


def rung_weights(rungs: int) -> Sequence[Fraction]:
    """Return in what proportion so many rungs of a ladder share the epsilon that there is to spend."""
    return [DECAY**place for place in range(rungs)]


def rung_cost(people: int, after: int, k: int) -> int:
    """Return by how many times a rung's rate of epsilon one person's move can change a chance, in such a region.

    Args:
        people: of the region.
        after: people left after the rung.
        k: smallest size of a class.

    >>> rung_cost(5, 20, 3), rung_cost(13, 20, 3)
    (1, 2)
    """
    return 2 if 2 * people >= after + 2 * k else 1
