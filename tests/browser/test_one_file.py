"""The pages that need no server: opened by file://, they ask nobody for anything and do all that the dashboard's do."""

import pytest
from selenium.webdriver.common.keys import Keys

import drive
import touch
from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.story.file import story_file
from cra_dashboard.lessons.story.steps import story
from cra_dashboard.playground.file import playground_file
from cra_dashboard.playground.tables import tables
from playing import check, set_k, start_challenge
from test_access import findings

MOST = 1_000_000  # bytes


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pages")
    for name, text in (("playground.html", playground_file()), ("story.html", story_file())):
        assert len(text.encode()) < MOST
        (made / name).write_text(text, encoding="utf-8")
    for slide, source, held in (
        ("slide", "playground.html#six-k2-m0.1", ""),
        # As learning platforms hold what others wrote: no storage, no window of its own, no question to its reader.
        ("held-playground", "playground.html#six-k2-m0.1", 'sandbox="allow-scripts"'),
        ("held-story", "story.html", 'sandbox="allow-scripts"'),
    ):
        frame = f'<!doctype html><title>Slide</title><body><iframe title="Page" src="{source}" {held} '
        size = 'width="800" height="600" style="border:0"></iframe>'
        (made / f"{slide}.html").write_text(frame + size, encoding="utf-8")
    return made


def opened(browser, folder, name, scene=""):
    """The page, in a browser without a network."""
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
    )
    browser.get("about:blank")
    browser.get(f"{(folder / name).as_uri()}{scene}")


@pytest.fixture(autouse=True)
def network_again(browser):
    yield
    browser.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    )


def asked(browser):
    """What the page has asked for, but for itself and the worker that it makes of itself."""
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    return [name for name in loaded if not name.startswith("blob:")]


def reach(browser, person):
    """Go back with the Tab key to the people, and with the arrows to one of them."""
    touch.tab_to(browser, "at.dataset.person", Keys.SHIFT + Keys.TAB)
    for _ in range(150):
        if touch.run(browser, "return shadow.activeElement?.dataset.person === arguments[0]", str(person)):
            return
        touch.keys(browser, Keys.ARROW_RIGHT)
    raise AssertionError(f"person {person} cannot be reached")


def solved_by_keyboard(browser, title, person, *pressed):
    """Solve a challenge with keys alone, from the Challenges button."""
    if not touch.run(browser, "return Boolean(root.querySelector('.challenges'))"):
        touch.tab_to(browser, "at.textContent === 'Challenges'")
        touch.keys(browser, Keys.ENTER)
    touch.tab_to(browser, f"at.textContent.endsWith({title!r})")
    touch.keys(browser, Keys.ENTER)
    touch.settled(browser)
    if person is None:
        for _ in range(150):
            touch.keys(browser, Keys.SHIFT + Keys.TAB)
            if touch.run(browser, "return Boolean(shadow.activeElement?.matches('.k input'))"):
                break
    else:
        reach(browser, person)
    touch.keys(browser, *pressed)
    touch.settled(browser)
    touch.tab_to(browser, "at.textContent === 'Check'")
    touch.keys(browser, Keys.ENTER)
    assert "Solved" in touch.verdict(browser)


def test_all_challenges_are_solved_by_mouse_without_a_network(browser, folder):
    opened(browser, folder, "playground.html")
    assert touch.until_scene(browser, "toy-k3")
    start_challenge(browser, "Protect Anna")
    set_k(browser, 4)
    touch.until_scene(browser, "toy-k4")
    assert "Solved" in check(browser)
    start_challenge(browser, "The k that gives her away")
    touch.until_scene(browser, "many-k8")
    set_k(browser, 4)
    touch.until_scene(browser, "many-k4")
    assert "Solved" in check(browser)
    start_challenge(browser, "Six are enough")
    touch.until_scene(browser, "six-k2")
    touch.drag(browser, 0, 1)
    touch.until_scene(browser, "six-k2-m0.1")
    assert "Solved" in check(browser)
    start_challenge(browser, "Make a box steal")
    touch.until_scene(browser, "nine-k3")
    touch.drag(browser, 0, 8)
    touch.until_scene(browser, "nine-k3-m0.8")
    assert "Solved" in check(browser)
    assert asked(browser) == []
    assert [entry for entry in drive.console_errors(browser) if entry] == []
    # The scene is in the link: behind the #, which no server would see.
    touch.until(browser, "return location.hash === '#nine-k3-m0.8~c-stealing'")


def test_a_challenge_is_read_and_checked_in_the_frame_of_a_learning_platform(browser, folder):
    drive.set_screen(browser, 800, 600)
    opened(browser, folder, "playground.html")
    start_challenge(browser, "Protect Anna")
    below = "return [...root.querySelectorAll('.task, .choice button')].map(e => e.getBoundingClientRect().bottom)"
    touch.until(browser, "return root.querySelector('.choice button')?.getBoundingClientRect().bottom <= innerHeight")
    assert max(touch.run(browser, below)) <= browser.execute_script("return innerHeight")


def test_all_challenges_are_solved_by_keyboard(browser, folder):
    opened(browser, folder, "playground.html")
    touch.settled(browser)
    solved_by_keyboard(browser, "Protect Anna", None, Keys.ARROW_RIGHT)
    solved_by_keyboard(browser, "The k that gives her away", None, *[Keys.ARROW_LEFT] * 4)
    solved_by_keyboard(browser, "Six are enough", 0, *keys_to("six", 1))
    solved_by_keyboard(browser, "Make a box steal", 0, *keys_to("nine", 8))
    assert touch.until(browser, "return root.querySelector('.panel h3').textContent") == "Challenges: 4 of 4 solved"


def keys_to(table, cell):
    """What leads the first person of a table to a cell: Shift with an arrow moves whoever has the focus."""
    (across, up), (to, high) = divmod(tables()[table]["people"][0]["cell"], 4), divmod(cell, 4)
    sideways = Keys.ARROW_RIGHT if to > across else Keys.ARROW_LEFT
    upright = Keys.ARROW_UP if high > up else Keys.ARROW_DOWN
    return [Keys.SHIFT + sideways] * abs(to - across) + [Keys.SHIFT + upright] * abs(high - up)


@pytest.mark.parametrize(
    "size", [(390, 844), *(pytest.param(size, marks=pytest.mark.exhaustive) for size in ((800, 600), (1440, 900)))]
)
def test_axe_finds_nothing_and_nothing_sticks_out(browser, folder, size):
    drive.set_screen(browser, *size)
    for name in ("playground.html", "story.html"):
        opened(browser, folder, name)
        if name == "playground.html":
            touch.settled(browser)
        for scheme in ("light", "dark"):
            drive.set_colours(browser, scheme)
            for panel in ("", "Steps", "Challenges", "Table") if name == "playground.html" else ("",):
                if panel:
                    touch.press(browser, panel)
                assert findings(browser) == [], (name, scheme, panel)
            wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (name, scheme)


@pytest.mark.parametrize("slide", ["slide", "held-playground"])
def test_in_a_frame_it_fits_and_shows_the_scene_of_its_link(browser, folder, slide):
    drive.set_screen(browser, 1000, 800)
    opened(browser, folder, f"{slide}.html")
    browser.switch_to.frame(0)
    try:
        assert touch.until_scene(browser, "six-k2-m0.1")
        assert "alone for certain" in touch.read(browser)["said"]
        whole = browser.execute_script("return [document.documentElement.scrollHeight, innerHeight]")
        assert whole[0] <= whole[1] == 600
        touch.press(browser, "Add")
        touch.settled(browser)
        assert asked(browser) == []
    finally:
        browser.switch_to.default_content()
    assert drive.console_errors(browser) == []


def test_the_story_fits_a_frame_that_keeps_nothing(browser, folder):
    drive.set_screen(browser, 1000, 800)
    opened(browser, folder, "held-story.html")
    browser.switch_to.frame(0)
    find = "const root = document.querySelector('main').shadowRoot.querySelector('.story');"
    told = story(argument())["steps"]
    try:
        for place, step in enumerate(told):
            wrong = next(name for name in ("c3.3", "b0", "q3", "n1", "c0.3") if name not in step["right"])
            name = browser.execute_script(
                find + f"const all = [...root.querySelectorAll('[data-layer=choices-{place}] [data-choice]')];"
                "const one = all.find(e => e.dataset.choice === arguments[0]) ?? all[0];"
                "one.dispatchEvent(new MouseEvent('click', {bubbles: true})); return one.dataset.choice",
                wrong,
            )
            verdict = browser.execute_script(find + "return root.querySelector('.verdict').textContent")
            assert verdict.startswith("✓" if name in step["right"] else "✗")
            whole = browser.execute_script("return [document.documentElement.scrollHeight, innerHeight]")
            assert whole[0] <= whole[1] == 600, (place, whole)
            browser.execute_script(
                find + "[...root.querySelectorAll('.tools button')].find(e => e.textContent === 'Next').click()"
            )
    finally:
        browser.switch_to.default_content()
    assert drive.console_errors(browser) == []


def test_a_link_opens_its_scene_and_one_that_makes_no_sense_the_toy(browser, folder):
    opened(browser, folder, "playground.html", "#toy-k3-m1.4~w13")
    touch.until_scene(browser, "toy-k3-m1.4")
    touch.until(browser, "return root.querySelector('.panel h3')?.textContent.includes('This cell holds')")
    for scene in ("#gone-k3", "#toy-k3-m99.1", "#toy-k1", "#%3Cscript%3E", "#own0.1-k3", "#toy-kx-m"):
        opened(browser, folder, "playground.html", scene)
        assert touch.settled(browser) == "toy-k3", scene


def test_the_story_goes_to_its_end_without_a_network(browser, folder):
    opened(browser, folder, "story.html")
    find = "const root = document.querySelector('main').shadowRoot.querySelector('.story');"
    for _ in range(16):
        browser.execute_script(
            find + "const forward = (e) => !e.hidden && /^(Show|Next)/.test(e.textContent);"
            "[...root.querySelectorAll('.tools button')].find(forward)?.click()"
        )
    steps = browser.execute_script(find + "return root.querySelectorAll('.rail button').length")
    assert browser.execute_script(find + "return root.querySelector('.count').textContent").endswith(
        f"{steps} of {steps}"
    )
    assert browser.execute_script(find + "return [...root.querySelectorAll('.tools button')].at(-1).hidden")
    assert asked(browser) == []
