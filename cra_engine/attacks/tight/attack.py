"""The tight attack: all classes of a release together (beyond the paper; see docs/tight-attack.md).

Data sets are counted exactly, component by component, where that is possible, and estimated with a standard error
where it is not. What a cell can hold at least and at most is then proven by CP-SAT. Every result says which.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cra_engine.attacks.prior import DISTINCT, Prior, prior_of
from cra_engine.attacks.tight.branching import Branching, TooManyParts, too_wide
from cra_engine.attacks.tight.certainty import Ranges, close_ranges, known_ranges, reason
from cra_engine.attacks.tight.components import Atom, Component, split
from cra_engine.attacks.tight.frontier import Frontier, FrontierTooLarge
from cra_engine.attacks.tight.montecarlo import Estimate, Sampler
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.attacks.tight.safe import SafeTightAttack
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.attacks.tight.views import CellView, Explanation, merged, raw_views
from cra_engine.attacks.tight.words import describe_bound
from cra_engine.choices import Prior as PriorName
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.expected import expect, expect_seconds, whole_number
from cra_engine.patience import Stopped, checkpoint, stoppable
from cra_engine.release import Release
from cra_engine.study.grid import Cell
from cra_engine.study.population import Population

MAX_STATES = 50_000
STATES_PER_PART = 2  # of a frontier, in the time that a part takes where the count branches
# Of the time limit, what each step leaves to those after it: the classes by themselves, the exact count, the estimate.
KEPT_FOR_COUNT, KEPT_FOR_ESTIMATE, KEPT_FOR_PROOFS = 3 / 4, 1 / 2, 1 / 4


@dataclass(frozen=True)
class _Solved:
    """One component's result: the logarithm of its number of data sets, None when unknown, and its atoms' ranges."""

    component: Component
    log10: float | None
    stderr: float
    worlds: int | None
    views: tuple[CellView, ...]
    ranges: Ranges
    refused: str = ""


class SolvedTightAttack(TightAttack):
    """All that a release of ARX-LR gives away, by its system of bounds.

    Attributes:
        system: the release's constraints.
    """

    def __init__(
        self,
        release: Release,
        time_limit: float,
        seed: int,
        cancelled: Callable[[], bool],
        prior: Prior = DISTINCT,
    ) -> None:
        """Run by :func:`tight_attack`."""
        self.release = release
        self.prior = prior
        started = time.monotonic()

        def left(kept: float = 0.0) -> float:
            return 0.0 if cancelled() else time_limit * (1 - kept) - (time.monotonic() - started)

        self.system = TightSystem(release, prior)
        self.relaxed = self.system.relaxed
        self.order_unknown = self.system.by_class.order_unknown
        self.parts = parts = self.system.parts
        self.settled = self.system.settled
        self.log10_worlds_intervals = sum(math.log10(p.lr_solutions) for p in parts if p.lr_solutions)
        self.log10_worlds_per_class = self._alone(lambda: left(KEPT_FOR_COUNT) <= 0)
        components: list[Component] | None = None
        try:
            with stoppable(lambda: left() <= 0):
                if not self.system.hypotheses:
                    raise CRAError(
                        "No order of formation explains this release; "
                        "check that k, the profile and the hierarchies are those of the release."
                    )
                components = sorted(split(self.system), key=lambda component: len(component.atoms))
        except Stopped:
            pass  # the constraints themselves are not known in full
        self._solved = _solve(self.system, components or [], seed, left)
        if any(not s.ranges.possible for s in self._solved):
            raise CRAError(
                "No data set of distinct records gives this release as a whole; "
                "check that k, the profile and the hierarchies are those of the release."
            )
        known = components is not None and not self.relaxed and not release.raw_records
        self.complete = known and not any(s.ranges.doubtful for s in self._solved)
        self.worlds = self.log10_worlds = self.log10_worlds_stderr = None
        if components is not None:
            self._count()
        # In a relaxed system nothing more can be said once no atom is doubtful.
        finished = self.log10_worlds is not None and not any(s.ranges.doubtful for s in self._solved)
        self.status = "timeout" if not finished else "estimate" if self.worlds is None else "exact"
        self.refused = next((s.refused for s in self._solved if s.refused), "")
        self.cells = self._views(unknown=components is None)

    def _alone(self, stop: Callable[[], bool]) -> float | None:
        """The decimal logarithm of the product of the classes' own numbers; None when that takes too long."""
        try:
            with stoppable(stop):
                for part in self.system.parts:
                    checkpoint()
                    if part.problem is not None and not part.basic:
                        raise CRAError(part.problem)
                return self.system.by_class.tables().log10_left
        except (Stopped, TooLargeError):
            return None

    def _count(self) -> None:
        """Put the components' numbers of data sets together."""
        settled = 0.0
        exactly = 1
        for cell, size in self.system.settled.items():
            # Where records of a single cell must coincide there is no data set of distinct records; leave it out.
            place = self.release.grid.cell_segment(cell)
            ways = self.prior.tables(self.prior.whole(self.release.grid, place), size) or 1
            exactly *= ways
            settled += math.log10(ways)
        logs = [s.log10 for s in self._solved if s.log10 is not None]
        if len(logs) == len(self._solved):
            self.log10_worlds = settled + sum(logs)
            self.log10_worlds_stderr = math.sqrt(sum(s.stderr**2 for s in self._solved))
            counts = [s.worlds for s in self._solved if s.worlds is not None]
            if len(counts) == len(self._solved):
                self.worlds = exactly * math.prod(counts)

    def _views(self, *, unknown: bool) -> tuple[CellView, ...]:
        """What is known per cell; with ``unknown`` only what every cell shares."""
        views: dict[Cell, CellView] = {
            cell: CellView(cell, size, size, (size, size), (*[0.0] * size, 1.0), exact=True)
            for cell, size in self.system.settled.items()
        }
        slots = [view for s in self._solved for view in s.views]
        if unknown:
            # A cell with k records would have been a class, at the first turn of all, unless that turn was skipped.
            records = self.release.records
            most = records if self.release.gs_factor else self.release.study.child_cap(records)
            slots = [
                CellView(cell, 0, self._room(cell, most), None, (), exact=False)
                for cell in dict.fromkeys(self.system.cells)
            ]
        for view in slots:
            views[view.cell] = view if view.cell not in views else merged(views[view.cell], view)
        for part in self.system.raw:
            for view in raw_views(part):
                views[view.cell] = view if view.cell not in views else merged(views[view.cell], view)
        return tuple(views[cell] for cell in sorted(views))

    def _room(self, cell: Cell, most: int) -> int:
        """The most records of a cell that could have been a class; in a gap, or at the top, there can be any number."""
        if self.release.grid.whole.basic:
            return self.release.records
        gap = any(a.node(1, leaf).gap for a, leaf in zip(self.release.attributes, cell, strict=True))
        return self.release.records if gap else most

    def explain(
        self, cell: Cell, time_limit: float = 10.0, cancelled: Callable[[], bool] = lambda: False
    ) -> list[Explanation]:
        """See :meth:`TightAttack.explain`."""
        self.release.grid.check_cell(cell, "explain(cell)")
        if cell not in self.fixed_cells or cell in self.system.settled:
            return []
        end = time.monotonic() + time_limit

        def left() -> float:
            return 0.0 if cancelled() else end - time.monotonic()

        explanations = []
        for solved in self._solved:
            for atom, members in enumerate(solved.component.atoms):
                if all(self.system.cells[position] != cell for position in members.cells):
                    continue
                value, atoms = solved.ranges.fixed[atom], len(solved.component.atoms)
                for option in solved.component.options:
                    contradiction = reason(option, atoms, atom, None, self.release.k, left)
                    found = contradiction or reason(option, atoms, atom, value, self.release.k, left)
                    order = option.hypothesis.order
                    if found is None:
                        explanations.append(Explanation((), (), minimal=False, order=order))
                        continue
                    texts = tuple(describe_bound(self.system, option, bound) for bound in found.bounds)
                    explanations.append(Explanation(found.bounds, texts, found.minimal, order, contradiction is None))
        return explanations


def _solve(
    system: TightSystem, components: Sequence[Component], seed: int, left: Callable[..., float]
) -> tuple[_Solved, ...]:
    """Count the components, estimate those that are too large for that, and prove what is certain.

    Each step goes through all components, small ones first, before the next begins, and keeps some time for it:
    ``left(share)`` tells how many seconds are left when so much of the time limit is kept.
    """
    counted = [_counted(system, component, lambda: left(KEPT_FOR_ESTIMATE) <= 0) for component in components]
    estimated: dict[int, _Estimated] = {}
    for position, component in enumerate(components):
        if counted[position] is None:
            estimated[position] = _estimated(system, component, seed + position, lambda: left(KEPT_FOR_PROOFS) <= 0)
    for certain_only in (True, False):
        for known in estimated.values():
            if left() > 0:
                close_ranges(known.component, known.ranges, system.k, left, certain_only=certain_only)
    return tuple(
        found if found is not None else estimated[position].solved(system) for position, found in enumerate(counted)
    )


def _counted(system: TightSystem, component: Component, stop: Callable[[], bool]) -> _Solved | None:
    """The component's data sets counted; None where they are too many or the time is too short."""
    try:
        with stoppable(stop):
            count = _count(component, system.prior)
            if not count.total:
                return _Solved(component, -math.inf, 0.0, 0, (), Ranges([], [], None, possible=False))
            supports = count.supports()
            views = []
            for atom, counts, support in zip(component.atoms, count.marginals(), supports, strict=True):
                views += _exact_views(system, atom, counts, count.total, support)
    except (FrontierTooLarge, TooManyParts, Stopped):
        return None
    lowest, highest = [low for low, _ in supports], [high for _, high in supports]
    ranges = Ranges(lowest, highest, (lowest, highest))
    return _Solved(component, math.log10(count.worlds), 0.0, count.worlds, tuple(views), ranges)


def _count(component: Component, prior: Prior) -> Branching | Frontier:
    """The exact count: by branching; atom by atom where several orders of tied states are possible, or much is tied.

    Raises:
        FrontierTooLarge: it takes too many states.
        TooManyParts: it takes too many parts.
    """
    if len(component.options) == 1 and not too_wide(component):
        return Branching(component, MAX_STATES // STATES_PER_PART, prior)
    return Frontier(component, MAX_STATES, prior)


def _exact_views(
    system: TightSystem, atom: Atom, counts: list[int], total: int, support: tuple[int, int]
) -> list[CellView]:
    # Cells that no bound tells apart can each be empty while another holds everything.
    lowest = support[0] if len(atom.cells) == 1 else 0
    seen = None if system.relaxed else (lowest, support[1])
    rows: dict[int, tuple[float, ...]] = {}
    views = []
    for cell in atom.cells:
        volume = system.volumes[cell]
        if volume not in rows:
            checkpoint()
            rows[volume] = tuple(
                float(ways / total) for ways in system.prior.in_cell(counts, volume, atom.volume - volume)
            )
        views.append(CellView(system.cells[cell], lowest, support[1], seen, rows[volume], exact=True))
    return views


@dataclass(frozen=True)
class _Estimated:
    """One component's estimate, if there is one, and its atoms' ranges."""

    component: Component
    estimate: Estimate | None
    ranges: Ranges
    refused: str = ""

    def solved(self, system: TightSystem) -> _Solved:
        """The component's result."""
        views = []
        place = {} if self.estimate is None else {cell: position for position, cell in enumerate(self.estimate.cells)}
        for position, atom in enumerate(self.component.atoms):
            # Cells that no bound tells apart can each be empty while another holds everything.
            alone = len(atom.cells) == 1
            lowest = self.ranges.lowest[position] if alone else 0
            highest = self.ranges.highest[position]
            seen = None
            if self.ranges.seen is not None and not system.relaxed:
                seen = (self.ranges.seen[0][position] if alone else 0, self.ranges.seen[1][position])
            for cell in atom.cells:
                row: tuple[float, ...] = ()
                if lowest == highest:
                    row = (*[0.0] * lowest, 1.0)
                elif self.estimate is not None and self.estimate.probabilities is not None:
                    row = tuple(float(p) for p in self.estimate.probabilities[place[cell]])
                exact = lowest == highest
                views.append(CellView(system.cells[cell], lowest, highest, seen, row, exact=exact))
        log10, stderr = (None, math.inf) if self.estimate is None else (self.estimate.log10, self.estimate.stderr)
        return _Solved(self.component, log10, stderr, None, tuple(views), self.ranges, self.refused)


def _estimated(system: TightSystem, component: Component, seed: int, stop: Callable[[], bool]) -> _Estimated:
    """The component's estimate as far as the time goes; what it met of each atom."""
    ranges = known_ranges(component)
    try:
        with stoppable(stop):
            estimate = Sampler(system, component).estimate(seed)
    except Stopped:
        return _Estimated(component, None, ranges)
    except TooLargeError as error:
        return _Estimated(component, None, ranges, str(error))
    if estimate.seen is not None:
        least, most = estimate.seen.tolist()
        ranges.seen = least, most
    return _Estimated(component, estimate, ranges)


def tight_attack(
    release: Release,
    *,
    time_limit: float = 60.0,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    prior: PriorName = "distinct",
    population: Population | None = None,
) -> TightAttack:
    """Attack all classes of a release together.

    Args:
        release: the published table with its study.
        time_limit: seconds; when they are over, what is known so far is returned and marked as such.
        seed: of the estimate, 0 or more; same seed, same numbers, as long as the time limit does not cut in.
        cancelled: asked several times a second; when it answers True the run ends as at the time limit.
        prior: which tables count, and how; see :func:`cra_engine.attack`.
        population: shares to draw records from, in place of either.

    Raises:
        CRAError: no data set gives this release; or the seed or the time limit is below 0.
        TooLargeError: the grid or the lattice is larger than the engine admits.

    >>> from cra_engine import recode, synthesize
    >>> toy = synthesize("toy")
    >>> together = tight_attack(recode(toy.data, toy.study).release)
    >>> together.status, len(together.isolated)
    ('exact', 2)
    """
    expect(release, Release, "tight_attack(release)")
    seed = check_settings(time_limit, seed)
    weighed = prior_of(prior, population)
    if release.study.safe:
        end = time.monotonic() + time_limit
        return SafeTightAttack(release, lambda: cancelled() or time.monotonic() >= end, weighed)
    return SolvedTightAttack(release, time_limit, seed, cancelled, weighed)


def check_settings(time_limit: float, seed: int) -> int:
    """Refuse a time limit or a seed that makes no sense; the seed as a whole number of Python's.

    Raises:
        CRAError: one of them is below 0, or no number.
    """
    whole = whole_number(seed)
    if whole is None or whole < 0:
        raise CRAError(f"The seed is {seed!r}; give a whole number of 0 or more.")
    expect_seconds(time_limit)
    return whole
