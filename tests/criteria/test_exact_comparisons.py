"""What decides ties: roots, logarithms and entropies compared exactly, held against gmpy2 and the definition."""

from fractions import Fraction
from math import prod

import gmpy2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.counting.convolution import _packed, _unpacked
from cra_engine.criteria.l_diversity import _even_exactly
from cra_engine.criteria.logarithms import _sign
from cra_engine.utility.loss import _whole_root


@given(st.integers(1, 10**60), st.integers(1, 9))
def test_a_root_is_the_largest_whole_number_whose_power_fits(value, root):
    found = _whole_root(value, root)
    assert found**root <= value < (found + 1) ** root


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.fractions(1, 6, max_denominator=5))
def test_an_entropy_is_large_enough_by_its_definition(counts, least):
    size = sum(counts)
    there = prod(Fraction(count, size) ** -count for count in counts)  # e to the entropy, to the size
    assert _even_exactly(counts, least) == (there >= least**size)


@pytest.mark.parametrize("frequent", [1, 10, 100_000])
def test_values_as_frequent_as_each_other_are_as_many_as_there_are(frequent):
    assert _even_exactly([frequent] * 7, Fraction(7))
    assert not _even_exactly([frequent] * 6 + [frequent + 1], Fraction(7))


@pytest.mark.parametrize("two", [True, False])
@pytest.mark.parametrize("digits", [10, 35, 70, 200])
def test_logarithms_that_differ_late_differ(two, digits):
    with gmpy2.context(precision=2000):
        logarithm = (gmpy2.log2 if two else gmpy2.log)(gmpy2.mpfr(3))
        below = Fraction(int(gmpy2.floor(logarithm * 10**digits)), 10**digits)
    assert _sign(Fraction(3), below, two=two) == 1
    assert _sign(Fraction(3), below + Fraction(1, 10**digits), two=two) == -1


@given(st.lists(st.integers(0, 2**40 - 1), min_size=1, max_size=9))
def test_long_integers_are_made_as_gmpy2_makes_them(values):
    together = _packed(values, 40)
    assert together == gmpy2.pack(values, 40)
    assert (_unpacked(together, 40) or [0]) == [int(one) for one in gmpy2.unpack(gmpy2.mpz(together), 40)]
