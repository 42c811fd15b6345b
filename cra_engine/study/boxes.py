"""Boxes of nodes as arrays: what each row of a table published from hierarchies stands for, whatever their number.

Two nodes that hold the same leaves are one here: a release cannot tell them apart, and neither refines the other. A
node is a run of neighbouring leaves, so containment and joins are comparisons of whole numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError, ReleaseError
from cra_engine.files.tables import column_of
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.study.tree import Node
from cra_engine.words import rows_text

Leaves = NDArray[np.signedinteger[Any]]
"""Per record and attribute a leaf: shape (records, attributes)."""
Nodes = NDArray[np.signedinteger[Any]]
"""Boxes: per box and attribute a node of that attribute's tree."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The different nodes of one of a study's hierarchies; leaves come first, the root last.

    Attributes:
        start: per node its first leaf.
        stop: per node one past its last leaf.
        path: per depth and leaf the node around that leaf: the root at depth 0, then a child at each depth; below a
            leaf's own depth the leaf again.
        depth: per node its depth.
        labels: per node how a release shows it.
    """

    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    path: NDArray[np.int32]
    depth: NDArray[np.int64]
    labels: tuple[str, ...]

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return int(self.path.shape[1])

    @property
    def root(self) -> int:
        """The root's number."""
        return len(self.start) - 1

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> Self:
        """The tree of a hierarchy; of equal nodes in several layers the finest gives the label."""
        return cls.made([[(n.start, n.stop, n.label) for n in nodes] for nodes in hierarchy.layer_nodes])

    @classmethod
    def made(cls, layers: Sequence[Sequence[tuple[int, int, str]]]) -> Self:
        """A tree from its layers, leaves first, each a partition of the leaves into runs (start, stop, label)."""
        labels: dict[tuple[int, int], str] = {}
        for layer in layers:
            for start, stop, label in layer:
                labels.setdefault((start, stop), label)
        number = {run: place for place, run in enumerate(labels)}
        around = [
            np.repeat([number[start, stop] for start, stop, _ in layer], [stop - start for start, stop, _ in layer])
            for layer in reversed(layers)
        ]
        leaves = len(around[0])
        columns = np.stack(around)  # from the root down, a node once for each layer that repeats it
        fresh = np.ones(columns.shape, dtype=bool)
        fresh[1:] = columns[1:] != columns[:-1]
        place = np.cumsum(fresh, axis=0) - 1
        path = np.tile(columns[-1].astype(np.int32), (int(place.max()) + 1, 1))
        path[place, np.arange(leaves)] = columns
        runs = np.array(list(labels), dtype=np.int64)
        depth = np.zeros(len(runs), dtype=np.int64)
        depth[columns] = place
        return cls(runs[:, 0], runs[:, 1], path, depth, tuple(labels.values()))

    def children(self, node: int) -> list[int]:
        """The children of a node from left to right; none of a leaf."""
        if self.stop[node] - self.start[node] == 1:
            return []
        below = self.path[self.depth[node] + 1, self.start[node] : self.stop[node]]
        return [int(child) for child in dict.fromkeys(below.tolist())]


class Space:
    """The boxes over several hierarchies, one per attribute; attributes may share a tree.

    Args:
        trees: the different trees.
        of: per attribute the position of its tree.
    """

    def __init__(self, trees: Sequence[Tree], of: Sequence[int]) -> None:
        self.trees = tuple(trees)
        self.of = np.array(of, dtype=np.int64)
        deepest = max(tree.path.shape[0] for tree in trees)
        widest = max(tree.leaves for tree in trees)
        most = max(len(tree.start) for tree in trees)
        self._path = np.zeros((len(trees), deepest, widest), dtype=np.int32)
        self._start, self._stop, self._depth = (np.zeros((len(trees), most), dtype=np.int64) for _ in range(3))
        for place, tree in enumerate(trees):
            rows, leaves = tree.path.shape
            self._path[place, :rows, :leaves] = tree.path
            self._path[place, rows:, :leaves] = tree.path[-1]
            for kept, given in ((self._start, tree.start), (self._stop, tree.stop), (self._depth, tree.depth)):
                kept[place, : len(given)] = given

    @classmethod
    def of_study(cls, study: Study) -> Self:
        """The boxes of a study's attributes."""
        return cls([Tree.of(attribute) for attribute in study.attributes], range(len(study.attributes)))

    @property
    def width(self) -> int:
        """Number of attributes."""
        return len(self.of)

    @property
    def nodes(self) -> int:
        """The most nodes that a tree has."""
        return int(self._start.shape[1])

    def tree(self, attribute: int) -> Tree:
        """The tree of an attribute."""
        return self.trees[int(self.of[attribute])]

    @property
    def root(self) -> Nodes:
        """The box of everything, shape (attributes,)."""
        return np.array([self.tree(attribute).root for attribute in range(self.width)], dtype=np.int64)

    def start(self, boxes: Nodes) -> NDArray[np.int64]:
        """First leaf of each node."""
        return np.asarray(self._start[self.of, boxes])

    def stop(self, boxes: Nodes) -> NDArray[np.int64]:
        """One past the last leaf of each node."""
        return np.asarray(self._stop[self.of, boxes])

    def around(self, first: Leaves, last: Leaves) -> Nodes:
        """The smallest node that holds two leaves, per attribute (the last axis)."""
        low = np.zeros(np.broadcast_shapes(first.shape, last.shape), dtype=np.int64)
        high = np.full_like(low, self._path.shape[1])
        while (high - low > 1).any():  # at depth low the leaves share a node, at depth high they do not
            middle = (low + high) // 2
            same = self._path[self.of, middle, first] == self._path[self.of, middle, last]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return np.asarray(self._path[self.of, low, first], dtype=np.int64)

    def join(self, leaves: Leaves) -> Nodes:
        """The smallest box around some records, shape (attributes,)."""
        return self.around(leaves.min(axis=0), leaves.max(axis=0))

    def below(self, box: Nodes, leaves: Leaves) -> Nodes:
        """Per record in a box and attribute the box's child around the record; of a leaf the leaf itself."""
        depth = np.minimum(self._depth[self.of, box] + 1, self._path.shape[1] - 1)
        return np.asarray(self._path[self.of, depth, leaves], dtype=np.int64)

    def holds(self, boxes: Nodes, leaves: Leaves) -> NDArray[np.bool_]:
        """Returns whether records lie in boxes; over the last axis, which is the attributes."""
        return np.asarray(((self.start(boxes) <= leaves) & (leaves < self.stop(boxes))).all(axis=-1))

    def within(self, inner: Nodes, outer: Nodes) -> NDArray[np.bool_]:
        """Returns whether boxes lie in boxes, equal ones too; over the last axis."""
        starts, stops = self.start(outer) <= self.start(inner), self.stop(inner) <= self.stop(outer)
        return np.asarray((starts & stops).all(axis=-1))

    def labels(self, boxes: Nodes) -> list[list[str]]:
        """The labels of boxes, a list of one per attribute for each."""
        names = [self.tree(attribute).labels for attribute in range(self.width)]
        return [[names[attribute][node] for attribute, node in enumerate(box)] for box in boxes.tolist()]


def boxes_of(table: pd.DataFrame, study: Study, space: Space) -> Nodes:
    """Return the boxes of a study's hierarchies that a table's rows show, shape (rows, attributes).

    Raises:
        ReleaseError: no row, a missing column, or a cell that is no label of its hierarchy.
    """
    if not len(table):
        raise ReleaseError("The release holds no record.")
    boxes = np.empty((len(table), space.width), dtype=np.int64)
    for position, attribute in enumerate(study.attributes):
        tree = space.tree(position)
        number = {run: place for place, run in enumerate(zip(tree.start.tolist(), tree.stop.tolist(), strict=True))}
        try:
            column = column_of(table, attribute.name)
        except DataError as error:
            raise ReleaseError(f"This is not a release of this study: {error}") from None
        codes, labels = pd.factorize(column, use_na_sentinel=False)
        known = []
        for code, label in enumerate(labels):
            node = _named(attribute, label)
            if node is None:
                row = int(np.flatnonzero(codes == code)[0]) + 1
                raise ReleaseError(
                    f"Column {attribute.name!r}, {rows_text([row])}: {str(label)[:60]!r} is no label of this study's "
                    f"hierarchy (its finest are like {tree.labels[0]!r}); take the study that belongs to this release."
                )
            known.append(number[node.start, node.stop])
        boxes[:, position] = np.array(known, dtype=np.int64)[codes]
    return boxes


def _named(attribute: Hierarchy, label: object) -> Node | None:
    return None if pd.isna(label) else attribute.parse(str(label))  # type: ignore[call-overload]


def labelled(table: pd.DataFrame, study: Study, space: Space, boxes: Nodes) -> pd.DataFrame:
    """Return a table with the quasi-identifiers replaced by the labels of a study's boxes; other columns stay."""
    labels = space.labels(boxes)
    shown = {name: [row[place] for row in labels] for place, name in enumerate(study.names)}
    every = np.arange(len(table))  # taken: a column that shares its memory with the raw table would carry it along
    columns = {name: shown.get(name, table.iloc[:, at].array.take(every)) for at, name in enumerate(table.columns)}
    return pd.DataFrame(columns, index=table.index, columns=table.columns)


def classes_of(boxes: Nodes) -> list[NDArray[np.int64]]:
    """Return the rows of each class of equal boxes, ascending; the classes in the order of their first rows."""
    _, first, place = np.unique(boxes, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    of_row = rank[place.reshape(-1)]
    ends = np.cumsum(np.bincount(of_row))[:-1]
    return [np.sort(rows) for rows in np.split(np.argsort(of_row, kind="stable"), ends)]
