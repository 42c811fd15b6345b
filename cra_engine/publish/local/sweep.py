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

import numpy as np
from numpy.typing import NDArray

from cra_engine.choices import RecodeTies
from cra_engine.criteria.d_presence import DPresence
from cra_engine.errors import StudyError
from cra_engine.publish.local.arx_by_quality import ArxByQuality
from cra_engine.publish.local.arx_order import ArxOrder
from cra_engine.publish.local.passing import Passing
from cra_engine.publish.local.rounds import Candidate, PublishedCells, Rounds
from cra_engine.raw.cells import CellCounts, Filled, OccupiedCells, RawValues
from cra_engine.raw.sensitive import SensitiveCounts
from cra_engine.results import Json
from cra_engine.study.lattice import State
from cra_engine.study.step_rule import least_published
from cra_engine.study.study import Study

ARX_STEPS = (
    "Intervals of a layer differ in share, which the paper does not know: states were chosen as ARX chooses them, and "
    "how much a step must publish, the last one too, follows ARX's rounding."
)

# States are looked at together as long as few cells are left, so many pairs of a state and a cell, and so many boxes.
FEW_CELLS, PAIRS, BOXES = 64, 1 << 12, 1 << 18
PATIENCE = 8  # states that are looked at in vain before it is asked whether any can still publish


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CellRecoding(PublishedCells):
    """The outcome of ARX-LR on the counts of the cells.

    Attributes:
        ties: how exact ties were broken, ``"paper"`` or ``"arx"``.
        passing: the test on boxes.
    """

    ties: RecodeTies
    passing: Passing

    def summary(self) -> dict[str, object]:
        """Records, k, classes, suppressed, iterations."""
        return super().summary() | {"iterations": len(self.iterations)}

    def to_dict(self) -> Json:
        """As plain data, the classes each with the iteration that formed it."""
        told = super().to_dict()
        for written, formed in zip(told["classes"], self.classes, strict=True):
            written["iteration"] = formed.iteration
        return told | {"iterations": len(self.iterations)}

    @property
    def step_minimum(self) -> int:
        """Records that a step must publish."""
        return self.study.step_minimum(self.records)

    def candidates(self, iteration: int) -> list[Candidate]:
        """All states as an iteration finds them, in the order in which ARX-LR prefers them.

        Args:
            iteration: counted from 1; one past the last shows why the sweep stopped.
        """
        remaining = self.cells.without((self.taken > 0) & (self.taken < iteration))
        tied = self.iterations[iteration - 1].tied if iteration <= len(self.iterations) else ()
        known = {candidate.state: candidate.c3 for candidate in tied}
        return [
            _candidate(self.study, self.ties, self.passing, self.records, state, remaining, known.get(state))
            for state in self.lattice.states
        ]


def recode_cells(
    study: Study,
    ties: RecodeTies,
    cells: CellCounts,
    raw_values: Callable[[], RawValues],
    sensitive: Callable[[], SensitiveCounts],
    warnings: tuple[str, ...] = (),
) -> CellRecoding:
    """Run ARX-LR on the counts of the cells.

    Args:
        study: hierarchies, k and profile.
        ties: how exact ties are broken.
        cells: all records, counted.
        raw_values: gives the raw values; called once, and only if a tie or ARX's own order asks for them.
        sensitive: gives the values that privacy models read; called once, and only if there are such models.
        warnings: findings in the table.

    Raises:
        DataError: k exceeds the number of records.
        StudyError: the study asks for safe recoding, for d-presence, or for a model of a quasi-identifier.
        TooLargeError: the lattice is larger than the engine admits.
    """
    if study.safe:
        raise StudyError('The study says profile = "safe", which is no run of ARX; publish it by safe recoding.')
    if any(isinstance(model, DPresence) for model in study.privacy):
        raise StudyError("Local recoding knows no d-presence; remove that model, or recode globally.")
    asked, study = ties, study.planned
    # Where the nodes of a layer differ in share, or by another quality model, what a state loses depends on the records
    # that are left: no sweep then.
    ties = "paper" if asked == "paper" and study.lattice.uniform and study.quality.plain else "arx"
    run = _Run(study, ties, cells, raw_values, sensitive)
    if ties == "paper":
        run.sweep()
    else:
        run.follow_arx()
        if asked == "paper" and study.share is not None and not study.lattice.uniform:
            warnings = (*warnings, ARX_STEPS)
    warnings = (*warnings, *run.loss_warnings)
    steps = tuple(run.steps)
    return CellRecoding(study, run.lattice, run.cells, run.taken, steps, warnings, ties=ties, passing=run.passing)


class _Run(Rounds):
    """ARX-LR under way."""

    def __init__(
        self,
        study: Study,
        ties: RecodeTies,
        cells: CellCounts,
        raw_values: Callable[[], RawValues],
        sensitive: Callable[[], SensitiveCounts],
    ) -> None:
        super().__init__(study, cells)
        self.ties = ties
        self._raw_values = cache(raw_values)
        columns = any(model.columns for model in study.privacy)
        self.passing = Passing(study, self.cells, sensitive().spreads() if columns else {})

    def sweep(self) -> None:
        """The states in ascending (loss, c1, c2), again from the first where what failed once may pass later."""
        outlook = _Outlook(self.study, self.passing.least, self.cells, self.lattice.states)
        groups = self.lattice.groups
        starts = np.cumsum([0, *map(len, groups)]).tolist()
        turn, in_vain = 0, 0
        while self.remaining.records >= self.passing.least and self.lattice.top not in groups[turn]:
            hopeful = outlook.hopeful(slice(starts[turn], starts[turn + 1]), self.remaining)
            if hopeful and self._publish_one_of(groups[turn]):
                turn, in_vain = turn if self.passing.monotone else 0, 0
                continue
            turn, in_vain = turn + 1, in_vain + hopeful
            if in_vain == PATIENCE and self.passing.monotone and not self._anything_left():
                return

    def _anything_left(self) -> bool:
        """Whether a state just below the top could publish: where none can, no finer one can either."""
        top = self.lattice.top
        below = [(*top[:i], layer - 1, *top[i + 1 :]) for i, layer in enumerate(top) if layer > 1]
        return any(self._enough(self.passing.filled(self.remaining, state)) for state in below)

    def _publish_one_of(self, group: Sequence[State]) -> bool:
        """Publish the boxes of one of some states that tie exactly; False where none can be published."""
        filled = {state: self.passing.filled(self.remaining, state) for state in group}
        feasible = [state for state, boxes in filled.items() if self._enough(boxes)]
        if not feasible:
            return False
        tied = self._tie(feasible) if len(feasible) > 1 else ()
        # The group is in the order of the states, and min keeps the first of equals.
        state = min(tied, key=lambda candidate: candidate.c3).state if tied else feasible[0]  # type: ignore[arg-type, return-value]
        self.publish(state, filled[state], tied)
        return True

    def follow_arx(self) -> None:
        """The states that ARX itself would choose."""
        raw, distinct = self._raw_values(), self._distinct()
        arx = (
            ArxOrder(self.study, raw.order, distinct, self.cells, self.passing)
            if self.study.quality.plain
            else ArxByQuality(self.study, raw, distinct, self.cells, self.passing)
        )
        while (state := arx.choose(self.remaining)) is not None:
            self.publish(state, self.passing.filled(self.remaining, state))

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
        return self._raw_values().distinct(self.remaining.by_number(self.remaining.counts > 0))

    def _enough(self, boxes: Filled) -> bool:
        return _enough(self.study, self.ties, self.cells.records, self.remaining.records, boxes.sizes)

    def _candidate(self, state: State, c3: Fraction | None) -> Candidate:
        return _candidate(self.study, self.ties, self.passing, self.cells.records, state, self.remaining, c3)


class _Outlook:
    """Which of the states to come may be feasible: many of them are looked at together.

    What a state can publish falls as records are taken. So what was once too little stays too little.

    Args:
        study: says what is enough.
        least: the fewest records of a box that can be published.
        cells: all cells that hold records.
        states: in the order of their turns.
    """

    def __init__(self, study: Study, least: int, cells: OccupiedCells, states: Sequence[State]) -> None:
        self._least, self._need = least, study.step_minimum(cells.records)
        self._states = np.array(states)
        self._boxes = np.cumsum(cells.grid.box_shapes(self._states).prod(axis=1))
        self._most = [cells.records] * len(states)
        self._seen, self._cells = 0, 0  # how many states were looked at, and how many cells there were then

    def hopeful(self, turns: slice, cells: OccupiedCells) -> bool:
        """Whether any of the states that have their turn may publish enough of what is left."""
        many = len(cells.counts)
        if many > FEW_CELLS:
            return True
        if turns.stop > self._seen or 2 * many < self._cells:
            boxes = int(np.searchsorted(self._boxes, BOXES + (self._boxes[turns.start - 1] if turns.start else 0)))
            ahead = slice(turns.start, min(turns.start + PAIRS // many, boxes))
            if ahead.stop > ahead.start:
                self._most[ahead] = cells.held(self._states[ahead], self._least).tolist()
            self._seen, self._cells = max(turns.stop, ahead.stop), many
        return any(most >= self._need for most in self._most[turns])


def _candidate(
    study: Study,
    ties: RecodeTies,
    passing: Passing,
    records: int,
    state: State,
    remaining: OccupiedCells,
    c3: Fraction | None,
) -> Candidate:
    """A state as the remaining records have it; ``records`` is the number of all."""
    totals, full, lattice = remaining.boxes(state)[2], passing.filled(remaining, state).sizes, study.lattice
    return Candidate(
        state,
        lattice.loss(state),
        lattice.c1(state),
        lattice.c2(state),
        c3,
        len(full),
        int(full.sum()),
        int(totals.max(initial=0)),
        _enough(study, ties, records, remaining.records, full),
    )


def _enough(study: Study, ties: RecodeTies, records: int, left: int, full: NDArray[np.int64]) -> bool:
    """True when a step that publishes classes of these sizes may be one, of ``left`` from all ``records``."""
    needed = study.step_minimum(records) if ties == "paper" or not left else least_published(study.share, records, left)
    return len(full) > 0 and int(full.sum()) >= needed
