"""What stands around every page: the bar that names the current study, and the gate in front of pages that need one."""

import streamlit as st

from cra_engine import CRAError
from dashboard import state, words


def study_bar() -> None:
    """One line that is always there: table, records, attributes, k, profile."""
    data, study = state.dataset(), state.study()
    if data is None:
        return
    parts = [f"**{words.plain(data.name)}**", words.how_many(len(data.frame), "record")]
    if study is not None:
        parts += [words.plain(", ".join(study.names)), f"k = {study.k}", f"profile {study.profile}"]
    with st.container(border=True, key="study-bar"):
        st.markdown(" · ".join(parts))
        st.caption(words.plain(data.note))


def require_dataset() -> state.Dataset:
    """The session's table; before there is one the page says where to get it and stops."""
    data = state.dataset()
    if data is None:
        st.info(
            "There is no table yet. Choose one on the Data page, or start with an example.", icon=":material/table:"
        )
        st.page_link("pages/data.py", label="Go to Data")
        st.stop()
    return data


def require_recoding() -> None:
    """Continue only when there is a table, a study, and the two fit; else the page says what is missing and stops."""
    require_dataset()
    if state.study() is None:
        st.info(
            "There are no hierarchies yet. Choose them, and k, on the Hierarchies page.", icon=":material/account_tree:"
        )
        st.page_link("pages/hierarchies.py", label="Go to Hierarchies")
        st.stop()
    try:
        with st.spinner("Recoding…"):
            state.recoding()
    except CRAError as error:
        st.error(words.plain(str(error)), icon=":material/error:")
        st.page_link("pages/hierarchies.py", label="Go to Hierarchies")
        st.stop()
