"""The form on the page Data that names the columns of a file whose first line seems to be a person's."""

import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.session.fields import act
from cra_dashboard.table.source import given_names, keep_first_line, name_columns
from cra_dashboard.texts import words
from cra_engine.raw.nameless import guessed_names

MOST_SHOWN = 30  # letters of a cell


def ask_names(data: state.Dataset) -> None:
    """Ask on Data what the columns are called, in place, with a cell of each; or whether the first line is names."""
    count = len(data.first_line)
    proposed = given_names(count) or state.once("guessed names", data.digest, lambda: guessed_names(data.frame))
    with st.form("data-names"):
        with st.grid("auto", min_column_width=200):
            for place, (cell, name) in enumerate(zip(data.first_line, proposed, strict=True)):
                shown = words.plain(cell[:MOST_SHOWN]) or "empty"
                st.text_input(f"Column {place + 1}: {shown}", name, key=f"data-name-{place}", max_chars=100)
        label = "Name the columns so"
        st.form_submit_button(label, type="primary", key="data-names-take", on_click=_take, args=(count,))
    if data.first_line == tuple(data.frame.columns):
        act("The first line IS the names: keep it", keep_first_line, key="data-names-keep")


def _take(count: int) -> None:
    name_columns([st.session_state[f"data-name-{place}"].strip() for place in range(count)])
