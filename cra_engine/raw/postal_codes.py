"""Postal codes, told by their spelling, and what their beginnings say."""

import re
from collections.abc import Sequence

# British, Dutch, Canadian, Polish, Portuguese, American with four digits more, Swedish, and digits behind a country.
_SPELLED = (
    r"(?P<area>[A-Z]{1,2})(?P<district>\d[A-Z\d]?) ?\d[A-Z]{2}",
    r"[1-9]\d{3} ?[A-Z]{2}",
    r"[A-CEGHJ-NPR-TVXY]\d[A-Z] ?\d[A-Z]\d",
    r"\d{2}-\d{3}",
    r"\d{4}-\d{3}",
    r"\d{5}-\d{4}",
    r"\d{3} \d{2}",
    r"(?:A|B|CH|D|DE|AT|F|FR|FL|I|IT|L|LU)[- ]?\d{4,5}",
)
_PATTERNS = tuple(map(re.compile, _SPELLED))
_BRITISH = _PATTERNS[0]
_DIGITS = re.compile(r"\d{4,5}")
FIRST_YEAR, LAST_YEAR = 1900, 2049  # four digits between these may be years
MOST = 0.8  # of the values have to be spelled so


def spelled_postal(values: Sequence[str]) -> bool:
    """Tell whether the different values of a raw column are postal codes by letters or signs, whatever it is called.

    >>> spelled_postal(["SW1A 1AA", "M1 1AE"]), spelled_postal(["1012 AB", "3511 LX"]), spelled_postal(["B10", "B12"])
    (True, True, False)
    """
    return any(sum(p.fullmatch(text.upper()) is not None for text in values) >= MOST * len(values) for p in _PATTERNS)


def digits_postal(values: Sequence[str]) -> bool:
    """Tell whether the different values of a raw column are whole numbers of four or five digits, all alike, no years.

    >>> digits_postal(["8001", "3012"]), digits_postal(["1954", "1987"]), digits_postal(["950", "1200"])
    (True, False, False)
    """
    if not values or len({len(text) for text in values}) > 1 or not all(map(_DIGITS.fullmatch, values)):
        return False
    return not all(map(is_year, values))


def is_year(text: str) -> bool:
    """Tell whether a text is a year in which somebody may have been born or seen."""
    return len(text) == 4 and text.isdecimal() and FIRST_YEAR <= int(text) <= LAST_YEAR


def british_layers(text: str) -> tuple[str, ...]:
    """Return what a British postal code shows, the finest first: it, its district, its area; empty for any other text.

    >>> british_layers("SW1A 1AA"), british_layers("67063")
    (('SW1A 1AA', 'SW1A', 'SW'), ())
    """
    match = _BRITISH.fullmatch(text.upper())
    return () if match is None else (text, match["area"] + match["district"], match["area"])
