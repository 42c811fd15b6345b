"""What a picture of the grid, of the lattice or of a hierarchy consists of, whoever draws it.

On a page the script of :mod:`cra_dashboard.panels.picture` does, for handouts and telephones :mod:`.paper`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cra_dashboard.charts.look import HEIGHT
from cra_dashboard.palette import Mark


@dataclass(frozen=True)
class Axis:
    """One side of a picture.

    Attributes:
        title: what it counts; empty where nothing is written.
        ends: where it begins and ends.
        places: where it is labelled; labels: with what.
        ruled: where lines run through the picture.
        ticks: its labels are numbers at the ends of intervals; else they are names, which may be turned.
    """

    title: str
    ends: tuple[float, float]
    places: Sequence[float] = ()
    labels: Sequence[str] = ()
    ruled: Sequence[float] = ()
    ticks: bool = False


@dataclass(frozen=True)
class Tile:
    """One cell of a picture of the grid, or one node of a hierarchy's, with its fill and text.

    Attributes:
        x: leaf index across; y: leaf index upwards (0 where there is one attribute).
        fill: role colour (``#RRGGBB``), None for no fill.
        text: stands in the cell; of a second line as much as there is room for.
        told: what the pointer shows, and what is read out; in lines.
        opacity: of the fill.
        wide: how many leaves it spans across.
    """

    x: int
    y: int
    fill: str | None
    text: str
    told: str
    opacity: float = 0.35
    wide: int = 1


@dataclass(frozen=True)
class Outline:
    """A box's border in a picture, in leaf indices: ``x0`` and ``y0`` inside, ``x1`` and ``y1`` one past.

    Attributes:
        colour: role colour.
        label: stands in the upper left corner, or below and right of ``at``; people: behind it, where there is room.
        dash: ``"solid"``, ``"dash"`` or ``"dot"``, beside the colour.
        width: of the line in pixels.
        opacity: of the box's fill.
        line: on which its label stands, where boxes share their corner.
        name: of such a border in the legend; no entry where it is empty.
        told: what is read out of it.
    """

    x0: int
    x1: int
    y0: int
    y1: int
    colour: str
    label: str = ""
    dash: str = "solid"
    width: float = 3
    opacity: float = 0
    people: str = ""
    line: int = 0
    at: tuple[int, int] | None = None
    name: str = ""
    told: str = ""


@dataclass(frozen=True)
class Dot:
    """A mark in a picture, for a raw record.

    Attributes:
        x: place across; y: place upwards.
        colour: role colour.
        symbol: beside the colour, as in :class:`Mark`.
        size: in pixels.
    """

    x: float
    y: float
    colour: str
    symbol: str
    size: float


@dataclass(frozen=True)
class StateMark(Dot):
    """A state in a picture of the lattice.

    Attributes:
        layers: of the state.
        text: stands above it.
        told: what the pointer shows, in lines.
    """

    layers: tuple[int, ...]
    text: str
    told: str


def drawn_first(marks: Mapping[Mark, bool]) -> list[Mark]:
    """Return the legend of a picture that is stepped through: its marks, those that this step does not draw unseen.

    They keep their room at the end, so that the picture holds still.
    """
    return [replace(mark, unseen=not drawn) for mark, drawn in sorted(marks.items(), key=lambda one: not one[1])]


@dataclass(frozen=True, eq=False)
class Picture:
    """All that is drawn, from below to above.

    Attributes:
        across: the axis below; upwards: the axis on the left.
        tiles: of the grid; outlines: of boxes on it; dots: people on it.
        edges: of the lattice, each from a point to a point; states: on them.
        legend: what the marks mean, in this order; heading: before it.
        nested: its tiles are boxes in boxes, a row per layer, each with its own border.
        height: in pixels, the legend included.
    """

    across: Axis
    upwards: Axis
    tiles: Sequence[Tile] = ()
    outlines: Sequence[Outline] = ()
    dots: Sequence[Dot] = ()
    edges: Sequence[tuple[tuple[float, float], tuple[float, float]]] = ()
    states: Sequence[StateMark] = ()
    legend: Sequence[Mark] = ()
    heading: str = ""
    nested: bool = False
    height: int = HEIGHT

    def plain(self) -> dict[str, Any]:
        """The picture as JSON can hold it: tiles and dots, which can be thousands, as rows without names."""
        named = {name: [vars(one) for one in getattr(self, name)] for name in ("outlines", "states", "legend")}
        rows = {name: [[*vars(one).values()] for one in getattr(self, name)] for name in ("tiles", "dots")}
        return {**vars(self), **named, **rows, "across": vars(self.across), "upwards": vars(self.upwards)}
