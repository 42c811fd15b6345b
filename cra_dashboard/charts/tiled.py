"""What the pictures on the segment grid are made of: tiles with a legend, the border of a box, masks of cells."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.grid import Outline, Tile, grid_figure
from cra_dashboard.charts.look import scatter
from cra_dashboard.charts.view import View
from cra_dashboard.palette import SUPPRESSED
from cra_engine.study.grid import Cell, Grid, Segment

TAKEN = "✕"  # stands on a cell that an earlier class took


@dataclass(frozen=True)
class Key:
    """One entry of a picture's legend."""

    colour: str
    name: str
    opacity: float = 0.5


def draw(
    grid: Grid, view: View, tiles: Sequence[Tile], outlines: Sequence[Outline], keys: Sequence[Key] = ()
) -> go.Figure:
    """The tiles on the view's two attributes, with a legend."""
    # Traces without points: fills are shapes, which have no legend.
    legend = [
        scatter(
            x=[None],
            y=[None],
            mode="markers",
            name=key.name,
            marker={
                "symbol": "square",
                "size": 14,
                "color": key.colour,
                "opacity": min(1.0, key.opacity + 0.15),
                # The dark end of a scale would not be seen on a dark page.
                "line": {"width": 1, "color": SUPPRESSED},
            },
        )
        for key in keys
    ]
    return grid_figure(*view.axes(grid.attributes), tiles, outlines, more=legend)


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
