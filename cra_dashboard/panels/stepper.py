"""Stepping through a sequence: one index that a slider, two buttons, two keys and a clock share."""

import time
from collections.abc import Sequence

import streamlit as st

from cra_dashboard.session import fields

PERIOD = 1.6  # seconds between two steps while playing


def moved(index: int, by: int, last: int) -> int:
    """Return the index after a step of ``by`` with a page's stepper, kept within 0 and ``last``."""
    return min(max(index + by, 0), last)


def stepper(last: int, key: str, label: str = "Step", names: Sequence[str] = ()) -> int:
    """Show a page's controls for stepping and return the chosen index, 0 to ``last``.

    Whatever the person does by hand pauses playing. Playing starts again from 0 where there is nothing left to play.

    Args:
        last: the last index, 1 or more.
        key: of the index in the session; the same key keeps its index while the person visits other pages.
        label: of the slider.
        names: what the steps are called at the slider; their numbers where none are given.
    """
    playing_key = f"{key}-playing"
    st.session_state[key] = moved(st.session_state.get(key, 0), 0, last)
    index: int = st.session_state[key]

    def pause() -> None:
        st.session_state[playing_key] = False

    def step(by: int) -> None:
        pause()
        st.session_state[key] = moved(st.session_state[key], by, last)

    def play() -> None:
        st.session_state[playing_key] = not st.session_state.get(playing_key, False)
        if st.session_state[playing_key]:
            st.session_state[key] = 0 if st.session_state[key] == last else st.session_state[key] + 1

    playing = st.session_state.get(playing_key, False) and index < last
    with st.container(horizontal=True, key=f"{key}-controls", vertical_alignment="bottom"):
        fields.act("Back", step, -1, icon="arrow_back", disabled=index == 0, shortcut="Left", key=f"{key}-back")
        label, do, icon = ("Pause", pause, "pause") if playing else ("Play", play, "play_arrow")
        fields.act(label, do, icon=icon, key=f"{key}-play")
        fields.act(
            "Forward",
            step,
            1,
            icon="arrow_forward",
            disabled=index == last,
            shortcut="Right",
            key=f"{key}-forward",
            type="primary",
        )
        fields.select_slider(
            label,
            range(last + 1),
            # A function of the page would keep the page, and the table with it, for as long as Streamlit keeps it.
            format_func=tuple(names).__getitem__ if names else str,
            key=key,
            on_change=pause,
            width=220,
            label_visibility="collapsed",
            help=label,
        )
    _clock(key, playing_key, last, playing=playing)
    return index


def _clock(key: str, playing_key: str, last: int, *, playing: bool) -> None:
    due = time.monotonic() + 0.8 * PERIOD

    @st.fragment(run_every=PERIOD if playing else None)
    def tick() -> None:
        # The page's own run comes through here too; only the clock comes late enough.
        if playing and st.session_state.get(playing_key) and time.monotonic() >= due:
            st.session_state[key] = moved(st.session_state[key], 1, last)
            st.session_state[playing_key] = st.session_state[key] < last
            st.rerun()

    tick()
