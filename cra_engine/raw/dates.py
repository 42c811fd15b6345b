"""The days that a column of dates names, in the one order of day, month and year that fits all its cells."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.raw.missing_words import MISSING
from cra_engine.raw.written import Problem, Written
from cra_engine.study.periods import PERIODS, period_number
from cra_engine.words import how_many

_ORDERS = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y")
_MORE = ("%Y-%m", "%m/%Y", "%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y", "%b %Y", "%b %d %Y")
_TIME = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})[T ]\d{1,2}:\d{2}.*")
_QUARTER = re.compile(r"(?P<y>\d{4})\s*-?\s*[Qq](?P<q>[1-4])|[Qq](?P<q2>[1-4])\s*[-/]?\s*(?P<y2>\d{4})")


def days_in(column: "pd.Series[Any]") -> tuple[list[date | None], list[Problem]]:
    """Read a raw column of dates: per cell a day, None for gaps and for what is no date, which is a problem.

    One order of day, month and year must fit all cells but those written as year-month-day. Where several do and they
    differ, none is taken.
    """
    written = Written.of(column)
    days, problems = _days_of(written)
    return [days[code] for code in written.codes], problems


def _days_of(column: Written) -> tuple[list[date | None], list[Problem]]:
    """Returns the day that each text of a column names, and the problems."""
    column = column.with_texts([_day_text(text) for text in column.texts])
    texts, filled = column.texts, [not nothing for nothing in column.empty]
    _, best, fitting = _orders_that_fit([text for text, is_filled in zip(texts, filled, strict=True) if is_filled])
    if len(fitting) > 1:
        one, other = fitting[0], fitting[1]
        text = next((text for text in texts if text in one and one[text] != other[text]), None)
        if text is not None:
            said = (
                f"Column {column.name!r}: {text!r} in {column.row_of(text)} can be {one[text].isoformat()} or "
                f"{other[text].isoformat()}; write the dates as year-month-day."
            )
            return [None] * len(texts), [Problem(column.name, tuple(column.rows(filled).tolist()), said)]
    days = [best.get(text) for text in texts]
    rows = column.rows(day is None and is_filled for day, is_filled in zip(days, filled, strict=True))
    if not len(rows):
        return days, []
    like = next((f"{text!r} in {column.row_of(text)}" for text in texts if text in best), "'2013-05-17'")
    said = (
        f"Column {column.name!r}: {how_many(len(rows), 'cell')} with no date that is written like {like}: "
        f"{column.listed(rows)}; write all dates in one way."
    )
    return days, [Problem(column.name, tuple(rows.tolist()), said)]


def order_of_dates(column: "pd.Series[Any]") -> str:
    """Return how a raw column writes its days, as ``strftime`` takes it; empty where it writes none.

    >>> order_of_dates(pd.Series(["31.12.2024", "", "01.02.2023"]))
    '%d.%m.%Y'
    """
    if column.dtype.kind == "M":
        return _ORDERS[0]
    texts = [_day_text(str(cell).strip()) for cell in column.dropna().unique()]
    order, best, _ = _orders_that_fit([text for text in texts if text.lower() not in MISSING])
    return order if best and "%d" in order else ""


def days_otherwise(texts: Sequence[str]) -> list[dict[str, str]]:
    """Return how cells that name no day like the rest of their raw column can be read: each way their days, as ISO.

    A way reads as many of them as any other. Where there are two, only a person can say which is meant.

    >>> days_otherwise(["12/08/2024", "soon"])
    [{'12/08/2024': '2024-08-12'}, {'12/08/2024': '2024-12-08'}]
    >>> days_otherwise(["12/08/2024", "25/08/2024"])
    [{'12/08/2024': '2024-08-12', '25/08/2024': '2024-08-25'}]
    """
    ways = []
    for order in _ORDERS:
        days = {text: day_in(text, order) for text in texts}
        ways.append({text: day.isoformat() for text, day in days.items() if day is not None})
    most = max(map(len, ways))
    return [way for place, way in enumerate(ways) if most == len(way) > 0 and way not in ways[:place]]


def day_in(text: str, order: str) -> date | None:
    """Return the day that a raw cell names in this order, or as year-month-day; None for no day of the calendar.

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
    different = set(texts)
    asked = [text for text in dict.fromkeys(texts) if any(map(str.isdigit, text))]  # every order has a year
    iso = dict[str, date]()
    for order in (*_ORDERS, *_MORE):
        may = [text for text in asked if _may_be(text, order)]
        # To try an order costs far more than to see that no text has its signs.
        read = pd.to_datetime(pd.Series(may, dtype=object), format=order, errors="coerce") if may else ()
        days = (iso if "%d" in order else {}) | {
            text: day.date()
            for text, day in zip(may, read, strict=True)
            if not pd.isna(day) and date.min.year <= day.year <= date.max.year  # pandas reads the year -6 too
        }
        if order == _ORDERS[0]:  # can be nothing else, and may stand among days of any other order
            iso = days
        if len(days) > len(best):
            best_order, best = order, days
        if len(days) == len(different):
            fitting.append(days)
    return best_order, best, fitting


def _may_be(text: str, order: str) -> bool:
    """Whether a text has what every day in an order has: its signs between the parts, and letters in a month's name."""
    signs = set(re.sub(r"%[A-Za-z]| ", "", order))
    return signs <= set(text) and ("%b" not in order.lower() or any(map(str.isalpha, text)))


def periods_in(column: Written, unit: str) -> tuple[NDArray[np.float64], list[Problem]]:
    """Read a raw column's dates as the numbers of their year, quarter, month or day, NaN for what is none.

    Args:
        column: of dates.
        unit: the period that is counted.
    """
    days, problems = _days_of(column)
    periods = np.array([np.nan if day is None else period_number(day, unit) for day in days], dtype=np.float64)
    return periods[column.codes], [*_longer_periods(column, unit), *problems]


_WIDTHS = (
    ("year", re.compile(r"\d{4}")),
    ("quarter", re.compile(r"\d{4}\s*-?\s*[Qq][1-4]|[Qq][1-4]\s*[-/]?\s*\d{4}")),
    ("month", re.compile(r"\d{4}-\d{2}|\d{1,2}/\d{4}|[A-Za-z]+ \d{4}")),
)


def _longer_periods(column: Written, unit: str) -> list[Problem]:
    """Returns what is wrong with cells that name a longer period than the study counts in."""
    for width, look in _WIDTHS:
        if PERIODS.index(width) >= PERIODS.index(unit):
            return []
        rows = column.rows(look.fullmatch(text) is not None for text in column.texts)
        if len(rows):
            said = (
                f"Column {column.name!r}: {how_many(len(rows), 'cell')} that name a whole {width}, and the study "
                f"counts in {unit}s: {column.listed(rows)}; take unit = {width}."
            )
            return [Problem(column.name, tuple(rows.tolist()), said)]
    return []
