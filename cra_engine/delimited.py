"""Delimited text files as they stand: encodings, delimiters, quotes."""

import csv
import io
import os
from itertools import islice
from pathlib import Path

from cra_engine.errors import DataError

DELIMITERS = ",;\t|"
_CONTAINERS = {
    b"PK\x03\x04": "an Excel or zip file",
    b"PAR1\x15": "a Parquet file",  # with the first byte after it: a column may be called PAR1
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "an Excel file",
}


def read_rows(source: str | os.PathLike[str] | bytes, name: str = "") -> tuple[list[list[str]], str]:
    """The rows of a delimited text file as they stand, and the file's name for messages.

    Raises:
        DataError: the file cannot be read, is no text, or its quotes do not match.
    """
    if isinstance(source, bytes):
        content, name = source, name or "The file"
    else:
        path = Path(source)
        name = path.name
        try:
            content = path.read_bytes()
        except OSError as error:
            raise DataError(f"{name} cannot be read: {error.strerror}.") from None
    return _rows(_text(content, name), name), name


def _text(content: bytes, name: str) -> str:
    for start, kind in _CONTAINERS.items():
        if content.startswith(start):
            raise DataError(f"{name} is {kind}, not a CSV text; save the table as CSV and take that file.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif b"\x00" in content:
        raise DataError(f"{name} is not text; save the table as CSV and take that file.")
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise DataError(f"{name} is in an unknown encoding; save the table as CSV in UTF-8.")


def _rows(text: str, name: str) -> list[list[str]]:
    lines = text.lstrip("\r\n")
    try:
        rows = list(csv.reader(io.StringIO(lines, newline=""), delimiter=_delimiter(lines), strict=True))
    except csv.Error as error:
        raise DataError(f"{name} is not a well-formed CSV: {error}; check its quotes.") from None
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _delimiter(lines: str) -> str:
    """The delimiter that splits the first rows into equally many columns, cuts no quoted cell, and splits most."""

    def judge(delimiter: str) -> tuple[bool, bool, int, bool]:
        reader = csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter, strict=True)
        rows: list[list[str]] = []
        try:
            rows.extend(islice(reader, 20))
            broken = False
        except csv.Error:  # the rows before the fault are kept: they may tell
            broken = True
        rows = [row for row in rows if row]
        columns = len(rows[0]) if rows else 0
        equal = not broken and all(len(row) == columns for row in rows)
        whole = not broken and all(cell.count('"') % 2 == 0 for row in rows for cell in row)
        return equal and columns > 1, whole, columns, equal

    return max(DELIMITERS, key=judge)
