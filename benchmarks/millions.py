"""Commands on a table of many rows in parts, on a cluster that loses a worker in each: what they say, time and memory.

    python benchmarks/millions.py                      24 million rows in 24 Parquet parts, two workers of Dask
    python benchmarks/millions.py --rows 24000 --parts 4

The table is written part by part. Each command runs in a process of its own on the parts, a worker is killed while it
works, and what it prints is compared with what it prints of the same rows in one file, read by one process. Told are
seconds by the clock, the peak of the command's own process and that of the worker who needed most.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cra_engine import Attribute, Study
from cra_engine.study.roles import Roles

WORKERS = 2
FIRST = 0.5  # seconds between looks at the workers
ILLNESSES = ("flu", "gout", "asthma", "measles", "cancer", "fracture", "none", "diabetes")
COMMANDS = {
    "recode": "recode {raw} --study s.toml --output {out} --keep-order",
    "recode, k = 11": "recode {raw} --study s.toml --k 11 --output {out11} --keep-order",
    "attack": "attack {out} --study s.toml",
    "check": "check {raw} --study s.toml --release {out} --output v.html --fail-on never",
    "audit": "audit {out} --study s.toml --output a.html",
    "compose": "compose {out} {out11} --study s.toml --k 7 --k 11",
    "check alone": "check - --study s.toml --release {out} --output v.html --fail-on never",
}
RUN = "import sys; from cra_engine.cli.commands import main; sys.argv[0] = 'cra-engine'; main()"


def study_of() -> Study:
    """Age, income and ward are generalized, the illness is sensitive."""
    attributes = [
        Attribute("age", 0, 104, layers=4, fanout=2),
        Attribute("income", 0, 128, layers=5, fanout=2),
        Attribute("ward", 0, 16, layers=3, fanout=2),
    ]
    return Study(attributes, 7, roles=Roles(sensitive=["illness"]))


def part(rows: int, seed: int) -> pd.DataFrame:
    """Some rows, the middle of each range more frequent than its ends."""
    rng = np.random.default_rng(seed)
    drawn = {name: np.floor(rng.beta(2, 3, rows) * most).astype(np.int64) for name, most in SIZES.items()}
    return pd.DataFrame(drawn | {"illness": rng.choice(ILLNESSES, rows)})


SIZES = {"age": 100, "income": 128, "ward": 16}


def write(rows: int, parts: int) -> None:
    """The study, the parts in the folder ``raw``, and the same rows in ``raw.parquet``."""
    study_of().to_toml("s.toml")
    Path("raw").mkdir()
    whole = None
    for number in range(parts):
        made = pa.Table.from_pandas(part(rows // parts, number), preserve_index=False)
        pq.write_table(made, f"raw/part-{number:03}.parquet")
        whole = whole or pq.ParquetWriter("raw.parquet", made.schema)
        whole.write_table(made)
    if whole is not None:
        whole.close()


def peak_mib(pid: int) -> float:
    """The most memory that a process has held so far; 0 where it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0)


def run(command: str, made: Any = None) -> tuple[dict[str, Any], dict[str, float]]:
    """What a command prints, and its seconds and memory; of a cluster one worker is killed while it runs."""
    more = ["--backend", "dask", "--scheduler", made.scheduler_address] if made else []
    started = time.perf_counter()
    running = subprocess.Popen(
        [sys.executable, "-c", RUN, *command.split(), *more, "--json", "-q"], stdout=subprocess.PIPE, text=True
    )
    peaks: dict[str, float] = {"master": 0.0, "worker": 0.0}
    killed: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(FIRST / 10):
            peaks["master"] = max(peaks["master"], peak_mib(running.pid))
            for worker in list(made.workers.values()) if made else []:
                peaks["worker"] = max(peaks["worker"], peak_mib(worker.pid or 0))
            if made and not killed and busy(made):
                killed.append(busy(made)[0])
                os.kill(killed[0], signal.SIGKILL)

    watching = threading.Thread(target=watch)
    watching.start()
    text, _ = running.communicate()
    over.set()
    watching.join()
    if running.returncode:
        raise SystemExit(f"{command} ended with status {running.returncode}.")
    if made:
        made.scheduler.loop.add_callback(lambda: None)
        while len(made.scheduler_info["workers"]) < WORKERS:
            time.sleep(FIRST)
    return json.loads(text), {"seconds": time.perf_counter() - started, **peaks, "killed": len(killed)}


def busy(made: Any) -> list[int]:
    """The processes of the workers who have something to do, by what the scheduler knows."""
    working = {state.address for state in list(made.scheduler.workers.values()) if state.processing}
    return [worker.pid for worker in list(made.workers.values()) if worker.worker_address in working and worker.pid]


def differing(one: Any, other: Any) -> list[str]:
    """In what two answers differ, but for the names of files and the time."""
    return [name for name in one if name not in ("files", "seconds", "output") and one[name] != other[name]]


def sorted_rows(stored: str) -> pd.DataFrame:
    """How many records show each row of a table."""
    path, found = Path(stored), []
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        parts = pq.ParquetFile(file)
        for block in parts.iter_batches(1 << 20):
            texts = [column.cast(pa.string()) for column in block.columns]
            rows = pa.table(texts, block.schema.names).append_column("n", pa.array(np.ones(len(block), dtype=np.int64)))
            found.append(rows.group_by(block.schema.names).aggregate([("n", "sum")]).rename_columns(rows.column_names))
    names = found[0].column_names[:-1]
    counted = pa.concat_tables(found).group_by(names).aggregate([("n", "sum")]).to_pandas()
    return counted.rename(columns={"n_sum": "n"}).sort_values(names).reset_index(drop=True)


def lines(limit: int) -> Iterator[str]:
    """A line of the table per command."""
    import distributed  # noqa: PLC0415 - the extra [cluster]

    yield "| command | one file: s | MiB | cluster: s | master MiB | worker MiB | killed | equal |"
    yield "|---|---:|---:|---:|---:|---:|---:|---|"
    names = {"raw": "raw.parquet", "out": "out.parquet", "out11": "out11.parquet"}
    folders = {name: Path(file).stem for name, file in names.items()}
    with distributed.LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=":0"
    ) as made:
        for name, line in COMMANDS.items():
            command = line if name.startswith("recode") else f"{line} --time-limit {limit}"
            told, alone = run(command.format_map(names))
            again, spread = run(command.format_map(folders), made)
            other = differing(told, again)
            if name.startswith("recode"):
                out = "out11" if "11" in name else "out"
                other += [] if sorted_rows(names[out]).equals(sorted_rows(folders[out])) else ["rows"]
            says = f"but for {', '.join(other)}" if other else "yes"
            yield (
                f"| {name} | {alone['seconds']:.1f} | {alone['master']:.0f} | {spread['seconds']:.1f} | "
                f"{spread['master']:.0f} | {spread['worker']:.0f} | {spread['killed']:.0f} | {says} |"
            )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=24_000_000)
    parser.add_argument("--parts", type=int, default=24)
    parser.add_argument("--seconds", type=int, default=600, help="the limit of each command but recode")
    asked = parser.parse_args()
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            write(asked.rows, asked.parts)
            for line in lines(asked.seconds):
                print(line, flush=True)
        finally:
            os.chdir(here)


if __name__ == "__main__":
    main()
