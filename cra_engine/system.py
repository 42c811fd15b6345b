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
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from cra_engine.attack import attack
from cra_engine.grid import Cell, Segment
from cra_engine.lattice import State
from cra_engine.release import Release

BoundKey = tuple[frozenset[int], int, int, frozenset[frozenset[int]]]
MAX_HYPOTHESES = 120


@dataclass(frozen=True)
class Bound:
    """One sum of cell counts with its limits.

    Attributes:
        cells: positions of the cells in ``TightSystem.cells``.
        lower: smallest possible sum.
        upper: largest possible sum.
        part: index of the class whose total this is, -1 for the outliers; None for a box that did not become a class.
        state: the state at whose turn the box held at most ``upper``; None for totals.
        segment: the box; for totals the class's own.
        boxes: where not empty, only those of these boxes count that hold k records or more: the state was skipped,
            since all that it could have published together was too little.
    """

    cells: frozenset[int]
    lower: int
    upper: int
    part: int | None
    state: State | None
    segment: Segment
    boxes: tuple[frozenset[int], ...] = ()

    @property
    def key(self) -> BoundKey:
        """What the bound says, whatever state or box it comes from."""
        return self.cells, self.lower, self.upper, frozenset(self.boxes)

    def allows(self, counts: Sequence[int], k: int) -> bool:
        """True when the counts, one per open cell, keep this bound."""
        if not self.boxes:
            return self.lower <= sum(counts[cell] for cell in self.cells) <= self.upper
        held = [sum(counts[cell] for cell in box) for box in self.boxes]
        return sum(count for count in held if count >= k) <= self.upper


@dataclass(frozen=True)
class Hypothesis:
    """The bounds under one order of the tied states.

    Attributes:
        owner: per open cell the index of its class, -1 for the outliers.
        turn: per part (-1 and class indices) when it was formed; larger is later.
        bounds: totals first, then the boxes; dominated ones are left out.
        order: per group of tied states the order supposed, as positions of the groups and permutations.
    """

    owner: NDArray[np.int64]
    turn: dict[int, int]
    bounds: tuple[Bound, ...]
    order: tuple[tuple[State, ...], ...]


class TightSystem:
    """All constraints of a release on the counts of its cells.

    Attributes:
        release: the release.
        cells: the open cells: those that a compound class or the outliers may fill. All others are certain. In a
            relaxed system a cell stands here once per class that may fill it.
        volumes: number of raw value combinations of each open cell.
        settled: count of each other cell that holds records: the classes on a single cell.
        relaxed: True when the order of formation is not known well enough to try every order: then each class may fill
            the cells that no class known to be earlier has taken, and a bound counts only classes known to be later
            than its state. No possible data set is excluded, but some impossible ones may stay.
        hypotheses: one per order of the tied states that matters; several orders with the same bounds count once.
    """

    def __init__(self, release: Release) -> None:
        """See the class."""
        self.release = release
        self.k = release.k
        self.skipped_cap = release.study.skipped_cap(release.records)
        self.grid = release.grid
        self.settled: dict[Cell, int] = {c.segment.ranks: c.size for c in release.classes if c.segment.basic}
        self._groups = self._tied_groups() if release.lattice.uniform else []
        orders = math.prod(math.factorial(len(states)) for states in self._groups)
        self.relaxed = not release.lattice.uniform or orders > MAX_HYPOTHESES
        if self.relaxed:
            places = [
                (cell, -1 if part.index is None else part.index)
                for part in attack(release).parts
                if not part.basic
                for cell in part.free_cells
            ]
            places.sort()
            self._slot_owner = np.array([owner for _, owner in places], dtype=np.int64)
            self._positions = np.array([cell for cell, _ in places], dtype=np.int64).reshape(-1, len(self.grid.shape))
        else:
            self._positions = np.argwhere(self._open_cells())
        self.cells: list[Cell] = [tuple(cell) for cell in self._positions.tolist()]
        volumes = self.grid.cell_volumes(self.grid.whole)
        self.volumes: list[int] = [int(volumes[cell]) for cell in self.cells]

    def _open_cells(self) -> NDArray[np.bool_]:
        basic = np.zeros(self.grid.shape, dtype=bool)
        some = np.full(self.grid.shape, self.release.outliers > 0)
        for released in self.release.classes:
            (basic if released.segment.basic else some)[self.grid.slices(released.segment)] = True
        return some & ~basic

    def _tied_groups(self) -> list[tuple[State, ...]]:
        """Groups of states that tie exactly and formed classes, where there are two or more."""
        formed = {c.segment.state for c in self.release.classes}
        groups = [tuple(s for s in group if s in formed) for group in self.release.lattice.undecided]
        return [group for group in groups if len(group) > 1]

    @cached_property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """See the class."""
        if self.relaxed:
            return (self._relaxation(),)
        seen: dict[frozenset[BoundKey], Hypothesis] = {}
        for orders in product(*(permutations(group) for group in self._groups)):
            hypothesis = self._hypothesis(orders)
            if hypothesis is not None:
                seen.setdefault(frozenset(b.key for b in hypothesis.bounds), hypothesis)
        return tuple(seen.values())

    def _sweep(self, orders: Sequence[tuple[State, ...]]) -> list[State]:
        """All states in the order of their turns; of a tied group those that formed classes come first, as supposed."""
        chosen = {state: order for order in orders for state in order}
        sweep: list[State] = []
        for group in self.release.lattice.undecided:
            first = next((chosen[state] for state in group if state in chosen), ())
            formed = {c.segment.state for c in self.release.classes}
            rest = [state for state in group if state not in first]
            # A tied state without a class must have been infeasible only when the whole group was done.
            sweep += [*first, *sorted(rest, key=lambda state: state not in formed)]
        return sweep

    def _hypothesis(self, orders: Sequence[tuple[State, ...]]) -> Hypothesis | None:
        release, grid = self.release, self.grid
        sweep = self._sweep(orders)
        place = {state: position for position, state in enumerate(sweep)}
        turn = {-1: len(sweep)} | {i: place[c.segment.state] for i, c in enumerate(release.classes)}
        owner_of_grid = np.full(grid.shape, -1, dtype=np.int64)
        for index in sorted(range(len(release.classes)), key=lambda i: -turn[i]):
            owner_of_grid[grid.slices(release.classes[index].segment)] = index
        owner = owner_of_grid[tuple(self._positions.T)]
        turns = np.array([turn[int(i)] for i in owner], dtype=np.int64)
        totals = self._totals(owner)
        if totals is None:
            return None
        later = [np.flatnonzero(turns >= position) for position in range(len(sweep))]
        boxes = self._boxes(sweep, owner, later)
        return Hypothesis(owner, turn, (*totals, *boxes), tuple(tuple(o) for o in orders))

    def _relaxation(self) -> Hypothesis:
        release, lattice, owner = self.release, self.release.lattice, self._slot_owner
        sweep = list(lattice.states)
        place = {state: position for position, state in enumerate(sweep)}
        states = [lattice.top if part == -1 else release.classes[part].segment.state for part in owner.tolist()]
        later = [
            np.flatnonzero([state in (other, lattice.top) or lattice.before(state, other) for other in states])
            for state in sweep
        ]
        turn = {-1: len(sweep)} | {i: place[c.segment.state] for i, c in enumerate(release.classes)}
        return Hypothesis(owner, turn, (*(self._totals(owner) or []), *self._boxes(sweep, owner, later)), ())

    def _totals(self, owner: NDArray[np.int64]) -> list[Bound] | None:
        """The sum of each class and of the outliers; None where some of them have no cell left."""
        totals = []
        for index in (-1, *(i for i, c in enumerate(self.release.classes) if not c.segment.basic)):
            size = self.release.outliers if index == -1 else self.release.classes[index].size
            own = frozenset(np.flatnonzero(owner == index).tolist())
            segment = self.grid.whole if index == -1 else self.release.classes[index].segment
            if own:
                totals.append(Bound(own, size, size, index, None, segment))
            elif size:
                return None
        return totals

    def allows(self, counts: Sequence[int]) -> bool:
        """True when data with these counts, one per open cell, can give the release in some order of tied states."""
        return any(all(bound.allows(counts, self.k) for bound in h.bounds) for h in self.hypotheses)

    def _boxes(
        self, sweep: Sequence[State], owner: NDArray[np.int64], later: Sequence[NDArray[np.int64]]
    ) -> list[Bound]:
        """The boxes that did not become a class, without those that another bound or the totals imply.

        ``later`` gives per state the open cells whose owners were formed at that state or after it.
        """
        sizes = {-1: self.release.outliers} | {i: c.size for i, c in enumerate(self.release.classes)}
        found: dict[int, Bound] = {}
        skipped: list[Bound] = []
        top = self.release.lattice.top
        classes = {c.segment for c in self.release.classes}
        formed = {c.segment.state for c in self.release.classes}
        for state, cells_left in zip(sweep, later, strict=True):
            if state == top or not len(cells_left):
                continue
            # A state without a class had no box with k records, or was skipped with the little that its boxes held.
            limit = self.k - 1 if state in formed else max(self.k - 1, self.skipped_cap)
            boxes = []
            for segment, members in self._occupied(state, cells_left):
                if segment in classes or sum(sizes[int(part)] for part in np.unique(owner[members])) < self.k:
                    continue
                cells = frozenset(members.tolist())
                boxes.append(cells)
                mask = _mask(members, len(owner))
                if mask not in found or limit < found[mask].upper:
                    found[mask] = Bound(cells, 0, limit, None, state, segment)
            if limit >= self.k and len(boxes) > 1:
                together = frozenset[int]().union(*boxes)
                skipped.append(Bound(together, 0, limit, None, state, self.grid.whole, tuple(boxes)))
        return _maximal(found) + skipped

    def _occupied(self, state: State, cells: NDArray[np.int64]) -> Iterator[tuple[Segment, NDArray[np.int64]]]:
        """The boxes of a state that hold some of the open cells, each with those cells."""
        attributes = self.grid.attributes
        leaves = self._positions[cells].T
        ranks = np.stack([a.ranks[layer - 1][own] for a, layer, own in zip(attributes, state, leaves, strict=True)])
        shape = tuple(a.nodes_in(layer) for a, layer in zip(attributes, state, strict=True))
        box = np.ravel_multi_index(tuple(ranks), shape)
        order = np.argsort(box, kind="stable")
        starts = np.flatnonzero(np.diff(box[order], prepend=-1))
        for chunk in np.split(order, starts[1:]):
            yield Segment(state, tuple(ranks[:, chunk[0]].tolist())), cells[chunk]


def _mask(members: NDArray[np.int64], cells: int) -> int:
    """A set of cells as the bits of a whole number."""
    bits = np.zeros(cells, dtype=np.uint8)
    bits[members] = 1
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _maximal(found: dict[int, Bound]) -> list[Bound]:
    """The bounds that no other implies: one on more cells with the same limit or a smaller one."""
    kept: list[Bound] = []
    holding: dict[int, list[tuple[int, int]]] = {}
    for mask in sorted(found, key=lambda m: -m.bit_count()):
        bound = found[mask]
        lowest = (mask & -mask).bit_length() - 1
        if any(mask & other == mask and upper <= bound.upper for other, upper in holding.get(lowest, ())):
            continue
        kept.append(bound)
        for cell in bound.cells:
            holding.setdefault(cell, []).append((mask, bound.upper))
    return kept
