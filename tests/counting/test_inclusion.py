"""Inclusion and exclusion over sets of children, against the sum over orthants and every arrangement."""

import math
import random
from itertools import product

import pandas as pd
import pytest

from cra_engine import Release, Study, TooLargeError, attack
from cra_engine.counting.inclusion import Bracket, SetSum
from cra_engine.counting.sums import OrthantSum, multisets, repetitions
from strategies import make_attribute


def random_sum(rng):
    fanouts = [rng.choice([2, 3, 4]) for _ in range(rng.randint(1, 3))]
    measures = [rng.choice([0, 1, 3, 5, 5, 7]) for _ in range(math.prod(fanouts))]
    cap = rng.randint(1, 4)
    return fanouts, measures, rng.randint(1, min(11, cap * min(fanouts))), cap


def test_the_sum_is_that_over_the_orthants():
    exact = 0
    for seed in range(75):
        fanouts, measures, size, cap = random_sum(random.Random(seed))
        expected = OrthantSum(fanouts, measures, math.comb, size, cap).total
        found = SetSum(fanouts, measures, math.comb, size, cap).bracket()
        assert found.lower <= expected <= found.upper, f"seed {seed}"
        exact += found.exact
        cells = SetSum(fanouts, measures, multisets, size, cap).bracket()
        assert cells.lower <= OrthantSum(fanouts, measures, multisets, size, cap).total <= cells.upper
    assert exact > 70


def test_the_sum_where_records_may_be_alike():
    for seed in range(60):
        fanouts, measures, size, cap = random_sum(random.Random(seed))
        limit = min(size, cap)
        scaled = OrthantSum(fanouts, measures, repetitions(limit), size, cap).total
        expected = scaled * math.factorial(size) // math.factorial(limit) ** len(measures)
        scale = math.factorial(size)
        found = SetSum(
            fanouts, measures, lambda v, n, scale=scale: v**n * (scale // math.factorial(n)), size, cap, scale
        ).bracket()
        assert found.lower <= expected <= found.upper, f"seed {seed}"


def test_three_values_by_every_arrangement():
    # 7 records in a 3 x 3 grid of 4 values each, at most 3 in each line and column.
    total = 0
    for counts in product(range(4), repeat=9):
        lines = [counts[i : i + 3] for i in (0, 3, 6)]
        if sum(counts) == 7 and max(map(sum, lines)) <= 3 and max(map(sum, zip(*lines, strict=True))) <= 3:
            total += math.prod(math.comb(4, count) for count in counts)
    assert SetSum((3, 3), [4] * 9, math.comb, 7, 3).bracket() == Bracket(total, total)


@pytest.mark.parametrize("seconds", [0.0, 1e-4, 1e-3, 1e-2])
def test_cut_short_the_sum_lies_between(seconds):
    for seed in range(40):
        rng = random.Random(f"cut {seed}")
        fanouts, cap = (3, 4), rng.randint(2, 4)
        measures = [rng.randint(1, 9) for _ in range(12)]
        size = rng.randint(2 * cap + 2, 3 * cap)
        expected = OrthantSum(fanouts, measures, math.comb, size, cap).total
        found = SetSum(fanouts, measures, math.comb, size, cap).bracket(seconds)
        assert found.lower <= expected <= found.upper, f"seed {seed}"


def square(fanout, size, k, attributes=2):
    names = "abcdef"[:attributes]
    study = Study([make_attribute(name, fanout=fanout, layers=2, leaf=10) for name in names], k)
    return attack(Release(study, pd.DataFrame({name: ["*"] * size for name in names})))


def test_a_class_that_was_refused_is_counted():
    (part,) = square(4, 41, 20).parts
    assert part.counted
    assert 0 < part.cra_solutions < part.lr_solutions
    assert part.ratio > 1


def test_a_class_past_counting_lies_between_two_numbers():
    attacked = square(4, 57, 20, attributes=4)
    (part,) = attacked.parts
    lower, upper = part.cra_bounds
    assert 0 < lower < upper < part.lr_solutions
    with pytest.raises(TooLargeError, match="lies between"):
        _ = part.cra_solutions
    assert attacked.tables().bounded
    written = attacked.to_dict()["suppressed"]
    assert (written["cra_solutions"], written["ratio"]) == (None, None)
    assert written["cra_bounds"] == [str(lower), str(upper)]
