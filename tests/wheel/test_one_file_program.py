"""The one file to double-click, in a real browser: ``make one-file`` builds it and runs this."""

import os
import subprocess
from pathlib import Path

import pytest

import drive
import serving
from chromium import browser, chromium
from foreign_files import xlsx

__all__ = ["browser", "chromium"]
BUILT = os.environ.get("CRA_ONE_FILE", "")

pytestmark = [pytest.mark.wheel, pytest.mark.skipif(not BUILT, reason="make one-file builds it first")]


def test_it_serves_reads_a_workbook_and_ends_when_the_page_is_closed(browser, tmp_path):
    path = tmp_path / "people.xlsx"
    path.write_bytes(xlsx([["age", "weight"], *([20 + row % 50, 50 + row % 60] for row in range(30))]))
    drive.put_downloads(browser, tmp_path)
    command = [str(Path(BUILT).resolve()), "--no-browser", "--until-closed"]
    with serving.running(command, tmp_path, tmp_path, port_option="--port") as server:
        drive.open_app(browser, server.url)
        drive.press(browser, "May my table go out?")
        drive.upload(browser, "File with the table", path)
        drive.wait_for_text(browser, "people.xlsx is read: 30 records, 2 columns.")
        drive.open_page(browser, "Recode")
        drive.press(browser, "Single files")
        drive.press(browser, "Published table (CSV)")
        assert len(drive.downloaded(tmp_path, "release.csv").read_text(encoding="utf-8").splitlines()) == 31
        drive.press(browser, "The same as .xlsx")
        drive.downloaded(tmp_path, "release.xlsx")
        drive.assert_no_exception(browser)
        browser.get("about:blank")
        try:
            server.process.wait(180)
        except subprocess.TimeoutExpired:
            pytest.fail(f"it did not end: {server.printed}")
