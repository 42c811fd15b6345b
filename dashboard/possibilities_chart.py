"""Promised against remaining possibilities of every class, on a logarithmic scale."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard import words
from dashboard.class_rows import ClassRow
from dashboard.palette import CHOSEN, OUTLIER, OWN, STOLEN

FONT = 13


def possibilities_figure(rows: Sequence[ClassRow], chosen: int | None = None) -> go.Figure:
    """One dumbbell per class: from what its interval promises down to what the attack leaves.

    Args:
        rows: what to draw, from left to right.
        chosen: position in ``rows`` to mark.
    """
    places = list(range(len(rows)))
    promised = [_log10(row.promised) for row in rows]
    remaining = [_log10(row.remaining) for row in rows]
    told = [told_of(row) for row in rows]
    size = 9 if len(rows) <= 60 else 6 if len(rows) <= 200 else 4
    figure = go.Figure()
    bars_x: list[int | None] = []
    bars_y: list[float | None] = []
    for place, top, bottom in zip(places, promised, remaining, strict=True):
        if top is not None and bottom is not None:
            bars_x += [place, place, None]
            bars_y += [top, bottom, None]
    figure.add_scatter(
        x=bars_x, y=bars_y, mode="lines", line={"color": OUTLIER, "width": 2}, hoverinfo="skip", showlegend=False
    )
    figure.add_scatter(
        x=places,
        y=promised,
        mode="markers",
        name="promised by the interval",
        marker={"symbol": "circle-open", "color": OUTLIER, "size": size + 2, "line": {"width": 2}},
        hovertext=told,
        hoverinfo="text",
    )
    figure.add_scatter(
        x=places,
        y=remaining,
        mode="markers",
        name="remaining after the attack",
        marker={"symbol": "diamond", "color": OWN, "size": size},
        hovertext=told,
        hoverinfo="text",
    )
    broken = [place for place in places if rows[place].remaining == 0]
    if broken:
        figure.add_scatter(
            x=broken,
            y=[promised[place] for place in broken],
            mode="markers",
            name="no table fits",
            marker={"symbol": "x", "color": STOLEN, "size": size + 3},
            hovertext=[told[place] for place in broken],
            hoverinfo="text",
        )
    if chosen is not None:
        ends = [value for value in (promised[chosen], remaining[chosen]) if value is not None]
        figure.add_scatter(
            x=[chosen] * len(ends),
            y=ends,
            mode="lines+markers",
            name=f"chosen: {rows[chosen].title}",
            line={"color": CHOSEN, "width": 3},
            marker={"symbol": "circle-open", "size": size + 9, "line": {"width": 3}},
            hovertext=[told[chosen]] * len(ends),
            hoverinfo="text",
        )
    step = max(1, math.ceil(len(rows) / 12))
    exponents = _ticks(max((value for value in promised if value is not None), default=1.0))
    figure.update_layout(
        height=360,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        font={"size": FONT},
        hoverlabel={"font": {"size": FONT}},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0, "font": {"size": FONT}},
        xaxis={
            "title": {"text": "class, in the attacker's order"},
            "tickvals": places[::step],
            "ticktext": [_short(rows[place]) for place in places[::step]],
            "range": [-0.7, len(rows) - 0.3],
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={
            "title": {"text": "possible tables"},
            "tickvals": exponents,
            "ticktext": [f"10<sup>{exponent}</sup>" if exponent else "1" for exponent in exponents],
            "rangemode": "tozero",
            "zeroline": False,
        },
    )
    return figure


def told_of(row: ClassRow) -> str:
    """The row in one sentence: what is promised, what remains."""
    start = f"{words.sentence(row.title)}: {words.count(row.promised)} promised, "
    if row.remaining is None:
        return start + "too many to count what remains"
    if row.remaining == 0:
        return start + "none fits: this is not a release with these settings"
    return start + f"{words.count(row.remaining)} remain: {words.fewer(row.promised, row.remaining)}"


def _log10(number: int | None) -> float | None:
    return math.log10(number) if number else None


def _short(row: ClassRow) -> str:
    return "out" if row.index is None else str(row.index)


def _ticks(highest: float) -> list[int]:
    """Round exponents from 0 to past the highest, eight at most."""
    step = next(
        size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10**4, 10**6) if highest / size <= 7
    )
    return list(range(0, math.ceil(highest / step) * step + 1, step))
