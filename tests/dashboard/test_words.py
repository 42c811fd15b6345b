"""Numbers and boxes in words; every expected text is worked out by hand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_dashboard.texts import words
from cra_engine import Attribute, Grid, Segment
from cra_engine.study.file_hierarchy import read_hierarchy


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
    assert words.count(number) == text


def test_a_shortened_number_has_its_digits_beside_it():
    assert words.exactly(1032) == "1,032"
    assert words.exactly(12_345_678) == "1.2 × 10⁷ (exactly 12,345,678)"
    # Thirty digits still have a place, thirty-one do not.
    assert words.exactly(10**29) == f"1.0 × 10²⁹ (exactly 100{',000' * 9})"
    assert words.exactly(10**30) == "1.0 × 10³⁰"


def test_numbers_past_what_python_prints_have_words_too():
    # Python refuses to print more than 4,300 digits at once.
    assert words.count(25 * 10**5999) == "2.5 × 10⁶⁰⁰⁰"
    assert words.digits(25 * 10**5999 + 7) == "25" + "0" * 5998 + "7"


def test_all_digits_of_a_short_number():
    assert [words.digits(number) for number in (0, 1032, 10**3000)] == ["0", "1032", "1" + "0" * 3000]


@given(st.integers(1, 10**60), st.integers(1, 10**60))
def test_the_exponent_brackets_the_number(numerator, denominator):
    value = Fraction(numerator, denominator)
    exponent = words.exponent_of(value)
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
    assert words.quotient(larger, smaller) == text


def test_fewer():
    assert words.fewer(560, 112) == "5 times fewer"
    assert words.fewer(4, 4) == "as many as before"


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0.0, "0%"),
        (1.0, "100%"),
        (0.61, "61%"),
        (4 / 7, "57%"),
        (0.05, "5.0%"),
        (0.0042, "0.42%"),
        (0.00004, "below 0.01%"),
        (0.9931, "99.3%"),
        (0.9999999, "above 99.9%"),
    ],
)
def test_a_chance_is_certain_only_where_it_is(probability, text):
    assert words.chance(probability) == text


def test_nouns_and_lists():
    assert words.how_many(1, "class", "classes") == "1 class"
    assert words.how_many(1200, "record") == "1,200 records"
    assert [words.listed(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


GRID = Grid([Attribute("weight", 0, 100, 3, unit="kg"), Attribute("age", 20, 100, 3)])


def test_boxes_as_predicates():
    # Leaves of weight: 25 kg each; of age: 20 years each. The root of an attribute says nothing and is left out.
    assert words.isolates(GRID, Segment((1, 1), (1, 0))) == (
        "Exactly one person has weight in [25, 50) kg and age in [20, 40)."
    )
    assert words.box(GRID, Segment((3, 2), (0, 1))) == "age in [60, 100)"
    assert words.box(GRID, GRID.whole) == "everything"


def test_a_category_is_no_interval():
    sex = read_hierarchy(b"f;f;*\nm;m;*\n", "sex")
    grid = Grid([sex, Attribute("age", 20, 100, 3, unit="years")])
    assert words.isolates(grid, Segment((1, 1), (0, 0))) == ("Exactly one person has sex f and age in [20, 40) years.")


def test_a_grid_of_one_cell_has_nothing_to_say_but_that_there_is_one():
    grid = Grid([Attribute("weight", 0, 100, 1)])
    assert words.isolates(grid, Segment((1,), (0,))) == "Exactly one person is in the table."
    assert words.box(grid, grid.whole) == "everything"


def test_names():
    assert (words.name_of(3), words.name_of(None), words.state((2, 3))) == ("class 3", "the outliers", "(2, 3)")
    assert words.sentence("class 3 holds") == "Class 3 holds"


def test_a_column_name_cannot_format_the_page():
    assert words.plain("a*b_c in [0, 5) $ :red[x]") == r"a\*b\_c in \[0, 5) \$ \:red\[x\]"
