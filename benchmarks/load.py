"""A class of thirty opens the dashboard at once, each with a table of their own: `make load`.

Every session is a real WebSocket. It uploads a table that no other has, over HTTP as a browser does, and goes from Data
to Attack; once all have come there, each clicks on, from class to class, as a person does. Reported are errors, what
any session saw of another's table, the time of a rerun beside that of a session that has the server to itself, and the
server's memory before, while and after.
"""

import argparse
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "server"), str(ROOT / "tests" / "browser")]

import serving  # noqa: E402
from talk import Talk  # noqa: E402
from visits import PROGRAM, upload  # noqa: E402

PAGES = ("Hierarchies", "Recode", "Attack")
KEPT = 2  # seconds that a closed session is kept


class Visit(threading.Thread):
    """One session: uploads its table, goes to the attack, looks at it so many times."""

    def __init__(self, url: str, canary: str, arguments: argparse.Namespace, everybody: threading.Barrier) -> None:
        """See the class."""
        super().__init__()
        self.everybody = everybody  # nobody clicks on before all have come as far as the attack
        self.draw = random.Random(canary)
        self.url, self.canary = url, canary
        self.looks, self.pause, self.records = arguments.looks, arguments.pause, arguments.records
        self.opened: dict[str, float] = {}
        self.reruns: list[float] = []
        self.seen: list[bytes] = []
        self.error = ""

    def run(self) -> None:
        """Do so, and keep what went wrong."""
        try:
            with Talk(self.url) as talk:
                self._visit(talk)
        except Exception as error:  # noqa: BLE001 - counted and shown
            self.error = self.error or f"{type(error).__name__}: {error}"
            self.everybody.abort()

    def _visit(self, talk: Talk) -> None:
        self._timed("Data", lambda: upload(talk, self.canary, self.records))
        for page in PAGES:
            self._timed(page, lambda page=page: talk.open(page))
        self.everybody.wait()
        for look in range(self.looks):
            time.sleep(self.draw.uniform(0.5, 1.5) * self.pause)
            options = talk.find("selectbox", "Class").options
            started = time.perf_counter()
            talk.choose("selectbox", "Class", options[look % len(options)])
            self.reruns.append(time.perf_counter() - started)
        self.seen = talk.received
        if talk.failed:
            self.error = "a page broke off"

    def _timed(self, what: str, act: object) -> None:
        started = time.perf_counter()
        act()
        self.opened[what] = time.perf_counter() - started


def visits(url: str, number: int, arguments: argparse.Namespace, prefix: str) -> list[Visit]:
    """So many sessions at once."""
    everybody = threading.Barrier(number)
    threads = [Visit(url, f"{prefix}{place:03d}x", arguments, everybody) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return threads


def p95(values: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def leaks(threads: list[Visit]) -> int:
    """How often a session received anything that shows another's table."""
    canaries = [thread.canary.encode() for thread in threads]
    return sum(
        any(canary in data for data in thread.seen)
        for thread in threads
        for canary in canaries
        if canary != thread.canary.encode()
    )


def megabytes(process: psutil.Process) -> float:
    """What the server's process has in memory."""
    return process.memory_info().rss / 2**20


def main() -> int:
    """Run it and print the figures; 1 when one of them is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--looks", type=int, default=10, help="reruns per session (10)")
    parser.add_argument("--pause", type=float, default=10.0, help="seconds between two clicks, on average (10)")
    parser.add_argument("--records", type=int, default=200, help="of each table (200)")
    arguments = parser.parse_args()
    # The allocator as `make run` has it.
    environment = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(KEPT), "PYTHONMALLOC": "malloc"}
    with (
        tempfile.TemporaryDirectory() as home,
        serving.running(PROGRAM, ROOT, Path(home), environment=environment) as server,
    ):
        process = psutil.Process(server.process.pid)
        # The program itself is loaded by the first visits; what they leave is what later ones are measured against.
        visits(server.url, 2, argparse.Namespace(looks=2, pause=0, records=arguments.records), "warm")
        time.sleep(KEPT + 3)
        before = megabytes(process)
        (alone,) = visits(server.url, 1, argparse.Namespace(**vars(arguments) | {"looks": 30, "pause": 0.2}), "solo")
        started = time.perf_counter()
        together = visits(server.url, arguments.sessions, arguments, "many")
        seconds = time.perf_counter() - started
        during = megabytes(process)
        time.sleep(KEPT + 5)
        after = megabytes(process)

    errors = [f"{thread.canary}: {thread.error}" for thread in (alone, *together) if thread.error]
    reruns = [time for thread in together for time in thread.reruns]
    one, many = p95(alone.reruns), p95(reruns)
    ratio, grown = many / one, after / before - 1
    seen = leaks([alone, *together])
    print(f"{arguments.sessions} sessions, {len(reruns)} reruns, {seconds:.0f} s")
    print(f"errors                      {len(errors)}", *errors, sep="\n  ")
    print(f"seen of another's table     {seen}")
    print(f"rerun alone, median / p95   {statistics.median(alone.reruns):.2f} s / {one:.2f} s")
    print(f"rerun together, median / p95 {statistics.median(reruns):.2f} s / {many:.2f} s")
    print(f"p95 together over alone     {ratio:.1f}")
    for page in ("Data", *PAGES):
        print(f"opening {page:<12} p95    {p95([thread.opened.get(page, 0) for thread in together]):.2f} s")
    print(f"memory before / at the end / after all closed  {before:.0f} / {during:.0f} / {after:.0f} MB ({grown:+.0%})")
    return int(bool(errors or seen or ratio > 5 or grown > 0.2))


if __name__ == "__main__":
    raise SystemExit(main())
