"""Data sets at the ends of the ranges, by linear programming.

Where a count is as large or as small as it can be, most programs of this kind have a whole solution; it is then a
possible data set, found in a thousandth of the time that a search takes. Numbers of the solver are floats: a solution
is taken only where it keeps every bound in whole numbers, and nothing is concluded from there being none.
"""

from collections.abc import Callable, Iterable, Iterator

from ortools.linear_solver import pywraplp

from cra_engine.attacks.tight.components import Option, Sum

NEAR_WHOLE = 1e-6
SLICE = 0.25  # seconds for one program


def at_the_ends(
    option: Option, atoms: int, k: int, ends: Iterable[tuple[int, int]], seconds: Callable[[], float]
) -> Iterator[tuple[tuple[int, int], float, list[int] | None]]:
    """How far each of the ends asked for seems to go, and a possible data set under an option that reaches it, if any.

    Args:
        option: the bounds.
        atoms: their number.
        k: of the release.
        ends: an atom, and -1 for its smallest count or 1 for its largest; asked for one after the other.
        seconds: how long may still be spent.
    """
    solver = pywraplp.Solver.CreateSolver("GLOP")
    most = max((s.upper for s in option.sums), default=0)
    counts = [solver.NumVar(0, most, "") for _ in range(atoms)]
    for s in option.sums:
        if not s.boxes:  # what a skipped state's boxes hold together is no linear bound
            bound = solver.Constraint(s.lower, s.upper)
            for atom in s.atoms:
                bound.SetCoefficient(counts[atom], 1)
    aim = solver.Objective()
    for atom, direction in ends:
        if (left := seconds()) <= 0:
            return
        aim.Clear()
        aim.SetMaximization()
        aim.SetCoefficient(counts[atom], direction)
        solver.SetTimeLimit(max(1, int(1000 * min(left, SLICE))))
        if solver.Solve() != pywraplp.Solver.OPTIMAL:
            return  # too large a program, or no data set at all
        found = [count.solution_value() for count in counts]
        whole = [round(value) for value in found]
        near = all(abs(value - count) < NEAR_WHOLE for value, count in zip(found, whole, strict=True))
        yield (atom, direction), found[atom], whole if near and all(_kept(s, whole, k) for s in option.sums) else None


def _kept(s: Sum, counts: list[int], k: int) -> bool:
    if s.boxes:
        held = [sum(counts[atom] for atom in box) for box in s.boxes]
        return sum(count for count in held if count >= k) <= s.upper
    return s.lower <= sum(counts[atom] for atom in s.atoms) <= s.upper
