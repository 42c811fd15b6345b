"""The pictures on the first page: the toy as it is published, and what is certain of it; and one box by itself."""

from dataclasses import dataclass, replace
from functools import cache

import pandas as pd

from cra_dashboard.charts.counts import chance_figure
from cra_dashboard.charts.ownership import boxes_figure, class_box
from cra_dashboard.charts.picture import Picture as Grid
from cra_dashboard.charts.tight import certain_figure, spans_of
from cra_dashboard.charts.view import View
from cra_dashboard.session.attacks import toy
from cra_dashboard.texts import words
from cra_dashboard.texts.tight_story import holds
from cra_dashboard.texts.weighing import likely
from cra_engine import Release
from cra_engine.study.grid import Cell
from cra_engine.words import count, fewer, how_many


@dataclass(frozen=True, eq=False)
class Picture:
    """The drawings of the toy on the page Start, with the sentences that belong to them.

    Attributes:
        before: the published boxes; after: the number of people in each cell where it is certain.
        said: what the release says.
        found: what the attack finds.
        alt_before: the first drawing in a sentence; alt_after: the second.
        table: both drawings as a table, a row per cell.
        alone: one box by itself, with the chances of its cells; alt_alone: in a sentence.
        alone_said: what the release says of it, and what the attack leaves, of this box alone.
    """

    before: Grid
    after: Grid
    said: str
    found: str
    alt_before: str
    alt_after: str
    table: pd.DataFrame
    alone: Grid
    alt_alone: str
    alone_said: str


@cache
def picture() -> Picture:
    """Draw the toy for the page Start, published and attacked; the same for everybody, and made once."""
    study, result, together = toy().study, toy().attack, toy().tight
    release, grid = result.release, result.release.grid
    view, cells, known = View.of(grid, 0, 1), grid.cells(grid.whole), together.fixed_cells
    shown = max(result.classes, key=lambda part: part.log10_ratio)
    boxes = how_many(len(release.classes), "box", "boxes")
    found = how_many(len(together.isolated), "person", "people")
    verb = "stands" if len(together.isolated) == 1 else "stand"
    chances = list(zip(shown.free_cells, shown.cell_probabilities(1), strict=True))
    return Picture(
        _low(boxes_figure(release, view)),
        _low(certain_figure(grid, spans_of(together), view, release)),
        f"{release.records - release.suppressed} of {release.records} people in {boxes} of at least k = {study.k}, "
        f"{release.suppressed} suppressed.",
        f"**{found} {verb} alone, for certain.** The number is certain in {len(known)} of {len(cells)} cells.",
        f"A grid of {len(cells)} cells with {boxes}, each with the number of people inside.",
        f"The same grid: in {len(known)} cells the number of people is certain, in {len(together.isolated)} it is 1.",
        pd.DataFrame(
            {
                "Cell": [words.cell(grid, cell) for cell in cells],
                "What the published table says": [_covered(release, cell) for cell in cells],
                "What the attack finds": [holds(known[cell]) if cell in known else "not certain" for cell in cells],
            }
        ),
        _low(chance_figure(grid, chances, view, shown.segment, class_box(shown, view))),
        f"Its {how_many(len(grid.cells(shown.segment)), 'cell')}: {len(shown.free_cells)} carry the chance "
        "that exactly one person is in them, the others are ruled out.",
        f"{how_many(shown.size, 'person', 'people')} have {words.plain(words.box(grid, shown.segment))}: "
        f"**{count(shown.lr_solutions)}** possible tables. **{count(shown.cra_solutions)}** are left, "
        f"{fewer(shown.lr_solutions, shown.cra_solutions)}, of this box alone; in the cells: the chance of exactly "
        f"one person, {likely(shown)}. All boxes together say more, as above.",
    )


def _low(figure: Grid) -> Grid:
    return replace(figure, height=320)


def _covered(release: Release, cell: Cell) -> str:
    """How many people the boxes hold that reach a cell."""
    sizes = [one.size for one in release.classes if cell in release.grid.cells(one.segment)]
    return " or ".join(f"some of {size}" for size in sizes) or "nothing"
