"""Words that stand for a missing value in raw tables, in English, German and a few other languages, in one place.

What programs write is what pandas reads as missing, but for its codes with digits: numbers stay numbers, 99 too. What
people write is spelled in many ways: ``n. b.``, ``n.b.`` and ``(nb?)`` are one word. All are in small letters.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product

# What stands for nothing in a column of any kind; among numbers some words do too, see :func:`gap_words`.
EMPTY = frozenset({"", "na", "n/a", "<na>", "#na", "#n/a", "#n/a n/a", "nan", "-nan", "null", "?", "."})
_SIGNS = ("-", "--", "---", "\N{EN DASH}", "\N{EM DASH}", "?", "??", "???", "..", "...", "…")
# Of two letters: not available, done, known, recorded; keine Angabe, ohne Angabe; nicht bekannt (or bestimmt),
# erhoben, verfügbar; non connu.
_LETTERS = ("na", "nd", "nk", "nr", "ka", "oa", "nb", "ne", "nv", "nc")
_WITHOUT_DOTS = frozenset({"nd", "ka", "nb"})  # the others are states, directions and words when written together
_SAID = (
    "unknown|unk|unk.|not known|missing|not available|not done|not measured|not recorded|not reported|not stated"
    "|not specified|not determined|no data|no information"
    "|unbekannt|unbek|unbek.|fehlt|fehlend|nicht bekannt|nicht bestimmt|nicht erhoben|nicht ermittelt|nicht erfasst"
    "|nicht gemessen|nicht dokumentiert|nicht angegeben|nicht vorhanden|nicht verfügbar|keine angabe|keine angaben"
    "|ohne angabe|ohne angaben|fehlende angabe"
    "|inconnu|inconnue|non connu|non renseigné|sconosciuto|desconocido|sin datos|onbekend"
)
_AS_A_NUMBER = re.compile(r"[-+<>=≤≥]*\s*[.,]?\d")


def _spellings() -> Iterator[str]:
    for letters, between, end in product(_LETTERS, (".", ". ", " ", "/", ""), (".", "")):
        if between.strip() or letters in _WITHOUT_DOTS:
            yield between.join(letters) + end


_PLAIN = (*_SIGNS, *_SAID.split("|"), *_spellings())
MISSING = EMPTY | frozenset(("none", *_PLAIN, *(f"{word}?" for word in _PLAIN), *(f"({word})" for word in _PLAIN)))
# Where a word such as "none" may be a value, those that surely say that nobody knows one.
NOBODY_KNOWS = MISSING - {"", "none"}


def gap_words(texts: Iterable[str]) -> frozenset[str]:
    """Return which words, in small letters, stand for nothing in a raw column that holds these stripped texts.

    Among words ``none`` and ``unknown`` are values: no illness, no drug, nobody knows. They are gaps where numbers,
    dates or codes are expected.

    >>> "none" in gap_words(["flu", "none"]), "none" in gap_words(["34", "none"]), "na" in gap_words(["flu"])
    (False, True, True)
    >>> "n. b." in gap_words(["1", "2", "n. b."])
    True
    """
    begins = [_AS_A_NUMBER.match(text) is not None for text in set(texts) if text.lower() not in MISSING]
    return MISSING if 2 * sum(begins) > len(begins) else EMPTY
