"""Files without a line of names, whose first record would go out as names: seen, read with that line apart, named."""

import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from cra_engine.errors import CRAError, DataError
from cra_engine.files.table_faults import check_header
from cra_engine.files.tables import read_noted
from cra_engine.raw.column_looks import Look
from cra_engine.words import how_many

_FEWEST, _ODD = 5, 3  # rows of a table in which one can be odd, and odd cells of such a one
_GERMAN_WOMEN = {"w", "weiblich"}
_COLUMN = "column"
_GERMAN = {
    "date of birth": "Geburtsdatum",
    "date": "Datum",
    "sex": "Geschlecht",
    "postal code": "PLZ",
    "year": "Jahr",
    "diagnosis": "Diagnose",
    "procedure": "Prozedur",
    "drug": "Medikament",
    _COLUMN: "Spalte",
}
_LOOKED_AT = 300  # rows; more tell hardly more
_RUNS = (re.compile(r"[^\W\d_]+"), "a"), (re.compile(r"\d+"), "0")


def names_like_cells(data: pd.DataFrame) -> tuple[str, ...]:
    """Return the column names of a raw table that look like cells of a record, where these are too many for chance.

    A name looks like one where its column holds it as a cell, or where it has a digit and is written as most cells are.
    At least half of the names have to, and not by being whole numbers alone: columns may be called 2019 and 2020.

    >>> names_like_cells(pd.DataFrame({"13.03.1954": ["04.10.1939", "04.03.1978"], "m": ["w", "m"]}))
    ('13.03.1954', 'm')
    >>> names_like_cells(pd.DataFrame({"city": ["Bonn", "Kiel"], "2019": [31, 24], "2020": [33, 29]}))
    ()
    """
    alike, telling = [], False
    for name, column in data.head(_LOOKED_AT).items():
        called, cells = str(name).strip(), [str(cell).strip() for cell in column.tolist()]
        there, shape = called in cells, _shape(called)
        written = "0" in shape and 2 * sum(_shape(cell) == shape for cell in cells) > len(cells)
        if called and (there or written):
            alike.append(str(name))
            telling |= there or shape != "0"
    return tuple(alike) if telling and 2 * len(alike) >= len(data.columns) else ()


def rows_no_record(data: pd.DataFrame) -> tuple[int, ...]:
    """Return which of the first and last rows of a raw table, counted from 0, seem to be no record but units or totals.

    Such a row is written as no other one in most columns, and in three of them at least.

    >>> rows_no_record(pd.DataFrame({"no": ["", "7", "8", "9", "sum"], "kg": ["kg", "71", "80", "65", "216"],
    ...     "born": ["d.m.y", "1.2.54", "3.4.61", "5.6.77", ""], "town": ["", "Ulm", "Bern", "Kiel", ""]}))
    (0, 4)
    """
    if len(data) < _FEWEST:
        return ()
    ends = (0, len(data) - 1)
    seen = pd.concat([data.head(_LOOKED_AT), data.tail(2)])[lambda rows: ~rows.index.duplicated()]
    odd = dict.fromkeys(ends, 0)
    for name in seen.columns:
        shapes = [_shape(str(cell).strip()) for cell in seen[name].tolist()]
        others = set(shapes[1:-1])
        for end, shape in zip(ends, (shapes[0], shapes[-1]), strict=True):
            odd[end] += shape not in others
    return tuple(end for end in ends if odd[end] >= _ODD and 2 * odd[end] > len(data.columns))


def guessed_names(data: pd.DataFrame) -> tuple[str, ...]:
    """Return names for the columns of a raw table without any: what a column is seen to hold, else its place.

    In German where a column tells women by w.

    >>> guessed_names(pd.DataFrame([["04.10.1939", "w", "80"], ["04.03.1988", "m", "71"], ["13.03.1954", "m", "93"]]))
    ('Geburtsdatum', 'Geschlecht', 'Spalte 3')
    """
    looks, named = [Look.of(column) for _, column in data.items()], list[str]()
    german = any(look.sexes and _GERMAN_WOMEN.intersection(text.lower() for text in look.said) for look in looks)
    for place, look in enumerate(looks, start=1):
        kinds = {
            "date of birth": look.birth,
            "date": look.dates,
            "sex": look.sexes,
            "postal code": look.postal,
            "year": look.years,
            "diagnosis": "diagnoses" in look.medical,
            "procedure": "procedures" in look.medical,
            "drug": "drugs" in look.medical,
        }
        kind = next((kind for kind, seen in kinds.items() if seen), _COLUMN)
        guess = _GERMAN[kind] if german else kind
        named.append(guess if kind != _COLUMN and guess not in named else f"{guess} {place}")
    return tuple(named)


def first_line_apart(source: Path | bytes, name: str = "") -> tuple[tuple[str, ...], pd.DataFrame, tuple[str, ...]]:
    """Read a table file with its first line apart: column names, or a person's cells, which may be blank or alike.

    Returns:
        the first line, the other rows, whose columns are called by it or, where it cannot name them, by their places,
        and what there is to note of the file.

    Raises:
        DataError: the file is not a table; see :func:`cra_engine.read_table`.
    """
    try:
        frame, notes = read_noted(source, name)
    except DataError as error:
        try:
            frame, notes = read_noted(source, name, named=False)
        except CRAError:
            raise error from None
        return tuple(frame.iloc[0]), frame.iloc[1:].reset_index(drop=True), notes
    return tuple(map(str, frame.columns)), frame, notes


def first_line_as_row(data: pd.DataFrame, first_line: Sequence[str], names: Sequence[str], source: str) -> pd.DataFrame:
    """Return a raw table after its columns were named: the first line of its file is its first row.

    Args:
        data: the rows below the first line.
        first_line: its cells.
        names: of the columns, in their order.
        source: what the table is called.

    Raises:
        DataError: there are more or fewer names than columns, or one is blank or twice there.
    """
    if len(names) != len(first_line):
        raise DataError(
            f"{source} has {how_many(len(first_line), 'column')}, and the names are {len(names)}; give one for each, "
            "in their order."
        )
    check_header(list(names), source)
    rows = [pd.DataFrame([first_line], columns=list(names)), data.set_axis(list(names), axis=1)]
    return pd.concat(rows, ignore_index=True)


def _shape(text: str) -> str:
    """How a text is written: a run of letters as one, a run of digits as another."""
    for run, sign in _RUNS:
        text = run.sub(sign, text)
    return text
