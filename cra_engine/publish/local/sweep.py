"""ARX-LR's local recoding as one sweep over the lattice (paper, section 3, Algorithms 1 and 2).

The loss of a state does not depend on the data, and taking records away never makes a state feasible. So visiting the
states once in ascending (loss, c1, c2) publishes the same classes as searching the whole lattice again in each
iteration. Only the cells of the records matter, so after one pass that counts them the work does not depend on how many
records there are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.choices import RecodeTies
from cra_engine.errors import DataError
from cra_engine.publish.local.arx_order import ArxOrder
from cra_engine.raw.cells import CellCounts, OccupiedCells, RawValues
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.lattice import Lattice, State
from cra_engine.study.step_rule import least_published
from cra_engine.study.study import Study


@dataclass(frozen=True)
class Candidate:
    """A state as one iteration sees it.

    Attributes:
        state: its layers.
        loss: information loss (equation (2)).
        c1: sum of layers; c2: mean of layer / height (equation (3)).
        c3: third criterion on the remaining records, where it had to be computed to break a tie, else None.
        boxes: number of its boxes that hold at least k of the remaining records.
        records: remaining records inside those boxes.
        largest: remaining records in its fullest box.
        feasible: True when at least one box holds k records and, under ``arx-gui``, these boxes hold the required
            share.
    """

    state: State
    loss: float
    c1: int
    c2: Fraction
    c3: Fraction | None
    boxes: int
    records: int
    largest: int
    feasible: bool


@dataclass(frozen=True)
class Iteration:
    """One round of Algorithm 2: the state it chose and the classes it published.

    Attributes:
        index: counted from 1.
        state: the chosen state.
        loss: its information loss.
        tied: feasible states that tied exactly in (loss, c1, c2), the chosen one included, with their c3; empty if
            none, and with ``ties="arx"``, where c3 has no say.
        classes: the published segments with their sizes.
        before: records left when the round began; after: when it ended.
    """

    index: int
    state: State
    loss: float
    tied: tuple[Candidate, ...]
    classes: tuple[tuple[Segment, int], ...]
    before: int
    after: int


@dataclass(frozen=True)
class RecodedClass:
    """An equivalence class with the iteration that formed it (which a release does not tell)."""

    segment: Segment
    size: int
    iteration: int


@dataclass(frozen=True, eq=False)
class CellRecoding:
    """The outcome of ARX-LR on the counts of the cells: what is published, and how it came about.

    Attributes:
        study: the study it was run with.
        ties: how exact ties were broken, ``"paper"`` or ``"arx"``.
        lattice: the generalization lattice.
        cells: the cells that hold records.
        taken: per such cell the iteration that published its records; 0 where they are suppressed.
        iterations: the rounds of Algorithm 2, to step through.
        warnings: findings in the table that did not stop the recoding.
    """

    study: Study
    ties: RecodeTies
    lattice: Lattice
    cells: OccupiedCells
    taken: NDArray[np.int64]
    iterations: tuple[Iteration, ...]
    warnings: tuple[str, ...]

    def parts(self) -> dict[str, Any]:
        """Its fields by name, for an outcome that has more to tell."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def grid(self) -> Grid:
        """The segment grid."""
        return self.cells.grid

    @cached_property
    def records(self) -> int:
        """Number of records."""
        return self.cells.records

    @property
    def step_minimum(self) -> int:
        """Records that a step must publish."""
        return self.study.step_minimum(self.records)

    @cached_property
    def classes(self) -> tuple[RecodedClass, ...]:
        """The classes in the attacker's order, with the iteration that formed each."""
        formed = [RecodedClass(*published, step.index) for step in self.iterations for published in step.classes]
        return tuple(sorted(formed, key=lambda found: (self.lattice.key(found.segment.state), found.segment)))

    @property
    def outliers(self) -> int:
        """Number of suppressed records."""
        return self.iterations[-1].after if self.iterations else self.records

    def candidates(self, iteration: int) -> list[Candidate]:
        """All states as an iteration finds them, in the order in which ARX-LR prefers them.

        Args:
            iteration: counted from 1; one past the last shows why the sweep stopped.
        """
        remaining = self.cells.without((self.taken > 0) & (self.taken < iteration))
        tied = self.iterations[iteration - 1].tied if iteration <= len(self.iterations) else ()
        known = {candidate.state: candidate.c3 for candidate in tied}
        return [
            _candidate(self.study, self.ties, self.lattice, self.records, state, remaining, known.get(state))
            for state in self.lattice.states
        ]

    def cell_counts(self, iteration: int) -> NDArray[np.int64]:
        """Records per cell that are left when an iteration begins, as an array over the grid.

        Args:
            iteration: counted from 1; one past the last leaves the outliers.
        """
        counts = np.zeros(self.grid.size, dtype=np.int64)
        left = (self.taken == 0) | (self.taken >= iteration)
        counts[self.cells.codes[left]] = self.cells.counts[left]
        return counts.reshape(self.grid.shape)

    def of_grid(self, of_cells: NDArray[np.signedinteger[Any]]) -> NDArray[np.signedinteger[Any]]:
        """What is given per occupied cell, by the code of the cell; 0 for all other cells."""
        by_code = np.zeros(self.grid.size, dtype=of_cells.dtype)
        by_code[self.cells.codes] = of_cells
        return by_code

    def published_labels(self) -> list[tuple[list[str], NDArray[np.signedinteger[Any]]]]:
        """Per attribute the labels that the release shows, and per occupied cell the index of its label there."""
        states = np.array([self.lattice.top, *(step.state for step in self.iterations)])
        result: list[tuple[list[str], NDArray[np.signedinteger[Any]]]] = []
        for i, attribute in enumerate(self.study.attributes):
            labels = [node.label for layer in attribute.layer_nodes for node in layer]
            offsets = np.cumsum([0] + [len(layer) for layer in attribute.layer_nodes])
            layers = states[self.taken, i]
            ranks = np.stack(attribute.ranks)[layers - 1, self.cells.leaves[:, i]]
            used, codes = np.unique(offsets[layers - 1] + ranks, return_inverse=True)
            shown = list(dict.fromkeys(labels[node] for node in used))  # a node may be labelled like its only child
            place = np.array([shown.index(labels[node]) for node in used])
            result.append((shown, place[codes].astype(np.min_scalar_type(-len(shown)))))
        return result


def recode_cells(
    study: Study,
    ties: RecodeTies,
    cells: CellCounts,
    columns: Sequence[str],
    raw_values: Callable[[], RawValues],
    warnings: tuple[str, ...] = (),
) -> CellRecoding:
    """Run ARX-LR on the counts of the cells.

    Args:
        study: hierarchies, k and profile.
        ties: how exact ties are broken.
        cells: all records, counted.
        columns: the table's columns in their order, which is the order that ARX works in.
        raw_values: gives the raw values; called once, and only if a tie asks for them.
        warnings: findings in the table.

    Raises:
        DataError: k exceeds the number of records.
        TooLargeError: the lattice is larger than the engine admits.
    """
    study.refuse_small_k()
    if study.k > cells.records:
        raise DataError(f"k = {study.k} is more than the {cells.records} records of the table; take a smaller k.")
    run = _Run(study, ties, OccupiedCells.of(cells), raw_values)
    # Where the nodes of a layer differ in share a state's loss depends on the records that are left: no sweep then.
    if ties == "paper" and run.lattice.uniform:
        run.sweep()
    else:
        run.follow_arx(columns)
    return CellRecoding(study, ties, run.lattice, run.cells, run.taken, tuple(run.steps), warnings)


class _Run:
    """ARX-LR under way: what remains, who took what, and the steps so far."""

    def __init__(
        self, study: Study, ties: RecodeTies, cells: OccupiedCells, raw_values: Callable[[], RawValues]
    ) -> None:
        self.study, self.ties, self.cells = study, ties, cells
        self.lattice = Lattice(study.attributes)
        self.remaining = cells
        self.taken = np.zeros(len(cells.counts), dtype=np.int64)
        self.steps: list[Iteration] = []
        self._places = np.arange(len(cells.counts))  # of the remaining cells among all
        self._raw_values = cache(raw_values)

    def sweep(self) -> None:
        """One pass over the states in ascending (loss, c1, c2)."""
        for group in self.lattice.groups:
            if self.lattice.top in group:
                return
            while self.remaining.records >= self.study.k:
                feasible = [state for state in group if self._candidate(state, None).feasible]
                if not feasible:
                    break
                tied = self._tie(feasible) if len(feasible) > 1 else ()
                # The group is in the order of the states, and min keeps the first of equals.
                state = min(tied, key=lambda candidate: candidate.c3).state if tied else feasible[0]  # type: ignore[arg-type, return-value]
                self._take(state, tied)
            if self.remaining.records < self.study.k:
                return

    def follow_arx(self, columns: Sequence[str]) -> None:
        """The states that ARX itself would choose."""
        order = ArxOrder(
            self.study.attributes,
            sorted(range(len(self.study.names)), key=lambda i: columns.index(self.study.names[i])),
            self._distinct(),
            self.cells,
            self.study.k,
            self.study.share,
        )
        while (state := order.choose(self.remaining)) is not None:
            self._take(state, ())

    def _take(self, state: State, tied: tuple[Candidate, ...]) -> None:
        """Publish the boxes of a state that hold k, as one more of the steps."""
        before = self.remaining
        position, ranks, totals = before.boxes(state)
        full = totals >= self.study.k
        classes = tuple(
            (Segment(state, tuple(int(rank) for rank in ranks[box])), int(totals[box])) for box in np.flatnonzero(full)
        )
        taken = full[position]
        self.taken[self._places[taken]] = len(self.steps) + 1
        self.remaining, self._places = before.without(taken), self._places[~taken]
        loss, after = self.lattice.loss(state), self.remaining.records
        self.steps.append(Iteration(len(self.steps) + 1, state, loss, tied, classes, before.records, after))

    def _tie(self, states: Sequence[State]) -> tuple[Candidate, ...]:
        raw = self._distinct()
        result = []
        for state in states:
            shares = [
                Fraction(len(np.unique(ranks)), values)
                for ranks, values in zip(self.cells.grid.box_ranks(state, self.remaining.leaves), raw, strict=True)
            ]
            result.append(self._candidate(state, 1 - sum(shares, Fraction(0)) / len(shares)))
        return tuple(result)

    def _distinct(self) -> list[int]:
        """The number of different raw values of each attribute among the remaining records."""
        mask = np.zeros(self.cells.grid.size, dtype=bool)
        mask[self.remaining.codes] = True
        return self._raw_values().distinct(mask)

    def _candidate(self, state: State, c3: Fraction | None) -> Candidate:
        return _candidate(self.study, self.ties, self.lattice, self.cells.records, state, self.remaining, c3)


def _candidate(
    study: Study,
    ties: RecodeTies,
    lattice: Lattice,
    records: int,
    state: State,
    remaining: OccupiedCells,
    c3: Fraction | None,
) -> Candidate:
    """A state as the remaining records have it; ``records`` is the number of all."""
    totals = remaining.boxes(state)[2]
    full = totals[totals >= study.k]
    left = remaining.records
    needed = study.step_minimum(records) if ties == "paper" or not left else least_published(study.share, records, left)
    return Candidate(
        state,
        lattice.loss(state),
        lattice.c1(state),
        lattice.c2(state),
        c3,
        len(full),
        int(full.sum()),
        int(totals.max(initial=0)),
        len(full) > 0 and int(full.sum()) >= needed,
    )
