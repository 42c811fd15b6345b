"""A scene as the table that it is: who was moved, taken out or put in, in the columns of the table it began with."""

import re
from typing import Any

import pandas as pd

from cra_engine.errors import DataError
from cra_engine.scenes.table import Table
from cra_engine.study.coded import NULL
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.periods import first_day, period_text
from cra_engine.study.study import Study
from cra_engine.words import shortest_number

SCENE = re.compile(r"[a-z0-9.]+-k\d{1,2}(-(m\d{1,5}\.\d{1,3}|[da]\d{1,5}))*")


def scene_frame(scene: str, table: Table, study: Study, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the raw table of a scene from the browser such as ``table-k3-m12.7-d4-a9``.

    Args:
        scene: person 12 moved to cell 7, person 4 taken out, somebody put into cell 9.
        table: what the script got.
        study: of its two attributes.
        frame: the table that the scene began with, without rows that the study leaves out.

    Returns:
        Its rows in their order, who was put in last. Who was moved keeps the place inside the cell, and all other
        columns; who was put in has nothing in these.

    Raises:
        DataError: the scene makes no sense for this table.
    """
    if not SCENE.fullmatch(scene):
        raise DataError(f"{scene[:60]!r} is no scene; one looks like table-k3-m12.7-d4-a9.")
    moved: dict[int, int] = {}
    gone: set[int] = set()
    added: list[int] = []
    for part in scene.split("-")[2:]:
        ends = [int(number) for number in part[1:].split(".")]
        if part[0] == "m":
            moved[ends[0]] = ends[1]
        elif part[0] == "d":
            gone.add(ends[0])
        else:
            added.append(ends[0])
    cells = table["shape"][0] * table["shape"][1]
    if max((*moved, *gone), default=0) >= len(frame) or max((*moved.values(), *added), default=0) >= cells:
        raise DataError(f"{scene[:60]!r} speaks of somebody or of a cell that this table does not have.")
    if len(added) > len(table["added"]):
        raise DataError(f"{scene[:60]!r} puts in more than the {len(table['added'])} people that can be added.")
    kept = [row for row in range(len(frame)) if row not in gone]
    new = frame.iloc[:0].set_axis(pd.RangeIndex(0)).reindex(range(len(added)))
    result = (
        pd.concat([frame.iloc[kept], new.set_axis(_labels(frame.index, len(added)))]) if added else frame.iloc[kept]
    )
    columns = {}
    for axis, attribute in enumerate(study.attributes):
        old = frame[attribute.name]
        like = old.dropna().iloc[0]

        def value(cell: int, place: int, of: Hierarchy = attribute, at: int = axis, like: Any = like) -> Any:
            return raw_value(of, divmod(cell, table["shape"][1])[at], place, like)

        people = table["people"]
        changed = {row: cell for row, cell in moved.items() if cell != people[row]["cell"]}
        values = [value(changed[row], people[row]["place"][axis]) if row in changed else old.iloc[row] for row in kept]
        values += [value(cell, one["place"][axis]) for cell, one in zip(added, table["added"], strict=False)]
        columns[attribute.name] = pd.Series(values, index=result.index, dtype=object if isinstance(like, str) else None)
    return result.assign(**columns)


def raw_value(attribute: Hierarchy, leaf: int, place: int, like: Any = 0) -> Any:
    """Return a raw value of a leaf for a scene: the one at a place among them, the last one where it has fewer.

    Args:
        attribute: its hierarchy.
        leaf: counted from 0.
        place: counted from 0.
        like: a value of the column: text, a day, or a number.
    """
    node = attribute.node(1, leaf)
    if node.gap or (node.coded and node.label == NULL):
        return None
    if not attribute.numeric:
        inside = [value for value, own in attribute.reader.listed.items() if own == leaf]
        return inside[min(place, len(inside) - 1)]
    if node.coded:  # beside the domain: below it, or from its end on
        outside = attribute.upper if leaf else attribute.lower - attribute.resolution
        return node.label if isinstance(like, str) else shortest_number(outside)
    found = node.lower + min(place, attribute.leaf_values[leaf] - 1) * attribute.resolution
    if not attribute.dates:
        return attribute.text(found) if isinstance(like, str) else shortest_number(found)
    day = first_day(int(found), attribute.unit)
    if not isinstance(like, str):
        return pd.Timestamp(day)
    return day if len(like) >= len(day) else period_text(int(found), attribute.unit)


def _labels(index: "pd.Index[Any]", many: int) -> list[Any]:
    """Names of rows that are put in, after those of the table."""
    first = int(index.max()) + 1 if pd.api.types.is_integer_dtype(index.dtype) and len(index) else None
    return [f"New {number + 1}" if first is None else first + number for number in range(many)]
