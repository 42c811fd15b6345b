"""Five tasks of somebody who has not seen the program, each from Start: in how few clicks each is done."""

import pytest

import drive
from cra_engine import recode, synthesize
from shares import first
from test_lessons import DOINGS, act, says

# Presses as the browser gets them; a page's own clicks on behalf of a label are none.
COUNT = """
window.presses = 0;
addEventListener('pointerdown', press => { window.presses += press.isTrusted; }, true);
"""


def presses(browser):
    return browser.execute_script("return window.presses")


def find_who_is_certain(browser, folder):  # noqa: ARG001 - as the others
    drive.wait_for_text(browser, "Can anybody tell where a single person is?")
    drive.open_page(browser, "Who stands alone")
    drive.wait_for_text(browser, "From the release alone, 2 people are singled out for certain.")
    drive.wait_for_text(browser, "For certain exactly one person has age from 20 to under 40 years and weight")


def check_an_own_table(browser, folder):
    table = folder / "own.csv"
    synthesize("clinic", records=200, seed=3).data.to_csv(table, index=False)
    drive.press(browser, "May my table go out?")
    drive.upload(browser, "File with the table", table)
    drive.wait_for_text(browser, "own.csv is read: 200 records")
    drive.press(browser, "May it go out? Check")
    drive.wait_for_text(browser, "Make it publishable")


def audit_a_release(browser, folder):
    release = folder / "release.csv"
    toy = synthesize("toy")
    recode(toy.data, toy.study).release.to_csv(release)
    drive.press(browser, "Audit a published one")
    drive.upload(browser, "ZIP of a release, or its table (CSV) with its study", release)
    drive.wait_for_text(browser, "about 5 of 36 people (14 %: more than one in ten), wanted fewer than 1")


def compare_two_releases(browser, folder):  # noqa: ARG001 - as the others
    drive.press(browser, "Two releases together")
    drive.wait_for_text(browser, "Together they settle 14 of 16, and single 4 people out.")


def do_lesson_9(browser, folder):  # noqa: ARG001 - as the others
    drive.open_page(browser, "Lessons")
    drive.press(browser, "9. Singling out, and without raw data")
    says(browser, "Lesson 9", "step 1 of 3")
    opened = presses(browser)
    for place, doings in enumerate(DOINGS["singling-out"], 1):
        says(browser, f"step {place} of 3")  # on a telephone a question says by itself what to do
        for doing in doings:
            act(browser, *doing)
        says(browser, f"step {place} of 3", "Done.")
        if place < len(DOINGS["singling-out"]):
            drive.press(browser, "Next step")
    drive.press(browser, "To the list")
    drive.wait_for_text(browser, "1 of 17 lessons done")
    browser.execute_script("window.presses = arguments[0]", opened)  # asked was to open it


TASKS = {
    find_who_is_certain: 3,
    check_an_own_table: 2,
    audit_a_release: 2,
    compare_two_releases: 3,
    do_lesson_9: 3,
}


@pytest.mark.exhaustive
@pytest.mark.parametrize(("width", "height"), first(1, [(1280, 720), (390, 844)]))
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_a_task_is_done_from_start_in_few_clicks(browser, app_url, tmp_path, task, width, height):
    drive.set_screen(browser, width, height)
    drive.open_app(browser, app_url)
    browser.execute_script(COUNT)
    task(browser, tmp_path)
    drive.assert_no_exception(browser)
    # On a telephone the menu is unfolded first, and folded again.
    assert presses(browser) <= TASKS[task] + (2 if width < 768 else 0)


def test_on_a_telephone_the_field_for_two_releases_is_in_sight(browser, app_url):
    """It lay below the example's picture, a window further down than the button promised."""
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, app_url)
    drive.press(browser, "Two releases together")
    drive.wait_for_text(browser, "ZIP of each release")
    drive.wait_until_idle(browser)
    bottom = "return document.querySelector('[data-testid=\"stFileUploader\"]').getBoundingClientRect().bottom"
    assert 0 < browser.execute_script(bottom) < 844
