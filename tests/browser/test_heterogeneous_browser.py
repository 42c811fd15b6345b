"""Heterogeneous, in a real browser: the example's story, a click on a dot, likeness, the tabs, a phone in the dark."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

import drive
from drive import check


def click_dot(browser, at):
    """Click a dot of the picture by its place among those of the people."""
    x, y, place = browser.execute_script(
        """
        const chart = document.querySelector('.js-plotly-plot');
        chart.scrollIntoView({block: 'center'});
        const {xaxis, yaxis} = chart._fullLayout, box = chart.getBoundingClientRect();
        const people = chart._fullData[0], at = arguments[0];
        return [box.left + xaxis._offset + xaxis.l2p(people.x[at]),
                box.top + yaxis._offset + yaxis.l2p(people.y[at]), people.customdata[at][0]];
        """,
        at,
    )
    actions = ActionChains(browser)
    actions.w3c_actions.pointer_action.move_to_location(round(x), round(y)).click()
    actions.perform()
    drive.wait_until_idle(browser)
    return place


def tab(browser, name):
    next(found for found in browser.find_elements(By.CSS_SELECTOR, "[role=tab]") if found.text == name).click()
    drive.wait_until_idle(browser)


@pytest.mark.exhaustive
def test_adult_from_the_story_to_the_tabs(browser, app_url):
    drive.set_screen(browser, 1440, 1000)
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Heterogeneous")
    drive.wait_for_text(browser, "Behind each row stand 5 different values")
    before = drive.text(browser)
    click_dot(browser, 777)
    after = drive.text(browser)
    assert "matches 5 rows" in after
    assert next(line for line in before.splitlines() if "matches 5 rows" in line) not in after
    for name, said in (
        ("Both sides", "Gain: how many times"),
        ("What is lost", "each method draws its own"),
        ("What an attack learns", "always the most frequent value"),
        ("Count queries", "Half of 200 random count queries"),
        ("The method", "Price of ours."),
    ):
        tab(browser, name)
        drive.wait_for_text(browser, said)
        drive.picture(browser, f"heterogeneous-{name}")
        check(browser)
    drive.press(browser, "A row's people")
    drive.wait_for_text(browser, "may be any of 5 people")
    drive.press(browser, "Likeness")
    drive.wait_for_text(browser, "with ours.")
    drive.picture(browser, "heterogeneous-likeness")
    check(browser)
    drive.set_colours(browser, "dark")
    drive.set_screen(browser, 390)
    drive.wait_until_idle(browser)
    check(browser)
    drive.picture(browser, "heterogeneous-phone")
