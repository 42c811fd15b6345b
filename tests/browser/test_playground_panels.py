"""What opens on the playground: why a cell is so, the steps, the keys; the grids stay large and readable."""

import re
from itertools import pairwise

import pytest
from selenium.webdriver.common.keys import Keys

import drive
import touch
from playing import open_playground


def test_escape_closes_a_cells_panel_wherever_the_focus_is(browser, app_url):
    open_playground(browser, app_url)
    touch.ask_why(browser, 13)
    touch.until(browser, "return root.querySelector('.panel').hidden === false")
    touch.run(browser, "root.querySelector('.attacker [data-cell=\"13\"]').focus()")
    touch.keys(browser, Keys.ESCAPE)
    touch.until(browser, "return root.querySelector('.panel').hidden")
    # So it does where the focus is nowhere, as after a click beside the pictures.
    touch.ask_why(browser, 13)
    touch.until(browser, "return root.querySelector('.panel').hidden === false")
    browser.execute_script("document.activeElement.blur()")
    touch.keys(browser, Keys.ESCAPE)
    touch.until(browser, "return root.querySelector('.panel').hidden")


def test_while_somebody_is_dragged_no_old_reason_stands_beside_the_new_number(browser, app_url):
    """The panel said "exactly one person, for certain" while the cell beside it said 0-1."""
    open_playground(browser, app_url)
    touch.ask_why(browser, 0)
    told = "return root.querySelector('.panel').innerText"
    high = "return root.querySelector('.panel').offsetHeight"
    touch.until(browser, "return root.querySelectorAll('.facts li').length")
    assert "exactly one person, for certain" in touch.run(browser, told)
    before = touch.run(browser, high)
    touch.drag(browser, 1, 8, held=True)
    touch.until_scene(browser, "toy-k3-m1.8")
    assert "exactly one person, for certain" not in touch.read(browser)["labels"][0]
    # What is invisible has no text here; nothing jumps, and no old reason is lit.
    assert touch.run(browser, told).split() == ["✕", "Let", "go", "to", "see", "why."]
    assert touch.run(browser, high) == before
    lit = (
        "return [...root.querySelectorAll('.light, .letter')].filter(e => e.matches('.light') || e.textContent).length"
    )
    assert touch.run(browser, lit) == 0
    drive.picture(browser, "playground-why-dragged")
    touch.release(browser, 8)
    touch.until(browser, "return root.querySelector('.panel:not(.stale) .facts li')")
    assert "exactly one person, for certain" not in touch.run(browser, told)


@pytest.mark.exhaustive
def test_why_lights_up_boxes_and_opens_the_arithmetic(browser, app_url):
    open_playground(browser, app_url)
    touch.ask_why(browser, 0)
    touch.until(browser, "return root.querySelectorAll('.facts li').length")
    # The first reason is in the picture at once; then whichever is read, also when the focus has gone on.
    lit = """
        const place = [...root.querySelectorAll('.facts li')].findIndex(e => e.className === 'read');
        return [place, root.querySelector('.light').outerHTML];
    """
    first, box = touch.run(browser, lit)
    assert (first, touch.run(browser, "return root.querySelectorAll('.light').length")) == (0, 2)
    touch.run(
        browser, "const facts = [...root.querySelectorAll('.facts li')]; facts.at(-1).focus(); facts.at(-1).blur()"
    )
    last, other = touch.run(browser, lit)
    assert last == touch.run(browser, "return root.querySelectorAll('.facts li').length") - 1
    assert other != box
    touch.press(browser, "Show the arithmetic")
    touch.until(browser, "return root.querySelectorAll('.equation').length > 2")
    letters = touch.run(browser, "return [...root.querySelectorAll('.attacker .letter')].map(e => e.textContent)")
    assert letters[0] == "x"
    drive.picture(browser, "playground-why")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_one_button_leads_through_all_reasons_and_brings_each_in_sight(browser, app_url, width, height):
    drive.set_screen(browser, width, height)
    open_playground(browser, app_url)
    touch.run(browser, "root.querySelector('.attacker .cell').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    number = touch.until(browser, "return root.querySelectorAll('.facts li').length")
    assert number > 5
    # Which one is read and lit, how much of it is out of sight or covered by the button, and what the button says.
    state = """
        const parts = ['.panel', '.next', '.facts .read', '.attacker .picture'].map(css => root.querySelector(css));
        const [panel, button, item, grid] = parts.map(e => e.getBoundingClientRect());
        const top = root.matches('.stacked') ? grid.bottom : panel.top, bottom = Math.min(innerHeight, panel.bottom);
        const out = Math.max(0, top - item.top, item.bottom - button.top, button.bottom - bottom);
        return [[...parts[2].parentNode.children].indexOf(parts[2]), Math.floor(out), parts[1].textContent];
    """
    for place in range(1, number):
        assert (
            touch.run(browser, "return root.querySelector('.next').textContent")
            == f"Next reason: {place + 1} of {number}"
        )
        touch.press(browser, "Next reason")
        assert touch.run(browser, state)[:2] == [place, 0]
    assert touch.run(browser, state)[2] == f"First reason: 1 of {number}"
    touch.press(browser, "First reason")
    assert touch.run(browser, state)[:2] == [0, 0]


@pytest.mark.exhaustive
def test_the_steps_only_ever_rule_out_and_show_the_truth(browser, app_url):
    open_playground(browser, app_url)
    touch.press(browser, "Steps")
    left, texts, whole = [], [], []
    for stop in range(1, 6):
        touch.press(browser, f"{stop}. ")
        texts.append(touch.until(browser, "return root.querySelector('.stop strong')?.textContent"))
        whole.append(touch.run(browser, "return root.querySelector('.stop').textContent"))
        unit = "One table: one way to give all people exact values."
        assert touch.run(browser, "return root.querySelector('.panel .where').textContent") == unit
        cells = touch.run(
            browser, "return [...root.querySelectorAll('.attacker .texts .main')].map(e => e.textContent)"
        )
        left.append([int(text.split("\N{EN DASH}")[-1]) for text in cells])
    assert all(one >= other for before, after in pairwise(left) for one, other in zip(before, after, strict=True))
    assert len(set(texts)) == 4  # the order alone rules out nothing
    # Fewer than what: than in the step before, and from the second that rules out on than in all before.
    since = [re.findall("times fewer than in step ([0-9])", text) for text in whole]
    assert since == [[], [], ["2"], ["3", "1"], ["4", "1"]]
    touch.run(browser, "root.querySelector('.truth input').click()")
    touch.until(browser, "return root.querySelectorAll('.attacker .dot').length === 36")
    drive.picture(browser, "playground-steps")


@pytest.mark.exhaustive
def test_the_sentence_counts_what_glows_at_every_step(browser, app_url):
    open_playground(browser, app_url)
    glowing = []
    for part in (-2, 5, -1):
        touch.press(browser, "Steps") if part == -2 else touch.run(
            browser,
            "const select = root.querySelector('select'); select.value = arguments[0];"
            "select.dispatchEvent(new Event('change'))",
            str(part),
        )
        for stop in range(1, 6):
            touch.until(browser, "return root.querySelector('.stop strong')")
            touch.press(browser, f"{stop}. ")
            shown = touch.read(browser)
            number = len(shown["certain"])
            who = "Nobody stands" if not number else "1 person stands" if number == 1 else f"{number} people stand"
            assert shown["said"].startswith(f"{who} alone for certain"), (part, stop)
            assert touch.run(browser, "return root.querySelector('.glows').classList.contains('gone')") == (not number)
            glowing.append(number)
    # All together, then box 5 and the suppressed: each gives one person away, at the last step only.
    assert glowing == [0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


WIDTH = "return root.querySelector('.attacker .picture').getBoundingClientRect().width"
# The panel's bottom, and the smallest type of what can be read in both grids, in pixels.
BELOW = "return root.querySelector('.panel').getBoundingClientRect().bottom"
SMALLEST = """
    const read = [...root.querySelectorAll('.axes text, .texts text, .tagtext')].filter(e => e.textContent);
    return Math.min(...read.map(e => parseFloat(getComputedStyle(e).fontSize)));
"""


def test_what_opens_at_a_projector_moves_no_grid_and_leaves_their_type_readable(browser, app_url):
    drive.set_screen(browser, 1280, 720)
    open_playground(browser, app_url)
    drive.wait_until_idle(browser)
    places = """return [...root.querySelectorAll('.picture')].map(picture => {
        const box = picture.getBoundingClientRect();
        return [box.left, box.top, box.width, box.height];
    });"""
    before = touch.until(browser, places)
    assert touch.run(browser, SMALLEST) >= 14
    for opener, inside in (("Steps", ".stop"), ("Challenges", ".challenges"), ("why", ".facts li")):
        touch.ask_why(browser, 0) if opener == "why" else touch.press(browser, opener)
        touch.until(browser, f"return root.querySelector('.panel {inside}')")
        assert touch.run(browser, places) == before, opener
        assert touch.run(browser, SMALLEST) >= 14, opener
        assert touch.run(browser, BELOW) <= 720, opener
    width = touch.run(browser, WIDTH)
    touch.press(browser, "Table")
    touch.until(browser, "return root.querySelector('.panel table')")
    assert touch.run(browser, WIDTH) >= 2 / 3 * width  # the table is wide: it stands below
    assert touch.run(browser, SMALLEST) >= 12


def test_on_a_telephone_nothing_in_the_pictures_is_smaller_than_twelve_pixels(browser, app_url):
    drive.set_screen(browser, 390, 844)
    open_playground(browser, app_url)
    drive.wait_until_idle(browser)
    assert touch.run(browser, SMALLEST) >= 12
    # All eight boxes have their numbers there, and each chance stands below its range.
    assert touch.run(browser, "return [...root.querySelectorAll('.tagtext')].filter(e => e.textContent).length") == 16
    below = "return [...root.querySelectorAll('.attacker .sub')].filter(e => e.textContent).map(e => e.textContent)"
    assert touch.run(browser, below).count("certain") == 2
    assert sum(one.endswith(" %") for one in touch.run(browser, below)) == 5


def test_on_a_telephone_what_is_found_stays_in_sight_while_people_are_moved(browser, app_url):
    """Below it are both grids, whose lower one is seen only where the page is scrolled."""
    drive.set_screen(browser, 390, 844)
    open_playground(browser, app_url)
    drive.wait_until_idle(browser)
    scrolled, seen = touch.run(
        browser,
        """const main = document.querySelector('[data-testid="stMain"]');
        main.scrollTo(0, main.scrollHeight);
        const lines = [...root.querySelectorAll('h2 span, h2 strong')].flatMap(e => [...e.getClientRects()]);
        const on = box => shadow.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return [main.scrollTop, lines.map(box => on(box)?.closest('h2') !== null)];""",
    )
    assert scrolled > 60
    assert len(seen) >= 2
    assert all(seen)


def test_what_stands_in_the_ways_to_fill_a_box_can_be_read(browser, app_url):
    open_playground(browser, app_url)
    touch.run(browser, "root.querySelectorAll('.legend button')[6].click()")
    touch.until(browser, "return root.querySelector('.ghosts text')")
    sizes, outside = touch.run(
        browser,
        """const texts = [...root.querySelectorAll('.ghosts text')];
        const over = e => { const [own, all] = [e, e.ownerSVGElement].map(one => one.getBoundingClientRect());
            return own.left < all.left || own.right > all.right; };
        return [texts.map(e => parseFloat(getComputedStyle(e).fontSize)), texts.filter(over).length];""",
    )
    assert min(sizes) >= 12
    assert outside == 0


def test_the_legend_says_what_no_person_and_a_range_are_where_they_are_drawn(browser, app_url):
    open_playground(browser, app_url)
    drive.wait_until_idle(browser)
    seen = """return [...root.querySelectorAll('.foot p')].filter(e => getComputedStyle(e).visibility === 'visible')
        .map(e => e.textContent)"""
    assert touch.run(browser, seen)[:2] == ["1 exactly one person", "0 nobody"]
    touch.press(browser, "Steps")
    touch.until(browser, "return root.querySelector('.stop strong')")
    for stop in range(1, 6):
        touch.press(browser, f"{stop}. ")
        cells = touch.run(browser, "return [...root.querySelectorAll('.attacker .main')].map(e => e.textContent)")
        legend = touch.run(browser, seen)
        assert ("0 nobody" in legend) == ("0" in cells), stop
        ranges = [one for one in cells if "\N{EN DASH}" in one]
        # One key stands for all ranges: one that is drawn, and how to read it.
        key = [one.partition(": from ") for one in legend if ": from " in one]
        assert len(key) == bool(ranges), stop
        assert all(one in ranges and said == one.replace("\N{EN DASH}", " to ") + " people" for one, _, said in key)


def test_at_a_projector_nothing_scrolls_and_the_keys_stand_over_the_grid_that_has_the_keyboard(browser, app_url):
    drive.set_screen(browser, 1280, 720)
    open_playground(browser, app_url)
    drive.wait_until_idle(browser)
    over = "return [...root.querySelectorAll('figcaption')].map(caption => caption.innerText.trim())"
    titles = touch.run(browser, over)
    touch.run(browser, "[...root.querySelectorAll('.tools button:not([hidden])')].at(-1).focus()")
    touch.keys(browser, Keys.TAB)
    assert touch.run(browser, over) == ["Arrows: choose. Shift + arrows: move. Enter: why. Delete: out", titles[1]]
    touch.keys(browser, Keys.TAB)
    assert touch.run(browser, over) == [titles[0], "Arrows: choose. Enter: why"]
    main = "const main = document.querySelector('[data-testid=stMain]'); return main.scrollHeight - main.clientHeight"
    assert browser.execute_script(main) == 0


def test_a_chance_is_written_one_way_and_said_once_to_be_supposed(browser, app_url):
    open_playground(browser, app_url)
    touch.press(browser, "Table")
    rows = touch.until(
        browser, "return [...root.querySelectorAll('.panel tbody tr')].map(row => row.lastElementChild.textContent)"
    )
    cells = touch.run(browser, "return [...root.querySelectorAll('.attacker .texts .sub')].map(e => e.textContent)")
    assert [cell for cell in cells if cell] == [row for row in rows if row != "0 %"]
    supposed = "return root.innerText.split('if all tables that are left are equally likely').length - 1"
    assert touch.run(browser, supposed) == 1
    # While the steps are looked at, no chance is in sight.
    touch.press(browser, "Steps")
    touch.until(browser, "return root.querySelector('.panel .stop')")
    assert touch.run(browser, supposed) == 0


@pytest.mark.exhaustive
def test_a_reason_leaves_the_grids_large_and_begins_with_a_sentence(browser, app_url):
    drive.set_screen(browser, 1440, 900)
    open_playground(browser, app_url)
    before = touch.run(browser, WIDTH)
    touch.ask_why(browser, 0)
    touch.until(browser, "return root.querySelectorAll('.facts li').length")
    assert touch.run(browser, WIDTH) >= 0.7 * before
    assert touch.run(browser, BELOW) <= 900
    # First comes a sentence, not a choice.
    first = touch.run(browser, "return [...root.querySelectorAll('.panel .plainly, .panel .choice')][0].className")
    assert first == "plainly"
    # Then the reasons in the publisher's own order; other orders of boxes that cost the same stay folded behind it.
    kinds = "return [...root.querySelectorAll('.panel .facts, .panel details')].map(e => e.localName + Boolean(e.open))"
    assert touch.run(browser, kinds) == ["olfalse", "detailsfalse"]
    assert touch.run(browser, "return root.querySelectorAll('.panel .choice').length") == 1
    reasons = "return root.querySelector('.panel .facts').innerText"
    own = touch.run(browser, reasons)
    touch.run(browser, "root.querySelector('.panel summary').click()")
    touch.run(browser, "root.querySelector('.panel details [data-name=way1]').click()")
    assert touch.run(browser, reasons) != own
    assert touch.run(browser, "return root.querySelector('.panel details').open")


@pytest.mark.exhaustive
def test_boxes_of_one_colour_look_different_and_the_link_has_the_sliders_k(browser, app_url):
    drive.open_app(browser, app_url)
    drive.press(browser, "Publish the toy, step by step")
    drive.open_page(browser, "Playground")
    touch.settled(browser)
    touch.run(browser, "root.querySelector('.k input').focus()")
    touch.keys(browser, Keys.ARROW_LEFT)
    touch.until_scene(browser, "toy-k2")
    touch.read(browser)
    # Of each box its frame, its entry in the legend and its people have one colour; the second box of a colour has
    # a framed entry, and open rings as people.
    chips, frames, dots = touch.run(
        browser,
        """const own = e => e.style.getPropertyValue('--own');
        const people = [...root.querySelectorAll('.publisher .dot')].map(e =>
            [e.getAttribute('aria-label').match(/box (\\d+)$/)?.[1], own(e), e.classList.contains('hollow')]);
        const entries = [...root.querySelectorAll('.legend button')];
        return [entries.map(e => [e.dataset.number, own(e), e.className === 'round1']),
            [...root.querySelectorAll('.publisher .box:not(.fresh)')].map(e =>
                [e.dataset.number, e.getAttribute('stroke'), e.dataset.round === '1']),
            people.filter(([number]) => number)];""",
    )
    boxes = [chip for chip in chips if int(chip[0]) >= 0]
    assert len(boxes) > 8
    assert len({(colour, again) for _, colour, again in boxes}) == len(boxes)
    assert sorted(frames) == sorted(boxes)
    assert {tuple(dot) for dot in dots} == {tuple(box) for box in boxes}
    drive.wait_until_idle(browser)
    assert "k = 3" not in drive.text(browser)
    drive.press(browser, "Copy link")
    (code,) = drive._wait(browser, lambda: drive._all(browser, "[data-testid='stCode']"), "the link is not shown")
    assert code.text.endswith("/playground?example=toy&scene=toy-k2")
