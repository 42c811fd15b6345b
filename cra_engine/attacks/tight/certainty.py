"""What is certain about single cells, and why: CP-SAT on the tight system."""

import math
import random
import threading
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ortools.sat.python import cp_model

from cra_engine.attacks.tight.components import Component, Option, Sum
from cra_engine.attacks.tight.system import Bound
from cra_engine.attacks.tight.vertices import NEAR_WHOLE, at_the_ends
from cra_engine.patience import Stopped, checkpoint, stoppable

SLICE, GAP = 2.0, 0.2  # seconds for one of many questions; how near the optimum its answer has to be
_FOUND = (cp_model.OPTIMAL, cp_model.FEASIBLE)
Model = tuple[cp_model.CpModel, list[cp_model.IntVar]]


def _solve(
    model: cp_model.CpModel, left: Callable[[], float], most: float, gap: float = 0.0
) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
    """Solve on one thread for ``most`` seconds or as long as time is left, and stop soon after a cancellation.

    With an objective a solution counts as optimal that is within the relative ``gap`` of the optimum.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.relative_gap_limit = gap
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


def _model(option: Option, chosen: Sequence[int], atoms: int, k: int) -> Model:
    """One variable per atom, and the chosen sums of an option."""
    model = cp_model.CpModel()
    most = max((s.upper for s in option.sums), default=0)
    counts = [model.new_int_var(0, most, f"x{atom}") for atom in range(atoms)]
    for position in chosen:
        checkpoint()
        s = option.sums[position]
        if s.boxes:
            _add_skipped(model, counts, s, k)
        else:
            total = cp_model.LinearExpr.sum([counts[atom] for atom in s.atoms])
            model.add_linear_constraint(total, s.lower, s.upper)
    return model, counts


def _add_skipped(model: cp_model.CpModel, counts: Sequence[cp_model.IntVar], s: Sum, k: int) -> None:
    """Of the boxes of a skipped state, those with k records or more hold at most ``s.upper`` together."""
    spent = []
    for box in s.boxes:
        held = sum(counts[atom] for atom in box)
        full, part = model.new_bool_var(""), model.new_int_var(0, s.upper, "")
        model.add(held <= k - 1).only_enforce_if(~full)
        model.add(part >= held).only_enforce_if(full)
        spent.append(part)
    model.add(sum(spent) <= s.upper)


Side = tuple[int, int]
"""An atom, and -1 for its smallest count or 1 for its largest."""


@dataclass
class Ranges:
    """What is known of the counts of a component's atoms.

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


def known_ranges(component: Component) -> Ranges:
    """What single bounds say about each atom, without any search."""
    atoms = range(len(component.atoms))
    lowest, highest = [], []
    for option in component.options:
        plain = [s for s in option.sums if not s.boxes]
        most = max(s.upper for s in plain)
        high = [most for _ in atoms]
        for s in plain:
            for atom in s.atoms:
                high[atom] = min(high[atom], s.upper)
        low = [0 for _ in atoms]
        for s in plain:
            room = sum(high[atom] for atom in s.atoms)
            for atom in s.atoms:
                low[atom] = max(low[atom], s.lower - (room - high[atom]))
        if all(least <= most for least, most in zip(low, high, strict=True)):
            lowest.append(low)
            highest.append(high)
    if not lowest:
        return Ranges([0 for _ in atoms], [0 for _ in atoms], possible=False)
    return Ranges([min(ends) for ends in zip(*lowest, strict=True)], [max(ends) for ends in zip(*highest, strict=True)])


def close_ranges(
    component: Component, ranges: Ranges, k: int, seconds: Callable[[], float], *, certain_only: bool
) -> None:
    """Prove the smallest and largest count of each atom, or meet data sets that go further, as long as time is left.

    Only ends are asked for that the data sets met and the limits proven so far leave open. One solve asks for many at
    once: is there a data set that passes one of them, and then as many as possible? If there is none, all are proven.
    Where the answer takes long, the halves are asked for one after the other.

    Args:
        component: the component.
        ranges: what is known so far; refined in place.
        k: of the release.
        seconds: how long may still be spent.
        certain_only: True to ask only for atoms that may be fixed.
    """
    if not ranges.possible:
        return
    try:
        with stoppable(lambda: seconds() <= 0):
            models = [_model(option, range(len(option.sums)), len(component.atoms), k) for option in component.options]
    except Stopped:
        return
    hopeful: set[Side] = set()
    for option in component.options:
        hopeful |= _go_to_ends(option, ranges, k, seconds, certain_only=certain_only)
    close_in(models, ranges, seconds, certain_only=certain_only, hopeful=hopeful)


def close_in(
    models: Sequence[Model],
    ranges: Ranges,
    seconds: Callable[[], float],
    *,
    certain_only: bool,
    hopeful: AbstractSet[Side] = frozenset(),
) -> None:
    """As :func:`close_ranges`, where the counts of one of some models are possible; hopeful ends are asked first."""
    if ranges.seen is None:
        _first(models, ranges, seconds)
    sides = sorted(_asked(ranges, certain_only=certain_only))
    for model, counts in models:
        # What an option cannot pass now it cannot pass later, when another option has moved the end further.
        groups = [[side for side in sides if side not in hopeful], [side for side in sides if side in hopeful]]
        sides = _impassable(model, counts, ranges, groups, seconds, certain_only=certain_only)
    for side in sides:
        ranges.close(side)


def _go_to_ends(
    option: Option, ranges: Ranges, k: int, seconds: Callable[[], float], *, certain_only: bool
) -> set[Side]:
    """Meet the data sets of an option that linear programs find at the ends; the ends that seem to go further still."""
    wanted = sorted(_asked(ranges, certain_only=certain_only))
    asked = (side for side in wanted if side in _asked(ranges, certain_only=certain_only))
    hopeful: set[Side] = set()
    for side, limit, found in at_the_ends(option, len(ranges.lowest), k, asked, seconds):
        if found is not None:
            ranges.meet(found)
        elif ranges.seen is not None:
            atom, direction = side
            least, most = ranges.seen
            if limit <= least[atom] - 1 + NEAR_WHOLE if direction < 0 else limit >= most[atom] + 1 - NEAR_WHOLE:
                hopeful.add(side)
    return hopeful


def _asked(ranges: Ranges, *, certain_only: bool) -> set[Side]:
    doubtful = ranges.doubtful
    return {side for side in ranges.sides if side[0] in doubtful or not certain_only}


def _first(models: Sequence[Model], ranges: Ranges, seconds: Callable[[], float]) -> None:
    """Meet a first possible data set, if there is one and it is found in time."""
    refuted = 0
    for model, counts in models:
        solver, status = _solve(model, seconds, math.inf)
        if status in _FOUND:
            ranges.meet([solver.value(count) for count in counts])
            return
        refuted += status == cp_model.INFEASIBLE
    ranges.possible = refuted < len(models)


def _impassable(
    model: cp_model.CpModel,
    counts: Sequence[cp_model.IntVar],
    ranges: Ranges,
    groups: list[list[Side]],
    seconds: Callable[[], float],
    *,
    certain_only: bool,
) -> list[Side]:
    """Those of the ends that no data set of an option passes; ends are moved by those data sets that do.

    The groups are asked one after the other, the last first.
    """
    proven: list[Side] = []
    rng = random.Random(0)
    while groups and seconds() > 0:
        asked = _asked(ranges, certain_only=certain_only)
        group = [side for side in groups.pop() if side in asked]
        if not group:
            continue
        status, found = _beyond(model, counts, ranges, group, seconds, rng)
        if found is not None:
            ranges.meet(found)
            groups.append(group)
        elif status == cp_model.INFEASIBLE:
            proven += group
        elif len(group) > 1:
            groups += [group[: len(group) // 2], group[len(group) // 2 :]]
    return proven


def _beyond(
    model: cp_model.CpModel,
    counts: Sequence[cp_model.IntVar],
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
    model = model.clone()
    counts = [model.get_int_var_from_proto_index(count.index) for count in counts]
    passed = []
    for atom, direction in sides:
        passes = model.new_bool_var("")
        beyond = counts[atom] <= least[atom] - 1 if direction < 0 else counts[atom] >= most[atom] + 1
        model.add(beyond).only_enforce_if(passes)
        passed.append(passes)
    model.add_bool_or(passed)
    model.maximize(sum(rng.randint(1, 1000) * direction * counts[atom] for atom, direction in sides))
    solver, status = _solve(model, seconds, SLICE, GAP)
    return status, [solver.value(count) for count in counts] if status in _FOUND else None


@dataclass(frozen=True)
class Reason:
    """Why an atom's count is certain: a set of bounds from which none can be left out.

    Attributes:
        bounds: the bounds.
        minimal: True when each was shown to be needed; False when the time did not suffice.
    """

    bounds: tuple[Bound, ...]
    minimal: bool


def reason(
    option: Option, atoms: int, atom: int, value: int | None, k: int, seconds: Callable[[], float]
) -> Reason | None:
    """A minimal set of bounds that force ``atom`` to hold ``value``; None without one, or without an answer in time.

    Without a value: a minimal set of bounds that contradict each other. Bounds are dropped one after the other as long
    as the rest still do (a deletion filter).
    """
    found = minimal_set(
        len(option.sums),
        lambda rest: _forced(option, rest, atoms, atom, value, k, seconds),
        lambda position: atom in option.sums[position].atoms,
    )
    return None if found is None else Reason(tuple(option.bounds[p] for p in found[0]), found[1])


def minimal_set(
    number: int, forced: Callable[[Sequence[int]], bool | None], late: Callable[[int], bool]
) -> tuple[list[int], bool] | None:
    """Drop one of some constraints after the other as long as the rest still force something (a deletion filter).

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


def _forced(
    option: Option,
    chosen: Sequence[int],
    atoms: int,
    atom: int,
    value: int | None,
    k: int,
    seconds: Callable[[], float],
) -> bool | None:
    """True when the chosen bounds leave ``atom`` no other value, or none at all where no value is given.

    None without an answer in time.
    """
    try:
        with stoppable(lambda: seconds() <= 0):
            model, counts = _model(option, chosen, atoms, k)
    except Stopped:
        return None
    if value is not None:
        model.add(counts[atom] != value)
    status = _solve(model, seconds, 10.0)[1]
    return status == cp_model.INFEASIBLE if status in (*_FOUND, cp_model.INFEASIBLE) else None
