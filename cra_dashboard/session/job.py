"""A computation in a thread of its own, so that the page it belongs to stays usable.

It waits for its turn first, see :mod:`cra_dashboard.session.turns`. The thread never touches Streamlit. It ends early
when the job is cancelled, when nobody holds the job any more, or when the session that started it has gone.
"""

import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from cra_dashboard.session.turns import CALCULATIONS, Turns
from cra_engine import CRAError
from cra_engine.patience import Stopped

T = TypeVar("T")
Compute = Callable[[Callable[[], bool]], T]  # gets a function that answers True once it should end


@dataclass
class Progress:
    """The progress of a session's computation; written by its thread, read by the page.

    Attributes:
        done: how much is done.
        total: of how much; 0 before anybody knows.
        left: seconds that the rest takes, None where nobody knows.
    """

    done: int = 0
    total: int = 0
    left: float | None = None

    def tell(self, done: int, total: int, left: float | None = None) -> None:
        """Note how far it is."""
        self.done, self.total, self.left = done, total, left


class Job(Generic[T]):
    """A session's computation that has been started in the background.

    Args:
        compute: what to do. It is given a function to ask now and then; when that answers True it should end soon.
            It must not refer to this job.
        alive: answers False once the result is of no use to anybody.
        limit: seconds that it may take; kept here for whoever shows the progress.
        turns: the line that it waits in.
        progress: what the computation tells of itself, where it does.
        whose: the session that it is of; empty where that is not known.

    Attributes:
        result: what was computed; None before the end and after an error.
        error: what went wrong, as a sentence; empty when nothing did.
        ahead: how many calculations come before this one; 0 once it has begun.
        own: how many of them are of the same session.
    """

    def __init__(
        self,
        compute: Compute[T],
        alive: Callable[[], bool] = lambda: True,
        limit: float = float("inf"),
        turns: Turns = CALCULATIONS,
        progress: Progress | None = None,
        whose: str = "",
    ) -> None:
        self.limit = limit
        self.progress = progress or Progress()
        self.result: T | None = None
        self.error = ""
        self.ahead = self.own = 0
        self._done = threading.Event()
        self._started, self._ended, self._cancelled_at = time.monotonic(), float("inf"), float("inf")
        threading.Thread(target=_run, args=(weakref.ref(self), compute, alive, turns, whose), daemon=True).start()

    def cancel(self) -> None:
        """Ask the computation to end; it may still deliver what it has."""
        if not (self.cancelled or self.done):
            self._cancelled_at = time.monotonic()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, no longer than so many seconds; True when it has come."""
        return self._done.wait(seconds)

    def waits(self, ahead: int, own: int) -> None:
        """Note that so many calculations come first: the time counts from here on."""
        self.ahead, self.own, self._started = ahead, own, time.monotonic()

    def end(self, result: T | None, error: str) -> None:
        """Take what was computed, or what went wrong."""
        self.result, self.error, self._ended = result, error, time.monotonic()
        self._done.set()

    @property
    def done(self) -> bool:
        """True once there is a result or an error."""
        return self._done.is_set()

    @property
    def cancelled(self) -> bool:
        """True when it was cancelled before its end."""
        return self._cancelled_at < float("inf")

    @property
    def stopping(self) -> float:
        """Seconds since it was cancelled, 0 when it was not."""
        return max(0.0, time.monotonic() - self._cancelled_at)

    @property
    def elapsed(self) -> float:
        """Seconds from the start of the work to now, or to the end."""
        return min(self._ended, time.monotonic()) - self._started


def _run(held: "weakref.ref[Job[T]]", compute: Compute[T], alive: Callable[[], bool], turns: Turns, whose: str) -> None:
    """Do the work. Whoever drops the job ends it: here it is held for moments only."""

    def cancelled() -> bool:
        job = held()
        return job is None or job.cancelled or not alive()

    def waits(ahead: int, own: int) -> None:
        if (job := held()) is not None:
            job.waits(ahead, own)

    result, error = None, ""
    try:
        with turns.turn(cancelled, waits, whose):
            waits(0, 0)
            result = compute(cancelled)
    except Stopped:
        pass  # whoever cancelled it wants nothing of it
    except CRAError as failure:
        error = str(failure)
    except Exception as failure:  # noqa: BLE001 - nobody above could catch it; its own text may quote a row
        error = f"The calculation broke off ({type(failure).__name__}); this is a fault of the program."
    if (job := held()) is not None:
        job.end(result, error)
