"""Choices by what they keep and what they give away, with the frontier."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, UNFADED, axis, framed, ring
from cra_dashboard.palette import CHOSEN, INK, OWN, SUPPRESSED, UNDECIDED
from cra_dashboard.texts import words
from cra_engine import WhatIf
from cra_engine.what_ifs import Measure, choice_text, frontier, outline, value_text
from cra_engine.what_ifs.outcome import Point

FONT = 14
MOST_NAMED = 8  # marks of one kind that are named by their k
_KINDS = (("Local recoding", True, OWN, "circle"), ("Global recoding", False, UNDECIDED, "diamond"))


def frontier_figure(
    result: WhatIf, kept: Measure, given: Measure, chosen: Mapping[str, int], present: Point | None
) -> go.Figure:
    """A mark per choice; those on the frontier are filled and joined, the others hollow.

    Args:
        result: the comparison.
        kept: what runs across, less to the left.
        given: what runs upwards.
        chosen: per letter the number of a chosen point, to be ringed.
        present: the choice in use, to be named.
    """
    best = frontier(result.points, kept, given)
    figure = go.Figure()
    for name, local, colour, symbol in _KINDS:
        points = [point for point in _drawn(result, kept, given) if point.choice.local == local]
        on = [point for point in points if point.number in best]
        off = [point for point in points if point.number not in best]
        if on:
            # Of the frontier what is best in the two measures drawn; others are on it for the other side of risk.
            down = -1 if given.key == "left" else 1
            steps = _steps([(x, down * y) for x, y in outline(_places(on, kept, given, down))])
            figure.add_scatter(
                x=[x for x, _ in steps],
                y=[y for _, y in steps],
                mode="lines",
                line={"color": colour, "width": 2, "dash": "solid" if local else "dot"},
                hoverinfo="skip",
                showlegend=False,
            )
            _dots(figure, result, kept, given, on, f"{name}: frontier", symbol=symbol, color=colour, size=13)
            if len(on) <= MOST_NAMED:
                figure.data[-1].update(
                    mode="markers+text",
                    text=[f"k = {point.choice.k}" for point in on],
                    textposition="top center",
                    textfont={"size": FONT, "color": INK},
                )
        if off:
            _dots(
                figure,
                result,
                kept,
                given,
                off,
                f"{name}: beaten",
                symbol=f"{symbol}-open",
                color=SUPPRESSED,
                size=10,
                line={"width": 2, "color": SUPPRESSED},
            )
    labels: dict[int, list[str]] = {}
    for letter, number in chosen.items():
        labels.setdefault(number, []).append(letter)
    if present is not None:
        labels.setdefault(present.number, []).append("in use")
    ringed = [point for point in _drawn(result, kept, given) if point.number in labels]
    across = [kept.shown(point) or 0.0 for point in _drawn(result, kept, given)]
    left = min(across, default=0.0) + 0.3 * (max(across, default=0.0) - min(across, default=0.0))
    places = [kept.shown(point) for point in ringed], [given.shown(point) for point in ringed]
    figure.add_trace(ring(*places, CHOSEN, showlegend=False))
    figure.update_layout(
        **framed(HEIGHT),
        clickmode="event+select",
        annotations=[
            {
                "x": kept.shown(point),
                "y": given.shown(point),
                "text": f"<b>{', '.join(labels[point.number])}</b>",
                "showarrow": False,
                **_beside((kept.shown(point) or 0.0) < left),
                "font": {"size": FONT + 1, "color": INK},
            }
            for point in ringed
        ],
        xaxis=_axis(f"{words.sentence(kept.title)} (left: more is kept)", kept),
        yaxis=_axis(given.title, given),
    )
    return figure


def _drawn(result: WhatIf, kept: Measure, given: Measure) -> list[Point]:
    return [point for point in result.points if kept.shown(point) is not None and given.shown(point) is not None]


def _places(points: Sequence[Point], kept: Measure, given: Measure, down: int) -> list[tuple[float, float]]:
    return [(kept.shown(point) or 0.0, down * (given.shown(point) or 0.0)) for point in points]


def _beside(left: bool) -> dict[str, str | int]:
    """Where a name stands: where nothing is, to the left below what the frontier reaches, if there is room."""
    return (
        {"xanchor": "left", "xshift": 14, "yshift": 18} if left else {"xanchor": "right", "xshift": -14, "yshift": -18}
    )


def _steps(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The border of what the frontier reaches: between two of its points nothing better than the first is known."""
    if not places:
        return []
    corners = [places[0]]
    for (_, before), (x, y) in pairwise(places):
        corners += [(x, before), (x, y)]
    return corners


def _dots(
    figure: go.Figure, result: WhatIf, kept: Measure, given: Measure, points: Sequence[Point], name: str, **marker: Any
) -> None:
    figure.add_scatter(
        x=[kept.shown(point) for point in points],
        y=[given.shown(point) for point in points],
        mode="markers",
        name=name,
        marker=marker,
        customdata=[[point.number] for point in points],
        hovertext=[_told(result, kept, given, point) for point in points],
        hoverinfo="text",
        **UNFADED,  # the choice is ringed instead
    )


def _told(result: WhatIf, kept: Measure, given: Measure, point: Point) -> str:
    choice = escape(choice_text(result, point.choice)).replace("; finest: ", "<br>finest: ")
    return (
        f"<b>Number {point.number}</b><br>{choice}<br>{kept.title}: {value_text(kept, point)}"
        f"<br>{given.title}: {value_text(given, point)}"
    )


def _axis(title: str, measure: Measure) -> dict[str, Any]:
    ticks: dict[str, Any] = {"tickformat": ".0%"} if measure.key in {"loss", "likeliest"} else {}
    if measure.key == "left":
        # More tables leave more in the dark: turned round, so that down is less given away here too.
        ticks = {"tickprefix": "10<sup>", "ticksuffix": "</sup>", "tickformat": "d", "autorange": "reversed"}
    return axis(title, nticks=7, **ticks)
