"""Cells that hold more than a plain number: ``90+`` and ``<18``, ``75,9 kg``, ``5%``, read as numbers.

What is read so is said: nothing is taken for a number without a word.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.files.notation import number_and_unit, plain
from cra_engine.raw.codes import Code, code_in, decimal_of
from cra_engine.raw.written import Problem, Written
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.leaf_reader import NumberLeaves
from cra_engine.words import how_many, number_text


def plain_cells(column: Written, attribute: Hierarchy) -> tuple[Written, list[Problem]]:
    """Return a raw column with its coded and measured cells as numbers, and what to know of that.

    What lies past the domain by its code becomes an infinite number. Other cells stay as they are, for
    :func:`cra_engine.raw.numbers.written_numbers` to read.
    """
    column, notes = _without_shared_unit(column)
    column, problems = _decoded(column, attribute)
    return column, notes + problems


def unit_of(texts: Sequence[str]) -> str:
    """Return the unit that all measured cells of a raw column share; empty where there is none.

    >>> unit_of(["70 kg", "81 kg", "64"]), unit_of(["70 kg", "1.8 m"]), unit_of(["5%"])
    ('kg', '', '%')
    """
    units = {cell[1] for cell in measured_cells(texts).values()}
    return units.pop() if len(units) == 1 else ""


def same_numbers(texts: Sequence[str]) -> Sequence[str]:
    """Return for each of a raw column's texts the first that is the same number, where some of them have a unit.

    >>> same_numbers(["75 kg", "75,0", "80,5", "unknown"])
    ['75 kg', '75 kg', '80,5', 'unknown']
    """
    unit = unit_of([text for text in texts if text[:1].isdigit() and not text[-1:].isdigit()])  # of a million few are
    if not unit:
        return texts
    cells = measured_cells(texts)
    bare = [cells[text][0] if text in cells else text for text in texts]
    decimal, first = decimal_of(texts), dict[object, str]()
    if decimal is None:
        return texts
    numbers = ((text, plain(cell, decimal)) for text, cell in zip(texts, bare, strict=True))
    return [first.setdefault(text if number is None else float(number), text) for text, number in numbers]


def without_unit(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a raw column of text without the unit that all its measured cells share.

    >>> without_unit(pd.Series(["75,9 kg", "80", ""])).tolist()
    ['75,9', '80', '']
    """
    if column.dtype.kind in "iufbM":
        return column
    written, _ = _without_shared_unit(Written.of(column))
    cells = np.array(written.texts, dtype=object)[written.codes]
    return pd.Series(cells, index=column.index, name=column.name, dtype=object)


def measured_cells(texts: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return a raw column's measured cells, each as its number and its unit."""
    return {text: parts for text in texts if code_in(text) is None and (parts := number_and_unit(text)) is not None}


def _without_shared_unit(column: Written) -> tuple[Written, list[Problem]]:
    unit = unit_of(column.texts)
    if not unit:
        return column, []
    matches = measured_cells(column.texts)
    first = next(iter(matches))
    said = (
        f"Column {column.name!r}: {first!r} in {column.row_of(first)}, and all cells with {unit!r}, are read as "
        f"numbers of {unit}; cells without it are taken to be of the same unit."
    )
    shorter = [matches[text][0] if text in matches else text for text in column.texts]
    return column.with_texts(shorter), [Problem(column.name, (), said, fatal=False, settled=True)]


def _decoded(column: Written, attribute: Hierarchy) -> tuple[Written, list[Problem]]:
    """Returns a column with codes as infinite numbers, where the attribute has a leaf for them."""
    decimal = decimal_of(column.texts)
    codes = [code_in(text, attribute.resolution, decimal) for text in column.texts]
    places = [None if code is None else _place_of(code, attribute) for code in codes]
    decoded = column.with_texts([place or text for place, text in zip(places, column.texts, strict=True)])
    rows = column.rows(place == "nan" for place in places)
    if not len(rows):
        return decoded, []
    text, code = next((t, c) for t, c, place in zip(column.texts, codes, places, strict=True) if c and place == "nan")
    setting = "upper" if code.above else "lower"
    mend = f"set {setting} = {number_text(code.limit)} and {'above' if code.above else 'below'} = true"
    said = (
        f"Column {column.name!r}: {how_many(len(rows), 'cell')} with a coded value that no interval holds: "
        f"{column.listed(rows)}; for {text[:40]!r} {mend}."
    )
    return decoded, [Problem(column.name, tuple(rows.tolist()), said)]


def _place_of(code: Code, attribute: Hierarchy) -> str:
    """Returns an infinite number that lies in the leaf of a code, as text; "nan" where there is no such leaf."""
    reader = attribute.reader
    if not isinstance(reader, NumberLeaves):
        return "nan"
    if code.above:
        return "inf" if reader.above and code.limit >= attribute.upper else "nan"
    return "-inf" if reader.below and code.limit <= attribute.lower else "nan"
