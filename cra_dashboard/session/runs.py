"""Runs beside the page: start one, watch it, cancel it, and take over what it found."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from cra_dashboard.session import messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.job import Compute, Job, Progress
from cra_dashboard.session.server import running_server
from cra_dashboard.session.turns import CALCULATIONS, SHORT, Turns, waiting_text
from cra_dashboard.texts import words
from cra_engine import CRAError
from cra_engine.patience import stoppable
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import duration

T = TypeVar("T")
AT_ONCE = 0.5  # seconds that a page waits for a run, or for its end, before it shows how it goes
SOON = 4.0  # likewise for one that is soon over: a bar that comes and goes says less than the result
SMALL_CELLS, SMALL_RECORDS = 100, 60
EVERY = 0.5  # seconds between two looks at a run
WAITING = 2.0  # likewise while it waits for its turn: a look is a small calculation too


MOST_SHOWN = 0.97  # of the bar, before the end


def timed(doing: str, limit: str = "at most") -> Callable[[Job[Any]], str]:
    """Return how a background run is told of which nothing is known but the time.

    Args:
        doing: what it does.
        limit: what its seconds are: at most so many, or about so many; empty where nobody knows.
    """

    def told(job: Job[Any]) -> str:
        most = f" of {limit} {job.limit:.0f} s" if limit else ""
        return _meanwhile(f"{doing}: **{job.elapsed:.0f} s**{most}.")

    return told


def counted(things: str, done: str = "done") -> Callable[[Job[Any]], str]:
    """Return how a background run is told that counts what it does.

    Args:
        things: what it counts.
        done: what becomes of them.
    """

    def told(job: Job[Any]) -> str:
        now = job.progress
        left = f", about {duration(now.left)} left" if now.left else f", {job.elapsed:.0f} s"
        total = f"{now.total:,}" if now.total else "…"
        return _meanwhile(f"**{now.done:,} of {total} {things}** {done}{left}.")

    return told


def soon_over(attributes: Sequence[Hierarchy], records: int) -> bool:
    """Return whether a table is so small that any background run on it is over in moments, and starts by itself."""
    return prod(attribute.leaves for attribute in attributes) <= SMALL_CELLS and records <= SMALL_RECORDS


def _meanwhile(told: str) -> str:
    return f":material/hourglass_top: {told} You can go on using the dashboard meanwhile."


def _share(job: Job[T]) -> float:
    """How much of a run is done: as it tells, else of its time. Not all of it, for it goes on."""
    now = job.progress
    return min(MOST_SHOWN, now.done / now.total if now.total else job.elapsed / job.limit)


@dataclass(frozen=True)
class Runs(Generic[T]):
    """One kind of background run; a session has one of a kind at a time.

    Attributes:
        name: of the kind.
        told: how a run goes, in Markdown, as :func:`timed` or :func:`counted` say it; needed where :meth:`ended` is
            called.
        stop: what the button says that ends it, always or as it goes; empty where there is none.
        patience: seconds that a cancelled run gets to hand over what it has; with 0 it is forgotten at once, and ends
            at its next checkpoint.
        turns: the line that it waits in, but for a calculation that is soon over.
    """

    name: str
    told: Callable[[Job[T]], str] = lambda _: ""
    stop: str | Callable[[Job[T]], str] = "Cancel"
    patience: float = 0.0

    turns: Turns = CALCULATIONS

    def start(
        self,
        key: Hashable,
        compute: Compute[T],
        limit: float = float("inf"),
        progress: Progress | None = None,
        *,
        soon: bool = False,
    ) -> Job[T]:
        """Start a run in place of the one before, in its turn, and wait a moment for it.

        Args:
            key: what it belongs to.
            compute: what to do; holds no more of the session than it needs, and must not touch Streamlit.
            limit: seconds that it may take; it keeps to that itself.
            progress: what it tells of itself.
            soon: whether it is soon over, see :func:`soon_over`; the page then waits longer for it, and it waits for
                nothing that takes long.
        """
        self.drop()
        st.session_state.pop(self._cancelled, None)
        work = compute if self.patience else _ending_early(compute)
        server, context = running_server(), get_script_run_ctx()
        session = "" if context is None else context.session_id
        # Once the browser has gone nobody waits for the result; the server may be asked from any thread.
        turns = SHORT if soon and self.turns is CALCULATIONS else self.turns
        job = Job(work, lambda: server is None or server.is_active_session(session), limit, turns, progress, session)
        state.jobs()[self.name] = key, job
        job.wait(max(AT_ONCE, SOON) if soon else AT_ONCE)
        return job

    def job(self, key: Hashable) -> Job[T] | None:
        """The run that belongs to a key, going on or ended."""
        held, job = self._held
        return job if held == key else None

    @property
    def going(self) -> bool:
        """True while a run goes on, whatever it belongs to."""
        _, job = self._held
        return job is not None and not job.done

    def cancel(self) -> None:
        """End the run; to be called from a widget's callback."""
        key, job = self._held
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
        _, job = state.jobs().pop(self.name, (None, None))
        if job is not None:
            job.cancel()

    def ended(self, job: Job[T], key: Hashable) -> bool:
        """True when a run has ended, with its error shown if it has one; else how it goes is shown."""
        if not job.done:
            _watch(self, key)
        elif job.error:
            messages.error(words.plain(job.error))
        return job.done

    def taken_over(self, key: Hashable, keep: Callable[[T], None]) -> bool:
        """Hand over the result of the run of a key, or show how it goes or what went wrong; True while it goes on."""
        job = self.job(key)
        if job is None:
            return False
        if self.ended(job, key) and job.result is not None:
            keep(job.result)
            self.drop()
        return not job.done

    def offered(
        self, key: Hashable, compute: Callable[[Progress], T], offer: str, label: str, *, heavy: bool = True
    ) -> T:
        """The result at once, or of a run that somebody has to ask for: the page offers that and stops here.

        Args:
            key: what the run belongs to.
            compute: what to do, and where to tell how far it is.
            offer: what is offered, a sentence in Markdown.
            label: what the button says that starts it.
            heavy: whether it takes so long that somebody has to ask for it.

        Raises:
            CRAError: what went wrong.
        """
        if not heavy:
            return state.once(self.name, key, lambda: compute(Progress()))
        job = self.job(key)
        if job is None:
            st.markdown(offer)
            where = f"{self.name}-start"
            act(label, self._begin, key, compute, type="primary", icon="play_arrow", key=where)
            st.stop()
        if not job.done:
            _watch(self, key)
            st.stop()
        if job.result is None:
            raise CRAError(job.error)
        return job.result

    def _begin(self, key: Hashable, compute: Callable[[Progress], T]) -> None:
        progress = Progress()
        self.start(key, lambda _: compute(progress), progress=progress)

    @property
    def _held(self) -> tuple[Hashable, Job[T] | None]:
        return state.jobs().get(self.name, (None, None))

    @property
    def _cancelled(self) -> str:
        return f"{self.name} cancelled"


def _ending_early(compute: Compute[T]) -> Compute[T]:
    def stopped_when_cancelled(cancelled: Callable[[], bool]) -> T:
        with stoppable(cancelled):
            return compute(cancelled)

    return stopped_when_cancelled


def _watch(runs: Runs[T], key: Hashable) -> None:
    """How the run goes; the rest of the page stays as it is, and usable."""
    job = runs.job(key)
    waits = job is not None and job.ahead > 0
    st.fragment(_look, run_every=WAITING if waits else EVERY)(runs, key, waits=waits)


def _look(runs: Runs[T], key: Hashable, *, waits: bool) -> None:
    """A look at how it goes; the page runs again where that changes what is to be shown, or how often."""
    job = runs.job(key)
    if job is not None and not job.done and job.stopping > runs.patience:
        runs.drop()
        job = None
    if job is None or job.done or (waits and not job.ahead):
        st.rerun()
    with st.container(border=True):
        st.markdown("Stopping…" if job.cancelled else waiting_text(job.ahead, job.own) if job.ahead else runs.told(job))
        st.progress(_share(job))
        if runs.stop:
            label = f"{runs.name}-cancel"
            said = runs.stop if isinstance(runs.stop, str) else runs.stop(job)
            act(said, runs.cancel, icon="stop", disabled=job.cancelled, key=label)
