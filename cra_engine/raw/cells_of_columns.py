"""Cells of a numeric quasi-identifier as plain numbers: dates, ``90+`` and ``<18``, units and percent signs.

What is read so is said: nothing is taken for a number without a word.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.raw.codes import code_in, decimal_of
from cra_engine.raw.dates import days_in
from cra_engine.raw.numbers import Problem, listed, plain_numbers
from cra_engine.raw.units import measured_cells, unit_of
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.periods import PERIODS, period_number
from cra_engine.words import how_many, number_text


def plain_cells(column: "pd.Series[Any]", attribute: Hierarchy) -> tuple["pd.Series[Any]", list[Problem]]:
    """A column with its dates, coded and measured cells as numbers, and what to know of that.

    A date becomes the number of its period, what lies past the domain by its code an infinite number. Other cells stay
    as they are, for :func:`cra_engine.raw.numbers.numbers` to read.
    """
    if attribute.dates:
        return _periods(column, attribute)
    if column.dtype.kind in "iuf" or plain_numbers(column) is not None:
        return column, []
    codes, cells = pd.factorize(column, use_na_sentinel=False)
    texts = ["" if pd.isna(cell) else str(cell).strip() for cell in cells]
    texts, notes = _measured(texts, codes, attribute)
    read, problems = _decoded(texts, codes, attribute)
    plain = np.array(read, dtype=object)[codes]
    return pd.Series(plain, index=column.index, name=column.name), notes + problems


def _measured(texts: Sequence[str], codes: NDArray[Any], attribute: Hierarchy) -> tuple[list[str], list[Problem]]:
    """The texts without a unit that all measured cells share."""
    unit = unit_of(texts)
    if not unit:
        return list(texts), []
    matches = measured_cells(texts)
    first = next(iter(matches))
    row = int(np.flatnonzero(codes == texts.index(first))[0]) + 1
    said = (
        f"Column {attribute.name!r}: {first!r} in row {row}, and all cells with {unit!r}, are read as numbers of "
        f"{unit}; cells without it are taken to be of the same unit."
    )
    shorter = [matches[text][0] if text in matches else text for text in texts]
    return shorter, [Problem(attribute.name, (), said, fatal=False, settled=True)]


def _decoded(texts: Sequence[str], codes: NDArray[Any], attribute: Hierarchy) -> tuple[list[str], list[Problem]]:
    """The texts with codes as infinite numbers, where the attribute has a leaf for them."""
    result, open_codes = [], []
    decimal = decimal_of(texts)
    for place, text in enumerate(texts):
        code = code_in(text, attribute.resolution, decimal)
        if code is None:
            result.append(text)
        elif code.above and attribute.above and code.limit >= attribute.upper:
            result.append("inf")
        elif not code.above and attribute.below and code.limit <= attribute.lower:
            result.append("-inf")
        else:
            result.append("nan")
            open_codes.append((place, text, code))
    if not open_codes:
        return result, []
    rows = np.flatnonzero(np.isin(codes, [place for place, _, _ in open_codes])) + 1
    cells = [repr(texts[codes[row - 1]][:40]) for row in rows[:3]]
    _, text, code = open_codes[0]
    setting = "upper" if code.above else "lower"
    mend = f"set {setting} = {number_text(code.limit)} and {'above' if code.above else 'below'} = true"
    said = (
        f"Column {attribute.name!r}: {how_many(len(rows), 'cell')} with a coded value that no interval holds: "
        f"{listed(cells, rows)}; for {text[:40]!r} {mend}."
    )
    return result, [Problem(attribute.name, tuple(rows.tolist()), said)]


def _periods(column: "pd.Series[Any]", attribute: Hierarchy) -> tuple["pd.Series[Any]", list[Problem]]:
    days, problems = days_in(column)
    problems = [*_coarser(column, attribute), *problems]
    numbers = {day: float(period_number(day, attribute.unit)) for day in set(days) if day is not None}
    values = [np.nan if day is None else numbers[day] for day in days]
    return pd.Series(values, index=column.index, name=column.name, dtype=float), problems


_WIDTHS = (
    ("year", re.compile(r"\d{4}")),
    ("quarter", re.compile(r"\d{4}\s*-?\s*[Qq][1-4]|[Qq][1-4]\s*[-/]?\s*\d{4}")),
    ("month", re.compile(r"\d{4}-\d{2}|\d{1,2}/\d{4}|[A-Za-z]+ \d{4}")),
)


def _coarser(column: "pd.Series[Any]", attribute: Hierarchy) -> list[Problem]:
    """What is wrong with cells that name a longer period than the study counts in."""
    if column.dtype.kind == "M":
        return []
    codes, cells = pd.factorize(column, use_na_sentinel=False)
    for width, look in _WIDTHS:
        if PERIODS.index(width) >= PERIODS.index(attribute.unit):
            return []
        longer = [place for place, cell in enumerate(cells) if not pd.isna(cell) and look.fullmatch(str(cell).strip())]
        if longer:
            rows = np.flatnonzero(np.isin(codes, longer)) + 1
            shown = [repr(str(cells[codes[row - 1]])) for row in rows[:3]]
            said = (
                f"Column {attribute.name!r}: {how_many(len(rows), 'cell')} that name a whole {width}, and the study "
                f"counts in {attribute.unit}s: {listed(shown, rows)}; take unit = {width}."
            )
            return [Problem(attribute.name, tuple(rows.tolist()), said)]
    return []
