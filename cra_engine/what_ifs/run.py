"""What if: how much a table keeps, and how much it gives away, under each of several choices of its publisher.

Every number is what recoding, attacking and singling out give for that choice by themselves. They are exact; where one
could not be had, because it is too large or the time ran out, it is None and a note says why.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.attacks.full_domain import global_view
from cra_engine.attacks.intervals import expected_isolated
from cra_engine.attacks.refinement.attack import Attack, attack
from cra_engine.attacks.tight.attack import tight_attack
from cra_engine.errors import CRAError
from cra_engine.expected import expect
from cra_engine.patience import Stopped, stoppable
from cra_engine.publish.full_domain.least_loss import LeastLossSearch
from cra_engine.publish.local.recoding import Recoding
from cra_engine.publish.local.safe import SafeRecoding, publish_locally
from cra_engine.raw.placement import locate
from cra_engine.risk.singling import Outcome, single_out
from cra_engine.study.study import Study
from cra_engine.what_ifs.choices import Choice, ChoiceGrid, Heights, default_grid
from cra_engine.what_ifs.outcome import GivenAway, Kept, Point, Together, WhatIf

POINT_SECONDS = 30.0
SEED = 0  # of safe recodings: a comparison is to come out alike twice, and its releases are not handed out
OUT_OF_TIME = "The time for this choice ran out before everything was counted."
MODELS_HIDE = (
    "With privacy models beside k a suppressed record may come from a group of any size; what suppressed records may "
    "be is not counted."
)
ALIKE = (
    "Some records must be alike in every quasi-identifier; {} left out of the numbers of possible tables, which "
    "suppose distinct records."
)


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

    >>> from cra_engine import synthesize
    >>> toy = synthesize("toy")
    >>> compared = what_if(toy.data, toy.study)
    >>> len(compared.points) > 1
    True
    """
    expect(data, pd.DataFrame, "what_if(data)")
    expect(study, Study, "what_if(study)")
    if grid is not None:
        expect(grid, ChoiceGrid, "what_if(grid)")
    started = time.monotonic()
    grid = default_grid(study, len(data)) if grid is None else grid
    warnings = locate(data, study).warnings
    choices = planned(study, grid)
    heights = Heights(study)
    points: list[Point] = []
    search: tuple[tuple[int, ...], LeastLossSearch] | None = None
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
                        search = choice.layers, LeastLossSearch(data, chosen, chosen.privacy)
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
        recoding = publish_locally(data, study, SEED)
    kept = Kept(recoding.mean_loss, recoding.records, len(recoding.classes), recoding.suppressed)
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
        known=1 / min(found.size for found in recoding.classes) if recoding.classes else 0.0,
    )
    return Point(
        number, choice, kept, given, notes=tuple(dict.fromkeys(notes)), table=f"{choice.layers} {_digest(recoding)}"
    )


def _digest(recoding: Recoding | SafeRecoding) -> str:
    """Tells published tables apart by what their rows show."""
    rows = pd.util.hash_pandas_object(recoding.frame[list(recoding.study.names)].astype(str), index=False)
    return hashlib.blake2b(rows.to_numpy().tobytes(), digest_size=16).hexdigest()


def _alone(data: pd.DataFrame, recoding: Recoding | SafeRecoding) -> tuple[int, dict[Outcome, int]]:
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
    tables = attacked.tables()
    if alike := sum(not part.basic and part.contradiction for part in attacked.parts):
        notes.append(_alike(alike))
    return {"promised": tables.log10_promised, "left": tables.log10_left}


def _alike(parts: int) -> str:
    return ALIKE.format("one class is" if parts == 1 else f"{parts:,} classes are")


def _count_chances(attacked: Attack, _: list[str]) -> dict[str, float]:
    chances = single_out(attacked)
    return {
        "expected": chances.expected_isolated,
        "likeliest": chances.cells[0].probability if chances.cells else 0.0,
    }


def _count_certain(attacked: Attack, _: list[str]) -> dict[str, int]:
    return {"certain": len(attacked.isolated)}


def _global(number: int, choice: Choice, search: LeastLossSearch, stop: Callable[[], bool]) -> Point:
    study = search.study
    with stoppable(stop):
        recoding = search.recode(choice.k, choice.limit or 0)
    kept = Kept(recoding.loss, recoding.records, len(recoding.classes), recoding.suppressed)
    notes: list[str] = []
    view = None
    try:
        if study.privacy and recoding.suppressed:
            notes.append(MODELS_HIDE)
        else:
            with stoppable(stop):
                view = global_view(recoding.release)
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
        known=1 / min(size for _, size in recoding.classes) if recoding.classes else 0.0,
    )
    # The records that a state suppresses grow with k: as many suppressed are the same ones.
    table = f"{choice.layers} {recoding.state} {recoding.suppressed}"
    return Point(number, choice, kept, given, recoding.state, notes=tuple(notes), table=table)


# ---------------------------------------------------------------- all classes together


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
    release = publish_locally(data, choice.study(study), SEED).release
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
