"""The two grids on a page. What the script tells runs this part alone, not the page around it."""

import streamlit as st

from cra_dashboard.playground import mount, session
from cra_engine.scenes.colours import colours

KEY = "playground"


@st.fragment
def play() -> None:
    """Show the playground, and take note of what it shows."""
    told = mount.script_told(KEY)
    known = told is not None and session.note(told)
    mount.show({} if known else session.start() | {"colours": colours()}, KEY)
