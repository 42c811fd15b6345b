"""All minimal releases of a small table."""

from collections.abc import Iterator
from functools import cache
from math import comb

import numpy as np
import pandas as pd

from cra_engine.errors import TooLargeError
from cra_engine.expected import expect
from cra_engine.patience import checkpoint
from cra_engine.publish.minimal.release import MinimalRelease, placed_records
from cra_engine.study.boxes import Leaves, Nodes, Space, labelled
from cra_engine.study.study import Study

MAX_PARTITIONS = 20_000


def minimal_releases(data: pd.DataFrame, study: Study) -> tuple[MinimalRelease, ...]:
    """Return every minimal release of a small table (Cohen 2022, Definition 3.3, Figure 2).

    Args:
        data: the raw table.
        study: hierarchies and k.

    Returns:
        The releases, as :func:`cra_engine.minimal_release` publishes them, each once.

    Raises:
        StudyError: k below 2.
        DataError: the table does not fit the study, or k exceeds the number of records.
        TooLargeError: the records can be put into groups of k or more in over 20,000 ways, as 11 records with k = 2.

    >>> from cra_engine import Attribute, Study
    >>> flag = [("0", "0", "*"), ("1", "1", "*")]
    >>> study = Study([Attribute.from_hierarchy(name, flag) for name in ("Old", "Rich")], k=2)
    >>> people = pd.DataFrame([("1", "1"), ("0", "0"), ("1", "0"), ("0", "0")], columns=study.names)
    >>> [release.frame.to_numpy().tolist() for release in minimal_releases(people, study)]
    ... # doctest: +NORMALIZE_WHITESPACE
    [[['*', '*'], ['*', '*'], ['*', '0'], ['*', '0']],
     [['1', '*'], ['0', '0'], ['1', '*'], ['0', '0']],
     [['*', '*'], ['*', '0'], ['*', '0'], ['*', '*']]]
    """
    expect(data, pd.DataFrame, "minimal_releases(data)")
    expect(study, Study, "minimal_releases(study)")
    space, located = placed_records(study.roles.published(data), study)
    data, leaves = located.data, located.leaves.astype(np.int64)
    ways = partitions(len(data), study.k)
    if ways > MAX_PARTITIONS:
        raise TooLargeError(
            f"{len(data):,} records can be put into groups of {study.k} or more in more than {MAX_PARTITIONS:,} ways; "
            "list the minimal releases of fewer records or with a larger k."
        )
    notes = (*located.complete.notes, *located.warnings)
    return tuple(
        MinimalRelease(study, labelled(data, study, space, boxes), True, notes)
        for boxes in minimal_boxes(space, leaves, study.k)
    )


def minimal_boxes(space: Space, leaves: Leaves, k: int) -> list[Nodes]:
    """Return per minimal release the boxes of its records.

    A minimal release shows the smallest boxes around its classes, so it is among those of all partitions into groups of
    k or more; and of these it is one that no other refines.
    """
    releases: dict[bytes, Nodes] = {}
    for groups in _groupings(tuple(range(len(leaves))), k):
        checkpoint()
        boxes = np.empty_like(leaves)
        for group in groups:
            boxes[list(group)] = space.join(leaves[list(group)])
        releases.setdefault(boxes.tobytes(), boxes)
    finest_first = sorted(releases.values(), key=lambda boxes: int((space.stop(boxes) - space.start(boxes)).sum()))
    kept: list[Nodes] = []
    for boxes in finest_first:
        checkpoint()
        if not (kept and space.within(np.stack(kept), boxes).all(axis=1).any()):
            kept.append(boxes)
    order = {key: place for place, key in enumerate(releases)}
    return sorted(kept, key=lambda boxes: order[boxes.tobytes()])


@cache
def partitions(records: int, k: int) -> int:
    """Count the partitions into groups of k or more for minimal releases; exact up to ``MAX_PARTITIONS``.

    >>> partitions(4, 2), partitions(5, 2), partitions(3, 4)
    (4, 11, 0)
    """
    if records == 0:
        return 1
    if records > 2 * k and comb(records - 1, k - 1) + comb(records - 1, k) > MAX_PARTITIONS:
        return MAX_PARTITIONS + 1
    total = 0
    for others in range(k - 1, records):  # that share the first record's group
        total += comb(records - 1, others) * partitions(records - 1 - others, k)
        if total > MAX_PARTITIONS:
            return MAX_PARTITIONS + 1
    return total


def _groupings(rows: tuple[int, ...], k: int) -> Iterator[list[tuple[int, ...]]]:
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for others in range(1 << len(rest)):
        size = others.bit_count() + 1
        if size >= k and (len(rows) == size or len(rows) - size >= k):
            group = (first, *(row for place, row in enumerate(rest) if others >> place & 1))
            left = tuple(row for place, row in enumerate(rest) if not others >> place & 1)
            for more in _groupings(left, k):
                yield [group, *more]
