"""The two grids on a page. A question of the script runs this part alone, not the page around it."""

import streamlit as st

from cra_dashboard.playground import mount, session

KEY = "playground"


@st.fragment
def play(*, ahead: bool = True) -> None:
    """Show the playground and answer what its script asks.

    Args:
        ahead: False to let the script ask only for what is on the screen; to measure what asking ahead is worth.
    """
    question = mount.asked(KEY)
    if question is None:
        data = session.start() | {"colours": mount.colours(), "ahead": ahead}
    else:
        data = session.answers().answer(question)
        session.told(question)
    mount.show(data, KEY)
