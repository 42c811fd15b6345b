"""Single moves towards a minimal release: rows go to one finer node, and every class they leave ends empty or with k.

Each move refines some rows and coarsens none, so moves end. They do not find every refinement; exact.py does.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cra_engine.patience import checkpoint
from cra_engine.study.boxes import Leaves, Nodes, Space, classes_of

Rows = NDArray[np.int64]
_BLOCK = 4_000_000


def tightened(space: Space, leaves: Leaves, boxes: Nodes, k: int, *, apart: bool = False) -> Nodes:
    """Shrink every class to the smallest box around its records, towards a minimal release.

    Args:
        space: the trees.
        leaves: per record and attribute its leaf.
        boxes: per record its box.
        k: the smallest size of a class.
        apart: whether a class at the root may be smaller than k; it stays there then.
    """
    result = boxes.copy()
    for rows in classes_of(boxes):
        if not (apart and len(rows) < k and (boxes[rows[0]] == space.root).all()):
            result[rows] = space.join(leaves[rows])
    return result


def splits(space: Space, leaves: Leaves, rows: Rows, box: Nodes, k: int, rest: int) -> NDArray[np.int64]:
    """Return moves towards a minimal release: out of a class to a child of its box, where k rows lie and enough stay.

    Args:
        space: the trees.
        leaves: per record and attribute its leaf.
        rows: the class, whose box is tight.
        box: its box.
        k: the smallest size of a class.
        rest: the fewest rows that may stay.

    Returns:
        Pairs of an attribute and a node, shape (moves, 2); of the rows there all may go but as many as must stay.
    """
    size = len(rows)
    if size < k + rest:
        return np.empty((0, 2), dtype=np.int64)
    below = space.below(box, leaves[rows]) + np.arange(space.width) * space.nodes
    counts = np.bincount(below.reshape(-1), minlength=space.width * space.nodes)
    splits = np.flatnonzero((counts >= k) & (counts < size))
    return np.stack(np.divmod(splits, space.nodes), axis=1)


def split(
    space: Space, leaves: Leaves, rows: Rows, box: Nodes, move: NDArray[np.int64], rest: int, rng: np.random.Generator
) -> tuple[Rows, Rows]:
    """Return the rows that make one of the moves of :func:`splits`, and those that stay."""
    attribute, node = move.tolist()
    goes = space.below(box, leaves[rows])[:, attribute] == node
    if len(rows) - int(goes.sum()) < rest:
        stay = rng.choice(np.flatnonzero(goes), rest - (len(rows) - int(goes.sum())), replace=False)
        goes[stay] = False
    return rows[goes], rows[~goes]


def finer_classes(space: Space, boxes: Nodes) -> Iterator[tuple[int, Rows]]:
    """Return for each of some boxes the positions of those strictly inside it, where rows may move."""
    step = max(1, _BLOCK // (len(boxes) * space.width))
    for first in range(0, len(boxes), step):
        checkpoint()
        inside = space.within(boxes[None, :], boxes[first : first + step, None])
        for outer, inner in enumerate(inside, start=first):
            inner[outer] = False
            if inner.any():
                yield outer, np.flatnonzero(inner)


def joining(
    space: Space, leaves: Leaves, classes: list[Rows], boxes: Nodes, k: int, *, apart: bool = False
) -> Iterator[tuple[int, int, Rows]]:
    """Return the rows of a class that may move to a finer one: (class, finer class, the rows that lie in its box).

    Args:
        space: the trees.
        leaves: per record and attribute its leaf.
        classes: the rows of each class.
        boxes: their boxes.
        k: the smallest size of a class; a class of k gives no row away, since all its rows lie in no finer box.
        apart: whether a class at the root may be smaller than k.
    """
    for outer, inner in finer_classes(space, boxes):
        rows = classes[outer]
        if len(rows) > k or (apart and (boxes[outer] == space.root).all()):
            for finer in inner.tolist():
                inside = rows[space.holds(boxes[finer], leaves[rows])]
                if len(inside):
                    yield outer, finer, inside


def moved_until_settled(space: Space, leaves: Leaves, boxes: Nodes, k: int, rng: np.random.Generator) -> Nodes:
    """Make single moves at random until none is left, so that the release is minimal and every class tight."""
    boxes = tightened(space, leaves, boxes, k)
    while True:
        checkpoint()
        boxes = _split_all(space, leaves, boxes, k, rng)
        joined = _join_all(space, leaves, boxes, k, rng)
        if joined is None:
            return boxes
        boxes = tightened(space, leaves, joined, k)


def _split_all(space: Space, leaves: Leaves, boxes: Nodes, k: int, rng: np.random.Generator) -> Nodes:
    boxes = boxes.copy()
    while True:
        changed = False
        todo = classes_of(boxes)
        while todo:
            rows = todo.pop()
            box = boxes[rows[0]]
            moves = splits(space, leaves, rows, box, k, k)
            if len(moves):
                checkpoint()
                changed = True
                for part in split(space, leaves, rows, box, moves[rng.integers(len(moves))], k, rng):
                    boxes[part] = space.join(leaves[part])
                    todo.append(part)
        if not changed:  # else classes may have met in one box, and together split further
            return boxes


def _join_all(space: Space, leaves: Leaves, boxes: Nodes, k: int, rng: np.random.Generator) -> Nodes | None:
    """Each class gives rows to one finer class at most; None where none can."""
    classes = classes_of(boxes)
    of_class = boxes[[rows[0] for rows in classes]]
    result = boxes.copy()
    gave: set[int] = set()
    for outer, finer, found in joining(space, leaves, classes, of_class, k):
        if outer not in gave:
            gave.add(outer)
            free = len(classes[outer]) - k
            result[found if len(found) <= free else rng.choice(found, free, replace=False)] = of_class[finer]
    return result if gave else None
