"""The playground's component: its script and style, and the session that answers it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from cra_dashboard import palette
from cra_dashboard.session.components import component, nothing

_FOLDER = Path(__file__).parent / "component"


def show(data: Mapping[str, Any], key: str) -> None:
    """Put the playground on the page.

    Args:
        data: for the script: the answer to its question, or what it needs to begin.
        key: of the component; its question stands in the session under this key, as ``asked``.
    """
    component("playground", _FOLDER)(key=key, data=dict(data), on_asked_change=nothing)


def asked(key: str) -> Any:
    """The question that the page's script has just asked; None where it asked nothing."""
    return (st.session_state.get(key) or {}).get("asked")


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
