"""The two downcoding attacks on boxes (Cohen 2022, Algorithms 1 and 2, and the proof of Theorem 4.3).

Both return boxes that lie in the published ones, and which rows now hold a predicate: a box that the attack expects to
hold exactly one record of the data. Which row of a class a box is written to means nothing.
"""

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.downcoding.shapes import Clusters, Ladder
from cra_engine.study.boxes import Nodes, classes_of

Found = tuple[Nodes, list[int]]
"""The refined boxes, per row; and the rows that hold predicates."""


def refined_clusters(shape: Clusters, boxes: Nodes, k: int) -> Found:
    """Where exactly k rows lie in a cluster and about half their entries are the cluster: one far record, others near.

    A minimal release generalizes an entry to the cluster only because some record is far there. With about half the
    entries so, a single record of large noise did it; the other k - 1 are near everywhere. Else rows are copied; so are
    those that no minimal release holds: unlike rows, entries outside the cluster, an entry that is far for all.
    """
    result = boxes.copy()
    predicates = []
    attributes = np.arange(boxes.shape[1])
    inside = shape.cluster[attributes, boxes]
    for number in range(shape.near.shape[1]):
        rows = np.flatnonzero((inside == number).any(axis=1))
        if len(rows) != k:
            continue
        box = boxes[rows[0]]
        big = shape.whole[attributes, box]
        alike = (boxes[rows] == box).all() and (inside[rows[0]] == number).all()
        if (
            alike
            and 4 * abs(2 * int(big.sum()) - len(box)) <= len(box)
            and (box[~big] == shape.near[~big, number]).all()
        ):
            result[rows] = shape.near[:, number]
            result[rows[0]] = np.where(big, shape.far[:, number], shape.near[:, number])
            predicates.append(int(rows[0]))
    return result, predicates


def refined_ladder(shape: Ladder, boxes: Nodes) -> Found:
    """Per class and bound t above 0 of its box the record that has t: Eq. (3).

    Where no two records of a class have the same value besides 0, minimality makes each bound some record's value. So
    that record has t where the bound is t, 0 where it is smaller, and 0 or t elsewhere. A class with more bounds than
    rows, or that shows a leaf which is no bound, is none of a minimal release of such data, and is copied.
    """
    result = boxes.copy()
    predicates: list[int] = []
    attributes = np.arange(boxes.shape[1])
    for rows in classes_of(boxes):
        bounds = shape.bound[attributes, boxes[rows[0]]]
        values = np.unique(bounds[bounds > 0])
        if bounds.min() >= 0 and len(values) <= len(rows):
            for row, value in zip(rows.tolist(), values.tolist(), strict=False):
                result[row] = _of_value(shape, bounds, value)
                predicates.append(row)
    return result, predicates


def _of_value(shape: Ladder, bounds: NDArray[np.int64], value: int) -> Nodes:
    """Eq. (3); attributes of shorter ladders know the value only where their bound is smaller."""
    known = min(value, shape.chain.shape[1] - 1)
    box = np.where(bounds == value, shape.rung[:, known], shape.chain[:, known])
    return np.asarray(np.where(bounds < value, shape.chain[:, 0], box))
