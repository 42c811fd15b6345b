"""A server with a class, and its people as plain HTTP: each guesses, tries it twice, at times drops out and returns."""

import http.client
import json
import random
import re
import sys
import threading
import time
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psutil

import serving

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
KEPT = 2  # seconds that a closed session of the dashboard is kept


@dataclass(frozen=True)
class Served:
    """A dashboard with a class.

    Attributes:
        server: its process, its address and its log.
        telephones: the address that telephones have.
        home: its home directory.
    """

    server: serving.Server
    telephones: str
    home: Path

    @property
    def dashboard(self):
        """The lecturer's address."""
        return self.server.url

    @property
    def memory(self):
        """Bytes that the process holds."""
        return psutil.Process(self.server.process.pid).memory_info().rss


@contextmanager
def a_class_server(home):
    """Serve a dashboard with a class until the block is left."""
    environment = {
        "STREAMLIT_LOGGER_LEVEL": "debug",
        "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(KEPT),
        "PYTHONMALLOC": "malloc",
        "TMPDIR": str(home),
    }
    with serving.running(
        [sys.executable, "-m", "cra_dashboard.program", "--no-browser", "--class"],
        ROOT,
        home,
        environment=environment,
        port_option="--port",
    ) as server:
        port = re.search(r"reaches http://[0-9.]+:(\d+)/", server.printed)[1]
        give_up = time.monotonic() + serving.PATIENCE
        while time.monotonic() < give_up:
            try:
                asked(f"http://127.0.0.1:{port}", "GET", "/")
                break
            except OSError:
                time.sleep(0.1)
        yield Served(server, f"http://127.0.0.1:{port}", home)


def asked(url, method, path, headers=None, body=None, *, on=None):
    """One request: the status and what was said. ``on`` is a connection that is kept."""
    connection = on or connected(url)
    connection.request(method, path, None if body is None else json.dumps(body), headers or {})
    answer = connection.getresponse()
    text = answer.read().decode()
    if on is None:
        connection.close()
    return answer.status, json.loads(text) if text.startswith("{") else text


def connected(url):
    """A connection."""
    return http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)


@contextmanager
def staying(url, seats):
    """Let telephones be here, those too whose seats are added later, until the block is left."""
    over = threading.Event()

    def look():
        while not over.wait(1):
            for seat in list(seats):
                asked(url, "GET", "/now", {"x-seat": seat})

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    yield
    over.set()
    thread.join()


@dataclass
class Person:
    """Somebody with a telephone.

    Attributes:
        guesses: per step what was guessed, and when it was sent.
        wrong: what should not have happened.
    """

    url: str
    code: str
    number: int
    think: float
    late: int = 0
    seat: str = ""
    guesses: dict = field(default_factory=dict)
    wrong: list = field(default_factory=list)
    seen: list = field(default_factory=list)

    def run(self, over):
        with closing(connected(self.url)) as connection:
            self.take_part(over, connection)

    def take_part(self, over, connection):
        """Guess at each step until it is over."""
        rng = random.Random(self.number)
        status, told = asked(self.url, "POST", "/join", body={"code": self.code}, on=connection)
        assert status == 200, told
        self.seat, stamp = told["seat"], 0
        while not over.is_set():
            headers = {"x-seat": self.seat, "x-seen": str(stamp)}
            status, told = asked(self.url, "GET", "/now", headers, on=connection)
            if status != 200:
                return
            stamp = told["stamp"]
            self.seen.append(told["step"])
            known = self.guesses.get(told["step"])
            if told["own"] != (known and known[0]):
                self.wrong.append(("lost", told["step"], told["own"], known))
            if ("right" in told or "found" in told) and told["open"]:
                self.wrong.append(("told too early", told["step"]))
            if not told["open"] or known:
                continue
            time.sleep(rng.random() * self.think)
            choice = rng.choice(choices_in(told["picture"]))
            self.guesses[told["step"]] = (choice, time.monotonic())
            body = {"step": told["step"], "choice": choice}
            status, _ = asked(self.url, "POST", "/guess", {"x-seat": self.seat}, body, on=connection)
            if status != 200:
                self.wrong.append(("not taken", told["step"], status))
            if rng.random() < 0.3:
                again = asked(self.url, "POST", "/guess", {"x-seat": self.seat}, body, on=connection)
                if again[0] != 409:
                    self.wrong.append(("twice", told["step"]))
            if rng.random() < 0.3:  # out of the room, and back
                connection.close()
                stamp = 0


def choices_in(picture):
    """What can be chosen in a picture."""
    return sorted({part.split('"')[0] for part in picture.split('data-choice="')[1:]})


def a_class(telephones, lecturer, people, steps, think):
    """A class of so many over so many steps.

    Args:
        telephones: the address that telephones have.
        lecturer: the address of the dashboard.
        people: how many; every tenth comes at the second step.
        steps: how many are asked.
        think: seconds that a guess takes at most.

    Returns:
        The people, per guess the seconds until the lecturer's screen had it, and the room.
    """
    status, room = asked(lecturer, "POST", "/class/open", {"x-class": "open"})
    assert status == 200
    over, everybody, threads = threading.Event(), [], []
    seen: dict[tuple[int, int], float] = {}  # per step and number of guesses, when the screen first had so many
    watched: dict = {}

    def watch():
        version = 0
        while not over.is_set():
            status, told = asked(lecturer, "GET", "/class/watch", {"x-key": room["key"], "x-seen": str(version)})
            if status != 200:
                return
            now, version = time.monotonic(), told["version"]
            watched.update(told)
            for many in range(told["guessed"], 0, -1):
                if (told["step"], many) in seen:
                    break
                seen[told["step"], many] = now

    def come(numbers):
        for number in numbers:
            person = Person(telephones, room["code"], number, think)
            everybody.append(person)
            threads.append(threading.Thread(target=person.run, args=(over,), daemon=True))
            threads[-1].start()

    def steer(step, stage):
        status, told = asked(lecturer, "POST", "/class/steer", {"x-key": room["key"]}, {"at": step, "stage": stage})
        assert status == 200
        return told

    def until(number, step):
        give_up = time.monotonic() + PATIENCE
        while watched.get("step") != step or watched.get("guessed") != number:
            assert time.monotonic() < give_up, (watched, number, step)
            time.sleep(0.02)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    late = people // 10
    come(range(people - late))
    right = []
    for step in range(steps):
        if step == 1:
            come(range(people - late, people))
        steer(step, 0)
        there = people - late if step == 0 else people
        until(there, step)
        own = Counter(person.guesses[step][0] for person in everybody if step in person.guesses)
        assert watched["dots"] == {}
        assert steer(step, 1)["dots"] == own
        told = steer(step, 2)
        assert told["score"][step][1] == there
        right.append(told["score"][step])
    time.sleep(0.5)
    over.set()
    status, _ = asked(lecturer, "POST", "/class/close", {"x-key": room["key"]})
    assert status == 200
    for thread in [*threads, watching]:
        thread.join(30)
        assert not thread.is_alive()
    delays = []
    for step in range(steps):
        sent = sorted(person.guesses[step][1] for person in everybody if step in person.guesses)
        delays += [seen[step, place] - at for place, at in enumerate(sent, 1)]
    return everybody, delays, room
