"""Benchmarks as ratios against a baseline in the same run, so that they mean something on any machine.

    python benchmarks/run.py            all of them
    python benchmarks/run.py recoding   those whose name is given

Each benchmark is a generator of :class:`Result` in :data:`BENCHMARKS`; to add one, write one.
"""

import argparse
import gc
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd
from ortools.sat.python import cp_model

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cra_engine import ClassAttack, Release, attack, recode, synthesize
from cra_engine.enumeration import build_model
from cra_engine.synthesis import paper_study

T = TypeVar("T")
SEED = 7
LISTING_CAP = 30.0  # seconds for the enumeration of one class
LISTING_BUDGET = 60.0  # no further class is enumerated after so many seconds


@dataclass(frozen=True)
class Result:
    """One line of the report.

    Attributes:
        what: what was measured, against what.
        engine: seconds that the engine took (median).
        baseline: seconds that the baseline took (median); None where there is none.
        at_least: True when the baseline was cut short, so that its time and the ratio are lower bounds.
        note: what a reader must know to trust the line.
    """

    what: str
    engine: float
    baseline: float | None = None
    at_least: bool = False
    note: str = ""


def median_seconds(action: Callable[[T], object], prepare: Callable[[], T], repetitions: int = 5) -> float:
    """The median time of an action on what ``prepare`` makes anew each time; only the action is timed."""
    taken = []
    for _ in range(repetitions):
        prepared = prepare()
        gc.collect()
        started = time.perf_counter()
        action(prepared)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def count(part: ClassAttack) -> tuple[int, int]:
    """Data sets and assignments of a class, exactly."""
    return part.cra_solutions, part.combinations


def fresh(release: Release, number: int) -> ClassAttack:
    """A class of a release with nothing computed yet."""
    return attack(release).parts[number]


def count_all(release: Release) -> list[tuple[int, int]]:
    """The whole attack on a release: every class, and the outliers."""
    return [count(part) for part in attack(release).parts]


def program(part: ClassAttack) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """The integer program of a class, as the paper builds it."""
    grid = part.release.grid
    position = {cell: number for number, cell in enumerate(part.free_cells)}
    children = [
        [[position[cell] for cell in grid.cells(child) if cell in position] for child in generalized.children]
        for generalized in part.generalized
    ]
    return build_model(len(position), part.size, children, part.cap)


# ---------------------------------------------------------------- the worst case of the paper's setting


def worst_case() -> Iterator[Result]:
    """Twelve suppressed records over all 256 cells: more assignments than anybody lists."""
    study = paper_study("hospitals", 4, 7)
    release = Release(study, pd.DataFrame([["*"] * 4] * 12, columns=list(study.names)))
    (part,) = attack(release).parts
    model, _ = program(part)

    def solve_once(solver: cp_model.CpSolver) -> None:
        solver.parameters.num_workers = 1
        if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise RuntimeError("CP-SAT finds no assignment where there are many")

    yield Result(
        "count all assignments and data sets : find one assignment with CP-SAT",
        median_seconds(count_all, lambda: release),
        median_seconds(solve_once, cp_model.CpSolver),
        note=f"4 attributes at the root, k = 7, 12 records, {len(part.free_cells)} free cells: "
        f"{part.combinations:.3e} assignments. CP-SAT only finds the first of them (its model was built beforehand).",
    )


# ---------------------------------------------------------------- a release of the paper's largest setting


class _Counter(cp_model.CpSolverSolutionCallback):
    def __init__(self) -> None:
        super().__init__()
        self.found = 0

    def on_solution_callback(self) -> None:
        self.found += 1


def list_with_cp_sat(part: ClassAttack, cap: float = LISTING_CAP) -> tuple[float, bool, int]:
    """Enumerate a class as the paper does: seconds, whether it finished, how many were found."""
    started = time.perf_counter()
    model, _ = program(part)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = cap
    counter = _Counter()
    status = solver.solve(model, counter)
    return time.perf_counter() - started, status == cp_model.OPTIMAL, counter.found


def hospitals() -> Iterator[Result]:
    """The whole attack on a release of 800 hospitals, and its classes one by one against enumeration."""
    made = synthesize("hospitals", 800, SEED)
    release = recode(made.data, made.study.with_k(7)).release
    compound = [number for number, part in enumerate(attack(release).parts) if not part.basic]
    sizes = {number: attack(release).parts[number].combinations for number in compound}
    yield Result(
        "attack a whole release, every class counted",
        median_seconds(count_all, lambda: release),
        note=f"800 synthetic hospitals, 4 attributes, k = 7: {len(release.classes)} classes and {release.outliers} "
        f"suppressed, {len(compound)} of these parts compound.",
    )

    ours = {True: 0.0, False: 0.0}
    theirs = {True: 0.0, False: 0.0}
    classes = {True: 0, False: 0}
    largest = {True: 0, False: 0}
    for number in sorted(compound, key=sizes.__getitem__):
        if sum(theirs.values()) > LISTING_BUDGET:
            break
        seconds, finished, found = list_with_cp_sat(fresh(release, number))
        if finished and found != sizes[number]:
            raise RuntimeError(f"CP-SAT lists {found} assignments, the engine counts {sizes[number]}")
        ours[finished] += median_seconds(count, partial(fresh, release, number))
        theirs[finished] += seconds
        classes[finished] += 1
        largest[finished] = max(largest[finished], sizes[number])
    left = len(compound) - sum(classes.values())
    yield Result(
        f"count class by class : enumerate with CP-SAT, {classes[True]} classes that it finished",
        ours[True],
        theirs[True],
        note=f"the smallest ones, up to {largest[True]:.3g} assignments; both gave the same numbers.",
    )
    if classes[False]:
        yield Result(
            f"count class by class : enumerate with CP-SAT, {classes[False]} classes that it did not finish",
            ours[False],
            theirs[False],
            at_least=True,
            note=f"stopped after {LISTING_CAP:g} s each; up to {largest[False]:.3g} assignments. "
            f"{left} larger ones were not tried.",
        )


# ---------------------------------------------------------------- recoding


def recoding() -> Iterator[Result]:
    """Recoding a million records against binning and counting them, the least that any recoding must do."""
    records = 1_000_000
    study = paper_study("hospitals", 4, 7)
    rng = np.random.default_rng(SEED)
    data = pd.DataFrame()
    for attribute in study.attributes:
        steps = round((attribute.upper - attribute.lower) / attribute.resolution)
        drawn = np.floor(rng.beta(2, 3, records) * steps) * float(attribute.resolution)
        data[attribute.name] = np.round(float(attribute.lower) + drawn, 4)
    columns = [data[name].to_numpy() for name in study.names]

    def bin_and_count(_: object) -> None:
        cell = np.zeros(records, dtype=np.int64)
        for column, attribute in zip(columns, study.attributes, strict=True):
            width = float(attribute.upper - attribute.lower) / attribute.leaves
            cell = cell * attribute.leaves + ((column - float(attribute.lower)) / width).astype(np.int64)
        np.bincount(cell, minlength=256)

    yield Result(
        "recode and publish : one numpy pass that bins and counts",
        median_seconds(lambda table: recode(table, study), lambda: data),
        median_seconds(bin_and_count, lambda: None),
        note=f"{records:,} records in memory, 4 attributes, 256 cells, k = 7. The engine also checks every value, "
        "forms the classes and labels each record.",
    )


BENCHMARKS: dict[str, Callable[[], Iterator[Result]]] = {
    "worst_case": worst_case,
    "hospitals": hospitals,
    "recoding": recoding,
}


# ---------------------------------------------------------------- the report


def _seconds(value: float) -> str:
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def report(result: Result) -> None:
    """Print one result as a line of the table with its note below."""
    baseline = ratio = "-"
    if result.baseline is not None:
        bound = "> " if result.at_least else ""
        baseline = bound + _seconds(result.baseline)
        ratio = f"{bound}{result.baseline / result.engine:.3g}"
    print(f"{result.what:<88} {_seconds(result.engine):>10} {baseline:>12} {ratio:>10}")
    if result.note:
        print(f"    {result.note}")


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    parser = argparse.ArgumentParser(description="Benchmarks as ratios against a baseline in the same run.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"any of {', '.join(BENCHMARKS)}; all if none is given"
    )
    names = parser.parse_args().names or list(BENCHMARKS)
    if unknown := [name for name in names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {unknown[0]}; take any of {', '.join(BENCHMARKS)}")
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pandas", "ortools"))
    print(f"Python {platform.python_version()}, {libraries}; medians of several runs, one after the other.")
    print(f"\n{'engine : baseline':<88} {'engine':>10} {'baseline':>12} {'base/engine':>10}")
    for name in names:
        for result in BENCHMARKS[name]():
            report(result)


if __name__ == "__main__":
    main()
