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
from cra_engine.files.delimited import read_rows
from cra_engine.files.table_faults import blank_lines, check_header, empty_file, wrong_length
from cra_engine.files.whole import PARQUET

LARGE = 1 << 20  # bytes of a CSV file that Arrow reads several times as fast as Python


def read_table(source: str | os.PathLike[str] | bytes, name: str = "") -> pd.DataFrame:
    r"""Read a table as it stands: every row and column is kept, and every cell of a CSV file is text.

    Of CSV files UTF-8 (with or without BOM), UTF-16 and Windows-1252 are understood; the delimiter is found among
    comma, semicolon, tab and ``|``, or named by Excel's ``sep=`` line. Parquet files, and folders whose files are the
    parts of one table, are read by their paths.

    Args:
        source: the path of a file or a folder, or the bytes of a CSV file.
        name: the file's name for messages, where ``source`` is bytes.

    Raises:
        DataError: no text, no columns, a row of another length, a column name twice or blank.
        TooLargeError: more columns or cells than the engine admits.
        MissingLibraryError: a Parquet file or a folder, and Arrow is not installed.

    >>> read_table(b"age;town\n34;Bern\n 7;Ulm\n")
      age  town
    0  34  Bern
    1   7   Ulm
    """
    expect(source, SOURCE, "read_table(source)")
    return read_noted(source, name)[0]


def read_noted(source: str | os.PathLike[str] | bytes, name: str = "") -> tuple[pd.DataFrame, tuple[str, ...]]:
    """A table as :func:`read_table` reads it, and sentences on what is not in the table or was guessed."""
    if not isinstance(source, bytes) and _by_arrow(Path(source)):
        try:
            from cra_engine.files.stored import read_stored  # noqa: PLC0415 - Arrow is an optional extra
        except ModuleNotFoundError:
            raise MissingLibraryError("pyarrow") from None
        return read_stored(Path(source))
    rows, name, notes = read_rows(source, name)
    if not rows:
        raise empty_file(name)
    header, *lines = rows
    check_header(header, name)
    records = [row for row in lines if row] if len(header) > 1 else lines  # a blank line holds no record
    for position, row in enumerate(records, start=1):
        if len(row) != len(header) and (row or len(header) > 1):
            raise wrong_length(name, position, len(row), len(header))
    blank = len(lines) - len(records)
    if blank:
        notes += (blank_lines(name, blank, next(position for position, row in enumerate(lines) if not row)),)
    return pd.DataFrame([row or [""] for row in records], columns=header, dtype=str), notes


def _by_arrow(path: Path) -> bool:
    """Whether what lies there is read by Arrow: Parquet, a folder of parts, and a CSV file that would take long."""
    try:
        there = path.stat()
    except (OSError, ValueError):  # what is wrong with the name is said by who reads it
        return path.suffix.lower() in PARQUET
    if path.suffix.lower() in PARQUET or S_ISDIR(there.st_mode):
        return True
    return S_ISREG(there.st_mode) and there.st_size > LARGE and find_spec("pyarrow") is not None


def no_column(name: str, columns: Sequence[Any]) -> DataError:
    """Returns what is wrong with a table that lacks the column of an attribute."""
    have = ", ".join(repr(str(column)) for column in columns[:12])
    return DataError(f"The table has no column {name!r}; it has: {have}.")


def column_of(data: pd.DataFrame, name: str) -> "pd.Series[Any]":
    """The column of a table that an attribute names.

    Raises:
        DataError: the column is missing or there are several of that name.
    """
    if name not in data.columns:
        raise no_column(name, list(data.columns))
    column = data[name]
    if isinstance(column, pd.DataFrame):
        raise DataError(f"The table has several columns {name!r}; give each column its own name.")
    return column
