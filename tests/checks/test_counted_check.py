"""The check and the audit of different rows, counted: they say what they say of every row by itself."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cra_engine import Attribute, Study, audit, check, recode
from cra_engine.errors import DataError
from cra_engine.files.different_rows import CountedRows
from cra_engine.raw import matched_rows
from cra_engine.raw.matched_rows import matched_kinds
from cra_engine.study.roles import Roles

STUDY = Study(
    [Attribute("age", 0, 80, layers=3), Attribute("weight", 0, 80, layers=3)],
    2,
    roles=Roles(sensitive=["ill"], keep=["ward"]),
)


def counted(frame):
    """A table's different rows, counted by a dictionary."""
    places = {}
    for number, row in enumerate(frame.astype(str).itertuples(index=False)):
        places.setdefault(tuple(row), []).append(number)
    first = [numbers[0] for numbers in places.values()]
    records = np.array([len(numbers) for numbers in places.values()], dtype=np.int64)
    return CountedRows(frame.iloc[first].reset_index(drop=True), records, np.array(first), ())


def people(seed, records):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(0, 8, records) * 10,
            "weight": rng.integers(0, 4, records) * 20,
            "ill": rng.choice(["flu", "gout", "", "flu"], records),
            "ward": rng.choice(["A", "B"], records),
        }
    )


def told(found):
    """All that a check says, but for the time that it took."""
    return found.to_dict()


@settings(max_examples=2)
@given(st.integers(0, 10**6), st.integers(4, 60), st.booleans())
@example(1178, 55, False)  # the entropy was rounded otherwise where rows were counted
@example(2, 30, True)
def test_a_check_of_counted_rows_says_what_it_says_of_each(seed, records, hidden):
    compare_checks(seed, records, hidden=hidden)


@pytest.mark.exhaustive
@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(4, 60), st.booleans())
def test_a_check_of_many_counted_tables_says_what_it_says_of_each_row(seed, records, hidden):
    compare_checks(seed, records, hidden=hidden)


def compare_checks(seed, records, *, hidden):
    data = people(seed, records)
    frame = recode(data, STUDY).frame.astype(str)
    if hidden:  # suppressed records of some publishers hide all
        frame.loc[(frame["age"] == "*") & (frame["weight"] == "*"), "ill"] = "*"
    mixed = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
    more = {"also": [("ill", "ward"), ("age", "ward")], "population": people(seed + 1, 90)}
    expected = told(check(data, STUDY, mixed, **more))
    assert told(check(counted(data), STUDY, counted(mixed), **more)) == expected
    more["population"] = counted(more["population"])
    assert told(check(data, STUDY, counted(mixed), **more)) == expected
    del more["population"]
    assert told(check(None, STUDY, counted(mixed), **more)) == told(check(None, STUDY, mixed, **more))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(6, 60))
def test_an_audit_of_counted_rows_says_what_it_says_of_each(seed, records):
    frame = recode(people(seed, records), STUDY).frame.astype(str)
    mixed = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
    one, other = audit(mixed, STUDY), audit(counted(mixed), STUDY)
    assert not other.in_order
    if not one.in_order:
        assert other.to_dict() == one.to_dict()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 40))
def test_each_pair_of_rows_fits_and_all_records_have_one(seed, records):
    data = people(seed, records)
    frame = recode(data, STUDY).frame.astype(str).sample(frac=1, random_state=seed)
    raw, shown = counted(data), counted(frame)
    rows, places, times = matched_kinds(raw.frame, shown.frame, STUDY, raw.records, shown.records)
    assert (times > 0).all()
    assert np.bincount(rows, times).tolist() == raw.records.tolist()
    assert np.bincount(places, times).tolist() == shown.records.tolist()
    for row, place in zip(rows, places, strict=True):
        before, after = raw.frame.iloc[row], shown.frame.iloc[place]
        assert (before["ill"], before["ward"]) == (after["ill"], after["ward"])
        for name in STUDY.names:
            low, high = (0, 80) if after[name] == "*" else map(int, after[name].strip("[").split(", "))
            assert low <= before[name] < high


def test_a_cell_is_weighed_against_one_box_of_each_state(monkeypatch):
    """Not against every row: in a fine grid those are more pairs than can be weighed."""
    study = STUDY.changed(attributes=[Attribute("age", 0, 64, layers=5), Attribute("weight", 0, 64, layers=5)])
    rng = np.random.default_rng(3)
    data = pd.DataFrame({name: rng.integers(0, 64, 900) for name in study.names} | {"ill": "flu", "ward": "A"})
    frame = recode(data, study).frame.astype(str).sample(frac=1, random_state=3)
    raw, shown = counted(data), counted(frame)
    states, cells = 5 * 5, 16 * 16
    monkeypatch.setattr(matched_rows, "MOST_PAIRS", states * cells)
    assert cells * len(shown.frame) > 2 * matched_rows.MOST_PAIRS
    _, _, times = matched_kinds(raw.frame, shown.frame, study, raw.records, shown.records)
    assert times.sum() == 900


def test_a_release_of_another_table_is_not_taken_for_this_ones():
    data = people(1, 40)
    other = recode(people(2, 40), STUDY).frame.astype(str)
    found = check(counted(data), STUDY, counted(other))
    assert found.verdict == "stop"
    assert "not-this-table" in {one.code for one in found.findings}


def test_counted_rows_alone_are_refused():
    with pytest.raises(DataError, match="beside the counted rows of their release"):
        check(counted(people(1, 9)), STUDY)
