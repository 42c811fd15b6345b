"""Simulated downcoding against the closed forms, and these against the paper's arithmetic."""

import math

import numpy as np
import pytest

from cra_engine import CRAError
from cra_engine.experiments.downcoding import APART, NEAR, cluster_rates, simulate_clusters, simulate_ladder


@pytest.mark.parametrize(
    ("dimensions", "refined", "single"),
    [
        (8, 0.0443, 0.819),
        (16, 0.0446, 0.904),
        (32, 0.0470, 0.966),
        (64, 0.0496, 0.994),
        (100, 0.0504, 0.9993),
        (200, 0.0511, 0.99999),
    ],
)
def test_the_closed_form_of_the_papers_example(dimensions, refined, single):
    rates = cluster_rates(10, 100, 10, dimensions)
    assert rates.refined_share == pytest.approx(refined, abs=5e-5)
    assert rates.single_share == pytest.approx(single, abs=5e-4)
    assert rates.correct_share >= rates.single_share


def test_the_closed_form_by_drawing_clusters_of_exactly_k():
    """Drawn without any release: the far entries of k records, as the example draws them."""
    rng = np.random.default_rng(5)
    k, dimensions, draws = 4, 8, 60_000
    deviation = np.where(rng.random((draws, k)) < 1 / k, 10.0, 1.0)
    far = np.abs(rng.standard_normal((draws, k, dimensions)) * deviation[:, :, None]) >= NEAR
    mixed = far.any(axis=1) & ~far.all(axis=1)
    fires = np.abs(mixed.sum(axis=1) - dimensions / 2) <= dimensions / 8
    right = fires & (far.any(axis=2).sum(axis=1) == 1)
    rates = cluster_rates(k, 40, 10, dimensions)
    exactly = math.comb(40, k) * 0.1**k * 0.9 ** (40 - k)
    error = 3 * math.sqrt(0.25 / fires.sum())
    assert right.sum() / fires.sum() == pytest.approx(rates.correct_share, abs=error)
    chance = rates.refined_share / exactly  # of k records in a cluster, with 10 clusters of 4 in 40
    assert fires.mean() == pytest.approx(
        chance, abs=3 * math.sqrt(chance * (1 - chance) / draws) + far.all(axis=1).mean()
    )


@pytest.mark.parametrize(
    ("dimensions", "runs"),
    [(64, 60), *(pytest.param(d, 2_000, marks=pytest.mark.exhaustive) for d in (8, 16, 32, 64, 100, 200))],
)
def test_clusters_come_within_three_standard_errors_of_the_closed_form(dimensions, runs):
    found = simulate_clusters(dimensions=dimensions, runs=runs, seed=7)
    share = found.expected.refined_share  # clusters of a table compete for its records, so they are at most independent
    assert found.refined_share == pytest.approx(share, abs=3 * math.sqrt(share * (1 - share) / (10 * runs)))
    right = found.expected.correct_share
    fired = found.fired_clusters
    assert abs(found.correct_clusters - fired * right) <= 3 * math.sqrt(fired * right * (1 - right)) + 0.5
    assert found.minimal == runs
    assert found.correct_clusters <= found.isolating <= found.predicates == fired


def test_a_run_is_what_it_says():
    run = simulate_clusters(k=5, records=60, clusters=12, dimensions=20, runs=1, seed=2).first
    away = run.values - APART * (run.cluster_of_row[:, None] + 1)
    assert ((np.abs(away) >= NEAR) == (run.leaves % 2 == 1)).all()
    assert run.space.holds(run.published, run.leaves).all()
    assert run.space.within(run.refined, run.published).all()
    assert len(run.fired) == len(run.predicate_rows) == len(run.correct)
    refined = (run.refined != run.published).any(axis=1)
    assert set(run.cluster_of_row[refined]) == set(run.fired)
    assert refined.sum() == 5 * len(run.fired)


@pytest.mark.parametrize(
    ("k", "records", "runs"), [(2, 20, 10), (3, 30, 5), pytest.param(3, 40, 300, marks=pytest.mark.exhaustive)]
)
def test_a_ladder_without_collision_is_recovered_whole(k, records, runs):
    found = simulate_ladder(k=k, records=records, dimensions=300, runs=runs, seed=3)
    assert found.domain == 20 * records**2
    free = [run for run in found.results if run.collision_free]
    assert free
    assert all(run.recovered == records and run.generalizes and run.minimal for run in free)
    chance = found.collision_free_chance
    assert abs(len(free) - runs * chance) <= 3 * math.sqrt(runs * chance * (1 - chance)) + 0.5
    # A class's records share their bounds, so at least each class and attribute is a draw of its own.
    draws = runs * (records // (2 * k)) * 300
    assert found.strict_share == pytest.approx(
        found.expected_share, abs=3 * math.sqrt(0.25 / draws) + 1 / records / 300
    )


def test_collisions_are_known_for_what_they_are():
    found = simulate_ladder(k=6, records=12, dimensions=400, alpha=0.999, runs=40, seed=1)
    assert found.collision_free_chance == pytest.approx(math.prod(1 - i / 145 for i in range(12)))
    assert {run.collision_free for run in found.results} == {True, False}
    wrong = [run for run in found.results if not run.generalizes or run.recovered < 12]
    assert wrong  # two records of one value in one class
    assert not any(run.collision_free for run in wrong)


def test_the_same_seed_gives_the_same_tables():
    one, same, other = (simulate_clusters(runs=1, seed=seed).first for seed in (4, 4, 5))
    assert (one.published == same.published).all()
    assert (one.values != other.values).any()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: simulate_clusters(k=1), "k is 1; give a whole number from 2 to 100"),
        (lambda: simulate_clusters(k=101), "k is 101"),
        (lambda: simulate_clusters(records=0), "records is 0"),
        (lambda: simulate_clusters(clusters=1), "clusters is 1"),
        (lambda: simulate_clusters(dimensions=0), "dimensions is 0"),
        (lambda: simulate_clusters(runs=0), "runs is 0"),
        (lambda: simulate_clusters(records=10_000, dimensions=1_000, clusters=1_000, k=2.5), "k is 2.5"),
        (lambda: simulate_clusters(seed=-1), "The seed is -1"),
        (lambda: simulate_ladder(alpha=0), "alpha is 0"),
        (lambda: simulate_ladder(alpha=math.nan), "alpha is nan"),
        (lambda: simulate_ladder(alpha=1.0), "alpha is 1.0"),
        (lambda: simulate_ladder(records=1_001), "records is 1001"),
        (lambda: simulate_ladder(k=21), "k is 21"),
    ],
)
def test_unusable_settings_are_refused_in_a_sentence(call, words):
    with pytest.raises(CRAError, match=words):
        call()
