"""Ending a long computation early, from any depth, and the deadline by which one should end.

Whoever may lose patience wraps the computation in :func:`stoppable`, or in a deadline's :meth:`Deadline.limit`; long
loops call :func:`checkpoint` now and then. Without the wrapper a checkpoint does nothing. Whoever wants to know how far
it is listens (:func:`heard`); what takes long tells (:func:`tell`).
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Stopped(Exception):  # noqa: N818 - a signal to whoever wrapped the computation, not a failure
    """The computation was asked to end."""


def _never() -> bool:
    return False


_stop: ContextVar[Callable[[], bool]] = ContextVar("stop", default=_never)


@contextmanager
def stoppable(stop: Callable[[], bool]) -> Iterator[None]:
    """Let work inside end early with :class:`Stopped` soon after ``stop`` answers True, here or outside."""
    outer = _stop.get()
    token = _stop.set(lambda: stop() or outer())
    try:
        yield
    finally:
        _stop.reset(token)


def checkpoint() -> None:
    """End the work here early if asked to.

    Raises:
        Stopped: somebody outside wants the computation to end.
    """
    if _stop.get()():
        raise Stopped


Told = Callable[[str, int, int], None]


def _nobody(_: str, __: int, ___: int) -> None:
    return


_listener: ContextVar[Told] = ContextVar("listener", default=_nobody)


@contextmanager
def heard(listener: Told) -> Iterator[None]:
    """Let ``listener`` hear what work inside tells of itself."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(what: str, done: int = 0, total: int = 0) -> None:
    """Tell whoever listens what is being done, and of how many things how many are done; 0 where nobody knows."""
    _listener.get()(what, done, total)


class Deadline:
    """The moment by which work should end, done or not.

    Args:
        seconds: from now on; without limit when left out.
        cancelled: asked often; once it answers True no time is left.

    >>> Deadline(0).passed, Deadline().passed, Deadline(60).after(1 / 4).left <= 15
    (True, False, True)
    """

    def __init__(self, seconds: float = math.inf, cancelled: Callable[[], bool] = _never) -> None:
        self.cancelled = cancelled
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left; 0 where it has passed."""
        return 0.0 if self.cancelled() else max(0.0, self._end - time.monotonic())

    @property
    def passed(self) -> bool:
        """True where no time is left."""
        return self.left <= 0

    def after(self, share: float) -> "Deadline":
        """Returns the earlier deadline that comes after a share (0 to 1) of the time that is left."""
        return Deadline(share * self.left, self.cancelled)

    @contextmanager
    def limit(self) -> Iterator[None]:
        """Let what runs inside end with :class:`Stopped` soon after the deadline."""
        with stoppable(lambda: self.passed):
            checkpoint()
            yield
