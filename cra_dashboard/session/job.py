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


class _Shared(Generic[T]):
    """What thread and job both hold; the thread must not hold the job, or it could never be dropped."""

    def __init__(self, alive: Callable[[], bool]) -> None:
        self.alive = alive
        self.stop, self.done = threading.Event(), threading.Event()
        self.started = time.monotonic()
        self.ended: float | None = None
        self.result: T | None = None
        self.error = ""
        self.ahead = 0

    def waits(self, ahead: int) -> None:
        self.ahead, self.started = ahead, time.monotonic()

    def cancelled(self) -> bool:
        return self.stop.is_set() or not self.alive()


def _run(shared: _Shared[T], compute: Compute[T], turns: Turns) -> None:
    try:
        with turns.turn(shared.cancelled, shared.waits):
            shared.ahead = 0
            shared.result = compute(shared.cancelled)
    except Stopped:
        pass  # whoever cancelled it wants nothing of it
    except CRAError as error:
        shared.error = str(error)
    except Exception as error:  # noqa: BLE001 - nobody above could catch it; its own text may quote a row
        shared.error = f"The calculation broke off ({type(error).__name__}); this is a fault of the program."
    shared.ended = time.monotonic()
    shared.done.set()


class Job(Generic[T]):
    """A session's computation that has been started in the background.

    Args:
        compute: what to do. It is given a function to ask now and then; when that answers True it should end soon.
            It must not refer to this job.
        alive: answers False once the result is of no use to anybody.
        limit: seconds that it may take; kept here for whoever shows the progress.
        turns: the line that it waits in.
        progress: what the computation tells of itself, where it does.
    """

    def __init__(
        self,
        compute: Compute[T],
        alive: Callable[[], bool] = lambda: True,
        limit: float = float("inf"),
        turns: Turns = CALCULATIONS,
        progress: Progress | None = None,
    ) -> None:
        self.limit = limit
        self.progress = progress or Progress()
        self._shared: _Shared[T] = _Shared(alive)
        self._cancelled_at: float | None = None
        weakref.finalize(self, self._shared.stop.set)
        threading.Thread(target=_run, args=(self._shared, compute, turns), daemon=True).start()

    def cancel(self) -> None:
        """Ask the computation to end; it may still deliver what it has."""
        if self._cancelled_at is None and not self.done:
            self._cancelled_at = time.monotonic()
        self._shared.stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, no longer than so many seconds; True when it has come."""
        return self._shared.done.wait(seconds)

    @property
    def done(self) -> bool:
        """True once there is a result or an error."""
        return self._shared.done.is_set()

    @property
    def cancelled(self) -> bool:
        """True when it was cancelled before its end."""
        return self._cancelled_at is not None

    @property
    def stopping(self) -> float:
        """Seconds since it was cancelled, 0 when it was not."""
        return 0.0 if self._cancelled_at is None else time.monotonic() - self._cancelled_at

    @property
    def ahead(self) -> int:
        """How many calculations come before this one; 0 once it has begun."""
        return self._shared.ahead

    @property
    def elapsed(self) -> float:
        """Seconds from the start of the work to now, or to the end."""
        return (self._shared.ended or time.monotonic()) - self._shared.started

    @property
    def result(self) -> T | None:
        """What was computed; None before the end and after an error."""
        return self._shared.result

    @property
    def error(self) -> str:
        """What went wrong, as a sentence; empty when nothing did."""
        return self._shared.error
