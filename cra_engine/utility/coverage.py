"""Says which values of a column each published cell stands for: what count queries, penalties and attacks share."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.published import Categories, Extent, Extents, Interval


class Coverage:
    """A column's domain, the values in it, and which of them each published extent holds, for losses.

    Args:
        column: the raw column; numbers where it is published as intervals.
        extents: what each published row's cell stands for.

    Attributes:
        domain: the column's values, each once, ascending: numbers, or texts where categories are published.
        codes: per record the index of its value in the domain; shape (records,).
        of_row: per published row the index of its extent.

    Examples:
        >>> extents = Extents((Interval(1, 3, closed=True), Interval(3, 9)), np.array([0, 1, 1]))
        >>> coverage = Coverage(pd.Series([3, 1, 3, 8]), extents)
        >>> coverage.domain.tolist(), coverage.sizes().tolist()
        ([1, 3, 8], [2, 2])
        >>> coverage.shares(Interval(2, 4, closed=True)).tolist()
        [0.5, 0.5, 0.5]
    """

    def __init__(self, column: "pd.Series[Any]", extents: Extents) -> None:
        """See the class."""
        self._extents = extents.distinct
        self.of_row = extents.of_row
        self.numeric = all(isinstance(extent, Interval) for extent in extents.distinct)
        place, cells = pd.factorize(column, use_na_sentinel=False)
        values = np.asarray(cells) if self.numeric else np.array([str(cell) for cell in cells], dtype=object)
        self.domain, codes = np.unique(values, return_inverse=True)
        self.codes: NDArray[np.int64] = codes[place].astype(np.int64)
        if self.numeric:
            self._first, self._past = self._spans([one for one in extents.distinct if isinstance(one, Interval)])
            self._sizes: NDArray[np.int64] = self._past - self._first
        else:
            self._held = np.array([self._fits(extent) for extent in extents.distinct], dtype=bool)
            self._sizes = self._held.sum(axis=1)
        self._empty = np.flatnonzero(self._sizes == 0)
        ends = [_ends(extents.distinct[at]) for at in self._empty.tolist()]
        self._lower, self._upper = np.array(ends, dtype=np.float64).reshape(-1, 2).T

    def sizes(self) -> NDArray[np.int64]:
        """Per extent how many values of the domain it holds."""
        return self._sizes

    def counted(self, groups: NDArray[np.int64], many: int) -> NDArray[np.int64]:
        """Returns how many rows of each group cover each value.

        Args:
            groups: per published row its group, -1 for none.
            many: number of groups.

        Returns:
            Shape (values, groups).
        """
        rows = groups >= 0
        shown = np.zeros((len(self._extents), many), dtype=np.int64)
        np.add.at(shown, (self.of_row[rows], groups[rows]), 1)
        if not self.numeric:
            return np.stack([shown[held].sum(axis=0) for held in self._held.T])
        changes = np.zeros((len(self.domain) + 1, many), dtype=np.int64)
        np.add.at(changes, self._first, shown)  # what begins at a value
        np.subtract.at(changes, self._past, shown)
        return np.asarray(np.cumsum(changes, axis=0)[:-1])

    def shares(self, asked: Extent) -> NDArray[np.float64]:
        """Per published row the share of its domain values that fit what is asked; shape (rows,)."""
        return np.asarray(self.shares_of_extents(asked)[self.of_row])

    def shares_of_extents(self, asked: Extent) -> NDArray[np.float64]:
        """Per extent the share of its domain values that fit what is asked; shape (extents,).

        An interval that holds no value of the domain counts by its length, a single number, such as a mean, as a value.
        """
        if not self.numeric:
            fitting = (self._held & self._fits(asked)).sum(axis=1)
        elif isinstance(asked, Interval):
            first, past = self._span(asked)
            fitting = np.maximum(np.minimum(self._past, past) - np.maximum(self._first, first), 0)
        else:
            before = np.concatenate([[0], np.cumsum(self._fits(asked))])
            fitting = before[self._past] - before[self._first]
        shares = fitting / np.maximum(self._sizes, 1)
        if len(self._empty) and isinstance(asked, Interval):
            shares[self._empty] = self._shares_of_length(asked)
        return np.asarray(shares)

    def _shares_of_length(self, asked: Interval) -> NDArray[np.float64]:
        """Of each interval that holds no value the share of its length that fits what is asked."""
        lower = np.maximum(self._lower, _plain(asked.lower))
        upper = np.minimum(self._upper, _plain(asked.upper))
        length = self._upper - self._lower
        point = (lower < upper) | (asked.closed & (lower == upper))
        shares = np.maximum(0.0, upper - lower) / np.where(length > 0, length, 1.0)
        return np.asarray(np.where(length > 0, shares, point))

    def _fits(self, extent: Extent) -> NDArray[np.bool_]:
        if isinstance(extent, Interval):
            first, past = self._span(extent)
            inside = np.zeros(len(self.domain), dtype=bool)
            inside[first:past] = True
            return inside
        return np.fromiter(_whether_in(self.domain, extent), dtype=bool, count=len(self.domain))

    def _spans(self, extents: Sequence[Interval]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Per interval the index of the first value in it and of the first past it."""
        lower = np.array([_plain(one.lower) for one in extents])  # whole numbers stay whole: of identifiers all digits
        upper = np.array([_plain(one.upper) for one in extents])
        closed = np.array([one.closed for one in extents], dtype=bool)
        first = self.domain.searchsorted(lower, side="left")
        past = np.where(closed, self.domain.searchsorted(upper, "right"), self.domain.searchsorted(upper, "left"))
        return first, np.maximum(first, past)

    def _span(self, extent: Interval) -> tuple[int, int]:
        """The index of the first value in an interval and of the first past it."""
        (first,), (past,) = self._spans([extent])
        return int(first), int(past)


def _whether_in(domain: NDArray[Any], extent: Categories) -> Iterator[bool]:
    wanted = extent.values  # noqa: PD011 - a set of texts
    return (str(value) in wanted for value in domain.tolist())


def _plain(number: float | Fraction) -> float:
    return float(number) if isinstance(number, Fraction) else number


def _ends(extent: Extent) -> tuple[float, float]:
    """The ends of an interval; of a set of categories two that no interval meets."""
    return (_plain(extent.lower), _plain(extent.upper)) if isinstance(extent, Interval) else (np.inf, -np.inf)
