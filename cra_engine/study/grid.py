"""The segment grid: cells, segments and the boxes they stand for (paper, section 2)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.blocks import combined
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.expected import whole_number
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import State
from cra_engine.study.tree import Node
from cra_engine.words import how_many, shortest_number

MAX_CELLS = 4_000_000  # of arrays over a grid
MAX_CODES = 10**14  # cells that can be told apart: the boxes of all states together still have machine integers

Cell = tuple[int, ...]
Box = tuple[tuple[float | str, ...], ...]


@dataclass(frozen=True, order=True)
class Segment:
    """One node per attribute: a box of the grid, named by its state and the nodes' ranks."""

    state: State
    ranks: tuple[int, ...]

    @property
    def basic(self) -> bool:
        """True when every attribute is at its leaf layer: a single cell."""
        return all(layer == 1 for layer in self.state)


def _end(end: Decimal | str) -> float | str:
    return end if isinstance(end, str) else shortest_number(end)


def _no_leaf(index: object) -> bool:
    return whole_number(index) is None


class Grid:
    """The cells (basic segments) of some attributes; a cell is a tuple of leaf indices.

    To count and publish records only the cells that hold some are looked at; the attack goes through all of them, and
    asks :meth:`check_whole` first.

    Raises:
        TooLargeError: more than 10**14 cells.
    """

    def __init__(self, attributes: Sequence[Hierarchy]) -> None:
        self.attributes = tuple(attributes)
        self.shape: tuple[int, ...] = tuple(attribute.leaves for attribute in self.attributes)
        self.size = math.prod(self.shape)
        self._check(MAX_CODES)

    def _check(self, most: int) -> None:
        if self.size > most:
            raise TooLargeError(
                f"The grid has {self.size:,} cells, more than {most:,}; take fewer attributes or fewer layers."
            )

    @property
    def whole_fits(self) -> bool:
        """Whether an array over all cells may be made."""
        return self.size <= MAX_CELLS

    def check_whole(self) -> None:
        """Refuse what has to go through all cells, where these are too many.

        Raises:
            TooLargeError: more than 4,000,000 cells.
        """
        self._check(MAX_CELLS)

    @property
    def whole(self) -> Segment:
        """The segment that covers every cell: the root of every attribute."""
        return Segment(tuple(a.layers for a in self.attributes), (0,) * len(self.attributes))

    def nodes(self, segment: Segment) -> tuple[Node, ...]:
        """The segment's nodes in attribute order."""
        return tuple(
            attribute.node(layer, rank)
            for attribute, layer, rank in zip(self.attributes, segment.state, segment.ranks, strict=True)
        )

    def slices(self, segment: Segment) -> tuple[slice, ...]:
        """The segment's cells as an index into an array over the grid."""
        return tuple(slice(node.start, node.stop) for node in self.nodes(segment))

    def cells(self, segment: Segment) -> list[Cell]:
        """The cells inside a segment, in row-major order."""
        return list(product(*(range(node.start, node.stop) for node in self.nodes(segment))))

    def check_cell(self, cell: Cell, where: str) -> None:
        """Refuse what is no cell of the grid.

        Args:
            cell: what a caller gives as one.
            where: the function, for the message.

        Raises:
            CRAError: it is none.
        """
        leaves = how_many(len(self.shape), "whole number")
        if not isinstance(cell, tuple) or len(cell) != len(self.shape) or any(map(_no_leaf, cell)):
            raise CRAError(f"{where} needs a tuple of {leaves}, as in fixed_cells, and {str(cell)[:60]} was given.")
        for attribute, leaf in zip(self.attributes, cell, strict=True):
            if not 0 <= leaf < attribute.leaves:
                raise CRAError(
                    f"There is no cell {cell}: the leaves of {attribute.name!r} are 0 to {attribute.leaves - 1}; take "
                    "one of fixed_cells."
                )

    def cell_segment(self, cell: Cell) -> Segment:
        """The basic segment that a cell is."""
        return Segment((1,) * len(cell), cell)

    def box(self, segment: Segment) -> Box:
        """The segment's interval per attribute, ``(lower, upper)`` with upper outside; a category as ``(label,)``."""
        return tuple(
            (node.label,) if node.category else tuple(map(_end, node.ends or (node.lower, node.upper)))
            for node in self.nodes(segment)
        )

    @cached_property
    def _some_gaps(self) -> bool:
        return any(attribute.gaps.any() for attribute in self.attributes)

    def in_gap(self, state: State, leaves: NDArray[Any]) -> NDArray[np.bool_] | None:
        """Per record, by its leaf indices, whether no box of the state may show it; None where all may be shown."""
        hidden = None
        if not self._some_gaps:
            return hidden
        for i, (attribute, layer) in enumerate(zip(self.attributes, state, strict=True)):
            if attribute.gaps[layer - 1].any():
                inside = attribute.gaps[layer - 1][leaves[:, i]]
                hidden = inside if hidden is None else hidden | inside
        return hidden

    def volume(self, segment: Segment) -> int:
        """Number of raw value combinations inside a segment (paper, section 4.1)."""
        return math.prod(node.values for node in self.nodes(segment))

    def contains(self, outer: Segment, inner: Segment) -> bool:
        """True when every cell of ``inner`` lies in ``outer``."""
        return all(
            out.start <= into.start and into.stop <= out.stop
            for out, into in zip(self.nodes(outer), self.nodes(inner), strict=True)
        )

    def holds(self, segment: Segment, cell: Cell) -> bool:
        """True when a cell lies in a segment."""
        return all(node.start <= leaf < node.stop for node, leaf in zip(self.nodes(segment), cell, strict=True))

    def describe(self, place: Segment | Cell) -> str:
        """A segment or a cell in words, roots left out: ``weight in [0, 100[ kg and age in [20, 40[``.

        Raises:
            CRAError: a tuple that is no cell of the grid.

        >>> from cra_engine import Attribute
        >>> grid = Grid([Attribute("age", 0, 80, layers=3), Attribute("weight", 0, 400, layers=3, unit="kg")])
        >>> grid.describe((0, 2))
        'age in [0, 20[ and weight in [200, 300[ kg'
        """
        if not isinstance(place, Segment):
            self.check_cell(place, "describe(place)")
            place = self.cell_segment(place)
        segment = place
        parts = [
            f"{attribute.name} {attribute.predicate(node)}"
            for attribute, node in zip(self.attributes, self.nodes(segment), strict=True)
            if node.layer < attribute.layers
        ]
        return " and ".join(parts) if parts else "the whole domain"

    @cached_property
    def _volume_type(self) -> Any:
        # Whole numbers stay whole: machine integers only where no product of two can overflow.
        return np.int64 if self.volume(self.whole) < 2**62 else object

    def cell_volumes(self, segment: Segment) -> NDArray[Any]:
        """The volume of each cell inside a segment, as an array of the segment's shape (whole numbers)."""
        result = np.ones((), dtype=self._volume_type)
        for attribute, node in zip(self.attributes, self.nodes(segment), strict=True):
            leaves = np.array(attribute.leaf_values[node.start : node.stop], dtype=self._volume_type)
            result = np.multiply.outer(result, leaves)
        return result

    def codes(self, leaves: NDArray[Any]) -> NDArray[np.signedinteger[Any]]:
        """One number per record from its leaf indices (records x attributes): the cell in row-major order."""
        return combined(list(leaves.T), self.shape)

    @cached_property
    def _nodes_in(self) -> list[list[int]]:
        """Per attribute and layer its number of nodes."""
        return [[attribute.nodes_in(layer + 1) for layer in range(attribute.layers)] for attribute in self.attributes]

    def box_shape(self, state: State) -> tuple[int, ...]:
        """Returns how many boxes a state cuts the grid into, along each attribute."""
        return tuple(nodes[layer - 1] for nodes, layer in zip(self._nodes_in, state, strict=True))

    def box_shapes(self, states: NDArray[np.int64]) -> NDArray[np.int64]:
        """As :meth:`box_shape` for many states at once (states x attributes)."""
        columns = [np.array(nodes)[states[:, i] - 1] for i, nodes in enumerate(self._nodes_in)]
        return np.stack(columns, axis=1)

    @cached_property
    def first_cells(self) -> list[list[NDArray[np.int64]]]:
        """Per attribute, layer and leaf what the node above the leaf adds to the code of the first cell of a box."""
        result, step = [], self.size
        for attribute in self.attributes:
            step //= attribute.leaves
            starts = [np.array([node.start for node in nodes]) for nodes in attribute.layer_nodes]
            result.append([own[ranks] * step for own, ranks in zip(starts, attribute.ranks, strict=True)])
        return result

    def ranks_of(self, state: State, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ranks of boxes of a state (boxes x attributes), each given by the code of a cell in it."""
        leaves = np.stack(np.unravel_index(codes, self.shape), axis=1)
        return np.stack(self.box_ranks(state, leaves), axis=1)

    def box_ranks(self, state: State, leaves: NDArray[Any]) -> list[NDArray[np.int16]]:
        """Per attribute the rank of the state's box that holds each record.

        Args:
            state: its layers.
            leaves: leaf indices, records (or cells) x attributes.
        """
        return [
            attribute.ranks[layer - 1][leaves[:, i]]
            for i, (attribute, layer) in enumerate(zip(self.attributes, state, strict=True))
        ]

    def box_numbers(self, state: State, leaves: NDArray[Any]) -> NDArray[np.int64]:
        """The box of a state that holds each record, numbered in row-major order; see :meth:`box_ranks`."""
        return np.asarray(np.ravel_multi_index(self.box_ranks(state, leaves), self.box_shape(state)), dtype=np.int64)
