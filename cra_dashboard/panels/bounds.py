"""The bounds of fields for numbers: Streamlit breaks a page off whose field holds a value outside its bounds."""

from typing import TypeVar

import streamlit as st

Real = TypeVar("Real", int, float)


def holding(stated: Real, least: Real, most: Real) -> tuple[Real, Real]:
    """Return the bounds of a page's field that people need, wider where a file has stated a value beyond them.

    >>> holding(5, 2, 50), holding(1, 2, 50), holding(2_000_000, 2, 50)
    ((2, 50), (1, 50), (2, 2000000))
    """
    return min(least, stated), max(most, stated)


def ask_k(label: str, stated: int | None, key: str) -> int | None:
    """Ask on a page for the k of a release; None where it is not known."""
    return st.number_input(
        label,
        *holding(stated or 2, 2, 10**6),
        stated,
        placeholder="unknown",
        help="Otherwise the size of the smallest group is taken; the real k is that or less.",
        key=key,
        width=180,
    )
