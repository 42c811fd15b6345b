"""The playground in a real browser: drawn as the engine says, complete at first sight, moved by hand and keyboard."""

import random
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver.common.keys import Keys

import drive
import touch
from contrast import contrast, luminance, over
from cra_dashboard import palette
from cra_dashboard.playground.tables import tables
from playing import assert_is_the_engines, open_playground, set_k, start_challenge
from test_access import findings

ARROWS = (Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_DOWN)


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
        assert touch.read(browser)["said"].startswith("2 people stand alone for certain")
        assert touch.read(browser)["certain"] == [0, 4]
        drive.picture(browser, f"playground-{width}-{scheme}")


def test_at_double_size_on_a_projector_both_grids_are_seen_whole_while_somebody_is_dragged(browser, app_url):
    drive.set_screen(browser, 640, 360)
    open_playground(browser, app_url)
    drive.wait_until_idle(browser)
    places = """return [...root.querySelectorAll('.picture')].map(picture => {
        const box = picture.getBoundingClientRect();
        return [box.left, box.top, box.right, box.bottom].map(Math.round);
    });"""
    publisher, attacker = before = touch.run(browser, places)
    assert publisher[2] <= attacker[0]
    assert publisher[1] == attacker[1] >= 0
    assert attacker[2] <= 640
    assert attacker[3] <= 360
    sizes = "return [...root.querySelectorAll('.picture text')].filter(e => e.textContent && !e.matches('.name'))"
    # As wide again on the wall: 9 pixels are 18 there.
    assert touch.run(browser, f"{sizes}.every(e => parseFloat(getComputedStyle(e).fontSize) >= 9)")
    touch.drag(browser, 1, 8)
    touch.until_scene(browser, "toy-k3-m1.8")
    assert touch.run(browser, places) == before
    assert_is_the_engines(touch.read(browser))


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


def test_on_a_telephone_a_short_why_takes_no_more_room_than_its_words(browser, app_url):
    drive.set_screen(browser, 390, 844)
    open_playground(browser, app_url)
    touch.run(
        browser, "root.querySelectorAll('.attacker .cell')[9].dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    below = touch.until(
        browser,
        """const panel = root.querySelector('.panel'), end = panel.querySelector('p:last-of-type');
        const [grid, told, last] = [root.querySelector('.attacker'), panel, end].map(e => e?.getBoundingClientRect());
        const there = panel.textContent.includes('hides nobody') && grid.top >= 0 && told.bottom <= innerHeight;
        return there && [told.bottom - last.bottom];""",
    )
    assert below[0] < 30


# Which numbers of boxes lie on people, or on what stands in a cell; and which are there, on both sides.
MET = """
    const place = e => { const at = new DOMMatrix(getComputedStyle(e).transform); return [at.e, at.f]; };
    const own = (e, name) => Number(e.getAttribute(name));
    // A number without a circle is as high as its letters.
    const numbers = side => [...root.querySelectorAll(`.${side} .tag`)].map(tag => {
        const text = tag.nextElementSibling, bare = own(text, 'font-size') / 2;
        const [x, y] = place(text);
        return {number: text.textContent, x, y: y - 0.7 * bare, r: own(tag, 'r') || bare};
    }).filter(one => one.number);
    const met = (side, others) => numbers(side).flatMap(one => others
        .filter(([[x, y], r]) => Math.hypot(one.x - x, one.y - y) < one.r + r).map(other => [one.number, ...other]));
    const all = css => [...root.querySelectorAll(css)].filter(e => e.localName !== "text" || e.textContent);
    const people = all(".publisher .dot").map(e => [place(e), own(e.querySelector(".body"), "r")]);
    // Of a cell's digits their ink: they stand on their line, and are 0.7 of their type high.
    const digits = all(".attacker .texts text").map(e => {
        const [bottom, at] = [own(e, 'y'), e.getBBox()];
        return [at.x, bottom - 0.7 * own(e, 'font-size'), at.x + at.width, bottom, e.textContent];
    });
    const on = ({x, y, r}, [left, top, right, bottom]) =>
        x + r > left && x - r < right && y + r > top && y - r < bottom;
    return {
        met: [
            ...met('publisher', people),
            ...numbers('attacker').flatMap(one => digits.filter(at => on(one, at)).map(at => [one.number, ...at])),
        ],
        shown: ['publisher', 'attacker'].map(side => numbers(side).map(one => one.number).join(' ')),
    };
"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720), (768, 1024), (390, 844), (320, 640)])
def test_the_number_of_a_box_covers_nobody_and_no_number_of_a_cell(browser, app_url, width, height):
    drive.set_screen(browser, width, height)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    open_playground(browser, app_url)
    assert touch.run(browser, MET) == {"met": [], "shown": ["0 1 2 3 4 5 6 7"] * 2}
    touch.take(browser, 3)
    for arrow in (Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ARROW_DOWN):
        touch.keys(browser, Keys.SHIFT + arrow)
        touch.read(browser)
        assert touch.run(browser, MET)["met"] == [], arrow
    for k in (2, 6):
        set_k(browser, k)
        touch.until_scene(browser, rf"toy-k{k}-.*")
        touch.read(browser)
        assert touch.run(browser, MET)["met"] == [], k
    if width == 1280:
        browser.find_element("css selector", "[data-testid='stExpandSidebarButton']").click()  # the menu
    start_challenge(browser, "The k that gives her away")
    touch.press(browser, "Steps")
    touch.until(browser, "return root.querySelector('.panel .stop')")
    drive.wait_until_idle(browser)
    for k in (3, 4, 5):
        set_k(browser, k)
        touch.until_scene(browser, rf".*-k{k}\b.*")
        touch.read(browser)
        assert touch.run(browser, MET)["met"] == [], k


def test_a_box_full_of_people_shows_its_number_in_the_legend_alone(browser, app_url):
    """There is no place beside them, and nobody is covered; the other grid has the number still."""
    everybody = "-".join(f"m{who}.5" for who in range(36))
    drive.set_screen(browser, 390, 844)
    open_playground(browser, app_url, f"?scene=toy-k3-{everybody}")
    touch.read(browser)
    assert touch.run(browser, MET) == {"met": [], "shown": ["", "0"]}
    assert touch.run(browser, "return [...root.querySelectorAll('.legend button')].map(e => e.textContent)") == [
        "0: 36"
    ]


COLOURS = """
    const channel = n => Number(n).toString(16).padStart(2, '0');
    const parts = colour => colour.match(/[\\d.]+/g).slice(0, 3);
    const whole = colour => n => colour.startsWith('color(') ? Math.round(255 * n) : n; // where two are mixed
    const hex = colour => '#' + parts(colour).map(whole(colour)).map(channel).join('');
    const cells = [...root.querySelectorAll('.attacker .cell')];
    const moving = root.getAnimations({subtree: true}).filter(one => one.animationName);
    const found = [];
    for (const share of [0, 0.25, 0.5]) {
        for (const one of moving) { one.pause(); one.currentTime = share * one.effect.getComputedTiming().duration; }
        for (const [place, cell] of cells.entries()) {
            if (!cell.matches('.certain')) continue;
            const fill = getComputedStyle(cell.querySelector('rect'));
            const texts = root.querySelectorAll('.attacker .texts .main, .attacker .texts .sub');
            for (const text of [...texts].slice(2 * place, 2 * place + 2)) {
                const seen = [getComputedStyle(text).fill, fill.fill, fill.stroke].map(hex);
                found.push([text.textContent, ...seen, fill.fillOpacity]);
            }
        }
    }
    return [found, hex(getComputedStyle(root).backgroundColor)];
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_certain_can_be_read_and_stands_out_while_it_glows(browser, app_url, scheme):
    drive.set_colours(browser, scheme)
    open_playground(browser, app_url)
    found, paper = touch.run(browser, COLOURS)
    assert (luminance(paper) < 0.1) == (scheme == "dark")
    assert [text for text, *_ in found] == ["1", "certain"] * 6
    for text, letters, seen, edge, opacity in found:
        # As on every page, whatever box it lies in.
        assert (seen.upper(), opacity) == (over(palette.ISOLATED, paper, palette.ALONE.opacity), "1")
        assert max(contrast(seen, paper), contrast(edge, paper)) >= 3  # its edge is of the colour in full
        assert contrast(letters, seen) >= 4.5, text


LIT = """
    for (const one of root.getAnimations({subtree: true})) if (one.transitionProperty) one.finish();
    const told = text => {
        const [red, green, blue, alpha = 1] = (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
        const whole = n => text.startsWith('color(') ? Math.round(255 * n) : n; // a share of 1 where two are mixed
        return ['#' + [red, green, blue].map(n => whole(n).toString(16).padStart(2, '0')).join(''), alpha];
    };
    const look = css => [...root.querySelectorAll(`.attacker ${css}`)].map(e => {
        const s = getComputedStyle(e), [fill, covers] = told(s.fill), [stroke, line] = told(s.stroke);
        return [fill, covers * s.fillOpacity, stroke, line * s.strokeOpacity * s.opacity, parseFloat(s.strokeWidth)];
    });
    const [paper, ink] = ['backgroundColor', 'color'].map(name => told(getComputedStyle(root)[name])[0]);
    return {paper, ink, cells: look('.cell rect'), boxes: look('.box'), tints: look('.tint'), edges: look('.edge'),
        lights: look('.lights rect'),
        letters: [...root.querySelectorAll('.attacker .main')].map(e => Number(getComputedStyle(e).opacity))};
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_and_borders_are_told_on_every_fill_where_a_box_or_cells_are_lit_too(browser, app_url, scheme):
    drive.set_colours(browser, scheme)
    open_playground(browser, app_url)
    plain = touch.run(browser, LIT)
    touch.run(browser, "root.querySelectorAll('.legend button')[5].focus()")
    lit = touch.run(browser, LIT)
    touch.ask_why(browser, 0)
    touch.until(browser, "return root.querySelectorAll('.facts li').length")
    reason = touch.run(browser, LIT)
    assert [len({width for *_, width in one["boxes"]}) for one in (plain, lit, reason)] == [1, 2, 1]
    assert len(reason["lights"]) > 1 > len(plain["lights"])
    for seen in (plain, lit, reason):
        paper, ink = seen["paper"], seen["ink"]
        fills = [over(colour, paper, opacity) for colour, opacity, *_ in seen["cells"]]
        for fill, full in zip(fills, seen["letters"], strict=True):
            # A tint is seen where nothing is filled.
            for colour, opacity, *_ in seen["tints"] if fill == paper.upper() else [(fill, 1)]:
                below = over(colour, fill, opacity)
                assert contrast(over(ink, below, full), below) >= 4.5, (fill, colour)
            for _, covers, line, whole, _ in seen["lights"]:
                assert covers == 0
                assert contrast(over(line, fill, whole), fill) >= 3
        # What parts a border from any fill has the page's colour, and is seen on both of its sides.
        for (_, _, border, drawn, width), (_, _, *edge, wide) in zip(seen["boxes"], seen["edges"], strict=True):
            assert (edge, drawn) == ([paper, 1], 1)
            assert contrast(border, paper) >= 3
            assert wide >= width + 2
