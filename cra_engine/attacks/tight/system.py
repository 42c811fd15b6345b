"""The tight system: everything that a release says about the counts of its cells, classes that straddle included.

A data set gives exactly this release if and only if (a) the cells that a class owns hold its records, and (b) whenever
a state had its turn, every box of that state that did not become a class held at most k - 1 of the records not yet
published. The paper's constraints are the part of (b) that stays inside one class.

How a publisher broke ties of the loss needs the raw data, or ARX's own floats. So where several states tie, each order
of those that formed a class is a hypothesis with its own owners and bounds; a data set is possible when one hypothesis
allows it.
"""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.prior import DISTINCT, Prior
from cra_engine.attacks.refinement.attack import attack_classes
from cra_engine.attacks.refinement.formation import as_formed, coarsest_fit, finer_first
from cra_engine.attacks.solver.bounds import Bound, Choice, CountBound, Hypothesis, Source
from cra_engine.attacks.tight.words import describe_bound
from cra_engine.errors import TooLargeError
from cra_engine.patience import checkpoint
from cra_engine.release import Owner, Release, ReleasedClass
from cra_engine.sentences import Sentence
from cra_engine.study.grid import Cell, Segment
from cra_engine.study.lattice import State

MAX_HYPOTHESES = 120
# Open cells times states: what one hypothesis looks at, and what all of them together may.
MAX_LOOKS, MAX_LOOKS_IN_ALL = 20_000_000, 100_000_000


def too_many_combinations(release: Release) -> bool:
    """Return whether all groups of a release cannot be attacked together, as is known before any is attacked."""
    return not release.grid.whole_fits or int(_open_cells(release).sum()) * release.lattice.size > MAX_LOOKS


def _open_cells(release: Release) -> NDArray[np.bool_]:
    basic = np.zeros(release.grid.shape, dtype=bool)
    some = np.full(release.grid.shape, release.suppressed > 0)
    for released in release.classes:
        (basic if released.segment.basic else some)[release.grid.slices(released.segment)] = True
    return some & ~basic


class TightSystem:
    """The tight attack's constraints of all classes of a release on the counts of its cells.

    Attributes:
        release: the release.
        by_class: the attack on each class by itself.
        parts: its classes and suppressed records, each attacked by itself.
        raw: its classes of raw values; no bound is on them.
        formation: what is certain of the order in which they formed.
        cells: the open cells: those that a compound class or the suppressed may fill. All others are certain. In a
            unordered system a cell stands here once per class that may fill it.
        prior: how tables weigh.
        times: 1, since all people are there at once.
        volumes: number of raw value combinations of each open cell; with a population its share, as a whole number.
        settled: count of each other cell that holds records: the classes on a single cell.
        unordered: True when the order of formation is not known well enough to try every order: then each class may
            fill the cells that no class known to be earlier has taken, and a bound counts only classes known to be
            later than its state. No possible data set is excluded, but some impossible ones may stay.
        relaxed: True where impossible data sets may stay: where ``unordered``, and under privacy models besides k, of
            which only the numbers of records that they allow are used here.
        hypotheses: one per order of the tied states that matters; several orders with the same bounds count once.

    Raises:
        TooLargeError: open cells times states number more than 20,000,000.
    """

    times = 1

    def __init__(self, release: Release, prior: Prior = DISTINCT) -> None:
        self.release = release
        self.prior = prior
        self.by_class = attack_classes(release, "sound", prior)
        self.parts, self.formation = self.by_class.parts, self.by_class.formation
        self.raw = self.by_class.raw
        self.models = self.by_class.models
        self.k = release.k
        self.skipped_cap = release.study.skipped_cap(release.records)
        self.grid = release.grid
        self._boxes_of_state: dict[State, NDArray[np.int32]] = {}
        self.settled: dict[Cell, int] = {c.segment.ranks: c.size for c in release.classes if c.segment.basic}
        self._groups = self._tied_groups() if self.formation.uniform and not release.study.safe else []
        orders = math.prod(math.factorial(len(states)) for states in self._groups)
        open_cells = _open_cells(release)
        looks = int(open_cells.sum()) * release.lattice.size
        if looks > MAX_LOOKS:
            raise TooLargeError(
                "The table has too many combinations of values to attack all groups together; fewer columns "
                "that others know, or coarser groups, make fewer."
            )
        tried = orders <= MAX_HYPOTHESES and orders * looks <= MAX_LOOKS_IN_ALL
        self.unordered = not (self.formation.uniform and tried)
        self.relaxed = self.unordered or self.models is not None
        if self.unordered:
            places = [
                (cell, Owner.SUPPRESSED if part.index is None else part.index)
                for part in self.parts
                if not part.basic or part.index is None
                for cell in part.free_cells
            ]
            places.sort()
            self._slot_owner = np.array([owner for _, owner in places], dtype=np.int64)
            self._positions = np.array([cell for cell, _ in places], dtype=np.int64).reshape(-1, len(self.grid.shape))
        else:
            self._positions = np.argwhere(open_cells)
        self.cells: list[Cell] = [tuple(cell) for cell in self._positions.tolist()]
        volumes = prior.cells(self.grid, self.grid.whole)
        self.volumes: list[int] = [int(volumes[cell]) for cell in self.cells]

    def _tied_groups(self) -> list[tuple[State, ...]]:
        """Groups of states that tie exactly and formed classes, where there are two or more."""
        formed = {c.segment.state for c in self.release.classes}
        groups = [tuple(s for s in group if s in formed) for group in self.formation.undecided]
        return [group for group in groups if len(group) > 1]

    @cached_property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """See the class."""  # may take long, so it can be stopped: see cra_engine.patience
        if self.release.study.safe:
            return (self._of_regions(),)
        if self.unordered:
            return (self._relaxation(),)
        seen: dict[object, Hypothesis] = {}
        for orders in product(*(permutations(group) for group in self._groups)):
            hypothesis = self._hypothesis(orders)
            if hypothesis is not None:
                # Under privacy models orders can differ in more than these bounds say.
                same = frozenset(b.key for b in hypothesis.bounds) if self.models is None else orders
                seen.setdefault(same, hypothesis)
        return tuple(seen.values())

    @property
    def sources(self) -> list[Source]:
        """The one source of bounds, of which one hypothesis holds."""
        return [tuple(Choice(hypothesis.bounds, ((0, hypothesis),)) for hypothesis in self.hypotheses)]

    @property
    def limits(self) -> dict[int, tuple[int, int]]:
        """Per open cell the least and the most that it can hold, before any bound is looked at."""
        return dict.fromkeys(range(len(self.cells)), (0, self.release.records))

    def describe(self, bound: CountBound, choice: Choice) -> Sentence:
        """A bound in words."""
        origin = bound.origin
        return Sentence() if origin is None else describe_bound(self.release, choice.hypotheses[0][1], origin)

    def sweep(self, orders: Sequence[tuple[State, ...]]) -> list[State]:
        """All states in the order of their turns; of a tied group those that formed classes come first, as supposed."""
        chosen = {state: order for order in orders for state in order}
        sweep: list[State] = []
        formed = {c.segment.state for c in self.release.classes}
        for group in self.formation.undecided:
            first = next((chosen[state] for state in group if state in chosen), ())
            rest = [state for state in group if state not in first]
            # A tied state without a class must have been infeasible only when the whole group was done.
            sweep += [*first, *sorted(rest, key=lambda state: state not in formed)]
        return sweep

    def _hypothesis(self, orders: Sequence[tuple[State, ...]]) -> Hypothesis | None:
        release, grid = self.release, self.grid
        sweep = self.sweep(orders)
        place = {state: position for position, state in enumerate(sweep)}
        turn = {Owner.SUPPRESSED: len(sweep)} | {i: place[c.segment.state] for i, c in enumerate(release.classes)}
        owner_of_grid = np.full(grid.shape, Owner.SUPPRESSED, dtype=np.int64)
        for index in sorted(range(len(release.classes)), key=lambda i: -turn[i]):
            owner_of_grid[grid.slices(release.classes[index].segment)] = index
        owner = owner_of_grid[tuple(self._positions.T)]
        turns = np.array([turn[int(i)] for i in owner], dtype=np.int64)
        totals = self._totals(owner)
        if totals is None:
            return None
        later = turns >= np.arange(len(sweep))[:, np.newaxis]
        boxes = self._boxes(sweep, owner, later)
        return Hypothesis(owner, turn, (*totals, *boxes), tuple(tuple(o) for o in orders))

    def _of_regions(self) -> Hypothesis:
        """What a safe release says for certain: how many people each of its regions holds, and no more."""
        regions = self.release.regions
        owner = regions.owner.reshape(self.grid.shape)[tuple(self._positions.T)]
        turn = {region: regions.height(region) for region in regions.regions}
        return Hypothesis(owner, turn, tuple(self._totals(owner) or ()), ())

    def _relaxation(self) -> Hypothesis:
        release, lattice, owner = self.release, self.formation, self._slot_owner
        sweep = list(lattice.states)
        place = {state: position for position, state in enumerate(sweep)}
        states = [
            lattice.top if part == Owner.SUPPRESSED else release.classes[part].segment.state for part in owner.tolist()
        ]
        known = {}
        for other in set(states):
            checkpoint()
            known[other] = np.array([self._surely_later(other, state) for state in sweep])
        later = np.array([known[other] for other in states], dtype=bool).reshape(-1, len(sweep)).T
        # What was merged or suppressed afterwards may have been published before any state had its turn.
        formed = {Owner.SUPPRESSED if part.index is None else part.index: part.as_formed for part in self.parts}
        later &= np.array([formed[part] for part in owner.tolist()], dtype=bool)
        turn = {Owner.SUPPRESSED: len(sweep)} | {i: place[c.segment.state] for i, c in enumerate(release.classes)}
        # Where a box can come to pass later, only a class's own records in it are known not to pass.
        free = self._reopened or (self.by_class.coding is None and not finer_first(release))
        boxes = [] if free else self._boxes(sweep, owner, later)
        return Hypothesis(owner, turn, (*(self._totals(owner) or []), *boxes, *self._halves(owner)), ())

    @property
    def _reopened(self) -> bool:
        """True under privacy models by which a box that did not pass can pass once others are published."""
        return self.models is not None and not self.models.closed

    def _surely_later(self, other: State, state: State) -> bool:
        """True when records of classes of ``other`` were left when each box of ``state`` had to be a class or small.

        That is the turn of ``state``, where every state has one. Where suppression was weighed a state has a turn when
        it forms classes; of all others only the end tells something, where nothing could be published any more.
        """
        top = self.formation.top
        if not self.release.gs_factor or state == top:
            return state in (other, top) or self.formation.before(state, other)
        if state in self.class_boxes and not self.release.guessed:
            return state == other or self.formation.before(state, other)
        return other == top and self.release.gs_factor <= Decimal("0.5")

    def _halves(self, owner: NDArray[np.int64]) -> list[Bound]:
        """What bounds the halves of each class by itself, where no state's turn tells it."""
        if not (self.release.gs_factor or self._reopened):
            return []
        results = []
        for part in self.parts:
            own = np.flatnonzero(owner == (Owner.SUPPRESSED if part.index is None else part.index))
            if part.size <= part.cap or not len(own):
                continue
            for half in (child for bounded in part.bounded_attributes for child in bounded.children):
                nodes = self.grid.nodes(half)
                inside = np.ones(len(own), dtype=bool)
                for axis, node in enumerate(nodes):
                    leaves = self._positions[own, axis]
                    inside &= (node.start <= leaves) & (leaves < node.stop)
                cells = frozenset(own[inside].tolist())
                if cells:
                    results.append(Bound(cells, 0, part.cap, None, half.state, half))
        return results

    def _totals(self, owner: NDArray[np.int64]) -> list[Bound] | None:
        """The sum of each class and of the suppressed records; None where some of them have no cell left."""
        totals = []
        for index in (Owner.SUPPRESSED, *(i for i, c in enumerate(self.release.classes) if not c.segment.basic)):
            size = self.release.suppressed if index == Owner.SUPPRESSED else self.release.classes[index].size
            own = frozenset(np.flatnonzero(owner == index).tolist())
            segment = self.grid.whole if index == Owner.SUPPRESSED else self.release.classes[index].segment
            if own:
                totals.append(Bound(own, size, size, index, None, segment))
            elif size:
                return None
        return totals

    def allows(self, counts: Sequence[int]) -> bool:
        """True when data with these counts, one per open cell, can give the release in some order of tied states."""
        return any(all(bound.allows(counts) for bound in h.bounds) for h in self.hypotheses)

    def _boxes(self, sweep: Sequence[State], owner: NDArray[np.int64], later: NDArray[np.bool_]) -> list[Bound]:
        """The boxes that did not become a class, without those that another bound or the totals imply.

        ``later`` tells per state and open cell whether the cell's owner was formed at that state or after it.
        """
        place = {state: position for position, state in enumerate(sweep)}
        results: dict[int, Bound] = {}
        skipped: list[Bound] = []
        for position, state in enumerate(sweep):
            checkpoint()
            cells = np.flatnonzero(later[position])
            if state == self.formation.top or not len(cells):
                continue
            left, box = self.left_by(state), self.box_of(state)[cells]
            failing = self._failing(state, cells, owner)
            limits = np.maximum(failing, left)
            wanted = self._may_be_full(state, box, owner[cells], failing)
            # In a guess boxes of one state need not be of one state of the publisher.
            if left and wanted.sum() > 1 and not self.release.guessed:
                boxes = tuple(frozenset(members.tolist()) for members in _members(cells, box, wanted))
                together = frozenset[int]().union(*boxes)
                full = int(failing[wanted].max()) + 1
                skipped.append(Bound(together, 0, left, None, state, self.grid.whole, boxes, full))
            for above in self.formation.coverers(state):
                if above != self.formation.top:
                    inside = later[place[above]]
                    around = np.maximum(self._failing(above, np.flatnonzero(inside), owner), self.left_by(above))
                    wanted &= self._cut_off(above, cells, box, inside, around, limits)
            for members in _members(cells, box, wanted):
                mask = _mask(members, len(owner))
                limit = int(limits[box[np.searchsorted(cells, members[0])]])
                if mask not in results or limit < results[mask].upper:
                    segment = Segment(state, self._ranks(state, members[0]))
                    results[mask] = Bound(frozenset(members.tolist()), 0, limit, None, state, segment)
        return _maximal(results) + skipped

    def left_by(self, state: State) -> int:
        """The most records that boxes of a state can have held together that passed, but were not published; else 0."""
        # A state without a class had no box that passed, or was skipped with the little that its boxes held.
        formed = state in self._surely_formed and not self.release.guessed
        return 0 if formed or self.skipped_cap < self.k else self.skipped_cap

    def _failing(self, state: State, cells: NDArray[np.int64], owner: NDArray[np.int64]) -> NDArray[np.int64]:
        """Per box of a state the most records of the owners of these cells that do not pass together."""
        number = math.prod(self.grid.box_shape(state))
        if self.models is None:
            return np.full(number, self.k - 1, dtype=np.int64)
        held = np.zeros((number, len(self.models.kinds)), dtype=np.int64)
        classes = len(self.models.held)
        shares = np.unique(self.box_of(state)[cells].astype(np.int64) * classes + owner[cells] % classes)
        np.add.at(held, shares // classes, self.models.held[shares % classes])
        return self.models.most_failing(held)

    @cached_property
    def _surely_formed(self) -> set[State]:
        """The states at which a class was formed for sure: its labels fit no coarser one, too."""
        release = self.release
        return {c.segment.state for c in self._formed if coarsest_fit(release, c) == c.segment.state}

    @property
    def _formed(self) -> Iterator[ReleasedClass]:
        """The classes that surely are as they were formed."""
        return (c for c in self.release.classes if as_formed(self.release, c))

    @cached_property
    def _some_gaps(self) -> bool:
        return any(node.gap for attribute in self.grid.attributes for node in attribute.layer_nodes[0])

    def gaps(self, state: State) -> NDArray[np.bool_]:
        """Per box of a state: True when it is a gap in some attribute, so that nothing bounds it."""
        gaps = np.zeros((), dtype=bool)
        for attribute, layer in zip(self.grid.attributes, state, strict=True):
            gaps = np.logical_or.outer(gaps, [node.gap for node in attribute.layer_nodes[layer - 1]])
        return np.asarray(gaps.ravel())

    @cached_property
    def class_boxes(self) -> dict[State, list[int]]:
        """Per state that formed classes their boxes, numbered as in ``box_of``."""
        result: dict[State, list[int]] = {}
        for released in self._formed:
            state, ranks = released.segment.state, released.segment.ranks
            result.setdefault(state, []).append(int(np.ravel_multi_index(ranks, self.grid.box_shape(state))))
        return result

    def _ranks(self, state: State, cell: int) -> tuple[int, ...]:
        """The ranks of a state's box that holds an open cell."""
        leaves = self._positions[cell]
        return tuple(
            int(a.ranks[layer - 1][leaf]) for a, layer, leaf in zip(self.grid.attributes, state, leaves, strict=True)
        )

    def box_of(self, state: State) -> NDArray[np.int32]:
        """Per open cell the number of a state's box that holds it."""
        if state not in self._boxes_of_state:
            self._boxes_of_state[state] = self.grid.box_numbers(state, self._positions).astype(np.int32)
        return self._boxes_of_state[state]

    def _may_be_full(
        self, state: State, box: NDArray[np.int32], owner: NDArray[np.int64], failing: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Per box of a state: True when it is no class, and the totals alone do not keep it from passing."""
        sizes = np.array([*(c.size for c in self.release.classes), self.release.suppressed])  # the last is that of -1
        shares = np.unique(box.astype(np.int64) * len(sizes) + owner % len(sizes))
        most = np.bincount(shares // len(sizes), sizes[shares % len(sizes)], minlength=len(failing))
        full = most > failing
        full[self.class_boxes.get(state, [])] = False
        if self._some_gaps:
            full &= ~self.gaps(state)
        return np.asarray(full)

    def _cut_off(
        self,
        above: State,
        cells: NDArray[np.int64],
        box: NDArray[np.int32],
        left: NDArray[np.bool_],
        around_limits: NDArray[np.int64],
        limits: NDArray[np.int64],
    ) -> NDArray[np.bool_]:
        """Per box: True when no box of the state ``above`` bounds all of its cells, with others, as it does."""
        around = self.box_of(above)[cells]
        taken = ~left[cells] | (around_limits[around] > limits[box])
        taken |= np.isin(around, self.class_boxes.get(above, []))
        if self._some_gaps:
            taken |= self.gaps(above)[around]
        return np.bincount(box[taken], minlength=len(limits)) > 0


def _members(
    cells: NDArray[np.int64], box: NDArray[np.int32], wanted: NDArray[np.bool_]
) -> Iterator[NDArray[np.int64]]:
    """The cells of each wanted box."""
    chosen = wanted[box]
    cells, box = cells[chosen], box[chosen]
    order = np.argsort(box, kind="stable")
    starts = np.flatnonzero(np.diff(box[order], prepend=-1))
    if len(starts):
        yield from np.split(cells[order], starts[1:])


def _mask(members: NDArray[np.int64], cells: int) -> int:
    """A set of cells as the bits of a whole number."""
    bits = np.zeros(cells, dtype=np.uint8)
    bits[members] = 1
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _maximal(result: dict[int, Bound]) -> list[Bound]:
    """The bounds that no other implies: one on more cells with the same limit or a smaller one."""
    kept: list[Bound] = []
    holding: dict[int, list[tuple[int, int]]] = {}
    for mask in sorted(result, key=lambda m: -m.bit_count()):
        checkpoint()
        bound = result[mask]
        lowest = (mask & -mask).bit_length() - 1
        if any(mask & other == mask and upper <= bound.upper for other, upper in holding.get(lowest, ())):
            continue
        kept.append(bound)
        for cell in bound.cells:
            holding.setdefault(cell, []).append((mask, bound.upper))
    return kept
