"""The story's one picture: every layer that a step can show, and everything that can be clicked in it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from operator import mul
from typing import Literal, get_args

from markupsafe import Markup
from propcache.api import cached_property

from cra_dashboard import palette
from cra_dashboard.charts.drawing import PAPER, Drawing, Extent, tag
from cra_dashboard.charts.ownership import boxes_figure
from cra_dashboard.charts.paper import placed
from cra_dashboard.charts.tight import certain_figure
from cra_dashboard.charts.view import View
from cra_dashboard.lessons.argument import Argument, name_of
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.study.grid import Cell, Grid, Segment
from cra_engine.words import how_many, spoken

# From below to above.
Layer = Literal[
    "veil",
    "early",
    "quarters",
    "plain",
    "boxes",
    "long",
    "free",
    "seats",
    "taken",
    "numbers",
    "certain",
    "tall",
    "around",
    "pairs",
    "more",
    "crammed",
    "truth",
]
_OUT = "currentColor", 0.18  # where nobody can be: seen on white and on black alike
Choices = Literal["cells", "boxes", "quarters", "numbers"]


@dataclass(frozen=True)
class Picture:
    """Draws the story's argument; a layer, and a kind of choices, is the method of its name."""

    shown: Argument

    def svg(self, choices: Sequence[Choices]) -> Markup:
        """The picture: each layer a group, and for each step a group of what can be clicked there."""
        layers: dict[str, Iterable[Markup]] = {name: getattr(self, f"_{name}")() for name in get_args(Layer)}
        for place, kind in enumerate(choices):
            layers[f"choices-{place}"] = getattr(self, f"_of_{kind}")()
        return self.draw.svg(layers, self._alt)

    @property
    def _alt(self) -> str:
        boxes = how_many(len(self.shown.attack.classes), "published box", "published boxes")
        names = " and ".join(attribute.name for attribute in self.grid.attributes)
        return f"A grid of {self.grid.size} cells, by {names}, with {boxes}"

    def of_step(self, layers: Collection[Layer], choices: Choices) -> Markup:
        """The picture at one moment of a step, with nothing of any other: these layers, and what can be clicked."""
        shown: dict[str, Iterable[Markup]] = {n: getattr(self, f"_{n}")() for n in get_args(Layer) if n in layers}
        return self.draw.svg(shown | {"choices": getattr(self, f"_of_{choices}")()}, self._alt)

    @property
    def grid(self) -> Grid:
        """Of the release."""
        return self.shown.attack.release.grid

    @cached_property
    def draw(self) -> Drawing:
        """Draws on it."""
        across, upwards = self.grid.attributes
        return Drawing(across, upwards)

    @cached_property
    def view(self) -> View:
        """All of it."""
        return View.of(self.grid, 0, 1)

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells."""
        return self.grid.cells(self.grid.whole)

    def extent(self, segment: Segment) -> Extent:
        """A segment's place."""
        x, y = self.grid.nodes(segment)
        return x.start, x.stop, y.start, y.stop

    # ---------------------------------------------------------------- layers

    def _veil(self) -> Iterator[Markup]:
        for cell in self.cells:
            yield self.draw.words(*_middle(_extent(cell)), "?", 28, fill_opacity=0.5)

    def _early(self) -> Iterator[Markup]:
        """Whoever was published before the quarters had their turn."""
        for part in self.shown.attack.classes:
            if part not in self.shown.long:
                yield self.draw.rectangle(self.extent(part.segment), 2, fill=_OUT[0], fill_opacity=_OUT[1])

    def _boxes(self) -> Iterator[Markup]:
        return self._frames(self.shown.attack.classes)

    def _long(self) -> Iterator[Markup]:
        return self._frames(self.shown.long)

    def _plain(self) -> Iterator[Markup]:
        for part in self.shown.attack.classes:
            if part.basic:
                _, number = palette.known(part.size, part.size)
                yield self.draw.words(*_middle(_extent(part.free_cells[0])), number, 40, font_weight=700)

    def _free(self) -> Iterator[Markup]:
        free = self.shown.suppressed.free_cells
        yield from self._filled([cell for cell in self.cells if cell not in free], *_OUT)
        for cell in free:
            yield self._dashed(_extent(cell), 6)
            yield self.draw.words(*_middle(_extent(cell)), "?", 40, font_weight=700)

    def _quarters(self) -> Iterator[Markup]:
        return (self._dashed(self.extent(quarter)) for quarter in self.shown.quarters)

    def _pairs(self) -> Iterator[Markup]:
        inside = [cell for pair in self.shown.pairs for cell in self.grid.cells(pair)]
        taken = [cell for cell in inside if cell != self.shown.cell and not self.shown.beside.may_fill(cell)]
        yield from self._filled(taken, *_OUT)
        yield from self._around()
        yield from (self._labelled(pair, self._places) for pair in self.shown.pairs if pair != self._found_in)

    def _around(self) -> Iterator[Markup]:
        return self._apart(self.shown.pairs)

    def _apart(self, boxes: Sequence[Segment]) -> Iterator[Markup]:
        """Boxes that lie side by side, each dashed."""
        ends = [self.extent(box) for box in boxes]
        around = [pick(each) for pick, each in zip((min, max, min, max), zip(*ends, strict=True), strict=True)]
        for extent in ends:
            # Apart from each other, and outside the border of the box, along which a dashed line would look torn.
            apart = (0.06 if end == out else -0.04 for end, out in zip(extent, around, strict=True))
            left, right, low, high = map(mul, apart, (-1, 1, -1, 1))
            yield self._dashed((extent[0] + left, extent[1] + right, extent[2] + low, extent[3] + high), 0)

    def _more(self) -> Iterator[Markup]:
        """Of the pair where one is certain, once that is counted."""
        yield self._labelled(self._found_in, f"room for {self.shown.k - 2} more")

    def _tall(self) -> Iterator[Markup]:
        return self._frames([self.shown.beside])

    def _crammed(self) -> Iterator[Markup]:
        """What the pairs' turn follows from: boxes that would split one class, the quarter too small for another."""
        yield self.draw.rectangle(self.extent(self.shown.crammed), 2, fill=palette.CHOSEN, fill_opacity=0.25)
        yield from self._frames([self.shown.split, self.shown.above, self.shown.beside])
        yield from self._apart(self.shown.splitting)
        yield self._labelled(self.shown.crammed, self._places)

    def _seats(self) -> Iterator[Markup]:
        for quarter in self.shown.quarters:
            yield from self._card(quarter, self._places, PAPER)

    def _taken(self) -> Iterator[Markup]:
        for quarter in self.shown.crowded:
            yield from self._card(quarter, "full", "currentColor")

    def _numbers(self) -> Iterator[Markup]:
        yield from self._filled(self.cells, PAPER, 0.75)
        known = certain_figure(self.grid, self.shown.spans, self.view, self.shown.attack.release)
        yield from placed(self.draw, known, 24)

    def _certain(self) -> Iterator[Markup]:
        extent, (mark, _) = _extent(self.shown.cell), palette.known(1, 1)
        yield self.draw.rectangle(extent, 2, fill=PAPER)
        yield self.draw.rectangle(extent, fill=mark.colour, fill_opacity=mark.opacity)
        # Below the words is room for the dot, and below that for a class's guesses.
        yield self.draw.words(*_middle(extent), f"{mark.sign} certain", down=-27, font_weight=600)

    def _truth(self) -> Iterator[Markup]:
        yield self.draw.dot(*self.shown.truth, palette.OWN, r=10, stroke=PAPER, stroke_width=2)

    # ---------------------------------------------------------------- what can be clicked

    def _of_cells(self) -> Iterator[Markup]:
        return self._choices((name_of(cell), self.grid.cell_segment(cell)) for cell in self.cells)

    def _of_boxes(self) -> Iterator[Markup]:
        return self._choices((f"b{part.index}", part.segment) for part in self.shown.attack.classes)

    def _of_quarters(self) -> Iterator[Markup]:
        return self._choices((f"q{place}", quarter) for place, quarter in enumerate(self.shown.quarters))

    def _of_numbers(self) -> Iterator[Markup]:
        """The numbers 1 to k + 1 as buttons within the box that is asked about: the pair, in one of the quarters."""
        x, y = _middle(self.extent(self._found_in))
        for number in range(1, self.shown.k + 2):
            place = x + 0.46 * (number - self.shown.k / 2 - 1), y - 0.14
            button = self.draw.dot(*place, PAPER, r=20, stroke="currentColor", stroke_width=3)
            said = f"at most {how_many(number, 'person', 'people')}"
            what = {"data_choice": f"n{number}", "role": "button", "tabindex": 0, "aria_label": said}
            yield tag("g", button + self.draw.words(*place, f"{number}", 22, font_weight=700), **what)

    def _choices(self, named: Iterable[tuple[str, Segment]]) -> Iterator[Markup]:
        """Boxes to click, the larger ones below: a click takes the smallest."""
        for name, segment in sorted(named, key=lambda pair: -prod(pair[1].state)):
            said = spoken(self.grid.describe(segment))
            what = {"data_choice": name, "role": "button", "tabindex": 0, "aria_label": said}
            yield self.draw.rectangle(self.extent(segment), 2, rx=6, fill="transparent", **what)

    # ---------------------------------------------------------------- what layers share

    def _frames(self, parts: Sequence[ClassAttack]) -> Iterator[Markup]:
        drawn = [part.index for part in parts if part.index is not None]
        return placed(self.draw, boxes_figure(self.shown.attack.release, self.view, drawn=drawn), 17)

    def _filled(self, cells: Iterable[Cell], colour: str, opacity: float) -> Iterator[Markup]:
        return (self.draw.rectangle(_extent(cell), 2, fill=colour, fill_opacity=opacity) for cell in cells)

    def _dashed(self, extent: Extent, inset: float = 4) -> Markup:
        look = {"fill": "none", "stroke": "currentColor", "stroke_width": 3, "stroke_dasharray": "12 7"}
        return self.draw.rectangle(extent, inset, **look)

    @property
    def _places(self) -> str:
        return f"room for {self.shown.k - 1}"

    @property
    def _found_in(self) -> Segment:
        """The pair with the cell where one is certain."""
        return next(pair for pair in self.shown.pairs if self.shown.cell in self.grid.cells(pair))

    def _labelled(self, pair: Segment, said: str) -> Markup:
        x, y = _middle(self.extent(pair))
        return self.draw.label(x, y - 0.22, said, palette.SUPPRESSED)  # below what the cells say

    def _card(self, quarter: Segment, said: str, seat: str) -> Iterator[Markup]:
        """The places of a quarter: as many people as it can hold without being published."""
        x, y = _middle(self.extent(quarter))
        most = self.shown.k - 1
        half = 0.19 * most + 0.16
        card = x - half, x + half, y - 0.45, y + 0.24
        yield self.draw.rectangle(card, rx=12, fill=PAPER, stroke="currentColor", stroke_width=2)
        yield self.draw.words(x, y - 0.3, said, 19, font_weight=600)
        for place in range(most):
            at = x + 0.36 * (place - (most - 1) / 2)
            yield self.draw.dot(at, y, seat, r=15, stroke="currentColor", stroke_width=3)


def _extent(cell: Cell) -> Extent:
    return cell[0], cell[0] + 1, cell[1], cell[1] + 1


def _middle(extent: Extent) -> tuple[float, float]:
    return (extent[0] + extent[1]) / 2, (extent[2] + extent[3]) / 2
