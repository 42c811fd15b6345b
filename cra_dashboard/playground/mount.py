"""The playground's component: its script and style, and what it tells of itself."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from cra_dashboard import palette
from cra_dashboard.session.components import component, nothing

FOLDER = Path(__file__).parent / "component"


def show(data: Mapping[str, Any], key: str) -> None:
    """Put the playground on the page.

    Args:
        data: for the script: what it needs to begin, or nothing.
        key: of the component; what it tells stands in the session under this key, as ``told``.
    """
    component("playground", FOLDER)(key=key, data=dict(data), on_told_change=nothing)


def told(key: str) -> Any:
    """What the page's script has just told; None where it told nothing."""
    return (st.session_state.get(key) or {}).get("told")


def colours() -> dict[str, Any]:
    """The colours of the page, for the script."""
    return {
        "boxes": list(palette.CLASSES),
        "suppressed": palette.SUPPRESSED,
        "roles": {
            "own": palette.OWN,
            "isolated": palette.ISOLATED,
            "taken": palette.STOLEN,
            "chosen": palette.CHOSEN,
        },
    }
