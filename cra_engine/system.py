"""The tight system: everything that a release says about the counts of its cells, classes that straddle included.

A data set gives exactly this release if and only if (a) the cells that a class owns hold its records, and (b) whenever
a state had its turn, every box of that state that did not become a class held at most k - 1 of the records not yet
published. The paper's constraints are the part of (b) that stays inside one class.

The publisher's last criterion c3 needs the raw data. So where several states tie exactly in (loss, c1, c2), each order
of those that formed a class is a hypothesis with its own owners and bounds; a data set is possible when one hypothesis
allows it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from cra_engine.errors import TooLargeError
from cra_engine.grid import Cell, Segment
from cra_engine.lattice import State
from cra_engine.release import Release

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
    """

    cells: frozenset[int]
    lower: int
    upper: int
    part: int | None
    state: State | None
    segment: Segment


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
        cells: the open cells: those that a compound class or the outliers may fill. All others are certain.
        volumes: number of raw value combinations of each open cell.
        settled: count of each other cell that holds records: the classes on a single cell.
        hypotheses: one per order of the tied states that matters; several orders with the same bounds count once.

    Raises:
        TooLargeError: ties leave more than 120 orders open.
    """

    def __init__(self, release: Release) -> None:
        """See the class."""
        self.release = release
        self.k = release.k
        self.grid = release.grid
        self._groups = self._tied_groups()
        orders = math.prod(math.factorial(len(states)) for states in self._groups)
        if orders > MAX_HYPOTHESES:
            raise TooLargeError(
                f"Exact ties between states leave {orders:,} orders of formation open, more than {MAX_HYPOTHESES}; "
                "attack the classes one by one, or give the attributes domains of different size."
            )
        self.settled: dict[Cell, int] = {c.segment.ranks: c.size for c in release.classes if c.segment.basic}
        basic = np.zeros(self.grid.shape, dtype=bool)
        open_ = np.full(self.grid.shape, release.outliers > 0)
        for released in release.classes:
            (basic if released.segment.basic else open_)[self.grid.slices(released.segment)] = True
        open_ &= ~basic
        self._positions = np.argwhere(open_)
        self.cells: list[Cell] = [tuple(int(leaf) for leaf in cell) for cell in self._positions]
        self.volumes: list[int] = [int(v) for v in self.grid.cell_volumes(self.grid.whole)[open_]]

    def _tied_groups(self) -> list[tuple[State, ...]]:
        """Groups of states that tie exactly and formed classes, where there are two or more."""
        formed = {c.segment.state for c in self.release.classes}
        groups = [tuple(s for s in group if s in formed) for group in self.release.lattice.groups]
        return [group for group in groups if len(group) > 1]

    @cached_property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """See the class."""
        seen: dict[frozenset[tuple[frozenset[int], int]], Hypothesis] = {}
        for orders in product(*(permutations(group) for group in self._groups)):
            hypothesis = self._hypothesis(orders)
            if hypothesis is not None:
                seen.setdefault(frozenset((b.cells, b.lower) for b in hypothesis.bounds), hypothesis)
        return tuple(seen.values())

    def _sweep(self, orders: Sequence[tuple[State, ...]]) -> list[State]:
        """All states in the order of their turns; of a tied group those that formed classes come first, as supposed."""
        chosen = {state: order for order in orders for state in order}
        sweep: list[State] = []
        for group in self.release.lattice.groups:
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
        totals = []
        for index in (-1, *(i for i, c in enumerate(release.classes) if not c.segment.basic)):
            size = release.outliers if index == -1 else release.classes[index].size
            own = frozenset(np.flatnonzero(owner == index).tolist())
            segment = grid.whole if index == -1 else release.classes[index].segment
            if size and not own:
                return None
            totals.append(Bound(own, size, size, index, None, segment))
        sizes = {b.part: b.upper for b in totals}
        boxes = self._boxes(sweep, owner, turns, sizes)
        return Hypothesis(owner, turn, (*[t for t in totals if t.cells], *boxes), tuple(tuple(o) for o in orders))

    def _boxes(
        self, sweep: Sequence[State], owner: NDArray[np.int64], turns: NDArray[np.int64], sizes: dict[int | None, int]
    ) -> list[Bound]:
        """The boxes that did not become a class, without those that another bound or the totals imply."""
        found: dict[int, Bound] = {}
        attributes, top = self.grid.attributes, self.release.lattice.top
        classes = {c.segment for c in self.release.classes}
        for position, state in enumerate(sweep):
            if state == top:
                continue
            later = np.flatnonzero(turns >= position)
            if not len(later):
                continue
            ranks = np.stack(
                [
                    a.ranks[layer - 1][self._positions[later, i]]
                    for i, (a, layer) in enumerate(zip(attributes, state, strict=True))
                ]
            )
            shape = tuple(a.nodes_in(layer) for a, layer in zip(attributes, state, strict=True))
            box = np.ravel_multi_index(tuple(ranks), shape)
            order = np.argsort(box, kind="stable")
            starts = np.flatnonzero(np.diff(box[order], prepend=-1))
            for chunk in np.split(order, starts[1:]):
                segment = Segment(state, tuple(int(r) for r in ranks[:, chunk[0]]))
                members = later[chunk]
                if segment in classes or sum(sizes[int(part)] for part in np.unique(owner[members])) <= self.k - 1:
                    continue
                mask = sum(1 << int(member) for member in members)
                if mask not in found:
                    cells = frozenset(int(member) for member in members)
                    found[mask] = Bound(cells, 0, self.k - 1, None, state, segment)
        return _maximal(found)


def _maximal(found: dict[int, Bound]) -> list[Bound]:
    """The bounds whose cells are not all part of another's: all have the same limit, so the others follow."""
    kept: list[Bound] = []
    holding: dict[int, list[int]] = {}
    for mask in sorted(found, key=lambda m: -m.bit_count()):
        lowest = (mask & -mask).bit_length() - 1
        if any(mask & other == mask for other in holding.get(lowest, ())):
            continue
        kept.append(found[mask])
        for cell in found[mask].cells:
            holding.setdefault(cell, []).append(mask)
    return kept
