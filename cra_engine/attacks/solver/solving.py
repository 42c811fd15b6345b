"""Solving a system of bounds part by part: known counts taken out, the rest counted or estimated, and ends proven."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.solver.bounds import CountSystem
from cra_engine.attacks.solver.counting import Counted, count_part
from cra_engine.attacks.solver.layers import TooManyStates
from cra_engine.attacks.solver.parts import Atom, Impossible, Limits, Part, split
from cra_engine.attacks.solver.proofs import Ranges, close_ranges, known_ranges, possible
from cra_engine.attacks.solver.repetitions import Estimate
from cra_engine.attacks.solver.views import CellView
from cra_engine.errors import TooLargeError
from cra_engine.patience import Stopped, checkpoint, stoppable
from cra_engine.study.grid import Cell

# Of the time that is left, what each step leaves to those after it: the exact count, first proofs, the estimate.
KEPT_AFTER_COUNT, KEPT_AFTER_PROOFS, KEPT_AFTER_ESTIMATE = 3 / 5, 1 / 2, 1 / 4

Estimator = Callable[[Part, int], Estimate]
"""Estimates a part with a seed."""


@dataclass
class SolvedPart:
    """What is known of a part.

    Attributes:
        part: the part.
        ranges: of its atoms.
        count: its exact count, where it was counted.
        estimate: its estimate, where it was estimated.
        refused: why no number of it could be had in any time; else empty.
        impossible: True where no set of distinct records fills it.
    """

    part: Part
    ranges: Ranges
    count: Counted | None = None
    estimate: Estimate | None = None
    refused: str = ""
    impossible: bool = False


@dataclass
class Solved:
    """What is known of the joint system.

    Attributes:
        limits: per count the least and the most that it can be.
        parts: what is not known in full.
        finished: False where the time ran out before the parts were known.
    """

    limits: Limits
    parts: list[SolvedPart] = field(default_factory=list)
    finished: bool = True


def solve(
    system: CountSystem, seed: int, left: Callable[..., float], estimator: Estimator, *, whole: bool = False
) -> Solved:
    """Solve a system of bounds.

    Each step goes through all parts, small ones first, before the next begins.

    Args:
        system: the system.
        seed: of estimates.
        left: ``left(share)`` tells how many seconds are left when that share of the time is kept.
        estimator: estimates a part that is too large to be counted.
        whole: True where the estimator needs parts as the bounds make them, with nothing taken out that is known.

    Raises:
        Impossible: no counts satisfy it.
    """
    limits: Limits = dict(system.limits)
    if any(low > high for low, high in limits.values()):
        raise Impossible
    try:
        with stoppable(lambda: left(0 if whole else KEPT_AFTER_COUNT) <= 0):
            parts = split(system, limits) if whole else _split(system, limits)
    except Stopped:
        return Solved(limits, finished=False)
    parts.sort(key=lambda part: len(part.atoms))
    solved = [_counted(system, part, lambda: left(KEPT_AFTER_COUNT) <= 0) for part in parts]
    if not whole:
        solved = _smaller(system, limits, solved, left)
    for position, found in enumerate(solved):
        if found.count is None:
            _estimate(found, estimator, seed + position, lambda: left(KEPT_AFTER_ESTIMATE) <= 0)
    for certain_only in (True, False):
        for found in solved:
            if found.count is None and left() > 0:
                close_ranges(found.part, found.ranges, left, certain_only=certain_only)
                if not found.ranges.possible:
                    raise Impossible
    for found in solved:
        _learn(limits, found.part, found.ranges)
    return Solved(limits, solved)


def _smaller(
    system: CountSystem, limits: Limits, solved: Sequence[SolvedPart], left: Callable[..., float]
) -> list[SolvedPart]:
    """Without what CP-SAT knows for certain, parts that were too large fall into smaller ones."""
    rest: list[SolvedPart] = []
    for found in solved:
        if found.count is not None or left(KEPT_AFTER_PROOFS) <= 0:
            rest.append(found)
            continue
        close_ranges(found.part, found.ranges, lambda: left(KEPT_AFTER_PROOFS), certain_only=True)
        if not found.ranges.possible:
            raise Impossible
        rest += _again(system, limits, found, lambda: left(KEPT_AFTER_PROOFS) <= 0)
    return rest


def contradict(system: CountSystem, seconds: Callable[[], float]) -> bool | None:
    """Whether no counts satisfy the system; None without an answer in time."""
    if any(low > high for low, high in system.limits.values()):
        return True
    try:
        with stoppable(lambda: seconds() <= 0):
            parts = split(system, dict(system.limits))
    except Impossible:
        return True
    except Stopped:
        return None
    answers = [possible(part, seconds) for part in parts]
    return True if False in answers else None if None in answers else False


def _split(system: CountSystem, limits: Limits, cells: Sequence[int] | None = None) -> list[Part]:
    """The parts, after single bounds have said all that they say; ``limits`` gets what they say."""
    while True:
        parts = split(system, limits, cells)
        fixed = sum(low == high for low, high in limits.values())
        for part in parts:
            for atom, members in enumerate(part.atoms):
                for time in range(part.times):
                    _tell(limits, members, time, part.times, part.limits[atom * part.times + time])
        if sum(low == high for low, high in limits.values()) == fixed:
            return parts


def _tell(limits: Limits, atom: Atom, time: int, times: int, ends: tuple[int, int]) -> None:
    """Take note of a count's ends; cells that no bound tells apart can each be empty while another holds everything."""
    low, high = ends
    for cell in atom.cells:
        least, most = limits[cell * times + time]
        limits[cell * times + time] = (max(least, low) if len(atom.cells) == 1 else least, min(most, high))


def _learn(limits: Limits, part: Part, ranges: Ranges) -> None:
    """Take note of what is proven of a part's atoms."""
    for atom, members in enumerate(part.atoms):
        for time in range(part.times):
            low = ranges.lowest[atom] if part.times == 1 else 0
            _tell(limits, members, time, part.times, (low, ranges.highest[atom]))


def _counted(system: CountSystem, part: Part, stop: Callable[[], bool]) -> SolvedPart:
    """The part, counted where that is possible in time."""
    ranges = known_ranges(part)
    try:
        with stoppable(stop):
            found = count_part(part, system.prior)
    except (TooManyStates, Stopped):
        return SolvedPart(part, ranges)
    if found is None:
        raise Impossible
    if not found.total:
        return SolvedPart(part, ranges, found, impossible=True)
    lowest, highest = [low for low, _ in found.supports], [high for _, high in found.supports]
    return SolvedPart(part, Ranges(lowest, highest, (list(lowest), list(highest))), found)


def _again(system: CountSystem, limits: Limits, one: SolvedPart, stop: Callable[[], bool]) -> list[SolvedPart]:
    """A part without what is certain of it by now, in smaller parts if it falls apart."""
    before = sum(low == high for low, high in limits.values())
    _learn(limits, one.part, one.ranges)
    if sum(low == high for low, high in limits.values()) == before:
        return [one]
    cells = [cell for atom in one.part.atoms for cell in atom.cells]
    try:
        with stoppable(stop):
            parts = _split(system, limits, cells)
    except Stopped:
        return [one]
    found = []
    for part in parts:
        smaller = _counted(system, part, stop)
        if smaller.count is None:
            _carry(one, smaller)
        found.append(smaller)
    return found


def _carry(old: SolvedPart, new: SolvedPart) -> None:
    """What tables that were met showed of the same atoms."""
    if old.ranges.seen is None:
        return
    place = {atom.cells: number for number, atom in enumerate(old.part.atoms)}
    own = [place.get(atom.cells) for atom in new.part.atoms]
    if all(number is not None for number in own):
        least, most = old.ranges.seen
        new.ranges.seen = [least[n] for n in own if n is not None], [most[n] for n in own if n is not None]


def _estimate(found: SolvedPart, estimator: Estimator, seed: int, stop: Callable[[], bool]) -> None:
    try:
        with stoppable(stop):
            found.estimate = estimator(found.part, seed)
    except TooLargeError as error:
        found.refused = str(error)
        return
    except (Stopped, TooManyStates):
        return
    if found.estimate.seen is not None:
        # Ends that were met, each in some table.
        for side in (0, 1):
            found.ranges.meet([ends[side] for ends in found.estimate.seen])


@dataclass(frozen=True)
class TableNumber:
    """A number of tables.

    Attributes:
        exact: the number, where it was counted.
        log10: its decimal logarithm, None where it is not known.
        stderr: standard error of the logarithm, 0 where exact, None where it is not known.
    """

    exact: int | None
    log10: float | None
    stderr: float | None


def count_tables(solved: Solved, others: Fraction) -> TableNumber:
    """The number of tables: the product of the parts' numbers.

    Args:
        solved: the parts.
        others: what is outside of all parts multiplies the number by.
    """
    if not solved.finished:
        return TableNumber(None, None, None)
    exact, log10, error, counted = others, log10_of(others), 0.0, True
    for found in solved.parts:
        if found.count is not None:
            ways = Fraction(found.count.total, found.count.scale)
            exact *= ways
            log10 += log10_of(ways)
        elif found.estimate is not None and found.estimate.log is not None:
            log10 += found.estimate.log / math.log(10)
            error += found.estimate.error**2
            counted = False
        else:
            return TableNumber(None, None, None)
    return TableNumber(math.ceil(exact) if counted else None, log10, math.sqrt(error) / math.log(10))


def log10_of(number: Fraction) -> float:
    """A number's decimal logarithm, whatever its size."""
    return math.log10(number.numerator) - math.log10(number.denominator)


def known_cells(system: CountSystem, solved: Solved) -> Iterator[int]:
    """The cells of a system that no part holds: all is known of them."""
    inside = {cell for one in solved.parts for atom in one.part.atoms for cell in atom.cells}
    return (cell for cell in range(len(system.cells)) if cell not in inside)


def known_views(system: CountSystem, solved: Solved) -> dict[Cell, CellView]:
    """What is known of the cells that no part holds."""
    views = {}
    for position in known_cells(system, solved):
        ends = [solved.limits[position * system.times + at] for at in range(system.times)]
        low, high = sum(end[0] for end in ends), sum(end[1] for end in ends)
        cell, known = system.cells[position], low == high
        row = (*[0.0] * low, 1.0) if known else ()
        seen = (low, high) if known and not system.relaxed else None
        views[cell] = CellView(cell, low, high, seen, row, exact=known)
    return views


def views_of(system: CountSystem, one: SolvedPart) -> list[CellView]:
    """What is known of each cell of a part."""
    views = []
    for number, atom in enumerate(one.part.atoms):
        alone = len(atom.cells) == 1
        lowest, highest = one.ranges.lowest[number] if alone else 0, one.ranges.highest[number]
        seen = None
        if one.ranges.seen is not None and not system.relaxed:
            seen = (one.ranges.seen[0][number] if alone else 0, one.ranges.seen[1][number])
        rows: dict[int, tuple[float, ...]] = {}
        for cell in atom.cells:
            volume = system.volumes[cell]
            if volume not in rows:
                checkpoint()
                rows[volume] = _row(system, one, number, volume, (lowest, highest))
            exact = one.count is not None or lowest == highest
            views.append(CellView(system.cells[cell], lowest, highest, seen, rows[volume], exact=exact))
    return views


def _row(system: CountSystem, one: SolvedPart, number: int, volume: int, ends: tuple[int, int]) -> tuple[float, ...]:
    """The chance of each number of records in a cell of an atom; empty where it is not known."""
    rest = one.part.atoms[number].volume - volume
    if ends[0] == ends[1]:
        return (*[0.0] * ends[0], 1.0)
    if one.count is not None:
        ways = system.prior.in_cell(one.count.marginals[number], volume, rest)
        return tuple(float(share / one.count.total) for share in ways)
    if one.estimate is None or one.estimate.probabilities is None:
        return ()
    return _spread(one.estimate.probabilities[number], volume, rest, system.prior)


def _spread(chances: NDArray[np.float64], volume: int, rest: int, prior: Prior) -> tuple[float, ...]:
    """From the chances of numbers in a union of cells those in one of them."""
    if not rest:
        return tuple(float(chance) for chance in chances)
    whole = volume + rest
    result = [0.0] * len(chances)
    for n, chance in enumerate(chances.tolist()):
        for j in range(n + 1) if chance else ():
            if prior.ordered:
                share = Fraction(math.comb(n, j) * volume**j * rest ** (n - j), whole**n)
            else:
                share = Fraction(prior.ways(volume, j, 0) * prior.ways(rest, n - j, 0), prior.ways(whole, n, 0))
            result[j] += chance * float(share)
    return tuple(result)
