"""A raw column as its attribute reads it, once: values, leaves, and what is wrong with them."""

from collections.abc import Callable, Container
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import blocks
from cra_engine.expected import expect
from cra_engine.raw.dates import periods_in
from cra_engine.raw.numbers import empty_cells, number_shown, numbers, plain_numbers, written_numbers
from cra_engine.raw.plain_cells import plain_cells
from cra_engine.raw.written import Problem, Written, listed, row_numbers
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.leaf_reader import NumberLeaves
from cra_engine.words import how_many, number_text


@dataclass(frozen=True, eq=False)
class RawColumn:
    """A raw column as its attribute reads it.

    Attributes:
        leaves: the leaf index per record; meaningless where a fatal problem names the row.
        problems: every finding: gaps, text, values outside the domain, values finer than the resolution (not fatal: the
            recoding is right, the counts of possibilities suppose whole steps).
    """

    leaves: NDArray[np.int16]
    problems: tuple[Problem, ...]
    _written: NDArray[Any]  # with its codes in small types: a table's columns are held until its classes are formed
    _codes: NDArray[np.signedinteger[Any]] | None = None

    @property
    def raw_values(self) -> NDArray[Any]:
        """The raw value per record, equal where the values are: numbers ("5" and "5.0" are one), stripped texts."""
        values = self._written if self._codes is None else self._written[self._codes]
        return np.asarray(values, dtype=np.int64) if values.dtype.kind == "i" else values


def read_column(
    column: "pd.Series[Any]", attribute: Hierarchy, *, every: bool = True, gaps: NDArray[np.bool_] | None = None
) -> RawColumn:
    """Read a raw column as an attribute means it and place its values on the leaves.

    Args:
        column: the cells.
        attribute: the hierarchy.
        every: False to name only the first three rows of each finding.
        gaps: per record whether it is a gap, where :func:`find_gaps` was asked already.
    """
    return reader_of(attribute, every=every, gaps=gaps).read(column)


class Reader(Protocol):
    """Reads the raw columns of one attribute."""

    def read(self, column: "pd.Series[Any]") -> RawColumn:
        """Reads a column."""


def reader_of(attribute: Hierarchy, *, every: bool = True, gaps: NDArray[np.bool_] | None = None) -> Reader:
    """Return who reads the raw columns of an attribute; arguments as those of :func:`read_column`."""
    return NumberReader(attribute, every=every, gaps=gaps) if attribute.numeric else CategoryReader(attribute)


class NumberReader:
    """Reads raw columns of numbers, dates and codes; arguments as those of :func:`read_column`."""

    def __init__(self, attribute: Hierarchy, *, every: bool, gaps: NDArray[np.bool_] | None) -> None:
        self._attribute, self._gaps = attribute, gaps
        self._placement = Placement(attribute, every=every)

    def read(self, column: "pd.Series[Any]") -> RawColumn:
        """Reads a column."""
        values, problems = read_numbers(column, self._attribute)
        leaves = np.empty(len(values), dtype=np.int16)
        for block in blocks(len(values)):
            leaves[block] = self._placement.add(values[block])
        if self._attribute.missing_leaf is not None:
            gaps = find_gaps(column, self._attribute.reader.listed) if self._gaps is None else self._gaps
            leaves[gaps] = self._attribute.missing_leaf
        misplaced = self._placement.problems(column)
        if not any(problem.fatal for problem in misplaced):  # a domain that holds all values settles what they mean
            problems = [problem for problem in problems if problem.rows or problem.settled]
        shared = column.dtype.kind in "iuf"  # with the table, which holds it anyway
        return RawColumn(leaves, (*problems, *misplaced), values if shared else _small(values))


class CategoryReader:
    """Reads raw columns of categories, by the values that the hierarchy lists."""

    def __init__(self, attribute: Hierarchy) -> None:
        self._attribute = attribute

    def read(self, column: "pd.Series[Any]") -> RawColumn:
        """Reads a column."""
        attribute, written = self._attribute, Written.of(column)
        gap = attribute.missing_leaf
        leaf_of = [
            gap
            if gap is not None and is_gap and text not in attribute.reader.listed
            else attribute.reader.leaf_of(text)
            for text, is_gap in zip(written.texts, written.empty, strict=True)
        ]
        listed = np.array([-1 if leaf is None else leaf for leaf in leaf_of], dtype=np.int16)
        empty = (listed < 0) & np.array(written.empty, dtype=bool)
        gaps, rows = written.rows(empty), written.rows((listed < 0) & ~empty)
        problems = [empty_cells(attribute.name, gaps)] if len(gaps) and not attribute.missing else []
        if len(rows):
            said = (
                f"Column {attribute.name!r}: {how_many(len(rows), 'value')} not listed in its hierarchy: "
                f"{written.listed(rows)}; add them to the hierarchy or correct them."
            )
            problems.append(Problem(attribute.name, tuple(rows.tolist()), said))
        texts = np.array(written.texts, dtype=object)
        return RawColumn(listed[written.codes], tuple(problems), texts, _small(written.codes))


def _small(values: NDArray[Any]) -> NDArray[Any]:
    """Returns whole numbers in the smallest type with a sign that holds them, all others as they are."""
    if values.dtype.kind != "i" or not len(values):
        return values
    ends = (int(values.min()), -int(values.max()) - 1)
    return values.astype(np.min_scalar_type(min(*ends, -1)))


def read_numbers(column: "pd.Series[Any]", attribute: Hierarchy) -> tuple[NDArray[Any], list[Problem]]:
    """Read a raw column's numbers as an attribute means them, and say what is wrong with the others.

    Gaps are no finding where the study says what becomes of them.
    """
    gaps, plain = bool(attribute.missing), None if attribute.dates else plain_numbers(column)
    if plain is not None or (column.dtype.kind in "iuf" and not attribute.dates):
        return numbers(column, gaps=gaps, plain=plain)
    return read_written_numbers(Written.of(column), attribute)


def read_written_numbers(column: Written, attribute: Hierarchy) -> tuple[NDArray[Any], list[Problem]]:
    """Read a raw column of text as :func:`read_numbers` does."""
    gaps = bool(attribute.missing)
    if attribute.dates:
        values, notes = periods_in(column, attribute.unit)
        empty = column.rows(column.empty)
        problems = [empty_cells(column.name, empty)] if len(empty) and not gaps else []
    else:
        column, notes = plain_cells(column, attribute)
        values, problems = written_numbers(column, gaps=gaps)
    named = {row for problem in notes for row in problem.rows}
    return values, notes + [problem for problem in problems if not named or not named.issuperset(problem.rows)]


class GatheredRows:
    """Rows of a raw column with one problem, gathered block by block.

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

    def rename(self, column: "pd.Series[Any]") -> None:
        """Give the rows, all of one column, the numbers that they have in its file."""
        if self.count:
            self._rows = [row_numbers(column)[self.rows - 1]]

    def problem(self, column: str, text: str, *, fatal: bool = True) -> Problem:
        """Returns these rows as a problem of a column."""
        return Problem(column, tuple(self.rows.tolist()), text, fatal)


class Placement:
    """Puts a raw column's numbers on an attribute's leaves, block by block, and remembers those that do not fit.

    Args:
        attribute: a numeric one.
        every: as for :class:`GatheredRows`.
    """

    def __init__(self, attribute: Hierarchy, *, every: bool = True) -> None:
        if not isinstance(attribute.reader, NumberLeaves):
            raise TypeError(f"{attribute.name!r} holds no numbers")
        self.attribute, self._reader = attribute, attribute.reader
        self._lower, self._step = float(attribute.lower), float(attribute.resolution)
        self._outside, self._off = GatheredRows(every=every), GatheredRows(every=every)
        self._records = 0

    def add(self, values: NDArray[Any]) -> NDArray[np.int16]:
        """The leaf of each number; meaningless where it is none (NaN) or lies outside the domain."""
        if values.dtype.kind in "iu" and len(values):
            listed = self._reader.locate_whole(values)
            if listed is not None:
                self._records += len(values)
                return listed
        leaf = self._reader.locate(values)
        inside = (leaf >= 0) & (leaf < self.attribute.leaves)
        whole = bool(inside.all())
        if not whole:
            known = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), dtype=bool)
            self._note(self._outside, np.flatnonzero(known & ~inside), values)
        if not self._outside.count:  # else nobody is told about the resolution
            steps = (values if whole else values[inside]).astype(np.float64)
            if self._reader.below or self._reader.above:
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

    def _note(self, gathered: GatheredRows, at: NDArray[np.int64], values: NDArray[Any]) -> None:
        dates, shown = self.attribute.dates, self.attribute.text
        gathered.add(
            self._records + at + 1,
            lambda position: (
                shown(Decimal(float(values[at[position]]))) if dates else number_shown(values[at[position]])
            ),
        )

    def problems(self, column: "pd.Series[Any] | None" = None) -> list[Problem]:
        """Values outside the domain, or else values finer than the resolution; rows are named as the column does."""
        name = self.attribute.name
        if column is not None:
            for gathered in (self._outside, self._off):
                gathered.rename(column)
        if self._outside.count:
            domain = f"[{self.attribute.text(self.attribute.lower)}, {self.attribute.text(self.attribute.upper)}["
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


def gaps_in(column: "pd.Series[Any]", attribute: Hierarchy) -> NDArray[np.bool_]:
    """Return per raw cell whether it is a gap: empty, or a word such as ``NA`` that the hierarchy does not list.

    >>> from cra_engine import Attribute
    >>> gaps_in(pd.Series(["34", "", "NA", "51"]), Attribute("age", 0, 80, 3)).tolist()
    [False, True, True, False]

    Args:
        column: the cells of one attribute, a row each.
        attribute: the attribute with its hierarchy.
    """
    expect(column, pd.Series, "gaps_in(column)")
    expect(attribute, Hierarchy, "gaps_in(attribute)")
    return find_gaps(column, attribute.reader.listed)


def find_gaps(column: "pd.Series[Any]", listed: Container[str] = ()) -> NDArray[np.bool_]:
    """Return :func:`gaps_in` of what is surely a raw column, by the values that its hierarchy lists."""
    if column.dtype.kind in "iuf":
        return column.isna().to_numpy(dtype=bool)
    if isinstance(column.dtype, pd.StringDtype):
        wordy = ~column.str.contains("[0-9]", na=False).to_numpy(dtype=bool)  # what says nothing holds no digit
        if not wordy.all():  # of a million different numbers none is looked at by itself
            gaps = np.zeros(len(column), dtype=bool)
            gaps[wordy] = find_gaps(column[wordy], listed)
            return gaps
    written = Written.of(column)
    unlisted = [nothing and text not in listed for text, nothing in zip(written.texts, written.empty, strict=True)]
    return np.asarray(np.array(unlisted, dtype=bool)[written.codes] | column.isna().to_numpy(dtype=bool))
