"""Counts at the ends of the ranges, by linear programming.

Where a count is as large or as small as it can be, most programs of this kind have a whole solution; it is then
possible, found in a thousandth of the time that a search takes. Numbers of the solver are floats: a solution
is taken only where it keeps every bound in whole numbers, and nothing is concluded from there being none.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from cra_engine.attacks.solver.parts import PartSum

NEAR_WHOLE = 1e-6
SLICE = 0.25  # seconds for one program


def at_the_ends(
    sums: Sequence[PartSum],
    limits: Sequence[tuple[int, int]],
    ends: Iterable[tuple[int, int]],
    seconds: Callable[[], float],
) -> Iterator[tuple[tuple[int, int], float, list[int] | None]]:
    """Yield by linear programs how far each end of a part's counts seems to go, and counts that reach it, if any.

    Args:
        sums: the bounds under one choice of every source.
        limits: the least and the most of each count.
        ends: a count, and -1 for its smallest or 1 for its largest; asked for one after the other.
        seconds: how long may still be spent.
    """
    try:
        from ortools.linear_solver import pywraplp  # noqa: PLC0415 - see cra_engine/counting/cp_sat.py
    except ImportError:
        return
    solver = pywraplp.Solver.CreateSolver("GLOP")
    counts = [solver.NumVar(low, high, "") for low, high in limits]
    for s in sums:
        if not s.boxes:  # what a skipped state's boxes hold together is no linear bound
            bound = solver.Constraint(s.lower, s.upper)
            for count in s.counts:
                bound.SetCoefficient(counts[count], 1)
    aim = solver.Objective()
    for count, direction in ends:
        if (left := seconds()) <= 0:
            return
        aim.Clear()
        aim.SetMaximization()
        aim.SetCoefficient(counts[count], direction)
        solver.SetTimeLimit(max(1, int(1000 * min(left, SLICE))))
        if solver.Solve() != pywraplp.Solver.OPTIMAL:
            return  # too large a program, or nothing is possible at all
        solution = [variable.solution_value() for variable in counts]
        whole = [round(value) for value in solution]
        near = all(abs(value - n) < NEAR_WHOLE for value, n in zip(solution, whole, strict=True))
        yield (count, direction), solution[count], whole if near and all(s.kept(whole) for s in sums) else None
