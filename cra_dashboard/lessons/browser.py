"""What the browser does for lessons: it remembers which steps are done, keeps a step's figure in sight, and presents.

It is told names of lessons and numbers of steps only, which run on built-in studies; nothing of any table.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from cra_dashboard.classroom.room import Room
from cra_dashboard.classroom.serving import room_of, served
from cra_dashboard.lessons import progress
from cra_dashboard.session.components import SCRIPTS, component, nothing

_KEY, _KNOWN, _PRESENTING, _CLASS = "lesson-browser", "lesson-browser-known", "lesson-presenting", "lesson-class"
# The containers of the buttons that the arrow keys press in front of others: the first that is there counts.
SHOW, NEXT, BACK = "lesson-show", "lesson-forward", "lesson-back"
# The way to what a step speaks of, and what was found once it is done.
LOOK, FOUND = "lesson-look", "lesson-found"
_ON, _OFF = f".st-key-{SHOW} button, .st-key-{NEXT} button", f".st-key-{BACK} button"


def component_of(name: str) -> Any:
    """Return a component of the dashboard's folder, with the script and the style of its name."""
    return component(name, SCRIPTS, js=f"{name}.js", css=f"{name}.css")


def take_over() -> None:
    """Take over what the browser remembers of earlier lessons, and whether it presents one.

    To be called before anything is shown.
    """
    told = st.session_state.get(_KEY) or {}
    kept = told.get("kept")
    if isinstance(kept, list) and not st.session_state.get(_KNOWN):
        st.session_state[_KNOWN] = True
        progress.remember(name for name in kept if isinstance(name, str))
    if isinstance(told.get("presenting"), bool):
        if told["presenting"] and not presenting():
            progress.begin_before_others()
        st.session_state[_PRESENTING] = told["presenting"]
    take_class(told)


def presenting() -> bool:
    """Return whether a lesson is presented to others."""
    return bool(st.session_state.get(_PRESENTING))


def take_class(told: Mapping[str, Any]) -> None:
    """Take over which class the lecturer's browser has opened: its key, empty once it is closed."""
    if isinstance(told.get("room"), str):
        st.session_state[_CLASS] = told["room"]


def room() -> Room | None:
    """Return the room of the class that is open in front of this session."""
    key = st.session_state.get(_CLASS)
    return room_of(key) if key else None


def rest() -> None:
    """Let an open class's telephones wait: no question of a lesson is in front."""
    here = room()
    if here is not None:
        here.rest()


def mount(page: str, stamp: str = "", figures: Sequence[str] = (), *, lesson: bool = False, end: bool = False) -> None:
    """Let the browser remember which lesson steps are done, and scroll to a figure whenever the stamp changes.

    Args:
        page: where it does; on the story a class follows the story's own script.
        stamp: of the step, whether it is done and whether it is presented; empty outside lessons.
        figures: how the browser finds the figure that the step speaks of; the first one that is drawn counts.
        lesson: whether there is a lesson that can be presented; where there is none, presenting ends.
        end: whether its last step is done.
    """
    told = {"done": progress.done_names(), "known": bool(st.session_state.get(_KNOWN))}
    keys = {"on": _ON, "off": _OFF} if lesson else None
    if not lesson:
        st.session_state.pop(_PRESENTING, None)
    told |= {"telephones": served() and page != "story", "room": st.session_state.get(_CLASS, "")}
    component_of("lesson")(
        key=_KEY,
        data=told | {"stamp": stamp, "figures": list(figures), "keys": keys, "end": end},
        width="content",
        on_kept_change=nothing,
        on_presenting_change=nothing,
        on_room_change=nothing,
    )
