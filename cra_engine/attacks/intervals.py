"""The baseline of every attack: what somebody expects who reads the published intervals and concludes nothing.

Each class's records lie anywhere in its box, every set of distinct value combinations equally likely; the suppressed
ones anywhere in the domain.
"""

import math
from fractions import Fraction

import numpy as np

from cra_engine.attacks.prior import DISTINCT, Prior
from cra_engine.release import Release, ReleasedClass, hidden, touched_segment


def expected_isolated(release: Release, prior: Prior = DISTINCT) -> float:
    """Expect as the weakest attacker does, by intervals alone, how many cells hold exactly one person.

    Args:
        release: the published table.
        prior: how tables weigh.

    Raises:
        TooLargeError: the grid has too many cells to go through all of them.
    """
    grid = release.grid
    grid.check_whole()
    none, one = np.ones(grid.shape), np.zeros(grid.shape)
    everybody = [*release.classes, *([ReleasedClass(grid.whole, release.suppressed)] if release.suppressed else [])]
    for part in (*everybody, *release.raw_classes):
        segment = touched_segment(part.segment)
        values = hidden(release, part)
        values = values if prior.weights is None and not prior.by_cells else 1
        here, total = grid.slices(segment), prior.whole(grid, segment) // values
        measures, which = np.unique(prior.cells(grid, segment), return_inverse=True)
        chances = [none_and_one(int(measure) // values, total, part.size, prior) for measure in measures]
        nobody, somebody = (np.array(column)[which].reshape(none[here].shape) for column in zip(*chances, strict=True))
        # Where boxes overlap the one person comes from one of them, and nobody from the others.
        one[here] = one[here] * nobody + none[here] * somebody
        none[here] *= nobody
    return float(one.sum())


def none_and_one(volume: int, total: int, size: int, prior: Prior = DISTINCT) -> tuple[float, float]:
    """Return the probabilities that none, and that one, of ``size`` records in ``total`` places is in ``volume``."""
    if prior.by_cells:
        weigh, others = prior.tables, total - volume
        ways = weigh(total, size)
        return float(Fraction(weigh(others, size), ways)), float(Fraction(volume * weigh(others, size - 1), ways))
    if prior.ordered or size > total:
        # Some records are alike: each takes its place for itself.
        share = volume / total
        return (1 - share) ** size, size * share * (1 - share) ** (size - 1)
    without = _shunned(volume, total, size - 1)
    return (
        without * (max(0, total - volume - size + 1) / (total - size + 1)),
        without * float(Fraction(size * volume, total - size + 1)),
    )


def _shunned(volume: int, total: int, size: int) -> float:
    """The probability that none of ``size`` different places of ``total`` is one of ``volume``.

    The product of ``1 - volume / (total - i)``, by logarithms: binomials of a million records have millions of digits.
    """
    if size > total - volume:
        return 0.0
    factors, others = sorted((volume, size))  # it is the same to draw them the other way round
    hits = (others / total) / (1 - np.arange(factors) * (1 / total))
    return math.exp(math.fsum(np.log1p(-hits)))
