"""Safe recoding under every fall of its coins: each outcome of the engine with its chance, in the oracle's words."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from cra_engine.publish.local import safe
from cra_engine.raw.cells import CellCounts
from cra_engine.study.grid import Grid
from cra_engine.study.study import Study
from oracles.safe import Chance, Release, Steps, Table


class Script:
    """Coins that fall as they are told, and note what they were asked."""

    def __init__(self, falls: list[bool]) -> None:
        self.falls, self.asked = falls, []

    def exp_minus(self, x: Fraction) -> bool:
        self.asked.append(x)
        return self.falls[len(self.asked) - 1] if len(self.asked) <= len(self.falls) else False


def engine_law(study: Study, table: Table) -> Iterator[tuple[safe.SafeCells, Chance]]:
    """Every outcome of the recoding itself, with its chance: each way that its coins can fall."""
    cells = CellCounts(Grid(study.attributes))
    cells.add(np.repeat(np.arange(len(table)), table))
    falls: list[bool] | None = []
    while falls is not None:
        script = Script(falls)
        made = safe.climb(study, cells, script.exp_minus)
        fell = [*falls, *[False] * (len(script.asked) - len(falls))]
        pairs = list(zip(script.asked, fell, strict=True))
        kept = tuple(sorted(x for x, missed in pairs if not missed))
        yield made, (kept, sum((x for x, missed in pairs if missed), Fraction(0)))
        while fell and fell[-1]:
            fell.pop()
        falls = [*fell[:-1], True] if fell else None


def as_release(steps: Steps, made: safe.SafeCells) -> Release:
    """What was published, in the oracle's words."""
    grid, found = made.grid, []
    for rung, step in enumerate(made.iterations):
        for segment, size in step.classes:
            first = int(np.ravel_multi_index(grid.cells(segment)[0], grid.shape))
            found.append(((rung, steps.boxes[rung][first]), size))
    return tuple(sorted(found)), made.suppressed
