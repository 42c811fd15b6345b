"""The picture of a grid as every page draws it: a mark per tile, the borders of boxes, and the legend of its marks."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cra_dashboard.charts.grid import axis_of
from cra_dashboard.charts.look import HEIGHT, texts_fit
from cra_dashboard.charts.picture import Dot, Outline, Picture, Tile
from cra_dashboard.charts.view import View
from cra_dashboard.palette import BOX, BOX_OPACITY, BOX_WIDTH, INK, Mark, explained, of_class
from cra_dashboard.texts import words
from cra_engine.study.grid import Cell, Grid, Segment
from cra_engine.words import listed, spoken

Shown = tuple[Mark, str, str]
"""What a tile shows: its mark, what stands in it, and what the pointer tells below its place."""
_Place = tuple[int, int]  # across, and the upper end
_Box = tuple[int, tuple[int, int, int, int]]  # its number and its border
_MOST_TEXT_ROWS, _MOST_LINES = 18, 18  # more would stand on each other, in all cells of a column together


def tiled_figure(
    grid: Grid,
    view: View,
    shown: Callable[[int, int], Shown],
    outlines: Iterable[Outline] = (),
    *,
    keys: Sequence[Mark] = (),
    scale: Sequence[Mark] = (),
    dots: Sequence[Dot] = (),
    heading: str,
) -> Picture:
    """Draw for any page any tiles on a view's two attributes, with a legend.

    Args:
        grid: the cells.
        view: the part of the grid to show.
        shown: per tile, its place across and upwards.
        outlines: borders of boxes; those of a later one lie on top.
        keys: marks that the legend explains where some tile has them.
        scale: marks that it explains in any case, before these and the borders.
        dots: raw records.
        heading: of the legend: what the numbers of the tiles count; empty where there are none.
    """
    tiles, worn = [], dict[Mark, str]()
    for x, y in np.ndindex(view.columns, view.rows):
        mark, text, told = shown(x, y)
        worn.setdefault(mark, text)
        where = view.describe(grid.attributes, x, y)
        tiles.append(Tile(x, y, mark.colour or None, text, f"{where}\n{told}" if told else where, mark.opacity))
    if view.rows > _MOST_TEXT_ROWS or not texts_fit(view.columns, [tile.text.split("\n")[0] for tile in tiles]):
        tiles = [replace(tile, text="") for tile in tiles]
    outlines = [
        one if texts_fit(view.columns, [one.label], one.x1 - one.x0) else replace(one, label="") for one in outlines
    ]
    # What is not filled is explained by what stands in one of these tiles.
    found = [key if key.colour else explained(key, worn[key].split("\n")[0]) for key in keys if key in worn]
    across, upwards = view.axes(grid.attributes)
    return Picture(
        axis_of(across),
        axis_of(upwards),
        tiles,
        outlines,
        dots,
        legend=[*scale, *found, *_borders(outlines)],
        heading=heading,
        # The same for every number of legend entries: a picture that is stepped through holds still.
        height=230 if view.rows == 1 else HEIGHT,
    )


def behind_tiles(grid: Grid, view: View, counted: str = "") -> str:
    """Say below any such figure what is counted and what a tile stands for, where that is no single cell."""
    if view.flat:
        return ""
    summed = [grid.attributes[place].name for place, leaf in view.fixed if leaf is None and view.shape[place] > 1]
    left_out = f": {words.plain(listed(summed))} {'is' if len(summed) == 1 else 'are'} not drawn" if summed else ""
    slices = "" if view.folded else " Choose a slice to see single ones."
    return f"{counted} A tile stands for several cells here{left_out}.{slices}"


def _borders(outlines: Sequence[Outline]) -> list[Mark]:
    """The legend of these borders, of one colour or of each class's own, with what stands at a box's corner."""
    colours, dashes = dict[str, set[str]](), {one.name: one.dash for one in outlines}
    corner = ": its number" if any(one.label for one in outlines) else ""
    corner = " (number: people)" if any(one.people for one in outlines) else corner
    for one in outlines:
        colours.setdefault(one.name, set()).add(one.colour)
    return [
        replace(BOX, name=f"{name}{corner}")
        if name == BOX.name
        else Mark(of.pop() if len(of) == 1 else INK, name, "", 1, BOX.symbol, dashes[name])
        for name, of in colours.items()
        if name
    ]


def box_outlines(
    grid: Grid,
    boxes: Iterable[tuple[int, Segment]],
    view: View,
    chosen: Collection[int] = (),
    people: Mapping[int, str] | None = None,
) -> list[Outline]:
    """Outline the published boxes in the grid's figure, each in its class's colour, the wider ones below.

    Args:
        grid: the cells.
        boxes: with the numbers of their classes.
        view: the part of the grid to show.
        chosen: numbers of the classes whose boxes stand out.
        people: how many are in each, by the number of its class, to stand at its corner too where there is room.
    """
    boxes = list(boxes)
    borders = [(number, border) for number, segment in boxes if (border := view.outline(grid, segment)) is not None]
    borders.sort(key=lambda one: one[0] not in chosen)
    told = {number: f"box {number}: {place_of(grid, segment)}" for number, segment in boxes}
    told |= {number: f"{told[number]}, {said}" for number, said in (people or {}).items() if number in told}
    corners: dict[_Place, list[_Box]] = {}
    for number, border in borders:
        corners.setdefault((border[0], border[3]), []).append((number, border))
    lines = max(map(len, corners.values()), default=0) * view.rows
    short = [f"{number}: {said.split()[0]}" for number, said in (people or {}).items()]
    people = people if lines <= _MOST_LINES and texts_fit(view.columns, short) else None
    found: dict[tuple[int, ...], Outline] = {}
    for number, border in borders:
        corner = border[0], border[3]
        look = Outline(*border, of_class(number), opacity=BOX_OPACITY, name=BOX.name, told=told[number])
        look = replace(look, width=2 * BOX_WIDTH if number in chosen else BOX_WIDTH)
        if people:
            line = [one for one, _ in corners[corner]].index(number)
            counted = replace(look, label=str(number), people=people[number], line=line)
            found[*border, line] = counted
            continue
        # Of boxes that lie behind each other, in a view of several attributes, the first alone is drawn.
        label, at = _names(corner, corners, view.columns).get(number, ("", corner))
        found.setdefault(border, replace(look, label=label, at=at))
    return sorted(found.values(), key=lambda one: (one.width, -(one.x1 - one.x0) * (one.y1 - one.y0)))


def _names(corner: _Place, corners: Mapping[_Place, Sequence[_Box]], columns: int) -> dict[int, tuple[str, _Place]]:
    """Return what stands for boxes that begin at one corner, by the number of the box, and from where.

    Each stands where the smaller ones end, to the right or below. Where one has no room there, the first of them names
    all in the corner.
    """
    here = corners[corner]

    def fits(name: str, end: int, at: _Place) -> bool:
        ends = [x for x, y in corners if y == at[1] and x > at[0]]  # where the name of another one begins
        return (at == corner or at not in corners) and texts_fit(columns, [name], min([end, *ends]) - at[0])

    names, (right, below) = dict[int, tuple[str, _Place]](), corner
    for border in sorted({border for _, border in here}, key=lambda one: (one[1], -one[2])):
        same = [number for number, other in here if other == border]
        at = (right, corner[1]) if border[1] > right else (corner[0], below)
        if at[1] <= border[2] or not fits(name := ", ".join(map(str, same)), border[1], at):
            break
        names[same[0]] = name, at
        right, below = border[1], min(below, border[2])
    else:
        return names
    first, border = here[0]
    offered = [", ".join(str(number) for number, _ in here), f"{first}+"]
    return {first: (next((name for name in offered if fits(name, border[1], corner)), ""), corner)}


def segment_outline(grid: Grid, segment: Segment, view: View, colour: str, name: str) -> list[Outline]:
    """Return the border of a box for a figure, as far as the view meets it, with its name in the legend."""
    border = view.outline(grid, segment)
    told = f"{name}: {place_of(grid, segment)}"
    return [] if border is None else [Outline(*border, colour, width=4, name=name, told=told)]


def place_of(grid: Grid, segment: Segment) -> str:
    """Say where a box of a figure is, to whoever hears it."""
    return spoken(grid.describe(segment))


def box_mask(grid: Grid, segment: Segment) -> NDArray[np.bool_]:
    """Mark the cells of a box for a figure: True there, in the grid's shape."""
    mask = np.zeros(grid.shape, dtype=bool)
    mask[grid.slices(segment)] = True
    return mask


def cells_mask(grid: Grid, cells: Iterable[Cell]) -> NDArray[np.bool_]:
    """Mark these cells for a figure: True there, in the grid's shape."""
    mask = np.zeros(grid.shape, dtype=bool)
    for cell in cells:
        mask[cell] = True
    return mask
