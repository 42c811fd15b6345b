"""The pictures on the first page: the toy as published, what is certain of it, asked first; and one box by itself."""

from dataclasses import dataclass, replace
from functools import cache

import pandas as pd

from cra_dashboard.charts.counts import chance_figure
from cra_dashboard.charts.ownership import boxes_figure, class_box
from cra_dashboard.charts.picture import Picture
from cra_dashboard.charts.tight import certain_figure, spans_of
from cra_dashboard.charts.view import View
from cra_dashboard.palette import BOX, NOBODY
from cra_dashboard.session.attacks import toy
from cra_dashboard.texts import words
from cra_dashboard.texts.tight_story import holds
from cra_dashboard.texts.weighing import likely
from cra_engine import Release
from cra_engine.study.grid import Cell
from cra_engine.words import count, fewer, how_many


@dataclass(frozen=True, eq=False)
class Drawn:
    """A drawing of the toy on the page Start, with the sentence that belongs to it, and one for who cannot see it."""

    figure: Picture
    said: str
    alt: str


@cache
def picture() -> tuple[Drawn, Drawn, Drawn, Drawn, pd.DataFrame]:
    """Draw the toy for the page Start; the same for everybody, and made once.

    Returns:
        The published boxes, where the number of people in a cell is certain, what asks for that, one box by itself with
        the chances of its cells, and the first two as a table, a row per cell.
    """
    study, result, together = toy().study, toy().attack, toy().tight
    release, grid = result.release, result.release.grid
    view, cells, known = View.of(grid, 0, 1), grid.cells(grid.whole), together.fixed_cells
    shown = max(result.classes, key=lambda part: part.log10_ratio)
    boxes = how_many(len(release.classes), "box", "boxes")
    found = how_many(len(together.isolated), "person", "people")
    verb = "stands" if len(together.isolated) == 1 else "stand"
    chances = list(zip(shown.free_cells, shown.cell_probabilities(1), strict=True))
    before = Drawn(
        _low(boxes_figure(release, view)),
        f"{release.records - release.suppressed} of {release.records} people in {boxes} of at least "
        f"k\u00a0=\u00a0{study.k}, "
        f"{release.suppressed} suppressed.",
        f"A grid of {len(cells)} cells with {boxes}, each with the number of people inside.",
    )
    after = Drawn(
        _beside(certain_figure(grid, spans_of(together), view, release)),
        f"**{found} {verb} alone, for certain.** In {len(known)} of {len(cells)} cells the number of people "
        "is certain.",
        f"The same grid: in {len(known)} cells the number of people is certain, in {len(together.isolated)} it is 1.",
    )
    asked = Drawn(
        replace(after.figure, tiles=[replace(one, text="?") for one in before.figure.tiles], legend=[]),
        "**Can anybody tell where a single person is?** Guess first: in which cells can the number of people be told?",
        f"The same grid with its boxes, and a question mark in each of {len(cells)} cells.",
    )
    alone = Drawn(
        _low(chance_figure(grid, chances, view, shown.segment, class_box(shown, view))),
        f"{how_many(shown.size, 'person', 'people')} have {words.plain(words.box(grid, shown.segment))}: "
        f"**{count(shown.lr_solutions)}** possible tables. **{count(shown.cra_solutions)}** are left, "
        f"{fewer(shown.lr_solutions, shown.cra_solutions)}, of this box alone; in the cells: the chance of exactly "
        f"one person, {likely(shown)}. All boxes together say more, as above.",
        f"Its {how_many(len(grid.cells(shown.segment)), 'cell')}: {len(shown.free_cells)} carry the chance "
        "that exactly one person is in them, the others are ruled out.",
    )
    table = {
        "Cell": [words.cell(grid, cell) for cell in cells],
        "What the published table says": [_covered(release, cell) for cell in cells],
        "What the attack finds": [holds(known[cell]) if cell in known else "not certain" for cell in cells],
    }
    return before, after, asked, alone, pd.DataFrame(table)


def _low(figure: Picture) -> Picture:
    return replace(figure, height=320)


def _beside(figure: Picture) -> Picture:
    """The second picture: the first has named a box, a 0 needs no key, and one line of legend keeps both level."""
    legend = [mark for mark in figure.legend if not mark.name.startswith((BOX.name, NOBODY.name))]
    return _low(replace(figure, legend=legend))


def _covered(release: Release, cell: Cell) -> str:
    """How many people the boxes hold that reach a cell: of a box on it alone all, and of another one perhaps some."""
    reached = [(one.size, cells) for one in release.classes if cell in (cells := list(release.grid.cells(one.segment)))]
    said = [f"all {size}" if len(cells) == 1 else f"perhaps some of {size}" for size, cells in reached]
    return ", ".join(said) or "nothing"
