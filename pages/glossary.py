"""Glossary: every term in a sentence, and the questions that people ask."""

import streamlit as st

from cra_dashboard.panels.frame import require_app
from cra_dashboard.texts import glossary, words
from cra_dashboard.texts.faq import FAQ
from cra_engine.words import how_many, listed


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    st.title("Glossary: what does a word mean?")
    st.markdown("The same sentences stand behind the question mark beside a title.")
    wanted = st.text_input("Find a word", key="glossary-find", placeholder="for instance: ratio")
    table = glossary.found(wanted)
    if table.empty:
        st.info(f"No term has {words.plain(repr(wanted))} in it.", icon=":material/search_off:")
    else:
        lines: dict[str, list[str]] = {}
        for name in table["Term"]:
            term = glossary.GLOSSARY[name]
            also = f" Also called {listed(term.also)}." if term.also else ""
            see = f" See {listed(term.see)}." if term.see else ""
            lines.setdefault(name[0].upper(), []).append(f"- **{name}**: {glossary.meaning(name)}{also}{see}")
        if wanted:
            st.markdown("\n".join(line for found in lines.values() for line in found))
        else:
            with st.grid("auto", min_column_width=300):
                for letter, found in lines.items():
                    with st.expander(f"{letter}: {how_many(len(found), 'term')}"):
                        st.markdown("\n".join(found))

    st.header("Questions", anchor="questions")
    for question, answer in FAQ.items():
        with st.expander(question):
            st.markdown(answer)


page()
