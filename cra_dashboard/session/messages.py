"""Messages of a page: what came of a file or a choice, kept for the next run, and failures as one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.texts import words
from cra_engine import CRAError

_TOLD = "cra_told"
info = partial(st.info, icon=":material/info:")
warning = partial(st.warning, icon=":material/warning:")
error = partial(st.error, icon=":material/error:")
success = partial(st.success, icon=":material/check_circle:")
_BOXES = {"error": error, "warning": warning, "success": success}


def tell(place: str, kind: str, *sentences: str, of_study: bool = False) -> None:
    """Keeps a message until the next one for the same place; to be called from a widget's callback.

    Args:
        place: the part of a page that it belongs to.
        kind: ``"error"``, ``"warning"`` or ``"success"``.
        sentences: plain text, a paragraph each.
        of_study: the message goes once the session's study is changed.
    """
    text = "\n\n".join(words.plain(sentence) for sentence in sentences)
    st.session_state.setdefault(_TOLD, {})[place] = (kind, text, of_study, state.study())


def told(place: str) -> str:
    """Returns the kind of the message that is kept for a place; empty where there is none."""
    return _message(place)[0]


def forget(place: str) -> None:
    """Drops the message of a place."""
    st.session_state.get(_TOLD, {}).pop(place, None)


def show_told(place: str) -> None:
    """Shows the message that is kept for a place, if there is one."""
    kind, text = _message(place)
    if kind:
        _BOXES[kind](text)


def _message(place: str) -> tuple[str, str]:
    kind, text, of_study, study = st.session_state.get(_TOLD, {}).get(place, ("", "", False, None))
    return ("", "") if of_study and study != state.study() else (kind, text)


@contextmanager
def telling(place: str, more: str = "", *, of_study: bool = False) -> Iterator[None]:
    """Keeps what goes wrong inside as the message of a place.

    Args:
        place: as in :func:`tell`.
        more: a sentence to add.
        of_study: as in :func:`tell`.
    """
    try:
        yield
    except CRAError as failure:
        tell(place, "error", f"{failure} {more}".strip(), of_study=of_study)


def show_error(failure: CRAError) -> None:
    """Shows a failure in the engine's words."""
    error(words.plain(str(failure)))


@contextmanager
def or_say() -> Iterator[None]:
    """Shows the failure that happens inside, and lets the page go on."""
    try:
        yield
    except CRAError as failure:
        show_error(failure)


@contextmanager
def or_stop() -> Iterator[None]:
    """Ends the page with the failure that happens inside."""
    try:
        yield
    except CRAError as failure:
        show_error(failure)
        st.stop()
