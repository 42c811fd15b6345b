"""Glossary: what a word means, and the questions that people ask; the list that stands behind every page."""

from functools import partial

import streamlit as st

from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.menu import show_terms
from cra_dashboard.panels.stage import folded
from cra_dashboard.texts import glossary


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Glossary: what does a word mean?")
    wanted = st.text_input("Find a word", key="glossary-find-here", placeholder="for instance: ratio")
    meaning = st.container()
    # Whoever knows no word yet sees which there are.
    picked = st.pills("All words", sorted(glossary.GLOSSARY, key=str.lower), key="glossary-word")
    if wanted:
        with meaning:
            show_terms(wanted)
    elif picked is not None:
        meaning.markdown(glossary.found(picked)[0])
    else:
        folded({"All words and questions": partial(show_terms, "")}, "glossary-folded", "")


page()
