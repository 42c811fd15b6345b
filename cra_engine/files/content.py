"""Contents of files: a device, a pipe or a file without end is refused before it is read."""

import errno
import os
import stat
from pathlib import Path

from cra_engine.errors import CRAError, DataError, StudyError, TooLargeError

MOST_BYTES = 1 << 31  # of a table that is read into memory
MOST_OF_A_SETTING = 300_000  # characters of a study or a plan


_MENDED_BY = {
    errno.ENOENT: "; correct its name, or that of its folder",
    errno.EACCES: "; ask whoever owns it",
    errno.EISDIR: "; name a file",
    errno.ENOSPC: "; make room",
}


def reason_of(number: int | None) -> str:
    """Return why the system refuses a file, and what to do about it.

    >>> reason_of(errno.EISDIR)
    'Is a directory; name a file'
    """
    return f"{os.strerror(number or errno.EIO)}{_MENDED_BY.get(number or errno.EIO, '')}"


def check_file(path: str | os.PathLike[str], called: str, raised: type[CRAError] = DataError) -> int:
    """Return the size of a file in bytes; refuse what is no file with a beginning and an end.

    Args:
        path: where it is.
        called: what the sentence calls it.
        raised: the failure.

    Raises:
        CRAError: of the class ``raised``: nothing is there, or something else than a file.
    """
    try:
        found = Path(path).stat()
    except ValueError:  # a NUL in the name
        shown = "".join(character if character.isprintable() else "?" for character in called)
        raise raised(f"{shown} is a name that no file can have; correct it.") from None
    except OSError as error:
        raise raised(f"{called} cannot be read: {reason_of(error.errno)}.") from None
    if stat.S_ISDIR(found.st_mode):
        raise raised(f"{called} cannot be read: {reason_of(errno.EISDIR)}.")
    if not stat.S_ISREG(found.st_mode):
        raise raised(f"{called} is a device or a pipe, which may never end; save its content as a file and take that.")
    return found.st_size


def content_of(
    path: str | os.PathLike[str], called: str, raised: type[CRAError] = DataError, most: int = MOST_BYTES
) -> bytes:
    """Read the bytes of a file, no more than ``most``; see :func:`check_file`.

    Raises:
        CRAError: of the class ``raised``: it cannot be read.
        TooLargeError: it holds more.
    """
    content = b""
    size = check_file(path, called, raised)
    try:
        if size <= most:
            with Path(path).open("rb") as file:
                content = file.read(size)
                # It grows, or it is one of the system's own files, which say 0 and may go on for ever.
                while len(content) <= most and (more := file.read(1 << 22)):
                    content += more
    except OSError as error:
        raise raised(f"{called} cannot be read: {reason_of(error.errno)}.") from None
    if max(size, len(content)) > most:
        raise TooLargeError(f"{called} holds more than {most:,} bytes; take out what is not needed.")
    return content


def setting_text(path: str | os.PathLike[str], called: str, most: int = MOST_OF_A_SETTING) -> str:
    """Read the text of a study's or a plan's file, or of another that a command is told what to do by.

    Args:
        path: of the file.
        called: what it is called in messages.
        most: characters that it may have.

    Raises:
        StudyError: it cannot be read, or is no UTF-8.
        TooLargeError: it is too long.
    """
    try:
        return content_of(path, called, StudyError, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StudyError(f"{called} is not UTF-8 text; save it as a TOML file in UTF-8.") from None
