"""Why a cell is certain, looked for beside the page; one search at a time."""

from collections.abc import Callable, Hashable

from cra_dashboard.session.runs import Runs, timed
from cra_engine.attacks.solver.views import Explanation

SECONDS = 10.0
Explain = Callable[[float, Callable[[], bool]], list[Explanation]]
"""Looks for reasons for so many seconds, and asks now and then whether it was cancelled."""
REASONS: Runs[list[Explanation]] = Runs("reason", timed("Looking for the reason", "about"), stop="")


def reasons(key: Hashable, explain: Explain) -> list[Explanation] | None:
    """Return why a cell is certain; None while the session still looks for that, which the page then shows."""
    job = REASONS.job(key) or REASONS.start(key, lambda cancelled: explain(SECONDS, cancelled), SECONDS)
    return job.result or [] if REASONS.ended(job, key) else None
