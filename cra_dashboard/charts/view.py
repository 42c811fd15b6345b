"""Which part of the grid a picture shows: the person's choice of two attributes, and of a slice of the others.

An attribute with more leaves than a picture can show is folded: its tiles are the nodes of a higher layer.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.study.grid import Cell, Grid, Segment
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node
from cra_engine.words import spoken

MOST_TILES = 64  # per axis


@dataclass(frozen=True)
class View:
    """The part of the grid that figures show: two attributes, and for each other one a leaf or all leaves together.

    Attributes:
        shape: of the grid.
        x: position of the attribute that runs across.
        y: position of the attribute that runs upwards; None where the grid has one attribute.
        fixed: per attribute that is not shown, in order of position: (position, leaf index), None for all together.
        x_starts: first leaf of each tile across; empty when every leaf is a tile.
        y_starts: likewise upwards.
    """

    shape: tuple[int, ...]
    x: int
    y: int | None
    fixed: tuple[tuple[int, int | None], ...] = ()
    x_starts: tuple[int, ...] = ()
    y_starts: tuple[int, ...] = ()

    @classmethod
    def of(cls, grid: Grid, x: int, y: int | None, fixed: tuple[tuple[int, int | None], ...] = ()) -> "View":
        """A view of a grid, folded where an attribute has too many leaves to draw."""
        return cls(
            grid.shape, x, y, fixed, _starts(grid.attributes[x]), () if y is None else _starts(grid.attributes[y])
        )

    @property
    def columns(self) -> int:
        """Tiles across."""
        return len(self.x_starts) or self.shape[self.x]

    @property
    def rows(self) -> int:
        """Tiles upwards; 1 where the grid has one attribute."""
        return 1 if self.y is None else len(self.y_starts) or self.shape[self.y]

    @property
    def folded(self) -> bool:
        """True when a tile stands for several leaves of an attribute that is shown."""
        return bool(self.x_starts or self.y_starts)

    @property
    def flat(self) -> bool:
        """True when a tile is a single cell of the grid."""
        return not self.folded and all(leaf is not None or self.shape[position] == 1 for position, leaf in self.fixed)

    def axes(self, attributes: Sequence[Hierarchy]) -> tuple[Hierarchy, Hierarchy | None]:
        """The hierarchies to draw across and upwards: their leaves are the tiles."""
        across = _folded(attributes[self.x], self.x_starts)
        return across, None if self.y is None else _folded(attributes[self.y], self.y_starts)

    def project(self, array: NDArray[Any]) -> NDArray[Any]:
        """An array over the grid as tiles (columns x rows): sliced where a leaf is chosen, else summed.

        Sums of flags count: ``project(owner == 3)`` is the number of cells behind each tile that class 3 owns.
        """
        result: NDArray[Any] = array.astype(np.int64) if array.dtype == bool else array
        # From the last axis, so that the positions of the others still hold.
        for position, leaf in sorted(self.fixed, reverse=True):
            result = np.asarray(result.sum(axis=position) if leaf is None else result.take(leaf, axis=position))
        if self.y is None:
            result = result[:, np.newaxis]
        elif self.y < self.x:
            result = result.T
        for axis, starts in enumerate((self.x_starts, self.y_starts)):
            if starts:
                result = np.add.reduceat(result, starts, axis=axis)
        return result

    def meets(self, grid: Grid, segment: Segment) -> bool:
        """True when some cell of the segment is behind a tile."""
        nodes = grid.nodes(segment)
        return all(
            leaf is None or nodes[position].start <= leaf < nodes[position].stop for position, leaf in self.fixed
        )

    def outline(self, grid: Grid, segment: Segment) -> tuple[int, int, int, int] | None:
        """The border ``(x0, x1, y0, y1)`` of the tiles that a segment meets; None when it does not meet the slice."""
        if not self.meets(grid, segment):
            return None
        nodes = grid.nodes(segment)
        up = (0, 1) if self.y is None else _span(nodes[self.y], self.y_starts)
        return *_span(nodes[self.x], self.x_starts), *up

    def span(self, position: int | None, node: Node) -> tuple[int, int]:
        """The tiles of a node of an attribute that is shown: the first one, and one past the last."""
        return _span(node, self.y_starts if position == self.y else self.x_starts)

    def cells(self, x: int, y: int) -> list[Cell]:
        """The grid's cells behind a tile, in row-major order."""
        leaves: list[Sequence[int]] = [range(size) for size in self.shape]
        leaves[self.x] = _behind(x, self.x_starts, self.shape[self.x])
        if self.y is not None:
            leaves[self.y] = _behind(y, self.y_starts, self.shape[self.y])
        for position, leaf in self.fixed:
            if leaf is not None:
                leaves[position] = (leaf,)
        return list(product(*leaves))

    def inside(self, leaves: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Per record, from its leaf indices (records x attributes): whether it lies in the slice."""
        result = np.ones(len(leaves), dtype=bool)
        for position, leaf in self.fixed:
            if leaf is not None:
                result &= leaves[:, position] == leaf
        return result

    def describe(self, attributes: Sequence[Hierarchy], x: int, y: int) -> str:
        """A tile in words, one attribute a line."""
        shown = [(self.x, _layer(attributes[self.x], self.x_starts), x)]
        if self.y is not None:
            shown.append((self.y, _layer(attributes[self.y], self.y_starts), y))
        shown += [(position, 1, leaf) for position, leaf in self.fixed if leaf is not None]
        return "\n".join(
            spoken(
                f"{attributes[position].name} {attributes[position].predicate(attributes[position].node(layer, rank))}"
            )
            for position, layer, rank in sorted(shown)
        )


def _layer(attribute: Hierarchy, starts: tuple[int, ...]) -> int:
    """The layer whose nodes are the tiles."""
    if not starts:
        return 1
    return next(layer for layer in range(1, attribute.layers + 1) if attribute.nodes_in(layer) == len(starts))


def _folded(attribute: Hierarchy, starts: tuple[int, ...]) -> Hierarchy:
    """The upper layers of a hierarchy, with the tiles as leaves."""
    if not starts:
        return attribute
    layer = _layer(attribute, starts)
    tile = attribute.ranks[layer - 1]
    nodes = tuple(
        tuple(
            replace(n, layer=n.layer - layer + 1, start=int(tile[n.start]), stop=int(tile[n.stop - 1]) + 1) for n in own
        )
        for own in attribute.layer_nodes[layer - 1 :]
    )
    return Hierarchy(attribute.name, nodes, listed=None if attribute.numeric else {}, unit=attribute.unit)


def _starts(attribute: Hierarchy) -> tuple[int, ...]:
    """The tiles of the finest layer that can be drawn; empty where that is the leaves."""
    for nodes in attribute.layer_nodes:
        if len(nodes) <= MOST_TILES:
            return () if len(nodes) == attribute.leaves else tuple(node.start for node in nodes)
    return (0,)


def _span(node: Node, starts: tuple[int, ...]) -> tuple[int, int]:
    if not starts:
        return node.start, node.stop
    return bisect_right(starts, node.start) - 1, bisect_left(starts, node.stop)


def _behind(tile: int, starts: tuple[int, ...], leaves: int) -> range:
    return range(starts[tile], (*starts, leaves)[tile + 1]) if starts else range(tile, tile + 1)


def leaf_text(attribute: Hierarchy, leaf: int) -> str:
    """Return a leaf as figures write it: an interval with its unit, or its category."""
    node = attribute.node(1, leaf)
    if node.category:
        return node.interval
    return node.interval + (f" {attribute.measure}" if attribute.measure else "")
