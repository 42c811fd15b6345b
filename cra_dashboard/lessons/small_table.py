"""A table as small as a question's, published with several states: people as marks on a line, classes as boxes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from cra_dashboard import palette
from cra_dashboard.charts.look import axis, chart, marks
from cra_engine import Attribute

_ROW, _LOW, _HIGH = 150, 0.14, 0.62  # pixels of a row; where in it a box ends, likewise in parts of it
_FOOT, _NEXT, _ACROSS = 0.24, 0.14, 28  # where the lowest people stand, and the next above; how many beside each other
_LOOKS = ((palette.OWN, "circle"), (palette.STOLEN, "diamond"))  # of the people, by what they have


@dataclass(frozen=True)
class Way:
    """One of the states that a question compares.

    Attributes:
        name: in words.
        layer: of its only attribute; 0 for exact values.
        kept: whether each person is published, in the order of the table.
        found: what came of it, once the question is answered.
    """

    name: str
    layer: int
    kept: Sequence[bool]
    found: str


def small_table_figure(
    attribute: Attribute, values: Sequence[int], has: Sequence[str], ways: Sequence[Way], *, answered: bool
) -> go.Figure:
    """Draw a question's own people below each other for each state that it compares, every class in a box.

    Args:
        attribute: the quasi-identifier.
        values: of each person.
        has: what each person is in the legend.
        ways: the states; the first at the top.
        answered: whether the picture shows which classes are suppressed, and what came of it.
    """
    ends = [end for way in ways for value in values for end in _box(attribute, value, way.layer)]
    first, last = min(ends) - 1, max(ends) + 1
    shapes, notes = list[dict[str, Any]](), list[dict[str, Any]]()
    people = dict[tuple[bool, str], list[tuple[float, float]]]()
    for row, way in enumerate(reversed(ways)):
        kept = dict[tuple[float, float], bool]()
        reach = list[float]()  # of the people at each height, how far they go
        for value, what, stays in sorted(zip(values, has, way.kept, strict=True)):
            gone = answered and not stays
            kept[_box(attribute, value, way.layer)] = not gone
            level = next((place for place, end in enumerate(reach) if end <= value), len(reach))
            reach[level:] = [value + (last - first) / _ACROSS, *reach[level + 1 :]]
            people.setdefault((gone, what), []).append((value + 0.5, row + _FOOT + _NEXT * level))
        for (low, high), stays in kept.items():
            colour = palette.OWN if stays and answered else palette.SUPPRESSED
            look = {"color": colour, "width": 3 if stays and answered else 2, "dash": "solid" if stays else "dot"}
            box = {"type": "rect", "x0": low, "x1": high, "y0": row + _LOW, "y1": row + _HIGH, "layer": "below"}
            shapes.append(box | {"line": look, "fillcolor": palette.see_through(colour, palette.BOX_OPACITY)})
        said = f"<b>{way.name}</b>{f': {way.found}' if answered else ''}"
        place = {"x": 0, "xref": "paper", "xanchor": "left", "y": row + 0.8, "showarrow": False}
        notes.append(place | {"text": said, "align": "left", "font": {"size": 15, "color": palette.INK}})
    looks = dict(zip(dict.fromkeys(has), _LOOKS, strict=False))
    traces = [
        marks(
            [x for x, _ in places],
            [y for _, y in places],
            f"{what}, suppressed" if gone else what,
            palette.SUPPRESSED if gone else looks[what][0],
            f"{looks[what][1]}-x-open" if gone else looks[what][1],
            11,
        )
        for (gone, what), places in sorted(people.items(), key=lambda one: one[0][0])
    ]
    across = axis(attribute.name, range=[first, last], showgrid=False)
    up = {"visible": False, "range": [0, len(ways)], "fixedrange": True}
    return chart(traces, _ROW * len(ways) + 80, across, up, shapes=shapes, annotations=notes, showlegend=True)


def _box(attribute: Attribute, value: int, layer: int) -> tuple[float, float]:
    if not layer:
        return value, value + 1
    (node,) = [one for one in attribute.layer_nodes[layer - 1] if one.lower <= value < one.upper]
    return float(node.lower), float(node.upper)
