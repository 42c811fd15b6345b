"""A picture of the grid for paper: what a page's script draws, as SVG that needs no script."""

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from cra_dashboard.charts.drawing import PAPER, Drawing, tag
from cra_dashboard.charts.picture import Dot, Picture
from cra_dashboard.charts.view import View
from cra_dashboard.palette import INK, Mark
from cra_engine.study.grid import Grid

_WIDE, _HIGH = 440, 280  # small, so that its texts can be read on paper
_SIGNS = {"circle": "●", "circle-open": "○", "diamond": "◆", "square": "■", "square-open": "□", "star": "★"}
_DASHES, _DASHED = {"dash": "8 5", "dot": "2 4"}, "⬚"
_LINE, _LETTER, _APART = 20, 7.5, 6  # of a legend: pixels from line to line, of a letter; letters between two entries
_INSET = 0.05  # of a cell: keeps borders that share an edge apart


def on_paper(picture: Picture, view: View, grid: Grid, alt: str) -> Markup:
    """Draw a picture of :mod:`.tiled` as it is printed, with its legend.

    Args:
        picture: what is drawn.
        view: the part of the grid that it shows; two attributes.
        grid: the cells.
        alt: what it shows, in a sentence.
    """
    across, upwards = view.axes(grid.attributes)
    if upwards is None:
        raise AssertionError("a picture on paper has two axes")
    draw = Drawing(across, upwards, (_WIDE / across.leaves, _HIGH / upwards.leaves))
    heading = [Mark(name=picture.heading)] if picture.heading else []
    legend = _lines([*heading, *(mark for mark in picture.legend if not mark.unseen)], draw.size[0])
    layers = {"figure": placed(draw, picture), "legend": (_entries(draw, at, of) for at, of in enumerate(legend))}
    return draw.svg(layers, alt, below=_LINE * (len(legend) - 1))


def placed(draw: Drawing, picture: Picture, size: int = 15) -> Iterator[Markup]:
    """Draw the fills, borders, marks and texts of a picture, without its axes and legend.

    Args:
        draw: on the cells of the picture.
        picture: what is drawn.
        size: of its texts.
    """
    boxes = [(one, (one.x0 + _INSET, one.x1 - _INSET, one.y0 + _INSET, one.y1 - _INSET)) for one in picture.outlines]
    yield from (draw.rectangle(at, fill=one.colour, fill_opacity=one.opacity, rx=7) for one, at in boxes if one.opacity)
    for tile in picture.tiles:
        if tile.fill:  # through which no tint shows
            square = (tile.x, tile.x + 1, tile.y, tile.y + 1)
            yield draw.rectangle(square, fill=PAPER)
            yield draw.rectangle(square, fill=tile.fill, fill_opacity=tile.opacity)
    for box, extent in boxes:
        look: dict[str, Any] = {"fill": "none", "stroke": _ink(box.colour)}
        look |= {"stroke_dasharray": _DASHES[box.dash]} if box.dash in _DASHES else {}
        yield draw.rectangle(extent, stroke_width=box.width, rx=7, **look)
    for dot in picture.dots:
        yield _mark(draw, dot)
    for tile in picture.tiles:
        if tile.text:
            yield draw.words(tile.x + 0.5, tile.y + 0.5, tile.text, size, **_named(tile.told))
    for box in picture.outlines:
        if box.label:
            said = Markup("<tspan font-weight='700'>{}</tspan>").format(box.label)
            said += f": {box.people}" if box.people else ""
            down = 14 + box.line * (size + 3)
            left, top = box.at or (box.x0, box.y1)
            # A dot below must not hide it.
            look = {"text_anchor": "start", "stroke": PAPER, "stroke_width": 3, "paint_order": "stroke"}
            yield draw.words(left + 1.5 * _INSET, top - _INSET, said, size, 3, down, **look, **_named(box.told))


def _named(told: str) -> dict[str, Any]:
    """What is read out of a text in place of the number alone."""
    return {"role": "img", "aria_label": told.replace("\n", ", ")} if told else {}


def _mark(draw: Drawing, dot: Dot) -> Markup:
    if not dot.symbol.startswith("circle"):
        return draw.words(dot.x, dot.y, _SIGNS[dot.symbol], dot.size + 6, fill=_ink(dot.colour))
    hollow = {"fill": PAPER, "stroke": dot.colour, "stroke_width": 2} if dot.symbol.endswith("open") else {}
    return draw.dot(dot.x, dot.y, dot.colour, r=dot.size / 2 + 1, **hollow)


def _lines(marks: Sequence[Mark], width: float) -> list[list[Mark]]:
    """The entries of a legend, as many on a line as there is room for."""
    lines: list[list[Mark]] = [[]]
    left = width
    for mark in marks:
        wide = _LETTER * (len(f"{mark.sign} {mark.name}") + _APART)
        if wide > left and lines[-1]:
            lines.append([])
            left = width
        lines[-1].append(mark)
        left -= wide
    return lines


def _entries(draw: Drawing, line: int, marks: Sequence[Mark]) -> Markup:
    parts = Markup("")
    for mark in marks:
        if mark.colour:
            look = {"fill": _ink(mark.colour), "fill_opacity": mark.opacity, "stroke": "currentColor"}
            sign = _DASHED if mark.dash in _DASHES else _SIGNS[mark.symbol]
            parts += tag("tspan", f"{sign} ", **look, stroke_width=0.5)
        parts += tag("tspan", f"{mark.sign} {mark.name}    ".lstrip())
    place = {"x": 4, "y": draw.size[1] - 4 + line * _LINE}
    return tag("text", parts, **place, font_size=15, fill="currentColor", style="white-space: pre")


def _ink(colour: str) -> str:
    return "currentColor" if colour == INK else colour
