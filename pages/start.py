"""Start: what this is, and one click to a ready example."""

import streamlit as st

from dashboard import datasets, state

st.title("CRA Explorer")
for example in datasets.BUILT_IN.values():
    if st.button(example.title, key=f"start-{example.key}"):
        state.use_dataset(*datasets.built_in(example.key))
        st.switch_page("pages/recode.py")
    st.caption(f"{example.text} {example.source}")
