"""What the pages on the attack begin with: the attack on the session's release, and how it treats ties."""

from collections.abc import Sequence
from itertools import combinations

import streamlit as st

from cra_dashboard.panels import frame
from cra_dashboard.session import state
from cra_dashboard.texts import words
from cra_dashboard.texts.class_rows import ClassRow, class_rows
from cra_engine import Attack, CRAError
from cra_engine.choices import AttackTies

_TIES: dict[AttackTies, tuple[str, str]] = {
    "sound": (
        "Leave it open",
        "What can be known: a cell that both cover may belong to either, so the truth is never excluded.",
    ),
    "paper": (
        "Sort them, as the paper does",
        "The state with the smaller layers goes first; now and then this excludes the truth.",
    ),
}


def require_attack() -> tuple[Attack, Sequence[ClassRow]]:
    """The attack on the session's release with a row per class; without one the page says why and stops."""
    frame.require_recoding()
    try:
        with st.spinner("Attacking…"):
            attack = state.attacked()
            return attack, state.once("class rows", state.attack_key(), lambda: class_rows(attack))
    except CRAError as error:
        st.error(words.plain(str(error)), icon=":material/error:")
        st.stop()


def choose_ties(attack: Attack) -> None:
    """Ask how the attack treats classes whose states tie; the answer holds for all pages."""
    options: list[AttackTies] = list(_TIES)
    with st.container(key="settings"), st.expander("Setting: classes that tie", icon=":material/tune:"):
        st.markdown(
            "When two states lose exactly the same information, the publisher looks at the raw data to decide which "
            "one goes first. The attacker cannot."
        )
        st.radio(
            "Which of two tied classes went first?",
            options,
            index=options.index(state.ties()),
            format_func=lambda option: _TIES[option][0],
            captions=[_TIES[option][1] for option in options],
            key="choose-ties",
            on_change=lambda: state.use_ties(st.session_state["choose-ties"]),
        )
        if not tied_states(attack):
            st.caption("In this release no two classes of different states tie, so both settings give the same result.")


def tied_states(attack: Attack) -> bool:
    """True when classes of different states tie, so that nobody outside knows which was formed first."""
    before = attack.formation.before
    states = {part.segment.state for part in attack.classes}
    return any(not before(one, other) and not before(other, one) for one, other in combinations(states, 2))
