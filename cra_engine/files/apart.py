"""Keeps a program from writing onto a file that it reads: files are told by their place on the disk, not by name."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from cra_engine.errors import DataError

Identity = tuple[int, int, str]

NOTHING: Mapping[Identity, Path | None] = {}
_read: ContextVar[Mapping[Identity, Path | None]] = ContextVar("read", default=NOTHING)


def identity(path: Path) -> Identity:
    """Return what tells a file from every other one; a link to it is the same, of whatever kind."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        # Not there yet: then the folder that it goes to, and its name.
        try:
            folder = path.parent.stat()
        except (OSError, ValueError):
            return (0, 0, str(path.absolute()))
        return (folder.st_dev, folder.st_ino, path.name)
    return (found.st_dev, found.st_ino, "")


@contextmanager
def while_reading(read: Mapping[Identity, Path | None]) -> Iterator[None]:
    """Keep these files from being written onto meanwhile, each with the folder or file it is read for."""
    token = _read.set(read)
    try:
        yield
    finally:
        _read.reset(token)


def check_unread(path: Path) -> None:
    """Refuse to write onto a file that is being read.

    Raises:
        DataError: it is, by whatever name.
    """
    read, found = _read.get(), identity(path)
    if found not in read:
        return
    reason = read[found]
    if reason is not None and reason.is_dir():
        raise DataError(
            f"{path} lies in the folder {reason}, which is read; give the output another name, or another folder."
        )
    raise DataError(f"{path} is named twice; give the output a file of its own.")


def check_apart(*outputs: Path) -> None:
    """Refuse output files that are one file, or a file that is being read.

    Raises:
        DataError: they are, by whatever name.
    """
    seen: set[Identity] = set()
    for path in outputs:
        check_unread(path)
        if (found := identity(path)) in seen:
            raise DataError(f"{path} is named twice; give the output a file of its own.")
        seen.add(found)
