"""Solving a system of bounds part by part: known counts taken out, the rest counted or estimated, and ends proven."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.solver.bounds import CountSystem
from cra_engine.attacks.solver.counting import Counted, count_part
from cra_engine.attacks.solver.layers import TooManyStates
from cra_engine.attacks.solver.parts import Atom, Impossible, Limits, SystemPart, split
from cra_engine.attacks.solver.proofs import Ranges, close_ranges, counts_possible, known_ranges
from cra_engine.attacks.solver.repetitions import Estimate
from cra_engine.attacks.solver.views import CellView
from cra_engine.errors import TooLargeError
from cra_engine.patience import Stopped, checkpoint, stoppable
from cra_engine.study.grid import Cell

# Of the time that is left, what each step leaves to those after it: the exact count, first proofs, the estimate.
KEPT_AFTER_COUNT, KEPT_AFTER_PROOFS, KEPT_AFTER_ESTIMATE = 3 / 5, 1 / 2, 1 / 4

Estimator = Callable[[SystemPart, int], Estimate]
"""Estimates a part with a seed."""


@dataclass
class SolvedPart:
    """A solved part of a system with its count or estimate and its ranges.

    Attributes:
        part: the part.
        ranges: of its atoms.
        count: its exact count, where it was counted.
        estimate: its estimate, where it was estimated.
        refused: why no number of it could be had in any time; else empty.
        impossible: True where no set of distinct records fills it.
    """

    part: SystemPart
    ranges: Ranges
    count: Counted | None = None
    estimate: Estimate | None = None
    refused: str = ""
    impossible: bool = False


@dataclass
class Solved:
    """The solved parts of a system of bounds.

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
    """Solve a system of bounds: split, count, prove, estimate.

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
    for position, solved_part in enumerate(solved):
        if solved_part.count is None:
            _estimate(solved_part, estimator, seed + position, lambda: left(KEPT_AFTER_ESTIMATE) <= 0)
    for certain_only in (True, False):
        for solved_part in solved:
            if solved_part.count is None and left() > 0:
                close_ranges(solved_part.part, solved_part.ranges, left, certain_only=certain_only)
                if not solved_part.ranges.possible:
                    raise Impossible
    for solved_part in solved:
        _learn(limits, solved_part.part, solved_part.ranges)
    return Solved(limits, solved)


def _smaller(
    system: CountSystem, limits: Limits, solved: Sequence[SolvedPart], left: Callable[..., float]
) -> list[SolvedPart]:
    """Without what CP-SAT knows for certain, parts that were too large fall into smaller ones."""
    rest: list[SolvedPart] = []
    for solved_part in solved:
        if solved_part.count is not None or left(KEPT_AFTER_PROOFS) <= 0:
            rest.append(solved_part)
            continue
        close_ranges(solved_part.part, solved_part.ranges, lambda: left(KEPT_AFTER_PROOFS), certain_only=True)
        if not solved_part.ranges.possible:
            raise Impossible
        rest += _again(system, limits, solved_part, lambda: left(KEPT_AFTER_PROOFS) <= 0)
    return rest


def contradict(system: CountSystem, seconds: Callable[[], float]) -> bool | None:
    """Return whether no counts satisfy a system of bounds; None without an answer in time."""
    if any(low > high for low, high in system.limits.values()):
        return True
    try:
        with stoppable(lambda: seconds() <= 0):
            parts = split(system, dict(system.limits))
    except Impossible:
        return True
    except Stopped:
        return None
    answers = [counts_possible(part, seconds) for part in parts]
    return True if False in answers else None if None in answers else False


def _split(system: CountSystem, limits: Limits, cells: Sequence[int] | None = None) -> list[SystemPart]:
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


def _learn(limits: Limits, part: SystemPart, ranges: Ranges) -> None:
    """Take note of what is proven of a part's atoms."""
    for atom, members in enumerate(part.atoms):
        for time in range(part.times):
            low = ranges.lowest[atom] if part.times == 1 else 0
            _tell(limits, members, time, part.times, (low, ranges.highest[atom]))


def _counted(system: CountSystem, part: SystemPart, stop: Callable[[], bool]) -> SolvedPart:
    """The part, counted where that is possible in time."""
    ranges = known_ranges(part)
    try:
        with stoppable(stop):
            result = count_part(part, system.prior)
    except (TooManyStates, Stopped):
        return SolvedPart(part, ranges)
    if result is None:
        raise Impossible
    if not result.total:
        return SolvedPart(part, ranges, result, impossible=True)
    lowest, highest = [low for low, _ in result.supports], [high for _, high in result.supports]
    return SolvedPart(part, Ranges(lowest, highest, (list(lowest), list(highest))), result)


def _again(system: CountSystem, limits: Limits, solved_part: SolvedPart, stop: Callable[[], bool]) -> list[SolvedPart]:
    """A part without what is certain of it by now, in smaller parts if it falls apart."""
    before = sum(low == high for low, high in limits.values())
    _learn(limits, solved_part.part, solved_part.ranges)
    if sum(low == high for low, high in limits.values()) == before:
        return [solved_part]
    cells = [cell for atom in solved_part.part.atoms for cell in atom.cells]
    try:
        with stoppable(stop):
            parts = _split(system, limits, cells)
    except Stopped:
        return [solved_part]
    smaller_parts = []
    for part in parts:
        smaller = _counted(system, part, stop)
        if smaller.count is None:
            _carry(solved_part, smaller)
        smaller_parts.append(smaller)
    return smaller_parts


def _carry(old: SolvedPart, new: SolvedPart) -> None:
    """Takes over the counts of the same atoms that were met."""
    if old.ranges.seen is None:
        return
    place = {atom.cells: number for number, atom in enumerate(old.part.atoms)}
    own = [place.get(atom.cells) for atom in new.part.atoms]
    if all(number is not None for number in own):
        least, most = old.ranges.seen
        new.ranges.seen = [least[n] for n in own if n is not None], [most[n] for n in own if n is not None]


def _estimate(solved_part: SolvedPart, estimator: Estimator, seed: int, stop: Callable[[], bool]) -> None:
    try:
        with stoppable(stop):
            solved_part.estimate = estimator(solved_part.part, seed)
    except TooLargeError as error:
        solved_part.refused = str(error)
        return
    except (Stopped, TooManyStates):
        return
    if solved_part.estimate.seen is not None:
        # Ends that were met, each in some table.
        for side in (0, 1):
            solved_part.ranges.meet([ends[side] for ends in solved_part.estimate.seen])


@dataclass(frozen=True)
class TableNumber:
    """A number of tables that a system of bounds admits.

    Attributes:
        exactly: gives the number, where it was counted; worked out only when somebody asks for its digits.
        log10: its decimal logarithm, None where it is not known.
        stderr: standard error of the logarithm, 0 where exact, None where it is not known.
    """

    exactly: Callable[[], int] | None
    log10: float | None
    stderr: float | None


def count_tables(solved: Solved, log10_others: float, others: Callable[[], Fraction]) -> TableNumber:
    """Return the number of tables that a solved system admits: the product of the parts' numbers.

    Args:
        solved: the parts.
        log10_others: the decimal logarithm of what is outside of all parts multiplies the number by.
        others: gives that factor itself.
    """
    if not solved.finished:
        return TableNumber(None, None, None)
    log10, error, counted = log10_others, 0.0, True
    for solved_part in solved.parts:
        if solved_part.count is not None:
            ways = _ways(solved_part.count)
            log10 += log10_of(ways)
        elif solved_part.estimate is not None and solved_part.estimate.log is not None:
            log10 += solved_part.estimate.log / math.log(10)
            error += solved_part.estimate.error**2
            counted = False
        else:
            return TableNumber(None, None, None)
    exactly = partial(_exactly, solved, others) if counted else None
    return TableNumber(exactly, log10, math.sqrt(error) / math.log(10))


def _exactly(solved: Solved, others: Callable[[], Fraction]) -> int:
    counts = [part.count for part in solved.parts if part.count is not None]
    return math.ceil(math.prod(map(_ways, counts), start=others()))


def _ways(count: Counted) -> Fraction:
    return Fraction(count.total, count.scale)


def log10_of(number: Fraction) -> float:
    """Return the decimal logarithm of a solved system's number of tables, whatever its size."""
    return math.log10(number.numerator) - math.log10(number.denominator)


def known_cells(system: CountSystem, solved: Solved) -> Iterator[int]:
    """Return the cells of a solved system that no part holds: all is known of them."""
    inside = {cell for solved_part in solved.parts for atom in solved_part.part.atoms for cell in atom.cells}
    return (cell for cell in range(len(system.cells)) if cell not in inside)


def known_views(system: CountSystem, solved: Solved) -> dict[Cell, CellView]:
    """Return the solver's views of the cells that no part of the system holds."""
    views = {}
    for position in known_cells(system, solved):
        ends = [solved.limits[position * system.times + at] for at in range(system.times)]
        low, high = sum(end[0] for end in ends), sum(end[1] for end in ends)
        cell, known = system.cells[position], low == high
        row = (*[0.0] * low, 1.0) if known else ()
        seen = (low, high) if known and not system.relaxed else None
        views[cell] = CellView(cell, low, high, seen, row, exact=known)
    return views


def views_of(system: CountSystem, solved_part: SolvedPart) -> list[CellView]:
    """Return the solver's views of each cell of a part."""
    views = []
    for number, atom in enumerate(solved_part.part.atoms):
        alone = len(atom.cells) == 1
        lowest, highest = solved_part.ranges.lowest[number] if alone else 0, solved_part.ranges.highest[number]
        seen = None
        if solved_part.ranges.seen is not None and not system.relaxed:
            seen = (solved_part.ranges.seen[0][number] if alone else 0, solved_part.ranges.seen[1][number])
        rows: dict[int, tuple[float, ...]] = {}
        for cell in atom.cells:
            volume = system.volumes[cell]
            if volume not in rows:
                checkpoint()
                rows[volume] = _row(system, solved_part, number, volume, (lowest, highest))
            exact = solved_part.count is not None or lowest == highest
            views.append(CellView(system.cells[cell], lowest, highest, seen, rows[volume], exact=exact))
    return views


def _row(
    system: CountSystem, solved_part: SolvedPart, number: int, volume: int, ends: tuple[int, int]
) -> tuple[float, ...]:
    """The chance of each number of records in a cell of an atom; empty where it is not known."""
    rest = solved_part.part.atoms[number].volume - volume
    if ends[0] == ends[1]:
        return (*[0.0] * ends[0], 1.0)
    if solved_part.count is not None:
        ways = system.prior.in_cell(solved_part.count.marginals[number], volume, rest)
        return tuple(float(share / solved_part.count.total) for share in ways)
    if solved_part.estimate is None or solved_part.estimate.probabilities is None:
        return ()
    return _spread(solved_part.estimate.probabilities[number], volume, rest, system.prior)


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
