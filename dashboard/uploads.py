"""File uploads that leave nothing behind: a file is read once, then its bytes are dropped."""

import uuid
from collections.abc import Callable

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx


def uploader(name: str, label: str, on_file: Callable[[str, bytes], None], *, help_text: str | None = None) -> None:
    """An upload field that hands each file to ``on_file`` once and forgets it.

    Streamlit keeps the bytes of an upload for as long as the session lives and gives them to every run of the script.
    Here the field is a new one after each file, so coming back to the page reads nothing again, and the bytes are gone
    from the server's memory as soon as they are read.

    Args:
        name: of the field, the same in every run.
        label: what stands above the field.
        on_file: gets the file's name and content, before the page runs again.
        help_text: shown at the label's question mark.
    """
    key = st.session_state.setdefault(f"{name}-field", f"{name}-{uuid.uuid4().hex}")
    # Any type: a file of another kind gets the sentence that says what to do, not a silent refusal.
    st.file_uploader(label, key=key, on_change=_take, args=(name, key, on_file), help=help_text)


def _take(name: str, key: str, on_file: Callable[[str, bytes], None]) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    content = file.getvalue()
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=file.file_id)
    st.session_state[f"{name}-field"] = f"{name}-{uuid.uuid4().hex}"
    on_file(file.name, content)
