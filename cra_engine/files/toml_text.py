"""TOML as people may write it: numbers with their decimals as they stand, and one sentence for whatever is wrong."""

import tomllib
from decimal import Decimal
from typing import Any

from cra_engine.errors import StudyError


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        StudyError: the text is no TOML, or holds a value out of all proportion.
    """
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{name} is not valid TOML: {error}.") from None
    except (ValueError, ArithmeticError, RecursionError):
        # A number of 5,000 digits, an exponent of 20, or a thousand brackets.
        raise StudyError(f"{name} is not valid TOML: a value in it is out of all proportion.") from None
