"""Rows that the page Data asks about: no records, repeated ones, later ones of a person; left out on every page."""

import pytest
from visitor import COSTS

from cra_dashboard.panels.frame import left_out_said
from cra_dashboard.session import state
from cra_engine.raw.nameless import rows_no_record

UNITS, TOTALS = "years,kg,-,d.m.y", "sum,2345.5,,"
VISITS = [f"{20 + i % 50},{50 + i % 40}.5,p{i},{1 + i % 28}.{1 + i % 12}.2024" for i in range(40)]


@pytest.mark.parametrize(
    ("lines", "row"), [([UNITS, *VISITS], "Row 1 (2 in a spreadsheet)"), ([*VISITS, TOTALS], "Row 41 (42 in a spread")]
)
def test_a_second_line_of_names_or_a_line_of_totals_is_left_out_by_a_button(uploading, lines, row):
    uploading.upload("visits.csv", "\n".join(["age,weight,name,day", *lines]).encode())
    assert row in uploading.says("markdown")
    assert "not like a person" in uploading.says("markdown")
    uploading.press("data-no-record-out")
    assert uploading.dataset.frame["weight"].tolist() == [line.split(",")[1] for line in VISITS]
    (weight,) = [one for one in uploading.study.attributes if one.name == "weight"]
    assert weight.upper < 200, "proposed for the people alone"
    assert "data-no-record-out" not in {button.key for button in uploading.at.button}


def test_rows_of_people_are_no_line_of_totals(uploading):
    uploading.upload("visits.csv", "\n".join(["age,weight,name,day", *VISITS, ",,,"]).encode())
    assert rows_no_record(uploading.dataset.frame.iloc[:-1]) == ()
    uploading.press("data-no-record-in")
    assert "data-no-record-in" not in {button.key for button in uploading.at.button}
    assert len(uploading.dataset.frame) == 41


def test_later_rows_of_a_patient_number_are_left_out_by_a_button(uploading):
    rows = [f"{1000 + i % 50},{20 + i % 30},{i % 7}" for i in range(60)]
    uploading.upload("visits.csv", "\n".join(["patient number,age,arm", *rows]).encode())
    assert "patient number has 50 different values in 60 rows" in uploading.says("markdown")
    uploading.press("data-repeated-patient number")
    assert uploading.dataset.left_out == {"with a patient number that stands in a row above": tuple(range(51, 61))}
    assert len(uploading.dataset.frame) == 50
    assert "patient number has" not in uploading.says("markdown")


def test_later_rows_stand_below_the_earlier_ones_with_what_differs(uploading):
    lines = [f"P{1000 + row},{20 + row % 30},{row % 7}" for row in range(60)]
    lines += [lines[11], "P1004,24,6"]
    uploading.upload("visits.csv", "\n".join(["patient number,age,arm", *lines]).encode())
    said = uploading.says("markdown")
    assert "Row 61 (62 in a spreadsheet) says all that row 12 (13 in a spreadsheet) says." in said
    assert "Row 62 (63 in a spreadsheet) differs from row 5 (6 in a spreadsheet) in arm." in said
    shown = next(one.value for one in uploading.at.dataframe if one.value.index.name == "pair")
    assert shown.index.tolist() == [
        "1: row 12 (13 in a spreadsheet)",
        "1: row 61 (62 in a spreadsheet)",
        "2: row 5 (6 in a spreadsheet)",
        "2: row 62 (63 in a spreadsheet)",
    ]
    assert shown.columns.tolist() == ["arm", "patient number", "age"], "what differs stands first"
    assert shown["arm"].tolist() == ["4", "4", "4", "6"]


def test_of_many_pairs_the_rest_is_told_by_number(uploading):
    lines = [f"{1000 + i % 50},{20 + i % 30},{i % 7}" for i in range(60)]
    uploading.upload("visits.csv", "\n".join(["patient number,age,arm", *lines]).encode())
    shown = next(one.value for one in uploading.at.dataframe if one.value.index.name == "pair")
    assert len(shown) == 8
    assert "Not shown: rows 55, 56, 57, 58, 59 and 60" in uploading.says("caption")


def test_a_later_row_that_repeats_another_is_counted_once_for_the_reason_that_comes_first(uploading):
    rows = [f"{1000 + i % 50},{20 + i % 30},{i % 7}" for i in range(60)]
    rows[59] = rows[9]
    uploading.upload("visits.csv", "\n".join(["patient number,age,arm", *rows]).encode())
    uploading.press("data-repeated-patient number")
    noted = [one.what for one in uploading.at.session_state[state.DECIDED][1] if one.what.startswith("left out, ")]
    others = "rows 51, 52, 53, 54, 55, 56, 57, 58 and 59 (52, 53, 54, 55, 56, 57, 58, 59, 60 in a spreadsheet)"
    assert noted == [
        "left out, repeating another: row 60 (61 in a spreadsheet)",
        f"left out, with a patient number that stands in a row above: {others}",
    ]
    # So do the cards of Make it publishable, which are given these reasons.
    assert left_out_said(uploading.dataset, None) == (
        "Left out 10 rows: 1 row, repeating another; 9 rows, with a patient number that stands in a row above."
    )


def test_rows_that_were_left_out_stay_out_when_their_very_file_comes_back(uploading):
    """All that was decided comes back with it; only another file's rows are other people."""
    rows = [f"{1000 + i % 50},{20 + i % 30},{i % 7}" for i in range(60)]
    content = "\n".join(["patient number,age,arm", *rows]).encode()
    uploading.upload("visits.csv", content).press("data-repeated-patient number")
    out = uploading.dataset.left_out
    uploading.upload("other.csv", COSTS.encode()).upload("visits.csv", content)
    assert uploading.dataset.left_out == out
    assert len(uploading.dataset.frame) == 50
    assert "are in again" not in uploading.says("success")
    uploading.upload("later.csv", content + b"\n1050,30,1")
    assert uploading.dataset.left_out == {}
    assert "with a patient number that stands in a row above, are in again" in uploading.says("success")


def noted(uploading):
    return [one.what for one in uploading.at.session_state[state.DECIDED][1]]


def test_cells_that_were_read_as_missing_are_counted_anew_in_a_file_that_was_corrected(uploading):
    rows = [f"{20 + i % 30},{i % 7}" for i in range(60)]
    rows[4] = "212,3"
    uploading.upload("visits.csv", "\n".join(["age,arm", *rows]).encode()).press("data-ages-missing")
    uploading.press("data-kept-arm").press("data-missing-leave-out-age")
    gone = "rows without it are left out"
    assert {"age: 1 cell read as missing", f"age: 1 missing value, {gone}"} <= set(noted(uploading))
    uploading.upload("more.csv", "\n".join(["age,arm", "212,1", *rows]).encode())
    assert {"age: 2 cells read as missing", f"age: 2 missing values, {gone}"} <= set(noted(uploading))
    uploading.upload("mended.csv", "\n".join(["age,arm", *rows[5:]]).encode())
    assert not any("read as missing" in what for what in noted(uploading))


TWICE = [f"{n % 7};{20 + n % 40};{'mfMF'[n % 4]};{n * 37 % 1000}" for n in range(120)]
TWICE_CSV = "\n".join(["ward;age;sex;score", *TWICE, *TWICE[:3]]).encode()


def without_twice(uploading):
    """Answers up to the question about rows that repeat, and leaves these out."""
    uploading.upload("twice.csv", TWICE_CSV)
    keys = []
    while "data-repeated-out" not in keys:
        keys = [button.key for button in uploading.at.button if button.proto.type == "primary"]
        uploading.press(keys[0])
    return uploading


def test_rows_that_are_left_out_are_named_by_their_numbers_in_a_file_that_was_corrected(uploading):
    """The record of what was decided named those of the file before, beside the right ones."""
    without_twice(uploading)
    said = "left out, repeating another: rows {}, {} and {} ({}, {}, {} in a spreadsheet)"
    assert said.format(121, 122, 123, 122, 123, 124) in noted(uploading)
    uploading.upload("later.csv", "\n".join(["ward;age;sex;score", "3;44;m;1234", *TWICE, *TWICE[:3]]).encode())
    assert [what for what in noted(uploading) if what.startswith("left out")] == [
        said.format(122, 123, 124, 123, 124, 125)
    ]


def test_rows_left_out_are_left_out_on_every_page_and_counted_once(uploading):
    without_twice(uploading)
    assert (len(uploading.dataset.frame), len(uploading.dataset.whole)) == (120, 123)
    assert "twice.csv: 120 of 123 records" in uploading.says("markdown")
    assert left_out_said(uploading.dataset, None) == "Left out: 3 rows, repeating another."
    for page in ("recode", "attack", "all_classes", "single_out", "who_has_what", "together", "check", "compare"):
        uploading.open(f"pages/{page}.py")
        assert "123" not in uploading.says("markdown", "caption", "info", "success", "warning"), page
    assert len(uploading.at.session_state["cra_results"]["recoding"][1].frame) == 120


def test_a_corrected_file_says_what_changed_and_asks_nothing_anew(uploading):
    without_twice(uploading)
    rows = [*TWICE, *TWICE[:2]]
    rows[4] = rows[4].replace(";24;", ";25;")
    uploading.upload("mended.csv", "\n".join(["ward;age;sex;score", *rows]).encode())
    assert set(uploading.dataset.frame["sex"]) == {"m", "f"}
    assert uploading.dataset.left_out == {"repeating another": (121, 122)}
    said = uploading.says("success")
    assert "mended.csv is read: 122 records" in said
    assert "Since then: 1 row gone; age changed in row 5 (6 in a spreadsheet)." in said
    assert not {"data-repeated-in", "data-alike-merge"} & {button.key for button in uploading.at.button}
