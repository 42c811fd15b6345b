"""Listing feasible assignments with OR-Tools CP-SAT, as the paper does (section 5, Setup), to look at them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from cra_engine.counting import cp_sat as cp_model
from cra_engine.study.grid import Cell


@dataclass(frozen=True)
class Enumeration:
    """A list of feasible assignments of counts to cells.

    Attributes:
        cells: the free cells.
        assignments: counts per cell, one tuple per assignment.
        complete: True only when every feasible assignment is listed.
        combinations: how many there are in all, exactly.
        seconds: time that the search took.
    """

    cells: list[Cell]
    assignments: list[tuple[int, ...]]
    complete: bool
    combinations: int
    seconds: float


def build_model(
    cells: int, size: int, children: Sequence[Sequence[Sequence[int]]], cap: int
) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """Build the integer program (Algorithm 3): counts per free cell, total sum, at most ``cap`` in each child.

    Args:
        cells: number of free cells.
        size: records of the class.
        children: per generalized attribute, per child, the positions of the free cells inside it.
        cap: most records that one child can hold.
    """
    model = cp_model.CpModel()
    variables = [model.new_int_var(0, size, f"z{position}") for position in range(cells)]
    model.add(sum(variables) == size)
    for parts in children:
        for inside in parts:
            model.add(sum(variables[position] for position in inside) <= cap)
    return model, variables


def enumerate_assignments(
    cells: list[Cell],
    size: int,
    children: Sequence[Sequence[Sequence[int]]],
    cap: int,
    combinations: int,
    *,
    limit: int,
    time_limit: float,
) -> Enumeration:
    """List up to ``limit`` feasible assignments of counts to cells within ``time_limit`` seconds.

    ``combinations``, counted beforehand, tells whether the list is complete: a search that is cut short is never
    called so.
    """

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            if len(result) < limit:
                result.append(tuple(self.value(variable) for variable in variables))
            if len(result) >= limit:
                self.stop_search()

    started = time.perf_counter()
    model, variables = build_model(len(cells), size, children, cap)
    result: list[tuple[int, ...]] = []
    if limit > 0:
        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = time_limit
        solver.solve(model, Collector())
    return Enumeration(cells, result, len(result) == combinations, combinations, time.perf_counter() - started)
