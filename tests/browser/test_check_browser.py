"""A clinic's data manager in a browser: from a spreadsheet's table to the verdict, each click counted."""

import random
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import drive
from test_real_tables import add

PHONE, DESK = (390, 844), (1440, 900)
ARCHIVES = ("Only what goes to the researcher (ZIP)", "All of it, for your own files (ZIP)")


def spreadsheet(path: Path) -> Path:
    """500 patients as a spreadsheet saves them: semicolons, decimal commas, Windows-1252."""
    draw = random.Random(7)
    rows = ["Name;Insurance number;Date of birth;Age;Sex;Postcode;Ferritin;Diagnosis;Phone;Remarks"]
    for _ in range(500):
        age = draw.randrange(18, 93)
        rows.append(
            f"{draw.choice(['Müller', 'Frei', 'Rossi', 'Weber', 'Suter'])}, {draw.choice(['Anna', 'Jürg', 'Mia'])};"
            f"756.{draw.randrange(10**4):04}.{draw.randrange(10**4):04}.{draw.randrange(100):02};"
            f"{draw.randrange(1, 29):02}.{draw.randrange(1, 13):02}.{2026 - age};{age};{draw.choice('FM')};"
            f"{draw.choice([8001, 8032, 8400, 8610])};{draw.gauss(26, 4):.2f};".replace(".", ",", 0)
            + f"{draw.choice(['Diabetes', 'HIV', 'Asthma', 'Migraine'])};044 {draw.randrange(10**6, 10**7)};"
            f"came in with complaint {draw.randrange(400)} about sleep"
        )
    path.write_bytes("\n".join(rows).encode("cp1252"))
    return path


@pytest.mark.parametrize(
    ("screen", "colours"),
    [(DESK, "light"), pytest.param(PHONE, "dark", marks=pytest.mark.exhaustive)],
)
def test_from_a_spreadsheet_to_the_verdict(browser, app_url, tmp_path, screen, colours):
    drive.set_screen(browser, *screen)
    drive.set_colours(browser, colours)
    drive.open_app(browser, f"{app_url}/data")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", spreadsheet(tmp_path / "patients.csv"))
    # The file is on its way before the page is busy with it.
    drive.wait_for_text(browser, "Proposed for removal: Name, Insurance number, Date of birth, Phone and Remarks.")
    drive.wait_until_idle(browser)
    # The question stands where it is seen first, on a telephone, too.
    (question,) = drive._all(browser, ".st-key-data-question")
    assert 0 < question.location["y"] < screen[1]
    assert question.text.startswith("Question 1 · 1 more open now, perhaps more")
    drive.press(browser, "Leave Date of birth out")
    drive.wait_for_text(browser, "Ferritin holds exact numbers")
    assert drive._all(browser, ".st-key-data-question")[0].text.startswith("Question 2")
    # Where somebody goes on by keyboard, too.
    assert "data-question" in browser.execute_script("return document.activeElement.className")
    assert drive.too_wide(browser) == 0
    drive.picture(browser, f"gate-data-{screen[0]}-{colours}")
    tags = "return [...document.querySelectorAll('[data-tag] > span')].filter(tag => tag.scrollWidth > tag.clientWidth)"
    assert browser.execute_script(tags) == []
    drive.press(browser, "Remove it")
    drive.press(browser, "May it go out? Check")
    drive.wait_for_text(browser, "The verdict, one page (HTML)")
    drive.wait_until_idle(browser)
    text = drive.text(browser)
    # Ages by tens, four postcodes, two sexes: nobody is suppressed or expected alone, and nothing is left to decide.
    assert "Ready." in text
    assert "others may know it of a person" not in text
    assert "Age, Sex, Postcode" in text
    assert drive.too_wide(browser) == 0
    drive.picture(browser, f"gate-check-{screen[0]}-{colours}")
    drive.open_page(browser, "Data")
    drive.press(browser, "Undo: Ferritin is removed")
    assert "Ferritin holds exact numbers" in drive.text(browser)
    drive.assert_no_exception(browser)
    assert drive.outside_addresses(browser) == []


def test_undo_goes_on_past_what_has_to_stay(browser, app_url):
    drive.set_screen(browser, *DESK)
    drive.open_app(browser, f"{app_url}/check?example=toy")
    drive.press(browser, "Make it publishable")
    drive._wait(browser, lambda: drive._shown(browser, "button", "Search again"), "the search does not end")
    drive._click(browser, lambda: drive._shown(browser, "button", "Take this one")[:1], "take one")
    drive.wait_for_text(browser, "All of it, for your own files (ZIP)")
    add(browser, "age", "What has to stay: columns that the researcher must have")
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    drive.press(browser, "Undo: what has to stay: age")
    drive.wait_for_text(browser, "Taken back: what has to stay: age.")
    # A browser that still held the field as it was sent it again, which was one more thing to take back, for ever.
    drive.press(browser, "Undo: the table that was taken")
    drive.wait_for_text(browser, "Taken back: the table that was taken.")
    assert drive._shown(browser, "button", "Take this one")
    assert not drive._shown(browser, "button", "All of it, for your own files (ZIP)")


def test_no_help_of_a_figure_covers_the_archives_of_the_table_that_was_taken(browser, app_url):
    """Help opens upwards, and stays where the pointer is on it: a click on an archive's button fell on it instead."""
    drive.set_screen(browser, 1280, 720)
    drive.open_app(browser, f"{app_url}/check?example=toy")
    drive.press(browser, "Make it publishable")
    drive._wait(browser, lambda: drive._shown(browser, "button", "Take this one"), "nothing is found")
    drive._wait(
        browser, lambda: not drive._all(browser, ".st-key-publishable-cancel button"), "the search does not end"
    )
    drive._click(browser, lambda: drive._shown(browser, "button", "Take this one")[:1], "take one")
    drive.wait_for_text(browser, "The table that you took:")
    drive.wait_until_idle(browser)
    helps = drive._all(browser, '[data-testid="stMetric"] .stTooltipIcon [aria-label^="Help"]')
    above = """
        const {left, top, width, height} = arguments[0].getBoundingClientRect();
        return arguments[0].contains(document.elementFromPoint(left + width / 2, top + height / 2));
    """
    (first,) = drive._shown(browser, "button", ARCHIVES[0])
    near = [mark for mark in helps if abs(first.rect["y"] - mark.rect["y"]) < 400]
    assert near
    for mark in (*near, first):
        ActionChains(browser, duration=0).move_to_element(mark).perform()
        drive._wait(browser, lambda: drive._all(browser, '[data-testid="stTooltipContent"]'), "no help opens")
        for label in ARCHIVES:
            (button,) = drive._shown(browser, "button", label)
            assert browser.execute_script(above, button), label


def test_help_of_an_archive_that_was_fetched_does_not_take_the_click_on_the_other(browser, app_url, tmp_path):
    """Hidden once its button was pressed, it came back over the button beside it as the pointer got there."""
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, f"{app_url}/check?example=toy")
    drive.press(browser, "Make it publishable")
    drive._wait(
        browser, lambda: not drive._all(browser, ".st-key-publishable-cancel button"), "the search does not end"
    )
    drive._click(browser, lambda: drive._shown(browser, "button", "Take this one")[:1], "take one")
    drive.wait_for_text(browser, "The table that you took:")
    drive.wait_until_idle(browser)
    drive.put_downloads(browser, tmp_path)
    (first,), (second,) = (drive._shown(browser, "button", label) for label in ARCHIVES)
    drive._into_view(browser, first)
    ActionChains(browser, duration=0).move_to_element(first).perform()
    drive._wait(browser, lambda: drive._all(browser, '[data-testid="stTooltipContent"]'), "no help opens")
    ActionChains(browser).click().perform()
    drive.downloaded(tmp_path, "* for the researcher.zip")
    drive.wait_until_idle(browser)
    second.click()
    drive._wait(browser, lambda: len(list(tmp_path.glob("*.zip"))) == 2, "the second archive does not come", 20)
