"""The gain of each way to publish, by trying every table of a small world: a row per way."""

from collections.abc import Sequence
from math import isfinite, log2

import plotly.graph_objects as go

from cra_dashboard.charts.look import LOOK, UNFADED, axis
from cra_dashboard.palette import CHOSEN, INK, STOLEN
from cra_dashboard.safe.state import ARX
from cra_engine.defences.small_world import WayGain
from cra_engine.words import percent

CROWDED = 3  # from this gain on words stand to the left
ENDLESS = 4.6  # where what has no bound is drawn; 3 is a gain of 8


def gains_figure(ways: Sequence[WayGain], knob: str) -> go.Figure:
    """A mark per way: how far its choices move the odds of one person's place.

    Args:
        ways: what was measured.
        knob: how the knob stands; its way is ringed.
    """
    figure = go.Figure()
    for name, bounded, colour, symbol in (("bounded", True, CHOSEN, "triangle-up"), ("no bound", False, STOLEN, "x")):
        own = [(place, way) for place, way in enumerate(ways) if isfinite(way.gains.person) == bounded]
        figure.add_scatter(
            x=[log2(way.gains.person) if bounded else ENDLESS for _, way in own],
            y=[place for place, _ in own],
            mode="markers+text",
            name=name,
            text=["none excluded" if bounded else f"{percent(way.gains.excluded_moves)} excluded" for _, way in own],
            textposition=["middle right" if way.gains.person < CROWDED else "middle left" for _, way in own],
            textfont={"size": 13, "color": INK},
            marker={
                "color": colour,
                "symbol": symbol,
                "size": [20 if knob_of(way) == knob else 13 for _, way in own],
                "line": {"width": [3 if knob_of(way) == knob else 0 for _, way in own], "color": INK},
            },
            customdata=[[knob_of(way)] for _, way in own],
            hovertext=[f"{way.label}<br>{way.told}" for _, way in own],
            hoverinfo="text",
            cliponaxis=False,
            **UNFADED,
        )
    figure.update_layout(
        **LOOK,
        height=90 + 30 * len(ways),
        margin={"l": 10, "r": 20, "t": 10, "b": 10},
        clickmode="event+select",
        showlegend=False,
        xaxis=axis(
            "gain: a logarithm of odds",
            tickvals=[-2, -1, 0, 1, 2, 3, ENDLESS],
            ticktext=["0.25", "0.5", "1", "2", "4", "8", "\u221e"],
            range=[-2.4, ENDLESS + 0.3],
        ),
        yaxis=axis(
            tickvals=list(range(len(ways))),
            ticktext=[way.label for way in ways],
            range=[len(ways) - 0.5, -0.5],
            showgrid=False,
        ),
    )
    return figure


def knob_of(way: WayGain) -> str:
    """Where the knob stands for a way; empty for one that it has no place for."""
    return way.epsilon or (ARX if way.label == ARX else "")
