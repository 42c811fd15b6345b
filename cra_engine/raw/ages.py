"""Numbers in a raw column of ages that are no age of a person, such as 212 or -3: slips of the pen, most likely."""

import re
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.raw.column_words import folded, is_called
from cra_engine.raw.numbers import numbers
from cra_engine.raw.proposed_hierarchy import FEW_FAR

OLDEST = 122  # years: no person is known to have become older
_FEW = 0.05  # of the ages; where more lie outside they are no slips, but counted in another unit
_NO_YEARS = re.compile(r"\b(month|monat|week|woche|day|tag)")


def no_ages(column: "pd.Series[Any]") -> NDArray[np.bool_]:
    """Return which cells of a raw column that is called an age are a number that is no person's age in years.

    >>> no_ages(pd.Series(["34", "212", "", "-3"], name="Alter")).tolist()
    [False, True, False, True]
    >>> no_ages(pd.Series(["34", "212"], name="age in days")).any(), no_ages(pd.Series([34, 212], name="weight")).any()
    (np.False_, np.False_)
    """
    none, words = np.zeros(len(column), dtype=bool), folded(str(column.name))
    if not is_called(words, "age") or _NO_YEARS.search(words):
        return none
    values = numbers(column)[0].astype(float)
    outside = np.isfinite(values) & ((values < 0) | (values > OLDEST))
    few = outside.sum() <= max(FEW_FAR, _FEW * np.isfinite(values).sum())
    return outside if few or len(np.unique(values[outside])) == 1 else none
