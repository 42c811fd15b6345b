"""Certain cells that are wider than the common cells: of a release whose hierarchies are coarser than another's."""

from collections.abc import Callable

from cra_engine.attacks.composition.system import JointSystem
from cra_engine.attacks.solver.proofs import ends_of
from cra_engine.attacks.solver.solving import Solved
from cra_engine.study.grid import Cell

WiderCells = dict[tuple[int, Cell], int]
"""Per position of a release and cell of its own the number of people there, where that is certain."""


def wider_cells(system: JointSystem, solved: Solved, left: Callable[[], float]) -> WiderCells:
    """Return each release's certain cells that are made of several common cells, of which some are not certain.

    Where tables grow only what the last release tells by itself is known of such sums.

    Args:
        system: the joint system.
        solved: what is known of its counts.
        left: how many seconds may still be spent.
    """
    certain: WiderCells = {}
    at = {
        cell: (number, atom)
        for number, one in enumerate(solved.parts)
        for atom, members in enumerate(one.part.atoms)
        for cell in members.cells
    }
    last = len(system.systems) - 1
    for release, tight in enumerate(system.alone):
        if system.grown and release < last:
            continue
        for view in tight.cells:
            places = system.around(release, view.cell)
            if system.refinement.pieces(release, view.cell) < 2:
                continue
            if view.fixed:
                count: int | None = view.lowest
            else:
                count = None if system.grown else _certain(solved, places, at, left)
            uncertain = any(
                solved.limits[system.variable(place, 0)][0] < _most(system, solved, place) for place in places
            )
            if count and uncertain:
                certain[release, view.cell] = count
    return certain


def _most(system: JointSystem, solved: Solved, place: int) -> int:
    return sum(solved.limits[system.variable(place, time)][1] for time in range(system.times))


def _certain(
    solved: Solved, places: list[int], at: dict[int, tuple[int, int]], left: Callable[[], float]
) -> int | None:
    """The number of people in some cells together, where it is certain; tables do not grow."""
    known = sum(solved.limits[place][0] for place in places if place not in at)
    open_ = [at[place] for place in places if place in at]
    if not open_:
        return known
    parts = {number for number, _ in open_}
    atoms = {atom for _, atom in open_}
    (number, *others) = parts
    part = solved.parts[number].part
    # Cells of several parts vary apart; and of cells that no bound tells apart any can hold all.
    if others or left() <= 0 or any(set(part.atoms[atom].cells) - set(places) for atom in atoms):
        return None
    ends = ends_of(part, sorted(atoms), left)
    return known + ends[0] if ends is not None and ends[0] == ends[1] else None
