"""The browser tests' fixtures: the running dashboard and a headless Chromium that can reach nothing else.

They use Debian's Chromium and its driver (``apt-get install chromium chromium-driver``). Where these are missing the
tests are skipped and say so; with ``CRA_REQUIRE_BROWSER=1`` they fail instead.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

import drive
import serving

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


# Before pytest-xdist's own hook, which reads the group.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def _chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        reason = (
            "Chromium is not installed, so nothing was tried in a browser: apt-get install chromium chromium-driver"
        )
        if os.environ.get("CRA_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    chrome = drive.start_chromium(chromium, chromedriver, tmp_path_factory.mktemp("chromium"))
    yield chrome
    chrome.quit()


@pytest.fixture(scope="session")
def app_url(_chromium: Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the dashboard, served from this checkout with a home directory of its own."""
    with serving.serve(ROOT, tmp_path_factory.mktemp("home")) as url:
        yield url


@pytest.fixture
def browser(_chromium: Chrome) -> Chrome:
    """A Chromium at 1280 x 900 in the light colour scheme, with nothing left over from the test before."""
    drive.reset(_chromium)
    return _chromium
