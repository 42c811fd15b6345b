"""Files that a page offers for download: each belongs to the sessions that show it, and ends with the last of them.

Streamlit serves a download to whoever knows its address, and of a closed session it only *marks* the files the first
time that it looks. Here it is known whose they are, also in the middle of a run, when Streamlit has just let go of all
files of the session.
"""

import threading
from collections.abc import Collection

from streamlit.runtime import Runtime
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorage
from streamlit.runtime.scriptrunner import get_script_run_ctx

_replacing = threading.Lock()


class Downloads(MediaFileManager):
    """Streamlit's manager of downloads, which also knows what the sessions showed in their last run."""

    def __init__(self, storage: MediaFileStorage) -> None:
        """See the class."""
        super().__init__(storage)
        self._before: dict[str, set[str]] = {}

    def clear_session_refs(self, session_id: str | None = None) -> None:
        """Called by Streamlit when a run of a session begins; whoever clicked just then still gets the file."""
        # When a session has ended the server asks from a thread without a context, of which Streamlit would warn.
        context = None if session_id else get_script_run_ctx(suppress_warning=True)
        ending = session_id or ("" if context is None else context.session_id)
        with self._lock:
            shown = self._files_by_session_and_coord.get(ending)
            if shown:
                self._before[ending] = set(shown.values())
        super().clear_session_refs(session_id)

    def execute_deferred(self, file_id: str) -> str:
        """Make a file that is made only when asked for: it belongs to the session whose button was pressed.

        The page may run again meanwhile, which forgets the button; and the session may have ended, and with it whoever
        could read the file.
        """
        with self._lock:
            asked = self._deferred_callables.get(file_id)
        address = super().execute_deferred(file_id)
        made = address.rsplit("/", 1)[-1].split(".", 1)[0]
        with self._lock:
            if asked is not None and asked["session_id"] in {*self._files_by_session_and_coord, *self._before}:
                self._files_by_session_and_coord[asked["session_id"]][f"made {asked['coordinates']}"] = made
            elif not any(made in self._held(other) for other in {*self._files_by_session_and_coord, *self._before}):
                self._delete_file(made)
        return address

    def held_by(self, session_id: str) -> set[str]:
        """The files that a session shows, or has shown until a moment ago."""
        with self._lock:
            return self._held(session_id)

    def keep_only(self, sessions: Collection[str]) -> None:
        """Delete at once every file that belongs to none of these sessions."""
        with self._lock:
            for known in (self._files_by_session_and_coord, self._before):
                for ended in [session for session in known if session not in sessions]:
                    del known[ended]
            held = set().union(*(self._held(session) for session in sessions))
            for file_id in [file_id for file_id in self._file_metadata if file_id not in held]:
                self._delete_file(file_id)

    def _held(self, session_id: str) -> set[str]:
        shown = self._files_by_session_and_coord.get(session_id, {})
        return {*shown.values(), *self._before.get(session_id, ())}


def downloads_of(server: Runtime) -> Downloads:
    """Return the server's manager of downloads, put in the place of Streamlit's own before there is any."""
    with _replacing:
        manager = server.media_file_mgr
        if not isinstance(manager, Downloads):
            # Streamlit has no public way to another manager. tests/server fails when one of these names goes.
            manager = Downloads(manager._storage)  # noqa: SLF001
            server._media_file_mgr = manager  # noqa: SLF001
        return manager
