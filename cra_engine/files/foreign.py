"""Tables of spreadsheets and statistics programs, read as the CSV file that would hold them, and written."""

import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import date, datetime
from math import isfinite
from pathlib import Path
from typing import Any

import pandas as pd

from cra_engine.errors import DataError, MissingLibraryError
from cra_engine.files import foreign_reader, table_faults
from cra_engine.files.delimited import read_rows
from cra_engine.files.foreign_reader import as_shown, as_stored
from cra_engine.files.kinds import PARQUET
from cra_engine.files.table_faults import blank_lines, by_place, check_cells, check_header, empty_file

_COMMA = re.compile(r"-?(0|[1-9]\d*)(,\d+)?")
SECONDS = 600  # for reading one file


def read_foreign(content: bytes, name: str, *, named: bool = True) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read the table of another program's file, every cell as text, and say what is not in it or was guessed.

    It is read by a process of its own, which a damaged file may end.

    Args:
        content: of the file.
        name: of the file, whose ending says what it is.
        named: whether its first line names the columns; else it is a record.

    Raises:
        DataError: it cannot be read, or holds no table.
        TooLargeError: more columns or cells than the engine admits.
        MissingLibraryError: what reads it is not installed.
    """
    program = [sys.executable, "-I", foreign_reader.__file__, ending_of(name), name, str(table_faults.MAX_CELLS)]
    try:
        done = subprocess.run(program, input=content, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603
        told: dict[str, Any] = json.loads(done.stdout)
    except (ValueError, subprocess.TimeoutExpired):
        raise DataError(
            f"{name} ended the program that reads it: it is damaged, or asks for more than {SECONDS // 60} minutes "
            f"or {foreign_reader.MEMORY >> 30} GB; open it where it was made and save the table as CSV."
        ) from None
    if "missing" in told:
        raise MissingLibraryError(told["missing"])
    if "large" in told:
        check_cells(name, told["large"], "at least")
    if "refused" in told:
        raise DataError(told["refused"])
    columns, cells, notes, (blanks, before) = told["columns"], told["cells"], told["notes"], told["blank"]
    if not columns:
        raise empty_file(name)
    if not named:
        columns, cells = by_place(len(columns)), [[first, *rest] for first, rest in zip(columns, cells, strict=True)]
    check_header(columns, name)
    if blanks:
        notes.append(blank_lines(name, blanks, before))
    return pd.DataFrame(dict(zip(columns, cells, strict=True)), dtype=str), tuple(notes)


def ending_of(name: str | os.PathLike[str]) -> str:
    """Return the ending of a file's name that says what kind of file it is."""
    return Path(name).suffix.lower()


# ---------------------------------------------------------------- writing


def converted(text: str, name: str) -> bytes:
    """Write a published table that is CSV text as a file of another program: the same cells in the same order.

    A column whose cells are all numbers becomes one of numbers.

    Args:
        text: as it would be handed out.
        name: of the file, whose ending says which kind: one of :data:`cra_engine.files.kinds.WRITTEN`.

    Raises:
        DataError: the file cannot hold it.
        MissingLibraryError: what writes it is not installed.
    """
    columns = {one: _numbers(cells) or cells for one, cells in _columns(text).items()}
    try:
        return _WRITERS[ending_of(name)](columns)
    except ModuleNotFoundError as error:
        raise MissingLibraryError(error.name or "") from None


def workbook(text: str, notes: Sequence[str], on: date | None = None) -> bytes:
    """Write a published table that is CSV text as a workbook, with a sheet of notes; equal tables give equal bytes.

    Numbers are numbers, also those with a decimal comma: Excel shows them as its own country writes them.

    Args:
        text: as it would be handed out.
        notes: lines of the second sheet.
        on: the day that the file bears; today when left out.

    Raises:
        DataError: the file cannot hold it.
        MissingLibraryError: what writes it is not installed.
    """
    columns = {one: _numbers(_with_points(cells)) or cells for one, cells in _columns(text).items()}
    try:
        return _excel(columns, notes, on)
    except ModuleNotFoundError as error:
        raise MissingLibraryError(error.name or "") from None


def _columns(text: str) -> dict[str, list[str]]:
    header, *rows = read_rows(text.encode())[0]
    return {one: [row[at] if row else "" for row in rows] for at, one in enumerate(header)}


def _with_points(cells: list[str]) -> list[str]:
    """Cells with decimal points, where commas can be nothing else: not all of them have three digits behind."""
    said = [cell for cell in cells if cell]
    decimal = all(_COMMA.fullmatch(cell) for cell in said) and any(
        len(cell.partition(",")[2]) in (1, 2) for cell in said
    )
    return [_shortest(cell.replace(",", ".")) for cell in cells] if decimal else cells


def _shortest(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number


def _numbers(cells: list[str]) -> list[float | None] | None:
    """A column's numbers, where all its cells are numbers that are written as they would be read; gaps are None."""
    try:
        found = [float(cell) if cell else None for cell in cells]
    except ValueError:
        return None
    same = all(
        one is None or (isfinite(one) and as_shown(one) == as_stored(one) == cell)
        for one, cell in zip(found, cells, strict=True)
    )
    return found if same and any(one is not None for one in found) else None


def _excel(columns: dict[str, Any], notes: Sequence[str] = (), on: date | None = None) -> bytes:
    import xlsxwriter  # noqa: PLC0415 - an optional extra

    rows = max(map(len, columns.values()))
    if rows >= 1 << 20 or len(columns) > 1 << 14:
        raise DataError(f"A sheet of Excel holds no more than {(1 << 20) - 1:,} records; take CSV or Parquet.")
    content = io.BytesIO()
    # No word is taken for a formula, a link or a number; each is text.
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(content, plain) as book:
        day = on or datetime.now().astimezone().date()
        book.set_properties({"created": datetime(day.year, day.month, day.day)})  # noqa: DTZ001 - a day
        sheet = book.add_worksheet("Table" if notes else None)
        for at, (name, cells) in enumerate(columns.items()):
            if max((len(cell) for cell in (name, *cells) if isinstance(cell, str)), default=0) > 32_767:
                raise DataError(f"Column {name!r} has a cell too long for Excel; take CSV or Parquet.")
            sheet.write_string(0, at, name)
            for row, cell in enumerate(cells, start=1):
                if isinstance(cell, str):
                    if cell:
                        sheet.write_string(row, at, cell)
                elif cell is not None:
                    sheet.write_number(row, at, cell)
        if notes:
            page = book.add_worksheet("How to read")
            page.set_column(0, 0, 100)
            for row, line in enumerate(notes):
                page.write_string(row, 0, line)
    return content.getvalue()


def _parquet(columns: dict[str, Any]) -> bytes:
    import pyarrow as pa  # noqa: PLC0415 - an optional extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    content = io.BytesIO()
    whole = {name: _whole(cells) for name, cells in columns.items()}
    pq.write_table(pa.table({name: pa.array(cells) for name, cells in whole.items()}), content)
    return content.getvalue()


def _whole(cells: list[Any]) -> list[Any]:
    """Numbers as whole ones where they all are, and fit."""
    if any(
        isinstance(cell, str) or (cell is not None and (not cell.is_integer() or abs(cell) > 1e15)) for cell in cells
    ):
        return cells
    return [None if cell is None else int(cell) for cell in cells]


def _by_pyreadstat(what: str, called: str) -> Callable[[dict[str, Any]], bytes]:
    def write(columns: dict[str, Any]) -> bytes:
        import pyreadstat  # noqa: PLC0415 - an optional extra

        with tempfile.TemporaryDirectory() as folder:  # it writes to a path alone; what it writes is published
            path = Path(folder, "release")
            try:
                getattr(pyreadstat, what)(pd.DataFrame(columns), path)
            except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
                raise DataError(f"{called} cannot hold this table: {str(error)[:200]}; take CSV or Parquet.") from None
            return path.read_bytes()

    return write


_WRITERS = {
    ".xlsx": _excel,
    ".sav": _by_pyreadstat("write_sav", "A file of SPSS"),
    ".dta": _by_pyreadstat("write_dta", "A file of Stata"),
    ".xpt": _by_pyreadstat("write_xport", "A file of SAS"),
    **dict.fromkeys(PARQUET, _parquet),
}
