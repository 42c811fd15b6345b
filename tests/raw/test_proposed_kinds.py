"""Hierarchies that are proposed for columns with codes."""

import re
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import Attribute
from cra_engine.files.notation import rewritten
from cra_engine.raw.columns import find_gaps, gaps_in, read_column
from cra_engine.raw.dates import day_in
from cra_engine.raw.missing_words import MISSING
from cra_engine.raw.named_columns import read_named_columns
from cra_engine.raw.proposed_hierarchy import propose, round_domain
from cra_engine.raw.proposed_kinds import propose_codes, propose_kind
from cra_engine.raw.readings import readings
from cra_engine.raw.written import Written
from cra_engine.study.hierarchy import MAX_LEAVES
from cra_engine.study.periods import period_number


@pytest.mark.parametrize("top", range(60, 101, 5))
def test_no_age_is_below_zero(top):
    """Whatever the code at the upper end: its leaves have whole ends, reach down to all ages, and not below 0."""
    ages = [str(3 + 7 * n % (top - 4)) for n in range(200)]
    found = propose_kind(pd.Series([*ages, f"{top}+", f"{top}+"], name="age")).attribute
    assert found.above
    assert found.upper == top
    assert 0 <= found.lower <= min(map(int, ages))
    assert (found.upper - found.lower) % (found.fanout ** (found.layers - 1)) == 0


# ---------------------------------------------------------------- codes of digits


@pytest.mark.parametrize(
    ("cells", "row"),
    [
        (["01067", "01069", "99084", "", "NA"], ("01067", "0106*", "*")),
        (["99084", "99086", "99091", "09010"], ("99084", "9908*", "990**", "*")),
        (["0104", "8004"], ("0104", "*")),
        (["0104", "0133", "0271", "8004"], ("0104", "01**", "0***", "*")),
        (["07", "05", "12"], ("07", "0*", "*")),
        (["00012345", "00012399", "00013345", "99912345"], ("00012345", "000123**", "0001****", "*")),
    ],
)
def test_digits_with_a_leading_zero_are_codes_grouped_by_each_beginning_that_joins_some(cells, row):
    assert row in propose_codes(pd.Series(cells, name="x")).rows


@pytest.mark.parametrize("cells", [["0", "5", "7"], ["1067", "01067"], ["10", "20"], ["0.5", "1.5"], ["01a", "02b"]])
def test_other_digits_are_no_codes(cells):
    assert propose_codes(pd.Series(cells, name="x")) is None


def test_none_is_a_value_among_codes_of_letters_and_a_gap_among_digits():
    letters = pd.Series(["E11.9", "I10", "none", ""], name="icd")
    found = propose_codes(letters)
    assert ("none", "none", "none", "*") in found.rows
    assert gaps_in(letters, found).tolist() == [False, False, False, True]
    digits = pd.Series(["01067", "99084", "none"], name="plz")
    assert gaps_in(digits, propose_codes(digits)).tolist() == [False, False, True]


def test_more_codes_than_a_hierarchy_has_leaves_are_shown_by_their_beginning():
    cells = [f"{number:05d}" for number in range(MAX_LEAVES + 1)] * 5
    found = propose_codes(pd.Series(cells, name="plz"))
    assert (found.finest, found.layer_nodes[0][0].label) == (1, "0000*")


def test_codes_of_digits_are_texts_where_a_table_is_read_by_its_columns_alone():
    data = pd.DataFrame({"plz": ["01067", "99084"], "age": ["34", "51"], "illness": ["flu", "none"]})
    found = read_named_columns(data, ["plz", "age"], "illness")
    assert found.frame["plz"].tolist() == ["01067", "99084"]
    assert found.frame["age"].tolist() == [34, 51]
    assert found.notes == ("Column 'plz': its digits begin with zeros, such as '01067'; they are codes, not numbers.",)


# ---------------------------------------------------------------- units and decimal commas

WEIGHTS = pd.Series([f"{60 + n % 40},{n % 10} kg" if n % 7 else "" for n in range(120)], name="weight")


def test_weights_with_a_comma_a_unit_and_gaps_are_numbers():
    found = propose_kind(WEIGHTS).attribute
    assert (found.unit, found.resolution) == ("kg", Decimal("0.1"))
    read = read_column(WEIGHTS, found.with_missing("leave-out"))
    leaf, problems = read.leaves, read.problems
    # By hand: 60 to 99.9 kg, each in the leaf of its tenths.
    width = (found.upper - found.lower) / found.leaves
    for cell, place in zip(WEIGHTS, leaf, strict=True):
        if cell:
            number = Decimal(cell.removesuffix(" kg").replace(",", "."))
            assert place == (number - found.lower) // width
    assert not [problem for problem in problems if problem.fatal]


def test_a_limit_is_read_as_the_numbers_beside_it():
    cells = pd.Series([*(f"{n % 30},{n % 10}" for n in range(200)), "<0,5", ">30,5"], name="crp")
    found = propose_kind(cells).attribute
    # From 0.5 to 30.6, the first value above 30.5: 301 tenths, so 8 leaves of 37 tenths, up to 30.1.
    assert (found.below, found.above, found.lower, found.upper) == (True, True, Decimal("0.5"), Decimal("30.1"))
    read = read_column(cells, found)
    leaf, problems = read.leaves, read.problems
    assert not [problem for problem in problems if problem.fatal]
    assert [node.label for node in found.layer_nodes[0]][leaf[-2]] == "<0.5"
    assert [node.label for node in found.layer_nodes[0]][leaf[-1]] == ">=30.1"


@pytest.mark.parametrize(
    ("cells", "unit", "wanted"),
    [
        (["75,9 kg", "1.250,5 kg"], "comma", ["75.9 kg", "1250.5 kg"]),
        (["5%", "12,5 %"], "comma", ["5 %", "12.5 %"]),
        (["75.9 kg", "none", "kg"], "point", ["75.9 kg", "none", "kg"]),
    ],
)
def test_numbers_before_a_unit_are_rewritten_too(cells, unit, wanted):
    assert rewritten(pd.Series(cells), unit).tolist() == wanted


# ---------------------------------------------------------------- what was read how


@pytest.mark.parametrize(
    ("cells", "said", "rows"),
    [
        (
            ["31.12.2024", "", "01.02.2013", "17.05.2001"],
            "3 cells read as dates: '31.12.2024' as 2024-12-31",
            (1, 3, 4),
        ),
        (["34", "90+", "41", "57"], "1 cell read as a group of its own: '90+' as 90 and more", (2,)),
        (["60", "75,9 kg", "80,5 kg"], "2 cells with 'kg' read as numbers of kg: '75,9 kg' as 75.9", (2, 3)),
        (["01067", "99084", "01187"], "2 cells with a leading zero, such as '01067': read as codes", (1, 3)),
    ],
)
def test_what_is_read_otherwise_than_it_is_written_is_said_with_its_rows(cells, said, rows):
    column = pd.Series(cells, name="x")
    kind = propose_kind(column)
    (found,) = readings(column, kind.attribute if kind is not None else propose_codes(column))
    assert found.text.startswith(f"Column 'x': {said}")
    assert (found.rows, found.fatal) == (rows, False)


def test_what_is_read_as_it_is_written_needs_no_word():
    assert readings(pd.Series(["34", "41"], name="age"), Attribute("age", 0, 80, 3)) == []
    day = Attribute("day", date(2010, 1, 1), date(2014, 1, 1), 3, unit="year")
    assert readings(pd.Series(["2010-05-17"], name="day"), day) == []


@pytest.mark.parametrize("text", ["", " ", "31.02.2024", "2024-02-31", "soon"])
def test_what_is_no_day_of_the_calendar_is_none(text):
    assert day_in(text, "") is day_in(text, "%d.%m.%Y") is None


def test_one_date_far_from_all_others_moves_no_end():
    # Of 150 days from 2010 to 2021 the four at either end lie in those years: 12 years in 8 leaves of 2, from 2010 on.
    days = [f"{2010 + i % 12}-0{1 + i % 9}-1{i % 9}" for i in range(150)]
    plain = propose_kind(pd.Series(days, name="admitted")).attribute
    assert not plain.below
    for far in ("1900-01-01", "1711-11-11"):
        column = pd.Series([*days, far], name="admitted")
        found = propose_kind(column)
        assert found.attribute == plain.changed(below=True)
        assert "`<2010-01-01`" in found.reasons[-1]
        read = read_column(column, found.attribute)
        assert (read.problems, read.leaves[-1]) == ((), 0)
        (note,) = readings(column, found.attribute)
        assert note.rows == (151,)
        assert f"1 value outside the domain, put into the group '<2010-01-01': {far} in row 151" in note.text


@pytest.mark.parametrize("written", ["%d.%m.%Y", "%Y-%m-%d"])
@pytest.mark.parametrize(
    ("first", "last", "lower", "upper", "leaves", "of"),
    [
        ("2021-01-01", "2021-12-31", "2021-01-01", "2022-01-01", 4, "3 months"),  # quarters, halves, the year
        ("2021-10-04", "2022-06-20", "2021-07-01", "2022-07-01", 4, "3 months"),  # 9 months: Q4 to Q2, in two halves
        ("2021-02-01", "2022-01-31", "2021-01-01", "2022-05-01", 8, "2 months"),  # in no 12 months from a quarter on
        ("2021-01-01", "2022-03-31", "2021-01-01", "2023-01-01", 8, "3 months"),  # 15 of 24 months: five eighths
        ("2021-01-01", "2022-12-31", "2021-01-01", "2023-01-01", 8, "1 quarter"),
        ("2021-04-01", "2023-03-31", "2021-04-01", "2023-04-01", 8, "1 quarter"),
        ("2019-01-01", "2023-12-31", "2019-01-01", "2027-01-01", 8, "4 quarters"),  # 5 of 8 years
        ("1930-01-01", "2019-12-31", "1930-01-01", "2026-01-01", 8, "12 years"),  # years are numbers, as ever
    ],
)
def test_dates_are_proposed_in_steps_of_the_calendar(written, first, last, lower, upper, leaves, of):
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    days = [(start + (end - start) * place / 199).strftime(written) for place in range(200)]
    found = propose_kind(pd.Series(days, name="admitted"))
    labels = [node.label for node in found.attribute.layer_nodes[0]]
    assert (labels[0][1:11], labels[-1][13:23], len(labels)) == (lower, upper, leaves)
    assert found.reasons[1].endswith(f"so {leaves} leaves of {of}.")


@given(st.dates(date(1800, 1, 1), date(2100, 1, 1)), st.integers(0, 40_000), st.integers(2, 120), st.data())
def test_every_date_lies_in_a_proposed_domain_whose_layers_nest(first, wide, number, data):
    draw = data.draw(st.lists(st.integers(0, wide), min_size=number, max_size=number))
    days = [first + timedelta(days) for days in [0, wide, *draw]]
    column = pd.Series([day.isoformat() for day in days], name="day")
    found = propose_kind(column).attribute
    read = read_column(column, found)
    assert read.problems == ()
    labels = [[node.label for node in layer] for layer in found.layer_nodes]
    for day, leaf in zip(days, read.leaves, strict=True):
        label = labels[0][leaf]
        if label.startswith("["):
            assert label[1:11] <= day.isoformat() < label[13:23]
        else:  # a few far from all others
            assert found.below if label.startswith("<") else found.above
    cuts = [{end for label in layer for end in re.findall(r"\d{4}-\d\d-\d\d", label)} for layer in labels]
    for finer, coarser in pairwise(cuts):
        assert coarser <= finer


@given(st.sampled_from(["month", "quarter"]), st.integers(0, 11), st.integers(8, 31), st.sampled_from([50, 150]))
def test_a_proposed_domain_of_dates_begins_with_a_step_of_the_calendar_or_fits_as_numbers_do(
    unit, first, span, records
):
    months = 3 if unit == "quarter" else 1
    numbers = [24252 + months * (first + place * (span - 1) // (records - 1)) for place in range(records)]
    days = [date(number // 12, number % 12 + 1, 15).isoformat() for number in numbers]
    found = propose_kind(pd.Series(days, name="day")).attribute
    smallest, largest = (period_number(date.fromisoformat(day), found.unit) for day in (days[0], days[-1]))
    width = int(found.upper - found.lower) // found.leaves
    if (found.lower, width) == round_domain(smallest, largest, 4 if records < 100 else 8) or found.unit == "year":
        return
    assert found.leaves in ((2, 4) if records < 100 else (4, 8))
    each = width * (3 if found.unit == "quarter" else 1)
    assert each in (1, 3, 6, 12, 24, 48, 96)
    assert int(found.lower) * (3 if found.unit == "quarter" else 1) % min(each, 12) == 0
    assert 8 * (largest - smallest + 1) >= 5 * (found.upper - found.lower)


@pytest.mark.parametrize("code", ["", "<20000"])
def test_a_number_far_from_all_others_has_a_place_beside_codes_and_is_named(code):
    cells = [str(20_000 + 1_000 * (i % 72)) for i in range(144)] + ["987654"] + [code] * bool(code)
    column = pd.Series(cells, name="income")
    found = propose_kind(column) or propose(column)
    attribute = found.attribute
    assert (attribute.lower, attribute.upper) == (20_000, 100_000)
    assert (attribute.below, attribute.above) == (bool(code), True)
    assert found.reasons[-1].startswith("A few lie far out and are shown as `>=100000`:")
    assert read_column(column, attribute).problems == ()
    note = readings(column, attribute)[-1]
    assert note.rows == (145,)
    assert "put into the group '>=100000': 987654 in row 145" in note.text


def test_gaps_among_many_different_numbers_are_found_without_looking_at_each(monkeypatch):
    cells = [str(number) for number in range(1000)] + ["", "NA", " n.a. ", "unknown", "x", None]
    looked = []
    of = Written.of.__func__
    monkeypatch.setattr(Written, "of", classmethod(lambda cls, column: looked.append(len(column)) or of(cls, column)))
    found = find_gaps(pd.Series(cells, dtype="str"))
    assert np.flatnonzero(found).tolist() == [1000, 1001, 1002, 1003, 1005]
    assert found.tolist() == find_gaps(pd.Series(cells, dtype="object")).tolist()
    assert looked == [6, 1006]
    assert not any(letter.isdigit() for word in MISSING for letter in word)
