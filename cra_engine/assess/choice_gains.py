"""Says what the choices of a local recoding tell of one person: per class of a release, and per cell of its grid."""

from collections import defaultdict
from dataclasses import dataclass
from math import comb, inf, nan

import numpy as np
from numpy.typing import NDArray

from cra_engine.assess.figure import Figure
from cra_engine.attacks.refinement.attack import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.release import Owner
from cra_engine.study.grid import Cell


@dataclass(frozen=True, eq=False)
class ChoiceGains:
    """What a release's choices tell of one person, as logarithms of odds.

    Attributes:
        parts: per class, the suppressed records last where there are any; infinite where tables that fit are excluded,
            unknown where none is known to be.
        cells: per cell of the grid the gain of the class that owns it, not a number where that is unknown. A cell that
            a tie leaves open has one if all classes that may fill it have the same.
    """

    parts: tuple[Figure, ...]
    cells: NDArray[np.float64]

    @property
    def largest(self) -> Figure:
        """The most that they tell of anybody: unknown where one is unknown and none is infinite."""
        known = [part.value for part in self.parts if part.value is not None]
        if inf in known:
            return next(part for part in self.parts if part.value == inf)
        if len(known) < len(self.parts):
            return Figure.unknown("of some groups no excluded table is known")
        return Figure.exact(max(known, default=0.0))


def choice_gains(attacked: Attack, together: TightAttack | None = None) -> ChoiceGains:
    """Return for an assessment what the choices that made a release tell of one person.

    Those of safe recoding have a bound, :attr:`cra_engine.study.regions.Regions.gains`. Those of ARX-LR have none where
    a class excludes tables that fit: a place that such a table gives somebody has lost all its odds.

    Args:
        attacked: the attack on the release.
        together: the one on all classes together, which excludes tables that no class excludes by itself; of no account
            where it supposes otherwise of the records.
    """
    if attacked.release.study.safe:
        parts = tuple(Figure.exact(float(gain)) for gain in attacked.release.regions.gains)
    else:
        heeded = together is not None and together.prior == attacked.prior
        most = {view.cell: view.highest for view in together.cells} if together is not None and heeded else {}
        parts = tuple(_gain_of_arx(part, most) for part in attacked.parts)
    values = [nan if part.value is None else part.value for part in parts]
    suppressed = 0.0 if attacked.suppressed is None else values[-1]
    owned = np.array([*values[: len(attacked.classes)], suppressed])
    tied = attacked.owner == Owner.UNDECIDED
    cells = np.where(tied, nan, owned[np.maximum(attacked.owner, Owner.SUPPRESSED)])
    if tied.any():
        claims: dict[Cell, set[float]] = defaultdict(set)
        for part, value in zip(attacked.parts, values, strict=True):
            for cell in part.free_cells:
                if tied[cell]:
                    claims[cell].add(value)
        for cell, gains in claims.items():
            cells[cell] = gains.pop() if len(gains) == 1 else nan
    return ChoiceGains(parts, cells)


def _gain_of_arx(part: ClassAttack, most: dict[Cell, int]) -> Figure:
    if part.basic:
        return Figure.exact(0.0, "a single finest cell leaves nothing to tell")
    if part.prior.repeats:
        return Figure.unknown("what it excludes is counted of distinct records only")
    by_itself = part.cra_bounds[1] < comb(sum(part.cell_volumes), part.size)
    # From a table that is left, its people can be moved into one cell until that is full: one such move is excluded.
    places = zip(part.free_cells, part.cell_volumes, strict=True)
    if by_itself or any(most.get(cell, part.size) < min(volume, part.size) for cell, volume in places):
        return Figure(inf, inf, inf, "exact", "some tables that fit could not have given this release")
    return Figure.unknown("no table that it excludes is known")
