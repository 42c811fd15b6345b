"""Options by what they keep and what they give away, with the frontier."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise
from math import isfinite
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, UNFADED, axis, chart, line, marks, ring
from cra_dashboard.options.names import Letter, crowded, is_readable, worth_naming
from cra_dashboard.palette import CHOSEN, INK, MORE, OWN, STOLEN
from cra_dashboard.texts import words
from cra_engine import Comparison
from cra_engine.options import Measure, Point, name_of, text_of, why_not

FONT = 14
MOST_NAMED = 14  # marks that are named all; of more those on the frontier
ENDLESS = 1.25  # how far above the largest number what has no bound is drawn
PEOPLE = {"certain", "expected", "expected_regions", "expected_intervals", "alone"}  # measures that count them
LOOKS = {
    "local": ("ARX-LR", STOLEN, "x"),
    "safe": ("safe", CHOSEN, "triangle-up"),
    "repaired": ("repaired", OWN, "cross"),
    "global": ("global", MORE[0], "diamond"),
    "microaggregated": ("microaggregated", MORE[2], "square"),
    "heterogeneous": ("heterogeneous", MORE[3], "star"),
}


def options_figure(
    comparison: Comparison, kept: Measure, given: Measure, chosen: Mapping[str, int], present: Point | None
) -> go.Figure:
    """Draw a mark per option of Other ways with both numbers, those that pass the check filled.

    The frontier of what is kept and what is given away is dotted.

    Args:
        comparison: the options.
        kept: what runs across, less to the left.
        given: what runs upwards; what has no bound stands on top.
        chosen: per letter the number of a chosen option, to be ringed.
        present: the option in use, to be named.
    """
    best = comparison.frontier(kept, given)
    places = _places(comparison, kept, given)
    drawn = [point for point in comparison.points if point.number in places]
    down = -1 if given.better == "more" else 1
    few = len(drawn) <= MOST_NAMED
    through = on_dotted_line(comparison, kept, given)
    border = sorted({(x, down * y) for number, (x, y) in places.items() if number in through})
    frontier = [(x, down * y) for x, y in _steps(border)]
    traces = [line([x for x, _ in frontier], [y for _, y in frontier], "rgba(128,128,128,.8)", 2, "dot")]
    across = [x for x, _ in places.values()]
    most = max((y for _, y in places.values()), default=0.0)
    left = min(across, default=0.0) + 0.3 * (max(across, default=0.0) - min(across, default=0.0))
    low = 0.15 * most if given.better == "less" else -1.0
    labels: dict[int, list[str]] = {}
    for letter, number in [*chosen.items(), *([] if present is None else [("in use", present.number)])]:
        if number in places:
            # What stands on one spot is labelled once.
            spot = next((n for n in labels if _on_one_spot(places[n], places[number], across, most)), number)
            labels.setdefault(spot, []).append(letter)
    letters = []
    for number, spoken in labels.items():
        right = places[number][0] < left
        above = places[number][1] <= low or crowded(number, places, right=right, up=-down)
        one = Letter(number, ", ".join(spoken), comparison.point(number).short, left=right, above=above)
        # Of a name that nobody could read the letter stands alone: its field has the name.
        letters.append(one if is_readable(one, places, down) else replace(one, name=""))
    spots = {places[number] for number in labels}
    worth = [p for p in drawn if places[p.number] not in spots and (few or p.number in through)]
    named = worth_naming(worth, best, places, letters, frontier, down)
    for way, (called, colour, symbol) in LOOKS.items():
        for on in (True, False):
            points = [p for p in drawn if p.option.way.name == way and (p.verdict == "ready") == on]
            if not points:
                continue
            texts = [p.short if p.number in named else "" for p in points]
            sides = [named.get(p.number, "top center") for p in points]
            traces.append(
                marks(
                    [places[p.number][0] for p in points],
                    [places[p.number][1] for p in points],
                    f"{called}: {'passes' if on else 'does not pass'}",
                    colour,
                    symbol if on else f"{symbol}-open",
                    13 if on else 10,
                    told=[_told(comparison, p, kept, given) for p in points],
                    of=[p.number for p in points],
                    edge={"width": 0 if on else 2, "color": colour},
                    textfont={"size": 12, "color": INK},
                    cliponaxis=False,
                    mode="markers+text",
                    text=texts,
                    textposition=sides,
                    **UNFADED,  # the choice is ringed instead
                )
            )
    ringed = list(labels)
    around = [places[n][0] for n in ringed], [places[n][1] for n in ringed]
    traces.append(ring(*around, CHOSEN, showlegend=False, cliponaxis=False))
    within = _within(across, kept)
    room: dict[str, Any] = {"range": [-0.04 * (most or 1), 1.2 * (most or 1)]} if given.better == "less" else {}
    return chart(
        traces,
        HEIGHT,
        axis(
            f"{words.sentence(kept.title)} (left: more is kept)",
            nticks=7,
            **_ticks(kept, *within.get("range", ())),
            **within,
        ),
        axis(
            f"{given.title} (people)" if given.key in PEOPLE else given.title,
            nticks=7,
            **_ticks(given, 0.0, most),
            **_endless(drawn, given),
            **room,
        ),
        clickmode="event+select",
        annotations=[
            {
                "x": places[one.number][0],
                "y": places[one.number][1],
                # In one piece with its name, which the ring would cross.
                "text": f"<b>{one.letters}</b> {one.name}".strip(),
                "showarrow": False,
                **_beside(one.left, one.above),
                "font": {"size": FONT + 1, "color": INK},
            }
            for one in letters
        ],
    )


def _on_one_spot(one: tuple[float, float], other: tuple[float, float], across: Sequence[float], most: float) -> bool:
    """Whether two marks stand so near that what is written beside them would overlap."""
    wide = max(across) - min(across)
    return abs(one[0] - other[0]) <= 0.03 * wide and abs(one[1] - other[1]) <= 0.03 * abs(most)


def _within(across: Sequence[float], kept: Measure) -> dict[str, Any]:
    """The range of shares: no further than 100 %, and with room for labels where all marks stand on one spot."""
    if kept.unit != "share" or not across:
        return {}
    least, most = min(across), max(across)
    room = 0.1 * (most - least) or 0.1
    least = max(least - room, -0.04)
    return {"range": [least, min(most + room, 1 + 0.04 * (1 - least))]}


def _places(comparison: Comparison, kept: Measure, given: Measure) -> dict[int, tuple[float, float]]:
    """Per number of an option where it is drawn."""
    top = _top(comparison.points, given) * ENDLESS
    known = [(p.number, p.value(kept.key), p.value(given.key)) for p in comparison.points]
    return {number: (x, min(y, top)) for number, x, y in known if x is not None and y is not None and isfinite(x)}


def _top(points: Sequence[Point], given: Measure) -> float:
    """The largest finite number upwards."""
    values = [point.value(given.key) for point in points]
    return max((y for y in values if y is not None and isfinite(y)), default=1.0) or 1.0


def on_dotted_line(comparison: Comparison, kept: Measure, given: Measure) -> frozenset[int]:
    """Return the options that the dotted line on Other ways goes through.

    They are best in the two measures drawn; others are on the frontier for the other side of risk.
    """
    best, places = comparison.frontier(kept, given), _places(comparison, kept, given)
    down = -1 if given.better == "more" else 1
    border = outline([(x, down * y) for number, (x, y) in places.items() if number in best])
    return frozenset(number for number, (x, y) in places.items() if (x, down * y) in border)


def outline(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the frontier of the picture on Other ways: places that no other beats in both measures, left to right.

    >>> outline([(3, 1), (1, 2), (2, 2)])
    [(1, 2), (3, 1)]
    """
    border: list[tuple[float, float]] = []
    for x, y in sorted(places):
        if not border or y < border[-1][1]:
            border.append((x, y))
    return border


def _steps(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The border of what the frontier reaches: between two of its points nothing better than the first is known."""
    if not places:
        return []
    corners = [places[0]]
    for (_, before), (x, y) in pairwise(places):
        corners += [(x, before), (x, y)]
    return corners


def _beside(left: bool, above: bool) -> dict[str, str | int]:
    """Where a letter stands: to the left below what the frontier reaches, where nothing is, if there is room."""
    shift = {"yshift": 20 if above else -18}  # not among the numbers of the axis
    return {"xanchor": "left", "xshift": 14, **shift} if left else {"xanchor": "right", "xshift": -14, **shift}


def _told(comparison: Comparison, point: Point, kept: Measure, given: Measure) -> str:
    label = escape(name_of(point)).replace("; finest: ", "<br>finest: ")
    why = "<br>".join(map(escape, wrap(f"Check: {why_not(comparison, point)}", 60)))
    return f"<b>{label}</b><br>{why}" + "".join(f"<br>{m.title}: {escape(text_of(m, point))}" for m in (kept, given))


def _ticks(measure: Measure, least: float = 0.0, most: float = 1.0) -> dict[str, Any]:
    if measure.unit == "share":
        # Plotly would write "40%", and every sentence writes "40 %".
        step = next((one for one in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1) if most - least <= 7 * one), 0.2)
        shares = [step * place for place in range(round(1 / step) + 1)]
        return {"tickvals": shares, "ticktext": [f"{100 * share:g} %" for share in shares]}
    if measure.unit == "power":
        # More tables leave more in the dark: turned round, so that down is less given away here too.
        return {"tickprefix": "10<sup>", "ticksuffix": "</sup>", "tickformat": "d", "autorange": "reversed"}
    return {"autorange": "reversed"} if measure.better == "more" else {"rangemode": "tozero"}


def _endless(drawn: Sequence[Point], given: Measure) -> dict[str, Any]:
    """Ticks upwards where something has no bound."""
    if all(isfinite(point.value(given.key) or 0.0) for point in drawn):
        return {}
    top = _top(drawn, given)
    return {"tickvals": [0, top / 2, top, top * ENDLESS], "ticktext": ["0", f"{top / 2:.2g}", f"{top:.2g}", "\u221e"]}
