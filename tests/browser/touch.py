"""The playground as a person touches it: its parts lie in a shadow root, which the other helpers do not look into."""

import re
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from drive import PATIENCE

FIND = """
const host = [...document.querySelectorAll('*')].find(e => e.shadowRoot && e.shadowRoot.querySelector('.playground'));
const shadow = host ? host.shadowRoot : null, root = shadow ? shadow.querySelector('.playground') : null;
"""


def run(browser, script, *arguments):
    """Run a script that knows the playground as ``root``."""
    return browser.execute_script(FIND + script, *arguments)


def until(browser, script, *arguments):
    """Wait until a script answers with something true, and give it back."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        found = run(browser, script, *arguments)
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"not in time: {script}; {browser.current_url}")


def settled(browser):
    """Wait until the picture is that of the scene; the scene's text."""
    until(browser, "return root && root.getAttribute('aria-busy') === 'false' && root.dataset.scene")
    return run(browser, "return root.dataset.scene")


def until_scene(browser, pattern):
    """Wait until the picture is that of a scene whose text matches; the text."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        scene = settled(browser)
        if re.fullmatch(pattern, scene):
            return scene
        time.sleep(0.02)
    raise AssertionError(f"the scene is {scene}, not {pattern}")


def read(browser):
    """All that is drawn, as plain data, once nothing comes or goes any more."""
    settled(browser)
    until(browser, "return !root.querySelector('.box.fresh')")
    return run(
        browser,
        """
        const texts = side => [...root.querySelectorAll(`.${side} .texts .main`)].map(e => e.textContent);
        const boxes = side => [...root.querySelectorAll(`.${side} .box`)]
            .map(e => ['data-number', 'x', 'y', 'width', 'height', 'stroke'].map(n => e.getAttribute(n)));
        return {
            scene: root.dataset.scene,
            said: root.querySelector('h2').textContent,
            cells: texts('attacker'),
            labels: [...root.querySelectorAll('.attacker .cell')].map(e => e.getAttribute('aria-label')),
            certain: [...root.querySelectorAll('.attacker .cell.certain')].map(e => Number(e.dataset.cell)),
            publisher: boxes('publisher'), attacker: boxes('attacker'),
            rects: [...root.querySelectorAll('.attacker .cell rect')]
                .map(e => ['x', 'y', 'width', 'height'].map(n => Number(e.getAttribute(n)))),
            legend: [...root.querySelectorAll('.legend button')].map(e => e.getAttribute('aria-label')),
            colours: Object.fromEntries([...root.querySelectorAll('.legend button')]
                .map(e => [e.title.split(': ')[1], e.style.getPropertyValue('--own')])),
            people: [...root.querySelectorAll('.publisher .dot')].map(e => e.getAttribute('aria-label')),
        };
        """,
    )


def keys(browser, *pressed):
    """Press keys where the focus is; of several in one, all but the last are held down."""
    for *held, key in pressed:
        chain = ActionChains(browser, duration=0)
        for modifier in held:
            chain.key_down(modifier)
        chain.send_keys(key)
        for modifier in held:
            chain.key_up(modifier)
        chain.perform()


def take(browser, person):
    """Put the focus on a person."""
    run(browser, "root.querySelector(`.publisher [data-person='${arguments[0]}']`).focus()", person)


def tab_to(browser, script, key=Keys.TAB):
    """Press Tab until the focus inside the playground fits a script that knows it as ``at``."""
    for _ in range(150):
        keys(browser, key)
        if run(browser, f"const at = shadow.activeElement; return Boolean(at) && Boolean({script})"):
            return
    raise AssertionError(f"cannot be reached with the Tab key: {script}")


def press(browser, label):
    """Press the button of the playground whose words begin with a label."""
    until(
        browser,
        """
        const found = [...root.querySelectorAll('button')].find(e => e.textContent.startsWith(arguments[0]));
        if (found) found.click();
        return Boolean(found);
        """,
        label,
    )


def centre(browser, css):
    """The middle of an element, on the screen."""
    return run(
        browser,
        "const box = root.querySelector(arguments[0]).getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]",
        css,
    )


def drag(browser, person, cell, *, touch=False, held=False):
    """Drag a person to a cell with real pointer events, by mouse or by finger; held, the mouse does not let go."""
    until(browser, "return !root.getAnimations({subtree: true}).some(one => one instanceof CSSTransition)")
    start = centre(browser, f".publisher [data-person='{person}'] .body")
    end = centre(browser, f".publisher [data-cell='{cell}'] rect")
    way = [[a + (b - a) * step / 6 for a, b in zip(start, end, strict=True)] for step in range(7)]
    if touch:
        for kind, points in (("touchStart", way[:1]), ("touchMove", way[1:]), ("touchEnd", [None])):
            for point in points:
                touched = [] if point is None else [{"x": point[0], "y": point[1]}]
                browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})
        return
    for kind, points in (("mouseMoved", way[:1]), ("mousePressed", way[:1]), ("mouseMoved", way)):
        for x, y in points:
            down = {"button": "left", "buttons": 1, "clickCount": 1} if kind != "mouseMoved" or points is way else {}
            browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y} | down)
    if not held:
        release(browser, cell)


def release(browser, cell):
    """Let go of the mouse in a cell."""
    x, y = centre(browser, f".publisher [data-cell='{cell}'] rect")
    at = {"x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
    browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseReleased"} | at)


def verdict(browser):
    """What the challenge's check says, once it is there."""
    return until(browser, "return root.querySelector('.verdict.right, .verdict.wrong')?.textContent")


def ask_why(browser, cell):
    """Click a cell of what was worked out."""
    x, y = centre(browser, f".attacker [data-cell='{cell}'] rect")
    for kind in ("mousePressed", "mouseReleased"):
        browser.execute_cdp_cmd(
            "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        )
    until(browser, "return root.querySelector('.panel .facts li, .panel h3')")
