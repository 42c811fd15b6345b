"""Data: choose a table and look at it."""

import streamlit as st

from dashboard.frame import require_dataset

st.title("Data")
data = require_dataset()
st.dataframe(data.frame.head(200))
