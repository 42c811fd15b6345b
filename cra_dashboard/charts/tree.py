"""A hierarchy as a picture: one row of boxes per layer, the root on top, each box with the records in it.

The width counts leaves, which are equally long; the tick labels below are the leaves' boundaries.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cra_dashboard import palette
from cra_dashboard.charts.look import LOOK, axis, picture, scatter
from cra_dashboard.charts.ticks import ticks_of
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import ROOT_LABEL, Node

NARROWEST = 250  # pixels that are left for the boxes on a telephone
# Below this many leaves each boundary may be labelled, if there is room.
MANY_LEAVES = 32
_ROW = 58  # pixels per layer
_CHARACTER, _GAP = 7.5, 6
_SHADES = 5
_SHORTEST = 4  # characters that a shortened name keeps at least
_LINE = "rgba(128, 128, 128, 0.7)"
_INSET = 0.07  # of a row's height, so that rows stay apart


def records_per_node(attribute: Hierarchy, leaf: NDArray[np.int16]) -> list[list[int]]:
    """Count records per node for the tree figure, from the leaves up; ``leaf`` per record, those outside left out."""
    inside = leaf[(leaf >= 0) & (leaf < attribute.leaves)]
    before = np.concatenate([[0], np.cumsum(np.bincount(inside, minlength=attribute.leaves))])
    return [[int(before[node.stop] - before[node.start]) for node in layer] for layer in attribute.layer_nodes]


def tree_figure(attribute: Hierarchy, records: Sequence[Sequence[int]], k: int) -> go.Figure:
    """Draw for any page a hierarchy as a tree with the records per node.

    Args:
        attribute: the quasi-identifier.
        records: per layer from the leaves up, per node; see :func:`records_per_node`.
        k: nodes with fewer records are outlined with dots, those with none apart: where nobody is nobody stands out.
    """
    nodes = [node for layer in attribute.layer_nodes for node in layer]
    counts = [count for layer in records for count in layer]
    written = [_label(attribute, node, count) for node, count in zip(nodes, counts, strict=True)]
    places = [((node.start + node.stop) / 2, node.layer - 0.5) for node in nodes]
    return picture(
        [
            scatter(
                x=[x for (x, _), text in zip(places, written, strict=True) if text],
                y=[y for (_, y), text in zip(places, written, strict=True) if text],
                text=[text for text in written if text],
                mode="text",
                textfont={"size": 14, "color": palette.INK},
                hoverinfo="skip",
                showlegend=False,
            ),
            scatter(
                x=[x for x, _ in places],
                y=[y for _, y in places],
                text=[
                    f"{escape(attribute.name)}: {escape(node.interval)}<br>layer {node.layer}: {count:,} records"
                    for node, count in zip(nodes, counts, strict=True)
                ],
                mode="markers",
                marker={"symbol": "square", "size": 12, "color": "rgba(128, 128, 128, 0.01)"},
                hovertemplate="%{text}<extra></extra>",
                showlegend=False,
            ),
        ],
        **LOOK,
        shapes=_boxes(attribute, records, k),
        height=_ROW * attribute.layers + 100,
        margin={"l": 8, "r": 24, "t": 8, "b": 8},
        xaxis=axis(
            attribute.measure or attribute.name,
            13,
            range=[0, attribute.leaves],
            tickangle=0,
            ticks="outside",
            tickcolor=_LINE,
            showgrid=False,
        )
        | _boundaries(attribute),
        yaxis=axis(
            size=13,
            range=[0, attribute.layers],
            tickvals=[layer - 0.5 for layer in range(1, attribute.layers + 1)],
            ticktext=[f"layer {layer}" for layer in range(1, attribute.layers + 1)],
            showgrid=False,
        ),
        hoverdistance=200,
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


def _label(attribute: Hierarchy, node: Node, count: int) -> str:
    """The node's label above its records, the records alone, or nothing: what there is room for on a telephone."""
    room = NARROWEST * (node.stop - node.start) / attribute.leaves - _GAP
    records = f"{count:,}"
    label = "all, shown as *" if node.label == ROOT_LABEL else node.label
    fitting = int(room / _CHARACTER)
    if node.category and fitting >= _SHORTEST:
        label = label if len(label) <= fitting else f"{label[: fitting - 1]}…"
    # The boundaries of intervals stand below the leaves, the names of categories nowhere else.
    if len(label) <= fitting and (node.layer > 1 or node.category):
        return f"<b>{records}</b><br>{escape(label)}"
    return f"<b>{records}</b>" if len(records) * _CHARACTER <= room else ""


def _boundaries(attribute: Hierarchy) -> dict[str, Any]:
    """Tick labels at the boundaries of the finest layer that leaves room for them; none for categories."""
    if not attribute.numeric:
        return {"showticklabels": False, "ticks": ""}
    for nodes in attribute.layer_nodes:
        places, texts = ticks_of(attribute, nodes)
        fits = len(nodes) * (max(map(len, texts)) * _CHARACTER + _GAP) <= NARROWEST
        if fits and len(nodes) <= MANY_LEAVES:
            break
    return {"tickvals": places, "ticktext": _apart(attribute, places, texts)}


def _apart(attribute: Hierarchy, places: Sequence[float], texts: Sequence[str]) -> list[str]:
    """The labels, one line further down where they would run into one another on a telephone, such as 90 and >=90."""
    ends: list[float] = []  # per line where its last label ends, in pixels
    written = list(texts)
    for at in sorted(range(len(texts)), key=places.__getitem__):
        place, text = places[at], texts[at]
        middle, half = place * NARROWEST / attribute.leaves, len(text) * _CHARACTER / 2
        line = next((line for line, end in enumerate(ends) if middle - half >= end + _GAP / 2), len(ends))
        ends[line : line + 1] = [middle + half]
        written[at] = "<br>" * line + escape(text, quote=False)
    return written


def _boxes(attribute: Hierarchy, records: Sequence[Sequence[int]], k: int) -> list[dict[str, Any]]:
    """One path per look: the browser would take seconds over thousands of shapes."""
    paths: dict[tuple[int, bool], list[str]] = {}
    for layer, held in zip(attribute.layer_nodes, records, strict=True):
        most = max(held) or 1
        for node, count in zip(layer, held, strict=True):
            shade = -(-_SHADES * count // most)
            low, high = node.layer - 1 + _INSET, node.layer - _INSET
            box = f"M{node.start},{low}H{node.stop}V{high}H{node.start}Z"
            paths.setdefault((shade, 0 < count < k), []).append(box)
    named = {
        "type": "path",
        "name": f"fewer than k = {k} records",
        "path": "".join(path for (_, thin), boxes in sorted(paths.items()) if thin for path in boxes),
        "line": {"color": palette.STOLEN, "width": 2, "dash": "dot"},
        "fillcolor": "rgba(0, 0, 0, 0)",
        "showlegend": True,
    }
    fills = [
        {
            "type": "path",
            "path": "".join(boxes),
            "fillcolor": palette.see_through(palette.OWN, 0.1 * shade),
            "line": {"color": _LINE, "width": 1},
            "layer": "below",
        }
        for (shade, _), boxes in sorted(paths.items())
    ]
    return [*fills, named] if named["path"] else fills
