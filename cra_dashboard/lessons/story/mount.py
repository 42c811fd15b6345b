"""The story's component: the picture and the steps go to its script at once, which then needs no server."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from cra_dashboard.lessons.browser import component_of, take_class
from cra_dashboard.session.components import nothing

KEY = "story"


def show(told: Mapping[str, Any]) -> bool:
    """Put the story on the page; True once the reader wants to go on to the playground."""
    component_of("story")(key=KEY, data=dict(told), on_onward_change=nothing, on_room_change=nothing)
    said = st.session_state.get(KEY) or {}
    take_class(said)
    return bool(said.get("onward"))
