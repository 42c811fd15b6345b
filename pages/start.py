"""Start: what this is, and one click to a ready example."""

import streamlit as st

from dashboard import state
from dashboard.example_cards import example_cards
from dashboard.grid_chart import CONFIG
from dashboard.start_picture import picture

st.title("CRA Explorer")
st.markdown(
    "Clinics and registries make tables about people *k*-anonymous before they publish them: in groups of at least "
    "*k*, everybody gets the same coarse values. "
    "The program ARX picks these groups by a known rule, and a **Combinatorial Refinement Attack** (CRA) reads from "
    "the published table alone what that rule gives away. "
    "Here you watch both sides at work, step by step, with exact counts, on an example or on a table of your own."
)

drawn = state.once("start picture", "toy", picture)
before, after = st.columns(2, gap="large")
with before:
    st.markdown(drawn.said)
    st.plotly_chart(drawn.before, key="start-before", config=CONFIG, alt=drawn.alt_before)
with after:
    st.markdown(drawn.found)
    st.plotly_chart(drawn.after, key="start-after", config=CONFIG, alt=drawn.alt_after)

st.subheader("Open an example")
st.markdown("Each comes with its hierarchies and *k*, ready to recode and attack.")
if example_cards("start"):
    st.switch_page("pages/recode.py")

st.subheader("Or use your own table")
st.page_link("pages/data.py", label="Upload a CSV file on the Data page", icon=":material/upload_file:")
st.caption(
    ":material/lock: Your table stays in the memory of this session, on the computer that runs this program. It is not "
    "saved, not sent anywhere, and never part of an address. **Forget my data** on the Data page drops it at once."
)
