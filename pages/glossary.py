"""Glossary: what a word means, and the questions that people ask; the list that stands behind every page."""

from functools import partial

import streamlit as st

from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.menu import show_terms
from cra_dashboard.panels.stage import folded


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Glossary: what does a word mean?")
    wanted = st.text_input("Find a word", key="glossary-find-here", placeholder="for instance: ratio")
    if wanted:
        show_terms(wanted)
    else:
        folded({"All words and questions": partial(show_terms, "")}, "glossary-folded")


page()
