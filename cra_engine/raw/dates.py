"""The days that a column of dates names, in the one order of day, month and year that fits all its cells."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.raw.numbers import MISSING, Problem, listed
from cra_engine.words import how_many

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
        found = {
            text: day.date()
            for text, day in zip(texts, read, strict=True)
            if not pd.isna(day) and date.min.year <= day.year <= date.max.year  # pandas reads the year -6 too
        }
        if len(found) > len(best):
            best_order, best = order, found
        if texts and len(found) == len(set(texts)):
            fitting.append(found)
    return best_order, best, fitting
