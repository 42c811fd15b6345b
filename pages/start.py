"""Start: what this is, and one click to a ready example."""

import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.panels.start_picture import picture
from cra_dashboard.session import state
from cra_dashboard.session.uploads import allowed
from cra_dashboard.table.example_cards import example_cards, open_example

st.title("CRA Explorer")
st.markdown(
    "Clinics and registries make tables about people *k*-anonymous before they publish them: in groups of at least "
    "*k*, everybody gets the same coarse values. "
    "The program ARX picks these groups by a known rule, and a **Combinatorial Refinement Attack** (CRA) reads from "
    "the published table alone what that rule gives away. "
    "Here you watch both sides at work, step by step, with exact counts, on an example or on a table of your own."
)

if st.button("Open the playground", key="start-playground", type="primary", icon=":material/touch_app:"):
    st.switch_page("pages/playground.py")
st.caption("One screen: move people, and see at once who is given away.")
at_once = st.button("Start with the toy example", key="start-at-once", icon=":material/play_arrow:")
if at_once and open_example("toy"):
    st.switch_page("pages/recode.py")
st.page_link("pages/lessons.py", label="New to this? Begin with the lessons", icon=":material/school:")

drawn = state.once("start picture", "toy", picture)
with st.grid(2, min_column_width=300):
    with st.container():
        st.markdown("**What the published table says**")
        st.plotly_chart(drawn.before, key="start-before", config=CONFIG, alt=drawn.alt_before)
        st.markdown(drawn.said)
    with st.container():
        st.markdown("**What the attack leaves of it**")
        st.plotly_chart(drawn.after, key="start-after", config=CONFIG, alt=drawn.alt_after)
        st.markdown(drawn.found)
with st.expander("Both pictures as a table"):
    st.dataframe(drawn.table, hide_index=True, alt="The cells of the frame before and after the attack")

st.subheader("Open an example")
st.markdown("Each comes with its hierarchies and *k*, ready to recode and attack.")
picked = example_cards("start")
if picked and open_example(picked):
    st.switch_page("pages/recode.py")

if allowed():
    st.subheader("Or use your own table")
    st.page_link("pages/data.py", label="Upload a CSV file on the Data page", icon=":material/upload_file:")
    st.caption(
        ":material/lock: Your table stays in the memory of this session, on the computer that runs this program. It is "
        "not saved, not sent anywhere, and never part of an address. **Forget my data** on the Data page drops it at "
        "once; reloading the page or closing the tab drops it too."
    )
