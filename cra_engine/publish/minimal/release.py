"""Publishing a minimal release, and testing whether a release is one (Cohen 2022, Definition 3.3)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from propcache.api import cached_property

from cra_engine.errors import DataError, ReleaseError
from cra_engine.expected import expect
from cra_engine.publish.minimal.exact import judged
from cra_engine.publish.minimal.moves import moved_until_settled
from cra_engine.publish.published_rows import published_rows
from cra_engine.published import Published
from cra_engine.raw.placement import Located, locate
from cra_engine.raw.proposed_roles import undecided
from cra_engine.release import ReleasedClass
from cra_engine.results import Json, Result, plain
from cra_engine.study.boxes import Leaves, Nodes, Space, boxes_of, classes_of, labelled
from cra_engine.study.grid import Segment
from cra_engine.study.study import Study
from cra_engine.utility.loss import MeanLoss
from cra_engine.words import how_many, rows_text


@dataclass(frozen=True, eq=False, repr=False)
class MinimalRelease(Result):
    """A table published by minimal local recoding.

    Attributes:
        study: hierarchies and k.
        frame: the published table, rows in the input's order, other columns as they were.
        minimal: True where the release is certainly minimal; None where single moves find nothing finer, but the table
            is too large to exclude that several at once do.
        warnings: what to know of the table, as sentences.
    """

    study: Study
    frame: pd.DataFrame
    minimal: bool | None
    warnings: tuple[str, ...]

    @cached_property
    def published(self) -> Published:
        """The same as every way to publish has it; see docs/published.md."""
        reason = "Not published by ARX-LR: what attacks such a table is downcode, which reads its frame."
        return published_rows(self.frame, self.study, no_release=reason, loss=self.loss, notes=self.warnings)

    @cached_property
    def classes(self) -> tuple[ReleasedClass, ...]:
        """The classes by their boxes; records at the root are a class like every other (Definition 3.3)."""
        shown = self.frame[list(self.study.names)].astype(str).value_counts()
        nodes = [
            [attribute.parse(label) for attribute, label in zip(self.study.attributes, labels, strict=True)]
            for labels in shown.index
        ]
        boxes = [Segment(tuple(n.layer for n in box if n), tuple(n.rank for n in box if n)) for box in nodes]
        return tuple(ReleasedClass(*formed) for formed in sorted(zip(boxes, shown.tolist(), strict=True)))

    @property
    def suppressed(self) -> int:
        """Number of records at the root."""
        return len(self.published.suppressed)

    @property
    def release(self) -> None:
        """None: it was not published by ARX-LR; what attacks such a table is ``downcode``, which reads its frame."""
        return

    @cached_property
    def loss(self) -> float:
        """The mean loss of a record, from 0 to 1; one at the root loses 1."""
        return MeanLoss.of(self.study.attributes, [(one.segment, one.size) for one in self.classes]).value

    def summary(self) -> dict[str, object]:
        """Records, k, classes, whether it is minimal."""
        classes = len(self.classes)
        return {"records": len(self.frame), "k": self.study.k, "classes": classes, "minimal": self.minimal}

    def to_frame(self) -> pd.DataFrame:
        """The classes as a table: what each shows, and its size."""
        return self.published.classes_table()

    def to_dict(self) -> Json:
        """As plain data."""
        return plain({**self.summary(), "warnings": self.warnings})


def anonymized(
    space: Space, leaves: Leaves, k: int, rng: np.random.Generator, boxes: Nodes | None = None
) -> tuple[Nodes, bool | None]:
    """Return the boxes of a minimal release, per record, and whether it is known to be one (True, or None).

    All records start at the root, unless told where; single moves chosen at random refine them until none is left, and
    what only several moves at once refine is found as :func:`cra_engine.publish.minimal.exact.judged` finds it.

    Args:
        space: the trees.
        leaves: per record and attribute its leaf; k records or more.
        k: the smallest size of a class.
        rng: decides among moves.
        boxes: where they start, per record: classes of k or more, each in the box that it shows.
    """
    boxes = np.tile(space.root, (len(leaves), 1)) if boxes is None else boxes
    while True:
        boxes = moved_until_settled(space, leaves, boxes, k, rng)
        verdict = judged(space, leaves, boxes, k)
        if verdict.finer is None:
            return boxes, verdict.minimal
        boxes = verdict.finer


def minimal_release(data: pd.DataFrame, study: Study, seed: int | None = None) -> MinimalRelease:
    """Publish a table by minimal local recoding (Cohen 2022, Definition 3.3).

    A k-anonymous table of nodes of the hierarchies that no other such table refines: no record could show less general
    labels without another showing more general ones. Every class has k records, those at the root too. Such tables
    lose little, and for that very reason tell much: see :func:`cra_engine.downcode`.

    Args:
        data: one row per person; the study's attributes are columns, other columns are kept but for
            those that the study's roles remove.
        study: hierarchies, k and roles.
        seed: decides which of many minimal releases; at random where None.

    Returns:
        The published table. For tables too large to be sure, no single move refines it; see :func:`is_minimal`.

    Raises:
        StudyError: k below 2, or an unusable seed.
        DataError: the table does not fit the study, or k exceeds the number of records.

    >>> from cra_engine import Attribute, Study
    >>> study = Study([Attribute("age", 0, 80, layers=4)], k=2)
    >>> minimal_release(pd.DataFrame({"age": [12, 19, 33, 38]}), study).frame["age"].tolist()
    ['[10, 20[', '[10, 20[', '[30, 40[', '[30, 40[']
    """
    expect(data, pd.DataFrame, "minimal_release(data)")
    expect(study, Study, "minimal_release(study)")
    space, located = placed_records(study.roles.published(data), study)
    boxes, minimal = anonymized(space, located.leaves.astype(np.int64), study.k, generator(seed))
    notes = (*located.complete.notes, *located.warnings, *undecided(data, study.roles, study.names))
    return MinimalRelease(study, labelled(located.data, study, space, boxes), minimal, notes)


def is_minimal(data: pd.DataFrame, frame: pd.DataFrame, study: Study, *, suppressed_apart: bool = False) -> bool | None:
    """Returns whether a release is minimal: no strict refinement is k-anonymous, hierarchical and generalizes the data.

    Source: Cohen (2022), Definition 3.3. The answer is exact or not given.

    Args:
        data: the raw table.
        frame: the release, its rows in the same order; labels of the study's hierarchies.
        study: hierarchies and k.
        suppressed_apart: False for the definition, by which suppressed records are a class like every other, so that a
            release with 1 to k - 1 of them is not k-anonymous and not minimal. True to let any number of records be
            suppressed, as ARX does.

    Returns:
        True or False; None where the table is too large to tell.

    Raises:
        StudyError: k below 2.
        DataError: the data do not fit the study, or are another table than the release's.
        ReleaseError: a label is no node of its hierarchy, or a class that is not suppressed has fewer than k records.

    >>> from cra_engine import Attribute, Study, recode
    >>> study = Study([Attribute("age", 0, 80, layers=4)], k=2)
    >>> data = pd.DataFrame({"age": [12, 19, 33, 38]})
    >>> is_minimal(data, minimal_release(data, study).frame, study)
    True
    >>> is_minimal(data, pd.DataFrame({"age": ["[0, 40["] * 4}), study)
    False
    """
    expect(data, pd.DataFrame, "is_minimal(data)")
    expect(frame, pd.DataFrame, "is_minimal(frame)")
    expect(study, Study, "is_minimal(study)")
    space, located = placed_records(data, study)
    data, leaves = located.data, located.leaves.astype(np.int64)
    if len(frame) != len(data):
        raise DataError(
            f"The raw table has {how_many(len(data), 'row')} and the release {how_many(len(frame), 'row')}; they must "
            "be the same records in the same order."
        )
    boxes = boxes_of(frame, study, space)
    outside = np.flatnonzero(~space.holds(boxes, leaves))
    if len(outside):
        raise DataError(
            f"The release does not show the raw values of {rows_text(outside[:1] + 1)}; raw table and release must "
            "hold the same records in the same order."
        )
    small = [rows for rows in classes_of(boxes) if len(rows) < study.k]
    for rows in small:
        if (boxes[rows[0]] != space.root).any():
            raise ReleaseError(
                f"The class of {rows_text(rows[:1] + 1)} has {how_many(len(rows), 'record')}, fewer than k = "
                f"{study.k}; this is not a release with that k, or not of this study."
            )
    if small and not suppressed_apart:
        return False
    return judged(space, leaves, boxes, study.k, apart=suppressed_apart).minimal


def placed_records(data: pd.DataFrame, study: Study) -> tuple[Space, Located]:
    """Place a study's boxes and a raw table on the leaves, for minimal recoding.

    Raises:
        StudyError: k below 2.
        DataError: the table does not fit the study, or k exceeds the number of records.
    """
    study.refuse_small_k()
    located = locate(data, study)
    if len(located.data) < study.k:
        raise DataError(
            f"The table has {how_many(len(located.data), 'record')}, fewer than k = {study.k}; take a smaller k or "
            "more records."
        )
    return Space.of_study(study), located


def generator(seed: Any) -> np.random.Generator:
    """Return the random generator of minimal recoding: of a seed, or of the system's randomness.

    Raises:
        DataError: the seed is no whole number of 0 or more.
    """
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
        raise DataError(f"The seed is {str(seed)[:60]}; give a whole number of 0 or more.")
    return np.random.default_rng(seed)
