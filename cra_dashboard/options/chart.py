"""Options by what they keep and what they give away, with the frontier."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise, product
from math import isfinite
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, UNFADED, axis, chart, line, marks, ring
from cra_dashboard.options.names import Letter, in_lines, is_readable, worth_naming
from cra_dashboard.palette import CHOSEN, INK, MORE, OWN, STOLEN
from cra_dashboard.texts import words
from cra_engine import Comparison
from cra_engine.options import Measure, Point, name_of, text_of, why_not, worth_taking

FONT = 14
MOST_NAMED = 14  # marks that are named all; of more those on the frontier
NEAR = 0.05  # of the picture: marks that lie so near are one, with how many they are
SIDE = "middle right"  # of a mark where nothing has room
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
    """Draw a mark per spot of Other ways, with how many options lie there; filled where one that passes is drawn.

    The frontier of what is kept and what is given away is dotted.

    Args:
        comparison: the options.
        kept: what runs across, less to the left.
        given: what runs upwards; what has no bound stands on top.
        chosen: per letter the number of a chosen option, to be ringed.
        present: the option in use, to be named.
    """
    everywhere = places_of(comparison, kept, given)
    known = [*chosen.items(), *([] if present is None else [("in use", present.number)])]
    pile = piles(comparison, everywhere, [number for _, number in known])
    places = {number: everywhere[number] for number in sorted(pile)}
    drawn = [comparison.point(number) for number in places]
    down = -1 if given.better == "more" else 1
    through = on_dotted_line(comparison, kept, given)
    border = sorted({(x, down * y) for number, (x, y) in everywhere.items() if number in through})
    frontier = [(x, down * y) for x, y in _steps(border)]
    traces = [line([x for x, _ in frontier], [y for _, y in frontier], "rgba(128,128,128,.8)", 2, "dot")]
    across = [x for x, _ in places.values()]
    most = max((y for _, y in places.values()), default=0.0)
    left = min(across, default=0.0) + 0.3 * (max(across, default=0.0) - min(across, default=0.0))
    low = 0.15 * most if given.better == "less" else -1.0
    advised = [point.number for point in worth_taking(comparison)]

    def written(number: int, *, whole: bool) -> str:
        """What is written beside a mark: of what the sentence above names the number, a name, how many lie there."""
        said = ", ".join(str(one) for one in advised if one in pile[number])
        name = comparison.point(number).short
        text = f"{said}: {name}" if said and whole else name if whole else said
        many = f"\u00d7{len(pile[number])}" if len(pile[number]) > 1 else ""
        return in_lines(f"{text} {many}".strip())

    labels: dict[int, list[str]] = {}
    for letter, number in known:
        spot = next((shown for shown, numbers in pile.items() if number in numbers), None)
        if spot is not None:  # what stands on one spot is labelled once
            labels.setdefault(spot, []).append(letter)
    letters: list[Letter] = []
    for number, spoken in labels.items():
        x, y = places[number]
        sides = product((True, False), (x < left, x >= left), (True,) if y <= low else (False, True))
        tried = [
            Letter(number, ", ".join(spoken), written(number, whole=whole), left=right, above=above)
            for whole, right, above in sides
        ]
        letters.append(next((one for one in tried if is_readable(one, places, letters, down)), tried[-1]))
    best = {number for number, numbers in pile.items() if not through.isdisjoint(numbers)}
    aside = [n for n, numbers in pile.items() if not set(advised).isdisjoint(numbers)]
    rest = sorted(places.keys() - labels.keys(), key=lambda n: (n not in aside, n not in best, n))
    few = len(drawn) <= MOST_NAMED
    wanted = [(n, written(n, whole=True)) for n in rest if few or n in {*aside, *best}]
    wanted += [(n, text) for n in rest if (text := written(n, whole=False))]
    named = worth_naming(wanted, places, letters, frontier, down)
    for way, (called, colour, symbol) in LOOKS.items():
        for on in (True, False):
            points = [p for p in drawn if p.option.way.name == way and (p.verdict == "ready") == on]
            if not points:
                continue
            beside = [
                named.get(p.number, ("" if p.number in labels else written(p.number, whole=False), SIDE))
                for p in points
            ]
            traces.append(
                marks(
                    [places[p.number][0] for p in points],
                    [places[p.number][1] for p in points],
                    f"{called}: {'passes' if on else 'does not pass'}",
                    colour,
                    symbol if on else f"{symbol}-open",
                    13 if on else 10,
                    told=[_told(comparison, p, kept, given, len(pile[p.number])) for p in points],
                    customdata=[pile[p.number] for p in points],
                    edge={"width": 0 if on else 2, "color": colour},
                    textfont={"size": 12, "color": INK},
                    cliponaxis=False,
                    mode="markers+text",
                    text=[text for text, _ in beside],
                    textposition=[side for _, side in beside],
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


def piles(
    comparison: Comparison, places: Mapping[int, tuple[float, float]], first: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    """Return per mark of the picture on Other ways the options that lie on its spot, its own number first.

    Marks that stand so near would hide each other: one of them is drawn, with how many they are.

    Args:
        comparison: the options.
        places: where each lies.
        first: which are drawn before others; then those worth a word, then those that pass the check.
    """
    across, upwards = zip(*places.values(), strict=True) if places else ((0.0,), (0.0,))
    wide, high = NEAR * (max(across) - min(across)), NEAR * (max(upwards) - min(upwards))
    before = [*first, *(point.number for point in worth_taking(comparison))]

    def turn(number: int) -> tuple[int, bool, int]:
        at = before.index(number) if number in before else len(before)
        return at, comparison.point(number).verdict != "ready", number

    found: dict[int, tuple[int, ...]] = {}
    for number in sorted(places, key=turn):
        x, y = places[number]
        near = (n for n in found if abs(places[n][0] - x) <= wide and abs(places[n][1] - y) <= high)
        spot = next(near, number)
        found[spot] = (*found.get(spot, ()), number)
    return found


def _within(across: Sequence[float], kept: Measure) -> dict[str, Any]:
    """The range of shares: no further than 100 %, and with room for labels where all marks stand on one spot."""
    if kept.unit != "share" or not across:
        return {}
    least, most = min(across), max(across)
    room = 0.1 * (most - least) or 0.1
    least = max(least - room, -0.04)
    return {"range": [least, min(most + room, 1 + 0.04 * (1 - least))]}


def places_of(comparison: Comparison, kept: Measure, given: Measure) -> dict[int, tuple[float, float]]:
    """Return per number of an option where it is drawn on Other ways."""
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
    best, places = comparison.frontier(kept, given), places_of(comparison, kept, given)
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
    return {
        "xanchor": "left" if left else "right",
        "align": "left" if left else "right",
        "xshift": 14 if left else -14,
        "yanchor": "bottom" if above else "top",
        "yshift": 9 if above else -7,  # not among the numbers of the axis
    }


def _told(comparison: Comparison, point: Point, kept: Measure, given: Measure, many: int) -> str:
    label = escape(f"{name_of(point)}{f' (and {many - 1} more here)' if many > 1 else ''}").replace(
        "; finest: ", "<br>finest: "
    )
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
