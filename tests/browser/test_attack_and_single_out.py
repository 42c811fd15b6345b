"""The attack and singling out on the toy example, with real clicks."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import drive
from drive import check

SHOW, HIDE = "Show the raw record (this is personal data)", "Hide the raw record"
ROW = 35  # pixels that a row of a table is high


@pytest.fixture
def toy(browser, app_url):
    """The toy example."""
    drive.open_app(browser, f"{app_url}/?example=toy")
    return browser


def tick(browser, row):
    """Tick the box in front of a row of the first table, which is drawn on a canvas."""
    canvas = browser.find_element(By.CSS_SELECTOR, '[data-testid="stDataFrame"] canvas')
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'});", canvas)
    stood: list[dict] = []

    def still(_):  # what unfolds moves for a moment, and a click would land beside the row
        stood.append(canvas.rect)
        return len(stood) > 4 and all(rect == stood[-1] for rect in stood[-4:])

    WebDriverWait(browser, drive.PATIENCE, 0.1).until(still)
    # Offsets count from the middle; the first row holds the titles.
    across, down = 15 - canvas.size["width"] // 2, ROW * (row + 1) + ROW // 2 - canvas.size["height"] // 2
    ActionChains(browser).move_to_element_with_offset(canvas, across, down).click().perform()
    drive.wait_until_idle(browser)


def chosen(browser):
    """What the select box of the classes shows."""
    boxes = browser.find_elements(By.CSS_SELECTOR, '[data-testid="stSelectbox"]')
    (box,) = [box for box in boxes if box.text.split("\n")[0] == "Class"]
    return box.find_element(By.CSS_SELECTOR, "input").get_attribute("value")


def tables(browser):
    return len(browser.find_elements(By.CSS_SELECTOR, '[data-testid="stMain"] [data-testid="stDataFrame"]'))


def test_a_class_is_chosen_by_its_row_or_by_its_name(toy):
    drive.open_page(toy, "Attack")
    drive.picture(toy, "attack-toy")
    drive.unfold(toy, "All classes as a table")
    tick(toy, 0)
    assert chosen(toy).startswith("Class 0:")
    assert "on a single cell, nothing to refine" in drive.text(toy)
    tick(toy, 4)
    assert chosen(toy).startswith("Class 4:")
    drive.pick(toy, "Class", "The suppressed records: 1 person")
    assert (
        "The suppressed records: of every 8 tables that the intervals seem to allow, 1 is left (800 of 6,400)"
        in drive.text(toy)
    )
    check(toy)
    # The choice is still there after a visit to another page; both pages fit a telephone.
    drive.open_page(toy, "Who stands alone")
    fits_a_telephone(toy)
    drive.set_screen(toy, 1280)
    drive.open_page(toy, "Attack")
    assert chosen(toy) == "The suppressed records: 1 person"
    fits_a_telephone(toy)


def fits_a_telephone(browser):
    drive.set_screen(browser, 390, 844)
    drive.wait_until_idle(browser)
    check(browser)


@pytest.mark.exhaustive
def test_fillings_are_leafed_through(toy):
    drive.open_page(toy, "Attack")
    drive.choose(toy, "Show", "A filling")
    assert "\n1 of " in drive.text(toy)
    drive.press(toy, "Next")
    drive.press(toy, "Next")
    assert "\n3 of " in drive.text(toy)
    drive.press(toy, "Previous")
    assert "\n2 of " in drive.text(toy)
    drive.choose(toy, "Show", "How likely")
    drive.pick(toy, "A cell holds exactly", "nobody")
    assert "Chance that a cell holds nobody" in drive.text(toy)
    drive.choose(toy, "Look at", "The whole release")
    assert "The number in a cell is the class that owns it" in drive.text(toy)
    check(toy)


@pytest.mark.exhaustive
def test_the_raw_record_is_shown_on_request_and_hidden_again(toy):
    drive.open_page(toy, "Who stands alone")
    drive.choose(toy, "Look at", "In truth")
    drive.picture(toy, "single-out-toy")
    drive.unfold(toy, "Who is it?")
    before = tables(toy)
    assert "This is raw data about one person." not in drive.text(toy)
    drive.press(toy, SHOW)
    assert "This is raw data about one person." in drive.text(toy)
    assert tables(toy) == before + 1
    drive.press(toy, HIDE)
    assert "This is raw data about one person." not in drive.text(toy)
    assert tables(toy) == before
    check(toy)


@pytest.mark.exhaustive
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("page", ["Attack", "Who stands alone"])
def test_the_pages_fit_a_telephone(toy, page, colours):
    drive.set_colours(toy, colours)
    drive.open_page(toy, page)
    fits_a_telephone(toy)
    drive.picture(toy, f"{page.lower().replace(' ', '-')}-telephone-{colours}")
