"""Bounds on counts: what the solver needs of them, and those of a single release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior
from cra_engine.sentences import Sentence
from cra_engine.study.grid import Cell, Segment
from cra_engine.study.lattice import State

BoundKey = tuple[frozenset[int], int, int, frozenset[frozenset[int]], int]


class CountBound(Protocol):
    """A sum of counts with its limits, for the solver.

    Attributes:
        cells: the counts, ``cell * times + time``.
        lower: smallest possible sum.
        upper: largest possible sum.
        boxes: where not empty, only those of these boxes count that hold ``k`` records or more.
        k: records that make a box full.
        key: what the bound says, wherever it comes from.
        origin: the bound of a single release that says so; None where it says something else.
    """

    @property
    def cells(self) -> frozenset[int]: ...  # noqa: D102
    @property
    def lower(self) -> int: ...  # noqa: D102
    @property
    def upper(self) -> int: ...  # noqa: D102
    @property
    def boxes(self) -> tuple[frozenset[int], ...]: ...  # noqa: D102
    @property
    def k(self) -> int: ...  # noqa: D102
    @property
    def key(self) -> BoundKey: ...  # noqa: D102
    @property
    def origin(self) -> "Bound | None": ...  # noqa: D102


@dataclass(frozen=True)
class Bound:
    """One sum of a release's cell counts with its limits, for the solver.

    Attributes:
        cells: positions of the cells in ``TightSystem.cells``.
        lower: smallest possible sum.
        upper: largest possible sum.
        part: index of the class whose total this is, -1 for the suppressed; None for a box that did not become a class.
        state: the state at whose turn the box held at most ``upper``; None for totals.
        segment: the box; for totals the class's own.
        boxes: where not empty, only those of these boxes count that hold k records or more: the state was skipped,
            since all that it could have published together was too little.
        k: records that make one of ``boxes`` full.
    """

    cells: frozenset[int]
    lower: int
    upper: int
    part: int | None
    state: State | None
    segment: Segment
    boxes: tuple[frozenset[int], ...] = ()
    k: int = 0

    @property
    def key(self) -> BoundKey:
        """The statement of the bound, whatever state or box it comes from."""
        return self.cells, self.lower, self.upper, frozenset(self.boxes), self.k if self.boxes else 0

    @property
    def origin(self) -> "Bound":
        """Itself."""
        return self

    def allows(self, counts: Sequence[int]) -> bool:
        """True when the counts, one per open cell, keep this bound."""
        if not self.boxes:
            return self.lower <= sum(counts[cell] for cell in self.cells) <= self.upper
        held = [sum(counts[cell] for cell in box) for box in self.boxes]
        return sum(count for count in held if count >= self.k) <= self.upper


@dataclass(frozen=True)
class Hypothesis:
    """The solver's bounds under one order of the tied states of a release.

    Attributes:
        owner: per open cell the index of its class, -1 for the suppressed.
        turn: per part (-1 and class indices) when it was formed; larger is later.
        bounds: totals first, then the boxes; dominated ones are left out.
        order: per group of tied states the order supposed.
    """

    owner: NDArray[np.int64]
    turn: dict[int, int]
    bounds: tuple[Bound, ...]
    order: tuple[tuple[State, ...], ...]


@dataclass(frozen=True)
class Choice:
    """The solver's bounds under one order of tied states: of one release, or of all where their rows are linked.

    Attributes:
        bounds: what holds under it.
        hypotheses: per release, by its position, the order supposed.
    """

    bounds: tuple[CountBound, ...]
    hypotheses: tuple[tuple[int, Hypothesis], ...] = ()


Source = tuple[Choice, ...]
"""The bounds of one release: those of one of these choices hold."""


class CountSystem(Protocol):
    """A system of bounds on counts for the solver, of one release or of several.

    Attributes:
        prior: how tables weigh.
        cells: the cells that can hold somebody.
        volumes: value combinations in each of ``cells``.
        times: into how many counts a cell's people are split: by the release that they are first in where tables grow,
            else 1.
        limits: per count, ``cell * times + time``, the least and the most that it can be.
        sources: what each release says.
        relaxed: True where impossible tables may be left.
    """

    @property
    def prior(self) -> Prior: ...  # noqa: D102
    @property
    def cells(self) -> Sequence[Cell]: ...  # noqa: D102
    @property
    def volumes(self) -> Sequence[int]: ...  # noqa: D102
    @property
    def times(self) -> int: ...  # noqa: D102
    @property
    def limits(self) -> Mapping[int, tuple[int, int]]: ...  # noqa: D102
    @property
    def sources(self) -> Sequence[Source]: ...  # noqa: D102
    @property
    def relaxed(self) -> bool: ...  # noqa: D102

    def describe(self, bound: CountBound, choice: Choice) -> Sentence:
        """A bound in words."""
        ...
