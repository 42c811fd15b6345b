"""The values of sensitive columns, counted by the places that their records lie in: cells, or different rows."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.criteria.groups import Spread
from cra_engine.errors import DataError, StudyError
from cra_engine.files.tables import column_of
from cra_engine.raw.numbers import numbers
from cra_engine.words import how_many, rows_text


class Reads(Protocol):
    """A privacy criterion, as a reader of raw sensitive columns."""

    @property
    def columns(self) -> Mapping[str, bool]:
        """The columns, and whether as numbers where all their cells are."""


def sensitive_columns(names: Sequence[str], criteria: Sequence[Reads]) -> dict[str, bool]:
    """Return the raw columns that criteria read, and whether as numbers: only where all of them can.

    Args:
        names: the quasi-identifiers.
        criteria: what classes must pass.

    Raises:
        StudyError: one of them is a quasi-identifier.
    """
    columns: dict[str, bool] = {}
    for criterion in criteria:
        for name, as_numbers in criterion.columns.items():
            columns[name] = columns.get(name, True) and as_numbers
    for name in columns:
        refuse_quasi_identifier(name, names)
    return columns


def refuse_quasi_identifier(name: str, names: Sequence[str]) -> None:
    """Refuse a quasi-identifier as a sensitive or marking column of a raw table.

    Raises:
        StudyError: it is one.
    """
    if name in names:
        raise StudyError(
            f"{name!r} is a quasi-identifier of the study; a sensitive or marking attribute must be another column."
        )


class SensitiveCounts:
    """The values of some raw sensitive columns, counted by place, block by block.

    Args:
        columns: per column whether it is read as numbers where all its cells are.

    Attributes:
        table_rows: rows of the table so far, those that are left out for missing values too.

    >>> found = SensitiveCounts({"illness": True})
    >>> found.add(pd.DataFrame({"illness": ["flu", "gout", "flu"]}), np.array([7, 7, 9]))
    >>> spread = found.spreads()["illness"]
    >>> spread.values, spread.group.tolist(), spread.value.tolist(), spread.count.tolist()
    (['flu', 'gout'], [7, 7, 9], [0, 1, 0], [1, 1, 1])
    """

    def __init__(self, columns: Mapping[str, bool]) -> None:
        self.columns = dict(columns)
        self._texts: dict[str, dict[str, int]] = {name: {} for name in columns}
        self._counts: dict[str, list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]] = {name: [] for name in columns}
        self._empty: dict[str, tuple[int, int]] = {}  # per column the first row without a value, and how many there are
        self.table_rows = 0

    def add(
        self,
        frame: pd.DataFrame,
        places: NDArray[Any],
        rows: NDArray[np.int64] | None = None,
        times: NDArray[np.int64] | None = None,
    ) -> None:
        """Count more records.

        Args:
            frame: with the columns.
            places: per record its place.
            rows: per record its row in the table, from 0, ascending; left out where they follow the last block's.
            times: how often each counts; once when left out.
        """
        rows = np.arange(len(frame)) + self.table_rows if rows is None else rows
        self.table_rows = int(rows.max(initial=self.table_rows - 1)) + 1
        for name, texts in self._texts.items():
            codes, values = pd.factorize(column_of(frame, name), use_na_sentinel=False)
            own = ["" if pd.isna(value) else str(value).strip() for value in values]
            if "" in own:
                empty = rows[np.array([not text for text in own], dtype=bool)[codes]]
                first, many = self._empty.get(name, (int(empty[0]), 0))
                self._empty[name] = first, many + len(empty)
            known = np.array([texts.setdefault(text, len(texts)) for text in own], dtype=np.int64)
            self._counts[name].append(_counted(places, known[codes], times))
            if len(self._counts[name]) > 1:
                self._merge(name)

    def join(self, later: "SensitiveCounts") -> None:
        """Count the records of another part of the table, which follows this one."""
        for name, texts in self._texts.items():
            known = np.array([texts.setdefault(text, len(texts)) for text in later._texts[name]], dtype=np.int64)  # noqa: SLF001 - of the same class
            for places, values, counts in later._counts[name]:  # noqa: SLF001 - as above
                self._counts[name].append((places, known[values], counts))
            self._merge(name)
            if name in later._empty:  # noqa: SLF001 - as above
                row, more = later._empty[name]  # noqa: SLF001 - as above
                first, many = self._empty.get(name, (row + self.table_rows, 0))
                self._empty[name] = first, many + more
        self.table_rows += later.table_rows

    def _merge(self, name: str) -> None:
        self._counts[name] = [_counted(*map(np.concatenate, zip(*self._counts[name], strict=True)))]

    def spreads(self) -> dict[str, Spread]:
        """Per column how its values spread over the places.

        Raises:
            DataError: a cell is empty.
        """
        return {name: self._spread(name) for name in self.columns}

    def _spread(self, name: str) -> Spread:
        if name in self._empty:
            first, many = self._empty[name]
            cells = how_many(many, "missing value")
            raise DataError(
                f"The sensitive column {name!r} has {cells}, {'the first ' * (many > 1)}in "
                f"{rows_text([first + 1])}; nobody can say what they protect: complete or remove these rows."
            )
        texts = list(self._texts[name])
        order, different, numeric = np.argsort(np.array(texts, dtype=object), kind="stable"), sorted(texts), False
        place_of = np.empty(len(texts), dtype=np.int64)
        place_of[order] = np.arange(len(texts))
        if self.columns[name]:
            found, problems = numbers(pd.Series(texts, dtype=object, name=name))
            if not any(problem.fatal for problem in problems):
                # Those that are written differently are still one value.
                kept, place_of = np.unique(found, return_inverse=True)
                different, numeric = kept.tolist(), True
        places, values, counts = self._counts[name][0]
        places, values, counts = _counted(places, place_of[values], counts)
        totals = np.bincount(values, counts, minlength=len(different)).astype(np.int64)
        return Spread(different, totals, places, values, counts, numeric)


def _counted(
    places: NDArray[Any], values: NDArray[Any], counts: NDArray[Any] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The different pairs of a place and a value in order, and the sum of the counts of each, or how many there are."""
    width = int(values.max(initial=0)) + 1
    keys = places.astype(np.int64) * width + values
    space = (int(places.max(initial=0)) + 1) * width
    if space <= 4 * len(keys) + 1024:
        totals = np.bincount(keys, counts, minlength=space)
        pairs = np.flatnonzero(totals)
        return pairs // width, pairs % width, totals[pairs].astype(np.int64)
    pairs, place = np.unique(keys, return_inverse=True)
    return pairs // width, pairs % width, np.bincount(place, counts).astype(np.int64)
