"""Can a release be downcoded, whatever its hierarchies? What some record of a class must be finer than.

A refinement holds in every possible table exactly where some child of a class's box, in one attribute, must hold at
least one of the class's records (docs/downcoding.md). Which children must depends on what is supposed of the publisher.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.refinement.attack import attack
from cra_engine.attacks.refinement.half_range import half_range
from cra_engine.choices import Publisher
from cra_engine.errors import ReleaseError
from cra_engine.expected import expect
from cra_engine.release import Release
from cra_engine.results import Json, Result, plain
from cra_engine.study.boxes import Nodes, Space, boxes_of, classes_of, labelled
from cra_engine.study.study import Study
from cra_engine.words import how_many, rows_text

Least = dict[int, dict[int, int]]
"""Per attribute, and child of the class's node there, how many of its records are in it at least."""


@dataclass(frozen=True)
class ForcedChild:
    """A child of a class's box that must hold some of its records, by which downcoding refines.

    Attributes:
        rows: the class's rows in the release.
        attribute: the attribute that is narrowed.
        label: the child.
        least: records of the class that have it, at least.
    """

    rows: tuple[int, ...]
    attribute: str
    label: str
    least: int


@dataclass(frozen=True, eq=False, repr=False)
class ForcedRefinement(Result):
    """What downcoding refines a release to for certain; it succeeds exactly where something is refined.

    Attributes:
        study: hierarchies and k.
        supposing: what is supposed of the publisher.
        frame: the refined table; which row of a class is the finer one means nothing.
        published: the boxes of the release, per row.
        boxes: the refined boxes, per row.
        forced: every child that must hold records.
    """

    study: Study
    supposing: Publisher
    frame: pd.DataFrame
    published: Nodes
    boxes: Nodes
    forced: tuple[ForcedChild, ...]

    def summary(self) -> dict[str, object]:
        """What is supposed, and how many records are refined."""
        return {"supposing": self.supposing, "refined": self.refined, "records": len(self.boxes)}

    def to_frame(self) -> pd.DataFrame:
        """A row per child that must hold records."""
        return pd.DataFrame([asdict(one) for one in self.forced], columns=["rows", "attribute", "label", "least"])

    def to_dict(self) -> Json:
        """As plain data."""
        told = {"supposing": self.supposing, "refined": self.refined, "records": len(self.boxes)}
        return plain({**told, "forced": [asdict(one) for one in self.forced]})

    @cached_property
    def refined(self) -> int:
        """How many rows are refined (the paper's Delta_N)."""
        return int((self.boxes != self.published).any(axis=1).sum())


def forced_refinement(release: pd.DataFrame, study: Study, *, supposing: Publisher) -> ForcedRefinement:
    """Downcode a release for certain: refine it by what holds in every table that can have given it.

    Args:
        release: the published table.
        study: hierarchies, k and how ARX was run.
        supposing: ``"minimal"``: no strict refinement is k-anonymous (Definition 3.3), and nothing else; ``"arx"``: it
            is ARX's local recoding. Each class is read by itself, and records may be alike.

    Raises:
        ReleaseError: the table is no release of this study, or no minimal one.
        StudyError: k below 2.
        CRAError: as an attack on the release.

    >>> from cra_engine import Attribute
    >>> study = Study([Attribute("age", 0, 80, layers=3)], k=2)
    >>> found = forced_refinement(pd.DataFrame({"age": ["[0, 40["] * 3}), study, supposing="minimal")
    >>> found
    ForcedRefinement(supposing=minimal, refined=2, records=3)
    >>> found.frame["age"].tolist()
    ['[0, 20[', '[20, 40[', '[0, 40[']
    """
    expect(release, pd.DataFrame, "forced_refinement(release)")
    expect(study, Study, "forced_refinement(study)")
    study.refuse_small_k()
    space = Space.of_study(study)
    boxes = boxes_of(release, study, space)
    least_of = _by_minimality(space, study.k) if supposing == "minimal" else _by_arx(release, study, space)
    refined, forced = boxes.copy(), []
    for rows in classes_of(boxes):
        least = least_of(boxes[rows[0]], rows)
        for place, children in least.items():
            named = space.tree(place).labels
            forced += [
                ForcedChild(tuple(rows.tolist()), study.names[place], named[child], number)
                for child, number in children.items()
                if number
            ]
        # Children of one attribute are disjoint, so what each must hold can be written into rows of its own.
        best = max(least, key=lambda place: sum(least[place].values()), default=None)
        if best is not None:
            finer = np.repeat(list(least[best]), list(least[best].values()))
            refined[rows[: len(finer)], best] = finer
    return ForcedRefinement(study, supposing, labelled(release, study, space, refined), boxes, refined, tuple(forced))


def _by_minimality(space: Space, k: int) -> Callable[[Nodes, NDArray[np.int64]], Least]:
    """What single refinements that a minimal release has not leave open.

    Were all n records of a class in one child, all could have been published there; and of 2k records or more k in one
    child, the others as before. So each child holds n - 1 at most, or k - 1.
    """

    def least(box: Nodes, rows: NDArray[np.int64]) -> Least:
        size = len(rows)
        found: Least = {}
        for place, node in enumerate(box):
            children = space.tree(place).children(int(node))
            most = k - 1 if size >= 2 * k else size - 1
            if size < k or not children:
                continue
            if len(children) * most < size:
                raise ReleaseError(
                    f"The class of {rows_text(rows[:1] + 1)} has {how_many(size, 'record')}, so many that some "
                    f"would have been published finer; this is no minimal release with k = {k}."
                )
            found[place] = dict.fromkeys(children, max(0, size - (len(children) - 1) * most))
        return found

    return least


def _by_arx(release: pd.DataFrame, study: Study, space: Space) -> Callable[[Nodes, NDArray[np.int64]], Least]:
    """What the attack on each class by itself says of its halves."""
    found = attack(Release(study, release), prior="assignments")
    known: dict[tuple[int, ...], Least] = {}
    for part in (*found.classes, *(() if found.suppressed is None else (found.suppressed,))):
        least: Least = {}
        for bounded in part.bounded_attributes:
            runs = space.tree(bounded.attribute)
            number = {run: node for node, run in enumerate(zip(runs.start.tolist(), runs.stop.tolist(), strict=True))}
            nodes = [_run(study, half.state, half.ranks, bounded.attribute) for half in bounded.children]
            ranges = [half_range(part, half) for half in bounded.children]
            least[bounded.attribute] = {number[run]: low for run, (low, _) in zip(nodes, ranges, strict=True)}
        box = [_run(study, part.segment.state, part.segment.ranks, place) for place in range(space.width)]
        known[tuple(int(end) for run in box for end in run)] = least

    def least_of(box: Nodes, _: NDArray[np.int64]) -> Least:
        ends = zip(space.start(box).tolist(), space.stop(box).tolist(), strict=True)
        return known.get(tuple(end for run in ends for end in run), {})

    return least_of


def _run(study: Study, state: tuple[int, ...], ranks: tuple[int, ...], place: int) -> tuple[int, int]:
    node = study.attributes[place].node(state[place], ranks[place])
    return node.start, node.stop
