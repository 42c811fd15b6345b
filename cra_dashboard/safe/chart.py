"""The gain of each way to publish, by trying every table of a small world; and what several releases say together."""

from collections.abc import Sequence
from math import isfinite, log2

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard.charts.look import UNFADED, axis, chart, marks
from cra_dashboard.charts.picture import Outline, Picture
from cra_dashboard.charts.published import numbered_outlines
from cra_dashboard.charts.tiled import Shown, tiled_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import CHOSEN, INK, STOLEN, SUPPRESSED, Mark
from cra_dashboard.safe.later import Together
from cra_dashboard.safe.state import ARX
from cra_engine.defences.small_world import WayGain
from cra_engine.words import how_many, odds_factor, percent

CROWDED = 3  # from this gain on words stand to the left
ENDLESS = 4.6  # where what has no bound is drawn; 3 is a gain of 8
FEW = Mark(STOLEN, "fewer than k, for certain")
ENOUGH = Mark(CHOSEN, "k people or more", opacity=0.12)
MOST_OUTLINES = 60  # of each release


def gains_figure(ways: Sequence[WayGain], knob: str) -> go.Figure:
    """Draw a mark per way to publish on Safe recode: how far its choices move the odds of one person's place.

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
    names = [*(f"{odds_factor(2**tick)}\u00d7" for tick in ticks[:-1]), "\u221e"]
    labels, rows = [way.label for way in ways], list(range(len(ways)))
    return chart(
        traces,
        90 + 30 * len(ways),
        axis("a reader's odds grow at most", tickvals=ticks, ticktext=names, range=[-2.4, ENDLESS + 0.3]),
        axis(tickvals=rows, ticktext=labels, range=[len(ways) - 0.5, -0.5], showgrid=False),
        clickmode="event+select",
        showlegend=False,
    )


def knob_of(way: WayGain) -> str:
    """Return where Safe recode's knob stands for a way to publish; empty for one that it has no place for."""
    return way.epsilon or (ARX if way.label == ARX else "")


def together_figure(said: Together, view: View, numbers: Sequence[int], chosen: int | None = None) -> Picture:
    """Draw on Safe recode of how many people several releases say that a tile is known to share at the fewest.

    Args:
        said: the releases, and what they settle.
        view: what of the grid.
        numbers: of the last release's classes.
        chosen: one of these, whose border stands out.
    """
    few, held, grid = said.few, said.held, said.regions[-1].grid
    everywhere = int(held.max(initial=0)) + 1  # more than any region holds
    fewest = _least(np.where(few > 0, few, everywhere), view, everywhere)
    region = _least(held, view, everywhere)

    def of_tile(x: int, y: int) -> Shown:
        if fewest[x, y] < everywhere:
            people = int(fewest[x, y])
            where = "in the cells with this sign" if view.flat else "in some cells here, perhaps with others"
            return FEW, str(people), f"{how_many(people, 'person', 'people')} {where}, for certain"
        people = int(region[x, y])
        return ENOUGH, str(people), f"of {how_many(people, 'person', 'people')} any may be here, or nobody"

    *before, last = said.regions
    found = (view.outline(one.grid, segment) for one in before[-1:] for segment, _ in one.classes)
    borders = dict.fromkeys([border for border in found if border is not None][:MOST_OUTLINES])
    earlier = [Outline(*border, SUPPRESSED, dash="dash", name="a box published before") for border in borders]
    outlines = numbered_outlines(grid, last.classes, numbers, view, chosen)
    return tiled_figure(grid, view, of_tile, [*earlier, *outlines], keys=[FEW, ENOUGH])


def _least(numbers: NDArray[np.int64], view: View, most: int) -> NDArray[np.int64]:
    """The least number behind each tile; ``most`` where there is none below it."""
    result = np.full((view.columns, view.rows), most, dtype=np.int64)
    for number in sorted(set(numbers[numbers < most].tolist()), reverse=True):
        result[view.project(numbers == number) > 0] = number
    return result
