"""What somebody sees of a page before anything is opened: how many words, and whether its figure is in the window."""

from dataclasses import dataclass

from selenium.webdriver import Chrome

# Words as a person counts them: what can be read on the page, without the menu and its views, what a picture
# writes beside its marks, and without the names of icons, which are drawn.
_WORDS = """
const main = document.querySelector('[data-testid="stMain"]');
const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
const words = [];
while (walker.nextNode()) {
    const at = walker.currentNode.parentElement;
    if (at.closest('.st-key-way')) continue;
    if (at.closest('style, script, svg, [role="img"], [data-testid="stIconMaterial"], [data-testid="stPlotlyChart"]'))
        continue;
    if (!at.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const box = at.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    words.push(...walker.currentNode.textContent.split(/\\s+/).filter(word => /[\\p{L}\\p{N}]/u.test(word)));
}
return words;
"""
# The figure is what the page calls its stage: its drawn parts with the captions below them.
_FIGURE = """
const stage = document.querySelector('.st-key-stage');
if (stage === null) return null;
const kinds = ['stPlotlyChart"]', 'stBidiComponentIsolated"]', 'stCaptionContainer"] p'];
const drawn = kinds.flatMap(kind => [...stage.querySelectorAll(`[data-testid="${kind}`)]);
const boxes = (drawn.length ? drawn : [stage]).map(part => part.getBoundingClientRect());
return [Math.min(...boxes.map(box => box.top)), Math.max(...boxes.map(box => box.bottom)),
    Math.min(...boxes.map(box => box.left)), Math.max(...boxes.map(box => box.right))];
"""


@dataclass(frozen=True)
class Figure:
    """Where the page's figure lies, in pixels of the window."""

    top: float
    bottom: float
    left: float
    right: float

    def inside(self, width: int, height: int, header: int = 0) -> bool:
        """Whether all of it can be seen in a window of this size, below a header."""
        return self.top >= header and self.bottom <= height and self.left >= 0 and self.right <= width


def words(browser: Chrome) -> list[str]:
    """The words that can be read on the page before anything is opened."""
    return browser.execute_script(_WORDS)


def figure(browser: Chrome) -> Figure | None:
    """Where the page's figure is now; None for a page without one."""
    found = browser.execute_script(_FIGURE)
    return None if found is None else Figure(*found)
