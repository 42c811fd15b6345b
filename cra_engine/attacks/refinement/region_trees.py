"""The regions of a safe release as trees of boxes, alike boxes together, and which kind each cell is."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior
from cra_engine.counting.pieces import Piece, Trial
from cra_engine.patience import checkpoint
from cra_engine.release import Release
from cra_engine.study.regions import NOBODY, SUPPRESSED, Regions

Codes = NDArray[np.int64]
ONE_SIDED = -1  # how many records are left with a box, where the threshold has one side


@dataclass(frozen=True, eq=False)
class RegionTrees:
    """The regions of a safe release as trees, for the attack on each of its classes.

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
    """Return the trees of all regions of an attacked safe release.

    Args:
        release: of safe recoding.
        prior: what weighs a cell: its volume, or its share of a population.
    """
    regions = release.regions
    levels = regions.levels
    measures, measured = np.unique(prior.cells(release.grid, release.grid.whole).ravel(), return_inverse=True)
    kind = measured.reshape(-1)
    if not levels:  # everybody is suppressed, in the only cell
        here = tuple(Piece(measure=int(measure)) for measure in measures)
        root = Piece(parts=tuple(zip(here, np.bincount(kind).tolist(), strict=True)))
        return RegionTrees({SUPPRESSED: root}, (kind,), (here,), (np.zeros(len(kind), dtype=np.int64),))
    tried, trials = _trials(regions, 0)
    alike, kind = np.unique(np.stack([kind, tried]), axis=1, return_inverse=True)
    kind = kind.reshape(-1)
    here = tuple(Piece(trials[own], int(measures[at])) for at, own in alike.T.tolist())
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
        if not last:
            tried, trials = _trials(regions, place + 1)
        for boxes in np.split(order, starts[1:]) if len(order) else []:
            box = int(parent[boxes[0]])
            if above_home is None or above_home[box] == NOBODY:  # it was published
                roots[int(home[boxes[0]])] = _made((), kinds[-1][boxes], here)
                continue
            signature = int(tried[box]), kinds[-1][boxes].tobytes()
            if signature not in signatures:
                signatures[signature] = len(found)
                found.append(_made(trials[signature[0]], kinds[-1][boxes], here))
            above[box] = signatures[signature]
        if not last:
            here = tuple(found)
            kinds.append(above)
            pieces.append(here)
            parents.append(levels[place + 1].parent.ravel())
    return RegionTrees(roots, tuple(kinds), tuple(pieces), tuple(parents))


def _trials(regions: Regions, place: int) -> tuple[Codes, list[tuple[Trial, ...]]]:
    """Per box of a rung which of the ways to be tried is its own, and these: a trial for each release that tried it."""
    columns: list[Codes] = []
    for release in regions.chain:
        turn = release.turns[place]
        left = np.full(turn.inside.shape, ONE_SIDED) if turn.left is None else turn.left
        more = regions.below[place] - release.below[place]
        # Who cannot have been published, with so few left or by a rung that spends nothing, is in no trial.
        idle = (turn.inside == NOBODY) | ((left != ONE_SIDED) & (left < 2 * release.k))
        columns += [np.where(idle, away, own).ravel() for own, away in ((turn.inside, NOBODY), (left, 0), (more, 0))]
    found, own = np.unique(np.stack(columns), axis=1, return_inverse=True)
    trials = [
        tuple(
            Trial(float(release.turns[place].rates[inside]), release.k, None if left == ONE_SIDED else left, more)
            for release, inside, left, more in zip(regions.chain, way[::3], way[1::3], way[2::3], strict=True)
            if inside != NOBODY
        )
        for way in found.T.tolist()
    ]
    return own.reshape(-1), trials


def _made(trials: tuple[Trial, ...], kinds: Codes, below: tuple[Piece, ...]) -> Piece:
    numbers, often = np.unique(kinds, return_counts=True)
    return Piece(trials, parts=tuple((below[n], int(count)) for n, count in zip(numbers, often, strict=True)))


def paths(trees: RegionTrees, boxes: NDArray[Any], height: int) -> list[Codes]:
    """Return per cell of a safe release the kinds of its boxes, rung by rung, up to below its region's own rung.

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
