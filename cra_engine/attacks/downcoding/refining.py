"""The two downcoding attacks on boxes (Cohen 2022, Algorithms 1 and 2, and the proof of Theorem 4.3).

Both return boxes that lie in the published ones, and which rows now hold a predicate: a box that the attack expects to
hold exactly one record of the data. Which row of a class a box is written to means nothing.
"""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.downcoding.shapes import Clusters, LadderShape
from cra_engine.study.boxes import Nodes, classes_of

Found = tuple[Nodes, list[int]]
"""The refined boxes, per row; and the rows that hold predicates."""


def refined_clusters(shape: Clusters, boxes: Nodes, k: int) -> Found:
    """Downcode clusters of exactly k rows, about half their entries the cluster: one far record, others near.

    A minimal release generalizes an entry to the cluster only because some record is far there. With about half the
    entries so, a single record of large noise did it; the other k - 1 are near everywhere. Else rows are copied; so are
    those that no minimal release holds: unlike rows, entries outside the cluster, an entry that is far for all.
    """
    result = boxes.copy()
    predicates = []
    for number in range(shape.near.shape[1]):
        rows, lacking = _cluster(shape, boxes, k, number)
        if not lacking:
            big = shape.whole[np.arange(boxes.shape[1]), boxes[rows[0]]]
            result[rows] = shape.near[:, number]
            result[rows[0]] = np.where(big, shape.far[:, number], shape.near[:, number])
            predicates.append(int(rows[0]))
    return result, predicates


def _cluster(shape: Clusters, boxes: Nodes, k: int, number: int) -> tuple[NDArray[np.int64], str]:
    """The rows of a cluster, and what they lack to be refined; empty where they lack nothing."""
    attributes = np.arange(boxes.shape[1])
    inside = shape.cluster[attributes, boxes]
    rows = np.flatnonzero((inside == number).any(axis=1))
    if not len(rows):
        return rows, "shown by no row"
    if len(rows) != k:
        return rows, f"shown by more or fewer than k = {k} rows"
    box = boxes[rows[0]]
    big = shape.whole[attributes, box]
    if (boxes[rows] != box).any() or (inside[rows[0]] != number).any():
        return rows, "shown by rows that differ, or that lie in it in part only"
    if 4 * abs(2 * int(big.sum()) - len(box)) > len(box) or (box[~big] != shape.near[~big, number]).any():
        return rows, "shown whole in too few or too many attributes (about half is what one wide record gives)"
    return rows, ""


def lacking_clusters(shape: Clusters, boxes: Nodes, k: int) -> Counter[str]:
    """Count the clusters that downcoding cannot refine, by what they lack."""
    result = (_cluster(shape, boxes, k, number)[1] for number in range(shape.near.shape[1]))
    return Counter(lacking for lacking in result if lacking)


def refined_ladder(shape: LadderShape, boxes: Nodes) -> Found:
    """Downcode ladders: per class and bound t above 0 of its box the record that has t, Eq. (3).

    Where no two records of a class have the same value besides 0, minimality makes each bound some record's value. So
    that record has t where the bound is t, 0 where it is smaller, and 0 or t elsewhere. A class with more bounds than
    rows, or that shows a leaf which is no bound, is none of a minimal release of such data, and is copied.
    """
    result = boxes.copy()
    predicates: list[int] = []
    for rows in classes_of(boxes):
        bounds, values, lacking = _bounds(shape, boxes, rows)
        if not lacking:
            for row, value in zip(rows.tolist(), values.tolist(), strict=False):
                result[row] = _of_value(shape, bounds, value)
                predicates.append(row)
    return result, predicates


def _bounds(
    shape: LadderShape, boxes: Nodes, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], str]:
    """The bounds of a class, those above 0, and what it lacks to be refined; empty where it lacks nothing."""
    bounds = shape.bound[np.arange(boxes.shape[1]), boxes[rows[0]]]
    values = np.unique(bounds[bounds > 0])
    lacking = ""
    if bounds.min() < 0:
        lacking = "a value by itself, which is no node of the ladder's chain"
    elif not len(values):
        lacking = "0 alone, so that nothing was generalized"
    elif len(values) > len(rows):
        lacking = "more different bounds than rows, so that not each is some row's value"
    return bounds, values, lacking


def lacking_ladder(shape: LadderShape, boxes: Nodes) -> Counter[str]:
    """Count the classes that downcoding cannot refine, by what they show."""
    result = (_bounds(shape, boxes, rows)[2] for rows in classes_of(boxes))
    return Counter(lacking for lacking in result if lacking)


def _of_value(shape: LadderShape, bounds: NDArray[np.int64], value: int) -> Nodes:
    """Eq. (3); attributes of shorter ladders know the value only where their bound is smaller."""
    known = min(value, shape.chain.shape[1] - 1)
    box = np.where(bounds == value, shape.rung[:, known], shape.chain[:, known])
    return np.asarray(np.where(bounds < value, shape.chain[:, 0], box))
