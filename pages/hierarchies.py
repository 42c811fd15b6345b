"""Hierarchies: how coarse each quasi-identifier may be published."""

import streamlit as st

from dashboard import state
from dashboard.frame import require_dataset

st.title("Hierarchies")
data = require_dataset()
study = state.study()
if study is not None:
    for attribute in study.attributes:
        st.write(f"{attribute.name}: [{attribute.lower}, {attribute.upper}), {attribute.layers} layers")
