"""ARX-LR's local recoding as one sweep over the lattice (paper, section 3, Algorithms 1 and 2).

The loss of a state does not depend on the data, and taking records away never makes a state feasible. So visiting the
states once in ascending (loss, c1, c2) publishes the same classes as searching the whole lattice again in each
iteration. Only the cells of the records matter, so after one pass that counts them the work does not depend on how many
records there are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.choices import RecodeTies
from cra_engine.errors import DataError
from cra_engine.publish.local.arx_order import ArxOrder
from cra_engine.raw.cells import CellCounts, RawValues, _Remaining
from cra_engine.study.grid import Segment
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


class CellRecoding:
    """ARX-LR on the counts of the cells: what is published, and how it came about.

    Attributes:
        study: the study it was run with.
        ties: how exact ties were broken, ``"paper"`` or ``"arx"``.
        grid: the segment grid; lattice: the generalization lattice.
        records: number of records.
        step_minimum: records that a step must publish.
        iterations: the rounds of Algorithm 2, to step through.
        classes: the classes in the attacker's order, with the iteration that formed each.
        outliers: number of suppressed records.
        warnings: findings in the table that did not stop the recoding.

    Raises:
        DataError: k exceeds the number of records.
    """

    warnings: tuple[str, ...] = ()

    def __init__(
        self,
        study: Study,
        ties: RecodeTies,
        lattice: Lattice,
        cells: CellCounts,
        columns: Sequence[str],
        raw_values: Callable[[], RawValues],
    ) -> None:
        """Run ARX-LR.

        Args:
            study: hierarchies, k and profile.
            ties: how exact ties are broken.
            lattice: of the study.
            cells: all records, counted.
            columns: the table's columns in their order, which is the order that ARX works in.
            raw_values: gives the raw values; called once, and only if a tie asks for them.
        """
        self.study, self.ties = study, ties
        self.lattice, self.grid, self.records = lattice, cells.grid, cells.records
        if study.k > self.records:
            raise DataError(f"k = {study.k} is more than the {self.records} records of the table; take a smaller k.")
        self.step_minimum = study.step_minimum(self.records)
        self._raw_values = cache(raw_values)
        self._codes = np.flatnonzero(cells.counts)
        leaves = np.stack(np.unravel_index(self._codes, self.grid.shape), axis=1)
        self._all = _Remaining(study.attributes, leaves, cells.counts[self._codes], cells.first_rows[self._codes])
        # Iteration that takes each occupied cell; 0 while nobody has.
        self._taken = np.zeros(len(self._codes), dtype=np.int64)
        # Where the nodes of a layer differ in share a state's loss depends on the records that are left: no sweep then.
        swept = ties == "paper" and self.lattice.uniform
        self.iterations = self._sweep() if swept else self._follow_arx(columns)
        del self._raw_values
        formed = [RecodedClass(*published, step.index) for step in self.iterations for published in step.classes]
        formed.sort(key=lambda found: (self.lattice.key(found.segment.state), found.segment))
        self.classes = tuple(formed)
        self.outliers = self.records - sum(found.size for found in formed)

    def _distinct(self, remaining: _Remaining) -> list[int]:
        mask = np.zeros(self.grid.size, dtype=bool)
        mask[np.ravel_multi_index(tuple(remaining.leaves.T), self.grid.shape)] = True
        return self._raw_values().distinct(mask)

    def _sweep(self) -> tuple[Iteration, ...]:
        steps: list[Iteration] = []
        remaining, places = self._all, np.arange(len(self._codes))
        for group in self.lattice.groups:
            if self.lattice.top in group:
                break
            while remaining.records >= self.study.k:
                feasible = [state for state in group if self._candidate(state, remaining, None).feasible]
                if not feasible:
                    break
                tied = self._tie(feasible, remaining) if len(feasible) > 1 else ()
                # The group is in the order of the states, and min keeps the first of equals.
                state = min(tied, key=lambda candidate: candidate.c3).state if tied else feasible[0]  # type: ignore[arg-type, return-value]
                remaining, places = self._take(state, tied, remaining, places, steps)
            if remaining.records < self.study.k:
                break
        return tuple(steps)

    def _follow_arx(self, columns: Sequence[str]) -> tuple[Iteration, ...]:
        order = ArxOrder(
            self.study.attributes,
            sorted(range(len(self.study.names)), key=lambda i: columns.index(self.study.names[i])),
            self._distinct(self._all),
            self._all,
            self.study.k,
            self.study.share,
        )
        steps: list[Iteration] = []
        remaining, places = self._all, np.arange(len(self._codes))
        while (state := order.choose(remaining)) is not None:
            remaining, places = self._take(state, (), remaining, places, steps)
        return tuple(steps)

    def _take(
        self,
        state: State,
        tied: tuple[Candidate, ...],
        remaining: _Remaining,
        places: NDArray[np.int64],
        steps: list[Iteration],
    ) -> tuple[_Remaining, NDArray[np.int64]]:
        """Publish the boxes of a state that hold k, as one more of the steps; what remains, and where its cells are."""
        position, ranks, totals = remaining.boxes(state)
        full = totals >= self.study.k
        classes = tuple(
            (Segment(state, tuple(int(rank) for rank in ranks[box])), int(totals[box])) for box in np.flatnonzero(full)
        )
        taken = full[position]
        self._taken[places[taken]] = len(steps) + 1
        left = remaining.without(taken)
        steps.append(
            Iteration(len(steps) + 1, state, self.lattice.loss(state), tied, classes, remaining.records, left.records)
        )
        return left, places[~taken]

    def _tie(self, states: Sequence[State], remaining: _Remaining) -> tuple[Candidate, ...]:
        raw = self._distinct(remaining)
        result = []
        for state in states:
            shares = [
                Fraction(len(np.unique(attribute.ranks[layer - 1][remaining.leaves[:, i]])), raw[i])
                for i, (attribute, layer) in enumerate(zip(self.study.attributes, state, strict=True))
            ]
            c3 = 1 - sum(shares, Fraction(0)) / len(shares)
            result.append(self._candidate(state, remaining, c3))
        return tuple(result)

    def _needed(self, left: int) -> int:
        """Records that a state must publish to count, when so many are left."""
        if self.ties == "paper" or not left:
            return self.step_minimum
        return least_published(self.study.share, self.records, left)

    def _candidate(self, state: State, remaining: _Remaining, c3: Fraction | None) -> Candidate:
        totals = remaining.boxes(state)[2]
        full = totals[totals >= self.study.k]
        return Candidate(
            state,
            self.lattice.loss(state),
            self.lattice.c1(state),
            self.lattice.c2(state),
            c3,
            len(full),
            int(full.sum()),
            int(totals.max(initial=0)),
            len(full) > 0 and int(full.sum()) >= self._needed(remaining.records),
        )

    def _before(self, iteration: int) -> _Remaining:
        return self._all.without((self._taken > 0) & (self._taken < iteration))

    def candidates(self, iteration: int) -> list[Candidate]:
        """All states as an iteration finds them, in the order in which ARX-LR prefers them.

        Args:
            iteration: counted from 1; one past the last shows why the sweep stopped.
        """
        remaining = self._before(iteration)
        known = (
            {c.state: c.c3 for c in self.iterations[iteration - 1].tied} if iteration <= len(self.iterations) else {}
        )
        return [self._candidate(state, remaining, known.get(state)) for state in self.lattice.states]

    def cell_counts(self, iteration: int) -> NDArray[np.int64]:
        """Records per cell that are left when an iteration begins, as an array over the grid.

        Args:
            iteration: counted from 1; one past the last leaves the outliers.
        """
        counts = np.zeros(self.grid.size, dtype=np.int64)
        left = (self._taken == 0) | (self._taken >= iteration)
        counts[self._codes[left]] = self._all.counts[left]
        return counts.reshape(self.grid.shape)

    def published_labels(self) -> list[tuple[list[str], NDArray[np.signedinteger[Any]]]]:
        """Per attribute the labels that the release shows, and per occupied cell the index of its label there."""
        states = np.array([self.lattice.top, *(step.state for step in self.iterations)])
        result: list[tuple[list[str], NDArray[np.signedinteger[Any]]]] = []
        for i, attribute in enumerate(self.study.attributes):
            labels = [node.label for layer in attribute.layer_nodes for node in layer]
            offsets = np.cumsum([0] + [len(layer) for layer in attribute.layer_nodes])
            layers = states[self._taken, i]
            ranks = np.stack(attribute.ranks)[layers - 1, self._all.leaves[:, i]]
            used, codes = np.unique(offsets[layers - 1] + ranks, return_inverse=True)
            shown = list(dict.fromkeys(labels[node] for node in used))  # a node may be labelled like its only child
            place = np.array([shown.index(labels[node]) for node in used])
            result.append((shown, place[codes].astype(np.min_scalar_type(-len(shown)))))
        return result
