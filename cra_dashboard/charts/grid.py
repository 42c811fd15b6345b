"""The segment grid as a picture: equal cells, filled and labelled, with segments outlined on top (paper, Figure 1).

The axes count leaves, not values, so that every cell is readable however narrow its intervals are; the tick labels are
the intervals' boundaries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from cra_dashboard import palette
from cra_dashboard.charts.look import _CHARACTER, _GAP, HEIGHT, NARROWEST, axis_title, picture, scatter, texts_fit
from cra_dashboard.charts.ticks import ticks_of
from cra_dashboard.palette import Mark
from cra_engine.study.hierarchy import Hierarchy

_MOST_CATEGORIES, _LONGEST_CATEGORY = 20, 14  # named on an axis; the pointer tells the others
_BELOW, _TITLE = 58, 46  # room for an axis of numbers: below, and on the left beside its numbers
_MOST_TEXT_ROWS = 18  # more would stand on each other
_INSET = 0.05  # of a cell: keeps outlines that share an edge apart


@dataclass(frozen=True)
class Tile:
    """One cell of a figure of the grid, with its fill and text.

    Attributes:
        x: leaf index across; y: leaf index upwards (0 where there is one attribute).
        fill: role colour (``#RRGGBB``), None for no fill.
        text: stands in the cell where there is room.
        hover: what the pointer shows; lines are parted by ``<br>``.
        opacity: of the fill.
    """

    x: int
    y: int
    fill: str | None
    text: str
    hover: str
    opacity: float = 0.35


@dataclass(frozen=True)
class Outline:
    """A segment's border in a figure, in leaf indices: ``x0`` and ``y0`` inside, ``x1`` and ``y1`` one past.

    Attributes:
        colour: role colour.
        label: stands in the upper left corner where there is room.
        dash: ``"solid"``, ``"dash"`` or ``"dot"``, beside the colour.
        width: of the line in pixels.
        opacity: of the box's fill.
    """

    x0: int
    x1: int
    y0: int
    y1: int
    colour: str
    label: str = ""
    dash: str = "solid"
    width: float = 3
    opacity: float = 0


@dataclass(frozen=True, eq=False)
class Points:
    """Raw records drawn as dots in a figure of the grid.

    Attributes:
        x: places across (see :func:`leaf_positions`); y: places upwards, None where there is one attribute.
        name: what they are called.
        colour: of each.
        symbol: a Plotly marker of each, beside the colour.
        size: of each in pixels.
    """

    x: ArrayLike
    y: ArrayLike | None
    name: str
    colour: Sequence[str]
    symbol: Sequence[str]
    size: Sequence[int]


def grid_figure(
    x_attribute: Hierarchy,
    y_attribute: Hierarchy | None,
    tiles: Sequence[Tile],
    outlines: Sequence[Outline] = (),
    *,
    points: Sequence[Points] = (),
    legend: Sequence[Mark] = (),
    heading: str = "",
) -> go.Figure:
    """Draw for any page the segment grid of two attributes, or of one as a single row.

    Args:
        x_attribute: runs across.
        y_attribute: runs upwards; None for a single row.
        tiles: cells with something to show; one marker each, in this order, carries ``customdata = [x, y]``.
        outlines: segments; those of a later style lie on top.
        points: raw records.
        legend: the marks to explain, in this order.
        heading: of the legend.
    """
    columns, rows = x_attribute.leaves, 1 if y_attribute is None else y_attribute.leaves
    traces = [_dots(dots) for dots in points]
    labels = [tile.text for tile in tiles]
    if any(labels) and texts_fit(columns, labels) and rows <= _MOST_TEXT_ROWS:
        traces.append(_text([(tile.x + 0.5, tile.y + 0.5) for tile in tiles], labels, "middle center", bold=False))
    named = [o for o in outlines if o.label and texts_fit(columns, [o.label], o.x1 - o.x0)]
    if named:
        places = [(o.x0 + 1.5 * _INSET, o.y1 - _INSET) for o in named]
        traces.append(_text(places, [o.label for o in named], "bottom right", bold=True))
    return picture(
        [*traces, _targets(tiles), *legend_entries(legend)],
        legend={"title": {"text": heading}},
        shapes=_fills(tiles) + _borders(outlines),
        xaxis=axis_of(x_attribute),
        yaxis={"visible": False, "range": [0, 1]} if y_attribute is None else axis_of(y_attribute),
        # The same for every number of legend entries: a picture that is stepped through holds still.
        height=230 if rows == 1 else HEIGHT,
        margin={"l": _left(y_attribute), "r": 28, "t": 14, "b": 8 if not x_attribute.numeric else _BELOW},
    )


def legend_entries(marks: Sequence[Mark]) -> list[go.Scatter]:
    """Return a figure's legend as traces without points: its fills are shapes, which have no legend."""
    entries = []
    for mark in marks:
        # The faint end of a scale would not be seen. What has no fill is explained by its sign alone.
        look = {"symbol": mark.symbol, "size": 14, "color": mark.colour, "opacity": min(1.0, mark.opacity + 0.15)}
        shown: dict[str, Any] = {"mode": "markers", "marker": look} if mark.colour else {"mode": "text"}
        entries.append(scatter(x=[None], y=[None], name=f"{mark.sign} {mark.name}".strip(), **shown))
    return entries


def leaf_positions(attribute: Hierarchy, leaves: NDArray[np.int64], values: ArrayLike | None = None) -> NDArray[Any]:
    """Return where records are drawn on an axis that counts leaves, clear of the cells' borders.

    Args:
        attribute: the axis.
        leaves: leaf index per record.
        values: the records' numbers; None for categories, which are spread over their cell.
    """
    if values is None:
        return np.asarray(leaves + _spread(len(leaves)))
    edges = np.array([float(node.lower) for node in attribute.layer_nodes[0]] + [float(_upper(attribute))])
    share = (np.asarray(values, dtype=float) - edges[leaves]) / (edges[leaves + 1] - edges[leaves])
    return np.asarray(leaves + 0.1 + 0.8 * share)


def axis_of(attribute: Hierarchy) -> dict[str, Any]:
    """Return a figure's axis that counts the leaves of an attribute, in Plotly's words."""
    places, labels = boundaries(attribute) if attribute.numeric else _categories(attribute)
    return {
        "title": {"text": axis_title(attribute)},
        "range": [0, attribute.leaves],
        "showgrid": attribute.numeric,
        "tickvals": places,
        "ticktext": labels,
        "ticks": "outside" if attribute.numeric else "",
        # Names may be turned. Numbers are measured beforehand: for a margin that it has to find out, the browser draws
        # everything twice.
        "automargin": not attribute.numeric,
        # Past some 30 cells the lines between them would be all one sees.
        "minor": {"tickvals": list(range(attribute.leaves + 1)), "showgrid": attribute.leaves <= 32},
    }


def _left(attribute: Hierarchy | None) -> int:
    """Room in pixels for an axis on the left: its title, and its longest number."""
    if attribute is None or not attribute.numeric:
        return 8
    _, labels = boundaries(attribute)
    return _TITLE + _CHARACTER * max(map(len, labels))


def boundaries(attribute: Hierarchy) -> tuple[list[float], list[str]]:
    """Return where an axis of a grid figure writes the ends of intervals, and which: as fine as there is room for."""
    return ticks_of(attribute, attribute.layer_nodes[_labelled_layer(attribute) - 1])


def _categories(attribute: Hierarchy) -> tuple[list[float], list[str]]:
    nodes = attribute.layer_nodes[0]
    if len(nodes) > _MOST_CATEGORIES:
        return [], []
    shown = [n.label if len(n.label) <= _LONGEST_CATEGORY else n.label[: _LONGEST_CATEGORY - 1] + "…" for n in nodes]
    return [node.start + 0.5 for node in nodes], [escape(label, quote=False) for label in shown]


def _upper(attribute: Hierarchy) -> Decimal:
    return attribute.layer_nodes[0][-1].upper


def _spread(number: int) -> NDArray[Any]:
    """Places within a cell, one per record (golden ratio), so that equal values stay countable."""
    return np.asarray(0.12 + 0.76 * ((np.arange(number) * 0.618034) % 1))


def _labelled_layer(attribute: Hierarchy) -> int:
    """The finest layer whose boundaries can all be labelled without crowding."""
    for layer in range(1, attribute.layers):
        nodes = attribute.layer_nodes[layer - 1]
        longest = max(map(len, ticks_of(attribute, nodes)[1]))
        if len(nodes) * (longest * _CHARACTER + 2 * _GAP) <= NARROWEST:
            return layer
    return attribute.layers


def _fills(tiles: Sequence[Tile]) -> list[dict[str, Any]]:
    """One path per look, here and for the borders: the browser would take seconds over thousands of shapes."""
    paths: dict[tuple[str, float], list[str]] = {}
    for tile in tiles:
        if tile.fill is not None:
            square = f"M{tile.x},{tile.y}H{tile.x + 1}V{tile.y + 1}H{tile.x}Z"
            paths.setdefault((tile.fill, tile.opacity), []).append(square)
    return [
        {
            "type": "path",
            "path": "".join(squares),
            "fillcolor": fill,
            "opacity": opacity,
            "line": {"width": 0},
            "layer": "below",
        }
        for (fill, opacity), squares in paths.items()
    ]


def _borders(outlines: Sequence[Outline]) -> list[dict[str, Any]]:
    paths: dict[tuple[str, str, float, float], list[str]] = {}
    for outline in outlines:
        x0, x1 = outline.x0 + _INSET, outline.x1 - _INSET
        y0, y1 = outline.y0 + _INSET, outline.y1 - _INSET
        style = (outline.colour, outline.dash, outline.width, outline.opacity)
        paths.setdefault(style, []).append(f"M{x0},{y0}H{x1}V{y1}H{x0}Z")
    return [
        {
            "type": "path",
            "path": "".join(rectangles),
            "line": {"color": colour, "dash": dash, "width": width},
            "fillcolor": palette.see_through(colour, opacity),
            "layer": "above",
        }
        for (colour, dash, width, opacity), rectangles in paths.items()
    ]


def _text(places: Sequence[tuple[float, float]], labels: Sequence[str], position: str, *, bold: bool) -> go.Scatter:
    return scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        text=[f"<b>{label}</b>" if bold and label else label for label in labels],
        mode="text",
        textposition=position,
    )


def _dots(dots: Points) -> go.Scatter:
    x = np.asarray(dots.x)
    y = _spread(len(x)) if dots.y is None else dots.y
    return scatter(
        # Lists: Plotly packs arrays in a way of its own.
        x=x.tolist(),
        y=np.asarray(y).tolist(),
        name=dots.name,
        mode="markers",
        marker={
            "size": dots.size,
            "color": dots.colour,
            "symbol": dots.symbol,
            "opacity": 0.85,
            # Hollow marks drawn with less are lost on a projector.
            "line": {"width": [2 if symbol.endswith("-open") else 0 for symbol in dots.symbol]}
            | {"color": list(dots.colour)},
        },
    )


def _targets(tiles: Sequence[Tile]) -> go.Scatter:
    """What answers to the pointer, and is read out: nothing is drawn for it."""
    return scatter(
        x=[tile.x + 0.5 for tile in tiles],
        y=[tile.y + 0.5 for tile in tiles],
        customdata=[[tile.x, tile.y] for tile in tiles],
        meta="cells",
        text=[tile.hover for tile in tiles],
        mode="markers",
    )
