"""A class in real browsers: the code in front, a telephone that guesses, dots, the answer, and how many were right."""

import re

import pytest
from selenium.webdriver.common.keys import Keys

import drive
from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.files import all_lessons
from cra_dashboard.lessons.story.steps import story
from participants import a_class_server, asked, staying
from test_access import findings
from test_lessons import present
from test_story import click_button, opened, read

TELEPHONE = "return document.getElementById('page').shadowRoot.querySelector('.telephone')"


@pytest.fixture(scope="module")
def served(chromium, tmp_path_factory):  # noqa: ARG001 - first
    with a_class_server(tmp_path_factory.mktemp("class")) as found:
        yield found


@pytest.fixture
def seats(served):
    """The seats of telephones that are here without a browser."""
    found = []
    with staying(served.telephones, found):
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


def test_a_class_of_two_from_the_code_to_the_score(browser, served, seats):
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
    says(browser, "look in front")
    assert not browser.execute_script(TELEPHONE).find_elements("css selector", "[data-choice]")
    telephone = browser.current_window_handle
    seat = asked(served.telephones, "POST", "/join", body={"code": code})[1]["seat"]
    seats.append(seat)
    assert asked(served.telephones, "GET", "/now", {"x-seat": seat})[1]["step"] is None
    browser.switch_to.window(lecturer)
    drive.hit(browser, Keys.ARROW_RIGHT)
    until(browser, "return arguments[0].querySelector('.door').hidden", "the code stays")
    browser.switch_to.window(telephone)
    says(browser, "Touch your guess.")
    says(browser, f"1 of {len(told)}")
    assert findings(browser) == []
    wrong, right = "c3.3", told[0]["right"][0]
    touch_choice(browser, wrong)
    says(browser, "Your guess is in.")
    touched = f"{TELEPHONE}.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
    browser.execute_script(touched, f'[data-layer="choices"] [data-choice="{right}"]')
    browser.refresh()
    says(browser, "The first one counts.")  # the same person at the same step
    assert asked(served.telephones, "POST", "/guess", {"x-seat": seat}, {"step": 0, "choice": right})[0] == 200

    # Hidden, then shown by the arrow key, then the answer.
    browser.switch_to.window(lecturer)
    until(browser, "return arguments[0].querySelector('.class-line').textContent === '2 of 2 guessed.'", "no guesses")
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
    says(browser, "The class is over. Thank you.")
    assert not browser.execute_script(TELEPHONE).find_element("css selector", "form").is_displayed()
    browser.close()
    browser.switch_to.window(lecturer)


def line(browser, wanted):
    until(
        browser,
        f"return arguments[0].querySelector('.class-line').textContent === {wanted!r}",
        f"the front does not say {wanted!r}",
    )


@pytest.mark.exhaustive
def test_the_telephones_follow_though_the_full_screen_is_left(browser, served, seats):
    told = story(argument())["steps"]
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, served.dashboard)
    browser.execute_script("localStorage.clear()")
    drive.open_page(browser, "Story")
    browser.execute_script("Element.prototype.requestFullscreen = undefined")
    click_button(browser, "Present")
    code = until(browser, "return arguments[0].querySelector('.door .code')?.textContent", "there is no code")
    line(browser, "The class has not begun.")
    seat, late = (asked(served.telephones, "POST", "/join", body={"code": code})[1]["seat"] for _ in range(2))
    seats += [seat, late]

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


_BARS = """
const lists = [...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('.bars')).filter(Boolean);
return [...lists.at(-1)?.children ?? []].map(line => [
    line.firstChild.textContent, line.querySelector('.many')?.textContent ?? null, line.className,
]);
"""
_IN_CLASS = """
const at = [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('.class-bar'))?.shadowRoot;
"""
_CLASS = f"{_IN_CLASS} return at ? [at.querySelector('.class-bar'), at.querySelector('.door')] : [null, null];"


def bar(browser):
    """Return the visible words of the line of the class, asked at once: it may go at any moment."""
    return browser.execute_script(f"{_IN_CLASS} return at?.querySelector('.class-bar')?.innerText ?? '';")


def bar_says(browser, wanted):
    drive._wait(browser, lambda: wanted in bar(browser), f"the line of the class does not say {wanted!r}")


def bars_are(browser, wanted):
    drive._wait(browser, lambda: browser.execute_script(_BARS) == wanted, f"the bars are not {wanted}")


def test_a_lessons_question_from_the_telephones_to_the_answer(browser, served, seats):
    lesson = all_lessons()["halves"]
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, f"{served.dashboard}/attack?example=toy&lesson=halves&lesson_step=0")
    browser.execute_script("Element.prototype.requestFullscreen = undefined")
    options = [label.text for label in drive._all(browser, ".st-key-predict [data-testid='stRadio'] label")]
    present(browser)
    door = drive._wait(browser, lambda: browser.execute_script(_CLASS)[1], "there is no code")
    code = drive._wait(browser, lambda: door.find_elements("css selector", ".code"), "there is no code")[0].text
    lecturer = browser.current_window_handle

    # The question with its answers, and nothing to touch in front of the class but the answer.
    drive.hit(browser, Keys.ARROW_RIGHT)
    bars_are(browser, [[option, None, ""] for option in options])
    assert drive._all(browser, ".st-key-predict [data-testid='stRadio']") == []

    # Two telephones see the boxes, the question and the same answers.
    seat = asked(served.telephones, "POST", "/join", body={"code": code})[1]["seat"]
    seats.append(seat)
    told = asked(served.telephones, "GET", "/now", {"x-seat": seat})[1]
    assert (told["count"], told["title"]) == ("Lesson 5 · step 1 of 3", lesson.step[0].title)
    browser.switch_to.new_window("tab")
    drive.set_screen(browser, 390, 844)
    browser.get(f"{served.telephones}/#{code}")
    says(browser, "Touch your guess.")
    telephone = browser.current_window_handle
    buttons = browser.execute_script(TELEPHONE).find_elements("css selector", ".options button")
    assert [button.text for button in buttons] == options
    picture = browser.execute_script(f"{TELEPHONE}.querySelector('.figure svg').textContent")
    # One for each published box, which everybody may read.
    assert len(re.findall(r"\d: \d+ people", picture)) == 8
    assert findings(browser) == []
    buttons[0].click()
    says(browser, "Your guess is in. The first one counts.")
    assert not [button for button in buttons if button.is_enabled()]
    for status in (200, 409):
        body = {"step": told["step"], "choice": "o1"}
        assert asked(served.telephones, "POST", "/guess", {"x-seat": seat}, body)[0] == status

    # Hidden, shown as bars by the arrow key, then the answer.
    browser.switch_to.window(lecturer)
    bar_says(browser, "2 of 2 guessed.")
    bars_are(browser, [[option, None, ""] for option in options])
    drive.hit(browser, Keys.ARROW_RIGHT)
    counts = ["1", "1", *["0"] * (len(options) - 2)]
    bars_are(browser, [[option, many, ""] for option, many in zip(options, counts, strict=True)])
    assert findings(browser) == []
    drive.picture(browser, "class-lesson-guesses")
    drive.hit(browser, Keys.ARROW_RIGHT)
    drive._wait(browser, lambda: "The answer:" in drive.text(browser), "there is no answer")
    right = asked(served.telephones, "GET", "/now", {"x-seat": seat})[1]["right"]
    drive._wait(
        browser,
        lambda: [f"o{at}" for at, line in enumerate(browser.execute_script(_BARS)) if line[2] == "right"] == right,
        "the right answer is not marked",
    )
    bar_says(browser, f"{sum(name in right for name in ('o0', 'o1'))} of 2 were right.")
    # Of all this nothing is in the log of the server, which tells everything that it ever tells.
    key = browser.execute_script("return window[Symbol.for('cra-explorer.class')].key")
    assert not [secret for secret in (code, seat, key, "data-choice") if not secret or secret in served.server.printed]

    browser.switch_to.window(telephone)
    says(browser, "✓ Right." if "o0" in right else "✗ Not that one.")

    # The next question; a step that asks nothing; a page beside the lesson; the end from there.
    browser.switch_to.window(lecturer)
    drive.hit(browser, Keys.ARROW_RIGHT)
    bar_says(browser, "0 of 2 guessed.")
    browser.switch_to.window(telephone)
    says(browser, "step 2 of 3")
    browser.switch_to.window(lecturer)
    drive.hit(browser, Keys.ARROW_RIGHT)
    drive.hit(browser, Keys.ARROW_RIGHT)
    drive._wait(browser, lambda: "The answer:" in drive.text(browser), "there is no answer")
    drive.hit(browser, Keys.ARROW_RIGHT)
    bar_says(browser, "Nothing is asked now.")
    browser.switch_to.window(telephone)
    says(browser, "look in front")
    browser.switch_to.window(lecturer)
    drive.hit(browser, Keys.ESCAPE)
    drive.wait_until_idle(browser)
    drive.press(browser, "Leave lesson")
    drive.open_page(browser, "Data")
    bar_says(browser, "2 telephones")
    closing = browser.execute_script(_CLASS)[0].find_elements("css selector", "button")[-1]
    assert closing.text == "Close the class"
    closing.click()
    browser.switch_to.window(telephone)
    says(browser, "The class is over")
    browser.close()
    browser.switch_to.window(lecturer)
    drive._wait(browser, lambda: bar(browser) == "", "the line of the class stands after its end")


def network(browser, *, offline):
    """Take the network away, or give it back."""
    browser.execute_cdp_cmd("Network.enable", {})
    there = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": offline} | there)


def test_a_telephone_that_loses_its_network_comes_back_to_the_step_in_front(browser, served):
    room = asked(served.dashboard, "POST", "/class/open", {"x-class": "open"})[1]

    def steer(at):
        assert asked(served.dashboard, "POST", "/class/steer", {"x-key": room["key"]}, {"at": at, "stage": 0})[0] == 200

    drive.set_screen(browser, 390, 844)
    browser.get(f"{served.telephones}/#{room['code']}")
    says(browser, "look in front")
    steer(0)
    says(browser, "Touch your guess.")
    # A guess is in when the class has it; before, the network that goes takes it along.
    browser.execute_script(
        "const reached = window.fetch;"
        "window.fetch = (where, how) => where !== 'guess' ? reached(where, how)"
        "  : new Promise((then) => { window.sent = () => then(reached(where, how)); })"
    )
    touch_choice(browser, "c3.3")
    says(browser, "Sending your guess")
    browser.execute_script("window.sent()")
    says(browser, "Your guess is in.")
    network(browser, offline=True)
    try:
        steer(1)
        browser.execute_script("window.dispatchEvent(new Event('online'))")  # what was asked before is asked anew
        says(browser, "trying again")
    finally:
        network(browser, offline=False)
    says(browser, "2 of 9")
    says(browser, "Touch your guess.")
    steer(0)
    says(browser, "Your guess is in.")
    told = asked(served.dashboard, "GET", "/class/watch", {"x-key": room["key"], "x-seen": "0"})[1]
    assert (told["joined"], told["guessed"]) == (1, 1)
    asked(served.dashboard, "POST", "/class/close", {"x-key": room["key"]})
    says(browser, "The class is over")


def test_a_wrong_code_is_said_in_a_sentence(browser, served):
    browser.get(f"{served.telephones}/#AAAAAA")
    says(browser, "No open class has this code")


def test_without_a_class_presenting_shows_no_code(browser, app_url):
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Story")
    click_button(browser, "Present")
    assert browser.execute_script("return arguments[0].querySelector('.door')", opened(browser)) is None
    drive.hit(browser, Keys.ESCAPE)
