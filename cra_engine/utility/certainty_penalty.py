"""Global Certainty Penalty: how much of each domain the published cells span, for any way to publish."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted
from cra_engine.published import Extents, Interval, Published
from cra_engine.utility.coverage import Coverage


def certainty_penalty(
    published: Published, data: "pd.DataFrame | Mapping[str, pd.Series[Any]]", quasi_identifiers: Sequence[str]
) -> float:
    """Return the loss GCP: the mean over rows and attributes of NCP, 0 (as precise as the data) to 1.

    NCP of an interval is its width, as far as the data reach, over the data's range; NCP of a set of categories is
    (values - 1) / (distinct values of the column - 1). A column with one value costs nothing.

    Args:
        published: the table.
        data: the raw table, or columns by their names, which give the domains.
        quasi_identifiers: the columns to look at.

    Examples:
        >>> from cra_engine.published import Extents
        >>> ages = Extents((Interval(31, 45, closed=True), Interval(40, 40, closed=True)), np.array([0, 0, 1, 1]))
        >>> table = Published(pd.DataFrame(), {"age": ages}, (), np.array([], dtype=np.int64))
        >>> certainty_penalty(table, pd.DataFrame({"age": [31, 59, 40, 40]}), ["age"])
        0.25
    """
    return sum(column_penalty(published.extents[name], data[name]) for name in quasi_identifiers) / len(
        quasi_identifiers
    )


def column_penalty(extents: Extents, column: "pd.Series[Any]", times: NDArray[np.int64] | None = None) -> float:
    """Return the loss NCP of one column, the mean over all published rows.

    Args:
        extents: what each published row shows of it.
        column: the raw column, or each of its values once.
        times: how many records each published row stands for; one when left out.

    >>> column_penalty(Extents((Interval(31, 45, closed=True),), np.array([0, 0])), pd.Series([31, 59, 40]))
    0.5
    """
    return mean_over_rows(extent_penalties(extents, column), extents, times)


def mean_over_rows(losses: NDArray[np.float64], extents: Extents, times: NDArray[np.int64] | None = None) -> float:
    """Return the mean loss of a column's rows, which show its extents.

    Args:
        losses: of each distinct extent.
        extents: what each published row shows.
        times: how many records each row stands for; one when left out.
    """
    many = counted(extents.of_row, len(extents.distinct), times)
    return math.fsum((losses * many).tolist()) / int(many.sum())


def extent_penalties(extents: Extents, column: "pd.Series[Any]") -> NDArray[np.float64]:
    """Return the loss NCP of each distinct extent of one column, 0 (as precise as the data) to 1.

    Args:
        extents: what each published row shows of it.
        column: the raw column, or each of its values once.
    """
    coverage = Coverage(column, extents)
    if len(coverage.domain) == 1:
        return np.zeros(len(extents.distinct))
    if coverage.numeric:
        first, last = float(coverage.domain[0]), float(coverage.domain[-1])
        ends = [(float(one.lower), float(one.upper)) for one in extents.distinct if isinstance(one, Interval)]
        lower, upper = np.array(ends).T
        spans = np.maximum(np.minimum(upper, last) - np.maximum(lower, first), 0)
        return np.asarray(spans / (last - first), dtype=np.float64)
    return np.asarray(np.maximum(coverage.sizes() - 1, 0) / (len(coverage.domain) - 1), dtype=np.float64)
