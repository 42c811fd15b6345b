"""The tight attack: all classes of a release together (beyond the paper; see docs/tight-attack.md).

Data sets are counted exactly, part by part, where that is possible, and estimated with a standard error
where it is not. What a cell can hold at least and at most is then proven by CP-SAT. Every result says which.
"""

import math
import time
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial

from cra_engine.attacks.prior import LN_10, Prior, prior_of
from cra_engine.attacks.refinement.class_counts import CHECK_STUDY
from cra_engine.attacks.solver.parts import Impossible, SystemPart
from cra_engine.attacks.solver.repetitions import Estimate
from cra_engine.attacks.solver.solving import Solved, TableNumber, count_tables, solve, views_of
from cra_engine.attacks.solver.views import CellView, Status
from cra_engine.attacks.tight.outcome import TightAttack, log10_of_intervals, of_classes
from cra_engine.attacks.tight.safe import attack_safe
from cra_engine.attacks.tight.sampler import Sampler
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.attacks.tight.views import merged_view, raw_views
from cra_engine.choices import Prior as PriorName
from cra_engine.counting.products import product
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.expected import expect, expect_seconds, whole_number
from cra_engine.patience import Stopped, checkpoint, stoppable, tell
from cra_engine.release import Release
from cra_engine.study.grid import Cell
from cra_engine.study.population import Population
from cra_engine.words import NOISE

KEPT_FOR_COUNT = 3 / 4  # of the time limit, what the classes by themselves leave to all of them together
NO_DATA = f"No data set of distinct records gives this release as a whole; {CHECK_STUDY}"
NO_ORDER = f"No order of formation explains this release; {CHECK_STUDY}"


def attack_arx_release(
    release: Release, time_limit: float, seed: int, cancelled: Callable[[], bool], prior: Prior
) -> TightAttack:
    """Attack all classes of a release of ARX-LR together; see :func:`tight_attack`.

    Raises:
        CRAError: no data set gives this release.
        TooLargeError: the grid or the lattice is larger than the engine admits.
    """
    started = time.monotonic()

    def left(kept: float = 0.0) -> float:
        return 0.0 if cancelled() else time_limit * (1 - kept) - (time.monotonic() - started)

    system = TightSystem(release, prior)
    per_class = _by_class(system, lambda: left(KEPT_FOR_COUNT) <= 0)

    def estimate(part: SystemPart, own_seed: int) -> Estimate:
        return Sampler(system, part).estimate(own_seed)

    try:
        with stoppable(lambda: left() <= 0):
            if not system.hypotheses:
                raise CRAError(NO_ORDER)
        solved = solve(system, seed, left, estimate, whole=True)
    except Stopped:  # the constraints themselves are not known in full
        solved = Solved({}, finished=False)
    except Impossible:
        raise CRAError(NO_DATA) from None
    if any(part.impossible for part in solved.parts):
        raise CRAError(NO_DATA)
    number = count_tables(solved, _log10_of_settled(system), partial(_of_settled, system))
    smaller = bool(
        system.relaxed and number.log10 is not None and per_class is not None and per_class < number.log10 - NOISE
    )
    if smaller:
        number = TableNumber(partial(of_classes, system.parts), per_class, 0.0)
    doubtful = any(part.ranges.doubtful for part in solved.parts)
    # In a relaxed system nothing more can be said once no atom is doubtful.
    finished = number.log10 is not None and not doubtful
    status: Status = "timeout" if not finished else "estimate" if number.exactly is None else "exact"
    return TightAttack(
        release=release,
        prior=prior,
        parts=system.parts,
        settled=system.settled,
        status=status,
        count_worlds=number.exactly,
        log10_worlds=number.log10,
        log10_worlds_stderr=number.stderr,
        log10_worlds_per_class=per_class,
        log10_worlds_intervals=log10_of_intervals(system.parts),
        refused=next((part.refused for part in solved.parts if part.refused), ""),
        cells=_views(system, solved),
        relaxed=system.relaxed,
        complete=solved.finished and not system.relaxed and not release.raw_records and not doubtful,
        order_unknown=system.by_class.order_unknown,
        of_classes=smaller,
        system=system,
        solved=solved,
    )


def _by_class(system: TightSystem, stop: Callable[[], bool]) -> float | None:
    """The decimal logarithm of the product of the classes' own numbers; None when that takes too long."""
    try:
        with stoppable(stop):
            for part in system.parts:
                checkpoint()
                if part.problem is not None and not part.basic:
                    raise CRAError(part.problem)
            return system.by_class.tables().log10_left
    except (Stopped, TooLargeError):
        return None


def _log10_of_settled(system: TightSystem) -> float:
    prior, grid = system.prior, system.grid
    each = [prior.log10_tables(prior.whole(grid, grid.cell_segment(c)), size) for c, size in system.settled.items()]
    others = sum(math.lgamma(size + 1) for size in _in_any_order(system)) / LN_10
    dealings = sum(math.log10(part.dealings) for part in system.parts)
    return math.fsum(log10 for log10 in each if log10 > -math.inf) + others + dealings


def _in_any_order(system: TightSystem) -> list[int]:
    """The sizes of the parts whose rows have an order of their own in each table that counts."""
    parts = system.parts if system.prior.ordered else ()
    return [part.size for part in parts if part.index is None or not part.basic]


def _of_settled(system: TightSystem) -> Fraction:
    """The factor of the number of tables for classes on single cells and for the orders of all others' rows."""
    prior, grid = system.prior, system.grid
    # Where records of a single cell must coincide there is no data set of distinct records; leave it out.
    settled = (
        prior.tables(prior.whole(grid, grid.cell_segment(cell)), size) or 1 for cell, size in system.settled.items()
    )
    # Tables that differ only by who shows which value, where privacy models look at them.
    dealings = (part.dealings for part in system.parts)
    return Fraction(product((*settled, *map(math.factorial, _in_any_order(system)), *dealings)))


def _views(system: TightSystem, solved: Solved) -> tuple[CellView, ...]:
    """Returns a view per cell; where the parts are not known it has only the limit that every cell shares."""
    release = system.release
    views: dict[Cell, CellView] = {
        cell: CellView(cell, size, size, (size, size), (*[0.0] * size, 1.0), exact=True)
        for cell, size in system.settled.items()
    }
    told: Iterable[CellView] = (view for part in solved.parts for view in views_of(system, part))
    if not solved.finished:
        # A cell with k records would have been a class, at the first turn of all, unless that turn was skipped.
        records = release.records
        most = (
            records
            if release.gs_factor or system.models or not release.study.quality.usual or release.study.changed_afterwards
            else release.study.child_cap(records)
        )
        told = (
            CellView(cell, 0, _room(release, cell, most), None, (), exact=False) for cell in dict.fromkeys(system.cells)
        )
    for view in told:
        views[view.cell] = view if view.cell not in views else merged_view(views[view.cell], view)
    for part in system.raw:
        for view in raw_views(part):
            views[view.cell] = view if view.cell not in views else merged_view(views[view.cell], view)
    return tuple(views[cell] for cell in sorted(views))


def _room(release: Release, cell: Cell, most: int) -> int:
    """The most records of a cell that could have been a class; in a gap, or at the top, there can be any number."""
    if release.grid.whole.basic:
        return release.records
    gap = any(a.node(1, leaf).gap for a, leaf in zip(release.attributes, cell, strict=True))
    return release.records if gap else most


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
    tell("attacking all classes together")
    if release.study.safe:
        end = time.monotonic() + time_limit
        return attack_safe(release, lambda: cancelled() or time.monotonic() >= end, weighed)
    return attack_arx_release(release, time_limit, seed, cancelled, weighed)


def check_settings(time_limit: float, seed: int) -> int:
    """Refuse a time limit or seed of the tight attack that makes no sense; return the seed as Python's integer.

    Raises:
        CRAError: one of them is below 0, or no number.
    """
    whole = whole_number(seed)
    if whole is None or whole < 0:
        raise CRAError(f"The seed is {seed!r}; give a whole number of 0 or more.")
    expect_seconds(time_limit)
    return whole
