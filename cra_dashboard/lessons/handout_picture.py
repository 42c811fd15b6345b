"""The picture on a lesson's handout, drawn from the lesson's own study; it needs no browser and no other program."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import numpy as np
from markupsafe import Markup

from cra_dashboard import palette
from cra_dashboard.charts.drawing import UNIT, Drawing, Extent, tag
from cra_dashboard.charts.grid import leaf_positions
from cra_dashboard.lessons import handout_sketches as sketches
from cra_dashboard.lessons.facts import Facts
from cra_dashboard.session import datasets
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import colour_of, number_of
from cra_engine import Attribute, Study
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.study.grid import Cell, Segment

Kind = Literal["records", "boxes", "class", "outside", "alone", "states", "coarse", "mean", "buckets", "minimal"]


def picture(facts: Facts, kind: Kind) -> Markup:
    """The picture of a kind as SVG: on the grid of the study's first two attributes, or the lattice of its states."""
    if kind in _WHOLE:
        return _WHOLE[kind](facts)
    if kind == "coarse":
        facts = _coarse()
    draw = Drawing(*facts.study.attributes[:2])
    layer, said = _LAYERS[kind]
    return draw.svg({kind: layer(draw, facts)}, said)


def _coarse() -> Facts:
    """The toy with leaves so coarse that no class is wider than a cell."""
    data, study = datasets.example("toy")
    halves = [Attribute(a.name, a.lower, a.upper, 2, unit=a.unit) for a in study.attributes if isinstance(a, Attribute)]
    return Facts.of_table(data.frame, Study(halves, study.k))


def _extent(facts: Facts, segment: Segment) -> Extent:
    x, y = facts.recoding.grid.nodes(segment)[:2]
    return x.start, x.stop, y.start, y.stop


def _records(draw: Drawing, facts: Facts) -> Iterator[Markup]:
    leaves = locate(facts.frame, facts.study).leaves.astype(np.int64)
    places = [
        leaf_positions(attribute, leaves[:, place], numbers(facts.frame[attribute.name])[0])
        for place, attribute in enumerate(facts.study.attributes[:2])
    ]
    return (draw.dot(x, y, palette.SUPPRESSED) for x, y in zip(*places, strict=True))


def _boxes(draw: Drawing, facts: Facts, inset: int = 6) -> Iterator[Markup]:
    for index, part in enumerate(facts.attacked.classes):
        extent, colour = _extent(facts, part.segment), colour_of(part.release, index)
        yield draw.rectangle(extent, inset, rx=8, fill=colour, fill_opacity=0.08, stroke=colour, stroke_width=3)
        yield draw.label(extent[0] + 0.42, extent[3] - 0.25, f"{number_of(part.release, index)}: {part.size}", colour)


def _class(draw: Drawing, facts: Facts) -> Iterator[Markup]:
    part, grid = facts.of("deepest").part, facts.recoding.grid
    for cell in grid.cells(part.segment):
        free = part.may_fill(cell)
        fill = colour_of(part.release, part.index) if free else palette.STOLEN
        yield _cell(draw, cell, fill, "?" if free else "✕")
    yield draw.rectangle(_extent(facts, part.segment), 2, fill="none", stroke="currentColor", stroke_width=4)
    yield from _boxes(draw, facts, 10)


def _outside(draw: Drawing, facts: Facts) -> Iterator[Markup]:
    yield from _boxes(draw, facts)
    for cell in facts.of("suppressed").part.free_cells:
        yield _cell(draw, cell, palette.SUPPRESSED, "?")


def _crowded(draw: Drawing, facts: Facts) -> Iterator[Markup]:
    yield from _records(draw, facts)
    yield from _boxes(draw, facts)


def _alone(draw: Drawing, facts: Facts) -> Iterator[Markup]:
    yield from _boxes(draw, facts)
    yield from _records(draw, facts)
    for cell in np.argwhere(facts.recoding.cell_counts(1) == 1):
        yield _cell(draw, tuple(int(place) for place in cell), palette.ISOLATED, "")


def _cell(draw: Drawing, cell: Cell, colour: str, text: str) -> Markup:
    x, y = cell[:2]
    filled = draw.rectangle((x, x + 1, y, y + 1), 3, fill=colour, fill_opacity=0.3)
    return filled + draw.words(x + 0.5, y + 0.5, text, 34, font_weight=700)


_LAYERS: Mapping[Kind, tuple[Callable[[Drawing, Facts], Iterator[Markup]], str]] = {
    "records": (_records, "Every record as a dot"),
    "boxes": (_boxes, "The published boxes: the number of each class, and how many records it has"),
    "class": (_class, "The class that loses most: cells that it can fill, and cells that were taken from it"),
    "outside": (_outside, "The published boxes, and the cells that are in none of them"),
    "coarse": (_crowded, "The published boxes, each a single cell, and every record as a dot"),
    "alone": (_alone, "The published boxes, every record as a dot, and the cells that hold exactly one"),
}


def _states(facts: Facts) -> Markup:
    """Every state of one that all records share, the finest below; lines lead to the next coarser ones."""
    shape = facts.strict.looks.anonymous.shape
    states = sorted(map(tuple, np.ndindex(*shape)), key=lambda state: (sum(state), state))
    rows = {level: [state for state in states if sum(state) == level] for level in range(sum(shape) - len(shape) + 1)}
    width, height = UNIT * 1.1 * max(map(len, rows.values())), UNIT * 0.8 * len(rows)
    places = {
        state: (width / 2 + 1.1 * UNIT * (rank - (len(row) - 1) / 2), height - 0.8 * UNIT * (level + 0.5))
        for level, row in rows.items()
        for rank, state in enumerate(row)
    }
    drawn = Markup("")
    for state, (x, y) in places.items():
        for place in range(len(state)):
            above = places.get((*state[:place], state[place] + 1, *state[place + 1 :]))
            if above is not None:
                drawn += tag("line", x1=x, y1=y, x2=above[0], y2=above[1], stroke=palette.SUPPRESSED)
    for state, (x, y) in places.items():
        drawn += tag("circle", cx=x, cy=y, r=26, fill=palette.PAPER, stroke=palette.SUPPRESSED)
        drawn += tag("text", words.state(state), x=x, y=y + 5, font_size=14, text_anchor="middle", fill="currentColor")
    said = tag("title", "The states that all records can share, the finest at the bottom")
    return tag("svg", said + drawn, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:g} {height:g}")


_WHOLE: Mapping[Kind, Callable[[Facts], Markup]] = {
    "states": _states,
    "mean": sketches.mean,
    "buckets": sketches.buckets,
    "minimal": sketches.minimal,
}
