"""How many times fewer tables the attack leaves of every class than its interval promises, on a logarithmic scale."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, POWERS, UNFADED, axis, chart, line, marks
from cra_dashboard.palette import INK, STOLEN, SUPPRESSED, of_class
from cra_dashboard.texts import words
from cra_dashboard.texts.class_rows import ClassRow, one_of_every
from cra_engine.words import count, quotient

FONT = 13
_LABELLED = 16  # classes up to which each mark says its number
_LEAST = 0.35  # decades: the axis shows at least that much


def possibilities_figure(rows: Sequence[ClassRow], chosen: int | None = None) -> go.Figure:
    """Draw for any page a stem per class: what its interval promises, how many times fewer are left.

    The ratio is drawn, not the two numbers: their logarithms would look nearly equal.

    Args:
        rows: what to draw, from left to right; each mark carries its place among them.
        chosen: position in ``rows`` to frame.
    """
    places = list(range(len(rows)))
    ratios = [None if (of := row.ratio) is None else log10(of.numerator) - log10(of.denominator) for row in rows]
    told = [possibilities_told(row) for row in rows]
    size = 12 if len(rows) <= 60 else 7 if len(rows) <= 200 else 4
    drawn = [(place, ratio) for place, ratio in zip(places, ratios, strict=True) if ratio]
    heights = [height for _, ratio in drawn for height in (0.0, ratio, None)]
    traces = [line([x for place, _ in drawn for x in (place, place, None)], heights, SUPPRESSED, 3)]
    # The chosen one is larger, and framed: a ring would cross what stands above it.
    sizes = [size + 8 * (place == chosen) for place in places]
    edge = {"width": [3 * (place == chosen) for place in places], "color": INK}
    common: dict[str, Any] = {"told": told, "of": places, "edge": edge, "opacity": 1, "cliponaxis": False, **UNFADED}
    texts = [_times(row) if len(rows) <= _LABELLED else "" for row in rows]
    above = {"text": texts, "textposition": "top center", "textfont": {"size": FONT + 1, "color": INK}}
    colours = [of_class(row.number) for row in rows]
    unfaded = UNFADED["unselected"] | {"textfont": {"color": INK}}
    labelled: dict[str, Any] = {"mode": "markers+text", **above, **common, "unselected": unfaded}
    traces.append(marks(places, ratios, "times fewer", colours, "diamond", sizes, **labelled))
    if any(row.remaining == 0 and row.promised for row in rows):
        none_fits = [0.0 if row.remaining == 0 and row.promised else None for row in rows]
        traces.append(marks(places, none_fits, "no table fits", STOLEN, "x", sizes, **common))
    if any(row.remaining is None for row in rows):
        unknown = [0.0 if row.remaining is None else None for row in rows]
        traces.append(marks(places, unknown, "not counted", SUPPRESSED, "circle-open", sizes, **common))
    highest = max(value for value in (*ratios, _LEAST) if value is not None)
    span = [-0.7, len(rows) - 0.3]
    return chart(
        traces,
        HEIGHT,
        axis("class, as they were formed", FONT, range=span, showgrid=False) | _class_ticks(rows),
        axis("times fewer than promised", FONT, range=[-0.06 * highest, 1.16 * highest], **times_ticks(highest)),
        showlegend=any(row.ratio is None for row in rows),
        clickmode="event+select",
    )


def _times(row: ClassRow) -> str:
    return "" if row.ratio is None else f"{quotient(row.ratio.numerator, row.ratio.denominator)}×"


def _class_ticks(rows: Sequence[ClassRow]) -> dict[str, Any]:
    step = max(1, ceil(len(rows) / 10))
    places = list(range(0, len(rows), step))
    return {
        "tickvals": places,
        "ticktext": ["out" if rows[place].number is None else str(rows[place].number) for place in places],
    }


def times_ticks(highest: float) -> dict[str, Any]:
    """Return ticks for a figure's axis that runs from 1 time to 10 to the ``highest``: 1, 2, 5, 10, 20, .."""
    if highest <= 3:
        steps = [digit * 10**power for power in range(floor(highest) + 1) for digit in (1, 2, 5)]
        shown = [number for number in steps if log10(number) <= 1.16 * highest]
        return {"tickvals": [log10(number) for number in shown], "ticktext": [f"{number:,}" for number in shown]}
    # From here on so few ticks are whole exponents.
    return POWERS | {"nticks": 6, "tickformat": "d"}


def possibilities_told(row: ClassRow) -> str:
    """Say a row of the possibilities figure in one sentence: what the interval seems to allow, what is left."""
    if row.kind == "basic":
        return f"{words.sentence(row.title)}: on a single cell, nothing to refine"
    start, promised = f"{words.sentence(row.title)}: ", f"the intervals seem to allow {count(row.promised)} tables"
    if row.remaining is None:
        return f"{start}{promised}; too many to count what the attack leaves"
    if row.remaining == 0:
        return f"{start}{promised}; no table of distinct records fits"
    return start + one_of_every(row.promised, row.remaining)
