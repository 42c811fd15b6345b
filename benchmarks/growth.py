"""How the commands grow with the records: processor seconds at each power of ten, as multiples of recoding, exponents.

    python benchmarks/growth.py                     every command, from a thousand records to a million
    python benchmarks/growth.py 100000 recode check those named, up to so many records

Every command reads its tables from files and writes what it writes. They run one after the other in this process, after
a first run that loads the libraries, so that what is told is the work alone: what is printed is what people read, not
the exact counts of --json, whose digits grow with the records. A command is not tried with more records once ten times
as many would, by its growth so far, take more than ``MOST`` seconds.
"""

import math
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from scale import study_of, table
from typer.testing import CliRunner

from cra_engine.cli.commands import app
from cra_engine.study.roles import Roles

MOST = 150.0  # processor seconds of one run
FIRST, LAST = 1000, 1_000_000
ILLNESSES = ("flu", "gout", "asthma", "measles", "cancer", "fracture", "none", "diabetes")
QI = "--qi hosp_id --qi APICC --qi GAPICC --qi WI_X"
# Of the raw table d, its releases r with k = 7 and r11 with k = 11, and its study s.
COMMANDS = {
    "recode": "recode d.csv --study s.toml --output out.csv",
    "recode --streaming": "recode d.csv --study s.toml --streaming --output out.csv",
    "safe-recode": "safe-recode d.csv --study s.toml --epsilon 1 --output out.csv --study-output safe.toml",
    "global-recode": "global-recode d.csv --study s.toml --output out.csv",
    "microaggregate --method mondrian": "microaggregate d.csv --study s.toml --k 7 --method mondrian --output out.csv",
    "microaggregate --method mdav": "microaggregate d.csv --study s.toml --k 7 --output out.csv",
    "roles": "roles d.csv",
    "check": "check d.csv --study s.toml --output out.html --fail-on never",
    "check --release": "check d.csv --study s.toml --release r.csv --output out.html --fail-on never",
    "audit": "audit r.csv --study s.toml --output out.html",
    "attack": "attack r.csv --study s.toml",
    "attack --tight": "attack r.csv --study s.toml --tight",
    "single-out": "single-out r.csv --study s.toml",
    "compose": "compose r.csv r11.csv --study s.toml --k 7 --k 11",
    "repair": "repair r.csv --study s.toml --output out.csv",
    "single-out --values": "single-out r.csv --study s.toml --values",
    "compare --method local": "compare d.csv --study s.toml --method local --output out.html",
    "compare": "compare d.csv --study s.toml --output out.html",
    "publishable": "publishable d.csv --study s.toml --output out",
    "sensitive-cells": "sensitive-cells d.csv --release r.csv --by hosp_id --column WI_X",
    "heterogeneous": f"heterogeneous d.csv {QI} --sensitive illness --l 3 --partition 1000 --output out.csv",
    "minimal": "minimal d.csv --study s.toml --output out.csv",
    "downcode": "downcode r.csv --study s.toml --supposing arx --output out.csv",
    "effective-anonymity": f"effective-anonymity r.csv {QI} --output out.csv",
}


def folder_of(records: int) -> None:
    """Write the tables and the study into the folder that is the current one."""
    study = study_of()
    data = table(study, records)
    data["illness"] = np.random.default_rng(1).choice(ILLNESSES, records)
    data.to_csv("d.csv", index=False)
    study = study.with_roles(Roles(sensitive=["illness"]))
    study.to_toml("s.toml")
    for name, k in (("r.csv", 7), ("r11.csv", 11)):
        seconds(f"recode d.csv --study s.toml --k {k} --keep-order --output {name}")


def seconds(command: str) -> float | None:
    """Processor seconds of a command; None where it refuses."""
    started = time.process_time()
    result = CliRunner().invoke(app, command.split())
    return None if result.exit_code else time.process_time() - started


def measured(commands: Sequence[str], sizes: Sequence[int]) -> dict[str, list[float | None]]:
    """Seconds of each command at each size; None where it refused, or would take too long."""
    taken: dict[str, list[float | None]] = {name: [] for name in commands}
    here = Path.cwd()
    for size in (sizes[0], *sizes):  # the first run loads what is needed
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                folder_of(size)
                for name in commands:
                    before = taken[name]
                    expected = _expected(before)
                    before.append(None if expected is None or expected > MOST else seconds(COMMANDS[name]))
            finally:
                os.chdir(here)
    return {name: found[1:] for name, found in taken.items()}


def _expected(before: Sequence[float | None]) -> float | None:
    """Seconds with ten times as many records; None where it was left out already."""
    if len(before) < 3:
        return 0.0
    earlier, last = before[-2:]
    return None if earlier is None or last is None else last * max(1.0, last / earlier)


def exponent(taken: Sequence[float | None], sizes: Sequence[int]) -> float | None:
    """The exponent of growth between the two largest sizes that were measured."""
    known = [(size, found) for size, found in zip(sizes, taken, strict=True) if found is not None]
    if len(known) < 2:
        return None
    (few, less), (many, more) = known[-2:]
    return math.log(more / less) / math.log(many / few)


def rows(commands: Sequence[str], sizes: Sequence[int]) -> Iterator[str]:
    """The lines of the table."""
    yield f"| command | {' | '.join(f'{size:,}' for size in sizes)} | times recode | exponent |"
    yield f"|---|{'---:|' * (len(sizes) + 2)}"
    found = measured(commands, sizes)
    for name, taken in found.items():
        cells = ["-" if one is None else f"{one:.2f}" for one in taken]
        last, base = taken[-1], found[commands[0]][-1]
        times = "-" if last is None or base is None else f"{last / base:.1f}"
        grown = exponent(taken, sizes)
        yield f"| `{name}` | {' | '.join(cells)} | {times} | {'-' if grown is None else f'{grown:.2f}'} |"


def main() -> None:
    """Print the table."""
    last = int(sys.argv[1]) if len(sys.argv) > 1 else LAST
    sizes = [FIRST * 10**power for power in range(round(math.log10(last / FIRST)) + 1)]
    chosen = [name for name in COMMANDS if not sys.argv[2:] or name in ("recode", *sys.argv[2:])]
    for row in rows(chosen, sizes):
        print(row, flush=True)


if __name__ == "__main__":
    main()
