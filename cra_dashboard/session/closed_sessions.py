"""Memory of sessions whose tab was closed: freed soon after, also when nobody else ever comes.

Streamlit keeps a closed session for ``server.disconnectedSessionTTL`` seconds, so that a broken connection can be taken
up again. What has expired it drops only when the *next* session is stored, so the last visitor's table would stay for
good; and a variable of its main loop holds on to that session even then. Here a closed session is emptied when its time
is over, and memory goes back to the system.
"""

import asyncio
import contextlib
import ctypes
import gc
import threading

import streamlit as st
from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from cra_dashboard.session.server import running

AFTER = 1.0  # seconds past the time that a closed session is kept
TIDY = 15.0  # seconds after a run

_tidying = threading.Lock()  # held while it is yet to come
_still_running: set[AppSession] = set()  # closed for good, but their script was in the middle of something


def free_when_closed() -> None:
    """See to it that this session's memory is freed some seconds after its tab is closed; to be called in each run."""
    _closing()
    _tidy_later()


# Streamlit would look for rings of objects after each run of each session, and hold up all others meanwhile; that is
# switched off (runner.postScriptGC). Now and then does for all of them.
def _tidy_later() -> None:
    if running() is not None and _tidying.acquire(blocking=False):
        timer = threading.Timer(TIDY, _tidy)
        timer.daemon = True
        timer.start()


def _tidy() -> None:
    _tidying.release()
    gc.collect()


# Streamlit releases what is cached for a session when its connection ends, on the server's own event loop. A session
# that is taken up again runs the script, and so gets a new one.
@st.cache_resource(scope="session", show_spinner=False, on_release=lambda _: _sweep_later())
def _closing() -> object:
    return object()


def _sweep_later() -> None:
    with contextlib.suppress(RuntimeError):  # no event loop: a session of a test
        kept: float = config.get_option("server.disconnectedSessionTTL")
        asyncio.get_running_loop().call_later(kept + AFTER, _sweep)


def _sweep() -> None:
    """Empty what has expired, and come again while something is kept: it may have been taken up and left meanwhile."""
    server = running()
    if server is not None and not sweep(server):
        _sweep_later()


# Streamlit has no public way to the sessions that it keeps. tests/server fails when one of these names goes.
# ruff: noqa: SLF001
def sweep(server: Runtime) -> bool:
    """Empty the closed sessions whose time is over, and free their memory; True when none is left.

    To be called on the server's event loop: sessions are not safe to touch from another thread.
    """
    manager = server._session_mgr
    if not isinstance(manager, WebsocketSessionManager):
        return True
    storage = manager._session_storage
    if not isinstance(storage, MemorySessionStorage):
        return True
    kept = storage._cache
    ended = {*_still_running, *(info.session for _, info in kept.expire())}  # type: ignore[attr-defined]
    _still_running.clear()
    for session in ended:
        _empty(session)
        if session._scriptrunner is not None:
            _still_running.add(session)
    free_memory()
    return not kept._data and not _still_running  # type: ignore[attr-defined]


def _empty(session: AppSession) -> None:
    session.shutdown()  # drops its uploads, its downloads and the tables that it shows
    state = session.session_state
    state.clear()
    state._new_widget_state.widget_metadata.clear()
    session._fragment_storage.clear()
    session._browser_queue.clear()
    session._client_state = ClientState()


def free_memory_soon() -> None:
    """Do so once the page that is being drawn no longer shows what was dropped."""
    timer = threading.Timer(AFTER, free_memory)
    timer.daemon = True
    timer.start()


def free_memory() -> None:
    """Free what only rings of objects still hold, and hand free memory back to the system where it can be asked to."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # only the GNU C library has it
        ctypes.CDLL(None).malloc_trim(0)
