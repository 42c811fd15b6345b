"""Downcoding a published table: which attack fits its hierarchies, and what it yields."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import pandas as pd
from propcache.api import cached_property

from cra_engine.attacks.downcoding.refining import lacking_clusters, lacking_ladder, refined_clusters, refined_ladder
from cra_engine.attacks.downcoding.shapes import clusters_of, ladder_of
from cra_engine.choices import DowncodingAttack
from cra_engine.errors import ReleaseError, StudyError
from cra_engine.expected import expect
from cra_engine.results import Json, Result, plain
from cra_engine.study.boxes import Nodes, Space, boxes_of, classes_of, labelled
from cra_engine.study.study import Study
from cra_engine.words import how_many, rows_text


@dataclass(frozen=True, eq=False, repr=False)
class Downcoding(Result):
    """A release refined by downcoding, from the release and its hierarchies alone.

    It is right for certain data only, and nothing in the release says whether it is: an attack that is sure of itself
    by the theorems' assumptions, not by a proof for this table.

    Attributes:
        study: hierarchies and k.
        attack: ``"clusters"`` or ``"ladder"``, by the shape of the hierarchies.
        frame: the refined table, rows of a class in no order that means anything; other columns as published.
        published: the boxes of the release, per row.
        boxes: the refined boxes, per row.
        predicate_rows: the rows that hold a predicate.
        lacking: what clusters, or a ladder's classes, lack to be refined, with how many of them lack it.
    """

    COME_BY: ClassVar = "downcode first: downcode(release, study)"

    study: Study
    attack: DowncodingAttack
    frame: pd.DataFrame
    published: Nodes
    boxes: Nodes
    predicate_rows: tuple[int, ...]
    lacking: Mapping[str, int] = field(default_factory=dict)

    def summary(self) -> dict[str, object]:
        """The attack, how many records it refines in how many attributes, and how many predicates come out."""
        refined = {"refined": self.refined, "records": len(self.boxes), "delta_d": self.delta_d}
        return {"attack": self.attack, **refined, "predicates": len(self.predicate_rows)}

    def to_frame(self) -> pd.DataFrame:
        """A row per predicate: the labels that a record must lie in."""
        names = list(self.study.names)
        return self.frame[names].iloc[list(self.predicate_rows)].reset_index(drop=True)

    def to_dict(self) -> Json:
        """As plain data; what its predicates amount to, :func:`cra_engine.compound_predicates` says."""
        told = {"attack": self.attack, "refined": self.refined, "delta_d": self.delta_d}
        return plain({**told, "why_not": self.why_not or None})

    @cached_property
    def space(self) -> Space:
        """The boxes of the study."""
        return Space.of_study(self.study)

    @cached_property
    def refined(self) -> int:
        """Returns how many rows are refined (the paper's Delta_N)."""
        return int((self.boxes != self.published).any(axis=1).sum())

    @cached_property
    def delta_d(self) -> int:
        """The fewest attributes in which a refined row is refined (Delta_D); 0 where none is."""
        changed = (self.boxes != self.published).sum(axis=1)
        return int(changed[changed > 0].min(initial=len(self.study.attributes))) if self.refined else 0

    @property
    def why_not(self) -> str:
        """Returns why nothing is refined, in a sentence; empty where something is."""
        if self.predicate_rows:
            return ""
        named = [
            f"{how_many(number, 'cluster is', 'clusters are')} {what}"
            if self.attack == "clusters"
            else f"{how_many(number, 'class shows', 'classes show')} {what}"
            for what, number in self.lacking.items()
        ]
        return f"Nothing is refined: {'; '.join(named)}."

    @property
    def predicates(self) -> list[list[str]]:
        """Per predicate the labels that a record must lie in, in the study's order of attributes."""
        return self.space.labels(self.boxes[list(self.predicate_rows)])


def downcode(release: pd.DataFrame, study: Study) -> Downcoding:
    """Downcode a release: refine it by what its being minimal tells (Cohen 2022, Algorithms 1 and 2).

    Args:
        release: the published table.
        study: hierarchies and k that the publisher states. The hierarchies must have one of two shapes, the same for
            all: the root over clusters of two leaves each, the near one first; or a ladder, where every inner node is
            the chain below it and one leaf more.

    Raises:
        StudyError: hierarchies of neither shape; k below 2.
        ReleaseError: a label is no node of its hierarchy; a class that is not suppressed has fewer than k rows.

    >>> from cra_engine import Attribute
    >>> steps = [("0", "0", "0-1", "*"), ("1", "1", "0-1", "*"), ("2", "2", "2", "*")]
    >>> study = Study([Attribute.from_hierarchy(name, steps) for name in "ab"], k=2)
    >>> found = downcode(pd.DataFrame([("*", "0-1")] * 2, columns=["a", "b"]), study)
    >>> found
    Downcoding(attack=ladder, refined=2, records=2, delta_d=2, predicates=2)
    >>> found.predicates
    [['0-1', '1'], ['2', '0']]
    """
    expect(release, pd.DataFrame, "downcode(release)")
    expect(study, Study, "downcode(study)")
    study.refuse_small_k()
    space = Space.of_study(study)
    boxes = boxes_of(release, study, space)
    if len(release) < study.k:
        raise ReleaseError(
            f"The release has {how_many(len(release), 'record')}, fewer than k = {study.k}; take the k that it was "
            "published with."
        )
    for rows in classes_of(boxes):
        if len(rows) < study.k and (boxes[rows[0]] != space.root).any():
            raise ReleaseError(
                f"The class of {rows_text(rows[:1] + 1)} has {how_many(len(rows), 'record')}, fewer than "
                f"k = {study.k}; this is not a release with that k, or not of this study."
            )
    attack: DowncodingAttack
    if (clusters := clusters_of(space)) is not None:
        attack, (refined, rows_with) = "clusters", refined_clusters(clusters, boxes, study.k)
        lacking = lacking_clusters(clusters, boxes, study.k)
    elif (ladder := ladder_of(space)) is not None:
        attack, (refined, rows_with) = "ladder", refined_ladder(ladder, boxes)
        lacking = lacking_ladder(ladder, boxes)
    else:
        raise StudyError(
            "Downcoding is proven for hierarchies of two shapes, the same for all attributes: a root over clusters of "
            "two leaves each, or a ladder whose every node is the one below and one value more; these have neither."
        )
    frame = labelled(release, study, space, refined)
    return Downcoding(study, attack, frame, boxes, refined, tuple(rows_with), lacking)
