"""How soon the playground answers: from a pointer event that crosses a border to both grids showing the new result.

    python benchmarks/playground.py [MOVES]

A headless Chromium gets real pointer events in the exported file, 200 for each line unless another number is given,
each to a neighbouring cell. Measured is the browser's own time from the event to the last change of the picture; no
scene comes twice.
"""

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from selenium.webdriver import Chrome

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import drive  # noqa: E402
from cra_dashboard.playground.file import playground_file  # noqa: E402

MOVES = 200
SCENES = {"the toy, 36 people": "toy-k3", "40 people": "toy-k3-a0-a5-a10-a15"}

FIND = """
const root = [...document.querySelectorAll('*')].map(e => e.shadowRoot)
    .find(r => r && r.querySelector('.playground'))?.querySelector('.playground');
"""
WATCH = (
    FIND
    + """
window.times = [];
let began = 0;
root.querySelector('.publisher svg').addEventListener('pointermove', event => { began = event.timeStamp; }, true);
new MutationObserver(() => { if (began) { window.times.push(performance.now() - began); began = 0; } })
    .observe(root, {attributes: true, attributeFilter: ['data-scene']});
"""
)
CENTRES = (
    FIND
    + """
return [...root.querySelectorAll('.publisher [data-cell] rect')].map(cell => {
    const box = cell.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
});
"""
)
SETTLED = FIND + "return root.getAttribute('aria-busy') === 'false'"
# Through all cells, each time to a neighbour.
WAY = (0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12)
DOT = (
    FIND
    + """
const box = root.querySelector(`.publisher [data-person="${arguments[0]}"] .body`).getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""
)


def _mouse(browser: Chrome, kind: str, x: float, y: float, *, held: bool) -> None:
    browser.execute_cdp_cmd(
        "Input.dispatchMouseEvent",
        {"type": kind, "x": x, "y": y, "button": "left", "buttons": int(held), "clickCount": 1},
    )


def _until(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 20
    while not condition():
        if time.monotonic() > give_up:
            raise RuntimeError("the page does not answer")
        time.sleep(0.005)


def dragged(browser: Chrome, url: str, scene: str, moves: int) -> list[float]:
    """Milliseconds of each move of one person from cell to neighbouring cell."""
    browser.get("about:blank")
    browser.get(f"{url}#{scene}")
    _until(lambda: browser.execute_script(FIND + "return Boolean(root?.dataset.scene)"))
    centres = browser.execute_script(CENTRES)
    browser.execute_script(WATCH)
    times: list[float] = []
    person = 0
    while len(times) < moves:
        # One person after the other goes through all cells, so that no scene comes twice.
        x, y = browser.execute_script(DOT, person)
        person += 1
        _mouse(browser, "mouseMoved", x, y, held=False)
        _mouse(browser, "mousePressed", x, y, held=True)
        for turn, cell in enumerate(WAY):
            _mouse(browser, "mouseMoved", *centres[cell], held=True)
            _until(lambda: browser.execute_script(SETTLED))
            taken = browser.execute_script("return window.times.splice(0)")
            times += taken if turn else []  # the first jump is not to a neighbour
        _mouse(browser, "mouseReleased", *centres[WAY[-1]], held=False)
        time.sleep(0.3)
    return times[:moves]


def main() -> None:
    """Print a line per scene."""
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else MOVES
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        sys.exit("Chromium is missing: apt-get install chromium chromium-driver")
    with tempfile.TemporaryDirectory() as home:
        file = Path(home) / "playground.html"
        file.write_text(playground_file(), encoding="utf-8")
        browser = drive.start_chromium(chromium, chromedriver, Path(home) / "chromium")
        try:
            drive.set_screen(browser, 1440, 900)
            print(f"{moves} moves a line{'':<10}{'p50':>7}{'p95':>11}")
            for name, scene in SCENES.items():
                times = dragged(browser, file.as_uri(), scene, moves)
                most = statistics.quantiles(times, n=20)[-1]
                print(f"{name:<24}{statistics.median(times):>8.1f} ms{most:>8.1f} ms")
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
