"""Products by pairs are those of ``math.prod``, and long numbers are written digit for digit."""

import math
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine.counting.products import product
from cra_engine.words import digits


@given(st.lists(st.integers(-(10**30), 10**30), max_size=40))
def test_a_product_is_the_product(numbers: list[int]) -> None:
    assert product(iter(numbers)) == math.prod(numbers)


@settings(max_examples=25, deadline=None)
@given(st.integers(9_900, 70_000), st.integers(-3, 3), st.integers(0, 10**40))
def test_digits_are_those_that_python_prints(bits: int, near: int, more: int) -> None:
    number = (1 << bits) + near + more
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert digits(number) == str(number)
    finally:
        sys.set_int_max_str_digits(before)
