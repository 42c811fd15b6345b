"""Whether a release may show the values of a column themselves: those that repeat often may, near-unique ones not."""

from typing import Any

import numpy as np
import pandas as pd

from cra_engine.expected import expect
from cra_engine.raw.column_looks import Look
from cra_engine.words import how_many

FEW = 5  # a value that fewer records show is rare
MOST_RARE = 0.1  # of the records may show a rare value


def propose_finest(column: "pd.Series[Any]") -> tuple[int, str]:
    """Propose the finest layer to show of a raw column, 0 for the values themselves or 1, and say why.

    >>> propose_finest(pd.Series(["f", "m"] * 10))
    (0, 'each of the 2 values is shown by 10 records or more')
    >>> propose_finest(pd.Series(range(10)))
    (1, '10 of 10 records share their value with fewer than 4 others')
    """
    expect(column, pd.Series, "propose_finest(column)")
    counts = Look.of(column).counts
    if not len(counts):
        return 1, "it holds no values"
    rare, records = int(counts[counts < FEW].sum()), int(np.sum(counts))
    if not rare:
        return 0, f"each of the {how_many(len(counts), 'value')} is shown by {int(counts.min()):,} records or more"
    if rare > MOST_RARE * records:
        share = "shares its" if rare == 1 else "share their"
        return 1, f"{rare:,} of {how_many(records, 'record')} {share} value with fewer than {FEW - 1} others"
    do = "does" if rare == 1 else "do"
    return 0, (
        f"nearly all records share their value with {FEW - 1} others or more: only {rare:,} of {records:,} {do} not"
    )
