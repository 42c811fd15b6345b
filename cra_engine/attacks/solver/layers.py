"""All ways to fill a part, one count after the other: layers of partial tables that agree in what is still open.

Partial tables with the same open sums go on alike, so they are one state. A walk through all layers is a way to fill
the part. Where the states are too many, some are drawn and stand for the others: see
:mod:`cra_engine.attacks.solver.walks`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.solver.columns import AT_LEAST, AT_MOST, EQUAL, CountPlan, CountStep
from cra_engine.patience import checkpoint

Ints = NDArray[np.int64]


class TooManyStates(Exception):  # noqa: N818 - a signal to estimate instead, not a failure
    """The solver's count would need more states or moves than allowed."""


@dataclass
class States:
    """The solver's partial tables of a part that agree in all that matters for the rest, one row each.

    Attributes:
        open: values of the open columns (states x columns); 0 in those of options that are broken.
        alive: per option whether it still holds (states x options); None where each source has one option only.
        used: records in the atom that is being filled (states).
    """

    open: NDArray[np.int32]
    alive: NDArray[np.bool_] | None
    used: NDArray[np.int32]

    def __len__(self) -> int:
        """How many they are."""
        return len(self.used)


@dataclass
class Moves:
    """The solver's moves from one layer of partial tables to the next, ordered by where they start.

    Attributes:
        start: per move the state that it starts from.
        value: what the count is.
        used: records that the atom held before.
        end: the state that it leads to.
        ends: number of states that they lead to.
    """

    start: Ints
    value: Ints
    used: Ints
    end: Ints
    ends: int


def beginning(plan: CountPlan) -> States:
    """Return the one state of a part from which the solver begins: nothing is known."""
    alive = np.ones((1, len(plan.source_of)), dtype=bool) if plan.several else None
    return States(np.zeros((1, 0), dtype=np.int32), alive, np.zeros(1, dtype=np.int32))


def advance(plan: CountPlan, step: CountStep, states: States, most_moves: int) -> tuple[Moves, States]:
    """Take one count of a part: the solver's moves to the next layer.

    Args:
        plan: the columns.
        step: which count, and what it does to them.
        states: where to start from.
        most_moves: give up when there are more moves.

    Raises:
        TooManyStates: more moves than that.
        Stopped: see :mod:`cra_engine.patience`.
    """
    now = np.concatenate([states.open, np.broadcast_to(step.opened, (len(states), len(step.opened)))], axis=1)
    if states.alive is not None and len(step.opened):
        _silence(step, now, states.alive)
    used = np.zeros_like(states.used) if step.first else states.used
    allowed = _allowed(plan, step, now, states.alive)
    starts, values, opens, alives, useds = [], [], [], [], []
    moves = 0
    for value in step.values:
        checkpoint()
        holds = (allowed[0] <= value) & (value <= allowed[1])  # options x states, or one row for all of them
        rows = np.flatnonzero(holds[0] if states.alive is None else _every_source(plan, holds))
        if not len(rows):
            continue
        after = now[rows]
        after[:, step.touched] -= np.int32(value)
        alive = None if states.alive is None else holds[:, rows].T.copy()
        kept = _boxes(plan, step, after, alive, value)
        if not kept.all():
            rows, after = rows[kept], after[kept]
            alive = None if alive is None else alive[kept]
        moves += len(rows)
        if moves > most_moves:
            raise TooManyStates
        starts.append(rows)
        values.append(np.full(len(rows), value))
        opens.append(after[:, step.kept])
        useds.append(used[rows] + value)
        if alive is not None:
            alives.append(alive)
    if not starts:
        nothing = np.zeros(0, dtype=np.int64)
        columns = np.zeros((0, len(step.kept)), dtype=np.int32)
        gone = None if states.alive is None else states.alive[:0]
        return Moves(nothing, nothing, nothing, nothing, 0), States(columns, gone, np.zeros(0, dtype=np.int32))
    start, value_of = np.concatenate(starts), np.concatenate(values)
    open_, filled = np.concatenate(opens), np.concatenate(useds)
    alive = np.concatenate(alives) if alives else None
    _trim(step, open_)
    if alive is not None:
        _silence_kept(plan, step, open_, alive)
    before = used[start]
    carried = np.zeros_like(filled) if step.last else filled
    first, end = _merged(open_, alive, carried)
    order = np.argsort(start, kind="stable")
    reached = States(open_[first], None if alive is None else alive[first], carried[first])
    result = Moves(start[order], value_of[order], before[order].astype(np.int64), end[order], len(first))
    return result, reached


def _allowed(
    plan: CountPlan, step: CountStep, now: NDArray[np.int32], alive: NDArray[np.bool_] | None
) -> tuple[Ints, Ints]:
    """Per option and state the least and the most that the count may be; one row where no option can break alone."""
    rows = 1 if alive is None else len(plan.source_of)
    low = np.full((rows, len(now)), step.values.start, dtype=np.int64)
    high = np.full((rows, len(now)), step.values.stop - 1, dtype=np.int64)
    for place, option, kind, (least, most) in zip(
        step.touched, step.touched_option, step.kinds, step.to_come.T, strict=True
    ):
        row = 0 if alive is None else option
        if kind in (EQUAL, AT_MOST):
            np.minimum(high[row], now[:, place] - least, out=high[row])
        if kind in (EQUAL, AT_LEAST):
            np.maximum(low[row], now[:, place] - most, out=low[row])
    if alive is not None:
        high[~alive.T] = -1
    return low, high


def _every_source(plan: CountPlan, holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Per state whether each source still has an option that holds (options x states)."""
    result = np.ones(holds.shape[1], dtype=bool)
    for source in range(plan.source_of[-1] + 1):
        mine = [option for option, own in enumerate(plan.source_of) if own == source]
        result &= holds[mine].any(axis=0)
    return result


def _boxes(
    plan: CountPlan, step: CountStep, after: NDArray[np.int32], alive: NDArray[np.bool_] | None, value: int
) -> NDArray[np.bool_]:
    """Fill the boxes of skipped states that hold the count; which rows still keep their caps."""
    kept = np.ones(len(after), dtype=bool)
    for place, cap, option, full, ends, to_come in step.boxes:
        after[:, place] += np.int32(value)
        held = after[:, place]
        broken = (held >= full) & (held > after[:, cap])
        if ends:
            after[:, cap] -= np.where(held >= full, held, 0)
        after[held + to_come < full, place] = 0  # it never gets full, so what it holds does not matter
        if alive is None:
            kept &= ~broken
        else:
            alive[broken, option] = False
    if alive is not None and step.boxes:
        kept = _every_source(plan, alive.T)
    return kept


def _trim(step: CountStep, open_: NDArray[np.int32]) -> None:
    """Cut what sums admit to what can still come, so that states agree that go on alike."""
    for place, kind, limit, needs, free in step.trims:
        column = open_[:, place]
        if kind == AT_LEAST:
            np.maximum(column, limit, out=column)
            continue
        np.minimum(column, limit, out=column)
        if needs or free < limit:
            room = np.full(len(open_), free, dtype=np.int32)
            for total, most in needs:
                room += np.minimum(open_[:, total], np.int32(most))
            np.minimum(column, room, out=column)


def _silence(step: CountStep, now: NDArray[np.int32], alive: NDArray[np.bool_]) -> None:
    """Let the columns that begin be 0 where their option is broken, as the others are."""
    first = now.shape[1] - len(step.opened)
    if not alive.all():
        # Which options the opened columns belong to stands with the touched ones and the boxes.
        option_of = dict(zip(step.touched.tolist(), step.touched_option.tolist(), strict=True))
        option_of |= {place: option for place, _, option, *_ in step.boxes}
        option_of |= {cap: option for _, cap, option, *_ in step.boxes}
        for place in range(first, now.shape[1]):
            now[~alive[:, option_of[place]], place] = 0


def _silence_kept(plan: CountPlan, step: CountStep, open_: NDArray[np.int32], alive: NDArray[np.bool_]) -> None:
    if not alive.all():
        options = np.array([plan.columns[number].option for number in step.columns], dtype=np.int64)
        open_[~alive[:, options]] = 0


def _merged(open_: NDArray[np.int32], alive: NDArray[np.bool_] | None, used: NDArray[np.int32]) -> tuple[Ints, Ints]:
    """Rows that are alike, once: where each first stands, and per row which of these it is."""
    parts = [open_, used[:, np.newaxis]]
    if alive is not None:
        parts.append(alive.astype(np.int32))
    rows = np.ascontiguousarray(np.concatenate(parts, axis=1))
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, end = np.unique(keys, return_index=True, return_inverse=True)
    return first, end.astype(np.int64)
