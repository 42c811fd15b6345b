"""What a person does with the dashboard, in a real browser.

Each action waits for what it acts on and, afterwards, until Streamlit is idle. Elements are found the way people find
them: by label and visible text. The few names of Streamlit's page that are needed stand here and nowhere else.
"""

import os
import time
from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    MoveTargetOutOfBoundsException,
    StaleElementReferenceException,
)
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from cra_dashboard.panels import menu

Found = TypeVar("Found")

PATIENCE = 300.0  # seconds until a wait gives up: what takes longer does not come
SETTLED = 0.4  # seconds without work that count as idle; a slider waits 0.2 s before it tells the server

# ---------------------------------------------------------------- starting


def start_chromium(chromium: str, chromedriver: str, profile: Path) -> Chrome:
    """Start a headless Chromium with an empty profile; no name but this machine's resolves in it."""
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--host-resolver-rules=MAP evil.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # With both paths given, Selenium has nothing to look for and downloads nothing.
    chrome = Chrome(options=options, service=ChromeService(executable_path=chromedriver))
    chrome.set_page_load_timeout(PATIENCE)
    chrome.set_script_timeout(PATIENCE)
    # The browser keeps a list of what each page loaded; 250 entries by default.
    chrome.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": "performance.setResourceTimingBufferSize(10000)"}
    )
    return chrome


def reset(browser: Chrome) -> None:
    """Leave the page, forget what it stored, and go back to 1280 x 900 in light colours."""
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    if browser.current_url.startswith("http"):
        browser.execute_script("localStorage.clear(); sessionStorage.clear();")
    browser.get("about:blank")
    browser.delete_all_cookies()
    browser.get_log("browser")
    set_screen(browser, 1280, 900)
    set_colours(browser, "light")


# ---------------------------------------------------------------- looking


def open_app(browser: Chrome, url: str) -> None:
    """Open an address of the dashboard in a new session and wait for the page."""
    browser.get(url)
    wait_until_idle(browser)


def wait_until_idle(browser: Chrome) -> None:
    """Wait until the script has run, nothing on the page is out of date, and it stays so for a moment."""
    idle_since: float | None = None

    def settled() -> bool:
        nonlocal idle_since
        if not browser.execute_script(_IDLE):
            idle_since = None
            return False
        idle_since = idle_since or time.monotonic()
        return time.monotonic() - idle_since >= SETTLED

    _wait(browser, settled, "Streamlit is still busy")


_IDLE = """
const app = document.querySelector('[data-testid="stApp"]');
return app !== null
    && app.dataset.testConnectionState === 'CONNECTED'
    && app.dataset.testScriptState === 'notRunning'
    && document.querySelector('[data-stale="true"], [data-testid="stSkeleton"], [data-testid="stSpinner"]') === null;
"""


def text(browser: Chrome) -> str:
    """Everything that can be read on the page, the sidebar included; one line after the other."""
    return "\n".join(browser.execute_script(_TEXT))


def wait_for_text(browser: Chrome, wanted: str, patience: float = PATIENCE) -> None:
    """Wait until a text can be read on the page: for pages that keep running, such as one that plays."""
    _wait(browser, lambda: wanted in text(browser), f"'{wanted}' cannot be read on the page", patience)


def assert_no_exception(browser: Chrome) -> None:
    """The page shows no box with an exception."""
    boxes = browser.find_elements(By.CSS_SELECTOR, '[data-testid="stException"]')
    assert not boxes, f"{browser.current_url} shows an exception: {boxes[0].text}"


def console_errors(browser: Chrome) -> list[str]:
    """The errors in the browser's console since the last call."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def outside_addresses(browser: Chrome) -> list[str]:
    """What the page loaded, or points its icon, style, script, picture or frame at, on any other server."""
    own = urlsplit(browser.current_url).netloc
    addresses = browser.execute_script("""
        const loaded = performance.getEntriesByType('resource').map(entry => entry.name);
        const named = [...document.querySelectorAll('link[href], script[src], img[src], iframe[src]')]
            .map(element => element.href || element.src);
        return [...loaded, ...named];
    """)
    return sorted(
        {a for a in addresses if urlsplit(a).scheme in {"http", "https", "ws", "wss"} and urlsplit(a).netloc != own}
    )


def check(browser: Chrome) -> None:
    """Nothing is wrong with the page that a person or the browser would notice, and it loads nothing from elsewhere."""
    assert_no_exception(browser)
    errors, outside, over = console_errors(browser), outside_addresses(browser), too_wide(browser)
    assert errors == [], errors
    assert outside == [], outside
    assert over == 0, f"{over} pixels stick out; {browser.current_url}"


def in_sight(browser: Chrome, heading: str) -> bool:
    """Whether a heading is on the screen without scrolling, after a moment for the page to scroll there."""

    def visible() -> bool:
        tops = [
            browser.execute_script("return arguments[0].getBoundingClientRect().top", e)
            for e in _shown(browser, "h1, h2, h3", heading)
        ]
        return any(0 <= top < browser.execute_script("return innerHeight") for top in tops)

    return _wait(browser, visible, f"the heading '{heading}' is not in sight")


def too_wide(browser: Chrome) -> int:
    """By how many pixels the page's contents stick out of the screen sideways."""
    return browser.execute_script("""
        const main = document.querySelector('[data-testid="stMain"]');
        return Math.max(0, main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth);
    """)


def silent_pictures(browser: Chrome) -> list[str]:
    """Pictures that do not say to whoever hears the page what they show.

    A chart says its figures in its alternative text; a picture of the grid, the lattice or a hierarchy has a name, and
    a text for each cell and each box with a number, in a list or on the cell itself.
    """
    return browser.execute_script("""
        const shown = e => e.checkVisibility() && e.clientWidth > 150 && e.clientHeight > 80;
        const silent = [...document.querySelectorAll('[data-testid="stPlotlyChart"]')].filter(shown).filter(chart =>
            !/\\d/.test((chart.getAttribute('aria-label') ?? '')
                + [...chart.querySelectorAll('[aria-label]')].map(e => e.getAttribute('aria-label')).join()));
        const roots = [...document.querySelectorAll('*')].filter(e => e.shadowRoot).map(e => e.shadowRoot);
        for (const svg of roots.flatMap(root => [...root.querySelectorAll('svg')]).filter(shown)) {
            const around = svg.closest('div.picture') ?? svg;
            const parts = around.querySelectorAll('.told li, g [aria-label]');
            const told = [...parts].map(e => e.getAttribute('aria-label') ?? e.textContent);
            const cells = around.querySelectorAll('.fills rect, .cell').length;
            const corners = [...around.querySelectorAll('.texts .corner')];
            const boxes = corners.map(e => parseInt(e.textContent)).filter(Boolean);
            const named = svg.getAttribute('aria-label') || svg.querySelector('title')?.textContent;
            if (!named || !told.length || told.length < cells
                || boxes.some(number => !told.some(text => text.startsWith(`box ${number}`)))) silent.push(svg);
        }
        return silent.map(e => e.outerHTML.slice(0, 200));
    """)


def faint_labels(browser: Chrome) -> list[str]:
    """The words in charts that are not in the page's own ink, those inside bars left out."""
    return browser.execute_script("""
        const ink = getComputedStyle(document.querySelector('[data-testid="stApp"]')).color;
        return [...document.querySelectorAll('[data-testid="stPlotlyChart"] svg text:not(.bartext)')]
            .filter(label => label.textContent && getComputedStyle(label).fill !== ink).map(label => label.textContent);
    """)


def faint_choices(browser: Chrome) -> list[str]:
    """The words on chosen options, tabs and sliders that are not in the page's own ink."""
    return browser.execute_script("""
        const ink = getComputedStyle(document.querySelector('[data-testid="stApp"]')).color;
        const chosen = ['[data-testid="stButtonGroup"] [aria-checked="true"]', '[role="tab"][aria-selected="true"]',
            '[data-testid="stSliderThumbValue"]'];
        return [...document.querySelectorAll(chosen.map(kind => `${kind} p`))]
            .filter(word => getComputedStyle(word).color !== ink).map(word => word.textContent);
    """)


def cut_formulas(browser: Chrome) -> int:
    """How many formulas are wider than the room they have."""
    return browser.execute_script("""
        const right = element => element.getBoundingClientRect().right;
        return [...document.querySelectorAll('.katex-display')].filter(formula => {
            const signs = [...formula.querySelectorAll('.katex-html .mord, .katex-html .mclose')];
            const room = formula.closest('details, [data-testid="stMain"]');
            return Math.max(...signs.map(right)) > right(room) - 4;
        }).length;
    """)


# ---------------------------------------------------------------- acting


def press(browser: Chrome, label: str) -> None:
    """Press the button, download button or link-like page button with this text."""
    _click(browser, lambda: _shown(browser, "button, a[data-testid='stPageLink-NavLink']", label), f"button '{label}'")
    wait_until_idle(browser)


_LINK = "[data-testid='stPageLink-NavLink']"


def open_page(browser: Chrome, title: str) -> None:
    """Go to another page through the navigation, in the same session."""
    links = "[data-testid='stSidebarNavLink']"
    unfold, fold = (f"[data-testid='{name}']" for name in ("stExpandSidebarButton", "stSidebarCollapseButton"))
    # A narrow screen folds the sidebar away, and once unfolded it covers the page. A screen that was just made wide may
    # unfold it before the button is pressed.
    folded = False

    def unfolded() -> bool:
        nonlocal folded
        for button in _all(browser, unfold):
            # While a page unfolds it by itself, what moves aside may lie over the button.
            with suppress(ElementClickInterceptedException):
                button.click()
                folded = True
            return False
        return True

    _wait(browser, unfolded, "the sidebar does not unfold")
    name = next(name for name, (called, _) in menu.PAGES.items() if called == title)
    entry = menu.entry(name)
    inside = entry in menu.MORE
    if inside and not _shown(browser, f"[data-testid='stSidebar'] {_LINK}", title):
        _click(browser, lambda: _shown(browser, "summary", "More methods"), "More methods")
        wait_until_idle(browser)
    _click(browser, lambda: _shown(browser, _LINK if inside else links, menu.PAGES[entry][0]), f"page '{title}'")
    wait_until_idle(browser)
    if folded and _all(browser, fold):
        _click(browser, lambda: _all(browser, f"{fold} button"), "the button that folds the sidebar")
        _wait(browser, lambda: _all(browser, unfold), "the sidebar does not fold")
    if name != entry:
        view = menu.VIEWS[entry][name]
        _click(browser, lambda: _shown(browser, f".st-key-way {_LINK}", view), f"view '{view}'")
        wait_until_idle(browser)


def follow(browser: Chrome, label: str) -> None:
    """Follow a link in the text."""
    _click(browser, lambda: _shown(browser, "[data-testid='stMarkdown'] a", label), f"link '{label}'")
    wait_until_idle(browser)


def unfold(browser: Chrome, label: str) -> None:
    """Open, or close, what is folded away below this line."""
    _click(browser, lambda: _shown(browser, "summary", label), f"fold '{label}'")
    wait_until_idle(browser)


def open_tab(browser: Chrome, label: str) -> None:
    """Bring a tab to the front."""
    _click(browser, lambda: _shown(browser, "[role='tab']", label), f"tab '{label}'")
    wait_until_idle(browser)


def pick(browser: Chrome, label: str, option: str) -> None:
    """Choose an option of the select box with this label."""

    def typed() -> bool:
        field = _widget(browser, "stSelectbox", label).find_element(By.CSS_SELECTOR, "input")
        _into_view(browser, field)
        field.click()
        # Long lists draw only what is in sight: typing brings the option there.
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(option)
        return True

    _wait(browser, typed, f"'{label}' takes no letters")
    _click(browser, lambda: _shown(browser, "[role='option']", option), f"option '{option}' of '{label}'")
    wait_until_idle(browser)


def choose(browser: Chrome, label: str, option: str) -> None:
    """Choose an option of the radio buttons, segmented control or pills with this label."""
    found = [name for name in ("stRadio", "stButtonGroup") if _widgets(browser, name, label)]
    group = _widget(browser, found[0] if found else "stRadio", label)
    _click(
        browser,
        lambda: _shown(browser, "label, button", option, group),
        f"option '{option}' of '{label}'",
    )
    wait_until_idle(browser)


def fill(browser: Chrome, label: str, value: str) -> None:
    """Type into the text or number field with this label, in place of what stands there, and press Enter."""
    found = [name for name in ("stTextInput", "stNumberInput") if _widgets(browser, name, label)]
    field = _widget(browser, found[0] if found else "stTextInput", label).find_element(By.CSS_SELECTOR, "input")
    _into_view(browser, field)
    field.click()
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(value, Keys.ENTER)
    wait_until_idle(browser)


def upload(browser: Chrome, label: str, *files: Path) -> None:
    """Give files to the uploader with this label."""
    field = _widget(browser, "stFileUploader", label).find_element(By.CSS_SELECTOR, "input[type='file']")
    field.send_keys("\n".join(str(file.resolve()) for file in files))
    wait_until_idle(browser)


def hit(browser: Chrome, *keys: str) -> None:
    """Press a key with nothing on the page in focus: for keyboard shortcuts."""
    browser.execute_script("document.activeElement.blur();")
    browser.find_element(By.TAG_NAME, "body").send_keys(*keys)
    wait_until_idle(browser)


def walk_to(browser: Chrome, label: str, *keys: str) -> None:
    """Go to what has this name with the Tab key alone, from where the focus is, and press keys there."""
    for _ in range(_MOST_STOPS):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        if browser.execute_script(_NAME_OF_FOCUS, label):
            ActionChains(browser).send_keys(*keys).perform()
            wait_until_idle(browser)
            return
    raise AssertionError(f"'{label}' cannot be reached with the Tab key; {browser.current_url}")


_MOST_STOPS = 150
# By its own words, or by those that label it.
_NAME_OF_FOCUS = """
const at = document.activeElement, label = arguments[0];
const words = element => element === null ? [] : element.innerText.split('\\n').map(line => line.trim());
const small = at.matches('a, button, summary, input, [role="button"], [role="radio"], [role="switch"]');
const named = [at.getAttribute('aria-label') || ''].concat(small ? words(at) : [], words(at.closest('label')));
const widget = at.closest('[data-testid="stSelectbox"]');
if (widget !== null) named.push(...words(widget.querySelector('[data-testid="stWidgetLabel"]')));
return named.includes(label) || (at.getAttribute('aria-label') || '').endsWith(`. ${label}`);
"""


def put_downloads(browser: Chrome, folder: Path) -> None:
    """Have the browser put what is downloaded into a folder."""
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})


def downloaded(folder: Path, name: str) -> Path:
    """The one file of this name, which may be a pattern, in a folder for downloads, once it is whole."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        # It has another name until it is whole.
        files = [file for file in folder.glob(name) if file.stat().st_size]
        if files:
            (file,) = files
            return file
        time.sleep(0.1)
    raise AssertionError(f"{name} was not downloaded")


# ---------------------------------------------------------------- screen


def set_screen(browser: Chrome, width: int, height: int = 900) -> None:
    """Set the size of the page in pixels: 390 x 844 is a telephone held upright."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )


def set_colours(browser: Chrome, scheme: Literal["light", "dark"]) -> None:
    """Tell the page which colour scheme the system prefers; Streamlit follows at once."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )


def picture(browser: Chrome, name: str) -> None:
    """Save the whole page as NAME.png in the folder that CRA_SCREENSHOTS names; do nothing if it names none."""
    folder = os.environ.get("CRA_SCREENSHOTS")
    if not folder:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    width, height, whole = browser.execute_script("""
        const main = document.querySelector('[data-testid="stMain"]');
        return [innerWidth, innerHeight, innerHeight + Math.max(0, main.scrollHeight - main.clientHeight)];
    """)
    # The page scrolls inside an element of its own, so the screen is made as high as its contents for a moment.
    set_screen(browser, width, whole)
    wait_until_idle(browser)
    png = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
    set_screen(browser, width, height)
    (Path(folder) / f"{name}.png").write_bytes(b64decode(png))


# ---------------------------------------------------------------- finding


# The driver would ask the page for each element by itself, and hold it up as long as it takes.
_LINES = """
const lines = element => element.innerText.split('\\n').map(line => line.trim()).filter(line => line);
const seen = element => element.checkVisibility({opacityProperty: true, visibilityProperty: true})
    && element.getBoundingClientRect().width > 0 && element.getBoundingClientRect().height > 0;
const reads = (element, label) => lines(element).includes(label) || element.innerText.trim() === label;
"""
_TEXT = f"""{_LINES}
const app = document.querySelector('[data-testid="stApp"]');
return app === null ? [] : lines(app);
"""
_ALL = f"""{_LINES}
const [css, label, within] = arguments;
return [...(within || document).querySelectorAll(css)].filter(e => seen(e) && (label === null || reads(e, label)));
"""
_WIDGETS = f"""{_LINES}
const [testid, label] = arguments;
return [...document.querySelectorAll(`[data-testid="${{testid}}"]`)].filter(widget =>
    [...widget.querySelectorAll('[data-testid="stWidgetLabel"]')].some(caption => reads(caption, label)));
"""


def inside(browser: Chrome, key: str, script: str) -> Any:
    """What a script does or finds in the picture of this key, once that is drawn; ``root`` is its own tree."""
    found = """const [key, script] = arguments;
        const drawn = [...document.querySelectorAll(`.st-key-${key} *`)].find(one => one.shadowRoot);
        const said = drawn ? new Function('root', script)(drawn.shadowRoot) : null;
        return drawn && !(Array.isArray(said) && !said.length) ? [said] : null;"""
    return _wait(browser, lambda: browser.execute_script(found, key, script), f"nothing is drawn in {key}")[0]


def point_at(browser: Chrome, key: str, script: str) -> None:
    """Move the pointer to a place in the picture of this key, which a script gives in pixels of the window."""
    x, y = inside(browser, key, script)
    browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": round(x), "y": round(y)})


def _all(browser: Chrome, css: str) -> list[WebElement]:
    return browser.execute_script(_ALL, css, None, None)


def _shown(browser: Chrome, css: str, label: str, within: WebElement | None = None) -> list[WebElement]:
    """Elements whose text is the label, apart from an icon, a key's name or a note on lines beside it."""
    return browser.execute_script(_ALL, css, label, within)


def _widgets(browser: Chrome, testid: str, label: str) -> list[WebElement]:
    return browser.execute_script(_WIDGETS, testid, label)


def _widget(browser: Chrome, testid: str, label: str) -> WebElement:
    return _wait(browser, lambda: _widgets(browser, testid, label), f"no {testid} '{label}' on the page")[0]


_ON_TOP = """
const {left, top, width, height} = arguments[0].getBoundingClientRect();
const hit = document.elementFromPoint(left + width / 2, top + height / 2);
return hit === null || hit.closest('[data-testid="stTooltipContent"]') === null;
"""


def _into_view(browser: Chrome, element: WebElement) -> None:
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'});", element)


def _click(browser: Chrome, find: Callable[[], list[WebElement]], what: str) -> None:
    """Click the one element that is found, once it can be clicked and stands still: what unfolds moves for a while."""
    stood: tuple[str, dict[str, float]] | None = None

    def clicked() -> bool:
        nonlocal stood
        found = [element for element in find() if element.is_enabled()]
        if not found:
            return False
        assert len(found) == 1, f"{len(found)} elements answer to {what}"
        _into_view(browser, found[0])
        before, stood = stood, (found[0].id, found[0].rect)
        if stood != before:
            return False
        # The hint of what the pointer stood on lies over its neighbours until the pointer is elsewhere.
        ActionChains(browser, duration=0).move_to_element(found[0]).perform()
        if not browser.execute_script(_ON_TOP, found[0]):
            return False
        found[0].click()
        return True

    _wait(browser, clicked, f"{what} is not there to be clicked")


def _wait(browser: Chrome, condition: Callable[[], Found], otherwise: str, patience: float = PATIENCE) -> Found:
    # An element that Streamlit has just replaced, or that is still on its way, is looked up again.
    passing = [StaleElementReferenceException, ElementNotInteractableException, MoveTargetOutOfBoundsException]
    waiting = WebDriverWait(browser, patience, 0.05, ignored_exceptions=passing)
    return waiting.until(lambda _: condition(), f"{otherwise}; {browser.current_url}")
