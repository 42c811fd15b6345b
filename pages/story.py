"""The eight-minute story: one suppressed person, followed from hidden to certain beside one picture that stays."""

import streamlit as st

from cra_dashboard.classroom.serving import served
from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.story import mount
from cra_dashboard.lessons.story.steps import story
from cra_dashboard.panels.frame import one_screen, require_app
from cra_dashboard.session import state


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    one_screen("The eight-minute story")
    told = state.once("story", "toy", lambda: story(argument()))
    if mount.show(told | {"telephones": served()}):
        st.switch_page("pages/playground.py")


page()
