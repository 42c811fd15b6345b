"""The regions of a safe release, and what the choices of the recoding give away about the people in each.

The region of a class is its box without the boxes published on lower rungs; that of the suppressed records is all that
no published box covers. Both can be read off a release. On a rung below its own a region lies in whole boxes of that
rung, its *pieces* there, none of which was published: that tells something of how its records lie in them, and of
nothing else.

A later release of the same people is drawn inside the regions of the one before: each of these is climbed by itself,
and what is left over keeps its label. So the last release shows the regions of all of them together, and the people in
an unpublished box of any of them are those in the same box of the last one, and some whose number is published.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import StudyError
from cra_engine.patience import checkpoint
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.ladder import Ladder, ladder_of
from cra_engine.study.ledger import Ledger, rung_cost, rung_weights
from cra_engine.study.study import Study
from cra_engine.words import how_many

SUPPRESSED, NOBODY = -1, -2
Indices = NDArray[np.signedinteger[Any]]
# Why a gain can be 0: said wherever one is shown, since a bare 0 looks like a fault.
NOTHING_TO_CHOOSE = (
    "every region is a single finest box, or holds fewer than k people, so that nothing in it could have been "
    "published otherwise"
)


@dataclass(frozen=True)
class Level:
    """The boxes of one rung of a safe study's ladder.

    Attributes:
        home: per box the region that its records belong to once it was not published: the index of a class,
            ``SUPPRESSED``, or ``NOBODY`` where it was published or holds no free cell. Shape: the rung's boxes.
        parent: per box the number of the box above it on the next rung, in row-major order; 0 on the last rung, whose
            boxes lie in the whole grid.
    """

    home: NDArray[np.int32]
    parent: Indices


@dataclass(frozen=True, eq=False)
class Turn:
    """The turn of one rung of the ladder in one safe release.

    Attributes:
        inside: per box the region of the release before that it lies in and is tried in, ``SUPPRESSED`` for the whole
            grid of a first release; ``NOBODY`` where it is not tried.
        rates: per such region the exponent per record too many.
        left: per box the people left of its region when it is tried; None where the threshold has one side, whoever is
            left.
        after: per such region the people that the rung left.
    """

    inside: Indices
    rates: Mapping[int, Fraction]
    left: Indices | None
    after: Mapping[int, int]


class Weighing(NamedTuple):
    """What a rung of a safe release says of how a region's people lie in its pieces there.

    Attributes:
        release: which of the releases, from 0.
        rung: which rung, from 0.
        rate: the exponent per record too many.
        k: the release's k.
        two_sided: whether records too few outside count like records too many.
        pieces: number of pieces.
        cost: by how many times the rate one person's move can change the chance of what was published.
    """

    release: int
    rung: int
    rate: Fraction
    k: int
    two_sided: bool
    pieces: int
    cost: int


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of one safe release, as its study's ladder makes them.

    Attributes:
        grid: the cells.
        ladder: the rungs.
        classes: the published boxes with their records, in the release's order; each stands on a rung.
        suppressed: number of suppressed records.
        k: smallest size of a class.
        epsilon: what this release may spend.
        floor: whether a box was published only if it left k records or more, too.
        earlier: the regions of the release before, inside which this one was drawn; None for a first release.
    """

    grid: Grid
    ladder: Ladder
    classes: tuple[tuple[Segment, int], ...]
    suppressed: int
    k: int
    epsilon: Fraction
    floor: bool
    earlier: "Regions | None" = None

    @cached_property
    def chain(self) -> tuple["Regions", ...]:
        """The regions of all releases, the first one first, this one last."""
        return (self,) if self.earlier is None else (*self.earlier.chain, self)

    @cached_property
    def rungs(self) -> tuple[int, ...]:
        """Per class the rung that it stands on; the finest where it fits several."""
        found = [self.ladder.rung_of(segment) for segment, _ in self.classes]
        return tuple(place for place in found if place is not None)

    @cached_property
    def published(self) -> tuple[Indices, ...]:
        """Per rung and box the class published there, else ``SUPPRESSED``."""
        taken = [np.full(self.grid.box_shape(state), SUPPRESSED, dtype=np.int32) for state in self.ladder.states]
        for index, ((segment, _), place) in enumerate(zip(self.classes, self.rungs, strict=True)):
            taken[place][self._box(segment, place)] = index
        return tuple(taken)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Per rung its boxes and whose they are."""
        taken = self.published
        parents: list[Indices] = []
        for place in range(len(taken)):
            checkpoint()
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
    def below(self) -> tuple[NDArray[np.int64], ...]:
        """Per rung and box the records in it that were published on lower rungs."""
        sizes = np.array([*(size for _, size in self.classes), 0], dtype=np.int64)
        found = [np.zeros(own.shape, dtype=np.int64) for own in self.published]
        for place in range(len(found) - 1):
            upwards = self.levels[place].parent.ravel()
            inside = (found[place] + sizes[self.published[place]]).ravel()
            np.add.at(found[place + 1].reshape(-1), upwards, inside)
        return tuple(found)

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """Per cell of the grid, in row-major order, the region that it lies in."""
        if not self.levels:
            return np.full(self.grid.size, SUPPRESSED, dtype=np.int64)
        taken = self.published[0]
        return np.where(taken == SUPPRESSED, self.levels[0].home, taken).ravel().astype(np.int64)

    def height(self, region: int) -> int:
        """The rung of a class; of the suppressed records, one past the last rung."""
        return len(self.levels) if region == SUPPRESSED else self.rungs[region]

    def size(self, region: int) -> int:
        """Records of a region."""
        return self.suppressed if region == SUPPRESSED else self.classes[region][1]

    @property
    def regions(self) -> tuple[int, ...]:
        """The classes by their indices, then the suppressed records."""
        return (*range(len(self.classes)), SUPPRESSED)

    @cached_property
    def pieces(self) -> tuple[tuple[int, ...], ...]:
        """Per region, the suppressed last, and rung below its own the number of its pieces there."""
        counted = []
        for level in self.levels:
            owners, often = np.unique(level.home, return_counts=True)
            counted.append(dict(zip(owners.tolist(), often.tolist(), strict=True)))
        return tuple(
            tuple(counts.get(region, 0) for counts in counted[: self.height(region)]) for region in self.regions
        )

    # ------------------------------------------------------------ how it was drawn

    @cached_property
    def outer(self) -> dict[int, int]:
        """Per region that of the release before that it lies in; ``SUPPRESSED``, for the whole grid, without one."""
        if self.earlier is None:
            return dict.fromkeys(self.regions, SUPPRESSED)
        labels = {segment: region for region, (segment, _) in enumerate(self.earlier.classes)}
        found = {SUPPRESSED: SUPPRESSED}
        for region, ((segment, _), rung) in enumerate(zip(self.classes, self.rungs, strict=True)):
            kept = labels.get(segment)
            home = self.earlier.levels[rung].home[self._box(segment, rung)]
            found[region] = int(home) if kept is None else kept
        return found

    def paths(self) -> dict[int, tuple[int, ...]]:
        """Per region in which a later release draws, the rungs that cut it, each otherwise than the one below."""
        return {
            region: tuple(
                place for place, number in enumerate(pieces) if number > 1 and (not place or number < pieces[place - 1])
            )
            for region, pieces in zip(self.regions, self.pieces, strict=True)
        }

    def climbs(self) -> "Climbs":
        """The ladder's climb inside each region of the release before, at its foot."""
        if self.earlier is None:
            whole = len(self.ladder.states)
            records = sum(size for _, size in self.classes) + self.suppressed
            return Climbs(self, {SUPPRESSED: tuple(range(whole))}, {SUPPRESSED: records})
        sizes = {region: self.earlier.size(region) for region in self.earlier.regions}
        return Climbs(self, self.earlier.paths(), sizes)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Per rung what it spent and who was left, by what was published."""
        if not self.floor:
            shares = rung_weights(len(self.ladder.states))
            whole = sum(shares, Fraction(0))
            return tuple(
                Turn(np.full(own.shape, SUPPRESSED), {SUPPRESSED: self.epsilon * share / whole}, None, {SUPPRESSED: 0})
                for own, share in zip(self.published, shares, strict=True)
            )
        climbs, found = self.climbs(), []
        sizes = np.array([*(size for _, size in self.classes), 0], dtype=np.int64)
        for place, published in enumerate(self.published):
            checkpoint()
            rates, inside = climbs.begin(place)
            own = np.where(inside == NOBODY, 0, sizes[published]).ravel()
            order = np.argsort(inside.ravel(), kind="stable")
            taken = np.cumsum(own[order]) - own[order]
            regions, starts = np.unique(inside.ravel()[order], return_index=True)
            begun = np.array([climbs.left.get(region, 0) for region in regions.tolist()], dtype=np.int64)
            lengths = np.diff(np.append(starts, len(order)))
            left = np.zeros(len(order), dtype=np.int64)
            left[order] = np.repeat(begun + taken[starts], lengths) - taken
            for region, size in zip(inside.ravel()[own > 0].tolist(), own[own > 0].tolist(), strict=True):
                climbs.left[region] -= size
            climbs.end()
            found.append(
                Turn(inside, rates, left.reshape(inside.shape), {region: climbs.left[region] for region in rates})
            )
        return tuple(found)

    def _box(self, segment: Segment, place: int) -> tuple[int, ...]:
        nodes = self.grid.nodes(segment)
        state = self.ladder.states[place]
        return tuple(
            int(a.ranks[layer - 1][node.start])
            for a, layer, node in zip(self.grid.attributes, state, nodes, strict=True)
        )

    def _parents(self, place: int) -> Indices:
        """Per box of a rung the number of the box above it."""
        shape = self.grid.box_shape(self.ladder.states[place])
        if place + 1 == len(self.ladder.states):
            return np.zeros(shape, dtype=np.int64)
        state, above = self.ladder.states[place], self.ladder.states[place + 1]
        number: Indices = np.zeros((), dtype=np.int64)
        for attribute, layer, upper in zip(self.grid.attributes, state, above, strict=True):
            starts = [node.start for node in attribute.layer_nodes[layer - 1]]
            rank = attribute.ranks[upper - 1][starts]
            number = np.add.outer(number * attribute.nodes_in(upper), rank)
        return number

    # ------------------------------------------------------------ what it tells

    def weighings(self, region: int) -> Iterator[Weighing]:
        """What the rungs of all releases say of a region in which they had something to choose."""
        pieces, inner = self.pieces[region], region
        for number, release in reversed([*enumerate(self.chain)]):
            outer, size = release.outer[inner], release.size(inner)
            for rung, (turn, count) in enumerate(zip(release.turns, pieces, strict=False)):
                rate = turn.rates.get(outer, Fraction(0))
                if count > 1 and rate and size >= release.k:
                    times = rung_cost(size, turn.after[outer], release.k) if release.floor else 1
                    yield Weighing(number, rung, rate, release.k, release.floor, count, times)
            inner = outer

    @cached_property
    def gains(self) -> tuple[Fraction, ...]:
        """Per class, then for the suppressed records where there are any, the gain per person.

        The largest logarithm by which the odds between two cells of the region change for a reader who knows the
        method, the release, those before it, and everybody else: the sum of what is spent on the rungs below on which
        the region has two pieces or more. With a floor an upper bound of it; exact for a single release without one.
        """
        told = self.regions if self.suppressed else self.regions[:-1]
        return tuple(sum((one.rate * one.cost for one in self.weighings(region)), Fraction(0)) for region in told)

    @cached_property
    def gain(self) -> Fraction:
        """The largest of the gains; 0 without any."""
        return max(self.gains, default=Fraction(0))

    @cached_property
    def gain_all_tables(self) -> Fraction:
        """A bound on the logarithm by which the chance of the release differs between any two tables that fit it.

        Everybody of a region may be elsewhere in it: without a floor ``min(n - k + 1, (k - 1) (pieces - 1))`` moves
        count per rung, exactly; with one ``n - k + 1`` at most. Several releases add up.
        """
        before = Fraction(0) if self.earlier is None else self.earlier.gain_all_tables
        for region in self.regions:
            over = self.size(region) - self.k + 1
            for turn, pieces in zip(self.turns, self.pieces[region], strict=False):
                if over > 0 and pieces > 1:
                    moves = over if self.floor else min(over, (self.k - 1) * (pieces - 1))
                    before += turn.rates.get(self.outer[region], Fraction(0)) * moves
        return before

    # ------------------------------------------------------------ whether it can be one

    @property
    def straying(self) -> Segment | None:
        """A class that stands on no rung, which no safe recoding publishes; None where all do."""
        return next((segment for segment, _ in self.classes if self.ladder.rung_of(segment) is None), None)

    @cached_property
    def torn(self) -> str:
        """Where this was not drawn inside the release before, in a clause; empty where it was."""
        if self.earlier is None:
            return ""
        held = dict.fromkeys(self.earlier.regions, 0)
        kept, labels = {SUPPRESSED}, {segment: region for region, (segment, _) in enumerate(self.earlier.classes)}
        for region in self.regions:
            if region != SUPPRESSED and self.outer[region] == NOBODY:
                return f"{self.grid.describe(self.classes[region][0])} lies in no region of the release before"
            held[self.outer[region]] += self.size(region)
            if region != SUPPRESSED and self.classes[region][0] in labels:
                kept.add(labels[self.classes[region][0]])
        for region, people in held.items():
            stated = self.earlier.size(region)
            who = "suppressed" if region == SUPPRESSED else f"in {self.grid.describe(self.earlier.classes[region][0])}"
            if people != stated:
                return f"{stated:,} people were {who} in the release before, and here {people:,} are there"
            if region not in kept:
                return f"nobody is left {who}, as the release before showed {how_many(stated, 'person', 'people')}"
        return ""


class Climbs:
    """Climbs of one study's ladder under way, each inside a region of the release before.

    Args:
        regions: of the release that is drawn: its ladder, its law and the release before.
        paths: per region the rungs that have a turn in it.
        left: per region its people.

    Attributes:
        left: per region the people left; whoever publishes a box takes its people off.
    """

    def __init__(self, regions: Regions, paths: Mapping[int, tuple[int, ...]], left: Mapping[int, int]) -> None:
        self._regions, self._paths, self.left = regions, paths, dict(left)
        self._ledgers = {
            region: Ledger(regions.epsilon, len(path), regions.k) for region, path in paths.items() if path
        }
        self._rates: dict[int, Fraction] = {}

    def begin(self, place: int) -> tuple[dict[int, Fraction], Indices]:
        """Begin a rung: per region that it has a turn in what it spends, and per box the region that it is tried in."""
        own = [region for region, path in self._paths.items() if place in path]
        self._rates = {region: self._ledgers[region].rate(self.left[region]) for region in own}
        earlier, shape = self._regions.earlier, self._regions.grid.box_shape(self._regions.ladder.states[place])
        inside = np.full(shape, SUPPRESSED) if earlier is None else earlier.levels[place].home
        tried = np.isin(inside, own) & ~self._regions.ladder.repeated(place)
        return self._rates, np.where(tried, inside, NOBODY)

    def end(self) -> None:
        """End the rung: enter what it spent."""
        for region, rate in self._rates.items():
            self._ledgers[region].enter(rate, self.left[region])


def regions_of(study: Study, grid: Grid, classes: tuple[tuple[Segment, int], ...], suppressed: int) -> Regions:
    """Return the regions of a safe release, and of those before it, as a study states them.

    Args:
        study: of safe recoding.
        grid: of its hierarchies.
        classes: the published boxes with their records; none for a release that is still to be drawn.
        suppressed: number of suppressed records.

    Raises:
        StudyError: the study is not one of safe recoding.
        TooLargeError: the grid has too many cells to go through all of them.
    """
    grid.check_whole()
    if study.epsilon is None:
        raise StudyError('Regions belong to safe recoding, and this study does not say profile = "floored".')
    ladder, before = ladder_of(study.attributes), None
    for one in study.earlier:
        before = Regions(grid, ladder, one.classes, one.suppressed, one.k, Fraction(one.epsilon), one.floor, before)
    return Regions(grid, ladder, classes, suppressed, study.k, Fraction(study.epsilon), study.floor, before)
