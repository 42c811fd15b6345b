"""Estimates from independent repetitions: their mean, its standard error, and when there are enough of them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.patience import Stopped

FEWEST_RUNS, MOST_RUNS = 16, 64
ENOUGH = 0.02  # relative standard error that ends the repetitions
TOO_ROUGH = 0.5  # relative standard error at which more is drawn in each, so many times more
MORE = 4

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """The solver's estimate of a part, from some repetitions.

    Attributes:
        log: natural logarithm of the estimated weight of all ways to fill the part; None where the repetitions did not
            suffice.
        error: relative standard error; infinite where there is no estimate.
        runs: independent repetitions.
        probabilities: per atom the estimated chance of each number of records in it; None without an estimate.
        seen: per atom the smallest and largest number of records in the ways that were met; None without any.
    """

    log: float | None
    error: float
    runs: int
    probabilities: tuple[Floats, ...] | None
    seen: tuple[tuple[int, int], ...] | None


@dataclass(frozen=True)
class Run:
    """One repetition of the solver's estimate.

    Attributes:
        log: natural logarithm of its estimate, minus infinity for 0.
        shares: per atom the weight of each number of records in it, as a share; empty where nothing was drawn.
        seen: smallest and largest number per atom (2 x atoms) in what was drawn; None where nothing was.
    """

    log: float
    shares: Sequence[Floats] = ()
    seen: NDArray[np.int64] | None = None


def repeat(run: Callable[[list[int], int], Run], drawn: int, most: int, seed: int) -> Estimate:
    """Repeat the solver's estimate until its standard error is small enough, 64 times at most, or until stopped.

    Where the repetitions differ too much they begin anew with more drawn in each; where none ever draws anything they
    go on until stopped.

    Args:
        run: one repetition with a seed of its own, and with so much drawn in it.
        drawn: with how much to begin.
        most: how much can be drawn at most.
        seed: of all of them.
    """
    runs: list[Run] = []
    seen: list[NDArray[np.int64]] = []
    try:
        while len(runs) < MOST_RUNS or _largest(runs) == -math.inf:
            if len(runs) == FEWEST_RUNS and relative_error(_logs(runs), drawn) > TOO_ROUGH and MORE * drawn <= most:
                drawn, runs = MORE * drawn, []
            result = run([seed, drawn, len(runs)], drawn)
            runs.append(result)
            seen += [] if result.seen is None else [result.seen]
            if len(runs) >= FEWEST_RUNS and relative_error(_logs(runs), drawn) < ENOUGH:
                break
    except Stopped:
        pass  # with what there is
    ends = None
    if seen:
        least, largest = np.min([met[0] for met in seen], axis=0), np.max([met[1] for met in seen], axis=0)
        ends = tuple(zip(least.tolist(), largest.tolist(), strict=True))
    if len(runs) < FEWEST_RUNS or _largest(runs) == -math.inf:
        return Estimate(None, math.inf, len(runs), None, ends)
    log = log_sum(_logs(runs)) - math.log(len(runs))
    return Estimate(log, relative_error(_logs(runs), drawn), len(runs), weighted_mean(runs), ends)


def _logs(runs: Sequence[Run]) -> list[float]:
    return [run.log for run in runs]


def _largest(runs: Sequence[Run]) -> float:
    return max(_logs(runs), default=-math.inf)


def log_sum(logs: Sequence[float]) -> float:
    """Return the logarithm of the sum of what the estimates' logarithms stand for."""
    largest = max(logs, default=-math.inf)
    if largest == -math.inf:
        return -math.inf
    return largest + math.log(math.fsum(math.exp(log - largest) for log in logs))


def weighted_mean(runs: Sequence[Run]) -> tuple[Floats, ...]:
    """Return the mean of the repetitions' shares, each weighted with its estimate."""
    total = log_sum(_logs(runs))
    drawn = [run for run in runs if run.log > -math.inf]
    weights = [math.exp(run.log - total) for run in drawn]
    return tuple(
        sum((weight * share for weight, share in zip(weights, shares, strict=True)), np.zeros(1))
        for shares in zip(*(run.shares for run in drawn), strict=True)
    )


def relative_error(logs: Sequence[float], drawn: int) -> float:
    """Return the standard error of the repetitions' mean estimate, divided by it; each rests on so many draws."""
    largest = max(logs)
    if largest == -math.inf:
        return math.inf
    values = np.exp(np.array(logs) - largest)
    # Repetitions that agree do not prove that nothing was missed: less than one of all that were drawn may stand for
    # more, such as for a probability below 1 where every particle survived.
    unseen = 1 / (drawn * len(values))
    return max(unseen, float(values.std(ddof=1) / math.sqrt(len(values)) / values.mean()))
