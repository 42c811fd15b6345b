"""Tables of an experiment's report as data frames, with what each column means in its header's help.

The meanings come with the columns from the engine, as they stand in the report and in docs/reproduction.md.
"""

from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from cra_engine.experiments.layout import Kind, Sheet, shown_value
from cra_engine.experiments.rows import CLASS_COLUMNS, KEY_COLUMNS, SINGLING_COLUMNS, SUPPRESSED_COLUMNS, TIGHT_COLUMNS

MEANINGS = KEY_COLUMNS | CLASS_COLUMNS | SUPPRESSED_COLUMNS | SINGLING_COLUMNS | TIGHT_COLUMNS

# The grid takes the width from the logarithm, which is shorter than what is shown.
_WIDE = {"power": 115}


def show_table(table: Sheet, alt: str) -> None:
    """Show a report's table on Experiments; numbers of any size are sorted by logarithm, read as in the report."""
    st.dataframe(styled(table), hide_index=True, column_config=helps(table), placeholder="-", alt=alt)


def styled(table: Sheet) -> Styler:
    """Return the values of a table on Experiments with the way they read."""
    frame = pd.DataFrame([list(row) for row in table.rows], columns=[column.title for column in table.columns])
    reads = {column.title: _reader(column.kind) for column in table.columns}
    for column in table.columns:
        if column.kind != "text":
            frame[column.title] = frame[column.title].astype("float64" if column.kind != "count" else "Int64")
    return frame.style.format(reads)


def _reader(kind: Kind) -> Any:
    return lambda value: shown_value(None if pd.isna(value) else value, kind)


def helps(table: Sheet) -> dict[str, Any]:
    """Return the header of each column of a table on Experiments with its meaning."""
    return {
        column.title: (
            st.column_config.TextColumn(column.title, help=column.help)
            if column.kind == "text"
            else st.column_config.ProgressColumn(
                column.title, help=column.help, format="%.1f %%", min_value=0, max_value=100
            )
            if column.kind == "percent"
            else st.column_config.NumberColumn(column.title, help=column.help, width=_WIDE.get(column.kind))
        )
        for column in table.columns
    }
