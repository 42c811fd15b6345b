"""The axes of a picture of the segment grid, which count leaves, and where on them raw records are (paper, Figure 1).

Cells are equal, so that every one is readable however narrow its intervals are; the labels are the intervals' ends.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cra_dashboard.charts.look import CHARACTER, GAP, NARROWEST
from cra_dashboard.charts.picture import Axis
from cra_engine.audits.shown_labels import ends_guessed, shown_leaves
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node

_MOST_CATEGORIES, _LONGEST_CATEGORY = 20, 14  # named on an axis; the pointer tells the others
_MOST_RULED = 32  # past so many cells the lines between them would be all one sees


def axis_of(attribute: Hierarchy | None) -> Axis:
    """Return a picture's axis that counts the leaves of an attribute; None for the side of a single row."""
    if attribute is None:
        return Axis("", (0, 1))
    noted = "; ".join(filter(None, (attribute.measure, "ends guessed" * ends_guessed(attribute))))
    title = f"{attribute.name} ({noted})" if noted else attribute.name
    places, labels = _categories(attribute)
    if attribute.numeric:
        places, labels = _ticks_of(attribute, attribute.layer_nodes[_labelled_layer(attribute) - 1])
    every = range(attribute.leaves + 1) if attribute.leaves <= _MOST_RULED else ()
    ruled = sorted({*every, *(places if attribute.numeric else ())})
    return Axis(title, (0, attribute.leaves), places, labels, ruled, attribute.numeric)


def leaf_positions(attribute: Hierarchy, leaves: NDArray[np.int64], values: ArrayLike | None = None) -> NDArray[Any]:
    """Return where records are drawn on an axis that counts leaves, clear of the cells' borders.

    Args:
        attribute: the axis.
        leaves: leaf index per record.
        values: the records' numbers; None for categories, which are spread over their cell.
    """
    if values is None:
        return np.asarray(leaves + spread(len(leaves)))
    nodes = attribute.layer_nodes[0]
    edges = np.array([float(node.lower) for node in nodes] + [float(nodes[-1].upper)])
    share = (np.asarray(values, dtype=float) - edges[leaves]) / (edges[leaves + 1] - edges[leaves])
    return np.asarray(leaves + 0.1 + 0.8 * share)


def spread(number: int) -> NDArray[Any]:
    """Return places within a cell of a picture, one per record (golden ratio), so that equal values stay countable."""
    return np.asarray(0.12 + 0.76 * ((np.arange(number) * 0.618034) % 1))


def _categories(attribute: Hierarchy) -> tuple[list[float], list[str]]:
    nodes = attribute.layer_nodes[0]
    if len(nodes) > _MOST_CATEGORIES:
        return [], []
    shown = [n.label if len(n.label) <= _LONGEST_CATEGORY else n.label[: _LONGEST_CATEGORY - 1] + "…" for n in nodes]
    return [node.start + 0.5 for node in nodes], shown


def _labelled_layer(attribute: Hierarchy) -> int:
    """The finest layer whose boundaries can all be labelled without crowding."""
    for layer in range(1, attribute.layers):
        nodes = attribute.layer_nodes[layer - 1]
        longest = max(map(len, _ticks_of(attribute, nodes)[1]))
        if len(nodes) * (longest * CHARACTER + 2 * GAP) <= NARROWEST:
            return layer
    return attribute.layers


def _ticks_of(attribute: Hierarchy, nodes: Sequence[Node]) -> tuple[list[float], list[str]]:
    """Where an axis shows the ends of a layer's intervals, and as what; codes stand over their place."""
    known = shown_leaves(attribute)  # the root's ends may lie beyond: ages would begin below 0
    inner = [node for node in nodes if not node.coded and known[0].start < node.start < known[-1].stop]
    ends = [node.ends or (node.lower, node.upper) for node in (known[0], *inner, known[-1])]
    places: list[float] = [known[0].start, *(node.start for node in inner), known[-1].stop]
    shown = (*(lower for lower, _ in ends[:-1]), ends[-1][1])
    texts = [end if isinstance(end, str) else attribute.text(end) for end in shown]
    coded = [node for node in nodes if node.coded]
    return [*places, *(node.start + 0.5 for node in coded)], [*texts, *(node.interval for node in coded)]
