"""The outcome of a comparison: its points, what each keeps and gives away."""

from dataclasses import dataclass
from typing import Literal

import pandas as pd
from propcache.api import cached_property

from cra_engine.attacks.solver.views import Status
from cra_engine.errors import CRAError
from cra_engine.risk.singling import Outcome
from cra_engine.study.study import Study
from cra_engine.utility.loss import MeanLoss
from cra_engine.what_ifs.choices import Choice, ChoiceGrid, Heights


@dataclass(frozen=True)
class Kept:
    """What a published table keeps.

    Attributes:
        loss: mean information loss of its records, 0 to 1; suppressed ones lose all.
        records: number of records.
        classes: number of equivalence classes.
        suppressed: number of suppressed records.
    """

    loss: MeanLoss
    records: int
    classes: int
    suppressed: int

    @property
    def average_size(self) -> float | None:
        """Mean number of records in a class, suppressed ones not counted; None without classes."""
        return (self.records - self.suppressed) / self.classes if self.classes else None

    @property
    def suppressed_share(self) -> float:
        """Share of all records that is suppressed."""
        return self.suppressed / self.records


@dataclass(frozen=True)
class GivenAway:
    """What a published table gives away.

    Of local recoding an attacker knows the release, the hierarchies, k and the profile, and reads each class by itself
    (the paper's attack). Of global recoding he knows the table, the hierarchies, k and the rule; see
    :class:`cra_engine.global_recoding.GlobalView`.

    Attributes:
        certain: number of cells that hold exactly one person for certain, known without raw data, records alike or not;
            all classes together may make more cells certain.
        expected: expected number of cells with exactly one person, all tables that are left equally likely.
        expected_intervals: the same for somebody who only reads the intervals; None for global recoding.
        likeliest: the largest probability of a cell to hold exactly one person.
        log10_promised: decimal logarithm of the number of tables that the published intervals allow.
        log10_left: the same for those that the attack leaves.
        known: the highest risk of a record by somebody who knows the person's quasi-identifiers, ``1 / smallest class``
            (:mod:`cra_engine.risk.re_identification`); 0 where every record is suppressed.
        alone: number of records that are alone in their cell, checked against the raw data. The cells are those of the
            finest intervals, so that k and the way of recoding have no part in it.
        outcomes: number of classes with none, one or more such records (the paper's Table 4); None for global recoding.
    """

    certain: int | None
    expected: float | None
    expected_intervals: float | None
    likeliest: float | None
    log10_promised: float | None
    log10_left: float | None
    alone: int
    outcomes: dict[Outcome, int] | None
    known: float = 0.0

    @property
    def log10_ratio(self) -> float | None:
        """How many times fewer tables are left than promised, as a decimal logarithm."""
        if self.log10_promised is None or self.log10_left is None:
            return None
        return max(0.0, self.log10_promised - self.log10_left)


@dataclass(frozen=True)
class Point:
    """One choice with what it keeps and gives away.

    Attributes:
        number: its place in the table, from 1.
        choice: the choice.
        kept: None where it cannot be published.
        given: None likewise.
        state: of global recoding, the layers that all records show; else None.
        problem: why it cannot be published, a sentence; empty where it can.
        notes: sentences on numbers that are missing.
        seconds: how long it took.
        table: tells published tables apart: equal where hierarchies and all rows are; empty where none is published.
    """

    number: int
    choice: Choice
    kept: Kept | None
    given: GivenAway | None
    state: tuple[int, ...] | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    table: str = ""

    @property
    def status(self) -> Literal["exact", "incomplete", "failed"]:
        """``exact``: every number is there and exact; ``incomplete``: some could not be had; ``failed``: none.

        Of a local recoding that is about the attack on each class by itself, which is what is counted here.
        """
        if self.kept is None or self.given is None:
            return "failed"
        return "incomplete" if self.given.expected is None or self.given.log10_left is None else "exact"


@dataclass(frozen=True)
class WhatIf:
    """The choices that were tried.

    Attributes:
        study: the study that the choices start from.
        records: number of records.
        grid: what was to be tried.
        points: one per choice, the study's own among them, in the order of the grid.
        complete: False when it was stopped before all choices were tried.
        warnings: findings in the table that stop nothing.
        seconds: how long it took.
    """

    study: Study
    records: int
    grid: ChoiceGrid
    points: tuple[Point, ...]
    complete: bool
    warnings: tuple[str, ...]
    seconds: float

    def __repr__(self) -> str:
        """In one line."""
        return f"WhatIf(records={self.records}, choices={len(self.points)}, complete={self.complete})"

    def to_frame(self) -> pd.DataFrame:
        """A row per choice: k, the finest layers, how it recodes, the loss, and whom it is expected to single out.

        ``attack`` tells of which attack these numbers are. ``status`` is about that one: all classes of a local
        recoding read together may single out more.
        """
        return pd.DataFrame(
            [
                {
                    "number": point.number,
                    "k": point.choice.k,
                    "layers": point.choice.layers,
                    "rule": point.choice.profile if point.choice.limit is None else f"global {point.choice.limit}",
                    "loss": None if point.kept is None else point.kept.loss.value,
                    "certain": None if point.given is None else point.given.certain,
                    "expected": None if point.given is None else point.given.expected,
                    "attack": "each class by itself" if point.choice.limit is None else "whole table",
                    "status": point.status,
                }
                for point in self.points
            ]
        )

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        return str(self.to_frame().to_html())

    @cached_property
    def heights(self) -> Heights:
        """The study's hierarchies at the heights that were tried."""
        return Heights(self.study)

    @property
    def present(self) -> Point | None:
        """The choice that the study itself stands for; None where it was not come to."""
        return self.find(Choice.of(self.study))

    def find(self, choice: Choice) -> Point | None:
        """The point of a choice; None where it was not tried."""
        return next((point for point in self.points if point.choice == choice), None)

    def point(self, number: int) -> Point:
        """The point of a number.

        Raises:
            CRAError: there is none.
        """
        if not 1 <= number <= len(self.points):
            raise CRAError(f"There is no choice {number}; they are numbered 1 to {len(self.points)}.")
        return self.points[number - 1]


@dataclass(frozen=True)
class Together:
    """The attack on all classes together, for one choice.

    Attributes:
        status: ``"exact"``, ``"estimate"`` or ``"timeout"``; see :class:`cra_engine.TightAttack`.
        certain: number of cells that hold exactly one person for certain, records alike or not.
        complete: True when there are no more than these.
        expected: expected number of cells with exactly one person; None when unknown.
        log10_left: decimal logarithm of the number of tables that are left; None when unknown.
        stderr: its standard error, 0 where exact, None when unknown.
        upper_bound: True when the number of tables is an upper bound.
        seconds: how long it took.
    """

    status: Status
    certain: int
    complete: bool
    expected: float | None
    log10_left: float | None
    stderr: float | None
    upper_bound: bool
    seconds: float
