"""Several releases of the same people, attacked together (docs/composition.md).

Each release by itself leaves many tables possible. A table of the same people must be possible for all of them at once,
which leaves far fewer, and at times one number for a cell that each release by itself leaves open.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise

import pandas as pd

from cra_engine.attacks.composition.alone import attacks_alone
from cra_engine.attacks.composition.difference import Difference, differences
from cra_engine.attacks.composition.linked import Track, tracks
from cra_engine.attacks.composition.refined import refine
from cra_engine.attacks.composition.same_people import check_numbers, contradiction_of, refuse_other_leaves
from cra_engine.attacks.composition.same_values import places_supposed
from cra_engine.attacks.composition.system import JointSystem, all_views
from cra_engine.attacks.composition.wider import WiderCells, wider_cells
from cra_engine.attacks.prior import LN_10, Prior, prior_of
from cra_engine.attacks.refinement.formation import MAY_BE_GLOBAL, may_be_global
from cra_engine.attacks.solver.parts import Impossible, split
from cra_engine.attacks.solver.reasons import reasons
from cra_engine.attacks.solver.solving import Solved, TableNumber, count_tables, known_cells, log10_of, solve
from cra_engine.attacks.solver.views import NO_SOLVER, UNFINISHED, CellView, Explanation, KnownCells, Status
from cra_engine.attacks.tight.attack import check_settings
from cra_engine.attacks.tight.outcome import TightAttack, of_classes
from cra_engine.choices import Prior as PriorName
from cra_engine.counting.cp_sat import solver_there
from cra_engine.counting.products import product
from cra_engine.errors import ContradictionError, CRAError
from cra_engine.expected import expect_each
from cra_engine.patience import Stopped, stoppable, tell
from cra_engine.release import Release
from cra_engine.results import Json, plain
from cra_engine.sentences import Sentence
from cra_engine.study.grid import Cell, Grid
from cra_engine.study.population import Population

KEPT_FOR_ALL = 3 / 4  # of the time limit, what the releases one by one leave to all of them together
BY_COUNTS = (
    "Safe releases are among these, of which the counts of their regions are used: what is certain holds, and chances "
    "weigh all tables alike that are left, though coins have made some of them likelier than others."
)
IN_PART = (
    "The number of tables that all releases together leave is an upper bound, since {}: impossible tables are counted "
    "too, and what is likely or expected is so over all that are counted. What is called certain is certain all the "
    "same."
)


@dataclass(frozen=True)
class Alone:
    """One of several releases by itself, on the cells that all releases have in common.

    Attributes:
        release: the release.
        tight: the tight attack on it.
        fixed_cells: the cells whose number of records in this release is certain, with that number.
    """

    release: Release
    tight: TightAttack
    fixed_cells: dict[Cell, int]

    @property
    def isolated(self) -> list[Cell]:
        """The cells that hold exactly one person of this release for certain."""
        return [cell for cell, count in self.fixed_cells.items() if count == 1]

    @property
    def all_found(self) -> bool:
        """Whether there are no more certain cells than ``fixed_cells``, and nobody else is singled out."""
        return self.tight.all_found


@dataclass(frozen=True, eq=False, repr=False)
class Composition(KnownCells):
    """The attack on several releases of the same people together.

    Attributes:
        releases: the releases, the earlier ones first where the tables grow.
        grown: True where each release is of part of the people of the next. Cells then speak of the last one's people.
        linked: True where it is known which rows are of the same person.
        prior: how tables weigh.
        alone: what each release says by itself.
        grid: the cells that all releases have in common; every cell of a release is made of some of them.
        status: as of a :class:`cra_engine.TightAttack`.
        count_worlds: gives ``worlds``, the number of tables that give all these releases, where exact, else None; where
            ``relaxed``, the most that there can be. Where tables grow, of ways to choose all of them. Where records may
            be alike, of ordered tables with rows as in the first release.
        log10_worlds: its decimal logarithm, None when unknown.
        log10_worlds_stderr: standard error of that logarithm, 0 where exact, None when unknown.
        cells: what is known of each cell that some release leaves open, or of which it tells that it holds somebody.
        wider: per position of a release and cell of its own that is made of several common cells, of which some are
            not certain, the number of people in it, where that is certain.
        relaxed: True when some release is known in part only; see :class:`cra_engine.TightAttack`.
        complete: True when ``fixed_cells`` lists every cell that is certain.
        differences: where tables grow, what each release less the one before tells of the people whom it has besides.
        most: the logarithm of the number of tables that there are at most.
        system: the bounds of all releases.
    """

    releases: tuple[Release, ...]
    grown: bool
    linked: bool
    prior: Prior
    alone: tuple[Alone, ...]
    grid: Grid
    status: Status
    count_worlds: Callable[[], int] | None
    log10_worlds: float | None
    log10_worlds_stderr: float | None
    cells: tuple[CellView, ...]
    wider: WiderCells
    relaxed: bool
    complete: bool
    differences: tuple[Difference, ...]
    most: float
    system: JointSystem

    def summary(self) -> dict[str, object]:
        """Returns how many releases, how sure it is, how many tables are left, and how many cells are certain."""
        whole = super().summary()
        return {"releases": len(self.releases), **whole, "fixed_cells": f"{self.fixed_text} of {len(self.cells)}"}

    def to_frame(self) -> pd.DataFrame:
        """A row per cell that may hold records, as of a :class:`cra_engine.TightAttack`.

        ``newly`` is True where all releases together make certain what none tells by itself.
        """
        newly = self.newly
        return self.cells_to_frame(self.grid).assign(newly=[view.cell in newly for view in self.cells])

    def to_dict(self) -> Json:
        """Returns plain data, as ``compose --json`` prints it: the tight attack's keys, and each release's own."""
        data = {
            "records": self.releases[-1].records,
            "attributes": [attribute.name for attribute in self.grid.attributes],
            "grown": self.grown,
            "linked_rows": self.linked,
            "prior": self.prior.name,
            "releases": [
                {
                    "records": own.release.records,
                    "k": own.release.k,
                    "fixed": len(own.fixed_cells),
                    "isolated": len(own.isolated),
                    "log10_worlds": own.tight.log10_worlds,
                }
                for own in self.alone
            ],
        }
        wider = []
        for (release, cell), count in self.wider.items():
            grid = self.releases[release].grid
            wider.append({"release": release + 1, "box": grid.box(grid.cell_segment(cell)), "records": count})
        told = self.cells_to_dict(self.grid, self.log10_worlds_per_class, self.log10_worlds_intervals)
        besides = [
            {
                "releases": [one.earlier + 1, one.earlier + 2],
                "column": one.column,
                "people": one.people,
                "groups": [{"classes": classes, "people": people} for classes, people in one.groups.items()],
            }
            for one in self.differences
        ]
        return plain(data) | told | plain({"wider": wider, "differences": besides, "refused": None})

    @property
    def log10_worlds_interval(self) -> tuple[float, float] | None:
        """As of a :class:`cra_engine.TightAttack`, but never above what a release or its classes are known to leave."""
        interval = super().log10_worlds_interval
        return None if interval is None else (interval[0], min(interval[1], self.most))

    @property
    def log10_worlds_per_class(self) -> float | None:
        """The least of what the classes of a release leave one by one, of those that count the same tables.

        None where it is not known: where tables grow, or each release tells too little to be set beside all of them,
        such as fewer attributes or raw values.
        """
        return self._least([own.tight.log10_worlds_per_class for own in self.alone])

    @property
    def log10_worlds_intervals(self) -> float | None:
        """The same for somebody who only reads the intervals."""
        return self._least([own.tight.log10_worlds_intervals for own in self.alone])

    @property
    def log10_worlds_alone(self) -> tuple[float | None, ...]:
        """Per release the logarithm of the number of tables that it leaves by itself, of those that count the same.

        None as for ``log10_worlds_per_class``: its own number is of other cells, and not to be set beside all together.
        """
        return self._as_together([own.tight.log10_worlds for own in self.alone])

    def _least(self, numbers: Sequence[float | None]) -> float | None:
        return min((log10 for log10 in self._as_together(numbers) if log10 is not None), default=None)

    def _as_together(self, numbers: Sequence[float | None]) -> tuple[float | None, ...]:
        sizes = _row_groups(self.releases, self.system.tracks, grown=self.grown)
        ways = [_ways_of_rows(self.system, number, sizes) for number in range(len(numbers))]
        return tuple(
            None if log10 is None or factor is None else log10 + log10_of(factor)
            for log10, factor in zip(numbers, ways, strict=True)
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what weakens the attack or its numbers: what was not finished, or is an upper bound."""
        sentences = []
        for number, own in enumerate(self.alone, start=1):
            weak = [*own.release.warnings, own.tight.order_unknown, MAY_BE_GLOBAL * may_be_global(own.release)]
            sentences += [f"Release {number}: {warning}" for warning in weak if warning]
        if supposed := places_supposed([release.attributes for release in self.releases]):
            sentences.append(supposed)
        if any(release.study.safe for release in self.releases):
            sentences.append(BY_COUNTS)
        if self.relaxed:
            sentences.append(IN_PART.format(self.why_relaxed))
        if self.status != "exact" and not solver_there():
            sentences.append(NO_SOLVER)
        elif self.status == "timeout":
            sentences.append(UNFINISHED)
        return tuple(sentences)

    @property
    def why_relaxed(self) -> str:
        """Why the numbers of tables are upper bounds, as a clause; empty where they are not."""
        reasons = [own.tight.why_relaxed for own in self.alone if own.tight.relaxed]
        return " and ".join(dict.fromkeys(reasons)) or "a release is known in part only" if self.relaxed else ""

    @property
    def alone_of_all(self) -> tuple[Alone, ...]:
        """What each release by itself says of all the people whom cells speak of: where tables grow, the last one."""
        return self.alone[-1:] if self.grown else self.alone

    @property
    def newly(self) -> dict[Cell, int]:
        """The certain cells that no release tells by itself of the same people; those with one person first."""
        told = [cell for cell in self.fixed_cells if all(cell not in own.fixed_cells for own in self.alone_of_all)]
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
        if cell not in self.system.cells:
            return [Explanation((), (self._closed(cell),), minimal=True)]
        end = time.monotonic() + time_limit

        def left() -> float:
            return 0.0 if cancelled() else end - time.monotonic()

        position = self.system.cells.index(cell)
        try:
            with stoppable(lambda: left() <= 0):
                # With no limits but those of the bounds, which is what the reasons are to be made of.
                everybody = self.releases[-1].records
                wide = dict.fromkeys(range(len(self.system.limits)), (0, everybody))
                part = next(p for p in split(self.system, wide) if any(position in a.cells for a in p.atoms))
        except Stopped:
            return [Explanation((), (), minimal=False)]
        return reasons(self.system, part, position, self.fixed_cells[cell], everybody, left)

    def _closed(self, cell: Cell) -> Sentence:
        """Returns why nobody can be in a cell that one release leaves open."""
        for number, one in enumerate(self.alone, start=1):
            if one.fixed_cells.get(cell) == 0:
                return Sentence(f"Release {number}: by itself it shows that nobody is there.")
        return Sentence("The releases have no value there in common.")


def _told(system: JointSystem, number: int) -> dict[Cell, int]:
    """The certain counts of a release by itself on common cells; part of one of its own cells may hold any part."""
    tight, refinement = system.alone[number], system.refinement
    views = {view.cell: view for view in tight.cells}
    counts = {}
    for cell, own in zip(system.told, refinement.own(number, system.told), strict=True):
        if own is None or own not in views:
            counts[cell] = 0
            continue
        view = views[own]
        if view.fixed and (view.lowest == 0 or refinement.pieces(number, own) == 1):
            counts[cell] = view.lowest
    return counts


def _row_groups(releases: Sequence[Release], ways: Sequence[dict[Track, int]], *, grown: bool) -> list[int]:
    """Sizes of the sets of rows of which nobody can tell which record is which."""
    if ways:
        return [size for counter in ways for size in counter.values()]
    first = releases[0]
    sizes = [c.size for c in (*first.classes, *first.raw_classes)] + [first.suppressed]
    if grown:
        sizes += [later.records - earlier.records for earlier, later in pairwise(releases)]
    return sizes


def _ways_of_rows(system: JointSystem, number: int, sizes: Sequence[int]) -> Fraction | None:
    """The factor from a release's own number of tables to tables as they are counted here; None where there is none.

    Ordered tables are counted with the rows of the first release, of linked ones with theirs.

    Args:
        system: the bounds of all releases.
        number: the release's position.
        sizes: of the sets of rows; see :func:`_row_groups`.
    """
    release = system.alone[number].release
    if system.grown or release.raw_records:
        return None
    if not system.refinement.as_fine(number, by_cells=system.prior.by_cells):
        return None
    if not system.prior.ordered:
        return Fraction(1)
    own = _row_groups([release], (), grown=False)
    return Fraction(math.prod(map(math.factorial, sizes)), math.prod(map(math.factorial, own)))


def _of_known(system: JointSystem, solved: Solved, sizes: Sequence[int]) -> Fraction:
    """The factor of the number of tables for cells of which all is known and for the orders of the rows."""
    factors = [_factor(system, solved, cell) for cell in known_cells(system, solved)]
    orders = map(math.factorial, sizes) if system.prior.ordered else ()
    above = product((*orders, *(factor.numerator for factor in factors)))
    return Fraction(above, product(factor.denominator for factor in factors))


def _log10_of_known(system: JointSystem, solved: Solved, sizes: Sequence[int]) -> float:
    prior, each = system.prior, [0.0]
    for cell in known_cells(system, solved):
        volume, held = system.volumes[cell], _held(system, solved, cell)
        if prior.ordered:
            each += [size * math.log10(volume) - math.lgamma(size + 1) / LN_10 for size in held if size]
        else:
            before = [0] * len(held) if prior.by_cells else [0, *accumulate(held[:-1])]
            ways = [prior.log10_tables(max(volume - used, 0), n) for used, n in zip(before, held, strict=True)]
            each += ways if min(ways) > -math.inf else []
    rows = sum(math.lgamma(size + 1) for size in sizes) / LN_10 if prior.ordered else 0.0
    return math.fsum(each) + rows


def _held(system: JointSystem, solved: Solved, cell: int) -> list[int]:
    return [solved.limits[cell * system.times + at][0] for at in range(system.times)]


def _factor(system: JointSystem, solved: Solved, cell: int) -> Fraction:
    volume, held = system.volumes[cell], _held(system, solved, cell)
    if system.prior.by_cells:
        return Fraction(math.prod(system.prior.ways(volume, n, 0) for n in held))
    if system.prior.repeats:
        return math.prod((Fraction(volume**n, math.factorial(n)) for n in held), start=Fraction(1))
    ways, used = 1, 0
    for n in held:
        ways *= math.comb(max(volume - used, 0), n)
        used += n
    # Where records of a single cell must coincide there is no table of distinct records; leave it out.
    return Fraction(ways or 1)


def _capped(system: JointSystem, number: TableNumber, sizes: Sequence[int]) -> tuple[TableNumber, float]:
    """No more tables than the least that a release, or its classes one by one, leave, and the logarithm of these.

    What is known in part is counted more widely here than for each release: nobody says whose people a cell holds.
    And an estimate may be off.
    """
    most = math.inf
    if number.log10 is None or (number.exactly is not None and not system.relaxed):
        return number, most
    for position, tight in enumerate(system.alone):
        ways = _ways_of_rows(system, position, sizes)
        if ways is None:
            continue
        for whole in (tight.worlds, None if tight.log10_worlds_per_class is None else of_classes(tight.parts)):
            if whole is None:
                continue
            log10 = log10_of(whole * ways)
            most = min(most, log10)
            if number.log10 is None or log10 < number.log10:
                # Where relaxed both are upper bounds, and this one is exact.
                exact = (partial(math.ceil, whole * ways), log10, 0.0)
                number = TableNumber(*exact) if system.relaxed else replace(number, log10=log10)
        if not tight.counted and tight.log10_worlds is not None:
            log10 = tight.log10_worlds + log10_of(ways)
            if number.log10 is None or log10 < number.log10:
                estimated = TableNumber(None, log10, tight.log10_worlds_stderr)
                number = estimated if system.relaxed else replace(number, log10=log10)
    return number, most


def _views(system: JointSystem, solved: Solved, alone: Sequence[Alone]) -> tuple[CellView, ...]:
    """Returns the view of each cell; those that another release closes hold nobody."""
    views = all_views(system, solved)
    for number, one in enumerate(alone):
        # What a release proves by itself was proven of the same numbers; where tables grow an earlier one proves of
        # part of the people, so that a cell holds no fewer.
        part = system.grown and number < len(alone) - 1
        known = {view.cell: view for view in one.tight.cells}
        for cell, own in zip(views, system.refinement.own(number, list(views)), strict=True):
            if own not in known:
                continue
            here, view = known[own], views[cell]
            if here.lowest > view.lowest and system.refinement.pieces(number, own) == 1:
                views[cell] = view = _inside(view, here.lowest, view.highest)
            if here.highest < view.highest and not part:
                views[cell] = _inside(view, view.lowest, here.highest)
    if len(alone) == 1:
        # Of one release alone everything is known as it is by itself, which tells more where it is known in part.
        known = {view.cell: view for view in alone[0].tight.cells}
        for cell, own in zip(views, system.refinement.own(0, list(views)), strict=True):
            if own in known and system.refinement.pieces(0, own) == 1:
                views[cell] = replace(known[own], cell=cell)
    return tuple(views[cell] for cell in sorted(views))


def _inside(view: CellView, lowest: int, highest: int) -> CellView:
    """A cell's view with narrower limits, which were proven; chances of what they exclude are not known any more."""
    if lowest > highest:
        raise Impossible
    row = (*[0.0] * lowest, 1.0) if lowest == highest else ()
    return CellView(view.cell, lowest, highest, None, row, exact=lowest == highest)


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
    weighed, end = prior_of(prior, population), time.monotonic() + time_limit

    def left(kept: float = 0.0) -> float:
        return 0.0 if cancelled() else end - time_limit * kept - time.monotonic()

    check_numbers(releases, grown=grown)
    linked = linked_rows or id_column is not None
    ways = tracks(releases, id_column, grown=grown) if linked else ()
    refinement = refine(releases, grown=grown)
    attacks = attacks_alone(releases, lambda: left(KEPT_FOR_ALL), weighed, seed=seed, cancelled=cancelled)
    tell("attacking all releases together")
    system = JointSystem(attacks, refinement, weighed, grown=grown, tracks=ways)
    share = max(left(), 0.0)
    alone = tuple(
        Alone(release, tight, _told(system, position))
        for position, (release, tight) in enumerate(zip(releases, attacks, strict=True))
    )
    try:
        solved = solve(system, seed, lambda kept=0.0: left() - share * kept, system.estimate)
        cells = () if any(part.impossible for part in solved.parts) else _views(system, solved, alone)
    except Impossible:
        said = contradiction_of(attacks, left, grown=grown, linked=(linked, id_column))
        raise ContradictionError(said) from None
    if any(part.impossible for part in solved.parts):
        raise CRAError(
            "No table of records that all differ gives these releases; "
            "with the prior 'independent' records may be alike."
        )
    sizes = _row_groups(releases, ways, grown=grown)
    others = _log10_of_known(system, solved, sizes), partial(_of_known, system, solved, sizes)
    number, most = _capped(system, count_tables(solved, *others), sizes)
    doubtful = any(part.ranges.doubtful for part in solved.parts)
    status: Status = "estimate" if number.exactly is None else "exact"
    return Composition(
        releases=tuple(releases),
        grown=grown,
        linked=linked,
        prior=weighed,
        alone=alone,
        grid=refinement.grid,
        status="timeout" if number.log10 is None or doubtful else status,
        count_worlds=number.exactly,
        log10_worlds=number.log10,
        log10_worlds_stderr=number.stderr,
        cells=cells,
        wider=wider_cells(system, solved, left) if solved.finished else {},
        relaxed=system.relaxed,
        complete=solved.finished and not system.relaxed and not doubtful,
        differences=differences(system, solved.limits),
        most=most,
        system=system,
    )
