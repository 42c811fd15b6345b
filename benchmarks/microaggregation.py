"""MDAV against benchmarks/mdav_reference.c: the definition in doubles, compiled by the machine's cc."""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from measure import Result, median_seconds
from numpy.typing import NDArray

from cra_engine.publish.microaggregation.mdav import mdav

SOURCE = Path(__file__).with_name("mdav_reference.c")
Labels = NDArray[np.int32]


def compiled(folder: Path) -> Callable[[NDArray[np.float64], int], Labels] | None:
    """The compiled program, None where there is no compiler."""
    cc = shutil.which("cc")
    if cc is None:
        return None
    library = folder / "mdav.so"
    subprocess.run([cc, "-O3", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    function = ctypes.CDLL(str(library)).mdav

    def call(table: NDArray[np.float64], k: int) -> Labels:
        labels = np.empty(len(table), dtype=np.int32)
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (table, labels)]
        function(pointers[0], len(table), table.shape[1], k, pointers[1])
        return labels

    return call


def shaped_like_abalone(records: int) -> NDArray[np.int64]:
    """Eight measures of shells that grow together, in the steps and sizes of the Abalone table of the paper."""
    rng = np.random.default_rng(7)
    size = rng.beta(4, 3, records)
    lengths = np.outer(size, (0.8, 0.65, 0.22)) * rng.normal(1, 0.04, (records, 3))
    weights = np.outer(size**3, (2.6, 1.2, 0.6, 0.8)) * rng.normal(1, 0.12, (records, 4))
    rings = np.rint(3 + 14 * size + rng.gamma(1.5, 2, records))
    steps = np.column_stack([np.rint(lengths * 200) * 50, np.rint(weights * 2000) * 5, rings * 10_000])
    return np.abs(steps).astype(np.int64)


def microaggregation() -> Iterator[Result]:
    """Ours, exact with every tie decided, against the compiled definition."""
    with tempfile.TemporaryDirectory() as folder:
        reference = compiled(Path(folder))
        for records, k in ((4177, 3), (4177, 25), (20_000, 3)):
            table = shaped_like_abalone(records)
            floats = np.ascontiguousarray(table.astype(float))
            ours = median_seconds(lambda one, k=k: mdav(one, k), lambda table=table: table)
            theirs = None
            if reference is not None:
                theirs = median_seconds(lambda one, k=k: reference(one, k), lambda floats=floats: floats)
            yield Result(
                f"MDAV, exact, {records:,} x 8, k = {k} : the definition compiled, in doubles",
                ours,
                theirs,
                note="whole numbers throughout; numpy alone" if theirs is not None else "no cc here, so no baseline",
            )
        table = shaped_like_abalone(100_000)
        yield Result(
            "MDAV, exact, 100,000 x 8, k = 3",
            median_seconds(lambda one: mdav(one, 3), lambda: table, repetitions=1),
            note="processor time of all threads; seconds on this machine, no baseline",
        )
