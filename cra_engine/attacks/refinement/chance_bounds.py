"""Between which limits the probability of a cell lies where its class is too large to count exactly.

Two things hold whatever the sums are:

- If the cell's orthant holds n records, the cell holds j of them with a known probability p(n). What is asked for is a
  mean of these, so it lies between the smallest and the largest.
- Of the tables that are left, A have j records in the cell and B have not: the probability is A / (A + B). Both are
  sums of the same kind as the number of tables, so that sets of children put limits to them, or count them.
"""

import math
from fractions import Fraction

from cra_engine.counting.inclusion import SetSum

NARROW = 2  # limits of the number of tables this many times apart or more say nothing about single cells
Limits = tuple[Fraction, Fraction]


def chance_bounds(
    sets: SetSum, tables: tuple[int, int], orthant: int, measure: int, j: int, seconds: float, *, ordered: bool
) -> Limits:
    """Limit the probability that a cell of one class holds exactly ``j`` records, where counting takes too long.

    Args:
        sets: the sum that the tables are.
        tables: limits of their number.
        orthant: the cell's.
        measure: of the cell.
        j: records.
        seconds: about how long counting may take.
        ordered: True where tables count with the order of their rows.
    """
    whole = sets.measures[orthant]
    mark = 2 * sum(sets.measures) + 1  # tells the orthant apart, with whatever it is put together
    own = measure**j if ordered else sets.weigh(measure, j)
    orders = math.factorial(j) if ordered else 1

    def there(place: int, n: int) -> int:
        """The weight of n records in a place, j of them in the cell where the place holds it."""
        if place < mark:
            return sets.weigh(place, n)
        return own * sets.weigh(place - mark, n - j) // orders if n >= j else 0

    def elsewhere(place: int, n: int) -> int:
        """The weight of n records in a place, not j of them in the cell where the place holds it."""
        return sets.weigh(place, n) if place < mark else sets.weigh(place - mark + measure, n) - there(place, n)

    held = range(min(sets.cap, sets.size) + 1)
    given = [Fraction(there(mark + whole - measure, n), ways) for n in held if (ways := sets.weigh(whole, n))]
    lower, upper = min(given), max(given)
    fewest, most = tables
    if most < NARROW * fewest:
        marked = [place + (mark - measure) * (at == orthant) for at, place in enumerate(sets.measures)]
        a = sets.like(marked, there).bracket(seconds / 2)
        b = sets.like(marked, elsewhere).bracket(seconds / 2)
        lower = max(lower, _share(a.lower, min(b.upper, most - a.lower)))
        upper = min(upper, _share(a.upper, max(b.lower, fewest - a.upper)))
    return lower, upper


def _share(part: int, rest: int) -> Fraction:
    return Fraction(part, part + rest) if part else Fraction(0)
