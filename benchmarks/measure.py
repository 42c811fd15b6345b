"""What the benchmarks share: a line of the report, timing, and CP-SAT's enumeration of a class."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ortools.sat.python import cp_model

from cra_engine import Release, attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.counting.enumeration import build_model

T = TypeVar("T")
LISTING_CAP = 60.0  # seconds for the enumeration of one class


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
    """The median processor time of an action on what ``prepare`` makes anew each time; only the action is timed."""
    taken = []
    for _ in range(repetitions):
        prepared = prepare()
        gc.collect()
        started = time.process_time()
        action(prepared)
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def count(part: ClassAttack) -> tuple[int, int]:
    """Data sets and assignments of a class, exactly."""
    return part.cra_solutions, part.combinations


def fresh(release: Release, number: int) -> ClassAttack:
    """A class of a release with nothing computed yet."""
    return attack(release).parts[number]


def program(part: ClassAttack) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """The integer program of a class, as the paper builds it."""
    grid = part.release.grid
    position = {cell: number for number, cell in enumerate(part.free_cells)}
    children = [
        [[position[cell] for cell in grid.cells(child) if cell in position] for child in bounded.children]
        for bounded in part.bounded_attributes
    ]
    return build_model(len(position), part.size, children, part.cap)


class _Counter(cp_model.CpSolverSolutionCallback):
    def __init__(self) -> None:
        super().__init__()
        self.found = 0

    def on_solution_callback(self) -> None:
        self.found += 1


def list_with_cp_sat(part: ClassAttack, cap: float = LISTING_CAP) -> tuple[float, bool, int]:
    """Enumerate a class as the paper does: seconds, whether it finished, how many were found."""
    started = time.process_time()
    model, _ = program(part)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = cap
    counter = _Counter()
    status = solver.solve(model, counter)
    return time.process_time() - started, status == cp_model.OPTIMAL, counter.found
