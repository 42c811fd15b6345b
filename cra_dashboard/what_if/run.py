"""Trying choices beside the page: start, progress, stop, and the comparison once it is there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.session.job import Job
from cra_dashboard.session.turns import waiting_text
from cra_dashboard.texts import words
from cra_dashboard.what_if.state import Held, basis, keep
from cra_engine import CRAError
from cra_engine.what_ifs.choices import ChoiceGrid
from cra_engine.what_ifs.outcome import Together, WhatIf
from cra_engine.what_ifs.run import together, what_if
from cra_engine.words import duration

LIMITS = {"30 seconds": 30.0, "2 minutes": 120.0, "10 minutes": 600.0}
AT_ONCE = 0.5  # seconds that a page waits before it shows progress
EVERY = 0.5  # seconds between two looks at a run
_RUN, _TOGETHER, _PROGRESS, _LIMIT = "what if", "what if together", "cra_what_if_progress", "what-if-limit"


@dataclass
class Progress:
    """How far a run is; written by its thread, read by the page."""

    done: int = 0
    total: int = 0
    left: float | None = None

    def tell(self, done: int, total: int, left: float | None) -> None:
        """Note that so many are done, and about how many seconds are left."""
        self.done, self.total, self.left = done, total, left


def start(grid: ChoiceGrid) -> None:
    """Try the choices of a grid on the session's table; to be called from a widget's callback."""
    data, study = state.dataset(), basis()
    if data is None:
        return
    frame, progress = data.frame, Progress()
    st.session_state[_PROGRESS] = progress

    def compute(cancelled: Callable[[], bool]) -> WhatIf:
        return what_if(frame, study, grid, progress=progress.tell, cancelled=cancelled)

    state.start_job(_RUN, data.digest, compute, float("inf"))


def run_panel() -> bool:
    """Show how the run goes, take over its result, or say what went wrong; True while it is running."""
    data = state.dataset()
    job = None if data is None else cast("Job[WhatIf] | None", state.job(_RUN, data.digest))
    if data is None or job is None:
        return False
    job.wait(AT_ONCE)
    if not job.done:
        _watch(data.digest)
        return True
    if job.result is not None and job.result.points:
        keep(data.digest, job.result)
    if job.error:
        st.error(words.plain(job.error), icon=":material/error:")
    else:
        state.drop_job(_RUN)
    return False


def _cancel(digest: str) -> None:
    job = state.job(_RUN, digest)
    if job is not None:
        job.cancel()


@st.fragment(run_every=EVERY)
def _watch(digest: str) -> None:
    job = state.job(_RUN, digest)
    if job is None or job.done:
        st.rerun()
    progress = cast("Progress", st.session_state[_PROGRESS])
    with st.container(border=True):
        if job.cancelled:
            st.markdown("Stopping…")
        else:
            left = "" if progress.left is None else f", about {duration(progress.left)} left"
            st.markdown(
                waiting_text(job.ahead)
                if job.ahead
                else f":material/hourglass_top: **{progress.done:,} of {progress.total:,} choices** tried{left}. "
                "You can go on using the dashboard meanwhile."
            )
        st.progress(progress.done / progress.total if progress.total else 0.0)
        st.button("Stop", on_click=_cancel, args=(digest,), icon=":material/stop:", disabled=job.cancelled)


# ---------------------------------------------------------------- all classes together, for one choice


def together_panel(found: Held, number: int) -> Together | None:
    """Offer to attack all classes of a choice together, or show how that goes; its result once there is one."""
    if number in found.together:
        return found.together[number]
    key = (found.digest, id(found), number)
    job = cast("Job[Together] | None", state.job(_TOGETHER, key))
    if job is not None:
        job.wait(AT_ONCE)
        if not job.done:
            _watch_together(key, number)
            return None
        if job.result is not None:
            found.together[number] = job.result
            state.drop_job(_TOGETHER)
            return job.result
        st.error(words.plain(job.error), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("For at most", list(LIMITS), key=f"{_LIMIT}-{number}", width=160)
        st.button(
            f"Attack all classes of number {number} together",
            on_click=_begin,
            args=(found, number),
            icon=":material/play_arrow:",
            key=f"what-if-together-{number}",
        )
    return None


def _begin(found: Held, number: int) -> None:
    data = state.dataset()
    if data is None:
        return
    frame, study, choice = data.frame, found.result.study, found.result.point(number).choice
    seconds = LIMITS[st.session_state[f"{_LIMIT}-{number}"]]

    def compute(cancelled: Callable[[], bool]) -> Together:
        done = together(frame, study, choice, time_limit=seconds, cancelled=cancelled)
        if cancelled():
            raise CRAError("Stopped before it was finished.")
        return done

    state.start_job(_TOGETHER, (found.digest, id(found), number), compute, seconds)


def _cancel_together() -> None:
    state.drop_job(_TOGETHER)


@st.fragment(run_every=EVERY)
def _watch_together(key: tuple[str, int, int], number: int) -> None:
    job = state.job(_TOGETHER, key)
    if job is None or job.done:
        st.rerun()
    with st.container(border=True):
        st.markdown(
            waiting_text(job.ahead)
            if job.ahead
            else f":material/hourglass_top: Attacking all classes of number {number} together: "
            f"**{job.elapsed:.0f} s** of at most {job.limit:.0f} s."
        )
        st.progress(min(1.0, job.elapsed / job.limit))
        st.button("Cancel", on_click=_cancel_together, icon=":material/stop:", key=f"what-if-cancel-{number}")
