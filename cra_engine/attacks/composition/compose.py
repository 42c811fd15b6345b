"""Several releases of the same people, attacked together (docs/composition.md).

Each release by itself leaves many tables possible. A table of the same people must be possible for all of them at once,
which leaves far fewer, and at times one number for a cell that each release by itself leaves open.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import pandas as pd

from cra_engine.attacks.composition.alone import attacks_alone, refuse_safe
from cra_engine.attacks.composition.linked import Track, tracks
from cra_engine.attacks.composition.parts import Impossible, split
from cra_engine.attacks.composition.reasons import reasons
from cra_engine.attacks.composition.refined import Refinement, refine
from cra_engine.attacks.composition.same_people import check_numbers, contradiction_of, refuse_other_leaves
from cra_engine.attacks.composition.solving import Solved, known_cells, known_views, solve, views_of
from cra_engine.attacks.composition.system import JointSystem
from cra_engine.attacks.composition.wider import WiderCells, wider_cells
from cra_engine.attacks.notebook import told_above
from cra_engine.attacks.prior import Prior, prior_of
from cra_engine.attacks.refinement.formation import MAY_BE_GLOBAL, may_be_global
from cra_engine.attacks.tight.attack import SolvedTightAttack, check_settings
from cra_engine.attacks.tight.outcome import Status
from cra_engine.attacks.tight.views import UNFINISHED, CellView, Explanation, KnownCells
from cra_engine.choices import Prior as PriorName
from cra_engine.errors import ContradictionError, CRAError
from cra_engine.expected import expect_each
from cra_engine.patience import Stopped, stoppable
from cra_engine.release import Release
from cra_engine.study.grid import Cell, Grid
from cra_engine.study.population import Population

KEPT_FOR_ALL = 3 / 4  # of the time limit, what the releases one by one leave to all of them together
IN_PART = (
    "The number of tables that all releases together leave is an upper bound, since what some release tells is known "
    "in part only: impossible tables are counted too, and what is likely or expected is so over all that are counted. "
    "What is called certain is certain all the same."
)


@dataclass(frozen=True)
class Alone:
    """What one release says by itself, told on the cells that all releases have in common.

    Attributes:
        release: the release.
        tight: the tight attack on it.
        fixed_cells: the cells whose number of records in this release is certain, with that number.
    """

    release: Release
    tight: SolvedTightAttack
    fixed_cells: dict[Cell, int]

    @property
    def isolated(self) -> list[Cell]:
        """The cells that hold exactly one person of this release for certain."""
        return [cell for cell, count in self.fixed_cells.items() if count == 1]


class Composition(KnownCells):
    """What several releases of the same people give away together.

    Attributes:
        releases: the releases, the earlier ones first where the tables grow.
        grown: True where each release is of part of the people of the next. Cells then speak of the last one's people.
        linked: True where it is known which rows are of the same person.
        prior: how tables weigh.
        alone: what each release says by itself.
        grid: the cells that all releases have in common; every cell of a release is made of some of them.
        status: as of a :class:`cra_engine.TightAttack`.
        worlds: number of tables that give all these releases, where exact, else None; where ``relaxed``, the most that
            there can be. Where tables grow, of ways to choose all of them. Where records may be alike, of ordered
            tables with rows as in the first release.
        log10_worlds: its decimal logarithm, None when unknown.
        log10_worlds_stderr: standard error of that logarithm, 0 where exact, None when unknown.
        cells: what is known of each cell that some release leaves open, or of which it tells that it holds somebody.
        wider: per position of a release and cell of its own that is made of several common cells, of which some are
            not certain, the number of people in it, where that is certain.
        relaxed: True when some release is known in part only; see :class:`cra_engine.TightAttack`.
        complete: True when ``fixed_cells`` lists every cell that is certain.
    """

    def __init__(
        self,
        releases: Sequence[Release],
        *,
        grown: bool,
        linked: tuple[bool, str | None],
        time_limit: float,
        seed: int,
        cancelled: Callable[[], bool],
        prior: Prior,
    ) -> None:
        """Run by :func:`compose`."""
        self.releases, self.grown, self.linked, self.prior = tuple(releases), grown, linked[0], prior
        end = time.monotonic() + time_limit

        def left(kept: float = 0.0) -> float:
            return 0.0 if cancelled() else end - time_limit * kept - time.monotonic()

        check_numbers(releases, grown=grown)
        refuse_safe(releases)
        ways = tracks(releases, linked[1], grown=grown) if linked[0] else ()
        self._refinement = refinement = refine(releases, grown=grown)
        self.grid: Grid = refinement.grid
        attacks = attacks_alone(releases, lambda: left(KEPT_FOR_ALL), prior, seed=seed, cancelled=cancelled)
        self._system = JointSystem(attacks, refinement, prior, grown=grown, tracks=ways)
        self._sizes = _row_groups(releases, ways, grown=grown)
        share = max(left(), 0.0)

        def rest(kept: float = 0.0) -> float:
            return left() - share * kept

        try:
            self._solved: Solved = solve(self._system, seed, rest)
        except Impossible:
            raise ContradictionError(contradiction_of(attacks, left, grown=grown, linked=linked)) from None
        if any(part.impossible for part in self._solved.parts):
            raise CRAError(
                "No table of records that all differ gives these releases; "
                "with the prior 'independent' records may be alike."
            )
        self.relaxed = self._system.relaxed
        self.worlds: int | None = None
        self.log10_worlds: float | None = None
        self.log10_worlds_stderr: float | None = None
        if self._solved.finished:
            self._count()
        self._most: float = math.inf  # the logarithm of the number of tables that there are at most
        self._cap()
        doubtful = any(part.ranges.doubtful for part in self._solved.parts)
        self.complete = self._solved.finished and not self.relaxed and not doubtful
        finished = self.log10_worlds is not None and not doubtful
        self.status: Status = "timeout" if not finished else "estimate" if self.worlds is None else "exact"
        self.alone = tuple(
            Alone(release, tight, _told(self._system, refinement, number))
            for number, (release, tight) in enumerate(zip(releases, attacks, strict=True))
        )
        self.cells = self._views()
        self.wider: WiderCells = wider_cells(self._system, self._solved, left) if self._solved.finished else {}

    def __repr__(self) -> str:
        """In one line."""
        return (
            f"Composition(releases={len(self.releases)}, status={self.status!r}, log10_worlds={self.told_worlds}, "
            f"fixed_cells={self.told_fixed} of {len(self.cells)})"
        )

    def to_frame(self) -> pd.DataFrame:
        """A row per cell that may hold records: box, fewest and most records, the chance of exactly one, and news.

        ``status`` as of a :class:`cra_engine.TightAttack`; ``newly`` is True where all releases together make certain
        what none tells by itself.
        """
        one, newly = self.cell_probabilities(1), self.newly
        return pd.DataFrame(
            [
                {
                    "box": self.grid.describe(view.cell),
                    "lowest": view.lowest,
                    "highest": view.highest,
                    "exactly_one": one.get(view.cell),
                    "status": self.status_of(view),
                    "newly": view.cell in newly,
                }
                for view in self.cells
            ]
        )

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        return told_above(self, self.to_frame().to_html())

    def _count(self) -> None:
        """Put the parts' numbers of tables together."""
        exactly = Fraction(math.prod(map(math.factorial, self._sizes)) if self.prior.ordered else 1)
        for cell in known_cells(self._system, self._solved):
            exactly *= self._factor(cell)
        logs, error = _log10(exactly), 0.0
        counted = True
        for one in self._solved.parts:
            if one.count is not None:
                exactly *= Fraction(one.count.total, one.count.scale)
                logs += _log10(Fraction(one.count.total, one.count.scale))
            elif one.estimate is not None and one.estimate.log is not None:
                logs += one.estimate.log / math.log(10)
                error += one.estimate.error**2
                counted = False
            else:
                return
        self.log10_worlds, self.log10_worlds_stderr = logs, math.sqrt(error) / math.log(10)
        if counted:
            self.worlds = math.ceil(exactly)

    def _cap(self) -> None:
        """No more tables than the least that a release, or its classes one by one, leave: they are among those.

        What is known in part is counted more widely here than for each release: nobody says whose people a cell holds.
        And an estimate may be off.
        """
        if self.log10_worlds is None or (self.worlds is not None and not self.relaxed):
            return
        for number, tight in enumerate(self._system.alone):
            ways = self._ways_of_rows(number)
            if ways is None:
                continue
            for whole in (tight.worlds, _of_classes(tight)):
                if whole is None:
                    continue
                log10 = _log10(whole * ways)
                self._most = min(self._most, log10)
                if log10 < self.log10_worlds:
                    self.log10_worlds = log10
                    if self.relaxed:  # both are upper bounds, and this one is exact
                        self.worlds, self.log10_worlds_stderr = math.ceil(whole * ways), 0.0
            if tight.worlds is None and tight.log10_worlds is not None:
                log10 = tight.log10_worlds + _log10(ways)
                if log10 < self.log10_worlds:
                    self.log10_worlds = log10
                    if self.relaxed:
                        self.worlds, self.log10_worlds_stderr = None, tight.log10_worlds_stderr

    def _ways_of_rows(self, number: int) -> Fraction | None:
        """What makes a release's own number of tables one of tables as they are counted here; None where nothing does.

        Ordered tables are counted with the rows of the first release, of linked ones with theirs.
        """
        tight = self._system.alone[number]
        if self.grown or tight.release.raw_records:
            return None
        if not self._refinement.as_fine(number, by_cells=self.prior.by_cells):
            return None
        if not self.prior.ordered:
            return Fraction(1)
        own = _row_groups([tight.release], (), grown=False)
        return Fraction(math.prod(map(math.factorial, self._sizes)), math.prod(map(math.factorial, own)))

    @property
    def log10_worlds_interval(self) -> tuple[float, float] | None:
        """As of a :class:`cra_engine.TightAttack`, but never above what a release or its classes are known to leave."""
        found = super().log10_worlds_interval
        return None if found is None else (found[0], min(found[1], self._most))

    def _factor(self, cell: int) -> Fraction:
        """What a cell of which all is known adds to the number of tables."""
        volume, times = self._system.volumes[cell], self._system.times
        held = [self._solved.limits[cell * times + at][0] for at in range(times)]
        if self.prior.by_cells:
            return Fraction(math.prod(self.prior.ways(volume, n, 0) for n in held))
        if self.prior.repeats:
            return math.prod((Fraction(volume**n, math.factorial(n)) for n in held), start=Fraction(1))
        ways, used = 1, 0
        for n in held:
            ways *= math.comb(max(volume - used, 0), n)
            used += n
        # Where records of a single cell must coincide there is no table of distinct records; leave it out.
        return Fraction(ways or 1)

    def _views(self) -> tuple[CellView, ...]:
        """What is known per cell; those that another release closes hold nobody."""
        system = self._system
        views = known_views(system, self._solved)
        for one in self._solved.parts:
            views |= {view.cell: view for view in views_of(system, one)}
        if self.grown:
            # The last release is of everybody: what it tells by itself was proven of the same numbers.
            for cell, count in self.alone[-1].fixed_cells.items():
                if not views[cell].fixed:
                    views[cell] = CellView(cell, count, count, None, (*[0.0] * count, 1.0), exact=True)
        if len(self.releases) == 1:
            # Of one release alone everything is known as it is by itself, which tells more where it is known in part.
            known = {view.cell: view for view in self.alone[0].tight.cells}
            for cell, own in zip(views, self._refinement.own(0, list(views)), strict=True):
                if own in known and self._refinement.pieces(0, own) == 1:
                    views[cell] = replace(known[own], cell=cell)
        return tuple(views[cell] for cell in sorted(views))

    @property
    def log10_worlds_alone(self) -> float | None:
        """The least of what the releases one by one leave, of those that count the same tables.

        None where it is not known: where tables grow, or each release tells too little to be set beside all of them,
        such as fewer attributes or raw values.
        """
        return self._least([one.tight.log10_worlds for one in self.alone])

    @property
    def log10_worlds_per_class(self) -> float | None:
        """The same when each class is attacked by itself."""
        return self._least([one.tight.log10_worlds_per_class for one in self.alone])

    @property
    def log10_worlds_intervals(self) -> float | None:
        """The same for somebody who only reads the intervals."""
        return self._least([one.tight.log10_worlds_intervals for one in self.alone])

    def _least(self, numbers: Sequence[float | None]) -> float | None:
        ways = [self._ways_of_rows(number) for number in range(len(numbers))]
        known = [
            log10 + _log10(factor)
            for log10, factor in zip(numbers, ways, strict=True)
            if log10 is not None and factor is not None
        ]
        return min(known, default=None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what weakens the attack or its numbers: what was not finished, or is an upper bound."""
        found = []
        for number, one in enumerate(self.alone, start=1):
            weak = [*one.release.warnings, one.tight.order_unknown, MAY_BE_GLOBAL * may_be_global(one.release)]
            found += [f"Release {number}: {warning}" for warning in weak if warning]
        if self.relaxed:
            found.append(IN_PART)
        if self.status == "timeout":
            found.append(UNFINISHED)
        return tuple(found)

    @property
    def newly(self) -> dict[Cell, int]:
        """The certain cells that no release tells by itself; those with one person first."""
        told = [cell for cell in self.fixed_cells if all(cell not in one.fixed_cells for one in self.alone)]
        told.sort(key=lambda cell: (self.fixed_cells[cell] != 1, -self.fixed_cells[cell], cell))
        return {cell: self.fixed_cells[cell] for cell in told}

    def explain(
        self, cell: Cell, time_limit: float = 10.0, cancelled: Callable[[], bool] = lambda: False
    ) -> list[Explanation]:
        """Why a fixed cell is certain: per possible order of tied states a minimal set of bounds that force its count.

        Each bound names its release. Else as :meth:`cra_engine.TightAttack.explain`; of many orders some are explained.
        """
        self.grid.check_cell(cell, "explain(cell)")
        if cell not in self.fixed_cells:
            return []
        if cell not in self._system.cells:
            return [Explanation((), (self._closed(cell),), minimal=True)]
        end = time.monotonic() + time_limit

        def left() -> float:
            return 0.0 if cancelled() else end - time.monotonic()

        position = self._system.cells.index(cell)
        try:
            with stoppable(lambda: left() <= 0):
                # With no limits but those of the bounds, which is what the reasons are to be made of.
                everybody = self.releases[-1].records
                wide = dict.fromkeys(range(len(self._system.limits)), (0, everybody))
                part = next(p for p in split(self._system, wide) if any(position in a.cells for a in p.atoms))
        except Stopped:
            return [Explanation((), (), minimal=False)]
        return reasons(self._system, part, position, self.fixed_cells[cell], everybody, left)

    def _closed(self, cell: Cell) -> str:
        """Why nobody can be in a cell that one release leaves open."""
        for number, one in enumerate(self.alone, start=1):
            if one.fixed_cells.get(cell) == 0:
                return f"Release {number}: by itself it shows that nobody is there."
        return "The releases have no value there in common."


def _of_classes(tight: SolvedTightAttack) -> int | None:
    """The number of tables that the classes of a release leave one by one; None where that took too long."""
    if tight.log10_worlds_per_class is None:
        return None
    return math.prod((part.lr_solutions if part.basic else part.cra_bounds[1]) or 1 for part in tight.parts)


def _log10(number: Fraction) -> float:
    return math.log10(number.numerator) - math.log10(number.denominator)


def _told(system: JointSystem, refinement: Refinement, number: int) -> dict[Cell, int]:
    """What a release by itself tells of the common cells: one that is only part of its own cell may hold any part."""
    tight = system.alone[number]
    views = {view.cell: view for view in tight.cells}
    found = {}
    for cell, own in zip(system.told, refinement.own(number, system.told), strict=True):
        if own is None or own not in views:
            found[cell] = 0
            continue
        view = views[own]
        if view.fixed and (view.lowest == 0 or refinement.pieces(number, own) == 1):
            found[cell] = view.lowest
    return found


def _row_groups(releases: Sequence[Release], ways: Sequence[dict[Track, int]], *, grown: bool) -> list[int]:
    """Sizes of the sets of rows of which nobody can tell which record is which."""
    if ways:
        return [size for counter in ways for size in counter.values()]
    first = releases[0]
    sizes = [c.size for c in (*first.classes, *first.raw_classes)] + [first.suppressed]
    if grown:
        sizes += [later.records - earlier.records for earlier, later in pairwise(releases)]
    return sizes


def compose(
    releases: Sequence[Release],
    *,
    grown: bool = False,
    linked_rows: bool = False,
    id_column: str | None = None,
    time_limit: float = 60.0,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    prior: PriorName = "distinct",
    population: Population | None = None,
) -> Composition:
    """Attack several releases of the same people together.

    Args:
        releases: each with its own study; hierarchies, k and profile may differ, and so may the quasi-identifiers.
        grown: True where each release is of part of the people of the next one, the earlier first.
        linked_rows: True where row i of each release is of the same person; where tables have grown, their new rows
            come last.
        id_column: the column that names a person in each release, which links rows in any order.
        time_limit: seconds; when they are over, what is known so far is returned and marked as such.
        seed: of the estimate, 0 or more.
        cancelled: asked several times a second; when it answers True the run ends as at the time limit.
        prior: which tables count, and how; see :func:`cra_engine.attack`.
        population: shares to draw records from, in place of either, where all releases have the same finest intervals.

    Raises:
        ContradictionError: the releases cannot be of the same people; it names the pair.
        CRAError: a setting makes no sense, or a release is one of nobody.
        TooLargeError: the cells or the states are more than the engine admits.

    >>> from cra_engine import recode, synthesize
    >>> toy = synthesize("toy")
    >>> both = compose([recode(toy.data, toy.study.with_k(k)).release for k in (4, 7)])
    >>> [len(one.isolated) for one in both.alone], len(both.isolated)
    ([0, 0], 3)
    """
    releases = expect_each(releases, Release, "compose(releases)")
    seed = check_settings(time_limit, seed)
    if population is not None:
        refuse_other_leaves(releases)
    return Composition(
        releases,
        grown=grown,
        linked=(linked_rows or id_column is not None, id_column),
        time_limit=time_limit,
        seed=seed,
        cancelled=cancelled,
        prior=prior_of(prior, population),
    )
