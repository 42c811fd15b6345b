"""Numbers on the segment grid: one filling of a class, a chance per cell, who stands alone.

Where a tile stands for several cells it carries their sum.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import plotly.graph_objects as go

from cra_dashboard.charts.grid import Outline, Tile
from cra_dashboard.charts.ownership import class_outlines, owner_in_words
from cra_dashboard.charts.tiled import TAKEN, Key, box_mask, cells_mask, draw, segment_outline
from cra_dashboard.charts.view import View
from cra_dashboard.palette import ISOLATED, LIKELY, OWN, STOLEN, opacity_of
from cra_dashboard.texts.numbering import colour_of
from cra_engine import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.study.grid import Cell, Grid, Segment
from cra_engine.words import how_many, percent, short_percent


def filling_figure(part: ClassAttack, counts: Sequence[int], view: View) -> go.Figure:
    """One way to spread a class's records over its free cells; a record that is alone in its cell stands out.

    Args:
        part: the class.
        counts: records per free cell, in their order.
        view: the part of the grid to show.
    """
    grid, own = part.release.grid, colour_of(part.release, part.index)
    held = np.zeros(grid.shape, dtype=np.int64)
    for cell, count in zip(part.free_cells, counts, strict=True):
        held[cell] = count
    inside, free = view.project(box_mask(grid, part.segment)), view.project(cells_mask(grid, part.free_cells))
    records = view.project(held)
    tiles = []
    for x, y in np.ndindex(view.columns, view.rows):
        where, number = view.describe(grid.attributes, x, y), int(records[x, y])
        if not inside[x, y]:
            tiles.append(Tile(x, y, None, "", f"{where}<br>outside the box"))
        elif not free[x, y]:
            tiles.append(Tile(x, y, STOLEN, TAKEN, f"{where}<br>taken by an earlier class", opacity=0.2))
        else:
            fill = None if not number else ISOLATED if number == 1 and view.flat else own
            tiles.append(Tile(x, y, fill, str(number), f"{where}<br>{how_many(number, 'record')}", opacity=0.45))
    keys = [Key(ISOLATED, "1 record, alone in its cell")] if view.flat else []
    keys.append(Key(own, "2 records or more" if view.flat else "records"))
    if part.stolen:
        keys.append(Key(STOLEN, f"{TAKEN} taken", 0.3))
    return draw(grid, view, tiles, segment_outline(grid, part.segment, view, own), keys)


def chance_figure(
    grid: Grid,
    chances: Iterable[tuple[Cell, float]],
    view: View,
    segment: Segment | None = None,
    colour: str = OWN,
) -> go.Figure:
    """A probability per cell, in percent; where a tile stands for several cells, the expected number of such cells.

    What is certain is framed.

    Args:
        grid: the grid of the cells.
        chances: cells with their probability.
        view: the part of the grid to show.
        segment: the box of the class that it is about, outlined.
        colour: of that class.
    """
    known, chance = np.zeros(grid.shape, dtype=bool), np.zeros(grid.shape)
    for cell, probability in chances:
        known[cell], chance[cell] = True, probability
    boxed = view.project(box_mask(grid, segment)) if segment else np.zeros((view.columns, view.rows), dtype=np.int64)
    given, sums = view.project(known), view.project(chance)
    # Expected numbers of cells pass 1; their colours run up to the largest.
    most = 1.0 if view.flat else max(1.0, float(sums.max(initial=0.0)))
    tiles, frames = [], []
    for x, y in np.ndindex(view.columns, view.rows):
        where, value = view.describe(grid.attributes, x, y), float(sums[x, y])
        if not given[x, y]:
            taken = bool(boxed[x, y])
            told = f"{where}<br>{'taken by an earlier class' if taken else 'outside the box'}" if segment else where
            tiles.append(Tile(x, y, STOLEN if taken else None, TAKEN if taken else "", told, opacity=0.2))
            continue
        text, told = (
            (short_percent(value), percent(value)) if view.flat else (f"{value:.1f}", f"{value:.2f} cells expected")
        )
        # An expected number of cells is never certain, however large.
        opacity = opacity_of(value) if view.flat else opacity_of(min(value / most, 0.999))
        tiles.append(Tile(x, y, LIKELY, text, f"{where}<br>{told}", opacity=opacity))
        if view.flat and value >= 1:
            frames.append(Outline(x, x + 1, y, y + 1, LIKELY, width=5))
    ends = (
        (("0 %", 0.0), ("50 %", 0.5), ("99 %", 0.99), *((("100 %: certain", 1.0),) if frames else ()))
        if view.flat
        else (("0 cells", 0.0), (f"{most:.1f} cells expected", 0.999))
    )
    keys = [Key(LIKELY, name, opacity_of(value)) for name, value in ends]
    if (boxed.astype(bool) & ~given.astype(bool)).any():
        keys.append(Key(STOLEN, f"{TAKEN} taken", 0.3))
    box = segment_outline(grid, segment, view, colour) if segment else []
    return draw(grid, view, tiles, [*box, *frames], keys)


def isolated_figure(attack: Attack, cells: Iterable[Cell], view: View, part: ClassAttack | None = None) -> go.Figure:
    """The cells in which exactly one record lies; where a tile stands for several cells, how many of them.

    Args:
        attack: for the grid and the owners.
        cells: the isolated cells.
        view: the part of the grid to show.
        part: the class that it is about, outlined.
    """
    grid = attack.release.grid
    alone = view.project(cells_mask(grid, cells))
    tiles = []
    for x, y in np.ndindex(view.columns, view.rows):
        where, number = view.describe(grid.attributes, x, y), int(alone[x, y])
        if view.flat:
            told = "exactly one person" if number else "nobody, or more than one"
            told += f"<br>{owner_in_words(attack, view.cells(x, y)[0])}"
        else:
            told = f"{how_many(number, 'cell')} with exactly one person"
        tiles.append(
            Tile(x, y, ISOLATED if number else None, str(number) if number else "", f"{where}<br>{told}", opacity=0.55)
        )
    outlines = class_outlines(attack, view) if part is None else []
    if part is not None:
        outlines = segment_outline(grid, part.segment, view, colour_of(attack.release, part.index))
    return draw(
        grid,
        view,
        tiles,
        outlines,
        [Key(ISOLATED, "1 exactly one person" if view.flat else "cells with exactly one person")],
    )
