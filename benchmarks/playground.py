"""How soon the playground answers: from a pointer event that crosses a border to both grids showing the new result.

    python benchmarks/playground.py [MOVES]

A headless Chromium gets real pointer events, 200 for each line unless another number is given, each to a neighbouring
cell. Measured is the browser's own time from the event to the last change of the picture. Beside it stands a bare echo:
a component that sends a number and shows what comes back, on the same server in the same run. The answer is either
asked for when the border is crossed, or was fetched ahead while the pointer rested.
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
import serving  # noqa: E402

MOVES = 200
SCENES = {"the toy, 36 people": "toy-k3", "40 people": "toy-k3-a0-a5-a10-a15"}

# One script for all: what it shows stands in the address.
SCRIPT = '''
import streamlit as st
from cra_dashboard.playground import session
from cra_dashboard.session.server import send_at_once
from cra_dashboard.playground.play import play

ECHO = """
export default function ({ data, parentElement, setTriggerValue }) {
    parentElement.host.dataset.echo = data.heard;
    parentElement.host.say = (number) => setTriggerValue("said", number);
}
"""
st.set_page_config(layout="wide")
send_at_once()

@st.fragment
def echo():
    said = (st.session_state.get("echo") or {}).get("said")
    st.components.v2.component("bench.echo", html="<p>echo</p>", js=ECHO)(
        key="echo", data={"heard": said}, on_said_change=lambda: None
    )

wanted = dict(st.query_params)
if wanted["show"] == "echo":
    echo()
else:
    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        session.show(wanted["show"])
    play(ahead=wanted["ahead"] == "yes")
'''

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
REST = 0.5
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


def dragged(browser: Chrome, url: str, scene: str, moves: int, *, ahead: bool) -> list[float]:
    """Milliseconds of each move of one person from cell to neighbouring cell."""
    drive.open_app(browser, f"{url}/?show={scene}&ahead={'yes' if ahead else 'no'}")
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
            if ahead:
                time.sleep(REST)  # the pointer rests, and what may come next is fetched
            _mouse(browser, "mouseMoved", *centres[cell], held=True)
            _until(lambda: browser.execute_script(SETTLED))
            taken = browser.execute_script("return window.times.splice(0)")
            times += taken if turn else []  # the first jump is not to a neighbour
        _mouse(browser, "mouseReleased", *centres[WAY[-1]], held=False)
        time.sleep(REST)
    return times[:moves]


def echoed(browser: Chrome, url: str, moves: int) -> list[float]:
    """Milliseconds of each round of the bare echo."""
    drive.open_app(browser, f"{url}/?show=echo")
    _until(lambda: browser.execute_script("return [...document.querySelectorAll('*')].some(e => e.say)"))
    browser.execute_script("""
        window.host = [...document.querySelectorAll('*')].find(e => e.shadowRoot && e.dataset.echo !== undefined);
        window.times = [];
        let began = 0;
        new MutationObserver(() => window.times.push(performance.now() - began))
            .observe(window.host, {attributes: true, attributeFilter: ['data-echo']});
        window.say = number => { began = performance.now(); window.host.say(number); };
    """)
    for turn in range(moves):
        browser.execute_script("window.say(arguments[0])", turn + 1)
        _until(lambda: browser.execute_script("return window.times.length") > turn)  # noqa: B023 - called at once
    return browser.execute_script("return window.times")


def _line(name: str, times: list[float], echo: list[float]) -> None:
    middle, most = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    ratio = middle / statistics.median(echo)
    print(f"{name:<52}{middle:>8.1f} ms{most:>8.1f} ms{ratio:>12.2f}")


def main() -> None:
    """Print a line per scene and way of asking."""
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else MOVES
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        sys.exit("Chromium is missing: apt-get install chromium chromium-driver")
    with tempfile.TemporaryDirectory() as home:
        script = Path(home) / "bench.py"
        script.write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{SCRIPT}", encoding="utf-8")
        command = [sys.executable, "-m", "streamlit", "run", str(script)]
        with serving.running(command, ROOT, Path(home)) as server:
            url = server.url
            browser = drive.start_chromium(chromium, chromedriver, Path(home) / "chromium")
            try:
                drive.set_screen(browser, 1440, 900)
                echo = echoed(browser, url, moves)
                print(f"{moves} moves a line{'':<38}{'p50':>5}{'p95':>11}{'p50 : echo':>17}")
                _line("a bare echo", echo, echo)
                for name, scene in SCENES.items():
                    _line(f"{name}, asked for then", dragged(browser, url, scene, moves, ahead=False), echo)
                    _line(f"{name}, fetched ahead", dragged(browser, url, scene, moves, ahead=True), echo)
            finally:
                browser.quit()


if __name__ == "__main__":
    main()
