"""Intervals as others write them: ``20-29``, ``(20, 30]``, ``20 to 29``, ``>= 90``, ``< 18``, read as ``[20, 30[``.

In German, too, and with a unit that is one in the whole column: ``20 bis 29 Jahre``, ``60 Jahre und \u00e4lter``.

Those of dates, as this program writes them, are read as intervals of the longest periods in whose first days all end:
``[1940-01-01, 1945-01-01[`` as the years ``[1940, 1945[``; what is said of them names days.

A column is read as a whole: how far its values are apart, whether ``20-30`` ends before 30, and where ``>= 90`` may end
is told by all of its labels together.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.audits.guessed_hierarchies import label_of, nested, number_of, read_labels, stands_for_missing
from cra_engine.audits.lost_cells import refuse_lost, row_of
from cra_engine.blocks import counted
from cra_engine.errors import StudyError
from cra_engine.study.coded import NULL
from cra_engine.study.hierarchy import INTERVAL, Hierarchy
from cra_engine.study.periods import PERIODS, period_number, starts_period
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import number_text

# A decimal comma, too; not before three digits, which may be thousands.
_NUMBER = r"([-+]?[0-9]+(?:\.[0-9]+|,(?![0-9]{3}(?![0-9]))[0-9]+)?)"
_BRACKETS = re.compile(rf"^([\[\](])\s*{_NUMBER}\s*[,;]\s*{_NUMBER}\s*([\[\])])$")
_TO = r"(?:-|\u2013|\u2014|\.\.|to|bis)"
_RANGE = re.compile(rf"^{_NUMBER}\s*{_TO}\s*{_NUMBER}$", re.IGNORECASE)
_HALF_OPEN = re.compile(rf"^{_NUMBER}\s*{_TO}\s*(?:under|below|unter|<)\s*{_NUMBER}$", re.IGNORECASE)
_BEYOND = re.compile(rf"^(>=|=>|\u2265|>|<=|=<|\u2264|<)\s*{_NUMBER}$")
_PLUS = re.compile(
    rf"^{_NUMBER}\s*(?:\+|(?:or|and) (?:more|older|over|above)|(?:und|oder) (?:mehr|\u00e4lter|dar\u00fcber))$",
    re.IGNORECASE,
)
_OVER = re.compile(rf"^(?:over|above|more than|\u00fcber|mehr als)\s*{_NUMBER}$", re.IGNORECASE)
_DAYS = re.compile(r"^\[\s*(\d{4}-\d\d-\d\d)\s*[,;]\s*(\d{4}-\d\d-\d\d)\s*[\[)]$")
_UNDER = re.compile(rf"^(?:under|below|unter)\s*{_NUMBER}$", re.IGNORECASE)
# A unit stands behind a number, as none of the words that make an interval of two.
_UNIT = re.compile(r"(?<=[0-9])\s*(?!(?:to|bis|or|and|und|oder)\b)([^\W\d_]+\.?)", re.IGNORECASE)
# What may be a thousand or a 1 with three decimals; what says that a dot, or a comma, marks decimals.
_TOKEN = re.compile(r"[0-9][0-9.,]*[0-9]")
_DOTTED = re.compile(r"(?!0)[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_BY_COMMA = re.compile(r"[0-9]+(?:\.[0-9]{3})*,[0-9]+|[0-9]+(?:\.[0-9]{3}){2,}")
LEAST = 2  # records that show each label of a column that is read so unasked


@dataclass(frozen=True)
class _Read:
    """An interval as it is written: None where it has no end."""

    lower: Decimal | None
    upper: Decimal | None
    with_lower: bool
    with_upper: bool
    range: bool = False


@dataclass(frozen=True)
class Spelling:
    """The labels of an audited column in the notation of ARX.

    Attributes:
        labels: per label that is written in another way how ARX would write it.
        note: how they were read, in a sentence.
        period: of dates what is counted; empty for numbers.
    """

    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    note: str = ""
    period: str = ""

    def dated(self) -> dict[str, str]:
        """Return per label of dates how this program writes it."""
        ends = {text: _DAYS.findall(text)[0] for text in self.labels}
        return {text: f"[{lower}, {upper}[" for text, (lower, upper) in ends.items()}


def respelled(labels: Iterable[object], plainer: Mapping[str, str] | None = None) -> Spelling | None:
    """Return the labels of an audited column as ARX writes them; None where some are no intervals.

    Args:
        labels: that it shows.
        plainer: those that are to be read without unit and dots between thousands, so written.

    >>> respelled(["20-29", "30-39", ">= 40", "*"]).labels
    mappingproxy({'20-29': '[20, 30[', '30-39': '[30, 40[', '>= 40': '[40, 60['})
    """
    texts = dict.fromkeys(str(label).strip() for label in labels)
    shown = [text for text in texts if text != ROOT_LABEL and not stands_for_missing(text)]
    if shown and all(map(_DAYS.match, shown)):
        return _of_dates(shown)
    readings: dict[str, _Read] = {}
    numbers: list[Decimal] = []
    plain = {text: (plainer or {}).get(text, text) for text in shown}
    for text, own_text in plain.items():
        own = _read(own_text)
        if own is not None:
            readings[text] = own
        elif (value := number_of(own_text)) is not None:
            numbers.append(value)
        else:
            return None
    foreign = [text for text in readings if plain[text] != text or not INTERVAL.match(text)]
    if not foreign:
        return None
    ends = [end for read in readings.values() for end in (read.lower, read.upper) if end is not None]
    exponents = [int(number.normalize().as_tuple().exponent) for number in (*ends, *numbers)]
    step = Decimal(1).scaleb(min(0, *exponents))
    if any(read.lower is not None and read.upper is not None and read.lower > read.upper for read in readings.values()):
        return None
    # Where ranges meet in a number, 20-30 and 30-40, it belongs to one of them.
    starts = {read.lower for read in readings.values() if read.range}
    meets = any(read.range and read.upper in starts and read.lower != read.upper for read in readings.values())
    closed = {text: (_lower(read, step), _upper(read, step, meets=meets)) for text, read in readings.items()}
    intervals = dict(zip(closed, _ended(list(closed.values())), strict=True))
    changed = {text: label_of(intervals[text]) for text in foreign}
    ended = [text for text in foreign if readings[text].lower is not None and readings[text].upper is not None]
    one = (ended or foreign)[0]
    note = f"{one!r} is read as {changed[one]}"
    beyond = next((text for text in foreign if readings[text].lower is None or readings[text].upper is None), None)
    if beyond is not None:
        side = "end" if readings[beyond].upper is None else "begin"
        end = intervals[beyond][1 if side == "end" else 0]
        note += f", and {beyond!r} is taken to {side} at {end.normalize() + 0:f}, which is a guess on the wide side"
    changed |= {text: own for text, own in plain.items() if text not in readings and own != text}
    return Spelling(MappingProxyType(changed), note)


def _of_dates(texts: Iterable[str]) -> Spelling | None:
    """Intervals of dates as intervals of years, quarters, months or days; None where some end on no day."""
    try:
        days = {text: [date.fromisoformat(end) for end in _DAYS.findall(text)[0]] for text in texts}
    except ValueError:
        return None
    unit = next(unit for unit in PERIODS if all(starts_period(day, unit) for ends in days.values() for day in ends))
    numbers = {text: [Decimal(period_number(day, unit)) for day in ends] for text, ends in days.items()}
    labels = {text: label_of((lower, upper)) for text, (lower, upper) in numbers.items()}
    one = next(iter(labels))
    return Spelling(MappingProxyType(labels), f"{one!r} is read as dates, in {unit}s", unit)


def _read(text: str) -> _Read | None:
    if match := _BRACKETS.match(text):
        return _Read(_decimal(match[2]), _decimal(match[3]), match[1] == "[", match[4] == "]")
    if match := _HALF_OPEN.match(text):
        return _Read(_decimal(match[1]), _decimal(match[2]), True, False)
    if match := _RANGE.match(text):
        return _Read(_decimal(match[1]), _decimal(match[2]), True, True, range=True)
    if match := _BEYOND.match(text):
        value, equal = _decimal(match[2]), match[1] not in {"<", ">"}
        below = match[1] in {"<", "<=", "=<", "\u2264"}
        return _Read(None, value, False, equal) if below else _Read(value, None, equal, False)
    if match := _PLUS.match(text):
        return _Read(_decimal(match[1]), None, True, False)
    if match := _OVER.match(text):
        return _Read(_decimal(match[1]), None, False, False)
    if match := _UNDER.match(text):
        return _Read(None, _decimal(match[1]), False, False)
    return None


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def _without_units(texts: Iterable[str]) -> dict[str, str]:
    """Labels without the unit behind their numbers, where the whole column has one and no other."""
    found = {text: {unit.lower() for unit in _UNIT.findall(text)} for text in texts}
    units = set().union(*found.values())
    return {text: _UNIT.sub("", text).strip() for text, of in found.items() if of} if len(units) == 1 else {}


def _without_dots(texts: Collection[str]) -> tuple[dict[str, str], bool]:
    """Labels without the dots that mark thousands, or may, and whether it is known what they mark."""
    tokens = {token for text in texts for token in _TOKEN.findall(text)}
    dotted = {token for token in tokens if _DOTTED.fullmatch(token)}
    reads = list(filter(None, map(_read, texts)))
    ends = [(read.lower, read.upper) for read in reads if read.lower is not None and read.upper is not None]
    thousands = any(map(_BY_COMMA.fullmatch, tokens)) or any(lower > upper for lower, upper in ends)  # 500-1.000
    decimals = any("." in token and token not in dotted and not _BY_COMMA.fullmatch(token) for token in tokens)
    if not dotted or (decimals and not thousands):
        return {}, True
    without = {
        text: _TOKEN.sub(lambda found: found[0].replace(".", "") if found[0] in dotted else found[0], text)
        for text in texts
    }
    return {text: own for text, own in without.items() if own != text}, thousands and not decimals


def _plainer(column: "pd.Series[str]", labels: Collection[str], name: str) -> dict[str, str]:
    """A column's labels without units, and without dots between thousands.

    Raises:
        StudyError: it cannot be told whether a dot marks thousands or decimals.
    """
    texts = [text for text in labels if text != ROOT_LABEL and not stands_for_missing(text)]
    bare = _without_units(texts)
    plain = {text: bare.get(text, text) for text in texts}
    dots, known = _without_dots(list(plain.values()))
    if known:
        return {text: dots.get(own, own) for text, own in plain.items() if dots.get(own, own) != text}
    read = all(_read(own) or number_of(own) is not None for own in plain.values())
    # As ARX writes an interval a dot marks decimals.
    doubtful = [text for text, own in plain.items() if own in dots and _read(own) and not INTERVAL.match(text)]
    if read and doubtful:
        token = next(filter(_DOTTED.fullmatch, _TOKEN.findall(doubtful[0])))
        raise StudyError(
            f"Column {name!r} shows {doubtful[0]!r} in {row_of(column, doubtful[0])}: {token} may be "
            f"{token.replace('.', '')} or {number_text(_decimal(token))}, and no other cell there tells; write such "
            "numbers without that dot, or with a comma for the decimals."
        )
    return bare


def _lower(read: _Read, step: Decimal) -> Decimal | None:
    return read.lower if read.lower is None or read.with_lower else read.lower + step


def _upper(read: _Read, step: Decimal, *, meets: bool) -> Decimal | None:
    if read.upper is None or (meets and read.range) or not read.with_upper:
        return read.upper
    return read.upper + step


def _ended(intervals: list[tuple[Decimal | None, Decimal | None]]) -> list[tuple[Decimal, Decimal]]:
    """The intervals with ends where they have none: as far as any other goes, and as wide as all others together."""
    ends = [end for ends in intervals for end in ends if end is not None]
    first, last = min(ends), max(ends)
    widest = max((b - a for a, b in intervals if a is not None and b is not None), default=Decimal(1))
    wide = max(last - first, widest, Decimal(1))
    lowest = min(first - wide, Decimal(0)) if first > 0 else first - wide
    result = []
    for lower, upper in intervals:
        begin, end = lowest if lower is None else lower, last + wide if upper is None else upper
        result.append((begin, end))
    return result


def in_our_spelling(
    table: pd.DataFrame,
    hierarchies: Mapping[str, Hierarchy],
    named: Iterable[str] = (),
    *,
    known: bool = False,
    times: NDArray[np.int64] | None = None,
) -> tuple[pd.DataFrame, tuple[str, ...], dict[str, Spelling]]:
    """Return an audited table with the intervals of others as ARX writes them, what was read how, and which are dates.

    A column without a hierarchy that nobody named is only taken for one of intervals where these are nested and each is
    shown by two records or more: a telephone number is no interval.

    Args:
        table: the released table, every cell as text.
        hierarchies: per column its hierarchy: labels that it knows stay.
        named: the columns that are quasi-identifiers.
        known: True when only columns that have a hierarchy are looked at.
        times: how many records each row stands for; one when left out.

    Raises:
        StudyError: a spreadsheet has lost what stood in some cells, or a dot may mark thousands as well as decimals.
    """
    notes, changed, asked = [], {}, set(named)
    dates: dict[str, Spelling] = {}
    for position, name in enumerate(map(str, table.columns)):
        if known and name not in hierarchies:
            continue
        column = table.iloc[:, position].astype(str).str.strip()
        counts = _records(column, times)
        hierarchy = hierarchies.get(name)
        masked = [label for label in counts.index if len(label) > 1 and not label.strip(ROOT_LABEL)]
        if masked and (hierarchy is None or hierarchy.parse(masked[0]) is None):
            column = changed[position] = column.replace(dict.fromkeys(masked, ROOT_LABEL))
            counts = _records(column, times)
            notes.append(f"In column {name!r} {masked[0][:40]!r} is read as *.")
        if hierarchy is not None and (not hierarchy.numeric or all(hierarchy.parse(label) for label in counts.index)):
            continue
        if hierarchy is None:
            refuse_lost(column, counts.index, name, lambda text: _read(text) is not None)
        spelling = respelled(counts.index, _plainer(column, counts.index, name))
        if spelling is not None:
            labels = dict(spelling.labels)
            if hierarchy is not None:
                labels = spelling.dated() if spelling.period else labels
                labels = {text: own for text, own in labels.items() if hierarchy.parse(text) is None}
            elif name not in asked and not (nested(labels.values()) and counts[list(labels)].min() >= LEAST):
                continue
            column = changed[position] = column.replace(labels)
            notes.append(f"In column {name!r} {spelling.note}.")
            if hierarchy is None and spelling.period:
                dates[name] = spelling
        different = list(column.unique())
        if "" in different and NULL not in different and read_labels(different).intervals:
            changed[position] = column.replace({"": NULL})
            notes.append(f"In column {name!r} an empty cell is read as {NULL}, a value of its own.")
    if not changed:
        return table, (), {}
    result = table.copy()
    for position, column in changed.items():
        result.isetitem(position, column.to_numpy())
    return result, tuple(notes), dates


def _records(labels: "pd.Series[str]", times: NDArray[np.int64] | None) -> "pd.Series[int]":
    """How many records show each label, the most frequent first."""
    codes, different = pd.factorize(labels)
    return pd.Series(counted(codes, len(different), times), index=different).sort_values(ascending=False, kind="stable")
