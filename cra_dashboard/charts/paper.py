"""A picture of the grid for paper: the figure that a page shows, as SVG that needs no script."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any

import plotly.graph_objects as go
from markupsafe import Markup

from cra_dashboard.charts.drawing import tag
from cra_dashboard.palette import INK, PAPER

_LEFT, _TOP, _WIDE, _HIGH, _BELOW = 76, 34, 620, 440, 58
_SIGNS = {"circle": "●", "circle-open": "○", "diamond": "◆", "square": "■", "square-open": "□", "star": "★", "x": "✖"}
_RECTANGLE = re.compile(r"M([-\d.e]+),([-\d.e]+)H([-\d.e]+)V([-\d.e]+)")
_DASHES = {"dash": "8 5", "dot": "2 4"}


def on_paper(figure: go.Figure, alt: str) -> Markup:
    """A figure of :mod:`.tiled` as it is printed, its legend above it.

    Args:
        figure: what is drawn.
        alt: what it shows, in a sentence.
    """
    drawn = figure.to_plotly_json()
    paper = _Paper(drawn["layout"])
    explained = [trace for trace in drawn["data"] if list(trace["x"]) == [None]]
    shown = [trace for trace in drawn["data"] if trace not in explained]
    parts = [*paper.shapes(), *paper.axes(), *(part for trace in shown for part in paper.trace(trace))]
    if explained:
        parts.append(_legend(explained))
    size = f"0 0 {_LEFT + _WIDE + 16} {_TOP + _HIGH + _BELOW}"
    inside = tag("title", alt) + Markup("").join(parts)
    return tag("svg", inside, xmlns="http://www.w3.org/2000/svg", viewBox=size, role="img")


class _Paper:
    """Draws in the axes of a layout."""

    def __init__(self, layout: dict[str, Any]) -> None:
        self.layout = layout
        self.left, self.right = map(float, layout["xaxis"]["range"])
        self.low, self.high = map(float, layout["yaxis"]["range"])

    def x(self, value: float) -> float:
        return round(_LEFT + (value - self.left) / (self.right - self.left) * _WIDE, 1)

    def y(self, value: float) -> float:
        return round(_TOP + (self.high - value) / (self.high - self.low) * _HIGH, 1)

    def shapes(self) -> Iterator[Markup]:
        for shape in self.layout.get("shapes", ()):
            line = shape["line"]
            look: dict[str, Any] = {"fill": shape["fillcolor"], "fill_opacity": shape.get("opacity", 1)}
            if line["width"]:
                look = {"fill": "none", "stroke": line["color"], "stroke_width": line["width"]}
                look |= {"stroke_dasharray": _DASHES[line["dash"]]} if line["dash"] in _DASHES else {}
            for found in _RECTANGLE.finditer(shape["path"]):
                x, y, right, top = map(float, found.groups())
                place = {"x": self.x(x), "y": self.y(top), "width": self.x(right) - self.x(x)}
                yield tag("rect", **place, height=round(self.y(y) - self.y(top), 1), **look)

    def axes(self) -> Iterator[Markup]:
        across, upwards = self.layout["xaxis"], self.layout["yaxis"]
        bottom = _TOP + _HIGH
        for value in across.get("minor", {}).get("tickvals", ()):
            yield _rule(self.x(value), _TOP, self.x(value), bottom)
        for value in upwards.get("minor", {}).get("tickvals", ()):
            yield _rule(_LEFT, self.y(value), _LEFT + _WIDE, self.y(value))
        if across.get("visible", True):
            for value, text in zip(across["tickvals"], across["ticktext"], strict=True):
                yield _words(self.x(value), bottom + 20, text)
            yield _words(_LEFT + _WIDE / 2, bottom + 46, across["title"]["text"], font_weight=600)
        if upwards.get("visible", True):
            for value, text in zip(upwards["tickvals"], upwards["ticktext"], strict=True):
                yield _words(_LEFT - 8, self.y(value) + 5, text, text_anchor="end")
            turned = f"rotate(-90 18 {_TOP + _HIGH / 2})"
            yield _words(18, _TOP + _HIGH / 2, upwards["title"]["text"], font_weight=600, transform=turned)

    def trace(self, trace: dict[str, Any]) -> Iterator[Markup]:
        places = [(self.x(x), self.y(y)) for x, y in zip(trace["x"], trace["y"], strict=True)]
        marked = "markers" in trace["mode"] and trace.get("meta") != "cells"
        for at, place in enumerate(places):
            if marked:
                yield _mark(trace["marker"], at, *place)
            if "text" in trace["mode"] and trace["text"][at]:
                bold = trace["text"][at].startswith("<b>")
                left = trace["textposition"].endswith("right")
                down = {"top": -14, "bott": 15}.get(trace["textposition"][:4].strip(), 5)
                look = {"text_anchor": "start" if left else "middle", "font_weight": 700 if bold else 400}
                yield _words(place[0] + 3 * left, place[1] + down, trace["text"][at], **look)


def _rule(x1: float, y1: float, x2: float, y2: float) -> Markup:
    return tag("path", d=f"M{x1},{y1}L{x2},{y2}", stroke="gray", stroke_opacity=0.5)


def _mark(marker: dict[str, Any], at: int, x: float, y: float) -> Markup:
    symbol, colour, size = (_each(marker[name], at) for name in ("symbol", "color", "size"))
    if not symbol.startswith("circle"):
        return _words(x, y + size / 2, _SIGNS[symbol], font_size=size + 6, fill=_ink(colour))
    hollow = {"fill": PAPER, "stroke": colour, "stroke_width": 2} if symbol.endswith("open") else {"fill": colour}
    return tag("circle", cx=x, cy=y, r=size / 2 + 1, **hollow)


def _legend(traces: Sequence[dict[str, Any]]) -> Markup:
    parts = Markup("")
    for trace in traces:
        marker = trace["marker"]
        sign = tag("tspan", _SIGNS[marker["symbol"]], fill=_ink(marker["color"]), fill_opacity=marker["opacity"])
        parts += sign + tag("tspan", f" {_plain(trace['name'])}    ")
    return tag("text", parts, x=_LEFT, y=18, font_size=15, fill="currentColor", style="white-space: pre")


def _words(x: float, y: float, text: str, **look: Any) -> Markup:
    usual = {"text_anchor": "middle", "fill": "currentColor", "font_size": 15}
    return tag("text", _plain(text), x=round(x, 1), y=round(y, 1), **(usual | look))


def _plain(text: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", text))


def _ink(colour: str) -> str:
    return "currentColor" if colour == INK else colour


def _each(value: Any, at: int) -> Any:
    return value if isinstance(value, str | int | float) else value[at]
