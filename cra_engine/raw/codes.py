"""Cells that stand for all values past a limit, such as ``90+`` and ``<18``, and what marks their decimals."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from cra_engine.choices import DecimalSign
from cra_engine.files.notation import decimal_in, notation, number_and_unit, plain

_NUMBER = r"[-+]?\d[\d.,']*"
_FROM = re.compile(
    rf"(?:(?P<sign>>=?|≥|over|above|more than|at least|from)\s*(?P<a>{_NUMBER})"
    rf"|(?P<b>{_NUMBER})\s*(?P<plus>\+|plus|(?:and|or|years and|yrs and)\s+(?:over|more|older|above|up))?)",
    re.IGNORECASE,
)
_TO = re.compile(
    rf"(?:(?P<sign><=?|≤|under|below|less than|up to|at most)\s*(?P<a>{_NUMBER})"
    rf"|(?P<b>{_NUMBER})\s*(?P<minus>-(?!\d)|(?:and|or)\s+(?:under|less|younger|below)))",
    re.IGNORECASE,
)
_STRICT_ABOVE, _STRICT_BELOW = (">", "over", "above", "more than"), ("<", "under", "below", "less than")


@dataclass(frozen=True)
class Code:
    """The raw values that a cell such as ``90+`` stands for.

    Attributes:
        above: True for all values from ``limit`` on, False for all below it.
        limit: the first value of them, or past them.
    """

    above: bool
    limit: Decimal


def code_in(text: str, step: Decimal = Decimal(1), decimal: DecimalSign | None = "point") -> Code | None:
    """Return the raw values that a top- or bottom-coded cell stands for; None for any other text.

    Args:
        text: the cell.
        step: the distance of neighbouring values: ``> 90`` begins at 91 where they are whole numbers.
        decimal: what marks the decimals in the column; None where nobody can tell.

    >>> code_in("90+"), code_in("<18")
    (Code(above=True, limit=Decimal('90')), Code(above=False, limit=Decimal('18')))
    >>> code_in("> 90"), code_in("34")
    (Code(above=True, limit=Decimal('91')), None)
    >>> code_in("<0,5", decimal="comma")
    Code(above=False, limit=Decimal('0.5'))
    """
    text = text.strip()
    match = _FROM.fullmatch(text)
    if match is not None and (match["sign"] or match["plus"]):
        limit = _limit(match["a"] or match["b"], decimal)
        strict = (match["sign"] or "").lower() in _STRICT_ABOVE
        return None if limit is None else Code(True, limit + step if strict else limit)
    match = _TO.fullmatch(text)
    if match is None:
        return None
    limit = _limit(match["a"] or match["b"], decimal)
    strict = (match["sign"] or "").lower() in _STRICT_BELOW
    return None if limit is None else Code(False, limit if strict else limit + step)


def _limit(number: str, decimal: DecimalSign | None) -> Decimal | None:
    return decimal_in((plain(number, decimal) if decimal else None) or number.replace("'", ""))


def decimal_of(texts: Iterable[str]) -> DecimalSign | None:
    """Return what marks the decimals in a raw column, the numbers of its codes and before its units included.

    None where it can be either, or is not the same throughout.

    >>> decimal_of(["75,9 kg", "80"]), decimal_of(["<0,5", "1,25"]), decimal_of(["90+", "34"])
    ('comma', 'comma', 'point')
    """
    return notation(_number_of(text) for text in texts).decimal


def _number_of(text: str) -> str:
    """The number that a cell is made of, as it is written; any other text as it is."""
    apart = number_and_unit(text)
    if apart is not None and code_in(text) is None:
        return apart[0]
    for shape in (_FROM, _TO):
        if match := shape.fullmatch(text.strip()):
            return match["a"] or match["b"]
    return text.strip()
