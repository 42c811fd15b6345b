"""Running the tight attack beside the page: start, progress, cancel, and the result once it is there.

One run serves all pages of the session; its result is kept until the table or the study changes.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import streamlit as st

from cra_dashboard.session import fields, state
from cra_dashboard.session.attacks import assess_tightly
from cra_dashboard.session.job import Job
from cra_dashboard.session.runs import Runs, soon_over, timed
from cra_dashboard.texts import words
from cra_engine import Attack, CRAError, Release, TightAttack
from cra_engine.assess.assessment import Assessment
from cra_engine.patience import Stopped, stoppable
from cra_engine.study.grid import Cell
from cra_engine.words import duration

LIMITS = {"1 minute": 60.0, "5 minutes": 300.0, "20 minutes": 1200.0}
MOST_SECONDS = 2 * max(LIMITS.values())  # from here on nothing longer is offered
GRACE = 0.5  # seconds that a cancelled run may still compare with single classes
_LIMIT = "tight-limit"
ATTACKS: Runs["TightResult"] = Runs("tight attack", timed("Attacking all classes together"), patience=1.5)


@dataclass(frozen=True)
class TightResult:
    """The tight attack's result as pages show it, with what they set against it.

    Attributes:
        assessment: what the release gives away by it.
        tight: the attack on all classes together.
        newly: the cells that it makes certain and that attacking each class by itself leaves open, with their counts;
            those with one person first.
        known: the other cells of wider classes, or of the suppressed records, that are certain; likewise.
        seconds: how long it took.
        stopped: True when the person cancelled it.
    """

    assessment: Assessment
    tight: TightAttack
    newly: dict[Cell, int]
    known: dict[Cell, int]
    seconds: float
    stopped: bool


def compute(
    release: Release, seconds: float, cancelled: Callable[[], bool], how: state.Weighing | None = None
) -> TightResult:
    """Run the tight attack beside a page and compare it with the others.

    Args:
        release: the session's.
        seconds: that it may take.
        cancelled: asked often.
        how: how tables weigh; as the release suggests when left out.

    Raises:
        CRAError: see :func:`cra_dashboard.session.attacks.assess_tightly`.
    """
    started = time.monotonic()
    assessment = assess_tightly(release, seconds, cancelled, how)
    tight = cast("TightAttack", assessment.tight)
    certain = {cell: count for cell, count in tight.fixed_cells.items() if cell not in tight.settled}
    order = sorted(certain, key=lambda cell: (certain[cell] != 1, -certain[cell], cell))
    before, alone = _told_by_single_classes(tight, set(certain), cancelled)
    newly = {cell: certain[cell] for cell in order if cell in before}
    known = {cell: certain[cell] for cell in order if cell in alone}
    return TightResult(assessment, tight, newly, known, time.monotonic() - started, cancelled())


def _told_by_single_classes(
    tight: TightAttack, cells: set[Cell], cancelled: Callable[[], bool]
) -> tuple[set[Cell], set[Cell]]:
    """Of some cells those that the attack on single classes leaves open, and those that it makes certain.

    Once cancelled, cells of classes that were not looked at in time are in neither.
    """
    started = time.monotonic()
    left_open: set[Cell] = set()
    certain: set[Cell] = set()
    with suppress(Stopped), stoppable(lambda: cancelled() and time.monotonic() > started + GRACE):
        for part in tight.parts:
            if part.basic or cells.isdisjoint(part.free_cells):
                continue
            try:
                known = part.certain_counts
            except CRAError:  # too large to count class by class: nothing was certain there
                known = {}
            certain |= known.keys() & cells
            left_open |= (set(part.free_cells) - known.keys()) & cells
    return left_open, certain - left_open


# ---------------------------------------------------------------- the run of this session


def start(release: Release, seconds: float | None = None) -> None:
    """Start the tight attack beside a page for the session's table and study.

    Args:
        release: the session's.
        seconds: how long it may take; as long as was chosen when left out.
    """
    seconds = seconds or limit()
    how = state.weighing()
    ATTACKS.start(state.weighed_key(), partial(compute, release, seconds, how=how), seconds, soon=small(release))


def small(release: Release) -> bool:
    """Return whether a page's tight attack is over before anybody notices."""
    return soon_over(release.grid.attributes, release.records)


def _begun(release: Release) -> Job[TightResult] | None:
    """The session's run, which begins by itself where it is soon over."""
    key = state.weighed_key()
    if ATTACKS.job(key) is None and small(release):
        start(release)
    return ATTACKS.job(key)


def found(release: Release) -> TightResult | None:
    """Return what a page's tight attack has found; None where it has not ended, which nothing shows."""
    job = _begun(release)
    return job.result if job is not None and job.done else None


def run_panel(release: Release) -> TightResult | None:
    """Offer to start the tight attack, show how it goes, or say what went wrong; its result once it has ended."""
    key, job = state.weighed_key(), _begun(release)
    again = partial(offer, begin=start, of=release, key="tight-start", type="primary", icon="play_arrow")
    if job is None:
        again("Attack all classes together")
        return None
    if not ATTACKS.ended(job, key):
        return None
    if job.result is None:
        again("Try again")
        return None
    unfinished = job.result.tight.status == "timeout"
    if unfinished and (job.result.stopped or job.limit >= MOST_SECONDS):
        again("Run again")
    elif unfinished:
        longer = 2 * job.limit
        fields.act(
            words.plain(f"Look longer: up to {duration(longer)}"),
            start,
            release,
            longer,
            type="primary",
            icon="timer",
            key="tight-longer",
        )
    return job.result


def offer(label: str, begin: Callable[[Any], None], of: Release | Attack, **looks: Any) -> None:
    """Offer on a page a run that may take long; for how long is asked, and held by :func:`limit`.

    Args:
        label: what the button says.
        begin: begins the run.
        of: what it is about.
        looks: of the button.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        fields.selectbox("For at most", list(LIMITS), key=_LIMIT, width=160)
        fields.act(label, begin, of, **looks)
    st.caption("It ends as soon as all is proven. Where the time does not suffice it says how far it came.")


def limit() -> float:
    """Return for how many seconds at most a page's run was asked for."""
    return LIMITS.get(st.session_state.get(_LIMIT, ""), next(iter(LIMITS.values())))
