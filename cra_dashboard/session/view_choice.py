"""Which two attributes of a grid a session looks at, and which slice of the others."""

from collections.abc import Sequence

import streamlit as st

from cra_dashboard.charts.view import View, leaf_text
from cra_dashboard.session import fields
from cra_engine.study.grid import Grid
from cra_engine.study.hierarchy import Hierarchy

ALL = "all together"


def choose_view(grid: Grid, key: str) -> View:
    """Ask which two attributes figures show, and which slice of the others; nothing with one or two attributes.

    Args:
        grid: the grid to look at.
        key: of the widgets, which keep their values while the person visits other pages.
    """
    attributes = grid.attributes
    positions = range(len(attributes))
    if len(attributes) <= 2:
        return View.of(grid, 0, 1 if len(attributes) == 2 else None)
    key = _key(attributes, key)
    with st.popover("What is drawn", icon=":material/view_in_ar:", key=f"{key}-view"):
        x = fields.selectbox(
            "Across",
            positions,
            format_func=lambda position: attributes[position].name,
            key=f"{key}-x",
        )
        others = [position for position in positions if position != x]
        y = fields.selectbox(
            "Upwards",
            others,
            format_func=lambda position: attributes[position].name,
            key=f"{key}-y-{x}",
        )
        fixed = tuple(
            (position, _slice(attributes[position], f"{key}-{position}")) for position in others if position != y
        )
    return View.of(grid, x, y, fixed)


def _key(attributes: Sequence[Hierarchy], key: str) -> str:
    # Another study has other options: its widgets are others too.
    return f"{key}-{hash(tuple(attributes))}"


def chosen_view(attributes: Sequence[Hierarchy], key: str) -> tuple[int, ...] | None:
    """Return what the session chose in :func:`choose_view`: two positions, per other one a leaf, or -1 for all.

    None where there is nothing to choose, or the first view was not changed.
    """
    chosen, key = st.session_state, _key(attributes, key)
    if len(attributes) <= 2 or f"{key}-x" not in chosen:
        return None
    x = chosen[f"{key}-x"]
    others = [position for position in range(len(attributes)) if position != x]
    y = chosen.get(f"{key}-y-{x}", others[0])
    fixed = [chosen.get(f"{key}-{position}", -1) for position in others if position != y]
    return None if (x, y) == (0, 1) and set(fixed) == {-1} else (x, y, *fixed)


def use_view(attributes: Sequence[Hierarchy], key: str, view: Sequence[int]) -> bool:
    """Choose in :func:`choose_view` what :func:`chosen_view` gave; False where these attributes have no such view."""
    positions = range(len(attributes))
    if len(attributes) <= 2 or len(view) != len(attributes) or view[0] == view[1] or not set(view[:2]) <= {*positions}:
        return False
    x, y = view[:2]
    fixed = dict(zip((position for position in positions if position not in (x, y)), view[2:], strict=True))
    if not all(-1 <= leaf < attributes[position].leaves for position, leaf in fixed.items()):
        return False
    key = _key(attributes, key)
    st.session_state[f"{key}-x"], st.session_state[f"{key}-y-{x}"] = x, y
    for position, leaf in fixed.items():
        st.session_state[f"{key}-{position}"] = leaf
    return True


def _slice(attribute: Hierarchy, key: str) -> int | None:
    # Not None for all of them: a select box shows a cross to clear it where None is an option.
    chosen = fields.selectbox(
        attribute.name,
        range(-1, attribute.leaves),
        format_func=lambda leaf: ALL if leaf < 0 else leaf_text(attribute, leaf),
        key=key,
        help=f"Show one interval of {attribute.name}, or count all of them together.",
    )
    return None if chosen < 0 else chosen
