"""What has to stay of a table that Make it publishable searches for."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from cra_dashboard.publishable.search import file_searched
from cra_dashboard.session import decisions, state
from cra_dashboard.session.kept import Kept
from cra_dashboard.texts import words
from cra_engine import Study
from cra_engine.publishable import Pin
from cra_engine.publishable.words import pin_text
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node

ANY = "however wide"
SELECT, WIDTHS = 310, 300  # pixels: the second below the button, where the open list of the first covers nothing
# Of a file: how often the fields of what has to stay began anew, and what they say. A browser would send again what it
# holds of a field that stands folded, so that one whose value was changed elsewhere is another field.
_FIELDS: Kept[tuple[int, tuple[Pin, ...]]] = Kept("cra_publishable_fields")


def choose_pins() -> None:
    """Ask on the page, before Make it publishable searches, what has to stay of which columns."""
    study, pins = state.results_key()[1], {pin.name: pin for pin in decisions.pins()}
    removed = set(study.roles.remove)
    names = [column for column in map(str, state.to_recode().columns) if column not in removed]
    here, told = _FIELDS.of(file_searched()) or (0, decisions.pins())
    if told != decisions.pins():  # by an Undo, or a project
        here += 1
    _FIELDS.keep(file_searched(), (here, decisions.pins()))
    st.markdown("What has to stay:", width="content")  # beside the select: above it, it would push the figure down
    chosen = st.multiselect(
        "What has to stay: columns that the researcher must have",
        names,
        [name for name in pins if name in names],
        key=f"publishable-pins-{here}",
        placeholder="Any column the researcher must have?",
        on_change=_take_pins,
        args=(here,),
        label_visibility="collapsed",
        width=SELECT,
        wrap=True,
    )
    for attribute in study.attributes:
        if attribute.name in chosen and attribute.numeric:
            _choose_width(attribute, pins.get(attribute.name, Pin(attribute.name)), study, here)


def _choose_width(attribute: Hierarchy, pin: Pin, study: Study, here: int) -> None:
    """A choice among the widths of a column's hierarchy, with one that came from elsewhere."""
    widths = {*_widths(attribute), *([] if pin.widest is None else [pin.widest])}
    choices = [Pin(pin.name), *(Pin(pin.name, width) for width in sorted(widths))]

    def told(one: Pin) -> str:
        groups = pin_text(one, study).removeprefix(f"{one.name} in groups ")
        return ANY if one.widest is None else groups.removeprefix("of ")

    st.selectbox(
        f"Widest groups of {words.plain(pin.name)}",
        choices,
        choices.index(pin),
        told,
        key=f"publishable-width-{pin.name}-{here}",
        on_change=_take_pins,
        args=(here,),
        help="A column that has to stay is shown, however coarse: perhaps in two groups, which say little. A width, of "
        "those that its hierarchy has, keeps more. Rows that would show wider groups stay with * in all that others "
        "may know. Narrower groups than these are set on Hierarchies.",
        width=WIDTHS,
    )


def finer(shown: Hierarchy) -> Pin | None:
    """Return what would keep a column that has to stay a step finer; None where its hierarchy has nothing finer.

    Args:
        shown: its hierarchy as a table that was found shows it.
    """
    own = next((one for one in state.results_key()[1].attributes if one.name == shown.name), None)
    widths = _widths(own) if own is not None else ()
    narrower = [width for width in widths if width < _width(shown.layer_nodes[0])]
    return Pin(shown.name, max(narrower)) if narrower else None


def _width(nodes: Sequence[Node]) -> Decimal:
    return max(Decimal(node.upper) - Decimal(node.lower) for node in nodes if not node.coded)


def _widths(hierarchy: Hierarchy) -> set[Decimal]:
    """How wide the groups of a column's layers are, but for the root's, which say nothing."""
    return {_width(nodes) for nodes in hierarchy.layer_nodes[:-1] if not all(node.coded for node in nodes)}


def _take_pins(here: int) -> None:
    chosen = st.session_state[f"publishable-pins-{here}"]
    decisions.use_pins(st.session_state.get(f"publishable-width-{name}-{here}", Pin(name)) for name in chosen)
    _FIELDS.keep(file_searched(), (here, decisions.pins()))
