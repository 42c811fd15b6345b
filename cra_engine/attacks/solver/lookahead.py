"""How promising a partial table is: roughly how many ways there are to complete it.

Counts are tilted so that their means meet the totals; the sums that are still open are then nearly normal, and how far
a state's needs lie from their means says how many completions it has, up to a factor that all states share. This
guides which states are drawn. It can be wrong: the estimate stays unbiased, only its error grows.
"""

import math

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.solver.columns import AT_MOST, EQUAL, CountPlan
from cra_engine.attacks.solver.layers import States
from cra_engine.patience import checkpoint

ROUNDS, NEAR = 300, 1e-3
SHARES = 0.7, 0.15, 0.15
STEEPEST = 60.0  # exponents further than this from 0 are as good as certain
SMALLEST = 0.5  # variance added to each open sum, so that nothing is too sure of itself

Floats = NDArray[np.float64]


class Lookahead:
    """The solver's tilted counts of a part, which tell its estimate where to look.

    Args:
        plan: its columns and steps.
        prior: how tables weigh.
    """

    def __init__(self, plan: CountPlan, prior: Prior) -> None:
        self._plan = plan
        self._counts = [step.count for step in plan.steps]
        place = {count: position for position, count in enumerate(self._counts)}
        used = [n for n, column in enumerate(plan.columns) if column.kind in (EQUAL, AT_MOST)]
        capped = {column.cap for column in plan.columns if column.cap >= 0}
        self._row = {number: row for row, number in enumerate(n for n in used if n not in capped)}
        self._matrix = np.zeros((len(self._row), len(self._counts)), dtype=np.float64)
        for number, row in self._row.items():
            self._matrix[row, [place[count] for count in plan.columns[number].counts]] = 1
        self._equal = np.array([plan.columns[number].kind == EQUAL for number in self._row], dtype=bool)
        self._limit = np.array([plan.columns[number].start for number in self._row], dtype=np.float64)
        self._log_weights = self._tables(prior)
        self.tilt, self._mean, self._variance = self._fit()
        self._shapes: dict[tuple[int, tuple[int, ...]], tuple[Floats, Floats, Floats, list[int]]] = {}

    def _tables(self, prior: Prior) -> Floats:
        """Logarithms of the weights per count and value; minus infinity for values that it cannot have."""
        most = max((step.values.stop for step in self._plan.steps), default=1)
        table = np.full((len(self._counts), most), -np.inf)
        for row, step in enumerate(self._plan.steps):
            for n in step.values:
                table[row, n] = log_weight(step.volume, 0, n, prior)
        return table

    def _moments(self, tilt: Floats) -> tuple[Floats, Floats]:
        values = np.arange(self._log_weights.shape[1])
        logs = self._log_weights + np.clip(tilt @ self._matrix, -STEEPEST, STEEPEST)[:, np.newaxis] * values
        logs -= logs.max(axis=1, keepdims=True)
        chances = np.exp(logs)
        chances /= chances.sum(axis=1, keepdims=True)
        mean: Floats = chances @ values.astype(np.float64)
        return np.asarray(mean), np.maximum(chances @ values**2 - mean**2, 0)

    def _fit(self) -> tuple[Floats, Floats, Floats]:
        """Exponents, one per sum, under which the counts' means meet the totals and keep the limits."""
        # Where the order of tied states is open, the sums of the first order of each source stand for all.
        first = {self._plan.source_of.index(source) for source in self._plan.source_of}
        chosen = np.array([self._plan.columns[number].option in first for number in self._row], dtype=bool)
        tilt = np.zeros(len(self._row))
        crowd = np.maximum(self._matrix[chosen].sum(axis=0).max(initial=1), 1)
        for _ in range(ROUNDS):
            checkpoint()
            mean, variance = self._moments(tilt)
            off = self._limit - self._matrix @ mean
            step = off / np.maximum(self._matrix @ variance, SMALLEST) / crowd
            step = np.clip(np.where(chosen, step, 0), -2, 2)
            moved = tilt + step
            moved = np.where(self._equal, moved, np.minimum(moved, 0))
            done = np.abs(moved - tilt).max(initial=0) < NEAR
            tilt = np.clip(moved, -STEEPEST, STEEPEST)
            if done:
                break
        mean, variance = self._moments(tilt)
        return tilt, mean, variance

    def scores(self, position: int, states: States) -> Floats:
        """Per state after a step roughly the logarithm of its completions, up to a constant."""
        result = np.full(len(states), -np.inf)
        if states.alive is None:
            chosen = tuple(range(len(self._plan.source_of)))
            return self._score(position, chosen, states.open)
        # Per source its first option that still holds.
        sources = range(self._plan.source_of[-1] + 1)
        by_source = [[o for o, own in enumerate(self._plan.source_of) if own == s] for s in sources]
        firsts = np.stack([np.array(mine)[states.alive[:, mine].argmax(axis=1)] for mine in by_source], axis=1)
        for pattern in np.unique(firsts, axis=0):
            rows = np.flatnonzero((firsts == pattern).all(axis=1))
            result[rows] = self._score(position, tuple(pattern.tolist()), states.open[rows])
        return result

    def _score(self, position: int, options: tuple[int, ...], open_: NDArray[np.int32]) -> Floats:
        mean, spread, inverse, places = self._shape(position, options)
        if not places:
            return np.zeros(len(open_))
        step = self._plan.steps[position]
        rows = [self._row[step.columns[place]] for place in places]
        needs = open_[:, places].astype(np.float64)
        off = needs - mean
        equal = self._equal[rows]
        scores: Floats = -(needs @ self.tilt[rows])
        near = off[:, equal]
        scores -= 0.5 * np.einsum("ij,jk,ik->i", near, inverse, near)
        for column in np.flatnonzero(~equal):
            scores += _log_below((off[:, column] + 0.5) / spread[column])
        return scores

    def _shape(self, position: int, options: tuple[int, ...]) -> tuple[Floats, Floats, Floats, list[int]]:
        """Mean and deviation of what is still to come to each open sum, and the inverse covariance of the totals."""
        key = position, options
        if key not in self._shapes:
            checkpoint()
            step = self._plan.steps[position]
            places = [
                place
                for place, number in enumerate(step.columns)
                if number in self._row and self._plan.columns[number].option in options
            ]
            rows = [self._row[step.columns[place]] for place in places]
            left = self._matrix[rows][:, position + 1 :]
            mean = left @ self._mean[position + 1 :]
            equal = self._equal[rows]
            spread = np.sqrt(left @ self._variance[position + 1 :] + SMALLEST)
            totals = left[equal]
            covariance = (totals * self._variance[position + 1 :]) @ totals.T + SMALLEST * np.eye(len(totals))
            self._shapes[key] = mean, spread, np.linalg.pinv(covariance, hermitian=True), places
        return self._shapes[key]


def _log_below(points: Floats) -> Floats:
    """Roughly the logarithm of the normal distribution function."""
    below = np.minimum(points, 0)
    return np.asarray(-0.5 * below**2 - np.log1p(np.exp(-1.702 * np.abs(points))) * (points > 0) - 0.7 * (points <= 0))


def log_weight(volume: int, used: int, value: int, prior: Prior) -> float:
    """Return the logarithm of the ways to give an atom so many records, where so many values are used up."""
    if prior.by_cells:
        lost = math.lgamma(volume) + math.lgamma(value + 1)
        return math.lgamma(value + volume) - lost if volume else -math.inf if value else 0.0
    if prior.repeats:
        return value * math.log(volume) - math.lgamma(value + 1) if volume else -math.inf if value else 0.0
    left = volume - used
    if left < value:
        return -math.inf
    return math.fsum(math.log(left - taken) for taken in range(value)) - math.lgamma(value + 1)


def mixed(mass: Floats, scores: Floats) -> Floats:
    """Return, up to a factor, the chance that the solver's estimate gives each of some states.

    By mass and score; but scores can be wrong, so that part of it goes by mass alone, and part to all states alike.

    Args:
        mass: weights of all ways to each state.
        scores: logarithms; see :meth:`Lookahead.scores`.
    """
    possible = mass > 0
    logs = np.log(mass, out=np.full(len(mass), -np.inf), where=possible) + scores
    promising = np.exp(logs - logs.max())
    parts = promising / promising.sum(), mass / mass.sum(), possible / possible.sum()
    result: Floats = sum((share * part for share, part in zip(SHARES, parts, strict=True)), np.zeros(len(mass)))
    return result


def picked(chances: Floats, most: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], Floats]:
    """Draw some of many states for the solver's estimate, likely ones rather, and say what each then stands for.

    Those whose share is large enough stay for sure; of the others each is drawn with a chance in proportion to its
    own, all by one random number (Fearnhead and Clifford 2003). What is drawn stands for one over its chance.

    Args:
        chances: in proportion to which they are drawn; of 0 none is.
        most: how many at most.
        rng: where randomness comes from.
    """
    possible = np.flatnonzero(chances > 0)
    if len(possible) <= most:
        return possible, np.ones(len(possible))
    chances = chances[possible]
    order = np.argsort(-chances)
    ordered = chances[order]
    rest = ordered[::-1].cumsum()[::-1]  # of this one and all smaller ones
    sure = 0
    while sure < most and ordered[sure] * (most - sure) >= rest[sure]:
        sure += 1
    kept, factors = [possible[order[:sure]]], [np.ones(sure)]
    if sure < most:
        others = order[sure:]
        share = rest[sure] / (most - sure)
        points = np.cumsum(chances[others]) / share
        drawn = np.unique(np.searchsorted(points, np.arange(most - sure) + rng.random(), side="right"))
        drawn = drawn[drawn < len(others)]
        kept.append(possible[others[drawn]])
        factors.append(share / chances[others[drawn]])
    return np.concatenate(kept), np.concatenate(factors)


def sums_of(values: Floats, groups: NDArray[np.int64], size: int) -> Floats:
    """Add up values of the solver's states by their group."""
    return np.bincount(groups, values, size).astype(np.float64)


def log_sums_of(logs: Floats, groups: NDArray[np.int64], size: int) -> Floats:
    """Return logarithms of the sums by group of what the solver's states hold as logarithms."""
    largest = np.full(size, -np.inf)
    np.maximum.at(largest, groups, logs)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    sums = sums_of(np.exp(logs - shift[groups]), groups, size)
    return np.asarray(np.log(sums, out=np.full(size, -np.inf), where=sums > 0) + shift)
