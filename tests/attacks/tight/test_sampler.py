"""Estimates against exact counts: within their standard errors, unbiased, and the same for the same seed."""

import math
from decimal import Decimal
from itertools import islice

import numpy as np
import pytest

from cra_engine.attacks.prior import DISTINCT
from cra_engine.attacks.solver.counting import count_by_layers
from cra_engine.attacks.solver.layers import TooManyStates
from cra_engine.attacks.solver.parts import split
from cra_engine.attacks.tight import sampler as sampling
from cra_engine.attacks.tight.sampler import Sampler
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.patience import Stopped, stoppable
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release
from cra_engine.study.study import Study
from oracles.sweep import SmallGrid
from strategies import random_case


def countable(seeds):
    """Parts with classes that straddle, few enough data sets to count: seed, system, part, exact count."""
    for seed in seeds:
        case = random_case(seed)
        system = TightSystem(recode(case.data, case.study).release)
        for part in split(system, system.limits):
            if sum(bound.part is not None for bound in part.sources[0][0].bounds) < 2:
                continue
            try:
                exact = count_by_layers(part, DISTINCT, max_states=2000)
            except TooManyStates:
                continue
            if exact is not None and exact.total:
                yield seed, system, part, exact


@pytest.fixture(scope="module")
def cases():
    return list(islice(countable(range(9000, 10_000)), 30))


@pytest.fixture(scope="module")
def many():
    return list(islice(countable(range(9000, 10_000)), 104))


def error(estimate, exact) -> float:
    """How many standard errors the estimate is off."""
    return (estimate.log - math.log(exact.total)) / estimate.error


@pytest.mark.exhaustive
def test_the_exact_number_lies_within_three_standard_errors(many, monkeypatch):
    monkeypatch.setattr(sampling, "PARTICLES", 200)  # any number does: the standard error says what it is worth
    errors = []
    for seed, system, part, exact in many:
        errors.append(error(Sampler(system, part).estimate(seed), exact))
    assert len(errors) >= 100
    assert sum(abs(z) <= 3 for z in errors) >= 0.97 * len(errors)
    assert sum(len(part.sources[0]) > 1 for _, _, part, _ in many) >= 5
    # No bias, and the standard error is not a free pass either.
    assert abs(np.mean(errors)) < 4 / math.sqrt(len(errors))
    assert 0.5 < np.std(errors) < 1.5


@pytest.mark.parametrize(
    ("several", "of"), [(False, "cases"), pytest.param(True, "many", marks=pytest.mark.exhaustive)]
)
def test_estimates_of_few_particles_are_unbiased(request, several, of):
    """The mean over many repetitions of so few particles that they often die out."""
    checked = died = 0
    chosen = [case for case in request.getfixturevalue(of) if (len(case[2].sources[0]) > 1) == several]
    for seed, system, part, exact in chosen[:3]:
        sampler, ratios = Sampler(system, part), []
        for repetition in range(200):
            ratio = 0.0
            for option in range(len(part.sources[0])):
                log, worlds = sampler.run(option, np.random.default_rng([seed, repetition, option]), 10)
                died += not len(worlds)
                if len(worlds):
                    ratio += math.exp(log - math.log(exact.total)) * (1 / sampler.allowed_by(worlds)).mean()
            ratios.append(ratio)
        mean, deviation = np.mean(ratios), np.std(ratios) / math.sqrt(len(ratios))
        assert abs(mean - 1) <= 4.5 * deviation + 1e-9, (seed, mean, deviation)
        checked += 1
    assert checked == 3
    assert died


def test_probabilities_are_near_the_exact_ones(cases):
    worst = 0.0
    for seed, system, part, exact in cases[:8]:
        estimate = Sampler(system, part).estimate(seed)
        for atom, (support, counts) in enumerate(zip(exact.supports, exact.marginals, strict=True)):
            said = estimate.probabilities[atom]
            assert said.sum() == pytest.approx(1)
            assert support[0] <= estimate.seen[atom][0] <= estimate.seen[atom][1] <= support[1]
            true = np.array([ways / exact.total for ways in counts])
            worst = max(worst, np.abs(said[: len(true)] - true).max(), said[len(true) :].max(initial=0))
    assert worst < 0.04


def test_the_share_that_steps_must_publish_is_sampled_too(monkeypatch):
    monkeypatch.setattr(sampling, "PARTICLES", 300)
    errors = []
    for shapes, k, records, share in [
        (((3, 2, 9), (2, 2, 11)), 2, 6, Decimal("0.5")),
        (((4, 2, 9),), 2, 6, Decimal("0.5")),
        (((2, 3, 9), (2, 3, 9)), 2, 5, Decimal("0.6")),
    ]:
        grid = SmallGrid(shapes, k)
        study = Study(grid.attributes, k, share)
        worlds = grid.count_vectors(records)
        published = SmallGrid(shapes, k, study.step_minimum(records)).releases(worlds)
        for which, one in enumerate(sorted(published, key=lambda p: -len(p.worlds))):
            system = TightSystem(Release(study, one.table(grid.attributes)))
            (part, *others) = split(system, system.limits) or [None]
            if part is None or others or not any(b.boxes for b in part.sources[0][0].bounds):
                continue
            column = [grid.cells.index(cell) for cell in system.cells]
            allowed = [w for w in worlds if w[column].sum() == records and system.allows(w[column])]
            if len(system.settled):
                continue
            estimate = Sampler(system, part).estimate(which)
            exact = math.log(sum(grid.weight(w) for w in allowed))
            errors.append((estimate.log - exact) / estimate.error)
            if len(errors) % 5 == 0:
                break
    assert len(errors) >= 6
    assert all(abs(z) < 4 for z in errors), errors


def test_the_same_seed_gives_the_same_numbers(cases, monkeypatch):
    monkeypatch.setattr(sampling, "PARTICLES", 100)
    _, system, part, _ = next(case for case in cases if Sampler(case[1], case[2]).estimate(1).error > 3e-3)
    one, again, other = (Sampler(system, part).estimate(seed) for seed in (1, 1, 2))
    assert (one.log, one.error, one.runs) == (again.log, again.error, again.runs)
    assert all(map(np.array_equal, one.probabilities, again.probabilities))
    assert one.log != other.log


def test_a_draw_ends_when_it_is_asked_to(cases):
    _, system, part, _ = cases[0]
    sampler, asked = Sampler(system, part), []

    def stop():
        asked.append(1)
        return True

    with stoppable(stop):
        nothing = sampler.estimate(0)
    assert (nothing.log, nothing.probabilities, nothing.seen, nothing.runs) == (None, None, None, 0)
    assert len(asked) == 1  # heard at once
    with stoppable(lambda: bool(asked.append(1))):
        sampler.run(0, np.random.default_rng(0), 100)
    assert len(asked) > len(sampler.turns[0])  # asked before each class


def test_nothing_is_estimated_from_too_few_repetitions(cases, monkeypatch):
    _, system, part, _ = next(case for case in cases if len(case[2].sources[0]) == 1)
    sampler, drawn, real = Sampler(system, part), [], Sampler.run

    def run(self, option, rng, particles):
        drawn.append(1)
        if len(drawn) > allowed:
            raise Stopped
        return real(self, option, rng, particles)

    monkeypatch.setattr(Sampler, "run", run)
    allowed = 15
    before = sampler.estimate(0)
    assert (before.log, before.probabilities, before.runs) == (None, None, 15)
    assert all(low <= high for low, high in before.seen)  # what was met is possible all the same
    drawn.clear()
    allowed = 16
    assert sampler.estimate(0).runs == 16
    assert sampler.estimate(0).log is None


def test_more_particles_are_taken_where_few_survive(cases, monkeypatch):
    """With a single particle most repetitions end without any: then more are taken until the error is small."""
    monkeypatch.setattr(sampling, "PARTICLES", 1)
    more = 0
    for seed, system, part, exact in cases[:15]:
        sampler = Sampler(system, part)
        survived = [len(sampler.run(0, np.random.default_rng(n), 1)[1]) for n in range(32)]
        estimate = sampler.estimate(seed)
        if sum(survived) < 8:
            more += 1
            assert estimate.log is not None
            assert estimate.error < 1
            assert abs(error(estimate, exact)) < 4
    assert more >= 3


def test_survival_of_all_is_no_proof_of_certainty(cases, monkeypatch):
    monkeypatch.setattr(sampling, "PARTICLES", 50)
    estimates = [Sampler(system, part).estimate(0) for _, system, part, _ in cases[:10]]
    assert all(estimate.error >= 1 / (50 * estimate.runs) for estimate in estimates)
