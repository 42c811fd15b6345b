"""Earlier releases of ARX-LR beside a table that is believed by its rows alone.

Of a table that was changed after ARX-LR had made it nothing follows from boxes that it does not publish. What its rows
show holds all the same: each record lies in its box. Counts fit that exactly when every set of classes finds enough
people in the union of its boxes (Hall's condition). With few classes all sets are asked; with more those that lie in
one box, or outside one, so that counts may be left that fit no dealing, and never one vector too few.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.composition.alone import attacks_alone
from cra_engine.attacks.composition.refined import Refinement, refine
from cra_engine.attacks.composition.system import JointBound, JointSystem, all_views
from cra_engine.attacks.prior import DISTINCT, Prior
from cra_engine.attacks.solver.bounds import Choice, Source
from cra_engine.attacks.solver.parts import Impossible
from cra_engine.attacks.solver.solving import Solved, solve
from cra_engine.attacks.solver.views import CellView
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.errors import ContradictionError, CRAError
from cra_engine.patience import checkpoint
from cra_engine.release import Release
from cra_engine.study.grid import Grid, Segment
from cra_engine.words import how_many

MOST_SETS = 8  # classes up to which every set of them is asked
MOST_BOXES = 400


@dataclass(frozen=True, eq=False)
class Beside:
    """The cells of earlier releases and of the rows of another table, taken together.

    Attributes:
        release: the table that is believed by its rows alone.
        refinement: the common cells; the table stands last in it.
        cells: what is known of each common cell.
        finished: False where the time ran out before all was settled.
    """

    release: Release
    refinement: Refinement
    cells: tuple[CellView, ...]
    finished: bool


def earlier_attacks(releases: Sequence[Release], time_limit: float, prior: Prior = DISTINCT) -> tuple[TightAttack, ...]:
    """Attack each of the earlier releases by itself with the tight attack.

    Raises:
        CRAError: a release contradicts itself, or was published by no table that the prior admits.
    """
    called, end = "Earlier release", time.monotonic() + time_limit
    return tuple(attacks_alone(releases, lambda: end - time.monotonic(), prior, called=called))


def beside(earlier: Sequence[TightAttack], release: Release, time_limit: float, seed: int = 0) -> Beside:
    """Attack earlier releases beside the rows of a table of the same people.

    Args:
        earlier: the earlier releases, attacked.
        release: the table; only what its rows show is believed.
        time_limit: seconds.
        seed: of an estimate.

    Raises:
        ContradictionError: they cannot be of the same people.
        CRAError: no table that the earlier attacks' prior admits gives all of them.
    """
    for number, tight in enumerate(earlier, start=1):
        if tight.release.records != release.records:
            raise ContradictionError(
                f"Earlier release {number} has {how_many(tight.release.records, 'record')} and this one "
                f"{release.records:,}; only releases of the same people can be held beside each other."
            )
    end = time.monotonic() + time_limit
    refinement = refine([*(tight.release for tight in earlier), release], grown=False)
    system = _WithRows(earlier, refinement, release)

    def left(kept: float = 0.0) -> float:
        return end - time_limit * kept - time.monotonic()

    try:
        solved: Solved = solve(system, seed, left, system.estimate)
    except Impossible:
        raise ContradictionError(
            "The earlier releases and this one cannot be of the same people, since no table gives all of them; check "
            "that each stands beside its own k, profile and hierarchies."
        ) from None
    if any(one.impossible for one in solved.parts):
        raise CRAError("No table of records that all differ gives the earlier releases and this one.")
    views = all_views(system, solved)
    finished = solved.finished and not any(part.ranges.doubtful for part in solved.parts)
    return Beside(release, refinement, tuple(views[cell] for cell in sorted(views)), finished)


class _WithRows(JointSystem):
    """The joint system of the earlier releases with what the rows of one more table show."""

    def __init__(self, earlier: Sequence[TightAttack], refinement: Refinement, release: Release) -> None:
        super().__init__(earlier, refinement, earlier[0].prior)
        self._shown = release

    @cached_property
    def sources(self) -> list[Source]:
        """See :class:`JointSystem`."""
        return [*self.from_releases(), (Choice(tuple(self._rows())),)]

    def _rows(self) -> Iterator[JointBound]:
        grid, last = self._shown.grid, len(self.systems)
        needed: dict[frozenset[int], int] = {}
        for segments, size in hall_sets(grid, [(one.segment, one.size) for one in self._shown.classes]):
            checkpoint()
            inside = np.zeros(grid.shape, dtype=bool)
            for segment in segments:
                inside[grid.slices(segment)] = True
            places = self._places(self.refinement.spread(last, inside))
            needed[places] = max(needed.get(places, 0), size)
        for places, size in needed.items():
            text = f"Its rows show {size} records or more there."
            yield JointBound(places, size, self._shown.records, text=text)

    def _places(self, inside: NDArray[np.bool_]) -> frozenset[int]:
        return frozenset(place for place, cell in enumerate(self.cells) if inside[cell])


def hall_sets(grid: Grid, classes: Sequence[tuple[Segment, int]]) -> Iterator[tuple[tuple[Segment, ...], int]]:
    """Yield sets of a release's classes with their number of records, to compose it with earlier releases.

    >>> from cra_engine import Attribute
    >>> grid = Grid([Attribute("age", 0, 80, layers=4)])
    >>> [size for _, size in hall_sets(grid, [(Segment((2,), (0,)), 3), (Segment((3,), (0,)), 2)])]
    [3, 2, 5]
    """
    extents = [[(node.start, node.stop) for node in grid.nodes(segment)] for segment, _ in classes]
    sets: list[list[int]]
    if len(classes) <= MOST_SETS:
        every = [[at for at in range(len(classes)) if number >> at & 1] for number in range(1, 2 ** len(classes))]
        sets = [chosen for chosen in every if _hang_together(extents, chosen)]
    else:
        boxes = _closure(extents)
        sets = [[at for at, own in enumerate(extents) if _within(own, box)] for box in boxes]
        sets += [[at for at, own in enumerate(extents) if not _meet(own, box)] for box in boxes]
    for chosen in sets:
        if chosen:
            yield tuple(classes[at][0] for at in chosen), sum(classes[at][1] for at in chosen)


_Extent = Sequence[tuple[int, int]]


def _meet(one: _Extent, other: _Extent) -> bool:
    return all(a < d and c < b for (a, b), (c, d) in zip(one, other, strict=True))


def _within(inner: _Extent, outer: _Extent) -> bool:
    return all(c <= a and b <= d for (a, b), (c, d) in zip(inner, outer, strict=True))


def _hang_together(extents: Sequence[_Extent], chosen: Sequence[int]) -> bool:
    """Returns whether boxes overlap so that none stands apart; sets that fall apart say no more than their pieces."""
    reached, rest = {chosen[0]}, set(chosen[1:])
    while more := {at for at in rest if any(_meet(extents[at], extents[own]) for own in reached)}:
        reached |= more
        rest -= more
    return not rest


def _closure(extents: Sequence[_Extent]) -> list[_Extent]:
    """The boxes, and what surrounds two of them, and so on, up to a number of boxes."""
    boxes = dict.fromkeys(tuple(own) for own in extents)
    waiting = list(boxes)
    while waiting and len(boxes) < MOST_BOXES:
        one = waiting.pop(0)
        for other in list(boxes):
            around = tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(one, other, strict=True))
            if around not in boxes:
                boxes[around] = None
                waiting.append(around)
    return list(boxes)
