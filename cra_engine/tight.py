"""The tight attack: all classes of a release together (beyond the paper; see docs/method.md).

Data sets are counted exactly, component by component, where that is possible, and estimated with a standard error
where it is not. Every result says which.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

from cra_engine.attack import attack
from cra_engine.certainty import describe_bound, fixed_atoms, reason
from cra_engine.components import Atom, Component, split
from cra_engine.errors import CRAError
from cra_engine.frontier import Frontier, FrontierTooLarge
from cra_engine.grid import Cell
from cra_engine.montecarlo import Sampler
from cra_engine.release import Release
from cra_engine.system import Bound, TightSystem

Status = Literal["exact", "estimate", "timeout"]
MAX_STATES = 50_000


@dataclass(frozen=True)
class CellView:
    """What the tight attack knows of one cell.

    Attributes:
        cell: leaf indices.
        lowest: smallest count seen or proven.
        highest: largest count seen or proven.
        fixed: True when no possible data set has another count.
        probabilities: per count from 0 on, its probability when every possible data set is equally likely; empty when
            unknown.
        exact: True when the probabilities are exact, False when estimated.
    """

    cell: Cell
    lowest: int
    highest: int
    fixed: bool
    probabilities: tuple[float, ...]
    exact: bool


@dataclass(frozen=True)
class Explanation:
    """Why a cell is certain.

    Attributes:
        bounds: the bounds that together force its count; without any one of them it would not be certain.
        texts: the same in words.
        minimal: False when the time did not suffice to show that none can be left out.
    """

    bounds: tuple[Bound, ...]
    texts: tuple[str, ...]
    minimal: bool


@dataclass(frozen=True)
class _Solved:
    """One component's result: the logarithm of its number of data sets, None when unknown, and its fixed atoms."""

    component: Component
    log10: float | None
    stderr: float
    worlds: int | None
    views: tuple[CellView, ...]
    fixed: dict[int, int]
    complete: bool


class TightAttack:
    """All that a release gives away.

    Attributes:
        release: the release.
        status: ``"exact"``: counted to the last digit; ``"estimate"``: with a standard error; ``"timeout"``: the time
            ran out or the run was cancelled, and only what is known so far is here.
        worlds: number of possible data sets where exact, else None.
        log10_worlds: its decimal logarithm, None when unknown.
        log10_worlds_stderr: standard error of that logarithm, 0 where exact, None when unknown.
        log10_worlds_per_class: the same when each class is attacked by itself, as the paper does.
        log10_worlds_intervals: the same for somebody who only reads the intervals.
        cells: what is known of each cell that holds records or may hold some.
        relaxed: True when the order of formation is known too little to use every bound: then the numbers of data sets
            are upper bounds, and what is called certain still is.
        complete: True when ``fixed_cells`` lists every cell that is certain.
    """

    def __init__(self, release: Release, time_limit: float, seed: int, cancelled: Callable[[], bool]) -> None:
        """Run by :func:`tight_attack`."""
        self.release = release
        started = time.monotonic()

        def left() -> float:
            return 0.0 if cancelled() else time_limit - (time.monotonic() - started)

        parts = attack(release).parts
        self.log10_worlds_per_class = sum(math.log10(p.cra_solutions) for p in parts if p.cra_solutions)
        self.log10_worlds_intervals = sum(math.log10(p.lr_solutions) for p in parts if p.lr_solutions)
        self.system = TightSystem(release)
        for part in parts:
            if part.problem is not None and not part.basic:
                raise CRAError(part.problem)
        if not self.system.hypotheses:
            raise CRAError(
                "No order of formation explains this release; "
                "check that k, the profile and the hierarchies are those of the release."
            )
        solved = [
            _solve(self.system, component, seed + position, left, time_limit / 2)
            for position, component in enumerate(split(self.system))
        ]
        if any(s.worlds == 0 for s in solved):
            raise CRAError(
                "No data set of distinct records gives this release as a whole; "
                "check that k, the profile and the hierarchies are those of the release."
            )
        self._solved = tuple(solved)
        settled = 0.0
        exactly = 1
        for cell, size in self.system.settled.items():
            # Where records of a single cell must coincide there is no data set of distinct records; leave it out.
            ways = math.comb(self.release.grid.volume(self.release.grid.cell_segment(cell)), size) or 1
            exactly *= ways
            settled += math.log10(ways)
        self.relaxed = self.system.relaxed
        self.complete = all(s.complete for s in solved)
        self.status: Status = "timeout"
        self.worlds: int | None = None
        self.log10_worlds: float | None = None
        self.log10_worlds_stderr: float | None = None
        logs = [s.log10 for s in solved if s.log10 is not None]
        if len(logs) == len(solved):
            self.log10_worlds = settled + sum(logs)
            self.log10_worlds_stderr = math.sqrt(sum(s.stderr**2 for s in solved))
            counts = [s.worlds for s in solved if s.worlds is not None]
            if len(counts) == len(solved):
                self.worlds = exactly * math.prod(counts)
            if self.complete:
                self.status = "exact" if self.worlds is not None else "estimate"
        certain = [
            CellView(cell, size, size, fixed=True, probabilities=(*[0.0] * size, 1.0), exact=True)
            for cell, size in self.system.settled.items()
        ]
        views: dict[Cell, CellView] = {}
        for view in [*certain, *(v for s in solved for v in s.views)]:
            views[view.cell] = view if view.cell not in views else _merged(views[view.cell], view)
        self.cells = tuple(views[cell] for cell in sorted(views))

    @cached_property
    def fixed_cells(self) -> dict[Cell, int]:
        """The cells whose number of records is certain, with that number."""
        return {v.cell: v.lowest for v in self.cells if v.fixed and not self.release.raw_cells[v.cell]}

    @property
    def isolated(self) -> list[Cell]:
        """The cells that hold exactly one person for certain: singled out from the release alone."""
        return [cell for cell, count in self.fixed_cells.items() if count == 1]

    def cell_probabilities(self, j: int) -> dict[Cell, float]:
        """Per cell the probability that it holds exactly ``j`` records, where it is known."""
        return {
            view.cell: view.probabilities[j] if 0 <= j < len(view.probabilities) else 0.0
            for view in self.cells
            if view.probabilities
        }

    @property
    def expected_isolated(self) -> float | None:
        """Expected number of cells that hold exactly one person; None when some probabilities are unknown."""
        if not all(view.probabilities for view in self.cells):
            return None
        return math.fsum(self.cell_probabilities(1).values())

    def explain(self, cell: Cell, time_limit: float = 10.0) -> list[Explanation]:
        """Why a fixed cell is certain: per possible order of tied states a minimal set of bounds that force its count.

        Empty for a cell that is not fixed, is a class of its own, or where the time did not suffice.
        """
        if cell not in self.fixed_cells or cell in self.system.settled:
            return []
        end = time.monotonic() + time_limit
        explanations = []
        for solved in self._solved:
            for atom, members in enumerate(solved.component.atoms):
                if all(self.system.cells[position] != cell for position in members.cells):
                    continue
                for option in solved.component.options:
                    found = reason(
                        option,
                        len(solved.component.atoms),
                        atom,
                        solved.fixed[atom],
                        self.release.k,
                        lambda: end - time.monotonic(),
                    )
                    if found is not None:
                        texts = tuple(describe_bound(self.system, option, bound) for bound in found.bounds)
                        explanations.append(Explanation(found.bounds, texts, found.minimal))
        return explanations


def _merged(one: CellView, other: CellView) -> CellView:
    """One view of a cell that several classes may fill; their counts are taken as independent."""
    probabilities: tuple[float, ...] = ()
    if one.probabilities and other.probabilities:
        probabilities = tuple(np.convolve(one.probabilities, other.probabilities).tolist())
    fixed = one.fixed and other.fixed
    return CellView(one.cell, one.lowest + other.lowest, one.highest + other.highest, fixed, probabilities, exact=fixed)


def _solve(system: TightSystem, component: Component, seed: int, left: Callable[[], float], reserve: float) -> _Solved:
    """Count one component exactly, or estimate it, or say that the time ran out.

    ``reserve`` seconds are kept for the estimate.
    """
    try:
        frontier = Frontier(component, MAX_STATES, lambda: left() <= reserve)
    except FrontierTooLarge:
        return _estimate(system, component, seed, left)
    if not frontier.total:
        return _Solved(component, -math.inf, 0.0, 0, (), {}, complete=True)
    views = []
    for atom, counts, support in zip(component.atoms, frontier.marginals(), frontier.supports(), strict=True):
        views += _exact_views(system, atom, counts, frontier.total, support)
    fixed = {atom: low for atom, (low, high) in enumerate(frontier.supports()) if low == high}
    return _Solved(component, math.log10(frontier.total), 0.0, frontier.total, tuple(views), fixed, complete=True)


def _exact_views(
    system: TightSystem, atom: Atom, counts: list[int], total: int, support: tuple[int, int]
) -> list[CellView]:
    # Cells that no bound tells apart can each be empty while another holds everything.
    lowest = support[0] if len(atom.cells) == 1 else 0
    views = []
    for cell in atom.cells:
        own, rest = system.volumes[cell], atom.volume - system.volumes[cell]
        row = [Fraction(0)] * len(counts)
        for n, ways in enumerate(counts):
            if ways:
                all_ways = math.comb(atom.volume, n)
                for j in range(n + 1):
                    row[j] += Fraction(ways * math.comb(own, j) * math.comb(rest, n - j), all_ways * total)
        fixed = lowest == support[1]
        views.append(CellView(system.cells[cell], lowest, support[1], fixed, tuple(float(p) for p in row), exact=True))
    return views


def _estimate(system: TightSystem, component: Component, seed: int, left: Callable[[], float]) -> _Solved:
    estimate = Sampler(system, component).estimate(seed, lambda: left() <= 0)
    if estimate is None:
        unknown = tuple(
            CellView(system.cells[cell], 0, system.k - 1, fixed=False, probabilities=(), exact=False)
            for atom in component.atoms
            for cell in atom.cells
        )
        return _Solved(component, None, math.inf, None, unknown, {}, complete=False)
    place = {cell: position for position, cell in enumerate(estimate.cells)}
    low = [int(sum(estimate.lowest[place[cell]] for cell in atom.cells)) for atom in component.atoms]
    high = [int(sum(estimate.highest[place[cell]] for cell in atom.cells)) for atom in component.atoms]
    fixed, complete = fixed_atoms(component, low, high, system.k, left)
    views = []
    for position, atom in enumerate(component.atoms):
        certain = position in fixed and (len(atom.cells) == 1 or fixed[position] == 0)
        for cell in atom.cells:
            row = estimate.probabilities[place[cell]]
            views.append(
                CellView(
                    system.cells[cell],
                    int(estimate.lowest[place[cell]]),
                    int(estimate.highest[place[cell]]),
                    certain,
                    tuple(float(p) for p in row),
                    exact=certain,
                )
            )
    return _Solved(component, estimate.log10, estimate.stderr, None, tuple(views), fixed, complete)


def tight_attack(
    release: Release,
    *,
    time_limit: float = 60.0,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> TightAttack:
    """Attack all classes of a release together.

    Args:
        release: the published table with its study.
        time_limit: seconds; when they are over, what is known so far is returned and marked as such.
        seed: of the estimate; same seed, same numbers, as long as the time limit does not cut in.
        cancelled: asked several times a second; when it answers True the run ends as at the time limit.

    Raises:
        CRAError: no data set gives this release.
        TooLargeError: the grid, the lattice or the number of tied orders is larger than the engine admits.
    """
    return TightAttack(release, time_limit, seed, cancelled)
