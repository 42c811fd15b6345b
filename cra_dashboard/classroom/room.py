"""What is known of one class while it lasts: the question in front of it, and who guessed what. In memory only."""

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # nothing that is read as something else
LETTERS = 6
MOST_SEATS, MOST_ROOMS = 300, 20
FORGOTTEN = 900.0  # seconds without the lecturer's screen until a room is closed
ASKED, GUESSED, ANSWERED = 0, 1, 2  # what the class has seen of a question: it, the guesses, the answer


@dataclass(frozen=True)
class Question:
    """What a class is asked.

    Attributes:
        asked: for the telephones while it is asked; says nothing of the answer.
        told: for them once it is answered.
        choices: what can be chosen.
        right: of these.
    """

    asked: Mapping[str, Any]
    told: Mapping[str, Any]
    choices: frozenset[str]
    right: frozenset[str]


@dataclass
class _Seat:
    guesses: dict[int, str] = field(default_factory=dict)


class Room:
    """One class. Every method may be called from any thread.

    Attributes:
        code: by which people come in.
        key: which the lecturer's screen alone has.
        version: grows whenever somebody may see something new.
    """

    def __init__(self, questions: Sequence[Question], now: Callable[[], float] = time.monotonic) -> None:
        """A new room, before its first question."""
        self.code = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
        self.key = secrets.token_urlsafe(24)
        self.version = 1
        self._questions, self._now = tuple(questions), now
        self._at = 0
        self._stages = [ASKED] * len(self._questions)
        self._seats: dict[str, _Seat] = {}
        self._lock = threading.Lock()
        self._seen = now()

    @property
    def forgotten(self) -> bool:
        """Whether the lecturer's screen has been away for so long that the class is over."""
        return self._now() - self._seen > FORGOTTEN

    # ------------------------------------------------------------ for the telephones

    def join(self) -> str | None:
        """A seat for one person, by a name that nobody can guess; None where the room is full."""
        with self._lock:
            if len(self._seats) >= MOST_SEATS:
                return None
            seat = secrets.token_urlsafe(16)
            self._seats[seat] = _Seat()
            self.version += 1
            return seat

    def has(self, seat: str) -> bool:
        """Whether somebody sits there."""
        return seat in self._seats

    def shown(self, seat: str) -> dict[str, Any]:
        """What a telephone shows now."""
        with self._lock:
            question, stage = self._questions[self._at], self._stages[self._at]
            own = self._seats[seat].guesses.get(self._at)
            told: dict[str, Any] = {"stamp": self.stamp(seat), "step": self._at, "of": len(self._questions)}
            told |= {"open": stage == ASKED, "own": own, **(question.told if stage == ANSWERED else question.asked)}
            if stage == ANSWERED:
                told["right"] = sorted(question.right)
            return told

    def stamp(self, seat: str) -> int:
        """A number that changes when this telephone has something new to show: not with the guesses of others."""
        given = self._at in self._seats[seat].guesses
        return 1 + 6 * self._at + 2 * self._stages[self._at] + given

    def guess(self, seat: str, step: int, choice: str) -> bool:
        """Take a guess; False where it comes too late, a second time, or names nothing."""
        with self._lock:
            guesses = self._seats[seat].guesses
            if step != self._at or self._stages[step] != ASKED or step in guesses:
                return False
            if choice not in self._questions[step].choices:
                return False
            guesses[step] = choice
            self.version += 1
            return True

    # ------------------------------------------------------------ for the lecturer's screen

    def steer(self, at: int, stage: int) -> bool:
        """Go to a question and show so much of it; what was shown once stays shown. False where there is none."""
        with self._lock:
            if not (0 <= at < len(self._questions) and ASKED <= stage <= ANSWERED):
                return False
            self._at, self._stages[at] = at, max(stage, self._stages[at])
            self.version += 1
            return True

    def watched(self) -> dict[str, Any]:
        """What the lecturer's screen shows now: how many guessed; which guesses only once they are shown."""
        self._seen = self._now()
        with self._lock:
            stage = self._stages[self._at]
            counts = Counter(seat.guesses[self._at] for seat in self._seats.values() if self._at in seat.guesses)
            return {
                "version": self.version,
                "step": self._at,
                "stage": stage,
                "joined": len(self._seats),
                "guessed": counts.total(),
                "dots": dict(counts) if stage > ASKED else {},
                "score": [self._score(step) for step in range(len(self._questions))],
            }

    def _score(self, step: int) -> list[int] | None:
        """How many were right and how many guessed; None before the answer was shown."""
        if self._stages[step] != ANSWERED:
            return None
        guesses = [seat.guesses[step] for seat in self._seats.values() if step in seat.guesses]
        return [sum(guess in self._questions[step].right for guess in guesses), len(guesses)]


class Rooms:
    """The rooms of a server, by their codes."""

    def __init__(self) -> None:
        """None so far."""
        self._rooms: dict[str, Room] = {}
        self._lock = threading.Lock()

    def open(self, questions: Sequence[Question]) -> Room | None:
        """A new room; None where there are too many."""
        with self._lock:
            self._rooms = {code: room for code, room in self._rooms.items() if not room.forgotten}
            if len(self._rooms) >= MOST_ROOMS:
                return None
            room = Room(questions)
            while room.code in self._rooms:
                room = Room(questions)
            self._rooms[room.code] = room
            return room

    def of_code(self, code: str) -> Room | None:
        """The room that people come into by this code."""
        found = self._rooms.get(code)
        if found is not None and found.forgotten:
            self.close(found)
            return None
        return found

    def of_seat(self, seat: str) -> Room | None:
        """The room in which somebody sits."""
        return next((room for room in list(self._rooms.values()) if room.has(seat) and not room.forgotten), None)

    def of_key(self, key: str) -> Room | None:
        """The room of a lecturer's screen."""
        return next((room for room in list(self._rooms.values()) if secrets.compare_digest(room.key, key)), None)

    def close(self, room: Room) -> None:
        """Forget a room with all that was guessed in it."""
        with self._lock:
            self._rooms.pop(room.code, None)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._rooms)
