"""What is decided about the columns of the session's table, and why: for the verdict and the project file."""

from datetime import datetime
from typing import cast

import streamlit as st

from cra_dashboard.session import state
from cra_engine import CheckedColumn, Decision, Role, Rule, column_roles

_LOG, _RULE = "cra_decisions", "cra_rule"
MOST = 500


def noted() -> tuple[Decision, ...]:
    """What was decided about the session's table, the first first."""
    data = state.dataset()
    digest, found = st.session_state.get(_LOG, ("", ()))
    return cast("tuple[Decision, ...]", found) if data is not None and digest == data.digest else ()


def note(what: str, why: str = "") -> None:
    """Note a decision about the session's table."""
    data = state.dataset()
    if data is not None:
        today = datetime.now().astimezone().date().isoformat()
        st.session_state[_LOG] = (data.digest, (*noted(), Decision(today, what, why))[-MOST:])


def use_noted(decisions: tuple[Decision, ...]) -> None:
    """Go on with the decisions of a project file."""
    data = state.dataset()
    if data is not None:
        st.session_state[_LOG] = (data.digest, decisions[-MOST:])


def rule() -> Rule:
    """What a release has to meet; the usual rule until somebody sets it."""
    return cast("Rule", st.session_state.get(_RULE, Rule()))


def use_rule(chosen: Rule) -> None:
    """Demand something else of a release from now on."""
    st.session_state[_RULE] = chosen


def columns() -> tuple[CheckedColumn, ...]:
    """The columns of the session's table with their roles and looks; none without a table and a study."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return ()
    known = set(map(str, data.frame.columns))
    if not set(study.roles.named) <= known:
        return ()
    return state.once("column roles", (data.digest, study), lambda: column_roles(data.frame, study))


def open_questions() -> tuple[CheckedColumn, ...]:
    """The columns that say, or nearly say, who somebody is, that would be published and that nobody decided about."""
    return tuple(
        column for column in columns() if column.identifying and column.role == "undecided" and column.published
    )


def known_to_others() -> tuple[CheckedColumn, ...]:
    """The columns that others may know of a person by their names, that nobody decided about; of an uploaded table."""
    data = state.dataset()
    if data is None or data.origin != "uploaded":
        return ()
    return tuple(
        column
        for column in columns()
        if column.role == "undecided" and column.proposed == "quasi-identifier" and not column.identifying
    )


def give(name: str, role: Role) -> None:
    """Give a column of the session's table a role that is no quasi-identifier's, and note it."""
    study = state.study()
    found = next((column for column in columns() if column.name == name), None)
    if study is None or found is None or study.roles.of(name) == role:
        return
    state.use_study(study.with_roles(study.roles.given(name, role)))
    note(f"{name} is {role}", found.reason)
