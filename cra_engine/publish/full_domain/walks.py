"""In which order OLA and Incognito look at the states of a lattice, beside Flash (002, section 2.6 and Table 2).

Each conclusion is the same: all states above one that fits do, and none below another. What differs is where a search
looks next, and so how many states it looks at before all are settled.
"""

from collections.abc import Generator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cra_engine.publish.flash import Place, above, below

Visits = Generator[tuple[Place, list[Place]], bool, None]


def ola(closed: NDArray[np.bool_]) -> Visits:
    """The states that OLA looks at, one by one, for global recoding: half way up, and then in either half.

    El Emam and others, "A Globally Optimal k-Anonymity Method for the De-Identification of Health Data" (JAMIA 2009).
    Each comes with the two ends between which it lies, and wants to be sent whether it fits.

    Args:
        closed: over the lattice, which states are settled; the search settles what it concludes.
    """
    fitting = np.zeros(closed.shape, dtype=bool)

    def look(place: Place, path: list[Place]) -> Visits:
        fits = yield place, path
        region = above(place) if fits else below(place)
        fitting[region] |= fits & ~closed[region]
        closed[region] = True

    def between(bottom: Place, top: Place) -> Visits:
        if closed[tuple(slice(low, high + 1) for low, high in zip(bottom, top, strict=True))].all():
            return
        height = sum(top) - sum(bottom)
        if height < 2:
            for place in (bottom, top):
                if not closed[place]:
                    yield from look(place, [bottom, top])
            return
        ranges = (range(low, high + 1) for low, high in zip(bottom, top, strict=True))
        for place in [place for place in product(*ranges) if sum(place) == sum(bottom) + height // 2]:
            if not closed[place]:
                yield from look(place, [bottom, place, top])
            yield from between(bottom, place) if fitting[place] else between(place, top)

    yield from between((0,) * closed.ndim, tuple(size - 1 for size in closed.shape))


def incognito(closed: NDArray[np.bool_]) -> Visits:
    """The states that Incognito looks at, one by one, for global recoding: one attribute, pairs, and so on, from below.

    LeFevre, DeWitt and Ramakrishnan, "Incognito: Efficient Full-Domain K-Anonymity" (SIGMOD 2005). A set of attributes
    by itself is the state that has all others at the root, which shows nothing; a set that does not fit rules out all
    that show more beside it. Each state comes alone, and wants to be sent whether it fits.

    Args:
        closed: over the lattice, which states are settled; the search settles what it concludes.
    """
    root = tuple(size - 1 for size in closed.shape)

    def turn(place: Place) -> tuple[int, list[bool], int]:
        hidden = [layer == top for layer, top in zip(place, root, strict=True)]
        return closed.ndim - sum(hidden), hidden, sum(place)

    # The root of all, which sorts first, is where each single attribute ends.
    for place in [*sorted(product(*map(range, closed.shape)), key=turn)[1:], root]:
        if not closed[place]:
            fits = yield place, [place]
            closed[above(place) if fits else below(place)] = True
