"""Says what columns say together: one determines another, or several are the parts of one date."""

import math
import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted
from cra_engine.raw.column_looks import Look
from cra_engine.raw.column_words import folded

Part = Literal["year", "month", "day"]
_PART_WORDS: dict[str, Part] = {
    "year": "year",
    "yr": "year",
    "jahr": "year",
    "month": "month",
    "monat": "month",
    "day": "day",
    "tag": "day",
}
_PART = re.compile(rf"(?P<stem>.*?)\s?(?P<part>{'|'.join(_PART_WORDS)})|(?P<first>\w+?) (?:of |der )?(?P<rest>.+)")
_BOUNDS = {"year": (1850, 2100), "month": (1, 12), "day": (1, 31)}
_MONTHS = frozenset(re.findall("...", "janfebmarmrzaprmaymaijunjulaugsepoctoktnovdecdez"))
_BIRTH = re.compile(r"birth\w*|born|dob|geb|geburts?|geboren|naissance|nacimiento|nascita")
ERRORS = 0.01  # share of records that may be mistaken where one column determines another
UNEXPLAINED = 0.1  # share of the records without the most frequent value that may be mistaken
_FEW = 1000  # records that are compared first, besides a share of all
CHANCE = 6  # powers of ten against a coincidence


def determines(first: Look, second: Look) -> bool:
    """Tell whether the values of one raw column determine another's, but for mistakes, and not by chance.

    Where most values of the first column differ they determine everything, which says nothing: half of the records have
    to repeat a value, and to agree more often than the most frequent value of the second column does by chance.
    """
    one, other, times = first.beside(second)
    if second.distinct < 2 or first.distinct < 2 or not len(one):
        return False
    often = counted(other, second.distinct, times)
    records, most = int(often.sum()), int(often.max())
    few = _FEW + int(len(one) * 4 * ERRORS)
    # There are no fewer mistakes among all records than among the first of them.
    start = None if times is None else times[:few]
    if few < len(one) and _mistaken(one[:few], other[:few], start)[0] > ERRORS * records:
        return False
    mistaken, groups = _mistaken(one, other, times)
    repeated = records - groups
    return (
        mistaken <= ERRORS * records
        and mistaken <= UNEXPLAINED * (records - most)
        and most < records
        and 2 * repeated >= records
        and -repeated * math.log10(most / records) >= CHANCE
    )


def _mistaken(first: NDArray[np.int64], second: NDArray[np.int64], times: NDArray[np.int64] | None) -> tuple[int, int]:
    """How many records show another value of a second column than most with their value of a first; values of that."""
    values = int(second.max()) + 1
    keys, pair = np.unique(first * values + second, return_inverse=True)
    often = counted(pair, len(keys), times)
    groups, place = np.unique(keys // values, return_inverse=True)
    largest = np.zeros(len(groups), dtype=np.int64)
    np.maximum.at(largest, place, often)
    return int(often.sum() - largest.sum()), len(groups)


def twin_of(look: Look, others: Sequence[Look]) -> str:
    """Name a raw column that says the same as this one: one of the two determines the other; empty where none does."""
    for other in others:
        if other.name != look.name and (determines(other, look) or determines(look, other)):
            return other.name
    return ""


def date_parts(looks: Sequence[Look]) -> dict[str, tuple[tuple[str, ...], Part, bool]]:
    """Find the raw columns that are parts of a date: all parts, which one each is, and whether of a birth.

    Parts are told by their names (``admit_year``, ``Geburtsmonat``) and their values; a year alone is none.
    """
    dates: dict[str, dict[Part, str]] = {}
    for look in looks:
        stem, part = _named_part(look.words)
        if part is not None and _fits(look, part):
            dates.setdefault(stem, {}).setdefault(part, look.name)
    parts_of: dict[str, tuple[tuple[str, ...], Part, bool]] = {}
    for stem, parts in dates.items():
        if len(parts) > 1:
            birth = _BIRTH.fullmatch(stem) is not None
            parts_of |= {name: (tuple(parts.values()), part, birth) for part, name in parts.items()}
    return parts_of


def _named_part(words: str) -> tuple[str, Part | None]:
    """The name of a date and the part of it that a folded column name says."""
    match = _PART.fullmatch(words)
    if match is None:
        return "", None
    if match["part"]:
        return match["stem"].strip(), _PART_WORDS[match["part"]]
    part = _PART_WORDS.get(match["first"])
    return (match["rest"], part) if part else ("", None)


def _fits(look: Look, part: Part) -> bool:
    """Returns whether the values can be years, months or days."""
    if not look.distinct:
        return False
    if part == "month" and all(folded(text)[:3] in _MONTHS for text in look.shown):
        return True
    numbers = pd.to_numeric(pd.Series(look.shown, dtype=object), errors="coerce")
    lower, upper = _BOUNDS[part]
    return bool(numbers.between(lower, upper).mean() >= 0.95)
