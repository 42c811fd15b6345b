"""The playground in a real browser: drawn as the engine says, complete at first sight, solved by hand and keyboard."""

import math
import random
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver.common.keys import Keys

import drive
import touch
from cra_dashboard import palette
from cra_dashboard.playground.tables import tables
from cra_dashboard.session import datasets
from cra_engine.words import spanned
from scenes import expected, rows_of
from test_access import findings

ARROWS = (Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_DOWN)


def open_playground(browser, app_url, query=""):
    drive.open_app(browser, f"{app_url}/playground{query}")
    return touch.settled(browser)


def assert_is_the_engines(shown):
    """Cells, boxes, counts and certain cells of the page against direct calls of the engine."""
    name, k = shown["scene"].split("-")[:2]
    study = datasets.example("toy")[1].with_k(int(k[1:]))
    known = expected(rows_of(shown["scene"], tables()[name], study), study)
    assert shown["cells"] == [str(low) if low == high else f"{low}\N{EN DASH}{high}" for low, high, _ in known["cells"]]
    assert shown["certain"] == known["certain"]
    number = len(known["certain"])
    who = "Nobody is" if not number else "1 person is" if number == 1 else f"{number} people are"
    assert shown["said"] == f"{who} known for certain, from the published table alone."
    for label, (low, high, chance) in zip(shown["labels"], known["cells"], strict=True):
        if low != high:
            assert f"{spanned(low, high)} people, exactly one with " in label
            assert abs(float(label.split("exactly one with ")[1].split("%")[0]) - 100 * chance) <= 1
    legend = [f"Box {place}, {size} people: " for place, size in enumerate(known["sizes"])]
    assert len(shown["legend"]) == len(legend) + bool(known["suppressed"])
    assert all(text.startswith(start) for text, start in zip(shown["legend"], legend, strict=False))
    for side in ("publisher", "attacker"):
        drawn = {int(number): list(map(float, box)) for number, *box, _ in shown[side]}
        assert sorted(drawn) == list(range(len(legend)))
        for place, (left, right, low, high) in enumerate(known["boxes"]):
            x, y, width, height = drawn[place]
            middle = {
                cell
                for cell, (cx, cy, cw, ch) in enumerate(shown["rects"])
                if x < cx + cw / 2 < x + width and y < cy + ch / 2 < y + height
            }
            assert middle == {4 * across + up for across in range(left, right) for up in range(low, high)}
    assert [box[0:1] + box[5:] for box in shown["publisher"]] == [box[0:1] + box[5:] for box in shown["attacker"]]
    boxes = [label.rsplit(", ", 1)[1].removeprefix("in no box: ") for label in shown["people"]]
    assert boxes.count("suppressed") == known["suppressed"]
    for place, size in enumerate(known["sizes"]):
        assert boxes.count(f"box {place}") == size


def play(browser, scenes, seed):
    """Change the scene by keyboard again and again, and compare each time."""
    rng = random.Random(seed)
    for _ in range(scenes):
        act = rng.random()
        if act < 0.1:
            browser.execute_script(touch.FIND + "root.querySelector('.k input').focus()")
            touch.keys(browser, rng.choice([Keys.ARROW_LEFT, Keys.ARROW_RIGHT]))
        elif act < 0.2:
            touch.run(browser, "[...root.querySelectorAll('.tools button')].find(e => e.textContent === 'Add').focus()")
            touch.keys(browser, Keys.ENTER)
        else:
            people = touch.run(
                browser, "return [...root.querySelectorAll('.publisher .dot')].map(e => e.dataset.person)"
            )
            touch.take(browser, rng.choice(people))
            if act < 0.3 and len(people) > 20:
                touch.keys(browser, Keys.DELETE)
            elif act < 0.37:
                touch.keys(browser, Keys.CONTROL + "z")
                touch.run(browser, "return 0")
            else:
                touch.keys(browser, *(Keys.SHIFT + rng.choice(ARROWS) for _ in range(rng.randint(1, 3))))
        touch.settled(browser)
        touch.until(browser, "return !root.querySelector('h2').textContent.includes('ran out')")  # a slow machine
        assert_is_the_engines(touch.read(browser))


def test_every_picture_is_the_engines(browser, app_url):
    open_playground(browser, app_url)
    play(browser, 12, 1)


@pytest.mark.exhaustive
def test_a_hundred_pictures_are_the_engines(browser, app_url):
    open_playground(browser, app_url)
    play(browser, 100, 2)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1920, 1080), (390, 844)])
def test_the_first_screen_is_complete_without_scrolling(browser, app_url, width, height):
    drive.set_screen(browser, width, height)
    open_playground(browser, app_url)
    for scheme in ("light", "dark"):
        drive.set_colours(browser, scheme)
        drive.wait_until_idle(browser)
        assert drive.too_wide(browser) == 0
        outside = touch.run(
            browser,
            """
            const parts = [...root.querySelectorAll('h2, .tools, .tools button, .picture, figcaption, .legend button')];
            return parts.filter(part => part.offsetParent !== null || part.tagName === 'svg').map(part => {
                const box = part.getBoundingClientRect();
                return [part.textContent.slice(0, 30), box.left, box.top, box.right, box.bottom];
            }).filter(([, x0, y0, x1, y1]) => x0 < 0 || y0 < 0 || x1 > innerWidth || y1 > innerHeight);
            """,
        )
        assert outside == []
        sizes = touch.run(
            browser, "return [...root.querySelectorAll('.picture')].map(e => e.getBoundingClientRect().width)"
        )
        assert sizes[0] == sizes[1] >= (240 if width == 390 else 450)
        assert touch.read(browser)["said"].startswith("2 people are known for certain")
        assert touch.read(browser)["certain"] == [0, 4]
        drive.picture(browser, f"playground-{width}-{scheme}")


def test_a_drag_moves_what_changes_and_makes_nothing_anew(browser, app_url):
    open_playground(browser, app_url)
    touch.run(browser, "window.nodes = [...root.querySelectorAll('.dot, .cell')]")
    touch.drag(browser, 1, 8)
    shown = touch.until_scene(browser, "toy-k3-m1.8") and touch.read(browser)
    assert_is_the_engines(shown)
    assert touch.run(browser, "return [...root.querySelectorAll('.dot, .cell')].every((e, i) => e === window.nodes[i])")
    touch.press(browser, "Undo")
    touch.until_scene(browser, "toy-k3")
    assert_is_the_engines(touch.read(browser))


def test_a_number_has_its_colour_of_every_page_once_a_move_ends(browser, app_url):
    open_playground(browser, app_url)
    before = touch.read(browser)["colours"]
    touch.drag(browser, 1, 8, held=True)
    touch.until_scene(browser, "toy-k3-m1.8")
    # While somebody is held, a box that stays keeps its colour.
    moving = touch.read(browser)["colours"]
    stayed = set(before) & set(moving)
    assert len(stayed) > 2
    assert all(before[box] == moving[box] for box in stayed)
    touch.release(browser, 8)
    numbered = """
        const boxes = [...root.querySelectorAll('.publisher .box:not(.fresh)')];
        return boxes.map(e => [Number(e.dataset.number), e.getAttribute('stroke'), e.dataset.round === '1']).sort();
    """
    for _ in range(3):
        drawn = touch.run(browser, numbered)
        assert drawn == [[number, palette.of_class(number), palette.again(number)] for number in range(len(drawn))]
        touch.take(browser, 4)
        touch.keys(browser, Keys.SHIFT + Keys.ARROW_UP)
        touch.settled(browser)
        touch.read(browser)


def test_tab_stops_once_at_each_grid_and_arrow_keys_reach_everybody(browser, app_url):
    open_playground(browser, app_url)
    focused = "return shadow.activeElement?.dataset"
    touch.run(browser, "[...root.querySelectorAll('.tools button:not([hidden])')].at(-1).focus()")
    touch.keys(browser, Keys.TAB)
    reached = {touch.run(browser, focused)["person"]}
    for _ in range(35):
        touch.keys(browser, Keys.ARROW_RIGHT)
        reached.add(touch.run(browser, focused)["person"])
    assert len(reached) == 36
    touch.keys(browser, Keys.ARROW_RIGHT)  # the last one
    last = touch.run(browser, focused)["person"]
    assert last in reached
    row = "return Number(root.querySelector('.publisher .dot:focus').ariaLabel.match(/weight (\\d+)/)[1])"
    assert touch.run(browser, row) == 40
    for weight in (60, 80, 100, 100):
        touch.keys(browser, Keys.ARROW_UP)
        assert touch.run(browser, row) == weight
    chosen = touch.run(browser, focused)["person"]
    touch.keys(browser, Keys.TAB)
    assert touch.run(browser, focused)["cell"] == "0"
    touch.keys(browser, Keys.TAB)
    assert touch.run(browser, focused)["number"] == "0"  # the legend
    touch.keys(browser, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert touch.run(browser, focused)["number"] == "1"
    touch.keys(browser, Keys.TAB)
    assert "number" not in (touch.run(browser, focused) or {})  # all of it is one stop
    touch.keys(browser, Keys.SHIFT + Keys.TAB)
    assert touch.run(browser, focused)["number"] == "1"
    touch.keys(browser, Keys.SHIFT + Keys.TAB, Keys.SHIFT + Keys.TAB)
    assert touch.run(browser, focused)["person"] == chosen
    # Each part of the screen is a region or begins with a heading.
    parts = touch.run(
        browser,
        "return [...root.querySelectorAll('h2, section[aria-label], h3')].map(e => e.ariaLabel ?? e.textContent)",
    )
    assert parts[1:5] == [
        "What to do",
        "What the publisher has: drag a person",
        "What anybody works out: people in each cell (click one)",
        "Legend",
    ]


def test_a_finger_drags_too(browser, app_url):
    drive.set_screen(browser, 390, 844)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        open_playground(browser, app_url)
        touch.drag(browser, 1, 4, touch=True)
        touch.until_scene(browser, "toy-k3-m1.4")
        assert_is_the_engines(touch.read(browser))
        # Keys are named to those who press some, and no number of a box is drawn over who was moved.
        assert touch.run(browser, "return root.querySelector('.publisher figcaption').innerText") == (
            "What the publisher has: drag a person"
        )
        over = """
            const [names, tags] = ['.name', '.tags *'].map(css => [...root.querySelectorAll(`.publisher ${css}`)]);
            const later = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
            const on = name => name.textContent && name.checkVisibility() && tags.every(tag => later(tag, name));
            return names.filter(on).map(name => name.textContent);
        """
        assert touch.run(browser, over) == [tables()["toy"]["people"][1]["name"]]
        touch.keys(browser, Keys.ARROW_RIGHT)
        assert "Shift + arrows" in touch.run(browser, "return root.querySelector('.publisher figcaption').innerText")
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


@pytest.mark.exhaustive
def test_the_address_opens_the_same_scene_again(browser, app_url):
    open_playground(browser, app_url)
    touch.drag(browser, 1, 4)
    touch.until_scene(browser, "toy-k3-m1.4")
    touch.run(browser, "root.querySelector('.attacker [data-cell=\"13\"]').focus()")
    touch.keys(browser, Keys.ENTER)
    touch.until(browser, "return root.querySelector('.panel h3')?.textContent.includes('This cell holds')")
    drive.wait_until_idle(browser)
    assert parse_qs(urlsplit(browser.current_url).query)["scene"] == ["toy-k3-m1.4~w13"]
    said = touch.until(browser, "return root.querySelector('.panel').innerText")
    address = browser.current_url
    browser.get("about:blank")
    drive.open_app(browser, address)
    touch.until_scene(browser, "toy-k3-m1.4")
    touch.until(browser, "return root.querySelector('.panel h3')?.textContent.includes('This cell holds')")
    assert touch.run(browser, "return root.querySelector('.panel').innerText") == said


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


@pytest.mark.exhaustive
def test_the_steps_only_ever_rule_out_and_show_the_truth(browser, app_url):
    open_playground(browser, app_url)
    touch.press(browser, "Steps")
    left, texts = [], []
    for stop in range(1, 6):
        touch.press(browser, f"{stop}. ")
        texts.append(touch.until(browser, "return root.querySelector('.stop strong')?.textContent"))
        unit = "One table: one way to give all people exact values."
        assert touch.run(browser, "return root.querySelector('.panel .where').textContent") == unit
        cells = touch.run(
            browser, "return [...root.querySelectorAll('.attacker .texts .main')].map(e => e.textContent)"
        )
        left.append([int(text.split("\N{EN DASH}")[-1]) for text in cells])
    assert all(one >= other for before, after in pairwise(left) for one, other in zip(before, after, strict=True))
    assert len(set(texts)) == 4  # the order alone rules out nothing
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
            who = "Nobody is" if not number else "1 person is" if number == 1 else f"{number} people are"
            assert shown["said"].startswith(f"{who} known for certain"), (part, stop)
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


def start_challenge(browser, title):
    if not touch.run(browser, "return Boolean(root.querySelector('.challenges'))"):
        touch.press(browser, "Challenges")
    touch.until(browser, "return root.querySelector('.challenges')")
    touch.run(
        browser,
        "[...root.querySelectorAll('.challenges button')].find(e => e.textContent.includes(arguments[0])).click()",
        title,
    )
    touch.until(browser, "return root.querySelector('.task')")
    touch.settled(browser)


def check(browser):
    touch.press(browser, "Check")
    return touch.verdict(browser)


def test_all_challenges_are_solved_and_wrong_answers_told_why(browser, app_url):
    open_playground(browser, app_url)
    start_challenge(browser, "Protect Anna")
    assert "Nothing has changed yet" in check(browser)
    touch.drag(browser, 2, 0)
    touch.until(browser, "return root.querySelector('.verdict.wrong')?.textContent.includes('everybody stays')")
    touch.press(browser, "Add")
    touch.until_scene(browser, "toy-k3")
    touch.run(
        browser,
        "const slider = root.querySelector('.k input'); slider.value = 4;"
        "slider.dispatchEvent(new Event('input', {bubbles: true}))",
    )
    touch.until_scene(browser, "toy-k4")
    assert "Solved" in check(browser)

    start_challenge(browser, "The k that gives her away")
    touch.until_scene(browser, "many-k8")
    assert "Nothing has changed yet" in check(browser)
    for k, said in ((6, "not given away"), (4, "Solved")):
        touch.run(
            browser,
            "const slider = root.querySelector('.k input'); slider.value = arguments[0];"
            "slider.dispatchEvent(new Event('input', {bubbles: true}))",
            k,
        )
        touch.until_scene(browser, f"many-k{k}")
        assert said in check(browser)

    start_challenge(browser, "Six are enough")
    touch.until_scene(browser, "six-k2")
    assert "Nothing has changed yet" in check(browser)
    touch.drag(browser, 0, 5)
    touch.until_scene(browser, "six-k2-m0.5")
    assert "Not yet" in check(browser)
    touch.press(browser, "Undo")
    touch.until_scene(browser, "six-k2")
    touch.drag(browser, 0, 1)
    touch.until_scene(browser, "six-k2-m0.1")
    assert "Solved" in check(browser)

    start_challenge(browser, "Make a box steal")
    touch.until_scene(browser, "nine-k3")
    assert "Nothing has changed yet" in check(browser)
    touch.drag(browser, 0, 1)
    touch.until_scene(browser, "nine-k3-m0.1")
    assert "lie apart" in check(browser)
    touch.drag(browser, 0, 8)
    touch.until_scene(browser, "nine-k3-m0.8")
    assert "Solved" in check(browser)
    assert touch.until(browser, "return root.querySelector('.panel h3').textContent") == "Challenges: 4 of 4 solved"


@pytest.mark.exhaustive
def test_the_keyboard_alone_solves_a_challenge(browser, app_url):
    open_playground(browser, app_url)
    touch.tab_to(browser, "at.textContent === 'Challenges'")
    touch.keys(browser, Keys.ENTER)
    touch.tab_to(browser, "at.textContent === 'Six are enough'")
    touch.keys(browser, Keys.ENTER)
    touch.until_scene(browser, "six-k2")
    touch.tab_to(browser, "at.dataset.person", Keys.SHIFT + Keys.TAB)  # back to the people
    for _ in range(6):
        if touch.run(browser, "return shadow.activeElement.dataset.person === '0'"):
            break
        touch.keys(browser, Keys.ARROW_RIGHT)
    touch.keys(browser, Keys.SHIFT + Keys.ARROW_UP)
    touch.until_scene(browser, "six-k2-m0.1")
    touch.tab_to(browser, "at.textContent === 'Check'")
    touch.keys(browser, Keys.ENTER)
    assert "Solved" in touch.verdict(browser)


@pytest.mark.exhaustive
def test_axe_finds_nothing_serious_whatever_is_open(browser, app_url):
    drive.set_screen(browser, 1440, 900)
    open_playground(browser, app_url)
    for scheme in ("light", "dark"):
        drive.set_colours(browser, scheme)
        for panel in ("", "Steps", "Challenges", "Table"):
            if panel:
                touch.press(browser, panel)
            drive.wait_until_idle(browser)
            assert findings(browser) == [], (scheme, panel)
        touch.press(browser, "Table")
    touch.ask_why(browser, 0)
    touch.until(browser, "return root.querySelectorAll('.facts li').length")
    touch.press(browser, "Show the arithmetic")
    assert findings(browser) == []


@pytest.mark.exhaustive
def test_less_motion_means_none(browser, app_url):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    open_playground(browser, app_url)
    moving = touch.run(
        browser,
        """
        return [...root.querySelectorAll('*')].filter(element => {
            const style = getComputedStyle(element);
            return parseFloat(style.transitionDuration) > 0.01 || style.animationName !== 'none';
        }).length;
        """,
    )
    assert moving == 0


CANARY = "qzx7"


def test_an_uploaded_table_stays_in_its_session_and_out_of_the_address(browser, app_url, tmp_path):
    rng = random.Random(5)
    rows = "\n".join(f"{rng.randrange(80)},{rng.randrange(80)},{CANARY}name{n}" for n in range(30))
    (tmp_path / f"{CANARY}.csv").write_text(f"age {CANARY},weight {CANARY},who\n{rows}\n", encoding="utf-8")
    attribute = '[[attribute]]\nname = "{}"\nlower = 0\nupper = 80\nlayers = 3\n'
    (tmp_path / "study.toml").write_text(
        "k = 3\n" + attribute.format(f"age {CANARY}") + attribute.format(f"weight {CANARY}"), encoding="utf-8"
    )
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Data")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", tmp_path / f"{CANARY}.csv")
    drive.open_page(browser, "Hierarchies")
    drive.unfold(browser, "Study file")
    drive.upload(browser, "Study file (TOML), with the hierarchy files that it names", tmp_path / "study.toml")
    drive.open_page(browser, "Playground")
    touch.until_scene(browser, "toy-k3")
    drive.unfold(browser, "Play with the table of this session")
    drive.choose(browser, "Table", f"{CANARY}.csv")
    touch.until_scene(browser, r"own0\.1-k3")
    assert CANARY in touch.run(browser, "return root.textContent")
    touch.take(browser, 0)
    touch.keys(browser, Keys.SHIFT + Keys.ARROW_UP, Keys.SHIFT + Keys.ARROW_RIGHT)
    touch.until_scene(browser, r"own0\.1-k3.*-m0\.\d+")
    drive.wait_until_idle(browser)
    address = urlsplit(browser.current_url)
    assert (address.query, address.fragment) == ("", "")
    assert drive.outside_addresses(browser) == []
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert not [name for name in loaded if CANARY in name]
    drive.assert_no_exception(browser)

    # Another session sees nothing of it.
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    try:
        open_playground(browser, app_url)
        assert CANARY not in drive.text(browser) + touch.run(browser, "return root.textContent")
        assert touch.run(browser, "return root.dataset.scene") == "toy-k3"
    finally:
        browser.close()
        browser.switch_to.window(first)
    assert CANARY in touch.run(browser, "return root.textContent")


def test_nothing_goes_wrong_in_the_console_and_nothing_leaves_the_machine(browser, app_url):
    open_playground(browser, app_url)
    for cell in (4, 8, 9, 5, 6, 7):
        touch.drag(browser, 7, cell)
    for panel in ("Steps", "Challenges", "Table"):
        touch.press(browser, panel)
    drive.wait_until_idle(browser)
    assert [error for error in drive.console_errors(browser) if "/playground/_stcore/" not in error] == []
    assert drive.outside_addresses(browser) == []
    # Gone to another page and back: the scene is still there.
    scene = touch.settled(browser)
    drive.open_page(browser, "Lessons")
    drive.open_page(browser, "Playground")
    assert touch.settled(browser) == scene
    assert_is_the_engines(touch.read(browser))


def test_on_a_telephone_numbers_stay_readable_with_a_why_open(browser, app_url):
    drive.set_screen(browser, 390)
    drive.open_app(browser, f"{app_url}/playground")
    touch.settled(browser)
    likely = touch.run(browser, "return [...root.querySelectorAll('.attacker .sub')].map(e => e.textContent)")
    assert [text for text in likely if text.endswith(" %")]
    sizes = "return [...root.querySelectorAll('.picture')].map(e => e.getBoundingClientRect().width)"
    before = touch.run(browser, sizes)
    touch.run(browser, "root.querySelector('.attacker .cell').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    touch.until(browser, "return root.matches('.stacked.opened')")
    # Once they have moved there.
    touch.until(
        browser,
        """const middle = e => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };
        const [boxes, cells] = ['.tagtext', '.main'].map(css =>
            [...root.querySelectorAll(`.attacker ${css}`)].filter(e => e.textContent).map(middle));
        const apart = boxes.flatMap(b => cells.map(c => Math.hypot(b[0] - c[0], b[1] - c[1])));
        return boxes.length === 8 && Math.min(...apart) > 8;""",
    )
    assert touch.run(browser, sizes) == before
    # What is told stands below the grid that it speaks of, and both are in the window.
    touch.until(
        browser,
        """const [grid, told] = ['.attacker', '.panel h3'].map(css => root.querySelector(css)?.getBoundingClientRect());
        return told && grid.top >= 0 && grid.bottom <= told.top && told.bottom < innerHeight;""",
    )


def test_the_number_of_a_box_lies_beside_its_people(browser, app_url):
    drive.set_screen(browser, 1440)
    drive.open_app(browser, f"{app_url}/playground")
    touch.settled(browser)
    centres = """const place = e => { const m = new DOMMatrix(getComputedStyle(e).transform); return [m.e, m.f]; };
        return ['.tags .tag', '.dot'].map(css => [...root.querySelectorAll(`.publisher ${css}`)].map(place));"""
    boxes, people = touch.run(browser, centres)
    assert len(boxes) == 8
    assert min(math.dist(box, person) for box in boxes for person in people) > 16
