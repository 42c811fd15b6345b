"""What the pages on the attack begin with: the attack on the session's release, and how it treats ties."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import streamlit as st

from cra_dashboard.panels import frame
from cra_dashboard.session import messages, state
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.texts import words
from cra_dashboard.texts.class_rows import ClassRow, class_rows
from cra_dashboard.texts.weighing import PRIORS, SHARES_HELP
from cra_engine import Attack, read_population
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
    """Require on any page the attack on the session's release; else the page says why and stops."""
    frame.require_recoding()
    with messages.or_stop(), st.spinner("Attacking…"):
        attack = state.attacked()
        return attack, state.once("class rows", state.attack_key(), lambda: class_rows(attack))


def show_problems(attack: Attack, rows: Sequence[ClassRow]) -> None:
    """Show on a page what cannot be counted or explained, the first of it in sight."""
    problems = [*attack.release.warnings, *(row.problem for row in rows if row.problem)]
    for problem in problems[:1]:
        messages.warning(words.plain(problem))
    if len(problems) > 1:
        with st.popover(f"{len(problems) - 1} more of these", icon=":material/warning:"):
            for problem in problems[1:]:
                messages.warning(words.plain(problem))


def settings(attack: Attack) -> None:
    """Ask what the attack supposes; the answers hold for all pages."""
    with st.container(key="settings"), st.popover("Settings", icon=":material/tune:", width="stretch"):
        _choose_ties(attack)
        _choose_weighing()


def _choose_ties(attack: Attack) -> None:
    """Ask how the attack treats classes whose states tie."""
    options: list[AttackTies] = list(_TIES)
    with st.container(key="settings-ties"):
        st.markdown("**Classes that tie**")
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


_SHARES, _PLACE = "They come from known shares", "prior"


def _choose_weighing() -> None:
    """Ask what is supposed of the records, or take a file of shares."""
    now = state.weighing()
    offered: dict[Any, tuple[str, str]] = {**PRIORS}
    if now.population is not None:
        offered[_SHARES] = f"{_SHARES} ({words.plain(now.source)})", "Each record is drawn from them."
    with st.container(key="settings-prior"):
        st.markdown("**What records are like**")
        st.markdown(
            "What is certain holds whatever records are like. What is likely does not: an attacker who knows that "
            "values repeat, or how common they are, weighs the possible tables otherwise."
        )
        key = f"choose-prior-{hash(now)}"
        st.radio(
            "What are the records supposed to be like?",
            list(offered),
            index=list(offered).index(now.prior if now.population is None else _SHARES),
            format_func=lambda option: offered[option][0],
            captions=[caption for _, caption in offered.values()],
            key=key,
            on_change=_choose_prior,
            args=(key,),
        )
        uploader("population", "Shares of a population (CSV)", _take_shares, help_text=SHARES_HELP)
        messages.show_told(_PLACE)


def _choose_prior(key: str) -> None:
    messages.forget(_PLACE)
    if st.session_state[key] != _SHARES:
        state.use_weighing(state.Weighing(st.session_state[key]))


def _take_shares(files: list[File]) -> None:
    messages.forget(_PLACE)
    with messages.telling(_PLACE):
        state.use_weighing(shares(files[0]))


def shares(file: File) -> state.Weighing:
    """Return the weighing by a file of shares of the session's study, to offer among the attack's settings.

    Raises:
        CRAError: it is no such file, or not of these attributes.
    """
    _, study = state.results_key()
    return state.Weighing(
        population=read_population(file.content, study, file.name), source=file.name, attributes=study.attributes
    )


def tied_states(attack: Attack) -> bool:
    """Return whether a page has to say that classes of different states tie, and which was first is unknown."""
    before = attack.formation.before
    states = {part.segment.state for part in attack.classes}
    return any(not before(one, other) and not before(other, one) for one, other in combinations(states, 2))
