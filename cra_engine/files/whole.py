"""Writing files: all that belong together whole, or none at all, and nothing left behind, however the program ends.

Where the system knows files without a name (``O_TMPFILE``), a file that is being written has none: if the program is
killed it is gone. Names are given by a small program of its own, which is not killed with this one. Elsewhere a file
has a hidden name and a lock, and the next run removes one whose lock nobody holds.
"""

import errno
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, cast

from cra_engine.errors import DataError
from cra_engine.files import finishing
from cra_engine.files.apart import check_unread
from cra_engine.files.content import reason_of
from cra_engine.files.finishing import Step, finish

try:
    import fcntl
except ImportError:  # Windows, which removes no file that somebody has open
    fcntl = None  # type: ignore[assignment]

_ENDING = ".draft"


def write_whole(*outputs: tuple[Path, str | bytes]) -> None:
    """Write all texts and contents to their files, or none: what was there stays until its successor is on the disk.

    Raises:
        DataError: a file cannot be written, such as on a full disk, or is being read; nothing is left of it then.
    """
    with all_or_nothing():
        for path, content in outputs:
            with whole_file(path) as file:
                file.write(content if isinstance(content, bytes) else content.encode())


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write bit by bit, which appears under its name when all of it is on the disk.

    Raises:
        DataError: it cannot be written; nothing is left of it then, as after any other failure.
    """
    check_unread(path)
    with _said(path):
        special = path.exists() and not path.is_file()
    if special:  # /dev/stdout takes text, a folder says that it does not
        with _said(path), path.open("wb") as file:
            yield file
        return
    with all_or_nothing() as drafts, _said(path):
        draft = drafts.begin(path)
        try:
            yield draft.file
            draft.finish()
        except BaseException:
            drafts.drop(draft)
            raise


def check_place(path: Path) -> None:
    """Refuse before any work a file that could not be written where it is to go.

    Raises:
        DataError: there is no such folder, or nobody may write into it.
    """
    with _said(path):
        path.parent.stat()
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


class _Drafts:
    """The files that appear together."""

    def __init__(self) -> None:
        self._drafts: list[_Draft] = []

    def begin(self, path: Path) -> "_Draft":
        """Begin one more file."""
        self._drafts.append(_Draft(path))
        return self._drafts[-1]

    def drop(self, draft: "_Draft") -> None:
        """Leave nothing of a file."""
        self._drafts.remove(draft)
        draft.close()

    def publish(self) -> None:
        """Give all of them their names, or none.

        Raises:
            DataError: one cannot be named.
        """
        if not self._drafts or (len(self._drafts) == 1 and self._drafts[0].appear()):
            return
        failed = _finished(self._drafts)
        for draft in self._drafts:
            draft.hidden = False
        if failed is not None:
            at, number = failed
            raise DataError(f"{self._drafts[at].path} cannot be written: {reason_of(number)}.")

    def close(self) -> None:
        """Leave nothing of what has no name."""
        for draft in self._drafts:
            draft.close()


_together: ContextVar[_Drafts | None] = ContextVar("together", default=None)


@contextmanager
def all_or_nothing() -> Iterator[_Drafts]:
    """Let no written file appear until the end of this; then all do, and after an error none.

    Within another one it is that one's end that counts.

    Raises:
        DataError: a file cannot be given its name; none has one then.
    """
    around = _together.get()
    if around is not None:
        yield around
        return
    drafts = _Drafts()
    token = _together.set(drafts)
    try:
        yield drafts
        drafts.publish()
    finally:
        _together.reset(token)
        drafts.close()


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Make a folder to write files into, which appears under its name when all is written; else nothing is left.

    A folder cannot be without a name. A small program of its own removes the hidden one if this program is killed.

    Raises:
        DataError: it cannot be made, or its name is taken.
    """
    draft = path.parent / f".{path.name[:40]}.{secrets.token_hex(8)}{_ENDING}"
    with _removed_after(draft):
        with _said(path):
            draft.mkdir()
        yield draft
        with _said(path):
            draft.rename(path)


@contextmanager
def by_itself() -> Iterator[None]:
    """Let files written here appear by themselves, whatever they are part of: in a folder that appears as a whole."""
    token = _together.set(None)
    try:
        yield
    finally:
        _together.reset(token)


@contextmanager
def _removed_after(folder: Path) -> Iterator[None]:
    """Remove a folder at the end, however that comes."""
    program = [sys.executable, "-I", "-S", finishing.__file__, str(folder.absolute())]
    keeper = None
    if fcntl is not None and sys.executable:
        keeper = subprocess.Popen(program, stdin=subprocess.PIPE, start_new_session=True)  # noqa: S603 - as above
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if keeper is not None:
            keeper.communicate()


def _finished(drafts: "list[_Draft]") -> tuple[int, int] | None:
    """As :func:`finish`, by a program of its own, which goes on when this one is killed."""
    steps = [draft.step for draft in drafts]
    if fcntl is None or not sys.executable:
        for draft in drafts:
            draft.file.close()  # Windows moves no open file
        return finish(steps)
    handles = [draft.file.fileno() for draft in drafts]
    program = [sys.executable, "-I", "-S", finishing.__file__]
    with subprocess.Popen(  # noqa: S603 - every word is ours
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=handles, start_new_session=True
    ) as helper:
        told, _ = helper.communicate(json.dumps(steps).encode())
    found = json.loads(told)
    return None if found is None else (int(found[0]), int(found[1]))


class _Draft:
    """A file that is being written beside the place that it is for.

    Attributes:
        path: that place.
        file: where it is written.
        hidden: whether it has a hidden name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._hidden = path.parent / f".{path.name[:40]}.{secrets.token_hex(8)}{_ENDING}"
        _remove_what_was_left(path)
        handle = _without_a_name(path.parent)
        self.hidden = self._named = handle is None
        if handle is None:
            handle = os.open(self._hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
        self.file = cast("BinaryIO", os.fdopen(handle, "wb"))
        _lock(self.file)

    @property
    def step(self) -> Step:
        """What gives it its name."""
        handle = None if self._named else self.file.fileno()
        backup = self._hidden.with_suffix(f".old{_ENDING}")
        return handle, str(self.path.parent), self._hidden.name, backup.name, self.path.name

    def finish(self) -> None:
        """Bring all of it to the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())

    def appear(self) -> bool:
        """Give it its name at once, where nothing has that name; returns whether it has it."""
        if self._named:
            return False
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:  # only with a folder does Python follow the link from /proc to the file itself
            os.link(f"/proc/self/fd/{self.file.fileno()}", self.path.name, dst_dir_fd=folder)
        except OSError:
            return False
        finally:
            os.close(folder)
        return True

    def close(self) -> None:
        """Leave nothing of it but what has its name."""
        with suppress(OSError):  # a full disk has been told of already
            self.file.close()
        if self.hidden:
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
        raise DataError(f"{path} cannot be written: {reason_of(error.errno)}.") from None
