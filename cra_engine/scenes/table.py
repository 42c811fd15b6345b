"""A table on two attributes as the page's script gets it: people in cells, and the hierarchies that everybody knows."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.errors import CRAError
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.scenes.names import NAMES
from cra_engine.study.common_states import layers_labelled
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.study.tree import Node
from cra_engine.words import spoken

MOST_PEOPLE = 1500
MOST_CELLS = 64
LARGEST_K = 50
MOST_ADDED = 60

Table = dict[str, Any]


def table_of(frame: pd.DataFrame, study: Study, names: Sequence[str]) -> Table:
    """Return a table as plain data for the browser's script: see the types in component/scene.js and model.js.

    Args:
        frame: the raw table.
        study: of two attributes.
        names: what the people are called, one per row.

    Raises:
        CRAError: the table does not fit the study, or cannot be followed while people are moved.
    """
    check_size(len(frame), study)
    located = locate(frame, study)
    left_out = {row - 1 for row in located.complete.left_out}
    names = [name for row, name in enumerate(names) if row not in left_out]
    leaves = located.leaves.tolist()
    found = [_values(located.complete.data[a.name], a, located.leaves[:, i]) for i, a in enumerate(study.attributes)]
    rows = study.attributes[1].leaves
    return {
        "shape": [attribute.leaves for attribute in study.attributes],
        "k": study.k,
        "largestK": LARGEST_K,
        "share": None if study.share is None else _parts(study.share),
        "people": [
            {"name": name, "cell": across * rows + up, "place": [one[0], other[0]], "raw": [one[1], other[1]]}
            for name, (across, up), one, other in zip(names, leaves, *found, strict=True)
        ],
        "added": _added(names, study),
        "attributes": [_attribute(attribute) for attribute in study.attributes],
        "uneven": not study.lattice.uniform,
        "columns": sorted((0, 1), key=lambda axis: list(frame.columns).index(study.names[axis])),
    }


def named(count: int, others: Mapping[int, str] | None = None) -> list[str]:
    """Name so many people of a scene; ``others`` says who is called otherwise."""
    found = [*NAMES, *(f"Person {number + 1}" for number in range(len(NAMES), count))][:count]
    for number, name in (others or {}).items():
        found[number] = name
    return found


def check_size(records: int, study: Study) -> None:
    """Refuse a table that cannot be followed while people of a scene are moved.

    Raises:
        CRAError: more people, more cells or a larger k than the script takes.
    """
    if records > MOST_PEOPLE:
        raise CRAError(
            f"The table has {records:,} records; up to {MOST_PEOPLE:,} can be followed while they are moved."
        )
    cells = math.prod(attribute.leaves for attribute in study.attributes)
    if cells > MOST_CELLS:
        shape = " x ".join(str(attribute.leaves) for attribute in study.attributes)
        raise CRAError(
            f"The two hierarchies cut the table into {shape} = {cells:,} cells; up to {MOST_CELLS} can be followed "
            "while people are moved."
        )
    if study.k > LARGEST_K:
        raise CRAError(f"k is {study.k}; up to {LARGEST_K} can be followed while people are moved.")


def _attribute(attribute: Hierarchy) -> dict[str, Any]:
    grown = [1 + attribute.loss(layer) for layer in range(1, attribute.layers + 1)]
    unit = math.lcm(*(factor.denominator for factor in grown))
    leaves = attribute.layer_nodes[0]
    inside = [max(1, len(values)) for values in _listed(attribute)] if not attribute.numeric else attribute.leaf_values
    return {
        "name": attribute.name,
        "unit": attribute.unit,
        "edges": _edges(attribute) if attribute.numeric and not attribute.coded else [],
        "labels": [spoken(node.interval) for node in leaves],
        "first": [sum(inside[:leaf]) for leaf in range(attribute.leaves)],
        "inside": list(inside),
        "grown": [str(int(factor * unit)) for factor in grown],
        "finest": attribute.finest,
        "least": _parts(attribute.least_share),
        "layers": [
            [
                {
                    "start": node.start,
                    "stop": node.stop,
                    "values": int(node.values),
                    "share": float(share),
                    "gap": bool(attribute.gaps[layer][node.start]),
                    "said": spoken(attribute.predicate(node)),
                    "reads": _reads(attribute, node),
                }
                for node, share in zip(nodes, attribute.shares(layer + 1), strict=True)
            ]
            for layer, nodes in enumerate(attribute.layer_nodes)
        ],
    }


def _parts(ratio: Fraction) -> list[int]:
    return [ratio.numerator, ratio.denominator]


def _reads(attribute: Hierarchy, node: Node) -> list[int]:
    """The finest and the coarsest layer that a node's label stands for, where several layers show it."""
    shown = attribute.parse(node.label)
    if shown is None or node.gap or (shown.start, shown.stop) != (node.start, node.stop):
        return [node.layer, node.layer]
    return [shown.layer, layers_labelled(attribute, shown)[-1]]


def _edges(attribute: Hierarchy) -> list[str]:
    nodes = attribute.layer_nodes[0]
    return [node.interval[1:].split(",")[0] for node in nodes] + [nodes[-1].interval[:-1].split(", ")[1]]


def _listed(attribute: Hierarchy) -> list[list[str]]:
    """Per leaf of categories its values."""
    found: list[list[str]] = [[] for _ in range(attribute.leaves)]
    for value, leaf in attribute.reader.listed.items():
        found[leaf].append(value)
    return found


def _values(column: "pd.Series[Any]", attribute: Hierarchy, leaves: Any) -> list[tuple[int, str | None]]:
    """Per person which of the values of its leaf it has, in whole steps, and a name where it has none of them.

    Equal values have equal names; the value itself is no use to the script.
    """
    others: dict[str, str] = {}

    def name(value: str) -> str:
        return others.setdefault(value, f"other {len(others)}")

    result: list[tuple[int, str | None]] = []
    if not attribute.numeric:
        order = _listed(attribute)
        for text, leaf in zip((str(value).strip() for value in column), leaves.tolist(), strict=True):
            result.append((order[leaf].index(text), None) if text in order[leaf] else (0, name(text)))
        return result
    for value, leaf in zip(numbers(column)[0].tolist(), leaves.tolist(), strict=True):
        if not np.isfinite(value):
            result.append((0, name(f"code {leaf}")))
            continue
        node = attribute.node(1, leaf)
        steps = (Decimal(repr(value)) - node.lower) / attribute.resolution
        place = max(0, min(int(steps), attribute.leaf_values[leaf] - 1))
        result.append((place, None if steps == place else name(repr(value))))
    return result


def _added(names: Sequence[str], study: Study) -> list[dict[str, Any]]:
    """Who can be put in: the next free names, near the middle of the cell, each a little elsewhere."""
    free = [name for name in NAMES if name not in set(names)]
    across, up = (min(attribute.leaf_values) for attribute in study.attributes)
    return [
        {
            "name": free[at] if at < len(free) else f"New {at + 1}",
            "place": [across * (3 + at * 2 % 5) // 10, up * (3 + at * 3 % 5) // 10],
        }
        for at in range(MOST_ADDED)
    ]
