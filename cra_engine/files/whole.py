"""Writing files: each whole, or not at all, and nothing of it left behind, however the program ends.

Where the system knows files without a name (``O_TMPFILE``), a file that is being written has none: if the program is
killed it is gone. Elsewhere it has a hidden name and a lock, and the next run removes one whose lock nobody holds.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Self, cast

from cra_engine.errors import DataError
from cra_engine.files.apart import check_unread

try:
    import fcntl
except ImportError:  # Windows, which removes no file that somebody has open
    fcntl = None  # type: ignore[assignment]

PARQUET = (".parquet", ".pq")
_ENDING = ".draft"


def write_whole(*outputs: tuple[Path, str]) -> None:
    """Write all texts to their files, or none of them: a file that was there stays until its successor is on the disk.

    Raises:
        DataError: a file cannot be written, such as on a full disk, or is being read; nothing is left of it then.
    """
    for path, _ in outputs:
        check_unread(path)
    with ExitStack() as drafts:
        written = []
        for path, text in outputs:
            with _said(path):
                if path.exists() and not path.is_file():  # /dev/stdout takes text, a folder says that it does not
                    path.write_text(text, encoding="utf-8", newline="")
                    continue
                draft = drafts.enter_context(_Draft(path))
                draft.file.write(text.encode())
                draft.name_it()
                written.append(draft)
        for draft in written:
            with _said(draft.path):
                draft.publish()


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write bit by bit, which appears under its name when all of it is on the disk.

    Raises:
        DataError: it cannot be written; nothing is left of it then, as after any other failure.
    """
    check_unread(path)
    if path.exists() and not path.is_file():
        with _said(path), path.open("wb") as file:
            yield file
        return
    with _said(path), _Draft(path) as draft:
        yield draft.file
        draft.name_it()
        draft.publish()


class _Draft:
    """A file that is being written beside the place that it is for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._hidden = path.parent / f".{path.name[:40]}.{secrets.token_hex(8)}{_ENDING}"
        self._named = False
        self.file: BinaryIO

    def __enter__(self) -> Self:
        _remove_what_was_left(self.path)
        handle = _without_a_name(self.path.parent)
        if handle is None:
            handle = os.open(self._hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
            self._named = True
        self.file = cast("BinaryIO", os.fdopen(handle, "wb"))
        _lock(self.file)
        return self

    def name_it(self) -> None:
        """Bring all of it to the disk, under its hidden name."""
        self.file.flush()
        os.fsync(self.file.fileno())
        if not self._named:
            self._named = True
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:  # only with a folder does Python follow the link from /proc to the file itself
                os.link(f"/proc/self/fd/{self.file.fileno()}", self._hidden.name, dst_dir_fd=folder)
            finally:
                os.close(folder)

    def publish(self) -> None:
        """Put it in the place that it is for."""
        if fcntl is None:
            self.file.close()  # Windows moves no open file
        self._hidden.replace(self.path)
        self._named = False

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a full disk has been told of already
            self.file.close()
        if self._named:
            self._hidden.unlink(missing_ok=True)


def _without_a_name(folder: Path) -> int | None:
    """A new file of a folder that has no name; None where the system or the disk does not know such files."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(folder, flag | os.O_WRONLY, 0o666)
    except OSError:
        return None


def _lock(file: BinaryIO) -> None:
    if fcntl is not None:
        with suppress(OSError):  # a disk without locks
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove_what_was_left(path: Path) -> None:
    """Remove what a run that was killed left of this file: nobody holds its lock any more."""
    with suppress(OSError):
        for name in os.listdir(path.parent):  # noqa: PTH208 - names are enough
            if name.startswith(f".{path.name[:40]}.") and name.endswith(_ENDING):
                left = path.parent / name
                with suppress(OSError), left.open("rb") as file:
                    if fcntl is not None:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        left.unlink()
                if fcntl is None:
                    with suppress(OSError):
                        left.unlink()


@contextmanager
def _said(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None
