"""Sets of columns that somebody may know together, against plain counts, and as the check says them."""

import json
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from cra_engine import Attribute, Study, StudyError, check
from cra_engine.cli.commands import app
from cra_engine.patience import Deadline
from cra_engine.risk.known_sets import known_sets


@given(
    rows=st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=20),
    sets=st.lists(st.sets(st.sampled_from("abcd"), min_size=1), min_size=1, max_size=3),
    k=st.integers(2, 4),
)
def test_groups_are_those_of_equal_cells(rows, sets, k):
    frame = pd.DataFrame(rows, columns=list("abcd"))
    found = known_sets(frame, [sorted(one) for one in sets], k, Deadline())
    for one in (*found.each, found.together):
        cells = [tuple(row["abcd".index(name)] for name in one.columns) for row in rows]
        times = Counter(cells)
        sizes = [times[cell] for cell in cells]
        expected = min(sizes), sum(size < k for size in sizes), sum(size == 1 for size in sizes)
        assert (one.smallest, one.below, one.alone) == expected
    assert set(found.together.columns) == set().union(*sets)
    assert sum(found.by_size) <= found.together.alone
    assert found.failing == tuple(one for one in found.each if one.below)


# Twelve people, each of a, b and c shown by six, each pair by three: 3-anonymous by {a, b} and by {b, c}. By all three
# columns (age is the same for all) the four patterns of even parity have three each but one person, who breaks off.
EVEN = [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)] * 3
ALL = pd.DataFrame([*EVEN, (0, 0, 1), *[(0, 0, 0)] * 3, *[(1, 0, 1)] * 3], columns=["a", "b", "c"]).assign(age=30)
STUDY = Study([Attribute("age", 20, 40, layers=1)], k=3)


def of(checked, code):
    return [one for one in checked.findings if one.code == code]


def test_sets_that_hold_by_themselves_and_not_together():
    # Together (0, 0, 1) is one row; by {a, b} (0, 0) has 3 + 1 + 3 rows, by {b, c} (0, 1) has 3 + 1 + 3.
    release = ALL.assign(age="*")
    checked = check(None, STUDY, release, also=[("a", "b"), ("b", "c")], time_limit=5)
    assert not of(checked, "also")
    (finding,) = of(checked, "also-together")
    assert finding.level == "stop"  # one of nineteen is more than one in twenty
    assert finding.text.startswith(
        "By each set 3 records or more are alike, but by 'age', 'a', 'b' and 'c' together 1 person is alone "
        "(1 by 3 columns) and 1 record is in groups of fewer than k = 3; call all of these known to others"
    )
    assert checked.to_dict()["also_together"] == {
        "columns": ["age", "a", "b", "c"],
        "smallest": 1,
        "below": 1,
        "alone": 1,
        "by_number_of_columns": [0, 0, 1],
    }


def test_rows_that_are_removed_later_break_a_set():
    release = ALL.assign(age="*")
    kept = release[(release["a"] != 1) | (release["b"] != 1)]
    whole = check(None, STUDY, release, also=[("a", "b")], time_limit=5)
    assert not of(whole, "also")
    less = check(
        None, STUDY, pd.concat([kept, release[(release["a"] == 1) & (release["b"] == 1)].head(2)]), also=[("a", "b")]
    )
    (finding,) = of(less, "also")
    assert finding.level == "stop"
    assert "'a' and 'b'" in finding.text
    assert "the smallest group has 2 records, and 2 records are in groups of fewer than k = 3" in finding.text


def test_the_command_takes_sets(tmp_path):
    ALL.to_csv(tmp_path / "release.csv", index=False)
    ALL.assign(age="*").to_csv(tmp_path / "release.csv", index=False)
    STUDY.to_toml(tmp_path / "study.toml")
    arguments = ["check", "-", "--study", tmp_path / "study.toml", "--release", tmp_path / "release.csv"]
    arguments += ["--also", "a, b", "--also", "b,c", "--output", tmp_path / "v.html", "--json", "--fail-on", "never"]
    done = CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert [one["columns"] for one in found["also"]] == [["a", "b"], ["b", "c"]]
    assert [one["smallest"] for one in found["also"]] == [3, 3]
    assert "together 1 person is alone" in (tmp_path / "v.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        ([("a", "gone")], "The column 'gone' of the set 'a, gone' is not published"),
        ([("a", "a")], "is empty or names a column twice"),
        ([()], "is empty or names a column twice"),
        ([], "No set of columns is given"),
    ],
)
def test_sets_that_are_none_are_refused_in_a_sentence(sets, said):
    with pytest.raises(StudyError, match=said):
        known_sets(ALL, sets, 3, Deadline())
