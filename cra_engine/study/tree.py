"""The tree of a hierarchy: a domain cut into ever coarser nodes (paper, section 2).

Layer 1 holds the leaves, layer ``h`` the root. A node is named by (layer, rank), ranks counting from the left.
"""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.words import number_text

ROOT_LABEL = "*"


@dataclass(frozen=True)
class Node:
    """One node of a hierarchy: an interval of the domain.

    Attributes:
        layer: 1 for a leaf up to h for the root.
        rank: position within the layer, from 0 on the left.
        start: index of its first leaf.
        stop: one past the index of its last leaf.
        lower: first value inside.
        upper: first value past it.
        values: number of distinct values inside (the paper's ``length``).
        label: how a release shows it: ``[lower, upper[``, or ``*`` for the root.
        category: True when it is no interval but a category; lower and upper then only give its place among the leaves.
        gap: True when it is no node of a hierarchy but a place where records can be, which no attack may bound.
        coded: True for what is no value of the domain, such as ``>=90`` or a missing value; lower and upper are then a
            place beside the domain, to draw it in.
        ends: what lower and upper are called where their numbers are no use to a reader: the dates of a period.
    """

    layer: int
    rank: int
    start: int
    stop: int
    lower: Decimal
    upper: Decimal
    values: int
    label: str
    category: bool = False
    gap: bool = False
    coded: bool = False
    ends: tuple[Decimal | str, Decimal | str] | None = None

    @property
    def missing(self) -> bool:
        """True for a missing value; False for what lies beyond the domain, such as ``<18`` and ``>=90``."""
        return self.coded and self.label[:1] not in ("<", ">")

    @property
    def interval(self) -> str:
        """The interval as ARX writes it into files, the root's too: ``[0, 100[``; a category by its label."""
        if self.category:
            return "missing" if self.coded and self.gap else self.label
        lower, upper = self.ends or (self.lower, self.upper)
        return f"[{_shown(lower)}, {_shown(upper)}["


def _shown(end: Decimal | str) -> str:
    return end if isinstance(end, str) else number_text(end)


class NodeTree:
    """The nodes of a hierarchy layer by layer, and what follows from them.

    Attributes:
        layer_nodes: leaves first; ``layer_nodes[layer - 1][rank]``.
        layers: height; leaves are layer 1, the root is layer ``layers``.
    """

    layer_nodes: tuple[tuple[Node, ...], ...]
    layers: int

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return len(self.layer_nodes[0])

    def nodes_in(self, layer: int) -> int:
        """Number of nodes of a layer."""
        return len(self.layer_nodes[layer - 1])

    def node(self, layer: int, rank: int) -> Node:
        """The node at (layer, rank)."""
        return self.layer_nodes[layer - 1][rank]

    def children(self, layer: int, rank: int) -> tuple[Node, ...]:
        """The children of a node, left to right; empty for a leaf."""
        if layer == 1:
            return ()
        parent, below = self.node(layer, rank), self.ranks[layer - 2]
        return self.layer_nodes[layer - 2][below[parent.start] : below[parent.stop - 1] + 1]

    @cached_property
    def ranks(self) -> tuple[NDArray[np.int64], ...]:
        """Per layer, the rank of the node above each leaf; ``ranks[layer - 1][leaf]``."""
        return tuple(
            np.repeat(np.arange(len(nodes)), [node.stop - node.start for node in nodes]) for nodes in self.layer_nodes
        )

    @cached_property
    def leaf_values(self) -> tuple[int, ...]:
        """Number of distinct values inside each leaf."""
        return tuple(node.values for node in self.layer_nodes[0])

    @property
    def values(self) -> int:
        """Number of distinct values of the domain, ``|Dom|``; each coded value is one more."""
        return self.layer_nodes[-1][0].values

    @property
    def coded(self) -> bool:
        """True where some leaves are no values: ``<18``, ``>=90``, gaps."""
        return self.layer_nodes[0][0].coded or self.layer_nodes[0][-1].coded

    @cached_property
    def gaps(self) -> NDArray[np.bool_]:
        """Per layer below the root and leaf: True where the node there may be shown by no box."""
        last = self.layer_nodes[0][-1]
        result = np.zeros((self.layers, self.leaves), dtype=bool)
        if last.gap and last.coded:
            result[:-1, -1] = True
        return result

    def shares(self, layer: int) -> tuple[Fraction, ...]:
        """Per node of a layer, its part of the domain as the publisher's loss sees it."""
        return tuple(Fraction(node.values, self.values) for node in self.layer_nodes[layer - 1])

    @property
    def least_share(self) -> Fraction:
        """Share of a single value."""
        return Fraction(1, self.values)

    @cached_property
    def uniform(self) -> bool:
        """True when all nodes of a layer have the same share: only then is a state's loss known without the data.

        A gap that is ``*`` from the start loses the same whatever the state.
        """
        return all(len(set(self._known_shares(layer))) == 1 for layer in range(1, self.layers + 1))

    def _known_shares(self, layer: int) -> list[Fraction]:
        return [s for s, node in zip(self.shares(layer), self.layer_nodes[layer - 1], strict=True) if not node.gap]

    def loss(self, layer: int) -> Fraction:
        """``Q_loss`` of a layer, normalised to 0 for single values and 1 for the root (paper, equation (1)).

        Where the nodes of a layer differ this is the mean over the domain: a value to show, not one to compare.
        """
        shares = self._known_shares(layer)
        least = self.least_share
        return (sum(share * share for share in shares) - least) / (1 - least)
