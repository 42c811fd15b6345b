"""A grid of two attributes drawn as SVG text: for paper, and for a picture that keeps still while its layers change.

Everything is drawn with attributes of its own, so that a page needs no style for it. Words take the colour of the text
around the picture.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from cra_dashboard import palette
from cra_dashboard.charts.grid import axis_of
from cra_engine.study.hierarchy import Hierarchy

UNIT = 100  # of a cell
PAPER = f"var(--paper, {palette.PAPER})"  # what is behind the picture; white where no page says it
_LEFT, _TOP, _RIGHT, _BOTTOM = 88, 18, 26, 96

Extent = tuple[float, float, float, float]  # left, right, lower, upper, in cells


def tag(name: str, inside: str = "", /, **attributes: Any) -> Markup:
    """Return an element of an SVG figure; an underscore in an attribute's name stands for a hyphen."""
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items()
    )
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), written, inside)  # noqa: S704 - names are our own


@dataclass(frozen=True)
class Drawing:
    """A figure's pen: draws shapes and texts on the grid of two attributes.

    Attributes:
        across: runs to the right; upwards: runs upwards.
        unit: width and height of a cell.
    """

    across: Hierarchy
    upwards: Hierarchy
    unit: tuple[float, float] = (UNIT, UNIT)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture."""
        right, top = self.point(self.across.leaves, 0)
        return right + _RIGHT, top + _BOTTOM

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the picture from one in cells."""
        return round(_LEFT + x * self.unit[0], 1), round(_TOP + (self.upwards.leaves - y) * self.unit[1], 1)

    def rectangle(self, extent: Extent, inset: float = 0, **attributes: Any) -> Markup:
        """A box in cells, drawn a little smaller where boxes share an edge."""
        left, top = self.point(extent[0], extent[3])
        width, height = (round((extent[2 * at + 1] - extent[2 * at]) * self.unit[at], 1) for at in (0, 1))
        place = {"x": left + inset, "y": top + inset, "width": width - 2 * inset, "height": height - 2 * inset}
        return tag("rect", **place, **attributes)

    def words(
        self, x: float, y: float, text: str, size: float = 17, right: float = 0, down: float = 0, **attributes: Any
    ) -> Markup:
        """A text in the middle of a point in cells, or so far from it."""
        left, top = self.point(x, y)
        usual: dict[str, Any] = {"text_anchor": "middle", "fill": "currentColor"}
        place = {"x": round(left + right, 1), "y": round(top + down + size * 0.35, 1)}
        return tag("text", text, **place, font_size=size, **(usual | attributes))

    def label(self, x: float, y: float, text: str, colour: str) -> Markup:
        """A text on a small plate of its own."""
        left, top = self.point(x, y)
        width = 8.6 * len(text) + 14
        corner = {"x": left - width / 2, "y": top - 13, "width": width, "height": 26, "rx": 13}
        plate = tag("rect", **corner, fill=PAPER, stroke=colour, stroke_width=2)
        return plate + self.words(x, y, text, 17, font_weight=600)

    def dot(self, x: float, y: float, colour: str, **attributes: Any) -> Markup:
        """A person at a point in cells."""
        left, top = self.point(x, y)
        return tag("circle", cx=left, cy=top, **({"r": 8, "fill": colour} | attributes))

    def axes(self) -> Markup:
        """The lines between cells, what their axes are labelled with, and the attributes' names."""
        columns, rows = self.across.leaves, self.upwards.leaves
        across, upwards = axis_of(self.across), axis_of(self.upwards)
        ends = [((x, 0), (x, rows)) for x in across.ruled] + [((0, y), (columns, y)) for y in upwards.ruled]
        drawn = Markup("")
        for begin, end in ends:
            (x1, y1), (x2, y2) = self.point(*begin), self.point(*end)
            drawn += tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=palette.SUPPRESSED, stroke_opacity=0.5)
        for place, text in zip(across.places, across.labels, strict=True):
            drawn += self.words(place, 0, text, 18, down=22)
        for place, text in zip(upwards.places, upwards.labels, strict=True):
            drawn += self.words(0, place, text, 18, right=-12, text_anchor="end")
        drawn += self.words(columns / 2, 0, across.title, 18, down=58, font_weight=600)
        x, y = self.point(0, rows / 2)
        turned: dict[str, Any] = {"right": -70, "transform": f"rotate(-90 {x - 70} {y})"}
        return drawn + self.words(0, rows / 2, upwards.title, 18, font_weight=600, **turned)

    def svg(self, layers: Mapping[str, Iterable[Markup]], alt: str, below: float = 0) -> Markup:
        """The picture: the axes, and over them each layer as a group of its name.

        Args:
            layers: what is drawn, by name, from below to above.
            alt: what the picture shows, in a sentence.
            below: room below the picture.
        """
        width, height = self.size
        groups = [tag("g", Markup("").join(drawn), data_layer=name) for name, drawn in layers.items()]
        return tag(
            "svg",
            tag("title", alt) + self.axes() + Markup("").join(groups),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height + below}",
            role="group",
        )
