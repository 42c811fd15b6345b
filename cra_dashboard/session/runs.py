"""Runs beside the page: start one, watch it, cancel it, and take over what it found."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.session.job import Compute, Job
from cra_dashboard.session.turns import CALCULATIONS, Turns, waiting_text
from cra_dashboard.texts import words

T = TypeVar("T")
AT_ONCE = 0.5  # seconds that a page waits for a run, or for its end, before it shows how it goes
EVERY = 0.5  # seconds between two looks at a run


def _share_of_time(job: Job[T]) -> float:
    return min(1.0, job.elapsed / job.limit)


@dataclass(frozen=True)
class Runs(Generic[T]):
    """One kind of run; a session has one of a kind at a time.

    Attributes:
        name: of the kind.
        told: how a run goes, in Markdown; needed where :meth:`ended` shows it.
        share: how much of it is done, between 0 and 1.
        stop: what the button says that ends it; empty where there is none.
        patience: seconds that a cancelled run gets to hand over what it has; with 0 it is forgotten at once.
        turns: the line that it waits in.
    """

    name: str
    told: Callable[[Job[T]], str] = lambda _: ""
    share: Callable[[Job[T]], float] = _share_of_time
    stop: str = "Cancel"
    patience: float = 0.0

    turns: Turns = CALCULATIONS

    def start(self, key: Hashable, compute: Compute[T], limit: float = float("inf")) -> Job[T]:
        """Start a run in place of the one before, and wait a moment for it; see :func:`state.start_job`."""
        st.session_state.pop(self._cancelled, None)
        job = state.start_job(self.name, key, compute, limit, self.turns)
        job.wait(AT_ONCE)
        return job

    def job(self, key: Hashable) -> Job[T] | None:
        """The run that belongs to a key, going on or ended."""
        return cast("Job[T] | None", state.job(self.name, key))

    @property
    def going(self) -> bool:
        """True while a run goes on, whatever it belongs to."""
        _, job = state.held_job(self.name)
        return job is not None and not job.done

    def cancel(self) -> None:
        """End the run; to be called from a widget's callback."""
        key, job = state.held_job(self.name)
        if job is None:
            return
        st.session_state[self._cancelled] = key
        job.cancel()
        if self.patience:
            job.wait(AT_ONCE)
        else:
            self.drop()

    def cancelled(self, key: Hashable) -> bool:
        """True when the last run belonged to this key and was cancelled."""
        return key is not None and st.session_state.get(self._cancelled) == key

    def drop(self) -> None:
        """End the run and forget it."""
        state.drop_job(self.name)

    def ended(self, job: Job[T], key: Hashable) -> bool:
        """True when a run has ended, with its error shown if it has one; else how it goes is shown."""
        if not job.done:
            _watch(self, key)
        elif job.error:
            st.error(words.plain(job.error), icon=":material/error:")
        return job.done

    @property
    def _cancelled(self) -> str:
        return f"{self.name} cancelled"


@st.fragment(run_every=EVERY)
def _watch(runs: Runs[T], key: Hashable) -> None:
    """How the run goes; the rest of the page stays as it is, and usable."""
    job = runs.job(key)
    if job is not None and not job.done and job.stopping > runs.patience:
        runs.drop()
        job = None
    if job is None or job.done:
        st.rerun()
    with st.container(border=True):
        st.markdown("Stopping…" if job.cancelled else waiting_text(job.ahead) if job.ahead else runs.told(job))
        st.progress(runs.share(job))
        if runs.stop:
            label = f"{runs.name}-cancel"
            st.button(runs.stop, on_click=runs.cancel, icon=":material/stop:", disabled=job.cancelled, key=label)
