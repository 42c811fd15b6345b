"""The ways to spread one class over its cells that are left once all classes are taken together.

By the engine's bounds and solver, one filling after the other; ``test_fillings.py`` holds it against brute force.
"""

import math
import time
from dataclasses import dataclass

from ortools.sat.python import cp_model

from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.solver.bounds import Bound, Hypothesis
from cra_engine.attacks.solver.parts import PartSum
from cra_engine.attacks.solver.proofs import bounded_model, solve_model
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.study.grid import Cell

Model = tuple[cp_model.CpModel, list[cp_model.IntVar]]


@dataclass(frozen=True)
class FillingsLeft:
    """The fillings of one class, or of the suppressed records, and which of them survive the tight attack.

    A filling is a count per free cell that the class's own constraints allow.

    Attributes:
        cells: the free cells.
        fillings: per filling its counts, in the order of ``cells``.
        left: per filling, True when some possible data set of the whole release has it.
        tables: number of tables of this class alone that occur in a possible data set: the sum over the fillings left
            of ``prod C(volume, count)``.
        exact: False when the order of formation is known in part only, so that ``left`` and ``tables`` may hold too
            much; never too little.
    """

    cells: tuple[Cell, ...]
    fillings: tuple[tuple[int, ...], ...]
    left: tuple[bool, ...]
    tables: int
    exact: bool


def fillings_left(
    tight: TightAttack, part: ClassAttack, limit: int = 100, time_limit: float = 5.0
) -> FillingsLeft | None:
    """Try each filling of a class against all bounds of the release (see docs/tight-attack.md).

    Args:
        tight: the tight attack on the release.
        part: one of its classes, or its suppressed records, wider than a single cell.
        limit: most fillings that are tried.
        time_limit: seconds that it may take.

    Returns:
        Every filling with its fate; None where there are more than ``limit``, or the time ran out.
    """
    if part.basic or part.combinations_bounds[1] > limit:
        return None
    listed = part.assignments(limit, time_limit)
    if not listed.complete:
        return None
    if tight.system is None:  # every table that fits a safe release is possible
        everything = tuple(listed.assignments)
        return FillingsLeft(
            tuple(part.free_cells), everything, (True,) * len(everything), part.cra_solutions, exact=True
        )
    system = tight.system
    end = time.monotonic() + time_limit
    models = [(hypothesis, _bounded(system, hypothesis)) for hypothesis in system.hypotheses]
    left, tables = [], 0
    for filling in listed.assignments:
        ways = math.prod(math.comb(volume, count) for volume, count in zip(part.cell_volumes, filling, strict=True))
        possible: bool | None = False
        for hypothesis, model in models if ways else ():
            result = _possible(system, hypothesis, model, part, filling, end)
            possible = True if result else None if result is None else possible
            if result:
                break
        if possible is None:
            return None
        left.append(possible)
        tables += ways * possible
    return FillingsLeft(tuple(part.free_cells), tuple(listed.assignments), tuple(left), tables, not system.relaxed)


def _bounded(system: TightSystem, hypothesis: Hypothesis) -> Model:
    """One variable per open cell under all bounds, no cell with more records than it has values."""
    sums = [PartSum(tuple(b.cells), b.lower, b.upper, _boxes(b), (0,) * len(b.boxes), b.k) for b in hypothesis.bounds]
    # No data set of distinct records has more of them in a cell than the cell has values.
    return bounded_model([(0, min(volume, system.release.records)) for volume in system.volumes], sums)


def _boxes(bound: Bound) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, bound.boxes))


def _possible(
    system: TightSystem,
    hypothesis: Hypothesis,
    model: Model,
    part: ClassAttack,
    filling: tuple[int, ...],
    end: float,
) -> bool | None:
    """Whether a data set with this filling exists under one order of the tied states; None without an answer."""
    index = -1 if part.index is None else part.index
    counts = dict(zip(part.free_cells, filling, strict=True))
    own = {
        system.cells[position]: position for position, owner in enumerate(hypothesis.owner.tolist()) if owner == index
    }
    if any(count and cell not in own for cell, count in counts.items()):
        return False
    tried = model[0].clone()
    for cell, position in own.items():
        tried.add(tried.get_int_var_from_proto_index(model[1][position].index) == counts.get(cell, 0))
    status = solve_model(tried, lambda: end - time.monotonic(), math.inf)[1]
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return True
    return False if status == cp_model.INFEASIBLE else None
