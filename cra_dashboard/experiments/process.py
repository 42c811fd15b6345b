"""An experiment in a process of its own: it uses every processor, leaves the page fast, and ends at once when it must.

The plan goes in and the rows come out through pipes, so that nothing of a table touches the disk. The process lives no
longer than whoever started it: once its input is closed, it ends with all its workers.
"""

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO

from cra_dashboard.places import ROOT
from cra_engine import CRAError
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.rows import columns, csv_line
from cra_engine.experiments.run import run_rows
from cra_engine.experiments.workers import workers

LOOK = 0.1  # seconds between two looks whether to stop
GRACE = 1.0  # seconds to end by itself
RUNS_PER_WORKER = 100  # starting a worker takes as long as a hundred quick runs
_LOST = (
    "The calculation ended before its work was done, perhaps for lack of memory; go on, with fewer records if it "
    "happens again."
)


def stream(plan: Plan, already: int, cancelled: Callable[[], bool]) -> Iterator[bytes]:
    """Run for the page Experiments what is left of a plan after so many rows, in a process of its own.

    Args:
        plan: what to run.
        already: rows that are there.
        cancelled: asked ten times a second; when it answers True the work ends at once and what was done stays.

    Yields:
        Line by line what the command line would have written.

    Raises:
        CRAError: a run failed, or the process was lost.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "cra_dashboard.experiments.process"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a traceback may quote a row
        start_new_session=True,
    ) as process:
        threading.Thread(target=_end_when, args=(cancelled, process), daemon=True).start()
        if process.stdin is None or process.stdout is None:  # pragma: no cover - for the type checker
            raise TypeError
        try:
            with contextlib.suppress(BrokenPipeError):  # it has ended already; what follows says so
                pickle.dump((plan, already), process.stdin)
                process.stdin.flush()
            finished = False
            for message in process.stdout:
                kind, text = json.loads(message)
                if kind == "error":
                    raise CRAError(text)
                finished = kind == "end"
                if not finished:
                    yield text.encode()
        finally:
            _end(process)
    if not finished and not cancelled():
        raise CRAError(_LOST)


def _end_when(cancelled: Callable[[], bool], process: "subprocess.Popen[bytes]") -> None:
    while process.poll() is None:
        if cancelled():
            _end(process)
            return
        time.sleep(LOOK)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process and its workers; SIGTERM first, so that what they shared is cleaned up."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
            return


def jobs(plan: Plan, left: int) -> int:
    """Return how many workers Experiments needs for so many runs."""
    worth = left if plan.tight_time_limit is not None else 1 + left // RUNS_PER_WORKER
    return max(1, min(os.cpu_count() or 1, worth))


# ---------------------------------------------------------------- the other side


def main() -> None:
    """Run in the process of the page Experiments what is left of a plan, and print each row."""
    # Workers inherit the standard output; what anything prints there must not come between the rows.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        source = sys.stdin.buffer
        plan, already = pickle.load(source)  # noqa: S301 - from the process that started this one
        threading.Thread(target=_live_as_long_as, args=(source,), daemon=True).start()
        os.nice(5)  # the page goes first
        try:
            with workers("loky", jobs(plan, plan.size - already)):
                for row, _ in run_rows(plan, already):
                    _say(out, "row", csv_line([row[name] for name in columns(plan)]).decode())
            _say(out, "end", "")
        except CRAError as error:
            _say(out, "error", str(error))
        except Exception as error:  # noqa: BLE001 - nobody above could show it; its own text may quote a row
            _say(out, "error", f"The calculation broke off ({type(error).__name__}); this is a fault of the program.")


def _say(out: BinaryIO, kind: str, text: str) -> None:
    out.write(json.dumps([kind, text]).encode() + b"\n")
    out.flush()


def _live_as_long_as(source: BinaryIO) -> None:
    """End everything once nobody holds the other end."""
    source.read()
    os.killpg(os.getpgrp(), signal.SIGTERM)


if __name__ == "__main__":
    main()
