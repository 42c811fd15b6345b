"""Tab, Enter and Space lead from Start through the whole story and a whole lesson; the focus is always seen."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import drive
from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.files import all_lessons
from cra_dashboard.lessons.story.steps import steps

MOST = 150
# What has the focus, through shadow roots: its words, its choice in the story's picture, and what is wrong with it.
FOCUS = """
let at = document.activeElement;
while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
const box = at.getBoundingClientRect();
const rings = [at, at.closest('[data-baseweb]'), at.closest('label'), at.parentElement, ...at.querySelectorAll('*')];
const seen = element => {
    if (!element) return false;
    const style = getComputedStyle(element);
    return parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== 'none' || style.boxShadow !== 'none'
        || element instanceof SVGElement && parseFloat(style.strokeWidth) >= 3;
};
let wrong = at === document.body ? 'the focus is lost' : '';
if (!wrong && !rings.some(seen) && at.tagName !== 'IFRAME') wrong = 'the focus cannot be seen';
if (!wrong && (box.bottom < 0 || box.top > innerHeight || box.right < 0)) wrong = 'the focus is out of the window';
const words = at.matches('a, button, summary') ? at.innerText.trim() : '';
return [words, at.dataset?.choice ?? '', wrong, at.outerHTML.slice(0, 200)];
"""


def press(browser, *keys):
    for key in keys:
        ActionChains(browser).send_keys(key).perform()


def walk(browser, reached, *keys):
    """Press Tab until the focus, which is never lost on the way, is where it is wanted; press keys there."""
    passed = []
    for _ in range(MOST):
        press(browser, Keys.TAB)
        words, choice, wrong, what = browser.execute_script(FOCUS)
        if what.startswith("<body"):  # past the last: the browser's own bar comes between
            continue
        assert not wrong, (wrong, what)
        passed.append(words or choice)
        if reached(words, choice):
            press(browser, *keys)
            return
    raise AssertionError(f"not to be reached with Tab: {passed}; {browser.current_url}")


ARROWS = [Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP]


def choose(browser, right, key):
    """Tab once to what can be chosen in the picture, go by the arrow keys to what is right, and press a key there."""
    walk(browser, lambda _, choice: bool(choice))
    gone = {}
    for _ in range(4 * MOST):
        _, choice, wrong, what = browser.execute_script(FOCUS)
        assert choice, what
        assert not wrong, (wrong, what)
        if choice in right:
            press(browser, key)
            return
        # Each time another way on: so everything is reached that can be.
        gone[choice] = gone.get(choice, -1) + 1
        press(browser, ARROWS[gone[choice] % 4])
    raise AssertionError(f"{right} is not reached by the arrow keys, only {sorted(gone)}")


def named(*labels):
    return lambda words, _: any(label in words.split("\n") or words.endswith(label) for label in labels)


def kept(browser):
    words, _, wrong, what = drive._wait(
        browser, lambda: (found := browser.execute_script(FOCUS))[2] != "the focus is lost" and found, "focus is lost"
    )
    assert not wrong, (wrong, what)
    return words


@pytest.mark.exhaustive
def test_the_keyboard_alone_tells_the_story_and_ends_a_lesson(browser, app_url):
    drive.open_app(browser, app_url)
    walk(browser, named("The story, in eight minutes"), Keys.ENTER)
    drive._wait(browser, lambda: "/story" in browser.current_url, "the story does not open")
    drive.wait_until_idle(browser)
    shown, told = argument(), steps()
    for place, step in enumerate(told):
        # One of the steps is answered by its button, the others in the picture, by Enter and Space in turn.
        key = [Keys.ENTER, Keys.SPACE][place % 2]
        if place == 2:
            walk(browser, named("Show the answer"), key)
        else:
            choose(browser, shown.right[step.right], key)
        assert kept(browser) == ("Next" if place + 1 < len(told) else "On to the playground")
        press(browser, Keys.ENTER)
        if place + 1 < len(told):
            assert kept(browser) == "Show the answer"
    drive._wait(browser, lambda: "/playground" in browser.current_url, "the playground does not open")
    drive.wait_until_idle(browser)
    walk(browser, named("Next: Lessons"), Keys.ENTER)
    drive._wait(browser, lambda: "/lessons" in browser.current_url, "the lessons do not open")
    drive.wait_until_idle(browser)

    walk(browser, named("Start: lesson 1"), Keys.ENTER)
    drive.wait_for_text(browser, "step 1 of 3")
    drive.wait_until_idle(browser)
    walk(browser, named("Forward"), Keys.SPACE)
    drive.wait_for_text(browser, "The first step publishes")
    kept(browser)
    walk(browser, named("Next step"), Keys.ENTER)
    drive.wait_for_text(browser, "step 2 of 3")
    drive.wait_until_idle(browser)
    kept(browser)
    walk(browser, named("Forward"))
    while "Done." not in drive.text(browser):
        press(browser, Keys.ENTER)
        drive.wait_until_idle(browser)
        kept(browser)
    drive.wait_until_idle(browser)
    walk(browser, named("Next step"), Keys.ENTER)
    drive.wait_for_text(browser, "step 3 of 3")
    drive.wait_until_idle(browser)
    kept(browser)
    drive.walk_to(browser, "Class", "Class 4:", Keys.ENTER)
    drive.wait_for_text(browser, "Done.")
    walk(browser, named("To the list"), Keys.ENTER)
    drive.wait_for_text(browser, f"1 of {len(all_lessons())} lessons done")
