"""The audit in a browser: from a table that ARX wrote to the findings and the report."""

from pathlib import Path

import pytest

import drive
from shares import first

ARX = Path(__file__).resolve().parents[1] / "data" / "arx"
PHONE, DESK = (390, 844), (1440, 900)


@pytest.mark.parametrize(("screen", "colours"), first(1, [(PHONE, "dark"), (DESK, "light")]))
def test_from_upload_to_report(browser, app_url, screen, colours):
    drive.set_screen(browser, *screen)
    drive.set_colours(browser, colours)
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Audit")
    field, release = "ZIP of a release, or its table (CSV) with its study", ARX / "outputs" / "clinic500_2.gui.k5.csv"
    drive.upload(browser, field, release)
    drive.wait_for_text(browser, "clinic500_2.gui.k5.csv · 500 records")
    drive.press(browser, "Give files")
    drive.upload(browser, field, release)
    assert not browser.find_elements("css selector", "[data-testid=stPopoverBody]")  # it covered the button
    drive.press(browser, "Audit")
    drive.wait_for_text(browser, "Download the report")
    drive.wait_until_idle(browser)
    text = drive.text(browser)
    assert "Wanted: nothing guessed about its making" in text
    assert drive.too_wide(browser) == 0
    drive.assert_no_exception(browser)
    assert drive.outside_addresses(browser) == []
    drive.picture(browser, f"audit-{screen[0]}-{colours}")
