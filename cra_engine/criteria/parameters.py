"""Checking the parameters of criteria: decimals as they are written, one sentence for what is out of range."""

from decimal import Decimal
from fractions import Fraction

from cra_engine.errors import StudyError
from cra_engine.files.notation import decimal_in

MOST = 10**15
Number = int | float | str | Decimal | Fraction


def exact(value: Number, what: str) -> Fraction:
    """Read a criterion's number as it is written: 0.2 is one fifth.

    Raises:
        StudyError: it is no finite number.
    """
    if isinstance(value, Fraction):
        return value
    try:
        found = decimal_in(str(value))  # True is no number
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        raise StudyError(f"{what} is a number of thousands of digits; give a smaller one.") from None
    if found is None:
        raise StudyError(f"{what} is {str(value)[:60]!r}; give a number.")
    return Fraction(found)


def share(value: Number, what: str) -> Fraction:
    """Read a criterion's number from 0 to 1, as it is written.

    Raises:
        StudyError: it is none.
    """
    found = exact(value, what)
    if not 0 <= found <= 1:
        raise StudyError(f"{what} is {value}; give a number from 0 to 1.")
    return found


def whole(value: int, what: str) -> int:
    """Read a criterion's whole number from 1 up, and no more than any table has records.

    Raises:
        StudyError: it is none.
    """
    found = exact(value, what)
    if found > MOST:
        raise StudyError(f"{what} is above {MOST:,}; give a smaller one.")
    if found.denominator != 1 or found < 1:
        raise StudyError(f"{what} is {value}; give a whole number of 1 or more.")
    return int(found)


def above_zero(value: Number, what: str) -> Fraction:
    """Read a criterion's number above 0, as it is written.

    Raises:
        StudyError: it is none.
    """
    found = exact(value, what)
    if found <= 0:
        raise StudyError(f"{what} is {value}; give a number above 0.")
    return found
