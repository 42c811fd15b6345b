"""File uploads that leave nothing behind: a file is read once, then its bytes are dropped."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile


@dataclass(frozen=True)
class File:
    """An uploaded file: its name and its bytes."""

    name: str
    content: bytes


def uploader(
    name: str,
    label: str,
    on_files: Callable[[list[File]], None],
    *,
    several: bool = False,
    help_text: str | None = None,
) -> None:
    """An upload field that hands what it gets to ``on_files`` once and forgets it.

    Streamlit keeps the bytes of an upload for as long as the session lives and gives them to every run of the script.
    Here the field is a new one after each upload, so coming back to the page reads nothing again, and the bytes are
    gone from the server's memory as soon as they are read.

    Args:
        name: of the field, the same in every run.
        label: what stands above the field.
        on_files: gets the files before the page runs again; a single one unless ``several``.
        several: take several files at once.
        help_text: shown at the label's question mark.
    """
    key = st.session_state.setdefault(f"{name}-field", f"{name}-{uuid.uuid4().hex}")
    # Any type: a file of another kind gets the sentence that says what to do, not a silent refusal.
    if several:
        st.file_uploader(
            label, accept_multiple_files=True, key=key, on_change=_take, args=(name, key, on_files), help=help_text
        )
    else:
        st.file_uploader(label, key=key, on_change=_take, args=(name, key, on_files), help=help_text)


def _take(name: str, key: str, on_files: Callable[[list[File]], None]) -> None:
    given: UploadedFile | list[UploadedFile] | None = st.session_state.get(key)
    uploads = given if isinstance(given, list) else [] if given is None else [given]
    if not uploads:
        return
    files = [File(upload.name, upload.getvalue()) for upload in uploads]
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for upload in uploads:
            context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=upload.file_id)
    st.session_state[f"{name}-field"] = f"{name}-{uuid.uuid4().hex}"
    on_files(files)
