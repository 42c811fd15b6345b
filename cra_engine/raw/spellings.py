"""Values of a raw column that are written in several ways: Ward 3 and ward 3, w and W, m and male."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from cra_engine.errors import StudyError
from cra_engine.raw.column_words import folded, is_called, tells_nothing

_WORDS = {
    "male": "m|male|man|boy|mannlich|mann|masculin|homme|maschio|maschile|masculino|hombre|varon",
    "female": "f|w|female|woman|girl|weiblich|frau|feminin|femme|femmina|femminile|femenino|mujer|vrouw",
    "diverse": "d|x|divers|diverse|other|andere|non binary|nonbinary",
}
_LETTERS = ({"h", "f"}, {"h", "m"})  # hommes, hombres: elsewhere an h is no sex, and an m is a man
_MEANT = {word: meaning for meaning, words in _WORDS.items() for word in words.split("|")}


def spellings(name: str, counted: Sequence[tuple[str, int]]) -> dict[str, str]:
    """Return which texts of a raw column are other spellings of a text that more records show, by that text.

    Texts are one value where they differ in capitals, blanks, accents and hyphens only; in a column of sexes also where
    both are known words for the same one. Nobody but a person can say that they are: this is a question, no finding.

    Args:
        name: the column's.
        counted: its texts with how many records show each, the most frequent first.

    >>> spellings("sex", [("w", 40), ("m", 38), ("W", 3), ("weiblich", 2)])
    {'W': 'w', 'weiblich': 'w'}
    >>> spellings("x", [("w", 40), ("m", 38), ("W", 3), ("weiblich", 2)])
    {'W': 'w', 'weiblich': 'w'}
    >>> spellings("ward", [("Süd 1", 9), ("sud  1", 2), ("w", 2), ("weiblich", 1)])
    {'sud  1': 'Süd 1'}
    """
    words = folded(name)
    of_sex = is_called(words, "sex") or (tells_nothing(words) and are_sexes([text for text, _ in counted]))
    first: dict[str, str] = {}
    found = {}
    for text, _ in counted:
        plain = _plain(text)
        kept = first.setdefault(_MEANT.get(plain, plain) if of_sex else plain, text)
        if kept != text and plain:
            found[text] = kept
    return found


def are_sexes(texts: Collection[str]) -> bool:
    """Return whether texts of a raw column are known words for more than one sex, and nothing else.

    >>> are_sexes(["w", "M", "weiblich"]), are_sexes(["H", "F"]), are_sexes(["w"])
    (True, True, False)
    """
    words = {_plain(text) for text in texts}
    meanings = {_MEANT.get(word) for word in words}
    return (len(meanings) > 1 and None not in meanings) or words in _LETTERS


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    marked = "".join(one for one in letters if not unicodedata.combining(one))
    return " ".join(marked.replace("-", " ").split())


def read_as(data: pd.DataFrame, name: str, meant: Mapping[str, str]) -> pd.DataFrame:
    """Return a raw table in which some cells of a column are read as another text, or, by an empty one, as missing.

    An empty cell may mean a text too.

    >>> read_as(pd.DataFrame({"sex": ["w", "W ", "?x"]}), "sex", {"W": "w", "?x": ""})["sex"].tolist()
    ['w', 'w', '']
    """
    column = data[name]
    text = column.astype("object").where(column.notna(), "").astype(str).str.strip()
    return data.assign(**{name: text.map(lambda cell: meant.get(cell, cell))})


def as_options(name: str, meant: Mapping[str, str]) -> list[str]:
    """Return what :func:`as_told` reads of a column's cells that are read as others."""
    return [f"{name}={cell}={other}" for cell, other in meant.items()]


def as_told(data: pd.DataFrame, text: str) -> pd.DataFrame:
    """Return a raw table with cells read as a person said: ``COLUMN=CELL=OTHER``, without OTHER as missing.

    Raises:
        StudyError: it says nothing of a column of the table.
    """
    name, first, rest = text.partition("=")
    cell, second, other = rest.partition("=")
    if not (first and second and (cell or other) and name in data.columns):
        raise StudyError(
            f"--read-as {text[:60]!r} is none; give a column of the table, a cell and what it means: sex=W=w."
        )
    return read_as(data, name, {cell: other})
