"""What is known of one class while it lasts: the question in front of it, and who guessed what. In memory only."""

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # nothing that is read as something else
LETTERS = 6
MOST_SEATS, MOST_ROOMS = 300, 20
AWAY = 10.0  # seconds without a telephone until it does not count
FORGOTTEN = 900.0  # seconds without the lecturer's screen until a room is closed
ASKED, GUESSED, ANSWERED = 0, 1, 2  # what the class has seen of a question: it, the guesses, the answer


@dataclass(frozen=True)
class Question:
    """A question that a class is asked on its telephones.

    Attributes:
        asked: for the telephones while it is asked; says nothing of the answer. Its title is for the score too.
        told: for them once it is answered.
        choices: what can be chosen.
        right: of these.
        against: what is said to who chose one, by its name; where there is something to say.
    """

    asked: Mapping[str, Any]
    told: Mapping[str, Any]
    choices: frozenset[str]
    right: frozenset[str]
    against: Mapping[str, str] = field(default_factory=dict)


@dataclass
class _Seat:
    seen: float
    listening: int = 0  # requests of its telephone that wait for news
    guesses: dict[int, str] = field(default_factory=dict)


class Room:
    """One class that guesses on its telephones; every method may be called from any thread.

    Attributes:
        code: by which people come in.
        key: which the lecturer's screen alone has.
        version: grows whenever somebody may see something new.
    """

    def __init__(self, questions: Sequence[Question], now: Callable[[], float] = time.monotonic) -> None:
        """A new room, in which nothing is asked yet.

        Args:
            questions: that its lecturer's screen goes through by their places; more may be asked one by one.
            now: the clock.
        """
        self.code = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
        self.key = secrets.token_urlsafe(24)
        self.version = 1
        self._questions, self._now = list(questions), now
        self._known = len(self._questions)
        self._places: dict[Hashable, int] = {}
        self._at: int | None = None
        self._stages = [ASKED] * len(self._questions)
        self._seats: dict[str, _Seat] = {}
        self._lock = threading.RLock()
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
            self._seats[seat] = _Seat(self._now())
            self.version += 1
            return seat

    @contextmanager
    def listens(self, seat: str) -> Iterator[None]:
        """Count a telephone as here while it waits for news, and for a short while after."""
        here = self._seats[seat]
        with self._lock:
            here.listening += 1
        try:
            yield
        finally:
            with self._lock:
                here.listening -= 1
                here.seen = self._now()

    def has(self, seat: str) -> bool:
        """Whether somebody sits there."""
        return seat in self._seats

    def shown(self, seat: str) -> dict[str, Any]:
        """What a telephone shows now."""
        with self._lock:
            told: dict[str, Any] = {"stamp": self.stamp(seat), "step": self._at, "open": False, "own": None}
            if self._at is None:
                return told
            question, stage = self._questions[self._at], self._stages[self._at]
            own = self._seats[seat].guesses.get(self._at)
            told |= {"open": stage == ASKED, "own": own, **(question.told if stage == ANSWERED else question.asked)}
            if stage == ANSWERED:
                told |= {"right": sorted(question.right), "against": question.against.get(own or "", "")}
            return told

    def stamp(self, seat: str) -> int:
        """A number that changes when this telephone has something new to show: not with the guesses of others."""
        if self._at is None:
            return 1
        given = self._at in self._seats[seat].guesses
        return 2 + 6 * self._at + 2 * self._stages[self._at] + given

    def guess(self, seat: str, step: int, choice: str) -> bool:
        """Take a guess; False where it comes too late, a second time, or names nothing."""
        with self._lock:
            guesses = self._seats[seat].guesses
            if self._at is None or step != self._at or self._stages[step] != ASKED or step in guesses:
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

    def ask(self, name: Hashable, question: Callable[[], Question], stage: int = ASKED) -> int:
        """Put a question in front of the class, or one that was there before.

        Args:
            name: by which it is the same question; guesses at it stay.
            question: makes it, the first time.
            stage: show at least so much of it.

        Returns:
            Its place.
        """
        made = None if name in self._places else question()
        with self._lock:
            at = self._places.setdefault(name, len(self._questions))
            if made is not None and at == len(self._questions):
                self._questions.append(made)
                self._stages.append(ASKED)
        if at != self._at or stage > self._stages[at]:
            self.steer(at, stage)
        return at

    def rest(self) -> None:
        """Ask nothing where one of those questions was in front that were asked one by one."""
        with self._lock:
            if self._at is not None and self._at >= self._known:
                self._at = None
                self.version += 1

    def watched(self) -> dict[str, Any]:
        """What the lecturer's screen shows now: how many guessed; which guesses only once they are shown."""
        self._seen = self._now()
        with self._lock:
            at = self._at
            stage = ASKED if at is None else self._stages[at]
            counts = Counter(seat.guesses[at] for seat in self._seats.values() if at is not None and at in seat.guesses)
            return {
                "version": self.version,
                "step": at,
                "stage": stage,
                "joined": self.joined(),
                "guessed": counts.total(),
                "dots": dict(counts) if stage > ASKED else {},
                "score": [self._score(step) for step in range(len(self._questions))],
                "titles": [question.asked["title"] for question in self._questions],
            }

    def joined(self) -> int:
        """How many telephones count: those that are here, and those away that guessed at what is asked."""
        with self._lock:
            here, at, now = list(self._seats.values()), self._at, self._now()
        return sum(seat.listening > 0 or now - seat.seen <= AWAY or at in seat.guesses for seat in here)

    def _score(self, step: int) -> list[int] | None:
        """How many were right and how many guessed; None before the answer was shown."""
        if self._stages[step] != ANSWERED:
            return None
        guesses = [seat.guesses[step] for seat in self._seats.values() if step in seat.guesses]
        return [sum(guess in self._questions[step].right for guess in guesses), len(guesses)]


class Rooms:
    """The rooms of all classes of a server, by their codes."""

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
        given = key.encode()
        rooms = list(self._rooms.values())
        return next((room for room in rooms if secrets.compare_digest(room.key.encode(), given)), None)

    def close(self, room: Room) -> None:
        """Forget a room with all that was guessed in it."""
        with self._lock:
            self._rooms.pop(room.code, None)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._rooms)
