"""What the page Who stands alone speaks of."""

from collections.abc import Sequence
from dataclasses import dataclass

from cra_dashboard.charts.ownership import release_outlines
from cra_dashboard.charts.picture import Outline
from cra_dashboard.charts.view import View
from cra_dashboard.session import state
from cra_dashboard.texts import words
from cra_dashboard.texts.class_rows import ClassRow
from cra_dashboard.texts.numbering import name_of
from cra_engine import Attack, SinglingOut
from cra_engine.risk.singling import SingledClass
from cra_engine.study.grid import Cell, Grid


@dataclass(frozen=True)
class Predicate:
    """A description that is true of exactly one person, on Who stands alone.

    Attributes:
        result: singling out in the class of the person.
        cell: what the description says.
        row: of the person in the raw table.
    """

    result: SingledClass
    cell: Cell
    row: int


@dataclass(frozen=True)
class Shown:
    """The attack and table that Who stands alone speaks of.

    Attributes:
        attack: on the release.
        rows: one per class.
        singled: singling out, checked against the raw table.
        view: the part of the grid to show.
    """

    attack: Attack
    rows: Sequence[ClassRow]
    singled: SinglingOut
    view: View

    @property
    def grid(self) -> Grid:
        """The cells."""
        return self.attack.release.grid

    @property
    def results(self) -> list[SingledClass]:
        """Singling out per class, in the order of the rows."""
        return [*self.singled.classes, *([self.singled.suppressed] if self.singled.suppressed else [])]

    @property
    def predicates(self) -> list[Predicate]:
        """Every description that is true of exactly one person of the raw table."""
        return [
            Predicate(result, cell, row)
            for result in self.results
            for cell, row in zip(result.isolating, result.rows, strict=True)
        ]

    @property
    def boxes(self) -> list[Outline]:
        """The borders of the published boxes."""
        return release_outlines(self.grid, self.attack.release, self.view)

    def name(self, result: SingledClass) -> str:
        """Returns what a class is called."""
        return name_of(self.attack.release, result.index)

    def says(self, cell: Cell) -> str:
        """Returns the predicate of a cell in words."""
        return words.isolates(self.grid, self.grid.cell_segment(cell))

    @property
    def of_this_table(self) -> str:
        """Says which number is which: the average that an attacker works out, and what the raw table holds."""
        return f"On average over all tables that fit the release; this raw table holds {len(self.predicates):,}."


def yardstick() -> str:
    """Say on Who stands alone what somebody has who does not attack at all."""
    return f"a trivial attacker, who reads the intervals alone, expects {state.by_intervals():.1f}"
