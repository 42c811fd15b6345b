"""The three textbook attackers: worked by hand, and against attackers that are played out."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import DataError
from cra_engine.risk.re_identification import re_identification

SIZES = st.lists(st.integers(1, 6), min_size=1, max_size=5)


def test_a_table_of_ten_by_hand():
    # Classes of 1, 3 and 6; the population has 4, 3 and 12 people who fit them.
    found = re_identification([1, 3, 6], Fraction(1, 3), [4, 3, 12])
    assert found.prosecutor_max == 1
    assert found.prosecutor_mean == Fraction(3, 10)
    assert found.records_above == 1  # a third is not above a third
    assert found.journalist_max == Fraction(1, 3)
    assert found.marketer == Fraction(1, 10) * (Fraction(1, 4) + Fraction(3, 3) + Fraction(6, 12))
    assert found.journalist_mean == max(Fraction(3, 19), found.marketer)
    assert found.outside == 0


@given(SIZES, st.fractions(0, 1))
def test_prosecutor_is_played_out(sizes, threshold):
    """Whoever knows the class of a person draws one of its records; the marketer draws one for each record."""
    records = [number for number, size in enumerate(sizes) for _ in range(size)]
    chances = [Fraction(1, records.count(number)) for number in records]
    found = re_identification(sizes, threshold)
    assert (found.prosecutor_max, found.prosecutor_mean) == (max(chances), sum(chances) / len(chances))
    assert found.records_above == sum(chance > threshold for chance in chances)
    assert found.marketer == sum(chances) / len(records)
    assert found.journalist_max is None


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 2)), min_size=1, max_size=2))
def test_journalist_and_marketer_are_played_out(pairs):
    """The people of each class are matched with its records in every possible way."""
    sizes, people = [size for size, _ in pairs], [size + more for size, more in pairs]
    found = re_identification(sizes, Fraction(1), people)
    ways = rightly = 0
    # Each record is matched with one of the people who fit, all alike; the first ones are the true ones.
    choices = [range(fit) for size, fit in zip(sizes, people, strict=True) for _ in range(size)]
    truth = [place for size in sizes for place in range(size)]
    for match in product(*choices):
        ways += 1
        rightly += sum(one == true for one, true in zip(match, truth, strict=True))
    assert found.marketer == Fraction(rightly, ways * sum(sizes))
    assert found.journalist_max == Fraction(1, min(people))
    assert found.journalist_max <= found.prosecutor_max
    assert found.marketer <= found.prosecutor_mean


@given(SIZES)
def test_a_population_that_is_the_table_changes_nothing(sizes):
    found, alone = re_identification(sizes, Fraction(1, 2), sizes), re_identification(sizes, Fraction(1, 2))
    assert (found.journalist_max, found.marketer) == (alone.prosecutor_max, alone.marketer)
    assert found.journalist_mean == alone.prosecutor_mean


def test_a_population_that_lacks_people_is_told():
    found = re_identification([3, 2], Fraction(1, 2), [1, 5])
    assert found.outside == 3
    assert found.journalist_max == Fraction(1, 3)


def test_nothing_to_match():
    with pytest.raises(DataError, match="every record is suppressed"):
        re_identification([], Fraction(1))
    with pytest.raises(DataError, match="2 classes"):
        re_identification([2, 3], Fraction(1), [5])
