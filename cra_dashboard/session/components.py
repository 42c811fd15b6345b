"""Components of the dashboard's own: a folder with a script and a style, served as they are, with no build step."""

from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

_PROJECT = "cra-explorer"
SCRIPTS = Path(__file__).parents[1] / "scripts"  # of the dashboard's own components

_known: WeakKeyDictionary[BidiComponentManager, dict[str, Any]] = WeakKeyDictionary()


def component(name: str, folder: Path, *, js: str = "index.js", css: str = "style.css") -> Any:
    """Return a Streamlit component, made known to the server once.

    Streamlit finds the files of a component by a manifest in an installed package of the distribution's name; this
    program also runs from its own folder, so the same manifest is handed over here.

    Args:
        name: of the component.
        folder: with its script, and what that imports; components that import the same share a folder.
        js: its script in the folder.
        css: its style there.
    """
    manager = get_bidi_component_manager()
    known = _known.setdefault(manager, {})
    if name not in known:
        manifest = ComponentManifest(_PROJECT, "1", [ComponentConfig(name, folder.name)])
        manager.register_from_manifest(manifest, folder.parent)
        known[name] = st.components.v2.component(f"{_PROJECT}.{name}", js=js, css=css)
    return known[name]


def nothing() -> None:
    """Do nothing: for a component's trigger, which is known by its callback."""
