"""Stepping through the toy in a real browser: buttons, keys, slider, play; on a wide screen and on a telephone."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import drive
from drive import inside, point_at


def heading(browser):
    """The first heading below the title: which step is shown."""
    return browser.find_element(By.CSS_SELECTOR, '[data-testid="stHeading"] h3').text


def at(browser, start):
    """The step whose heading starts like this is shown; a busy machine may take a while to show it."""
    drive.wait_for_text(browser, start)
    drive.wait_until_idle(browser)
    assert heading(browser).startswith(start)


@pytest.fixture
def toy(browser, app_url):
    """The Recode page with the toy, at its first step."""
    drive.open_app(browser, f"{app_url}/?example=toy")
    drive.open_page(browser, "Recode")
    at(browser, "Before the first step: the raw table")
    return browser


def finished(browser):
    """What must hold wherever a step ends."""
    drive.assert_no_exception(browser)
    assert drive.console_errors(browser) == []
    assert drive.too_wide(browser) == 0


def test_buttons_keys_and_slider_move_the_same_step(toy):
    drive.press(toy, "Forward")
    at(toy, "Step 1 of ")
    drive.hit(toy, Keys.ARROW_RIGHT)
    at(toy, "Step 2 of ")
    drive.hit(toy, Keys.ARROW_LEFT)
    at(toy, "Step 1 of ")
    slider = toy.find_element(By.CSS_SELECTOR, '[data-testid="stSlider"] input')
    toy.execute_script("arguments[0].focus()", slider)
    slider.send_keys(Keys.ARROW_RIGHT)
    drive.wait_until_idle(toy)
    # One step, though the arrow is the button's key as well.
    at(toy, "Step 2 of ")
    slider.send_keys(Keys.END)
    drive.wait_until_idle(toy)
    at(toy, "The end")
    finished(toy)
    drive.set_screen(toy, 390, 844)
    drive.set_colours(toy, "dark")
    drive.wait_until_idle(toy)
    finished(toy)


@pytest.mark.exhaustive
def test_play_runs_to_the_end_by_itself(toy):
    drive.press(toy, "Play")
    drive.wait_for_text(toy, "The end")
    at(toy, "The end")
    assert "Pause" not in drive.text(toy)
    finished(toy)


@pytest.mark.exhaustive
def test_a_key_pauses_playing(toy):
    drive.press(toy, "Play")
    drive.hit(toy, Keys.ARROW_LEFT)
    paused = heading(toy)
    assert "Pause" not in drive.text(toy)
    # Longer than the clock's period: it has stopped.
    toy.execute_async_script("setTimeout(arguments[0], 4000)")
    assert heading(toy) == paused
    finished(toy)


STATE = "[...root.querySelectorAll('[role=button]')].find(one => one.getAttribute('aria-label').startsWith('(2, 1)'))"
# Where the lines of a state stand, as shares of the grid: across and upwards.
CUTS = """
const grid = root.querySelector('.cells').getBBox();
const drawn = [...root.querySelectorAll('.cut line')].filter(one => one.style.opacity === '1');
const lines = drawn.map(one => one.getBBox());
const share = (value, low, size) => Math.round(100 * (value - low) / size);
const sorted = places => places.sort((a, b) => a - b);
return [sorted(lines.filter(one => one.height > 1).map(one => share(one.x, grid.x, grid.width))),
    sorted(lines.filter(one => one.width > 1).map(one => share(one.y, grid.y, grid.height)))];
"""


def test_pointing_at_a_cell_tells_what_is_in_it(toy):
    # Not the middle of a cell: wherever the pointer is, its cell answers. Second column, second row from below.
    point_at(
        toy,
        "recode-grid",
        "const box = root.querySelector('.cells').getBoundingClientRect();"
        "return [box.x + 0.43 * box.width, box.y + 0.57 * box.height];",
    )
    told = inside(toy, "recode-grid", "return root.querySelector('.tip').innerText.split('\\n');")
    assert told[:2] == ["age from 40 to under 60 years", "weight from 60 to under 80 kg"]
    assert told[2].endswith("not published yet")


def test_pointing_at_a_state_cuts_the_grid_into_its_boxes(toy):
    middle = f"const box = {STATE}.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2];"
    assert inside(toy, "recode-grid", CUTS) == [[], []]
    point_at(toy, "recode-lattice", middle)
    # Age in halves, weight in quarters; nobody has to ask the server.
    halves = [[0, 50, 100], [0, 25, 50, 75, 100]]
    assert inside(toy, "recode-grid", CUTS) == halves
    assert inside(toy, "recode-grid", "return root.querySelector('.note').textContent") == "State (2, 1): 8 boxes"
    toy.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 2, "y": 2})
    assert inside(toy, "recode-grid", CUTS) == [[], []]
    # A click keeps the lines, at the next step too; the keyboard does the same.
    inside(toy, "recode-lattice", f"{STATE}.focus();")
    drive.ActionChains(toy).send_keys(Keys.ENTER).perform()
    inside(toy, "recode-lattice", f"{STATE}.blur();")
    assert inside(toy, "recode-grid", CUTS) == halves
    drive.press(toy, "Forward")
    at(toy, "Step 1 of ")
    assert inside(toy, "recode-grid", CUTS) == halves
    assert inside(toy, "recode-lattice", f"return {STATE}.getAttribute('aria-pressed')") == "true"


HINT = "return getComputedStyle(root.querySelector('.picture'), '::after').content"


def test_the_arrow_keys_go_from_state_to_state(toy):
    inside(toy, "recode-lattice", "root.querySelector('[role=button][tabindex=\"0\"]').focus();")
    # Seen by whoever comes by keyboard, and by nobody else; read out to nobody, as it is no part of the picture.
    drive.ActionChains(toy).send_keys(Keys.SHIFT).perform()
    assert inside(toy, "recode-lattice", HINT) == '"Arrow keys choose · Enter keeps" / ""'
    # Whoever hears the page is told by the name of the picture.
    name = inside(toy, "recode-lattice", "return root.querySelector('[role=group]').getAttribute('aria-label')")
    assert name.endswith("(arrow keys choose a state, Enter keeps it)")
    drive.ActionChains(toy).send_keys(Keys.ARROW_UP, Keys.ARROW_UP).perform()
    drive.wait_until_idle(toy)
    now = inside(toy, "recode-lattice", "return root.activeElement.getAttribute('aria-label')")
    # Two levels above (1, 1); and the page has not gone a step on.
    assert now.startswith(("(2, 2)", "(1, 3)", "(3, 1)"))
    assert heading(toy) == "Before the first step: the raw table"
    inside(toy, "recode-lattice", "root.activeElement.blur();")
    assert inside(toy, "recode-lattice", HINT) == "none"


def test_a_step_changes_looks_and_leaves_everything_in_its_place(toy):
    marks = "return [...root.querySelectorAll('.marks path')].map(one => [one.style.transform, one.style.fill]);"
    keep = "for (const one of root.querySelectorAll('.marks path')) one.was = true; root.host.seen = [];"
    moved = "root.addEventListener('transitionrun', event => root.host.seen.push(event.propertyName));"
    before = inside(toy, "recode-grid", marks)
    inside(toy, "recode-grid", keep + moved)
    drive.press(toy, "Forward")
    at(toy, "Step 1 of ")
    after = inside(toy, "recode-grid", marks)
    assert [place for place, _ in after] == [place for place, _ in before]
    assert [look for _, look in after] != [look for _, look in before]
    # The same marks, which went over from one colour to the other.
    assert inside(toy, "recode-grid", "return [...root.querySelectorAll('.marks path')].every(one => one.was);")
    assert "fill" in inside(toy, "recode-grid", "return root.host.seen;")


@pytest.mark.exhaustive
@pytest.mark.parametrize("colours", ["dark", "light"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_the_page_fits_the_screen(toy, width, height, colours):
    drive.set_screen(toy, width, height)
    drive.set_colours(toy, colours)
    drive.press(toy, "Forward")
    drive.press(toy, "Forward")
    finished(toy)
    drive.picture(toy, f"recode-{width}-{colours}")
