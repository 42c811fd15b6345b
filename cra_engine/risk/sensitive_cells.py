"""Says which cells of a release are sensitive, and who could estimate whose number how closely.

A cell is what the records of one class contribute to one numeric column. Whoever knows the cell's total (a published
mean times the number of records is the total) and one contribution knows the sum of the others; Torra and
Navarro-Arribas (2023) count how often that gives somebody away.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.criteria.cells import CellRule, ClassCells, judged
from cra_engine.criteria.concentration import USUAL, Dominance
from cra_engine.errors import DataError
from cra_engine.expected import expect, expect_each
from cra_engine.raw.exact_columns import ExactColumns, exact_columns
from cra_engine.results import Json, Result, plain
from cra_engine.words import shortest_number

Place = tuple[int, int]  # class, column


@dataclass(frozen=True)
class Conclusion:
    """The risk to one contributor of a cell: what another, who knows its total, can say of them.

    Attributes:
        who: row number of the contributor who estimates.
        whom: row number of the one estimated.
        upper: the total less the own contribution: the other has no more, as nobody contributes less than 0.
        lower: what the other has at least. By the total alone 0. The second largest, who knows to be it, knows more: at
            least the own contribution, and at least what is left when everybody else has as much.
        error: how far ``upper`` is above the truth, as a share of the truth; None where the truth is 0.
    """

    who: int
    whom: int
    lower: Fraction
    upper: Fraction
    error: Fraction | None


@dataclass(frozen=True)
class Cell:
    """One cell at risk: its contributors from the largest to the smallest, equal ones in the table's order.

    Attributes:
        group: the class, from 0.
        column: the column's name.
        rows: row numbers from 0.
        contributions: the raw values, exact.
    """

    group: int
    column: str
    rows: tuple[int, ...]
    contributions: tuple[Fraction, ...]

    @property
    def total(self) -> Fraction:
        """The sum of all contributions."""
        return sum(self.contributions, Fraction(0))

    @property
    def defined(self) -> bool:
        """Returns whether the rules and the estimates mean anything: no contribution is negative."""
        return self.contributions[-1] >= 0

    def closest(self) -> Conclusion | None:
        """The second largest contributor on the largest: nobody can estimate anybody more closely.

        None where there is one contributor, whose value the cell shows as it is, or a negative contribution.

        >>> Cell(0, "income", (4, 7, 9), (Fraction(90), Fraction(10), Fraction(5))).closest()
        Conclusion(who=7, whom=4, lower=Fraction(85, 1), upper=Fraction(95, 1), error=Fraction(1, 18))
        """
        if len(self.rows) < 2 or not self.defined:
            return None
        second = self.contributions[1]
        at_least = max(second, self.total - (len(self.rows) - 1) * second)
        return self._estimate(1, 0, at_least)

    def estimates(self, within: Fraction | None = None) -> tuple[Conclusion, ...]:
        """Returns what each contributor can say of each other by the total alone, the closest first.

        Args:
            within: leave out estimates whose error is this share or more; None for all.
        """
        if not self.defined:
            return ()
        size = len(self.rows)
        estimates = [self._estimate(i, j, Fraction(0)) for i in range(size) for j in range(size) if i != j]
        if within is not None:
            estimates = [one for one in estimates if one.error is not None and one.error < within]
        return tuple(sorted(estimates, key=lambda one: (one.error is None, one.error)))

    def _estimate(self, who: int, whom: int, lower: Fraction) -> Conclusion:
        upper, truth = self.total - self.contributions[who], self.contributions[whom]
        error = (upper - truth) / truth if truth else None
        return Conclusion(self.rows[who], self.rows[whom], lower, upper, error)


@dataclass(frozen=True)
class RuleFindings:
    """The cells at risk by one rule.

    Attributes:
        rule: the rule.
        sensitive: the cells that it calls sensitive, each as class and number of the column.
        undefined: the cells with a negative contribution, of which it says nothing; they are never safe.
    """

    rule: CellRule
    sensitive: tuple[Place, ...]
    undefined: tuple[Place, ...]


@dataclass(frozen=True, eq=False, repr=False)
class SensitiveCells(Result):
    """The cells of a release at risk under some rules.

    Attributes:
        groups: row numbers of each class.
        columns: the columns, exact.
        findings: what each rule says, in the order given.
        alone: the cells with a single contributor, whose value stands there as it is whatever the rules say.
    """

    groups: tuple[NDArray[np.int64], ...]
    columns: ExactColumns
    findings: tuple[RuleFindings, ...]
    alone: tuple[Place, ...]

    @property
    def cells(self) -> int:
        """Returns how many cells there are."""
        return len(self.groups) * len(self.columns.names)

    @property
    def undefined(self) -> int:
        """Returns how many cells have a negative contribution: the same for every rule."""
        return int(ClassCells(self.groups, self.columns.whole).negative.sum())

    @cached_property
    def offending(self) -> tuple[Place, ...]:
        """The cells that any rule calls sensitive, in the order of classes and columns."""
        return tuple(sorted({place for one in self.findings for place in one.sensitive}))

    @cached_property
    def closest_first(self) -> tuple[Place, ...]:
        """The same cells, those first in which the second largest contributor comes closest to the largest."""
        cells = ClassCells(self.groups, self.columns.whole)
        rest, largest = (cells.total - cells.top(2)).astype(float), cells.top(1).astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):
            errors = np.where(largest > 0, rest / largest, np.inf)
        return tuple(sorted(self.offending, key=lambda place: (errors[place], place)))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Returns what to know of the columns, as sentences."""
        return self.columns.warnings

    def summary(self) -> dict[str, object]:
        """Number of cells, and how many any rule calls sensitive."""
        return {"cells": self.cells, "sensitive": len(self.offending)}

    def to_frame(self) -> pd.DataFrame:
        """A row per rule and sensitive cell: the rule, the class, the column, the number of records."""
        return pd.DataFrame(
            [
                (one.rule.text, group, self.columns.names[column], len(self.groups[group]))
                for one in self.findings
                for group, column in sorted(one.sensitive)
            ],
            columns=["rule", "class", "column", "records"],
        )

    def to_dict(self) -> Json:
        """As plain data: what the rules say of each cell, and who could estimate whom."""
        return plain(
            {
                "records": len(self.columns),
                "classes": [{"rows": rows, "size": len(rows)} for rows in self.groups],
                "columns": self.columns.names,
                "cells": self.cells,
                "rules": [
                    {
                        "rule": one.rule.kind,
                        "n": int(one.rule.n) if isinstance(one.rule, Dominance) else None,
                        "value": one.rule.value,
                        "sensitive": len(one.sensitive),
                        "undefined": len(one.undefined),
                        "cells": self._named(one.sensitive),
                    }
                    for one in self.findings
                ],
                "alone": self._named(self.alone),
                "estimates": self._estimates(),
                "warnings": self.warnings,
            }
        )

    def _named(self, places: Sequence[Place]) -> list[tuple[int, str]]:
        return [(group, self.columns.names[column]) for group, column in places]

    def _estimates(self) -> list[Json]:
        """Of each sensitive cell what its second largest contributor can say of the largest."""
        closest = [(self._named([place])[0], self.cell(*place).closest()) for place in self.offending]
        return [
            {
                "cell": cell,
                "who": estimate.who,
                "whom": estimate.whom,
                "lower": shortest_number(estimate.lower),
                "upper": shortest_number(estimate.upper),
                "error": estimate.error,
            }
            for cell, estimate in closest
            if estimate is not None
        ]

    def cell(self, group: int, column: int | str) -> Cell:
        """One cell with its contributors.

        Args:
            group: the class, from 0.
            column: the column's number in ``columns.names``, or its name.
        """
        place = self.columns.names.index(column) if isinstance(column, str) else column
        rows = self.groups[group]
        values = self.columns.whole[rows, place].tolist()
        order = sorted(range(len(rows)), key=lambda at: (-values[at], at))
        return Cell(
            group,
            self.columns.names[place],
            tuple(int(rows[at]) for at in order),
            tuple(self.columns.number(values[at]) for at in order),
        )


def sensitive_cells(
    groups: Sequence[NDArray[np.int64] | Sequence[int]],
    data: pd.DataFrame | ExactColumns,
    rules: Sequence[CellRule] = USUAL,
    columns: Sequence[str] | None = None,
) -> SensitiveCells:
    """Find the cells at risk in a release, whoever published it, by rules for sensitive cells; exact.

    Args:
        groups: the classes: row numbers from 0. Rows in none of them, such as suppressed ones, count nowhere.
        data: the raw table, or its columns as :func:`cra_engine.raw.exact_columns.exact_columns` reads them.
        rules: (2, 0.6)-dominance and the p % rule with 0.6 unless named.
        columns: the columns to judge; all that hold numbers unless named.

    Raises:
        DataError: a class is empty, names a row that is not there, or shares one with another; a column cannot be used.

    >>> table = pd.DataFrame({"income": [90, 10, 5, 30, 30, 40]})
    >>> found = sensitive_cells([[0, 1, 2], [3, 4, 5]], table)
    >>> [(one.rule.text, one.sensitive) for one in found.findings]
    [('(2, 0.6)-dominance', ((0, 0), (1, 0))), ('p % rule with p = 0.6', ((0, 0),))]
    >>> round(float(found.cell(0, "income").closest().error), 3)
    0.056
    """
    expect(data, (pd.DataFrame, ExactColumns), "sensitive_cells(data)")
    groups = expect_each(groups, Iterable, "sensitive_cells(groups)")
    exact = data if isinstance(data, ExactColumns) else exact_columns(data, columns)
    try:
        classes = tuple(np.asarray(group, dtype=np.int64) for group in groups)
    except (ValueError, TypeError):
        raise DataError("Each of the groups must be a list of row numbers from 0, such as [[0, 1], [2, 3]].") from None
    _check(classes, len(exact))
    cells = ClassCells(classes, exact.whole)
    findings = []
    for rule in rules:
        sensitive, undefined = judged(rule, cells)
        findings.append(RuleFindings(rule, _places(sensitive), _places(undefined)))
    return SensitiveCells(classes, exact, tuple(findings), _places(cells.alone))


def classes_of(release: pd.DataFrame, by: Sequence[str]) -> tuple[NDArray[np.int64], ...]:
    """Return a published table's classes to find cells at risk: rows equal in some columns, by their first row.

    Rows with ``*`` in all of these columns are suppressed and in no class.

    Raises:
        DataError: no column named, a column missing, or named twice.

    >>> [rows.tolist() for rows in classes_of(pd.DataFrame({"age": ["[0, 9[", "*", "[0, 9["]}), ["age"])]
    [[0, 2]]
    """
    if not by:
        raise DataError("Name the columns by which rows of the release are a class, such as its quasi-identifiers.")
    label = np.zeros(len(release), dtype=np.int64)
    hidden = np.ones(len(release), dtype=bool)
    for place, name in enumerate(by):
        if name in by[:place]:
            raise DataError(f"Column {name!r} is named twice; name each column once.")
        if name not in release.columns:
            have = ", ".join(repr(str(column)) for column in release.columns[:12])
            raise DataError(f"The release has no column {name!r}; it has: {have}.")
        column: pd.Series[Any] = release[name]
        codes, labels = pd.factorize(column, use_na_sentinel=False)
        hidden &= np.array([label == "*" for label in labels], dtype=bool)[codes]
        label = np.unique(label * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    rows = np.flatnonzero(~hidden)
    order = rows[np.argsort(label[rows], kind="stable")]
    borders = np.flatnonzero(np.diff(label[order])) + 1
    groups = np.split(order, borders) if len(order) else []
    return tuple(sorted(groups, key=lambda group: int(group[0])))


def _places(marked: NDArray[np.bool_]) -> tuple[Place, ...]:
    return tuple((int(group), int(column)) for group, column in zip(*np.nonzero(marked), strict=True))


def _check(groups: Sequence[NDArray[np.int64]], records: int) -> None:
    seen = np.zeros(records, dtype=np.int64)
    for group, rows in enumerate(groups):
        if not len(rows):
            raise DataError(f"Class {group} has no rows; leave it out.")
        if int(rows.min()) < 0 or int(rows.max()) >= records:
            raise DataError(f"Class {group} names a row that the table of {records:,} records does not have.")
        np.add.at(seen, rows, 1)
    if (seen > 1).any():
        raise DataError(f"Row {int(seen.argmax()) + 1} is in two classes, or twice in one; each row has one place.")
