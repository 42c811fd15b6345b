"""The coarsest cells that every release's cells are made of: the common refinement of the leaves of all hierarchies.

Each cell of a release is then a union of refined cells, so the counts of the refined cells say what every release sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from cra_engine.errors import CRAError, TooLargeError
from cra_engine.release import Release
from cra_engine.study.grid import Cell, Grid
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import ROOT_LABEL, Node
from cra_engine.words import number_text

OUTSIDE = -1  # a refined leaf that lies in no leaf of a release: none of its people are there
MAX_REFINED = 4_000_000


@dataclass(frozen=True)
class Refinement:
    """The refined cells that several releases have in common, and where they lie in each release.

    Attributes:
        grid: the refined cells; the attributes of all releases, in the order in which they are first named.
        leaf_in: per release and attribute of the grid the release's leaf that holds each refined leaf, ``OUTSIDE``
            where none does; None for an attribute that the release does not publish.
        axis: per release the positions of its own attributes among the grid's.
        own_attributes: per release its own attributes.
    """

    grid: Grid
    leaf_in: tuple[tuple[NDArray[np.int64] | None, ...], ...]
    axis: tuple[tuple[int, ...], ...]
    own_attributes: tuple[Sequence[Hierarchy], ...]

    def spread(self, release: int, values: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Spreads marks of a release's cells over the refined grid; False outside the release's domain."""
        maps = [self._map(release, position) for position in self.axis[release]]
        inside = values[np.ix_(*(np.maximum(leaf, 0) for leaf in maps))]
        for place, leaf in enumerate(maps):
            inside &= (leaf != OUTSIDE).reshape([-1 if axis == place else 1 for axis in range(len(maps))])
        order = np.argsort(self.axis[release])
        shape = [1] * len(self.grid.shape)
        for position in self.axis[release]:
            shape[position] = self.grid.shape[position]
        return np.broadcast_to(inside.transpose(order).reshape(shape), self.grid.shape)

    def own_cells(self, release: int, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Per refined cell (cells x attributes) the release's own cell that holds it (cells x its attributes)."""
        return np.stack([self._map(release, position)[cells[:, position]] for position in self.axis[release]], axis=1)

    def own(self, release: int, cells: Sequence[Cell]) -> list[Cell | None]:
        """Per refined cell the release's own cell around it; None outside its domain."""
        if not cells:
            return []
        own = self.own_cells(release, np.array(cells, dtype=np.int64))
        inside = (own != OUTSIDE).all(axis=1).tolist()
        return [tuple(cell) if there else None for cell, there in zip(own.tolist(), inside, strict=True)]

    def pieces(self, release: int, cell: Cell) -> int:
        """Returns how many refined cells make up a cell of a release."""
        number = 1
        for position, leaves in enumerate(self.leaf_in[release]):
            if leaves is None:
                number *= self.grid.shape[position]
            else:
                number *= int((leaves == cell[self.axis[release].index(position)]).sum())
        return number

    def as_fine(self, release: int, *, by_cells: bool) -> bool:
        """True when the refined grid has no place that a release does not tell apart from others by itself.

        Then each table of the refined grid is one of the release's own, and there are no more than the release leaves.

        Args:
            release: its position.
            by_cells: True where cells are the places, else value combinations are.
        """
        for position, attribute in enumerate(self.grid.attributes):
            leaves = self.leaf_in[release][position]
            if leaves is None:
                return False
            own = self.own_attributes[release][self.axis[release].index(position)].layer_nodes[0]
            sizes = [1 if by_cells else node.values for node in attribute.layer_nodes[0]]
            held = np.zeros(len(own), dtype=object)
            np.add.at(held, leaves[leaves != OUTSIDE], np.array(sizes, dtype=object)[leaves != OUTSIDE])
            if any(inside > (1 if by_cells else node.values) for inside, node in zip(held, own, strict=True)):
                return False
        return True

    def _map(self, release: int, position: int) -> NDArray[np.int64]:
        leaves = self.leaf_in[release][position]
        if leaves is None:
            raise AssertionError("a release's own attributes have leaves")
        return leaves


def refine(releases: Sequence[Release], *, grown: bool) -> Refinement:
    """Return the coarsest cells that every one of several releases' cells are made of.

    Args:
        releases: the releases.
        grown: True where each release is of part of the people of the next: all are then in the last one's domain.
            Else everybody is in all domains at once.

    Raises:
        CRAError: an attribute is numbers here and categories that are none there, or no value is in all domains.
        TooLargeError: too many refined cells.
    """
    names = list(dict.fromkeys(name for release in releases for name in release.study.names))
    attributes, maps = [], []
    for name in names:
        own = [next((a for a in release.attributes if a.name == name), None) for release in releases]
        attribute, leaves = _refined(own, grown=grown)
        attributes.append(attribute)
        maps.append(leaves)
    size = 1
    for attribute in attributes:
        size *= attribute.leaves
    if size > MAX_REFINED:
        raise TooLargeError(
            f"The cells that all releases have in common number {size:,}, more than {MAX_REFINED:,}; "
            "compose fewer releases, or such with hierarchies of the same edges."
        )
    axis = tuple(tuple(names.index(name) for name in release.study.names) for release in releases)
    own_attributes = tuple(release.attributes for release in releases)
    return Refinement(Grid(attributes), tuple(zip(*maps, strict=True)), axis, own_attributes)


def _refined(own: Sequence[Hierarchy | None], *, grown: bool) -> tuple[Hierarchy, tuple[NDArray[np.int64] | None, ...]]:
    """One attribute's common leaves, and per release where they lie; None for a release without the attribute."""
    present = [hierarchy for hierarchy in own if hierarchy is not None]
    numeric = all(hierarchy.numeric for hierarchy in present)
    pieces = _intervals(present) if numeric else _categories(present)
    last = own[-1]
    needed = ([present.index(last)] if last is not None else []) if grown else list(range(len(present)))
    kept = [piece for piece in pieces if all(piece.leaves[position] != OUTSIDE for position in needed)]
    if not kept:
        _refuse_disjoint(own, pieces, grown=grown)
    resolution = _resolution(present) if numeric else Decimal(1)
    nodes, beyond = [], _beyond(present, kept) if numeric else {}
    for rank, piece in enumerate(kept):
        lower, upper = (piece.lower, piece.upper) if numeric else (Decimal(rank), Decimal(rank + 1))
        label, category = beyond.get(rank, piece.label), not numeric or rank in beyond
        nodes.append(Node(1, rank, rank, rank + 1, lower, upper, piece.values, label, category=category))
    result = iter(np.array([piece.leaves for piece in kept], dtype=np.int64).T)
    leaves = tuple(None if hierarchy is None else next(result) for hierarchy in own)
    layers: tuple[tuple[Node, ...], ...] = (tuple(nodes),)
    if len(nodes) > 1:
        values, ends = sum(node.values for node in nodes), (nodes[0].lower, nodes[-1].upper)
        layers += ((Node(2, 0, 0, len(nodes), *ends, values, ROOT_LABEL, category=not numeric),),)
    return Hierarchy(present[0].name, layers, resolution, None if numeric else {}, present[0].unit), leaves


def _refuse_disjoint(own: Sequence[Hierarchy | None], pieces: Sequence["_Piece"], *, grown: bool) -> None:
    numbers = [number for number, hierarchy in enumerate(own, start=1) if hierarchy is not None]
    name = next(hierarchy.name for hierarchy in own if hierarchy is not None)
    pairs = [(one, other) for other in range(len(numbers)) for one in range(other)]
    for one, other in pairs:
        if not grown and not any(p.leaves[one] != OUTSIDE and p.leaves[other] != OUTSIDE for p in pieces):
            raise CRAError(
                f"Releases {numbers[one]} and {numbers[other]} cannot be of the same people: no value of {name!r} "
                "lies in the domains of both; check that each has its own study."
            )
    raise CRAError(f"No value of {name!r} lies in the domains of all releases; check that each has its own study.")


@dataclass(frozen=True)
class _Piece:
    """Values that no hierarchy tells apart: their leaf in each, and how many they are."""

    leaves: tuple[int, ...]
    lower: Decimal
    upper: Decimal
    values: int
    label: str


def _resolution(hierarchies: Sequence[Hierarchy]) -> Decimal:
    """The coarsest step on which all values of all domains lie."""
    steps = [Fraction(h.resolution) for h in hierarchies]
    steps += [abs(Fraction(h.lower) - Fraction(hierarchies[0].lower)) for h in hierarchies]
    scale = lcm(*(step.denominator for step in steps))
    step = Fraction(gcd(*(int(step * scale) for step in steps)), scale)
    return Decimal(step.numerator) / Decimal(step.denominator)


def _intervals(hierarchies: Sequence[Hierarchy]) -> list[_Piece]:
    edges = sorted({end for h in hierarchies for node in h.layer_nodes[0] for end in (node.lower, node.upper)})
    step = _resolution(hierarchies)
    place = [{node.lower: leaf for leaf, node in enumerate(h.layer_nodes[0])} for h in hierarchies]
    inside = [OUTSIDE] * len(hierarchies)
    pieces = []
    for lower, upper in pairwise(edges):
        for position, hierarchy in enumerate(hierarchies):
            inside[position] = place[position].get(lower, inside[position])
            if lower >= hierarchy.upper:
                inside[position] = OUTSIDE
        if any(leaf != OUTSIDE for leaf in inside):
            label = f"[{number_text(lower)}, {number_text(upper)}["
            pieces.append(_Piece(tuple(inside), lower, upper, int((upper - lower) / step), label))
    return pieces


def _beyond(hierarchies: Sequence[Hierarchy], kept: Sequence[_Piece]) -> dict[int, str]:
    """Names of the outermost pieces, by place, where some domain ends by a guess: that number nobody published."""
    first, last = kept[0], kept[-1]
    ends = [(h.layer_nodes[0][0], h.layer_nodes[0][-1]) for h in hierarchies]
    found = {}
    if any(low.category and not low.coded and low.lower == first.lower for low, _ in ends):
        found[0] = f"below {number_text(first.upper)}"
    if any(high.category and not high.coded and high.upper == last.upper for _, high in ends):
        found[len(kept) - 1] = f"{number_text(last.lower)} or more"
    return found


def _categories(hierarchies: Sequence[Hierarchy]) -> list[_Piece]:
    """Categories by the values that are listed for them; numbers beside categories by the interval that they lie in."""
    listed = dict.fromkeys(value for h in hierarchies if not h.numeric for value in h.reader.listed)
    held: dict[tuple[int, ...], int] = {}
    for value in listed:
        leaves = [h.reader.leaf_of(value) for h in hierarchies]
        key = tuple(OUTSIDE if leaf is None else leaf for leaf in leaves)
        held[key] = held.get(key, 0) + 1
    pieces = []
    for key in sorted(held):
        at = [h.layer_nodes[0][leaf] for h, leaf in zip(hierarchies, key, strict=True) if leaf != OUTSIDE]
        finest = min(at, key=lambda node: node.values)
        labels = [finest.label] if finest.values == held[key] else dict.fromkeys(node.label for node in at)
        pieces.append(_Piece(key, Decimal(0), Decimal(0), held[key], " and ".join(labels)))
    return pieces
