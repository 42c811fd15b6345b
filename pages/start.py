"""Start: what this is, and one click to a ready example."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.picture import mount as grid
from cra_dashboard.panels.stage import folded
from cra_dashboard.panels.start_picture import Drawn, picture
from cra_dashboard.panels.tables import show_table
from cra_dashboard.session import fields, keys, state
from cra_dashboard.session.example_cards import example_cards, open_example
from cra_dashboard.session.uploads import allowed
from cra_dashboard.texts.papers import ATTACK

_SHOWN = "start-solution-shown"


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("CRA Explorer", help=f"The paper: {ATTACK}.")
    lock = " :small[:material/lock: Your table stays in the memory of this session.]" if allowed() else ""
    st.markdown(
        "ARX, a free program that anonymizes tables, publishes people in groups of at least *k* that look alike, by a "
        f"known rule. A **Combinatorial Refinement Attack** (CRA) reads what that rule gives away.{lock}"
    )
    show_ways()
    before, after, asked, alone, table = picture()
    shown = st.session_state.get(_SHOWN, False)
    with st.container(key="stage"), st.grid(2, min_column_width=300):
        with st.container():
            hint = "Where boxes overlap, the earlier one took everybody."
            show(before, "start-before", hint, "**The toy: what its published table says.** ")
        with st.container(key="start-asked"):
            hint = "Its hierarchies, k and way of working, as they are told with a table or guessed from its labels."
            lead = "**What anybody works out who knows ARX's settings.** " * shown
            show(after if shown else asked, "start-after", hint, lead)
            if not shown:
                label, keep = "Show what can be worked out", st.session_state.__setitem__
                fields.act(label, keep, _SHOWN, True, key="start-show")
    told = table if shown else table.iloc[:, :-1]
    parts = {"As a table": partial(show_table, told, f"Every cell: {', '.join(told.columns[1:])}")}
    if shown:
        hint = "A table, here, is one way to fill in everybody's exact values."
        parts["What one box by itself gives away"] = partial(show, alone, "start-alone", hint)
    folded(parts, "start-folded")
    st.subheader("Open an example")
    if (picked := example_cards("start")) and open_example(picked):
        st.switch_page("pages/recode.py")


def show_ways() -> None:
    """Offers the ways in: whoever publishes a table first, then who learns or teaches."""
    with _way("start-own", "Own table:"):
        label, icon = "May my table go out?", ":material/verified:"
        hint = "CSV, Excel, OpenDocument, SPSS, Stata, SAS or Parquet. Your table is not saved, and not sent anywhere."
        if allowed() and st.button(label, key="start-upload", type="primary", icon=icon, help=hint):
            st.session_state[keys.TABLE_FROM] = keys.UPLOAD
            st.session_state[keys.ASKED_BESIDE] = getattr(state.dataset(), "digest", None)
            st.switch_page("pages/data.py")
        st.page_link("pages/audit.py", label="Audit a published one", icon=":material/policy:", width="content")
        if st.button("Two releases together", key="start-together", type="tertiary", icon=":material/join_inner:"):
            st.session_state[keys.BRING_RELEASES] = True
            st.switch_page("pages/together.py")
    with _way("start-ways", "In class:"):
        if st.button("The story, in eight minutes", key="start-story", type="primary", icon=":material/auto_stories:"):
            st.switch_page("pages/story.py")
        hint = "Move people, and see at once who is given away."
        if st.button("Playground", key="start-playground", icon=":material/touch_app:", help=hint):
            st.switch_page("pages/playground.py")
        label, icon = "Publish the toy, step by step", ":material/play_arrow:"
        at_once = st.button(label, key="start-at-once", type="tertiary", icon=icon)
        hint = "Of five minutes each, alone or presented."
        st.page_link("pages/lessons.py", label="Lessons", icon=":material/school:", width="content", help=hint)
        hint = "A plan for a class with a projector, handouts to print, solutions."
        if st.button("For teachers", key="start-teachers", type="tertiary", icon=":material/print:", help=hint):
            st.session_state[f"{keys.FOR_TEACHERS}-0"] = True
            st.switch_page("pages/lessons.py")
    if at_once and open_example("toy"):
        st.switch_page("pages/recode.py")


def _way(key: str, whose: str) -> DeltaGenerator:
    """A line of ways in, with whose they are before it."""
    line = st.container(horizontal=True, vertical_alignment="center", key=key)
    line.markdown(f"**{whose}**", width="content")
    return line


def show(drawn: Drawn, key: str, hint: str, lead: str = "") -> None:
    """Shows a drawing below its sentence."""
    st.markdown(lead + drawn.said, help=hint)
    grid.show(drawn.figure, key, drawn.alt)


page()
