"""What the browser does for the lessons: it remembers which steps are done, and keeps a step's figure in sight.

It is told names of lessons and numbers of steps only, which run on built-in studies; nothing of any table.
"""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from cra_dashboard.lessons import progress
from cra_dashboard.session.components import component, nothing

_FOLDER = Path(__file__).parent / "component"
_KEY, _KNOWN = "lesson-browser", "lesson-browser-known"


def take_over() -> None:
    """Add to this session what the browser remembers of earlier ones; to be called before anything is shown."""
    kept = (st.session_state.get(_KEY) or {}).get("kept")
    if isinstance(kept, list) and not st.session_state.get(_KNOWN):
        st.session_state[_KNOWN] = True
        progress.remember(name for name in kept if isinstance(name, str))


def mount(stamp: str = "", figures: Sequence[str] = ()) -> None:
    """Let the browser remember what is done, and scroll to a figure whenever the stamp changes.

    Args:
        stamp: of the step and of whether it is done; empty outside lessons.
        figures: how the browser finds the figure that the step speaks of; the first one that is drawn counts.
    """
    told = {"done": progress.done_names(), "known": bool(st.session_state.get(_KNOWN))}
    component("lesson", _FOLDER, css=None)(
        key=_KEY, data=told | {"stamp": stamp, "figures": list(figures)}, on_kept_change=nothing
    )
