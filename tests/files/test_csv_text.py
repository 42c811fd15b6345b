"""Released tables as CSV: no cell runs as a formula, and whatever was there comes back."""

import csv
import io

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cra_engine.files.csv_text import csv_text, defused, formulas, restored
from cra_engine.publish.local.recoding import recode
from cra_engine.release import read_release
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study

STUDY = Study([Attribute("a", 0, 4, 2)], 2)
RUNS = ["=1+1", "+1+1", "-1+cmd|' /C calc'!A0", "@SUM(1,2)", "\t=1", "\r=1", "\tx", " =1", "\n=1", "+49 30 1"]
RUNS += ["\uff1d1", "-2*3"]
HARMLESS = ["-5", "+5", "-1.5", "-1,5", "-1.250,75", "-.5", "-1e-5", "-12%", "-", "--", "x=1", "", "[-5, 0[", "'s"]
HARMLESS += ["'-5"]


def cells(text):
    """What another program sees: Python's own reader."""
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))


@pytest.mark.parametrize("cell", RUNS)
def test_a_formula_is_defused(cell):
    table = pd.DataFrame({"note": [cell, "x"], cell: ["y", "z"]})
    header, first, second = cells(csv_text(table))
    assert header == ["note", "'" + cell]
    assert (first, second) == (["'" + cell, "y"], ["x", "z"])
    assert formulas(table) == 1


@pytest.mark.parametrize("cell", HARMLESS)
def test_a_true_number_and_other_text_stay(cell):
    table = pd.DataFrame({"note": [cell, "x"]})
    assert cells(csv_text(table)) == [["note"], [cell], ["x"]]
    assert formulas(table) == 0
    assert restored(table).equals(table)


def test_columns_of_numbers_stay():
    table = pd.DataFrame({"n": [-1, 2], "x": [-0.5, float("nan")], "when": pd.to_datetime(["2020-01-01", None])})
    assert cells(csv_text(table)) == [["n", "x", "when"], ["-1", "-0.5", "2020-01-01"], ["2", "", ""]]


any_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=6)
hostile = st.builds(
    str.__add__, st.sampled_from(["", "'", "''", "=", "'=", "-", "+", "@", "\t", "\r", "\n", " =", "-5"]), any_text
)
columns = st.lists(hostile, min_size=1, max_size=6)


@settings(max_examples=40)
@given(columns, st.sampled_from(["str", "object", "category"]))
@example(["\n\r", " \t="], "str")
def test_nothing_begins_like_a_formula_and_all_comes_back(column, kind):
    table = pd.DataFrame({"n": range(len(column)), "note": pd.Series(column, dtype=kind)})
    safe = defused(table)
    assert restored(safe)["note"].astype(str).tolist() == column
    assert safe["note"].dtype.name == table["note"].dtype.name
    for cell in safe["note"]:
        begin = cell.lstrip(" \n")[:1]
        assert begin not in {*"=@\t\r\uff1d\uff0b\uff0d\uff20"}
        assert begin not in {"+", "-"} or set(cell) <= {*"0123456789.,eE%+-"}


@settings(max_examples=40)
@given(columns, st.integers(0, 6))
def test_pieces_give_the_same_bytes_as_the_whole(column, cut):
    table = pd.DataFrame({"note": column, "n": range(len(column))}, index=[0] * len(column))
    pieces = csv_text(table.iloc[:cut]) + csv_text(table.iloc[cut:], header=False)
    assert pieces == csv_text(table)


@settings(max_examples=40)
@given(columns, any_text)
def test_a_release_with_formulas_survives_its_own_file(column, name):
    data = pd.DataFrame({"a": ["1"] * len(column), name + "=x": column, "=1+1": column}, dtype=str)
    if len(data) < STUDY.k or name.strip() != name or "\ufeff" in name + "".join(column):
        return
    release = recode(data, STUDY).release
    again = read_release(release.to_csv_text(keep_order=True).encode(), STUDY)
    assert again.table.astype(str).equals(release.table.astype(str))
