"""Cells read otherwise than written: dates, units, codes, decimal commas, leading zeros; values outside a domain."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.files.notation import plain
from cra_engine.raw.codes import code_in, decimal_of
from cra_engine.raw.columns import read_numbers
from cra_engine.raw.dates import days_in, order_of_dates
from cra_engine.raw.plain_cells import measured_cells, unit_of
from cra_engine.raw.proposed_kinds import leading_zeros
from cra_engine.raw.written import Problem, Written, listed, row_numbers
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.leaf_reader import NumberLeaves
from cra_engine.words import how_many, number_text

_ELSE = "write them otherwise where that is wrong."


def readings(column: "pd.Series[Any]", attribute: Hierarchy, *, ends: bool = True) -> list[Problem]:
    """Return what of a raw column is read otherwise than it is written: a note with its rows per kind.

    Args:
        column: the raw column.
        attribute: its hierarchy.
        ends: False to leave out values past the ends of the domain, where nobody has chosen it.

    >>> from cra_engine import Attribute
    >>> (problem,) = readings(pd.Series(["75,9 kg", "80,1 kg"], name="w"), Attribute("w", 0, 100, 2, resolution=0.1))
    >>> problem.text
    "Column 'w': 2 cells with 'kg' read as numbers of kg: '75,9 kg' as 75.9; write them otherwise where that is wrong."
    """
    outside = _outside(column, attribute) if ends else []
    if column.dtype.kind in "iufb":
        return outside
    written = Written.of(column)
    texts = written.texts

    def problem(these: Iterable[str], said: str) -> Problem:
        wanted = frozenset(these)
        rows = written.rows(text in wanted for text in texts)
        start = f"Column {str(column.name)!r}: {how_many(len(rows), 'cell')}"
        return Problem(str(column.name), tuple(rows.tolist()), f"{start} {said}", fatal=False, settled=True)

    if attribute.dates:
        return _of_dates(column, attribute, texts, problem) + outside
    if not attribute.numeric:
        filled = [text for text in texts if text in attribute.reader.listed]
        if not filled or not leading_zeros(filled):
            return []
        zeros = [text for text in filled if text.startswith("0")]
        said = f"with a leading zero, such as {zeros[0]!r}: read as codes, not as numbers"
        return [problem(zeros, f"{said}; write amounts without it.")]
    return _of_numbers(texts, problem) + outside


def _outside(column: "pd.Series[Any]", attribute: Hierarchy) -> list[Problem]:
    """Returns the numbers and dates past the ends of a domain, which one group takes."""
    reader = attribute.reader
    if not isinstance(reader, NumberLeaves) or not (reader.below or reader.above):
        return []
    values = read_numbers(column, attribute)[0].astype(float)  # what is written as a code is infinite there
    finite = np.isfinite(values)
    sides = {
        f"<{attribute.text(attribute.lower)}": reader.below & finite & (values < float(attribute.lower)),
        f">={attribute.text(attribute.upper)}": reader.above & finite & (values >= float(attribute.upper)),
    }
    name, found = str(column.name), []
    for label, there in sides.items():
        rows = row_numbers(column)[there]
        if len(rows):
            cells = listed([str(cell).strip() for cell in column[there].iloc[:3]], rows[:3])
            said = f"{how_many(len(rows), 'value')} outside the domain, put into the group {label!r}: {cells}"
            mend = "widen the domain where the intervals are to hold them, or correct them."
            text = f"Column {name!r}: {said}; {mend}"
            found.append(Problem(name, tuple(rows.tolist()), text, fatal=False, settled=True))
    return found


def _of_dates(column: "pd.Series[Any]", attribute: Hierarchy, texts: Sequence[str], problem: Any) -> list[Problem]:
    days, _ = days_in(column)
    order = order_of_dates(column)
    first = next((place for place, day in enumerate(days) if day is not None), None)
    if first is None or order in ("", "%Y-%m-%d"):
        return []
    known = {str(cell).strip() for cell, day in zip(column, days, strict=True) if day is not None}
    cell, day = str(column.iloc[first]).strip(), days[first]
    said = f"read as dates: {cell!r} as {day}, counted in {attribute.unit}s; write year-month-day where that is wrong."
    return [problem([text for text in texts if text in known], said)]


def _of_numbers(texts: Sequence[str], problem: Any) -> list[Problem]:
    said = []
    unit, decimal = unit_of(texts), decimal_of(texts)
    apart = measured_cells(texts) if unit else {}
    if apart:
        shown, (number, _) = next(iter(apart.items()))
        value = plain(number, decimal or "point") or number
        said.append(problem(apart, f"with {unit!r} read as numbers of {unit}: {shown!r} as {value}; {_ELSE}"))
    codes = {text: code for text in texts if (code := code_in(text, decimal=decimal)) is not None}
    if codes:
        shown, code = next(iter(codes.items()))
        meant = f"{number_text(code.limit)} and more" if code.above else f"less than {number_text(code.limit)}"
        said.append(problem(codes, f"read as a group of its own: {shown!r} as {meant}; {_ELSE}"))
    commas = {
        text: point
        for text in texts
        if decimal == "comma" and "," in text and text not in apart and (point := plain(text, "comma"))
    }
    if commas:
        shown, number = next(iter(commas.items()))
        said.append(problem(commas, f"with a decimal comma: {shown!r} read as {number}; {_ELSE}"))
    return said
