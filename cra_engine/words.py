"""Numbers in words: one place for everything that a person reads, in reports, messages and pages."""

import math
from decimal import Decimal
from fractions import Fraction

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(log10: float) -> str:
    """A number given by its decimal logarithm: ``1,234``, ``1.2 × 10¹⁵``."""
    if log10 < 7:
        return f"{round(10**log10):,}"
    exponent = math.floor(log10)
    mantissa = round(10 ** (log10 - exponent), 1)
    if mantissa >= 10:
        exponent, mantissa = exponent + 1, 1.0
    return f"{mantissa:.1f} × 10{str(exponent).translate(_SUPERSCRIPT)}"


def times(log10: float) -> str:
    """A ratio given by its decimal logarithm: ``1.6``, ``35``, ``2.1 × 10⁹``."""
    return f"{10**log10:.1f}" if log10 < math.log10(20) else power(log10)


def between(lower: float, upper: float) -> str:
    """A number, or two that it lies between, given by their decimal logarithms: ``between 3 and 1.2 × 10⁹``."""
    return power(upper) if lower == upper else f"between {power(lower)} and {power(upper)}"


def how_many(count: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 class``, ``3 classes``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def log10(count: int) -> float:
    """The decimal logarithm of a whole number of any size; 0 for nothing to choose."""
    return math.log10(count) if count else 0.0


def percent(probability: float) -> str:
    """A probability in percent; 100 % only where it is certain."""
    if probability < 0.001:
        return "less than 0.1 %"
    return "more than 99.9 %" if 0.999 < probability < 1 else f"{100 * probability:.1f} %"


def number(value: Decimal | Fraction) -> int | float:
    """The shortest plain number for ``value``: an int where it is whole, else a float (for JSON and charts)."""
    return int(value) if value == int(value) else float(value)


def number_text(value: Decimal) -> str:
    """``value`` in plain decimal notation without trailing zeros: ``36.5``, ``400``, never ``4E+2``."""
    return format(value.normalize() + 0, "f")


def duration(seconds: float) -> str:
    """``40 s``, ``3 min``, ``2 h 5 min``: as exact as an estimate deserves."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def _power(exponent: float) -> str:
    if exponent == -math.inf:
        return "0"
    if exponent < 6:
        number = 10**exponent
        return f"{number:,.2f}" if number < 1000 else f"{number:,.0f}"
    whole = math.floor(exponent)
    mantissa = f"{10 ** (exponent - whole):.2f}"
    if mantissa == "10.00":
        mantissa, whole = "1.00", whole + 1
    return f"{mantissa} × 10{str(whole).translate(_SUPERSCRIPTS)}"
