"""Tables of an experiment's report as data frames, with what each column means in its header's help.

The meanings come with the columns from the engine, as they stand in the report and in docs/reproduction.md.
"""

from dataclasses import replace
from math import log10
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from cra_engine.experiments.layout import DATASET, Heading, Kind, Sheet, shown_value
from cra_engine.experiments.rows import CLASS_COLUMNS, KEY_COLUMNS, SINGLING_COLUMNS, SUPPRESSED_COLUMNS, TIGHT_COLUMNS

MEANINGS = KEY_COLUMNS | CLASS_COLUMNS | SUPPRESSED_COLUMNS | SINGLING_COLUMNS | TIGHT_COLUMNS

_LARGEST = 15  # decimal logarithm up to which a column holds its numbers themselves: a browser shows no larger ones
_SHORT = 6  # likewise, of numbers that are shown with all digits: the grid takes a column's width from what it holds
_WIDE = 100  # pixels of a column of others
_BAR = 110  # of a column of shares
# What the page calls columns whose names leave no room for the others; what they are stands in the header's help.
_LABELS = {
    "samples with any": "samples",
    "compound classes": "classes",
    "median LR solutions": "median LR",
    "median CRA solutions": "median CRA",
    "singled out, by sample": "by sample",
}


def show_table(table: Sheet, alt: str) -> None:
    """Show a report's table on Experiments; its numbers read as in the report, large ones by logarithms.

    A single data set is named elsewhere on the page: its column is left out.
    """
    if table.columns[0] == DATASET and len({row[0] for row in table.rows}) == 1:
        table = replace(table, columns=table.columns[1:], rows=tuple(row[1:] for row in table.rows))
    st.dataframe(styled(table), hide_index=True, column_config=helps(table), placeholder="-", alt=alt)


def styled(table: Sheet) -> Styler:
    """Return the values of a table on Experiments with the way they read."""
    frame = pd.DataFrame([list(row) for row in table.rows], columns=[column.title for column in table.columns])
    small = _up_to(_LARGEST, table)
    reads = {column.title: _reader(column.kind, small=column.title in small) for column in table.columns}
    for column in table.columns:
        if column.kind != "text":
            frame[column.title] = frame[column.title].astype("float64" if column.kind != "count" else "Int64")
    for title in small:
        # A screen reader is told what the cell holds, not what it shows.
        frame[title] = (10 ** frame[title]).round(2)
    return frame.style.format(reads)


def _up_to(most: float, table: Sheet) -> frozenset[str]:
    """The columns of powers none of which is larger than 10 to the ``most``."""
    return frozenset(
        column.title
        for column, values in zip(table.columns, zip(*table.rows, strict=True), strict=True)
        if column.kind == "power" and all(value is None or 0 <= float(value) <= most for value in values)
    )


def _reader(kind: Kind, *, small: bool = False) -> Any:
    def read(value: Any) -> str:
        if pd.isna(value):
            return shown_value(None, kind)
        return shown_value(log10(value) if small else value, kind)

    return read


def helps(table: Sheet) -> dict[str, Any]:
    """Return the header of each column of a table on Experiments with its meaning."""
    short = _up_to(_SHORT, table)
    columns = st.column_config

    def header(column: Heading) -> Any:
        label = _LABELS.get(column.title, column.title)
        if column.kind == "text":
            return columns.TextColumn(label, help=column.help)
        if column.kind == "percent":
            return columns.ProgressColumn(
                label, help=column.help, format="%.1f %%", min_value=0, max_value=100, width=_BAR
            )
        wide = _WIDE if column.kind == "power" and column.title not in short else None
        return columns.NumberColumn(label, help=column.help, width=wide)

    return {column.title: header(column) for column in table.columns}
