"""Losses by hand, and exact comparison where floats cannot tell."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.utility.class_sizes import aecs, discernibility
from cra_engine.utility.entropy import EntropyLoss
from cra_engine.utility.precision import precision


def test_the_papers_figure_5():
    # 21, 21, 34, 36, 45, 47 with k = 2: only 21 is kept as it stands, and all of the tens.
    assert (aecs([2], 4), aecs([2, 2, 2])) == (3, 2)
    assert (discernibility([2], 4), discernibility([2, 2, 2])) == (28, 12)
    # The paper's table 1: two classes of three records and two suppressed ones.
    assert aecs([3, 3], 2) == Fraction(8, 3)


def test_losses_of_a_table_without_records_or_classes():
    assert aecs([]) == 0
    assert aecs([], 5) == 5
    assert discernibility([], 5) == 25
    assert precision([], (1,), 0) == 0
    assert precision([], (1,), 3) == 1


def test_precision_record_by_record():
    # One record at layers (1, 0) of (2, 1), one at (2, 1), and one suppressed: (1/4 + 1 + 1) / 3.
    assert precision([((1, 0), 1), ((2, 1), 1)], (2, 1), 1) == Fraction(3, 4)


def test_entropy_by_hand():
    # Values a, a, b, c published as x, x, x, y: a loses log2(3/2) twice, b log2 3, c nothing.
    loss = EntropyLoss.of([[2, 1, 1]], [[3, 1]])
    assert loss.value == pytest.approx(2 * math.log2(3 / 2) + math.log2(3))
    # c suppressed besides: alone, so that it told nothing among the suppressed.
    assert EntropyLoss.of([[2, 1, 1]], [[3, 1]], [[1]]) == loss
    # Two suppressed records that would show different values lose a bit each.
    assert EntropyLoss.of([[1, 1]], [[1, 1]], [[1, 1]]).value == 2


def test_equal_in_other_terms():
    assert EntropyLoss({4: 1}) == EntropyLoss({2: 4})  # 4^4 = (2^2)^4
    assert EntropyLoss({12: 1}) == EntropyLoss({6: 2, 2: 6})  # 12^12 = 6^12 * 2^12
    assert EntropyLoss({12: 1}) != EntropyLoss({6: 2, 2: 5})


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.lists(st.integers(1, 60), min_size=1, max_size=6))
def test_order_is_that_of_exact_products(one, other):
    def grown(counts):
        return math.prod(x**x for x in counts)

    first = EntropyLoss({x: one.count(x) for x in set(one)})
    second = EntropyLoss({x: other.count(x) for x in set(other)})
    assert (first < second) == (grown(one) < grown(other))
    assert (first == second) == (grown(one) == grown(other))


def test_a_difference_beyond_floats_is_still_seen():
    big = 10**15
    close = EntropyLoss({big: 10, 3: 1})
    assert EntropyLoss({big: 10, 2: 1}) < close
    assert EntropyLoss({big: 10, 2: 1}).value == close.value
