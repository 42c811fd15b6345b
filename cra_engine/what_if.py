"""What if: how much a table keeps, and how much it gives away, under each of several choices of its publisher.

Every number is what recoding, attacking and singling out give for that choice by themselves. They are exact; where one
could not be had, because it is too large or the time ran out, it is None and a note says why.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from propcache.api import cached_property

from cra_engine.attack import Attack, attack
from cra_engine.errors import CRAError
from cra_engine.global_recoding import GlobalSearch, global_view
from cra_engine.interval_baseline import expected_isolated
from cra_engine.mean_loss import MeanLoss
from cra_engine.patience import Stopped, stoppable
from cra_engine.recoding import Recoding, recode
from cra_engine.singling import Outcome, SinglingChances, single_out
from cra_engine.study import Study
from cra_engine.table import locate
from cra_engine.tight import Status, tight_attack
from cra_engine.what_if_choices import Choice, ChoiceGrid, Heights, default_grid

POINT_SECONDS = 30.0
OUT_OF_TIME = "The time for this choice ran out before everything was counted."
ALIKE = (
    "Some records must be alike in every quasi-identifier; {} left out of the numbers of possible tables, which "
    "suppose distinct records."
)


@dataclass(frozen=True)
class Kept:
    """What a published table keeps.

    Attributes:
        loss: mean information loss of its records, 0 to 1; suppressed ones lose all.
        records: number of records.
        classes: number of equivalence classes.
        suppressed: number of suppressed records.
    """

    loss: MeanLoss
    records: int
    classes: int
    suppressed: int

    @property
    def average_size(self) -> float | None:
        """Mean number of records in a class, suppressed ones not counted; None without classes."""
        return (self.records - self.suppressed) / self.classes if self.classes else None

    @property
    def suppressed_share(self) -> float:
        """Share of all records that is suppressed."""
        return self.suppressed / self.records


@dataclass(frozen=True)
class GivenAway:
    """What a published table gives away.

    Of local recoding an attacker knows the release, the hierarchies, k and the profile, and reads each class by itself
    (the paper's attack). Of global recoding he knows the table, the hierarchies, k and the rule; see
    :class:`cra_engine.global_recoding.GlobalView`.

    Attributes:
        certain: number of cells that hold exactly one person for certain, known without raw data, records alike or not;
            all classes together may make more cells certain.
        expected: expected number of cells with exactly one person, all tables that are left equally likely.
        expected_intervals: the same for somebody who only reads the intervals; None for global recoding.
        likeliest: the largest probability of a cell to hold exactly one person.
        log10_promised: decimal logarithm of the number of tables that the published intervals allow.
        log10_left: the same for those that the attack leaves.
        alone: number of records that are alone in their cell, checked against the raw data. The cells are those of the
            finest intervals, so that k and the way of recoding have no part in it.
        outcomes: number of classes with none, one or more such records (the paper's Table 4); None for global recoding.
    """

    certain: int | None
    expected: float | None
    expected_intervals: float | None
    likeliest: float | None
    log10_promised: float | None
    log10_left: float | None
    alone: int
    outcomes: dict[Outcome, int] | None

    @property
    def log10_ratio(self) -> float | None:
        """How many times fewer tables are left than promised, as a decimal logarithm."""
        if self.log10_promised is None or self.log10_left is None:
            return None
        return max(0.0, self.log10_promised - self.log10_left)


@dataclass(frozen=True)
class Point:
    """One choice with what it keeps and gives away.

    Attributes:
        number: its place in the table, from 1.
        choice: the choice.
        kept: None where it cannot be published.
        given: None likewise.
        state: of global recoding, the layers that all records show; else None.
        problem: why it cannot be published, a sentence; empty where it can.
        notes: sentences on numbers that are missing.
        seconds: how long it took.
    """

    number: int
    choice: Choice
    kept: Kept | None
    given: GivenAway | None
    state: tuple[int, ...] | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def status(self) -> Literal["exact", "incomplete", "failed"]:
        """``exact``: every number is there and exact; ``incomplete``: some could not be had; ``failed``: none."""
        if self.kept is None or self.given is None:
            return "failed"
        return "incomplete" if self.given.expected is None or self.given.log10_left is None else "exact"


@dataclass(frozen=True)
class WhatIf:
    """The choices that were tried.

    Attributes:
        study: the study that the choices start from.
        records: number of records.
        grid: what was to be tried.
        points: one per choice, the study's own among them, in the order of the grid.
        complete: False when it was stopped before all choices were tried.
        warnings: findings in the table that stop nothing.
        seconds: how long it took.
    """

    study: Study
    records: int
    grid: ChoiceGrid
    points: tuple[Point, ...]
    complete: bool
    warnings: tuple[str, ...]
    seconds: float

    @cached_property
    def heights(self) -> Heights:
        """The study's hierarchies at the heights that were tried."""
        return Heights(self.study)

    @property
    def present(self) -> Point | None:
        """The choice that the study itself stands for; None where it was not come to."""
        return self.find(Choice.of(self.study))

    def find(self, choice: Choice) -> Point | None:
        """The point of a choice; None where it was not tried."""
        return next((point for point in self.points if point.choice == choice), None)

    def point(self, number: int) -> Point:
        """The point of a number.

        Raises:
            CRAError: there is none.
        """
        if not 1 <= number <= len(self.points):
            raise CRAError(f"There is no choice {number}; they are numbered 1 to {len(self.points)}.")
        return self.points[number - 1]


# ---------------------------------------------------------------- trying choices


def planned(study: Study, grid: ChoiceGrid) -> list[Choice]:
    """The choices of a grid, with the study's own in front where the grid does not hold it."""
    choices, own = list(grid.choices()), Choice.of(study)
    return choices if own in choices else [own, *choices]


def what_if(
    data: pd.DataFrame,
    study: Study,
    grid: ChoiceGrid | None = None,
    *,
    progress: Callable[[int, int, float | None], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
    point_seconds: float = POINT_SECONDS,
) -> WhatIf:
    """Publish a table in several ways and see what each keeps and gives away.

    Args:
        data: the raw table.
        study: where the choices start from; its own is always tried.
        grid: the choices; those around the study when left out.
        progress: told how many of how many are done, and about how many seconds are left (None: unknown).
        cancelled: asked several times a second; when it answers True the run ends with what it has.
        point_seconds: a choice that takes longer is left with what was counted until then.

    Raises:
        StudyError: the grid does not belong to the study.
        DataError: the table does not fit the study.
        TooLargeError: the study's own grid or lattice is larger than the engine admits.
    """
    started = time.monotonic()
    grid = default_grid(study, len(data)) if grid is None else grid
    warnings = locate(data, study).warnings
    choices = planned(study, grid)
    heights = Heights(study)
    points: list[Point] = []
    search: tuple[tuple[int, ...], GlobalSearch] | None = None
    for number, choice in enumerate(choices, start=1):
        if cancelled():
            break
        begun = time.monotonic()

        def stop(end: float = begun + point_seconds) -> bool:
            return cancelled() or time.monotonic() > end

        try:
            chosen = heights.study(choice)
            if choice.limit is None:
                point = _local(number, choice, data, chosen, stop)
            else:
                if search is None or search[0] != choice.layers:
                    with stoppable(stop):
                        search = choice.layers, GlobalSearch(data, chosen)
                point = _global(number, choice, search[1], stop)
        except CRAError as error:
            point = Point(number, choice, None, None, problem=str(error))
        except Stopped:
            point = Point(number, choice, None, None, problem=OUT_OF_TIME)
        if cancelled():
            break
        points.append(replace(point, seconds=time.monotonic() - begun))
        done = len(points)
        progress(done, len(choices), (time.monotonic() - started) / done * (len(choices) - done))
    finished = len(points) == len(choices)
    return WhatIf(study, len(data), grid, tuple(points), finished, warnings, time.monotonic() - started)


def local_point(data: pd.DataFrame, study: Study, seconds: float = POINT_SECONDS) -> Point:
    """What a study keeps and gives away by local recoding, as number 1.

    Args:
        data: the raw table.
        study: the study.
        seconds: what takes longer is left with what was counted until then.

    Raises:
        CRAError: the table cannot be published so.
    """
    begun = time.monotonic()
    point = _local(1, Choice.of(study), data, study, lambda: time.monotonic() > begun + seconds)
    return replace(point, seconds=time.monotonic() - begun)


def _local(number: int, choice: Choice, data: pd.DataFrame, study: Study, stop: Callable[[], bool]) -> Point:
    with stoppable(stop):
        recoding = recode(data, study)
    kept = Kept(_loss(recoding), recoding.records, len(recoding.classes), recoding.outliers)
    attacked = attack(recoding.release)
    alone, outcomes = _alone(data, recoding)
    found: dict[str, Any] = {}
    notes: list[str] = []
    for count in (_count_tables, _count_chances, _count_certain):
        try:
            with stoppable(stop):
                found |= count(attacked, notes)
        except Stopped:
            notes.append(OUT_OF_TIME)
        except CRAError as error:
            notes.append(str(error))
    given = GivenAway(
        certain=found.get("certain"),
        expected=found.get("expected"),
        expected_intervals=expected_isolated(recoding.release),
        likeliest=found.get("likeliest"),
        log10_promised=found.get("promised"),
        log10_left=found.get("left"),
        alone=alone,
        outcomes=outcomes,
    )
    return Point(number, choice, kept, given, notes=tuple(dict.fromkeys(notes)))


def _loss(recoding: Recoding) -> MeanLoss:
    classes = [(c.segment, c.size) for c in recoding.classes]
    return MeanLoss.of(recoding.study.attributes, classes, recoding.outliers)


def _alone(data: pd.DataFrame, recoding: Recoding) -> tuple[int, dict[Outcome, int]]:
    """How many records are alone in their cell, and the outcomes of singling out, as :func:`single_out` has them.

    Counted for all records at once, since a comparison does it for every choice.
    """
    codes = recoding.grid.codes(locate(data, recoding.study).leaves)
    alone = np.bincount(codes)[codes] == 1
    row_class = recoding.release.class_of_row
    per_class = np.bincount(row_class[alone & (row_class >= 0)], minlength=len(recoding.classes))
    none, one = int((per_class == 0).sum()), int((per_class == 1).sum())
    return int(alone.sum()), {"failed": none, "one": one, "many": len(recoding.classes) - none - one}


def _count_tables(attacked: Attack, notes: list[str]) -> dict[str, float]:
    promised = left = 0.0
    alike = 0
    for part in attacked.parts:
        if part.lr_solutions and (part.basic or part.cra_solutions):
            promised += math.log10(part.lr_solutions)
            left += math.log10(part.lr_solutions if part.basic else part.cra_solutions)
        elif not part.basic:
            alike += 1
    if alike:
        notes.append(_alike(alike))
    return {"promised": promised, "left": left}


def _alike(parts: int) -> str:
    return ALIKE.format("one class is" if parts == 1 else f"{parts:,} classes are")


def _count_chances(attacked: Attack, _: list[str]) -> dict[str, float]:
    chances = single_out(attacked)
    assert isinstance(chances, SinglingChances)  # noqa: S101 - without data it is nothing else
    return {
        "expected": chances.expected_isolated,
        "likeliest": chances.cells[0].probability if chances.cells else 0.0,
    }


def _count_certain(attacked: Attack, _: list[str]) -> dict[str, int]:
    return {"certain": len(attacked.isolated)}


def _global(number: int, choice: Choice, search: GlobalSearch, stop: Callable[[], bool]) -> Point:
    with stoppable(stop):
        recoding = search.recode(choice.k, choice.limit or 0)
    kept = Kept(recoding.loss, recoding.records, len(recoding.classes), recoding.suppressed)
    notes: list[str] = []
    view = None
    try:
        with stoppable(stop):
            view = global_view(recoding)
    except Stopped:
        notes.append(OUT_OF_TIME)
    except CRAError as error:
        notes.append(str(error))
    if view is not None and view.alike:
        notes.append(_alike(view.alike))
    given = GivenAway(
        certain=None if view is None else view.certain,
        expected=None if view is None else view.expected,
        expected_intervals=None,
        likeliest=None if view is None else view.likeliest,
        log10_promised=None if view is None else view.log10_promised,
        log10_left=None if view is None else view.log10_left,
        alone=search.alone,
        outcomes=None,
    )
    return Point(number, choice, kept, given, recoding.state, notes=tuple(notes))


# ---------------------------------------------------------------- all classes together


@dataclass(frozen=True)
class Together:
    """The attack on all classes together, for one choice.

    Attributes:
        status: ``"exact"``, ``"estimate"`` or ``"timeout"``; see :class:`cra_engine.TightAttack`.
        certain: number of cells that hold exactly one person for certain, records alike or not.
        complete: True when there are no more than these.
        expected: expected number of cells with exactly one person; None when unknown.
        log10_left: decimal logarithm of the number of tables that are left; None when unknown.
        stderr: its standard error, 0 where exact, None when unknown.
        upper_bound: True when the number of tables is an upper bound.
        seconds: how long it took.
    """

    status: Status
    certain: int
    complete: bool
    expected: float | None
    log10_left: float | None
    stderr: float | None
    upper_bound: bool
    seconds: float


def together(
    data: pd.DataFrame,
    study: Study,
    choice: Choice,
    *,
    time_limit: float = 60.0,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> Together:
    """Attack all classes of a choice's release together; the attack sees the release alone.

    Args:
        data: the raw table, to publish.
        study: where the choice starts from.
        choice: one with local recoding.
        time_limit: seconds.
        seed: of the estimate.
        cancelled: asked several times a second.

    Raises:
        CRAError: the choice cannot be published, is global, or nothing can be counted.
    """
    if not choice.local:
        raise CRAError("Global recoding has no order of formation; there is nothing to attack all classes together.")
    started = time.monotonic()
    release = recode(data, choice.study(study)).release
    tight = tight_attack(release, time_limit=time_limit, seed=seed, cancelled=cancelled)
    return Together(
        tight.status,
        len(tight.isolated),
        tight.complete,
        tight.expected_isolated,
        tight.log10_worlds,
        tight.log10_worlds_stderr,
        tight.relaxed,
        time.monotonic() - started,
    )


# ---------------------------------------------------------------- what is better


@dataclass(frozen=True)
class Measure:
    """A number to compare choices by.

    Attributes:
        key: its short name.
        title: what it is called.
        help: what it is, in a sentence or two.
        value: of a point, so that less is better; None where it is missing.
        shown: the number as it is shown and drawn; None likewise.
    """

    key: str
    title: str
    help: str
    value: Callable[[Point], Any]
    shown: Callable[[Point], float | None]


def _of_kept(read: Callable[[Kept], Any]) -> Callable[[Point], Any]:
    return lambda point: None if point.kept is None else read(point.kept)


def _of_given(read: Callable[[GivenAway], Any]) -> Callable[[Point], Any]:
    return lambda point: None if point.given is None else read(point.given)


def _plain(key: str, title: str, text: str, read: Callable[[Point], float | None], sign: int = 1) -> Measure:
    def value(point: Point) -> float | None:
        number = read(point)
        # Sums in another order may differ in their last digits.
        return None if number is None else round(sign * number, 9)

    return Measure(key, title, text, value, read)


KEPT = {
    measure.key: measure
    for measure in (
        Measure(
            "loss",
            "Information lost",
            "Mean loss of the records, 0 (exact values) to 1 (nothing published); a suppressed record loses all.",
            _of_kept(lambda kept: kept.loss),
            _of_kept(lambda kept: kept.loss.value),
        ),
        _plain(
            "average_size",
            "People per class",
            "Mean number of records that share a published row; smaller classes say more.",
            _of_kept(lambda kept: kept.average_size),
        ),
        _plain(
            "suppressed",
            "Suppressed records",
            "Records published with * in every quasi-identifier.",
            _of_kept(lambda kept: kept.suppressed),
        ),
    )
}
GIVEN = {
    measure.key: measure
    for measure in (
        _plain(
            "expected",
            "People singled out, expected",
            "Expected number of finest cells that hold exactly one person, by the published table alone.",
            _of_given(lambda given: given.expected),
        ),
        _plain(
            "certain",
            "People singled out for certain",
            "Finest cells that hold exactly one person for certain, known without any raw data.",
            _of_given(lambda given: given.certain),
        ),
        _plain(
            "likeliest",
            "The likeliest person",
            "The largest probability of a finest cell to hold exactly one person.",
            _of_given(lambda given: given.likeliest),
        ),
        _plain(
            "left",
            "Possible tables left",
            "How many tables of exact values remain possible, as a power of ten; more leave more in the dark.",
            _of_given(lambda given: given.log10_left),
            sign=-1,
        ),
        _plain(
            "alone",
            "People alone in a finest cell",
            "Checked against your own table. It depends on the finest intervals only, not on k or the way of recoding.",
            _of_given(lambda given: given.alone),
        ),
    )
}


def frontier(points: Sequence[Point], kept: Measure, given: Measure) -> frozenset[int]:
    """The numbers of the points that no other one beats: none keeps at least as much, gives away no more, and differs.

    Local and global recoding are compared apart, since what is known of their attackers is not the same.
    """
    found: set[int] = set()
    for local in (True, False):
        known = [
            (kept.value(point), given.value(point), point.number)
            for point in points
            if point.choice.local == local and kept.value(point) is not None and given.value(point) is not None
        ]
        best: tuple[Any, Any] | None = None
        for lost, away, number in sorted(known):
            if best is None or away < best[1]:
                best = lost, away
            if best == (lost, away):
                found.add(number)
    return frozenset(found)


def better(points: Sequence[Point], than: Point, kept: Measure, given: Measure) -> Iterator[Point]:
    """The points, recoded in the same way, that keep at least as much, give away no more, and differ from ``than``."""
    lost, away = kept.value(than), given.value(than)
    if lost is None or away is None:
        return
    for point in points:
        one, other = kept.value(point), given.value(point)
        if point.choice.local != than.choice.local or one is None or other is None:
            continue
        if one <= lost and other <= away and (one, other) != (lost, away):
            yield point
