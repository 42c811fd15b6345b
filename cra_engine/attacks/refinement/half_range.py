"""How many records of a class one of its half-segments can hold, all constraints of the class taken together."""

from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.counting import cp_sat as cp_model
from cra_engine.errors import CRAError
from cra_engine.study.grid import Segment


def half_range(part: ClassAttack, half: Segment) -> tuple[int, int]:
    """Return how few and how many of one class's records can lie in a half, over its feasible assignments.

    Total sum, overlap, sparse and halves constraints together (paper, sections 4.2 to 4.4). Both ends are reached by
    an assignment.

    Args:
        part: a class, or the suppressed records.
        half: one of the children in ``part.bounded_attributes``.

    Raises:
        CRAError: nothing is feasible.
    """
    grid = part.release.grid
    model = cp_model.CpModel()
    # Cells that lie in the same halves are one unknown.
    groups: dict[tuple[bool, ...], list[int]] = {}
    children = [child for split in part.bounded_attributes for child in split.children]
    for cell, volume in zip(part.free_cells, part.cell_volumes, strict=True):
        where = tuple(grid.holds(child, cell) for child in children)
        groups.setdefault(where, []).append(volume)
    most = {where: part.size if part.alike else min(part.size, sum(group)) for where, group in groups.items()}
    held = {where: model.new_int_var(0, limit, "") for where, limit in most.items()}
    model.add(sum(held.values()) == part.size)
    inside = {
        child: sum(count for where, count in held.items() if where[place]) for place, child in enumerate(children)
    }
    if part.size > part.cap:
        for number in inside.values():
            model.add(number <= part.cap)
    ends = []
    for sense in (model.minimize, model.maximize):
        sense(inside[half])
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        if solver.solve(model) != cp_model.OPTIMAL:
            raise CRAError(part.problem or f"{part.title}: no number of records in a half was found.")
        ends.append(round(solver.objective_value))
    return ends[0], ends[1]
