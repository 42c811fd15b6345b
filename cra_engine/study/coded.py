"""Leaves for what is no value of a hierarchy: ``<18``, ``>=90``, a gap. They stand beside the others below the root."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, get_args

from cra_engine.errors import StudyError
from cra_engine.study.tree import ROOT_LABEL, Node

Missing = Literal["leave-out", "category", "*"]
MISSING_CHOICES: tuple[str, ...] = get_args(Missing)
NULL = "NULL"
NO_ENTRY = "no entry"  # says that nothing was known, and is no word that stands for a missing value
"""How ARX shows a gap that is a category of its own."""


@dataclass(frozen=True)
class Coded:
    """A leaf of a hierarchy that keeps to itself up to the root.

    Attributes:
        label: how a release shows it.
        gap: True where no box below the root may show it: its records take part only where the root is shown.
    """

    label: str
    gap: bool = False


def coded_gap(missing: str) -> tuple[Coded, ...]:
    """Return the leaf of gaps among a hierarchy's coded leaves, where they have one."""
    if missing == "category":
        return (Coded(NULL),)
    return (Coded(ROOT_LABEL, gap=True),) if missing == "*" else ()


def with_coded(
    layers: Sequence[tuple[Node, ...]],
    before: Sequence[Coded],
    after: Sequence[Coded],
    width: Decimal,
    where: str,
) -> tuple[tuple[Node, ...], ...]:
    """Return a hierarchy's layers with more leaves at their left and right end, each its own parent up to the root.

    Args:
        layers: the nodes layer by layer, leaves first.
        before: what stands left of the first leaf.
        after: what stands right of the last.
        width: how wide a place is drawn for each of them.
        where: what messages call the hierarchy.

    Raises:
        StudyError: the root is the only layer.
    """
    if not before and not after:
        return tuple(layers)
    if len(layers) < 2:
        raise StudyError(f"{where} has one layer, the root, below which nothing can stand; give it 2 layers or more.")
    leaves, shift = len(layers[0]), len(before)
    first, last = layers[-1][0].lower - shift * width, layers[-1][0].upper
    result = []
    for layer, nodes in enumerate(layers[:-1], start=1):
        moved = [replace(n, rank=n.rank + shift, start=n.start + shift, stop=n.stop + shift) for n in nodes]
        left = [_leaf(c, layer, i, i, first + i * width, width) for i, c in enumerate(before)]
        right = [
            _leaf(c, layer, shift + len(nodes) + i, shift + leaves + i, last + i * width, width)
            for i, c in enumerate(after)
        ]
        result.append((*left, *moved, *right))
    more = shift + len(after)
    root = layers[-1][0]
    whole = replace(
        root,
        stop=leaves + more,
        lower=first,
        upper=last + len(after) * width,
        values=root.values + more,
        ends=root.ends or (root.lower, root.upper),
    )
    return (*result, (whole,))


def _leaf(coded: Coded, layer: int, rank: int, leaf: int, lower: Decimal, width: Decimal) -> Node:
    return Node(
        layer, rank, leaf, leaf + 1, lower, lower + width, 1, coded.label, category=True, gap=coded.gap, coded=True
    )
