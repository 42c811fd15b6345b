"""Tables as pages show them: without row numbers, told in a sentence, and cut off openly where they are long."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.panels.stage import one_of
from cra_dashboard.session import state
from cra_dashboard.texts import words

MOST_ROWS = 1000


def own_or(
    example: state.Dataset, mine: state.Dataset | None, beside: DeltaGenerator, called: str, key: str, *, first: bool
) -> state.Dataset:
    """Ask whether a page works on the session's table or on its own example; without a table it is the example.

    Args:
        example: the page's.
        mine: the session's, or an example in its place.
        beside: where it is asked.
        called: what the example is called.
        key: of the choice.
        first: whether the session's is taken at first.
    """
    if mine is None:
        return example
    names = {True: words.plain(mine.name), False: words.plain(called)}
    with beside:
        return mine if one_of("Table", [True, False], key, first=first, called=names.__getitem__) else example


def show_table(
    table: pd.DataFrame | Mapping[str, Any] | Sequence[Any],
    alt: str,
    *,
    total: int = 0,
    things: str = "cells",
    percent: Sequence[str] = (),
    columns: Mapping[str, Any] | None = None,
    **settings: Any,
) -> None:
    """Show a table on any page.

    Args:
        table: the rows, at most :data:`MOST_ROWS` of them where there can be many.
        alt: what the table shows, in words.
        total: rows that there are; where the table holds fewer it says so.
        things: what the rows are.
        percent: columns of shares, shown in percent.
        columns: other columns with their settings, as Streamlit takes them.
        settings: of the table, as :func:`streamlit.dataframe` takes them.
    """
    frame = table if isinstance(table, pd.DataFrame) else pd.DataFrame(table)
    if len(frame) < total:
        st.caption(f"The first {len(frame):,} of {total:,} {things}.")
    shares = {name: st.column_config.NumberColumn(format="percent") for name in percent}
    st.dataframe(frame, hide_index=True, alt=alt, column_config={**shares, **(columns or {})}, **settings)


def bars(*names: str, shape: str = "percent", most: float = 1) -> dict[str, Any]:
    """Return how a page's table shows columns: as bars of one length from 0 to the most, each with its number."""
    bar = st.column_config.ProgressColumn(format=shape, min_value=0, max_value=most)
    return dict.fromkeys(names, bar)
