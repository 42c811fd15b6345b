"""Trying choices beside the page: start, progress, stop, and the comparison once it is there."""

from collections.abc import Sequence

import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.session.job import Progress
from cra_dashboard.session.runs import Runs, counted, timed
from cra_dashboard.what_if.state import Held, basis, keep
from cra_engine import WhatIf, what_if
from cra_engine.criteria.models import PrivacyModel
from cra_engine.what_ifs import Together, together
from cra_engine.what_ifs.choices import ChoiceGrid

LIMITS = {"30 seconds": 30.0, "2 minutes": 120.0, "10 minutes": 600.0}
_LIMIT = "what-if-limit"


TRIES: Runs[WhatIf] = Runs("what if", counted("choices", "tried"), stop="Stop", patience=float("inf"))


def start(grid: ChoiceGrid, privacy: Sequence[PrivacyModel] = ()) -> None:
    """Try the choices of a grid on the session's table; to be called from a widget's callback.

    Args:
        grid: the choices.
        privacy: what global recoding has to fulfil besides k.
    """
    data, base = state.dataset(), basis()
    if data is None:
        return
    study = base.changed(privacy=privacy)
    frame, progress = data.frame, Progress()
    TRIES.start(
        data.digest,
        lambda cancelled: what_if(frame, study, grid, progress=progress.tell, cancelled=cancelled),
        progress=progress,
    )


def run_panel() -> bool:
    """Show how the run goes, take over its result, or say what went wrong; True while it is running."""
    data = state.dataset()
    return data is not None and TRIES.taken_over(data.digest, _keep)


def _keep(found: WhatIf) -> None:
    data = state.dataset()
    if data is not None and found.points:
        keep(data.digest, found)


# ---------------------------------------------------------------- all classes together, for one choice

DEEPER: Runs[Together] = Runs("what if together", timed("Attacking all classes of this choice together"))


def together_panel(found: Held, number: int) -> Together | None:
    """Offer to attack all classes of a choice together, or show how that goes; its result once there is one."""
    if number in found.together:
        return found.together[number]
    key = (found.digest, id(found), number)
    job = DEEPER.job(key)
    if job is not None:
        if not DEEPER.ended(job, key):
            return None
        if job.result is not None:
            found.together[number] = job.result
            DEEPER.drop()
            return job.result
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
    DEEPER.start(
        (found.digest, id(found), number),
        lambda cancelled: together(frame, study, choice, time_limit=seconds, cancelled=cancelled),
        seconds,
    )
