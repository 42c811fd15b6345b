"""Repairing a release: classes are merged or suppressed, as few as need be, until stated targets hold.

What it is, and what it is not. The targets hold for a reader who takes the repaired table for ARX-LR's own and reads it
class by class. They say nothing of one who knows that it was repaired, and how: that reader may exclude every table
that would have needed no repair, or another one; see :mod:`cra_engine.defences.gains`. For a promise to readers who
know everything there is safe recoding.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.defences.reading import SUPPRESSED, Reading, read_as_arx
from cra_engine.errors import CRAError
from cra_engine.patience import checkpoint
from cra_engine.release import Release
from cra_engine.study.grid import Grid, Segment
from cra_engine.utility.loss import MeanLoss, box_growth
from cra_engine.words import how_many, percent

TRIES = 6  # cheapest moves that are tried for the worst class before the cheapest is taken all the same
FEW = 60  # classes up to which one class is mended at a time
Rows = NDArray[np.int64]
Judge = Callable[[Release], Reading]

LIMITS = (
    "The targets hold for a reader who takes this table for ARX-LR's own. Whoever knows that it was repaired, and how, "
    "can still tell more: this is no promise to them. Safe recoding makes one."
)


@dataclass(frozen=True)
class RepairTargets:
    """What a release has to fulfil.

    Attributes:
        nobody_certain: no cell holds exactly one person for certain.
        likeliest: the largest chance of exactly one person that a cell may have; None for any.
    """

    nobody_certain: bool = True
    likeliest: float | None = None

    def __post_init__(self) -> None:
        """Check the parameters.

        Raises:
            CRAError: the chance is none.
        """
        if self.likeliest is not None and not 0 < self.likeliest <= 1:
            raise CRAError(f"The chance of exactly one is {self.likeliest}; give a number above 0, up to 1.")

    def offended(self, reading: Reading) -> dict[int, float]:
        """Per class that offends them, ``SUPPRESSED`` for the suppressed records, its largest chance of exactly one."""
        found: dict[int, float] = {}
        for cell, chance in reading.chances.items():
            wrong = self.nobody_certain and cell in reading.certain
            if wrong or (self.likeliest is not None and chance > self.likeliest):
                for part in reading.parts[cell]:
                    found[part] = max(found.get(part, 0.0), chance)
        return found


@dataclass(frozen=True, eq=False)
class Repair:
    """A release after its repair.

    Attributes:
        before: the release that was given.
        release: the repaired one; the same where nothing was wrong.
        targets: what it had to fulfil.
        met: whether it does.
        reading_before: how the given one reads.
        reading: how the repaired one reads.
        steps: what was done, in words.
        why_not: why the targets are not met; empty where they are.
        loss_before: mean loss of a record.
        loss: the same afterwards.
    """

    before: Release
    release: Release
    targets: RepairTargets
    met: bool
    reading_before: Reading
    reading: Reading
    steps: tuple[str, ...]
    why_not: str
    loss_before: float
    loss: float

    @property
    def frame(self) -> pd.DataFrame:
        """The repaired table, rows in the release's order."""
        return self.release.table

    @property
    def limits(self) -> str:
        """What a repair does not promise, to be said wherever one is shown."""
        return LIMITS

    def __repr__(self) -> str:
        """In one line."""
        return f"Repair(met={self.met}, steps={len(self.steps)}, loss={self.loss_before:.4g} -> {self.loss:.4g})"


def repair(release: Release, targets: RepairTargets | None = None, *, judge: Judge = read_as_arx) -> Repair:
    """Merge or suppress classes of a release until targets hold, the cheapest way that a greedy search finds.

    The worst class is merged with the one, or suppressed, that adds the least loss and mends it; again until nothing
    offends. Where nothing is left to merge, ``why_not`` says so.

    Args:
        release: a release of ARX-LR.
        targets: nobody certain where nothing is said.
        judge: how the table is read; by default class by class, as ARX-LR's. One that reads it together with earlier
            releases of the same people makes the targets hold for both.

    Raises:
        CRAError: the release is one of safe recoding, whose promise a repair would break; or it shows raw values.

    >>> from cra_engine import recode, synthesize
    >>> toy = synthesize("toy")
    >>> published = recode(toy.data, toy.study).release
    >>> mended = repair(published, RepairTargets(likeliest=0.3))
    >>> mended.met, mended.reading_before.likeliest > 0.3 >= mended.reading.likeliest
    (True, True)
    """
    if release.study.safe:
        raise CRAError("This is a safe release; repairing it would break its promise. Publish it as it stands.")
    if release.raw_records:
        raise CRAError("Some records show raw values; publish with minimum level 1 before anything is repaired.")
    targets = targets or RepairTargets()
    first = judge(release)
    state, reading, steps = _Table.of(release), first, []
    while offended := targets.offended(reading):
        checkpoint()
        if not state.segments:
            break
        worst = sorted(offended, key=lambda part: (-offended[part], part))
        told: list[str] = []
        if len(state.segments) <= FEW:
            state, reading, said = _mended(state, worst[0], targets, judge)
            told.append(said)
        else:
            state, told = _mended_at_once(state, worst)
            reading = judge(state.release)
        steps += told
    left = targets.offended(reading)
    return Repair(
        release,
        state.release,
        targets,
        not left,
        first,
        reading,
        tuple(steps),
        _why_not(reading, targets) if left else "",
        _loss(release),
        _loss(state.release),
    )


def _why_not(reading: Reading, targets: RepairTargets) -> str:
    chance = percent(reading.likeliest)
    if reading.certain and targets.nobody_certain:
        return "Even with everybody suppressed some cell holds exactly one person for certain; publish nothing of it."
    return (
        f"Even with everybody suppressed the likeliest cell holds exactly one person with a chance of {chance}; allow "
        "that much, take coarser finest intervals, or publish nothing."
    )


def _loss(release: Release) -> float:
    parts = [(found.segment, found.size) for found in release.classes]
    return MeanLoss.of(release.attributes, parts, release.outliers).value


@dataclass(frozen=True, eq=False)
class _Table:
    """The classes under repair, in the order of the release that they make."""

    before: Release
    segments: tuple[Segment, ...]
    rows: tuple[Rows, ...]
    release: Release

    @classmethod
    def of(cls, release: Release) -> "_Table":
        segments = tuple(found.segment for found in release.classes)
        return cls(release, segments, tuple(release.rows_of(index) for index in range(len(segments))), release)

    @property
    def grid(self) -> Grid:
        return self.before.grid

    def cost(self, parts: Sequence[int], box: Segment) -> float:
        """The loss that publishing some classes with another box adds, summed over their records."""
        attributes = self.before.attributes

        def lost(segment: Segment) -> float:
            return float(float(box_growth(attributes, segment)) ** (1 / len(attributes)) - 1)

        return sum(len(self.rows[part]) * (lost(box) - lost(self.segments[part])) for part in parts)

    def moves(self, part: int) -> list[tuple[float, tuple[int, ...], Segment]]:
        """What can be done for a class, or for the suppressed records, with the loss it adds, cheapest first."""
        whole = self.grid.whole
        found: list[tuple[float, tuple[int, ...], Segment]]
        if part == SUPPRESSED:
            found = [(self.cost((own,), whole), (own,), whole) for own in range(len(self.segments))]
        else:
            found = [(self.cost((part,), whole), (part,), whole)]
            for other in range(len(self.segments)):
                if other != part:
                    box = joint(self.grid, self.segments[part], self.segments[other])
                    found.append((self.cost((part, other), box), (part, other), box))
        return sorted(found, key=lambda move: (move[0], move[1]))

    def moved(self, changes: Sequence[tuple[tuple[int, ...], Segment]]) -> "_Table":
        """The table in which some classes show other boxes."""
        table = self.release.table.copy()
        boxes = list(self.segments)
        for parts, box in changes:
            for part in parts:
                boxes[part] = box
        for attribute in self.before.attributes:
            table[attribute.name] = table[attribute.name].astype(object)
        for part, box in enumerate(boxes):
            if box != self.segments[part]:
                for attribute, node in zip(self.before.attributes, self.grid.nodes(box), strict=True):
                    column = table[attribute.name].to_numpy(dtype=object, copy=True)
                    column[self.rows[part]] = node.label
                    table[attribute.name] = column
        return _Table.of(Release(self.before.study, table, guessed=self.before.guessed))

    def said(self, parts: Sequence[int], box: Segment) -> str:
        """One move in words."""
        own = self.grid.describe(self.segments[parts[0]])
        if box == self.grid.whole:
            return f"Suppressed {own} ({how_many(len(self.rows[parts[0]]), 'record')})."
        other = self.grid.describe(self.segments[parts[1]])
        return f"Merged {own} with {other} into {self.grid.describe(box)}."


def joint(grid: Grid, one: Segment, other: Segment) -> Segment:
    """The smallest box of the hierarchies that holds two others.

    >>> from cra_engine import Attribute
    >>> grid = Grid([Attribute("age", 0, 80, layers=4)])
    >>> joint(grid, Segment((1,), (2,)), Segment((1,), (3,)))
    Segment(state=(2,), ranks=(1,))
    """
    state, ranks = [], []
    for attribute, mine, theirs in zip(grid.attributes, grid.nodes(one), grid.nodes(other), strict=True):
        first, last = min(mine.start, theirs.start), max(mine.stop, theirs.stop) - 1
        layer = max(mine.layer, theirs.layer)
        while attribute.ranks[layer - 1][first] != attribute.ranks[layer - 1][last]:
            layer += 1
        state.append(layer)
        ranks.append(int(attribute.ranks[layer - 1][first]))
    return Segment(tuple(state), tuple(ranks))


def _mended(state: _Table, part: int, targets: RepairTargets, judge: Judge) -> tuple[_Table, Reading, str]:
    """The cheapest of the first moves that leaves fewer offenders; where none does, the cheapest."""
    moves = state.moves(part)
    before = len(targets.offended(judge(state.release)))
    fallback: tuple[_Table, Reading, str] | None = None
    for _, parts, box in moves[:TRIES]:
        checkpoint()
        tried = state.moved([(parts, box)])
        reading = judge(tried.release)
        found = tried, reading, state.said(parts, box)
        if len(targets.offended(reading)) < before:
            return found
        fallback = fallback or found
    if fallback is None:
        raise CRAError("There is nothing left to merge or to suppress.")
    return fallback


def _mended_at_once(state: _Table, worst: Sequence[int]) -> tuple[_Table, list[str]]:
    """The cheapest move for each offender, each class moved once."""
    changes, told, touched = [], [], set[int]()
    for part in worst:
        if part in touched:
            continue
        move = next((m for m in state.moves(part) if not touched.intersection(m[1])), None)
        if move is not None:
            changes.append(move[1:])
            touched.update(move[1])
            told.append(state.said(*move[1:]))
    return state.moved(changes), told
