"""Estimating a part that has too many ways to be counted: some states of each layer are drawn and stand for all.

Each state that is drawn weighs one over the chance that it had, so that whatever is summed up over walks has the right
mean, whichever states the lookahead prefers. Independent repetitions give the standard error.
"""

import math

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.solver.columns import CountPlan, CountStep, plan
from cra_engine.attacks.solver.layers import Moves, States, advance, beginning
from cra_engine.attacks.solver.lookahead import Lookahead, log_sums_of, log_weight, mixed, picked, sums_of
from cra_engine.attacks.solver.parts import SystemPart
from cra_engine.attacks.solver.repetitions import Estimate, Run, repeat
from cra_engine.patience import checkpoint

STATES = 300  # drawn per layer
MOST_STATES = 20_000
MAX_MOVES = 4_000_000

Floats = NDArray[np.float64]


class Walker:
    """Draws walks through the solver's layers of a part, for an estimate.

    Args:
        part: the part.
        prior: how tables weigh.

    Raises:
        Stopped: see :mod:`cra_engine.patience`.
    """

    def __init__(self, part: SystemPart, prior: Prior) -> None:
        self.plan: CountPlan = plan(part)
        self._prior = prior
        self._ahead = Lookahead(self.plan, prior)
        ends, times = part.limits, part.times
        self.most = [sum(high for _, high in ends[at : at + times]) for at in range(0, len(ends), times)]

    def run(self, rng: np.random.Generator, states: int) -> Run:
        """One repetition with so many states a layer."""
        layer = beginning(self.plan)
        forward, offset = np.ones(1), 0.0
        walks: list[tuple[Moves, Floats, Floats]] = []
        for position, step in enumerate(self.plan.steps):
            checkpoint()
            moves, reached = advance(self.plan, step, layer, MAX_MOVES)
            weights, shift = self._weights(step, moves)
            mass = sums_of(forward[moves.start] * weights, moves.end, max(moves.ends, 1))[: moves.ends]
            if not moves.ends or not mass.max() > 0:
                return Run(-math.inf)
            kept, factors = picked(mixed(mass, self._ahead.scores(position, reached)), states, rng)
            order = np.argsort(kept)
            kept, factors = kept[order], factors[order]
            moves, weights = _onto(moves, weights, kept)
            forward = mass[kept] * factors
            scale = forward.max()
            forward, offset = forward / scale, offset + math.log(scale) + shift
            walks.append((moves, weights, factors / scale))
            layer = _chosen(reached, kept)
        return self._summed(walks, forward, offset)

    def _summed(self, walks: list[tuple[Moves, Floats, Floats]], forward: Floats, offset: float) -> Run:
        """Back through the layers: the weight of all walks and how it spreads over the numbers of each atom.

        Weights are logarithms on the way back: what walks through different states still weigh can differ by more than
        a float holds.
        """
        total = float(forward.sum())
        ways: list[Floats] = [np.zeros(len(forward))]
        sizes = [1, *(len(factors) for _, _, factors in walks)]
        for (moves, weights, factors), size in zip(reversed(walks), reversed(sizes[:-1]), strict=True):
            ways.append(log_sums_of(_log(weights) + (_log(factors) + ways[-1])[moves.end], moves.start, size))
        ways.reverse()
        shares: list[Floats] = [np.zeros(0)] * len(self.most)
        seen = np.zeros((2, len(self.most)), dtype=np.int64)
        reached: Floats = np.ones(1)
        for place, (moves, weights, factors) in enumerate(walks):
            passed = reached[moves.start] * weights * factors[moves.end]
            step = self.plan.steps[place]
            if step.last:
                atom = step.count // self.plan.part.times
                held = moves.used + moves.value
                logs = _log(passed) + ways[place + 1][moves.end]
                through = np.exp(logs - logs.max())
                whole = sums_of(through, held, self.most[atom] + 1)
                shares[atom] = whole / whole.sum()
                met = held[through > 0]
                seen[:, atom] = met.min(), met.max()
            reached = sums_of(passed, moves.end, len(factors))
        return Run(math.log(total) + offset, shares, seen)

    def _weights(self, step: CountStep, moves: Moves) -> tuple[Floats, float]:
        """Per move its weight, and the logarithm that all are to be multiplied with besides."""
        keys = np.stack([moves.used, moves.value])
        pairs, which = np.unique(keys, axis=1, return_inverse=True)
        logs = np.array([log_weight(step.volume, used, value, self._prior) for used, value in pairs.T.tolist()])
        shift = float(logs.max(initial=-math.inf))
        if shift == -math.inf:
            return np.zeros(len(moves.value)), 0.0
        return np.exp(logs - shift)[which.ravel()], shift

    def estimate(self, seed: int) -> Estimate:
        """Repeat until the standard error is small enough, or until stopped."""
        return repeat(lambda key, states: self.run(np.random.default_rng(key), states), STATES, MOST_STATES, seed)


def _log(values: Floats) -> Floats:
    """Logarithms, minus infinity for 0."""
    return np.log(values, out=np.full(len(values), -np.inf), where=values > 0)


def _onto(moves: Moves, weights: Floats, kept: NDArray[np.int64]) -> tuple[Moves, Floats]:
    """The moves that lead to states that were kept."""
    place = np.full(moves.ends, -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    end = place[moves.end]
    on = end >= 0
    return Moves(moves.start[on], moves.value[on], moves.used[on], end[on], len(kept)), weights[on]


def _chosen(states: States, kept: NDArray[np.int64]) -> States:
    alive = None if states.alive is None else states.alive[kept]
    return States(states.open[kept], alive, states.used[kept])
