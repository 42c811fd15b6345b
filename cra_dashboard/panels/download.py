"""The button under which a page hands out a file."""

from collections.abc import Callable
from pathlib import PurePath

import streamlit as st

_KINDS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".toml": "application/toml",
    ".zip": "application/zip",
}


def download(
    label: str,
    data: str | bytes | Callable[[], str | bytes],
    name: str,
    *,
    key: str | None = None,
    hint: str | None = None,
    icon: str = "download",
) -> None:
    """A button for a file; the page stays as it is when it is pressed.

    Args:
        label: on the button.
        data: what stands in the file, or what makes it when somebody asks.
        name: of the file; its ending says what kind it is.
        key: of the button.
        hint: what to know of the file.
        icon: a Material symbol.
    """
    st.download_button(
        label,
        data,
        name,
        _KINDS[PurePath(name).suffix],
        key=key,
        help=hint,
        icon=f":material/{icon}:",
        on_click="ignore",
    )
