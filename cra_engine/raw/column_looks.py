"""What the cells and the name of a column look like: a name, a number of a person, an e-mail address, a date of birth.

Every look is a share of the filled cells that fit a pattern, or a word in the column's name, or both. None of them
proves anything: each proposal says what it rests on, and a person decides.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.blocks import counted
from cra_engine.raw.column_words import Kind, folded, is_called, tells_nothing
from cra_engine.raw.given_names import GIVEN_NAMES
from cra_engine.raw.illnesses import are_illnesses
from cra_engine.raw.medical_codes import medical_code
from cra_engine.raw.missing_words import MISSING, gap_words
from cra_engine.raw.plain_cells import measured_cells, same_numbers, unit_of
from cra_engine.raw.postal_codes import digits_postal, is_year, spelled_postal
from cra_engine.raw.spellings import are_sexes

LOOKED_AT = 2000  # different values of a column whose spelling is looked at
MOST = 0.8  # the share of the cells that has to fit

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9a-fA-F]{1,4}:){4,7}[0-9a-fA-F]{1,4}")
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_PLAIN = r"(?![-+]?\d*[.,]\d+$)(?=(?:\D*\d){7})"  # no number with a decimal sign, and seven digits at least
_TELEPHONE = re.compile(_PLAIN + r"(?:\+|00?|\()[\d\s()./-]{6,18}\d(?:\s*(?:x|ext\.?)\s*\d+)?")
_DIGITS = re.compile(_PLAIN + r"[+(]?\d[\d\s()./-]{5,18}\d")
# Numbers that some state or insurer gives a person, by their spelling: Swiss, German, American, British, French,
# Italian; and codes of letters and digits as hospitals print them.
_NUMBERS = re.compile(
    r"756[.\s]?\d{4}[.\s]?\d{4}[.\s]?\d{2}|[A-Z]\d{9}|\d{3}-\d{2}-\d{4}|\d{3} \d{3} \d{4}"
    r"|[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2}"
    r"|[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]"
)
_CODE = re.compile(r"(?=(?:.*\d){4})[A-Za-z]{0,6}[-_/. ]?\d[\dA-Za-z/._-]{3,24}")
_DATE = re.compile(
    r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?:[T ].*)?"
    r"|\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?(?P<y2>\d{4}|\d{2})(?: .*)?"
    r"|\d{1,2}[-. ]\s?[A-Za-zäé]{3,9}\.?[-. ]\s?(?P<y3>\d{4}|\d{2})"
)
_WORD = r"[^\W\d_][^\W\d_'\u2019.-]*(?:['\u2019-][^\W\d_]+)*\.?"
_FULL_NAME = re.compile(
    rf"(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? |Herr |Frau )*{_WORD}"
    rf"(?:,? (?:(?:von|van|de|der|del|di|la|le|da|zu) )*{_WORD}){{1,3}}"
)
_COORDINATES = re.compile(r"\(?[-+]?\d{1,3}\.\d{3,}\s*[,; ]\s*[-+]?\d{1,3}\.\d{3,}\)?")
_KNOWN_FULL, _KNOWN_SINGLE = 0.2, 0.5  # shares of values with a usual given name, by which people are told
_MOST_SEXES = 12  # spellings of them in one column
_FEWEST_AGES, _OLDEST = 20, 119
_SINGLE_NAME = re.compile(rf"{_WORD}(?: {_WORD})?")


@dataclass(frozen=True)
class Look:
    """A column of a raw table, as far as its looks go.

    Attributes:
        name: the column's name.
        values: the different texts of the filled cells, stripped.
        codes: per record the place of its text; -1 for an empty cell.
        times: how many records each of them stands for; None where each is one.
    """

    name: str
    values: tuple[str, ...]
    codes: NDArray[np.int64]
    times: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, column: "pd.Series[Any]", times: NDArray[np.int64] | None = None) -> "Look":
        """Of a column as it was read; each different cell is looked at once."""
        codes, cells = pd.factorize(column)
        if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":  # of numbers none is a word for nothing
            return cls(str(column.name), tuple(map(str, cells.tolist())), codes.astype(np.int64), times)
        texts = [str(cell).strip() for cell in cells.astype(object)]
        gaps = gap_words(texts)
        filled = [None if text.lower() in gaps else text for text in texts]
        values = list(dict.fromkeys(text for text in filled if text is not None))
        place, first = pd.factorize(pd.Series(same_numbers(values), dtype=object))
        of_text = dict(zip(values, place.tolist(), strict=True))
        of_cell = np.array([*(-1 if text is None else of_text[text] for text in filled), -1])  # the last: missing
        return cls(str(column.name), tuple(map(str, first)), of_cell[codes].astype(np.int64), times)

    def among(self, rows: NDArray[np.bool_]) -> "Look":
        """Of some of the records alone: True for those."""
        codes = self.codes[rows]
        there = np.zeros(len(self.values) + 1, dtype=bool)
        there[codes] = True  # the last for empty cells
        place = np.cumsum(there) - 1
        place[-1] = -1
        values = tuple(value for value, used in zip(self.values, there.tolist(), strict=False) if used)
        return Look(self.name, values, place[codes].astype(np.int64), None if self.times is None else self.times[rows])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Returns how often each different value occurs."""
        # One number more for empty cells.
        return counted(self.codes + 1, len(self.values) + 1, self.times)[1:]

    @property
    def records(self) -> int:
        """Returns how many cells are filled."""
        return int(self.counts.sum())

    @property
    def distinct(self) -> int:
        """Returns how many different values there are."""
        return len(self.values)

    @property
    def alone(self) -> int:
        """Returns how many records show a value that no other record shows."""
        return int((self.counts == 1).sum())

    def alone_among(self, group: float) -> float:
        """Returns the share of records expected to be alone with their value in groups of so many, drawn at random."""
        others = (self.counts - 1) / max(self.records - 1, 1)
        return float((self.counts * (1 - others) ** (group - 1)).sum() / max(self.records, 1))

    def alone_beside(self, other: "Look") -> tuple[int, int]:
        """Returns how many records show a pair of values that no other shows, and how many show a pair at all."""
        mine, others, times = self.beside(other)
        codes, pairs = pd.factorize(mine * max(other.distinct, 1) + others)
        often = counted(codes, len(pairs), times)
        return int((often == 1).sum()), int(often.sum())

    def beside(self, other: "Look") -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64] | None]:
        """Returns the codes of both columns where neither is empty, and how many records each pair stands for."""
        both = (self.codes >= 0) & (other.codes >= 0)
        return self.codes[both], other.codes[both], None if self.times is None else self.times[both]

    @cached_property
    def shown(self) -> Sequence[str]:
        """Different values to look at, spread over the column where there are too many."""
        if len(self.values) <= LOOKED_AT:
            return self.values
        return [self.values[place] for place in np.linspace(0, len(self.values) - 1, LOOKED_AT).astype(int)]

    @cached_property
    def words(self) -> str:
        """The column's name, folded."""
        return folded(self.name)

    def called(self, kind: Kind) -> bool:
        """Returns whether a word of the column's name says so."""
        return is_called(self.words, kind)

    def share(self, pattern: re.Pattern[str]) -> float:
        """The share of the different values that are spelled so from end to end."""
        return sum(pattern.fullmatch(text) is not None for text in self.shown) / max(len(self.shown), 1)

    @cached_property
    def numeric(self) -> bool:
        """Returns whether nearly all values are plain numbers."""
        numbers = pd.to_numeric(pd.Series(self.shown, dtype=object).str.replace(",", ".", regex=False), errors="coerce")
        return bool(len(numbers)) and float(numbers.notna().mean()) >= MOST

    @cached_property
    def numbers(self) -> Literal["measured", "others", ""]:
        """Whether the values are numbers, and such as are measured or scored there, by the name or a unit."""
        unit = unit_of(self.shown)
        with_unit = len(measured_cells(self.shown)) >= MOST * len(self.shown)
        if self.dates or not (self.numeric or (unit and with_unit)):
            return ""
        return "measured" if is_called(folded(f"{self.name} {unit}"), "measured") else "others"

    @cached_property
    def whole(self) -> bool:
        """Returns whether nearly all values are whole numbers."""
        return self.share(re.compile(r"[-+]?\d+(?:[.,]0+)?")) >= MOST

    @cached_property
    def decimals(self) -> bool:
        """Returns whether the values are numbers of which some have decimals."""
        return self.numeric and not self.whole

    @cached_property
    def medical(self) -> str:
        """Returns which diagnoses or codes of procedures or drugs the values are; empty where they are none."""
        if self.numeric or self.dates:
            return ""
        # A ward may be called by what it treats, and notes on a patient are more than an illness.
        told = self.called("quasi") or self.called("name") or self.free_text
        return medical_code(self.shown) or ("diagnoses" if not told and are_illnesses(self.said) else "")

    @cached_property
    def said(self) -> list[str]:
        """The different values to look at, without words that say that nobody knows one."""
        return [text for text in self.shown if text.lower() not in MISSING]

    @property
    def sexes(self) -> bool:
        """Words or letters for the sexes, and nothing else."""
        return self.distinct <= _MOST_SEXES and are_sexes(self.said)

    @property
    def basic(self) -> bool:
        """Age, a date of birth or sex, by the column's name or by its cells: hardly any analysis does without."""
        return self.called("basic") or self.birth or self.sexes or (self.nameless and self.ages)

    @property
    def postal(self) -> bool:
        """Postal codes: by their letters and signs, or four or five digits that many records share."""
        if self.dates or not self.said:
            return False
        return spelled_postal(self.said) or (2 * self.distinct <= self.records and digits_postal(self.said))

    @property
    def years(self) -> bool:
        """Years, and more than one."""
        return len(self.said) > 1 and all(map(is_year, self.said))

    @property
    def ages(self) -> bool:
        """Whole numbers that reach from children or adults to the old, as ages do."""
        if not self.whole or len(self.said) < _FEWEST_AGES or not all(text.isdecimal() for text in self.said):
            return False
        numbers = [int(text) for text in self.said]
        return max(numbers) <= _OLDEST and max(numbers) - min(numbers) >= _FEWEST_AGES

    @property
    def nameless(self) -> bool:
        """Returns whether the column's name says no more than where it stands."""
        return tells_nothing(self.words)

    @property
    def coordinate(self) -> bool:
        """Places on a map: by the column's name, or two numbers with decimals in each cell."""
        return (self.called("coordinate") and self.numeric) or self.share(_COORDINATES) >= MOST

    @property
    def email(self) -> bool:
        """E-mail addresses."""
        return self.share(_EMAIL) >= 0.5

    @property
    def address(self) -> bool:
        """Network addresses, links, or streets with a number."""
        streets = self.called("address") and sum(any(c.isdigit() for c in t) for t in self.shown) >= 0.5 * len(
            self.shown
        )
        return max(self.share(_ADDRESS), self.share(_LINK)) >= MOST or (streets and not self.numeric)

    @property
    def telephone(self) -> bool:
        """Telephone numbers: by their spelling, or by the column's name."""
        if self.dates or self.share(_NUMBERS) >= MOST:
            return False
        return self.share(_TELEPHONE) >= MOST or (self.called("telephone") and self.share(_DIGITS) >= 0.5)

    @cached_property
    def dates(self) -> bool:
        """Calendar dates."""
        return self.share(_DATE) >= MOST

    @property
    def birth(self) -> bool:
        """Dates of birth: by the column's name, or dates that reach over more years than a study does."""
        if self.called("birth") and not self.words.startswith(("born", "year")):
            return self.dates or self.share(re.compile(r"(?:19|20)\d{6}")) >= MOST
        years = [int(year) for year in map(_year, self.shown) if year]
        return self.dates and bool(years) and max(years) - min(years) >= 40

    @property
    def number(self) -> bool:
        """Numbers that an insurer, a hospital or a state gives a person."""
        if self.share(_NUMBERS) >= MOST and self.distinct >= 0.3 * self.records:
            return True
        if self.dates or self.distinct < 0.5 * self.records:
            return False
        codes = not self.numeric and self.share(_CODE) >= MOST and self.distinct >= 0.9 * self.records
        return codes or (self.called("number") and (self.whole or self.share(_CODE) >= MOST))

    @property
    def person(self) -> bool:
        """Names of people: words of letters, by the column's name, by usual given names, or nearly all different."""
        if self.numeric or self.called("no person"):
            return False
        single, full = self.share(_SINGLE_NAME), self.share(_FULL_NAME)
        several = self.distinct >= min(5, 0.2 * self.records)
        if self.called("name"):
            return max(single, full) >= 0.6 and several
        if self.called("people") and full >= MOST and several:
            return True
        known = self.given_names
        if several and ((full >= MOST and known >= _KNOWN_FULL) or (single >= MOST and known >= _KNOWN_SINGLE)):
            return True
        capital = sum(all(word[:1].isupper() for word in text.split()[-1:]) for text in self.shown)
        usual = capital >= MOST * len(self.shown) and self.distinct >= 0.7 * self.records
        return full >= MOST and usual and self.records >= 10

    @cached_property
    def given_names(self) -> float:
        """The share of the different values in which a usual given name stands."""
        return sum(not GIVEN_NAMES.isdisjoint(folded(text).split()) for text in self.shown) / max(len(self.shown), 1)

    @property
    def free_text(self) -> bool:
        """Sentences that somebody typed."""
        if self.numeric or self.dates:
            return False
        lengths = np.array([len(text) for text in self.shown])
        spaces = np.array([text.count(" ") for text in self.shown])
        if not len(lengths):
            return False
        long = float(lengths.mean()) >= 40 or float(spaces.mean()) >= 4
        called = self.called("free text")
        if called and self.distinct >= 5 and (float(spaces.mean()) >= 0.5 or self.distinct >= 0.1 * self.records):
            return True
        return long and self.distinct >= 10 and self.distinct >= 0.3 * self.records


def _year(text: str) -> int:
    match = _DATE.fullmatch(text)
    if match is None:
        return 0
    year = int(match["y"] or match["y2"] or match["y3"])
    return year if year >= 100 else 1900 + year if year > 26 else 2000 + year
