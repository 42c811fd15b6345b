"""Histograms: every value in the bar it belongs to."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_dashboard import palette
from cra_dashboard.table.charts import MAX_BARS, bar_rows, bars, bars_told, histogram, shows_thin, takeaway
from cra_engine import Attribute
from cra_engine.raw.contents import inspect


def column(values, name="x"):
    (only,) = inspect(pd.DataFrame({name: values}))
    return only


def test_few_values_get_a_bar_each():
    spread = bars(column([1, 2, 2, 100]))
    assert (spread.labels, spread.counts, spread.width) == (("1", "2", "100"), (1, 2, 1), 0)


def test_few_values_at_equal_steps_stand_on_their_scale():
    """Beside each other 2, 4 and 9 read as if they were equally far apart."""
    spread = bars(column([9, 2, 4, 4]))
    assert (spread.labels, spread.counts) == (tuple("23456789"), (1, 0, 2, 0, 0, 0, 0, 1))
    spread = bars(column([0.1, 0.25, 0.7]))
    assert (spread.labels, spread.counts) == (("0.1", "0.25", "0.4", "0.55", "0.7"), (1, 1, 0, 0, 1))


def test_many_values_get_bars_of_a_round_width():
    # 0..99: twenty bars of five would need a span of at most 19 x 5 = 95 for the last value; 99 needs the next, ten.
    spread = bars(column(range(100)))
    assert spread.width == 10
    assert spread.counts == (10,) * 10
    assert (spread.labels[0], spread.labels[-1]) == ("0 to 10", "90 to 100")


def test_below_zero_and_on_the_edge():
    # 11 values from -6 to 4: width 1 (10 <= 19), a value on an edge begins its bar.
    spread = bars(column(range(-6, 5)))
    assert spread.labels[0] == "-6 to -5"
    assert spread.counts == (1,) * 11


@given(st.lists(st.integers(-(10**6), 10**6), min_size=11, max_size=80, unique=True), st.integers(0, 3))
def test_every_value_is_in_its_bar(steps, decimals):
    exact = [Decimal(step).scaleb(-decimals) for step in steps]
    spread = bars(column([float(value) for value in exact]))
    edges = [*spread.starts, spread.end]
    expected = [
        sum(Fraction(low) <= Fraction(value) < Fraction(high) for value in exact) for low, high in pairwise(edges)
    ]
    assert list(spread.counts) == expected
    assert sum(spread.counts) == len(steps)
    assert len(spread.counts) <= MAX_BARS
    assert spread.counts[0]
    assert spread.counts[-1]


def test_gaps_stand_apart_in_another_colour_and_without_the_hatching_that_the_caption_explains():
    gaps = column(["1", "2", "", "2", "n/a"])
    figure = histogram(gaps)
    records, missing = figure.data
    assert list(records.y) == [1, 2]
    assert list(missing.y) == [2]
    assert missing.x[0] > max(records.x) + 1
    assert (missing.marker.color, missing.marker.pattern.shape) == (palette.SUPPRESSED, None)
    assert figure.layout.xaxis.ticktext[-1] == "none"
    assert len(histogram(column([1, 2])).data) == 1


def test_the_values_that_share_a_bar_are_hatched_where_each_has_fewer_than_k_records():
    """Fourteen towns of ten, and sixteen of one person each in one bar: sixteen people who stand out."""
    towns = [f"town {n}" for n in range(14) for _ in range(10)]
    rare = column([*towns, *(f"hamlet {n}" for n in range(16))])
    *_, hatched = histogram(rare, 5).data
    assert hatched.marker.pattern.shape
    assert (list(hatched.customdata), list(hatched.x)) == (["16 others"], [16])
    assert hatched.name == "fewer than k = 5 records each"
    assert bars_told(rare, 5).endswith("Hatched: fewer than k = 5, who stand out, of the others each by itself.")
    # One of the others that five people have hides in no crowd, but the bar is not of such people alone.
    assert not shows_thin(column([*towns, *["village"] * 5, *(f"hamlet {n}" for n in range(15))]), 5)


def test_the_page_speaks_of_hatched_bars_only_where_one_is():
    held = column([1, 1, 1, 2])
    assert [shows_thin(held, k) for k in (0, 1, 2, 3)] == [False, False, True, True]
    assert not shows_thin(column(["1", "1", ""]), 2)  # a gap is grey, not hatched, and named
    assert bars_told(held, 2) == "Each bar counts records. Hatched: fewer than k = 2, who stand out."
    assert bars_told(held) == bars_told(held, 1) == "Each bar counts records."


def test_the_table_behind_says_the_same():
    assert bar_rows(column(["1", "2", "", "2"])) == [
        {"column": "x", "values": "1", "records": 1},
        {"column": "x", "values": "2", "records": 2},
        {"column": "x", "values": "none", "records": 1},
    ]


def test_the_takeaway():
    assert takeaway(column(["1", "2", "", "2"])) == (
        "Histogram of x: 3 values from 1 to 2, the highest bar, 2, holds 2; 1 without a value."
    )


@pytest.mark.parametrize("values", [[5], [1e-9, 1.0], list(range(1000)), [0.1 * i for i in range(50)], [-1e14, 1e14]])
def test_labels_on_the_axis_fit_a_telephone(values):
    figure = histogram(column(values))
    assert 1 <= len(figure.layout.xaxis.ticktext) <= 6
    assert figure.layout.font.size >= 13


@pytest.mark.parametrize("most", [1, 2, 3, 4, 7])
def test_records_are_counted_in_whole_ticks(most):
    along = histogram(column(list("abcdef" * most))).layout.xaxis
    # Plotly puts at most nticks of them on the axis: of fewer records than that it would halve them.
    assert along.dtick == 1 if most < 4 else along.nticks <= most


@pytest.mark.parametrize(
    ("values", "texts", "places"),
    [
        (range(26, 99), ("40", "60", "80", "100"), (3, 7, 11, 15)),  # bars of five from 25 on
        (range(80), ("0", "20", "40", "60", "80"), (0, 4, 8, 12, 16)),
        ([2, 4, 9], ("2", "4", "6", "8"), (0.5, 2.5, 4.5, 6.5)),
        ([1, 2, 4, 5], ("1", "2", "3", "4", "5"), (0.5, 1.5, 2.5, 3.5, 4.5)),
        ([5, 10, 40], ("10", "20", "30", "40"), (1.5, 3.5, 5.5, 7.5)),
        ([1, 2, 100], ("1", "2", "100"), (0.5, 1.5, 2.5)),  # no scale: a bar each, which its label names
    ],
)
def test_the_ticks_of_numbers_are_round_at_equal_steps_and_stand_where_they_belong(values, texts, places):
    for groups in (None, Attribute("x", 2, 101, layers=3, fanout=3)):
        along = histogram(column(values), groups=groups).layout.xaxis
        assert along.ticktext == texts
        assert along.tickvals == places


@settings(max_examples=25)
@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=60, unique=True), st.integers(0, 3))
def test_however_numbers_lie_their_ticks_are_few_and_round(steps, decimals):
    exact = sorted(Fraction(step, 10**decimals) for step in steps)
    ticks = histogram(column([float(value) for value in exact])).layout.xaxis.ticktext
    numbers = [Fraction(tick.replace(",", "").replace("\N{MINUS SIGN}", "-")) for tick in ticks]
    if set(exact) <= set(numbers):  # each has a label
        assert len(numbers) <= MAX_BARS // 2
        return
    (apart,) = {after - before for before, after in pairwise(numbers)}
    assert 2 <= len(ticks) <= 6
    assert {1, 2, 5} >= {int(digits) for digits in [str(float(apart)).strip("0.") or "1"] if "e" not in digits}
    assert all((one / apart).denominator == 1 for one in numbers)
    assert exact[0] - apart <= numbers[0] <= numbers[-1] <= exact[-1] + apart
