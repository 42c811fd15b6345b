"""Writing files: each whole, or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from cra_engine.errors import DataError

PARQUET = (".parquet", ".pq")


def write_whole(*outputs: tuple[Path, str]) -> None:
    """Write all texts to their files, or none of them: a file that was there stays until its successor is on the disk.

    Raises:
        DataError: a file cannot be written, such as on a full disk; nothing is left of it then.
    """
    temporary: list[tuple[Path, Path]] = []
    path = Path()
    try:
        try:
            for path, text in outputs:
                if path.exists() and not path.is_file():  # /dev/stdout takes text, a folder says that it does not
                    path.write_text(text, encoding="utf-8", newline="")
                    continue
                with tempfile.NamedTemporaryFile(
                    "w", encoding="utf-8", newline="", dir=path.parent, prefix=f".{path.name[:40]}.", delete=False
                ) as file:
                    temporary.append((Path(file.name), path))
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                Path(file.name).chmod(0o666 & ~_umask())
            for written, path in temporary:
                written.replace(path)
        finally:
            for written, _ in temporary:
                written.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write bit by bit, which appears under its name when all of it is on the disk.

    Raises:
        DataError: it cannot be written; nothing is left of it then, as after any other failure.
    """
    if path.exists() and not path.is_file():
        with _said(path), path.open("wb") as file:
            yield file
        return
    with (
        _said(path),
        tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name[:40]}.", delete=False) as file,
    ):
        written = Path(file.name)
        try:
            yield cast("BinaryIO", file)
            file.flush()
            os.fsync(file.fileno())
            written.chmod(0o666 & ~_umask())
            written.replace(path)
        finally:
            written.unlink(missing_ok=True)


@contextmanager
def _said(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
