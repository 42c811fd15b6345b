"""What stands around every page: the bar that names the current study, and the gate in front of pages that need one."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import get_args

import pandas as pd
import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from cra_dashboard.panels import menu, stage
from cra_dashboard.session import decisions, fields, handed_out, keys, link, messages, state
from cra_dashboard.session.example_cards import open_example
from cra_dashboard.texts import words
from cra_engine import CRAError, Study
from cra_engine.publishable.words import REPEATS
from cra_engine.raw.placement import LEFT_OUT, complete
from cra_engine.words import how_many

STEPS = ("your table", "may it go out?", "hand it out")

OPENED_ITSELF = "An example, since no table was open. Your own: page Data. What was uploaded is gone after a reload."

SHOWING_TAKEN = {"data", "check"}  # pages that know the table that was taken
# Pages that work on a table of their own, or on the session's where somebody chooses it.
CHOOSING = {"audit", "heterogeneous", "experiments", "microaggregate", "downcode", "effective_anonymity"}
_BEGUN, _TAKEN_BACK = "frame-begun", "frame-taken-back"
_HIDDEN: dict[link.Hidden, tuple[str, str]] = {
    "menu": ("the list of pages", '[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]'),
    "bar": ("the bar with the study", ".st-key-study-bar"),
    "settings": ("the settings", ".st-key-settings, .st-key-settings-prior"),
    "tables": ("the tables", '[data-testid="stDataFrame"], [data-testid="stExpander"]'),
}


def study_bar(page: str = "") -> None:
    """Show one line on every page: table, records, attributes, k, models, profile, and the link to this very picture.

    The playground and the story have tables of their own; they go without.

    Args:
        page: its name in the address.
    """
    problems = link.problems()
    if problems:
        st.warning(words.plain(link.sentence(problems)), icon=":material/link_off:")
    data, study = state.dataset(), state.study()
    own = page in CHOOSING or (page == "together" and study is not None and st.session_state.get(keys.together()) == [])
    if data is None or page in menu.WIDE or (own and data.note == OPENED_ITSELF):
        return
    parts = [f"**{words.plain(data.name)}**", records_said(data, study)]
    note = f"{left_out_said(data, study)} {data.note}".strip()
    if own:
        parts, note = [f"Open in this session: {parts[0]}"], "This page names its own table below."
    elif study is not None:
        k, *models = asked(study)
        of_all = models if page == "together" else [k, *models]  # there each release has a k of its own
        parts += [*of_all, words.plain(", ".join(study.names))]
        taken = handed_out.taken()
        if taken is not None and not taken.problem:
            published = f"{how_many(len(taken.drawn.frame), 'row')}, k = {taken.drawn.study.k}"
            note = f"Not the table taken on Check ({published}): this page looks at what Recode publishes."
            if page in SHOWING_TAKEN:  # k, columns and rows left out of the settings are not those of this one
                raw = how_many(len(data.whole), "record")
                parts, note = [parts[0], f"raw: {raw}", f"**taken: {published}**"], data.note
    if back := st.session_state.pop(_TAKEN_BACK, ""):
        note = f"Taken back: {back}."
    with st.container(border=True, key="study-bar", horizontal=True, vertical_alignment="center", gap="small"):
        # One line where there is room, for the page's figure needs the height.
        with st.container(
            horizontal=True, vertical_alignment="center", width="stretch", gap="small", key="study-bar-text"
        ):
            st.markdown(" · ".join(parts), width="content")
            st.caption(words.plain(note), width="content")
        last = decisions.last_change()
        fields.act(
            f"Undo: {words.plain(last)}" if last else "Undo",
            take_back,
            last,
            icon="undo",
            key="study-undo",
            disabled=not last,
        )
        copy_link(page)


def show_step(page: str, *, waits: bool = False) -> None:
    """Say on Data and Check where a table of one's own is on its way out.

    Args:
        page: its name in the address.
        waits: whether a person has to decide something before the table that was taken goes out.
    """
    data, taken = state.dataset(), handed_out.taken()
    if data is None or data.uploaded:
        at = 0 if data is None or page == "data" else 1 if taken is None or taken.problem or waits else 2
        said = [f"**Step {place + 1} of 3: {step}**" if place == at else step for place, step in enumerate(STEPS)]
        st.caption(" → ".join(said))


def run(page: StreamlitPage) -> None:
    """Run a page, and forget the fragments that it no longer shows, however it ends.

    Streamlit forgets them only where a page does not end by ``st.stop``. A late look of a fragment that is gone would
    write where something else stands now, which leaves the browser with an empty page.
    """
    try:
        page.run()
    except StopException:
        if (context := get_script_run_ctx()) is not None:
            context.fragment_storage.clear(new_fragment_ids=context.shared.new_fragment_ids.snapshot())
        raise


def asked(study: Study) -> list[str]:
    """Return what the line on every page says that a study asks of its publisher: k, and what is not usual."""
    models = [str(model) for model in study.privacy]
    models += [] if study.quality.usual else [f"quality model {study.quality.model}"]
    models += [] if study.profile == "paper" else [f"recoded {words.profile(study.profile)}"]
    return [f"k = {study.k}", *map(words.plain, models)]


def take_back(what: str) -> None:
    """Take back from any page the last change; the bar then says what it was, for not every page shows it."""
    state.undo()
    st.session_state[_TAKEN_BACK] = what


def left_to_publish(data: state.Dataset, study: Study | None) -> pd.DataFrame:
    """Return the records that pages count as left to publish, without rows left out for missing values."""
    if study is None or not any(attribute.missing == LEFT_OUT for attribute in study.attributes):
        return data.frame

    def left() -> pd.DataFrame:
        try:
            return complete(data.frame, study).data
        except CRAError:  # the page says what is wrong
            return data.frame

    return state.once("records that are published", (data.digest, study), left)


def records_said(data: state.Dataset, study: Study | None) -> str:
    """Say on any page how many records there are, and how many are left to publish where some are left out."""
    if data.first_line:  # until somebody says whether the first is a person's
        return how_many(len(data.whole) + 1, "line")
    left, records = len(left_to_publish(data, study)), how_many(len(data.whole), "record")
    return records if left == len(data.whole) else f"{left:,} of {records}"


def left_out_said(data: state.Dataset, study: Study | None) -> str:
    """Say above every page which rows are left out and why, each once, as Make it publishable counts; or nothing."""
    reasons = Counter(decisions.left_out(data).values())
    parts = [f"{how_many(reasons[why], 'row')}, {why}" for why in sorted(reasons, key=lambda why: why != REPEATS)]
    if gaps := len(data.frame) - len(left_to_publish(data, study)):
        parts.append(f"{how_many(gaps, 'row')}, with missing values (Make it publishable keeps those it can)")
    every = f" {how_many(sum(reasons.values()) + gaps, 'row')}" * (len(parts) > 1)
    return f"Left out{every}: {'; '.join(parts)}." if parts else ""


def copy_link(page: str) -> None:
    """Show on any page what opens to show the link to this very picture, and what a teacher may add to it."""
    with st.popover("Copy link", icon=":material/link:", on_change="rerun", key=f"copy-link-{page}"):
        here = link.to_copy(page)
        if here is None:
            st.markdown(
                "A link carries built-in and synthetic studies only. Nothing of a table, or of a hierarchy, that was "
                "uploaded ever stands in an address."
            )
            return
        large = st.checkbox("Larger type, for a projector", value=here.size is not None, key="link-size")
        hidden = st.multiselect(
            "Leave out",
            get_args(link.Hidden),
            default=here.hide,
            format_func=lambda part: _HIDDEN[part][0],
            placeholder="Nothing",
            key="link-hide",
        )
        shown = here.model_copy(update={"size": "large" if large else None, "hide": tuple(hidden)})
        home = (st.context.url or "").rstrip("/").removesuffix(f"/{page}")
        st.code(f"{home}/{page}?{link.query(shown)}", language=None, wrap_lines=True)
        st.caption(link.carried())


# A formula is broken to fit; a box of its own to scroll in could not be reached by keyboard.
_FORMULAS = "[data-testid] .katex-display {overflow: visible} @media (max-width: 640px) {.katex {font-size: 1em}}"
# Streamlit gives a chart the theme's ink once; where the system turns dark or light later, the page's own ink follows.
_INK = """[data-testid="stPlotlyChart"] svg text:not(.bartext):not(.hoverlayer *) {fill: currentColor !important}"""
# Streamlit writes what is chosen in the theme's first colour, in dark colours too faint for text; its frame stays.
_CHOSEN = """[data-testid="stButtonGroup"] button[data-selected], [data-testid="stTab"][data-selected],
[data-testid="stTab"][data-selected] p, [data-testid="stSliderThumbValue"] {color: inherit !important}"""
# Text in charts has a size of its own, which does not grow with the page's; that of a legend has its room measured.
_LARGE = """html {font-size: 125%}
[data-testid="stPlotlyChart"] svg text:not(.legendtext) {font-size: 0.9rem !important}"""
# In dark colours what opens over the page is as dark as the page.
_OVER = """[data-testid="stPopoverBody"] {border: 2px solid currentColor}"""
# Streamlit shows by a faint ground alone which link, or that the page itself, has the focus, by a hair which number.
_FOCUS = """:is(main, [data-testid="stSidebarNavLink"], [data-testid="stPageLink-NavLink"]):focus-visible
{outline: 3px solid currentColor !important; outline-offset: -3px}
[data-testid="stNumberInputField"]:focus-visible {box-shadow: inset 0 -3px currentColor}"""
_LESS_MOTION = """@media (prefers-reduced-motion: reduce) {
*, *::before, *::after {animation-duration: 0.001s !important; transition-duration: 0.001s !important}
}"""


def dress(page: str, *, large: bool) -> None:
    """Dress the page as the link's options ask for: larger type, and parts that are left out.

    Args:
        page: its name.
        large: larger type whatever the link says.
    """
    chosen = link.options()
    rules = [_FORMULAS, _INK, _CHOSEN, _OVER, _FOCUS, _LESS_MOTION, stage.STYLE, *menu.styles(page)]
    rules += [f"{_HIDDEN[part][1]} {{display: none !important}}" for part in chosen.hide]
    if large or chosen.size == "large":
        rules.append(_LARGE)
    st.html(f"<style>{' '.join(rules)}</style>")


_ONE_SCREEN = """<style>
[data-testid="stMainBlockContainer"] {padding: 3.75rem clamp(0.5rem, 2vw, 2.5rem) 0.5rem}
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] {gap: 0.5rem}
.st-key-title-above {position: fixed; z-index: 999990; top: 1.45rem; margin-left: 2.5rem; pointer-events: none}
.st-key-title-above h1 {padding: 0; font-size: 1.1rem; white-space: nowrap}
@media (max-width: 640px) {
  .st-key-title-above {top: 2.4rem; margin: 0} .st-key-title-above h1 {font-size: 0.85rem}
}
</style>"""


def one_screen(title: str) -> None:
    """Give a page's whole window to what follows; its title stands in the bar above.

    Args:
        title: of the page.
    """
    st.html(_ONE_SCREEN)
    with st.container(key="title-above"):
        st.title(title, anchor=False)


def require_app() -> None:
    """See to it before a page is drawn that app.py has run, which opens the study of a link.

    Where a browser opens a page's own address before any other has been opened since the program started, Streamlit
    takes the folder pages for the whole app, and runs the page alone; it is told here that app.py has its own
    navigation.
    """
    if not st.session_state.get(_BEGUN, False):
        st.session_state[_BEGUN] = True
        if not link.followed():
            PagesManager.uses_pages_directory = False
            st.rerun()


def require_dataset(example: str = "toy") -> state.Dataset:
    """Require on any page the session's table; before there is one, no page stays white: it opens an example.

    Args:
        example: the one that shows what the page is about.
    """
    require_app()
    data = state.dataset()
    if data is None:
        if not open_example(example, note=OPENED_ITSELF):
            st.stop()
        st.rerun()
    if data.first_line:
        st.warning("Is the first line of the file a person's, or names? Until that is said, nothing is shown of it.")
        st.page_link("pages/data.py", label="Name the columns on Data", icon=":material/table:")
        st.stop()
    return data


def require_study() -> Study:
    """Require on any page the session's study; before there is one it says where to get it and stops."""
    require_dataset()
    study = state.study()
    if study is None:
        st.info(
            "Nobody has said which columns others may know of a person: these are published in groups.",
            icon=":material/account_tree:",
        )
        st.page_link("pages/data.py", label="Say it on Data")
        st.stop()
    return study


def require_recoding(*, whole: bool = True) -> None:
    """Require on any page a table and a study that fit; else it says what is missing and stops.

    Args:
        whole: whether the page goes through all cells of the grid, to draw or to attack them.
    """
    require_study()
    with or_mended("Recoding…"):
        made = state.recoding()
        if whole:
            made.grid.check_whole()


@contextmanager
def or_mended(doing: str) -> Iterator[None]:
    """End any page with the failure of what it is doing inside, and where a table that does not fit can be mended."""
    try:
        with st.spinner(doing):
            yield
    except CRAError as failure:
        messages.show_error(failure)
        if decisions.open_gaps():
            st.page_link("pages/data.py", label="Decide on the page Data", icon=":material/table:")
        else:
            st.page_link("pages/hierarchies.py", label="Go to Hierarchies")
        st.stop()
