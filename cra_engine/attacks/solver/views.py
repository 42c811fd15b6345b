"""Statements on single cells: how many records they hold, and why that is certain."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pandas as pd
from propcache.api import cached_property

from cra_engine.attacks.solver.bounds import Bound
from cra_engine.results import Json, Result, plain
from cra_engine.sentences import Sentence
from cra_engine.study.grid import Cell, Grid
from cra_engine.study.lattice import State
from cra_engine.words import digits

UPPER_BOUND = (
    "The number of tables that all classes together leave is an upper bound, since {}: impossible tables are counted "
    "too, and what is likely or expected is so over all that are counted. What is called certain is certain all the "
    "same."
)
Status = Literal["exact", "estimate", "timeout"]
UNFINISHED = (
    "The time ran out, or the run was ended, before everything was counted and proven: what is said was found until "
    "then, and cells that are not called certain may be certain all the same."
)
NO_SOLVER = (
    "The library ortools is not installed (pip install 'cra-explorer[solver]'), so what only a solver proves was not "
    "proven: limits of cells may be wider than need be, and cells that are not called certain may be certain all the "
    "same."
)
STUDENT = 2.1315  # the 97.5 % point of Student's t distribution with 15 degrees of freedom, FEWEST_RUNS less one


@dataclass(frozen=True)
class CellView:
    """The solver's view of one cell's number of records: proven limits, and chances.

    Attributes:
        cell: leaf indices.
        lowest: proven: no possible data set gives the cell fewer records.
        highest: proven: no possible data set gives it more.
        seen: smallest and largest count in possible data sets that were met; None where there was none, or where it is
            not known which data sets are possible.
        probabilities: per count from 0 on, its probability when every possible data set of distinct records is equally
            likely; empty when unknown.
        exact: True when the probabilities are exact, False when estimated.
    """

    cell: Cell
    lowest: int
    highest: int
    seen: tuple[int, int] | None
    probabilities: tuple[float, ...]
    exact: bool

    def to_dict(self) -> Json:
        """The cell as plain data, without its box."""
        return plain(
            {
                "lowest": self.lowest,
                "highest": self.highest,
                "lowest_seen": None if self.seen is None else self.seen[0],
                "highest_seen": None if self.seen is None else self.seen[1],
                "probabilities": self.probabilities or None,
                "exact": self.exact,
            }
        )

    @property
    def fixed(self) -> bool:
        """True when no possible data set has another count."""
        return self.lowest == self.highest

    @property
    def closed(self) -> bool:
        """True when ``lowest`` and ``highest`` are the smallest and the largest possible count, not only limits."""
        return self.seen == (self.lowest, self.highest)


@dataclass(frozen=True)
class Explanation:
    """The reason of the solver that a cell is certain, under one order of tied states.

    Attributes:
        bounds: the bounds that together force its count; without any one of them it would not be certain. Empty where
            the time did not suffice to find some.
        texts: the same in words.
        minimal: False when the time did not suffice to show that none can be left out.
        order: the order of the tied states supposed, per group of them; empty without ties.
        possible: False where the bounds contradict each other: the states did not have their turns in this order.
    """

    bounds: tuple[Bound, ...]
    texts: tuple[Sentence, ...]
    minimal: bool
    order: tuple[tuple[State, ...], ...] = ()
    possible: bool = True

    @property
    def found(self) -> bool:
        """False when the time did not suffice to find a reason under this order."""
        return bool(self.bounds)


class KnownCells(Result):
    """A solved attack's result that tells of cells and of the number of tables, of one release or several."""

    status: Status
    cells: tuple[CellView, ...]
    relaxed: bool
    complete: bool
    count_worlds: Callable[[], int] | None
    log10_worlds: float | None
    log10_worlds_stderr: float | None

    @property
    def counted(self) -> bool:
        """True where the number of possible data sets is known to the last digit."""
        return self.count_worlds is not None

    @cached_property
    def worlds(self) -> int | None:
        """Number of possible data sets where counted, else None; of a million records it has millions of digits."""
        return None if self.count_worlds is None else self.count_worlds()

    @property
    @abstractmethod
    def why_relaxed(self) -> str:
        """Why the numbers of tables are upper bounds, as a clause; empty where they are not."""

    @property
    @abstractmethod
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what weakens the attack or its numbers: what was not finished, or is an upper bound."""

    def summary(self) -> dict[str, object]:
        """How sure it is, how many tables are left, and how many cells are certain."""
        return {"status": repr(self.status), "log10_worlds": self.worlds_text, "fixed_cells": self.fixed_text}

    def cells_to_dict(self, grid: Grid, per_class: float | None, intervals: float | None) -> Json:
        """How many tables are left, and what is known of each cell, as plain data.

        Args:
            grid: the cells' grid.
            per_class: ``log10_worlds`` of the classes one by one.
            intervals: the same for somebody who only reads the intervals.
        """

        def box(cell: Cell) -> object:
            return grid.box(grid.cell_segment(cell))

        return plain(
            {
                "status": self.status,
                "worlds": None if self.worlds is None else digits(self.worlds),
                "log10_worlds": self.log10_worlds,
                "log10_worlds_stderr": self.log10_worlds_stderr,
                "log10_worlds_interval": self.log10_worlds_interval,
                "log10_worlds_per_class": per_class,
                "log10_worlds_intervals": intervals,
                "fixed_cells": [{"box": box(cell), "records": count} for cell, count in self.fixed_cells.items()],
                "fixed_cells_complete": self.complete,
                "upper_bound": self.relaxed,
                "why_upper_bound": self.why_relaxed or None,
                "isolated": [box(cell) for cell in self.isolated],
                "expected_isolated": self.expected_isolated,
                "cells": [view.to_dict() | {"box": box(view.cell)} for view in self.cells],
                "warnings": self.warnings,
            }
        )

    def cells_to_frame(self, grid: Grid) -> pd.DataFrame:
        """A row per cell that may hold records: box, fewest and most records, and the chance of exactly one.

        ``status`` tells how sure the chance is: ``"certain"`` where fewest and most are one number, ``"exact"``,
        ``"estimate"``, ``"relaxed"`` where impossible tables are counted too (see ``relaxed``), or ``"unknown"``.
        """
        chances = self.cell_probabilities(1)
        return pd.DataFrame(
            [
                {
                    "box": grid.describe(view.cell),
                    "lowest": view.lowest,
                    "highest": view.highest,
                    "exactly_one": chances.get(view.cell),
                    "status": self.status_of(view),
                }
                for view in self.cells
            ]
        )

    @property
    def log10_worlds_interval(self) -> tuple[float, float] | None:
        """Where the logarithm lies with 95 % confidence; both ends are the number itself where it is exact.

        The repetitions behind an estimate are few, so that the interval is that of Student's t distribution with their
        smallest number less one as degrees of freedom: wider than a normal one.
        """
        if self.log10_worlds is None or self.log10_worlds_stderr is None:
            return None
        half = STUDENT * self.log10_worlds_stderr
        return self.log10_worlds - half, self.log10_worlds + half

    @property
    def worlds_text(self) -> str:
        """The logarithm of the number of tables, and how sure it is: ``12.34``, ``at most 12.34``, ``12.34 ± 0.05``."""
        if self.log10_worlds is None:
            return "unknown"
        estimated = not self.counted and self.log10_worlds_stderr is not None
        error = f" ± {self.log10_worlds_stderr:.2g}" if estimated else ""
        return f"{'at most ' if self.relaxed else ''}{self.log10_worlds:.4g}{error}"

    @property
    def fixed_text(self) -> str:
        """How many cells are certain: ``5``, or ``5 or more`` where not all are known and there are more."""
        return f"{len(self.fixed_cells)}{'' if self.all_found else ' or more'}"

    @property
    def all_found(self) -> bool:
        """Whether there are no more certain cells than ``fixed_cells``, and nobody else is singled out."""
        return self.complete or len(self.fixed_cells) == len(self.cells)

    @cached_property
    def fixed_cells(self) -> dict[Cell, int]:
        """The cells whose number of records is certain, with that number.

        A cell is a tuple of leaf numbers from 0; the grid (``release.grid``, of several releases ``grid``) says it in
        words: ``grid.describe(cell)``.
        """
        return {v.cell: v.lowest for v in self.cells if v.fixed}

    @property
    def isolated(self) -> list[Cell]:
        """The cells that hold exactly one person for certain: singled out from the release alone.

        Those that were found: there may be more where ``complete`` is False.
        """
        return [cell for cell, count in self.fixed_cells.items() if count == 1]

    def status_of(self, view: CellView) -> str:
        """How sure the chances of a cell are, in a word: as the column ``status`` of ``to_frame`` has it."""
        if view.fixed:
            return "certain"
        if not view.probabilities:
            return "unknown"
        return "relaxed" if self.relaxed else "exact" if view.exact else "estimate"

    def cell_probabilities(self, j: int) -> dict[Cell, float]:
        """Per cell the probability that it holds exactly ``j`` records, where it is known."""
        return {
            view.cell: view.probabilities[j] if 0 <= j < len(view.probabilities) else 0.0
            for view in self.cells
            if view.probabilities
        }

    @property
    def expected_isolated(self) -> float | None:
        """Expected number of cells that hold exactly one person; None when some probabilities are unknown."""
        if not all(view.probabilities for view in self.cells):
            return None
        return math.fsum(self.cell_probabilities(1).values())
