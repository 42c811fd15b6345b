"""Heavy work takes turns: on one server no more calculations at a time than there are cores, the others wait in line.

One core is left to whoever only clicks, where there are two or more.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOOK = 0.25  # seconds between two looks at whether anybody still waits for the result


class Turns:
    """A line in which sessions' calculations wait before so many places.

    Args:
        places: calculations at a time.
    """

    def __init__(self, places: int) -> None:
        """See the class."""
        self.places = places
        self._changed = threading.Condition()
        self._line: list[tuple[object, str]] = []  # tickets, each with whose it is
        self._busy: list[str] = []

    @contextmanager
    def turn(
        self,
        over: Callable[[], bool] = lambda: False,
        waiting: Callable[[int, int], None] = lambda *_: None,
        whose: str = "",
    ) -> Iterator[None]:
        """Have a place, once those that came before have had theirs.

        Args:
            over: answers True once nobody wants the result any more; then there is no waiting.
            waiting: told now and then how many are ahead, those at work among them, and how many of them are of the
                same session. What it raises ends the waiting.
            whose: the session that it is of; empty where that is not known.
        """
        ticket, taken = (object(), whose), False
        try:
            with self._changed:
                self._line.append(ticket)
            while not taken and not over():
                with self._changed:
                    place = self._line.index(ticket)
                    ahead = [*self._busy, *(owner for _, owner in self._line[:place])]
                    if place == 0 and len(self._busy) < self.places:
                        self._busy.append(whose)
                        taken = True
                    else:
                        self._changed.wait(_LOOK)
                if not taken:
                    waiting(len(ahead), ahead.count(whose) if whose else 0)
            with self._changed:
                self._line.remove(ticket)
                self._changed.notify_all()
            yield
        finally:
            with self._changed:
                if ticket in self._line:
                    self._line.remove(ticket)
                if taken:
                    self._busy.remove(whose)
                self._changed.notify_all()


def places_on(cores: int | None) -> int:
    """Return how many sessions' calculations a computer does at a time: one core is left, where there are two."""
    return max(1, (cores or 1) - 1)


CALCULATIONS = Turns(places_on(os.cpu_count()))
SHORT = Turns(places_on(os.cpu_count()))  # what is soon over waits for its like alone
EXPERIMENTS = Turns(1)  # each has a process of its own, and may take an hour: they keep nobody else waiting


def waiting_text(ahead: int, own: int = 0) -> str:
    """Say to somebody that their calculation waits for its turn, and how many of those before it are their own."""
    before = "1 calculation" if ahead == 1 else f"{ahead:,} calculations"
    if own == ahead:
        whose = "that you began before"
    elif own:
        whose = f"begun before, {own:,} of them your own,"
    else:
        whose = "of somebody else or another window"
    has = "has" if ahead == 1 else "have"
    return f":material/hourglass_empty: Waiting for its turn: {before} {whose} {has} to end first."
