"""Puts a figure of the grid, or of the lattice, on the page: drawn by a script that moves what a step changes.

The script draws what the picture says in the same places at every step, lets colours and sizes go over into each other,
and shows in one picture what is pointed at in another. Charts with axes of numbers are Plotly's.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from cra_dashboard.charts.picture import Picture
from cra_dashboard.palette import INK
from cra_dashboard.session.components import SCRIPTS, component, nothing

Cuts = Mapping[str, Any]


def show(
    drawn: Picture,
    key: str,
    alt: str,
    *,
    on_pick: Callable[[Sequence[int]], None] | None = None,
    cuts: Cuts | None = None,
) -> None:
    """Put a picture of the grid or the lattice on the page, which keeps still while what is in it changes.

    Args:
        drawn: what is on it.
        key: of the picture; under the same key it goes on from what it shows.
        alt: what it shows, in a sentence.
        on_pick: gets the place of a cell that is clicked, across and upwards.
        cuts: how the states cut the grid, which shows while somebody points at one in the lattice; see
            :func:`cra_dashboard.charts.recoding.cuts_of`.
    """

    def picked() -> None:
        # What comes from a browser can be anything.
        place = (st.session_state.get(key) or {}).get("picked")
        if on_pick is not None and isinstance(place, list) and any(place == [one.x, one.y] for one in drawn.tiles):
            on_pick(place)

    component("picture", SCRIPTS, js="picture.js", css="picture.css")(
        key=key,
        data={"figure": drawn.plain(), "alt": alt, "picks": on_pick is not None, "cuts": cuts, "ink": INK},
        on_picked_change=nothing if on_pick is None else picked,
    )
