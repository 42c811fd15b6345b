"""Dates as whole numbers: days, months, quarters and years, counted so that neighbours differ by 1."""

from datetime import date
from decimal import Decimal
from typing import Literal, get_args

Period = Literal["year", "quarter", "month", "day"]
PERIODS: tuple[str, ...] = get_args(Period)
_MONTHS = {"year": 12, "quarter": 3, "month": 1}


def period_number(day: date, unit: str) -> int:
    """Return the number of the year, quarter, month or day that a date in a hierarchy lies in.

    >>> period_number(date(2013, 5, 17), "year"), period_number(date(2013, 5, 17), "quarter")
    (2013, 8053)
    """
    if unit == "day":
        return day.toordinal()
    return (day.year * 12 + day.month - 1) // _MONTHS[unit]


def first_day(number: int, unit: str) -> str:
    """Write the first day of a hierarchy's period, ``2013-04-01``; the years 0 and 10000 too, which no date has.

    >>> first_day(8053, "quarter")
    '2013-04-01'
    """
    if unit == "day":
        return date.fromordinal(min(max(number, 1), date.max.toordinal())).isoformat()
    year, month = divmod(number * _MONTHS[unit], 12)
    return f"{year:04d}-{month + 1:02d}-01"


def period_text(number: int, unit: str) -> str:
    """Write a hierarchy's period as people do: ``2013``, ``2013-Q2``, ``2013-05``, ``2013-05-17``.

    >>> period_text(8053, "quarter")
    '2013-Q2'
    """
    day = first_day(number, unit)
    if unit == "quarter":
        return f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}"
    return day[: {"year": 4, "month": 7, "day": 10}[unit]]


def starts_period(day: date, unit: str) -> bool:
    """Return whether a day is the first one of a hierarchy's period."""
    return first_day(period_number(day, unit), unit) == day.isoformat()


def in_finer(number: Decimal, unit: str, finer: str) -> Decimal:
    """Return the number of the first finer period that one of a hierarchy's periods holds, from the year 1 on.

    >>> in_finer(Decimal(2013), "year", "quarter"), in_finer(Decimal(8052), "quarter", "month")
    (Decimal('8052'), Decimal('24156'))
    >>> in_finer(Decimal(2013), "year", "day") == date(2013, 1, 1).toordinal()
    True
    """
    if unit == finer:
        return number
    if finer != "day":
        return number * _MONTHS[unit] // _MONTHS[finer]
    return Decimal(as_day(max(number, Decimal(12 // _MONTHS[unit])), unit).toordinal())


def as_day(number: Decimal, unit: str) -> date:
    """Return the first day of a hierarchy's period as a date; the last day there is for what lies past it."""
    if unit == "day":
        return date.fromordinal(min(int(number), date.max.toordinal()))
    year, month = divmod(int(number) * _MONTHS[unit], 12)
    return date(year, month + 1, 1) if year <= date.max.year else date.max
