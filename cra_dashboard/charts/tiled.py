"""The picture of a grid as every page draws it: a mark per tile, the borders of boxes, and the legend of its marks."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.grid import Outline, Points, Tile, grid_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import Mark
from cra_engine.study.grid import Cell, Grid, Segment

Shown = tuple[Mark, str, str]
"""What a tile shows: its mark, what stands in it, and what the pointer tells below its place."""


def draw(
    grid: Grid,
    view: View,
    shown: Callable[[int, int], Shown],
    outlines: Iterable[Outline] = (),
    *,
    keys: Sequence[Mark] = (),
    scale: Sequence[Mark] = (),
    points: Sequence[Points] = (),
    heading: str = "",
) -> go.Figure:
    """The tiles on the view's two attributes, with a legend.

    Args:
        grid: the cells.
        view: the part of the grid to show.
        shown: per tile, its place across and upwards.
        outlines: borders of boxes.
        keys: marks that the legend explains where some tile has them.
        scale: marks that it explains in any case, before these.
        points: raw records.
        heading: of the legend.
    """
    tiles, worn = [], set()
    for x, y in np.ndindex(view.columns, view.rows):
        mark, text, told = shown(x, y)
        worn.add(mark)
        where = view.describe(grid.attributes, x, y)
        hover = f"{where}<br>{told}" if told else where
        tiles.append(Tile(x, y, mark.colour or None, text, hover, mark.opacity))
    legend = [*scale, *(key for key in keys if key in worn)]
    return grid_figure(
        *view.axes(grid.attributes), tiles, list(outlines), points=points, legend=legend, heading=heading
    )


def segment_outline(grid: Grid, segment: Segment, view: View, colour: str, width: int = 4) -> list[Outline]:
    """The border of a box as far as the view meets it."""
    border = view.outline(grid, segment)
    return [] if border is None else [Outline(*border, colour, "", "solid", width)]


def box_mask(grid: Grid, segment: Segment) -> NDArray[np.bool_]:
    """True for the cells of a box, in the grid's shape."""
    mask = np.zeros(grid.shape, dtype=bool)
    mask[grid.slices(segment)] = True
    return mask


def cells_mask(grid: Grid, cells: Iterable[Cell]) -> NDArray[np.bool_]:
    """True for these cells, in the grid's shape."""
    mask = np.zeros(grid.shape, dtype=bool)
    for cell in cells:
        mask[cell] = True
    return mask
