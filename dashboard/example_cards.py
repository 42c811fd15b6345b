"""The built-in tables as cards: what is in them, where they come from, and the button that opens one."""

import streamlit as st

from cra_engine import CRAError
from dashboard import datasets, state


def example_cards(key: str) -> bool:
    """Show a card per built-in table; True in the run in which one of them was opened.

    Args:
        key: tells the buttons of one page from those of another.
    """
    opened = False
    with st.grid("auto", min_column_width=250):
        for example in datasets.EXAMPLES.values():
            with st.container(border=True, height="stretch"):
                st.markdown(f"#### {example.icon} {example.title}")
                st.markdown(example.text)
                st.caption(example.source)
                if st.button(f"Open {example.title}", key=f"{key}-{example.key}", width="stretch"):
                    opened = _open(example.key) or opened
    return opened


def _open(key: str) -> bool:
    try:
        state.use_dataset(*datasets.example(key))
    except CRAError as error:
        st.error(f"This example cannot be opened: {error}", icon=":material/error:")
        return False
    return True
