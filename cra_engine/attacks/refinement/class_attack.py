"""The attack on one class of a release, or on its outliers, counted exactly (paper, section 4)."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.refinement.constraints import Constraint, describe_constraints
from cra_engine.counting.enumeration import Enumeration, enumerate_assignments
from cra_engine.counting.sums import OrthantSum, multisets, placed_in_cell, placements, repetitions, spread
from cra_engine.errors import CRAError
from cra_engine.release import Release
from cra_engine.study.grid import Cell, Segment


@dataclass(frozen=True)
class Generalized:
    """An attribute that a class generalizes beyond its leaves, with the children that bound it.

    Attributes:
        attribute: the attribute's position.
        children: the half-segments: the class's segment with this attribute narrowed to one child.
    """

    attribute: int
    children: tuple[Segment, ...]


@dataclass(frozen=True)
class Orthant:
    """A part of a class's box that no bound cuts: one child per bounded attribute, the whole box where none is.

    Attributes:
        children: per bounded attribute (attribute position, place of the child among its parent's children).
        volume: value combinations in its free cells.
        cells: number of its free cells.
    """

    children: tuple[tuple[int, int], ...]
    volume: int
    cells: int


class ClassAttack:
    """What the release says about one equivalence class, or about the outliers.

    Attributes:
        index: the class's place in the attacker's order; None for the outliers.
        segment: its box; the whole grid for the outliers.
        size: number of its records.
        cap: most records that any child of its nodes can hold (k - 1 under the paper's profile).
        free_cells: the cells that no class formed earlier has taken, in row-major order. All others are 0.
        generalized: the attributes beyond their leaves with their half-segments.
        stolen: the earlier classes that overlap it, as (index, segment).
    """

    def __init__(
        self,
        release: Release,
        index: int | None,
        segment: Segment,
        size: int,
        free: NDArray[np.bool_],
        stolen: tuple[tuple[int, Segment], ...],
    ) -> None:
        """Built by :func:`attack`; ``free`` marks the free cells of the segment."""
        self.release = release
        self.index = index
        self.segment = segment
        self.size = size
        self.cap = release.study.child_cap(release.records)
        self.stolen = stolen
        self._free = free

    @property
    def basic(self) -> bool:
        """True for a class on a single cell."""
        return self.segment.basic

    @cached_property
    def free_cells(self) -> list[Cell]:
        """The cells that this class may fill."""
        starts = [node.start for node in self.release.grid.nodes(self.segment)]
        return [tuple(int(s + o) for s, o in zip(starts, offset, strict=True)) for offset in np.argwhere(self._free)]

    def may_fill(self, cell: Cell) -> bool:
        """True when a cell is among the free cells."""
        place = tuple(leaf - node.start for leaf, node in zip(cell, self.release.grid.nodes(self.segment), strict=True))
        inside = all(0 <= leaf < length for leaf, length in zip(place, self._free.shape, strict=True))
        return inside and bool(self._free[place])

    @cached_property
    def cell_volumes(self) -> list[int]:
        """Volume of each free cell, in the order of ``free_cells``."""
        return [int(volume) for volume in self.release.grid.cell_volumes(self.segment)[self._free]]

    @cached_property
    def generalized(self) -> tuple[Generalized, ...]:
        """The attributes that the class generalizes beyond their leaves."""
        result = []
        for i, attribute in enumerate(self.release.attributes):
            layer, rank = self.segment.state[i], self.segment.ranks[i]
            children = tuple(
                Segment(_swap(self.segment.state, i, child.layer), _swap(self.segment.ranks, i, child.rank))
                for child in attribute.children(layer, rank)
            )
            if children:
                result.append(Generalized(i, children))
        return tuple(result)

    @property
    def _splits(self) -> tuple[Generalized, ...]:
        """The attributes whose children are bounded: none where all records fit into one child."""
        return self.generalized if self.size > self.cap else ()

    @property
    def _fanouts(self) -> list[int]:
        return [len(part.children) for part in self._splits]

    @cached_property
    def _orthant_of_box(self) -> NDArray[np.int64]:
        orthant = np.zeros(self._free.shape, dtype=np.int64)
        for part in self._splits:
            attribute = self.release.attributes[part.attribute]
            node = attribute.node(self.segment.state[part.attribute], self.segment.ranks[part.attribute])
            child = attribute.ranks[node.layer - 2][node.start : node.stop]
            shape = [1] * orthant.ndim
            shape[part.attribute] = -1
            orthant = orthant * len(part.children) + (child - child[0]).reshape(shape)
        return orthant

    @cached_property
    def orthant_of_cell(self) -> list[int]:
        """The orthant of each free cell: one child per bounded attribute, in row-major order."""
        return [int(orthant) for orthant in self._orthant_of_box[self._free]]

    @property
    def _orthants(self) -> int:
        return math.prod(self._fanouts)

    @cached_property
    def _orthant_volumes(self) -> list[int]:
        volumes = [0] * self._orthants
        for orthant, volume in zip(self.orthant_of_cell, self.cell_volumes, strict=True):
            volumes[orthant] += volume
        return volumes

    @cached_property
    def orthants(self) -> tuple[Orthant, ...]:
        """What the counts are sums over: the box cut by every bound that applies, in row-major order of the children.

        With n records in orthant o, ``combinations`` is the sum of ``prod C(n + cells - 1, n)`` and ``cra_solutions``
        that of ``prod C(volume, n)``, over all ways to write ``size`` as a sum of the n with at most ``cap`` records in
        each child.
        """
        children = product(*([(part.attribute, place) for place in range(len(part.children))] for part in self._splits))
        return tuple(
            Orthant(*found) for found in zip(children, self._orthant_volumes, self._orthant_cells, strict=True)
        )

    def solutions_by_count(self, orthant: int) -> list[int]:
        """``cra_solutions`` parted by the number of records that an orthant holds: 0, 1, 2, .."""
        return self._placements.by_orthant[orthant]

    @cached_property
    def _placements(self) -> OrthantSum:
        return OrthantSum(self._fanouts, placements(self._orthant_volumes), self.size, self.cap)

    @cached_property
    def lr_solutions(self) -> int:
        """Data sets that the published interval seems to allow: ``C(volume, size)`` (section 4.1)."""
        return math.comb(self.release.grid.volume(self.segment), self.size)

    @cached_property
    def cra_solutions(self) -> int:
        """Data sets that the constraints leave (section 4.5), exactly."""
        return self._placements.total

    @cached_property
    def combinations(self) -> int:
        """Feasible assignments of counts to cells (the paper's Table 5), exactly."""
        return self._assignments.total

    @cached_property
    def _assignments(self) -> OrthantSum:
        return OrthantSum(self._fanouts, multisets(self._orthant_cells), self.size, self.cap)

    @cached_property
    def _orthant_cells(self) -> list[int]:
        cells = np.bincount(np.array(self.orthant_of_cell, dtype=np.int64), minlength=self._orthants)
        return [int(count) for count in cells]

    @cached_property
    def certain_counts(self) -> dict[Cell, int]:
        """The free cells that hold the same number of records in every feasible assignment, with that number.

        Assignments let records be alike, so this holds whether they are or not.

        Raises:
            CRAError: nothing is feasible.
        """
        if len(self.free_cells) == 1:
            return {self.free_cells[0]: self.size}
        certain = self._certain(self._worlds)
        # What volumes alone force says nothing about records that may be alike.
        if certain and any(0 < volume < min(self.size, self.cap) for volume in self._orthant_volumes):
            return self._certain(self._assignments)
        return certain

    def _certain(self, worlds: OrthantSum) -> dict[Cell, int]:
        held = [[n for n, part in enumerate(parts) if part] for parts in worlds.by_orthant]
        # One of several cells of an orthant is certain only where the orthant is empty.
        certain = [
            counts[0] if len(counts) == 1 and (counts[0] == 0 or cells == 1) else None
            for counts, cells in zip(held, self._orthant_cells, strict=True)
        ]
        found = zip(self.free_cells, (certain[orthant] for orthant in self.orthant_of_cell), strict=True)
        return {cell: count for cell, count in found if count is not None}

    @property
    def contradiction(self) -> bool:
        """True when no data set of distinct records satisfies the constraints; ``problem`` says why."""
        return self.cra_solutions == 0

    @cached_property
    def coincident(self) -> bool:
        """True when the constraints can be met only if some records are alike in every quasi-identifier.

        The paper supposes distinct records (section 2); then there is nothing to count. Probabilities and draws let
        values repeat here: each record takes each value of its cell independently.
        """
        return self.contradiction and self.combinations > 0

    @property
    def problem(self) -> str | None:
        """A sentence on why there is nothing to count, None where there is."""
        if not self.contradiction:
            return None
        if self.coincident:
            return (
                f"{self.title}: some of its records must be alike in every quasi-identifier, since its cells have "
                "too few values; the counts suppose distinct records, so there is nothing to count."
            )
        return (
            f"{self.title}: no data satisfy its constraints; "
            "check that k, the profile and the hierarchies are those of the release."
        )

    @property
    def ratio(self) -> float:
        """``lr_solutions / cra_solutions``; 1 on a single cell, infinite past 1e308, NaN where nothing is feasible."""
        if self.basic:
            return 1.0
        if self.contradiction:
            return math.nan
        try:
            return self.lr_solutions / self.cra_solutions
        except OverflowError:
            return math.inf

    @property
    def log10_ratio(self) -> float:
        """The ratio's decimal logarithm, finite for any size; NaN where nothing is feasible."""
        ratio = self.ratio
        if math.isnan(ratio):
            return ratio
        if math.isfinite(ratio):
            return math.log10(ratio)
        return math.log10(self.lr_solutions) - math.log10(self.cra_solutions)

    def feasible(self, counts: Sequence[int]) -> bool:
        """True when ``counts``, one per free cell, satisfies every constraint of this class."""
        if len(counts) != len(self.free_cells) or min(counts, default=0) < 0 or sum(counts) != self.size:
            return False
        held = [0] * self._orthants
        for orthant, count in zip(self.orthant_of_cell, counts, strict=True):
            held[orthant] += count
        per_child = np.array(held).reshape(self._fanouts)
        return all(
            int(per_child.sum(axis=tuple(other for other in range(per_child.ndim) if other != axis)).max()) <= self.cap
            for axis in range(per_child.ndim)
        )

    def cell_distributions(self) -> list[list[float]]:
        """Per free cell, the probability that it holds 0, 1, 2, .. records.

        Every raw data set that satisfies the class's constraints is taken as equally likely.

        Raises:
            CRAError: nothing is feasible.
        """
        return self._distributions

    def cell_probabilities(self, j: int) -> list[float]:
        """Per free cell, the probability that it holds exactly ``j`` records, in the order of ``free_cells``.

        Raises:
            CRAError: nothing is feasible.
        """
        return [row[j] if 0 <= j < len(row) else 0.0 for row in self._distributions]

    @cached_property
    def _distributions(self) -> list[list[float]]:
        worlds = self._worlds
        known: dict[tuple[int, int], list[float]] = {}
        shared = self._shared_alike if self.coincident else placed_in_cell
        for orthant, volume in set(zip(self.orthant_of_cell, self.cell_volumes, strict=True)):
            parts = [int(part) for part in worlds.by_orthant[orthant]]
            row = shared(parts, volume, self._orthant_volumes[orthant] - volume)
            known[orthant, volume] = [float(value / worlds.total) for value in row]
        return [known[key] for key in zip(self.orthant_of_cell, self.cell_volumes, strict=True)]

    @staticmethod
    def _shared_alike(parts: Sequence[int], volume: int, rest: int) -> list[Fraction]:
        """As :func:`placed_in_cell` where records may be alike: each is in it with its share of the volume."""
        row = [Fraction(0)] * len(parts)
        for n, part in enumerate(parts):
            if part:
                for j in range(n + 1):
                    ways = math.comb(n, j) * volume**j * rest ** (n - j)
                    row[j] += Fraction(part * ways, (volume + rest) ** n)
        return row

    @cached_property
    def _worlds(self) -> OrthantSum:
        """What probabilities and draws are taken from."""
        if not self.contradiction:
            return self._placements
        if not self.coincident:
            raise CRAError(str(self.problem))
        return OrthantSum(self._fanouts, repetitions(self._orthant_volumes, self.size), self.size, self.cap)

    @property
    def title(self) -> str:
        """How messages call it: ``Class 3`` or ``The outliers``."""
        return "The outliers" if self.index is None else f"Class {self.index}"

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Records per free cell (draws x free cells) of data sets drawn uniformly among all feasible ones.

        Raises:
            CRAError: nothing is feasible.
        """
        held = self._worlds.sample(rng, count)
        return spread(held, self.orthant_of_cell, self.cell_volumes, rng, distinct=not self.coincident)

    def sample(self, count: int, seed: int) -> list[tuple[int, ...]]:
        """Draw assignments: records per free cell of data sets drawn uniformly among all feasible ones.

        Raises:
            CRAError: nothing is feasible.
        """
        return [tuple(row) for row in self.draw(np.random.default_rng(seed), count).tolist()]

    def sample_records(self, count: int, seed: int) -> list[list[tuple[int, ...]]]:
        """Draw raw data sets uniformly among all that satisfy the class's constraints.

        Returns:
            ``count`` data sets, each a list of ``size`` distinct records, a record one value index per attribute (0 is
            the domain's lower end, steps of the resolution).

        Raises:
            CRAError: nothing is feasible.
        """
        inside = random.Random(seed)
        worlds = []
        for assignment in self.sample(count, seed):
            world: list[tuple[int, ...]] = []
            for cell, volume, held in zip(self.free_cells, self.cell_volumes, assignment, strict=True):
                places: list[int] = []
                while len(places) < held:
                    place = inside.randrange(volume)
                    if self.coincident or place not in places:
                        places.append(place)
                world += [self._record(cell, place) for place in sorted(places)]
            worlds.append(world)
        return worlds

    def _record(self, cell: Cell, offset: int) -> tuple[int, ...]:
        record = []
        for attribute, leaf in zip(reversed(self.release.attributes), reversed(cell), strict=True):
            offset, value = divmod(offset, attribute.leaf_values[leaf])
            record.append(sum(attribute.leaf_values[:leaf]) + value)
        return tuple(reversed(record))

    def assignments(self, limit: int = 1000, time_limit: float = 10.0) -> Enumeration:
        """List feasible assignments with CP-SAT, to look at them; see :func:`enumerate_assignments`."""
        children = [
            [
                [position for position, cell in enumerate(self.free_cells) if _inside(self.release, child, cell)]
                for child in part.children
            ]
            for part in self.generalized
        ]
        return enumerate_assignments(
            self.free_cells, self.size, children, self.cap, self.combinations, limit=limit, time_limit=time_limit
        )

    def constraints(self) -> list[Constraint]:
        """The constraints in words with their numbers."""
        return describe_constraints(self)


def _inside(release: Release, segment: Segment, cell: Cell) -> bool:
    return all(node.start <= leaf < node.stop for node, leaf in zip(release.grid.nodes(segment), cell, strict=True))


def _swap(values: tuple[int, ...], position: int, value: int) -> tuple[int, ...]:
    return (*values[:position], value, *values[position + 1 :])
