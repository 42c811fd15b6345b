"""A second look at a microaggregated table before it leaves the house, by code that shares nothing with the clustering.

From the raw and the published table alone: no record is lost or added, every other column is as it was, each group of
alike records holds k or more, and what it shows is the mean of its raw values.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cra_engine.publish.check import refusal
from cra_engine.raw.numbers import numbers
from cra_engine.words import rows_text

_ROUNDING = 1e-9  # of a column's largest number: far above what sums of doubles lose, far below what a record moves


def check_microaggregation(raw: pd.DataFrame, published: pd.DataFrame, columns: Sequence[str], k: int) -> None:
    """Check a microaggregated table before it is handed out.

    Args:
        raw: the table that was microaggregated.
        published: the table that is to be handed out, its rows in the raw table's order.
        columns: the columns that were microaggregated.
        k: the smallest size of a cluster.

    Raises:
        ReleaseCheckError: it must not be handed out, with the reason.
    """
    if len(raw) != len(published) or list(raw.columns) != list(published.columns):
        raise refusal("its rows or columns are not those of the table.")
    for name in raw.columns:
        if str(name) not in columns and not raw[name].reset_index(drop=True).equals(
            published[name].reset_index(drop=True)
        ):
            raise refusal(f"column {str(name)!r} was changed.")
    shown = published[list(columns)].reset_index(drop=True)
    groups = shown.groupby(list(columns), sort=False)
    smallest = int(groups.size().min())
    if smallest < k:
        raise refusal(f"one of its groups of alike records holds {smallest}, fewer than k = {k}.")
    for name in columns:
        values = pd.Series(numbers(raw[name])[0].astype(float))
        means = values.groupby(groups.ngroup()).transform("mean")
        apart = np.abs(means - shown[name].astype(float))
        if float(apart.max()) > _ROUNDING * max(1e-300, float(values.abs().max())):
            row = int(apart.argmax())
            raise refusal(f"column {name!r}, {rows_text([row + 1])}, is not the mean of its group.")
