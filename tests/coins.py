"""Safe recoding under every fall of its coins: each outcome of the engine with its chance, in the oracle's words."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from operator import itemgetter
from typing import TypeVar

import numpy as np

from cra_engine.publish.local import safe
from cra_engine.raw.cells import CellCounts
from cra_engine.study.grid import Grid
from cra_engine.study.ledger import EarlierRelease
from cra_engine.study.study import Study
from oracles.safe import Chance, Release, Steps, Table

Made = TypeVar("Made")


class Script:
    """Coins that fall as they are told, and note what they were asked."""

    def __init__(self, falls: list[bool]) -> None:
        self.falls, self.asked = falls, []

    def exp_minus(self, x: Fraction) -> bool:
        self.asked.append(x)
        return self.falls[len(self.asked) - 1] if len(self.asked) <= len(self.falls) else False


def every_fall(publish: Callable[[Script], Made]) -> Iterator[tuple[Made, Chance]]:
    """What is published with each way that coins can fall, with its chance."""
    falls: list[bool] | None = []
    while falls is not None:
        script = Script(falls)
        made = publish(script)
        fell = [*falls, *[False] * (len(script.asked) - len(falls))]
        pairs = list(zip(script.asked, fell, strict=True))
        kept = tuple(sorted(x for x, missed in pairs if not missed))
        yield made, (kept, sum((x for x, missed in pairs if missed), Fraction(0)))
        while fell and fell[-1]:
            fell.pop()
        falls = [*fell[:-1], True] if fell else None


def engine_law(study: Study, table: Table) -> Iterator[tuple[safe.SafeCells, Chance]]:
    """Every outcome of the recoding itself, with its chance: each way that its coins can fall."""
    cells = CellCounts(Grid(study.attributes))
    cells.add(np.repeat(np.arange(len(table)), table))
    return every_fall(lambda script: safe.climb_ladder(study, cells, script.exp_minus))


def as_release(steps: Steps, made: safe.SafeCells) -> Release:
    """What was published, in the oracle's words: the labels are the engine's, the regions read off them here."""
    taken: frozenset[int] = frozenset()
    found = []
    rungs = made.regions.rungs
    for place in sorted(range(len(rungs)), key=rungs.__getitem__):
        first = int(np.ravel_multi_index(made.grid.cells(made.classes[place].segment)[0], made.grid.shape))
        box = steps.boxes[rungs[place]][first]
        inside = steps.inside(rungs[place], box) - taken
        taken |= steps.inside(rungs[place], box)
        found.append(((rungs[place], box), inside, made.classes[place].size))
    rest = (len(steps.boxes), 0), frozenset(range(steps.cells)) - taken, made.suppressed
    return tuple(sorted((*found, rest), key=itemgetter(0)))


def after(study: Study, made: safe.SafeCells, k: int, epsilon: Fraction) -> Study:
    """The study of a later release."""
    classes = tuple((one.segment, one.size) for one in made.classes)
    entry = EarlierRelease(study.k, study.epsilon, True, classes, made.suppressed)
    written = str(Decimal(epsilon.numerator) / Decimal(epsilon.denominator))
    return study.changed(k=k, epsilon=written, earlier=(*study.earlier, entry))
