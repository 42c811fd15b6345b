"""The baseline of every attack: what somebody expects who reads the published intervals and concludes nothing.

Each class's records lie anywhere in its box, every set of distinct value combinations equally likely; the suppressed
ones anywhere in the domain.
"""

import math
from fractions import Fraction

import numpy as np

from cra_engine.release import Release, ReleasedClass, hidden, touched


def expected_isolated(release: Release) -> float:
    """Expected number of cells that hold exactly one person, going by the intervals alone."""
    grid = release.grid
    none, one = np.ones(grid.shape), np.zeros(grid.shape)
    everybody = [*release.classes, *([ReleasedClass(grid.whole, release.outliers)] if release.outliers else [])]
    for part in (*everybody, *release.raw_classes):
        segment = touched(part.segment)
        values = hidden(release, part)
        here, total = grid.slices(segment), grid.volume(segment) // values
        volumes, which = np.unique(grid.cell_volumes(segment), return_inverse=True)
        chances = [none_and_one(int(volume) // values, total, part.size) for volume in volumes]
        nobody, somebody = (np.array(column)[which].reshape(none[here].shape) for column in zip(*chances, strict=True))
        # Where boxes overlap the one person comes from one of them, and nobody from the others.
        one[here] = one[here] * nobody + none[here] * somebody
        none[here] *= nobody
    return float(one.sum())


def none_and_one(volume: int, total: int, size: int) -> tuple[float, float]:
    """Probabilities that none, and that one, of ``size`` records in ``total`` places lies in ``volume`` of them."""
    if size > total:
        # Some records are alike: each takes its place for itself.
        share = volume / total
        return (1 - share) ** size, size * share * (1 - share) ** (size - 1)
    ways = math.comb(total, size)
    return (
        float(Fraction(math.comb(total - volume, size), ways)),
        float(Fraction(volume * math.comb(total - volume, size - 1), ways)),
    )
