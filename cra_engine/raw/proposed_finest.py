"""Whether a release may show the values of a column themselves: those that repeat often may, near-unique ones not."""

from typing import Any

import numpy as np
import pandas as pd

from cra_engine.raw.column_looks import Look
from cra_engine.words import how_many

FEW = 5  # a value that fewer records show is rare
MOST_RARE = 0.1  # of the records may show a rare value


def propose_finest(column: "pd.Series[Any]") -> tuple[int, str]:
    """The finest layer that a release may show of a column, 0 for the values themselves or 1, and why.

    >>> propose_finest(pd.Series(["f", "m"] * 10))
    (0, 'each of the 2 values is shown by 10 records or more')
    >>> propose_finest(pd.Series(range(10)))
    (1, '10 of 10 records show a value that fewer than 5 records show')
    """
    counts = Look.of(column).counts
    if not len(counts):
        return 1, "it holds no values"
    rare = int(counts[counts < FEW].sum())
    if not rare:
        return 0, f"each of the {how_many(len(counts), 'value')} is shown by {int(counts.min()):,} records or more"
    said = f"{rare:,} of {how_many(int(np.sum(counts)), 'record')} show a value that fewer than {FEW} records show"
    return int(rare > MOST_RARE * counts.sum()), said
