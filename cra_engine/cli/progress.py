"""A line on how far a long command is and how much longer it takes."""

import threading
import time
from collections.abc import Callable
from typing import TextIO

from cra_engine.words import duration

PAUSE_TERMINAL = 0.2
PAUSE_FILE = 10.0
PATIENCE = 2.0  # seconds before it is worth a line how far something is that mostly ends at once


class Progress:
    """How far a command is, for a stream: one changing line on a terminal, else a line now and then."""

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        """Say on ``stream`` how far the command is, unless it is to be quiet."""
        self._stream, self._quiet = stream, quiet
        self._terminal = stream.isatty()
        self._pause = PAUSE_TERMINAL if self._terminal else PAUSE_FILE
        self._next = PATIENCE
        self._counted = False
        self._what, self._done, self._total = "reading", 0, 0
        self._began = time.monotonic()
        self._rest: float | None = None
        self._width = 0
        self._step = threading.Lock()  # the line is written by another thread than the one that works

    def at(self, what: str, done: int = 0, total: int = 0) -> None:
        """Take down what the engine is at, and how many of how many it has done; 0 where nobody knows."""
        if not self._counted:
            self._take(what, done, total, None)

    def counting(self, what: str) -> Callable[..., None]:
        """Return what takes down how many of how many of the command's things are done, and what else it is at not."""
        self._counted = True
        self._take(what, 0, 0, None)
        return lambda done, total, rest=None: self._take(what, done, total, rest)

    def _take(self, what: str, done: int, total: int, rest: float | None) -> None:
        with self._step:
            if what != self._what or done < self._done:
                self._began = time.monotonic()
            self._what, self._done, self._total = what, done, total
            self._rest = None if rest is None else time.monotonic() + rest

    def line(self, passed: float, most: float | None) -> str:
        """Return the line after so many seconds, of which at most so many are left."""
        with self._step:
            now = time.monotonic()
            rest = None if self._rest is None else max(0.0, self._rest - now)
            if rest is None and self._done and self._total:
                rest = (now - self._began) * (self._total - self._done) / self._done
            of = f"{self._done:,} of {self._total:,} " if self._total else f"{self._done:,} " if self._done else ""
        count = f"{of}{self._what}"
        limits = [] if rest is None or (most is not None and rest > most) else [f"about {duration(rest)} left"]
        if not limits:
            limits = [f"{duration(passed)} so far"]
            if most is not None:
                limits.append(f"at most {duration(max(0.0, most))} left")
        return ", ".join([count, *limits])

    def show(self, passed: float, most: float | None) -> None:
        """Say how far it is after so many seconds, where it is time for that."""
        if self._quiet or passed < self._next:
            return
        self._next = passed + self._pause
        text = self.line(passed, most)
        if self._terminal:
            self._stream.write(f"\r{text:<{self._width}}")
            self._width = len(text)
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def close(self) -> None:
        """Leave the line as it stands."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
            self._width = 0
