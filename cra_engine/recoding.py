"""ARX-LR's local recoding as one sweep over the lattice (paper, section 3, Algorithms 1 and 2).

The loss of a state does not depend on the data, and taking records away never makes a state feasible. So visiting the
states once in ascending (loss, c1, c2) publishes the same classes as searching the whole lattice again in each
iteration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.arx_order import ArxOrder, least_published
from cra_engine.errors import DataError
from cra_engine.grid import Grid, Segment
from cra_engine.hierarchy import Hierarchy
from cra_engine.lattice import Lattice, State
from cra_engine.release import Release
from cra_engine.study import Study
from cra_engine.table import column_of, locate, numbers

RecodeTies = Literal["paper", "arx"]


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


class _Remaining:
    """The occupied cells that no class has taken yet."""

    def __init__(
        self,
        attributes: Sequence[Hierarchy],
        leaves: NDArray[np.int64],
        counts: NDArray[np.int64],
        first_rows: NDArray[np.int64],
    ) -> None:
        self.attributes = attributes
        self.leaves = leaves
        self.counts = counts
        self.first_rows = first_rows

    @property
    def records(self) -> int:
        return int(self.counts.sum())

    def boxes(self, state: State) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Per occupied cell the position of its box, and per box its ranks (boxes x attributes) and its records."""
        ranks = [
            attribute.ranks[layer - 1][self.leaves[:, i]]
            for i, (attribute, layer) in enumerate(zip(self.attributes, state, strict=True))
        ]
        shape = tuple(attribute.nodes_in(layer) for attribute, layer in zip(self.attributes, state, strict=True))
        present, position = np.unique(np.ravel_multi_index(ranks, shape), return_inverse=True)
        totals = np.zeros(len(present), dtype=np.int64)
        np.add.at(totals, position, self.counts)
        return position, np.stack(np.unravel_index(present, shape), axis=1), totals

    def without(self, taken: NDArray[np.bool_]) -> "_Remaining":
        return _Remaining(self.attributes, self.leaves[~taken], self.counts[~taken], self.first_rows[~taken])


class Recoding:
    """The outcome of ARX-LR on a table: what is published, and how it came about.

    Attributes:
        study: the study it was run with.
        ties: how exact ties were broken, ``"paper"`` or ``"arx"``.
        release: what is published and nothing more.
        frame: the published table, rows in the input's order, other columns as they were.
        iterations: the rounds of Algorithm 2, to step through.
        classes: the classes in the attacker's order, with the iteration that formed each.
        outliers: number of suppressed records.
        warnings: findings in the table that did not stop the recoding.
    """

    def __init__(self, data: pd.DataFrame, study: Study, ties: RecodeTies = "paper") -> None:
        """Run ARX-LR; see :func:`recode`."""
        self.study = study
        self.ties = ties
        located = locate(data, study)
        self.warnings = located.warnings
        if study.k > len(data):
            raise DataError(f"k = {study.k} is more than the {len(data)} records of the table; take a smaller k.")
        self.grid = Grid(study.attributes)
        self.lattice = Lattice(study.attributes)
        self.records = len(data)
        self.step_minimum = study.step_minimum(len(data))
        self._raw = [_values(column_of(data, attribute.name), attribute) for attribute in study.attributes]
        self._code_of_record = self.grid.codes(located.leaves)
        self._codes, first_rows, counts = np.unique(self._code_of_record, return_index=True, return_counts=True)
        leaves = np.stack(np.unravel_index(self._codes, self.grid.shape), axis=1)
        self._all = _Remaining(study.attributes, leaves, counts, first_rows)
        # Iteration that takes each occupied cell; 0 while nobody has.
        self._taken = np.zeros(len(self._codes), dtype=np.int64)
        # Where the nodes of a layer differ in share a state's loss depends on the records that are left: no sweep then.
        swept = ties == "paper" and self.lattice.uniform
        self.iterations = self._sweep() if swept else self._follow_arx(data)
        self.frame = self._publish(data)
        self.release = Release(study, self.frame)
        formed = {segment: step.index for step in self.iterations for segment, _ in step.classes}
        self.classes = tuple(RecodedClass(c.segment, c.size, formed[c.segment]) for c in self.release.classes)
        self.outliers = self.release.outliers

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

    def _follow_arx(self, data: pd.DataFrame) -> tuple[Iteration, ...]:
        names = list(data.columns)
        order = ArxOrder(
            self.study.attributes,
            sorted(range(len(self.study.names)), key=lambda i: names.index(self.study.names[i])),
            [len(np.unique(codes)) for codes in self._raw],
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
        untaken = self.iteration_of_record == 0
        raw = [int(np.count_nonzero(np.bincount(codes[untaken]))) for codes in self._raw]
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

    def _publish(self, data: pd.DataFrame) -> pd.DataFrame:
        states = np.array([self.lattice.top, *(step.state for step in self.iterations)])
        record = np.searchsorted(self._codes, self._code_of_record)
        columns: dict[str, object] = {}
        for i, attribute in enumerate(self.study.attributes):
            labels = [node.label for layer in attribute.layer_nodes for node in layer]
            offsets = np.cumsum([0] + [len(layer) for layer in attribute.layer_nodes])
            layers = states[self._taken, i]
            ranks = np.stack(attribute.ranks)[layers - 1, self._all.leaves[:, i]]
            used, codes = np.unique(offsets[layers - 1] + ranks, return_inverse=True)
            kind = pd.CategoricalDtype([labels[label] for label in used])
            columns[attribute.name] = pd.Categorical.from_codes(codes.astype(np.int16)[record], dtype=kind)
        published, rows = {}, np.arange(len(data))
        for position, name in enumerate(data.columns):
            # New memory: a column that shares it with the raw table would carry the quasi-identifiers along. An Arrow
            # column's copy() still shares, take() does not.
            published[name] = columns[name] if name in columns else data.iloc[:, position].array.take(rows)
        return pd.DataFrame(published, index=data.index.copy(), columns=data.columns)

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

    @property
    def iteration_of_record(self) -> NDArray[np.int64]:
        """Per record the iteration that published it; 0 for outliers."""
        return self._taken[np.searchsorted(self._codes, self._code_of_record)]


def _values(column: "pd.Series[Any]", attribute: Hierarchy) -> NDArray[np.int64]:
    """Per record a code of its raw value, equal where the values are: "5" and "5.0" are one number."""
    values = numbers(column)[0] if attribute.numeric else column.astype(str).str.strip()
    return np.asarray(pd.factorize(values)[0], dtype=np.int64)


def recode(data: pd.DataFrame, study: Study, *, ties: RecodeTies = "paper") -> Recoding:
    """Publish a table with ARX-LR (paper, Algorithms 1 and 2).

    Args:
        data: one row per person; the study's quasi-identifiers are columns of numbers, other columns are kept.
        study: hierarchies and k.
        ties: which of several equally good states forms its classes first: ``"paper"`` by the third criterion c3 on the
            remaining records, ``"arx"`` the one that ARX's own code takes, with ARX's rounding of losses and limits.
            Hierarchies whose nodes differ in share within a layer, which the paper does not know, are always recoded as
            ARX does.

    Raises:
        DataError: the table does not fit the study, or k exceeds the number of records.
        TooLargeError: the lattice or the grid is larger than the engine admits.
    """
    return Recoding(data, study, ties)
