"""The result of the tight attack, whichever way of publishing it attacks."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pandas as pd

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.refinement.formation import MAY_BE_GLOBAL, may_be_global
from cra_engine.attacks.solver.reasons import reasons
from cra_engine.attacks.solver.solving import Solved
from cra_engine.attacks.solver.views import (
    NO_SOLVER,
    UNFINISHED,
    UPPER_BOUND,
    CellView,
    Explanation,
    KnownCells,
    Status,
)
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.counting.cp_sat import solver_there
from cra_engine.counting.products import product
from cra_engine.release import Release
from cra_engine.results import Json
from cra_engine.sentences import Sentence
from cra_engine.study.grid import Cell

NO_ORDER = "too little is known of the order in which the classes were formed"
BY_NUMBERS = "privacy models are used only to bound how many records a box can have held"
OF_CLASSES = (
    "Of all classes together more tables are counted than the classes leave one by one. So the smaller number is told, "
    "that of the classes; what is likely or expected is so over the larger."
)
ALONE_IN_REGION = Sentence("Its region, all that the class or the suppressed records may fill, is this cell alone.")


@dataclass(frozen=True, eq=False, repr=False)
class TightAttack(KnownCells):
    """All that the tight attack learns from a release, its classes taken together.

    Attributes:
        release: the release.
        prior: how tables weigh; see :func:`cra_engine.attack`.
        status: ``"exact"``: counted to the last digit (where ``relaxed``, an upper bound); ``"estimate"``: with a
            standard error; ``"timeout"``: the time ran out or the run was cancelled, and only what is known so far is
            here.
        count_worlds: gives ``worlds``, the number of possible data sets, where exact; else None.
        log10_worlds: its decimal logarithm, None when unknown.
        log10_worlds_stderr: standard error of that logarithm, 0 where exact, None when unknown. It comes from few
            repetitions: ``log10_worlds_interval`` is wide enough for that.
        log10_worlds_per_class: the same when each class is attacked by itself, as the paper does; None when that takes
            too long.
        refused: a sentence on why no number of data sets could be had in any time; else empty. What is proven of the
            cells stands all the same.
        log10_worlds_intervals: the same for somebody who only reads the intervals.
        cells: what is known of each cell that holds records or may hold some.
        relaxed: True when the order of formation is known too little to use every bound, and under privacy models
            besides k: then the numbers of data sets are upper bounds, and what is called certain still is.
        order_unknown: a sentence on why the order in which classes formed is known in part only; else empty.
        of_classes: True where the number of data sets is the product of the classes' own, since the bounds of all
            together, being ``relaxed``, leave more.
        parts: the classes and the suppressed records, each attacked by itself.
        settled: the cells that are classes of their own, with their records.
        complete: True when ``fixed_cells`` lists every cell that is certain: for each other cell that may hold records
            two possible data sets differ. Where states tie, every order of them counts as possible, whatever rule broke
            the tie. False when the time ran out before that was known, and always where ``relaxed`` or some records
            show raw values.
        system: the bounds of a release of ARX-LR; None for a safe release, which bounds nothing.
        solved: its parts.
    """

    release: Release
    prior: Prior
    parts: tuple[ClassAttack, ...]
    settled: dict[Cell, int]
    status: Status
    count_worlds: Callable[[], int] | None
    log10_worlds: float | None
    log10_worlds_stderr: float | None
    log10_worlds_per_class: float | None
    log10_worlds_intervals: float
    refused: str
    cells: tuple[CellView, ...]
    relaxed: bool
    complete: bool
    order_unknown: str
    of_classes: bool = False
    system: TightSystem | None = None
    solved: Solved = field(default_factory=lambda: Solved({}))

    @property
    def bounds(self) -> TightSystem:
        """The bounds of a release of ARX-LR."""
        if self.system is None:
            raise AssertionError("a safe release bounds nothing")
        return self.system

    def to_dict(self) -> Json:
        """Returns plain data, as ``attack --tight --json`` prints it under ``tight``."""
        told = self.cells_to_dict(self.release.grid, self.log10_worlds_per_class, self.log10_worlds_intervals)
        return told | {"refused": self.refused or None}

    def to_frame(self) -> pd.DataFrame:
        """A row per cell that may hold records; see :meth:`cells_to_frame`."""
        return self.cells_to_frame(self.release.grid)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what weakens the attack or its numbers: what was not finished, or is an upper bound."""
        sentences = [*self.release.warnings, *([self.order_unknown] if self.order_unknown else [])]
        if may_be_global(self.release):
            sentences.append(MAY_BE_GLOBAL)
        if self.relaxed:
            sentences.append(UPPER_BOUND.format(self.why_relaxed))
        if self.of_classes:
            sentences.append(OF_CLASSES)
        if self.refused:
            sentences.append(f"How many tables are left is not known. {self.refused}")
        elif self.status == "timeout" and solver_there():
            sentences.append(UNFINISHED)
        if self.status != "exact" and not solver_there():
            sentences.append(NO_SOLVER)
        return tuple(sentences)

    @property
    def why_relaxed(self) -> str:
        """Why the numbers of tables are upper bounds, as a clause; empty where they are not."""
        return (
            ""
            if not self.relaxed
            else BY_NUMBERS
            if self.system is not None and not self.system.unordered
            else NO_ORDER
        )

    def explain(
        self, cell: Cell, time_limit: float = 10.0, cancelled: Callable[[], bool] = lambda: False
    ) -> list[Explanation]:
        """Why a fixed cell is certain: per order of tied states a minimal set of bounds that force its count.

        An order that did not happen has a minimal set of bounds that contradict each other, and says so.
        An order for which the time did not suffice has an explanation without bounds. Empty for a cell that is not
        fixed or is a class of its own. In a safe release a cell is certain where its region has no other cell.

        Raises:
            CRAError: there is no such cell.
        """
        self.release.grid.check_cell(cell, "explain(cell)")
        if cell not in self.fixed_cells:
            return []
        if self.system is None:
            return [Explanation((), (ALONE_IN_REGION,), minimal=True)]
        if cell in self.settled:
            return []
        end = time.monotonic() + time_limit

        def left() -> float:
            return 0.0 if cancelled() else end - time.monotonic()

        told = []
        for solved_part in self.solved.parts:
            for atom, members in enumerate(solved_part.part.atoms):
                for position in members.cells:
                    if self.system.cells[position] == cell:
                        value = solved_part.ranges.fixed[atom]
                        told += reasons(self.system, solved_part.part, position, value, self.release.records, left)
        return told


def log10_of_intervals(parts: Iterable[ClassAttack]) -> float:
    """Return the decimal logarithm of the tables that somebody counts who only reads the intervals, tight or not."""
    return sum(part.log10_lr for part in parts if part.log10_lr > -math.inf)


def of_classes(parts: Iterable[ClassAttack]) -> int:
    """Return how many tables, at most, the classes that the tight attack takes together leave one by one."""
    return product((part.lr_solutions if part.basic else part.cra_bounds[1]) or 1 for part in parts)
