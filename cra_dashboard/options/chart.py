"""Options by what they keep and what they give away, with the frontier."""

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import isfinite
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from cra_dashboard.charts.look import HEIGHT, POWERS, UNFADED, axis, chart, line, marks, ring
from cra_dashboard.options.names import ASIDE, UP, Label, place_labels
from cra_dashboard.palette import CHOSEN, INK, MORE, OWN, STOLEN
from cra_dashboard.texts import words
from cra_engine import Comparison
from cra_engine.options import Measure, Point, counted_threefold, hindrance, name_of, text_of, why_not, worth_taking
from cra_engine.words import listed

FONT = 15
NEAR = 0.05  # of the picture: marks that lie so near are one, with how many they are
ENDLESS = 1.25  # how far above the largest number what has no bound is drawn
PEOPLE = {"certain", "expected", "expected_regions", "expected_intervals", "alone"}  # measures that count them
LOOKS = {
    "local": ("ARX-LR", STOLEN, "x"),
    "safe": ("safe recoding", CHOSEN, "triangle-up"),
    "repaired": ("repaired", OWN, "cross"),
    "global": ("global", MORE[0], "diamond"),
    "microaggregated": ("microaggregated", MORE[2], "square"),
    "heterogeneous": ("heterogeneous", MORE[3], "star"),
}


def options_figure(
    comparison: Comparison, kept: Measure, given: Measure, chosen: Mapping[str, int], present: Point | None
) -> go.Figure:
    """Draw a mark per spot of Other ways, filled where an option that passes the check is drawn.

    Only what is chosen, in use, or named above the picture is labelled; the pointer names the rest. The frontier of
    what is kept and what is given away is dotted.

    Args:
        comparison: the options.
        kept: what runs across, less to the left.
        given: what runs upwards; what has no bound stands on top.
        chosen: per letter the number of a chosen option, to be ringed.
        present: the option in use, to be named.
    """
    everywhere = places_of(comparison, kept, given)
    advised = (*worth_taking(comparison),) or (comparison.nearest,)
    known = dict.fromkeys([*chosen.values(), *(p.number for p in (present, *advised) if p is not None)])
    through = on_dotted_line(comparison, kept, given)
    pile = piles(comparison, everywhere, list(known), through)
    places = {number: everywhere[number] for number in sorted(pile)}
    drawn = [comparison.point(number) for number in places]
    down = -1 if given.better == "more" else 1
    # From mark to mark: what lies on the line may lie on the spot of a mark beside it.
    on_line = [places[shown] for shown, numbers in pile.items() if not through.isdisjoint(numbers)]
    border = outline([(x, down * y) for x, y in on_line])
    frontier = [(x, down * y) for x, y in _steps(border)]
    beaten = {"name": "beaten by none", "showlegend": True, "legendrank": 1001}  # the last
    traces = [line([x for x, _ in frontier], [y for _, y in frontier], "rgba(128,128,128,.8)", 2, "dot", **beaten)]
    across = [x for x, _ in places.values()]
    most = max((y for _, y in places.values()), default=0.0)
    said = {
        shown: ", ".join(_named(number, chosen, present) for number in known if number in numbers)
        for shown, numbers in pile.items()
    }
    # Marks that stand so near are labelled once, in their order from left to right.
    near, beside = _near(everywhere), dict[int, list[int]]()
    for shown in filter(said.get, pile):
        beside.setdefault(next((one for one in beside if near(one, shown)), shown), []).append(shown)
    texts = {
        one: ", ".join(said[shown] for shown in sorted(those, key=places.__getitem__)) for one, those in beside.items()
    }
    ringed = [shown for shown, numbers in pile.items() if not set(numbers).isdisjoint(chosen.values())]
    for way, (called, colour, symbol) in LOOKS.items():
        points = [p for p in drawn if p.option.way.name == way]
        kinds = [[p for p in points if (p.verdict == "ready") == on] for on in (True, False)]
        # The legend has one entry for a way, filled where any of it passes; the caption says what hollow marks are.
        for on, alike in zip((True, False), kinds, strict=True):
            if not alike:
                continue
            traces.append(
                marks(
                    [places[p.number][0] for p in alike],
                    [places[p.number][1] for p in alike],
                    called,
                    colour,
                    symbol if on else f"{symbol}-open",
                    13 if on else 10,
                    told=[_told(comparison, p, kept, given, len(pile[p.number])) for p in alike],
                    customdata=[pile[p.number] for p in alike],
                    edge={"width": 0 if on else 2, "color": colour},
                    legendgroup=way,
                    showlegend=on or not kinds[0],
                    cliponaxis=False,
                    **UNFADED,  # the choice is ringed instead
                )
            )
    around = [places[n][0] for n in ringed], [places[n][1] for n in ringed]
    traces.append(ring(*around, CHOSEN, showlegend=False, cliponaxis=False))
    within = _within(across, kept)
    room: dict[str, Any] = {}
    if given.better == "less":  # room for a label below marks at zero
        room = {"range": [-0.2 * (most or 1), 1.2 * (most or 1)]}
    return chart(
        traces,
        HEIGHT,
        axis(
            f"{words.sentence(kept.title)} (left: more is kept)"
            + (f"\n{_weighed(comparison.weights)}" if kept.key == "detail" else ""),
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
                "text": one.text,
                "showarrow": False,
                **_beside(one),
                "font": {"size": FONT, "color": INK},
            }
            for one in place_labels(texts, ringed, places, turned=down < 0)
        ],
    )


def _named(number: int, chosen: Mapping[str, int], present: Point | None) -> str:
    """What is written beside an option that is chosen, in use, or named above the picture."""
    letters = ", ".join(letter for letter, one in chosen.items() if one == number)
    used = ", in use" if present is not None and present.number == number else ""
    return f"<b>{letters}</b> {number}{used}".removeprefix("<b></b> ")


def piles(
    comparison: Comparison,
    places: Mapping[int, tuple[float, float]],
    first: Sequence[int],
    through: Container[int] = (),
) -> dict[int, tuple[int, ...]]:
    """Return per mark of the picture on Other ways the options that lie on its spot, its own number first.

    Marks that stand so near would hide each other: one of them is drawn, with how many they are. What is named has a
    mark of its own, for its numbers are told beside the picture.

    Args:
        comparison: the options.
        places: where each lies.
        first: which are drawn before others.
        through: on the dotted line, drawn next; then those worth a word, then those that pass the check.
    """
    worth = [point.number for point in worth_taking(comparison)]

    def turn(number: int) -> tuple[object, ...]:
        at = first.index(number) if number in first else len(first)
        ready = comparison.point(number).verdict == "ready"
        return at, number not in through, number not in worth, not ready, number

    found: dict[int, tuple[int, ...]] = {}
    near = _near(places)
    for number in sorted(places, key=turn):
        close = (n for n in found if (places[n] == places[number] if number in first else near(n, number)))
        spot = next(close, number)
        found[spot] = (*found.get(spot, ()), number)
    return found


def _near(places: Mapping[int, tuple[float, float]]) -> Callable[[int, int], bool]:
    """Return what tells of two options whether their marks would hide each other."""
    across, upwards = zip(*places.values(), strict=True) if places else ((0.0,), (0.0,))
    wide: float = NEAR * (max(across) - min(across))
    high: float = NEAR * (max(upwards) - min(upwards))

    def near(one: int, other: int) -> bool:
        (x, y), (there, above) = places[one], places[other]
        return abs(there - x) <= wide and abs(above - y) <= high

    return near


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


def not_drawn(comparison: Comparison, kept: Measure, given: Measure) -> dict[str, list[Point]]:
    """Return the options that have no place in the picture on Other ways, per reason in a few words."""
    places = places_of(comparison, kept, given)
    found: dict[str, list[Point]] = {}
    for point in comparison.points:
        if point.number not in places:
            unknown = [f"\u201c{m.title}\u201d" for m in (kept, given) if point.value(m.key) is None]
            of_two = "both unknown" if len(unknown) > 1 else f"{listed(unknown)} not known"
            said = of_two if unknown else f"\u201c{kept.title}\u201d without bound"
            found.setdefault(hindrance(point) or said, []).append(point)
    return found


def not_drawn_text(reasons: Mapping[str, Sequence[Point]]) -> str:
    """Say which options :func:`not_drawn` found, by the names of the legend, and why; empty where all are drawn."""
    said = []
    for reason, points in reasons.items():
        ways = Counter(LOOKS[point.option.way.name][0] for point in points)
        said.append(f"{listed([f'{many} {called}' for called, many in ways.items()])} ({reason})")
    return f"Not drawn: {', '.join(said)}." if said else ""


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
    """A line through the frontier's points, left of and below which there is no option, so that it meets no other."""
    if not places:
        return []
    corners = [places[0]]
    for (before, _), (x, y) in pairwise(places):
        corners += [(before, y), (x, y)]
    return corners


def _beside(one: Label) -> dict[str, str | float]:
    """Where a label stands, in Plotly's words."""
    return {
        "xanchor": "left" if one.across > 0 else "right",
        "xshift": ASIDE * one.across,
        "yanchor": {1: "bottom", 0: "middle", -1: "top"}[one.up],
        "yshift": UP * one.up,
        "borderpad": 0,
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
        return POWERS | {"tickformat": "d", "autorange": "reversed"}
    return {"autorange": "reversed"} if measure.better == "more" else {"rangemode": "tozero"}


def _weighed(weights: Mapping[str, float]) -> str:
    """What each column counts of the detail, in a few words."""
    threefold = counted_threefold(weights)
    if not threefold:
        return "all columns alike"
    return f"{listed(threefold)} count{'s' * (len(threefold) == 1)} threefold, other columns once"


def _endless(drawn: Sequence[Point], given: Measure) -> dict[str, Any]:
    """Ticks upwards where something has no bound."""
    if all(isfinite(point.value(given.key) or 0.0) for point in drawn):
        return {}
    top = _top(drawn, given)
    return {"tickvals": [0, top / 2, top, top * ENDLESS], "ticktext": ["0", f"{top / 2:.2g}", f"{top:.2g}", "\u221e"]}
