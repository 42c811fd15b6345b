"""What commands do with a million rows in five seconds: processor seconds, status, and what was not looked at.

    python benchmarks/limits.py                    every command of growth.py
    python benchmarks/limits.py 100000 2 check     those named, with so many rows and seconds

They run as in growth.py, one after the other in this process, after a first run that loads the libraries.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from growth import COMMANDS, folder_of
from typer.testing import CliRunner

from cra_engine.cli.commands import app

FEW, LAST, SECONDS = 1000, 1_000_000, 5.0  # rows of the first run, and of the second with its limit
WORDS = ("time", "limit")


def limited(command: str, seconds: float) -> tuple[float, int, str]:
    """Processor seconds of a command with a limit, its status, and the sentence that it says of the time."""
    started = time.process_time()
    result = CliRunner().invoke(app, [*command.split(), "--time-limit", str(seconds), "-q"])
    taken = time.process_time() - started
    said = [line for line in result.output.splitlines() if any(word in line for word in WORDS)]
    return taken, result.exit_code, said[0].strip() if said else "nothing: it was done"


def lines(commands: Sequence[str], rows: int, seconds: float) -> Iterator[str]:
    """The lines of the table."""
    yield "| command | processor s | status | says |"
    yield "|---|---:|---:|---|"
    here = Path.cwd()
    for measured, size in ((False, min(FEW, rows)), (True, rows)):  # the first run loads what is needed
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                folder_of(size)
                for name in commands:
                    taken, status, said = limited(COMMANDS[name], seconds)
                    if measured:
                        yield f"| `{name}` | {taken:.1f} | {status} | {said} |"
            finally:
                os.chdir(here)


def main() -> None:
    """Print the table."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else LAST
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    for line in lines(sys.argv[3:] or list(COMMANDS), rows, seconds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
