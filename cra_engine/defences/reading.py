"""Says how a reader who takes a table for ARX-LR's reads it: per cell the chance that it holds exactly one person."""

from collections import defaultdict
from dataclasses import dataclass
from math import prod

from cra_engine.attacks.intervals import none_and_one
from cra_engine.attacks.refinement.attack import attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.patience import checkpoint, tell
from cra_engine.release import Release
from cra_engine.study.grid import Cell

SUPPRESSED = -1


@dataclass(frozen=True)
class Reading:
    """The reading of a release that a repair starts from: conclusions about single cells.

    Attributes:
        chances: per cell that may hold exactly one person the chance that it does.
        certain: the cells that hold exactly one person for certain.
        parts: per such cell the classes whose records may lie in it, ``SUPPRESSED`` for the suppressed ones.
        disbelieved: classes that ARX-LR cannot have made; of them only the intervals are read.
        finished: False where the time ran out before all was settled: chances that are not known count as 1.
        exact: False where some chances are estimates.
    """

    chances: dict[Cell, float]
    certain: frozenset[Cell]
    parts: dict[Cell, tuple[int, ...]]
    disbelieved: int = 0
    finished: bool = True
    exact: bool = True

    @property
    def likeliest(self) -> float:
        """Largest of the chances; 0 without any."""
        return max(self.chances.values(), default=0.0)

    @property
    def expected(self) -> float:
        """Expected number of cells with exactly one person."""
        return float(sum(self.chances.values()))


def read_as_arx(release: Release) -> Reading:
    """Attack each class by itself for a repair; of one that contradicts ARX-LR believe the intervals alone.

    >>> from cra_engine import recode, synthesize
    >>> toy = synthesize("toy")
    >>> reading = read_as_arx(recode(toy.data, toy.study).release)
    >>> len(reading.certain), reading.disbelieved
    (0, 0)
    """
    attacked = attack(release)
    shares: dict[Cell, list[tuple[float, float]]] = defaultdict(list)
    parts: dict[Cell, list[int]] = defaultdict(list)
    sure: dict[Cell, list[int | None]] = defaultdict(list)
    disbelieved = 0
    full = {part.segment.ranks for part in attacked.classes if part.basic}
    for number, part in enumerate(attacked.parts):
        checkpoint()
        tell("classes read", number, len(attacked.parts))
        if part.basic and part.index is not None:
            continue
        believed = not part.contradiction or part.coincident
        disbelieved += not believed
        for cell, none, one, count in _believed(part) if believed else _intervals(part):
            shares[cell].append((none, one))
            sure[cell].append(count)
            parts[cell].append(SUPPRESSED if part.index is None else part.index)
    chances = {
        cell: sum(
            one * prod(none for other, (none, _) in enumerate(share) if other != place)
            for place, (_, one) in enumerate(share)
        )
        for cell, share in shares.items()
        if cell not in full
    }
    certain = [cell for cell in chances if None not in sure[cell] and sum(n or 0 for n in sure[cell]) == 1]
    kept = {cell: chance for cell, chance in chances.items() if chance > 0}
    return Reading(kept, frozenset(certain), {cell: tuple(parts[cell]) for cell in kept}, disbelieved)


def _believed(part: ClassAttack) -> list[tuple[Cell, float, float, int | None]]:
    certain = part.certain_counts
    rows = zip(part.free_cells, part.cell_probabilities(0), part.cell_probabilities(1), strict=True)
    return [(cell, none, one, certain.get(cell)) for cell, none, one in rows]


def _intervals(part: ClassAttack) -> list[tuple[Cell, float, float, int | None]]:
    grid = part.release.grid
    whole, rows = grid.volume(part.segment), []
    known: dict[int, tuple[float, float]] = {}
    for cell, volume in zip(grid.cells(part.segment), grid.cell_volumes(part.segment).ravel().tolist(), strict=True):
        if volume not in known:
            known[volume] = none_and_one(volume, whole, part.size)
        rows.append((cell, *known[volume], part.size if part.basic else None))
    return rows
