"""Downcoding tried out on the data of the two theorems (Cohen 2022, section 4.4, Theorem 4.3, appendix B)."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.downcoding.refining import refined_clusters, refined_ladder
from cra_engine.attacks.downcoding.shapes import Clusters, LadderShape, clusters_of, ladder_of
from cra_engine.errors import CRAError
from cra_engine.patience import checkpoint
from cra_engine.publish.minimal.release import anonymized, generator
from cra_engine.results import Json, Result, plain
from cra_engine.risk.compound import isolated, still_generalizes
from cra_engine.study.boxes import Leaves, Nodes, Space, Tree

APART, HALF, NEAR = 130.0, 65.0, 6.6  # between centres; half a cluster; half of what is near a centre
SMALL, LARGE = 1.0, 10.0  # standard deviations of a record's values
MAX_CELLS = 20_000_000
MAX_RUNS = 100_000
MAX_RECORDS, MAX_LADDER = 10_000, 1_000
Told = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class ClusterRun:
    """One run of an experiment on downcoding: a table of clusters, its minimal release, what is made of it.

    Attributes:
        k: smallest size of a class.
        space: the boxes of the hierarchies, one tree for all attributes.
        values: the raw table, shape (records, attributes).
        leaves: the leaves that the values lie in.
        published: the boxes of the minimal release, per record.
        refined: the boxes after downcoding, per record.
        predicate_rows: the rows that hold the predicates.
        minimal: whether the release is known to be minimal.
    """

    k: int
    space: Space
    values: NDArray[np.float64]
    leaves: Leaves
    published: Nodes
    refined: Nodes
    predicate_rows: tuple[int, ...]
    minimal: bool

    @property
    def cluster_of_row(self) -> NDArray[np.int64]:
        """Per record the cluster of its first value, from 0."""
        return np.asarray(self.leaves[:, 0] // 2)

    @cached_property
    def fired(self) -> tuple[int, ...]:
        """The clusters that were downcoded."""
        return tuple(int(self.space.start(self.refined[row])[0]) // 2 for row in self.predicate_rows)

    @cached_property
    def correct(self) -> tuple[bool, ...]:
        """Per downcoded cluster whether the refined records still generalize the true ones."""
        generalizing = []
        for row in self.predicate_rows:
            rows = np.flatnonzero((self.published == self.published[row]).all(axis=1))
            generalizing.append(
                still_generalizes(self.space, self.published[rows], self.refined[rows], self.leaves[rows])
            )
        return tuple(generalizing)

    @property
    def refined_share(self) -> float:
        """The share of records that are refined."""
        return float((self.refined != self.published).any(axis=1).mean())

    @cached_property
    def isolating(self) -> int:
        """Returns how many predicates are true of exactly one record."""
        return isolated(self.space, self.refined[list(self.predicate_rows)], self.leaves)


@dataclass(frozen=True)
class ClusterRates:
    """What an experiment on downcoding clusters comes to on average, in closed form.

    Attributes:
        refined_share: the share of records that are refined.
        correct_share: of the clusters that are downcoded, the share where it is right.
        single_share: the share where a single record has large noise; the others are right by luck.
    """

    refined_share: float
    correct_share: float
    single_share: float


@dataclass(frozen=True, eq=False, repr=False)
class ClusterSimulation(Result):
    """Many runs of the experiment :func:`simulate_clusters`, added up.

    Attributes:
        runs: how many tables were drawn.
        fired_clusters: how many clusters were downcoded.
        correct_clusters: in how many of these the refined records generalize the true ones.
        refined_share: the share of all records that are refined.
        predicates: how many predicates came out.
        isolating: how many are true of exactly one record of their table.
        minimal: how many of the releases are known to be minimal.
        log10_weight: decimal logarithm of the largest weight of a predicate under the distribution that the records are
            drawn from; None where there is no predicate.
        expected: the closed form.
        first: the first run.
    """

    runs: int
    fired_clusters: int
    correct_clusters: int
    refined_share: float
    predicates: int
    isolating: int
    minimal: int
    log10_weight: float | None
    expected: ClusterRates
    first: ClusterRun

    def summary(self) -> dict[str, object]:
        """Runs, and how often what was concluded is right."""
        return {"runs": self.runs, "fired_clusters": self.fired_clusters, "correct_clusters": self.correct_clusters}

    def to_frame(self) -> pd.DataFrame:
        """The shares beside what theory expects."""
        correct = self.correct_clusters / self.fired_clusters if self.fired_clusters else math.nan
        rates = {"refined_share": self.refined_share, "correct_share": correct}
        expected = [self.expected.refined_share, self.expected.correct_share]
        return pd.DataFrame({"share": list(rates), "simulated": list(rates.values()), "expected": expected})

    def to_dict(self) -> Json:
        """As plain data."""
        told = {name: value for name, value in vars(self).items() if name not in ("expected", "first")}
        expected = {"refined_share": self.expected.refined_share, "correct_share": self.expected.correct_share}
        return plain(told | {"expected": expected})


@dataclass(frozen=True)
class LadderRun:
    """One run of an experiment on downcoding: a table of a ladder.

    Attributes:
        collision_free: whether all records have different values besides 0.
        recovered: how many predicates are true of exactly one record, a different one each.
        generalizes: whether the refined records still generalize the true ones.
        minimal: whether the release is known to be minimal.
    """

    collision_free: bool
    recovered: int
    generalizes: bool
    minimal: bool


@dataclass(frozen=True, repr=False)
class LadderSimulation(Result):
    """Many runs of the experiment :func:`simulate_ladder`.

    Attributes:
        domain: T, the largest value.
        strict_share: the mean share of attributes in which a record is refined.
        expected_share: the same in closed form: in a class of m records ``1 - (1 - 1/2k)^m``.
        collision_free_chance: the chance that all records of a table have different values.
        results: one entry per run.
    """

    domain: int
    strict_share: float
    expected_share: float
    collision_free_chance: float
    results: tuple[LadderRun, ...]

    def summary(self) -> dict[str, object]:
        """Runs, and the share of attributes in which a record is refined."""
        return {"runs": len(self.results), "domain": self.domain, "strict_share": f"{self.strict_share:.4g}"}

    def to_frame(self) -> pd.DataFrame:
        """A row per table."""
        return pd.DataFrame([asdict(run) for run in self.results])

    def to_dict(self) -> Json:
        """As plain data."""
        return plain(asdict(self))


def cluster_rates(k: int = 10, records: int = 100, clusters: int = 10, dimensions: int = 64) -> ClusterRates:
    """Return what the experiment :func:`simulate_clusters` comes to on average.

    A cluster is downcoded when exactly k records fall into it, and its far entries, those where some record of large
    noise is far, number about half. Left out, since they hardly occur: records of small noise that are far, and
    clusters whose records must go elsewhere.

    >>> rates = cluster_rates(dimensions=64)
    >>> round(rates.refined_share, 4), round(rates.correct_share, 3)
    (0.0496, 0.994)
    """
    _check_clusters(k, records, clusters, dimensions, 1)
    near = math.erf(NEAR / LARGE / math.sqrt(2))

    def about_half(chance: float) -> float:
        return sum(
            math.comb(dimensions, far) * chance**far * (1 - chance) ** (dimensions - far)
            for far in range(dimensions + 1)
            if 4 * abs(2 * far - dimensions) <= dimensions
        )

    exactly = math.comb(records, k) * (1 / clusters) ** k * (1 - 1 / clusters) ** (records - k)
    fires = single = right = 0.0
    for large in range(1, k + 1):
        so_many = math.comb(k, large) * (1 / k) ** large * (1 - 1 / k) ** (k - large)
        fires += so_many * about_half(1 - near**large)
        one_far = so_many * large * about_half(1 - near) * near ** (dimensions * (large - 1))
        right += one_far
        single += one_far if large == 1 else 0.0
    share = clusters * k / records * exactly * fires
    return ClusterRates(share, right / fires if fires else 0.0, single / fires if fires else 0.0)


def simulate_clusters(
    k: int = 10,
    records: int = 100,
    clusters: int = 10,
    dimensions: int = 64,
    runs: int = 300,
    seed: int | None = None,
    progress: Told | None = None,
) -> ClusterSimulation:
    """Simulate many times: draw clustered records, publish minimally, downcode (Cohen 2022, section 4.4).

    A record's values are normal around one cluster's centre, the same for all attributes, with standard deviation 1, or
    10 with probability 1/k; centres are 130 apart, near is within 6.6 of one.

    Args:
        k: smallest size of a class.
        records: per table.
        clusters: their number, 2 or more.
        dimensions: attributes.
        runs: tables.
        seed: of the draws and the publisher's choices; at random where None.
        progress: told how many runs are done, and of how many.

    Raises:
        CRAError: a setting is unusable or too large.

    >>> found = simulate_clusters(runs=20, seed=1)
    >>> found.predicates == found.fired_clusters >= found.correct_clusters, found.minimal
    (True, 20)
    """
    _check_clusters(k, records, clusters, dimensions, runs)
    rng = generator(seed)
    space = _cluster_space(clusters, dimensions)
    shape = clusters_of(space)
    if shape is None:
        raise AssertionError("a hierarchy of clusters is not taken for one")
    first = None
    fired = correct = isolating = minimal = 0
    refined = 0.0
    heaviest: float | None = None
    for run in range(runs):
        checkpoint()
        drawn = _cluster_run(space, shape, k, records, rng)
        first = drawn if first is None else first
        fired += len(drawn.fired)
        correct += sum(drawn.correct)
        isolating += drawn.isolating
        minimal += drawn.minimal
        refined += drawn.refined_share
        for row in drawn.predicate_rows:
            far = int((drawn.refined[row] % 2 == 1).sum())
            weight = _log10_weight(k, clusters, dimensions, far)
            heaviest = weight if heaviest is None else max(heaviest, weight)
        if progress is not None:
            progress(run + 1, runs)
    rates = cluster_rates(k, records, clusters, dimensions)
    if first is None:
        raise AssertionError("no run")
    return ClusterSimulation(runs, fired, correct, refined / runs, fired, isolating, minimal, heaviest, rates, first)


def simulate_ladder(
    k: int = 2,
    records: int = 20,
    dimensions: int = 128,
    alpha: float = 0.05,
    runs: int = 20,
    seed: int | None = None,
    progress: Told | None = None,
) -> LadderSimulation:
    """Simulate many times: draw records of a ladder, publish minimally, downcode (Cohen 2022, Theorem 4.3).

    Each record draws a value t from 1 to T = ceil(records^2 / alpha); each of its entries is t with probability 1/2k,
    else 0. Which records share a class is drawn before anything is looked at; by Claim B.3 the classes settle the rest.

    Args:
        k: smallest size of a class.
        records: per table.
        dimensions: attributes; with few of them some record shows no value of its own and is not recovered.
        alpha: the paper's bound on the attack's failure.
        runs: tables.
        seed: of the draws and the publisher's choices; at random where None.
        progress: told how many runs are done, and of how many.

    Raises:
        CRAError: a setting is unusable or too large.

    >>> found = simulate_ladder(k=2, records=8, dimensions=100, runs=3, seed=1)
    >>> found.domain, [(run.recovered, run.generalizes) for run in found.results if run.collision_free]
    (1280, [(8, True), (8, True), (8, True)])
    """
    domain = _check_ladder(k, records, dimensions, alpha, runs)
    rng = generator(seed)
    space = _ladder_space(records, dimensions)
    shape = ladder_of(space)
    if shape is None:
        raise AssertionError("a ladder is not taken for one")
    share = expected = 0.0
    results = []
    for run in range(runs):
        checkpoint()
        found, strict, supposed = _ladder_run(space, shape, k, domain, records, rng)
        results.append(found)
        share += strict
        expected += supposed
        if progress is not None:
            progress(run + 1, runs)
    chance = math.prod(1 - taken / domain for taken in range(records))
    return LadderSimulation(domain, share / runs, expected / runs, chance, tuple(results))


def _cluster_space(clusters: int, dimensions: int) -> Space:
    leaves = [(leaf, leaf + 1, f"{'near' if leaf % 2 == 0 else 'far'} {leaf // 2 + 1}") for leaf in range(2 * clusters)]
    middle = [(2 * number, 2 * number + 2, f"cluster {number + 1}") for number in range(clusters)]
    return Space([Tree.made([leaves, middle, [(0, 2 * clusters, "*")]])], [0] * dimensions)


def _ladder_space(records: int, dimensions: int) -> Space:
    """A ladder over the values that occur, by rank: no other value's node is ever the smallest around records."""
    layers = [
        [(0, merged, f"0-{merged - 1}"), *((leaf, leaf + 1, str(leaf)) for leaf in range(merged, records + 1))]
        for merged in range(1, records + 2)
    ]
    return Space([Tree.made(layers)], [0] * dimensions)


def _cluster_run(space: Space, shape: Clusters, k: int, records: int, rng: np.random.Generator) -> ClusterRun:
    clusters = shape.near.shape[1]
    large = rng.random(records) < 1 / k
    centre = rng.integers(clusters, size=records)
    noise = rng.standard_normal((records, space.width)) * np.where(large, LARGE, SMALL)[:, None]
    values = APART * (centre[:, None] + 1) + noise
    cluster = np.clip(np.floor((values - APART + HALF) / APART), 0, clusters - 1).astype(np.int64)
    away = values - APART * (cluster + 1)
    leaves = 2 * cluster + ((away < -NEAR) | (away >= NEAR))
    published, minimal = anonymized(space, leaves, k, rng)
    refined, rows = refined_clusters(shape, published, k)
    return ClusterRun(k, space, values, leaves, published, refined, tuple(rows), minimal is True)


def _ladder_run(
    space: Space, shape: LadderShape, k: int, domain: int, records: int, rng: np.random.Generator
) -> tuple[LadderRun, float, float]:
    value = rng.integers(1, domain + 1, size=records)
    different, rank = np.unique(value, return_inverse=True)
    leaves = np.where(rng.random((records, space.width)) < 1 / (2 * k), rank.reshape(-1)[:, None] + 1, 0)
    start = np.empty_like(leaves)
    order = rng.permutation(records)
    for group in np.split(order, range(k, records - k + 1, k)):
        start[group] = space.join(leaves[group])
    published, minimal = anonymized(space, leaves, k, rng, start)
    refined, rows = refined_ladder(shape, published)
    held = [np.flatnonzero(space.holds(refined[row], leaves)) for row in rows]
    alone = {int(holders[0]) for holders in held if len(holders) == 1}
    _, place, sizes = np.unique(published, axis=0, return_inverse=True, return_counts=True)
    supposed = 1 - (1 - 1 / (2 * k)) ** sizes[place.reshape(-1)]
    run = LadderRun(
        len(different) == records, len(alone), still_generalizes(space, published, refined, leaves), minimal is True
    )
    return run, float((refined != published).mean()), float(supposed.mean())


def _log10_weight(k: int, clusters: int, dimensions: int, far: int) -> float:
    """Returns how rarely a predicate with so many far entries is true of a record of the distribution."""
    terms = []
    for deviation, share in ((LARGE, 1 / k), (SMALL, 1 - 1 / k)):
        within = math.erf(NEAR / deviation / math.sqrt(2))
        beyond = math.erfc(NEAR / deviation / math.sqrt(2))
        terms.append(math.log10(share) + far * math.log10(beyond) + (dimensions - far) * math.log10(within))
    most = max(terms)
    return most + math.log10(sum(10 ** (term - most) for term in terms)) - math.log10(clusters)


def _whole(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise CRAError(f"{name} is {str(value)[:60]}; give a whole number from {least:,} to {most:,}.")


def _check_clusters(k: int, records: int, clusters: int, dimensions: int, runs: int) -> None:
    _whole("records", records, 2, MAX_RECORDS)
    _whole("k", k, 2, records)
    _whole("clusters", clusters, 2, 1_000)
    _whole("dimensions", dimensions, 1, 1_000)
    _whole("runs", runs, 1, MAX_RUNS)
    _check_size(records, dimensions)


def _check_ladder(k: int, records: int, dimensions: int, alpha: float, runs: int) -> int:
    """The domain T, where all settings are usable."""
    _whole("records", records, 2, MAX_LADDER)
    _whole("k", k, 2, records)
    _whole("dimensions", dimensions, 1, 10_000)
    _whole("runs", runs, 1, MAX_RUNS)
    _check_size(records, dimensions)
    share = Decimal(str(alpha))
    if not (share.is_finite() and Decimal("1e-9") <= share < 1):
        raise CRAError(f"alpha is {alpha}; give a number below 1, and not below 0.000000001.")
    return math.ceil(records**2 / Fraction(share))


def _check_size(records: int, dimensions: int) -> None:
    if records * dimensions > MAX_CELLS:
        raise CRAError(f"{records:,} records in {dimensions:,} dimensions are too many; take fewer of either.")
