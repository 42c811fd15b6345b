"""The cells of which a released table alone shows that they hold exactly one person."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cra_dashboard.charts.grid import Tile
from cra_dashboard.charts.ownership import Key, draw
from cra_dashboard.charts.view import View
from cra_dashboard.palette import ISOLATED
from cra_engine import Cell, Grid
from cra_engine.words import how_many


def certain_figure(grid: Grid, cells: Sequence[Cell], view: View) -> go.Figure:
    """Mark the cells; where a tile stands for several cells, how many of them.

    Args:
        grid: the grid of the cells.
        cells: those with exactly one person for certain.
        view: the part of the grid to show.
    """
    mask = np.zeros(grid.shape, dtype=bool)
    for cell in cells:
        mask[cell] = True
    marked = view.project(mask)
    tiles = []
    for x, y in np.ndindex(view.columns, view.rows):
        number = int(marked[x, y])
        told = f"{how_many(number, 'cell')} with exactly one person" if number else "nothing is certain here"
        if number and view.flat:
            told = "exactly one person, for certain"
        where = view.describe(grid.attributes, x, y)
        tiles.append(Tile(x, y, ISOLATED if number else None, str(number or ""), f"{where}<br>{told}", opacity=0.55))
    name = "1 exactly one person for certain" if view.flat else "cells with exactly one person for certain"
    return draw(grid, view, tiles, [], [Key(ISOLATED, name)])
