"""What has to stay of a table that Make it publishable searches for."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from cra_dashboard.publishable.search import file_searched
from cra_dashboard.session import decisions, state
from cra_dashboard.session.kept import Kept
from cra_dashboard.texts import words
from cra_engine import Attribute
from cra_engine.publishable import Pin
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node
from cra_engine.words import number_text

FINER = "; a smaller width makes finer ones"  # of what is set on Hierarchies
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
            number, ends = int if _whole(attribute) else float, _ends(attribute)
            finest = number_text(min(upper - lower for lower, upper in ends))
            before = pins.get(attribute.name, Pin(attribute.name)).widest
            key = f"publishable-width-{attribute.name}-{here}"
            if before is not None:  # not as its default, to which a field that is emptied would go back
                st.session_state.setdefault(key, number(before))
            unit = f"{attribute.unit}s" if attribute.dates else attribute.unit
            st.number_input(
                f"Widest groups of {words.plain(attribute.name)}{f', in {unit}' if unit else ''} (empty: however wide)",
                number(0),
                value=None,
                placeholder=f"such as {finest}",
                key=key,
                on_change=_take_pins,
                args=(here,),
                help="A column that has to stay is shown, however coarse: perhaps in two groups, which say little. A "
                "width, in the numbers of the column, keeps more: 10 keeps an age in groups of ten years. "
                f"The finest groups are {finest} wide now{FINER * isinstance(attribute, Attribute)}. "
                "Rows that would show wider ones stay with * in all that others may know.",
                width=WIDTHS,
            )


def finer(shown: Hierarchy) -> Pin | None:
    """Return what would keep a column that has to stay a step finer; None where its hierarchy has nothing finer.

    Args:
        shown: its hierarchy as a table that was found shows it.
    """
    own = next((one for one in state.results_key()[1].attributes if one.name == shown.name), None)
    layers = own.layer_nodes if own is not None else ()
    widths = {_width(nodes) for nodes in layers if not all(node.coded for node in nodes)}
    narrower = [width for width in widths if width < _width(shown.layer_nodes[0])]
    return Pin(shown.name, max(narrower)) if narrower else None


def _width(nodes: Sequence[Node]) -> Decimal:
    return max(Decimal(node.upper) - Decimal(node.lower) for node in nodes if not node.coded)


def _whole(attribute: Hierarchy) -> bool:
    return all(end % 1 == 0 for ends in _ends(attribute) for end in ends)


def _ends(attribute: Hierarchy) -> list[tuple[Decimal, Decimal]]:
    """Where the finest groups of a column begin and end."""
    return [(Decimal(node.lower), Decimal(node.upper)) for node in attribute.layer_nodes[0] if not node.coded]


def _take_pins(here: int) -> None:
    chosen = st.session_state[f"publishable-pins-{here}"]
    widths = {name: st.session_state.get(f"publishable-width-{name}-{here}") for name in chosen}
    decisions.use_pins(Pin(name, Decimal(str(width)) if width else None) for name, width in widths.items())
    _FIELDS.keep(file_searched(), (here, decisions.pins()))
