"""Hierarchies to begin with for columns that are no plain numbers: dates, ``90+``, units, codes by their beginning."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.errors import CRAError
from cra_engine.raw.codes import code_in, decimal_of
from cra_engine.raw.column_looks import Look
from cra_engine.raw.columns import find_gaps
from cra_engine.raw.dates import days_in
from cra_engine.raw.missing_words import MISSING
from cra_engine.raw.numbers import numbers
from cra_engine.raw.plain_cells import unit_of
from cra_engine.raw.postal_codes import british_layers
from cra_engine.raw.proposed_hierarchy import MANY_RECORDS, Proposal, near_ends, propose, round_domain, why_coded
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.periods import as_day, period_number
from cra_engine.words import how_many, number_text

MOST = 0.8  # of the filled cells have to be of the kind
_YEAR = {"quarter": (1, 2, 4), "month": (1, 3, 6, 12)}  # a year and its parts
_LEAST_PERIODS = {"year": 8, "quarter": 8, "month": 8}
ICD_10 = re.compile(r"[A-TV-Z]\d[\dAB](?:\.[\dA-Z]{1,4})?")
POSTAL = re.compile(r"\d{4,6}")
_DIGITS = re.compile(r"[0-9]+").fullmatch
MOST_DIGITS = 6  # of a code of which every length of its beginning may be a layer
_POSTAL_NAME = re.compile(r"\b(zip|zip\s?code|plz|postal\w*|post\s?code|postleitzahl)\b")


def propose_kind(column: "pd.Series[Any]") -> Proposal | None:
    """Propose a hierarchy for a raw column of dates, or of numbers with coded or measured cells; None for others.

    >>> propose_kind(pd.Series(["34", "41", "90+", "57"], name="age")).attribute
    ... # doctest: +ELLIPSIS
    Attribute(name='age', lower=Decimal('34'), upper=Decimal('90'), layers=3, ... above=True, dates=False)
    """
    texts = list(Look.of(column).values)
    if not texts:
        return None
    return _dates(column) or _coded(column, texts)


def _dates(column: "pd.Series[Any]") -> Proposal | None:
    if column.dtype.kind in "iuf" or not (column.dtype.kind == "M" or Look.of(column).dates):
        return None
    days, _ = days_in(column)
    known = sorted(day for day in days if day is not None)
    filled = int((~find_gaps(column)).sum())
    if not known or len(known) < MOST * filled:
        return None
    first, last = (date.fromordinal(day) for day in near_ends(np.array([day.toordinal() for day in known])))
    unit = "day"
    for wider, least in _LEAST_PERIODS.items():
        if period_number(last, wider) - period_number(first, wider) >= least - 1:
            unit = wider
            break
    smallest, largest = period_number(first, unit), period_number(last, unit)
    layers = 4 if len(column) >= MANY_RECORDS else 3
    while layers > 2 and largest - smallest + 1 < 2 ** (layers - 1):
        layers -= 1
    start, width, layers = _calendar(smallest, largest, layers, unit)
    leaves = 2 ** (layers - 1)
    lower, upper = (as_day(Decimal(end), unit) for end in (start, start + leaves * width))
    below = period_number(known[0], unit) < start
    above = period_number(known[-1], unit) >= start + leaves * width
    attribute = Attribute(str(column.name), lower, upper, layers, unit=unit, below=below, above=above)
    which = "Its cells are dates" if not (below or above) else "All but a few cells are dates"
    reasons = (
        f"{which} from {first.isoformat()} to {last.isoformat()}, counted in {unit}s.",
        f"{how_many(len(column), 'record')}: {layers} layers, so {leaves} leaves of {how_many(width, unit)}.",
        *why_coded(attribute, below=below, above=above),
    )
    return Proposal(attribute, reasons)


def _calendar(smallest: int, largest: int, layers: int, unit: str) -> tuple[int, int, int]:
    """Return start, leaf width and layers of a proposed domain of dates: the calendar's own, where that fits well.

    Leaves of a month, a quarter, half a year, a year, two years and so on: those join to the next of these, where those
    of 2 or 9 months never make a year. They begin where a year does, if they still reach the end, else where half a
    year, or a quarter, does. At least five eighths of the domain are of the data, since one that goes on where nobody
    is has leaves that tell nothing; with no such domain the width is that of numbers.

    >>> _calendar(24240, 24251, 4, "month"), _calendar(24240, 24253, 4, "month")
    ((24240, 3, 3), (24240, 2, 4))
    """
    span, parts = largest - smallest + 1, _YEAR.get(unit, ())
    years = (parts[-1] * 2**power for power in range(1, span.bit_length())) if parts else ()
    for width in (*parts, *years):
        for kept in range(layers, 1, -1):
            domain = width * 2 ** (kept - 1)
            for grain in reversed([part for part in parts if part % width == 0] or parts[-1:]):
                start = smallest // grain * grain
                if start + domain > largest and 8 * span >= 5 * domain:
                    return start, width, kept
    return (*round_domain(smallest, largest, 2 ** (layers - 1)), layers)


def _coded(column: "pd.Series[Any]", texts: Sequence[str]) -> Proposal | None:
    """Numbers among which codes or measured cells stand."""
    unit, decimal = unit_of(texts), decimal_of(texts)
    codes = {text: code for text in texts if (code := code_in(text, decimal=decimal)) is not None}
    if not (unit or codes):
        return None
    rest = column.astype("object").map(lambda cell: "" if pd.isna(cell) else str(cell).strip())
    plain = pd.Series(rest[~rest.isin(list(codes))].map(lambda text: _bare(text, unit)), name=column.name)
    found, _ = numbers(plain)
    filled = int((~plain.str.lower().isin(MISSING)).sum())
    read = int(np.isfinite(found).sum())
    if not read or read < MOST * filled:
        return None
    try:
        base = propose(plain, unit)
    except CRAError:
        return None
    step = base.attribute.resolution  # > 30.5 begins at 30.6 where there are tenths
    codes = {text: code for text in codes if (code := code_in(text, step, decimal)) is not None}
    above = [code.limit for code in codes.values() if code.above]
    below = [code.limit for code in codes.values() if not code.above]
    attribute = _with_codes(base.attribute, min(above, default=None), max(below, default=None))
    if attribute is None:
        return None
    reasons = list(base.reasons) if not codes else list(base.reasons[:1])
    if unit:
        reasons.append(f"Its cells are measured in {unit}.")
    if codes:
        shown = ", ".join(repr(text) for text in list(codes)[:3])
        reasons.append(
            f"Coded values such as {shown} are groups of their own; between them there are leaves of "
            f"{number_text((attribute.upper - attribute.lower) / 2 ** (attribute.layers - 1))} "
            f"from {number_text(attribute.lower)} on."
        )
        reasons.extend(why_coded(attribute, below=base.attribute.below, above=base.attribute.above))
    return Proposal(attribute, tuple(reasons))


def _bare(text: str, unit: str) -> str:
    return text.removesuffix(unit).strip() if unit else text


def _with_codes(base: Attribute, above: Decimal | None, below: Decimal | None) -> Attribute | None:
    """The attribute with its domain moved to the limits of the codes: leaves of whole steps that cover the numbers."""
    if above is None and below is None:
        return base
    step, layers = base.resolution, base.layers
    lowest = base.lower if below is None else below
    highest = base.upper if above is None else above
    if lowest >= highest:
        return None
    while layers > 2 and (highest - lowest) // step < 2 ** (layers - 1):
        layers -= 1
    leaves = 2 ** (layers - 1)
    width = (highest - lowest) // (step * leaves) * step
    if (above is None or below is None) and leaves * width < highest - lowest:
        width += step  # the other end may lie farther out
    fanout = base.fanout
    if below is None:
        lowest = highest - leaves * width
        if lowest < 0 <= base.lower and (even := _from_zero(highest, step, leaves)) is not None:
            lowest, (fanout, layers, width) = Decimal(0), even
            leaves = fanout ** (layers - 1)
    try:
        return base.changed(
            lower=lowest,
            upper=lowest + leaves * width,
            layers=layers,
            fanout=fanout,
            above=base.above or above is not None,
            below=base.below or below is not None,
        )
    except CRAError:
        return None


def _from_zero(highest: Decimal, step: Decimal, leaves: int) -> tuple[int, int, Decimal] | None:
    """Fanout, layers and width of leaves that reach from 0 to a limit, about as many as wanted: no age is below 0."""
    candidates = [
        (fanout, layers, highest / fanout ** (layers - 1))
        for fanout in (2, 3, 5)
        for layers in range(2, 6)
        if highest % (step * fanout ** (layers - 1)) == 0 and fanout ** (layers - 1) <= 2 * leaves
    ]
    return min(candidates, key=lambda one: abs(one[0] ** (one[1] - 1) - leaves), default=None)


def propose_codes(column: "pd.Series[Any]") -> FileHierarchy | None:
    """Propose a hierarchy for raw codes with a telling beginning: postal codes, ICD-10, leading zeros; else None.

    Digits lose their last ones, as ARX's redaction does it; an ICD-10 code its subdivision, then its category.

    >>> propose_codes(pd.Series(["81667", "81675", "80331"], name="zip")).rows[0]
    ('80331', '803**', '8****', '*')
    >>> [len(set(layer)) for layer in zip(*propose_codes(pd.Series(["99084", "99089", "99097"], name="PLZ")).rows)]
    [3, 2, 1, 1]
    >>> propose_codes(pd.Series(["01067", "01069", "99084"], name="home")).rows[0]
    ('01067', '0106*', '*')
    >>> propose_codes(pd.Series(["E11.9", "E11.2", "I10"], name="diagnosis")).rows[0]
    ('E11.2', 'E11.-', 'E--', '*')
    """
    look = Look.of(column)
    words, texts = list[str](), list[str]()
    for text in sorted(look.values):
        (words if text.lower() in MISSING else texts).append(text)
    if not texts:
        return None
    if all(map(ICD_10.fullmatch, texts)):
        rows: list[tuple[str, ...]] = [(text, f"{text[:3]}.-", f"{text[0]}--", "*") for text in texts]
    elif all(british := [british_layers(text) for text in texts]):
        rows = [(*layers, "*") for layers in british]
    elif leading_zeros(texts) or (
        (_POSTAL_NAME.search(look.words) or (look.nameless and look.postal))
        and all(map(POSTAL.fullmatch, texts))
        and len({len(text) for text in texts}) == 1
    ):
        length, kept = len(texts[0]), _kept(texts)
        rows = [(text, *(text[:n] + "*" * (length - n) for n in kept), "*") for text in texts]
    else:
        return None
    rows += [(word, *[word] * (len(rows[0]) - 2), "*") for word in words]  # "none" is no code
    rare = int(look.counts[look.counts < 5].sum())
    hidden = rare > 0.1 * np.sum(look.counts) and len(rows[0]) > 2
    for finest in range(int(hidden), 2):  # too many values are shown by their beginning only
        try:
            return FileHierarchy(look.name, tuple(rows), "", finest)
        except CRAError:
            continue
    return None


def leading_zeros(texts: Sequence[str]) -> bool:
    """Return whether raw texts are codes, not numbers: digits, all of one length, and some begin with a 0.

    >>> leading_zeros(["01067", "99084"]), leading_zeros(["0", "7"]), leading_zeros(["007", "12"])
    (True, False, False)
    """
    zero = any(text.startswith("0") for text in texts)
    return zero and len(texts[0]) > 1 and len({len(text) for text in texts}) == 1 and all(map(_DIGITS, texts))


def _kept(texts: Sequence[str]) -> list[int]:
    """Returns how many digits the layers of a code keep, the finest first: each joins some of what the finer shows.

    Of long ones quarters are tried, as a table has room for few layers.
    """
    length, kept, different = len(texts[0]), list[int](), len(texts)
    for digits in range(length - 1, 0, -1) if length <= MOST_DIGITS else (3 * length // 4, length // 2, length // 4):
        if (groups := len({text[:digits] for text in texts})) < different:
            kept, different = [*kept, digits], groups
    return kept
