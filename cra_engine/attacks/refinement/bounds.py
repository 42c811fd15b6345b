"""The bounds on one class of a release, or on its suppressed records: free cells, and how bounds cut its box."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.prior import DISTINCT, Prior
from cra_engine.attacks.refinement.formation import as_formed, finer_first
from cra_engine.attacks.refinement.models import ShownModels
from cra_engine.release import Owner, Release, ReleasedClass
from cra_engine.sentences import ClassNumber, Sentence
from cra_engine.study.coding_model import CodingModel
from cra_engine.study.grid import Cell, Segment


@dataclass(frozen=True)
class BoundedAttribute:
    """An attribute that an attacked class generalizes, with the children whose records are bounded.

    Attributes:
        attribute: the attribute's position.
        children: the half-segments: the class's segment with this attribute narrowed to one child.
    """

    attribute: int
    children: tuple[Segment, ...]


@dataclass(frozen=True)
class Orthant:
    """One piece of an attacked class's box after all bounds have cut it; the whole box where none does.

    Attributes:
        children: per attribute that cuts it (attribute position, place of the child among its parent's children).
        measure: the prior's measure of its free cells: value combinations; with a population its share, as a whole
            number; with ``"assignments"`` their number.
        cells: number of its free cells.
    """

    children: tuple[tuple[int, int], ...]
    measure: int
    cells: int


class ClassBounds:
    """The constraints on one attacked class, or on the suppressed records (paper, sections 4.2 to 4.4).

    Attributes:
        index: the class's place in the attacker's order; None for the suppressed records, ``Owner.RAW`` for a
            class of raw values.
        segment: its box; the whole grid for the suppressed records.
        size: number of its records.
        cap: most records that any bounded child of its nodes can hold (k - 1 under the paper's profile).
        coding: what bounds it where ARX weighed suppression; None where it did not.
        models: the privacy models besides k, on the values that the release shows; None where there are none.
        free_cells: the cells that no class formed earlier has taken, in row-major order. The count
            of every other cell is 0.
        prior: how tables weigh.
        bounded_attributes: the attributes whose children hold at most ``cap`` records each, with their half-segments;
            where ``size`` is no more than ``cap`` that excludes nothing.
        earlier: the classes formed earlier that overlap it and took those cells, as (index, segment).
    """

    def __init__(
        self,
        release: Release,
        index: int | None,
        segment: Segment,
        size: int,
        free: NDArray[np.bool_],
        earlier: tuple[tuple[int, Segment], ...],
        prior: Prior = DISTINCT,
        hidden_values: int = 1,
        coding: CodingModel | None = None,
        models: ShownModels | None = None,
    ) -> None:
        """Built by :func:`~cra_engine.attacks.refinement.attack.attack`.

        ``free``, in the box's shape, is True at the free cells. ``hidden_values`` is how many combinations of a cell's
        values there are to each that a record of the class can have: 1, but more for a class of raw values, whose
        records show one of a leaf's values.
        """
        self.prior = prior
        self.release = release
        self.index = index
        self.segment = segment
        self.size = size
        self.coding = coding
        self.models = models
        self._caps = None if coding is None else {} if index == Owner.RAW else coding.caps(segment.state, size)
        self.cap = self._loosest_cap()
        self.earlier = earlier
        self._free = free
        self._hidden_values = hidden_values

    def _loosest_cap(self) -> int:
        """The bound on every bounded child; ``size`` where a child can hold all records."""
        study = self.release.study
        if not self.as_formed:
            return self.size
        if not (study.safe or self.coding is not None or finer_first(self.release)):
            return self.size  # a coarser state may have gone before finer ones
        if self.models is not None and self.index == Owner.RAW:
            return self.size  # which records of a class show a raw value is not known, so nothing is said of it
        # The sums know one bound for all children: the loosest is true of each, and a tighter one might not be.
        cap = study.child_cap(self.release.records)
        if self._caps is not None:
            cap = max(self._caps.values(), default=self.size)
        return cap if self.models is None else min(self.size, max(cap, self.models.cap(self.index)))

    @property
    def as_formed(self) -> bool:
        """True where it surely holds what ARX-LR left it: nothing was merged or suppressed into it afterwards."""
        return as_formed(self.release, None if self.index is None else ReleasedClass(self.segment, self.size))

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
        volumes = self.release.grid.cell_volumes(self.segment)[self._free]
        return [int(volume) // self._hidden_values for volume in volumes]

    @cached_property
    def cell_measures(self) -> list[int]:
        """The prior's measure of each free cell: its volume, its share of the population, or 1."""
        if self.prior.by_cells:
            return [1] * len(self.free_cells)
        if self.prior.weights is None:
            return self.cell_volumes
        return [int(weight) for weight in self.prior.cells(self.release.grid, self.segment)[self._free]]

    @property
    def box_volume(self) -> int:
        """Number of value combinations in its box, cells that others have taken included."""
        return self.release.grid.volume(self.segment) // self._hidden_values

    @property
    def measure(self) -> int:
        """The prior's measure of its whole box."""
        valued = self.prior.weights is None and not self.prior.by_cells
        return self.box_volume if valued else self.prior.whole(self.release.grid, self.segment)

    @cached_property
    def bounded_attributes(self) -> tuple[BoundedAttribute, ...]:
        """The attributes that the class generalizes beyond their leaves, where the children are known and bounded."""
        result: list[BoundedAttribute] = []
        if self.release.study.safe:
            return ()  # there a half may hold any number
        for i, attribute in enumerate(self.release.attributes):
            if self._caps is not None and i not in self._caps:
                continue
            nodes = attribute.children(self.segment.state[i], self.segment.ranks[i])
            children = tuple(
                Segment(_replaced(self.segment.state, i, child.layer), _replaced(self.segment.ranks, i, child.rank))
                for child in nodes
            )
            if children and not any(node.gap for node in nodes):
                result.append(BoundedAttribute(i, children))
        return tuple(result)

    @property
    def _splits(self) -> tuple[BoundedAttribute, ...]:
        """The attributes that cut the box: the bounded ones, none where all records fit into one child."""
        return self.bounded_attributes if self.size > self.cap else ()

    @property
    def _fanouts(self) -> list[int]:
        return [len(part.children) for part in self._splits]

    @cached_property
    def _orthant_of_box(self) -> NDArray[np.int64]:
        orthant = np.zeros(self._free.shape, dtype=np.int64)
        for part in self._splits:
            attribute = self.release.attributes[part.attribute]
            node = attribute.node(self.segment.state[part.attribute], self.segment.ranks[part.attribute])
            # Layers count from 1 and ``ranks`` from 0, so this is the layer of the children.
            child = attribute.ranks[node.layer - 2][node.start : node.stop]
            shape = [1] * orthant.ndim
            shape[part.attribute] = -1
            orthant = orthant * len(part.children) + (child - child[0]).reshape(shape)
        return orthant

    @cached_property
    def orthant_of_cell(self) -> list[int]:
        """The orthant of each free cell: its number in ``orthants``."""
        return [int(orthant) for orthant in self._orthant_of_box[self._free]]

    @property
    def _orthant_count(self) -> int:
        return math.prod(self._fanouts)

    @cached_property
    def _orthant_measures(self) -> list[int]:
        measures = [0] * self._orthant_count
        for orthant, measure in zip(self.orthant_of_cell, self.cell_measures, strict=True):
            measures[orthant] += measure
        return measures

    @cached_property
    def orthants(self) -> tuple[Orthant, ...]:
        """The orthants that counts are sums over: the box cut by every bound that applies, in row-major order.

        With n records in orthant o, ``combinations`` is the sum of ``prod C(n + cells - 1, n)`` and ``cra_solutions``
        that of ``prod C(measure, n)``, over all ways to write ``size`` as a sum of the n with at most ``cap`` records
        in each child.
        """
        children = product(*([(part.attribute, place) for place in range(len(part.children))] for part in self._splits))
        return tuple(
            Orthant(*result) for result in zip(children, self._orthant_measures, self._orthant_cells, strict=True)
        )

    @cached_property
    def _orthant_cells(self) -> list[int]:
        cells = np.bincount(np.array(self.orthant_of_cell, dtype=np.int64), minlength=self._orthant_count)
        return [int(count) for count in cells]

    def feasible(self, counts: Sequence[int]) -> bool:
        """True when ``counts``, one per free cell, satisfies every constraint of this class."""
        if len(counts) != len(self.free_cells) or min(counts, default=0) < 0 or sum(counts) != self.size:
            return False
        held = [0] * self._orthant_count
        for orthant, count in zip(self.orthant_of_cell, counts, strict=True):
            held[orthant] += count
        per_child = np.array(held).reshape(self._fanouts)
        return all(
            int(per_child.sum(axis=tuple(other for other in range(per_child.ndim) if other != axis)).max()) <= self.cap
            for axis in range(per_child.ndim)
        )

    @property
    def title(self) -> Sentence:
        """How messages call it: ``Class 3`` or ``The suppressed records``."""
        if self.index == Owner.RAW:
            return Sentence(f"The {self.size} records with raw values in {self.release.grid.describe(self.segment)}")
        return Sentence("The suppressed records") if self.index is None else Sentence("Class ", ClassNumber(self.index))


def _replaced(values: tuple[int, ...], position: int, value: int) -> tuple[int, ...]:
    return (*values[:position], value, *values[position + 1 :])
