"""Promised against remaining possibilities of every class, on a logarithmic scale."""

from collections.abc import Sequence
from math import ceil, log10
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import LOOK, picture, scatter
from cra_dashboard.palette import CHOSEN, INK, OUTLIER, OWN, STOLEN
from cra_dashboard.texts import words
from cra_dashboard.texts.class_rows import ClassRow
from cra_engine.words import count, fewer

FONT = 13


def possibilities_figure(rows: Sequence[ClassRow], chosen: int | None = None) -> go.Figure:
    """Above, one dumbbell per class from what its interval promises down to what the attack leaves; below, the ratio.

    Args:
        rows: what to draw, from left to right.
        chosen: position in ``rows`` to mark.
    """
    places = list(range(len(rows)))
    promised = [_log10(row.promised) for row in rows]
    remaining = [_log10(row.remaining) for row in rows]
    ratios = [
        None if ratio is None else log10(ratio.numerator) - log10(ratio.denominator)
        for ratio in (row.ratio for row in rows)
    ]
    told = [told_of(row) for row in rows]
    size = 9 if len(rows) <= 60 else 6 if len(rows) <= 200 else 4
    traces = []

    def dots(y: Sequence[float | None], name: str, *, lower: bool = False, **marker: Any) -> None:
        traces.append(
            scatter(
                x=places,
                y=y,
                mode="markers",
                name=name,
                marker={"size": size, **marker},
                hovertext=told,
                hoverinfo="text",
                yaxis="y2" if lower else "y",
            )
        )

    stems = [
        end for place, top, bottom in zip(places, promised, remaining, strict=True) for end in _stem(place, top, bottom)
    ]
    traces.append(
        scatter(
            x=[x for x, _ in stems],
            y=[y for _, y in stems],
            mode="lines",
            line={"color": OUTLIER, "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    dots(promised, "promised by the interval", symbol="circle-open", color=OUTLIER, line={"width": 2})
    dots(remaining, "remaining after the attack", symbol="diamond", color=OWN)
    if any(row.remaining == 0 and row.promised for row in rows):
        none_fits = [top if row.remaining == 0 else None for row, top in zip(rows, promised, strict=True)]
        dots(none_fits, "no table fits", symbol="x", color=STOLEN)
    dots(ratios, "times fewer", lower=True, symbol="triangle-down", color=STOLEN)
    highest = max((value for value in promised if value is not None), default=1.0)
    most = max((value for value in ratios if value is not None), default=1.0)
    upper, lower = _ticks(highest), _ticks(most, 4)
    return picture(
        traces,
        **LOOK,
        height=480,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        shapes=[] if chosen is None else [_band(chosen)],
        annotations=[] if chosen is None else [_name(chosen, rows)],
        xaxis={
            "title": {"text": "class, in the attacker's order", "font": {"size": FONT + 1, "color": INK}},
            **_class_ticks(rows),
            "range": [-0.7, len(rows) - 0.3],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "anchor": "y2",
        },
        yaxis=_power_axis("possible tables", upper, highest) | {"domain": [0.42, 0.94]},
        yaxis2=_power_axis("times fewer", lower, most) | {"domain": [0, 0.3]},
    )


def _stem(place: int, top: float | None, bottom: float | None) -> list[tuple[int | None, float | None]]:
    return [] if top is None or bottom is None else [(place, top), (place, bottom), (None, None)]


def _band(chosen: int) -> dict[str, Any]:
    """A band behind the chosen class, through both parts."""
    return {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": chosen - 0.3,
        "x1": chosen + 0.3,
        "y0": 0,
        "y1": 0.94,
        "fillcolor": CHOSEN,
        "opacity": 0.18,
        "line": {"width": 0},
        "layer": "below",
    }


def _name(chosen: int, rows: Sequence[ClassRow]) -> dict[str, Any]:
    share = (chosen + 0.7) / (len(rows) + 0.4)
    return {
        "x": chosen,
        "y": 0.94,
        "yref": "paper",
        "text": f"<b>{rows[chosen].title}</b>",
        "showarrow": False,
        "yanchor": "bottom",
        # Near the edges the name grows inwards, so that it is not cut.
        "xanchor": "left" if share < 0.15 else "right" if share > 0.85 else "center",
        "font": {"size": FONT + 1, "color": INK},
    }


def _class_ticks(rows: Sequence[ClassRow]) -> dict[str, Any]:
    step = max(1, ceil(len(rows) / 10))
    places = list(range(0, len(rows), step))
    return {
        "tickvals": places,
        "ticktext": ["out" if rows[place].index is None else str(rows[place].index) for place in places],
        "tickfont": {"size": FONT, "color": INK},
    }


def _power_axis(title: str, exponents: Sequence[int], highest: float) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": FONT + 1, "color": INK}},
        "tickvals": exponents,
        "ticktext": [f"10<sup>{exponent}</sup>" if exponent else "1" for exponent in exponents],
        "tickfont": {"size": FONT, "color": INK},
        "range": [-0.08 * max(highest, 1), 1.08 * max(highest, 1)],
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
    }


def told_of(row: ClassRow) -> str:
    """The row in one sentence: what is promised, what remains."""
    if row.kind == "basic":
        return f"{words.sentence(row.title)}: on a single cell, nothing to refine"
    start = f"{words.sentence(row.title)}: {count(row.promised)} promised, "
    if row.remaining is None:
        return start + "too many to count what remains"
    if row.remaining == 0:
        return start + "no table of distinct records fits"
    return start + f"{count(row.remaining)} remain: {fewer(row.promised, row.remaining)}"


def _log10(number: int | None) -> float | None:
    return log10(number) if number else None


def _ticks(highest: float, most: int = 6) -> list[int]:
    """Round exponents from 0 up to the highest, with about ``most`` steps."""
    steps = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    step = next((size for size in steps if highest / size <= most), 10_000)
    return list(range(0, ceil(max(highest, 1) / step) * step + 1, step))
