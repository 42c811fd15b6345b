"""The coarsest cells that every release's cells are made of: the common refinement of the leaves of all hierarchies.

Each cell of a release is then a union of refined cells, so the counts of the refined cells say what every release sees.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import count, pairwise, product
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.composition.same_values import values_alike
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.release import Release
from cra_engine.study.file_hierarchy import NOT_SHOWN, unnamed
from cra_engine.study.grid import Cell, Grid
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.periods import PERIODS, first_day, in_finer
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
    present, period = _one_numbering(present) if numeric else (present, "")
    pieces = _intervals(present, period) if numeric else _categories(present)
    last = own[-1]
    needed = ([present.index(last)] if last is not None else []) if grown else list(range(len(present)))
    kept = [piece for piece in pieces if all(piece.leaves[position] != OUTSIDE for position in needed)]
    if all(piece.coded for piece in kept):
        _refuse_disjoint(own, pieces, grown=grown)
    resolution = _resolution(present) if numeric else Decimal(1)
    nodes, beyond = [], _beyond(present, kept, period) if numeric else {}
    for rank, piece in enumerate(kept):
        lower, upper = (piece.lower, piece.upper) if numeric else (Decimal(rank), Decimal(rank + 1))
        label, category = beyond.get(rank, piece.label), not numeric or rank in beyond or piece.coded
        named, values, coded = _named(lower, upper, period), piece.values, piece.coded
        nodes.append(
            Node(1, rank, rank, rank + 1, lower, upper, values, label, category=category, coded=coded, ends=named)
        )
    result = iter(np.array([piece.leaves for piece in kept], dtype=np.int64).T)
    leaves = tuple(None if hierarchy is None else next(result) for hierarchy in own)
    layers: tuple[tuple[Node, ...], ...] = (tuple(nodes),)
    if len(nodes) > 1:
        values, ends = sum(node.values for node in nodes), (nodes[0].lower, nodes[-1].upper)
        named = _named(*ends, period)
        layers += ((Node(2, 0, 0, len(nodes), *ends, values, ROOT_LABEL, category=not numeric, ends=named),),)
    unit = "" if period else present[0].unit
    return Hierarchy(present[0].name, layers, resolution, None if numeric else {}, unit), leaves


def _one_numbering(hierarchies: list[Hierarchy]) -> tuple[list[Hierarchy], str]:
    """The same hierarchies of dates by the numbers of the finest periods that any of them counts, and which these are.

    A year here and a month there have other numbers. What is not of dates alone stays as it is, and counts no periods.
    """
    periods = [_period_of(hierarchy) for hierarchy in hierarchies]
    if not all(periods):
        return hierarchies, ""
    finest = max(periods, key=PERIODS.index)
    return [
        own if period == finest else _numbered(own, period, finest)
        for own, period in zip(hierarchies, periods, strict=True)
    ], finest


def _numbered(own: Hierarchy, period: str, finest: str) -> Hierarchy:
    nodes = tuple(
        tuple(
            replace(node, lower=in_finer(node.lower, period, finest), upper=in_finer(node.upper, period, finest))
            for node in layer
        )
        for layer in own.layer_nodes
    )
    return Hierarchy(own.name, nodes)


def _period_of(hierarchy: Hierarchy) -> str:
    """What the numbers of a hierarchy of dates count, be it guessed from labels; empty where they are no dates."""
    if hierarchy.dates:
        return hierarchy.unit
    first = next(leaf for leaf in hierarchy.layer_nodes[0] if not leaf.coded)
    named = first.ends[0] if first.ends else ""
    return next((unit for unit in PERIODS if first_day(int(first.lower), unit) == named), "")


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
    coded: bool = False


def _end(number: Decimal, period: str) -> str:
    return first_day(int(number), period) if period else number_text(number)


def _named(lower: Decimal, upper: Decimal, period: str) -> tuple[str, str] | None:
    return (_end(lower, period), _end(upper, period)) if period else None


def _resolution(hierarchies: Sequence[Hierarchy]) -> Decimal:
    """The coarsest step on which all values of all domains lie."""
    steps = [Fraction(h.resolution) for h in hierarchies]
    steps += [abs(Fraction(h.lower) - Fraction(hierarchies[0].lower)) for h in hierarchies]
    scale = lcm(*(step.denominator for step in steps))
    step = Fraction(gcd(*(int(step * scale) for step in steps)), scale)
    return Decimal(step.numerator) / Decimal(step.denominator)


def _intervals(hierarchies: Sequence[Hierarchy], period: str) -> list[_Piece]:
    own = [[node for node in h.layer_nodes[0] if not node.missing] for h in hierarchies]
    edges = sorted({end for leaves in own for node in leaves if not node.coded for end in (node.lower, node.upper)})
    step, wide = _resolution(hierarchies), edges[-1] - edges[0]
    # What is coded as lying beyond a domain, such as >=90, goes on as far as any other, and past all of them.
    coded = {}
    if any(leaves[0].coded for leaves in own):
        coded[edges[0] - wide] = f"<{_end(edges[0], period)}"
    if any(leaves[-1].coded for leaves in own):
        coded[edges[-1]] = f">={_end(edges[-1], period)}"
        edges.append(edges[-1] + wide)
    edges = sorted({*edges, *coded})
    place = [
        {edges[0] if node.coded and not leaf else node.lower: leaf for leaf, node in enumerate(leaves)}
        for leaves in own
    ]
    past = [None if leaves[-1].coded else leaves[-1].upper for leaves in own]
    inside = [OUTSIDE] * len(hierarchies)
    pieces = []
    for lower, upper in pairwise(edges):
        for position, end in enumerate(past):
            inside[position] = place[position].get(lower, inside[position])
            if end is not None and lower >= end:
                inside[position] = OUTSIDE
        if any(leaf != OUTSIDE for leaf in inside):
            label = coded.get(lower, f"[{_end(lower, period)}, {_end(upper, period)}[")
            values = 1 if lower in coded else int((upper - lower) / step)
            pieces.append(_Piece(tuple(inside), lower, upper, values, label, lower in coded))
    return [*pieces, *_missing(hierarchies, pieces[-1].upper, wide)]


def _missing(hierarchies: Sequence[Hierarchy], end: Decimal, width: Decimal) -> list[_Piece]:
    """What is no value in each, beside the intervals, from an end on: whoever has none here has none there.

    A hierarchy that was guessed where none was shown has them beyond its labels, where they may be suppressed.
    """
    leaves, names = [], []
    for hierarchy in hierarchies:
        shown = hierarchy.layer_nodes[0]
        own = [leaf for leaf, node in enumerate(shown) if node.missing]
        names += [shown[leaf].interval for leaf in own]
        beyond = shown[-1].gap and shown[-1].category
        leaves.append(own or [len(shown) - 1 if beyond else OUTSIDE])
    if not names:
        return []
    each = list(product(*leaves))
    return [
        _Piece(own, end + at * width, end + (at + 1) * width, 1, names[0] if at == 0 else f"missing {at + 1}", True)
        for at, own in enumerate(each)
    ]


def _beyond(hierarchies: Sequence[Hierarchy], kept: Sequence[_Piece], period: str) -> dict[int, str]:
    """Names of the outermost pieces, by place, where some domain ends by a guess: that number nobody published."""
    places = [place for place, piece in enumerate(kept) if not piece.coded]
    first, last = kept[places[0]], kept[places[-1]]
    ends = [(own[0], own[-1]) for own in ([n for n in h.layer_nodes[0] if not n.coded] for h in hierarchies)]
    found = {}
    if any(low.category and low.lower == first.lower for low, _ in ends):
        found[places[0]] = f"below {_end(first.upper, period)}"
    if any(high.category and high.upper == last.upper for _, high in ends):
        found[places[-1]] = f"{_end(last.lower, period)} or more"
    return found


def _categories(hierarchies: Sequence[Hierarchy]) -> list[_Piece]:
    """Categories by the values that are listed for them; numbers beside categories by the interval that they lie in."""
    held = Counter(tuple(OUTSIDE if leaf is None else leaf for leaf in own) for own in values_alike(hierarchies))
    pieces, free = [], map(NOT_SHOWN.format, count(1))
    for key in sorted(held):
        at = [h.layer_nodes[0][leaf] for h, leaf in zip(hierarchies, key, strict=True) if leaf != OUTSIDE]
        whole = [node for node in at if node.values == held[key]]
        named = [node.interval for node in whole or at if not unnamed(node.label)]
        if not whole and len(named) < len(at):
            named = []  # part of a group may be several pieces
        label = " and ".join(dict.fromkeys(named[:1] if whole else named)) or next(free)
        missing = any(node.missing for node in at)
        pieces.append(_Piece(key, Decimal(0), Decimal(0), held[key], label, missing))
    return pieces
