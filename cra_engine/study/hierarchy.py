"""A hierarchy is a tree, who reads raw cells onto its leaves, and how a study file defines it (paper, section 2)."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar

from propcache.api import cached_property

from cra_engine.errors import StudyError
from cra_engine.expected import expect
from cra_engine.files.notation import decimal_in
from cra_engine.study.leaf_reader import LeafReader, ListedLeaves, NumberLeaves
from cra_engine.study.tree import ROOT_LABEL, Node, NodeTree
from cra_engine.words import number_text

MAX_LEAVES = 4096
MAX_LISTED = 1_000_000  # rows of a hierarchy file
INTERVAL = re.compile(r"^\[\s*([-+]?[0-9.eE+-]+)\s*,\s*([-+]?[0-9.eE+-]+)\s*[\[)]$")


class Hierarchy(NodeTree):
    """A generalization hierarchy, whatever it was built from (paper, section 2).

    Args:
        name: the quasi-identifier's column.
        layer_nodes: the nodes layer by layer, leaves first.
        resolution: distance of neighbouring values.
        listed: per value its leaf, where the leaves are categories; None where they are intervals of numbers.
        unit: shown beside numbers.

    Attributes:
        reader: reads raw cells onto the leaves.
        numeric: True when the leaves are intervals of numbers, False for categories.
        lower: first value of the domain.
        upper: first value past it.
        dates: whether the numbers count days, months, quarters or years.
        finest: 0 where the leaves are the values themselves (ARX's level 0), 1 where the first layer hides them.
        missing: what becomes of gaps: ``"leave-out"``, ``"category"``, ``"*"``, or empty where there may be none.
    """

    CALLED: ClassVar = "an Attribute"
    COME_BY: ClassVar = "make one with Attribute(name, lower, upper, layers)"

    name: str
    unit: str
    lower: Decimal
    upper: Decimal
    resolution: Decimal
    numeric: bool = True
    finest: int = 1
    missing: str = ""
    dates: bool = False
    reader: LeafReader

    def __init__(
        self,
        name: str,
        layer_nodes: tuple[tuple[Node, ...], ...],
        resolution: Decimal = Decimal(1),
        listed: Mapping[str, int] | None = None,
        unit: str = "",
    ) -> None:
        self.name, self.unit, self.resolution, self.numeric = name, unit, resolution, listed is None
        values = [leaf for leaf in layer_nodes[0] if not leaf.coded]
        self.lower, self.upper = values[0].lower, values[-1].upper
        self._grow(layer_nodes, listed)

    def _grow(self, layer_nodes: tuple[tuple[Node, ...], ...], listed: Mapping[str, int] | None) -> None:
        """Set the tree and who reads cells onto its leaves, once all else is known."""
        gaps, period = self.missing in ("category", ROOT_LABEL), self.unit if self.dates else ""
        numbers = NumberLeaves(layer_nodes[0], self.resolution, gaps=gaps, period=period) if listed is None else None
        reader = numbers or ListedLeaves(listed or {})
        vars(self).update(layer_nodes=layer_nodes, layers=len(layer_nodes), reader=reader)

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
    def measure(self) -> str:
        """The unit as it stands beside numbers; beside dates there is none."""
        return "" if self.dates else self.unit

    def predicate(self, node: Node) -> str:
        """What a node says of whoever it holds, behind the column's name: ``in [20, 40[ years``, ``is female``."""
        if node.category:
            return f"is {node.interval}"
        return f"in {node.interval}{' ' + self.measure if self.measure else ''}"

    @property
    def plain(self) -> bool:
        """True where it shows nothing but intervals of numbers: no values, dates, codes or gaps."""
        return self.numeric and bool(self.finest) and not (self.dates or self.missing or self.coded)

    @property
    def missing_leaf(self) -> int | None:
        """The leaf of gaps, the last one; None where gaps have none."""
        return self.leaves - 1 if self.missing in ("category", ROOT_LABEL) else None

    def text(self, value: Decimal) -> str:
        """An end of an interval as a release writes it."""
        return number_text(value)

    def parse(self, label: str) -> Node | None:
        """The node that a published label names, or None: ``*``, ``[a, b[`` and ``[a, b)`` are understood."""
        text = label.strip()
        if text == ROOT_LABEL:
            return self.layer_nodes[-1][0]
        match = INTERVAL.match(text) if self.numeric else None
        if match is not None:
            ends = decimal_in(match[1]), decimal_in(match[2])
            node = None if ends[0] is None or ends[1] is None else self._nodes_by_interval.get((ends[0], ends[1]))
            if node is not None:
                return node
        # A category, or the name of several intervals: [0, 18[ under child.
        named = self._nodes_by_label.get(text)
        if named is None and self.finest == 0:
            leaf = self.reader.leaf_of(text)
            return None if leaf is None else self.node(1, leaf)
        return named

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
    """Return the name under which a study's hierarchy file is written.

    >>> from cra_engine import Attribute
    >>> hierarchy_file(Attribute("blood pressure", 0, 400, layers=3))
    'blood_pressure.csv'
    """
    expect(attribute, Hierarchy, "hierarchy_file(attribute)")
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in attribute.name)[:60] + ".csv"
