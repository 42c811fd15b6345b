"""Global recoding in a real browser: Adult and its hierarchy files uploaded, the search replayed, the release filed."""

import lzma
from pathlib import Path

import pytest

import drive

ADULT = Path(__file__).resolve().parents[1] / "data" / "adult"
NAMES = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")


@pytest.fixture
def files(tmp_path):
    """Adult's table, its study and hierarchy files, and a folder for downloads."""
    (tmp_path / "adult.csv").write_bytes(lzma.decompress((ADULT / "adult.csv.xz").read_bytes()))
    study = "k = 5\n" + "".join(
        f'[[attribute]]\nname = "{name}"\nhierarchy = "adult_hierarchy_{name}.csv"\n' for name in NAMES
    )
    (tmp_path / "study.toml").write_text(study)
    return tmp_path


@pytest.mark.exhaustive
def test_from_upload_to_the_published_table(browser, app_url, files):
    drive.put_downloads(browser, files)
    drive.open_app(browser, app_url)
    drive.set_screen(browser, 1440)
    drive.open_page(browser, "Data")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", files / "adult.csv")
    drive.wait_for_text(browser, "30,162 records")
    drive.open_page(browser, "Hierarchies")
    trees = [ADULT / f"adult_hierarchy_{name}.csv" for name in NAMES]
    drive.unfold(browser, "Study file")
    drive.upload(browser, "Study file (TOML), with the hierarchy files that it names", files / "study.toml", *trees)
    drive.wait_for_text(browser, "native-country")
    drive.open_page(browser, "Global recode")
    drive.press(browser, "Recode globally")
    drive.wait_for_text(browser, "no state is better", 120)
    shown = drive.text(browser)
    assert "(0, 0, 1, 1, 2, 2, 2, 0)" in shown
    assert "889 records" in shown
    assert "= 4,320: no state is better" in shown
    drive.picture(browser, "global-recode-1440-light")
    drive.press(browser, "Back")
    drive.wait_for_text(browser, "on a path of")
    drive.picture(browser, "global-recode-step-1440-light")
    for search, where in (("OLA", "between ("), ("Incognito", "quasi-identifiers. State")):
        drive.choose(browser, "Search", search)
        drive.press(browser, "Back")
        drive.wait_for_text(browser, where)
        drive.picture(browser, f"global-recode-{search.lower()}-1440-light")
    drive.choose(browser, "Picture", "Every state by its loss")
    drive.wait_for_text(browser, "Left of the line")
    drive.picture(browser, "global-recode-losses-1440-light")
    drive.set_colours(browser, "dark")
    drive.set_screen(browser, 390)
    drive.wait_until_idle(browser)
    assert drive.too_wide(browser) == 0
    drive.picture(browser, "global-recode-losses-390-dark")
    drive.choose(browser, "Picture", "How it was searched")
    drive.wait_for_text(browser, "Each mark is a state")
    drive.picture(browser, "global-recode-390-dark")
    assert drive.too_wide(browser) == 0
    assert drive.silent_pictures(browser) == []
    assert drive.faint_labels(browser) == []
    drive.assert_no_exception(browser)
    assert drive.console_errors(browser) == []
    assert drive.outside_addresses(browser) == []
    drive.set_screen(browser, 1440)
    drive.press(browser, "Release (CSV)")
    release = drive.downloaded(files, "release.csv").read_text(encoding="utf-8").splitlines()
    assert release[0] == "sex;age;race;marital-status;education;native-country;workclass;occupation;salary-class"
    assert len(release) == 30163
    assert sum(line.startswith("*;*;*;*;*;*;*;") for line in release) == 889
