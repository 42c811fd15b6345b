"""Buckets of Algorithms 1 and 3, against the paper's examples and plain readings of the algorithms."""

from collections import Counter
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import CRAError
from cra_engine.publish.heterogeneous.buckets import (
    BucketFill,
    Buckets,
    bucket_filling,
    diversity_buckets,
    diversity_for_likeness,
    likeness_buckets,
    likeness_parts,
)

SUPPORTS = st.lists(st.integers(1, 12), min_size=1, max_size=7)
BETAS = st.one_of(st.just(Fraction(0)), st.fractions(0, 6, max_denominator=20))


def filled(buckets: Buckets) -> list[Counter[int]]:
    content = [Counter() for _ in range(buckets.buckets)]
    for run in buckets.runs:
        content[run.bucket][run.value] += run.records
    return content


def test_eq_7_of_the_papers_example_for_each_bucket_size() -> None:
    bounds = [bucket_filling([6, 7, 12], c, -(-25 // c)).beta_bound for c in range(12, 0, -1)]
    third, seventh, one = Fraction(1, 3), Fraction(1, 7), Fraction(1)
    # By hand: c / min(n_i / touched) - 1 of each filling, supports that c divides first, then 12, 7, 6.
    by_hand = [3 * one, 8 * third, 7 * third, 11 * seventh, 5 * third, 4 * third]
    assert bounds == [*by_hand, 5 * seventh, 2 * third, one, 2 * seventh, seventh, 0 * one]


def test_table_7_has_a_filling_of_its_own_and_the_same_bound() -> None:
    runs = [
        BucketFill(0, 2, 4),
        BucketFill(1, 2, 4),
        BucketFill(2, 2, 4),
        BucketFill(3, 0, 4),
        BucketFill(4, 0, 2),
        BucketFill(4, 1, 2),
        BucketFill(5, 1, 4),
        BucketFill(6, 1, 1),
    ]
    assert Buckets.of([6, 7, 12], 4, 7, tuple(runs)).beta_bound == Fraction(5, 7)


def test_the_largest_size_that_keeps_beta_is_taken_without_rounding() -> None:
    # Line 22's ceiling would accept c = 12 at beta = 3 - that is right - and c = 9 at beta = 1.25: 9 / ceil(3.5) - 1.
    assert likeness_buckets([6, 7, 12], Fraction(5, 4)).bucket_size == 6
    assert likeness_buckets([6, 7, 12], 3).bucket_size == 12
    assert likeness_buckets({"a": 6, "b": 7, "d": 12}, 0).bucket_size == 1
    assert likeness_buckets([6, 9, 12], 0).bucket_size == 3


def test_the_papers_fifteen_tuples() -> None:
    assert filled(diversity_buckets([3, 3, 3, 2, 2, 2], 5)) == [{0: 3}, {1: 3}, {2: 3}, {3: 2, 5: 1}, {4: 2, 5: 1}]


@given(SUPPORTS, st.integers(2, 6))
def test_diversity_is_refused_exactly_when_a_value_is_more_frequent_than_one_in_l(supports: list[int], l: int) -> None:  # noqa: E741
    eligible = max(supports) <= Fraction(sum(supports), l)
    if not eligible:
        with pytest.raises(CRAError, match="divers"):
            diversity_buckets(supports, l)
        return
    buckets = diversity_buckets(supports, l)
    content = filled(buckets)
    assert buckets.bucket_size == -(-sum(supports) // l)
    assert all(bucket.total() <= buckets.bucket_size for bucket in content)
    assert sum(content, Counter()) == Counter(dict(enumerate(supports)))
    frequent = sorted(supports, reverse=True)[:l]
    assert sorted((max(bucket.values()) for bucket in content), reverse=True) == frequent
    # The l most frequent values lie in one bucket each.
    assert sum(touched == 1 for touched in buckets.touched) >= l


def emptiest_first(supports: list[int], l: int) -> list[Counter[int]]:  # noqa: E741
    """Algorithm 1 record by record."""
    order = sorted(range(len(supports)), key=lambda i: -supports[i])
    size = -(-sum(supports) // l)
    content = [Counter({value: supports[value]}) for value in order[:l]]
    for value in order[l:]:
        bucket = None
        for _ in range(supports[value]):
            if bucket is None or bucket.total() == size:
                bucket = min((b for b in content if b.total() < size), key=lambda b: b.total())
            bucket[value] += 1
    return content


@given(st.lists(st.integers(1, 9), min_size=4, max_size=9), st.integers(2, 4))
def test_diversity_buckets_are_those_of_algorithm_1(supports: list[int], l: int) -> None:  # noqa: E741
    if max(supports) * l <= sum(supports):
        assert filled(diversity_buckets(supports, l)) == emptiest_first(supports, l)


def one_after_the_other(supports: list[int], size: int) -> list[Counter[int]]:
    """Lines 23 to 37 of Algorithm 3 record by record."""
    falling = sorted(range(len(supports)), key=lambda i: -supports[i])
    order = [i for i in falling if supports[i] % size == 0] + [i for i in falling if supports[i] % size]
    laid = [value for value in order for _ in range(supports[value])]
    return [Counter(laid[start : start + size]) for start in range(0, len(laid), size)]


def bound(supports: list[int], content: list[Counter[int]], size: int) -> Fraction:
    occupancy = [Fraction(n, sum(value in bucket for bucket in content)) for value, n in enumerate(supports)]
    return size / min(occupancy) - 1


@given(SUPPORTS, BETAS)
def test_likeness_buckets_are_those_of_algorithm_3(supports: list[int], beta: Fraction) -> None:
    found = likeness_buckets(supports, beta)
    bounds = {c: bound(supports, one_after_the_other(supports, c), c) for c in range(1, max(supports) + 1)}
    assert found.bucket_size == max(c for c, reached in bounds.items() if reached <= beta)
    assert found.beta_bound == bounds[found.bucket_size] <= beta
    assert filled(found) == one_after_the_other(supports, found.bucket_size)
    assert found.buckets == -(-sum(supports) // found.bucket_size)
    assert found.dummies == found.buckets * found.bucket_size - sum(supports)
    if beta == 0:
        assert found.bucket_size == gcd(*supports)
        assert found.dummies == 0


@given(st.lists(st.integers(2, 30), min_size=1, max_size=5), st.integers(1, 3), st.fractions(0, 5, max_denominator=9))
def test_each_part_keeps_beta_for_the_whole_table(supports: list[int], many: int, beta: Fraction) -> None:
    parts = [[n // many + (part < n % many) for n in supports] for part in range(many)]
    parts = [part for part in parts if any(part)]
    try:
        found = likeness_parts(parts, supports, beta)
    except CRAError:
        return
    records = sum(supports)
    for buckets in found:
        assert (buckets.buckets, buckets.bucket_size) == (found[0].buckets, found[0].bucket_size)
        for touched, n in zip(buckets.touched, supports, strict=True):
            assert Fraction(touched, buckets.buckets) <= (1 + beta) * Fraction(n, records)


@given(SUPPORTS, BETAS)
def test_theorem_4_where_it_is_given_keeps_eq_5(supports: list[int], beta: Fraction) -> None:
    l = diversity_for_likeness(supports, beta)  # noqa: E741
    if l is None:
        return
    least, records = min(supports), sum(supports)
    assert l >= Fraction(records) / ((1 + beta) * least)
    for touched, n in zip(diversity_buckets(supports, l).touched, supports, strict=True):
        assert Fraction(touched, l) <= (1 + beta) * Fraction(n, records)


@pytest.mark.parametrize("beta", [-1, -0.0001, float("nan"), float("inf"), True])
def test_a_beta_that_is_no_share_is_refused(beta: float) -> None:
    with pytest.raises(CRAError, match="beta is"):
        likeness_buckets([3, 4], beta)


def test_supports_without_a_record_are_refused() -> None:
    with pytest.raises(CRAError, match="supports"):
        likeness_buckets([0, 0], 1)
