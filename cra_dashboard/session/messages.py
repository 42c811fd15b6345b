"""Messages of a page: what came of a file or a choice, kept for the next run, and failures as one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.texts import words
from cra_engine import CRAError

info = partial(st.info, icon=":material/info:")
warning = partial(st.warning, icon=":material/warning:")
error = partial(st.error, icon=":material/error:")
success = partial(st.success, icon=":material/check_circle:")
_BOXES = {"error": error, "warning": warning, "success": success}


def tell(place: str, kind: str, *sentences: str, until_change: bool = False) -> None:
    """Keep a message in the session until the next one for the same place, or another table.

    To be called from a widget's callback.

    Args:
        place: the part of a page that it belongs to.
        kind: ``"error"``, ``"warning"`` or ``"success"``.
        sentences: plain text, a paragraph each.
        until_change: the message goes once anything is changed or taken back that Undo knows.
    """
    text = "\n\n".join(words.plain(sentence) for sentence in sentences)
    st.session_state.setdefault(state.TOLD, {})[place] = (kind, text, until_change, state.changes()[-1:])


def kind_told(place: str) -> str:
    """Return the kind of the message that the session keeps for a place; empty where there is none."""
    return _message(place)[0]


def forget(place: str) -> None:
    """Drop the session's message for a place."""
    st.session_state.get(state.TOLD, {}).pop(place, None)


def show_told(place: str, now: str = "") -> None:
    """Show the message that the session keeps for a place, if there is one.

    Args:
        place: as in :func:`tell`.
        now: a sentence to add, plain text, of how things are by now.
    """
    kind, text = _message(place)
    if kind:
        _BOXES[kind](f"{text} {words.plain(now)}".strip())


def _message(place: str) -> tuple[str, str]:
    kind, text, until_change, last = st.session_state.get(state.TOLD, {}).get(place, ("", "", False, []))
    # A change is known by what it is, not by what it holds: one like it is another.
    gone = until_change and list(map(id, last)) != list(map(id, state.changes()[-1:]))
    return ("", "") if gone else (kind, text)


@contextmanager
def telling(place: str, more: str = "", *, until_change: bool = False) -> Iterator[None]:
    """Keep what goes wrong inside as the session's message for a place.

    Args:
        place: as in :func:`tell`.
        more: a sentence to add.
        until_change: as in :func:`tell`.
    """
    try:
        yield
    except CRAError as failure:
        tell(place, "error", f"{failure} {more}".strip(), until_change=until_change)


def show_error(failure: CRAError) -> None:
    """Show a failure as a message in the engine's words."""
    error(words.plain(state.in_file(str(failure))))


@contextmanager
def or_say() -> Iterator[None]:
    """Show the failure that happens inside as a message, and let the page go on."""
    try:
        yield
    except CRAError as failure:
        show_error(failure)


@contextmanager
def or_stop() -> Iterator[None]:
    """End the page with the message of the failure that happens inside."""
    try:
        yield
    except CRAError as failure:
        show_error(failure)
        st.stop()
