"""Publishing by microaggregation: the settings, the clusters, the table, what it costs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.choices import ClusterMethod
from cra_engine.criteria.cells import CellRule, ClassCells, judged
from cra_engine.errors import CRAError, DataError
from cra_engine.expected import expect, whole_number
from cra_engine.publish.microaggregation.compliance import merged_clusters
from cra_engine.publish.microaggregation.mdav import Clusters, mdav
from cra_engine.publish.microaggregation.mondrian import mondrian
from cra_engine.published import Extents, Interval, Published, RowClass, WithoutHierarchies
from cra_engine.raw.exact_columns import ExactColumns, exact_columns, text_columns
from cra_engine.results import Json, plain
from cra_engine.study.roles import Roles
from cra_engine.words import rows_text

METHODS: tuple[ClusterMethod, ...] = ("mdav", "mondrian")


class NotCompliantError(CRAError):
    """No clusters of this table comply with the rules; the message says why."""


@dataclass(frozen=True, eq=False, repr=False)
class Microaggregation(WithoutHierarchies):
    """A table published by microaggregation.

    Attributes:
        k: the smallest size of a cluster.
        method: ``"mdav"`` or ``"mondrian"``.
        standardize: whether distances were taken over columns divided by their standard deviations.
        columns: the microaggregated columns, exact.
        clusters: row numbers of each cluster from 0, ascending.
        unmerged: the clusters before some were merged to comply with rules; the same where none were.
        frame: the table as handed out, rows in the input's order: cluster means, other columns as they were.
        warnings: what to know, as sentences.
    """

    k: int
    method: ClusterMethod
    standardize: bool
    columns: ExactColumns
    clusters: Clusters
    unmerged: Clusters
    frame: pd.DataFrame
    warnings: tuple[str, ...] = ()

    @property
    def classes(self) -> tuple[RowClass, ...]:
        """The clusters as classes of the published table."""
        return tuple(RowClass(rows) for rows in self.clusters)

    @property
    def cells(self) -> int:
        """Returns how many cells the table has: clusters times columns."""
        return len(self.clusters) * len(self.columns.names)

    @cached_property
    def squared_error(self) -> float:
        """Squared error within clusters over that of one cluster of all, 0 (nothing lost) to 1; 0 where none differ."""
        return squared_error(self.columns, self.clusters)

    @cached_property
    def squared_error_unmerged(self) -> float:
        """The same before clusters were merged to comply with rules."""
        return squared_error(self.columns, self.unmerged)

    @cached_property
    def published(self) -> Published:
        """The table as criteria and losses read it: each value stands for a point."""
        means = _means(self.columns, self.clusters)
        of_row = _labels(self.clusters)
        extents = {
            name: Extents(tuple(Interval(mean, mean, closed=True) for mean in column), of_row)
            for name, column in zip(self.columns.names, means, strict=True)
        }
        reason = "Rows show means, not intervals: what a reader concludes from them is not counted here."
        nobody = np.empty(0, dtype=np.int64)
        return Published(self.frame, extents, self.clusters, nobody, no_release=reason, notes=self.warnings)

    def summary(self) -> dict[str, object]:
        """Records, k, method, clusters, the share of the variance that is lost."""
        lost = f"{self.squared_error:.4g}"
        size = {"records": len(self.columns), "k": self.k, "method": self.method, "classes": len(self.clusters)}
        return size | {"squared_error": lost}

    def to_frame(self) -> pd.DataFrame:
        """The clusters as a table: what each shows, and its size."""
        return self.published.classes_table()

    def to_dict(self) -> Json:
        """As plain data: the clusters with their rows, and what is lost."""
        return plain(
            {
                "records": len(self.columns),
                "k": self.k,
                "method": self.method,
                "standardize": self.standardize,
                "columns": self.columns.names,
                "clusters": [{"rows": rows, "size": len(rows)} for rows in self.clusters],
                "cells": self.cells,
                "loss": self.squared_error,
                "clusters_unmerged": len(self.unmerged),
                "loss_unmerged": self.squared_error_unmerged,
                "warnings": self.warnings,
            }
        )


def microaggregate(
    data: pd.DataFrame,
    k: int,
    *,
    method: ClusterMethod = "mdav",
    columns: Sequence[str] | None = None,
    standardize: bool = False,
    comply: Sequence[CellRule] = (),
    roles: Roles | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Microaggregation:
    """Publish a table by microaggregation: clusters of ``k`` or more records, numbers replaced by cluster means.

    Source: Torra and Navarro-Arribas (2023), section 2.1. Everything is exact: numbers count as they are written, and
    no tie hangs on rounding; published means are rounded to the nearest double.

    Args:
        data: the raw table, one row per record.
        k: the smallest size of a cluster, 2 to the number of records.
        method: ``"mdav"`` or ``"mondrian"``.
        columns: the columns to microaggregate; all that hold numbers and have no role unless named.
        standardize: divide columns by their standard deviations, in MDAV's distances only; Mondrian compares relative
            ranges already.
        comply: merge clusters until none of these rules calls a cell sensitive.
        roles: columns that leave the release, and those that stay in it as they are; none when left out.
        progress: told now and then how much is done, and of how much: records, then clusters that may be merged.

    Raises:
        DataError: k does not fit; a column is missing, or holds text or empty cells.
        NotCompliantError: no clusters comply with the rules.

    >>> table = pd.DataFrame({"name": list("abcde"), "age": [20, 22, 60, 64, 35]})
    >>> result = microaggregate(table, 2)
    >>> [rows.tolist() for rows in result.clusters], round(result.squared_error, 4)
    ([[2, 3], [0, 1, 4]], 0.0816)
    >>> result.frame["age"].tolist()
    [25.666666666666668, 25.666666666666668, 62.0, 62.0, 25.666666666666668]
    """
    expect(data, pd.DataFrame, "microaggregate(data)")
    every = columns is None
    if roles is not None:
        data = roles.published(data)
        if columns is None and roles:
            texts = set(text_columns(data))
            columns = [str(name) for name in data.columns if name not in texts and roles.of(str(name)) == "undecided"]
    exact = exact_columns(data, columns)
    if comply:
        refuse_hopeless(exact, comply)
    formed = formed_clusters(exact, k, method, standardize=standardize, progress=progress)
    clusters = complying(exact, formed, comply, standardize=standardize, progress=progress) if comply else formed
    return Microaggregation(
        k=int(k),
        method=method,
        standardize=standardize,
        columns=exact,
        clusters=clusters,
        unmerged=formed,
        frame=_frame(data, exact, clusters),
        warnings=(*exact.warnings, *(_left_out(data) if every else ())),
    )


def formed_clusters(
    columns: ExactColumns,
    k: int,
    method: ClusterMethod = "mdav",
    *,
    standardize: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Clusters:
    """Form the clusters of :func:`microaggregate` before any are merged; its arguments, its errors.

    >>> columns = ExactColumns(("age",), np.array([[20], [22], [60], [64]]), 0)
    >>> [rows.tolist() for rows in formed_clusters(columns, 2)]
    [[2, 3], [0, 1]]
    """
    if method not in METHODS:
        raise DataError(f"There is no method {method!r}; take {' or '.join(METHODS)}.")
    whole = whole_number(k)
    if whole is None or not 2 <= whole <= len(columns):
        raise DataError(
            f"k is {k}; clusters need k of 2 or more"
            + (f", and no more than the {len(columns):,} records of the table." if len(columns) >= 2 else " records.")
        )
    if method == "mdav":
        return mdav(columns.whole, whole, _weights(columns) if standardize else None, progress)
    return mondrian(columns.whole, whole, progress)


def complying(
    columns: ExactColumns,
    clusters: Clusters,
    rules: Sequence[CellRule],
    *,
    standardize: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Clusters:
    """Merge clusters until no cell is sensitive; only for rules that :func:`refuse_hopeless` has let pass."""
    return merged_clusters(clusters, columns.whole, rules, _weights(columns) if standardize else None, progress)


def squared_error(columns: ExactColumns, clusters: Clusters) -> float:
    """Return squared error within clusters over that of one cluster of all records; 0 where all are alike.

    Computed exactly, then rounded once.

    >>> columns = ExactColumns(("age",), np.array([[1], [3], [5], [7]]), 0)
    >>> squared_error(columns, (np.array([0, 1]), np.array([2, 3])))
    0.2
    """
    squares = sum(value * value for column in columns.whole.T for value in column.tolist())
    everybody = (np.arange(len(columns)),)
    total = squares - _explained(columns, everybody)
    return float((squares - _explained(columns, clusters)) / total) if total else 0.0


def _explained(columns: ExactColumns, clusters: Clusters) -> Fraction:
    """The sum of squares of cluster means, each as often as its cluster has records."""
    sums = ClassCells(clusters, columns.whole).total
    by_size: dict[int, int] = {}
    for rows, row in zip(clusters, sums.tolist(), strict=True):
        by_size[len(rows)] = by_size.get(len(rows), 0) + sum(value * value for value in row)
    return sum((Fraction(squares, size) for size, squares in by_size.items()), Fraction(0))


def _weights(columns: ExactColumns) -> list[int]:
    """One over each column's variance, times what makes all of them whole; 1 where nothing varies."""
    spreads = []
    for column in columns.whole.T:
        numbers = column.tolist()
        total = sum(numbers)
        spreads.append(len(numbers) * sum(value * value for value in numbers) - total * total)
    over = lcm(*(spread for spread in spreads if spread))
    return [over // spread if spread else 1 for spread in spreads]


def refuse_hopeless(columns: ExactColumns, rules: Sequence[CellRule]) -> None:
    """Refuse rules for sensitive cells that no clusters comply with.

    Raises:
        NotCompliantError: a number is negative, or all records together form a sensitive cell.
    """
    everybody = ClassCells([np.arange(len(columns))], columns.whole)
    for place, name in enumerate(columns.names):
        if everybody.negative[0, place]:
            row = int(np.flatnonzero(columns.whole[:, place] < 0)[0])
            number = float(columns.number(columns.whole[row, place]))
            raise NotCompliantError(
                f"Column {name!r}, {rows_text([row + 1])}: {number:g} is negative, where the rules for sensitive cells "
                "are undefined, so no clusters can be shown to comply; leave the column out."
            )
    for rule in rules:
        for place in np.flatnonzero(judged(rule, everybody)[0][0]).tolist():
            raise NotCompliantError(
                f"Column {columns.names[place]!r}: one cluster of all {len(columns):,} records is sensitive by the "
                f"{rule.text} still, and then so is some cluster of every other choice: nothing complies; leave the "
                "column out, take out the records with its largest numbers, or loosen the rule."
            )


def _labels(clusters: Clusters) -> NDArray[np.int64]:
    labels = np.empty(sum(map(len, clusters)), dtype=np.int64)
    for label, rows in enumerate(clusters):
        labels[rows] = label
    return labels


def _means(columns: ExactColumns, clusters: Clusters) -> list[list[Fraction]]:
    """Per column the mean of each cluster."""
    sums = ClassCells(clusters, columns.whole).total
    scale = 10**columns.digits
    return [
        [Fraction(int(total), len(rows) * scale) for total, rows in zip(column, clusters, strict=True)]
        for column in sums.T
    ]


def _frame(data: pd.DataFrame, columns: ExactColumns, clusters: Clusters) -> pd.DataFrame:
    of_row = _labels(clusters)
    frame = data.copy()
    for name, means in zip(columns.names, _means(columns, clusters), strict=True):
        place = [str(column) for column in data.columns].index(name)
        frame.isetitem(place, np.array([float(mean) for mean in means])[of_row])
    return frame


def _left_out(data: pd.DataFrame) -> tuple[str, ...]:
    names = text_columns(data)
    if not names:
        return ()
    listed = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
    it_is, it_holds = ("it is", "it holds") if len(names) == 1 else ("they are", "they hold")
    return (f"Published as {it_is}, since {it_holds} no numbers: {listed}.",)
