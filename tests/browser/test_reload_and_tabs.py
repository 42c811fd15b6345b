"""Two tabs are two sessions; a reload in the middle of a run begins a new one, and says what became of the table."""

import re
from pathlib import Path

import pytest

import drive
from cra_dashboard.panels.frame import OPENED_ITSELF

RUN = "Attack all classes together"
CLINIC = Path(__file__).parents[2] / "sample_data" / "clinic.csv"


@pytest.mark.exhaustive
def test_two_tabs_on_one_study_and_a_reload_in_the_middle_of_a_run(browser, endless_url, tmp_path):
    (tmp_path / "qzx7.csv").write_bytes(CLINIC.read_bytes())
    drive.open_app(browser, endless_url)
    drive.open_page(browser, "Data")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", tmp_path / "qzx7.csv")
    drive.open_page(browser, "Hierarchies")
    drive.unfold(browser, "Study file")
    drive.upload(browser, "Study file (TOML), with the hierarchy files that it names", CLINIC.with_suffix(".toml"))
    drive.open_page(browser, "Attack")
    first = browser.current_window_handle
    address = browser.current_url
    assert "qzx7" not in address

    # A second tab at the same address knows nothing of the first, and takes nothing from it.
    browser.switch_to.new_window("tab")
    try:
        drive.open_app(browser, address)
        drive.wait_for_text(browser, OPENED_ITSELF)
        assert "qzx7" not in drive.text(browser)
        drive.assert_no_exception(browser)
    finally:
        browser.close()
        browser.switch_to.window(first)
    assert "qzx7.csv" in drive.text(browser)
    drive.open_page(browser, "All together")
    drive.pick(browser, "For at most", "20 minutes")
    drive.press(browser, RUN)
    drive.wait_for_text(browser, "of at most 1200 s")

    browser.refresh()
    drive.wait_for_text(browser, OPENED_ITSELF)
    drive.wait_until_idle(browser)
    text = drive.text(browser)
    assert "Toy · 36 records" in text
    assert "qzx7" not in text
    drive.assert_no_exception(browser)
    drive.picture(browser, "attack-after-reload")

    # It is usable at once.
    drive.open_page(browser, "Start")
    drive.press(browser, "Publish the toy, step by step")
    drive.wait_for_text(browser, "36 records")
    drive.assert_no_exception(browser)
    # At a page's own address Streamlit first looks for its server below that page; that is no error of ours.
    below_a_page = re.compile(r"/(attack|all_classes)/_stcore/")
    assert [error for error in drive.console_errors(browser) if not below_a_page.search(error)] == []
