"""Glossary: what a word means, and the questions that people ask; the list that stands behind every page."""

import streamlit as st

from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.menu import show_terms


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Glossary: what does a word mean?")
    show_terms(st.text_input("Find a word", key="glossary-find-here", placeholder="for instance: ratio"))


page()
