"""The playground's component: its script and style, and the session that answers it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from cra_dashboard import palette

NAME = "cra-explorer.playground"
_FOLDER = Path(__file__).parent

# Boxes by their colour: those of the palette that mean nothing else here, and more.
BOXES = (palette.OWN, palette.STOLEN, palette.CHOSEN, palette.UNDECIDED, *palette.MORE)

_known: WeakKeyDictionary[BidiComponentManager, Any] = WeakKeyDictionary()


def _component() -> Any:
    """The component, made known to the server once.

    Streamlit finds the files of a component by a manifest in an installed package of the distribution's name; this
    program also runs from its own folder, so the same manifest is handed over here.
    """
    manager = get_bidi_component_manager()
    if manager not in _known:
        project, name = NAME.split(".")
        manager.register_from_manifest(ComponentManifest(project, "1", [ComponentConfig(name, "component")]), _FOLDER)
        _known[manager] = st.components.v2.component(NAME, js="index.js", css="style.css")
    return _known[manager]


def show(data: Mapping[str, Any], key: str) -> None:
    """Put the playground on the page.

    Args:
        data: for the script: the answer to its question, or what it needs to begin.
        key: of the component; its question stands in the session under this key, as ``asked``.
    """
    _component()(key=key, data=dict(data), on_asked_change=_nothing)


def asked(key: str) -> Any:
    """The question that the page's script has just asked; None where it asked nothing."""
    return (st.session_state.get(key) or {}).get("asked")


def _nothing() -> None:
    """A trigger is known by its callback; the question is read when the page is drawn."""


def colours() -> dict[str, Any]:
    """The colours of the page, for the script."""
    return {
        "boxes": list(BOXES),
        "suppressed": palette.OUTLIER,
        "roles": {
            "own": palette.OWN,
            "isolated": palette.ISOLATED,
            "taken": palette.STOLEN,
            "chosen": palette.CHOSEN,
        },
    }
