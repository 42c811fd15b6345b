"""The ways to publish as marks: what is kept across, what is given away upwards."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, LOOK, axis
from cra_dashboard.palette import CHOSEN, MORE, OWN, STOLEN
from cra_engine.defences.comparison import Row, shown
from cra_engine.defences.figures import Measure

LOOKS = {
    "local": ("ARX-LR", STOLEN, "x"),
    "safe": ("safe", CHOSEN, "triangle-up"),
    "repaired": ("repaired", OWN, "cross"),
    "global": ("global", MORE[0], "diamond"),
    "microaggregated": ("microaggregated", MORE[2], "square"),
    "heterogeneous": ("heterogeneous", MORE[3], "star"),
}
ENDLESS = 1.25  # how far above the largest number what has no bound is drawn


def ways_figure(
    rows: Sequence[Row], kept: Measure, given: Measure, front: Sequence[Row], chosen: Sequence[int]
) -> go.Figure:
    """A mark per way of which both numbers are known.

    Args:
        rows: the ways.
        kept: what runs across.
        given: what runs upwards.
        front: the ways that nothing beats.
        chosen: numbers of ways that are ringed.
    """
    known = [(row, row.value(kept.key), row.value(given.key)) for row in rows if not row.problem]
    there = [(row, x, y) for row, x, y in known if x is not None and y is not None]
    finite = [y for *_, y in there if isfinite(y)]
    top = max(finite, default=1.0) or 1.0
    figure = go.Figure()
    line = sorted((x, min(y, top * ENDLESS)) for row, x, y in there if row in front)
    figure.add_scatter(
        x=[x for x, _ in line],
        y=[y for _, y in line],
        mode="lines",
        line={"color": "rgba(128,128,128,.7)", "dash": "dot"},
        name="frontier",
        hoverinfo="skip",
    )
    for name, (called, colour, symbol) in LOOKS.items():
        own = [(row, x, min(y, top * ENDLESS)) for row, x, y in there if row.name == name]
        if not own:
            continue
        figure.add_scatter(
            x=[x for _, x, _ in own],
            y=[y for *_, y in own],
            mode="markers+text",
            text=[str(row.number) for row, *_ in own],
            textposition="top center",
            marker={
                "color": colour,
                "symbol": symbol,
                "size": [18 if row.number in chosen else 12 for row, *_ in own],
                "line": {"width": [3 if row.number in chosen else 0 for row, *_ in own], "color": OWN},
            },
            name=called,
            customdata=[[row.number] for row, *_ in own],
            hovertext=[
                "<br>".join([row.label, *(f"{m.title} {shown(row.figures[m.key])}" for m in (kept, given))])
                for row, *_ in own
            ],
            hoverinfo="text",
        )
    ticks: dict[str, Any] = {}
    if len(finite) < len(there):
        texts = ["0", f"{top / 2:.2g}", f"{top:.2g}", "\u221e"]
        ticks = {"tickvals": [0, top / 2, top, top * ENDLESS], "ticktext": texts}
    figure.update_layout(
        **LOOK,
        height=HEIGHT,
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        xaxis=axis(kept.title, rangemode="tozero"),
        yaxis=axis(given.title, rangemode="tozero", **ticks),
    )
    return figure
