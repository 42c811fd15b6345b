"""A grid of two attributes drawn as SVG text: for paper, and for a picture that keeps still while its layers change.

Everything is drawn with attributes of its own, so that a page needs no style for it. Words take the colour of the text
around the picture.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from cra_dashboard import palette
from cra_dashboard.charts.grid import boundaries
from cra_engine.study.hierarchy import Hierarchy

UNIT = 100  # of a cell
PAPER = f"var(--paper, {palette.PAPER})"  # what is behind the picture; white where no page says it
_LEFT, _TOP, _RIGHT, _BOTTOM = 88, 18, 26, 82

Extent = tuple[float, float, float, float]  # left, right, lower, upper, in cells


def tag(name: str, inside: str = "", /, **attributes: Any) -> Markup:
    """An element of SVG; an underscore in an attribute's name stands for a hyphen."""
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items()
    )
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), written, inside)  # noqa: S704 - names are our own


@dataclass(frozen=True)
class Drawing:
    """What draws on the grid of two attributes.

    Attributes:
        across: runs to the right; upwards: runs upwards.
    """

    across: Hierarchy
    upwards: Hierarchy

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return (
            _LEFT + self.across.leaves * UNIT + _RIGHT,
            _TOP + self.upwards.leaves * UNIT + _BOTTOM,
        )

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the picture from one in cells."""
        return _LEFT + x * UNIT, _TOP + (self.upwards.leaves - y) * UNIT

    def rectangle(self, extent: Extent, inset: float = 0, **attributes: Any) -> Markup:
        """A box in cells, drawn a little smaller where boxes share an edge."""
        left, top = self.point(extent[0], extent[3])
        width, height = (extent[1] - extent[0]) * UNIT, (extent[3] - extent[2]) * UNIT
        place = {"x": left + inset, "y": top + inset, "width": width - 2 * inset, "height": height - 2 * inset}
        return tag("rect", **place, **attributes)

    def words(self, x: float, y: float, text: str, size: int = 17, **attributes: Any) -> Markup:
        """A text in the middle of a point in cells."""
        left, top = self.point(x, y)
        usual: dict[str, Any] = {"text_anchor": "middle", "fill": "currentColor"}
        return tag("text", text, x=left, y=top + size * 0.35, font_size=size, **(usual | attributes))

    def label(self, x: float, y: float, text: str, colour: str) -> Markup:
        """A text on a small plate of its own."""
        left, top = self.point(x, y)
        width = 7.6 * len(text) + 14
        corner = {"x": left - width / 2, "y": top - 13, "width": width, "height": 26, "rx": 13}
        plate = tag("rect", **corner, fill=PAPER, stroke=colour, stroke_width=2)
        return plate + self.words(x, y, text, 15, font_weight=600)

    def dot(self, x: float, y: float, colour: str, **attributes: Any) -> Markup:
        """A person at a point in cells."""
        left, top = self.point(x, y)
        return tag("circle", cx=left, cy=top, **({"r": 8, "fill": colour} | attributes))

    def axes(self) -> Markup:
        """The lines between cells, the boundaries of their intervals, and the attributes' names."""
        columns, rows = self.across.leaves, self.upwards.leaves
        ends = [((x, 0), (x, rows)) for x in range(columns + 1)] + [((0, y), (columns, y)) for y in range(rows + 1)]
        drawn = Markup("")
        for begin, end in ends:
            (x1, y1), (x2, y2) = self.point(*begin), self.point(*end)
            drawn += tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=palette.SUPPRESSED, stroke_opacity=0.5)
        for place, text in zip(*boundaries(self.across), strict=True):
            drawn += self.words(place, -0.22, text, 16)
        for place, text in zip(*boundaries(self.upwards), strict=True):
            drawn += self.words(-0.12, place, text, 16, text_anchor="end")
        drawn += self.words(columns / 2, -0.58, _named(self.across), 17, font_weight=600)
        x, y = self.point(-0.7, rows / 2)
        turned = f"rotate(-90 {x} {y})"
        return drawn + self.words(-0.7, rows / 2, _named(self.upwards), 17, font_weight=600, transform=turned)

    def svg(self, layers: Mapping[str, Iterable[Markup]], alt: str) -> Markup:
        """The picture: the axes, and over them each layer as a group of its name.

        Args:
            layers: what is drawn, by name, from below to above.
            alt: what the picture shows, in a sentence.
        """
        width, height = self.size
        groups = [tag("g", Markup("").join(drawn), data_layer=name) for name, drawn in layers.items()]
        return tag(
            "svg",
            tag("title", alt) + self.axes() + Markup("").join(groups),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            role="group",
        )


def _named(attribute: Hierarchy) -> str:
    return f"{attribute.name} ({attribute.measure})" if attribute.measure else attribute.name
