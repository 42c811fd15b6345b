"""The two grids on a page. What the script tells runs this part alone, not the page around it."""

from typing import Any

import streamlit as st

from cra_dashboard.playground import session
from cra_dashboard.session.components import component, nothing
from cra_engine.scenes.colours import colours
from cra_engine.scenes.script import FOLDER

KEY = "playground"


def script_told() -> Any:
    """Return what the playground's script has just told; None where it told nothing."""
    return (st.session_state.get(KEY) or {}).get("told")


@st.fragment
def play() -> None:
    """Show the playground, and take note of what it shows."""
    told = script_told()
    known = told is not None and session.note(told)
    data = {} if known else session.start() | {"colours": colours()}
    component("playground", FOLDER)(key=KEY, data=data, on_told_change=nothing)
