"""Categories put into groups by a person: one layer between the values and the root, without a file."""

import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.table import study_edits
from cra_engine import CRAError, FileHierarchy, Hierarchy, StudyError
from cra_engine.study.file_hierarchy import usual_finest
from cra_engine.words import how_many

VALUES, NAME = "group-values", "group-name"


def can_be_grouped(attribute: Hierarchy) -> bool:
    """True for categories with at most one layer between the values and the root."""
    return isinstance(attribute, FileHierarchy) and not attribute.numeric and len(attribute.rows[0]) <= 3


def groups_of(attribute: FileHierarchy) -> dict[str, str]:
    """Per value its group; a value that is in none is its own."""
    return {row[0]: row[1] if len(row) == 3 else row[0] for row in attribute.rows}


def grouped(attribute: FileHierarchy, values: list[str], group: str) -> FileHierarchy:
    """The same categories with some of them in a group; with an empty name they are in none.

    Raises:
        StudyError: the group has the name of a value that is not in it.

    >>> towns = FileHierarchy("town", (("Ulm", "*"), ("Bonn", "*"), ("Trier", "*")), finest=0)
    >>> grouped(towns, ["Bonn", "Trier"], "west").rows
    (('Ulm', 'Ulm', '*'), ('Bonn', 'west', '*'), ('Trier', 'west', '*'))
    """
    now = groups_of(attribute) | {value: group.strip() or value for value in values}
    root = attribute.rows[0][-1]
    if all(value == own for value, own in now.items()):
        rows: tuple[tuple[str, ...], ...] = tuple((value, root) for value in now)
    else:
        rows = tuple((value, own, root) for value, own in now.items())
    # Values that were shown stay shown; as long as nothing is in a group there is nothing else to show.
    finest = 0 if len(rows[0]) == 2 or not attribute.finest else 1
    if len(attribute.rows[0]) == 3 and attribute.finest and usual_finest(attribute.rows):
        finest = 0  # each value was shown as its own label
    return FileHierarchy(attribute.name, rows, attribute.unit, finest, attribute.missing)


def take_group(name: str) -> None:
    """Put the chosen values of a column into the group that is named."""
    study = state.study()
    own = next((a for a in study.attributes if a.name == name), None) if study is not None else None
    if not isinstance(own, FileHierarchy):
        return
    values = st.session_state.get(study_edits.field(name, VALUES)) or []
    group = st.session_state.get(study_edits.field(name, NAME)) or ""
    try:
        if not values:
            raise StudyError("No value is chosen; choose those that the group is to hold.")
        changed = grouped(own, list(values), group)
    except CRAError as error:
        study_edits.say(f"group {name}", "error", f"{error} Nothing has changed.")
        return
    study_edits.put(changed)
    st.session_state[study_edits.field(name, VALUES)] = []
    st.session_state[study_edits.field(name, NAME)] = ""
    said = f"{how_many(len(values), 'value')} put into {group.strip() or 'no group'}."
    study_edits.say(f"group {name}", "success", said)
