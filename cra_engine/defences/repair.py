"""Repairing a release: classes are merged or suppressed, as few as need be, until stated targets hold.

What it is, and what it is not. The targets hold for a reader who takes the repaired table for ARX-LR's own: that nobody
is certain also when all classes are read together, the chances class by class; where earlier releases are named, also
for one who holds these too. They say nothing of one who knows that it was repaired, and how: that reader may exclude
every table that would have needed no repair, or another one; see :mod:`cra_engine.defences.gains`. Whoever knows only
that it was repaired, as a study with ``recoding = "repaired"`` tells, is sure of less than one who takes it for
ARX-LR's own, and of nothing false. For a promise to readers who know everything there is safe recoding.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import assess
from cra_engine.defences.beside import EarlierReleases
from cra_engine.defences.reading import SUPPRESSED, Reading, read_as_arx
from cra_engine.errors import CRAError
from cra_engine.expected import expect, expect_each
from cra_engine.patience import Deadline, checkpoint
from cra_engine.publish.published_rows import published_rows
from cra_engine.published import Published
from cra_engine.release import Release, ReleasedClass
from cra_engine.results import Json, Result, plain
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.study import Study
from cra_engine.utility.loss import MeanLoss, box_growth
from cra_engine.words import how_many, percent

TRIES = 6  # cheapest moves that are tried for the worst class before the cheapest is taken all the same
FEW = 60  # classes up to which one class is mended at a time
Rows = NDArray[np.int64]
SECONDS = 120.0

LIMITS = (
    "The targets hold for a reader who takes this table for ARX-LR's own; chances are read class by class. Whoever "
    "knows that it was repaired, and how, can still tell more: this is no promise to them. Safe recoding makes one."
)


@dataclass(frozen=True)
class RepairTargets:
    """The targets that a repaired release has to fulfil.

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
        """Returns per class that offends them, or ``SUPPRESSED``, its largest chance of exactly one."""
        offenders: dict[int, float] = {}
        for cell, chance in reading.chances.items():
            wrong = self.nobody_certain and cell in reading.certain
            if wrong or (self.likeliest is not None and chance > self.likeliest):
                for part in reading.parts[cell]:
                    offenders[part] = max(offenders.get(part, 0.0), chance)
        return offenders


@dataclass(frozen=True, eq=False, repr=False)
class Repair(Result):
    """A release after its repair.

    Attributes:
        before: the release that was given.
        release: the repaired one, as one reads it whom nobody told; the same where nothing was wrong. The study that
            goes out with it says more: ``recoding = "repaired"``.
        targets: what it had to fulfil.
        met: whether it does.
        reading_before: how the given one reads.
        reading: how the repaired one reads.
        together_before: how the given one reads beside the earlier releases; None without any.
        together: how the repaired one reads beside them.
        all_classes: whether all classes of the repaired one were read together to the end, so that nobody is certain
            there either; False where it is too large for that, or the time ran out.
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
    together_before: Reading | None = None
    together: Reading | None = None
    all_classes: bool = True

    @property
    def frame(self) -> pd.DataFrame:
        """The repaired table, rows in the release's order; of counted rows each different one once."""
        return self.release.table

    @property
    def limits(self) -> str:
        """A sentence on what a repair does not promise, to be said wherever one is shown."""
        return LIMITS

    @cached_property
    def published(self) -> Published:
        """The same as every way to publish has it; see docs/published.md."""
        notes = (self.limits, *([self.why_not] if self.why_not else []))
        return published_rows(self.frame, self.release.study, release=self.release, loss=self.loss, notes=notes)

    @property
    def classes(self) -> tuple[ReleasedClass, ...]:
        """The classes of the repaired table, in the attacker's order."""
        return self.release.classes

    @property
    def suppressed(self) -> int:
        """Number of suppressed records."""
        return self.release.suppressed

    @property
    def warnings(self) -> tuple[str, ...]:
        """Returns what to know of the table, as sentences."""
        return self.published.notes

    def summary(self) -> dict[str, object]:
        """Returns whether the targets are met, how many steps it took, the loss before and after."""
        lost = f"{self.loss_before:.4g} -> {self.loss:.4g}"
        return {"met": self.met, "steps": len(self.steps), "loss": lost}

    def to_frame(self) -> pd.DataFrame:
        """The classes of the repaired table, as the release has them."""
        return self.release.to_frame()

    def to_dict(self) -> Json:
        """As plain data: what was done, and how the table read before and reads now."""
        before, now = self.together_before, self.together
        return plain(
            {
                "records": self.release.records,
                "k": self.release.k,
                "met": self.met,
                "steps": self.steps,
                "certain_before": len(self.reading_before.certain),
                "certain": len(self.reading.certain),
                "all_classes": self.all_classes,
                "likeliest_before": self.reading_before.likeliest,
                "likeliest": self.reading.likeliest,
                "together": None
                if before is None or now is None
                else {
                    "certain_before": len(before.certain),
                    "certain": len(now.certain),
                    "likeliest_before": before.likeliest,
                    "likeliest": now.likeliest,
                    "exact": now.exact,
                },
                "suppressed_before": self.before.suppressed,
                "suppressed": self.suppressed,
                "loss_before": self.loss_before,
                "loss": self.loss,
                "limits": self.limits,
            }
        )


@dataclass(frozen=True)
class _Looked:
    """A table as it reads by itself, and beside earlier releases where there are any."""

    alone: Reading
    together: Reading | None = None
    all_classes: bool | None = None  # whether they were read to the end; None before anybody tried

    @property
    def finished(self) -> bool:
        return self.together is None or self.together.finished

    def offended(self, targets: RepairTargets) -> dict[int, float]:
        """Returns the classes that offend the targets by either reading; see :meth:`RepairTargets.offended`."""
        offenders = targets.offended(self.alone)
        if self.together is not None:
            for part, chance in targets.offended(self.together).items():
                offenders[part] = max(offenders.get(part, 0.0), chance)
        return offenders


Look = Callable[[Release], _Looked]


def repair(
    release: Release,
    targets: RepairTargets | None = None,
    *,
    earlier: Sequence[Release] = (),
    assessed: Assessment | None = None,
    time_limit: float = SECONDS,
) -> Repair:
    """Repair a release: merge or suppress classes until targets hold, the cheapest way that a greedy search finds.

    The worst class is merged with the one, or suppressed, that adds the least loss and mends it; again until nothing
    offends. Where nothing is left to merge, ``why_not`` says so.

    Args:
        release: a release of ARX-LR.
        targets: nobody certain where nothing is said.
        earlier: releases of the same people that are out already; the targets then hold beside them too.
        assessed: what the release gives away by itself as one of local recoding, where somebody has worked it out.
        time_limit: seconds for reading all classes together, and the table beside earlier releases.

    Raises:
        ContradictionError: the earlier releases and this one cannot be of the same people.
        CRAError: the release is one of safe recoding, whose promise a repair would break; or it shows raw values.

    >>> from cra_engine import recode, synthesize
    >>> toy = synthesize("toy")
    >>> four, seven = (recode(toy.data, toy.study.with_k(k)).release for k in (4, 7))
    >>> mended = repair(seven, RepairTargets(likeliest=0.6))
    >>> mended.met, len(mended.steps)
    (True, 0)
    >>> mended = repair(seven, earlier=[four])
    >>> len(mended.together_before.certain), len(mended.together.certain), mended.met
    (3, 0, True)
    """
    expect(release, Release, "repair(release)")
    if targets is not None:
        expect(targets, RepairTargets, "repair(targets)")
    earlier = expect_each(earlier, Release, "repair(earlier)")
    if release.study.safe:
        raise CRAError("This is a safe release; repairing it would break its promise. Publish it as it stands.")
    if release.raw_records:
        raise CRAError("Some records show raw values; publish with minimum level 1 before anything is repaired.")
    release = _as_arx_lr_s(release)
    targets = targets or RepairTargets()
    before = EarlierReleases.of(earlier, Deadline(time_limit), release) if earlier else None

    def look(table: Release) -> _Looked:
        return _Looked(read_as_arx(table), None if before is None else before.read(table))

    def settled(looked: _Looked, table: Release, known: Assessment | None = None) -> _Looked:
        if looked.all_classes is not None or before is not None:
            return looked
        deadline = Deadline(time_limit / 4)
        return _all_classes(looked, known or assess(table, local=True, deadline=deadline, values=False))

    state, first = _Table.of(release), settled(look(release), release, assessed)
    looked, steps = first, list[str]()
    why = _beforehand(before, targets) if before is not None and looked.offended(targets) else ""
    while not why and looked.finished and state.segments:
        checkpoint()
        if not looked.offended(targets):
            looked = settled(looked, state.release)
        if not (offended := looked.offended(targets)):
            break
        worst = sorted(offended, key=lambda part: (-offended[part], part))
        if len(state.segments) <= FEW:
            state, looked, said = _mended(state, worst[0], targets, looked, look)
            steps.append(said)
        else:
            state, told = _mended_at_once(state, worst)
            looked = look(state.release)
            steps += told
    if not looked.finished:
        why = (
            "The time did not suffice to settle what this table and the earlier releases tell together; give more of "
            "it, or take fewer attributes."
        )
    if not why and looked.offended(targets):
        why = _why_not(looked, targets)
    return Repair(
        release,
        state.release,
        targets,
        not why,
        first.alone,
        looked.alone,
        tuple(steps),
        why,
        MeanLoss.of_release(release).value,
        MeanLoss.of_release(state.release).value,
        first.together,
        looked.together,
        bool(looked.all_classes) or before is not None,
    )


def _as_arx_lr_s(release: Release) -> Release:
    """The release as one whom nobody told of a repair reads it, without columns that its study removes.

    Another program may have published these.
    """
    removed = [name for name in release.study.roles.remove if name in release.table.columns]
    repaired = release.study.recoding == "repaired"
    study = release.study.changed(recoding="local") if repaired else release.study
    return _showing(release, release.table.drop(columns=removed), study) if removed or repaired else release


def _showing(release: Release, table: pd.DataFrame, study: Study | None = None) -> Release:
    """A release with other labels in its rows, of which each stands for as many records."""
    counted = None if release.counted is None else release.counted.shown(table)
    return Release(study or release.study, table, guessed=release.guessed, gs_factor=release.gs_factor, counted=counted)


def _all_classes(looked: _Looked, assessment: Assessment) -> _Looked:
    """Adds what all classes together make certain, where that was settled."""
    certain, alone = dict.fromkeys(assessment.certain_cells, 1.0), looked.alone
    seen = replace(alone, chances=alone.chances | certain, certain=alone.certain | certain.keys())
    return replace(looked, alone=seen, all_classes=not assessment.missing)


def _beforehand(before: EarlierReleases, targets: RepairTargets) -> str:
    """Returns why nothing that is published now can help; empty where something may."""
    reading = before.alone
    if targets.nobody_certain and reading.certain:
        cells = how_many(len(reading.certain), "cell holds", "cells hold")
        return (
            f"The earlier releases alone show that {cells} exactly one person for certain; nothing that is published "
            "now takes that back."
        )
    return ""


def _why_not(looked: _Looked, targets: RepairTargets) -> str:
    readings = [reading for reading in (looked.alone, looked.together) if reading is not None]
    where = "" if looked.together is None else ", and beside the earlier releases,"
    if targets.nobody_certain and any(reading.certain for reading in readings):
        return (
            f"Even with everybody suppressed{where} some cell holds exactly one person for certain; publish nothing "
            "of it."
        )
    chance = percent(max(reading.likeliest for reading in readings))
    return (
        f"Even with everybody suppressed{where} the likeliest cell holds exactly one person with a chance of {chance}; "
        "allow that much, take coarser finest intervals, or publish nothing."
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """The classes under repair, in the order of the release that they make."""

    before: Release
    segments: tuple[Segment, ...]
    sizes: tuple[int, ...]
    rows: tuple[Rows, ...]
    release: Release

    @classmethod
    def of(cls, release: Release) -> "_Table":
        segments = tuple(released.segment for released in release.classes)
        sizes = tuple(released.size for released in release.classes)
        return cls(release, segments, sizes, tuple(release.rows_of(index) for index in range(len(segments))), release)

    @property
    def grid(self) -> Grid:
        return self.before.grid

    def cost(self, parts: Sequence[int], box: Segment) -> float:
        """Returns the loss that publishing some classes with another box adds, summed over their records."""
        attributes = self.before.attributes

        def lost(segment: Segment) -> float:
            return float(float(box_growth(attributes, segment)) ** (1 / len(attributes)) - 1)

        return sum(self.sizes[part] * (lost(box) - lost(self.segments[part])) for part in parts)

    def moves(self, part: int) -> list[tuple[float, tuple[int, ...], Segment]]:
        """Returns what can be done for a class, or for ``SUPPRESSED``, with the loss that it adds, cheapest first."""
        whole = self.grid.whole
        moves: list[tuple[float, tuple[int, ...], Segment]]
        if part == SUPPRESSED:
            moves = [(self.cost((own,), whole), (own,), whole) for own in range(len(self.segments))]
        else:
            moves = [(self.cost((part,), whole), (part,), whole)]
            for other in range(len(self.segments)):
                if other != part:
                    box = joint_box(self.grid, self.segments[part], self.segments[other])
                    moves.append((self.cost((part, other), box), (part, other), box))
        return sorted(moves, key=lambda move: (move[0], move[1]))

    def moved(self, changes: Sequence[tuple[tuple[int, ...], Segment]]) -> "_Table":
        """Returns the table in which some classes show other boxes."""
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
        return _Table.of(_showing(self.before, table))

    def said(self, parts: Sequence[int], box: Segment) -> str:
        """Returns a move in words."""
        own = self.grid.describe(self.segments[parts[0]])
        if box == self.grid.whole:
            return f"Suppressed {own} ({how_many(self.sizes[parts[0]], 'record')})."
        other = self.grid.describe(self.segments[parts[1]])
        return f"Merged {own} with {other} into {self.grid.describe(box)}."


def joint_box(grid: Grid, one: Segment, other: Segment) -> Segment:
    """Return for a repair the smallest box of the hierarchies that holds two others.

    >>> from cra_engine import Attribute
    >>> grid = Grid([Attribute("age", 0, 80, layers=4)])
    >>> joint_box(grid, Segment((1,), (2,)), Segment((1,), (3,)))
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


def _mended(
    state: _Table, part: int, targets: RepairTargets, looked: _Looked, look: Look
) -> tuple[_Table, _Looked, str]:
    """Makes the cheapest of the first moves that leaves fewer offenders; where none does, the cheapest."""
    moves = state.moves(part)
    before = len(looked.offended(targets))
    fallback: tuple[_Table, _Looked, str] | None = None
    for _, parts, box in moves[:TRIES]:
        checkpoint()
        tried = state.moved([(parts, box)])
        mended = tried, look(tried.release), state.said(parts, box)
        if len(mended[1].offended(targets)) < before:
            return mended
        fallback = fallback or mended
    if fallback is None:
        raise CRAError("There is nothing left to merge or to suppress.")
    return fallback


def _mended_at_once(state: _Table, worst: Sequence[int]) -> tuple[_Table, list[str]]:
    """Makes the cheapest move for each offender, each class moved once."""
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
