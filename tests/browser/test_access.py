"""Access: axe finds nothing serious on any page, nothing sticks out on any screen, and the keyboard is enough."""

from functools import cache
from importlib.metadata import files
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import drive
from cra_dashboard.panels import menu

ROOT = Path(__file__).parents[2]
PAGES = list(menu.PAGES)
# Looked at whenever the tests run; the others in the long run, make exhaustive.
ALWAYS = {"attack"}
# The hospitals have four quasi-identifiers: the widest tables, the longest formulas, the most controls.
STUDY = "example=hospitals&step=9&class=38"


@cache
def axe():
    """The script of axe-core, as the PyPI package brings it along."""
    (script,) = (file for file in files("axe-playwright-python") if file.name == "axe.min.js")
    return script.read_text(encoding="utf-8")


def findings(browser):
    """What axe calls serious or critical on the page as it stands: rule, element, and what it says of it."""
    browser.execute_script(axe())
    found = browser.execute_async_script("""
        const done = arguments[arguments.length - 1];
        axe.run(document, {resultTypes: ['violations']}).then(result => done(result.violations));
    """)
    return [
        (rule["id"], node["html"][:200], node["failureSummary"][:200])
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def faint_captions(browser):
    """Captions below 7:1, which is what a projector leaves readable."""
    browser.execute_script(axe())
    return browser.execute_async_script("""
        const done = arguments[arguments.length - 1], captions = '[data-testid="stCaptionContainer"]';
        if (!document.querySelector(captions)) return done([]);
        const only = {runOnly: ['color-contrast-enhanced'], rules: {'color-contrast-enhanced': {enabled: true}}};
        axe.run({include: [captions]}, only)
            .then(found => done(found.violations.flatMap(rule => rule.nodes.map(node => node.html.slice(0, 200)))));
    """)


def open_everything(browser):
    """Open all expanders, so that what is in them is looked at too."""
    browser.execute_script("""
        for (const part of document.querySelectorAll('[data-testid="stExpander"] details:not([open]) summary'))
            part.click();
    """)
    drive.wait_until_idle(browser)


def test_the_pages_are_those_of_the_app():
    assert {file.stem for file in ROOT.glob("pages/*.py")} == set(PAGES)


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=() if page in ALWAYS else pytest.mark.exhaustive) for page in PAGES]
)
def test_axe_finds_nothing_serious_and_nothing_sticks_out(browser, app_url, page):
    drive.set_screen(browser, 1440)
    drive.open_app(browser, f"{app_url}/{'' if page == 'start' else page}?{STUDY}")
    open_everything(browser)
    for scheme in ("light", "dark"):
        drive.set_colours(browser, scheme)
        drive.wait_until_idle(browser)
        assert findings(browser) == [], scheme
        assert faint_captions(browser) == [], scheme
        assert drive.faint_labels(browser) == [], scheme
        # axe passes over these.
        assert drive.faint_choices(browser) == [], scheme
    # Each picture says its takeaway to those who do not see it.
    assert drive.silent_pictures(browser) == []
    for width in (390, 768, 1920):
        drive.set_screen(browser, width)
        drive.wait_until_idle(browser)
        assert drive.too_wide(browser) == 0, width
        assert drive.cut_formulas(browser) == 0, width


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=() if page == "check" else pytest.mark.exhaustive) for page in PAGES]
)
def test_every_picture_says_what_it_shows(browser, app_url, page):
    drive.open_app(browser, f"{app_url}/{'' if page == 'start' else page}?example=toy")
    assert drive.silent_pictures(browser) == []


@pytest.mark.parametrize(
    "page",
    [
        "check",
        *(pytest.param(page, marks=pytest.mark.exhaustive) for page in ("data", "audit", "attack", "recode")),
    ],
)
def test_a_screen_reader_jumps_from_part_to_part_by_headings_that_take_no_room(browser, app_url, page):
    drive.open_app(browser, f"{app_url}/{page}?example=toy")
    found = browser.execute_script("""
        return [...document.querySelectorAll('[data-testid="stMain"] :is(h1, h2.heard)')].map(e => {
            const part = (e.closest('[data-testid="stElementContainer"]') ?? e).getBoundingClientRect();
            return [e.tagName, e.textContent, part.width * part.height];
        });
    """)
    assert [name for name, *_ in found].count("H1") == 1
    parts = {text: room for name, text, room in found if name == "H2"}
    assert {"The picture", "Choices and findings", "Tables and details"} <= set(parts)
    assert all(room <= 2 for room in parts.values()), parts


def test_help_can_be_pressed_with_a_finger_and_the_key_of_a_button_is_read(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/recode?example=toy")
    # What is met four pixels beside the mark, on each side, is still the mark's button.
    marks = browser.execute_script("""
        const seen = [...document.querySelectorAll('.stTooltipIcon button svg')].filter(e => e.getClientRects().length);
        return seen.map(mark => {
            mark.scrollIntoView({block: 'center'});
            const {left, right, top, bottom} = mark.getBoundingClientRect(), button = mark.closest('button');
            const [x, y] = [(left + right) / 2, (top + bottom) / 2];
            const around = [[left - 3, y], [right + 3, y], [x, top - 3], [x, bottom + 3]];
            const {width, height} = button.getBoundingClientRect();
            return [width, height, around.every(at => button.contains(document.elementFromPoint(...at)))];
        });
    """)
    assert len(marks) > 3
    assert all(width >= 24 and height >= 24 and pressed for width, height, pressed in marks), marks
    keys = browser.execute_script("return [...document.querySelectorAll('button:enabled kbd')]")
    assert [key.text for key in keys]
    assert {key.value_of_css_property("opacity") for key in keys} == {"1"}


def clean(browser):
    """Nothing that axe calls serious, in light and in dark colours."""
    for scheme in ("light", "dark"):
        drive.set_colours(browser, scheme)
        drive.wait_until_idle(browser)
        assert findings(browser) == [], scheme


@pytest.mark.parametrize(
    ("page", "lesson", "step"),
    [
        ("attack", "stealing", 1),
        pytest.param("recode", "greedy", 0, marks=pytest.mark.exhaustive),
        pytest.param("hierarchies", "limits", 2, marks=pytest.mark.exhaustive),
    ],
)
def test_axe_finds_nothing_serious_in_a_lesson_and_in_what_it_found(browser, app_url, page, lesson, step):
    drive.set_screen(browser, 1440)
    drive.open_app(browser, f"{app_url}/{page}?example=toy&lesson={lesson}&lesson_step={step}")
    drive.wait_for_text(browser, "Do this:")
    clean(browser)
    if lesson == "stealing":
        drive.pick(browser, "Class", "Class 6: 3 people")
        drive.wait_for_text(browser, "Next step")
        clean(browser)
    drive.set_screen(browser, 390, 844)
    clean(browser)


def test_on_a_telephone_the_bar_and_the_title_leave_the_window_to_the_figure(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/attack?example=hospitals")
    drive.wait_for_text(browser, "Class 46")
    high = "return document.querySelector(arguments[0]).getBoundingClientRect().height"
    lines = """
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('h1 span'));
        return new Set([...range.getClientRects()].map(one => Math.round(one.top))).size
    """
    # The text in two lines, what it is of in two, and the buttons in one; and nothing of it is cut.
    whole = "one => one.scrollHeight <= one.clientHeight + 1"
    wraps = f"return [...document.querySelectorAll('.st-key-study-bar-text p')].every({whole})"
    assert browser.execute_script(wraps)
    drive.open_app(browser, f"{app_url}/attack")
    drive.wait_for_text(browser, "gone after a reload")
    assert browser.execute_script(wraps)
    assert browser.execute_script(high, ".st-key-study-bar") < 150
    assert browser.execute_script(lines) == 1


def test_the_help_of_a_button_that_was_pressed_covers_nothing(browser, app_url):
    drive.open_app(browser, app_url)
    helped = "[data-testid='stTooltipHoverTarget'] button"
    button = next(one for one in drive._all(browser, helped) if "May my table go out?" in one.text)
    icon = next(one for one in drive._all(browser, helped) if not one.text)
    shown = """
        const seen = help => help.checkVisibility({visibilityProperty: true});
        return [...document.querySelectorAll('[role=tooltip]')].filter(seen).length;
    """
    for pressed, left in ((button, 0), (icon, 1)):  # of a question mark it is all there is
        ActionChains(browser).move_to_element(pressed).perform()
        drive._wait(browser, lambda: browser.execute_script(shown) == 1, "no help")
        ActionChains(browser).click_and_hold().perform()
        drive._wait(browser, lambda left=left: browser.execute_script(shown) == left, f"not {left} in sight")
        ActionChains(browser).move_to_element(browser.find_element("css selector", "h1")).release().perform()


def test_at_double_size_the_help_of_a_title_ends_inside_the_window(browser, app_url):
    drive.set_screen(browser, 640, 360)
    drive.open_app(browser, f"{app_url}/recode?example=toy")
    ActionChains(browser).move_to_element(browser.find_element("css selector", "h1 button")).perform()
    inside = """
        const help = document.querySelector('[data-testid="stTooltipContent"]')?.getBoundingClientRect();
        return help && help.height > 50 && help.top >= 0 && help.bottom <= innerHeight;
    """
    drive._wait(browser, lambda: browser.execute_script(inside), "the help ends outside the window", 10)


@pytest.mark.parametrize("width", [1280, 390])
def test_what_says_that_a_page_computes_lies_over_nothing_at_the_top(browser, app_url, width):
    """Streamlit printed its Stop over Glossary; it comes and goes too fast to be waited for."""
    drive.set_screen(browser, width, 720)
    drive.open_app(browser, f"{app_url}/recode?example=toy")
    apart = """
        const sign = document.createElement('div');
        sign.dataset.testid = 'stStatusWidget';
        sign.textContent = 'Stop';
        document.querySelector('[data-testid="stHeader"] [data-testid="stMainMenu"]').before(sign);
        const box = sign.getBoundingClientRect();
        sign.remove();
        return box.height > 0 && box.left > 0 && box.right <= innerWidth && box.bottom <= innerHeight
            && box.top > document.querySelector('.st-key-way').getBoundingClientRect().bottom;
    """
    assert browser.execute_script(apart)


@pytest.mark.parametrize("width", [1280, 1920])
def test_the_examples_share_the_whole_row(browser, app_url, width):
    drive.set_screen(browser, width, 900)
    drive.open_app(browser, f"{app_url}/data")
    row, cards = browser.execute_script("""
        const row = document.querySelector('.st-key-data-cards');
        const right = e => Math.round(e.getBoundingClientRect().right);
        return [right(row), [...row.children].map(right)];""")
    assert len(set(cards)) == 5
    assert max(cards) == row


def test_on_a_telephone_the_mark_of_a_help_stands_beside_the_last_word_of_its_sentence(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/downcode")
    apart, right = browser.execute_script("""
        const p = document.querySelector('.st-key-downcode-sentence p:has(.stTooltipIcon)');
        const text = document.createRange();
        const mark = p.querySelector('.stTooltipIcon').getBoundingClientRect();
        text.selectNodeContents(p); text.setEndBefore(p.querySelector(':scope > span:has(.stTooltipIcon)'));
        const last = [...text.getClientRects()].at(-1);
        return [mark.top + mark.height / 2 - last.top - last.height / 2, mark.right];""")
    assert abs(apart) < 8
    assert right < 390


@pytest.mark.parametrize("page", ["attack", pytest.param("experiments", marks=pytest.mark.exhaustive), "downcode"])
def test_on_a_telephone_the_way_on_is_one_line(browser, app_url, page):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/{page}?example=toy")
    high, right = browser.execute_script("""
        const lines = [...document.querySelectorAll('.st-key-way-on p')].map(e => e.getBoundingClientRect());
        const seen = lines.filter(e => e.width);
        return [Math.max(...seen.map(e => e.height)), Math.max(...seen.map(e => e.right))];
    """)
    assert high < 20  # of letters of 13 pixels
    assert right < 390
    # The way back has its name where there is room: beside the long one on Downcode there is none.
    back = browser.execute_script("""
        const link = document.querySelector('.st-key-way-on a').getBoundingClientRect();
        const name = document.querySelector('.st-key-way-on a p').getBoundingClientRect();
        return name.bottom <= link.bottom;
    """)
    assert back == (page != "downcode")


def test_no_menu_stays_over_the_page_that_was_chosen_in_it_and_nothing_lies_over_the_menu(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/start?example=toy")
    menu_open, unfold = "[data-testid='stSidebar'][data-collapsed='false']", "[data-testid='stExpandSidebarButton']"
    over = """
        const title = document.querySelector('.st-key-title-above');
        const box = title.querySelector('h1').getBoundingClientRect();
        title.style.pointerEvents = 'auto';
        const top = document.elementFromPoint(box.left + Math.min(box.width, 200) / 2, box.top + box.height / 2);
        return top.closest('h1') !== null;
    """

    def choose(title):
        link = "[data-testid='stSidebar'] a"
        drive._click(browser, lambda: drive._shown(browser, link, title), f"page '{title}'")
        drive.wait_until_idle(browser)
        drive._wait(browser, lambda: not drive._all(browser, menu_open), f"the menu lies over {title}")

    for title in ("Playground", "Downcode", "Recode"):
        drive._click(browser, lambda: drive._all(browser, unfold), "what unfolds the menu")
        drive._wait(browser, lambda: drive._all(browser, menu_open), "the menu does not unfold")
        if title == "Downcode":  # on the playground, whose title stands in the bar above
            drive._wait(browser, lambda: not browser.execute_script(over), "the title lies over the menu")
            drive._click(browser, lambda: drive._shown(browser, "summary", "More methods"), "More methods")
        choose(title)


def test_views_of_a_page_and_the_way_on_are_told_apart_at_a_glance(browser, app_url):
    """They stood in one row and looked alike."""
    drive.set_screen(browser, 1280, 720)
    drive.open_app(browser, f"{app_url}/single_out?example=toy")
    room, views, onward, marked = browser.execute_script("""
        const told = css => [...document.querySelectorAll(css)].map(e => {
            const {left, right, top, bottom} = e.getBoundingClientRect(), style = getComputedStyle(e);
            return {text: e.innerText, left, right, middle: (top + bottom) / 2, size: parseFloat(style.fontSize),
                line: style.textDecorationLine, weight: style.fontWeight,
                under: getComputedStyle(e.closest('a') ?? e).boxShadow.includes('-3px')};
        });
        const link = '[data-testid="stPageLink-NavLink"]', menu = '[data-testid="stSidebarNavItems"] a p';
        return [told('.st-key-way-room p')[0], told(`.st-key-way-views ${link} p`), told(`.st-key-way-on ${link} p`),
            [...told(`.st-key-way-views ${link} p`).filter(e => e.under), ...told(menu).filter(e => e.weight >= 600)]];
    """)
    assert room["text"] == "Attack:"
    assert [view["text"] for view in views][3:] == ["Who stands alone", "Who has what"]
    assert [link["text"] for link in onward] == ["Several releases", "Next: Who has what"]
    assert room["right"] <= views[0]["left"]
    assert views[-1]["right"] < onward[0]["left"]
    assert max(abs(part["middle"] - room["middle"]) for part in (*views, *onward)) < 4  # still one line
    assert all(link["line"] == "underline" and link["size"] < views[0]["size"] for link in onward)
    assert [part["text"] for part in marked] == ["Who stands alone", "Attack"]


@pytest.mark.exhaustive
def test_axe_finds_nothing_serious_in_the_story_from_question_to_answer_and_presented(browser, app_url):
    drive.open_app(browser, f"{app_url}/story")
    press = """
        const stories = [...document.querySelectorAll('*')].map(one => one.shadowRoot?.querySelector('.story'));
        const story = stories.find(Boolean);
        [...story.querySelectorAll('button')].find(one => one.textContent === arguments[0]).click();
    """
    clean(browser)
    for label in ("Show the answer", "Next", "Present"):
        browser.execute_script(press, label)
        clean(browser)


@pytest.mark.exhaustive
def test_the_keyboard_is_enough_from_the_start_to_singling_out(browser, app_url):
    drive.open_app(browser, app_url)
    drive.walk_to(browser, "Publish the toy, step by step", Keys.ENTER)
    drive.wait_for_text(browser, "Before the first step")
    drive.hit(browser, Keys.ARROW_RIGHT)
    drive.wait_for_text(browser, "Step 1 of 5")
    drive.walk_to(browser, "Forward", Keys.SPACE)
    drive.wait_for_text(browser, "Step 2 of 5")
    drive.walk_to(browser, "Attack", Keys.ENTER)
    drive.wait_for_text(browser, "What the attacker concludes")
    # The class, in its select box: the next one down.
    before = browser.current_url
    drive.walk_to(browser, "Class", Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    assert browser.current_url != before
    drive.walk_to(browser, "The exact numbers, and how they are calculated", Keys.ENTER)
    drive.wait_for_text(browser, "Promised. The box holds")
    drive.walk_to(browser, "Who stands alone", Keys.ENTER)
    drive.wait_for_text(browser, "From the release alone")
    drive.wait_for_text(browser, "For certain exactly one person has")


def test_who_asked_for_less_motion_gets_none(browser, app_url):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    drive.open_app(browser, f"{app_url}/recode?example=toy&step=2")
    moving = browser.execute_script("""
        return [...document.querySelectorAll('*')].filter(element => {
            const style = getComputedStyle(element);
            const longest = text => Math.max(...text.split(',').map(parseFloat));
            return longest(style.transitionDuration) > 0.01
                || (style.animationName !== 'none' && longest(style.animationDuration) > 0.01);
        }).length;
    """)
    assert moving == 0


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_the_glossary_keeps_still_whatever_is_looked_for(browser, app_url, size):
    drive.set_screen(browser, *size)
    drive.open_app(browser, f"{app_url}/recode?example=toy")
    drive.press(browser, "Glossary")
    opened = "document.querySelector('[data-testid=stPopoverBody]')"
    seen = []
    for wanted, found in ((None, "quasi-identifier"), ("ratio", "times fewer"), ("zzzz", "No term has")):
        if wanted:
            field = browser.find_element("css selector", "[data-testid=stPopoverBody] input")
            field.send_keys(Keys.BACKSPACE * 9, wanted, Keys.ENTER)
        told = f"return {opened}?.innerText.includes(arguments[0])"
        drive._wait(browser, lambda: browser.execute_script(told, found), f"{found} is not told", 30)  # noqa: B023
        drive.wait_until_idle(browser)
        box = f"const b = {opened}.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]"
        seen.append(browser.execute_script(box))
    assert seen == [seen[0]] * 3


def test_on_a_telephone_the_tabs_of_a_page_go_under_the_line_at_its_top(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/data")
    drive.wait_for_text(browser, "Hierarchies")
    drive.wait_until_idle(browser)
    met = """const tab = document.querySelector('.st-key-way-views a'), at = tab.getBoundingClientRect();
        return tab.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2));"""
    assert browser.execute_script(met)
    browser.execute_script("document.querySelector('[data-testid=stMain]').scrollTo(0, 40)")
    assert not browser.execute_script(met)
    # The way on stays above it.
    assert browser.execute_script(met.replace("way-views a", "way-on a"))


@pytest.mark.parametrize("address", ["recode?example=toy", "lessons", "glossary"])
def test_the_tab_key_stops_at_no_heading(browser, app_url, address):
    """Streamlit puts a link to itself into each, which nobody needs here: the page is linked by Copy link."""
    drive.open_app(browser, f"{app_url}/{address}")
    stops = """
        const stops = [...document.querySelectorAll(':is(h1, h2, h3, h4, h5, h6) a, [data-testid="stHeading"] a')];
        return [document.querySelectorAll('[data-testid="stHeading"]').length,
            stops.filter(one => one.checkVisibility() && one.tabIndex >= 0).map(one => one.outerHTML.slice(0, 99))];
    """
    headings, found = browser.execute_script(stops)
    assert headings
    assert found == []
