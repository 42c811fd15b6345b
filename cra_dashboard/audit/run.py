"""Running an audit beside the page: start, progress, cancel. Nothing is kept of a run that was stopped."""

from collections.abc import Callable
from typing import cast

import streamlit as st

from cra_dashboard.audit import state as audit_state
from cra_dashboard.audit.state import Settings, Subject
from cra_dashboard.session import state
from cra_dashboard.session.job import Job
from cra_dashboard.session.turns import waiting_text
from cra_dashboard.texts import words
from cra_engine import CRAError
from cra_engine.audits.audit import audit
from cra_engine.audits.outcome import Audit
from cra_engine.patience import Stopped, stoppable

AT_ONCE = 0.5  # seconds that a page waits before it shows progress
EVERY = 1.0  # seconds between two looks at a run
_RUN, _SAID = "audit", "audit-stopped"


def compute(found: Subject, settings: Settings, cancelled: Callable[[], bool]) -> Audit:
    """Audit a release; ends within moments of a cancellation.

    Raises:
        CRAError: see :func:`cra_engine.audits.audit`, or the run was cancelled.
    """
    try:
        with stoppable(cancelled):
            return audit(
                found.frame,
                found.study,
                found.hierarchies,
                k=settings.k,
                profile=settings.profile,
                time_limit=settings.time_limit,
                cancelled=cancelled,
            )
    except Stopped:
        raise CRAError("The audit was stopped.") from None


def start(found: Subject, settings: Settings) -> None:
    """Start an audit of a release with some settings, in place of one that runs."""
    st.session_state.pop(_SAID, None)
    limit = settings.time_limit
    job = state.start_job(_RUN, (found.digest, settings), lambda cancelled: compute(found, settings, cancelled), limit)
    job.wait(AT_ONCE)


def panel(found: Subject, settings: Settings) -> Audit | None:
    """The audit of this release with these settings; before it is there, how its run goes or what went wrong."""
    key = (found.digest, settings)
    job = cast("Job[Audit] | None", state.job(_RUN, key))
    if job is None:
        state.drop_job(_RUN)  # one with other settings
        if st.session_state.get(_SAID) == key:
            st.info("The audit was stopped; nothing is kept of it.", icon=":material/info:")
        return audit_state.result(found, settings)
    if not job.done:
        _watch(key)
        return None
    if job.error:
        st.error(words.plain(job.error), icon=":material/error:")
        return None
    audited = cast("Audit", job.result)
    audit_state.keep(found, settings, audited)
    return audited


def drop() -> None:
    """End the audit that runs, if one does."""
    state.drop_job(_RUN)


def _cancel(key: tuple[str, Settings]) -> None:
    drop()
    st.session_state[_SAID] = key


@st.fragment(run_every=EVERY)
def _watch(key: tuple[str, Settings]) -> None:
    """Progress of the run; the rest of the page stays as it is, and usable."""
    job = state.job(_RUN, key)
    if job is None or job.done:
        st.rerun()
    with st.container(border=True):
        st.markdown(
            waiting_text(job.ahead)
            if job.ahead
            else f":material/hourglass_top: Attacking the table: **{job.elapsed:.0f} s**; the attack on all classes "
            f"together gets at most {job.limit:.0f} s. You can go on using the dashboard meanwhile."
        )
        st.progress(min(1.0, job.elapsed / job.limit))
        st.button("Cancel", on_click=_cancel, args=(key,), icon=":material/stop:", key="audit-cancel")
