"""Raw tables: reading them from CSV and placing their records on the grid, with every finding in a sentence."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import blocks
from cra_engine.errors import DataError
from cra_engine.files.tables import column_of
from cra_engine.raw.cells_of_columns import plain_cells
from cra_engine.raw.gaps import complete, gaps_in
from cra_engine.raw.numbers import MISSING, Problem, _shown, empty_cells, listed, numbers
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.words import how_many, number_text


class Findings:
    """Rows of one kind, gathered block by block.

    Args:
        every: True to keep all their numbers, False to keep the first three only.

    Attributes:
        count: how many there are.
        cells: the first three as they are to be shown.
    """

    def __init__(self, *, every: bool = True) -> None:
        self._every = every
        self._rows: list[NDArray[np.int64]] = []
        self.count = 0
        self.cells: list[str] = []

    def add(self, rows: NDArray[np.int64], cells: Callable[[int], str]) -> None:
        """Note some more rows, counted from 1, and take the first of them by their position for showing."""
        if len(rows) and (self._every or len(self.cells) < 3):
            self._rows.append(rows if self._every else rows[: 3 - len(self.cells)])
        self.cells += [cells(position) for position in range(min(len(rows), 3 - len(self.cells)))]
        self.count += len(rows)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The rows that were kept, counted from 1."""
        return np.concatenate(self._rows) if self._rows else np.empty(0, dtype=np.int64)

    def problem(self, column: str, text: str, *, fatal: bool = True) -> Problem:
        """What was found, as a problem of a column."""
        return Problem(column, tuple(self.rows.tolist()), text, fatal)


class Placement:
    """Puts numbers on the leaves of an attribute, block by block, and remembers those that do not fit.

    Args:
        attribute: a numeric one.
        every: as for :class:`Findings`.
    """

    def __init__(self, attribute: Hierarchy, *, every: bool = True) -> None:
        self.attribute = attribute
        self._lower, self._step = float(attribute.lower), float(attribute.resolution)
        self._outside, self._off = Findings(every=every), Findings(every=every)
        self._records = 0

    def add(self, values: NDArray[Any]) -> NDArray[np.int16]:
        """The leaf of each number; meaningless where it is none (NaN) or lies outside the domain."""
        if values.dtype.kind in "iu" and len(values):
            listed = self.attribute.locate_whole(values)
            if listed is not None:
                self._records += len(values)
                return listed
        leaf = self.attribute.locate(values)
        inside = (leaf >= 0) & (leaf < self.attribute.leaves)
        whole = bool(inside.all())
        if not whole:
            known = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), dtype=bool)
            self._note(self._outside, np.flatnonzero(known & ~inside), values)
        if not self._outside.count:  # else nobody is told about the resolution
            steps = (values if whole else values[inside]).astype(np.float64)
            if self.attribute.below or self.attribute.above:
                steps[~np.isfinite(steps)] = self._lower
            np.subtract(steps, self._lower, out=steps)
            np.divide(steps, self._step, out=steps)
            np.subtract(steps, np.rint(steps), out=steps)
            np.abs(steps, out=steps)
            if steps.max(initial=0.0) > 1e-6:
                self._look_closer(values, inside, steps)
        self._records += len(values)
        return leaf

    def _look_closer(self, values: NDArray[Any], inside: NDArray[np.bool_], apart: NDArray[np.float64]) -> None:
        """Large numbers of small steps are not as exact as others: their rounding is no fault."""
        size = np.maximum(np.abs(values[inside].astype(float)), abs(self._lower))
        off = apart > 1e-6 + size / self._step * 2**-52
        self._note(self._off, np.flatnonzero(inside)[off], values)

    def _note(self, findings: Findings, at: NDArray[np.int64], values: NDArray[Any]) -> None:
        dates, shown = self.attribute.dates, self.attribute.text
        findings.add(
            self._records + at + 1,
            lambda position: shown(Decimal(float(values[at[position]]))) if dates else _shown(values[at[position]]),
        )

    def problems(self) -> list[Problem]:
        """Values outside the domain, or else values finer than the resolution."""
        name = self.attribute.name
        if self._outside.count:
            domain = f"[{self.attribute.text(self.attribute.lower)}, {self.attribute.text(self.attribute.upper)})"
            text = (
                f"Column {name!r}: {how_many(self._outside.count, 'value')} outside the domain {domain}: "
                f"{listed(self._outside.cells, self._outside.rows)}; widen the domain or correct the values."
            )
            return [self._outside.problem(name, text)]
        if self._off.count:
            text = (
                f"Column {name!r}: {how_many(self._off.count, 'value')} finer than the resolution "
                f"{number_text(self.attribute.resolution)}: {listed(self._off.cells, self._off.rows)}; "
                "the recoding is right, but possibilities are counted in whole steps."
            )
            return [self._off.problem(name, text, fatal=False)]
        return []


def check_column(
    column: "pd.Series[Any]", attribute: Hierarchy, *, every: bool = True
) -> tuple[NDArray[np.int16], list[Problem]]:
    """Place a column's values on the leaves of an attribute.

    Args:
        column: the raw values.
        attribute: the hierarchy.
        every: False to name only the first three rows of each finding.

    Returns:
        The leaf index per record (meaningless where a fatal problem names the row) and every finding: gaps, text,
        values outside the domain, values finer than the resolution (not fatal: the recoding is right, the counts of
        possibilities suppose whole steps).
    """
    if not attribute.numeric:
        return _check_categories(column, attribute)
    values, problems = attribute_numbers(column, attribute)
    placement = Placement(attribute, every=every)
    leaf = np.empty(len(values), dtype=np.int16)
    for block in blocks(len(values)):
        leaf[block] = placement.add(values[block])
    if attribute.missing_leaf is not None:
        leaf[gaps_in(column, attribute)] = attribute.missing_leaf
    found = placement.problems()
    if not any(problem.fatal for problem in found):  # a domain that holds all values settles how they are meant
        problems = [problem for problem in problems if problem.rows or problem.settled]
    return leaf, problems + found


def attribute_numbers(column: "pd.Series[Any]", attribute: Hierarchy) -> tuple[NDArray[Any], list[Problem]]:
    """A column's numbers as an attribute means them: gaps are no finding where the study says what becomes of them."""
    column, notes = plain_cells(column, attribute)
    values, problems = numbers(column, gaps=bool(attribute.missing))
    named = {row for problem in notes for row in problem.rows}
    return values, notes + [problem for problem in problems if not named or not named.issuperset(problem.rows)]


def _check_categories(column: "pd.Series[Any]", attribute: Hierarchy) -> tuple[NDArray[np.int16], list[Problem]]:
    codes, texts = _texts(column)
    gap = attribute.missing_leaf
    places = [
        gap
        if gap is not None and text.lower() in MISSING and text not in attribute.leaf_of_value
        else attribute.leaf_of_category(text)
        for text in texts
    ]
    known = np.array([-1 if place is None else place for place in places], dtype=np.int16)
    leaf = known[codes]
    empty = np.array([text.lower() in MISSING for text in texts], dtype=bool)[codes] & (leaf < 0)
    gaps = np.flatnonzero(empty) + 1
    problems = [empty_cells(attribute.name, gaps)] if len(gaps) and not attribute.missing else []
    rows = np.flatnonzero((leaf < 0) & ~empty) + 1
    if not len(rows):
        return leaf, problems
    cells = [repr(texts[codes[row - 1]][:40]) for row in rows[:3]]
    found = (
        f"Column {attribute.name!r}: {how_many(len(rows), 'value')} not listed in its hierarchy: "
        f"{listed(cells, rows)}; add them to the hierarchy or correct them."
    )
    return leaf, [*problems, Problem(attribute.name, tuple(rows.tolist()), found)]


def _texts(column: "pd.Series[Any]") -> tuple[NDArray[np.int64], list[str]]:
    """A column's cells as stripped text, each text once: per row its place among the texts, and the texts."""
    if column.dtype == object:  # 1, 1.0 and True are equal there, but they are written differently
        column = column.map(lambda cell: "" if pd.isna(cell) else str(cell))
    codes, different = pd.factorize(column, use_na_sentinel=False)
    return codes, ["" if pd.isna(cell) else str(cell).strip() for cell in different]


@dataclass(frozen=True)
class Located:
    """A raw table placed on the grid.

    Attributes:
        leaves: leaf index per record and attribute (records x attributes).
        warnings: findings that do not stop the recoding, as sentences.
    """

    leaves: NDArray[np.int16]
    warnings: tuple[str, ...]


def no_records() -> DataError:
    """What is wrong with a table without rows."""
    return DataError("The table holds no record; it needs one row per person below the column names.")


def locate(data: pd.DataFrame, study: Study) -> Located:
    """Place every record of a raw table on the leaves of the study's hierarchies, but for rows that it leaves out.

    Raises:
        DataError: no record, a missing column, or the first fatal finding of :func:`check_column`.
    """
    data = complete(data, study).data
    columns = [column_of(data, name) for name in study.names]
    if not len(data):
        raise no_records()
    leaves = np.empty((len(data), len(columns)), dtype=np.int16, order="F")
    warnings = []
    for position, (column, attribute) in enumerate(zip(columns, study.attributes, strict=True)):
        leaves[:, position], problems = check_column(column, attribute, every=False)
        for problem in problems:
            if problem.fatal:
                raise DataError(problem.text)
            warnings.append(problem.text)
    return Located(leaves, tuple(warnings))


def raw_values(column: "pd.Series[Any]", attribute: Hierarchy) -> NDArray[Any]:
    """Per record its raw value, equal where the values are: "5" and "5.0" are one number."""
    if attribute.numeric:
        return attribute_numbers(column, attribute)[0]
    return column.astype(str).str.strip().to_numpy(dtype=object)
