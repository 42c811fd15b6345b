"""Memory of sessions whose tab was closed: freed soon after, also when nobody else ever comes.

Streamlit keeps a closed session for ``server.disconnectedSessionTTL`` seconds, so that a broken connection can be taken
up again. What has expired it drops only when the *next* session is stored, so the last visitor's table would stay for
good; and a variable of its main loop holds on to that session even then. Here a closed session is emptied when its time
is over, and memory goes back to the system: once for all that closed together, since looking for what only rings of
objects hold stops every other session meanwhile.
"""

import asyncio
import contextlib
import ctypes
import gc
import importlib
import pkgutil
import threading
import time

import streamlit as st
from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage

import cra_dashboard
from cra_dashboard.session.downloads import downloads_of
from cra_dashboard.session.server import running_server, sessions_of

AFTER = 1.0  # seconds past the time that a closed session is kept, and between two looks
TIDY = 15.0  # seconds after a run
REST = 5.0  # seconds between two rounds of tidying
BREATH = 0.005  # seconds for everybody else between two sessions that are emptied

_still_running: set[AppSession] = set()  # closed for good, but their script was in the middle of something
_sweeper: set[asyncio.Task[None]] = set()  # the one that is under way, if any


def free_when_closed() -> None:
    """See to it that this session's memory is freed some seconds after its tab is closed; called in each run."""
    server = running_server()
    if server is not None:
        downloads_of(server)
        _closing()
        # Streamlit would look for rings of objects after each run of each session, and hold up all others meanwhile;
        # that is switched off (runner.postScriptGC). Now and then does for all of them.
        _tidying.ask(TIDY)


# Streamlit releases what is cached for a session when its connection ends, on the server's own event loop. A session
# that is taken up again runs the script, and so gets a new one.
@st.cache_resource(scope="session", show_spinner=False, on_release=lambda _: _sweep_later())
def _closing() -> object:
    return object()


def _sweep_later() -> None:
    if not _sweeper:
        with contextlib.suppress(RuntimeError):  # no event loop: a session of a test
            _sweeper.add(asyncio.get_running_loop().create_task(_sweep()))


async def _sweep() -> None:
    """Empty what has expired, again and again while something is kept: it may be taken up and left meanwhile."""
    try:
        kept: float = config.get_option("server.disconnectedSessionTTL")
        await asyncio.sleep(kept + AFTER)
        while (server := running_server()) is not None and not await sweep(server):  # noqa: ASYNC110
            await asyncio.sleep(AFTER)  # a session tells nobody that its time is over
    finally:
        _sweeper.clear()


# Streamlit has no public way to the sessions that it keeps. tests/server fails when one of these names goes.
# ruff: noqa: SLF001
async def sweep(server: Runtime) -> bool:
    """Empty the closed sessions whose time is over, and free their memory; True when none is left.

    To be called on the server's event loop: sessions are not safe to touch from another thread.
    """
    manager = sessions_of(server)
    storage = None if manager is None else manager._session_storage
    if manager is None or not isinstance(storage, MemorySessionStorage):
        return True
    kept = storage._cache
    ended = {*_still_running, *(info.session for _, info in kept.expire())}  # type: ignore[attr-defined]
    _still_running.clear()
    for session in ended:
        _empty(session)
        if session._scriptrunner is not None:
            _still_running.add(session)
        await asyncio.sleep(BREATH)
    if ended:
        downloads_of(server).keep_only({info.session.id for info in manager.list_sessions()})
        free_memory_soon()
    return not kept._data and not _still_running  # type: ignore[attr-defined]


def _empty(session: AppSession) -> None:
    session.shutdown()  # drops its uploads and the tables that it shows
    state = session.session_state
    state.clear()
    state._new_widget_state.widget_metadata.clear()
    session._fragment_storage.clear()
    session._browser_queue.clear()
    session._client_state = ClientState()


class _Tidying:
    """Tidying up in a thread of its own: one round for all who ask for it meanwhile, with a rest between two."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._due = self._last = float("-inf")

    def ask(self, seconds: float) -> None:
        """Tidy up in so many seconds."""
        with self._lock:
            due = max(time.monotonic() + seconds, self._last + REST)
            if self._timer is not None:
                if self._due <= due:
                    return
                self._timer.cancel()
            self._due = due
            self._timer = threading.Timer(max(0.0, due - time.monotonic()), self._tidy)
            self._timer.daemon = True
            self._timer.start()

    def _tidy(self) -> None:
        with self._lock:
            self._timer = None
        free_memory()
        self._last = time.monotonic()


_tidying = _Tidying()


def free_memory_soon() -> None:
    """Free a session's memory once the page that is being drawn no longer shows what was dropped."""
    _tidying.ask(AFTER)


def free_memory() -> None:
    """Free the server's memory that only rings of objects still hold, and hand it back to the system if it can."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # only the GNU C library has it
        ctypes.CDLL(None).malloc_trim(0)


def load_for_good() -> None:
    """Load the program's own modules, and leave them out whenever the server's memory is tidied up.

    To be called before there is any session; it takes the time that the first visitor would wait.
    """
    for module in pkgutil.walk_packages(cra_dashboard.__path__, "cra_dashboard."):
        if module.name != "cra_dashboard.program":
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
