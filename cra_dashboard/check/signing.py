"""Who decides that a table goes out, and why: asked so that all that was typed is sent before it is used."""

from collections.abc import Callable

import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.messages import forget, kind_told, show_told, telling
from cra_engine import CRAError
from cra_engine.checks.signed import signed

_PLACE = "who decides"  # of what is told of that
_WHO = "cra_who_decides"  # in the session, by the file or the archive that was decided on
_LAST: Kept[str] = Kept("cra_who_decided_last")  # by the file: offered for its next archive, and signs nothing
_WHY: Kept[str] = Kept("cra_why_decided")  # by the file
_CALLED: Kept[str] = Kept("cra_archive_called")  # by the name that the program gave
LONGEST, MOST_WHY = 100, 300  # letters


def who(of: str) -> str:
    """Return who decides that a file or an archive goes out; empty until somebody said it of that one."""
    return str(st.session_state.get(_WHO, {}).get(of, ""))


def _sign(of: str, name: str) -> None:
    _LAST.keep(_file(), name)
    if of:
        st.session_state.setdefault(_WHO, {})[of] = name


def _offered(of: str = "") -> str:
    return who(of) or _LAST.of(_file()) or ""


def _file() -> str:
    data = state.dataset()
    return "" if data is None else data.file


def why(file: str) -> str:
    """Return why, as somebody said of a file of the session; empty once nobody is named who said it."""
    reason = _WHY.of(file) or ""
    try:
        signed(reason, who(file))
    except CRAError:
        return ""
    return reason


def called(own: str) -> str:
    """Return the name that somebody gave to an archive, or else its own."""
    return _CALLED.of(own) or own


@st.dialog("Who decides")
def ask_who(file: str = "", own: str = "") -> None:
    """Ask over the page who decides; nothing below it can be pressed before what is typed is sent, or left.

    Args:
        file: of which a reason is asked, too; of none where left out.
        own: the archive's own name where it may get another one.
    """
    with st.form("who-decides", border=False):
        st.text_input("Decided by", _offered(file or own), key="decided-by", max_chars=LONGEST)
        if file:
            st.text_input("Reason", why(file), key="decided-why", max_chars=MOST_WHY)
        if own:
            st.text_input("Name of the archive", called(own), key="archive-name", max_chars=120)
        told = "The page to file says this with the day; where it is left empty, it has lines to sign on."
        named = "The verdict names who decides, and so does the script that makes it again; nobody has to be named."
        st.caption(told if file else named)
        sent = st.form_submit_button("Use this", type="primary", key="decided-take", on_click=_keep, args=(file, own))
    show_told(_PLACE)
    if sent and not kind_told(_PLACE):
        st.rerun()


def _keep(file: str, own: str) -> None:
    said = st.session_state
    forget(_PLACE)
    with telling(_PLACE):
        if file and said["decided-why"].strip():
            signed(said["decided-why"], said["decided-by"])
        _sign(file or own, said["decided-by"].strip())
        if file:
            _WHY.keep(file, said["decided-why"].strip())
        if own:
            _CALLED.keep(own, said["archive-name"].strip() or own)


def ask_reason(
    label: str, button: str, key: str, take: Callable[[str], None], signs: Callable[[], str] = lambda: ""
) -> None:
    """Ask on the page for a reason and for who gives it, and take it only with both.

    Args:
        label: above the reason.
        button: what its button says.
        key: of the form.
        take: gets the reason as it is filed.
        signs: gives the archive that is there then, which the name is for, too; empty where there is none.
    """
    with st.form(key, border=False):
        with st.container(horizontal=True):
            st.text_input(label, key=f"{key}-why", max_chars=MOST_WHY)
            st.text_input("Decided by", _offered(), key=f"{key}-who", max_chars=LONGEST)
        given = key, take, signs
        st.form_submit_button(button, icon=":material/check:", key=f"{key}-take", on_click=_take, args=given)
    show_told(key)


def _take(key: str, take: Callable[[str], None], signs: Callable[[], str]) -> None:
    with telling(key):
        reason = signed(st.session_state[f"{key}-why"], st.session_state[f"{key}-who"])
        name = st.session_state[f"{key}-who"].strip()
        forget(key)
        take(reason)
        _sign(signs(), name)
