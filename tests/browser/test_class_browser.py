"""A class in real browsers: the code in front, a telephone that guesses, dots, the answer, and how many were right."""

import pytest
from selenium.webdriver.common.keys import Keys

import drive
from cra_dashboard.lessons.story.argument import argument
from cra_dashboard.lessons.story.steps import story
from participants import a_class_server, asked
from test_access import findings
from test_story import click_button, opened, read

TELEPHONE = "return document.getElementById('page').shadowRoot.querySelector('.telephone')"


@pytest.fixture(scope="module")
def served(chromium, tmp_path_factory):  # noqa: ARG001 - first
    with a_class_server(tmp_path_factory.mktemp("class")) as found:
        yield found


def until(browser, script, otherwise):
    """Wait until a script that knows the story as its argument says something true."""
    return drive._wait(browser, lambda: browser.execute_script(script, opened(browser)), otherwise)


def says(browser, wanted):
    drive._wait(
        browser, lambda: wanted in browser.execute_script(TELEPHONE).text, f"the telephone does not say {wanted}"
    )


def touch_choice(browser, name):
    choice = browser.execute_script(
        f"{TELEPHONE}.querySelector(arguments[0])", f'[data-layer="choices"] [data-choice="{name}"]'
    )
    choice.click()


def test_a_class_of_two_from_the_code_to_the_score(browser, served):
    told = story(argument())["steps"]
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, served.dashboard)
    drive.open_page(browser, "Story")
    lecturer = browser.current_window_handle
    # Another tab ends the full screen, and with it the presentation: none is granted here.
    browser.execute_script("Element.prototype.requestFullscreen = undefined")
    click_button(browser, "Present")
    code = until(browser, "return arguments[0].querySelector('.door .code')?.textContent", "there is no code")
    assert until(browser, "return arguments[0].querySelector('.door .qr svg path.qrline') !== null", "there is no QR")
    assert "Nobody is here yet." in read(browser)

    # A telephone that the QR code brings, and somebody with another one.
    browser.switch_to.new_window("tab")
    drive.set_screen(browser, 390, 844)
    browser.get(f"{served.telephones}/#{code}")
    says(browser, "Touch the picture to guess.")
    says(browser, f"1 of {len(told)}")
    assert findings(browser) == []
    seat = asked(served.telephones, "POST", "/join", body={"code": code})[1]["seat"]
    wrong, right = "c3.3", told[0]["right"][0]
    touch_choice(browser, wrong)
    says(browser, "Your guess is in.")
    touched = f"{TELEPHONE}.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
    browser.execute_script(touched, f'[data-layer="choices"] [data-choice="{right}"]')
    browser.refresh()
    says(browser, "Your guess is in.")  # the same person at the same step
    telephone = browser.current_window_handle
    assert asked(served.telephones, "POST", "/guess", {"x-seat": seat}, {"step": 0, "choice": right})[0] == 200

    # Hidden, then shown by the arrow key, then the answer.
    browser.switch_to.window(lecturer)
    until(browser, "return arguments[0].querySelector('.class-line').textContent === '2 of 2 guessed.'", "no guesses")
    drive.hit(browser, Keys.ARROW_RIGHT)
    until(browser, "return arguments[0].querySelector('.door').hidden", "the code stays")
    assert (
        browser.execute_script("return arguments[0].querySelectorAll('.guesses circle').length", opened(browser)) == 0
    )
    drive.hit(browser, Keys.ARROW_RIGHT)
    until(browser, "return arguments[0].querySelectorAll('.guesses circle').length === 2", "there are no dots")
    assert told[0]["found"][:20] not in read(browser)
    drive.hit(browser, Keys.ARROW_RIGHT)
    until(browser, "return arguments[0].querySelector('.class-line').textContent === '1 of 2 were right.'", "no score")
    browser.switch_to.window(telephone)
    says(browser, "Not that one.")

    # To the end; a late one comes to the step that is in front.
    browser.switch_to.window(lecturer)
    for place in range(1, len(told)):
        drive.hit(browser, Keys.ARROW_RIGHT)
        drive._wait(browser, lambda place=place: f"{place + 1} of {len(told)}" in read(browser), "the story stays")
        until(
            browser, "return arguments[0].querySelector('.class-line').textContent === '0 of 2 guessed.'", "not asked"
        )
        if place == 1:
            late = asked(served.telephones, "POST", "/join", body={"code": code})[1]["seat"]
            assert asked(served.telephones, "GET", "/now", {"x-seat": late})[1]["step"] == 1
            assert asked(served.telephones, "POST", "/guess", {"x-seat": late}, {"step": 0, "choice": right})[0] == 409
            break
    browser.switch_to.window(telephone)
    says(browser, f"2 of {len(told)}")

    # Closed: the telephone is outside, and comes in no more.
    browser.switch_to.window(lecturer)
    drive.hit(browser, Keys.ESCAPE)
    click_button(browser, "Present")
    until(browser, "return !arguments[0].querySelector('.door').hidden", "the code is not shown again")
    click_button(browser, "Close the class")
    browser.switch_to.window(telephone)
    says(browser, "The class is over")
    browser.close()
    browser.switch_to.window(lecturer)


def line(browser, wanted):
    until(
        browser,
        f"return arguments[0].querySelector('.class-line').textContent === {wanted!r}",
        f"the front does not say {wanted!r}",
    )


def test_the_telephones_follow_though_the_full_screen_is_left(browser, served):
    told = story(argument())["steps"]
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, served.dashboard)
    browser.execute_script("localStorage.clear()")
    drive.open_page(browser, "Story")
    browser.execute_script("Element.prototype.requestFullscreen = undefined")
    click_button(browser, "Present")
    code = until(browser, "return arguments[0].querySelector('.door .code')?.textContent", "there is no code")
    line(browser, "0 of 0 guessed.")
    seat, late = (asked(served.telephones, "POST", "/join", body={"code": code})[1]["seat"] for _ in range(2))

    def telephone():
        return asked(served.telephones, "GET", "/now", {"x-seat": seat})[1]

    def guessed(person, step):
        choice = told[step]["right"][0]
        return asked(served.telephones, "POST", "/guess", {"x-seat": person}, {"step": step, "choice": choice})[0]

    drive.hit(browser, Keys.ARROW_RIGHT)
    assert guessed(seat, 0) == 200
    line(browser, "1 of 2 guessed.")
    drive.hit(browser, Keys.ESCAPE)
    assert "End" not in [button.text for button in opened(browser).find_elements("css selector", "button")]

    # The answer is in front; no guess is taken any more, and the count is that of the step shown.
    drive.hit(browser, Keys.ARROW_RIGHT)
    until(browser, "return arguments[0].querySelectorAll('.guesses circle').length === 1", "there are no dots")
    drive.hit(browser, Keys.ARROW_RIGHT)
    until(browser, "return !arguments[0].querySelector('.answer').hidden", "there is no answer")
    assert guessed(late, 0) == 409
    assert telephone()["right"] == told[0]["right"]
    drive.hit(browser, Keys.ARROW_RIGHT)
    line(browser, "0 of 2 guessed.")
    assert telephone()["step"] == 1

    # Nobody guesses: nothing is said of nobody. Present again changes nothing for the telephones.
    click_button(browser, "Show the answer")
    until(browser, "return !arguments[0].querySelector('.answer').hidden", "there is no answer")
    line(browser, "")
    click_button(browser, "Present")
    drive.hit(browser, Keys.ARROW_RIGHT)
    until(browser, "return arguments[0].querySelector('.door').hidden", "the code stays")
    assert (telephone()["step"], telephone()["open"]) == (1, False)
    drive.hit(browser, Keys.ARROW_RIGHT)
    line(browser, "0 of 2 guessed.")
    assert telephone()["step"] == 2

    # A look at another page: the class is still the same one, at the same step.
    drive.hit(browser, Keys.ESCAPE)
    drive.open_page(browser, "Data")
    drive.open_page(browser, "Story")
    line(browser, "0 of 2 guessed.")
    assert f"3 of {len(told)}" in read(browser)

    # While the server is out of reach the front says so and shows no answer; then everything arrives, in order.
    browser.execute_script(
        "window.reached = window.fetch;"
        "window.fetch = (where, how) => String(where).includes('class/')"
        "  ? Promise.reject(new Error()) : reached(where, how)"
    )
    click_button(browser, "Show the answer")
    line(browser, "The telephones do not follow yet ..")
    assert guessed(late, 2) == 200
    assert browser.execute_script("return arguments[0].querySelector('.answer').hidden", opened(browser))
    browser.execute_script("window.fetch = window.reached")
    line(browser, "1 of 1 were right.")
    assert guessed(seat, 2) == 409

    # Reloaded, the page has lost the class: it is over for the telephones too.
    browser.refresh()
    drive._wait(browser, lambda: "error" in telephone(), "the class goes on without its lecturer")


def test_a_wrong_code_is_said_in_a_sentence(browser, served):
    browser.get(f"{served.telephones}/#AAAAAA")
    says(browser, "this is not its code")


def test_without_a_class_presenting_shows_no_code(browser, app_url):
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Story")
    click_button(browser, "Present")
    assert browser.execute_script("return arguments[0].querySelector('.door')", opened(browser)) is None
    drive.hit(browser, Keys.ESCAPE)
