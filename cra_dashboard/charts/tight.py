"""Pictures of the tight attack: how many tables are left, and which cells are certain."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from cra_dashboard.charts.grid import Tile
from cra_dashboard.charts.look import LOOK, axis
from cra_dashboard.charts.possibilities import times_ticks
from cra_dashboard.charts.tiled import Key, cells_mask, draw, segment_outline
from cra_dashboard.charts.view import View
from cra_dashboard.palette import CHOSEN, INK, ISOLATED, OWN, SUPPRESSED
from cra_dashboard.texts.tight_story import BY_ITSELF, INTERVALS, TOGETHER, holds, relative_error
from cra_engine import TightAttack
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import how_many, percent, power, times_fewer

FONT = 13
_NARROW = 0.5  # decades: the axis shows at least that much


def tables_figure(tight: TightAttack) -> go.Figure:
    """How many times fewer tables each way of reading the release leaves than the intervals, on a logarithmic axis.

    The ratio is drawn: the numbers themselves differ by little beside how large they are. An estimate has an error bar.
    """
    promised = tight.log10_worlds_intervals
    rows = [
        (INTERVALS, tight.log10_worlds_intervals, "circle-open", SUPPRESSED),
        (BY_ITSELF, tight.log10_worlds_per_class, "diamond-open", OWN),
        (TOGETHER, tight.log10_worlds, "diamond", OWN),
    ]
    known = [(name, promised - value) for name, value, _, _ in rows if value is not None]
    figure = go.Figure()
    figure.add_scatter(
        x=[value for _, value in known],
        y=[_wrapped(name) for name, _ in known],
        mode="lines",
        line={"color": SUPPRESSED, "width": 2, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )
    for name, value, symbol, colour in rows:
        error = tight.log10_worlds_stderr if name == TOGETHER and tight.worlds is None else None
        figure.add_scatter(
            x=[None if value is None else promised - value],
            y=[_wrapped(name)],
            mode="markers+text",
            text=["" if value is None else times_fewer(promised, value)],
            textposition="top center",
            textfont={"size": FONT + 1, "color": INK},
            cliponaxis=False,
            name=name,
            marker={"size": 14, "symbol": symbol, "color": colour, "line": {"width": 2, "color": colour}},
            error_x={"type": "data", "array": [error], "color": colour, "thickness": 2, "width": 8} if error else {},
            hovertext=[_told(tight, name, value)],
            hoverinfo="text",
            showlegend=False,
        )
    highest = max(_NARROW, *(value for _, value in known))
    figure.layout = go.Layout(
        **LOOK,
        height=260,
        margin={"l": 8, "r": 24, "t": 16, "b": 8},
        xaxis=axis(
            "times fewer tables than the intervals allow",
            FONT,
            # Room for the words above the marks.
            range=[-0.18 * highest, 1.18 * highest],
            **times_ticks(highest),
        ),
        yaxis=axis(
            categoryorder="array", categoryarray=[_wrapped(name) for name, *_ in reversed(rows)], range=[-0.6, 2.6]
        ),
    )
    return figure


def told_of_tables(tight: TightAttack) -> str:
    """The picture in one sentence."""
    rows = [
        (INTERVALS, tight.log10_worlds_intervals),
        (BY_ITSELF, tight.log10_worlds_per_class),
        (TOGETHER, tight.log10_worlds),
    ]
    return "Possible tables, logarithmic. " + "; ".join(_told(tight, name, value) for name, value in rows)


def _told(tight: TightAttack, name: str, value: float | None) -> str:
    if value is None:
        return f"{name}: not known"
    if name != TOGETHER:
        return f"{name}: {power(value)} tables"
    most = "at most " if tight.relaxed else ""
    kind = "" if tight.worlds is not None else f" (estimate, standard error {percent(relative_error(tight))})"
    return f"{name}: {most}{power(value)} tables{kind}"


def _wrapped(name: str) -> str:
    """In two lines: a telephone has little room beside the axis."""
    first, _, last = name.rpartition(" ")
    return f"{first}<br>{last}"


def certain_figure(
    grid: Grid,
    certain: Mapping[Cell, int],
    view: View,
    chosen: Cell | None = None,
    before: Mapping[Cell, int] | None = None,
    known_before: str = "for certain by its own class",
) -> go.Figure:
    """Cells with a certain number of people; where a tile stands for several cells, how many of them are certain.

    Args:
        grid: the grid of the cells.
        certain: number of people per certain cell.
        view: the part of the grid to show.
        chosen: a cell to outline.
        before: cells that were certain before, likewise; in brackets and without colour, on single cells only.
        known_before: how these were known, in words.
    """
    before = before or {}
    behind = view.project(cells_mask(grid, certain))
    tiles = []
    for x, y in np.ndindex(view.columns, view.rows):
        where, number = view.describe(grid.attributes, x, y), int(behind[x, y])
        here = view.cells(x, y)[0]
        if view.flat and here in before:
            told = f"{where}<br>{holds(before[here])}, {known_before}"
            tiles.append(Tile(x, y, None, f"({before[here]})", told))
        elif not number:
            tiles.append(Tile(x, y, None, "", where))
        elif view.flat:
            count = certain[here]
            fill = ISOLATED if count == 1 else OWN if count else SUPPRESSED
            tiles.append(Tile(x, y, fill, str(count), f"{where}<br>{holds(count)}, for certain", opacity=0.5))
        else:
            told = f"{where}<br>{how_many(number, 'cell')} with a certain number of people"
            tiles.append(Tile(x, y, OWN, str(number), told, opacity=0.4))
    counts = set(certain.values())
    keys = [
        key
        for key, present in (
            (Key(ISOLATED, "1 exactly one person"), 1 in counts),
            (Key(OWN, "2 or more, exactly that many"), max(counts, default=0) > 1),
            (Key(SUPPRESSED, "0 nobody"), 0 in counts),
        )
        if present
    ]
    outlines = [] if chosen is None else segment_outline(grid, grid.cell_segment(chosen), view, CHOSEN)
    return draw(grid, view, tiles, outlines, keys if view.flat else [Key(OWN, "certain cells")])
