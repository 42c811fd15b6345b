"""Zip files: written, and those from strangers opened, and read no further than somebody asked for."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from cra_engine.errors import DataError

MOST_FILES = 1000
KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others ask for as much memory as they like
# Damaged, encrypted, packed in an unknown way: the module has no one name for what is wrong with a file.
DAMAGED = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError, OverflowError, struct.error)


class Zipped:
    """A zip file that is open.

    Attributes:
        name: of the file, for messages.
        files: the files in it by their full name, folders left out.
    """

    def __init__(self, packed: zipfile.ZipFile, name: str) -> None:
        self.name = name
        self._packed = packed
        inside = [info for info in packed.infolist() if not info.filename.endswith("/")]
        if len(inside) > MOST_FILES:
            raise DataError(f"{name} holds more than {MOST_FILES:,} files; take out what is not needed.")
        self.files = {info.filename: info for info in inside}

    def read(self, file: str, most: int) -> bytes:
        """Returns what a file of it holds.

        Raises:
            DataError: it holds more than ``most`` bytes, whatever the zip file says of its size.
        """
        info = self.files[file]
        if info.compress_type not in KNOWN:
            raise NotImplementedError("packed in another way")
        with self._packed.open(info) as opened:
            content = opened.read(most + 1)
        if len(content) > most:
            raise DataError(
                f"{self.name}: {file[:80]} holds more than {most // 2**20} MB; take out what is not needed."
            )
        return content


def packed_zip(files: Mapping[str, bytes | str]) -> bytes:
    """Return files as one zip file; equal files give equal bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, file in files.items():
            packed.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), file, zipfile.ZIP_DEFLATED)
    return content.getvalue()


@contextmanager
def opened_zip(content: bytes, name: str) -> Iterator[Zipped]:
    """Open a zip file; nothing of it is written anywhere.

    Raises:
        DataError: it is none, is damaged or encrypted, or holds too many files.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            yield Zipped(packed, name)
    except DAMAGED:
        raise DataError(f"{name} cannot be unpacked; unpack it yourself and give what is in it.") from None
