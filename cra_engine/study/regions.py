"""The regions of a safe release, and what the choices of the recoding give away about the people in each.

The region of a class is its box without the boxes published on lower rungs; that of the suppressed records is all that
no published box covers. Both can be read off a release. On a rung below its own a region lies in whole boxes of that
rung, its *pieces* there, none of which was published: that tells something of how its records lie in them, and of
nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.patience import checkpoint
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.ladder import Ladder
from cra_engine.study.ledger import Ledger, Turn, cost

SUPPRESSED, NOBODY = -1, -2
Indices = NDArray[np.signedinteger[Any]]
# Why a gain can be 0: said wherever one is shown, since a bare 0 looks like a fault.
NOTHING_TO_CHOOSE = (
    "every region is a single finest box, or holds fewer than k people, so that nothing in it could have been "
    "published otherwise"
)


@dataclass(frozen=True)
class Level:
    """The boxes of one rung.

    Attributes:
        home: per box the region that its records belong to once it was not published: the index of a class,
            ``SUPPRESSED``, or ``NOBODY`` where it was published or holds no free cell. Shape: the rung's boxes.
        parent: per box the number of the box above it on the next rung, in row-major order; 0 on the last rung, whose
            boxes lie in the whole grid.
    """

    home: NDArray[np.int32]
    parent: Indices


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of one release.

    Attributes:
        grid: the cells.
        ladder: the rungs.
        classes: the published boxes with their records, in the release's order; each stands on a rung.
        suppressed: number of suppressed records.
        k: smallest size of a class.
    """

    grid: Grid
    ladder: Ladder
    classes: tuple[tuple[Segment, int], ...]
    suppressed: int
    k: int

    @cached_property
    def rungs(self) -> tuple[int, ...]:
        """Per class the rung that it stands on; the finest where it fits several."""
        found = [self.ladder.rung_of(segment) for segment, _ in self.classes]
        return tuple(place for place in found if place is not None)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Per rung its boxes and whose they are."""
        ladder, grid = self.ladder, self.grid
        taken: list[Indices] = []  # per rung and box the class published there, else SUPPRESSED for none
        parents: list[Indices] = []
        for place, rung in enumerate(ladder.rungs):
            checkpoint()
            own = np.full(grid.box_shape(rung.state), SUPPRESSED, dtype=np.int32)
            for index, (segment, _) in enumerate(self.classes):
                if self.rungs[index] == place:
                    own[self._box(segment, place)] = index
            taken.append(own)
            parents.append(self._parents(place))
        free = [np.ones(taken[0].shape, dtype=bool)] if taken else []
        for place in range(len(taken) - 1):  # bottom up: a box is free where something in it was not published
            left = free[place] & (taken[place] == SUPPRESSED)
            above = np.zeros(taken[place + 1].size, dtype=bool)
            above[parents[place][left]] = True
            free.append(above.reshape(taken[place + 1].shape))
        levels: list[Level] = []
        above_home = np.array([SUPPRESSED], dtype=np.int32)
        for place in reversed(
            range(len(taken))
        ):  # top down: what is not published here belongs to whoever has it above
            home = above_home.ravel()[parents[place]]
            levels.append(Level(np.where(free[place] & (taken[place] == SUPPRESSED), home, NOBODY), parents[place]))
            above_home = np.where(taken[place] == SUPPRESSED, home, taken[place])
        return tuple(reversed(levels))

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Per rung what it spent and who was left, by what was published."""
        rungs = self.ladder.rungs
        sizes = np.array([size for _, size in self.classes], dtype=np.int64)
        left = int(sizes.sum()) + self.suppressed
        ledger = Ledger(self.ladder.epsilon, tuple(rung.epsilon for rung in rungs), self.k)
        found: list[Turn] = []
        for place, rung in enumerate(rungs):
            own = np.zeros(self.grid.box_shape(rung.state), dtype=np.int64)
            for (segment, size), at in zip(self.classes, self.rungs, strict=True):
                if at == place:
                    own[self._box(segment, place)] = size
            if not self.ladder.floor:
                left -= int(own.sum())
                found.append(Turn(rung.epsilon, None, left))
                continue
            rate = ledger.rate(left)
            before = left - np.concatenate([[0], np.cumsum(own)[:-1]]).reshape(own.shape)
            left -= int(own.sum())
            ledger.enter(rate, left)
            found.append(Turn(rate, np.where(self.ladder.repeated(place), 0, before), left))
        return tuple(found)

    def _box(self, segment: Segment, place: int) -> tuple[int, ...]:
        nodes = self.grid.nodes(segment)
        state = self.ladder.rungs[place].state
        return tuple(
            int(a.ranks[layer - 1][node.start])
            for a, layer, node in zip(self.grid.attributes, state, nodes, strict=True)
        )

    def _parents(self, place: int) -> Indices:
        """Per box of a rung the number of the box above it."""
        shape = self.grid.box_shape(self.ladder.rungs[place].state)
        if place + 1 == len(self.ladder.rungs):
            return np.zeros(shape, dtype=np.int64)
        state, above = (self.ladder.rungs[at].state for at in (place, place + 1))
        number: Indices = np.zeros((), dtype=np.int64)
        for attribute, layer, upper in zip(self.grid.attributes, state, above, strict=True):
            starts = [node.start for node in attribute.layer_nodes[layer - 1]]
            rank = attribute.ranks[upper - 1][starts]
            number = np.add.outer(number * attribute.nodes_in(upper), rank)
        return number

    @cached_property
    def pieces(self) -> tuple[tuple[int, ...], ...]:
        """Per region, the suppressed last, and rung below its own the number of its pieces there."""
        counted = []
        for level in self.levels:
            owners, often = np.unique(level.home, return_counts=True)
            counted.append(dict(zip(owners.tolist(), often.tolist(), strict=True)))
        heights = [*enumerate(self.rungs), (SUPPRESSED, len(self.levels))]
        return tuple(tuple(counts.get(owner, 0) for counts in counted[:height]) for owner, height in heights)

    def _spent(self) -> Iterator[tuple[int, list[tuple[Fraction, int]]]]:
        """Per region its records, and per rung below its own what that may spend, and the pieces."""
        sizes = [*(size for _, size in self.classes), self.suppressed]
        for size, pieces in zip(sizes, self.pieces, strict=True):
            yield size, [(self._cost(turn, size), number) for turn, number in zip(self.turns, pieces, strict=False)]

    def _cost(self, turn: Turn, size: int) -> Fraction:
        """What a rung can cost a person of a region of so many records that it cuts."""
        return turn.rate * (1 if turn.left is None else cost(size, turn.after, self.k))

    @cached_property
    def gains(self) -> tuple[Fraction, ...]:
        """Per class, then for the suppressed records where there are any, the gain per person.

        The largest logarithm by which the odds between two cells of the region change for a reader who knows the
        method, the release and everybody else: the sum of what is spent on the rungs below on which the region has two
        pieces or more, and 0 for fewer than k records, which no rung could publish. With a floor an upper bound of it.
        """
        found = [
            sum((spent for spent, pieces in rungs if pieces > 1), Fraction(0)) if size >= self.k else Fraction(0)
            for size, rungs in self._spent()
        ]
        return tuple(found if self.suppressed else found[:-1])

    @cached_property
    def gain(self) -> Fraction:
        """The largest of the gains; 0 without any."""
        return max(self.gains, default=Fraction(0))

    @cached_property
    def gain_all_tables(self) -> Fraction:
        """The largest logarithm by which the chance of the release differs between any two tables that fit it.

        Everybody of a region may be elsewhere in it: ``min(n - k + 1, (k - 1) (pieces - 1))`` moves count per rung.
        With a floor an upper bound: a rung's factors differ by ``n - k + 1`` times its rate at most.
        """
        if self.ladder.floor:
            return sum(
                (
                    turn.rate * (size - self.k + 1)
                    for (size, _), pieces in zip(self._spent(), self.pieces, strict=True)
                    if size >= self.k
                    for turn, number in zip(self.turns, pieces, strict=False)
                    if number > 1
                ),
                Fraction(0),
            )
        return sum(
            (
                spent * min(size - self.k + 1, (self.k - 1) * (pieces - 1))
                for size, rungs in self._spent()
                if size >= self.k
                for spent, pieces in rungs
                if pieces
            ),
            Fraction(0),
        )

    @property
    def straying(self) -> Segment | None:
        """A class that stands on no rung, which no safe recoding publishes; None where all do."""
        return next((segment for segment, _ in self.classes if self.ladder.rung_of(segment) is None), None)
