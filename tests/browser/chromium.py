"""The fixtures of a headless Chromium, for every folder of tests that drives one.

It is Debian's Chromium and its driver (``apt-get install chromium chromium-driver``). Where these are missing the tests
are skipped and say so; with ``CRA_REQUIRE_BROWSER=1`` they fail instead.
"""

import os
import shutil
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

import drive


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """The one Chromium of the run; it can reach nothing but this machine."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        reason = (
            "Chromium is not installed, so nothing was tried in a browser: apt-get install chromium chromium-driver"
        )
        if os.environ.get("CRA_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    chrome = drive.start_chromium(program, driver, tmp_path_factory.mktemp("chromium"))
    yield chrome
    chrome.quit()


@pytest.fixture
def browser(chromium: Chrome) -> Chrome:
    """A Chromium at 1280 x 900 in the light colour scheme, with nothing left over from the test before."""
    drive.reset(chromium)
    return chromium
