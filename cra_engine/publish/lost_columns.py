"""Columns of which a release shows nothing: never without a word."""

from collections.abc import Iterable, Sequence

from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import State


def lost_columns(attributes: Sequence[Hierarchy], states: Iterable[State]) -> tuple[str, ...]:
    """Warn of each published column that shows its root in every row.

    Args:
        attributes: the quasi-identifiers.
        states: the states of all published classes; suppressed records show the root everywhere.

    >>> from cra_engine import Attribute
    >>> sex = Attribute.from_hierarchy("sex", [("f", "*"), ("m", "*")], finest=1)
    >>> lost_columns([sex], [])[0].split(";")[0]
    "Column 'sex' is published as '*' in every row: its hierarchy holds nothing but the root above the values"
    """
    shown = set(states)
    return tuple(
        _said(attribute)
        for position, attribute in enumerate(attributes)
        if all(state[position] == attribute.layers for state in shown)
    )


def _said(attribute: Hierarchy) -> str:
    lost = f"Column {attribute.name!r} is published as {attribute.layer_nodes[-1][0].label!r} in every row: "
    if attribute.layers == 1:
        why = "its hierarchy holds nothing but the root above the values; "
        return lost + why + "let its values be shown (finest = 0), or give it more layers."
    return lost + "no class shows it; take a smaller k, fewer quasi-identifiers or coarser hierarchies of the others."
