"""One step of a recoding on the segment grid: which records are left, and which classes took the others."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_dashboard import palette
from cra_dashboard.charts.grid import leaf_positions, spread
from cra_dashboard.charts.picture import Dot, Outline, Picture, drawn_first
from cra_dashboard.charts.tiled import Shown, box_outlines, tiled_figure
from cra_dashboard.charts.view import View, leaf_text
from cra_dashboard.palette import BLANK, BOX, OUT, Mark
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import colour_of, in_order, number_of
from cra_engine import Recoding
from cra_engine.files.tables import column_of
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.study.grid import Grid
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import how_many

MOST_DOTS = 2000  # more hide each other
_SHADES = 5
NOW = "✓"  # before the number of records that a step publishes


@dataclass(frozen=True, eq=False)
class TileCounts:
    """Records per tile (columns x rows) of the recoding figure after a step.

    Attributes:
        left: not published, suppressed at the end.
        now: published by the step itself.
        before: published by earlier steps.
    """

    left: NDArray[np.int64]
    now: NDArray[np.int64]
    before: NDArray[np.int64]


def at_the_end(recoding: Recoding, index: int) -> bool:
    """Return whether the recoding figure stands at the end of the sweep, one past the last iteration."""
    return index > len(recoding.iterations)


def tile_counts(recoding: Recoding, view: View, index: int) -> TileCounts:
    """Count records per tile for the recoding figure: step 0 is the raw table, one past the last iteration the end."""
    whole, after = (view.project(recoding.cell_counts(i)) for i in (1, index + 1))
    found = view.project(recoding.cell_counts(index)) if index > 0 else whole
    return TileCounts(after, found - after, whole - found)


def step_figure(recoding: Recoding, view: View, index: int, frame: pd.DataFrame | None = None) -> Picture:
    """Draw for any page the grid after a step of a recoding, with the classes formed so far.

    Args:
        recoding: the recoding that is stepped through.
        view: the part of the grid to show.
        index: 0 is the raw table, one past the last iteration the end of the sweep.
        frame: the raw table, to draw its records as dots; without it the tiles hold numbers.
    """
    return tiled_figure(
        recoding.grid,
        view,
        _tile_of(recoding, view, index, dots=frame is not None),
        # The legend of the step says what they are.
        [replace(one, name="") for one in formed_outlines(recoding, view, index)],
        scale=step_legend(recoding, index, dots=frame is not None),
        dots=() if frame is None else record_points(recoding, view, index, frame),
        heading="Number of records:" if frame is None else "Records:",
    )


def cuts_of(grid: Grid, view: View) -> dict[str, Any]:
    """Return how states cut a view of the grid, for a figure that shows the boxes of the state that is pointed at.

    Returns:
        Per axis (``x``, ``y``) and layer, from the leaves upwards, where its nodes begin and end; ``across`` and
        ``upwards`` say which place of a state counts for the axis, None for no axis.
    """

    def borders(position: int | None) -> list[list[int]]:
        layers = () if position is None else grid.attributes[position].layer_nodes
        return [sorted({end for node in nodes for end in view.span(position, node)}) for nodes in layers]

    return {"x": borders(view.x), "y": borders(view.y), "across": view.x, "upwards": view.y}


def owning_classes(recoding: Recoding) -> NDArray[np.int32]:
    """Return over the figure's grid the number of the class that took each cell's records; -1 where none did."""
    owner = np.full(recoding.grid.shape, -1, dtype=np.int32)
    # A class takes whoever is left in its box.
    for number, formed in sorted(enumerate(recoding.classes), key=lambda one: one[1].iteration):
        box = owner[recoding.grid.slices(formed.segment)]
        box[box == -1] = number
    return owner


def first_owning_classes(recoding: Recoding, view: View) -> NDArray[np.int64]:
    """Return over a figure's tiles the class that took records behind each, of several the first; -1 for none."""
    owner, found = owning_classes(recoding), np.full((view.columns, view.rows), -1, dtype=np.int64)
    held = recoding.cell_counts(1) > 0
    for number in reversed(in_order(recoding.release, np.unique(owner[held & (owner >= 0)]).tolist())):
        found[view.project(held & (owner == number)) > 0] = number
    return found


def step_legend(recoding: Recoding, index: int, *, dots: bool) -> list[Mark]:
    """Return the legend of :func:`step_figure`: what is drawn at this step."""
    over, kind = at_the_end(recoding, index), "circle" if dots else "square"
    formed = {number_of(recoding.release, at): one.iteration for at, one in enumerate(recoding.classes)}
    rings = [step for number, step in formed.items() if dots and palette.again(number)]
    left = replace(OUT, sign="") if dots else replace(OUT, symbol=kind)
    now = Mark(palette.INK, "published now, by class", "" if dots else NOW, 1, "diamond" if dots else "square")
    before = Mark(palette.INK, "published, by class" if over else "published earlier, by class", "", 1, kind)
    waits = left if over else Mark(palette.SUPPRESSED, "not published yet", "", 1, kind)
    marks = {} if over else {now: index > 0}
    marks |= {before: any(step < index for step in formed.values())} if dots else {}
    ring = Mark(palette.INK, f"the same, from class {len(palette.CLASSES)} on", "", 1, "circle-open")
    marks |= {ring: min(rings) < index} if rings else {}
    return drawn_first(marks | {waits: bool(recoding.cell_counts(index + 1).any()), BOX: bool(formed) and index > 0})


def _tile_of(recoding: Recoding, view: View, index: int, *, dots: bool) -> Callable[[int, int], Shown]:
    counts, over = tile_counts(recoding, view, index), at_the_end(recoding, index)
    owner = first_owning_classes(recoding, view)
    most = max(int(counts.left.max(initial=0)), 1)

    def shown(x: int, y: int) -> Shown:
        left, now, before = (int(part[x, y]) for part in (counts.left, counts.now, counts.before))
        own = colour_of(recoding.release, int(owner[x, y]))
        mark, text = BLANK, ""
        if now:
            mark, text = Mark(own), f"{NOW}{now}"
        elif left and not dots:
            shade = -(-left * _SHADES // most)
            mark, text = Mark(palette.SUPPRESSED, opacity=0.08 + 0.09 * shade), f"{OUT.sign if over else ''}{left}"
        # Numbers over dots could not be read.
        return mark, "" if dots else text, _told(left, now, before, over=over)

    return shown


def _told(left: int, now: int, before: int, *, over: bool) -> str:
    if not left + now + before:
        return "no record"
    parts = [(left, "suppressed" if over else "not published yet"), (now, "published now")]
    parts.append((before, "published" if over else "published earlier"))
    return "\n".join(f"{how_many(number, 'record')} {what}" for number, what in parts if number)


def formed_outlines(recoding: Recoding, view: View, index: int) -> list[Outline]:
    """Outline in the figure the classes formed up to a step, with their numbers; those of this step stand out."""
    order = in_order(recoding.release, range(len(recoding.classes)))
    formed = [(number_of(recoding.release, at), recoding.classes[at]) for at in order]
    latest = () if at_the_end(recoding, index) else [number for number, one in formed if one.iteration == index]
    boxes = ((number, one.segment) for number, one in formed if one.iteration <= index)
    return box_outlines(recoding.grid, boxes, view, latest)


def record_points(recoding: Recoding, view: View, index: int, frame: pd.DataFrame) -> list[Dot]:
    """Draw the raw records as dots, by what a step of the recoding made of them; at step 0 all are alike."""
    study = recoding.study
    located = locate(frame, study)
    frame, leaves = located.data, located.leaves
    seen, taken = view.inside(leaves), recoding.iteration_of_record
    across, up = view.axes(study.attributes)
    x = _places(across, study.attributes[view.x], leaves[:, view.x], frame)
    # On a single row they are spread, so that equal values stay countable.
    y = (
        spread(len(x))
        if up is None or view.y is None
        else _places(up, study.attributes[view.y], leaves[:, view.y], frame)
    )
    left = (taken == 0) | (taken > index)
    now = (taken == index) & ~left
    number = owning_classes(recoding)[tuple(leaves.T)]
    # In the same order at every step: only what a step changes changes.
    seconds = [c >= 0 and palette.again(number_of(recoding.release, c)) for c in number.tolist()]
    kinds = ["circle-open" if second else "circle" for second in seconds]
    symbols = np.where(left, "circle", np.where(now, "diamond", kinds))
    colours = [
        palette.SUPPRESSED if waits else colour_of(recoding.release, int(c))
        for waits, c in zip(left, number, strict=True)
    ]
    looks = zip(x.tolist(), y.tolist(), colours, symbols.tolist(), np.where(now, 11, 8).tolist(), strict=True)
    return [Dot(*look) for look, shown in zip(looks, seen, strict=True) if shown]


def _places(axis: Hierarchy, attribute: Hierarchy, leaves: NDArray[np.int16], frame: pd.DataFrame) -> NDArray[Any]:
    """Where the records lie on an axis, which may be the attribute folded."""
    tiles = attribute.ranks[attribute.layers - axis.layers][leaves]
    return leaf_positions(axis, tiles, numbers(column_of(frame, attribute.name))[0] if attribute.plain else None)


def counts_table(recoding: Recoding, view: View, index: int) -> pd.DataFrame:
    """Return the recoding figure's tiles that hold or held a record as a table, the fullest first."""
    across, up = view.axes(recoding.study.attributes)
    over = at_the_end(recoding, index)
    counts, rows = tile_counts(recoding, view, index), []
    for x, y in np.argwhere(counts.left + counts.now + counts.before).tolist():
        left, now, before = (int(part[x, y]) for part in (counts.left, counts.now, counts.before))
        row: dict[str, str | int] = {across.name: leaf_text(across, x)}
        if up is not None:
            row[up.name] = leaf_text(up, y)
        row["suppressed" if over else "not published yet"] = left
        if not over and index:
            row["published now"] = now
        row["published" if over else "published earlier"] = before
        rows.append(row)
    rows.sort(key=lambda row: -sum(value for value in row.values() if isinstance(value, int)))
    return pd.DataFrame(rows)


def class_table(recoding: Recoding, index: int) -> pd.DataFrame:
    """Return the classes of the recoding figure up to a step as they were formed, one a row."""
    rows = [
        {
            "class": number_of(recoding.release, number),
            "box": words.box(recoding.grid, formed.segment),
            "records": formed.size,
            "state": words.state(formed.segment.state),
            "formed in step": formed.iteration,
        }
        for number in in_order(recoding.release, range(len(recoding.classes)))
        if (formed := recoding.classes[number]).iteration <= index
    ]
    return pd.DataFrame(rows, columns=["class", "box", "records", "state", "formed in step"])
