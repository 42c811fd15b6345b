"""Names of Streamlit that it does not promise and the dashboard uses: each is there, and a new one is listed here."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRIVATE = ("streamlit.runtime", "streamlit.web", "streamlit.proto", "streamlit.components.v2.")
# The modules with their names, and of each class what its instances have beside what its text promises.
USED = {
    "streamlit.components.v2.component_manager.BidiComponentManager": ("register_from_manifest",),
    "streamlit.components.v2.get_bidi_component_manager.get_bidi_component_manager": (),
    "streamlit.components.v2.manifest_scanner.ComponentConfig": (),
    "streamlit.components.v2.manifest_scanner.ComponentManifest": (),
    "streamlit.proto.ClientState_pb2.ClientState": (),
    "streamlit.runtime.Runtime": ("_session_mgr", "_media_file_mgr", "uploaded_file_mgr"),
    "streamlit.runtime.app_session.AppSession": (
        *("_scriptrunner", "_fragment_storage", "_browser_queue", "_client_state", "matches_user_info", "shutdown"),
    ),
    "streamlit.runtime.media_file_manager.MediaFileManager": (
        *("_lock", "_files_by_session_and_coord", "_deferred_callables", "_file_metadata", "_delete_file"),
        *("clear_session_refs", "execute_deferred"),
    ),
    "streamlit.runtime.media_file_storage.MediaFileStorage": (),
    "streamlit.runtime.memory_session_storage.MemorySessionStorage": ("_cache",),
    "streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager": ("file_storage", "remove_file"),
    "streamlit.runtime.pages_manager.PagesManager": ("uses_pages_directory",),
    "streamlit.runtime.scriptrunner.StopException": (),
    "streamlit.runtime.scriptrunner.get_script_run_ctx": (),
    "streamlit.runtime.scriptrunner.ScriptRunContext": ("fragment_storage", "shared"),
    "streamlit.runtime.state.session_state.SessionState": ("_new_widget_state",),
    "streamlit.runtime.uploaded_file_manager.UploadedFile": ("file_id",),
    "streamlit.runtime.websocket_session_manager.WebsocketSessionManager": (
        *("_session_storage", "list_sessions", "list_active_sessions"),
    ),
    "streamlit.web.server.starlette.starlette_server": ("_bind_socket",),
    "streamlit.web.server.starlette.starlette_websocket.is_host_allowed": (),
}
NAMES = [(name, "") for name in USED] + [(name, inner) for name, inners in USED.items() for inner in inners]


@pytest.mark.parametrize(("name", "inner"), NAMES, ids=[f"{name}.{inner}".rstrip(".") for name, inner in NAMES])
def test_it_is_where_it_was(name, inner):
    module, _, own = name.rpartition(".")
    found = getattr(importlib.import_module(module), own, None)
    assert found is not None, f"Streamlit has moved {name}"
    there = not inner or hasattr(found, inner) or inner in inspect.getsource(found)
    assert there, f"Streamlit has moved {inner} of {name}"


def test_all_that_are_imported_are_listed():
    files = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "cra_dashboard").rglob("*.py")]
    imported = {
        f"{node.module}.{alias.name}"
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(PRIVATE)
        for alias in node.names
    }
    assert imported - set(USED) == set()
    of_what_they_return = {
        "streamlit.runtime.scriptrunner.ScriptRunContext",
        "streamlit.runtime.state.session_state.SessionState",
    }
    assert imported | of_what_they_return == set(USED)
