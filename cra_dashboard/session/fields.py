"""Streamlit's fields, whose values stay while a person visits other pages; and buttons that do something."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar, cast

import streamlit as st

F = TypeVar("F", bound=Callable[..., Any])


def _staying(field: F) -> F:
    return cast("F", partial(field, persist_state="session"))


checkbox = _staying(st.checkbox)
multiselect = _staying(st.multiselect)
number_input = _staying(st.number_input)
pills = _staying(st.pills)
radio = _staying(st.radio)
segmented_control = _staying(st.segmented_control)
select_slider = _staying(st.select_slider)
selectbox = _staying(st.selectbox)
slider = _staying(st.slider)
text_input = _staying(st.text_input)
toggle = _staying(st.toggle)


def begun(key: str, first: Any) -> str:
    """Return the key of a field that lessons set, with what it begins with set likewise, not left to its default.

    A lesson may have chosen before the page was ever shown, and Streamlit warns of a field that has both.
    """
    st.session_state.setdefault(key, first)
    return key


def choose(label: str, options: Sequence[str], key: str) -> str:
    """Show a page's selectbox, and return the choice; one that is no option any more gives way to the first option.

    The first is set, not left to its default: the browser would go on showing a column of the table before.
    """
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
    return selectbox(label, options, key=key)


def act(label: str, do: Callable[..., Any], *args: Any, icon: str = "", **looks: Any) -> None:
    """Show a button of a page whose work is done before the page runs again.

    Args:
        label: what it says.
        do: what is done before the page runs again.
        args: of that.
        icon: a Material symbol before the label.
        looks: other settings, as :func:`streamlit.button` takes them.
    """
    st.button(label, icon=f":material/{icon}:" if icon else None, on_click=do, args=args, **looks)
