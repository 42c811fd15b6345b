"""What the browser does for lessons: it remembers which steps are done, keeps a step's figure in sight, and presents.

It is told names of lessons and numbers of steps only, which run on built-in studies; nothing of any table.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from cra_dashboard.lessons import progress
from cra_dashboard.session.components import component, nothing

FOLDER = Path(__file__).parent / "component"
_KEY, _KNOWN, _PRESENTING = "lesson-browser", "lesson-browser-known", "lesson-presenting"
# The containers of the buttons that the arrow keys press in front of others: the first that is there counts.
SHOW, NEXT, BACK = "lesson-show", "lesson-forward", "lesson-back"
_ON, _OFF = f".st-key-{SHOW} button, .st-key-{NEXT} button", f".st-key-{BACK} button"


def component_of(name: str) -> Any:
    """A component of the lessons' folder, with the script and the style of its name."""
    return component(name, FOLDER, js=f"{name}.js", css=f"{name}.css")


def take_over() -> None:
    """Take over what the browser says: what it remembers of earlier sessions, and whether it presents.

    To be called before anything is shown.
    """
    told = st.session_state.get(_KEY) or {}
    kept = told.get("kept")
    if isinstance(kept, list) and not st.session_state.get(_KNOWN):
        st.session_state[_KNOWN] = True
        progress.remember(name for name in kept if isinstance(name, str))
    if isinstance(told.get("presenting"), bool):
        st.session_state[_PRESENTING] = told["presenting"]


def presenting() -> bool:
    """Whether a lesson is presented to others."""
    return bool(st.session_state.get(_PRESENTING))


def mount(stamp: str = "", figures: Sequence[str] = (), *, lesson: bool = False) -> None:
    """Let the browser remember what is done, and scroll to a figure whenever the stamp changes.

    Args:
        stamp: of the step and of whether it is done; empty outside lessons.
        figures: how the browser finds the figure that the step speaks of; the first one that is drawn counts.
        lesson: whether there is a lesson that can be presented; where there is none, presenting ends.
    """
    told = {"done": progress.done_names(), "known": bool(st.session_state.get(_KNOWN))}
    keys = {"on": _ON, "off": _OFF} if lesson else None
    if not lesson:
        st.session_state.pop(_PRESENTING, None)
    component_of("lesson")(
        key=_KEY,
        data=told | {"stamp": stamp, "figures": list(figures), "keys": keys},
        width="content",
        on_kept_change=nothing,
        on_presenting_change=nothing,
    )
