"""The regions of a safe release as trees of boxes, alike boxes together, and which kind each cell is."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior
from cra_engine.counting.pieces import Piece
from cra_engine.patience import checkpoint
from cra_engine.release import Release
from cra_engine.study.regions import NOBODY, SUPPRESSED

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RegionTrees:
    """The regions of a release.

    Attributes:
        roots: per region, a class's index or ``SUPPRESSED``, its tree; a class on a single cell has none.
        kinds: per rung and box of it (in row-major order) the kind of box that it is, among those in ``pieces``.
        pieces: per rung the kinds.
        parents: per rung and box the number of the box above it.
    """

    roots: dict[int, Piece]
    kinds: tuple[Codes, ...]
    pieces: tuple[tuple[Piece, ...], ...]
    parents: tuple[Codes, ...]


def region_trees(release: Release, prior: Prior) -> RegionTrees:
    """The trees of all regions of a safe release.

    Args:
        release: of a study with ``profile = "safe"``.
        prior: what weighs a cell: its volume, or its share of a population.
    """
    regions = release.regions
    rungs, levels = regions.ladder.rungs, regions.levels
    measures, kind = np.unique(prior.cells(release.grid, release.grid.whole).ravel(), return_inverse=True)
    spent = float(rungs[0].epsilon) if rungs else 0.0
    here = tuple(Piece(spent, int(measure)) for measure in measures)
    if not rungs:  # everybody is suppressed, in the only cell
        often = np.bincount(kind)
        root = Piece(0.0, parts=tuple(zip(here, often.tolist(), strict=True)))
        return RegionTrees({SUPPRESSED: root}, (kind,), (here,), (np.zeros(len(kind), dtype=np.int64),))
    roots: dict[int, Piece] = {}
    kinds, pieces, parents = [kind], [here], [levels[0].parent.ravel()]
    for place, level in enumerate(levels):
        checkpoint()
        last = place + 1 == len(levels)
        home, parent = level.home.ravel(), level.parent.ravel()
        active = np.flatnonzero(home != NOBODY)
        order = active[np.lexsort((kinds[-1][active], parent[active]))]
        starts = np.flatnonzero(np.diff(parent[order], prepend=-1))
        signatures: dict[bytes, int] = {}
        found: list[Piece] = []
        above_home = None if last else levels[place + 1].home.ravel()
        above = np.zeros(1 if above_home is None else len(above_home), dtype=np.int64)
        for boxes in np.split(order, starts[1:]) if len(order) else []:
            signature = kinds[-1][boxes].tobytes()
            box = int(parent[boxes[0]])
            published = above_home is None or above_home[box] == NOBODY
            if published:
                roots[int(home[boxes[0]])] = _made(0.0, kinds[-1][boxes], here)
                continue
            if signature not in signatures:
                signatures[signature] = len(found)
                found.append(_made(float(rungs[place + 1].epsilon), kinds[-1][boxes], here))
            above[box] = signatures[signature]
        if not last:
            here = tuple(found)
            kinds.append(above)
            pieces.append(here)
            parents.append(levels[place + 1].parent.ravel())
    return RegionTrees(roots, tuple(kinds), tuple(pieces), tuple(parents))


def _made(spent: float, kinds: Codes, below: tuple[Piece, ...]) -> Piece:
    numbers, often = np.unique(kinds, return_counts=True)
    return Piece(spent, parts=tuple((below[n], int(count)) for n, count in zip(numbers, often, strict=True)))


def paths(trees: RegionTrees, boxes: NDArray[Any], height: int) -> list[Codes]:
    """Per cell the kinds of the boxes that it lies in, rung by rung from the cell up to below its region's own rung.

    Args:
        trees: the regions' trees.
        boxes: the cells' codes.
        height: rung of the region.
    """
    found, at = [], boxes
    for place in range(height):
        found.append(trees.kinds[place][at])
        at = trees.parents[place][at]
    return found
