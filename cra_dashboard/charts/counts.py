"""Numbers on the segment grid: one filling of a class, a chance per cell, who stands alone.

Where a tile stands for several cells it carries their sum.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from cra_dashboard.charts.look import texts_fit
from cra_dashboard.charts.ownership import class_box, owner_in_words, release_outlines
from cra_dashboard.charts.picture import Outline, Picture
from cra_dashboard.charts.tiled import Shown, box_mask, cells_mask, tiled_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import ALONE, BEYOND, BLANK, LIKELY, RAW, TAKEN, Mark, opacity_of
from cra_dashboard.texts.numbering import colour_of
from cra_engine import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.study.grid import Cell, Grid, Segment
from cra_engine.words import how_many, percent, short_percent

_BESIDE = (BLANK, "", "outside the box")
_GONE = (TAKEN, TAKEN.sign, TAKEN.name)
EXPECTED = "Expected number of cells behind each tile with exactly one person."  # for :func:`.behind_tiles`


def filling_figure(part: ClassAttack, counts: Sequence[int], view: View) -> Picture:
    """Draw for any page one way to spread a class's records over its free cells; a record alone in its cell stands out.

    Args:
        part: the class.
        counts: records per free cell, in their order.
        view: the part of the grid to show.
    """
    grid, own = part.release.grid, colour_of(part.release, part.index)
    held = np.zeros(grid.shape, dtype=np.int64)
    for cell, count in zip(part.free_cells, counts, strict=True):
        held[cell] = count
    arrays = (box_mask(grid, part.segment), cells_mask(grid, part.free_cells), held)
    inside, free, records = map(view.project, arrays)
    one = replace(ALONE, name="one person")
    several = Mark(own, "several people" if view.flat else "people", opacity=0.5)

    def shown(x: int, y: int) -> Shown:
        number = int(records[x, y])
        if not free[x, y]:
            return _GONE if inside[x, y] else _BESIDE
        mark = several if number > view.flat else one if number else BLANK
        return mark, str(number), how_many(number, "person", "people")

    return tiled_figure(
        grid, view, shown, class_box(part, view), keys=[one, several, TAKEN], heading="Number of people:"
    )


def chance_figure(
    grid: Grid,
    chances: Iterable[tuple[Cell, float]],
    view: View,
    segment: Segment | None = None,
    boxes: Sequence[Outline] = (),
    beyond: Iterable[Cell] = (),
    of: str = "exactly one person",
) -> Picture:
    """Draw for any page a probability per cell, in percent; a tile for several cells has their expected number.

    What is certain is framed.

    Args:
        grid: the grid of the cells.
        chances: cells with their probability.
        view: the part of the grid to show.
        segment: the box of the class that it is about.
        boxes: their borders.
        beyond: cells outside all labels, that may hold somebody with a chance that nobody knows.
        of: what is in a cell with that probability.
    """
    known, chance = np.zeros(grid.shape, dtype=bool), np.zeros(grid.shape)
    for cell, probability in chances:
        known[cell], chance[cell] = True, probability
    boxed = view.project(box_mask(grid, segment)) if segment else np.zeros((view.columns, view.rows), dtype=np.int64)
    given, sums, unknown = view.project(known), view.project(chance), view.project(cells_mask(grid, beyond))
    # Expected numbers of cells pass 1; their colours run up to the largest.
    most = 1.0 if view.flat else max(1.0, float(sums.max(initial=0.0)))

    sign = " %" if texts_fit(view.columns, [">99 %"]) else ""

    def shown(x: int, y: int) -> Shown:
        value = float(sums[x, y])
        if not given[x, y]:
            if unknown[x, y]:
                return BEYOND, BEYOND.sign, BEYOND.name
            return _GONE if boxed[x, y] else _BESIDE if segment else (BLANK, "", "no number")
        if view.flat:
            return Mark(LIKELY, opacity=opacity_of(value)), f"{short_percent(value)}{sign}", percent(value)
        # An expected number of cells is never certain, however large.
        mark = Mark(LIKELY, opacity=opacity_of(min(value / most, 0.999)))
        return mark, f"{value:.1f}", f"{value:.2f} cells expected"

    certain = np.argwhere(sums >= 1).tolist() if view.flat else []
    frames = [Outline(x, x + 1, y, y + 1, LIKELY, width=5) for x, y in certain]
    ends = {"0 %": 0.0, "50 %": 0.5, "99 %": 0.99} | ({"100 %: certain": 1.0} if frames else {})
    ends = ends if view.flat else {"0 cells": 0.0, f"{most:.1f} cells expected": 0.999}
    scale = [Mark(LIKELY, name, opacity=opacity_of(value)) for name, value in ends.items()]
    heading = (
        f"Chance of {of}{'' if sign else ', in percent'}:" if view.flat else f"Expected number of cells with {of}:"
    )
    return tiled_figure(grid, view, shown, [*boxes, *frames], scale=scale, keys=[TAKEN, BEYOND], heading=heading)


def isolated_figure(
    attack: Attack,
    cells: Iterable[Cell],
    view: View,
    part: ClassAttack | None = None,
) -> Picture:
    """Draw for any page the cells in which exactly one record lies; a tile for several cells has how many of them.

    Args:
        attack: for the grid and the owners.
        cells: the isolated cells.
        view: the part of the grid to show.
        part: the class that it is about, its box thick.
    """
    grid = attack.release.grid
    alone = view.project(cells_mask(grid, cells))
    filled = RAW if view.flat else replace(RAW, sign="", name="cells with one record in the raw table")

    def shown(x: int, y: int) -> Shown:
        number = int(alone[x, y])
        told = f"{how_many(number, 'cell')} with exactly one person"
        if view.flat:
            told = "exactly one person" if number else "nobody, or more than one"
            told += f"\n{owner_in_words(attack, view.cells(x, y)[0])}"
        return (filled, filled.sign or str(number), told) if number else (BLANK, "", told)

    outlines = release_outlines(grid, attack.release, view) if part is None else class_box(part, view)
    return tiled_figure(grid, view, shown, outlines, keys=[filled], heading="" if view.flat else "Number of cells:")
