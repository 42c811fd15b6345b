"""Delimited text files as they stand: encodings, delimiters, quotes."""

import csv
import io
import os
import re
from itertools import islice
from pathlib import Path

from cra_engine.errors import DataError, TooLargeError

DELIMITERS = ",;\t|"
MAX_FIELDS = 100_000_000  # cells of a table in memory: about 10 GB
_KINDS = {
    rb"PK(\x03\x04|\x05\x06)": "an Excel or zip file",
    rb"\xd0\xcf\x11\xe0": "an Excel file",
    rb"PAR1\x15": "a Parquet file",  # with the first byte after it: a column may be called PAR1
    rb"ARROW1\x00": "a Feather file",
    rb"%PDF": "a PDF",
    rb"\x1f\x8b": "a gzip file",
    rb"BZh[1-9]1AY&SY": "a bzip2 file",
    rb"\xfd7zXZ\x00": "an xz file",
    rb"\x28\xb5\x2f\xfd": "a zstd file",
    rb"7z\xbc\xaf\x27\x1c": "a 7-Zip file",
    rb"SQLite format 3\x00": "an SQLite database",
    rb"\$FL[23]@\(#\)": "an SPSS file",
    rb"<stata_dta>": "a Stata file",
    rb"\x89HDF\r\n": "an HDF5 file",
    rb"\x89PNG|\xff\xd8\xff|GIF8[79]a": "a picture",
    rb"\{\\rtf": "a text document (RTF)",
    rb"\x7fELF|MZ[^,;\t|]{0,60}\x00": "a program",
    rb"(?i)(\xef\xbb\xbf)?\s*(<!doctype html|<html)": "a web page (HTML)",
    rb"(\xef\xbb\xbf)?\s*<\?xml": "an XML file",
    rb'(\xef\xbb\xbf)?\s*(\{\s*"|\[\s*\{\s*")[^,;\t|\r\n]*:': "a JSON file",
}
_EXCEL = re.compile(r'"?sep=([^"\r\n])"?(\r\n?|\n|$)')  # Excel's own first line, which names the delimiter


def read_rows(source: str | os.PathLike[str] | bytes, name: str = "") -> tuple[list[list[str]], str, tuple[str, ...]]:
    """The rows of a delimited text file as they stand, the file's name for messages, and what to know of the reading.

    Raises:
        DataError: the file cannot be read, is no text, or its quotes do not match.
        TooLargeError: it holds more cells than :data:`MAX_FIELDS`.
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
    text, notes = _text(content, name)
    return _rows(text, name), name, notes


def _text(content: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    for start, kind in _KINDS.items():
        if re.match(start, content):
            raise DataError(f"{name} is {kind}, not a CSV text; save the table as CSV and take that file.")
    binary = DataError(f"{name} is not text; save the table as CSV and take that file.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif b"\x00" in content:
        encodings = [_unmarked(content[:2000])]
        if not encodings[0]:
            raise binary
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            raise binary
        guess = f"{name} is not UTF-8 and was read as Windows-1252; check letters such as ä, é and ñ."
        return text, (guess,) if encoding == "cp1252" else ()
    raise DataError(f"{name} is in an unknown encoding; save the table as CSV in UTF-8.")


def _unmarked(start: bytes) -> str:
    """The kind of UTF-16 of a text without byte order mark: half of its bytes are 0; empty for what is no text."""
    low, high = start[0::2], start[1::2]
    if 0 not in low and 2 * high.count(0) > len(high):
        return "utf-16-le"
    return "utf-16-be" if 0 not in high and 2 * low.count(0) > len(low) else ""


def _rows(text: str, name: str) -> list[list[str]]:
    lines = text.lstrip("\r\n")
    stated = _EXCEL.match(lines)
    lines = lines[stated.end() :].lstrip("\r\n") if stated else lines
    delimiter = stated[1] if stated else _delimiter(lines)
    try:
        reader = csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter, strict=True)
        rows = list(islice(reader, 1))
        if rows:
            cells = len(rows[0]) * max(lines.count("\n"), lines.count("\r"))
            if cells > MAX_FIELDS:
                raise TooLargeError(
                    f"{name} holds about {cells:,} cells, more than {MAX_FIELDS:,}; "
                    "keep the columns that are needed, or take a sample of the rows."
                )
        rows += reader
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
