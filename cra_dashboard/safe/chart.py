"""The gain of each way to publish, by trying every table of a small world: a row per way."""

from collections.abc import Sequence
from math import isfinite, log2

import plotly.graph_objects as go

from cra_dashboard.charts.look import UNFADED, axis, chart, marks
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
    traces = []
    for name, bounded, colour, symbol in (("bounded", True, CHOSEN, "triangle-up"), ("no bound", False, STOLEN, "x")):
        own = [(place, way) for place, way in enumerate(ways) if isfinite(way.gains.person) == bounded]
        looked = [knob_of(way) == knob for _, way in own]
        texts = ["none excluded" if bounded else f"{percent(way.gains.excluded_moves)} excluded" for _, way in own]
        traces.append(
            marks(
                [log2(way.gains.person) if bounded else ENDLESS for _, way in own],
                [place for place, _ in own],
                name,
                colour,
                symbol,
                [20 if here else 13 for here in looked],
                told=[f"{way.label}<br>{way.told}" for _, way in own],
                of=[knob_of(way) for _, way in own],
                edge={"width": [3 if here else 0 for here in looked], "color": INK},
                mode="markers+text",
                text=texts,
                textposition=["middle right" if way.gains.person < CROWDED else "middle left" for _, way in own],
                textfont={"size": 13, "color": INK},
                cliponaxis=False,
                **UNFADED,
            )
        )
    ticks = [-2, -1, 0, 1, 2, 3, ENDLESS]
    names = ["0.25", "0.5", "1", "2", "4", "8", "\u221e"]
    labels, rows = [way.label for way in ways], list(range(len(ways)))
    return chart(
        traces,
        90 + 30 * len(ways),
        axis("gain: a logarithm of odds", tickvals=ticks, ticktext=names, range=[-2.4, ENDLESS + 0.3]),
        axis(tickvals=rows, ticktext=labels, range=[len(ways) - 0.5, -0.5], showgrid=False),
        clickmode="event+select",
        showlegend=False,
    )


def knob_of(way: WayGain) -> str:
    """Where the knob stands for a way; empty for one that it has no place for."""
    return way.epsilon or (ARX if way.label == ARX else "")
