"""What is said of classes that are too large to count holds: limits of numbers and of single cells' probabilities."""

import math
import random
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest

from cra_engine import Release, Study, TooLargeError, attack, single_out
from cra_engine.attacks.prior import prior_of
from cra_engine.attacks.refinement import class_attack
from cra_engine.attacks.refinement.chance_bounds import chance_bounds
from cra_engine.counting.inclusion import SetSum
from cra_engine.counting.quotas import quota_bound
from strategies import make_attribute

PRIORS = ("distinct", "independent", "assignments")


def weights(prior, size):
    """How sets of children weigh places under a prior: the weight, and what it is multiplied by."""
    known = prior_of(prior, None)
    if known.ordered:
        return lambda v, n: v**n * (math.factorial(size) // math.factorial(n)), math.factorial(size)
    return lambda v, n: known.ways(v, n, n), 1


def case(seed):
    rng = random.Random(seed)
    fanouts = rng.choice([(2,), (3,), (2, 2), (2, 3), (2, 2, 2)])
    prior = rng.choice(PRIORS)
    measures = [rng.choice([0, 1, 2, 4]) for _ in range(math.prod(fanouts))]
    cap = rng.randint(1, 3)
    return prior, fanouts, measures, rng.randint(cap + 1, min(6, cap * min(fanouts) + 1)), cap


def every_arrangement(fanouts, size, cap):
    """Numbers of records per orthant that keep the bounds."""
    places = math.prod(fanouts)
    for bars in combinations(range(size + places - 1), places - 1):
        held = tuple(after - before - 1 for before, after in pairwise((-1, *bars, size + places - 1)))
        box = np.array(held).reshape(fanouts)
        axes = range(box.ndim)
        if all(box.sum(axis=tuple(a for a in axes if a != i)).max() <= cap for i in axes):
            yield held


def weight(prior, measures, held, size):
    known = prior_of(prior, None)
    ways = [Fraction(known.ways(v, n, n)) for v, n in zip(measures, held, strict=True)]
    if known.ordered:  # ordered tables: size! / (n1! n2! ..) orders
        ways.append(Fraction(math.factorial(size), math.prod(map(math.factorial, held))))
    return math.prod(ways)


@pytest.mark.parametrize("batch", range(4))
def test_quotas_never_count_too_much(batch):
    above = 0
    for seed in range(batch * 30, batch * 30 + 30):
        prior, fanouts, measures, size, cap = case(seed)
        exact = sum(weight(prior, measures, held, size) for held in every_arrangement(fanouts, size, cap))
        ways, scale = weights(prior, size)
        found = quota_bound(fanouts, measures, ways, size, cap, scale)
        assert 0 <= found <= exact, f"seed {seed}"
        above += found > 0
    assert above > 10


@pytest.mark.parametrize("prior", PRIORS)
def test_where_no_place_is_taken_quotas_are_found(prior):
    for fanouts, size, cap in (((3, 3), 57, 19), ((4, 4, 4), 15, 4), ((2,) * 6, 98, 49)):
        ways, scale = weights(prior, size)
        assert quota_bound(fanouts, [100] * math.prod(fanouts), ways, size, cap, scale) > 0


@pytest.mark.parametrize("batch", range(4))
def test_the_probability_of_a_cell_lies_between_its_limits(batch):
    narrow = 0
    for seed in range(batch * 10, batch * 10 + 10):
        prior, fanouts, measures, size, cap = case(seed)
        rng = random.Random(f"cell {seed}")
        orthant = rng.choice([o for o, v in enumerate(measures) if v] or [0])
        measure = 1 if prior == "assignments" else rng.randint(1, measures[orthant] or 1)
        # By every arrangement of the orthants, with the cell as one more place beside its orthant's other cells.
        shares, total = [Fraction(0)] * (size + 1), Fraction(0)
        rest = [*measures[:orthant], measures[orthant] - measure, *measures[orthant + 1 :], measure]
        for held in every_arrangement(fanouts, size, cap):
            for j in range(held[orthant] + 1):
                split = (*held[:orthant], held[orthant] - j, *held[orthant + 1 :], j)
                own = weight(prior, rest, split, size) if measures[orthant] >= measure else Fraction(0)
                shares[j] += own
                total += own
        if not total:
            continue
        ways, scale = weights(prior, size)
        sets = SetSum(fanouts, measures, ways, size, cap, scale)
        ordered = prior == "independent"
        for seconds in (0.0, 2.0):
            bracket = sets.bracket(seconds)
            for j in range(size + 1):
                lower, upper = chance_bounds(
                    sets, (bracket.lower, bracket.upper), orthant, measure, j, seconds, ordered=ordered
                )
                assert lower <= shares[j] / total <= upper, f"seed {seed}, {j} records"
                narrow += 0 < lower == upper < 1
    assert narrow > 5


def square(fanout, size, k, attributes):
    names = "abcdef"[:attributes]
    study = Study([make_attribute(name, fanout=fanout, layers=2, leaf=10) for name in names], k)
    return attack(Release(study, pd.DataFrame({name: ["*"] * size for name in names})))


def test_single_cells_of_a_class_past_counting_have_limits():
    attacked = square(4, 60, 20, 2)
    (part,) = attacked.parts
    with pytest.raises(TooLargeError):
        part.cell_probabilities(1)
    chances = single_out(attacked)
    assert not chances.cells
    assert len(chances.bounded) == 16
    # All cells look alike: 60 people cannot make more than 60 of them hold one, and no table is surely one or other.
    assert all(0 <= limits.lower <= limits.upper < 1 for limits in chances.bounded)
    with pytest.raises(TooLargeError, match="lies between"):
        _ = chances.expected_isolated
    written = chances.to_dict()
    assert written["expected_isolated"] is None
    assert all(cell["probability"] is None for cell in written["cells"])
    assert written["cells"][0]["probability_bounds"] == [chances.bounded[0].lower, chances.bounded[0].upper]


def test_limits_of_a_countable_class_hold_what_is_counted(monkeypatch):
    attacked = square(3, 12, 5, 2)
    (part,) = attacked.parts
    known = [part.cell_probabilities(j) for j in range(3)]

    def refused(*_):
        raise TooLargeError("as if it were")

    monkeypatch.setattr(class_attack.ClassAttack, "cell_probabilities", refused)
    (other,) = square(3, 12, 5, 2).parts
    for j, row in enumerate(known):
        for (lower, upper), exact in zip(other.cell_probability_bounds(j), row, strict=True):
            assert lower - 1e-12 <= exact <= upper + 1e-12
            assert upper - lower < 0.5
