"""Proposed hierarchies: worked out by hand, and what must hold for any column."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cra_engine.errors import DataError, StudyError
from cra_engine.raw.columns import read_column
from cra_engine.raw.numbers import MISSING_CODES
from cra_engine.raw.proposed_hierarchy import propose, round_domain, upper_that_fits
from cra_engine.study.attribute import Attribute


def column(*values, name="age"):
    return pd.Series(list(values), name=name)


def settings(attribute):
    return (attribute.lower, attribute.upper, attribute.layers, attribute.resolution)


def test_ages_in_decades():
    # 100 records from 19 to 79, 8 leaves. Leaves of 10 from 10 on end at 90; 10..79 touches 7 of 8. Leaves of 5 from 15
    # on would end at 55, too soon.
    ages = column(*([19, 79] * 5 + [40 + i % 20 for i in range(90)]))
    assert settings(propose(ages).attribute) == (10, 90, 4, 1)


def test_fewer_records_get_three_layers():
    # 99 records: 4 leaves. From 19 to 79: leaves of 20 from 0 on end at 80.
    ages = column(*([19, 79] * 5 + [40 + i % 20 for i in range(89)]))
    assert settings(propose(ages).attribute) == (0, 80, 3, 1)


def test_a_closer_width_where_a_round_one_wastes_leaves():
    # 1000..1999 in 8 leaves: 100 is too narrow; 200 from 1000 on reaches 2600, but the data touch only 5 of 8. Of the
    # closer widths 100 ends at 1800 and 150, from 900 on (the multiple of 150 below 1000), at 2100.
    identifiers = column(*range(1000, 2000))
    assert settings(propose(identifiers).attribute) == (900, 2100, 4, 1)


def test_a_domain_ends_where_the_rounded_data_end():
    # 18..90 in 8 leaves: 10 from 10 on would end at 90, too soon; from 15 on, a multiple of 5, at 95. Leaves of 20 from
    # 0 on would go on to 160, where nobody is.
    ages = column(*([18, 90] * 5 + [40 + i % 20 for i in range(90)]))
    assert settings(propose(ages).attribute) == (15, 95, 4, 1)
    # 38.0 to 117.3 in tenths: 10 from 35 on would end at 115; the next round number that divides 10 is 2: 38 to 118.
    weights = column(*(["38.0", "117.3"] * 5 + ["75.5"] * 90))
    assert settings(propose(weights).attribute) == (38, 118, 4, Decimal("0.1"))


def test_ends_do_not_reach_for_a_few_who_lie_far_out():
    # 20..91 in thousands, each twice, and one income of 987,654. Without four at each end they are 22 to 90; a quarter
    # of that farther, from 5 to 107, lie all but the one: leaves of 10 from 20 on end at 100.
    incomes = [20_000 + 1_000 * (i % 72) for i in range(144)]
    alone = propose(column(*incomes, 987_654, name="income"))
    assert settings(alone.attribute) == (20_000, 100_000, 4, 1)
    assert (alone.attribute.below, alone.attribute.above) == (False, True)
    assert alone.reasons[-1].startswith("A few lie far out and are shown as `>=100000`")
    for other in (200_000, 500_000, 10**9):  # how far out is told nobody
        assert propose(column(*incomes, other, name="income")).attribute == alone.attribute
    assert not propose(column(*incomes, name="income")).attribute.above


def test_a_scale_of_codes_is_no_few_far_out():
    # Most answer 2 or 3, one answers 5, one 1: 1 to 5 in 4 leaves of 2 steps, from 0 on.
    answers = propose(column(*([2, 3] * 60), 1, 5)).attribute
    assert settings(answers) == (0, 8, 3, 1)
    assert (answers.below, answers.above) == (False, False)


@pytest.mark.parametrize("kind", ["int8", "uint8", "uint64", "float32"])
def test_small_types_do_not_overflow(kind):
    # 0..119 from end to end and, where the type has them, numbers below zero: the same as of Python's integers.
    values = [*range(0, 120, 2), *([-100] * 6 if kind in ("int8", "float32") else [100] * 6)]
    plain = propose(pd.Series(values, name="x")).attribute
    assert propose(pd.Series(values, name="x", dtype=kind)).attribute == plain


@given(st.lists(st.integers(0, 1000), min_size=50, max_size=120), *[st.integers(10**4, 10**9)] * 2)
def test_how_far_out_a_record_lies_changes_nothing(steps, one, other):
    first, second = (propose(pd.Series([*steps, alone], name="x")).attribute for alone in (one, other))
    assert first == second
    assert first.above


@given(st.integers(-(10**6), 10**6), st.sampled_from([4, 8]), st.integers(10, 10**6), st.integers(0, 99))
def test_hardly_a_leaf_lies_outside_the_data(smallest, leaves, wide, more):
    # Where leaves are of ten steps or more there is a round width for any data.
    largest = smallest + leaves * wide + more
    start, width = round_domain(smallest, largest, leaves)
    assert start <= smallest <= largest < start + leaves * width
    first, last = (smallest - start) // width, (largest - start) // width
    assert first == 0
    assert last >= leaves - 2 if leaves == 8 else last == leaves - 1


def test_decimals_are_seen_in_text_and_in_numbers():
    # Tenths: 36.5 is step 365, 38.4 step 384; 20 values in 4 leaves. Leaves of 5 steps from 365 on end at 385 > 384.
    assert settings(propose(column("36.5", "38.40", " 37 ")).attribute) == (
        Decimal("36.5"),
        Decimal("38.5"),
        3,
        Decimal("0.1"),
    )
    assert propose(column(36.5, 38.4, 37.0)).attribute == propose(column("36.5", "38.4", "37")).attribute


def test_sums_of_floats_do_not_pass_for_finer_values():
    assert propose(column(0.1 + 0.2, 0.7)).attribute.resolution == Decimal("0.1")


def test_two_values_and_one_value():
    # A code 1 or 2: two leaves of one value. A constant still needs a domain of two values.
    assert settings(propose(column(*[1, 2] * 100)).attribute) == (1, 3, 2, 1)
    assert settings(propose(column(*[7] * 100)).attribute) == (7, 9, 2, 1)


def test_below_zero():
    # -5..12 in 4 leaves: 5 from -5 on ends at 15.
    assert settings(propose(column(-5, -3, 12)).attribute) == (-5, 15, 3, 1)


def test_digits_past_the_sixth_are_counted_coarser_and_said_so():
    proposal = propose(column(1 / 3, 2 / 3))
    assert proposal.attribute.resolution == Decimal("0.000001")
    assert (
        proposal.reasons[0] == "Some values have more than 6 decimals: they are counted in coarser steps, of 0.000001."
    )


def test_reasons_name_what_was_seen():
    assert propose(column(19, 79, 40)).reasons == (
        "All values are whole numbers: they are counted in steps of 1.",
        "3 records and 3 distinct values: 3 layers, so 4 leaves.",
        "The data run from 19 to 79: leaves of 20 from 0 on cover them.",
    )


def test_gaps_and_text_are_passed_over():
    assert propose(column("19", "", "79", "n/a", "old")).attribute == propose(column(19, 79, 40)).attribute


@pytest.mark.parametrize("values", [["old", "young"], ["", ""], [], [float("inf")]])
def test_a_column_without_numbers_is_refused(values):
    with pytest.raises(DataError, match="'age' holds no number"):
        propose(pd.Series(values, name="age", dtype=object))


def test_numbers_beyond_exact_arithmetic_are_refused():
    with pytest.raises(DataError, match="more than 15 digits"):
        propose(column(1e17, 2e17))


def test_a_name_that_no_attribute_may_have_is_refused():
    with pytest.raises(StudyError, match="starts or ends with a blank"):
        propose(column(1, 2, name=" age"))


def test_the_unit_is_taken_over():
    assert propose(column(1, 9), unit="kg").attribute.unit == "kg"


@given(
    st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=120),
    st.integers(0, 4),
    st.sampled_from(["text", "float"]),
)
def test_every_proposal_covers_its_column(steps, decimals, kind):
    exact = [Decimal(step).scaleb(-decimals) for step in steps]
    values = [format(value, "f") for value in exact] if kind == "text" else [float(value) for value in exact]
    assume(not set(map(float, values)) & set(MISSING_CODES))  # of those alone below 0 a note is made
    attribute = propose(pd.Series(values, name="x")).attribute
    # Making the attribute has checked that leaves divide the domain. Nothing may be outside it or finer than its steps.
    read = read_column(pd.Series(values, name="x"), attribute)
    leaf, problems = read.leaves, read.problems
    assert problems == ()
    # And the leaf of each record is the one that exact arithmetic names; a few far out are in groups of their own.
    leaves = 2 ** (attribute.layers - 1)
    width = (attribute.upper - attribute.lower) / leaves
    places = [-1 if v < attribute.lower else min(int((v - attribute.lower) // width), leaves) for v in exact]
    assert leaf.tolist() == [place + attribute.below for place in places]
    assert (-1 in places, leaves in places) == (attribute.below, attribute.above)
    assert places.count(-1) <= 4 * (len(exact) >= 40) >= places.count(leaves)
    assert attribute.fanout == 2
    assert len(np.unique(leaf)) >= 2 or len(set(exact)) < 2 or leaves == 2


@given(
    st.decimals(-1000, 1000, places=2),
    st.decimals(0, 1000, places=2),
    st.sampled_from([Decimal("0.01"), Decimal("0.5"), Decimal(1), Decimal(3)]),
    st.integers(2, 5),
    st.integers(2, 4),
)
def test_an_upper_end_that_fits(lower, extent, resolution, layers, fanout):
    leaves = fanout ** (layers - 1)
    upper = upper_that_fits(lower, lower + extent, resolution, leaves)
    assert Attribute("x", lower, upper, layers, fanout, resolution).upper == upper
    # Not one leaf-wide step more than needed.
    assert upper >= lower + extent
    assert upper - leaves * resolution < lower + extent or upper == lower + leaves * resolution
