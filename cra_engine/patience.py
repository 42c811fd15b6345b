"""Ending a long computation early, from any depth.

Whoever may lose patience wraps the computation in :func:`stoppable`; long loops call :func:`checkpoint` now and then.
Without the wrapper a checkpoint does nothing.
"""

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
    """Let what runs inside end with :class:`Stopped` soon after ``stop`` answers True, here or in a wrapper outside."""
    outer = _stop.get()
    token = _stop.set(lambda: stop() or outer())
    try:
        yield
    finally:
        _stop.reset(token)


def checkpoint() -> None:
    """End here if asked to.

    Raises:
        Stopped: somebody outside wants the computation to end.
    """
    if _stop.get()():
        raise Stopped
