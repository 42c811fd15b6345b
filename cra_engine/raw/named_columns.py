"""Columns of a raw table without a study: which quasi-identifiers are numbers, which are categories, what is amiss."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.errors import DataError, StudyError
from cra_engine.files.tables import column_of
from cra_engine.raw.missing_words import MISSING
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import no_records
from cra_engine.raw.proposed_kinds import leading_zeros
from cra_engine.words import how_many, rows_text


@dataclass(frozen=True, eq=False)
class NamedColumns:
    """A raw table's quasi-identifiers and sensitive attribute, read by their names.

    Attributes:
        frame: numeric quasi-identifiers as numbers (int64 or float64), all other columns as stripped texts.
        notes: what to know of the reading, as sentences.
    """

    frame: pd.DataFrame
    notes: tuple[str, ...]


def read_named_columns(
    data: pd.DataFrame, quasi_identifiers: Sequence[str], sensitive: str, categorical: Collection[str] = ()
) -> NamedColumns:
    """Read a raw table by its column names alone: a column is numeric where all its values are numbers.

    Args:
        data: one row per person, cells as texts or numbers.
        quasi_identifiers: names of columns.
        sensitive: name of the sensitive column, whose values are categories.
        categorical: quasi-identifiers whose numbers are codes, not amounts.

    Raises:
        StudyError: the columns are not named as they must be.
        DataError: a column is missing or has gaps, its numbers are not clear, or the table is empty.

    Examples:
        >>> data = pd.DataFrame({"age": ["31", "45"], "town": ["A", "B"], "illness": ["flu", "none"]})
        >>> read_named_columns(data, ["age", "town"], "illness").frame["age"].tolist()
        [31, 45]
    """
    _check_names(quasi_identifiers, sensitive, categorical)
    columns = {name: column_of(data, name) for name in (*quasi_identifiers, sensitive)}
    if not len(data):
        raise no_records()
    notes: list[str] = []
    read = {
        name: _texts(column) if name == sensitive or name in categorical else _numbers_or_texts(column, notes)
        for name, column in columns.items()
    }
    return NamedColumns(pd.DataFrame(read), tuple(notes))


def _check_names(quasi_identifiers: Sequence[str], sensitive: str, categorical: Collection[str]) -> None:
    if not quasi_identifiers:
        raise StudyError("No quasi-identifier is named; name at least one column.")
    twice = sorted({name for name in quasi_identifiers if list(quasi_identifiers).count(name) > 1})
    if twice:
        raise StudyError(f"The quasi-identifier {twice[0]!r} is named twice; name it once.")
    if sensitive in quasi_identifiers:
        raise StudyError(
            f"{sensitive!r} is named both as the sensitive attribute and as a quasi-identifier; it can be one of them."
        )
    strange = sorted(set(categorical) - set(quasi_identifiers))
    if strange:
        raise StudyError(f"{strange[0]!r} is called categorical but is no quasi-identifier; name it as one, too.")


def _numbers_or_texts(column: "pd.Series[Any]", notes: list[str]) -> Any:
    if column.dtype.kind == "b":
        return _texts(column)
    texts = [str(cell).strip() for cell in column.dropna().unique()]
    filled = [text for text in texts if text.lower() not in MISSING]
    if filled and leading_zeros(filled):
        shown = next(text for text in filled if text.startswith("0"))
        notes.append(
            f"Column {str(column.name)!r}: its digits begin with zeros, such as {shown!r}; they are codes, not numbers."
        )
        return _texts(column)
    values, problems = numbers(column)
    unread = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    if any(problem.asks for problem in problems):
        raise DataError(f"{next(problem.text for problem in problems if problem.asks)} Or call the column categorical.")
    if unread.any():
        said = column[unread].map(lambda cell: "" if pd.isna(cell) else str(cell).strip().lower())
        if unread.all() or not said.isin(MISSING).all():  # text, such as 'none': a column of categories
            return _texts(column)
        raise DataError(next(problem.text for problem in problems if problem.fatal))
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0]) + 1
        raise DataError(f"Column {str(column.name)!r}, {rows_text([row])}: an infinite number; correct it.")
    notes.extend(problem.text for problem in problems)
    return values


def _texts(column: "pd.Series[Any]") -> Any:
    cells = column.astype("object").map(lambda cell: "" if pd.isna(cell) else str(cell).strip()).to_numpy(dtype=object)
    rows = np.flatnonzero(cells == "") + 1
    if len(rows):
        raise DataError(
            f"Column {str(column.name)!r}: {how_many(len(rows), 'missing value')} in {rows_text(rows)}; "
            "complete or remove these rows, or give the gap a name of its own, such as 'unknown'."
        )
    return cells
