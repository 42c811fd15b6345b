"""The playground's component: its script and style, and what it tells of itself."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from cra_dashboard.session.components import component, nothing
from cra_engine.scenes.script import FOLDER


def show(data: Mapping[str, Any], key: str) -> None:
    """Put the playground on the page.

    Args:
        data: for the script: what it needs to begin, or nothing.
        key: of the component; what it tells stands in the session under this key, as ``told``.
    """
    component("playground", FOLDER)(key=key, data=dict(data), on_told_change=nothing)


def script_told(key: str) -> Any:
    """Return what the playground's script has just told; None where it told nothing."""
    return (st.session_state.get(key) or {}).get("told")
