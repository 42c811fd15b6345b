"""The stage of a page: one figure that stays where it is, the controls beside it, the rest below, folded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.session import fields
from cra_dashboard.texts import words

T = TypeVar("T")
DETAILS = "Tables and details"  # the heading of what stands below a figure

# How a page begins: everything that stands above its figure is as low as it can be read, so that the figure is inside
# the window of a small computer. Below 900 px parts stand below each other, and nothing is fixed.
STYLE = """
@media (min-width: 900px) {
  [data-testid="stMainBlockContainer"] {padding: 3.75rem 2.5rem 3rem}
  [data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] {gap: 0.6rem}
  [data-testid="stMainBlockContainer"] h1 {font-size: 1.7rem; padding: 0.1rem 0 0.4rem}
  .st-key-stage-heading h3 {font-size: 1.05rem; padding: 0 0 0.6rem}
  .st-key-stage-controls {gap: 0.5rem} .st-key-hierarchy-tree {--picture-least: 430}
  .st-key-stage {gap: 0.4rem} [class*="recode-step-"][class*="-controls"] [data-testid="stSlider"] {padding-top: 0.4rem}
  .st-key-stage [data-testid="stCaptionContainer"] p {line-height: 1.4}
  .st-key-study-bar {padding: 0.15rem 0.75rem !important}
  .st-key-study-bar-text {column-gap: 0.75rem; row-gap: 0} .st-key-study-bar-text p {font-size: 0.875rem}
  [data-testid="stColumn"] [data-testid="stLayoutWrapper"]:has(> .st-key-stage) {position: sticky; top: 3.75rem}
}
@media (min-width: 900px) and (max-height: 760px) {
  .st-key-stage {--picture-most: 410}  /* so that its caption is in the window, too */
  .st-key-stage-controls {gap: 0.3rem}
  .st-key-hierarchy-rules {gap: 0.3rem; padding: 0.4rem 0.75rem !important}
}
.st-key-start-asked {position: relative}  /* what shows the solution lies in its legend: nothing moves when it goes */
.st-key-start-show {position: absolute; bottom: 295px; left: 7.6rem; width: max-content}
.st-key-start-show button {min-height: 2rem; padding: 0 0.5rem}
/* In a wide window the examples share the whole row: Streamlit keeps places in it for cards that are not there. */
:is(.st-key-start-cards, .st-key-data-cards) {grid-template-columns: repeat(auto-fit, minmax(168px, 1fr)) !important}
/* Streamlit's captions reach 5:1 only, which is faint on a projector; its pale green of code would be fainter still. */
[data-testid="stCaptionContainer"] {opacity: 0.8 !important}
[data-testid="stCaptionContainer"] code {color: inherit !important; font-size: 0.86em}
/* Beside a figure choices break into lines; each then has a frame of its own. */
.st-key-stage-controls [data-testid="stButtonGroup"] button[role="radio"] {
  border-width: 1px !important; border-style: solid !important; border-radius: 0.5rem;
  margin: 0 0.25rem 0.25rem 0 !important; padding-left: 0.6rem; padding-right: 0.6rem}
.st-key-stage-controls [data-testid="stButtonGroup"] button[role="radio"]:not([data-selected]) {
  border-color: rgba(128, 128, 128, 0.45) !important}
/* A help's mark can be pressed around it, too, and the key beside a button's word can be read. */
.stTooltipIcon [aria-label^="Help"] {padding: 4px; margin: -4px} [data-testid^="stBaseButton"] kbd {opacity: 1}
/* A chosen name is told whole, and so is what a number is, and what is taken back. */
.st-key-study-undo {max-width: min(100%, 26rem)}
.st-key-study-undo:has(:enabled) p {white-space: normal !important; overflow: visible !important}
[data-testid="stMetricLabel"], [data-testid="stMetricLabel"] :is(div, p) {white-space: normal; overflow: visible}
[data-testid="stMultiSelect"] [data-tag] {height: auto}
[data-testid="stMultiSelect"] [data-tag] > span {white-space: normal; overflow-wrap: anywhere}
@media (max-width: 899px) {
  [data-testid="stMainBlockContainer"] {padding-top: 3.75rem}
  [data-testid="stMainBlockContainer"] h1 {font-size: 1.4rem; padding: 0.2rem 0}
  [data-testid="stMainBlockContainer"] :is(h2, h3) {font-size: 1.1rem; padding: 0.2rem 0}
  [data-testid="stLayoutWrapper"]:has(> .st-key-page-top) {position: absolute}
  /* A help's mark takes no room of its line but beside it, so that it never stands alone below its last word. */
  p:has(> span .stTooltipIcon) {padding-right: 1.75rem} p > span:has(.stTooltipIcon) {margin-right: -1.75rem}
  .st-key-study-bar {padding: 0.3rem 0.6rem !important; gap: 0.25rem 0.5rem}
  .st-key-study-undo:has(:enabled) {order: 1; flex: 1 1 100% !important}
  .st-key-study-bar > [data-testid="stLayoutWrapper"]:has(> .st-key-study-bar-text) {flex: 1 1 0; min-width: 0}
  /* The icons stand for their words, which are read out. */
  .st-key-study-bar :is([class*="st-key-copy-link"], button:disabled) p {position: absolute; width: 0; overflow: hidden}
  .st-key-study-bar button {padding: 0 0.6rem}
  .st-key-study-bar-text {gap: 0} .st-key-study-bar-text p {font-size: 0.8125rem; line-height: 1.3}
  :is(.st-key-start-own, .st-key-start-ways) {row-gap: 0.25rem} [class*="st-key-start-"] {--legend: 2}
  /* Who is asked first, or comes to bring releases, sees the table or the example's picture then. */
  [data-testid="stColumn"]:has(.st-key-data-question, .st-key-data-check, .st-key-together-bring) {order: -1}
  .st-key-gr-before {display: none} /* what is to be pressed comes first */
  .st-key-recode-top > [data-testid="stLayoutWrapper"] {flex: 1 1 100%}
}
.st-key-page-top {position: absolute; width: 0; height: 0; overflow: hidden}
.st-key-stage {--waiting: 24rem} .stPrintGraphic > [data-testid="stSkeleton"] {height: 100%}  /* grey, not blank */
/* Once a button was pressed its help has been read: it would cover what changed. To the keyboard it stays. It keeps its
room: help of no size is placed on the buttons beside its own, and comes back there as the pointer moves to them. */
body:has([data-testid^="stBaseButton"]:hover:focus:not(:focus-visible)) [role="tooltip"] {visibility: hidden}
/* In a low window, or at double size, help would end below it, or cover the line at its top. */
[data-testid="stTooltipContent"] {max-height: min(300px, 45vh)}
/* Headings that are heard and not seen take no room, and no key stops at one: Copy link links the page. */
[data-testid="stElementContainer"]:has(h2.heard) {position: absolute; width: 1px}
h2.heard {position: absolute; width: 1px; height: 1px; padding: 0; margin: -1px; overflow: hidden;
  clip-path: inset(50%)} [data-testid="stHeaderActionElements"] a {display: none}
[class*="st-key-publishable-becomes"] {table {width: 100%; font-size: 0.875rem} :is(td, th) {padding: 0.2rem 0.35rem}}
[class*="st-key-lesson-list"] :is(button, button > div) {justify-content: start; text-align: start}
"""


@dataclass(frozen=True)
class Stage:
    """The places of any page that its parts fill.

    Attributes:
        sentence: above the figure.
        figure: the page's one figure.
        beside: among the controls.
        below: under both.
    """

    sentence: DeltaGenerator
    figure: DeltaGenerator
    beside: DeltaGenerator
    below: DeltaGenerator


def say(place: DeltaGenerator, text: str, more: str = "") -> None:
    """Show any page's sentence above the figure, and below it in other type what goes with it.

    Args:
        place: where it stands.
        text: plain text.
        more: Markdown that shows where somebody asks for it, beside the sentence.
    """
    first, end, rest = text.partition(". ")
    place.markdown(f"**{words.plain(first + end.strip())}** {words.plain(rest)}".strip(), help=more or None)


def heading(text: str) -> None:
    """Begin a part of any page for whoever hears it: a screen reader jumps from heading to heading; nothing is seen."""
    st.html(f'<h2 class="heard">{text}</h2>')


def stage(figure: int = 5, controls: int = 2) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Lay out any page: a place for its figure beside one for its controls, below each other on a telephone.

    Args:
        figure: how wide the figure is, in parts.
        controls: how wide the controls are, likewise.
    """
    left, right = st.columns([figure, controls], gap="medium")
    places = left.container(key="stage"), right.container(key="stage-controls")
    for place, text in zip(places, ("The picture", "Choices and findings"), strict=True):
        with place:
            heading(text)
    return places


def one_of(
    label: str,
    options: Sequence[T],
    key: str,
    *,
    first: T | None = None,
    called: Callable[[T], str] = str,
    hint: str | None = None,
) -> T:
    """Show a choice on any page of which one always holds; remembered while the person visits pages.

    Args:
        label: above the choice.
        options: what there is to choose.
        key: of the choice.
        first: what holds before anybody chooses; the first option where nothing is said.
        called: what an option is called.
        hint: what to know of the choice, shown where somebody asks.
    """
    # Not as a default: a lesson sets some of these too, and Streamlit warns of a field that is given both.
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0] if first is None else first
    chosen = fields.segmented_control(label, options, format_func=called, required=True, key=key, help=hint)
    return cast("T", chosen)


def folded(parts: Mapping[str, Callable[[], Any]], key: str, called: str = DETAILS) -> None:
    """Show what a page has besides its figure, each part below a line of its own that opens it; computed once open.

    Args:
        parts: what draws each part, by what the line says.
        key: of the lines; what was opened stays open while the person visits other pages.
        called: their heading for whoever hears the page; empty where they are no part of their own.
    """
    if called:
        heading(called)
    for place, (label, draw) in enumerate(parts.items()):
        name = f"{key}-{place}"
        with st.expander(label, key=name, on_change="rerun") as part:
            if part.open:
                draw()


def tabbed(parts: Mapping[str, Callable[[], Any]], key: str) -> None:
    """Show what a page has besides its figure, as tabs: only the open one is computed.

    Args:
        parts: what draws each, by its title.
        key: of the tabs.
    """
    heading(DETAILS)
    for place, draw in zip(st.tabs(list(parts), key=key, on_change="rerun"), parts.values(), strict=True):
        if place.open:
            with place:
                draw()


def listed(sentences: Sequence[str], most: int, more: str) -> None:
    """Show sentences on any page as a list: the first ones, and the others where somebody asks for them."""
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences[:most]))
    if len(sentences) > most:
        with st.popover(more):
            st.markdown("\n".join(f"- {sentence}" for sentence in sentences[most:]))


_TOP = "cra_top"  # how often a page was asked to go back to its top


def go_to_top() -> None:
    """Show any page from its top again; to be called from a callback."""
    st.session_state[_TOP] = st.session_state.get(_TOP, 0) + 1


def begin_at_top(page: str) -> None:
    """Show any page from its top, no menu over it: the browser leaves it scrolled, Streamlit the menu of More methods.

    Args:
        page: its name in the address; only a new one, or :func:`go_to_top`, moves anything.
    """
    with st.container(key="page-top"):
        st.html(
            f"<script>/* {page} {st.session_state.get(_TOP, 0)} */ {{const find = css => document.querySelector(css);"
            "if (!location.hash) find('[data-testid=stMain]')?.scrollTo(0, 0); if (innerWidth <= 768)"
            "find('[data-collapsed=false] [data-testid=stSidebarCollapseButton] button')?.click();}</script>",
            unsafe_allow_javascript=True,
        )
