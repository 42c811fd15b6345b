"""Numbers in words; every expected text is worked out by hand."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.words import (
    count,
    digits,
    exactly,
    exponent_of,
    fewer,
    how_many,
    listed,
    percent,
    power,
    quotient,
    rows_text,
    short_percent,
    spoken,
    ten_to,
    times_fewer,
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (1032, "1,032"),
        (9_999_999, "9,999,999"),
        (10_000_000, "1.0 × 10⁷"),
        (12_345_678, "1.2 × 10⁷"),
        (99_500_000, "1.0 × 10⁸"),  # 9.95 rounds to the even tenth, 10.0, and so to the next power
        (94_999_999, "9.5 × 10⁷"),
        (319_000_000_000_000_000, "3.2 × 10¹⁷"),
        (7 * 10**400, "7.0 × 10⁴⁰⁰"),
    ],
)
def test_a_whole_number_is_written_out_or_shortened(number, text):
    assert count(number) == text


def test_a_shortened_number_has_its_digits_beside_it():
    assert exactly(1032) == "1,032"
    assert exactly(12_345_678) == "1.2 × 10⁷ (exactly 12,345,678)"
    # Thirty digits still have a place, thirty-one do not.
    assert exactly(10**29) == f"1.0 × 10²⁹ (exactly 100{',000' * 9})"
    assert exactly(10**30) == "1.0 × 10³⁰"


def test_numbers_past_what_python_prints_have_words_too():
    # Python refuses to print more than 4,300 digits at once.
    assert count(25 * 10**5999) == "2.5 × 10⁶⁰⁰⁰"
    assert digits(25 * 10**5999 + 7) == "25" + "0" * 5998 + "7"


def test_all_digits_of_a_short_number():
    assert [digits(number) for number in (0, 1032, 10**3000)] == ["0", "1032", "1" + "0" * 3000]


@given(st.integers(0, 60_000), st.integers(0, 2**70))
def test_all_digits_are_those_of_the_number(power, more):
    number, again = 3**power + more, 0
    written = digits(number)
    for start in range(0, len(written), 1000):
        block = written[start : start + 1000]
        again = again * 10 ** len(block) + int(block)
    assert again == number


@given(st.integers(1, 10**60), st.integers(1, 10**60))
def test_the_exponent_brackets_the_number(numerator, denominator):
    value = Fraction(numerator, denominator)
    exponent = exponent_of(value)
    assert Fraction(10) ** exponent <= value < Fraction(10) ** (exponent + 1)


@pytest.mark.parametrize(
    ("larger", "smaller", "text"),
    [
        (560, 352, "1.6"),  # 1.5909..
        (560, 112, "5"),
        (64, 48, "1.3"),
        (1001, 1000, "1.001"),
        (10**9 + 1, 10**9, "1"),
        (195, 10, "19.5"),
        (1240, 1, "1,240"),
        (69, 2, "34"),  # 34.5 to the even neighbour
        (21 * 10**17, 10**9, "2.1 × 10⁹"),
        (3, 3, "1"),
    ],
)
def test_how_many_times(larger, smaller, text):
    assert quotient(larger, smaller) == text


def test_fewer():
    assert fewer(560, 112) == "5 times fewer"
    assert fewer(4, 4) == "as many as before"


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.61, "61 %"),
        (4 / 7, "57 %"),
        (0.05, "5.0 %"),
        (0.0042, "0.42 %"),
        (0.00004, "below 0.01 %"),
        (0.9931, "99.3 %"),
        (0.9999999, "above 99.9 %"),
    ],
)
def test_a_chance_is_certain_only_where_it_is(probability, text):
    assert percent(probability) == text


def test_nouns_and_lists():
    assert how_many(1, "class", "classes") == "1 class"
    assert how_many(1200, "record") == "1,200 records"
    assert [listed(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_numbers_from_logarithms():
    assert power(math.log10(112)) == "112"
    assert power(0) == "1"
    assert power(3445.30103) == "2.0 × 10³⁴⁴⁵"
    assert power(11.99) == "9.8 × 10¹¹"
    assert power(11.9999) == "1.0 × 10¹²"
    assert times_fewer(2, 1) == "10 times fewer"
    assert times_fewer(1, 1) == "as many as before"
    assert times_fewer(1020.30103, 10) == "2.0 × 10¹⁰¹⁰ times fewer"


def test_numbers_from_logarithms_with_decimals():
    assert power(math.log10(1.5), 2) == "1.50"
    assert power(math.log10(1886.2), 2) == "1,886"
    assert power(6.5, 2, 6) == "3.16 × 10⁶"  # the root of ten, a million times
    assert power(400 + math.log10(9.999), 2) == "1.00 × 10⁴⁰¹"
    assert power(-math.inf, 2) == power(-math.inf) == "0"


def test_a_share_with_decimals_is_nothing_or_all_only_where_it_is():
    shares = [percent(share, 1) for share in (0, 0.00001, 0.0004, 0.286, 0.99996, 1)]
    assert shares == ["0 %", "below 0.01 %", "0.04 %", "28.6 %", "above 99.9 %", "100 %"]


@pytest.mark.parametrize(
    ("probability", "text"), [(0.0, "0"), (1.0, "100"), (0.004, "<1"), (0.996, ">99"), (0.5, "50"), (0.006, "1")]
)
def test_short_percentages(probability, text):
    assert short_percent(probability) == text


nearly_round = st.builds(lambda n, e: n * 10**e + n % 3, st.integers(10, 99_999), st.integers(7, 90))


@given(st.integers(10**7, 10**80) | nearly_round)
def test_two_digits_are_those_of_exact_rounding(number):
    exponent = len(str(number)) - 1
    tenths = round(Fraction(number) / Fraction(10) ** exponent * 10)
    exponent, tenths = (exponent + 1, 10) if tenths == 100 else (exponent, tenths)
    assert count(number) == f"{tenths // 10}.{tenths % 10} × {ten_to(exponent)}"


@pytest.mark.parametrize(
    ("rows", "most", "many", "said"),
    [
        ([1], 3, 0, "row 1 (2 in a spreadsheet)"),
        ([2, 9], 3, 0, "rows 2 and 9 (3, 10 in a spreadsheet)"),
        (range(1, 1013), 2, 0, "rows 1, 2 and 1,010 more (2, 3 in a spreadsheet)"),
        ([4, 5], 2, 7, "rows 4, 5 and 5 more (5, 6 in a spreadsheet)"),
    ],
)
def test_a_row_has_the_number_that_a_spreadsheet_shows_beside_its_own(rows, most, many, said):
    assert rows_text(rows, most, many) == said


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("[1940-01-01, 1945-01-01[", "1940\N{EN DASH}1944"),
        ("birth in [1940-01-01, 1941-01-01[", "birth in 1940"),
        ("[2024-01-01, 2024-04-01[", "January to March 2024"),
        ("[2024-12-01, 2025-01-01[", "December 2024"),
        ("[2024-11-01, 2025-03-01[", "November 2024 to February 2025"),
        ("in [2024-11-01, 2025-03-01[", "from November 2024 to February 2025"),
        # No whole months, nothing in it, the last day in it, no year, numbers: none of them is a period.
        ("[2024-01-01, 2024-04-02[", "2024-01-01 to before 2024-04-02"),
        ("[2024-01-01, 2024-01-01[", "2024-01-01 to before 2024-01-01"),
        ("[2024-01-01, 2025-01-01]", "2024-01-01 to 2025-01-01"),
        ("[0000-01-01, 0001-01-01[", "0000-01-01 to before 0001-01-01"),
        ("[20, 40[", "20 to under 40"),
    ],
)
def test_intervals_of_whole_years_and_months_are_said_as_such(label, said):
    assert spoken(label) == said
