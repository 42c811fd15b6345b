"""Says of a report that is filed the day, the version of the program, and the files that were looked at."""

import hashlib
import os
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from cra_engine.files.folders import part_names


@dataclass(frozen=True)
class CheckedFile:
    """A file that a report names as looked at.

    Attributes:
        what: ``"data"``, ``"study"``, ``"release"``, ``"population"`` or ``"hierarchy"``.
        name: its name.
        sha256: of its bytes, in hexadecimal.
    """

    what: str
    name: str
    sha256: str

    @classmethod
    def of(cls, what: str, source: str | os.PathLike[str] | bytes, name: str = "") -> "CheckedFile":
        r"""A file of a path, or of its bytes.

        >>> CheckedFile.of("release", b"age\n", "release.csv").sha256[:8]
        '24bb0d62'
        """
        digest = hashlib.sha256()
        if isinstance(source, bytes):
            digest.update(source)
        else:
            name = name or Path(source).name
            with Path(source).open("rb") as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
        return cls(what, name, digest.hexdigest())


def checked_files(what: str, path: Path) -> list[CheckedFile]:
    """Name for a report a file that was looked at, or each part of the table that a folder holds.

    Raises:
        DataError: the folder holds no table.
    """
    if not path.is_dir():
        return [CheckedFile.of(what, path)]
    names, _ = part_names(path)
    return [CheckedFile.of(what, path / name, f"{path.name}/{name}") for name in names]


def today() -> date:
    """Return the day for a report, here."""
    return datetime.now().astimezone().date()


def day_text(on: date | None) -> str:
    """Write a day as a report does, today's when left out: ``22 November 2026``."""
    return (on or today()).strftime("%d %B %Y").lstrip("0")
