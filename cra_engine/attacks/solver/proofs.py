"""Proofs by CP-SAT: which counts of a part are certain, whether it is possible, and which bounds force a count."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING

from cra_engine.attacks.solver.ends import NEAR_WHOLE, at_the_ends
from cra_engine.attacks.solver.parts import PartSum, SystemPart
from cra_engine.counting import cp_sat as cp_model
from cra_engine.errors import MissingLibraryError
from cra_engine.patience import Stopped, checkpoint, stoppable

SLICE, GAP = 2.0, 0.2  # seconds for one of many questions; how near the optimum its answer has to be
MOST_CHOICES = 24  # of orders of tied states that linear programs look at
if TYPE_CHECKING:
    Model = tuple[cp_model.CpModel, list[cp_model.IntVar]]


def solve_model(
    model: cp_model.CpModel, left: Callable[[], float], most: float, gap: float = 0.0, *, probing: bool = True
) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
    """Solve a model by CP-SAT on one thread for ``most`` seconds or the time left; stop soon after a cancellation.

    With an objective a solution counts as optimal that is within the relative ``gap`` of the optimum. ``probing`` tries
    values before the search, which many small questions are answered faster without.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.relative_gap_limit = gap
    if not probing:
        solver.parameters.cp_model_probing_level = 0
    solver.parameters.max_time_in_seconds = max(min(left(), most), 0.01)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            if left() <= 0:
                solver.stop_search()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        status = solver.solve(model)
    finally:
        done.set()
        watcher.join()
    return solver, status


Side = tuple[int, int]
"""An atom, and -1 for its smallest count or 1 for its largest."""


@dataclass
class Ranges:
    """The smallest and largest counts of a part's atoms, as far as the solver proved them, and those that it met.

    Attributes:
        lowest: per atom, proven: no possible data set gives it less.
        highest: per atom, proven: no possible data set gives it more.
        seen: smallest and largest count per atom in the possible data sets that were met; None without any.
        possible: False when it is proven that no data set satisfies the component.
    """

    lowest: list[int]
    highest: list[int]
    seen: tuple[list[int], list[int]] | None = None
    possible: bool = True

    @property
    def fixed(self) -> dict[int, int]:
        """The atoms whose count is the same in every possible data set."""
        ends = enumerate(zip(self.lowest, self.highest, strict=True))
        return {atom: low for atom, (low, high) in ends if low == high}

    @property
    def doubtful(self) -> set[int]:
        """The atoms that may be fixed or not: no two counts were met, nor was it proven that there is only one."""
        fixed = self.fixed
        return {atom for atom in range(len(self.lowest)) if atom not in fixed and not self._varies(atom)}

    def _varies(self, atom: int) -> bool:
        return self.seen is not None and self.seen[0][atom] < self.seen[1][atom]

    @property
    def sides(self) -> list[Side]:
        """The ends that are not known yet: what was met stays inside what is proven."""
        if self.seen is None:
            return []
        least, most = self.seen
        lower = [(atom, -1) for atom, low in enumerate(self.lowest) if low < least[atom]]
        return lower + [(atom, 1) for atom, high in enumerate(self.highest) if high > most[atom]]

    def meet(self, counts: Sequence[int]) -> None:
        """Take note of a possible data set."""
        least, most = self.seen or (list(counts), list(counts))
        self.seen = list(map(min, least, counts)), list(map(max, most, counts))

    def close(self, side: Side) -> None:
        """Take note that what was met at this end cannot be passed."""
        if self.seen is not None:
            atom, direction = side
            if direction < 0:
                self.lowest[atom] = self.seen[0][atom]
            else:
                self.highest[atom] = self.seen[1][atom]


def known_ranges(part: SystemPart) -> Ranges:
    """Return the limits of each atom's records in a part of a system that are proven without any search."""
    times = part.times
    lowest = [sum(low for low, _ in part.limits[at : at + times]) for at in range(0, len(part.limits), times)]
    highest = [sum(high for _, high in part.limits[at : at + times]) for at in range(0, len(part.limits), times)]
    return Ranges(lowest, highest)


def close_ranges(part: SystemPart, ranges: Ranges, seconds: Callable[[], float], *, certain_only: bool) -> None:
    """Prove the smallest and largest count of each atom by CP-SAT, or meet counts that go further, in time.

    Only ends are asked for that the counts met and the limits proven so far leave open. One solve asks for many at
    once: are there counts that pass one of them, and then as many as possible? If there are none, all are proven.
    Where the answer takes long, the halves are asked for one after the other.

    Args:
        part: the part.
        ranges: what is known so far; refined in place.
        seconds: how long may still be spent.
        certain_only: True to ask only for atoms that may be certain.
    """
    if not ranges.possible:
        return
    try:
        with stoppable(lambda: seconds() <= 0):
            model = _model(part)
    except (Stopped, MissingLibraryError):
        return
    hopeful = _go_to_ends(part, ranges, seconds, certain_only=certain_only)
    if ranges.seen is None:
        _first(model, ranges, seconds)
    sides = sorted(_asked(ranges, certain_only=certain_only))
    # Hopeful ends are asked first, which is last in this list.
    groups = [[side for side in sides if side not in hopeful], [side for side in sides if side in hopeful]]
    for side in _impassable(model, ranges, groups, seconds, certain_only=certain_only):
        ranges.close(side)


def _go_to_ends(part: SystemPart, ranges: Ranges, seconds: Callable[[], float], *, certain_only: bool) -> set[Side]:
    """Meet the counts that linear programs find at the ends; the ends that seem to go further still."""
    hopeful: set[Side] = set()
    if part.times > 1:  # an atom is then a sum of counts
        return hopeful
    wanted = sorted(_asked(ranges, certain_only=certain_only))
    for options in islice(product(*part.sources), MOST_CHOICES):
        sums = [s for option in options for s in option.sums]
        asked = (side for side in wanted if side in _asked(ranges, certain_only=certain_only))
        for side, limit, counts in at_the_ends(sums, part.limits, asked, seconds):
            if counts is not None:
                ranges.meet(counts)
            elif ranges.seen is not None:
                atom, direction = side
                least, most = ranges.seen
                if limit <= least[atom] - 1 + NEAR_WHOLE if direction < 0 else limit >= most[atom] + 1 - NEAR_WHOLE:
                    hopeful.add(side)
    return hopeful


def _asked(ranges: Ranges, *, certain_only: bool) -> set[Side]:
    doubtful = ranges.doubtful
    return {side for side in ranges.sides if side[0] in doubtful or not certain_only}


def _first(model: Model, ranges: Ranges, seconds: Callable[[], float]) -> None:
    """Meet first possible counts, if there are any and they are found in time."""
    solver, status = solve_model(model[0], seconds, math.inf)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        ranges.meet([solver.value(count) for count in model[1]])
    ranges.possible = status != cp_model.INFEASIBLE


def _impassable(
    made: Model,
    ranges: Ranges,
    groups: list[list[Side]],
    seconds: Callable[[], float],
    *,
    certain_only: bool,
) -> list[Side]:
    """Those of the ends that no counts pass; ends are moved by those that do.

    The groups are asked one after the other, the last first.
    """
    proven: list[Side] = []
    rng = random.Random(0)
    while groups and seconds() > 0:
        asked = _asked(ranges, certain_only=certain_only)
        group = [side for side in groups.pop() if side in asked]
        if not group:
            continue
        status, met = _beyond(made, ranges, group, seconds, rng)
        if met is not None:
            ranges.meet(met)
            groups.append(group)
        elif status == cp_model.INFEASIBLE:
            proven += group
        elif len(group) > 1:
            groups += [group[: len(group) // 2], group[len(group) // 2 :]]
    return proven


def _beyond(
    made: Model,
    ranges: Ranges,
    sides: Sequence[Side],
    seconds: Callable[[], float],
    rng: random.Random,
) -> tuple[cp_model.CpSolverStatus, list[int] | None]:
    """A data set that passes one of these ends, and others as well where that is possible.

    What it aims for are the ends with weights drawn at random: some of them are then reached together, others next
    time, which finds all of them sooner than passing as many as possible each time.
    """
    least, most = ranges.seen or ([], [])
    model = made[0].clone()
    counts = [model.get_int_var_from_proto_index(count.index) for count in made[1]]
    passed = []
    for atom, direction in sides:
        passes = model.new_bool_var("")
        beyond = counts[atom] <= least[atom] - 1 if direction < 0 else counts[atom] >= most[atom] + 1
        model.add(beyond).only_enforce_if(passes)
        passed.append(passes)
    model.add_bool_or(passed)
    model.maximize(sum(rng.randint(1, 1000) * direction * counts[atom] for atom, direction in sides))
    solver, status = solve_model(model, seconds, SLICE, GAP)
    return status, [solver.value(count) for count in counts] if status in (
        cp_model.OPTIMAL,
        cp_model.FEASIBLE,
    ) else None


def minimal_set(
    number: int, forced: Callable[[Sequence[int]], bool | None], late: Callable[[int], bool]
) -> tuple[list[int], bool] | None:
    """Drop one of some constraints after the other while the rest still force something (a deletion filter).

    Args:
        number: of the constraints.
        forced: whether some of them force it; None without an answer in time.
        late: True for those that are tried last, so that they rather stay.

    Returns:
        What is left, and whether each of these was shown to be needed; None where all of them do not force it, or no
        answer came.
    """
    needed = list(range(number))
    if not forced(needed):
        return None
    minimal = True
    for position in sorted(needed, key=late):
        rest = [p for p in needed if p != position]
        answer = forced(rest)
        if answer:
            needed = rest
        minimal &= answer is not None  # without an answer the constraint stays, but nobody knows whether it has to
    return needed, minimal


def counts_possible(part: SystemPart, seconds: Callable[[], float]) -> bool | None:
    """Return whether some counts satisfy a part of a system; None without an answer in time."""
    try:
        with stoppable(lambda: seconds() <= 0):
            model, _ = _model(part)
    except (Stopped, MissingLibraryError):
        return None
    status = solve_model(model, seconds, math.inf)[1]
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return True
    return False if status == cp_model.INFEASIBLE else None


def ends_of(part: SystemPart, atoms: Sequence[int], seconds: Callable[[], float]) -> tuple[int, int] | None:
    """Return the least and the most that some atoms of a part can hold together; None without both in time."""
    results = []
    for sign in (1, -1):
        try:
            with stoppable(lambda: seconds() <= 0):
                model, counts = _model(part)
        except (Stopped, MissingLibraryError):
            return None
        model.minimize(sign * sum(counts[atom] for atom in atoms))
        solver, status = solve_model(model, seconds, 10.0)
        if status != cp_model.OPTIMAL:
            return None
        results.append(sum(solver.value(counts[atom]) for atom in atoms))
    return results[0], results[1]


def sum_forced(
    limits: Sequence[tuple[int, int]],
    sums: Sequence[PartSum],
    counts: Sequence[int],
    value: int | None,
    seconds: Callable[[], float],
) -> bool | None:
    """Return whether a part's sums leave some counts only the sum ``value``, or nothing at all without a value.

    None without an answer in time.
    """
    try:
        with stoppable(lambda: seconds() <= 0):
            model, variables = bounded_model(limits, sums)
    except (Stopped, MissingLibraryError):
        return None
    if value is not None:
        model.add(sum(variables[count] for count in counts) != value)
    status = solve_model(model, seconds, 10.0)[1]
    answered = status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    return status == cp_model.INFEASIBLE if answered else None


def bounded_model(limits: Sequence[tuple[int, int]], sums: Sequence[PartSum]) -> Model:
    """Build CP-SAT's model of a part: one variable per count within its limits, and all of these bounds."""
    model = cp_model.CpModel()
    counts = [model.new_int_var(low, high, "") for low, high in limits]
    for s in sums:
        checkpoint()
        _add(model, counts, s, None)
    return model, counts


def _model(part: SystemPart) -> Model:
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
    """Bounds the boxes of a skipped state: those with k records or more hold at most ``s.upper`` together."""
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
