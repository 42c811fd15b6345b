"""Pictures on the segment grid: the published boxes, and who owns which cell.

Where the grid has more attributes than a picture, a tile can stand for several cells; it then carries sums.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod

import numpy as np
import pandas as pd

from cra_dashboard.charts.picture import Dot, Outline, Picture
from cra_dashboard.charts.tiled import Shown, box_mask, box_outlines, cells_mask, segment_outline, tiled_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import BLANK, FREE, NO_CLASS, OWN, SUPPRESSED, TAKEN, TIED, Mark
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import colour_of, in_order, name_of, number_of
from cra_engine import Attack, Release
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.release import Owner
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import how_many, listed

_LISTED = 20_000  # cells of a grid up to which tiles of several cells name the owners
_THIEVES = 3  # named in the legend
MOST_BOXES = 80  # more would be all one sees
_THIN = 2  # pixels of the border of a box that stands behind the one that is looked at


def ownership_figure(attack: Attack, part: ClassAttack, view: View) -> Picture:
    """Draw for any page the cells of one class: its own, those that earlier classes took, those that a tie leaves open.

    Where a tile stands for several cells it tells how many of those in the class's box are free.
    """
    release, grid = attack.release, attack.release.grid
    inside, free = box_mask(grid, part.segment), cells_mask(grid, part.free_cells)
    tied = free & (attack.owner == Owner.UNDECIDED)
    counts = [view.project(mask) for mask in (inside, free, tied)]
    own, called = colour_of(release, part.index), name_of(release, part.index)
    mine, open_ = replace(FREE, colour=own), TIED if view.flat else replace(TIED, sign="")
    takers = [taker for taker in np.unique(attack.owner[inside & ~free]).tolist() if taker >= 0]
    taken = {taker: _taken_by(release, taker) for taker in in_order(release, takers)}

    def of_cell(x: int, y: int) -> Shown:
        cell, (n_inside, n_free, n_tied) = view.cells(x, y)[0], (int(found[x, y]) for found in counts)
        told = owner_in_words(attack, cell)
        if not n_inside:
            return BLANK, "", f"{told}\noutside the box of {called}"
        taker = int(attack.owner[cell])
        mark = open_ if n_tied else mine if n_free else taken.get(taker) or replace(TAKEN, sign=f"{TAKEN.sign}?")
        return mark, mark.sign, told

    def of_several(x: int, y: int) -> Shown:
        n_inside, n_free, n_tied = (int(found[x, y]) for found in counts)
        if not n_inside:
            return BLANK, "", f"outside the box of {called}"
        told = f"{n_free} of {n_inside} cells of {called} are free"
        told += f"\na tie leaves {n_tied} of them open" if n_tied else ""
        if n_free < n_inside and grid.size <= _LISTED:
            told += _takers(attack, part, view.cells(x, y))
        mark = open_ if n_tied and n_tied == n_free else some if n_free else none
        opacity = round(0.12 + 0.4 * n_free / n_inside, 2) if n_free else mark.opacity
        return replace(mark, opacity=opacity), f"{n_free}/{n_inside}", told

    some, none = Mark(own, "has free cells"), replace(TAKEN, sign="", name="all taken by earlier classes", opacity=0.35)
    scale = [some, *([none] if part.earlier else []), *([open_] if tied.any() else [])]
    few = len(taken) <= _THIEVES
    keys = [mine, *(taken.values() if few else ()), open_]
    box = class_box(part, view)
    if not view.flat:
        return tiled_figure(grid, view, of_several, box, scale=scale, heading="Number of free cells, of all:")
    scale = [] if few else [replace(TAKEN, colour=SUPPRESSED)]
    return tiled_figure(grid, view, of_cell, box, keys=keys, scale=scale, heading="")


def class_box(part: ClassAttack, view: View) -> list[Outline]:
    """Return the border of one class's box for a figure, of the suppressed that of the whole grid; the others' thin."""
    release, colour, called = part.release, SUPPRESSED, "where the suppressed people can be"
    if part.index is not None:
        colour, called = colour_of(release, part.index), f"the box of {name_of(release, part.index)}"
    own = segment_outline(release.grid, part.segment, view, colour, called)
    # Where there are too many, those that were there before count: they took cells of this one.
    earlier = {index for index, _ in part.earlier}
    others = sorted(set(range(len(release.classes))) - {part.index}, key=lambda index: index not in earlier)
    return [
        *(replace(one, width=_THIN, opacity=0) for one in release_outlines(release.grid, release, view, others)),
        *own,
    ]


def _taken_by(release: Release, index: int) -> Mark:
    number, called = number_of(release, index), name_of(release, index)
    return replace(TAKEN, colour=colour_of(release, index), sign=f"{TAKEN.sign}{number}", name=f"taken by {called}")


def _takers(attack: Attack, part: ClassAttack, cells: Iterable[Cell]) -> str:
    """The earlier classes that own some of the cells, a few by name."""
    owners = {int(attack.owner[cell]) for cell in cells if attack.release.grid.holds(part.segment, cell)}
    release = attack.release
    taken = in_order(release, (owner for owner in owners if owner >= 0 and owner != part.index))
    if not taken:
        return ""
    names = [str(number_of(release, owner)) for owner in taken[:6]] + (["others"] if len(taken) > 6 else [])
    return f"\nthe others were taken by class {listed(names)}"


def boxes_figure(
    release: Release,
    view: View,
    chosen: int | None = None,
    *,
    drawn: Container[int] | None = None,
    dots: Sequence[Dot] = (),
) -> Picture:
    """Draw what everybody can read off a release: its boxes, and how many people are in each; nothing is concluded.

    Args:
        release: what was published.
        view: the part of the grid to show.
        chosen: a class whose box stands out.
        drawn: classes to draw; the first :data:`MOST_BOXES` when left out.
        dots: raw records.
    """
    grid, order = release.grid, in_order(release, range(len(release.classes)))
    numbers = {number_of(release, index): index for index in order if drawn is None or index in drawn}
    boxes = [(number, release.classes[index].segment) for number, index in numbers.items()][:MOST_BOXES]
    thick = () if chosen is None else [number_of(release, chosen)]
    people = {number: how_many(release.classes[index].size, "person", "people") for number, index in numbers.items()}
    outlines = box_outlines(grid, boxes, view, chosen=thick, people=people)
    borders = {number: border for number, segment in boxes if (border := view.outline(grid, segment)) is not None}

    def shown(x: int, y: int) -> Shown:
        around = [
            f"box {number}: {people[number]}"
            for number, (x0, x1, y0, y1) in borders.items()
            if x0 <= x < x1 and y0 <= y < y1
        ]
        return BLANK, "", "\n".join(around) or "no box"

    return tiled_figure(grid, view, shown, outlines, dots=dots, heading="")


def overview_figure(attack: Attack, view: View, chosen: ClassAttack | None = None) -> Picture:
    """Draw for any page the whole grid by owner: a class in its colour, wider ones with their box too, or open.

    Where a tile stands for several cells it tells how many of them single-cell classes do not own.

    Args:
        attack: for the grid and the owners.
        view: the part of the grid to show.
        chosen: a class whose box stands out.
    """
    release, grid, owner = attack.release, attack.release.grid, attack.owner
    basic = np.array([part.basic for part in attack.classes] + [False], dtype=bool)
    kinds = {
        "basic": (owner >= 0) & basic[owner],
        "wider": (owner >= 0) & ~basic[owner],
        "open": owner == Owner.UNDECIDED,
        "nobody": owner == Owner.SUPPRESSED,
    }
    counts = {kind: view.project(mask) for kind, mask in kinds.items()}

    def of_cell(x: int, y: int) -> Shown:
        cell = view.cells(x, y)[0]
        told, whose = owner_in_words(attack, cell), int(owner[cell])
        if whose < 0:
            mark = TIED if whose == Owner.UNDECIDED else NO_CLASS
            return mark, mark.sign, told
        mark = Mark(colour_of(release, whose), opacity=0.16 if basic[whose] else FREE.opacity)
        return mark, str(number_of(release, whose)), told

    def of_several(x: int, y: int) -> Shown:
        here = {kind: int(found[x, y]) for kind, found in counts.items()}
        total = sum(here.values())
        vague = total - here["basic"]
        told = (
            f"{here['basic']} of {total} cells: a class of their own\n{here['wider']}: a wider class"
            f"\n{here['nobody']}: no class"
        )
        told += f"\n{here['open']}: left open by a tie" if here["open"] else ""
        return Mark(OWN if vague else "", opacity=round(0.1 + 0.4 * vague / total, 2)), f"{vague}/{total}", told

    if not view.flat:
        vague = Mark(OWN, "cells outside single-cell classes")
        return tiled_figure(grid, view, of_several, scale=[vague], heading="Number of cells, of all:")
    shown = [part for part in attack.classes if part is chosen or not part.basic]
    boxes = [(number_of(release, part.index), part.segment) for part in shown if part.index is not None]
    thick = [] if chosen is None or chosen.index is None else [number_of(release, chosen.index)]
    outlines = box_outlines(grid, boxes, view, chosen=thick)
    return tiled_figure(grid, view, of_cell, outlines, keys=[TIED, NO_CLASS], heading="Whose cell it is, by class:")


def release_outlines(
    grid: Grid, release: Release | None, view: View, which: Sequence[int] | None = None
) -> list[Outline]:
    """Outline in a figure of these cells the boxes of a release, with their numbers, if its cells are the same.

    Args:
        grid: the cells.
        release: whose boxes.
        view: the part of the grid to show.
        which: classes; all when left out. The first :data:`MOST_BOXES` are drawn.
    """
    if release is None or not view.flat or release.grid.shape != grid.shape:
        return []
    drawn = list(range(len(release.classes)) if which is None else which)[:MOST_BOXES]
    return box_outlines(release.grid, [(number_of(release, i), release.classes[i].segment) for i in drawn], view)


def owner_table(attack: Attack, part: ClassAttack | None, view: View, most: int) -> tuple[pd.DataFrame, int]:
    """Return the ownership figure as a table: who owns each cell, in row-major order, and how many cells there are.

    Args:
        attack: for the grid and the owners.
        part: the class whose box is shown; None for the whole grid.
        view: the part of the grid that is shown.
        most: rows after which the table stops.
    """
    grid = attack.release.grid
    nodes = grid.nodes(part.segment if part else grid.whole)
    ranges = [range(node.start, node.stop) for node in nodes]
    for position, leaf in view.fixed:
        if leaf is not None:
            # Nothing is left where the slice does not touch the box.
            ranges[position] = range(max(leaf, nodes[position].start), min(leaf + 1, nodes[position].stop))
    cells = list(islice(product(*ranges), most))
    columns = {
        "Cell": [words.cell(grid, cell) for cell in cells],
        "Owner": [_owner(attack, cell) for cell in cells],
    }
    if part:
        title = words.sentence(name_of(attack.release, part.index))
        columns = {title: [_fate(attack, part, cell) for cell in cells], **columns}
    return pd.DataFrame(columns), prod(map(len, ranges))


def _owner(attack: Attack, cell: Cell) -> str:
    owner = int(attack.owner[cell])
    if owner == Owner.UNDECIDED:
        return listed(_tied(attack, cell), "or")
    return name_of(attack.release, owner) if owner >= 0 else "no class"


def _fate(attack: Attack, part: ClassAttack, cell: Cell) -> str:
    """What a class has of a cell in its box."""
    if not part.may_fill(cell):
        return "taken"
    return "left open by a tie" if attack.owner[cell] == Owner.UNDECIDED else "its own"


def owner_in_words(attack: Attack, cell: Cell) -> str:
    """Say beside the ownership figure who has a cell's records: ``whoever is here is in class 3``."""
    owner = int(attack.owner[cell])
    if owner >= 0:
        return f"whoever is here is in {name_of(attack.release, owner)}"
    if owner == Owner.UNDECIDED:
        return f"whoever is here is in {listed(_tied(attack, cell), 'or')}: a tie leaves it open"
    return "no class covers this cell: whoever is here was suppressed" if attack.suppressed else "nobody is here"


def _tied(attack: Attack, cell: Cell) -> list[str]:
    """The classes that may own a cell, since their states tie."""
    able = [part.index for part in attack.classes if part.index is not None and part.may_fill(cell)]
    return [name_of(attack.release, index) for index in in_order(attack.release, able)]
