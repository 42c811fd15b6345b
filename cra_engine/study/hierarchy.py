"""Generalization hierarchies: an attribute's domain cut into ever coarser intervals (paper, section 2).

Layer 1 holds the leaves, layer ``h`` the root. A node is named by (layer, rank), ranks counting from the left.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.errors import StudyError
from cra_engine.expected import expect
from cra_engine.files.notation import decimal_in
from cra_engine.words import number_text

ROOT_LABEL = "*"
MAX_LEAVES = 4096
MAX_LISTED = 1_000_000  # rows of a hierarchy file
FEW_EDGES = 33  # up to here comparing with each edge in turn is faster than a binary search
MOST_LISTED = 1 << 14  # values of a domain for which the leaf of each is kept


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
    def interval(self) -> str:
        """The interval in the paper's notation, the root's too: ``[0, 100)``; a category by its label."""
        if self.category:
            return "missing" if self.coded and self.gap else self.label
        lower, upper = self.ends or (self.lower, self.upper)
        return f"[{_shown(lower)}, {_shown(upper)})"


def _shown(end: Decimal | str) -> str:
    return end if isinstance(end, str) else number_text(end)


INTERVAL = re.compile(r"^\[\s*([-+]?[0-9.eE+-]+)\s*,\s*([-+]?[0-9.eE+-]+)\s*[\[)]$")


class Hierarchy:
    """A generalization hierarchy, whatever it was built from (paper, section 2).

    Attributes:
        name: the quasi-identifier's column.
        unit: shown beside numbers.
        layers: height; leaves are layer 1, the root is layer ``layers``.
        lower: first value of the domain.
        upper: first value past it.
        resolution: distance of neighbouring values.
        leaf_of_value: for categories the leaf of each value.
        missing: what becomes of gaps: ``"leave-out"``, ``"category"``, ``"*"``, or empty where there may be none.
        below: whether values below ``lower`` are one leaf, shown as ``<lower``.
        above: whether values from ``upper`` on are one leaf, shown as ``>=upper``.
        dates: whether the numbers count days, months, quarters or years.
        finest: 0 where the leaves are the values themselves (ARX's level 0), 1 where the first layer hides them.
        numeric: True when the leaves are intervals of numbers, False for categories.
        layer_nodes: the nodes layer by layer, leaves first; ``layer_nodes[layer - 1][rank]``.
    """

    CALLED: ClassVar = "an Attribute"
    COME_BY: ClassVar = "make one with Attribute(name, lower, upper, layers)"

    name: str
    unit: str
    layers: int
    lower: Decimal
    upper: Decimal
    resolution: Decimal
    numeric: bool = True
    leaf_of_value: Mapping[str, int] = MappingProxyType({})
    finest: int = 1
    missing: str = ""
    below: bool = False
    above: bool = False
    dates: bool = False

    def with_finest(self, finest: int) -> "Hierarchy":
        """The same hierarchy with, or without, the values themselves as its first layer.

        Raises:
            StudyError: it knows of no values.
        """
        if finest == self.finest:
            return self
        raise StudyError(f"The hierarchy of {self.name!r} does not say which values its first layer hides.")

    def with_missing(self, missing: str) -> "Hierarchy":
        """The same hierarchy with another choice of what becomes of gaps.

        Raises:
            StudyError: it has no place for them.
        """
        if missing == self.missing:
            return self
        raise StudyError(f"The hierarchy of {self.name!r} has no place for missing values.")

    @property
    def layer_nodes(self) -> tuple[tuple[Node, ...], ...]:
        """See the class."""
        raise NotImplementedError

    def definition(self) -> dict[str, Any]:
        """Returns what a study file writes of it: its settings that are not as usual, or the name of its file."""
        raise NotImplementedError

    def listed_rows(self) -> list[tuple[str, ...]]:
        """Returns the rows of an ARX file: per value the value and its label in each layer, leaves first.

        Raises:
            TooLargeError: the domain holds more values than a file lists.
        """
        raise NotImplementedError

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
        """Number of distinct values of the domain, ``|Dom|``."""
        return self.layer_nodes[-1][0].values

    def shares(self, layer: int) -> tuple[Fraction, ...]:
        """Per node of a layer, its part of the domain as the publisher's loss sees it."""
        return tuple(Fraction(node.values, self.values) for node in self.layer_nodes[layer - 1])

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

    @property
    def least_share(self) -> Fraction:
        """Share of a single value."""
        return Fraction(1, self.values)

    @cached_property
    def _edges(self) -> NDArray[Any]:
        nodes = [node for node in self.layer_nodes[0] if not node.coded]
        edges = [node.lower for node in nodes] + [nodes[-1].upper]
        if all(edge == int(edge) for edge in edges) and max(abs(edge) for edge in edges) < 2**62:
            return np.array([int(edge) for edge in edges], dtype=np.int64)
        return np.array([float(edge) for edge in edges])

    def locate(self, values: NDArray[Any]) -> NDArray[np.int16]:
        """The leaf index of each number in ``values``; -1 or ``leaves`` for those in no leaf, -1 for what is no number.

        A number and an interval's edge that are written alike are the same double, so a comparison of doubles is exact
        for anything written with at most 15 digits.
        """
        leaf = self._interval_of(values)
        if not (self.below or self.above or self.missing):
            return leaf
        intervals = len(self._edges) - 1
        if values.dtype.kind == "f":
            leaf = np.where(np.isnan(values), np.int16(-2), leaf)
        place = leaf + np.int16(self.below)
        place = np.where(leaf == -1, np.int16(0 if self.below else -1), place)
        past = intervals + self.below if self.above else self.leaves
        return np.where(leaf < -1, np.int16(-1), np.where(leaf >= intervals, np.int16(past), place)).astype(np.int16)

    def locate_whole(self, values: NDArray[Any]) -> NDArray[np.int16] | None:
        """The leaf index of each whole number, as :meth:`locate`, looked up; None where that needs a closer look.

        Args:
            values: of a signed or unsigned integer type; not empty.

        Returns:
            The leaves where all values lie in the domain and on its steps, and the domain is not too wide to list.
        """
        first, leaves = self._leaf_of_whole
        if not len(leaves) or int(values.min()) < first or int(values.max()) >= first + len(leaves):
            return None
        places = np.subtract(values, first, dtype=np.intp, casting="same_kind")
        result = np.empty(len(values), dtype=np.int16)
        return np.take(leaves, places, out=result, mode="clip")  # any other mode goes through a copy

    @cached_property
    def _leaf_of_whole(self) -> tuple[int, NDArray[np.int16]]:
        """The first whole number of the domain, and the leaf of each from there on; none where some are no values."""
        nothing = 0, np.empty(0, dtype=np.int16)
        if self.below or self.above or self.missing or not self.upper - self.lower <= MOST_LISTED:
            return nothing
        if self.lower % 1 or self.upper % 1 or 1 % self.resolution:
            return nothing
        whole = np.arange(int(self.lower), int(self.upper), dtype=np.int64)
        return int(self.lower), self._interval_of(whole)

    @property
    def measure(self) -> str:
        """The unit as it stands beside numbers; beside dates there is none."""
        return "" if self.dates else self.unit

    @property
    def plain(self) -> bool:
        """True where it shows nothing but intervals of numbers: no values, dates, codes or gaps."""
        return self.numeric and bool(self.finest) and not (self.dates or self.below or self.above or self.missing)

    @property
    def missing_leaf(self) -> int | None:
        """The leaf of gaps, the last one; None where gaps have none."""
        return self.leaves - 1 if self.missing in ("category", ROOT_LABEL) else None

    def text(self, value: Decimal) -> str:
        """An end of an interval as a release writes it."""
        return number_text(value)

    @cached_property
    def gaps(self) -> NDArray[np.bool_]:
        """Per layer below the root and leaf: True where the node there may be shown by no box."""
        known = self.layer_nodes[0][-1]
        result = np.zeros((self.layers, self.leaves), dtype=bool)
        if known.gap and known.coded:
            result[:-1, -1] = True
        return result

    def _interval_of(self, values: NDArray[Any]) -> NDArray[np.int16]:
        edges = self._edges if values.dtype.kind in "iu" else self._edges.astype(float)
        if len(edges) <= FEW_EDGES and values.dtype.kind in "iuf":
            leaf = np.full(len(values), -1, dtype=np.int16)
            for edge in edges.tolist():
                leaf += values >= edge
            return leaf
        found = np.searchsorted(edges, values, side="right") - 1
        leaf = found.astype(np.int16)
        return np.where(np.isnan(values), np.int16(-1), leaf) if values.dtype.kind == "f" else leaf

    def parse(self, label: str) -> Node | None:
        """The node that a published label names, or None: ``*``, ``[a, b[`` and ``[a, b)`` are understood."""
        text = label.strip()
        if text == ROOT_LABEL:
            return self.layer_nodes[-1][0]
        found = INTERVAL.match(text) if self.numeric else None
        if found is not None:
            ends = decimal_in(found[1]), decimal_in(found[2])
            node = None if ends[0] is None or ends[1] is None else self._nodes_by_interval.get((ends[0], ends[1]))
            if node is not None:
                return node
        # A category, or the name of several intervals: [0, 18[ under child.
        named = self._nodes_by_label.get(text)
        if named is None and self.finest == 0:
            leaf = self.leaf_of_label(text)
            return None if leaf is None else self.node(1, leaf)
        return named

    def leaf_of_label(self, text: str) -> int | None:
        """The leaf of a raw value as it is written in a table; None where it is no value of the domain."""
        if not self.numeric:
            return self.leaf_of_category(text.strip())
        value = decimal_in(text)
        return None if value is None else self.leaf_of_number(value)

    def leaf_of_number(self, value: Decimal) -> int | None:
        """The leaf that holds a number; None where none does."""
        leaf = int(self.locate(np.array([float(value)]))[0])
        return leaf if 0 <= leaf < self.leaves else None

    def leaf_of_category(self, text: str) -> int | None:
        """The leaf of a listed value; where the list holds plain numbers alone, 39.0 is the listed 39."""
        leaf = self.leaf_of_value.get(text)
        if leaf is not None or not self._leaf_of_number:
            return leaf
        number = decimal_in(text)
        return None if number is None else self._leaf_of_number.get(number)

    @cached_property
    def _leaf_of_number(self) -> dict[Decimal, int]:
        numbers = {text: decimal_in(text) for text in self.leaf_of_value}
        # Codes such as 01067 are no numbers: 1067 would be another.
        plain = {n: text for text, n in numbers.items() if n is not None and number_text(n) == text}
        return {n: self.leaf_of_value[text] for n, text in plain.items()} if len(plain) == len(numbers) else {}

    @cached_property
    def _nodes_by_interval(self) -> dict[tuple[Decimal, Decimal], Node]:
        # An interval that stands in several layers means the finest; a release shows the same text for all.
        nodes = (node for layer in reversed(self.layer_nodes) for node in layer if not node.coded)
        return {(node.lower, node.upper): node for node in nodes}

    @cached_property
    def _nodes_by_label(self) -> dict[str, Node]:
        # As with intervals, the finest of equal labels.
        return {node.label: node for layer in reversed(self.layer_nodes) for node in layer}


def hierarchy_file(attribute: Hierarchy) -> str:
    """Returns the name under which a study's hierarchy file is written.

    >>> from cra_engine import Attribute
    >>> hierarchy_file(Attribute("blood pressure", 0, 400, layers=3))
    'blood_pressure.csv'
    """
    expect(attribute, Hierarchy, "hierarchy_file(attribute)")
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in attribute.name)[:60] + ".csv"
