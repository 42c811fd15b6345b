"""What the tight attack says of single cells: how many records they hold, and why that is certain."""

import math
from dataclasses import dataclass

import numpy as np
from propcache.api import cached_property

from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.tight.system import Bound
from cra_engine.errors import CRAError
from cra_engine.study.grid import Cell
from cra_engine.study.lattice import State

UPPER_BOUND = (
    "The number of tables that all classes together leave is an upper bound, since too little is known of the order in "
    "which the classes were formed: impossible tables are counted too, and what is likely or expected is so over all "
    "that are counted. What is called certain is certain all the same."
)
UNFINISHED = (
    "The time ran out, or the run was ended, before everything was counted and proven: what is said was found until "
    "then, and cells that are not called certain may be certain all the same."
)
STUDENT = 2.1315  # the 97.5 % point of Student's t distribution with 15 degrees of freedom, FEWEST_RUNS less one


@dataclass(frozen=True)
class CellView:
    """What the tight attack knows of one cell.

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
    """Why a cell is certain, under one order of tied states.

    Attributes:
        bounds: the bounds that together force its count; without any one of them it would not be certain. Empty where
            the time did not suffice to find some.
        texts: the same in words.
        minimal: False when the time did not suffice to show that none can be left out.
        order: the order of the tied states supposed, per group of them; empty without ties.
        possible: False where the bounds contradict each other: the states did not have their turns in this order.
    """

    bounds: tuple[Bound, ...]
    texts: tuple[str, ...]
    minimal: bool
    order: tuple[tuple[State, ...], ...] = ()
    possible: bool = True

    @property
    def found(self) -> bool:
        """False when the time did not suffice to find a reason under this order."""
        return bool(self.bounds)


def merged(one: CellView, other: CellView) -> CellView:
    """One view of a cell that several classes may fill; their counts are taken as independent."""
    probabilities: tuple[float, ...] = ()
    if one.probabilities and other.probabilities:
        probabilities = tuple(np.convolve(one.probabilities, other.probabilities).tolist())
    lowest, highest = one.lowest + other.lowest, one.highest + other.highest
    seen, exact = None, lowest == highest
    if one.fixed or other.fixed:  # one of them only adds a number
        seen = (one.seen[0] + other.seen[0], one.seen[1] + other.seen[1]) if one.seen and other.seen else None
        exact = one.exact and other.exact
    return CellView(one.cell, lowest, highest, seen, probabilities, exact=exact)


def raw_views(part: ClassAttack) -> list[CellView]:
    """What a class of raw values adds to each cell that it may fill."""
    if part.basic:
        (cell,) = part.free_cells
        row = (*[0.0] * part.size, 1.0)
        return [CellView(cell, part.size, part.size, (part.size, part.size), row, exact=True)]
    try:
        rows = [tuple(row) for row in part.cell_distributions()]
        return [
            CellView(cell, *part.count_ranges[cell], None, row, exact=True)
            for cell, row in zip(part.free_cells, rows, strict=True)
        ]
    except CRAError:
        return [CellView(cell, 0, part.size, None, (), exact=False) for cell in part.free_cells]


class KnownCells:
    """What follows from what is known of cells and of the number of tables, for attacks on one release or several."""

    cells: tuple[CellView, ...]
    relaxed: bool
    complete: bool
    worlds: int | None
    log10_worlds: float | None
    log10_worlds_stderr: float | None

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
    def told_worlds(self) -> str:
        """The logarithm of the number of tables, and how sure it is: ``12.34``, ``at most 12.34``, ``12.34 ± 0.05``."""
        if self.log10_worlds is None:
            return "unknown"
        estimated = self.worlds is None and self.log10_worlds_stderr is not None
        error = f" ± {self.log10_worlds_stderr:.2g}" if estimated else ""
        return f"{'at most ' if self.relaxed else ''}{self.log10_worlds:.4g}{error}"

    @property
    def told_fixed(self) -> str:
        """How many cells are certain: ``5``, or ``5 or more`` where not all are known."""
        return f"{len(self.fixed_cells)}{'' if self.complete else ' or more'}"

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
