"""Sizes that nobody can enumerate: against brute force where it is small, against formulas elsewhere."""

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pandas as pd
import pytest

from chances import assert_fits
from cra_engine.attacks.refinement.attack import attack
from cra_engine.counting.axes import Counters, Violations
from cra_engine.counting.sums import OrthantSum, multisets
from cra_engine.counting.tree import OrthantTree, SplitPlan
from cra_engine.errors import TooLargeError
from cra_engine.release import Release
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from oracles import polya

# ---------------------------------------------------------------- counting: every way to count gives the same


class Bounded:
    """A small sum over orthants, counted by going through all numbers of records per orthant."""

    def __init__(self, seed: int, fanouts: list[int] | None = None, *, loose: bool = False) -> None:
        rng = random.Random(f"bounded {seed}")
        shapes = [[2], [3], [5], [2, 2], [2, 3], [3, 2], [4, 2], [3, 3], [2, 2, 2], [2, 2, 3]]
        self.fanouts = fanouts or rng.choice(shapes)
        self.cap = rng.choice([1, 2, 2, 3])
        self.size = rng.randint(self.cap + 1, 5)
        if loose:
            self.cap = self.size + rng.choice([0, 3])
        self.volumes = [rng.choice([0, 1, 2, 3, 7]) for _ in range(prod(self.fanouts))]
        self.weigh = rng.choice([comb, multisets])
        self.total = 0
        self.parts = [Counter() for _ in self.volumes]
        self.outcomes: Counter = Counter()
        for held in self._held(self.size, len(self.volumes)):
            if self._keeps_bounds(held):
                ways = prod(map(self.weigh, self.volumes, held))
                self.total += ways
                self.outcomes[held] += ways
                for orthant, n in enumerate(held):
                    self.parts[orthant][n] += ways

    def _held(self, total, places):
        if places == 1:
            yield (total,)
            return
        for n in range(total + 1):
            yield from ((n, *rest) for rest in self._held(total - n, places - 1))

    def _keeps_bounds(self, held):
        orthants = list(product(*map(range, self.fanouts)))
        loads = Counter()
        for orthant, n in zip(orthants, held, strict=True):
            for attribute, child in enumerate(orthant):
                loads[attribute, child] += n
        return max(loads.values()) <= self.cap

    def assert_counted(self, total, by_orthant) -> None:
        assert total == self.total
        for parts, expected in zip(by_orthant, self.parts, strict=True):
            assert {n: ways for n, ways in enumerate(parts) if ways} == {n: w for n, w in expected.items() if w}


def plans(case):
    """Every choice of axes for every order of the attributes."""
    for first in range(len(case.fanouts)):
        order = [first, *(i for i in range(len(case.fanouts)) if i != first)]
        fanouts = tuple(case.fanouts[i] for i in order)
        kinds = [Counters, Violations] if case.size <= 2 * case.cap + 1 else [Counters]
        for chosen in product(kinds, repeat=len(fanouts) - 1):
            axes = tuple(kind(fanout, case.size, case.cap) for kind, fanout in zip(chosen, fanouts[1:], strict=True))
            yield order, SplitPlan(fanouts, case.size, case.cap, axes)


@pytest.mark.parametrize(
    "batch", [*range(3), *(pytest.param(batch, marks=pytest.mark.exhaustive) for batch in range(3, 6))]
)
def test_every_way_to_count_agrees_with_going_through_all(batch):
    seen = Counter()
    for seed in range(batch * 20, (batch + 1) * 20):
        case = Bounded(seed)
        engine = OrthantSum(case.fanouts, case.volumes, case.weigh, case.size, case.cap)
        case.assert_counted(engine.total, engine.by_orthant)
        rows = [[case.weigh(volume, n) for n in range(case.cap + 1)] for volume in case.volumes]
        own = np.arange(len(rows)).reshape(case.fanouts)
        for order, plan in plans(case):
            places = own.transpose(order).ravel().tolist()
            tree = OrthantTree(plan, [rows[place] for place in places])
            parts = dict(zip(places, tree.by_orthant, strict=True))
            case.assert_counted(tree.total, [parts[orthant] for orthant in range(len(rows))])
            seen.update(type(axis).__name__ for axis in plan.axes)
            seen["possible"] += case.total > 0
    assert min(seen["Counters"], seen["Violations"], seen["possible"]) >= 10, seen


@pytest.mark.parametrize("seed", range(12))
def test_bounds_that_nothing_can_break_change_nothing(seed):
    case = Bounded(seed, loose=True)
    engine = OrthantSum(case.fanouts, case.volumes, case.weigh, case.size, case.cap)
    case.assert_counted(engine.total, engine.by_orthant)


@pytest.mark.parametrize(
    ("fanouts", "loose"),
    [([2, 2], False), ([3, 2], False), ([3, 3], False), ([4, 2], False), ([2, 2, 3], False), ([3, 2], True)],
)
def test_draws_follow_the_weights(fanouts, loose):
    found = (Bounded(seed, fanouts, loose=loose) for seed in range(100))
    case = next(case for case in found if 5 <= sum(map(bool, case.outcomes.values())) <= 400)
    engine = OrthantSum(case.fanouts, case.volumes, case.weigh, case.size, case.cap)
    draws = 4000
    expected = {held: Fraction(ways, case.total) for held, ways in case.outcomes.items()}
    drawn = engine.sample(np.random.default_rng(1), draws)
    assert_fits(Counter(map(tuple, drawn.tolist())), expected, draws)


# ---------------------------------------------------------------- counting: sizes that only a formula reaches

LARGE = [
    ([2] * 6, 12, 7),  # three layers each, k = 7
    ([2] * 6, 9, 7),
    ([2] * 6, 16, 10),
    ([2] * 6, 20, 20),
    ([2] * 5, 21, 20),
    ([3] * 4, 10, 7),
    ([3] * 6, 7, 7),
    ([4] * 3, 12, 7),
    ([4] * 4, 8, 7),
    ([4] * 6, 5, 5),
    ([4, 2, 2, 2], 11, 10),
    ([3, 2, 4], 9, 6),
]


@pytest.mark.parametrize(("fanouts", "size", "k"), LARGE)
def test_large_sums_equal_the_symmetric_function_sum(fanouts, size, k):
    orthants = prod(fanouts)
    sums = OrthantSum(fanouts, [3] * orthants, multisets, size, k - 1)
    assert sums.total == polya.combinations(size, fanouts, k - 1, 3) > 0
    sums = OrthantSum(fanouts, [10**6] * orthants, comb, size, k - 1)
    assert sums.total == polya.cra_solutions(size, fanouts, k - 1, 10**6) > 0


@pytest.mark.parametrize(
    ("fanouts", "size", "k"), [([2] * 6, 12, 7), ([3] * 4, 8, 7), ([4] * 3, 12, 7), ([2, 4, 2], 9, 6)]
)
def test_parts_and_draws_of_large_sums_are_consistent(fanouts, size, k):
    rng = random.Random(4)
    orthants = prod(fanouts)
    volumes = [rng.choice([0, 10**6, 5 * 10**5, 98_765]) for _ in range(orthants)]
    sums = OrthantSum(fanouts, volumes, comb, size, k - 1)
    assert all(sum(parts) == sums.total for parts in sums.by_orthant)
    assert sum(n * part for parts in sums.by_orthant for n, part in enumerate(parts)) == size * sums.total
    drawn = sums.sample(np.random.default_rng(0), 300)
    assert (drawn.sum(axis=1) == size).all()
    held = drawn.reshape(-1, *fanouts)
    for axis in range(1, held.ndim):
        others = tuple(other for other in range(1, held.ndim) if other != axis)
        assert held.sum(axis=others).max() <= k - 1
    # The share of draws in which an orthant is empty is that of the sum.
    for orthant in range(0, orthants, 7):
        expected = sums.by_orthant[orthant][0] / sums.total
        assert abs((drawn[:, orthant] == 0).mean() - expected) <= 5 * (expected * (1 - expected) / 300) ** 0.5 + 1e-12


@pytest.mark.parametrize(
    ("fanouts", "size", "k"), [([2] * 6, 30, 20), ([4] * 6, 24, 20), ([4] * 5, 12, 7), ([10] * 5, 6, 5)]
)
def test_what_is_too_large_is_said_before_anything_is_counted(fanouts, size, k, monkeypatch):
    monkeypatch.setattr(OrthantTree, "total", property(lambda _: pytest.fail("counted")))
    with pytest.raises(
        TooLargeError, match=rf"\({size} records, {len(fanouts)} generalized attributes\) .* take fewer"
    ):
        OrthantSum(fanouts, [1000] * prod(fanouts), comb, size, k - 1)


def test_six_attributes_are_attacked():
    study = Study([Attribute(name, 0, 400, layers=3) for name in "abcdef"], 7)
    release = Release(study, pd.DataFrame({name: ["*"] * 12 for name in "abcdef"}))
    suppressed = attack(release).suppressed
    assert suppressed.cra_solutions == polya.cra_solutions(12, [2] * 6, 6, 200**6)
    assert suppressed.combinations == polya.combinations(12, [2] * 6, 6, 2**6)
    # Whatever cell it is, on average it holds its share of the 12 records.
    expected = sum(j * suppressed.cell_probabilities(j)[0] for j in range(13))
    assert expected == pytest.approx(12 / 4**6)
