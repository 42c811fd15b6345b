"""The picture of a grid as every page draws it: a mark per tile, the borders of boxes, and the legend of its marks."""

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.grid import Outline, Points, Tile, grid_figure
from cra_dashboard.charts.look import texts_fit
from cra_dashboard.charts.view import View
from cra_dashboard.palette import BOX_OPACITY, BOX_WIDTH, Mark, dash_of, of_class
from cra_engine.study.grid import Cell, Grid, Segment

Shown = tuple[Mark, str, str]
"""What a tile shows: its mark, what stands in it, and what the pointer tells below its place."""


def tiled_figure(
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
    """Draw for any page any tiles on a view's two attributes, with a legend.

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


def box_outlines(
    grid: Grid,
    boxes: Iterable[tuple[int, Segment]],
    view: View,
    names: Callable[[int], Sequence[str]] = lambda number: [str(number)],
    chosen: Collection[int] = (),
) -> list[Outline]:
    """Outline the published boxes in the grid's figure, each in its class's colour, the wider ones below.

    Args:
        grid: the cells.
        boxes: with the numbers of their classes.
        view: the part of the grid to show.
        names: what may stand at a box, the first that fits; the number of its class where left out.
        chosen: numbers of the classes whose boxes stand out.
    """
    found = []
    borders = [(number, border) for number, segment in boxes if (border := view.outline(grid, segment)) is not None]
    corners: dict[tuple[int, int], list[int]] = {}
    for number, (x0, _, _, y1) in borders:
        corners.setdefault((x0, y1), []).append(number)
    for number, border in borders:
        # Boxes that begin at one corner are named there together, by the first of them.
        first, *more = corners[border[0], border[3]]
        offered = [", ".join(map(str, (first, *more))), f"{first}+"] if more else names(number)
        name = next((n for n in offered if texts_fit(view.columns, [n], border[1] - border[0])), "")
        width = 2 * BOX_WIDTH if number in chosen else BOX_WIDTH
        shown = name if number == first else ""
        found.append(Outline(*border, of_class(number), shown, dash_of(number), width, BOX_OPACITY))
    return sorted(found, key=lambda one: (one.width, -(one.x1 - one.x0) * (one.y1 - one.y0)))


def segment_outline(grid: Grid, segment: Segment, view: View, colour: str) -> list[Outline]:
    """Return the border of a box for a figure, as far as the view meets it."""
    border = view.outline(grid, segment)
    return [] if border is None else [Outline(*border, colour, "", "solid", 4)]


def box_mask(grid: Grid, segment: Segment) -> NDArray[np.bool_]:
    """Mark the cells of a box for a figure: True there, in the grid's shape."""
    mask = np.zeros(grid.shape, dtype=bool)
    mask[grid.slices(segment)] = True
    return mask


def cells_mask(grid: Grid, cells: Iterable[Cell]) -> NDArray[np.bool_]:
    """Mark these cells for a figure: True there, in the grid's shape."""
    mask = np.zeros(grid.shape, dtype=bool)
    for cell in cells:
        mask[cell] = True
    return mask
