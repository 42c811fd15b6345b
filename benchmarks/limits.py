"""What commands do with a million rows in five seconds: how long they take, status, and what they say of the time.

    python benchmarks/limits.py                    every command of growth.py
    python benchmarks/limits.py 100000 2 check     those named, with so many rows and seconds

Each runs in a process of its own, whose seconds hold what Python and the libraries need to begin. The limit goes by the
clock; processor seconds are told beside it, which say more of the command where others use the machine, too.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from growth import COMMANDS, folder_of

ROWS, SECONDS = 1_000_000, 5.0
WORDS = ("--time-limit", "time ran out", "out of time", "time limit")


def limited(command: str, seconds: float) -> tuple[float, float, int, str]:
    """Seconds of a command with a limit by the clock and of the processor, its status, and what it says of the time."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "cra_engine", *command.split(), "--time-limit", str(seconds), "-q"],
        capture_output=True,
        text=True,
        check=False,
    )
    after, passed = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = [line for line in (done.stderr + done.stdout).splitlines() if any(word in line.lower() for word in WORDS)]
    return passed, taken, done.returncode, said[0].strip() if said else "-"


def lines(commands: Sequence[str], rows: int, seconds: float) -> Iterator[str]:
    """The lines of the table."""
    yield "| command | s | processor s | status | says of the time |"
    yield "|---|---:|---:|---:|---|"
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            folder_of(rows)
            for name in commands:
                passed, taken, status, said = limited(COMMANDS[name], seconds)
                yield f"| `{name}` | {passed:.1f} | {taken:.1f} | {status} | {said} |"
        finally:
            os.chdir(here)


def main() -> None:
    """Print the table."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    for line in lines(sys.argv[3:] or list(COMMANDS), rows, seconds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
