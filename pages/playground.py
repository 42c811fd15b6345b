"""Playground: one screen that can be touched. The publisher on the left, on the right what anybody works out."""

import streamlit as st

from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import copy_link, one_screen, require_app
from cra_dashboard.playground import session
from cra_dashboard.playground.file import playground_file
from cra_dashboard.playground.play import play
from cra_dashboard.session import state
from cra_dashboard.texts import words
from cra_engine import CRAError


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    one_screen("Playground")
    stage = st.container()

    problem = ""
    axes = session.own_axes()
    if axes is not None:
        try:
            session.take_own(axes)
        except CRAError as error:
            problem = str(error)
    else:
        session.leave_own()
    with stage:
        if problem:
            st.info(words.plain(problem), icon=":material/speed:")
            with st.container(horizontal=True):
                st.page_link("pages/recode.py", label="Recode: the whole table, step by step")
                st.page_link("pages/attack.py", label="Attack: every class, counted")
        play()

    below = st.container(horizontal=True, vertical_alignment="top")
    with below.expander("Play with the table of this session", icon=":material/table:"):
        data, study = state.dataset(), state.study()
        if data is None or study is None or len(study.attributes) < 2:
            st.markdown("Open an example or your own table first, with at least two quasi-identifiers.")
            st.page_link("pages/data.py", label="Go to Data")
        else:
            st.session_state["playground-which"] = 0 if axes is None else 1
            first, second = axes if axes is not None and max(axes) < len(study.attributes) else (0, 1)
            st.session_state["playground-across"], st.session_state["playground-upwards"] = first, second
            names = dict(enumerate(study.names))
            st.radio(
                "Table",
                [0, 1],
                format_func=["The example of 36 people", words.plain(data.name)].__getitem__,
                key="playground-which",
                on_change=choose,
                horizontal=True,
            )
            with st.container(horizontal=True):
                st.selectbox("Across", list(names), format_func=names.get, key="playground-across", on_change=choose)
                st.selectbox("Upwards", list(names), format_func=names.get, key="playground-upwards", on_change=choose)
            st.caption(
                "Two quasi-identifiers at a time, as if only these were published; under k alone, whatever the study "
                "asks for. The people stay in this session: nothing of an uploaded table stands in the address."
            )
    with below:
        copy_link(session.PAGE)
        download(
            "As one file",
            playground_file,
            "playground.html",
            key="playground-file",
            hint="For a mail, a learning platform, a slide: it needs no server and no network. Its tables are made up; "
            "nothing of your own table is in it.",
        )


def choose() -> None:
    """Show the table that the two fields below name."""
    study = state.study()
    if st.session_state["playground-which"] == 0 or study is None:
        session.show("toy-k3")
    else:
        across, upwards = st.session_state["playground-across"], st.session_state["playground-upwards"]
        upwards = upwards if upwards != across else (across + 1) % len(study.attributes)
        session.show(session.own_scene(study, (across, upwards)))


page()
