"""Downcode and Effective anonymity, in a real browser: the three stages, four people, one adversary more."""

import pytest

import drive
from drive import check


@pytest.mark.parametrize(
    ("width", "scheme"), [(1440, "light"), pytest.param(390, "dark", marks=pytest.mark.exhaustive)]
)
def test_from_what_is_published_to_the_truth_and_on_to_adversaries(browser, app_url, width, scheme):
    drive.set_screen(browser, width, 900)
    drive.set_colours(browser, scheme)
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Downcode")
    drive.wait_for_text(browser, "The guess was right: 1 record differs from the rest of the cluster")
    check(browser)
    drive.picture(browser, f"downcode-truth-{width}-{scheme}")
    drive.choose(browser, "Show", "Published")
    drive.wait_for_text(browser, "records are published alike")
    drive.picture(browser, f"downcode-published-{width}-{scheme}")
    drive.open_tab(browser, "Four people")
    drive.wait_for_text(browser, "Release 3")
    drive.picture(browser, f"downcode-four-{width}-{scheme}")
    check(browser)
    drive.open_page(browser, "Effective anonymity")
    drive.wait_for_text(browser, "5 records are unique as the table stands")
    drive.fill(browser, "Adversaries", "3")
    drive.wait_for_text(browser, "Adversary 3 knows")
    check(browser)
    drive.picture(browser, f"effective-anonymity-{width}-{scheme}")
