"""How soon a picture follows a click, in a real browser: from the click to the picture's last change.

    python benchmarks/clicks.py [CHECKOUT ..]

A headless Chromium does what people do most, on the built-in studies: each action is done over and over, to and fro,
and the browser's own clock runs from the event (a click, a key) to the last change inside a picture, everything in
between included: the way to the server, its script, the way back, and drawing. Where a picture lets the old look go
over into the new one, the clock stops when this begins; it then takes .4 s on purpose.
Below stands how long a page takes that is opened by its address in a new session, until its pictures stand: with the
browser's cache emptied before, and with it.

With several checkouts, an older one beside this one, each repetition is done in all of them before the next one
begins, so that what else the machine does weighs on all alike. Their files run under this Python.
"""

import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import drive  # noqa: E402
import serving  # noqa: E402

TIMES, COLD_TIMES = 20, 5
COLD = ("recode", "attack", "single_out", "hierarchies")
# When the last event came, and when a picture changed last; what only follows the pointer is left out.
WATCH = """
window.benchEvent = window.benchChange = 0;
for (const kind of ['click', 'keydown'])
    addEventListener(kind, () => { window.benchEvent = performance.now(); }, true);
const watch = new MutationObserver(changes => {
    const pictures = '[data-testid="stPlotlyChart"], [data-testid="stBidiComponentIsolated"]';
    const drawn = change => {
        // What has faded is taken away later on.
        const gone = [...change.removedNodes];
        if (gone.length && !change.addedNodes.length && gone.every(part => part.style?.opacity === '0')) return false;
        let at = change.target.nodeType === 1 ? change.target : change.target.parentElement;
        if (at === null || at.closest('.hoverlayer, .tip, .at') !== null) return false;
        if (at.getRootNode() instanceof ShadowRoot) at = at.getRootNode().host;
        return at.closest(pictures) !== null;
    };
    if (changes.some(drawn)) window.benchChange = performance.now();
});
const everything = {subtree: true, childList: true, attributes: true, characterData: true};
watch.observe(document, everything);
// What a picture of our own draws, it draws in a tree of its own.
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (how) {
    const root = attach.call(this, how);
    watch.observe(root, everything);
    return root;
};
"""
Act = Callable[[Chrome], None]


def press(label: str) -> Act:
    """Press a button."""
    return lambda browser: drive.press(browser, label)


def choose(label: str, *options: str) -> Act:
    """Choose the first of these options that the control with this label has: names change between versions."""

    def act(browser: Chrome) -> None:
        group = drive._widget(browser, "stButtonGroup", label)  # noqa: SLF001
        names = [name.text for name in group.find_elements(By.CSS_SELECTOR, "button")]
        drive.choose(browser, label, next(option for option in options if option in names))

    return act


def pick(place: str, option: str) -> Act:
    """Type into a select box, found by its label or its place on the page."""

    def act(browser: Chrome) -> None:
        css = place.startswith(".")
        box = browser if css else drive._widget(browser, "stSelectbox", place)  # noqa: SLF001
        box.find_element(By.CSS_SELECTOR, f"{place} input" if css else "input").send_keys(option, Keys.ENTER)
        drive.wait_until_idle(browser)

    return act


def fill(label: str, value: str) -> Act:
    """Type a number."""
    return lambda browser: drive.fill(browser, label, value)


@dataclass(frozen=True)
class Action:
    """Something that people do, to and fro.

    Attributes:
        name: what the report calls it.
        address: where, with the study.
        to: what is done; fro: and what takes it back.
        option: of a control that brings the picture up, where there is such a control.
        control: what that control is called.
    """

    name: str
    address: str
    to: Act
    fro: Act
    option: str = ""
    control: str = "Show"


ACTIONS = (
    Action("recode: a step, toy", "recode?example=toy&step=2", press("Forward"), press("Back")),
    Action("recode: a step, hospitals", "recode?example=hospitals&step=2", press("Forward"), press("Back")),
    Action(
        "recode: dots or numbers, toy",
        "recode?example=toy&step=3",
        choose("Show records as", "numbers"),
        choose("Show records as", "dots"),
    ),
    Action("attack: a class, toy", "attack?example=toy&class=7", pick("Class", "Class 3:"), pick("Class", "Class 7:")),
    Action(
        "attack: a class, hospitals",
        "attack?example=hospitals&class=38",
        pick("Class", "Class 37:"),
        pick("Class", "Class 38:"),
    ),
    Action(
        "attack: one class or all, toy",
        "attack?example=toy&class=7",
        choose("Look at", "The whole release"),
        choose("Look at", "This class"),
    ),
    Action(
        "attack: a filling, toy",
        "attack?example=toy&class=7",
        press("Next"),
        press("Previous"),
        option="A filling",
    ),
    Action(
        "attack: so many people, toy",
        "attack?example=toy&class=7",
        pick("A cell holds exactly", "nobody"),
        pick("A cell holds exactly", "1 person"),
        option="How likely",
    ),
    Action(
        "single out: a class, toy",
        "single_out?example=toy",
        pick(".st-key-single-out-predicates", "Class 6"),
        pick(".st-key-single-out-predicates", "All classes"),
        option="In truth",
        control="Look at",
    ),
    Action("hierarchies: another k, clinic", "hierarchies?example=clinic", fill("k", "6"), fill("k", "5")),
)


def prepare(browser: Chrome, url: str, action: Action) -> None:
    """Open the page of an action and bring its picture up."""
    drive.open_app(browser, f"{url}/{action.address}")
    if action.option and drive._widgets(browser, "stButtonGroup", action.control):  # noqa: SLF001
        drive.choose(browser, action.control, action.option)


def milliseconds(browser: Chrome, act: Act) -> float:
    """From the event to the last change of a picture."""
    act(browser)
    event, change = browser.execute_script("return [window.benchEvent, window.benchChange]")
    if change <= event:
        raise RuntimeError(f"no picture changed: {browser.current_url}")
    return float(change - event)


def cold(browser: Chrome, url: str, page: str, *, emptied: bool) -> float:
    """From asking for a page in a new session to the last change of its pictures."""
    drive.reset(browser)
    if emptied:
        browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    drive.open_app(browser, f"{url}/{page}?example=toy&step=3&class=7")
    return float(browser.execute_script("return window.benchChange"))


def row(name: str, taken: dict[Path, list[float]]) -> str:
    """One line of the report: p50 and p95 per checkout."""
    return f"{name:<36}" + "".join(
        f"{statistics.median(times):>9.0f}{statistics.quantiles(times, n=20)[-1]:>8.0f} ms" for times in taken.values()
    )


def main() -> None:
    """Print a line per action and per page."""
    checkouts = [Path(name).resolve() for name in sys.argv[1:]] or [ROOT]
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        sys.exit("Chromium is missing: apt-get install chromium chromium-driver")
    with ExitStack() as stack:
        homes = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in checkouts]
        urls = {
            place: stack.enter_context(serving.serve(place, home)) for place, home in zip(checkouts, homes, strict=True)
        }
        browsers = {}
        for place, home in zip(checkouts, homes, strict=True):
            browsers[place] = drive.start_chromium(chromium, chromedriver, home / "chromium")
            stack.callback(browsers[place].quit)
            browsers[place].execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
            drive.set_screen(browsers[place], 1440)
        print(f"{'':<36}" + "".join(f"{place.name[-18:]:>20}" for place in checkouts))
        print(f"{'':<36}" + f"{'p50':>9}{'p95':>8}   " * len(checkouts))
        everything: dict[Path, list[float]] = {place: [] for place in checkouts}
        for action in ACTIONS:
            taken: dict[Path, list[float]] = {place: [] for place in checkouts}
            for place in checkouts:
                prepare(browsers[place], urls[place], action)
            for turn in range(TIMES + 1):
                for place in checkouts:
                    time = milliseconds(browsers[place], action.fro if turn % 2 else action.to)
                    # The first turn computes what later ones hold ready.
                    taken[place] += [time] if turn else []
            for place in checkouts:
                everything[place] += taken[place]
            print(row(action.name, taken), flush=True)
        print(row("all actions", everything))
        for emptied in (True, False):
            for page in COLD:
                opened = {
                    place: [cold(browsers[place], urls[place], page, emptied=emptied) for _ in range(COLD_TIMES)]
                    for place in checkouts
                }
                print(row(f"{page}, cache {'emptied' if emptied else 'kept'}", opened), flush=True)


if __name__ == "__main__":
    main()
