"""The exact count of a part: by branching, or the weights of all walks through its layers, in whole numbers."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.solver.branching import Branching, TooManyParts, branches
from cra_engine.attacks.solver.columns import CountPlan, CountStep, plan
from cra_engine.attacks.solver.layers import Moves, TooManyStates, advance, beginning
from cra_engine.attacks.solver.parts import SystemPart
from cra_engine.patience import checkpoint

MAX_STATES, MAX_MOVES, MAX_PARTS = 150_000, 600_000, 25_000


@dataclass(frozen=True)
class Counted:
    """A part of a system that the solver counted to the last digit.

    Attributes:
        total: the weights of all ways to fill it, added up; times ``scale`` where records may be alike.
        scale: what weights are multiplied with so that they are whole numbers.
        marginals: per atom and number of records in it the weight of those ways.
        supports: per atom its smallest and largest number of records, whatever the volumes.
    """

    total: int
    scale: int
    marginals: tuple[tuple[int, ...], ...]
    supports: tuple[tuple[int, int], ...]


def count_part(part: SystemPart, prior: Prior) -> Counted | None:
    """Count a part of a system exactly, by branching where that works, else one count after the other.

    Returns:
        The count; None where no counts satisfy the part.

    Raises:
        TooManyStates: it would take more partial tables, or parts of the part, than allowed.
        Stopped: see :mod:`cra_engine.patience`.
    """
    if not branches(part):
        return count_by_layers(part, prior)
    try:
        branching = Branching(part, MAX_PARTS, prior)
    except TooManyParts:
        raise TooManyStates from None
    if not branching.total:
        return Counted(0, 1, (), ())
    marginals = tuple(map(tuple, branching.marginals()))
    return Counted(branching.total, branching.scale, marginals, tuple(branching.supports()))


def count_by_layers(part: SystemPart, prior: Prior, *, max_states: int = MAX_STATES) -> Counted | None:
    """Count a part of a system exactly, one count after the other.

    Args:
        part: what to count.
        prior: how tables weigh.
        max_states: give up when there are more partial tables that differ in what matters.

    Returns:
        The count; None where no counts satisfy the part.

    Raises:
        TooManyStates: more than that.
        Stopped: see :mod:`cra_engine.patience`.
    """
    made = plan(part)
    states, moves, seen, moved = beginning(made), [], 0, 0
    for step in made.steps:
        taken, states = advance(made, step, states, MAX_MOVES - moved)
        moves.append(taken)
        seen += len(states)
        moved += len(taken.start)
        if seen > max_states:
            raise TooManyStates
        if not len(states):
            return None
    return _weighed(made, moves, prior)


def _weighed(made: CountPlan, moves: list[Moves], prior: Prior) -> Counted:
    largest = max((step.values.stop - 1 for step in made.steps), default=0)
    factorial = math.factorial(largest) if prior.ordered else 1
    weights = [_weights(step, own, prior, largest) for step, own in zip(made.steps, moves, strict=True)]
    ways: list[NDArray[Any]] = [np.ones(moves[-1].ends, dtype=object)]
    sizes = [1, *(own.ends for own in moves)]
    for own, weight, size in zip(reversed(moves), reversed(weights), reversed(sizes[:-1]), strict=True):
        checkpoint()
        ways.append(_summed(weight * ways[-1][own.end], own.start, size))
    ways.reverse()
    marginals: list[tuple[int, ...]] = [()] * len(made.part.atoms)
    supports = [(0, 0)] * len(made.part.atoms)
    forward = np.ones(1, dtype=object)
    alive = _alive(moves)
    for place, (step, own, weight) in enumerate(zip(made.steps, moves, weights, strict=True)):
        checkpoint()
        passed = forward[own.start] * weight
        if step.last:
            held = own.used + own.value
            atom = step.count // made.part.times
            through = passed * ways[place + 1][own.end]
            marginals[atom] = tuple(int(through[held == n].sum()) for n in range(int(held.max()) + 1))
            possible = held[alive[place + 1][own.end]]
            supports[atom] = int(possible.min()), int(possible.max())
        order = np.argsort(own.end, kind="stable")
        forward = _summed(passed[order], own.end[order], own.ends)
    total = int(ways[0][0])
    return Counted(total, factorial ** len(made.steps), tuple(marginals), tuple(supports))


def _summed(values: NDArray[Any], groups: NDArray[np.int64], size: int) -> NDArray[Any]:
    """Sums of values by their group, of which there are so many; the values of a group stand together."""
    result = np.zeros(size, dtype=object)
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    if len(starts):
        result[groups[starts]] = np.add.reduceat(values, starts)
    return result


def _weights(step: CountStep, moves: Moves, prior: Prior, most: int) -> NDArray[Any]:
    """Per move its weight: the ways to choose so many of the values left, or the prior's where records may be alike."""
    if prior.repeats:
        table = [prior.ways(step.volume, n, most) for n in range(step.values.stop)]
        return np.array(table, dtype=object)[moves.value]
    keys = list(zip(moves.used.tolist(), moves.value.tolist(), strict=True))
    known = {key: math.comb(max(step.volume - key[0], 0), key[1]) for key in set(keys)}
    return np.array([known[key] for key in keys], dtype=object)


def _alive(moves: list[Moves]) -> list[NDArray[np.bool_]]:
    """Per layer which states can be completed."""
    alive = [np.ones(moves[-1].ends, dtype=bool)]
    for own, size in zip(reversed(moves), [*(before.ends for before in reversed(moves[:-1])), 1], strict=True):
        starts = np.zeros(size, dtype=bool)
        starts[own.start[alive[-1][own.end]]] = True
        alive.append(starts)
    alive.reverse()
    return alive
