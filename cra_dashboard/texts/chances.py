"""Chances as the pages say them: 0 % and 100 % only of what is proven, whatever records are supposed to be."""

from collections.abc import Callable

from cra_engine import Attack, CRAError, SinglingChances, TightAttack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.study.grid import Cell
from cra_engine.words import stated_chance


def of_class(part: ClassAttack, number: int) -> list[float]:
    """Return the chance, as pages state it, that each free cell of a class holds so many of its records.

    Raises:
        CRAError: the class cannot be counted, or no data set explains it.
    """
    proven = limits_of(part)
    found = zip(part.free_cells, part.cell_probabilities(number), strict=True)
    return [stated_chance(chance, *proven(cell), number) for cell, chance in found]


def limits_of(part: ClassAttack) -> Callable[[Cell], tuple[int, int]]:
    """Return as pages state it per free cell the fewest and most of a class's records that are proven."""
    try:
        ranges = part.count_ranges
    except CRAError:  # too large to count: then nothing is proven
        return lambda _: (0, part.size)
    return ranges.__getitem__


def of_one_person(found: SinglingChances) -> list[tuple[Cell, float]]:
    """Return as pages state it the cells that may hold exactly one person, by class, most likely first."""
    certain = certain_alone(found.attack)
    return [
        (one.cell, stated_chance(one.probability, int(one.cell in certain), 1 + (one.cell not in certain)))
        for one in found.cells
    ]


def certain_alone(attack: Attack) -> set[Cell]:
    """Return as pages state it the cells with exactly one person for certain, each class read by itself."""
    try:
        return set(attack.isolated)
    except CRAError:  # a class that cannot be counted
        return set()


def of_all_classes(tight: TightAttack) -> list[tuple[Cell, float]]:
    """Return as pages state it the cells that may hold one person, classes together, most likely first."""
    known = tight.cell_probabilities(1)
    found = [(v.cell, stated_chance(known[v.cell], v.lowest, v.highest)) for v in tight.cells if v.cell in known]
    return sorted(((cell, chance) for cell, chance in found if chance > 0), key=lambda one: (-one[1], one[0]))
