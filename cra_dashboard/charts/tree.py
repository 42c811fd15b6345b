"""A hierarchy as a picture: one row of boxes per layer, the root on top, each box with the records in it.

The width counts leaves, which are equally long; the tick labels below are the leaves' boundaries.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cra_dashboard.charts.grid import axis_of
from cra_dashboard.charts.picture import Axis, Outline, Picture, Tile
from cra_dashboard.palette import BOX, OWN, STOLEN
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import ROOT_LABEL, Node
from cra_engine.words import how_many

_ROW, _AROUND = 58, 100  # pixels per layer, and of the axis and the legend
_SHADES, _SHADE = 5, 0.1  # how many a layer's boxes have, the fuller the darker, and how much opaquer each is


def records_per_node(attribute: Hierarchy, leaf: NDArray[np.int16]) -> list[list[int]]:
    """Count records per node for the tree figure, from the leaves up; ``leaf`` per record, those outside left out."""
    inside = leaf[(leaf >= 0) & (leaf < attribute.leaves)]
    before = np.concatenate([[0], np.cumsum(np.bincount(inside, minlength=attribute.leaves))])
    return [[int(before[node.stop] - before[node.start]) for node in layer] for layer in attribute.layer_nodes]


def tree_figure(attribute: Hierarchy, records: Sequence[Sequence[int]], k: int) -> Picture:
    """Draw for any page a hierarchy as a tree with the records per node.

    Args:
        attribute: the quasi-identifier.
        records: per layer from the leaves up, per node; see :func:`records_per_node`.
        k: nodes with fewer records are outlined with dots, those with none apart: where nobody is nobody stands out.
    """
    tiles, thin = list[Tile](), list[Outline]()
    name = f"fewer than k = {k} records"
    for layer, held in zip(attribute.layer_nodes, records, strict=True):
        most = max(held) or 1
        for node, count in zip(layer, held, strict=True):
            low, told = node.layer - 1, f"{attribute.name}: {node.interval}\nlayer {node.layer}: "
            text, shade = f"{count:,}\n{_label(node)}", round(_SHADE * -(-_SHADES * count // most), 1)
            told += how_many(count, "record")
            tiles.append(Tile(node.start, low, OWN, text, told, shade, node.stop - node.start))
            if 0 < count < k:
                thin.append(Outline(node.start, node.stop, low, low + 1, STOLEN, dash="dot", width=2, name=name))
    across = replace(axis_of(attribute), ruled=())
    layers = range(1, attribute.layers + 1)
    return Picture(
        # The boundaries of intervals stand below the leaves, the names of categories in their boxes.
        across if attribute.numeric else replace(across, title=attribute.name, places=(), labels=()),
        Axis("", (0, attribute.layers), [layer - 0.5 for layer in layers], [f"layer {layer}" for layer in layers]),
        tiles,
        thin,
        legend=[replace(BOX, colour=STOLEN, name=name, dash="dot")] if thin else [],
        nested=True,
        height=_ROW * attribute.layers + _AROUND,
    )


def tree_takeaway(attribute: Hierarchy, records: Sequence[Sequence[int]], k: int) -> str:
    """Say the tree figure of a hierarchy in a sentence."""
    leaves = records[0]
    empty = sum(count == 0 for count in leaves)
    thin = sum(0 < count < k for count in leaves)
    return (
        f"Hierarchy of {attribute.name}: {attribute.layers} layers over {attribute.leaves} leaves, of which {empty} "
        f"hold no record and {thin} fewer than k = {k}; the fullest holds {max(leaves):,}."
    )


def node_rows(attribute: Hierarchy, records: Sequence[Sequence[int]]) -> list[dict[str, str | int]]:
    """Return the tree figure of a hierarchy as a table, root first."""
    return [
        {"layer": node.layer, "interval": node.interval, "published as": node.label, "records": count}
        for layer, held in zip(reversed(attribute.layer_nodes), reversed(records), strict=True)
        for node, count in zip(layer, held, strict=True)
    ]


def _label(node: Node) -> str:
    """What stands below a box's number, where there is room; the ends of the finest intervals stand on the axis."""
    if node.label == ROOT_LABEL:
        return "all, shown as *"
    return node.label if node.layer > 1 or node.category else ""
