"""The experiments of this session: the rows of each plan, kept in memory, and the run that adds to them.

A run that was stopped goes on where it stopped, in this session or, from the rows that were saved, in another.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import streamlit as st

from cra_dashboard.experiments.process import stream
from cra_dashboard.session.runs import Runs
from cra_dashboard.session.turns import EXPERIMENTS
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.results import Results
from cra_engine.experiments.rows import columns, complete_rows, csv_line, header
from cra_engine.experiments.run import run_rows

MOST_KEPT = 8  # plans whose rows are kept
FEW, FEW_RECORDS = 50, 200  # runs, and records in each, that are over in less than a second
Source = Callable[[Plan, int, Callable[[], bool]], Iterator[bytes]]
_KEPT = "cra_experiments"


@dataclass
class Rows:
    """The rows of a plan that the page Experiments has so far.

    Attributes:
        total: runs of the plan.
        first: the first line of the results, the names of the columns.
        lines: a line per run that is done, in the plan's order.
        before: runs that were done before the last start.
        started: when that was, on the monotonic clock.
        seconds: how long that run took; None while it goes on.
    """

    total: int
    first: bytes
    lines: list[bytes] = field(default_factory=list)
    before: int = 0
    started: float = 0.0
    seconds: float | None = None

    @property
    def done(self) -> int:
        """Runs that are done."""
        return len(self.lines)

    @property
    def finished(self) -> bool:
        """True when no run is left."""
        return self.done == self.total

    @property
    def seconds_left(self) -> float | None:
        """About how long the rest takes, at the pace since the last start; None before its first run has ended."""
        new = self.done - self.before
        if not new:
            return None
        passed = time.monotonic() - self.started if self.seconds is None else self.seconds
        return passed / new * (self.total - self.done)

    def csv(self) -> bytes:
        """The results as the command line writes them."""
        return self.first + b"".join(self.lines)


def rows_of(plan: Plan) -> Rows:
    """Return the session's rows of a plan on Experiments; none yet for a new one."""
    return _kept().get(plan.fingerprint) or Rows(plan.size, header(plan))


def _kept() -> dict[str, Rows]:
    """The rows per plan; nothing is kept as long as nobody has run anything."""
    kept: dict[str, Rows] = st.session_state.get(_KEPT, {})
    return kept


def _keep(plan: Plan, rows: Rows) -> None:
    kept = st.session_state.setdefault(_KEPT, {})
    kept[plan.fingerprint] = rows
    for oldest in list(kept)[:-MOST_KEPT]:
        del kept[oldest]


RUNS: Runs[None] = Runs("experiment", patience=float("inf"), turns=EXPERIMENTS)


def start_experiment(plan: Plan) -> None:
    """Run what is left of a plan on Experiments, in the background; to be called from a widget's callback."""
    RUNS.drop()
    rows = rows_of(plan)
    _keep(plan, rows)
    rows.before, rows.started, rows.seconds = rows.done, time.monotonic(), None
    RUNS.start(plan.fingerprint, lambda cancelled: _fill(plan, rows, cancelled))


def start_first(plan: Plan) -> bool:
    """Run a small plan on Experiments as somebody opens the page, who then sees a figure; whether that was done.

    In this process: one of its own takes longer to start than so few runs take.
    """
    records = max(one.source.records for one in plan.configurations)
    if _KEPT in st.session_state or plan.tight_time_limit is not None or plan.size > FEW or records > FEW_RECORDS:
        return False
    rows = Rows(plan.size, header(plan), started=time.monotonic())
    _keep(plan, rows)
    RUNS.start(plan.fingerprint, lambda cancelled: _fill(plan, rows, cancelled, _here), soon=True)
    return True


def _here(plan: Plan, already: int, _: Callable[[], bool]) -> Iterator[bytes]:
    for row, _seconds in run_rows(plan, already):
        yield csv_line([row[name] for name in columns(plan)])


def _fill(plan: Plan, rows: Rows, cancelled: Callable[[], bool], source: Source | None = None) -> None:
    started = rows.started
    try:
        for line in (source or stream)(plan, rows.done, cancelled):
            if cancelled():
                return
            rows.lines.append(line)
    finally:
        if rows.started == started:  # else the next run has begun already
            rows.seconds = time.monotonic() - started


def any_rows() -> bool:
    """Return whether there are rows of any plan on Experiments."""
    return any(rows.lines for rows in _kept().values())


def start_again(plan: Plan) -> None:
    """Forget the rows of a plan on Experiments."""
    RUNS.drop()
    _kept().pop(plan.fingerprint, None)


def take_rows(plan: Plan, content: bytes, name: str) -> int:
    """Go on with a plan on Experiments from results that were saved; return how many rows there are now.

    Raises:
        DataError: these are no results, or those of another plan.
    """
    lines = complete_rows(content, columns(plan), plan, name)
    if lines:
        Results(header(plan) + b"".join(lines), name)  # finds what is no number
    RUNS.drop()
    _keep(plan, Rows(plan.size, header(plan), lines, before=len(lines)))
    return len(lines)
