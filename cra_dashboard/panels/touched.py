"""Charts whose marks answer to a click or a touch."""

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from cra_dashboard.charts.look import CONFIG


def touch_chart(figure: go.Figure, key: str, take: Callable[[Any], None], alt: str) -> None:
    """Show a chart on any page; what a mark stands for is taken over when somebody touches it.

    Args:
        figure: its marks carry what they stand for as the first of their ``customdata``.
        key: of the chart.
        take: called with that, before the page runs again.
        alt: what the chart shows, in words.
    """

    def touched() -> None:
        # A selection goes whenever the figure changes, so it is taken over at once.
        for mark in st.session_state[key]["selection"]["points"]:
            if mark.get("customdata"):
                take(mark["customdata"][0])

    st.plotly_chart(figure, key=key, on_select=touched, selection_mode="points", config=CONFIG, alt=alt)
