"""Numbers of a study as they were written, checked, and what is wrong with them in a sentence."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, ValidationError

from cra_engine.expected import whole_number

MOST_WHOLE = Decimal(10) ** 18


def _decimal(value: Any) -> Any:
    """Numbers as they are written: 0.1 becomes Decimal("0.1"), not the nearest binary fraction."""
    if isinstance(value, bool | str):
        raise ValueError("a number is needed, without quotes")  # noqa: TRY004 - pydantic turns ValueError into a sentence
    if isinstance(value, np.integer):
        return Decimal(int(value))
    if isinstance(value, float | np.floating):
        return Decimal(str(float(value)))
    return value


def _whole(value: Any) -> Any:
    """Whole numbers as TOML knows them: neither text nor true."""
    if isinstance(value, bool | str):
        raise ValueError("a whole number is needed, without quotes")  # noqa: TRY004 - as above
    if isinstance(value, Decimal) and value.is_nan():
        raise ValueError("a whole number is needed")
    if isinstance(value, Decimal) and abs(value) > MOST_WHOLE:
        raise ValueError("a smaller whole number is needed")
    if isinstance(value, float | Decimal | Fraction):
        raise ValueError("a whole number is needed, without a decimal point")  # noqa: TRY004 - as above
    found = whole_number(value)
    return value if found is None else found


def _end(value: Any) -> Any:
    """A number, or a date as TOML knows it."""
    if isinstance(value, datetime):
        raise ValueError("a date without a time is needed")  # noqa: TRY004 - as above
    if isinstance(value, date):
        return value
    number = _decimal(value)
    # pydantic would take a whole number for the seconds of a date.
    return Decimal(number) if isinstance(number, int) else number


Number = Annotated[Decimal, BeforeValidator(_decimal)]
End = Annotated[Decimal | date, BeforeValidator(_end)]

Whole = Annotated[int, BeforeValidator(_whole)]


def _quoted(given: Any) -> str:
    try:
        return repr(given)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of thousands of digits"


def _place(parts: Sequence[int | str]) -> str:
    """Returns where a setting stands, entries of lists counted from 1: ``attribute.1.layers``."""
    return ".".join(str(part + 1) if isinstance(part, int) else part[:60] for part in parts)[:200]


def explain(error: ValidationError, tags: Collection[str] = ()) -> str:
    """Return the first fault of a file's settings that pydantic finds, as one sentence that names the place.

    A name that is not known comes before one that is missing: it is that one, misspelt.

    Args:
        error: what pydantic says.
        tags: names of kinds of tables, which stand in no file as places.
    """
    findings = error.errors()
    first = next((one for one in findings if one["type"] == "extra_forbidden"), findings[0])
    lacks = next((one for one in findings if one["type"] == "missing"), None)
    # Which kind of table was meant is pydantic's affair, and whether of a number or a date.
    parts = [part for part in first["loc"] if part not in tags]
    if len(parts) > 1 and parts[-1] in ("decimal", "date"):
        parts.pop()
    place = _place(parts)
    if first["type"] == "extra_forbidden":
        also = "" if lacks is None else f" ('{_place([part for part in lacks['loc'] if part not in tags])}' is missing)"
        return f"'{place}' is not a setting that is known here; remove it or correct its spelling{also}."
    if first["type"] in ("missing", "missing_argument"):
        return f"'{place}' is missing; add it."
    if first["type"] == "union_tag_not_found":
        return f"'{place}.model' is missing; add it."
    if first["type"] == "union_tag_invalid":
        given = str(first["ctx"]["tag"])[:60]
        return f"'{place}.model' is '{given}'; take one of {first['ctx']['expected_tags']}."
    message = first["msg"].removeprefix("Value error, ")
    given = first["input"]
    shown = (str(given) if isinstance(given, Decimal) else _quoted(given))[:60]
    return f"'{place}' is {shown}: {message[0].lower()}{message[1:]}."
