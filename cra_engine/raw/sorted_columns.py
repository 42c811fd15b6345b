"""The columns by which a raw table is sorted: in a release that keeps the order they tell what was generalized."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.raw.dates import days_in, order_of_dates

LEAST_TOLD, LEAST_SURE = 0.5, 4.0  # rank correlation, and its distance from 0 in standard deviations


def sorted_columns(table: pd.DataFrame, names: Sequence[str] | None = None) -> tuple[tuple[str, float], ...]:
    """Find the columns by which the rows of a raw table are sorted, or nearly so.

    Args:
        table: the raw table.
        names: the columns to look at; all when left out.

    Returns:
        Per such column its name and the rank correlation (Spearman) of its values with the places of the rows, 1 where
        they ascend and -1 where they descend, equal values or not; the strongest first. Named are columns
        of 0.5 or more that a table in random order shows with a chance below one in ten thousand.

    >>> sorted_columns(pd.DataFrame({"age": range(40), "sex": [0, 1] * 20}))
    (('age', 1.0),)
    """
    sorted_by = []
    for name in table.columns if names is None else names:
        ranks = _ranks(table[name])
        if len(ranks) > 2 and (ranks != ranks[0]).any():
            steps = np.diff(ranks)
            told = float(np.corrcoef(ranks, np.arange(len(ranks)))[0, 1])
            told = 1.0 if (steps >= 0).all() else -1.0 if (steps <= 0).all() else told
            if abs(told) >= LEAST_TOLD and abs(told) * np.sqrt(len(ranks) - 1) >= LEAST_SURE:
                sorted_by.append((str(name), told))
    return tuple(sorted(sorted_by, key=lambda one: -abs(one[1])))


def _ranks(column: "pd.Series[Any]") -> NDArray[np.float64]:
    """The ranks of a column's values, equal values sharing theirs: of numbers, else of days, else of texts."""
    codes, different = pd.factorize(column, use_na_sentinel=False)
    cells = pd.Series(different)
    values = pd.to_numeric(cells, errors="coerce")
    if values.isna().any() and order_of_dates(cells):
        values = pd.to_datetime(pd.Series(days_in(cells)[0]), errors="coerce")
    whole = values if values.notna().any() else cells.astype("object").map(str)
    order = whole.rank(method="dense").to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(pd.Series(order[codes]).rank(na_option="top"), dtype=np.float64)
