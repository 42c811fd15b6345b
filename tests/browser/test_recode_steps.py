"""Stepping through the toy in a real browser: buttons, keys, slider, play; on a wide screen and on a telephone."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import drive


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
    at(browser, "Before the first iteration: the raw table")
    return browser


def finished(browser):
    """What must hold wherever a step ends."""
    drive.assert_no_exception(browser)
    assert drive.console_errors(browser) == []
    assert drive.too_wide(browser) == 0


def test_buttons_keys_and_slider_move_the_same_step(toy):
    drive.press(toy, "Forward")
    at(toy, "Iteration 1 of ")
    drive.hit(toy, Keys.ARROW_RIGHT)
    at(toy, "Iteration 2 of ")
    drive.hit(toy, Keys.ARROW_LEFT)
    at(toy, "Iteration 1 of ")
    slider = toy.find_element(By.CSS_SELECTOR, '[data-testid="stSlider"] input')
    toy.execute_script("arguments[0].focus()", slider)
    slider.send_keys(Keys.ARROW_RIGHT)
    drive.wait_until_idle(toy)
    # One step, though the arrow is the button's key as well.
    at(toy, "Iteration 2 of ")
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


def test_pointing_at_a_cell_tells_what_is_in_it(toy):
    grid = toy.find_elements(By.CSS_SELECTOR, '[data-testid="stPlotlyChart"]')[1]
    toy.execute_script("arguments[0].scrollIntoView({block: 'center'});", grid)
    # Not the middle of a cell: wherever the pointer is, its cell answers.
    x, y = (
        round(value)
        for value in toy.execute_script(
            "const box = arguments[0].querySelector('.nsewdrag').getBoundingClientRect();"
            "return [box.x + 0.43 * box.width, box.y + 0.57 * box.height];",
            grid,
        )
    )
    toy.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
    drive.wait_until_idle(toy)
    told = " ".join(label.text for label in grid.find_elements(By.CSS_SELECTOR, ".hoverlayer text"))
    # Second column, second row from below.
    assert "age in [40, 60) years" in told
    assert "weight in [60, 80) kg" in told
    assert "not published yet" in told


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
