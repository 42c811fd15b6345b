"""Uploads on their way to a page: how much of them a session may have waiting in the server's memory.

A page takes a file and drops its bytes at once, but a program that talks to the server by itself can send one after the
other that no page ever takes.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from streamlit import config
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from cra_dashboard.session.server import running_server

MOST_FILES = 50  # of a session at a time
MOST_FULL = 3  # of the largest size: a plan comes with its table, and so may another that it replaces


class WaitingRoom:
    """The room in which uploads wait: how much each session is sending to the server."""

    def __init__(self) -> None:
        """See the class."""
        self._coming: Counter[str] = Counter()  # bytes of each session that are being sent
        self._files: Counter[str] = Counter()

    @contextmanager
    def place(self, session: str, said: str | None) -> Iterator[bool]:
        """Keep a place while a file is being sent; False where there is none.

        Args:
            session: whose it is.
            said: how many bytes are announced, as the header has it; the most that there can be if nothing is.
        """
        largest = int(config.get_option("server.maxUploadSize")) << 20
        size = min(int(said), largest) if said and said.isdecimal() and len(said) < 18 else largest
        files, held = _held(session)
        there = held + self._coming[session] + size <= MOST_FULL * largest
        there = there and files + self._files[session] < MOST_FILES
        if there:
            self._coming[session] += size
            self._files[session] += 1
        try:
            yield there
        finally:
            if there:
                self._coming[session] -= size
                self._files[session] -= 1
                if not self._files[session]:
                    del self._coming[session], self._files[session]


def _held(session: str) -> tuple[int, int]:
    """Files and bytes of a session that no page has taken yet."""
    server = running_server()
    manager = None if server is None else server.uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        return 0, 0
    found = list(manager.file_storage.get(session, {}).values())
    return len(found), sum(len(file.data) for file in found)
