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
NOT_ASKED = -1  # how many records are left with a box, where the threshold has one side


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
    turns, levels = regions.turns, regions.levels
    measures, measured = np.unique(prior.cells(release.grid, release.grid.whole).ravel(), return_inverse=True)
    left = [None if turn.left is None else turn.left.ravel() for turn in turns]
    first = left[0] if turns and left[0] is not None else np.full(len(measured), NOT_ASKED)
    alike, kind = np.unique(np.stack([measured.reshape(-1), first]), axis=1, return_inverse=True)
    kind = kind.reshape(-1)
    spent = float(turns[0].rate) if turns else 0.0
    here = tuple(Piece(spent, int(measures[at]), left=_asked(own)) for at, own in alike.T.tolist())
    if not turns:  # everybody is suppressed, in the only cell
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
        signatures: dict[tuple[int, bytes], int] = {}
        found: list[Piece] = []
        above_home = None if last else levels[place + 1].home.ravel()
        above = np.zeros(1 if above_home is None else len(above_home), dtype=np.int64)
        for boxes in np.split(order, starts[1:]) if len(order) else []:
            box = int(parent[boxes[0]])
            tried = None if last else left[place + 1]
            with_it = NOT_ASKED if tried is None else int(tried[box])
            signature = with_it, kinds[-1][boxes].tobytes()
            published = above_home is None or above_home[box] == NOBODY
            if published:
                roots[int(home[boxes[0]])] = _made(0.0, kinds[-1][boxes], here)
                continue
            if signature not in signatures:
                signatures[signature] = len(found)
                found.append(_made(float(turns[place + 1].rate), kinds[-1][boxes], here, _asked(with_it)))
            above[box] = signatures[signature]
        if not last:
            here = tuple(found)
            kinds.append(above)
            pieces.append(here)
            parents.append(levels[place + 1].parent.ravel())
    return RegionTrees(roots, tuple(kinds), tuple(pieces), tuple(parents))


def _made(spent: float, kinds: Codes, below: tuple[Piece, ...], left: int | None = None) -> Piece:
    numbers, often = np.unique(kinds, return_counts=True)
    return Piece(spent, parts=tuple((below[n], int(count)) for n, count in zip(numbers, often, strict=True)), left=left)


def _asked(left: int) -> int | None:
    """The records that were left with a box, where anybody asks."""
    return None if left == NOT_ASKED else left


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
