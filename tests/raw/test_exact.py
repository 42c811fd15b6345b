"""Numbers as they are written, whatever the table's type."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.errors import DataError
from cra_engine.raw.exact_columns import exact_columns, text_columns

WRITTEN = st.decimals(min_value=-(10**9), max_value=10**9, allow_nan=False, places=6).map(lambda d: format(d, "f"))


def fractions(table: pd.DataFrame) -> list[list[Fraction]]:
    exact = exact_columns(table)
    return [[exact.number(value) for value in row] for row in exact.whole.tolist()]


@given(st.lists(WRITTEN, min_size=1, max_size=8))
def test_texts_are_exact(cells: list[str]) -> None:
    assert fractions(pd.DataFrame({"x": cells})) == [[Fraction(cell)] for cell in cells]


@given(
    st.lists(st.floats(min_value=-1e9, max_value=1e9, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-9))
)
def test_floats_are_what_they_print_as(cells: list[float]) -> None:
    if cells:
        assert fractions(pd.DataFrame({"x": cells})) == [[Fraction(repr(cell))] for cell in cells]


@pytest.mark.parametrize(
    "cells",
    [
        ["0.1000000000000000055", "0.1"],  # the same double
        ["123456789012345678901", "123456789012345678902"],
        ["9007199254740993", "9007199254740992"],
        ["18446744073709551615", "1"],
        ["1e3", "2.5E-2"],
        ["-0.0", "+3"],
    ],
)
def test_no_digit_is_lost(cells: list[str]) -> None:
    assert fractions(pd.DataFrame({"x": cells})) == [[Fraction(Decimal(cell))] for cell in cells]


def test_columns_share_one_scale() -> None:
    exact = exact_columns(pd.DataFrame({"a": ["1.25", "2"], "n": ["x", "y"], "b": [3, 4]}))
    assert (exact.names, exact.digits) == (("a", "b"), 2)
    assert exact.whole.tolist() == [[125, 300], [200, 400]]
    assert exact.whole.dtype == np.int64


def test_decimal_commas_are_read() -> None:
    assert fractions(pd.DataFrame({"x": ["1,5", "12,25"]})) == [[Fraction(3, 2)], [Fraction(49, 4)]]
    long = ["1,50000000000000000001", "12,25"]
    assert fractions(pd.DataFrame({"x": long})) == [[Fraction("1.50000000000000000001")], [Fraction(49, 4)]]


def test_numbers_too_large_for_int64_are_python_ints() -> None:
    exact = exact_columns(pd.DataFrame({"a": ["0.0000000001", "5"], "b": ["1e12", "2"]}))
    assert exact.whole.dtype == object
    assert exact.whole.tolist() == [[1, 10**22], [5 * 10**10, 2 * 10**10]]


def test_sizes_that_no_unit_brings_together_are_refused() -> None:
    with pytest.raises(DataError, match="more than 60 digits"):
        exact_columns(pd.DataFrame({"a": ["1e-40", "1e40"]}))


def test_a_column_with_one_number_is_no_text() -> None:
    table = pd.DataFrame({"code": ["J45", "250", "V12"], "word": ["a", "b", ""], "age": [1, 2, 3]})
    with pytest.raises(DataError, match=r"'code'.*name the columns"):
        exact_columns(table)
    assert exact_columns(table, ["age"]).names == ("age",)
    assert text_columns(table) == ("word",)
