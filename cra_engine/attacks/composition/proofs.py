"""What is certain of a part's atoms, whether it is possible at all, and why: CP-SAT on the releases side by side."""

import math
from collections.abc import Callable, Sequence

from ortools.sat.python import cp_model

from cra_engine.attacks.composition.parts import Part, PartSum
from cra_engine.attacks.tight.certainty import _FOUND, Model, Ranges, _solve, close_in
from cra_engine.patience import Stopped, checkpoint, stoppable


def known_ranges(part: Part) -> Ranges:
    """What is proven of each atom's records without any search."""
    times = part.times
    lowest = [sum(low for low, _ in part.limits[at : at + times]) for at in range(0, len(part.limits), times)]
    highest = [sum(high for _, high in part.limits[at : at + times]) for at in range(0, len(part.limits), times)]
    return Ranges(lowest, highest)


def close(part: Part, ranges: Ranges, seconds: Callable[[], float], *, certain_only: bool) -> None:
    """Prove the smallest and largest number of records of each atom as far as the time goes; see ``close_ranges``."""
    if not ranges.possible:
        return
    try:
        with stoppable(lambda: seconds() <= 0):
            model = _model(part)
    except Stopped:
        return
    close_in([model], ranges, seconds, certain_only=certain_only)


def possible(part: Part, seconds: Callable[[], float]) -> bool | None:
    """Whether some counts satisfy a part; None without an answer in time."""
    try:
        with stoppable(lambda: seconds() <= 0):
            model, _ = _model(part)
    except Stopped:
        return None
    status = _solve(model, seconds, math.inf)[1]
    if status in _FOUND:
        return True
    return False if status == cp_model.INFEASIBLE else None


def ends_of(part: Part, atoms: Sequence[int], seconds: Callable[[], float]) -> tuple[int, int] | None:
    """The least and the most that some atoms can hold together; None without both in time."""
    found = []
    for sign in (1, -1):
        try:
            with stoppable(lambda: seconds() <= 0):
                model, counts = _model(part)
        except Stopped:
            return None
        model.minimize(sign * sum(counts[atom] for atom in atoms))
        solver, status = _solve(model, seconds, 10.0)
        if status != cp_model.OPTIMAL:
            return None
        found.append(sum(solver.value(counts[atom]) for atom in atoms))
    return found[0], found[1]


def forced(
    limits: Sequence[tuple[int, int]],
    sums: Sequence[PartSum],
    counts: Sequence[int],
    value: int,
    seconds: Callable[[], float],
) -> bool | None:
    """Whether these sums leave some counts no other sum than ``value``; None without an answer in time."""
    try:
        with stoppable(lambda: seconds() <= 0):
            model = cp_model.CpModel()
            variables = [model.new_int_var(low, high, "") for low, high in limits]
            for s in sums:
                checkpoint()
                _add(model, variables, s, None)
    except Stopped:
        return None
    model.add(sum(variables[count] for count in counts) != value)
    status = _solve(model, seconds, 10.0)[1]
    return status == cp_model.INFEASIBLE if status in (*_FOUND, cp_model.INFEASIBLE) else None


def _model(part: Part) -> Model:
    """One variable per count; per atom what it holds in all; and of each source one option."""
    model = cp_model.CpModel()
    counts = [model.new_int_var(low, high, "") for low, high in part.limits]
    for options in part.sources:
        chosen = [model.new_bool_var("") for _ in options] if len(options) > 1 else [None]
        if len(options) > 1:
            model.add_bool_or([holds for holds in chosen if holds is not None])
        for option, holds in zip(options, chosen, strict=True):
            for s in option.sums:
                checkpoint()
                _add(model, counts, s, holds)
    if part.times == 1:
        return model, counts
    held = []
    for at in range(0, len(counts), part.times):
        own = counts[at : at + part.times]
        ends = part.limits[at : at + part.times]
        whole = model.new_int_var(sum(low for low, _ in ends), sum(high for _, high in ends), "")
        model.add(whole == sum(own))
        held.append(whole)
    return model, held


def _add(model: cp_model.CpModel, counts: Sequence[cp_model.IntVar], s: PartSum, holds: cp_model.IntVar | None) -> None:
    """A sum, always or where ``holds`` is true."""
    if s.boxes:
        _add_skipped(model, counts, s, holds)
        return
    total = cp_model.LinearExpr.sum([counts[count] for count in s.counts])
    added = model.add_linear_constraint(total, s.lower, s.upper)
    if holds is not None:
        added.only_enforce_if(holds)


def _add_skipped(
    model: cp_model.CpModel, counts: Sequence[cp_model.IntVar], s: PartSum, holds: cp_model.IntVar | None
) -> None:
    """Of the boxes of a skipped state, those with k records or more hold at most ``s.upper`` together."""
    spent = []
    for box, known in zip(s.boxes, s.held, strict=True):
        held = sum(counts[count] for count in box) + known
        full, part = model.new_bool_var(""), model.new_int_var(0, 2**31, "")
        model.add(held <= s.k - 1).only_enforce_if(~full)
        model.add(part >= held).only_enforce_if(full)
        spent.append(part)
    added = model.add(sum(spent) <= s.upper)
    if holds is not None:
        added.only_enforce_if(holds)
