"""Fuzz every reader in turns until so many seconds were spent in all: ``python fuzz/all.py SECONDS [READER ...]``.

A reader that has found something is left out until what it found does no harm any more; what was learnt is kept from
turn to turn. Printed are the seconds and the files tried per reader; the exit status is 1 while a finding stands.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path

HERE = Path(__file__).resolve().parent
FINDINGS = HERE / "findings"
TURN = 60  # seconds
REPLAY = "import sys, targets; targets.TARGETS[sys.argv[1]](open(sys.argv[2], 'rb').read())"


def stands(reader: str) -> list[Path]:
    """The findings of a reader that are none the less found again; the others are put away."""
    left = []
    for path in sorted(FINDINGS.glob(f"{reader}-*")):
        command = [sys.executable, "-W", "error::UserWarning", "-c", REPLAY, reader, str(path)]
        environment = {**os.environ, "PYTHONPATH": str(HERE)}
        try:
            fine = subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)
            mended = fine.returncode == 0
        except subprocess.TimeoutExpired:
            mended = False
        if mended:
            path.rename(path.with_name(f"mended-{path.name}"))
        else:
            left.append(path)
    return left


def turn(reader: str, seconds: int) -> tuple[float, int, str]:
    """Fuzz a reader; the seconds that it took, the files tried, and what it ended with."""
    command = [sys.executable, "-W", "error::RuntimeWarning", str(HERE / "run.py"), reader]
    command += [f"-max_total_time={seconds}", "-print_final_stats=1", "-rss_limit_mb=3000"]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, check=False)
    spent, text = time.monotonic() - began, done.stderr.decode("utf-8", "replace")
    tried = re.findall(r"^stat::number_of_executed_units:\s*(\d+)", text, re.MULTILINE) or re.findall(
        r"^#(\d+)", text, re.MULTILINE
    )
    said = (done.stdout.decode("utf-8", "replace") + text).splitlines()[-40:]
    last = "" if done.returncode == 0 else "\n".join([*said, f"exit status {done.returncode}"])
    return min(spent, seconds + 5.0), int(tried[-1]) if tried else 0, last


def main() -> int:
    """Do so and print the figures."""
    total, readers = float(sys.argv[1]), sys.argv[2:]
    if not readers:
        sys.path.insert(0, str(HERE))
        from targets import TARGETS  # noqa: PLC0415 - only the names, in a process that fuzzes nothing

        readers = list(TARGETS)
    spent = dict.fromkeys(readers, 0.0)
    tried = dict.fromkeys(readers, 0)
    FINDINGS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        os.environ.setdefault("FUZZ_CORPUS", corpus)
        left_out = failed = 0
        for reader in cycle(readers):
            if sum(spent.values()) >= total or left_out >= len(readers):
                break
            if stands(reader):
                left_out += 1
                time.sleep(1)
                continue
            left_out = 0
            seconds, files, last = turn(reader, int(min(TURN, max(1, total - sum(spent.values())))))
            if last and not stands(reader):
                print(f"{reader} could not be run:\n{last}", flush=True)
                failed += 1
                if failed >= len(readers):
                    break
                continue
            spent[reader] += seconds
            tried[reader] += files
            print(f"{reader:14} {seconds:4.0f} s  {files:8,} files  {'FOUND' if last else ''}", flush=True)
            if last:
                print(last, flush=True)
    for reader in readers:
        print(f"{reader:14} {spent[reader]:6.0f} s  {tried[reader]:9,} files in all")
    found = [path.name for reader in readers for path in stands(reader)]
    print(f"{'together':14} {sum(spent.values()):6.0f} s  {sum(tried.values()):9,} files; findings that stand: {found}")
    return int(bool(found) or sum(spent.values()) < total)


if __name__ == "__main__":
    raise SystemExit(main())
