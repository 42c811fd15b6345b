"""The Combinatorial Refinement Attack on a release (paper, section 4, Algorithms 3 and 4).

The attack reads a Release and nothing else.
"""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import DISTINCT, Prior, PriorName, prior_of
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.refinement.formation import certain_order
from cra_engine.errors import CRAError
from cra_engine.release import RAW, Release, touched
from cra_engine.study.grid import Cell
from cra_engine.study.population import Population

Ties = Literal["sound", "paper"]
UNDECIDED = -2
OUTLIER = -1


class Attack:
    """The attack on every class of a release.

    Attributes:
        release: what the attacker holds.
        ties: ``"sound"`` or ``"paper"``; see :func:`attack`.
        prior: how tables weigh.
        formation: the lattice with no more of the order in which states had their turns than is certain.
        classes: one attack per class, in the attacker's order.
        outliers: the attack on the suppressed records (Algorithm 4), None where there are none.
        raw: the classes of raw values (ARX's minimum level 0). They are in no list of classes and in no count, but
            what is said of a cell counts their records in.
        owner: per cell of the grid the index of the class that owns its records, -1 for the outliers, -2 where classes
            that tie exactly leave it open.
    """

    def __init__(self, release: Release, ties: Ties = "sound", prior: Prior = DISTINCT) -> None:
        """Run by :func:`attack`."""
        self.prior = prior
        self.release = release
        self.ties = ties
        self.formation = certain_order(release)
        grid = release.grid
        nodes = [grid.nodes(released.segment) for released in release.classes]
        starts = np.array([[node.start for node in row] for row in nodes])
        stops = np.array([[node.stop for node in row] for row in nodes])
        claims = np.zeros(grid.shape, dtype=np.int64)
        self.owner: NDArray[np.int64] = np.full(grid.shape, OUTLIER, dtype=np.int64)
        attacks = []
        for index, released in enumerate(release.classes):
            stolen = tuple(
                (int(rival), release.classes[rival].segment)
                for rival in np.flatnonzero(_overlaps(starts, stops, index))
                if self._before(int(rival), index)
            )
            free = np.ones(stops[index] - starts[index], dtype=bool)
            for rival, _ in stolen:
                first, last = np.maximum(starts[rival], starts[index]), np.minimum(stops[rival], stops[index])
                free[tuple(map(slice, first - starts[index], last - starts[index]))] = False
            place = grid.slices(released.segment)
            claims[place] += free
            self.owner[place][free] = index
            attacks.append(ClassAttack(release, index, released.segment, released.size, free, stolen, prior))
        covered = self.owner != OUTLIER
        self.owner[claims > 1] = UNDECIDED
        self.classes: tuple[ClassAttack, ...] = tuple(attacks)
        self.raw = _raw_parts(release, prior)
        self.outliers: ClassAttack | None = None
        if release.outliers:
            everybody = tuple((i, c.segment) for i, c in enumerate(release.classes))
            self.outliers = ClassAttack(release, None, grid.whole, release.outliers, ~covered, everybody, prior)

    def _before(self, one: int, other: int) -> bool:
        """True when class ``one`` is taken to have been formed before class ``other``."""
        if self.ties == "paper":
            return one < other
        classes = self.release.classes
        return self.formation.before(classes[one].segment.state, classes[other].segment.state)

    def undecided(self, one: int, other: int) -> bool:
        """True when nobody outside knows which of two classes of different states was formed first."""
        different = self.release.classes[one].segment.state != self.release.classes[other].segment.state
        return different and not self._before(one, other) and not self._before(other, one)

    @property
    def parts(self) -> tuple[ClassAttack, ...]:
        """The classes and, last, the outliers where there are any."""
        return self.classes if self.outliers is None else (*self.classes, self.outliers)

    @property
    def isolated(self) -> list[Cell]:
        """The cells that hold exactly one person for certain, each class for itself, records alike or not.

        All classes together may make more cells certain; see :func:`cra_engine.tight_attack`.

        Raises:
            CRAError: a class is too large to count, or no data set explains it.
        """
        parts = (*self.parts, *self.raw)
        certain = [part.certain_counts for part in parts]
        candidates = {cell for counts in certain for cell, count in counts.items() if count == 1}
        found = []
        for cell in sorted(candidates):
            # Where a tie leaves a cell open, every class that may fill it has a say.
            held = [counts.get(cell) for part, counts in zip(parts, certain, strict=True) if part.may_fill(cell)]
            known = [count for count in held if count is not None]
            if len(known) == len(held) and sum(known) == 1:
                found.append(cell)
        return found

    @property
    def mean_ratio(self) -> float:
        """Mean of the classes' ratios, basic ones (ratio 1) included, outliers not.

        NaN without classes, or where one is too large to count.
        """
        return _mean_ratio(self.classes)

    @property
    def mean_ratio_compound(self) -> float:
        """Mean of the compound classes' ratios; NaN without any, or where one is too large to count."""
        return _mean_ratio([c for c in self.classes if not c.basic])

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what does not fit or weakens the attack: classes that no data set explains, raw values."""
        return self.release.warnings + tuple(
            part.problem for part in self.parts if part.problem is not None and not part.basic
        )


def _raw_parts(release: Release, prior: Prior) -> tuple[ClassAttack, ...]:
    """The classes of raw values: a finer box with k records would have been published before them, as elsewhere."""
    parts = []
    for released in release.raw_classes:
        segment = touched(released.segment)
        nodes = release.grid.nodes(segment)
        raw = [node.values for node, layer in zip(nodes, released.segment.state, strict=True) if layer == 0]
        free = np.ones([node.stop - node.start for node in nodes], dtype=bool)
        parts.append(ClassAttack(release, RAW, segment, released.size, free, (), prior, math.prod(raw)))
    return tuple(parts)


def _mean_ratio(parts: Sequence[ClassAttack]) -> float:
    known = all(part.basic or part.counted for part in parts)
    return _mean([part.ratio for part in parts]) if known else math.nan


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _overlaps(starts: NDArray[np.int64], stops: NDArray[np.int64], index: int) -> NDArray[np.bool_]:
    """Which boxes, given by their first leaves and one past their last, share a cell with box ``index``."""
    shared = (starts < stops[index]) & (starts[index] < stops)
    return np.asarray(shared.all(axis=1))


def attack(
    release: Release,
    *,
    ties: Ties = "sound",
    prior: PriorName = "distinct",
    population: Population | None = None,
) -> Attack:
    """Attack a release with nothing but the release (paper, Algorithms 3 and 4).

    Args:
        release: the published table with its study.
        ties: who owns the cells that two classes share whose states tie in their loss. ``"sound"`` leaves it open,
            since nobody outside knows how the publisher broke the tie; ``"paper"`` lets the smaller c1, c2 and state go
            first, which now and then excludes the truth.
        prior: which tables count, and how. ``"distinct"`` (the paper's): those of different records, all alike.
            ``"independent"``: records may repeat, each takes every combination of values alike; ordered tables count.
        population: shares per attribute to draw records from, in place of either.

    Raises:
        CRAError: ``ties`` or ``prior`` is none of these.
        TooLargeError: the grid or the lattice is larger than the engine admits.
    """
    if ties not in ("sound", "paper"):
        raise CRAError(f"ties is {ties!r}; take 'sound' or 'paper'.")
    return Attack(release, ties, prior_of(prior, population))
