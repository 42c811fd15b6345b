"""Cells of a published table: what the records of one class contribute to one column, exact."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.groups import LARGEST


class Verdict(StrEnum):
    """The verdict of a criterion for sensitive cells on one cell."""

    NOT_SENSITIVE = "not sensitive"
    SENSITIVE = "sensitive"
    UNDEFINED = "undefined"  # a negative contribution: shares of a total mean nothing then


class ClassCells:
    """The cells that criteria judge: class by column, each its contributions ``c_1 >= .. >= c_t`` (paper 2.3).

    Args:
        groups: the row numbers of each class; none is empty.
        values: whole numbers, one row per record, one column per column; int64 or Python ints.

    >>> cells = ClassCells([np.array([0, 1, 2])], np.array([[5], [90], [10]]))
    >>> cells.total.tolist(), cells.top(1).tolist(), cells.top(2).tolist()
    ([[105]], [[90]], [[100]])
    """

    def __init__(self, groups: Sequence[NDArray[np.int64]], values: NDArray[Any]) -> None:
        """See the class."""
        self.sizes = np.array([len(group) for group in groups], dtype=np.int64)
        rows = np.concatenate(groups) if len(groups) else np.empty(0, dtype=np.int64)
        self._starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]]) if len(groups) else rows
        self._values = values[rows]
        if self._values.dtype != object and len(rows):
            largest = max(-int(self._values.min()), int(self._values.max()))
            if largest * int(self.sizes.max()) >= LARGEST:
                self._values = self._values.astype(object)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of classes and of columns."""
        return len(self.sizes), self._values.shape[1]

    @cached_property
    def _descending(self) -> NDArray[Any]:
        """The contributions of each class from the largest to the smallest, column by column."""
        label = np.repeat(np.arange(len(self.sizes)), self.sizes)
        ordered = np.empty_like(self._values)
        for place in range(self._values.shape[1]):
            column = self._values[:, place]
            rank = np.unique(column, return_inverse=True)[1] if column.dtype == object else column
            ordered[:, place] = column[np.lexsort((-rank, label))]
        return ordered

    def _summed(self, values: NDArray[Any]) -> NDArray[Any]:
        return np.add.reduceat(values, self._starts, axis=0) if len(self.sizes) else values

    @cached_property
    def total(self) -> NDArray[Any]:
        """The sum of all contributions; shape (classes, columns), as of all that follow."""
        return self._summed(self._values)

    def top(self, n: int) -> NDArray[Any]:
        """The sum of the ``n`` largest contributions, of all where there are fewer."""
        place = np.arange(len(self._values)) - np.repeat(self._starts, self.sizes)
        return self._summed(np.where((place < n)[:, None], self._descending, 0))

    @cached_property
    def negative(self) -> NDArray[np.bool_]:
        """Whether any contribution is negative."""
        found: NDArray[np.bool_] = self._summed((self._values < 0).astype(np.int64)) > 0
        return found

    @cached_property
    def alone(self) -> NDArray[np.bool_]:
        """Whether there is a single contributor, whose value the cell shows as it is."""
        return np.broadcast_to((self.sizes == 1)[:, None], self.shape)


class CellRule(Protocol):
    """A criterion that calls cells sensitive."""

    @property
    def kind(self) -> str:
        """The rule's name in files: ``"dominance"`` or ``"p"``."""

    @property
    def value(self) -> str:
        """The parameter that the rule compares with, as it was given."""

    @property
    def text(self) -> str:
        """The rule in words and figures."""

    def sensitive(self, cells: ClassCells) -> NDArray[np.bool_]:
        """Per cell whether it is sensitive; means nothing where a contribution is negative."""


def judged(rule: CellRule, cells: ClassCells) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Judge per cell whether a criterion calls it sensitive, and whether it is undefined there; never both."""
    return rule.sensitive(cells) & ~cells.negative, cells.negative


def verdict(rule: CellRule, contributions: Sequence[int]) -> Verdict:
    """Return the verdict of a criterion on one cell.

    Args:
        rule: the rule.
        contributions: whole numbers in any order; of decimals, all times the same power of ten.
    """
    values = np.empty((len(contributions), 1), dtype=object)
    values[:, 0] = [int(contribution) for contribution in contributions]
    sensitive, undefined = judged(rule, ClassCells([np.arange(len(contributions))], values))
    return Verdict.UNDEFINED if undefined[0, 0] else Verdict.SENSITIVE if sensitive[0, 0] else Verdict.NOT_SENSITIVE
