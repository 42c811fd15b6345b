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
# Where a word such as "none" may be a value, those that say that nobody knows one; but see :func:`nobody_knows`.
NOBODY_KNOWS = MISSING - {"", "none"}


def nobody_knows(texts: Iterable[str]) -> frozenset[str]:
    """Return which words, in small letters, say that nobody knows a value in a raw column of these stripped texts.

    Two letters alone can be codes: KA is Karlsruhe, ND North Dakota. They are where others of the column are of their
    kind, letters alone, as many and in the same case: two others at least, and one in four.

    >>> [word in nobody_knows(["KA", "HD", "MA", "S"]) for word in ("ka", "k.a.", "nb")]
    [False, True, True]
    >>> "ka" in nobody_knows(["KA", "m", "w"]), "ka" in nobody_knows(["ka", "HD", "MA", "S"])
    (True, True)
    """
    filled = {text for text in texts if text and text.lower() not in MISSING}
    codes = set[str]()
    for word in (text for text in texts if text.lower() in _WITHOUT_DOTS):
        alike = sum(text.isalpha() and len(text) == len(word) and _case(text) == _case(word) for text in filled)
        if alike >= max(2, len(filled) / 4):
            codes.add(word.lower())
    return NOBODY_KNOWS - codes


def _case(text: str) -> tuple[bool, bool, bool]:
    return text.isupper(), text.islower(), text.istitle()


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
