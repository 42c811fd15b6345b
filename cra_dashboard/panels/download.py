"""The button under which a page hands out a file."""

from collections.abc import Callable
from pathlib import PurePath

import streamlit as st

from cra_dashboard.session import state
from cra_engine.files.foreign import converted
from cra_engine.files.kinds import READ, WRITTEN

_KINDS = {
    **dict.fromkeys(WRITTEN, "application/octet-stream"),
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
    """Show a button to download a file; the page stays as it is when it is pressed.

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


def download_table(label: str, text: str, name: str, *, hint: str = "") -> None:
    """Show buttons to download a published table: as CSV, and as a file of the kind that was uploaded.

    Args:
        label: on the button for CSV.
        text: the table as CSV.
        name: of the CSV file.
        hint: what to know of the table.
    """
    data = state.dataset()
    ending = PurePath(data.name).suffix.lower() if data is not None and data.origin == "uploaded" else ""
    ending = {".xlsm": ".xlsx", ".zsav": ".sav"}.get(ending, ending)
    if ending in READ and ending not in WRITTEN:
        hint = f"{hint} As CSV, since nothing writes {ending}.".strip()
    download(label, text, name, hint=hint or None)
    if ending in WRITTEN:
        same = str(PurePath(name).with_suffix(ending))
        download(f"The same as {ending}", lambda: converted(text, same), same, key=f"{label} {ending}")
