"""The lists on the page Data that say which column has which role."""

import streamlit as st

from cra_dashboard.roles.known import able_to_be_known, begin_instead, in_place_of_last
from cra_dashboard.session import decisions, messages, state
from cra_dashboard.texts import words
from cra_engine.raw import contents
from cra_engine.study.roles import Role

ROLE_LISTS: dict[str, tuple[Role, str]] = {
    "data-removed": ("removed", "They are in no release: names, numbers, addresses, free text."),
    "data-sensitive": (
        "sensitive",
        "Published, and nobody is to learn them of a person.",
    ),
    "data-kept": ("kept", "Published as they stand in the table, because somebody decided so."),
}


def show_roles(found: tuple[contents.Column, ...]) -> None:
    """Ask on Data for the columns' roles: which others may know of a person, and what becomes of the rest."""
    study = state.study()
    chosen = study.names if study else ()
    able = able_to_be_known(found)
    st.session_state["data-roles"] = [name for name in chosen if name in able]
    st.multiselect(
        "Known to others",
        able,
        key="data-roles",
        on_change=take_roles,
        wrap=True,
        placeholder="Choose at least one column" if able else "No column can be one",
        help="Quasi-identifiers: columns that somebody outside may know about a person, such as age or postal "
        "code. Published as intervals or groups.",
    )
    if st.session_state.pop("data-no-role", False) and not in_place_of_last(found):
        st.warning("At least one column that others know is needed, so the last one stays.", icon=":material/info:")
    others = [column.name for column in found if column.name not in chosen]
    if study is not None and others:
        for key, (role, text) in ROLE_LISTS.items():
            st.session_state[key] = [name for name in others if study.roles.of(name) == role]
            st.multiselect(
                words.sentence(role),
                others,
                key=key,
                on_change=take_lists,
                placeholder="None yet",
                help=text,
                wrap=True,
            )
    if not able:
        messages.warning(
            "No column of this table holds numbers or a few categories, so none can be one that others know: "
            "code text as numbers, or give a column of text an ARX hierarchy file on the Hierarchies page.",
        )
        st.page_link("pages/audit.py", label="It is published already? Audit a release", icon=":material/policy:")


def take_roles() -> None:
    """Make the chosen columns the quasi-identifiers; without any, all roles stay as they were."""
    data = state.dataset()
    names = st.session_state["data-roles"]
    st.session_state["data-no-role"] = not names
    if not names:
        begin_instead()
    if data is not None and names:
        before = state.study()
        state.use_study(contents.with_quasi_identifiers(before, state.columns_of(data), names))
        for name in before.names if before else ():
            if name not in names:
                decisions.drop(decisions.on_role(name))
        if before is None:
            decisions.note_removed()


def take_lists() -> None:
    """Give the columns the roles that the three lists say; what is in none of them is undecided."""
    study = state.study()
    if study is None:
        return
    chosen: dict[str, Role] = {}
    for key, (role, _) in ROLE_LISTS.items():
        named = st.session_state[key]
        chosen |= {name: role for name in named if study.roles.of(name) != role}
        chosen |= {
            name: "undecided" for name in study.roles.named if study.roles.of(name) == role and name not in named
        }
    decisions.give(chosen)
