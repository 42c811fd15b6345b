"""The attack on all classes together, in a real browser: it runs beside the page, can be stopped, and explains."""

import pytest

import drive
from drive import check
from shares import first

RUN, CANCEL = "Attack all classes together", "Cancel"


@pytest.fixture
def example(browser, app_url):
    """Opens a built-in example on a page."""

    def open_example(name, page, url=app_url):
        drive.open_app(browser, url)
        drive.press(browser, f"Open {name}")
        drive.open_page(browser, page)
        return browser

    return open_example


@pytest.mark.exhaustive
def test_a_long_run_leaves_the_page_usable_and_can_be_cancelled(example, endless_url):
    browser = example("Clinic", "Attack", endless_url)
    drive.open_page(browser, "All together")
    drive.pick(browser, "For at most", "20 minutes")
    drive.press(browser, RUN)
    drive.wait_for_text(browser, "of at most 1200 s")
    # Another widget answers while it runs.
    drive.open_page(browser, "Attack")
    drive.choose(browser, "Look at", "The whole release")
    drive.wait_for_text(browser, "Cells that no single-cell class owns")
    drive.open_page(browser, "All together")
    drive.wait_for_text(browser, "of at most 1200 s")
    drive.press(browser, CANCEL)
    drive.wait_for_text(browser, "You stopped the run")
    assert "Cancel" not in drive.text(browser)
    assert "Exact:" not in drive.text(browser)
    check(browser)


@pytest.mark.exhaustive
def test_a_run_goes_on_while_another_page_is_open_and_comes_to_its_end(example):
    browser = example("Clinic", "Attack")
    drive.open_page(browser, "All together")
    drive.pick(browser, "For at most", "20 minutes")
    drive.press(browser, RUN)
    drive.open_page(browser, "Who stands alone")
    drive.choose(browser, "Look at", "How likely")
    drive.choose(browser, "Reading", "All classes together")
    drive.wait_for_text(browser, "An estimate:", patience=1200)
    drive.wait_until_idle(browser)
    drive.wait_for_text(browser, "People expected to stand alone (estimate)")
    drive.open_page(browser, "All together")
    drive.wait_for_text(browser, "standard error")
    drive.wait_for_text(browser, "certain")
    drive.picture(browser, "tight-clinic")
    check(browser)


@pytest.mark.parametrize(("width", "scheme"), first(1, [(390, "dark"), (1440, "light")]))
def test_the_toys_certain_people_and_why(example, browser, width, scheme):
    drive.set_screen(browser, width, 900)
    drive.set_colours(browser, scheme)
    example("Toy", "Who stands alone")
    drive.choose(browser, "Look at", "For certain")
    drive.wait_for_text(
        browser, "For certain exactly one person has age from 20 to under 40 years and weight from 40 to under 60 kg."
    )
    drive.picture(browser, f"tight-single-out-{width}-{scheme}")
    check(browser)
    drive.press(browser, "See why, on All together")
    drive.pick(
        browser,
        "Why is it certain?",
        "Exactly one person: age from 20 to under 40 years and weight from 40 to under 60 kg",
    )
    drive.wait_for_text(browser, "Nothing can be left out")
    drive.open_tab(browser, "Order 2")
    drive.wait_for_text(browser, "did not become a class")
    drive.picture(browser, f"tight-attack-{width}-{scheme}")
    check(browser)
