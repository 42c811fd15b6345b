"""Plans in a real browser: one is stopped and goes on, one comes to its end and its report opens without a network."""

import re

import pytest

import drive
from drive import check, downloaded


@pytest.fixture
def downloads(browser, tmp_path):
    """The folder that downloads go to."""
    drive.put_downloads(browser, tmp_path)
    return tmp_path


def stop(browser):
    """Stop the experiment; how many runs were done."""
    drive.press(browser, "Stop")
    drive.wait_for_text(browser, "Stopped after ")
    assert "Stop" not in drive.text(browser).splitlines()
    return int(re.search(r"Stopped after ([\d,]+) of 10,000 runs", drive.text(browser))[1].replace(",", ""))


@pytest.mark.exhaustive
def test_a_long_plan_is_stopped_and_goes_on(browser, app_url):
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Experiments")
    drive.wait_for_text(browser, "All 50 runs are done")  # of the small plan that runs at once
    drive.unfold(browser, "The plan")
    # So many that it is still running when it is stopped, however fast the machine is.
    drive.fill(browser, "Samples", "1000")
    drive.fill(browser, "Records in each", "3000")
    drive.wait_for_text(browser, "2 sets of quasi-identifiers × 1,000 samples × 5 values of k: 10,000 runs.")
    drive.press(browser, "Run")
    drive.wait_for_text(browser, " of 10,000 runs, about ")  # until its processes have started
    drive.wait_for_text(browser, "Means and medians still change.")
    before = stop(browser)
    check(browser)
    drive.press(browser, "Go on")
    drive.wait_for_text(browser, " of 10,000 runs, about ")
    assert 0 < before <= stop(browser) < 10_000
    check(browser)


@pytest.mark.exhaustive
def test_a_plan_of_100_runs(browser, app_url, downloads):
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Experiments")
    drive.wait_for_text(browser, "All 50 runs are done")  # of the small plan that runs at once
    drive.unfold(browser, "The plan")
    drive.fill(browser, "Samples", "10")
    drive.fill(browser, "Records in each", "3000")
    drive.wait_for_text(browser, "2 sets of quasi-identifiers × 10 samples × 5 values of k: 100 runs.")
    drive.press(browser, "Run")
    drive.wait_for_text(browser, "All 100 runs are done")
    drive.wait_until_idle(browser)
    drive.wait_for_text(browser, "The median ratio of a compound class is between")
    drive.picture(browser, "experiments-ratio")
    drive.choose(browser, "Result", "Singling out")
    drive.wait_for_text(browser, "In all 100 releases the truth is among what the attack leaves.")
    check(browser)
    drive.set_screen(browser, 390, 844)
    drive.choose(browser, "Result", "Basic and compound")
    drive.picture(browser, "experiments-390")
    check(browser)

    drive.press(browser, "Report (HTML)")
    report = downloaded(downloads, "report.html")
    browser.get(report.as_uri())
    assert "100 releases: 2 configurations, k = 3, 4, 5, 6, 7." in browser.page_source
    assert drive.outside_addresses(browser) == []
    assert drive.console_errors(browser) == []
