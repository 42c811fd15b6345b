"""Cells of a numeric quasi-identifier as plain numbers: dates, ``90+`` and ``<18``, units and percent signs.

What is read so is said: nothing is taken for a number without a word.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.choices import DecimalSign
from cra_engine.files.notation import decimal_in, measured, notation, plain
from cra_engine.raw.numbers import MISSING, Problem, listed, plain_numbers
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.periods import PERIODS, period_number
from cra_engine.words import how_many, number_text

_NUMBER = r"[-+]?\d[\d.,']*"
_FROM = re.compile(
    rf"(?:(?P<sign>>=?|≥|over|above|more than|at least|from)\s*(?P<a>{_NUMBER})"
    rf"|(?P<b>{_NUMBER})\s*(?P<plus>\+|plus|(?:and|or|years and|yrs and)\s+(?:over|more|older|above|up))?)",
    re.IGNORECASE,
)
_TO = re.compile(
    rf"(?:(?P<sign><=?|≤|under|below|less than|up to|at most)\s*(?P<a>{_NUMBER})"
    rf"|(?P<b>{_NUMBER})\s*(?P<minus>-(?!\d)|(?:and|or)\s+(?:under|less|younger|below)))",
    re.IGNORECASE,
)
_STRICT_ABOVE, _STRICT_BELOW = (">", "over", "above", "more than"), ("<", "under", "below", "less than")


@dataclass(frozen=True)
class Code:
    """What a cell such as ``90+`` stands for.

    Attributes:
        above: True for all values from ``limit`` on, False for all below it.
        limit: the first value of them, or past them.
    """

    above: bool
    limit: Decimal


def code_in(text: str, step: Decimal = Decimal(1), decimal: DecimalSign | None = "point") -> Code | None:
    """What a top- or bottom-coded cell stands for; None for any other text.

    Args:
        text: the cell.
        step: the distance of neighbouring values: ``> 90`` begins at 91 where they are whole numbers.
        decimal: what marks the decimals in the column; None where nobody can tell.

    >>> code_in("90+"), code_in("<18")
    (Code(above=True, limit=Decimal('90')), Code(above=False, limit=Decimal('18')))
    >>> code_in("> 90"), code_in("34")
    (Code(above=True, limit=Decimal('91')), None)
    >>> code_in("<0,5", decimal="comma")
    Code(above=False, limit=Decimal('0.5'))
    """
    text = text.strip()
    found = _FROM.fullmatch(text)
    if found is not None and (found["sign"] or found["plus"]):
        limit = _limit(found["a"] or found["b"], decimal)
        strict = (found["sign"] or "").lower() in _STRICT_ABOVE
        return None if limit is None else Code(True, limit + step if strict else limit)
    found = _TO.fullmatch(text)
    if found is None:
        return None
    limit = _limit(found["a"] or found["b"], decimal)
    strict = (found["sign"] or "").lower() in _STRICT_BELOW
    return None if limit is None else Code(False, limit if strict else limit + step)


def _limit(number: str, decimal: DecimalSign | None) -> Decimal | None:
    return decimal_in((plain(number, decimal) if decimal else None) or number.replace("'", ""))


def decimal_of(texts: Iterable[str]) -> DecimalSign | None:
    """What marks the decimals in a column, the numbers of its codes and before its units included.

    None where it can be either, or is not the same throughout.

    >>> decimal_of(["75,9 kg", "80"]), decimal_of(["<0,5", "1,25"]), decimal_of(["90+", "34"])
    ('comma', 'comma', 'point')
    """
    return notation(_number_of(text) for text in texts).decimal


def _number_of(text: str) -> str:
    """The number that a cell is made of, as it is written; any other text as it is."""
    apart = measured(text)
    if apart is not None and code_in(text) is None:
        return apart[0]
    for shape in (_FROM, _TO):
        if found := shape.fullmatch(text.strip()):
            return found["a"] or found["b"]
    return text.strip()


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


def unit_of(texts: Sequence[str]) -> str:
    """The unit that all measured cells share; empty where there is none.

    >>> unit_of(["70 kg", "81 kg", "64"]), unit_of(["70 kg", "1.8 m"]), unit_of(["5%"])
    ('kg', '', '%')
    """
    units = {found[1] for found in measured_cells(texts).values()}
    return units.pop() if len(units) == 1 else ""


def without_unit(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """A column of text without the unit that all its measured cells share.

    >>> without_unit(pd.Series(["75,9 kg", "80", ""])).tolist()
    ['75,9', '80', '']
    """
    if column.dtype.kind in "iufbM":
        return column
    codes, cells = pd.factorize(column, use_na_sentinel=False)
    texts = ["" if pd.isna(cell) else str(cell).strip() for cell in cells]
    apart = measured_cells(texts) if unit_of(texts) else {}
    plain = np.array([apart[text][0] if text in apart else text for text in texts], dtype=object)
    return pd.Series(plain[codes], index=column.index, name=column.name, dtype=object)


def measured_cells(texts: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The measured cells, each as its number and its unit."""
    return {text: found for text in texts if code_in(text) is None and (found := measured(text)) is not None}


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


_ORDERS = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y")
_MORE = ("%Y-%m", "%m/%Y", "%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y", "%b %Y", "%b %d %Y")
_TIME = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})[T ]\d{1,2}:\d{2}.*")
_QUARTER = re.compile(r"(?P<y>\d{4})\s*-?\s*[Qq](?P<q>[1-4])|[Qq](?P<q2>[1-4])\s*[-/]?\s*(?P<y2>\d{4})")


def days_in(column: "pd.Series[Any]") -> tuple[list[date | None], list[Problem]]:
    """A column of dates: per cell a day, None for gaps and for what is no date, which is a problem.

    One order of day, month and year must fit all cells. Where several do and they differ, none is taken.
    """
    name = str(column.name)
    if column.dtype.kind == "M":
        return [None if pd.isna(cell) else cell.date() for cell in column], []
    codes, cells = pd.factorize(column, use_na_sentinel=False)
    texts = ["" if pd.isna(cell) else _day_text(str(cell).strip()) for cell in cells]
    filled = [text for text in texts if text.lower() not in MISSING]
    _, best, fitting = _orders_that_fit(filled)
    if len(fitting) > 1:
        one, other = fitting[0], fitting[1]
        place = next((at for at, text in enumerate(texts) if text in one and one[text] != other[text]), None)
        if place is not None:
            row = int(np.flatnonzero(codes == place)[0]) + 1
            asked = tuple((np.flatnonzero([texts[code].lower() not in MISSING for code in codes]) + 1).tolist())
            said = (
                f"Column {name!r}: {texts[place]!r} in row {row} can be {one[texts[place]].isoformat()} or "
                f"{other[texts[place]].isoformat()}; write the dates as year-month-day."
            )
            return [None] * len(column), [Problem(name, asked, said)]
    known = [best.get(text) for text in texts]
    bad = np.array([day is None and text.lower() not in MISSING for day, text in zip(known, texts, strict=True)])
    rows = np.flatnonzero(bad[codes]) + 1 if texts else np.empty(0, dtype=np.int64)
    found = [known[code] for code in codes]
    if not len(rows):
        return found, []
    shown = [repr(texts[codes[row - 1]][:40]) for row in rows[:3]]
    said = (
        f"Column {name!r}: {how_many(len(rows), 'cell')} with no date that is written like the others: "
        f"{listed(shown, rows)}; write the dates as year-month-day, such as 2013-05-17."
    )
    return found, [Problem(name, tuple(rows.tolist()), said)]


def order_of_dates(column: "pd.Series[Any]") -> str:
    """How a column writes its days, as ``strftime`` takes it; empty where it writes none, or longer periods only.

    >>> order_of_dates(pd.Series(["31.12.2024", "", "01.02.2023"]))
    '%d.%m.%Y'
    """
    if column.dtype.kind == "M":
        return _ORDERS[0]
    texts = [_day_text(str(cell).strip()) for cell in column.dropna().unique()]
    order, best, _ = _orders_that_fit([text for text in texts if text.lower() not in MISSING])
    return order if best and "%d" in order else ""


def day_in(text: str, order: str) -> date | None:
    """The day that a text names in this order, or as year-month-day; None for what is no day of the calendar.

    >>> day_in("31.12.2024", "%d.%m.%Y"), day_in("2024-12-31", "%d.%m.%Y"), day_in("2024-02-31", "")
    (datetime.date(2024, 12, 31), datetime.date(2024, 12, 31), None)
    """
    for one in filter(None, dict.fromkeys((order, _ORDERS[0]))):
        try:
            return datetime.strptime(text.strip(), one).date()  # noqa: DTZ007 - a day, of no place
        except ValueError:
            continue
    return None


def _day_text(text: str) -> str:
    timed = _TIME.fullmatch(text)
    if timed is not None:
        return timed["day"]
    quarter = _QUARTER.fullmatch(text)
    if quarter is not None:
        year, part = quarter["y"] or quarter["y2"], int(quarter["q"] or quarter["q2"])
        return f"{year}-{part * 3 - 2:02d}"
    return text


def _orders_that_fit(texts: Sequence[str]) -> tuple[str, dict[str, date], list[dict[str, date]]]:
    """The order that fits most texts, what it reads, and the readings of all orders that fit each of them."""
    best_order, best = "", dict[str, date]()
    fitting = []
    for order in (*_ORDERS, *_MORE):
        read = pd.to_datetime(pd.Series(texts, dtype=object), format=order, errors="coerce")
        found = {text: day.date() for text, day in zip(texts, read, strict=True) if not pd.isna(day)}
        if len(found) > len(best):
            best_order, best = order, found
        if texts and len(found) == len(set(texts)):
            fitting.append(found)
    return best_order, best, fitting
