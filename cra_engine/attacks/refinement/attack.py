"""The Combinatorial Refinement Attack on a release (paper, section 4, Algorithms 3 and 4).

The attack reads a Release and nothing else.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args
from weakref import WeakValueDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior, prior_of
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.refinement.formation import (
    MAY_BE_GLOBAL,
    certain_order,
    coding_model,
    may_be_global,
    order_unknown,
    surely_taken,
)
from cra_engine.attacks.refinement.models import ShownModels
from cra_engine.attacks.refinement.ratios import as_float, log10_of_ratio, mean_ratio
from cra_engine.attacks.refinement.region_trees import region_trees
from cra_engine.attacks.refinement.safe_class import SafeClassAttack
from cra_engine.choices import AttackTies
from cra_engine.choices import Prior as PriorName
from cra_engine.expected import expect, expect_choice
from cra_engine.patience import checkpoint, tell
from cra_engine.release import Owner, Release, hidden, touched_segment
from cra_engine.results import Json, Result, plain
from cra_engine.study.coding_model import CodingModel
from cra_engine.study.grid import Cell, Segment
from cra_engine.study.lattice import Lattice
from cra_engine.study.population import Population
from cra_engine.words import how_many, listed


@dataclass(frozen=True)
class Tables:
    """The numbers of tables of exact values before and after the attack on each class, on a logarithmic scale.

    Classes that no table of distinct records explains are in neither number.

    Attributes:
        log10_promised: going by the published intervals alone.
        log10_left: after the attack on each class by itself.
        bounded: True where a class is too large to count: ``log10_left`` is then an upper bound.
    """

    log10_promised: float
    log10_left: float
    bounded: bool = False


MOST_NAMED = 3
WHOLE = ("combinations", "combinations_least", "combinations_most")


@dataclass(frozen=True, eq=False, repr=False)
class Attack(Result):
    """The paper's attack on every class of a release, each by itself.

    Attributes:
        release: what the attacker holds.
        ties: ``"sound"`` or ``"paper"``; see :func:`attack`.
        prior: how tables weigh.
        coding: what bounds classes where ARX weighed suppression; None where its g/s factor is 0.
        models: the privacy models besides k, on the values that the release shows; None where there are none.
        formation: the lattice with no more of the order in which states had their turns than is certain.
        classes: one attack per class, in the attacker's order.
        suppressed: the attack on the suppressed records (Algorithm 4), None where there are none.
        raw: the classes of raw values (ARX's minimum level 0). They are in no list of classes and in no count, but
            what is said of a cell counts their records in.
        owner: per cell of the grid the index of the class that owns its records, ``Owner.SUPPRESSED``, or
            ``Owner.UNDECIDED`` where classes that tie exactly leave it open.
    """

    COME_BY: ClassVar = "attack first: attack(release)"

    release: Release
    ties: AttackTies
    prior: Prior
    coding: CodingModel | None
    models: ShownModels | None
    formation: Lattice
    classes: tuple[ClassAttack, ...]
    suppressed: ClassAttack | None
    raw: tuple[ClassAttack, ...]
    owner: NDArray[np.int64]

    def summary(self) -> dict[str, object]:
        """How many classes, how many suppressed records, and the mean ratio."""
        return {
            "classes": len(self.classes),
            "suppressed": self.release.suppressed,
            "mean_ratio": self._told_mean(),
        }

    def to_dict(self) -> Json:
        """Returns plain data, as ``attack --json`` prints it; a ratio that no float holds, or that is none, is null."""
        return plain(
            {
                "records": self.release.records,
                "k": self.release.k,
                "ties": self.ties,
                "prior": self.prior.name,
                "attributes": self.release.study.names,
                "classes": [part.to_dict() for part in self.classes],
                "suppressed": None if self.suppressed is None else self.suppressed.to_dict(),
                "mean_ratio": self.mean_ratio,
                "mean_ratio_compound": self.mean_ratio_compound,
                "warnings": self.warnings,
            }
        )

    def _told_mean(self) -> str:
        """The mean ratio in a few digits, or that it is at least so much where a class is too large to count."""
        known = mean_ratio([part.exact_ratio for part in self.classes])
        least = known or mean_ratio([part.ratio_bounds[0] for part in self.classes])
        if least is None:
            return "unknown"
        short = f"{as_float(least):.6g}" if math.isfinite(as_float(least)) else f"10^{log10_of_ratio(least):.6g}"
        return short if known else f"at least {short}"

    def to_frame(self) -> pd.DataFrame:
        """A row per class, the suppressed records last: box, size, free cells, combinations, ratio and its logarithm.

        Where a class is too large to count these are missing, and what they are at least and at most stands in columns
        of its own. ``status`` tells: ``"exact"``, ``"bounds"``, ``"alike"`` where records must be alike so that no
        table of different ones is left, ``"impossible"`` where no data fit. Whole numbers are Python ints.
        """
        rows = [self._row(part) for part in self.parts]
        columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
        return pd.DataFrame(
            {name: pd.Series(result, dtype=object if name in WHOLE else None) for name, result in columns.items()}
        )

    def _row(self, part: ClassAttack) -> dict[str, str | int | float | None]:
        fewest, most = part.combinations_bounds
        lowest, highest = part.ratio_bounds
        return {
            "class": part.title.lower(),
            "box": self.release.grid.describe(part.segment),
            "size": part.size,
            "free_cells": len(part.free_cells),
            "combinations": fewest if fewest == most else None,
            "combinations_least": fewest,
            "combinations_most": most,
            "ratio": part.ratio,
            "log10_ratio": part.log10_ratio,
            "log10_ratio_least": log10_of_ratio(lowest),
            "log10_ratio_most": log10_of_ratio(highest),
            "status": _status(part),
        }

    def _before(self, one: int, other: int) -> bool:
        """True when class ``one`` is taken to have been formed before class ``other``."""
        return _formed_before(self.release, self.formation, self.ties, one, other)

    def undecided(self, one: int, other: int) -> bool:
        """True when nobody outside knows which of two classes of different states was formed first."""
        different = self.release.classes[one].segment.state != self.release.classes[other].segment.state
        return different and not self._before(one, other) and not self._before(other, one)

    @property
    def parts(self) -> tuple[ClassAttack, ...]:
        """The classes and, last, the suppressed records where there are any."""
        return self.classes if self.suppressed is None else (*self.classes, self.suppressed)

    @property
    def isolated(self) -> list[Cell]:
        """The cells that hold exactly one person for certain, each class for itself, records alike or not.

        A cell is a tuple of leaf numbers from 0; ``release.grid.describe(cell)`` says it in words.

        All classes together may make more cells certain; see :func:`cra_engine.tight_attack`.

        Raises:
            CRAError: a class is too large to count, or no data set explains it.
        """
        parts = (*self.parts, *self.raw)
        certain = [part.certain_counts for part in parts]
        candidates = {cell for counts in certain for cell, count in counts.items() if count == 1}
        cells = []
        for cell in sorted(candidates):
            # Where a tie leaves a cell open, every class that may fill it has a say.
            held = [counts.get(cell) for part, counts in zip(parts, certain, strict=True) if part.may_fill(cell)]
            known = [count for count in held if count is not None]
            if len(known) == len(held) and sum(known) == 1:
                cells.append(cell)
        return cells

    @property
    def mean_ratio(self) -> float:
        """Mean of the classes' ratios, basic ones (ratio 1) included, suppressed records not; NaN without classes."""
        return as_float(mean_ratio([c.exact_ratio for c in self.classes]))

    @property
    def mean_ratio_compound(self) -> float:
        """Mean of the compound classes' ratios; NaN without any."""
        return as_float(mean_ratio([c.exact_ratio for c in self.classes if not c.basic]))

    def tables(self) -> Tables:
        """The tables that all classes and the suppressed allow, each class by itself: the products of their numbers."""
        promised = left = 0.0
        bounded = False
        tell("counting tables")
        for part in self.parts:
            checkpoint()
            bounded |= not part.basic and not part.counted
            if part.basic or part.cra_bounds[1]:
                own = max(part.log10_lr, 0.0)  # nothing counts where records of a single cell must coincide
                promised += own
                left += own if part.basic else math.log10(part.cra_bounds[1])
        return Tables(promised, left, bounded)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what does not fit or weakens the attack, such as classes that no data set explains."""
        return (
            *self.release.warnings,
            *_problems(self.parts),
            *self._uncounted(),
            *([self.order_unknown] if self.order_unknown else []),
            *([MAY_BE_GLOBAL] if self.may_be_global else []),
        )

    def _uncounted(self) -> list[str]:
        """A sentence on the classes that are too large to count, where there are some."""
        large = [part.title for part in self.parts if _status(part) == "bounds"]
        if not large:
            return []
        named = large if len(large) <= MOST_NAMED else [*large[:MOST_NAMED], f"{len(large) - MOST_NAMED} more"]
        are = "is" if len(large) == 1 else "are"
        return [
            f"Too large to count exactly {are} {listed(named)}; of such a class limits are given in place of numbers."
        ]

    @property
    def order_unknown(self) -> str:
        """Why the order in which classes formed is known in part only, and what follows; empty where it is known."""
        return order_unknown(self.release, self.formation, self.models)

    @property
    def may_be_global(self) -> bool:
        """True when one state fits the labels of all classes, as where one was chosen for the whole table."""
        return may_be_global(self.release)


def _status(part: ClassAttack) -> str:
    """How sure the numbers of a class are; see :meth:`Attack.to_frame`."""
    if part.basic:
        return "exact"
    if part.contradiction:
        return "alike" if part.coincident else "impossible"
    return "exact" if part.counted and (part.listed or part.by_value is not None) else "bounds"


def _problems(parts: Sequence[ClassAttack]) -> Iterator[str]:
    """Yields sentences on parts that no data set explains; one for all of which the same is wrong."""
    titles: dict[str, list[str]] = {}
    for part in parts:
        if not part.basic and (problem := part.problem) is not None:
            titles.setdefault(problem.removeprefix(f"{part.title}: "), []).append(part.title)
    for said, (first, *others) in titles.items():
        yield f"{first} and {how_many(len(others), 'other')}, each: {said}" if others else f"{first}: {said}"


def _formed_before(release: Release, formation: Lattice, ties: AttackTies, one: int, other: int) -> bool:
    """True when class ``one`` is taken to have been formed before class ``other``."""
    if release.study.safe:
        rungs = release.regions.rungs
        return rungs[one] < rungs[other]
    first, then = release.classes[one], release.classes[other]
    if not surely_taken(release, first, then):
        return False
    return one < other if ties == "paper" else formation.before(first.segment.state, then.segment.state)


def attack_classes(release: Release, ties: AttackTies, prior: Prior) -> Attack:
    """Attack every class by itself; see :func:`attack`. What is counted for one caller is there for the next."""
    key = id(release), ties, prior
    known = _known.get(key)
    if known is None:
        known = _known[key] = _attack_classes(release, ties, prior)
    return known


# While an attack is kept it keeps its release, so that no other has the same id.
_known: WeakValueDictionary[tuple[int, AttackTies, Prior], Attack] = WeakValueDictionary()


def _attack_classes(release: Release, ties: AttackTies, prior: Prior) -> Attack:
    release.grid.check_whole()
    models = ShownModels.of(release)
    formation, coding, grid = certain_order(release, models), coding_model(release), release.grid
    trees = region_trees(release, prior) if release.study.safe else None

    def attacked(
        index: int | None,
        segment: Segment,
        size: int,
        free: NDArray[np.bool_],
        earlier: tuple[tuple[int, Segment], ...],
    ) -> ClassAttack:
        """One class, attacked by what its way of publishing tells."""
        if trees is None:
            return ClassAttack(release, index, segment, size, free, earlier, prior, 1, coding, models)
        return SafeClassAttack(trees, release, index, segment, size, free, earlier, prior)

    nodes = [grid.nodes(released.segment) for released in release.classes]
    starts = np.array([[node.start for node in row] for row in nodes])
    stops = np.array([[node.stop for node in row] for row in nodes])
    claims = np.zeros(grid.shape, dtype=np.int64)
    owner: NDArray[np.int64] = np.full(grid.shape, Owner.SUPPRESSED, dtype=np.int64)
    classes: list[ClassAttack] = []
    for index, released in enumerate(release.classes):
        tell("classes attacked", index, len(release.classes))
        # Nothing that lies over a cell is finer than it, so a class on a single cell was the first there.
        rivals = () if released.segment.basic else np.flatnonzero(_overlaps(starts, stops, index)).tolist()
        first_there = [rival for rival in rivals if _formed_before(release, formation, ties, rival, index)]
        free = np.ones(stops[index] - starts[index], dtype=bool)
        for rival in first_there:
            first, last = np.maximum(starts[rival], starts[index]), np.minimum(stops[rival], stops[index])
            free[tuple(map(slice, first - starts[index], last - starts[index]))] = False
        place = grid.slices(released.segment)
        claims[place] += free
        owner[place][free] = index
        earlier = tuple((rival, release.classes[rival].segment) for rival in first_there)
        classes.append(attacked(index, released.segment, released.size, free, earlier))
    covered = owner != Owner.SUPPRESSED
    first_of_all = tuple((i, c.segment) for i, c in enumerate(release.classes) if surely_taken(release, c, None))
    if release.suppressed:
        taken = np.zeros(grid.shape, dtype=bool)
        for _, segment in first_of_all:
            taken[grid.slices(segment)] = True
        claims += covered & ~taken
        covered = taken
    owner[claims > 1] = Owner.UNDECIDED
    suppressed = None
    if release.suppressed:
        suppressed = attacked(None, grid.whole, release.suppressed, ~covered, first_of_all)
    raw = _raw_parts(release, prior, coding, models)
    return Attack(release, ties, prior, coding, models, formation, tuple(classes), suppressed, raw, owner)


def _raw_parts(
    release: Release, prior: Prior, coding: CodingModel | None, models: ShownModels | None
) -> tuple[ClassAttack, ...]:
    """The classes of raw values: a finer box with k records would have been published before them, as elsewhere."""
    parts = []
    for released in release.raw_classes:
        segment = touched_segment(released.segment)
        nodes = release.grid.nodes(segment)
        free = np.ones([node.stop - node.start for node in nodes], dtype=bool)
        parts.append(
            ClassAttack(
                release, Owner.RAW, segment, released.size, free, (), prior, hidden(release, released), coding, models
            )
        )
    return tuple(parts)


def _overlaps(starts: NDArray[np.int64], stops: NDArray[np.int64], index: int) -> NDArray[np.bool_]:
    """Which boxes, given by their first leaves and one past their last, share a cell with box ``index``."""
    shared = (starts < stops[index]) & (starts[index] < stops)
    return np.asarray(shared.all(axis=1))


def attack(
    release: Release,
    *,
    ties: AttackTies = "sound",
    prior: PriorName = "distinct",
    population: Population | None = None,
) -> Attack:
    """Attack each class of a release with nothing but the release (paper, Algorithms 3 and 4).

    Args:
        release: the published table with its study.
        ties: who owns the cells that two classes share whose states tie in their loss. ``"sound"`` leaves it open,
            since nobody outside knows how the publisher broke the tie; ``"paper"`` lets the smaller c1, c2 and state go
            first, which now and then excludes the truth.
        prior: which tables count, and how. ``"distinct"`` (the paper's): those of different records, all alike.
            ``"independent"``: records may repeat, each takes every combination of values alike; ordered tables count.
            ``"assignments"``: records may repeat, and nobody knows how common a cell is; every way to spread
            the records over the cells counts alike, however many values a cell holds.
        population: shares per attribute to draw records from, in place of either.

    Raises:
        CRAError: ``ties`` or ``prior`` is none of these.
        TooLargeError: the grid or the lattice is larger than the engine admits.

    >>> import pandas as pd
    >>> from cra_engine import Attribute, Study, recode
    >>> study = Study([Attribute("weight", 0, 400, layers=3), Attribute("pressure", 0, 400, layers=3)], k=3)
    >>> people = [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155)]
    >>> data = pd.DataFrame(people, columns=["weight", "pressure"])
    >>> result = attack(recode(data, study).release)
    >>> result
    Attack(classes=2, suppressed=0, mean_ratio=1.3333)
    >>> [(found.lr_solutions, found.cra_solutions) for found in result.classes]
    [(10665866680000, 7999600000000), (10665866680000, 7999600000000)]
    """
    expect(release, Release, "attack(release)")
    expect_choice(ties, get_args(AttackTies), "ties")
    return attack_classes(release, ties, prior_of(prior, population))
