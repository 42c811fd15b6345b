"""Reads a table of a spreadsheet or a statistics program; run as a program of its own, it needs nothing else of ours.

The readers are written in C and Rust, and some damaged files end the process that reads them. It gets the file's bytes
on its input and the ending, the name and the most cells as its arguments; its output is one JSON object: ``columns``,
``cells`` (the text of each column's cells), ``notes``, ``blank`` (lines that were left out, and the records before the
first of them); or ``refused``, ``missing`` (a library) or ``large`` (a number of cells).
"""

import io
import json
import os
import sys
import zipfile
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

MEMORY = 8 << 30  # bytes that reading may take; more is asked for by mistake, such as one stray cell in the last row
NAMED = 5  # of a list in a note


class Refused(Exception):  # noqa: N818 - what it says is an answer
    """A signal that something is wrong with another program's file; the text says what."""


class Large(Exception):  # noqa: N818 - as above
    """A signal that another program's file has more cells than fit into memory; the argument says how many."""


# ---------------------------------------------------------------- cells


def texts_of(cells: Sequence[Any], number: Any) -> list[str]:
    """Return another program's cells as the text of a CSV file; the time of day only where some cell has one."""
    timed = any(isinstance(cell, datetime) and cell.time() != time() for cell in cells)
    return [cell if type(cell) is str else _text(cell, number, timed=timed) for cell in cells]


def _text(cell: Any, number: Any, *, timed: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return "" if cell != cell else number(cell)  # noqa: PLR0124 - not a number
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, date) and timed:
        moment = cell if isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)  # noqa: DTZ001
        return moment.isoformat(sep=" ")
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        minutes, seconds = divmod(cell // timedelta(seconds=1), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return str(cell)


def as_shown(value: float) -> str:
    """Write a file's number with the 15 digits that a spreadsheet shows at most: a sum of .1 and .2 is 0.3 there."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"


def as_stored(value: float) -> str:
    """Write a file's number by the fewest digits that tell it from every other one."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)


def as_single(value: float) -> str:
    """Write a file's number of single precision so: 5.1, which as a double is 5.099999904632568."""
    import numpy as np  # noqa: PLC0415 - comes with who needs it

    return str(int(value)) if value.is_integer() and abs(value) < 1e7 else str(np.float32(value))


def listed(names: Sequence[str]) -> str:
    """Return the first names of a list, to tell of another program's file."""
    return ", ".join(names[:NAMED]) + (" and more" if len(names) > NAMED else "")


# ---------------------------------------------------------------- spreadsheets


def spreadsheet(content: bytes, name: str, most: int) -> dict[str, Any]:
    """Read the first sheet of a spreadsheet file that can be seen."""
    import python_calamine as calamine  # noqa: PLC0415 - an optional extra

    locked = Refused(f"{name} is locked with a password; open it, save it without one, and take that file.")
    try:
        book = calamine.load_workbook(io.BytesIO(content))
    except calamine.PasswordError:
        raise locked from None
    except calamine.CalamineError:
        if _locked(content):
            raise locked from None
        raise
    kinds, seen = calamine.SheetTypeEnum, calamine.SheetVisibleEnum
    sheets = [one for one in book.sheets_metadata if one.typ == kinds.WorkSheet]
    chosen = next((one for one in sheets if one.visible == seen.Visible), None)
    if chosen is None:
        raise Refused(f"{name} has no sheet that can be seen; show the one with the table.")
    sheet = book.get_sheet_by_name(chosen.name)
    height, width = (0, 0) if sheet.end is None else (sheet.end[0] + 1, sheet.end[1] + 1)
    if height * width > most:
        raise Large(height * width)
    notes = []
    if len(sheets) > 1:
        others = listed([repr(one.name) for one in sheets if one is not chosen])
        notes.append(f"Of {name} the sheet {chosen.name!r} was read; not read: {others}.")
    rows = sheet.to_python(skip_empty_area=False)
    return _records(rows, f"{name}, sheet {chosen.name!r}", sheet.merged_cell_ranges or [], notes)


def _locked(content: bytes) -> bool:
    """Whether a file is encrypted: Excel puts it into another one, OpenDocument says so."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed, packed.open("META-INF/manifest.xml") as manifest:
            return b"encryption-data" in manifest.read(1 << 20)
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError, NotImplementedError):
        return False


Merged = tuple[tuple[int, int], tuple[int, int]]


def _records(rows: list[list[Any]], where: str, merged: Sequence[Merged], notes: list[str]) -> dict[str, Any]:
    """The table in the rows of a sheet: the first line that holds something names the columns."""
    lines = [any(cell != "" for cell in row) for row in rows]
    if not any(lines):
        return {"columns": [], "cells": [], "notes": notes, "blank": [0, 0]}
    top, end = lines.index(True), len(lines) - lines[::-1].index(True)
    used = [any(row[at] != "" for row in rows[top:end]) for at in range(len(rows[top]))]
    width = len(used) - used[::-1].index(True)
    names = texts_of(rows[top][:width], as_shown)
    _check_names(rows[top:end], names, top, where, merged)
    below = rows[top + 1 : end]
    blank = [at for at, row in enumerate(below) if width > 1 and not lines[top + 1 + at]]
    records = [row for at, row in enumerate(below) if width == 1 or lines[top + 1 + at]]
    apart = [_cells_named(one) for one in merged if top < one[1][0] < end]
    if apart:
        notes.append(
            f"{where}: of merged cells ({listed(apart)}) the first holds the value and the others are read as empty."
        )
    cells = [texts_of([row[at] for row in records], as_shown) for at in range(width)]
    return {"columns": names, "cells": cells, "notes": notes, "blank": [len(blank), blank[0] if blank else 0]}


def _check_names(rows: list[list[Any]], names: list[str], top: int, where: str, merged: Sequence[Merged]) -> None:
    """Refuse a title, or a first line of groups of columns, in the place of the columns' names."""
    joined = next((one for one in merged if one[0][0] <= top <= one[1][0] and one[0] != one[1]), None)
    full = next((at for at, row in enumerate(rows) if all(cell != "" for cell in row[: len(names)])), 0)
    advice = "give each column a name of its own in the first line, below nothing else"
    if full:
        advice = f"if line {top + full + 1} names the columns, delete the lines above it"
    if joined is not None:
        raise Refused(f"{where}: the cells {_cells_named(joined)} are merged where the columns' names are; {advice}.")
    if full and "" in names:
        said = "one cell" if sum(map(bool, names)) == 1 else f"{sum(map(bool, names))} cells"
        raise Refused(f"{where}: line {top + 1} has {said} for {len(names)} columns; {advice}.")


def _cells_named(area: Merged) -> str:
    return ":".join(f"{_letters(column)}{row + 1}" for row, column in area)


def _letters(column: int) -> str:
    """The name of a column, of which the first is 0: A to Z, AA and so on."""
    text = ""
    while column >= 0:
        text = chr(ord("A") + column % 26) + text
        column = column // 26 - 1
    return text


# ---------------------------------------------------------------- statistics programs


def statistical(content: bytes, name: str, most: int, ending: str) -> dict[str, Any]:
    """Reads a file of SPSS, Stata or SAS: words for values that all have one, no text for missing ones."""
    import pyreadstat  # noqa: PLC0415 - an optional extra

    read: Any = {
        ".sav": pyreadstat.read_sav,
        ".zsav": pyreadstat.read_sav,
        ".dta": pyreadstat.read_dta,
        ".xpt": pyreadstat.read_xport,
        ".sas7bdat": pyreadstat.read_sas7bdat,
    }[ending]
    kept = {} if ending == ".xpt" else {"user_missing": True}
    _, about = read(io.BytesIO(content), metadataonly=True)
    columns = list(about.column_names)
    if (about.number_rows or 0) * len(columns) > most:
        raise Large(about.number_rows * len(columns))
    limit = most // max(len(columns), 1) + 1
    data, about = read(io.BytesIO(content), output_format="dict", row_limit=limit, **kept)
    if columns and len(data[columns[0]]) == limit:
        raise Large(limit * len(columns))
    missing: list[str] = []
    partly: list[str] = []
    cells = [_words(column, list(data[column]), about, missing, partly) for column in columns]
    notes = []
    if missing:
        notes.append(f"Read as empty, since {name} calls them missing: {listed(missing)}.")
    if partly:
        notes.append(f"These columns keep their numbers, of which {name} names only some: {listed(partly)}.")
    return {"columns": columns, "cells": cells, "notes": notes, "blank": [0, 0]}


def _words(column: str, cells: list[Any], about: Any, missing: list[str], partly: list[str]) -> list[str]:
    """The texts of a column; what is to be said of it goes onto the two lists."""
    kind = about.readstat_variable_types[column]
    ranges = about.missing_ranges.get(column, ())
    labels = about.variable_value_labels.get(column, {})
    number = as_single if kind == "float" else as_stored

    def shown(value: Any) -> str:
        (text,) = texts_of([value], number)
        text = f".{text}" if isinstance(value, str) and kind != "string" else text
        return f"{text} {labels[value]!r}" if value in labels else text

    gone = Counter(cell for cell in cells if _missing(cell, kind, ranges))
    cells = [None if cell in gone else cell for cell in cells] if gone else cells
    missing += [f"{count} of {column!r} ({shown(value)})" for value, count in gone.items()]
    there = {cell for cell in cells if cell is not None and cell == cell and cell != ""}  # noqa: PLR0124
    named = [value for value in there if value in labels]
    if labels and len(named) == len(there):
        cells = [labels.get(cell, cell) for cell in cells]
    elif named:
        partly.append(f"{column!r} (such as {shown(min(named))})")
    return texts_of(cells, number)


def _missing(cell: Any, kind: str, ranges: Sequence[dict[str, Any]]) -> bool:
    """Whether a cell is one of SPSS's missing values, or one of ``.a`` to ``.z`` of Stata and SAS."""
    text = isinstance(cell, str)
    if text and kind != "string":
        return True
    if cell is None or cell == "":
        return False
    return any(text == isinstance(one["lo"], str) and one["lo"] <= cell <= one["hi"] for one in ranges)


# ---------------------------------------------------------------- the program


def told(content: bytes, ending: str, name: str, most: int) -> dict[str, Any]:
    """Return what there is to tell of another program's file; see above."""
    try:
        if ending in (".xlsx", ".xlsm", ".ods"):
            return spreadsheet(content, name, most)
        return statistical(content, name, most, ending)
    except Refused as refused:
        return {"refused": str(refused)}
    except Large as large:
        return {"large": large.args[0]}
    except ModuleNotFoundError as error:
        return {"missing": error.name}
    except BaseException as error:  # noqa: BLE001 - what was read in Rust fails in ways of its own
        said = " ".join(str(error).split())[:100].rstrip(".")
        return {"refused": f"{name} is no {ending} file that can be read ({said}); save the table as CSV."}


if __name__ == "__main__":
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):  # Windows, or a system that sets limits of its own
        pass
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a reader prints is no part of the answer
    found = told(sys.stdin.buffer.read(), sys.argv[1], sys.argv[2], int(sys.argv[3]))
    answer.write(json.dumps(found).encode())
    answer.close()
