"""Tables from files: every cell as text, the header checked, blank lines told."""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any

import pandas as pd

from cra_engine.errors import DataError, MissingLibraryError
from cra_engine.expected import SOURCE, expect
from cra_engine.files.content import content_of
from cra_engine.files.delimited import read_rows
from cra_engine.files.folders import check_there
from cra_engine.files.foreign import read_foreign
from cra_engine.files.kinds import PARQUET, READ
from cra_engine.files.table_faults import blank_lines, by_place, check_header, empty_file, wrong_length

LARGE = 1 << 20  # bytes of a CSV file that Arrow reads several times as fast as Python


def read_table(source: str | os.PathLike[str] | bytes, name: str = "") -> pd.DataFrame:
    r"""Read a table file as it stands: every row and column is kept, and every cell of a CSV file is text.

    Of CSV files UTF-8 (with or without BOM), UTF-16 and Windows-1252 are understood; the delimiter is found among
    comma, semicolon, tab and ``|``, or named by Excel's ``sep=`` line. The ending of the name says what else it is: a
    Parquet file, the first sheet of a spreadsheet (``.xlsx``, ``.xlsm``, ``.ods``), a file of SPSS (``.sav``,
    ``.zsav``), Stata (``.dta``) or SAS (``.xpt``, ``.sas7bdat``); of these every cell is text too. Folders whose files
    are the parts of one table are read by their paths.

    Args:
        source: the path of a file or a folder, or the bytes of a file.
        name: the file's name, where ``source`` is bytes; CSV if left out.

    Raises:
        DataError: no text, no columns, a row of another length, a column name twice or blank.
        TooLargeError: more columns or cells than the engine admits.
        MissingLibraryError: what reads such a file is not installed.

    >>> read_table(b"age;town\n34;Bern\n 7;Ulm\n")
      age  town
    0  34  Bern
    1   7   Ulm
    """
    expect(source, SOURCE, "read_table(source)")
    return read_noted(source, name)[0]


def read_noted(
    source: str | os.PathLike[str] | bytes, name: str = "", *, named: bool = True
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read a table file as :func:`read_table` does, and say what is not in the table or was guessed.

    Unless ``named`` the first line of text or of a spreadsheet is a record, and the columns are called by their places.
    """
    path = Path((name or "The file") if isinstance(source, bytes) else source)
    if path.suffix.lower() in READ and not path.is_dir():
        content = source if isinstance(source, bytes) else content_of(source, path.name)
        return read_foreign(content, path.name, named=named)
    # Of text Arrow takes the first line for names.
    by_arrow = _by_arrow(path, len(source) if isinstance(source, bytes) else None)
    if by_arrow and (named or path.suffix.lower() in PARQUET):
        try:
            from cra_engine.files.stored import read_stored  # noqa: PLC0415 - Arrow is an optional extra
        except ModuleNotFoundError:
            if not isinstance(source, bytes):
                check_there(path)
            raise MissingLibraryError("pyarrow") from None
        return read_stored(path, source if isinstance(source, bytes) else None)
    rows, name, notes = read_rows(source, name)
    if not rows:
        raise empty_file(name)
    header, *lines = rows if named else [by_place(len(rows[0])), *rows]
    check_header(header, name)
    records = [row for row in lines if row] if len(header) > 1 else lines  # a blank line holds no record
    for position, row in enumerate(records, start=1):
        if len(row) != len(header) and (row or len(header) > 1):
            raise wrong_length(name, position, len(row), len(header))
    blank = len(lines) - len(records)
    if blank:
        notes += (blank_lines(name, blank, next(position for position, row in enumerate(lines) if not row)),)
    return pd.DataFrame([row or [""] for row in records], columns=header, dtype=str), notes


def _by_arrow(path: Path, size: int | None) -> bool:
    """Whether what lies there is read by Arrow: Parquet, a folder of parts, and a CSV file that would take long."""
    if path.suffix.lower() in PARQUET:
        return True
    if size is None:
        try:
            there = path.stat()
        except (OSError, ValueError):  # what is wrong with the name is said by who reads it
            return False
        if S_ISDIR(there.st_mode):
            return True
        size = there.st_size if S_ISREG(there.st_mode) else 0
    return size > LARGE and find_spec("pyarrow") is not None


def no_column(name: str, columns: Sequence[Any]) -> DataError:
    """Say what is wrong with a table file that lacks the column of an attribute."""
    have = ", ".join(repr(str(column)) for column in columns[:12])
    joined = len(columns) == 1 and any(mark in str(columns[0]) for mark in ";,\t|")
    hint = " Its one column holds delimiters: read the file by read_table, which finds them." if joined else ""
    return DataError(f"The table has no column {name!r}; it has: {have}.{hint}")


def column_of(data: pd.DataFrame, name: str) -> "pd.Series[Any]":
    """Return the column of a table read from a file that an attribute names.

    Raises:
        DataError: the column is missing or there are several of that name.
    """
    if name not in data.columns:
        raise no_column(name, list(data.columns))
    column = data[name]
    if isinstance(column, pd.DataFrame):
        raise DataError(f"The table has several columns {name!r}; give each column its own name.")
    return column
