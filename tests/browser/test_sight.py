"""Pictures first: on every page the figure is inside the window when the page opens, and few words stand around it."""

from dataclasses import astuple
from pathlib import Path

import pytest

import drive
import sight
from cra_dashboard.panels import menu

ROOT = Path(__file__).parents[2]
PAGES = list(menu.PAGES)
# Looked at whenever the tests run; the others in the long run, make exhaustive.
ALWAYS = {"attack", "recode", "single_out", "check", "lessons"}
SCREENS = ((1440, 900), (1280, 720))
HEADER = 56  # pixels at the top that Streamlit covers
MOST_WORDS = 200
# Pages that begin by themselves, which takes some seconds.
BEGIN = {"global_recoding", "compare", "experiments"}
# Pages to read, whose pictures stand among the text.
WITHOUT = {"lessons", "glossary"}
EXAMPLE = {"who_has_what": "ward"}  # with a sensitive column
# Screens of their own, which fill the window; their tests hold them there.
OWN = {"playground", "story"}


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=() if page in ALWAYS else pytest.mark.exhaustive) for page in PAGES]
)
def test_the_figure_is_in_the_window_and_few_words_stand_around_it(browser, app_url, page):
    drive.set_screen(browser, *SCREENS[0])
    drive.open_app(browser, f"{app_url}/{'' if page == 'start' else page}?example={EXAMPLE.get(page, 'toy')}")
    assert len(sight.words(browser)) <= MOST_WORDS
    if page in BEGIN:
        drive._wait(browser, lambda: sight.figure(browser), "there is no figure")
        drive.wait_until_idle(browser)
        assert len(sight.words(browser)) <= MOST_WORDS
    if page in WITHOUT | OWN:
        assert sight.figure(browser) is None
        return
    for width, height in SCREENS:
        drive.set_screen(browser, width, height)
        drive.wait_until_idle(browser)
        found = sight.figure(browser)
        assert found.inside(width, height, HEADER), (width, height, found)


def test_an_audit_says_the_verdict_in_few_words_beside_its_figure(browser, app_url):
    drive.set_screen(browser, *SCREENS[0])
    drive.open_app(browser, f"{app_url}/audit")
    drive.upload(
        browser,
        "ZIP of a release, or its table (CSV) with its study",
        ROOT / "tests/data/arx/outputs/clinic500_2.gui.k5.csv",
    )
    assert len(sight.words(browser)) <= MOST_WORDS
    drive.press(browser, "Audit")
    drive.wait_for_text(browser, "Download the report")
    drive.wait_until_idle(browser)
    assert len(sight.words(browser)) <= MOST_WORDS
    assert sight.figure(browser).inside(*SCREENS[0], HEADER)


@pytest.mark.parametrize(("width", "height"), [*SCREENS, (390, 844)])
def test_the_answer_on_the_start_comes_where_the_question_stood(browser, app_url, width, height):
    drive.set_screen(browser, width, height)
    drive.open_app(browser, app_url)
    drive.wait_for_text(browser, "Can anybody tell where a single person is?")
    places = """
        return ['.st-key-start-before', '.st-key-start-after', '.st-key-start-folded-0'].map(css => {
            const at = document.querySelector(css).getBoundingClientRect();
            return [at.left, at.top, at.width].map(Math.round);
        }).concat(['before', 'after'].map(which => {
            const found = [...document.querySelectorAll(`.st-key-start-${which} *`)].find(one => one.shadowRoot);
            const at = found.shadowRoot.querySelector('svg .cells').getBoundingClientRect();
            return [at.top, at.bottom].map(Math.round);
        }));
    """
    button = browser.find_element("css selector", ".st-key-start-show button")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    drive.wait_until_idle(browser)
    # What is asked about is all seen meanwhile.
    covered = """
        const rect = one => one.getBoundingClientRect();
        const over = rect(document.querySelector('.st-key-start-show button'));
        const met = at => at.left < over.right && at.right > over.left && at.top < over.bottom && at.bottom > over.top;
        const asked = document.querySelector('.st-key-start-asked');
        const root = [...asked.querySelectorAll('*')].find(one => one.shadowRoot).shadowRoot;
        const drawn = [...root.querySelectorAll('svg text, svg .borders rect, .legend > *')];
        const said = [...asked.querySelectorAll('p')].filter(one => !one.closest('button'));
        const hidden = [...drawn, ...said].filter(one => met(rect(one)));
        return [drawn.length, hidden.map(one => `${one.tagName} ${one.textContent}`)];
    """
    drawn, hidden = browser.execute_script(covered)
    assert drawn > 16 + 8
    assert hidden == []
    before = browser.execute_script(places)
    assert (before[-1] == before[-2]) == (width > 390)  # beside each other both are level
    button.send_keys("\n")  # by keyboard
    drive.wait_for_text(browser, "2 people stand alone, for certain.")
    drive.wait_until_idle(browser)
    assert browser.execute_script(places) == before


def test_what_comes_below_the_pictures_of_the_start_pushes_them_out(browser, app_url):
    drive.set_screen(browser, *SCREENS[0])
    drive.open_app(browser, app_url)
    browser.execute_script("document.querySelector('[data-testid=\"stMain\"]').scrollTo(0, 10000)")
    cards = browser.execute_script(
        "return document.querySelector('.st-key-start-folded-0').getBoundingClientRect().top"
    )
    assert sight.figure(browser).bottom < cards


def test_stepping_and_other_views_leave_the_figure_where_it_is(browser, app_url):
    drive.set_screen(browser, *SCREENS[1])
    drive.open_app(browser, f"{app_url}/recode?example=toy")
    before = sight.figure(browser)
    for _ in range(3):
        drive.press(browser, "Forward")
        # Half a pixel is what a caption's own glyphs may differ by, and nobody sees.
        assert astuple(sight.figure(browser)) == pytest.approx(astuple(before), abs=0.5)
    drive.open_page(browser, "Attack")
    for look in ("The whole release", "This class"):
        drive.choose(browser, "Look at", look)
        assert sight.figure(browser).inside(*SCREENS[1], HEADER), look
    place = sight.figure(browser)
    for view in ("All together", "Who stands alone", "Attack"):
        drive.open_page(browser, view)
        assert abs(sight.figure(browser).top - place.top) < 60, view


def test_a_page_begins_at_its_top(browser, app_url):
    drive.set_screen(browser, *SCREENS[1])
    drive.open_app(browser, f"{app_url}/attack?example=toy")
    browser.execute_script("document.querySelector('[data-testid=\"stMain\"]').scrollTo(0, 400)")
    drive.open_page(browser, "Recode")
    assert browser.execute_script("return document.querySelector('[data-testid=\"stMain\"]').scrollTop") == 0


def test_the_menu_fits_a_small_window_with_more_methods_open(browser, app_url):
    drive.set_screen(browser, 1280, 720)
    drive.open_app(browser, f"{app_url}/experiments")
    menu_at = "const at = document.querySelector('[data-testid=\"stSidebarContent\"]');"
    assert browser.execute_script(f"{menu_at} return at.scrollHeight - at.clientHeight") == 0
