"""Numeric columns as whole numbers on one scale, so that sums, distances and ties are exact."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError
from cra_engine.files.notation import notation, plain, rewritten
from cra_engine.files.tables import column_of
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import no_records
from cra_engine.words import rows_text

MOST_DIGITS = 60  # from the highest to the last decimal place of any cell: squares and sums stay floats as well
_SURE = 2**51  # below it the nearest double of a number in steps of 10**-d, times 10**d, is less than 1/2 off
_SHORT = 15  # texts of so many characters name different doubles where they name different numbers
_INT64 = 2**62


@dataclass(frozen=True, eq=False)
class ExactColumns:
    """Numeric columns of a raw table, exact.

    Attributes:
        names: the columns' names.
        whole: whole numbers, the cells times ``10**digits``; shape (records, columns). int64 where every number is
            below 2**62, else Python ints.
        digits: decimals of the cell that has most of them.
        warnings: findings that do not forbid using the columns, as sentences.
    """

    names: tuple[str, ...]
    whole: NDArray[Any]
    digits: int
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        """The number of records."""
        return len(self.whole)

    def number(self, whole: int) -> Fraction:
        """A whole number on the columns' scale as what it stands for.

        >>> ExactColumns(("age",), np.array([[125]]), 1).number(125)
        Fraction(25, 2)
        """
        return Fraction(int(whole), 10**self.digits)


def exact_columns(data: pd.DataFrame, names: Sequence[str] | None = None) -> ExactColumns:
    """Read the numbers of some raw columns, or of all that hold numbers, exactly as they are written.

    A cell 0.1 of a float column is one tenth, not the nearest binary fraction; texts are read as
    :func:`cra_engine.raw.numbers.numbers` reads them.

    Args:
        data: the raw table.
        names: the columns in the order wanted; None for all numeric ones in the table's order.

    Raises:
        DataError: no record, a missing column, a column named twice, no numeric column, an empty cell or text in one.

    >>> table = pd.DataFrame({"name": ["a", "b"], "weight": ["70.5", "81"], "age": [34, 52]})
    >>> exact = exact_columns(table)
    >>> exact.names, exact.digits, exact.whole.tolist()
    (('weight', 'age'), 1, [[705, 340], [810, 520]])
    """
    if names is not None:
        for place, name in enumerate(names):
            if name in names[:place]:
                raise DataError(f"Column {name!r} is named twice; name each column once.")
    columns = [column_of(data, name) for name in (data.columns if names is None else names)]
    if not len(data):
        raise no_records()
    read: list[tuple[str, NDArray[Any], int]] = []
    warnings: list[str] = []
    for column in columns:
        values, problems = numbers(column)
        if names is None and not _any_number(values, column):
            continue
        for problem in problems:
            if problem.fatal:
                raise DataError(problem.text + (_UNNAMED if names is None else ""))
            warnings.append(problem.text)
        read.append((str(column.name), *_scaled(values, column)))
    if not read:
        raise DataError("The table has no column of numbers; this needs at least one.")
    digits = max(places for _, _, places in read)
    whole = [_times(values, 10 ** (digits - places)) for _, values, places in read]
    large = any(column.dtype == object for column in whole)
    table = np.empty((len(data), len(read)), dtype=object if large else np.int64)
    for place, one in enumerate(whole):
        table[:, place] = one
    _refuse_span(table, tuple(name for name, _, _ in read))
    return ExactColumns(tuple(name for name, _, _ in read), table, digits, tuple(warnings))


_UNNAMED = " If this column is not meant, name the columns that are."


def text_columns(data: pd.DataFrame) -> tuple[str, ...]:
    """Return the raw columns without a number, which :func:`exact_columns` leaves out where none are named."""
    columns = [column_of(data, name) for name in data.columns]
    return tuple(str(column.name) for column in columns if not _any_number(numbers(column)[0], column))


def _any_number(values: NDArray[Any], column: "pd.Series[Any]") -> bool:
    """Returns whether any cell is a number, in whatever notation."""
    if values.dtype.kind in "iu" or not np.isnan(values.astype(float)).all():
        return True
    cells = {str(cell).strip() for cell in column.dropna().unique()}
    return any(plain(cell, "comma") is not None or plain(cell, "point") is not None for cell in cells)


def _scaled(values: NDArray[Any], column: "pd.Series[Any]") -> tuple[NDArray[Any], int]:
    """The numbers as whole numbers, and the decimals that they were scaled by."""
    if values.dtype.kind in "iu":
        return (values.astype(np.int64) if values.max() < _INT64 and values.min() > -_INT64 else _objects(values)), 0
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise DataError(
            f"Column {str(column.name)!r}, {rows_text([row + 1])}: {str(column.iloc[row])!r} is no number that "
            "can be counted with; correct it."
        )
    short = column.dtype.kind in "iuf" or bool(column.astype(str).str.len().max() <= _SHORT)
    if short and (scaled := _whole(values)) is not None:
        return scaled
    return _from_decimals(_decimals(values, column))


def _whole(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], int] | None:
    """Doubles as decimals in steps of ``10**-digits``; None where they are too long for that."""
    for digits in range(16):
        scaled = np.rint(values * 10.0**digits)
        if np.abs(scaled).max() >= _SURE:
            return None
        if (scaled / 10.0**digits == values).all():
            return scaled.astype(np.int64), digits
    return None


def _decimals(values: NDArray[np.float64], column: "pd.Series[Any]") -> list[Decimal]:
    if column.dtype.kind in "iuf":
        return [Decimal(repr(float(value))) for value in values]
    text = column.astype(str).str.strip()
    return [Decimal(cell) for cell in rewritten(text, notation(text.unique()).decimal or "point")]


def _from_decimals(cells: Iterable[Decimal]) -> tuple[NDArray[Any], int]:
    ratios = [cell.as_integer_ratio() for cell in cells]
    digits = 0
    for _, divisor in set(ratios):
        while 10**digits % divisor:
            digits += 1
    whole = [number * 10**digits // divisor for number, divisor in ratios]
    if max(map(abs, whole)) < _INT64:
        return np.array(whole, dtype=np.int64), digits
    return _objects(whole), digits


def _times(values: NDArray[Any], factor: int) -> NDArray[Any]:
    if factor == 1:
        return values
    if values.dtype != object and int(np.abs(values).max()) * factor >= _INT64:
        values = _objects(values)
    return values * factor


def _objects(values: Iterable[Any]) -> NDArray[Any]:
    whole = [int(value) for value in values]
    objects = np.empty(len(whole), dtype=object)
    objects[:] = whole
    return objects


def _refuse_span(table: NDArray[Any], names: tuple[str, ...]) -> None:
    """Refuse numbers of so different sizes that no computation with them means anything."""
    if table.dtype != object:
        return
    for place, name in enumerate(names):
        if max(map(abs, table[:, place].tolist())) >= 10**MOST_DIGITS:
            raise DataError(
                f"Column {name!r}: from its largest number to the last decimal of the table there are more than "
                f"{MOST_DIGITS} digits; correct the number, or take another unit."
            )
