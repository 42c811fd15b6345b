"""Rows of a raw table known again in another one of the same columns, by marks that nothing can be read from."""

from collections.abc import Collection, Mapping

import pandas as pd


def marks_of_rows(table: pd.DataFrame) -> list[int]:
    """Return per row what tells it from rows that say something else, in whatever order its columns stand.

    >>> one = pd.DataFrame({"age": [5], "sex": ["w"]})
    >>> marks_of_rows(one) == marks_of_rows(one[["sex", "age"]]) != marks_of_rows(one.assign(age=[6]))
    True
    """
    columns = table[sorted(table.columns, key=str)].astype(str)
    return pd.util.hash_pandas_object(columns, index=False).tolist()


def rows_of_marks(table: pd.DataFrame, marks: Mapping[str, Collection[int]]) -> dict[str, tuple[int, ...]]:
    """Return by reason the rows of a table, counted from 1, that say what the rows behind these marks said."""
    found = list(enumerate(marks_of_rows(table), start=1)) if any(marks.values()) else []
    rows = {why: tuple(row for row, mark in found if mark in of) for why, of in marks.items()}
    return {why: those for why, those in rows.items() if those}
