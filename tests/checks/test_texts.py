"""The texts of a checked column: each different cell is read once, and read as it would be by itself."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import Attribute, LDiversity, Roles, Study, check
from cra_engine.checks.labels import as_text, said_in
from cra_engine.checks.sensitive_values import hidden_together, single_values

cells = st.one_of(
    st.sampled_from(["", " ", "*", "flu", " flu ", "NA", "none", "34", "1", "1.0"]),
    st.none(),
    st.just(float("nan")),
    st.just(pd.NA),
    st.booleans(),
    st.integers(-2, 2),
    st.floats(-2, 2).map(lambda number: round(number, 1) + 0.0),
)


def one_by_one(column: pd.Series) -> list[str]:
    return ["" if pd.isna(cell) else str(cell).strip() for cell in column.astype(object)]


@given(st.lists(cells), st.sampled_from([None, "category"]))
def test_cells_of_all_kinds_are_read_as_each_by_itself(values, kind):
    column = pd.Series(values, dtype=object, index=range(5, 5 + len(values)))
    if kind is not None:
        column = column.map(lambda cell: cell if isinstance(cell, str) else None).astype(kind)
    assert as_text(column).tolist() == one_by_one(column)


@given(st.lists(st.floats(-2, 2).map(lambda number: number + 0.0) | st.just(float("nan"))) | st.lists(st.booleans()))
def test_columns_of_one_kind_are_read_so_too(values):
    column = pd.Series(values)
    assert as_text(column).tolist() == one_by_one(column)


def test_what_says_nothing_is_found_by_its_text():
    assert said_in(pd.Series(["flu", "*", "", None, "na", " gout", "flu"])).tolist() == [
        True, False, False, False, False, True, True,
    ]  # fmt: skip


def test_a_word_for_nothing_says_something_where_somebody_decided_so():
    column = pd.Series(["flu", "unknown", "Unknown", "k.A.", "", "*", "flu"])
    assert said_in(column).tolist() == [True, False, False, False, False, False, True]
    assert said_in(column, ["unknown"]).tolist() == [True, True, False, False, False, False, True]
    assert (single_values(column), single_values(column, ["unknown"])) == ((), ("unknown",))


@pytest.mark.parametrize("word", ["unknown", "no entry", "k.A.", ""])
@pytest.mark.parametrize("left", [(), ("unknown", "k.A.")])
def test_a_word_for_nothing_keeps_nobody_apart_whatever_was_decided(word, left):
    """Of the two in their twenties one is known to have flu, and nobody to have anything else."""
    people = pd.DataFrame({"age": [21, 23, 34, 38], "illness": ["flu", word, "gout", "cold"]})
    roles = Roles(sensitive=["illness"], as_values=left)
    release = people.assign(age=["[20, 30[", "[20, 30[", "[30, 40[", "[30, 40["])
    checked = check(people, Study([Attribute("age", 20, 40, layers=2)], k=2, roles=roles), release)
    assert checked.diversity[0].distinct_l == 1
    assert any(one.code == "l-diversity" and one.level == "stop" for one in checked.findings)


def test_a_model_counts_a_word_that_is_a_value_as_recoding_did():
    people = pd.DataFrame({"age": [21, 23, 34, 38], "illness": ["flu", "unknown", "gout", "cold"]})
    roles = Roles(sensitive=["illness"], as_values=["unknown"])
    study = Study([Attribute("age", 20, 40, layers=2)], k=2, privacy=(LDiversity("illness", 2),), roles=roles)
    release = people.assign(age=["[20, 30[", "[20, 30[", "[30, 40[", "[30, 40["])
    codes = {one.code for one in check(people, study, release).findings if one.level == "stop"}
    assert "l-diversity" in codes
    assert "privacy-model" not in codes


@given(column=st.lists(st.sampled_from([*"abcde", "*", ""]), max_size=30))
def test_hiding_leaves_no_value_of_a_single_record_and_no_single_value_behind_the_star(column):
    shown = pd.Series(column, dtype=object)
    hidden = dict(hidden_together(shown))
    left = shown.mask(shown.isin(hidden), "*")
    assert single_values(left) == ()
    assert bool(hidden) == bool(single_values(shown))
    different = set(column) - {"*", ""}
    assert not hidden or len(hidden) >= min(2, len(different))
    assert all(column.count(value) == many for value, many in hidden.items())
    # No value goes with them that is more frequent than one that stays.
    assert all(many <= column.count(value) for many in hidden.values() for value in different - hidden.keys())
