"""TOML as people may write it: numbers with their decimals as they stand, and one sentence for whatever is wrong.

A reader of TOML works for as long as a stranger's file likes: ``1e99999999`` is a number of a hundred million digits
once it is a whole one, and a name of 40,000 parts asks for gigabytes. So text is measured before it becomes numbers.
"""

import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from cra_engine.errors import StudyError
from cra_engine.files.content import MOST_OF_A_SETTING
from cra_engine.files.notation import decimal_in

MOST_DOTS = 200  # in a line: no name has more parts then
MOST_BITS = 400  # of a whole number
DEEPEST = 20  # tables and lists inside each other


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """Read the tables of a TOML file.

    Raises:
        StudyError: the text is no TOML, or holds a value out of all proportion.
    """
    if len(text) > MOST_OF_A_SETTING:
        raise StudyError(
            f"{name} has {len(text):,} characters, more than {MOST_OF_A_SETTING:,}; take out what is not needed."
        )
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise StudyError(f"{name}, line {number}: more than {MOST_DOTS} dots; write a list on several lines.")
    try:
        found = tomllib.loads(text, parse_float=_number)
        if all(depth <= DEEPEST and _in_proportion(value) for value, depth in _values(found)):
            return found
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{name} is not valid TOML: {error}; correct that place, or name another file.") from None
    except (ValueError, ArithmeticError, RecursionError):
        pass  # a number of 5,000 digits, an exponent of 20, or a thousand brackets
    raise StudyError(f"{name} is not valid TOML: a value in it is out of all proportion.")


def _number(text: str) -> Decimal:
    # TOML's own words for what is no number stay: what is wrong with them is said where they stand.
    value = Decimal(text) if text.lstrip("+-") in ("inf", "nan") else decimal_in(text.replace("_", ""))
    if value is None:
        raise ValueError(text[:60])
    return value


def _in_proportion(value: Any) -> bool:
    return not isinstance(value, int) or value.bit_length() <= MOST_BITS


def _values(found: Any) -> Iterator[tuple[Any, int]]:
    """Each value with its depth, without a call inside a call."""
    waiting = [(found, 0)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting.extend((part, depth + 1) for part in inner)
