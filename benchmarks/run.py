"""Benchmarks as ratios against a baseline in the same run, so that they mean something on any machine.

    python benchmarks/run.py            all of them
    python benchmarks/run.py recoding   those whose name is given

Each benchmark is a generator of :class:`measure.Result` in :data:`BENCHMARKS`; to add one, write one.
"""

import argparse
import platform
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pandas as pd
from ortools.sat.python import cp_model

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from full_domain import full_domain
from gains import boxes, branching, by_sets, ends, growth, ordering, shortcuts
from interactions import interactions
from matching import in_parts, whole_tables
from measure import Result, count, median_seconds, program
from microaggregation import microaggregation
from scale import in_memory, streaming
from tight_bench import cancelling, per_class, release_of, together

from cra_engine import Release, attack
from cra_engine.raw.synthesis import synthetic_study

SEED = 7


def count_all(release: Release) -> list[tuple[int, int]]:
    """The whole attack on a release: every class, and the suppressed records."""
    return [count(part) for part in attack(release).parts]


# ---------------------------------------------------------------- the worst case of the paper's setting


def worst_case() -> Iterator[Result]:
    """Twelve suppressed records over all 256 cells: more assignments than anybody lists."""
    study = synthetic_study("hospitals", 4, 7)
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


def hospitals() -> Iterator[Result]:
    """The whole attack on a release of 800 hospitals."""
    release = release_of("hospitals", 800, 4, 7)
    compound = sum(not part.basic for part in attack(release).parts)
    yield Result(
        "attack a whole release, every class counted",
        median_seconds(count_all, lambda: release),
        note=f"800 synthetic hospitals, 4 attributes, k = 7: {len(release.classes)} classes and {release.suppressed} "
        f"suppressed, {compound} of these parts compound.",
    )


BENCHMARKS: dict[str, Callable[[], Iterator[Result]]] = {
    "worst_case": worst_case,
    "hospitals": hospitals,
    "per_class": per_class,
    "together": together,
    "cancelling": cancelling,
    "branching": branching,
    "sets": by_sets,
    "ordering": ordering,
    "boxes": boxes,
    "shortcuts": shortcuts,
    "ends": ends,
    "growth": growth,
    "recoding": in_memory,
    "streaming": streaming,
    "interactions": interactions,
    "microaggregation": microaggregation,
    "heterogeneous": whole_tables,
    "heterogeneous_parts": in_parts,
    "full_domain": full_domain,
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
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pandas", "ortools", "scipy"))
    print(f"Python {platform.python_version()}, {libraries}; processor time, medians of several runs.")
    print(f"\n{'engine : baseline':<88} {'engine':>10} {'baseline':>12} {'base/engine':>10}")
    for name in names:
        for result in BENCHMARKS[name]():
            report(result)


if __name__ == "__main__":
    main()
