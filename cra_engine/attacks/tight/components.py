"""Independent parts of the tight system: cells that no bound ties together can be counted apart.

Cells of a component that stand in the same bounds under every hypothesis merge into one *atom*: by Vandermonde's
identity only the atom's volume and its count matter.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from cra_engine.attacks.tight.joined import Joined
from cra_engine.attacks.tight.system import Bound, BoundKey, Hypothesis, TightSystem
from cra_engine.patience import checkpoint


@dataclass(frozen=True)
class Sum:
    """A bound on atoms: positions of the atoms, smallest and largest sum; and its boxes, see ``Bound``."""

    atoms: tuple[int, ...]
    lower: int
    upper: int
    boxes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Atom:
    """Cells that no bound tells apart, as positions in ``TightSystem.cells``, and their volume."""

    cells: tuple[int, ...]
    volume: int


@dataclass(frozen=True)
class Option:
    """A component's bounds under one or more hypotheses.

    Attributes:
        hypothesis: one of the hypotheses that give these bounds.
        bounds: the bounds themselves, as positions of cells.
        sums: the same as positions of atoms.
    """

    hypothesis: Hypothesis
    bounds: tuple[Bound, ...]
    sums: tuple[Sum, ...]


@dataclass(frozen=True)
class Component:
    """Cells that can be counted apart from all others.

    Attributes:
        atoms: the cells, merged.
        options: the possible sets of bounds; a data set is possible when one of them allows it.
    """

    atoms: tuple[Atom, ...]
    options: tuple[Option, ...]


def split(system: TightSystem) -> list[Component]:
    """The independent components of a tight system."""
    hypotheses = system.hypotheses
    joined = Joined(range(len(system.cells)))
    for hypothesis in hypotheses:
        for bound in hypothesis.bounds:
            checkpoint()
            joined.join(sorted(bound.cells))
    if len(hypotheses) > 1:
        # Where the order of tied states matters it matters for all of them at once: one order holds everywhere.
        shared = set.intersection(*({b.key for b in h.bounds} for h in hypotheses))
        joined.join([min(b.cells) for h in hypotheses for b in h.bounds if b.key not in shared])
    members: dict[int, list[int]] = defaultdict(list)
    for cell in range(len(system.cells)):
        members[joined.find(cell)].append(cell)
    restricted: list[dict[int, list[Bound]]] = [defaultdict(list) for _ in hypotheses]
    for own, hypothesis in zip(restricted, hypotheses, strict=True):
        for bound in hypothesis.bounds:
            own[joined.find(min(bound.cells))].append(bound)
    return [
        _component(system, cells, [tuple(own.get(root, ())) for own in restricted]) for root, cells in members.items()
    ]


def _component(system: TightSystem, cells: Sequence[int], restricted: Sequence[tuple[Bound, ...]]) -> Component:
    """The component of these cells, with the bounds on them under each hypothesis."""
    different: dict[frozenset[BoundKey], tuple[Hypothesis, tuple[Bound, ...]]] = {}
    for hypothesis, bounds in zip(system.hypotheses, restricted, strict=True):
        checkpoint()
        different.setdefault(frozenset(b.key for b in bounds), (hypothesis, bounds))
    signature: dict[int, list[tuple[int, ...]]] = {cell: [] for cell in cells}
    for option, (_, bounds) in enumerate(different.values()):
        for position, bound in enumerate(bounds):
            for cell in bound.cells:
                signature[cell].append((option, position))
            for which, box in enumerate(bound.boxes):
                for cell in box:
                    signature[cell].append((option, position, which))
    groups: dict[tuple[tuple[int, ...], ...], list[int]] = defaultdict(list)
    for cell in cells:
        groups[tuple(signature[cell])].append(cell)
    atoms = tuple(Atom(tuple(group), sum(system.volumes[cell] for cell in group)) for group in groups.values())
    atom_of = {cell: position for position, atom in enumerate(atoms) for cell in atom.cells}

    def atoms_in(part: frozenset[int]) -> tuple[int, ...]:
        return tuple(sorted({atom_of[cell] for cell in part}))

    options = tuple(
        Option(
            hypothesis,
            bounds,
            tuple(Sum(atoms_in(b.cells), b.lower, b.upper, tuple(map(atoms_in, b.boxes))) for b in bounds),
        )
        for hypothesis, bounds in different.values()
    )
    return Component(atoms, options)
