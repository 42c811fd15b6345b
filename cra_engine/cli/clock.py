"""What is left of a command's time limit, which counts from the moment when the command begins: reading takes time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_began: ContextVar[float] = ContextVar("began")


@contextmanager
def running() -> Iterator[None]:
    """Let a command's time run."""
    token = _began.set(time.monotonic())
    try:
        yield
    finally:
        _began.reset(token)


def left_of(seconds: float) -> float:
    """Return what a command has left of so many seconds, 0 where they are over."""
    return max(0.0, seconds - (time.monotonic() - _began.get()))
