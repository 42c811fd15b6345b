"""Numbers as people write them: with a decimal point or a decimal comma, with or without thousands separators.

A column is read by one notation throughout, and only where its cells admit no other: 1,250 alone can be one and a
quarter or twelve hundred and fifty, and nobody is served by a guess.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal as Exact
from decimal import InvalidOperation
from typing import TYPE_CHECKING, Literal

from cra_engine.choices import DecimalSign

if TYPE_CHECKING:  # the command line reads its settings with this room, and has no table yet
    import pandas as pd

_GAPS = " \u00a0\u2009\u202f'\u2019"  # thousands separators that are no decimal sign anywhere
_SHAPE = (
    r"[-+\u2212]?(?:(?:[0-9]+|[1-9][0-9]{{0,2}}(?P<gap>[{gaps}])[0-9]{{3}}(?:(?P=gap)[0-9]{{3}})*)(?:{mark}[0-9]*)?"
    r"|{mark}[0-9]+)(?:[eE][-+]?[0-9]+)?"
)
_SHAPES: dict[DecimalSign, re.Pattern[str]] = {
    "point": re.compile(_SHAPE.format(gaps="," + _GAPS, mark=r"\.")),
    "comma": re.compile(_SHAPE.format(gaps="." + _GAPS, mark=",")),
}
_GROUP = r"[-+]?[1-9][0-9]{0,2}\.[0-9]{3}"
_WITH_GROUPS = rf"{_GROUP}|[-+]?[0-9]{{1,3}}"
_MEASURED = re.compile(
    r"([-+\u2212]?[0-9][0-9.,'\u2019\u00a0\u2009\u202f ]*?)(\s*(?![OoI]\s*$)[^\d\s.,'+<>=-][^\d+<>=]*)"
)


MAX_DIGITS = 15
"""Significant digits of a setting: doubles tell any two numbers of so many digits apart."""

LONGEST = 400
"""Characters of a number, and size of its exponent: doubles need 309, and none of ours is written with more."""


def decimal_in(text: str) -> Exact | None:
    """Return exactly the number that a cell's text writes with a point; None if none, endless, out of proportion.

    ``1e99999999`` is harmless until somebody asks for it as a whole number, or as a fraction.

    >>> decimal_in(" 1.50 ")
    Decimal('1.50')
    >>> decimal_in("1e99999999") is decimal_in("inf") is decimal_in("1,5") is decimal_in("1_0") is None
    True
    """
    if len(text) > LONGEST or "_" in text:  # which Python takes between digits
        return None
    try:
        value = Exact(text.strip())
    except InvalidOperation:
        return None
    exponent = value.as_tuple().exponent
    known = isinstance(exponent, int) and abs(exponent) <= LONGEST and abs(value.adjusted()) <= LONGEST
    return value if known else None


def plain(cell: str, decimal: DecimalSign) -> str | None:
    """Return a cell's number in plain notation (``1250.5``) where it is one in the given notation, else None."""
    found = _SHAPES[decimal].fullmatch(cell)
    if found is None:
        return None
    kept = cell.replace(found["gap"], "") if found["gap"] else cell
    kept = kept.replace("\u2212", "-").replace(",", ".")
    return kept.rstrip("0").removesuffix(".") if "." in kept and "e" not in kept.lower() else kept


@dataclass(frozen=True)
class Notation:
    """The notation in which the numbers of a file's column are written.

    Attributes:
        decimal: ``"point"`` or ``"comma"``; None where the cells admit both, or no single one.
        open_cell: a cell that means another number in each notation, where the cells admit both; else empty.
        comma_cell: a cell that only a decimal comma explains, where another needs a point; else empty.
        point_cell: that other cell; else empty.
    """

    decimal: DecimalSign | None
    open_cell: str = ""
    comma_cell: str = ""
    point_cell: str = ""


def notation(cells: Iterable[str]) -> Notation:
    """Find the notation that all cells of a file's column share; cells that are no number in either have no say."""
    either = point = comma = ""
    for cell in cells:
        by_point, by_comma = plain(cell, "point"), plain(cell, "comma")
        if by_point == by_comma:
            continue
        if by_comma is None:
            point = point or cell
        elif by_point is None:
            comma = comma or cell
        else:
            either = either or cell
    if point and comma:
        return Notation(None, comma_cell=comma, point_cell=point)
    if point or comma:
        return Notation("point" if point else "comma")
    return Notation(None, open_cell=either) if either else Notation("point")


def rewritten(text: "pd.Series[str]", decimal: DecimalSign) -> "pd.Series[str]":
    """Rewrite a file's column of text with numbers in plain notation, those before a unit too; other cells stay.

    >>> import pandas as pd
    >>> rewritten(pd.Series(["75,9", "81,2 kg", "none"]), "comma").tolist()
    ['75.9', '81.2 kg', 'none']
    """
    return text.map({cell: plain(cell, decimal) or _plain_measured(cell, decimal) or cell for cell in text.unique()})


def number_and_unit(cell: str) -> tuple[str, str] | None:
    """Split a file's cell into a number and its unit, as they are written; None for a cell that is not measured.

    A letter that somebody took for a digit is no unit: ``3O`` is 30 mistyped, not 3.

    >>> number_and_unit("75,9 kg"), number_and_unit("5%"), number_and_unit("64"), number_and_unit("kg")
    (('75,9', 'kg'), ('5', '%'), None, None)
    >>> number_and_unit("3O"), number_and_unit("3 Ohm")
    (None, ('3', 'Ohm'))
    """
    found = _MEASURED.fullmatch(cell.strip())
    return None if found is None else (found[1].strip(), found[2].strip())


def _plain_measured(cell: str, decimal: DecimalSign) -> str | None:
    found = number_and_unit(cell)
    number = None if found is None else plain(found[0], decimal)
    return None if found is None or number is None else f"{number} {found[1]}"


def with_decimal(data: "pd.DataFrame", names: Iterable[str], decimal: DecimalSign) -> "pd.DataFrame":
    """Rewrite numbers of some of a table's columns in plain notation; columns that hold no text stay."""
    columns = {
        name: rewritten(data[name].astype("object").where(data[name].notna(), "").astype(str).str.strip(), decimal)
        for name in names
        if name in data.columns and data[name].ndim == 1 and data[name].dtype.kind not in "iufb"
    }
    return data.assign(**columns)


def may_be_grouped(text: "pd.Series[str]") -> bool:
    """Return whether every point in a column's cells so far stands before exactly three digits."""
    return bool(text.str.fullmatch(_WITH_GROUPS).all())


def may_mark_thousands(text: "pd.Series[str]") -> Literal["", "note", "ask"]:
    """Return whether points in a file's plain numbers may mark thousands: each stands before exactly three digits.

    Programs write either all numbers with three decimals or none with a last decimal of 0. A column that is neither,
    such as 1.250 and 900, was probably meant as 1250 and 900: then a person has to be asked.
    """
    if not (may_be_grouped(text.iloc[:100]) and may_be_grouped(text)):
        return ""
    grouped = text[text.str.contains(".", regex=False)]
    if not len(grouped):
        return ""
    return "ask" if len(grouped) < len(text) and grouped.str.endswith("0").any() else "note"


def digits_needed(*numbers: Exact) -> int:
    """Count the digits from the highest to the last decimal place that any of a file's numbers uses."""
    highest, last = 0, 0
    for number in numbers:
        _, digits, exponent = number.as_tuple()
        if number and isinstance(exponent, int):
            used = "".join(map(str, digits)).rstrip("0")
            highest = max(highest, number.adjusted())
            last = min(last, exponent + len(digits) - len(used))
    return highest - last + 1
