"""Estimating a component that is too large to count: sequential Monte Carlo over its classes, last formed first.

Each class is drawn from its own exact distribution, as if it stood alone. The number of joint data sets is the product
of the classes' numbers times the probability that such independent draws satisfy the bounds that straddle classes.
Bounds only look at classes formed at their state or later, so with the last class first they fill up step by step, and
a partial data set that already breaks one is dropped at once; those that survive are multiplied. The product of the
survival rates is an unbiased estimate of the probability, whatever the number of particles; independent repetitions
give its standard error.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.class_attack import ClassAttack
from cra_engine.components import Component, Option
from cra_engine.grid import Segment
from cra_engine.system import Bound, TightSystem

PARTICLES = 2000
FEWEST_RUNS, MOST_RUNS = 16, 64
ENOUGH = 0.02  # relative standard error that ends the repetitions


@dataclass(frozen=True)
class Estimate:
    """What sequential Monte Carlo found.

    Attributes:
        log10: decimal logarithm of the estimated number of data sets.
        stderr: its standard error.
        runs: independent repetitions.
        cells: positions of the cells in the system.
        probabilities: per cell the estimated probability of each count (cells x counts).
        lowest: smallest count seen per cell.
        highest: largest count seen per cell.
    """

    log10: float
    stderr: float
    runs: int
    cells: tuple[int, ...]
    probabilities: NDArray[np.float64]
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]


@dataclass(frozen=True)
class _Limits:
    """The bounds of an option as matrices over the component's cells.

    Attributes:
        matrix: sums x cells; lower, upper: their limits.
        boxes: boxes of skipped states x cells.
        first: per skipped state its first box; cap: what its full boxes may hold.
        k: records that make a box full.
    """

    matrix: NDArray[np.float32]
    lower: NDArray[np.float32]
    upper: NDArray[np.float32]
    boxes: NDArray[np.float32]
    first: NDArray[np.int64]
    cap: NDArray[np.float32]
    k: int

    def start(self, worlds: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Sums and boxes of empty data sets."""
        return np.zeros((worlds, len(self.matrix)), np.float32), np.zeros((worlds, len(self.boxes)), np.float32)

    def held(
        self, counts: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What counts in some columns add to the sums and the boxes."""
        values = counts.astype(np.float32)
        return values @ self.matrix[:, columns].T, values @ self.boxes[:, columns].T

    def kept(self, sums: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Which data sets break no upper limit; what breaks one stays broken when records are added."""
        kept = (sums <= self.upper).all(axis=1)
        if len(self.first):
            full = np.where(boxes >= self.k, boxes, np.float32(0))
            kept &= (np.add.reduceat(full, self.first, axis=1) <= self.cap).all(axis=1)
        return np.asarray(kept)


@dataclass(frozen=True)
class _Turn:
    """One class of an option: how to draw it and which columns it fills."""

    part: ClassAttack
    columns: NDArray[np.int64]


class Sampler:
    """Sequential Monte Carlo on one component.

    Args:
        system: the tight system.
        component: a component of it.
    """

    def __init__(self, system: TightSystem, component: Component) -> None:
        """See the class."""
        self.system = system
        self.options = component.options
        self.cells = tuple(sorted(cell for atom in component.atoms for cell in atom.cells))
        self.column = {cell: position for position, cell in enumerate(self.cells)}
        self.turns = [self._turns(option) for option in self.options]
        self.limits = [self._limits(option) for option in self.options]
        self.most = max(b.upper for option in self.options for b in option.bounds if b.part is not None)

    def _limits(self, option: Option) -> _Limits:
        plain = [bound for bound in option.bounds if not bound.boxes]
        skipped = [bound for bound in option.bounds if bound.boxes]
        return _Limits(
            self._matrix([bound.cells for bound in plain]),
            np.array([bound.lower for bound in plain], dtype=np.float32),
            np.array([bound.upper for bound in plain], dtype=np.float32),
            self._matrix([box for bound in skipped for box in bound.boxes]),
            np.cumsum([0, *(len(bound.boxes) for bound in skipped)])[:-1],
            np.array([bound.upper for bound in skipped], dtype=np.float32),
            self.system.k,
        )

    def _matrix(self, sets: Sequence[frozenset[int]]) -> NDArray[np.float32]:
        matrix = np.zeros((len(sets), len(self.cells)), dtype=np.float32)
        for row, cells in enumerate(sets):
            matrix[row, [self.column[cell] for cell in cells]] = 1
        return matrix

    def _turns(self, option: Option) -> list[_Turn]:
        totals = [bound for bound in option.bounds if bound.part is not None]
        totals.sort(key=lambda bound: -option.hypothesis.turn[-1 if bound.part is None else bound.part])
        return [self._turn(bound) for bound in totals]

    def _turn(self, bound: Bound) -> _Turn:
        segment: Segment = bound.segment
        index = None if bound.part == -1 else bound.part
        nodes = self.system.grid.nodes(segment)
        free = np.zeros([node.stop - node.start for node in nodes], dtype=bool)
        cells = sorted(bound.cells)  # positions of cells are in row-major order, as free cells are
        for cell in cells:
            free[tuple(leaf - node.start for leaf, node in zip(self.system.cells[cell], nodes, strict=True))] = True
        part = ClassAttack(self.system.release, index, segment, bound.upper, free, ())
        return _Turn(part, np.array([self.column[cell] for cell in cells]))

    def run(self, option: int, rng: np.random.Generator) -> tuple[float, NDArray[np.int64]]:
        """One repetition: the logarithm (base e) of the estimate, -inf for 0, and the surviving data sets."""
        limits = self.limits[option]
        log = 0.0
        worlds = np.zeros((PARTICLES, len(self.cells)), dtype=np.int64)
        sums, boxes = limits.start(PARTICLES)
        for turn in self.turns[option]:
            if turn.part.contradiction:
                return -math.inf, worlds[:0]
            worlds[:, turn.columns] = drawn = turn.part.draw(rng, PARTICLES)
            more_sums, more_boxes = limits.held(drawn, turn.columns)
            sums, boxes = sums + more_sums, boxes + more_boxes
            alive = np.flatnonzero(limits.kept(sums, boxes))
            if not len(alive):
                return -math.inf, worlds[:0]
            log += math.log(turn.part.cra_solutions) + math.log(len(alive) / PARTICLES)
            if len(alive) < PARTICLES:
                chosen = rng.permutation(np.resize(alive, PARTICLES))
                worlds, sums, boxes = worlds[chosen], sums[chosen], boxes[chosen]
        return log, worlds

    def allowed_by(self, worlds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Number of options that allow each data set."""
        count = np.zeros(len(worlds), dtype=np.int64)
        for limits in self.limits:
            sums, boxes = limits.held(worlds, np.arange(len(self.cells)))
            count += limits.kept(sums, boxes) & (sums >= limits.lower).all(axis=1)
        return count

    def estimate(self, seed: int, stop: Callable[[], bool]) -> Estimate | None:
        """Repeat until the standard error is small enough, 64 times at most; None when stopped before 16 repetitions.

        A data set that several options allow is counted once: each option counts its share of it.
        """
        logs: list[float] = []
        shares: list[NDArray[np.float64]] = []
        lowest = np.full(len(self.cells), self.most, dtype=np.int64)
        highest = np.zeros(len(self.cells), dtype=np.int64)
        for run in range(MOST_RUNS):
            parts = []
            for option in range(len(self.options)):
                if stop():
                    return self._result(logs, shares, lowest, highest) if len(logs) >= FEWEST_RUNS else None
                log, worlds = self.run(option, np.random.default_rng([seed, run, option]))
                if len(worlds):
                    weights = 1 / self.allowed_by(worlds)
                    log += math.log(weights.mean())
                    parts.append((log, self._histogram(worlds, weights)))
                    lowest, highest = np.minimum(lowest, worlds.min(axis=0)), np.maximum(highest, worlds.max(axis=0))
            logs.append(_log_sum([log for log, _ in parts]))
            shares.append(_weighted(parts, (len(self.cells), self.most + 1)))
            if len(logs) >= FEWEST_RUNS and _relative_error(logs) < ENOUGH:
                break
        return self._result(logs, shares, lowest, highest)

    def _histogram(self, worlds: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weighted share of each count per cell (cells x counts)."""
        cells = np.broadcast_to(np.arange(worlds.shape[1]), worlds.shape)
        codes = (cells * (self.most + 1) + worlds).ravel()
        spread = np.repeat(weights / weights.sum(), worlds.shape[1])
        histogram = np.bincount(codes, spread, worlds.shape[1] * (self.most + 1))
        return histogram.astype(np.float64).reshape(-1, self.most + 1)

    def _result(
        self,
        logs: list[float],
        shares: list[NDArray[np.float64]],
        lowest: NDArray[np.int64],
        highest: NDArray[np.int64],
    ) -> Estimate | None:
        total = _log_sum(logs)
        if total == -math.inf:
            return None
        return Estimate(
            (total - math.log(len(logs))) / math.log(10),
            _relative_error(logs) / math.log(10),
            len(logs),
            self.cells,
            _weighted(list(zip(logs, shares, strict=True)), shares[0].shape),
            lowest,
            highest,
        )


def _log_sum(logs: list[float]) -> float:
    """Logarithm of the sum of what the logarithms stand for."""
    largest = max(logs, default=-math.inf)
    if largest == -math.inf:
        return -math.inf
    return largest + math.log(math.fsum(math.exp(log - largest) for log in logs))


def _weighted(parts: list[tuple[float, NDArray[np.float64]]], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Mean of the histograms, each weighted with its estimate."""
    total = _log_sum([log for log, _ in parts])
    result = np.zeros(shape)
    for log, share in parts:
        if log > -math.inf:
            result += share * math.exp(log - total)
    return result


def _relative_error(logs: list[float]) -> float:
    """Standard error of the mean of the estimates, divided by the mean."""
    largest = max(logs)
    if largest == -math.inf:
        return math.inf
    values = np.exp(np.array(logs) - largest)
    # Survival of every particle does not prove a probability of 1: less than one in all of them may have been missed.
    unseen = 1 / (PARTICLES * len(values))
    return max(unseen, float(values.std(ddof=1) / math.sqrt(len(values)) / values.mean()))
