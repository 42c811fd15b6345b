"""Numbers in words: one place for everything that a person reads, in reports, messages and pages."""

import math
import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal, Inexact, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # whoever asks for help alone need not wait for numpy
    import numpy as np
    from numpy.typing import NDArray

_DIGITS = 7
# Below this a whole number is written out; from here on as 3.2 × 10¹⁷.
WRITTEN_OUT = 10**_DIGITS
# Digits up to which the exact number is worth a place beside the short one.
EXACT_DIGITS = 30
_PRINTED = 10**3000
NOISE = 1e-9  # what logarithms of equal numbers may differ by
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
# An interval as ARX writes it into files; its ends are numbers or days.
_NUMBER = r"-?\d[\d,.]*"
_END = rf"(?:\d{{4}}-\d\d-\d\d|{_NUMBER})"
_INTERVAL = re.compile(rf"(?<!['\"])(?P<into>in )?\[(?P<low>{_END}), (?P<high>{_END})(?P<end>[)\]\[])")
_FIRST_OF_MONTH = re.compile(r"(?!0000)(\d{4})-(0[1-9]|1[0-2])-01")
_IN_SPREADSHEET = re.compile(r" \([\d, ]+ in a spreadsheet\)")

# ---------------------------------------------------------------- whole numbers


def ten_to(exponent: int) -> str:
    """Write in words ten to a whole number: ``10¹⁷``."""
    return "10" + str(exponent).translate(_SUPERSCRIPT)


def odds_factor(gain: float | Fraction) -> str:
    """Write in words the factor ``e^gain`` by which odds change: ``2.72``; past a thousand as the power that it is.

    >>> odds_factor(1), odds_factor(1000)
    ('2.72', 'e^1000')
    """
    return f"{math.exp(gain):.3g}" if gain < 7 else f"e^{float(gain):.4g}"


def exponent_of(number: int | Fraction) -> int:
    """Return the decimal exponent of a positive number to write: 17 for 3.2 × 10¹⁷; exact for any size."""
    log10, unsure = _log10(number)
    if abs(log10 - round(log10)) > unsure:
        return math.floor(log10)
    exponent = round(log10)
    return exponent if number >= Fraction(10) ** exponent else exponent - 1


def _log10(number: int | Fraction) -> tuple[float, float]:
    """The logarithm of a positive number, and more than what it can be wrong by."""
    parts = math.log10(number.numerator), math.log10(number.denominator)
    return parts[0] - parts[1], 1e-14 * (1 + sum(parts))


def _scientific(value: int | Fraction) -> str:
    exponent = exponent_of(value)
    log10, unsure = _log10(value)
    about = 10 ** (log10 - exponent + 1)
    tenths = round(about)
    # Exact arithmetic with ten thousands of digits is slow, and decides only between two ways to round.
    if abs(abs(about - tenths) - 0.5) < 1e3 * unsure:
        tenths = round(Fraction(value) / Fraction(10) ** exponent * 10)
    if tenths == 100:
        exponent, tenths = exponent + 1, 10
    return f"{tenths // 10}.{tenths % 10} × {ten_to(exponent)}"


def count(number: int) -> str:
    """Write in words a whole number: in full below ten million (``1,032``), else with two digits (``3.2 × 10¹⁷``)."""
    return f"{number:,}" if number < WRITTEN_OUT else _scientific(number)


def between(lower: int, upper: int) -> str:
    """Write in words a whole number, or two that it lies between: ``between 3 and 1.2 × 10⁹``, ``at most 7``."""
    if not 0 < lower < upper:
        return count(upper) if lower == upper else f"at most {count(upper)}"
    return f"between {count(lower)} and {count(upper)}"


def spanned(lower: int, upper: int) -> str:
    """Write in words the whole numbers from one to another.

    >>> spanned(3, 3), spanned(0, 1), spanned(1, 3)
    ('3', '0 or 1', '1 to 3')
    """
    return f"{lower:,}" if lower == upper else f"{lower:,} {'or' if upper == lower + 1 else 'to'} {upper:,}"


def exactly(number: int) -> str:
    """Write in words a whole number and, where shortened, its digits: ``1.2 × 10⁷ (exactly 12,345,678)``."""
    if number < WRITTEN_OUT or exponent_of(number) >= EXACT_DIGITS:
        return count(number)
    return f"{count(number)} (exactly {number:,})"


def apart(lower: int, upper: int) -> tuple[str, str]:
    """Write in words two limits with as many digits as tell them apart, four to twenty; rounded outward.

    >>> apart(0, 11_111_234_567), apart(11_111_234_567, 11_111_984_000)
    (('0', '1.112e+10'), ('1.11112e+10', '1.11120e+10'))
    """
    places = next((p for p in range(3, 19) if _cut(lower, p, ROUND_FLOOR) != _cut(upper, p, ROUND_FLOOR)), 19)
    return _cut(lower, places, ROUND_FLOOR), _cut(upper, places, ROUND_CEILING)


def _cut(number: int, places: int, rounding: str) -> str:
    if number < WRITTEN_OUT:
        return f"{number:,}"
    return f"{Context(prec=places + 1, rounding=rounding).create_decimal(number):.{places}e}"


def digits(number: int) -> str:
    """Write all digits of a whole number, however many; Python itself prints 4,300 at most, and in squared time."""
    number = int(number)
    if number < _PRINTED:
        return str(number)
    with localcontext(Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])):
        return format(_decimal(number, number.bit_length()), "f")


def _decimal(number: int, bits: int) -> Decimal:
    """Convert in two parts a whole number that is to be written out: decimals multiply large numbers quickly."""
    if bits <= 1024:
        return Decimal(number)
    low = 1 << ((bits - 1).bit_length() - 1)
    upper = number >> low
    return _decimal(upper, bits - low) * _power_of_two(low) + _decimal(number - (upper << low), low)


@lru_cache(maxsize=16)
def _power_of_two(exponent: int) -> Decimal:
    """Two to a power of two, which all numbers of many digits share; exact in the context of :func:`digits`."""
    return Decimal(2) ** exponent


def how_many(number: int, one: str, many: str = "") -> str:
    """Write in words a number with its noun: ``1 class``, ``3 classes``."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def all_of(number: int, one: str, many: str = "") -> str:
    """Write in words all there are of things: ``the 1 class``, ``both classes``, ``the 3 classes``."""
    return f"both {many or one + 's'}" if number == 2 else f"the {how_many(number, one, many)}"


def quotient(larger: int, smaller: int) -> str:
    """Write in words how many times ``larger`` exceeds ``smaller``: ``1.6``, ``35``, ``1,240``, ``2.1 × 10⁹``."""
    value = Fraction(larger, smaller)
    if value >= WRITTEN_OUT:
        return _scientific(value)
    if value >= 20:
        return f"{round(value):,}"
    # Never "1.0 times" for what did shrink: as many digits as the difference needs.
    places = 1
    while places < 6 and value > 1 and round(value, places) == 1:
        places += 1
    return f"{float(round(value, places)):.{places}f}".rstrip("0").rstrip(".")


def fewer(promised: int, remaining: int) -> str:
    """Write in words how far the possibilities shrank: ``1,240 times fewer``, ``as many as before``."""
    return "as many as before" if promised == remaining else f"{quotient(promised, remaining)} times fewer"


# ---------------------------------------------------------------- numbers known by their decimal logarithm


def power(log10: float, places: int = 0, written_out: int = _DIGITS) -> str:
    """Write in words a number given by its decimal logarithm: ``1,234``, ``1.2 × 10¹⁵``.

    Args:
        log10: its logarithm; minus infinity for 0.
        places: decimals, of a number below a thousand and of one that is shortened; of the latter at least one.
        written_out: digits up to which it is written out.
    """
    if log10 < written_out:
        number = 10**log10
        return f"{number:,.{places}f}" if places and 0 < number < 1000 else count(round(number))
    exponent = math.floor(log10)
    mantissa = f"{10 ** (log10 - exponent):.{max(places, 1)}f}"
    if mantissa.startswith("10"):
        exponent, mantissa = exponent + 1, mantissa.replace("10", "1", 1)
    return f"{mantissa} × {ten_to(exponent)}"


def times_fewer(before: float, after: float) -> str:
    """Write in words how far a number shrank, from logarithms: ``6,300 times fewer``, ``as many as before``."""
    gain = before - after
    if gain <= NOISE:
        return "as many as before"
    ratio = power(gain) if gain >= _DIGITS else quotient(round(Fraction(10**gain) * 10**9), 10**9)
    return f"{ratio} times fewer"


# ---------------------------------------------------------------- shares, values, time, lists


def outward(lower: float, upper: float, places: int) -> tuple[float, float]:
    """Round two limits to so many decimals that still hold: the lower one down, the upper one up.

    >>> outward(0.12, 0.123, 1)
    (0.1, 0.2)
    """
    unit = 10**places
    return math.floor(lower * unit) / unit, math.ceil(upper * unit) / unit


def percent(share: float, places: int = 0) -> str:
    """Write in words a share or a probability in percent: ``0.42 %``, ``61 %``; 0 % and 100 % only where exactly that.

    Args:
        share: between 0 and 1.
        places: decimals at least; small shares and those close to all have more by themselves.
    """
    if share <= 0:
        return "0 %"
    if share >= 1:
        return "100 %"
    value = 100 * share
    if value < 0.01:
        return "below 0.01 %"
    if value > 99.9:
        return "above 99.9 %"
    needed = 2 if value < 1 else 1 if value < 10 or value > 99 else 0
    return f"{value:.{max(places, needed)}f} %"


def chance_at_most(share: Fraction) -> str:
    """Write in words a bound of a chance from above: ``1 in 3 (33.3 %)``; a percentage alone is rounded up.

    Args:
        share: between 0 and 1.

    >>> chance_at_most(Fraction(1, 8)), chance_at_most(Fraction(1, 3)), chance_at_most(Fraction(3, 7))
    ('1 in 8 (12.5 %)', '1 in 3 (33.3 %)', '42.9 %')
    """
    if share.numerator == 1:
        return f"1 in {share.denominator:,} ({max(round(1000 * share), 1) / 10:g} %)"
    return f"{math.ceil(1000 * share) / 10:g} %"


ALMOST = 0.9999  # the most that is said of what is not certain
HARDLY = 1e-9  # the least that is said of what is not impossible


def stated_chance(chance: float, lowest: int, highest: int, number: int = 1) -> float:
    """Return a chance as words may say it: 0 and 1 only where proven, however likely under what is supposed.

    Args:
        chance: that a cell holds ``number`` records, where they are as the prior has it; perhaps estimated.
        lowest: proven fewest records of the cell, records alike or not.
        highest: proven most.
        number: of records that the chance is about.

    >>> stated_chance(1.0, 0, 2), stated_chance(1.0, 1, 1), stated_chance(0.25, 2, 2)
    (0.9999, 1.0, 0.0)
    """
    if not lowest <= number <= highest:
        return 0.0
    return 1.0 if lowest == highest else min(max(chance, HARDLY), ALMOST)


def short_percent(share: float) -> str:
    """Write in words a share in percent, short: ``61``, ``<1``, ``>99``; 0 and 100 only where it is exactly that."""
    if share in (0.0, 1.0):
        return str(int(100 * share))
    rounded = round(100 * share)
    return "<1" if rounded == 0 else ">99" if rounded == 100 else str(rounded)


def shortest_number(value: Decimal | Fraction) -> int | float:
    """Return the shortest plain number for ``value``: an int where it is whole, else a float (for JSON)."""
    return int(value) if value == int(value) else float(value)


def number_text(value: Decimal) -> str:
    """Write in words ``value`` in plain decimal notation without trailing zeros: ``36.5``, ``400``, never ``4E+2``."""
    return format(value.normalize() + 0, "f")


def duration(seconds: float) -> str:
    """Write in words a duration: ``40 s``, ``3 min``, ``2 h 5 min``: as exact as an estimate deserves."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def listed(items: Sequence[str], last: str = "and") -> str:
    """Write in words items in a sentence: ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def rows_text(rows: "Sequence[int] | NDArray[np.int64]", most: int = 3, many: int = 0) -> str:
    """Write in words rows of a table, and where a spreadsheet has them, whose first row holds the column names.

    Args:
        rows: counted from 1 below the column names.
        most: rows that are named.
        many: how many there are, where ``rows`` are only the first.

    >>> rows_text([16]), rows_text([2, 5, 8, 9])
    ('row 16 (17 in a spreadsheet)', 'rows 2, 5, 8 and 1 more (3, 6, 9 in a spreadsheet)')
    """
    many = max(many, len(rows))
    more = [f"{many - most:,} more"] if many > most else []
    return f"row{'s' * (many > 1)} {listed([*map(str, rows[:most]), *more])} {in_spreadsheet(rows[:most])}"


def in_spreadsheet(rows: Iterable[int]) -> str:
    """Write in words where a spreadsheet has rows of a table: ``(3, 6 in a spreadsheet)``; see :func:`rows_text`."""
    return f"({', '.join(str(row + 1) for row in rows)} in a spreadsheet)"


def without_spreadsheet(text: str) -> str:
    """Leave :func:`in_spreadsheet` out of a text on a file without column names: there a spreadsheet counts alike.

    >>> without_spreadsheet(f"{rows_text([2, 5])}, as decided")
    'rows 2 and 5, as decided'
    """
    return _IN_SPREADSHEET.sub("", text)


def ranges(numbers: Iterable[int]) -> str:
    """Write in words whole numbers, those that follow each other as one range.

    >>> ranges([3, 4, 5, 9, 11, 12])
    '3 to 5, 9, 11, 12'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


# ---------------------------------------------------------------- intervals


def spoken(text: str) -> str:
    """Write in words a text with its intervals as people say them who have never seen a half-open one.

    >>> spoken("age in [20, 40[ years")
    'age from 20 to under 40 years'
    >>> spoken("[2024-05-01, 2024-09-01["), spoken("[2024-05-01, 2024-09-15[")
    ('May to August 2024', '2024-05-01 to before 2024-09-15')
    """
    return _INTERVAL.sub(_said, text)


def _period(found: re.Match[str]) -> str:
    """Which years or months an interval of days is; empty where it is no whole ones."""
    low, high = (_FIRST_OF_MONTH.fullmatch(found[end]) for end in ("low", "high"))
    if low is None or high is None or found["end"] == "]":
        return ""
    first, last = (date(int(end[1]), int(end[2]), 1) for end in (low, high))
    last -= timedelta(days=1)
    if last < first:
        return ""
    if (first.month, last.month) == (1, 12):
        return f"{first.year}" if first.year == last.year else f"{first.year}\N{EN DASH}{last.year}"
    if first.year != last.year:
        return f"{first:%B} {first.year} to {last:%B} {last.year}"
    return f"{first:%B}{f' to {last:%B}' if first.month != last.month else ''} {last.year}"


def _said(found: re.Match[str]) -> str:
    begin = "from " if found["into"] else ""
    if period := _period(found):
        return f"{begin if ' to ' in period else found['into'] or ''}{period}"
    under = "" if found["end"] == "]" else "before " if "-" in found["high"][1:] else "under "
    return f"{begin}{found['low']} to {under}{found['high']}"
