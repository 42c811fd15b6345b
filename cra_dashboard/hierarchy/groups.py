"""Categories put into groups by a person, without a file: what is proposed is where the grouping begins."""

import streamlit as st

from cra_dashboard.hierarchy import study_edits
from cra_dashboard.session import state
from cra_dashboard.session.messages import tell
from cra_engine import CRAError, StudyError
from cra_engine.study.file_hierarchy import FileHierarchy, usual_finest
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import how_many

VALUES, NAME, LAYER = "group-values", "group-name", "group-layer"

Rows = tuple[tuple[str, ...], ...]


def can_be_grouped(attribute: Hierarchy) -> bool:
    """Return whether the values of a hierarchy can be put into groups on Hierarchies: True for categories."""
    return isinstance(attribute, FileHierarchy) and not attribute.numeric


def plain_rows(attribute: FileHierarchy) -> Rows:
    """Return for Hierarchies a hierarchy's rows without a first layer that only repeats the values."""
    rows = attribute.rows
    repeats = len(rows[0]) > 2 and attribute.finest and usual_finest(rows)
    return tuple((row[0], *row[2:]) for row in rows) if repeats else rows


def groups_of(attribute: FileHierarchy, layer: int = 0) -> dict[str, str]:
    """Return for Hierarchies per label of a layer the group that holds it, 0 for values; its own name for none.

    >>> groups_of(FileHierarchy("zip", (("01067", "01***", "*"), ("80331", "80***", "*")), finest=0))
    {'01067': '01***', '80331': '80***'}
    """
    rows = plain_rows(attribute)
    last = layer + 1 == len(rows[0]) - 1
    return {row[layer]: row[layer] if last else row[layer + 1] for row in rows}


def layers_of(attribute: FileHierarchy) -> int:
    """Count for Hierarchies the layers that hold labels that can be put into groups: all but the root."""
    return len(plain_rows(attribute)[0]) - 1


def layer_name(attribute: FileHierarchy, place: int) -> str:
    """Return what labels that can be put into groups are called on Hierarchies: by their layer, as everywhere.

    Args:
        attribute: the hierarchy.
        place: of the labels, 0 for the values themselves; see :func:`groups_of`.

    >>> towns = (("Ulm", "south", "*"), ("Bonn", "west", "*"))
    >>> [layer_name(FileHierarchy("town", towns, finest=finest), place) for finest in (0, 1) for place in (0, 1)]
    ['layer 1: single values', 'layer 2', 'layer 0: single values, not published', 'layer 1']
    """
    shown = not attribute.finest or plain_rows(attribute) != attribute.rows
    if not place:
        return "layer 1: single values" if shown else "layer 0: single values, not published"
    return f"layer {place + shown}"


def grouped(attribute: FileHierarchy, labels: list[str], group: str, layer: int = 0) -> FileHierarchy:
    """Put some labels of a layer of a hierarchy into a group; with an empty name they are in none.

    The group stands one layer above its labels. Farther up it goes along with what holds all of its labels; where
    they come from different groups it stands for itself. Below the root a layer is added where there is none yet.

    Raises:
        StudyError: the group has the name of a value, or of another group, that is not in it.

    >>> towns = FileHierarchy("town", (("Ulm", "*"), ("Bonn", "*"), ("Trier", "*")), finest=0)
    >>> grouped(towns, ["Bonn", "Trier"], "west").rows
    (('Ulm', 'Ulm', '*'), ('Bonn', 'west', '*'), ('Trier', 'west', '*'))
    >>> codes = FileHierarchy("code", (("A1", "A", "*"), ("A2", "A", "*"), ("B1", "B", "*"), ("C1", "C", "*")), "", 0)
    >>> grouped(codes, ["A", "B"], "A or B", layer=1).rows[2]
    ('B1', 'B', 'A or B', '*')
    """
    name, above = group.strip(), layer + 1
    rows = [list(row) for row in plain_rows(attribute)]
    if above == len(rows[0]) - 1:
        rows = [[*row[:above], row[layer], row[-1]] for row in rows]
    chosen = [row for row in rows if row[layer] in labels]
    between = range(above + 1, len(rows[0]) - 1)
    if name:
        for row in chosen:  # what stood for the group that is left does not go along
            row[above + 1 : -1] = [name if label == row[above] else label for label in row[above + 1 : -1]]
        members = [*chosen, *(row for row in rows if row[above] == name and row[layer] not in labels)]
        farther = {place: {row[place] for row in members} for place in between}
        for row in members:
            row[above] = name
            for place, held in farther.items():
                row[place] = next(iter(held)) if len(held) == 1 else name
    else:
        for row in chosen:
            left, row[above] = row[above], row[layer]
            for place in between:
                row[place] = row[layer] if row[place] == left else row[place]
    if all(row[layer] == row[above] for row in rows):  # nothing is in a group any more
        rows = [[*row[:above], *row[above + 1 :]] for row in rows]
    # Values that were shown stay shown; as long as nothing is in a group there is nothing else to show.
    shown = plain_rows(attribute) != attribute.rows or not attribute.finest or len(rows[0]) == 2
    return FileHierarchy(attribute.name, tuple(map(tuple, rows)), attribute.unit, int(not shown), attribute.missing)


def take_group(name: str) -> None:
    """Put the labels of a column chosen on Hierarchies into the group that is named."""
    study = state.study()
    own = next((a for a in study.attributes if a.name == name), None) if study is not None else None
    if not isinstance(own, FileHierarchy):
        return
    labels = st.session_state.get(study_edits.field(name, VALUES)) or []
    group = st.session_state.get(study_edits.field(name, NAME)) or ""
    layer = st.session_state.get(study_edits.field(name, LAYER)) or 0
    try:
        if not labels:
            raise StudyError("No value is chosen; choose those that the group is to hold.")
        changed = grouped(own, list(labels), group, layer)
    except CRAError as error:
        tell(f"group {name}", "error", f"{error} Nothing has changed.", until_change=True)
        return
    study_edits.put(changed)
    st.session_state[study_edits.field(name, VALUES)] = []
    st.session_state[study_edits.field(name, NAME)] = ""
    said = f"{how_many(len(labels), 'group' if layer else 'value')} put into {group.strip() or 'no group'}."
    tell(f"group {name}", "success", said, until_change=True)
