"""Puts a figure of the grid, or of the lattice, on the page: drawn by a script that moves what a step changes.

Plotly draws its shapes anew each time, has no way to show in one figure what is pointed at in another, and takes
megabytes of script to begin with. The script here draws the marks, texts and shapes that these figures are made of, in
the same places at every step, and lets colours and sizes go over into each other. Charts with axes of numbers stay
Plotly's.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from cra_dashboard.palette import INK
from cra_dashboard.session.components import component, nothing

_FOLDER = Path(__file__).parent / "component"
# What the script reads of a figure's layout.
_LAYOUT = ("height", "legend", "margin", "shapes", "xaxis", "yaxis")
Cuts = Mapping[str, Any]


def show(
    figure: go.Figure,
    key: str,
    alt: str,
    *,
    on_pick: Callable[[Sequence[int]], None] | None = None,
    cuts: Cuts | None = None,
) -> None:
    """Put a picture of the grid or the lattice on the page, which keeps still while what is in it changes.

    Args:
        figure: of :func:`cra_dashboard.charts.grid.grid_figure`, or of the lattice.
        key: of the picture; under the same key it goes on from what it shows.
        alt: what it shows, in a sentence.
        on_pick: gets the data of a mark that is clicked (its ``customdata``).
        cuts: how the states cut the grid, which shows while somebody points at one in the lattice; see
            :func:`cra_dashboard.charts.recoding.cuts_of`.
    """
    drawn = figure.to_plotly_json()
    drawn["layout"] = {name: drawn["layout"][name] for name in _LAYOUT if name in drawn["layout"]}

    def picked() -> None:
        # What comes from a browser can be anything.
        place = (st.session_state.get(key) or {}).get("picked")
        known = (trace.get("customdata") or () for trace in drawn["data"])
        if on_pick is not None and isinstance(place, list) and any(place in places for places in known):
            on_pick(place)

    component("picture", _FOLDER)(
        key=key,
        data={"figure": drawn, "alt": alt, "picks": on_pick is not None, "cuts": cuts, "ink": INK},
        on_picked_change=nothing if on_pick is None else picked,
    )
