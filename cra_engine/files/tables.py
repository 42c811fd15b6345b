"""Tables from files: every cell as text, the header checked, blank lines told."""

import os
from collections.abc import Sequence
from typing import Any

import pandas as pd

from cra_engine.errors import DataError, TooLargeError
from cra_engine.expected import SOURCE, expect
from cra_engine.files.delimited import read_rows
from cra_engine.words import how_many

MAX_COLUMNS = 1000


def read_table(source: str | os.PathLike[str] | bytes, name: str = "") -> pd.DataFrame:
    r"""Read a CSV file as it stands: every cell is text, every row and column is kept.

    UTF-8 (with or without BOM), UTF-16 and Windows-1252 are understood; the delimiter is found among comma, semicolon,
    tab and ``|``, or named by Excel's ``sep=`` line.

    Args:
        source: the file's path, or its bytes.
        name: the file's name for messages, where ``source`` is bytes.

    Raises:
        DataError: no text, no columns, a row of another length, a column name twice or blank.
        TooLargeError: more columns or cells than the engine admits.

    >>> read_table(b"age;town\n34;Bern\n 7;Ulm\n")
      age  town
    0  34  Bern
    1   7   Ulm
    """
    expect(source, SOURCE, "read_table(source)")
    return read_noted(source, name)[0]


def read_noted(source: str | os.PathLike[str] | bytes, name: str = "") -> tuple[pd.DataFrame, tuple[str, ...]]:
    """A table as :func:`read_table` reads it, and sentences on what is not in the table or was guessed."""
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


def empty_file(name: str) -> DataError:
    """Returns what is wrong with a file that does not even name its columns."""
    return DataError(f"{name} is empty; a table needs a line of column names and one line per record.")


def wrong_length(name: str, row: int, cells: int, columns: int) -> DataError:
    """Returns what is wrong with a row that has more or fewer cells than there are columns."""
    return DataError(
        f"{name}, row {row}: {cells} cells where the first line names {columns} columns; "
        "complete the row, or quote cells that contain the delimiter."
    )


def blank_lines(name: str, count: int, before: int) -> str:
    """Returns a sentence on blank lines between the records, the first after so many records."""
    place = f"after row {before}" if before else "below the column names"
    return f"{how_many(count, 'blank line')} of {name} (the first {place}) held no record."


def check_header(header: list[str], name: str) -> None:
    """Refuse column names that are blank, twice there or too many.

    Raises:
        DataError: a name is blank or twice there.
        TooLargeError: more columns than the engine admits.
    """
    if len(header) > MAX_COLUMNS:
        raise TooLargeError(
            f"{name} has {len(header):,} columns, more than {MAX_COLUMNS:,}; keep those that are needed."
        )
    for position, column in enumerate(header, start=1):
        if not column.strip():
            raise DataError(f"{name}: column {position} has no name; give each column a name in the first line.")
        if column in header[: position - 1]:
            raise DataError(f"{name}: the column name {column!r} appears twice; give each column its own name.")


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
