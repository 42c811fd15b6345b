"""Codes of diagnoses, procedures and drugs, told by their spelling."""

import re
from collections.abc import Sequence

# ICD-10 and its German and American modifications, with or without the dot; a mark of certainty (G, V, A, Z) or a sign
# of a double code may follow. OPS: chapter, three digits or letters. ATC: the third level at least.
_DIAGNOSIS = r"[A-TV-Z]\d[\dAB](?:\.?[\dA-Z]{1,4}|\.-)?[-+*!]?(?:\s?[GVAZ])?"
_PROCEDURE = r"[1-9]-\d{2}[\da-z](?:\.[\da-z]{1,3})?"
_DRUG = r"[ABCDGHJLMNPRSV]\d{2}[A-Z]{1,2}(?:\d{2})?"
_BETWEEN = r"\s*[;,|/ ]\s*"
_KINDS = {
    "codes of drugs (ATC)": _DRUG,
    "codes of procedures (OPS)": _PROCEDURE,
    "codes of diagnoses (ICD-10)": _DIAGNOSIS,
}
_PATTERNS = {
    what: re.compile(rf"{code}(?:{_BETWEEN}{code})*(?:[ :-]+[^\W\d].{{3,}})?") for what, code in _KINDS.items()
}
_FEWEST, _LETTERS = 3, 3  # different values; different first letters, by which a diagnosis is told from a bed
MOST = 0.8  # of the values have to be spelled so


def medical_code(values: Sequence[str]) -> str:
    """Tell which medical codes the different values of a raw column are; empty where they are none.

    Several codes may stand in a cell, and words behind them.

    >>> medical_code(["E11.9", "I10", "B20; C50.4"]), medical_code(["A10BA02", "C09AA05", "N02BE01"])
    ('codes of diagnoses (ICD-10)', 'codes of drugs (ATC)')
    >>> medical_code(["B10", "B11", "B12"]), medical_code(["5-470.11", "1-632.0", "3-200"])
    ('', 'codes of procedures (OPS)')
    """
    if len(values) < _FEWEST:
        return ""
    for what, pattern in _PATTERNS.items():
        if sum(pattern.fullmatch(text) is not None for text in values) >= MOST * len(values):
            letters = len({text[0] for text in values})
            return what if letters >= _LETTERS or _KINDS[what] is not _DIAGNOSIS else ""
    return ""
