"""Classes of thirty and of sixty open the dashboard at once, while eight people attack: `make load`.

Every session is a real WebSocket. It uploads a table that no other has, over HTTP as a browser does, and goes from Data
to Attack; once all have come there, each clicks on, from class to class, as a person does: first they alone, then
beside eight whose attack on all classes together takes a minute each, and who watch it as a browser does. Then thirty
tabs close at once beside one who stays, and classes come and go ten times. Everything in about eleven minutes.

Reported are errors, what any session saw of another's table, the time of a click, and the server's memory; each beside
what it is meant to be. The times are those of this computer while nothing else runs on it.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "server"), str(ROOT / "tests" / "browser")]

import serving  # noqa: E402
from talk import Talk  # noqa: E402
from visits import PROGRAM, UPLOAD, upload  # noqa: E402

PAGES = ("Hierarchies", "Recode", "Attack")
ATTACKERS, TABS, ROUNDS = 8, 30, 10
HEAVY = ("age", "weight", "height", "pulse")
KEPT = 2  # seconds that a closed session is kept
LONGEST = 10.0  # seconds that nobody waits longer than
MOST = 3.0  # times what it takes on a quiet server: a click beside attackers, and beside others per core
CLOSING = 2.0  # likewise while many tabs close
GROWN = 0.2  # share of the server's memory that may stay


class Visit(threading.Thread):
    """One session: uploads its table and goes to the attack; then it looks at it, until told to go.

    Args:
        url: the server's address.
        canary: stands in its table and in no other.
        looks: how often it looks in each phase.
        pause: seconds between two looks, on average.
        phases: what is waited at before each phase.
    """

    def __init__(
        self, url: str, canary: str, looks: Sequence[int], pause: float, phases: Sequence[threading.Barrier] = ()
    ) -> None:
        super().__init__()
        self.url, self.canary, self.looks, self.pause, self.phases = url, canary, looks, pause, phases
        self.draw = random.Random(canary)
        self.opened: dict[str, float] = {}
        self.clicks: list[list[float]] = [[] for _ in looks]
        self.seen: list[bytes] = []
        self.error = ""

    def run(self) -> None:
        """Do so, and keep what went wrong."""
        try:
            with Talk(self.url) as talk:
                self._timed("Data", lambda: upload(talk, self.canary, 200))
                for page in PAGES:
                    self._timed(page, lambda page=page: talk.open(page))
                for number, looks in enumerate(self.looks):
                    if self.phases:
                        self.phases[number].wait()
                    for look in range(looks):
                        time.sleep(self.draw.uniform(0.5, 1.5) * self.pause)
                        self.clicks[number].append(click(talk, look))
                self.seen = talk.received
                if talk.failed:
                    self.error = "a page broke off"
        except threading.BrokenBarrierError:
            return  # another one says what went wrong
        except Exception as error:  # noqa: BLE001 - counted and shown
            self.error = self.error or f"{type(error).__name__}: {error}"
            for phase in self.phases:
                phase.abort()

    def _timed(self, what: str, act: object) -> None:
        started = time.perf_counter()
        act()
        self.opened[what] = time.perf_counter() - started


class Attacker(threading.Thread):
    """One session that attacks all classes of a table together, again and again, and watches how that goes."""

    def __init__(self, url: str, canary: str, over: threading.Event) -> None:
        super().__init__()
        self.url, self.canary, self.over = url, canary, over
        self.ready = threading.Event()
        self.seen: list[bytes] = []
        self.error = ""
        self.begun = 0

    def run(self) -> None:
        """Do so, and keep what went wrong."""
        try:
            with Talk(self.url) as talk:
                talk.run().open("Data").choose(*UPLOAD)
                talk.upload("File with the table", f"{self.canary}.csv", heavy_table(self.canary))
                talk.choose_all("Known to others", [f"{name}{self.canary}" for name in HEAVY])
                for page in PAGES:
                    talk.open(page)
                talk.open("All together")
                while not self.over.is_set():
                    if talk.repeating is not None:
                        self.over.wait(talk.repeating[1])
                        talk.repeat()
                        continue
                    again = any(button.label == "Run again" for button in talk.on_page("button"))
                    talk.press("Run again" if again else "Attack all classes together")
                    self.begun += 1
                    self.ready.set()
                self.seen = talk.received
                if talk.failed:
                    self.error = "a page broke off"
        except Exception as error:  # noqa: BLE001 - counted and shown
            self.error = f"{type(error).__name__}: {error}"
            self.ready.set()


def heavy_table(canary: str) -> bytes:
    """Three hundred records in a grid of four attributes, which takes a minute to attack; see `visits.table`."""
    draw = random.Random(canary)
    lines = [",".join(f"{name}{canary}" for name in HEAVY)]
    lines += [",".join(str(20 + int(draw.gauss(0, 16)) % 64) for _ in HEAVY) for _ in range(300)]
    return ("\n".join(lines) + "\n").encode()


def click(talk: Talk, look: int) -> float:
    """Look at another class; the seconds until it is shown."""
    options = talk.find("selectbox", "Class").options
    started = time.perf_counter()
    talk.choose("selectbox", "Class", options[look % len(options)])
    return time.perf_counter() - started


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def leaks(sessions: Sequence[Visit | Attacker]) -> int:
    """How often a session received anything that shows another's table."""
    canaries = [session.canary.encode() for session in sessions]
    return sum(
        any(canary in data for data in session.seen)
        for session in sessions
        for canary in canaries
        if canary != session.canary.encode()
    )


@contextmanager
def served() -> Iterator[tuple[str, psutil.Process]]:
    """The dashboard, with the allocator that `make run` has; its program is loaded by two first visits."""
    environment = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(KEPT), "PYTHONMALLOC": "malloc"}
    with (
        tempfile.TemporaryDirectory() as home,
        serving.running(PROGRAM, ROOT, Path(home), environment=environment) as server,
    ):
        together([Visit(server.url, f"q7warm{place}x", [2], 0) for place in range(2)])
        time.sleep(KEPT + 3)
        yield server.url, psutil.Process(server.process.pid)


def together(threads: Sequence[threading.Thread]) -> None:
    """Start all, and wait for all."""
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Report:
    """Lines of the report, each beside what it is meant to be."""

    def __init__(self) -> None:
        self.met = True

    def say(self, what: str, found: str, meant: str = "", *, met: bool = True) -> None:
        """Print one."""
        self.met &= met
        print(f"{what:<58} {found:<30} {meant and ('met: ' if met else 'NOT MET: ') + meant}", flush=True)

    def times(self, what: str, values: Sequence[float]) -> None:
        """Print the middle, the 95th percentile and the largest of times."""
        said = f"{statistics.median(values):.2f} / {p95(values):.2f} / {max(values):.2f} s"
        self.say(f"{what}, p50 / p95 / largest", said)


@contextmanager
def attacked(url: str) -> Iterator[list[Attacker]]:
    """While eight attack: all have asked for their first attack when this begins."""
    over = threading.Event()
    heavy = [Attacker(url, f"q7hard{place:03d}x", over) for place in range(ATTACKERS)]
    try:
        for attacker in heavy:
            attacker.start()
        for attacker in heavy:
            attacker.ready.wait()
        yield heavy
    finally:
        over.set()
        for attacker in heavy:
            attacker.join()


def crowd(report: Report, number: int, looks: tuple[int, int], pause: float) -> None:
    """So many light users alone, then beside those who attack; and one light user without and with these."""
    report.say(f"\n{number} light users", "")
    with served() as (url, _):
        quiet = Visit(url, "q7solo", [30], 0.2)
        together([quiet])
        one = quiet.clicks[0]
        report.times("one light user", one)
        phases = (threading.Barrier(number + 1), threading.Barrier(number + 1))
        light = [Visit(url, f"q7many{place:03d}x", looks, pause, phases) for place in range(number)]
        began = time.perf_counter()
        for visit in light:
            visit.start()
        heavy: list[Attacker] = []
        beside = Visit(url, "q7bsd", [30], 0.2)
        try:
            phases[0].wait()
            report.say("  all have come as far as the attack after", f"{time.perf_counter() - began:.0f} s")
            while any(len(visit.clicks[0]) < looks[0] and not visit.error for visit in light):
                time.sleep(0.2)
            with attacked(url) as heavy:
                together([beside])
                phases[1].wait()
                for visit in light:
                    visit.join()
        except threading.BrokenBarrierError:  # one of them tells why
            for visit in light:
                visit.join()
        everybody = [quiet, beside, *light, *heavy]
        errors = [f"{session.canary}: {session.error}" for session in everybody if session.error]
        report.say("errors", str(len(errors)), "0", met=not errors)
        for error in errors:
            report.say(f"  {error}", "")
        seen = leaks(everybody)
        report.say("sessions that received a foreign canary", str(seen), "0", met=not seen)
        if errors:
            return
        alone, crowded = ([click for visit in light for click in visit.clicks[phase]] for phase in range(2))
        report.times(f"{number} light users by themselves", alone)
        report.times(f"{number} light users beside {ATTACKERS} who attack", crowded)
        per_core = max(1.0, number / (os.cpu_count() or 1))
        bound = MOST * p95(one) * per_core
        for what, found in (("by themselves", alone), ("beside attacks", crowded)):
            meant = f"p95 at most {MOST:.0f} x {p95(one):.2f} s x {per_core:.0f} sessions per core = {bound:.2f} s"
            report.say(f"  {what}, p95", f"{p95(found):.2f} s", meant, met=p95(found) <= bound)
            report.say(
                f"  {what}, largest", f"{max(found):.2f} s", f"at most {LONGEST:.0f} s", met=max(found) <= LONGEST
            )
        opened = [seconds for visit in light for seconds in visit.opened.values()]
        report.times("  opening a page while all come at once", opened)
        report.times(f"one light user beside {ATTACKERS} who attack", beside.clicks[0])
        ratio = statistics.median(beside.clicks[0]) / statistics.median(one)
        meant = f"at most {MOST:.0f} times its quiet value"
        report.say("  its median beside the quiet one", f"{ratio:.1f} times", meant, met=ratio <= MOST)
        report.say("  attacks that were begun", str(sum(attacker.begun for attacker in heavy)))


def closing(report: Report) -> None:
    """Thirty tabs that close at once, beside one who stays."""
    report.say(f"\n{TABS} tabs close at once", "")
    with served() as (url, _), Talk(url) as stays:
        upload(stays, "q7stays", 200)
        for page in PAGES:
            stays.open(page)
        tabs = [Talk(url) for _ in range(TABS)]
        for tab in tabs:
            tab.query = "example=toy"
            tab.run()
        time.sleep(20)  # until what this left has been tidied up
        quiet = [click(stays, look) for look in range(60)]
        for tab in tabs:
            tab.close()
        until = time.monotonic() + KEPT + 10
        meanwhile: list[float] = []
        while time.monotonic() < until:
            meanwhile.append(click(stays, len(meanwhile)))
        report.times("who stays, before", quiet)
        report.times("who stays, while they close and are emptied", meanwhile)
        ratio = p95(meanwhile) / p95(quiet)
        meant = f"at most {CLOSING:.0f} times the quiet one"
        report.say("  p95 beside the quiet one", f"{ratio:.1f} times", meant, met=ratio <= CLOSING)


def rounds(report: Report, number: int) -> None:
    """So many sessions come and go, ten times; what they leave in the server's memory."""
    report.say(f"\n{ROUNDS} rounds of {number} sessions", "")
    with served() as (url, process):
        left, errors = [], []
        for turn in range(ROUNDS):
            visits = [Visit(url, f"q7turn{turn}x{place:03d}x", [1], 0.1) for place in range(number)]
            together(visits)
            errors += [visit.error for visit in visits if visit.error]
            time.sleep(KEPT + 2)
            left.append(process.memory_info().rss / 2**20)
        time.sleep(20)  # memory is handed back a while after a run
        left.append(process.memory_info().rss / 2**20)
        report.say("errors", str(len(errors)), "0", met=not errors)
        grown = left[-1] / left[0] - 1
        said = f"{left[0]:.0f} / {left[ROUNDS - 1]:.0f} / {left[-1]:.0f} MB"
        meant = f"grown by at most {GROWN:.0%}, and it has by {grown:+.0%}"
        report.say("memory after the first, the tenth, and when all is tidied", said, meant, met=grown <= GROWN)


def main() -> int:
    """Run it and print the figures; 1 when one of them is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, nargs="*", default=[30, 60], help="light users (30 60)")
    parser.add_argument("--looks", type=int, nargs=2, default=(4, 8), help="of each, alone and beside attacks (4 8)")
    parser.add_argument("--pause", type=float, default=10.0, help="seconds between two clicks, on average (10)")
    parser.add_argument("--in-a-round", type=int, default=6, help="sessions that come and go together (6)")
    arguments = parser.parse_args()
    report, began = Report(), time.perf_counter()
    report.say(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before", "")
    for number in arguments.sessions:
        crowd(report, number, tuple(arguments.looks), arguments.pause)
    closing(report)
    rounds(report, arguments.in_a_round)
    report.say(
        f"\n{(time.perf_counter() - began) / 60:.1f} minutes; " + ("all met" if report.met else "NOT all met"), ""
    )
    return int(not report.met)


if __name__ == "__main__":
    raise SystemExit(main())
