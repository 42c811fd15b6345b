"""The built-in tables as cards: what is in them, where they come from, and the button that opens one."""

from dataclasses import replace

import streamlit as st

from cra_dashboard.session import datasets, messages, state
from cra_dashboard.texts import words
from cra_engine import CRAError


def example_cards(key: str) -> str:
    """Show on any page a card per built-in table; return the key of the one just pressed, else empty.

    Args:
        key: tells the buttons of one page from those of another.
    """
    pressed = ""
    with st.grid("auto", min_column_width=168, key=f"{key}-cards"):  # five in a row on a projector, two on a telephone
        for example in datasets.EXAMPLES.values():
            with st.container(border=True, height="stretch"):
                with st.container(height="stretch", gap="xsmall"):  # the buttons below in one line
                    st.markdown(f"##### {example.icon} {example.title}")
                    st.markdown(example.text)
                    st.caption(example.source.split(":", maxsplit=1)[0], help=example.source)
                if st.button(f"Open {example.title}", key=f"{key}-{example.key}", width="stretch"):
                    pressed = example.key
    return pressed


def open_example(key: str, *, note: str = "") -> bool:
    """Let the session work on a built-in table and its study; False, with the reason on the page, if it fails.

    Args:
        key: of the example.
        note: what is said of it above every page, in place of where it comes from.
    """
    try:
        data, study = datasets.example(key)
        state.use_dataset(replace(data, note=note or data.note), study)
    except CRAError as error:
        messages.error(words.plain(f"This example cannot be opened: {error}"))
        return False
    return True
