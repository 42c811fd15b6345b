"""Which part of the grid a picture shows: the person's choice of two attributes, and of a slice of the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from cra_engine import Grid, Segment
from cra_engine.grid import Cell
from cra_engine.hierarchy import Hierarchy

ALL = "all together"


@dataclass(frozen=True)
class View:
    """Two attributes of the grid (or the only one), and for each other attribute a leaf or all leaves together.

    Attributes:
        shape: of the grid.
        x: position of the attribute that runs across.
        y: position of the attribute that runs upwards; None where the grid has one attribute.
        fixed: per attribute that is not shown, in order of position: (position, leaf index), None for all together.
    """

    shape: tuple[int, ...]
    x: int
    y: int | None
    fixed: tuple[tuple[int, int | None], ...] = ()

    @property
    def columns(self) -> int:
        """Tiles across."""
        return self.shape[self.x]

    @property
    def rows(self) -> int:
        """Tiles upwards; 1 where the grid has one attribute."""
        return 1 if self.y is None else self.shape[self.y]

    @property
    def flat(self) -> bool:
        """True when a tile is a single cell of the grid."""
        return all(leaf is not None or self.shape[position] == 1 for position, leaf in self.fixed)

    def project(self, array: NDArray[Any]) -> NDArray[Any]:
        """An array over the grid as tiles (columns x rows): sliced where a leaf is chosen, else summed.

        Sums of flags count: ``project(owner == 3)`` is the number of cells behind each tile that class 3 owns.
        """
        result: NDArray[Any] = array.astype(np.int64) if array.dtype == bool else array
        # From the last axis, so that the positions of the others still hold.
        for position, leaf in sorted(self.fixed, reverse=True):
            result = np.asarray(result.sum(axis=position) if leaf is None else result.take(leaf, axis=position))
        if self.y is None:
            return result[:, np.newaxis]
        return result.T if self.y < self.x else result

    def meets(self, grid: Grid, segment: Segment) -> bool:
        """True when some cell of the segment is behind a tile."""
        nodes = grid.nodes(segment)
        return all(
            leaf is None or nodes[position].start <= leaf < nodes[position].stop for position, leaf in self.fixed
        )

    def outline(self, grid: Grid, segment: Segment) -> tuple[int, int, int, int] | None:
        """The segment's border ``(x0, x1, y0, y1)`` in leaf indices; None when it does not meet the slice."""
        if not self.meets(grid, segment):
            return None
        nodes = grid.nodes(segment)
        up = (0, 1) if self.y is None else (nodes[self.y].start, nodes[self.y].stop)
        return nodes[self.x].start, nodes[self.x].stop, *up

    def cells(self, x: int, y: int) -> list[Cell]:
        """The grid's cells behind a tile, in row-major order."""
        leaves: list[Sequence[int]] = [range(size) for size in self.shape]
        leaves[self.x] = (x,)
        if self.y is not None:
            leaves[self.y] = (y,)
        for position, leaf in self.fixed:
            if leaf is not None:
                leaves[position] = (leaf,)
        return list(product(*leaves))

    def tile(self, cell: Cell) -> tuple[int, int] | None:
        """The tile that shows a cell; None when the cell does not lie in the slice."""
        if any(leaf is not None and cell[position] != leaf for position, leaf in self.fixed):
            return None
        return cell[self.x], 0 if self.y is None else cell[self.y]

    def inside(self, leaves: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Per record, from its leaf indices (records x attributes): whether it lies in the slice."""
        result = np.ones(len(leaves), dtype=bool)
        for position, leaf in self.fixed:
            if leaf is not None:
                result &= leaves[:, position] == leaf
        return result

    def describe(self, attributes: Sequence[Hierarchy], x: int, y: int) -> str:
        """A tile in words, one attribute a line (``<br>``)."""
        shown = [(self.x, x)] + ([] if self.y is None else [(self.y, y)])
        shown += [(position, leaf) for position, leaf in self.fixed if leaf is not None]
        # Plotly reads some HTML: a column's name must not.
        return "<br>".join(
            escape(f"{attributes[position].name} in {leaf_text(attributes[position], leaf)}", quote=False)
            for position, leaf in sorted(shown)
        )


def choose_view(grid: Grid, key: str) -> View:
    """Ask which two attributes to show, and which slice of the others; with one or two attributes nothing is asked.

    Args:
        grid: the grid to look at.
        key: of the widgets, which keep their values while the person visits other pages.
    """
    attributes = grid.attributes
    positions = range(len(attributes))
    if len(attributes) <= 2:
        return View(grid.shape, 0, 1 if len(attributes) == 2 else None)
    # Another study has other options: its widgets are others too.
    key = f"{key}-{hash(attributes)}"
    with st.container(horizontal=True, key=f"{key}-view"):
        x = st.selectbox(
            "Across",
            positions,
            format_func=lambda position: attributes[position].name,
            key=f"{key}-x",
            persist_state="session",
            width=200,
        )
        others = [position for position in positions if position != x]
        y = st.selectbox(
            "Upwards",
            others,
            format_func=lambda position: attributes[position].name,
            key=f"{key}-y-{x}",
            persist_state="session",
            width=200,
        )
        fixed = tuple(
            (position, _slice(attributes[position], f"{key}-{position}")) for position in others if position != y
        )
    return View(grid.shape, x, y, fixed)


def _slice(attribute: Hierarchy, key: str) -> int | None:
    # Not None for all of them: a select box shows a cross to clear it where None is an option.
    chosen = st.selectbox(
        attribute.name,
        range(-1, attribute.leaves),
        format_func=lambda leaf: ALL if leaf < 0 else leaf_text(attribute, leaf),
        key=key,
        persist_state="session",
        help=f"Show one interval of {attribute.name}, or count all of them together.",
        width=200,
    )
    return None if chosen < 0 else chosen


def leaf_text(attribute: Hierarchy, leaf: int) -> str:
    """A leaf as an interval with its unit, or as its category."""
    node = attribute.node(1, leaf)
    return node.interval + (f" {attribute.unit}" if attribute.unit else "") if attribute.numeric else node.label
