"""Pictures on handouts that are on no grid: what a mean tells, who a row may be, why a box is wide, states."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from cra_dashboard import palette
from cra_dashboard.charts.drawing import tag
from cra_dashboard.charts.lattice import edges, positions
from cra_dashboard.lessons.facts import Facts
from cra_dashboard.texts import words

_WIDE, _HIGH = 720, 260


def _picture(said: str, *drawn: Markup) -> Markup:
    size = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {_WIDE} {_HIGH}", "role": "group"}
    return tag("svg", tag("title", said) + Markup("").join(drawn), **size)


def _words(x: float, y: float, text: str, **attributes: object) -> Markup:
    usual: dict[str, object] = {"text_anchor": "middle", "fill": "currentColor", "font_size": 16}
    return tag("text", text, x=round(x, 1), y=round(y, 1), **(usual | attributes))


def _line(x1: float, y1: float, x2: float, y2: float, **attributes: object) -> Markup:
    usual: dict[str, object] = {"stroke": palette.SUPPRESSED, "stroke_width": 2}
    return tag("line", x1=round(x1, 1), y1=round(y1, 1), x2=round(x2, 1), y2=round(y2, 1), **(usual | attributes))


def _dot(x: float, y: float, colour: str) -> Markup:
    return tag("circle", cx=round(x, 1), cy=round(y, 1), r=9, fill=colour)


def mean(facts: Facts) -> Markup:
    """Sketch for a handout a cell of the first cluster: its numbers on a line, and their mean, which is published."""
    table = facts.columns
    for cluster in facts.clusters:
        for place, name in enumerate(table.names):
            numbers = sorted(int(number) for number in table.whole[cluster, place])
            if len(set(numbers)) == len(numbers):
                return _mean(name, [float(table.number(number)) for number in numbers])
    raise AssertionError("No cell holds numbers that all differ.")


def _mean(name: str, numbers: Sequence[float]) -> Markup:
    low, high = numbers[0], numbers[-1]

    def x(number: float) -> float:
        return 80 + (number - low) / (high - low) * (_WIDE - 160)

    middle = sum(numbers) / len(numbers)
    drawn = [_line(40, 130, _WIDE - 40, 130), _words(_WIDE / 2, 26, f"{name} of one cluster", font_weight=600)]
    for place, number in enumerate(reversed(numbers)):
        # By turns higher and lower: neighbours may be close.
        drawn += [_dot(x(number), 130, palette.OWN), _words(x(number), 162 + 20 * (place % 2), f"{number:g}")]
    drawn += [_words(x(high), 108, "the largest", font_size=14)]
    drawn += [_words(x(numbers[-2]), 204, "the second largest", font_size=14)]
    tip = f"M{x(middle):.1f},126L{x(middle) - 9:.1f},66L{x(middle) + 9:.1f},66Z"
    drawn += [tag("path", d=tip, fill=palette.STOLEN), _words(x(middle), 58, f"published: {middle:.4g}")]
    return _picture("The numbers of one cell, and their mean, which is all that is published", *drawn)


def buckets(_: Facts) -> Markup:
    """Sketch for a handout one person, and the rows that fit: one in each bucket."""
    drawn = [_dot(_WIDE / 2, 40, palette.OWN), _words(_WIDE / 2, 22, "one person")]
    for bucket in range(5):
        left = 50 + bucket * 130
        drawn.append(tag("rect", x=left, y=90, width=100, height=140, rx=8, fill="none", stroke=palette.SUPPRESSED))
        drawn.append(_words(left + 50, 250, f"occupation {bucket + 1}", font_size=14))
        for row in range(4):
            fits = row == (bucket * 3) % 4
            y = 108 + 30 * row
            colour = palette.OWN if fits else palette.SUPPRESSED
            drawn.append(
                tag("rect", x=left + 18, y=y, width=64, height=16, fill=colour, fill_opacity=1 if fits else 0.25)
            )
            if fits:
                drawn.append(_line(_WIDE / 2, 49, left + 50, y, stroke=palette.OWN))
    return _picture("A person and the five rows that may be the person's, one in each bucket", *drawn)


def minimal(_: Facts) -> Markup:
    """Sketch for a handout a class that is wide because of one record."""
    near = [(150, 150), (185, 120), (205, 165), (165, 185)]
    box = {"fill": palette.OWN, "fill_opacity": 0.1, "stroke": palette.OWN, "stroke_width": 4, "rx": 8}
    tight = {"fill": "none", "stroke": palette.STOLEN, "stroke_width": 3, "stroke_dasharray": "9 6", "rx": 8}
    drawn = [
        tag("rect", x=110, y=40, width=500, height=180, **box),
        _words(360, 30, "published for all five"),
        tag("rect", x=125, y=95, width=105, height=115, **tight),
        _words(300, 160, "enough for four", text_anchor="start"),
        _line(236, 155, 292, 155, stroke=palette.STOLEN),
        *(_dot(x, y, palette.SUPPRESSED) for x, y in near),
        _dot(580, 62, palette.ISOLATED),
        _words(570, 100, "somebody must be here", text_anchor="end"),
    ]
    return _picture("Five records published alike: the box is wide because one of them is far away", *drawn)


def states(facts: Facts) -> Markup:
    """Sketch for a handout every state of a table, the finest below; lines lead to the next coarser ones."""
    ranks = positions(np.ndindex(*facts.strict.looks.anonymous.shape))
    across, levels = max(x for x, _ in ranks.values()), max(y for _, y in ranks.values())
    width, height = 110 * (2 * across + 1), 80 * (levels + 1)
    places = {state: (width / 2 + 110 * x, height - 80 * (y + 0.5)) for state, (x, y) in ranks.items()}
    drawn = Markup("")
    for (x, y), (right, top) in edges(places):
        drawn += tag("line", x1=x, y1=y, x2=right, y2=top, stroke=palette.SUPPRESSED)
    for state, (x, y) in places.items():
        drawn += tag("circle", cx=x, cy=y, r=32, fill=palette.PAPER, stroke=palette.SUPPRESSED)
        drawn += tag("text", words.state(state), x=x, y=y + 7, font_size=20, text_anchor="middle", fill="currentColor")
    said = tag("title", "The states that all records can share, the finest at the bottom")
    return tag("svg", said + drawn, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:g} {height:g}")
