"""Start: what this is, and one click to a ready example."""

import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.panels.stage import folded
from cra_dashboard.panels.start_picture import picture
from cra_dashboard.session import keys, state
from cra_dashboard.session.uploads import allowed
from cra_dashboard.table.example_cards import example_cards, open_example

st.title("CRA Explorer")
st.markdown(
    "ARX publishes people in groups of at least *k* that look alike, by a known rule. A **Combinatorial Refinement "
    "Attack** (CRA) reads from the published table what that rule gives away."
)

# One way in; who would rather read, go step by step or bring a table finds that beside it.
with st.container(horizontal=True, vertical_alignment="center", key="start-ways"):
    if st.button(
        "Open the playground",
        key="start-playground",
        type="primary",
        icon=":material/touch_app:",
        help="Move people, and see at once who is given away.",
    ):
        st.switch_page("pages/playground.py")
    at_once = st.button(
        "Start with the toy example", key="start-at-once", type="tertiary", icon=":material/play_arrow:"
    )
    st.page_link("pages/story.py", label="The story, in eight minutes", icon=":material/auto_stories:")
    if allowed():
        if st.button(
            "Use your own table",
            key="start-upload",
            icon=":material/upload_file:",
            help="A CSV file. It stays in the memory of this session: not saved, not sent anywhere.",
        ):
            st.session_state[keys.TABLE_FROM] = keys.UPLOAD
            st.session_state[keys.ASKED_BESIDE] = getattr(state.dataset(), "digest", None)
            st.switch_page("pages/data.py")
        st.caption(":material/lock: It stays in the memory of this session.", width="content")
if at_once and open_example("toy"):
    st.switch_page("pages/recode.py")

drawn = picture()
with st.container(key="stage"), st.grid(2, min_column_width=300):
    with st.container():
        st.markdown("**What the published table says**")
        st.plotly_chart(drawn.before, key="start-before", config=CONFIG, alt=drawn.alt_before)
        st.markdown(drawn.said)
    with st.container():
        st.markdown("**What anybody can work out from it**")
        st.plotly_chart(drawn.after, key="start-after", config=CONFIG, alt=drawn.alt_after)
        st.markdown(drawn.found)


def as_a_table() -> None:
    st.dataframe(drawn.table, hide_index=True, alt="Every cell, as it is published and as the attack finds it")


def one_box() -> None:
    st.plotly_chart(drawn.alone, key="start-alone", config=CONFIG, alt=drawn.alt_alone)
    st.markdown(drawn.alone_said, help="A table, here, is one way to fill in everybody's exact values.")


folded({"As a table": as_a_table, "What one box by itself gives away": one_box}, "start-folded")

st.subheader("Open an example")
picked = example_cards("start", brief=True)
if picked and open_example(picked):
    st.switch_page("pages/recode.py")
