"""A picture of the grid for paper: the figure that a page shows, as SVG that needs no script."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any

import plotly.graph_objects as go
from markupsafe import Markup

from cra_dashboard.charts.drawing import PAPER, Drawing, tag
from cra_dashboard.charts.view import View
from cra_dashboard.palette import INK
from cra_engine.study.grid import Grid

_WIDE, _HIGH = 620, 440
_SIGNS = {"circle": "●", "circle-open": "○", "diamond": "◆", "square": "■", "square-open": "□", "star": "★"}
_RECTANGLE = re.compile(r"M([-\d.e]+),([-\d.e]+)H([-\d.e]+)V([-\d.e]+)")
_DASHES = {"dash": "8 5", "dot": "2 4"}


def on_paper(figure: go.Figure, view: View, grid: Grid, alt: str) -> Markup:
    """Draw a figure of :mod:`.tiled` as it is printed, with its legend.

    Args:
        figure: what is drawn.
        view: the part of the grid that it shows; two attributes.
        grid: the cells.
        alt: what it shows, in a sentence.
    """
    across, upwards = view.axes(grid.attributes)
    if upwards is None:
        raise AssertionError("a picture on paper has two axes")
    draw = Drawing(across, upwards, (_WIDE / across.leaves, _HIGH / upwards.leaves))
    explained = [trace for trace in figure.to_plotly_json()["data"] if list(trace["x"]) == [None]]
    return draw.svg({"figure": placed(draw, figure), "legend": [_legend(draw, explained)]}, alt)


def placed(draw: Drawing, figure: go.Figure, size: int = 15) -> Iterator[Markup]:
    """Draw the shapes, marks and texts of a figure, without its axes and legend.

    Args:
        draw: on the cells of the figure.
        figure: what is drawn.
        size: of its texts.
    """
    drawn = figure.to_plotly_json()
    for shape in drawn["layout"].get("shapes", ()):
        line = shape["line"]
        look: dict[str, Any] = {"fill": shape["fillcolor"], "fill_opacity": shape.get("opacity", 1)}
        if line["width"]:
            look |= {"stroke": _ink(line["color"]), "stroke_width": line["width"], "rx": 7}
            look |= {"stroke_dasharray": _DASHES[line["dash"]]} if line["dash"] in _DASHES else {}
        for found in _RECTANGLE.finditer(shape["path"]):
            x, y, right, top = map(float, found.groups())
            yield draw.rectangle((x, right, y, top), **look)
    for trace in drawn["data"]:
        marked = "markers" in trace["mode"] and trace.get("meta") != "cells"
        for at, (x, y) in enumerate(zip(trace["x"], trace["y"], strict=True)):
            if x is not None and marked:
                yield _mark(draw, trace["marker"], at, x, y)
            if x is not None and "text" in trace["mode"] and trace["text"][at]:
                bold = trace["text"][at].startswith("<b>")
                corner: dict[str, Any] = (
                    {"right": 3, "down": 14, "text_anchor": "start"} if "right" in trace["textposition"] else {}
                )
                yield draw.words(x, y, _plain(trace["text"][at]), size, font_weight=700 if bold else 400, **corner)


def _mark(draw: Drawing, marker: dict[str, Any], at: int, x: float, y: float) -> Markup:
    symbol, colour, size = (_each(marker[name], at) for name in ("symbol", "color", "size"))
    if not symbol.startswith("circle"):
        return draw.words(x, y, _SIGNS[symbol], size + 6, fill=_ink(colour))
    hollow = {"fill": PAPER, "stroke": colour, "stroke_width": 2} if symbol.endswith("open") else {}
    return draw.dot(x, y, colour, r=size / 2 + 1, **hollow)


def _legend(draw: Drawing, traces: Sequence[dict[str, Any]]) -> Markup:
    parts = Markup("")
    for trace in traces:
        if marker := trace.get("marker"):
            look = {"fill": _ink(marker["color"]), "fill_opacity": marker["opacity"]}
            parts += tag("tspan", f"{_SIGNS[marker['symbol']]} ", **look)
        parts += tag("tspan", f"{_plain(trace['name'])}    ")
    place = {"x": 4, "y": draw.size[1] - 4}
    return tag("text", parts, **place, font_size=15, fill="currentColor", style="white-space: pre")


def _plain(text: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", text))


def _ink(colour: str) -> str:
    return "currentColor" if colour == INK else colour


def _each(value: Any, at: int) -> Any:
    return value if isinstance(value, str | int | float) else value[at]
