"""The eight-minute story in a browser: the picture never moves, a click in it answers, and a reload forgets nothing."""

import pytest
from selenium.webdriver.common.keys import Keys

import drive
from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.story.steps import story
from shares import first

_STORY = """
const found = [...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('.story')).find(Boolean);
return found && found.querySelector('.figure svg').getBoundingClientRect().height > 40 ? found : null;
"""


def opened(browser):
    return drive._wait(browser, lambda: browser.execute_script(_STORY), "the story is not there")


def read(browser):
    return opened(browser).text


def place_of_picture(browser):
    return browser.execute_script(
        "const b = arguments[0].querySelector('.figure svg').getBoundingClientRect();"
        "return [b.left, b.top, b.width, b.height]",
        opened(browser),
    )


def in_window(browser):
    """Whether the picture and everything beside it are inside the window."""
    return browser.execute_script(
        "return ['.figure svg', '.text', '.ask', '.tools'].every(name => {"
        "const b = arguments[0].querySelector(name).getBoundingClientRect();"
        "return b.top >= 0 && b.left >= 0 && b.bottom <= innerHeight && b.right <= innerWidth})",
        opened(browser),
    )


def letters(browser):
    """How large the text is, in pixels, and which part of the window's height is used beside the picture."""
    return browser.execute_script(
        "const part = name => arguments[0].querySelector(name);"
        "const used = part('.rail').getBoundingClientRect().bottom / innerHeight;"
        "return [parseFloat(getComputedStyle(part('.text')).fontSize), used]",
        opened(browser),
    )


def stops(browser, place):
    """At how many of a step's choices the Tab key stops: the arrow keys go on from there."""
    return browser.execute_script(
        "return arguments[0].querySelectorAll(`[data-layer='choices-${arguments[1]}'] [tabindex='0']`).length",
        opened(browser),
        place,
    )


def click_choice(browser, place, name):
    css = f'[data-layer="choices-{place}"] [data-choice="{name}"]'
    choice = browser.execute_script("return arguments[0].querySelector(arguments[1])", opened(browser), css)
    choice.click()


def click_button(browser, label):
    browser.execute_script(
        "[...arguments[0].querySelectorAll('button')].find(b => b.textContent === arguments[1]).click()",
        opened(browser),
        label,
    )


@pytest.mark.parametrize("width", first(1, [1280, 1440]))
def test_the_whole_story_beside_one_picture_that_stays(browser, app_url, width):
    told = story(argument())["steps"]
    drive.set_screen(browser, width, 720 if width == 1280 else 900)
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Story")
    before = place_of_picture(browser)
    # Who cannot see the picture hears the question before what can be clicked.
    follows = "return arguments[0].querySelector('.ask').compareDocumentPosition(arguments[0].querySelector('.figure'))"
    assert browser.execute_script(follows, opened(browser)) == 4  # DOCUMENT_POSITION_FOLLOWING
    # And the Tab key comes to that before it comes to the answer.
    follows = follows.replace(".ask", ".figure").replace("'.figure'))", "'.tools'))")
    assert browser.execute_script(follows, opened(browser)) == 4
    # An arrow key that is meant for something else on the page shows nothing here.
    link = browser.execute_script("const a = document.querySelector('header button, header a'); a.focus(); return a")
    link.send_keys(Keys.ARROW_RIGHT)
    assert stops(browser, 0) == 1
    assert "Show the answer" in read(browser)
    browser.execute_script("document.activeElement.blur()")
    for place, step in enumerate(told):
        assert f"{place + 1} of {len(told)}" in read(browser)
        assert in_window(browser), f"step {place + 1} begins out of sight"
        assert stops(browser, place) == 1
        # The first step is answered wrongly: nobody can know it, and one guess is enough. The second is at first.
        if place == 1:
            click_choice(browser, place, "c2.3")
            assert "Not that one." in read(browser)
            assert "Try once more." in read(browser)
            assert "are a single cell" not in read(browser)
            click_choice(browser, place, "c2.3")  # the same again is no other guess
            assert "are a single cell" not in read(browser)
        click_choice(browser, place, "c3.3" if place == 0 else step["right"][0])
        said = "Not that one." if place == 0 else "Right."
        drive._wait(browser, lambda said=said: said in read(browser), f"step {place + 1} does not say {said}")
        assert in_window(browser), f"step {place + 1} ends out of sight"
        assert place_of_picture(browser) == before
        size, used = letters(browser)
        assert size >= 21, "too small for a projector"
        assert 0.6 < used < 1, f"step {place + 1} leaves the room beside the picture empty"
        assert "Try once more." not in read(browser)
        if place + 1 < len(told):
            click_button(browser, "Next")
    assert drive.console_errors(browser) == []
    # Which step was answered rightly and which was shown, for eyes and for ears.
    said, looks = browser.execute_script(
        "const all = [...arguments[0].querySelectorAll('.rail button:not([aria-current])')];"
        "const look = e => { const s = getComputedStyle(e); return [s.backgroundColor, s.borderBottomWidth].join(); };"
        "return [all.map(e => e.getAttribute('aria-label').split(', ').at(-1)), all.map(look)]",
        opened(browser),
    )
    assert said == ["answer shown", *["answered right"] * (len(told) - 2)]
    assert len(set(looks[1:])) == 1
    assert looks[0] != looks[1]
    # A reload goes on where the reader was; the browser alone keeps that. A story that was told begins anew.
    click_button(browser, "3")
    browser.refresh()
    drive.wait_until_idle(browser)
    assert f"3 of {len(told)}" in read(browser)
    assert "Right." in read(browser)
    click_button(browser, f"{len(told)}")
    browser.refresh()
    drive.wait_until_idle(browser)
    assert f"1 of {len(told)}" in read(browser)
    assert "Show the answer" in read(browser)
    # In front of others all answers are hidden again, until the arrow key asks for them.
    click_button(browser, "Present")
    click_button(browser, "1")
    assert "It is certain." not in read(browser)
    drive.hit(browser, Keys.ARROW_RIGHT)
    assert "It is certain." in read(browser)
    assert in_window(browser)
    drive.hit(browser, Keys.ARROW_RIGHT)
    assert f"2 of {len(told)}" in read(browser)
    drive.hit(browser, Keys.ARROW_LEFT)
    assert f"1 of {len(told)}" in read(browser)
    # What was shown stays shown, wherever one comes back from.
    assert "It is certain." in read(browser)
    click_button(browser, "9")
    assert "One place is left" not in read(browser)
    click_button(browser, "1")
    assert "It is certain." in read(browser)
    click_button(browser, "End")
    # One way on, said once: where the story ends.
    assert "Next: " not in drive.text(browser)
    click_button(browser, "9")
    click_button(browser, "Show the answer")
    # What was in sight when it is put in front of others stays in sight.
    click_button(browser, "Present")
    assert "One place is left" in read(browser)
    if width == 1280:  # the doubt ended below the window, and pushed the picture out of it
        browser.execute_script("arguments[0].querySelector('summary').click()", opened(browser))
        parts = (
            "return ['details', '.figure svg'].map(n => arguments[0].querySelector(n).getBoundingClientRect().bottom)"
        )
        ends = "the doubt, or the picture, ends below the window"
        drive._wait(browser, lambda: max(browser.execute_script(parts, opened(browser))) <= 720, ends, 10)
    click_button(browser, "End")
    click_button(browser, "On to the playground")
    drive._wait(browser, lambda: "/playground" in browser.current_url, "the playground does not open")
    drive.wait_until_idle(browser)
    assert "Next: Lessons" in drive.text(browser)
    assert drive.outside_addresses(browser) == []


def test_the_hardest_reason_is_a_half_step_of_its_own(browser, app_url):
    """Why a box came after the pairs was half a sentence, which nobody followed."""
    drive.set_screen(browser, 1280, 720)
    drive.open_app(browser, f"{app_url}/story")
    click_button(browser, "9")
    shown = "return [...arguments[0].querySelectorAll('[data-layer]:not(.off)')].map(e => e.dataset.layer)"
    before = browser.execute_script(shown, opened(browser))
    picture = place_of_picture(browser)
    click_button(browser, "Why after the pairs?")
    assert "would be in the shaded quarter" in read(browser)
    assert "Who else stands alone" not in read(browser)
    assert browser.execute_script(shown, opened(browser)) == ["crammed"]  # nothing to click, and what it speaks of
    assert place_of_picture(browser) == picture
    # The key that goes on comes back first: the question is still open.
    drive.hit(browser, Keys.ARROW_RIGHT)
    assert "Who else stands alone" in read(browser)
    assert "One place is left" not in read(browser)
    assert browser.execute_script(shown, opened(browser)) == before


def test_at_double_size_the_picture_stays_large_and_in_the_window_beside_its_question(browser, app_url):
    drive.set_screen(browser, 640, 360)
    drive.open_app(browser, f"{app_url}/story")
    opened(browser)
    assert place_of_picture(browser)[3] >= 220
    drive.wait_until_idle(browser)
    browser.execute_script("document.querySelector('[data-testid=\"stMain\"]').scrollTo(0, 120)")
    drive._wait(browser, lambda: place_of_picture(browser)[1] >= 55, "the picture scrolls away")


def test_on_a_telephone_all_that_the_picture_says_is_large_enough_to_read(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/story")
    smallest = browser.execute_script(
        "const svg = arguments[0].querySelector('.figure svg'), scale = svg.getScreenCTM().a;"
        "return Math.min(...[...svg.querySelectorAll('text')].map(one => scale * one.getAttribute('font-size')))",
        opened(browser),
    )
    assert smallest >= 12
