"""Delimited text files as they stand: encodings, delimiters, quotes."""

import codecs
import csv
import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from cra_engine.errors import DataError, TooLargeError
from cra_engine.files.content import content_of
from cra_engine.files.table_faults import check_cells

DELIMITERS = ",;\t|"
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
_ENDINGS = {"Excel": ".xlsx", "Parquet": ".parquet", "SPSS": ".sav", "Stata": ".dta"}
_EXCEL = re.compile(r'"?sep=([^"\r\n])"?(\r\n?|\n|$)')  # Excel's own first line, which names the delimiter


def read_rows(
    source: str | os.PathLike[str] | bytes, name: str = "", most_lines: int | None = None
) -> tuple[list[list[str]], str, tuple[str, ...]]:
    """Read the rows of a delimited text file as they stand, its name for messages, and what to know of the reading.

    Raises:
        DataError: the file cannot be read, is no text, or its quotes do not match.
        TooLargeError: it holds too many cells for a table in memory, or more lines than ``most_lines``.
    """
    if isinstance(source, bytes):
        content, name = source, name or "The file"
    else:
        path = Path(source)
        name = path.name
        content = content_of(path, name)
    encoding, notes = find_encoding(io.BytesIO(content), name)
    text = content.decode(encoding)
    if most_lines is not None and text.count("\n") > most_lines:
        raise TooLargeError(f"{name} has {text.count(chr(10)):,} lines, more than {most_lines:,}; take fewer values.")
    return _rows(text, name), name, notes


def find_encoding(file: BinaryIO, name: str) -> tuple[str, tuple[str, ...]]:
    """Find the encoding of a text file by reading all of it, and what to know of the reading.

    Raises:
        DataError: the file is no text.
    """
    start = file.read(2000)
    for kind, words in _KINDS.items():
        if re.match(kind, start):
            ending = next((ending for kind, ending in _ENDINGS.items() if kind in words), "")
            named = f", or give it its own ending, {ending}" if ending else ""
            raise DataError(f"{name} is {words}, not a CSV text; save the table as CSV and take that file{named}.")
    binary = DataError(f"{name} is not text; save the table as CSV and take that file.")
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif any(b"\x00" in piece for piece in _pieces(file)):
        encodings = [_unmarked(start)]
        if not encodings[0]:
            raise binary
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        # Python's utf-8-sig passes a file that ends within the byte order mark.
        decoder = codecs.getincrementaldecoder(encoding.removesuffix("-sig"))()
        try:
            if any("\0" in decoder.decode(piece) for piece in _pieces(file)):
                raise binary
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            continue
        guess = f"{name} is not UTF-8 and was read as Windows-1252; check letters such as ä, é and ñ."
        return encoding, (guess,) if encoding == "cp1252" else ()
    raise DataError(f"{name} is in an unknown encoding; save the table as CSV in UTF-8.")


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    return iter(lambda: file.read(1 << 20), b"")


def _unmarked(start: bytes) -> str:
    """The kind of UTF-16 of a text without byte order mark: half of its bytes are 0; empty for what is no text."""
    low, high = start[0::2], start[1::2]
    if 0 not in low and 2 * high.count(0) > len(high):
        return "utf-16-le"
    return "utf-16-be" if 0 not in high and 2 * low.count(0) > len(low) else ""


def _rows(text: str, name: str) -> list[list[str]]:
    def lines() -> Iterator[str]:
        return io.StringIO(text, newline="")

    layout = find_layout(lines)
    try:
        reader = csv.reader(islice(lines(), layout.before, None), delimiter=layout.delimiter, strict=True)
        rows = list(islice(reader, 1))
        if rows:
            check_cells(name, len(rows[0]) * max(text.count("\n"), text.count("\r")), "about")
        rows += reader
    except csv.Error as error:
        raise malformed(name, error) from None
    while rows and not rows[-1]:
        rows.pop()
    return rows


def malformed(name: str, error: csv.Error) -> DataError:
    """Say what is wrong with a file whose quotes do not match."""
    return DataError(f"{name} is not a well-formed CSV: {error}; check its quotes.")


@dataclass(frozen=True)
class Layout:
    """The layout of a delimited file: where its table begins, and the character between its cells.

    Attributes:
        before: number of lines before the column names: blank ones, and Excel's own.
        delimiter: the character between cells.
    """

    before: int
    delimiter: str


def find_layout(lines: Callable[[], Iterator[str]]) -> Layout:
    """Find the layout of a delimited file from its first lines; ``lines`` gives them from the start at each call."""
    before, stated = 0, ""
    for line in lines():
        found = None if stated else _EXCEL.match(line)
        if found is not None:
            stated = found[1]
        elif line.strip("\r\n"):
            break
        before += 1
    return Layout(before, stated or _delimiter(lambda: islice(lines(), before, None)))


def _delimiter(lines: Callable[[], Iterator[str]]) -> str:
    """The delimiter that splits the first rows into equally many columns, cuts no quoted cell, and splits most."""

    def judge(delimiter: str) -> tuple[bool, bool, int, bool]:
        reader = csv.reader(lines(), delimiter=delimiter, strict=True)
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
