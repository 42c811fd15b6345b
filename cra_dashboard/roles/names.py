"""The form on the page Data that names the columns of a file whose first line seems to be a person's."""

import streamlit as st

from cra_dashboard.panels.stage import say
from cra_dashboard.session import state
from cra_dashboard.session.fields import act
from cra_dashboard.table.source import (
    choose_table,
    given_names,
    keep_first_line,
    name_columns,
    offer_to_forget,
    show_read,
)
from cra_dashboard.texts import words
from cra_engine.raw.nameless import guessed_names, names_like_cells

MOST_SHOWN, CELLS_SHOWN = 30, 3  # letters of a cell, and different cells of a column
LOOKED_AT = 300  # rows for these cells


def ask_names(data: state.Dataset) -> None:
    """Ask on Data what the columns are called, with a cell of each, or whether the first line is names."""
    like_a_person = f"The first line of {data.name} looks like a person's, not like names. What are the columns called?"
    maybe = f"Is the first line of {data.name} a person's? Then say what the columns are called."
    say(
        st.container(),
        like_a_person if names_like_cells(data.frame) else maybe,
        "A person's line that is taken for names would go out as names.",
    )
    show_read()
    proposed = given_names(len(data.first_line)) or state.once(
        "guessed names", data.digest, lambda: guessed_names(data.frame)
    )
    with st.form("data-names"):
        with st.grid("auto", min_column_width=200):
            for place, (cell, name) in enumerate(zip(data.first_line, proposed, strict=True)):
                texts = dict.fromkeys([cell.strip(), *data.frame.iloc[:LOOKED_AT, place].astype(str).str.strip()])
                shown = [words.plain(text[:MOST_SHOWN]) for text in texts if text][:CELLS_SHOWN]
                st.text_input(
                    f"Column {place + 1}: {', '.join(shown) or 'empty'}", name, key=_field(data, place), max_chars=100
                )
        label = "Name the columns so"
        st.form_submit_button(label, type="primary", key="data-names-take", on_click=_take, args=(data,))
    if data.first_line == tuple(data.frame.columns):
        act("The first line IS the names: keep it", keep_first_line, key="data-names-keep")
    with st.expander("Another table, or this file with a line of names"):
        choose_table()
    offer_to_forget()


def _field(data: state.Dataset, place: int) -> str:
    return f"data-name-{place}-{data.digest}"


def _take(data: state.Dataset) -> None:
    name_columns([st.session_state[_field(data, place)].strip() for place in range(len(data.first_line))])
