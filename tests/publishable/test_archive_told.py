"""What the archive says: the verdict to its publisher, how to read the table to its readers."""

import re
from dataclasses import replace
from datetime import date

import pandas as pd
import pytest
from searched import archive_of, clinic, sexes, with_gaps, with_plans, without_codes

from cra_engine import Attribute, Roles, Rule, Study, check
from cra_engine.checks.project import Decision
from cra_engine.checks.report import check_html
from cra_engine.publishable import Pin, archive_files, publishable, published_by, settings_of
from cra_engine.publishable.handed_out import how_to_read
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import percent


def test_what_is_drawn_from_the_settings_keeps_what_was_decided_and_costs_the_same():
    raw, study = with_gaps()
    one = without_codes(raw, study)
    decided = [Decision("2026-11-28", "plz: 10 missing values, rows without it are left out")]
    settings = settings_of(one, Rule(), "people.csv", raw, noted=decided)
    drawn = published_by(raw, settings, one.choice.way, 3, one.decided)
    assert (len(drawn.frame), drawn.left_out) == (40, 0)
    assert drawn.cost == pytest.approx(one.cost)
    assert {step.column: step.text for step in drawn.steps}.items() >= {("plz", "left out")}
    files = archive_files(drawn, settings, "people.csv")
    assert "--removed=plz" in files["keep/repeat.sh"]
    assert "plz: 10 missing values; the column is left out" in files["keep/verdict.html"]


def test_a_verdict_has_one_measure_of_what_is_kept_in_front_and_says_its_weights():
    data, study = with_plans(45, (7, 24))
    one = publishable(data, study).outcomes[0]
    page = archive_of(one, data)["keep/verdict.html"]
    # It is not the raw table that may go out.
    assert "<h1>May release.csv (of people.csv) go out?</h1>" in page
    front, others = page.split("<details><summary>Other measures</summary>")
    assert f'>Detail kept</td><td class="long">{percent(1 - one.cost, 1)}</td>' in front
    # Age counts threefold beside a plan and an illness.
    shares = "of all detail age is 60.0 %, plan is 20.0 % and illness is 20.0 %"
    alike = "all count alike"
    assert f"{shares}; {alike}, but age counts threefold, as hardly any analysis does without it" in front
    for name in ("Information lost", "Precision lost", "Entropy lost", "Discernibility"):
        assert name not in front
        assert name in others


@pytest.mark.parametrize(
    ("missing", "as_decided"),
    [("category", "published as one category more, NULL"), ("*", "published as * from the start")],
)
def test_a_verdict_does_not_say_of_cells_that_they_are_published_where_they_are_not(missing, as_decided):
    data, study = clinic()
    data["sex"] = ["", *data["sex"][1:]]
    data = pd.concat([data, data.iloc[[0]]], ignore_index=True)  # the same person twice, who lacks one value
    noted = [
        Decision("2026-01-01", f"sex: 1 missing value, {as_decided}"),
        Decision("2026-01-01", "birth year: 2 missing values, published as one category more, NULL"),
    ]
    sex = sexes().with_missing(missing)
    study = Study([study.attributes[0], sex], 5).with_roles(study.roles)
    one = publishable(data, study, pins=[Pin("sex")], without_rows=(1, len(data)), time_limit=60).outcomes[0]
    asked = [step.text for step in one.steps if "NULL (1 missing value)" in step.text]
    assert len(asked) == (missing == "category")
    told = archive_of(one, data, noted)["keep/verdict.html"]
    assert ("In sex no row shows NULL (1 missing value)." in told) == (missing == "category")
    assert "sex: 1 missing value, whose rows are left out, or hidden, in the end" in told
    assert "sex: 1 missing value, published" not in told


def test_sensitive_values_of_single_records_are_told_in_the_verdict():
    data, study = with_plans(45, ())
    data.loc[9, "illness"] = "ague"
    page = archive_of(publishable(data, study).outcomes[0], data)["keep/verdict.html"]
    assert "1 value of illness is of a single record (ague): whoever knows" in page
    numbers = data.assign(illness=[str(row) for row in range(len(data))])
    assert "of a single record" not in check_html(check(numbers, study))


def test_a_study_that_asks_nothing_of_a_column_with_empty_cells_is_told():
    data, study = with_plans(45, ())
    data["status"] = [("yes", "no", "")[row // 4 % 3] for row in range(len(data))]
    roles = Roles(sensitive=["illness", "status"], keep=["plan"])
    one = publishable(data, study.with_roles(roles)).outcomes[0]
    page = archive_of(one, data)["keep/verdict.html"]
    asks = (
        "asks for different values of illness alone: status has cells that are empty or hidden, which it cannot count"
    )
    assert asks in page


def test_how_to_read_explains_the_cells_of_its_table_and_no_others():
    data, study = with_plans(45, ())
    one = publishable(data, study).outcomes[0]
    told = archive_of(one, data)["hand-out/how-to-read.txt"]
    cells = {cell for name in one.frame.columns for cell in one.frame[name].astype(str)}
    explained = re.findall(r"^(\S.*) stands for: ", told, re.MULTILINE)
    assert explained
    assert set(explained) <= cells
    shown = set(one.frame["age"].astype(str))
    (line,) = [line for line in told.split("The columns")[1].splitlines() if line.startswith("age: ")]
    assert set(line.removeprefix("age: ").split("; ")) == shown
    # The sign that nobody knows who has not seen it before, by a group of this table.
    label, end = re.search(r"^(\[\d+, (\d+)\[) stands for: ", told, re.MULTILINE).groups()
    assert f"The sign [ at the end of a group says that the value before it, such as {end} in {label}, is no" in told
    assert "not shown" not in told


def test_how_to_read_explains_the_word_that_data_puts_for_missing_values():
    data, study = with_plans(45, ())
    one = publishable(data, study).outcomes[0]
    told = "no entry stands for: the value is missing in the table."
    assert told not in how_to_read(one)
    named = one.frame.assign(illness=["no entry", *one.frame["illness"][1:]])
    assert told in how_to_read(replace(one, checked=replace(one.checked, frame=named)))
    # Beside the word that groups have for them it is no other value.
    both = named.assign(age=["NULL", *named["age"][1:]])
    page = how_to_read(replace(one, checked=replace(one.checked, frame=both)))
    same = "NULL and no entry stand for the same: the value is missing in the table. NULL is a group like any other."
    assert same in page
    assert told not in page


def test_how_to_read_says_of_groups_without_a_value_that_they_show_none_where_there_are_any():
    data, study = with_plans(45, ())
    one = publishable(data, study).outcomes[0]
    assert "Each such group shows at least 2 different values of illness." in how_to_read(one)
    frame = one.frame.copy()
    known = frame[[name for name in one.study.names if name in frame]].astype(str)
    frame.loc[(known == known.iloc[0]).all(axis=1), "illness"] = "*"
    hidden = replace(one, checked=replace(one.checked, frame=frame))
    told = (
        "Each such group shows at least 2 different values of illness; a group of which no value is known shows none."
    )
    assert told in how_to_read(hidden)


def test_how_to_read_says_what_the_names_of_values_that_no_row_shows_are_for():
    data, study = clinic()
    other = FileHierarchy("sex", (("f", "f", "*"), ("m", "m", "*"), ("divers", "divers", "*")))
    study = study.changed(attributes=[study.attributes[0], other])
    one = publishable(data, study, pins=[Pin("sex")], time_limit=60).outcomes[0]
    files = archive_of(one, data)
    assert "not shown 1" in files["hand-out/study/sex.csv"]
    assert "A value that no row shows is “not shown 1” or the like: programs need" in files["hand-out/how-to-read.txt"]


def test_how_to_read_tells_a_group_of_days_by_its_first_and_its_last():
    born = pd.date_range("1930-01-01", "1969-12-31", periods=120).strftime("%Y-%m-%d")
    data = pd.DataFrame({"born": born, "illness": ["flu", "gout", "cold"] * 40})
    study = Study([Attribute("born", date(1930, 1, 1), date(1970, 1, 1), 3, unit="year")], k=5)
    one = publishable(data, study.with_roles(Roles(sensitive=["illness"]))).outcomes[0]
    told = archive_of(one, data)["hand-out/how-to-read.txt"]
    assert re.search(
        r"^\[1930-01-01, 19\d\d-01-01\[ stands for: 1 January 1930 to 31 December 19\d\d\.$", told, re.MULTILINE
    )
