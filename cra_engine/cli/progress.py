"""A line on how far a long run is and how much longer it takes."""

import time
from typing import Self, TextIO

from cra_engine.words import duration

PAUSE_TERMINAL = 0.2
PAUSE_FILE = 10.0
PATIENCE = 2.0  # seconds before it is worth a line how far something is that mostly ends at once


class Progress:
    """A command's progress on a stream while it is entered: a changing line on a terminal, else one now and then."""

    def __init__(self, stream: TextIO, what: str = "runs") -> None:
        """Show on ``stream`` how many of ``what`` are done."""
        self._stream = stream
        self._what = what
        self._terminal = stream.isatty()
        self._next = 0.0
        self._began = time.monotonic()
        self._open = False

    def show(self, done: int, total: int, remaining: float | None) -> None:
        """Say that ``done`` of ``total`` are done and about ``remaining`` seconds are left (None: unknown)."""
        now = time.monotonic()
        if now < self._next and done < total:
            return
        self._next = now + (PAUSE_TERMINAL if self._terminal else PAUSE_FILE)
        left = "" if remaining is None or done == total else f", about {duration(remaining)} left"
        text = f"{done} of {total} {self._what}{left}"
        if self._terminal:
            self._stream.write(f"\r{text:<50}")
            self._open = True
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def show_late(self, done: int, total: int, *, steady: bool = True) -> None:
        """Say so once it has taken a while; ``steady`` where the rest goes at the pace of what is done."""
        passed = time.monotonic() - self._began
        if passed > PATIENCE:
            self.show(done, total, passed * (total - done) / done if steady and done else None)

    def __enter__(self) -> Self:
        """Nothing is shown yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the line as it stands."""
        if self._open:
            self._stream.write("\n")
            self._stream.flush()
            self._open = False
