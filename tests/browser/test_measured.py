"""The benchmarks that drive a browser measure something: a click until its picture stands, a person who is dragged."""

import importlib

import pytest

import drive
from cra_dashboard.playground.file import playground_file
from test_access import ROOT


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


@pytest.fixture
def clicks(browser):
    script = importlib.import_module("clicks")
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script.WATCH})
    drive.set_screen(browser, 1440)
    yield script
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def back_and_forth(clicks, browser, app_url, action):
    """Whether each way changes a picture, which is measured otherwise."""
    clicks.prepare(browser, app_url, action)
    assert all(clicks.milliseconds(browser, act) > 0 for act in (action.to, action.fro))


def test_a_click_until_the_picture_stands(clicks, browser, app_url):
    back_and_forth(clicks, browser, app_url, clicks.ACTIONS[0])


@pytest.mark.exhaustive
def test_every_click_and_every_cold_page(clicks, browser, app_url):
    for action in clicks.ACTIONS[1:]:
        back_and_forth(clicks, browser, app_url, action)
    for page in clicks.COLD:
        assert clicks.cold(browser, app_url, page, emptied=True) > 0


def test_a_person_is_dragged(browser, tmp_path):
    file = tmp_path / "playground.html"
    file.write_text(playground_file(), encoding="utf-8")
    playground = importlib.import_module("playground")
    drive.set_screen(browser, 1440)
    times = playground.dragged(browser, file.as_uri(), playground.SCENES["the toy, 36 people"], 15)
    assert len(times) == 15
    assert min(times) > 0
