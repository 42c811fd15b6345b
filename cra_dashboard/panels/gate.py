"""Before a table that somebody uploaded is handed out: columns that identify and that nobody decided about."""

import streamlit as st

from cra_dashboard.session import decisions, state
from cra_dashboard.texts import words
from cra_engine.words import how_many, listed


def may_be_downloaded() -> bool:
    """Return whether a page may hand out the release; where not it says which columns are to be decided first.

    Examples and synthetic tables are about nobody, so that nothing has to be decided.
    """
    data, asked = state.dataset(), decisions.open_questions()
    if data is None or data.origin != "uploaded" or not asked:
        return True
    names = listed([words.plain(column.name) for column in asked])
    st.error(
        f"Not to be downloaded yet: {names} "
        f"{'says' if len(asked) == 1 else 'say'}, or nearly, who somebody is, and nobody decided about "
        f"{how_many(len(asked), 'column')}.",
        icon=":material/block:",
    )
    st.page_link("pages/data.py", label="Decide on the page Data", icon=":material/table:")
    return False
