"""The picture of the tight attack: which cells are certain."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from cra_dashboard.charts.look import texts_fit
from cra_dashboard.charts.ownership import release_outlines
from cra_dashboard.charts.picture import Picture
from cra_dashboard.charts.tiled import Shown, cells_mask, segment_outline, tiled_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import ALONE, BLANK, CHOSEN, NOBODY, OPEN, OWN, SEVERAL, Mark, known
from cra_dashboard.texts.tight_story import holds
from cra_engine import Release
from cra_engine.assess.assessment import Assessment
from cra_engine.attacks.solver.views import KnownCells
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import how_many, spanned

COUNTED = "How many cells behind each tile become certain, not how many people."  # for :func:`.behind_tiles`
NEW = "new"  # stands below the number of a cell that was not certain before


def spans_of(known: KnownCells) -> dict[Cell, tuple[int, int]]:
    """Return for the figure, per cell that may hold somebody, how few and how many people it can hold."""
    return {view.cell: (view.lowest, view.highest) for view in known.cells}


def assessed_figure(assessed: Assessment, grid: Grid, view: View) -> Picture:
    """Draw for any page what an assessment knows of every cell; without the tight attack, certain ones alone."""
    spans = dict.fromkeys(assessed.certain_cells, (1, 1))
    if assessed.tight is not None:
        spans |= spans_of(assessed.tight)
    release = assessed.release if isinstance(assessed.release, Release) else None
    return certain_figure(grid, spans, view, release)


def marks_new(drawn: Picture) -> bool:
    """Tell whether some cell of a :func:`certain_figure` is marked new."""
    return any(tile.text.endswith(NEW) for tile in drawn.tiles)


def certain_figure(
    grid: Grid,
    spans: Mapping[Cell, tuple[int, int]],
    view: View,
    release: Release | None = None,
    chosen: Cell | None = None,
    fresh: Collection[Cell] = (),
) -> Picture:
    """Draw what is known of every cell; in a tile of several cells stands how many of them are certain, as cells.

    Args:
        grid: the grid of the cells.
        spans: per cell how few and how many people it can hold.
        view: the part of the grid to show.
        release: whose boxes are drawn, where it has the same cells.
        chosen: a cell to outline.
        fresh: cells that were not certain before, where others were.
    """
    certain = [cell for cell, (fewest, most) in spans.items() if fewest == most]
    behind = view.project(cells_mask(grid, certain))
    single = view.project(cells_mask(grid, [cell for cell in certain if spans[cell] == (1, 1)]))
    room = texts_fit(view.columns, [f"22 {NEW}"])

    def of_cell(x: int, y: int) -> Shown:
        (here,) = view.cells(x, y)
        if here not in spans:
            return BLANK, "", ""
        fewest, most = spans[here]
        mark, text = known(fewest, most)
        if mark is OPEN:
            return mark, text, f"{spanned(fewest, most)} people"
        told = f"{holds(most)}, for certain"
        if here in fresh:
            return mark, f"{text}\n{NEW}" if room else text, f"{told}, {NEW}"
        return mark, text, told

    def of_several(x: int, y: int) -> Shown:
        number, alone = int(behind[x, y]), int(single[x, y])
        if not number:
            return BLANK, "", ""
        cells = how_many(number, "cell")
        told = f"{cells} with a certain number of people, {alone or 'none'} of them with exactly one"
        # A lone number would be read as people, as where a tile is a single cell.
        return one_person if alone else some, cells.replace(" ", "\n"), told

    some = Mark(OWN, "none with exactly one person")
    one_person = replace(ALONE, name="some with exactly one person", sign="")
    outlines = release_outlines(grid, release, view)
    if chosen is not None:
        outlines += segment_outline(grid, grid.cell_segment(chosen), view, CHOSEN, "the cell asked about")
    if not view.flat:
        heading = "Number of cells that are certain:"
        return tiled_figure(grid, view, of_several, outlines, keys=[one_person, some], heading=heading)
    return tiled_figure(grid, view, of_cell, outlines, keys=[ALONE, SEVERAL, NOBODY, OPEN], heading="Number of people:")
