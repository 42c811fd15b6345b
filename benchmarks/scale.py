"""How recoding scales: time and memory against the least that anybody must do with the same rows.

Time is processor time, so that other programs on the machine do not count; engine and baseline take turns. The memory
of the in-memory recoding is what tracemalloc sees at its peak beside the table itself; that of the block-by-block one
is the peak of a process of its own, Python and libraries included.
"""

import gc
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measure import Result

from cra_engine import Study, recode
from cra_engine.publish.local.streaming import recode_file
from cra_engine.raw.synthesis import synthetic_study

SEED = 7
IN_MEMORY = 10_000_000
STREAMED = (5_000_000, 20_000_000)
ROUNDS = 3
AT_ONCE = 1_000_000


def study_of() -> Study:
    """The paper's largest set-up, with identifiers for ten million records."""
    return synthetic_study("hospitals", 4, 7, records=IN_MEMORY)


def table(study: Study, records: int, seed: int = SEED) -> pd.DataFrame:
    """Records of uneven density, each value as it would be written."""
    rng = np.random.default_rng(seed)
    columns = {}
    for attribute in study.attributes:
        steps = np.floor(rng.beta(2, 3, records) * int((attribute.upper - attribute.lower) / attribute.resolution))
        if attribute.resolution == 1:
            columns[attribute.name] = int(attribute.lower) + steps.astype(np.int64)
        else:
            columns[attribute.name] = np.round(float(attribute.lower) + steps * float(attribute.resolution), 4)
    return pd.DataFrame(columns)


def bin_and_count(data: pd.DataFrame, study: Study) -> np.ndarray:
    """The bare pass: each column into leaves, the leaves into one key, the keys counted."""
    leaves = []
    for attribute in study.attributes:
        edges = np.array([float(node.lower) for node in attribute.layer_nodes[0]])
        leaves.append(np.searchsorted(edges, data[attribute.name].to_numpy(), side="right") - 1)
    shape = [attribute.leaves for attribute in study.attributes]
    return np.bincount(np.ravel_multi_index(leaves, shape), minlength=math.prod(shape))


def divide_and_count(data: pd.DataFrame, study: Study) -> np.ndarray:
    """The same by dividing by the leaf's width: faster, but a value on an edge may fall on the wrong side of it."""
    key = np.zeros(len(data), dtype=np.int64)
    for attribute in study.attributes:
        width = float(attribute.upper - attribute.lower) / attribute.leaves
        leaf = ((data[attribute.name].to_numpy() - float(attribute.lower)) / width).astype(np.int64)
        key = key * attribute.leaves + leaf
    return np.bincount(key, minlength=math.prod(attribute.leaves for attribute in study.attributes))


def seconds(action: Callable[[], object]) -> float:
    """Processor time of one run."""
    gc.collect()
    started = time.process_time()
    action()
    return time.process_time() - started


def in_memory() -> Iterator[Result]:
    """Ten million rows in memory against counting them, in time and in memory."""
    study = study_of()
    data = table(study, IN_MEMORY)
    actions = {
        "recode": lambda: recode(data, study),
        "searched": lambda: bin_and_count(data, study),
        "divided": lambda: divide_and_count(data, study),
    }
    taken = dict.fromkeys(actions, math.inf)
    for _ in range(ROUNDS):
        for name, action in actions.items():
            taken[name] = min(taken[name], seconds(action))
    ours, searched, divided = taken.values()
    size = int(data.memory_usage(index=False).sum())
    peaks = {name: peak_of(actions[name]) for name in ("recode", "searched")}
    yield Result(
        "recode and label each row : a bare numpy pass that bins and counts",
        ours,
        searched,
        note=f"{IN_MEMORY:,} rows in memory, 4 attributes, 256 cells, k = 7; processor time, best of {ROUNDS}. "
        f"Beside the table's {size / 1e6:.0f} MB recoding takes {peaks['recode'] / 1e6:.0f} MB at its peak "
        f"({peaks['recode'] / size:.2f} of it), the bare pass {peaks['searched'] / 1e6:.0f}.",
    )
    yield Result(
        "recode and label each row : the bare pass by division, wrong for values on an edge",
        ours,
        divided,
        note=f"the same run: recoding takes {ours / divided:.2f} times as long.",
    )


def peak_of(action: Callable[[], object]) -> int:
    """The most memory that an action holds at a time, in bytes, beside what was there before."""
    gc.collect()
    tracemalloc.start()
    action()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def streaming() -> Iterator[Result]:
    """Files of 5 and 20 million rows, CSV and Parquet: the peak memory of a process, and processor time."""
    for kind in ("csv", "parquet"):
        peaks: list[float] = []
        for records in STREAMED:
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder, f"data.{kind}")
                write(source, records)
                told = alone(source, Path(folder, "release.csv"))
                size = source.stat().st_size
            peaks.append(told["peak"])
            grown = f", {peaks[-1] / peaks[0]:.2f} times that of {STREAMED[0]:,} rows" if len(peaks) > 1 else ""
            yield Result(
                f"recode {records:,} rows of a {kind} file block by block, and write the release",
                told["seconds"],
                note=f"{size / 1e6:.0f} MB of file, peak memory of the process {peaks[-1] / 1e6:.0f} MB{grown}.",
            )


def write(path: Path, records: int) -> None:
    """A file of that many records, written bit by bit, with a column of notes that stays as it is."""
    study, writer = study_of(), None
    for start in range(0, records, AT_ONCE):
        count = min(AT_ONCE, records - start)
        block = pa.Table.from_pandas(table(study, count, SEED + start), preserve_index=False)
        block = block.append_column("note", pa.array(["stays as it is", ""] * (count // 2 + 1))[:count])
        if writer is None:
            kind = pq.ParquetWriter if path.suffix == ".parquet" else pa_csv.CSVWriter
            writer = kind(path, block.schema)
        writer.write_table(block)
    writer.close()


def alone(source: Path, output: Path) -> dict[str, float]:
    """Recode a file in a process of its own: its peak memory in bytes, and its processor time."""
    command = [sys.executable, __file__, str(source), str(output)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def child(source: str, output: str) -> None:
    """What the process of its own does."""
    recode_file(source, study_of(), output)
    used = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if sys.platform == "darwin" else 1024
    print(json.dumps({"peak": used.ru_maxrss * unit, "seconds": used.ru_utime + used.ru_stime}))


if __name__ == "__main__":
    match sys.argv[1:]:
        case [source, output]:
            child(source, output)
        case _:
            sys.exit("These are two of all benchmarks: python benchmarks/run.py recoding streaming")
