"""A command's time, from the moment when it begins: reading takes time. Its limit, and what it says meanwhile.

What goes on until it is stopped asks how much time is :func:`left`, and hands over what it has found by then. Whatever
is not done even a little after that is ended as by Ctrl-C, in the middle of whatever it does.
"""

import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType

from cra_engine.cli.progress import Progress
from cra_engine.patience import heard, stoppable

GRACE = 2.0  # seconds to hand over what was found in, or a fifth of the limit where that is more
PAUSE = 0.2  # seconds between two looks at the clock
SIGNAL: int = getattr(signal, "SIGALRM", 0)  # Windows has none: there a command ends at its next checkpoint


class TimeOverError(KeyboardInterrupt):
    """The limit is over; goes wherever Ctrl-C goes."""


class _Running:
    """A command that is being carried out."""

    def __init__(self, limit: float | None, grace: float, progress: Progress) -> None:
        self.limit, self.progress = limit, progress
        self.began = time.monotonic()
        self.end = math.inf if limit is None else limit + grace
        self._ended = threading.Event()

    @property
    def passed(self) -> float:
        return time.monotonic() - self.began

    def watch(self, *, signals: bool) -> None:
        """Look at the clock until the command has ended; more than once past the end, since a library may miss it."""
        while not self._ended.wait(PAUSE):
            self.progress.show(self.passed, None if self.limit is None else self.limit - self.passed)
            if self.is_over() and signals:
                signal.pthread_kill(threading.main_thread().ident or 0, SIGNAL)

    def is_over(self) -> bool:
        return self.passed > self.end

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Have the clock looked at while the command runs."""
        signals = SIGNAL > 0 and threading.current_thread() is threading.main_thread()
        before = signal.signal(SIGNAL, _over) if signals else None
        watcher = threading.Thread(target=self.watch, kwargs={"signals": signals}, daemon=True)
        watcher.start()
        try:
            with heard(self.progress.at), stoppable(self.is_over):
                yield
        finally:
            self._ended.set()
            watcher.join()
            self.progress.close()
            if signals:
                signal.signal(SIGNAL, before)


_running: ContextVar[_Running] = ContextVar("running")


def _over(_: int, __: FrameType | None) -> None:
    raise TimeOverError


@contextmanager
def running(limit: float | None, *, hands_over: bool, quiet: bool) -> Iterator[None]:
    """Let a command's time run.

    Args:
        limit: seconds; None for a command that may take as long as it likes.
        hands_over: whether it ends by itself at its limit, with what it has found: it is given a little longer then.
        quiet: whether nothing is said of how far it is.
    """
    grace = max(GRACE, (limit or 0.0) / 5) if hands_over else 0.0
    command = _Running(limit, grace, Progress(sys.stderr, quiet=quiet))
    token = _running.set(command)
    try:
        with command.watched():
            yield
    finally:
        _running.reset(token)


def left(usual: float = math.inf) -> float:
    """Return the seconds that the command has left, 0 where they are over; of so many where it was given no limit."""
    command = _running.get()
    return max(0.0, (usual if command.limit is None else command.limit) - command.passed)


def counting(what: str) -> Callable[..., None]:
    """Return what is told, as often as one likes, how many of how many things the command has done.

    It takes both numbers, and the seconds that the rest takes where somebody knows. 0 things: nobody knows how many.
    What the engine says of its steps is below that, and not said.
    """
    return _running.get().progress.counting(what)
