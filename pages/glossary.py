"""Glossary: every term in a sentence, and the questions that people ask."""

import streamlit as st

from cra_dashboard.panels.frame import require_app
from cra_dashboard.texts import glossary, words
from cra_engine.words import listed

require_app()
st.title("Glossary")
st.markdown(
    "What the words on these pages mean. The same sentences show where you point at the question mark beside a title, "
    "tap it, or move there with the Tab key."
)
wanted = st.text_input("Find a word", key="glossary-find", placeholder="for instance: ratio")
table = glossary.found(wanted)
if table.empty:
    st.info(f"No term has {words.plain(repr(wanted))} in it.", icon=":material/search_off:")
else:
    lines = []
    for name in table["Term"]:
        term = glossary.GLOSSARY[name]
        also = f" Also called {listed(term.also)}." if term.also else ""
        see = f" See {listed(term.see)}." if term.see else ""
        lines.append(f"- **{name}**: {glossary.meaning(name)}{also}{see}")
    st.markdown("\n".join(lines))

st.header("Questions", anchor="questions")
for question, answer in glossary.FAQ:
    with st.expander(question):
        st.markdown(answer)
