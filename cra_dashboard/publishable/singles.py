"""Sensitive values that single people have: hidden so that no star tells them, or left shown, as a person decides."""

from collections.abc import Callable, Sequence
from typing import Literal

import streamlit as st

from cra_dashboard.publishable.search import begin
from cra_dashboard.session import datasets, decisions, state
from cra_dashboard.session.fields import act
from cra_dashboard.texts import words
from cra_engine import Check
from cra_engine.checks.sensitive_values import (
    hidden_together,
    is_left_shown,
    left_shown,
    shown_sentence,
    single_sentence,
    singles_by_decision,
    with_people,
)
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed


def singles_of(checked: Check) -> tuple[list[tuple[str, tuple[str, ...]]], list[tuple[str, tuple[str, ...]]]]:
    """Return the sensitive values that single people have in a checked table: undecided ones, and those left shown."""
    columns = [one.column for one in checked.diversity]
    decided = [one.what for one in decisions.noted()]
    return singles_by_decision(checked.frame, columns, decided, checked.study.roles.as_values)


def to_decide_told(checked: Check) -> str:
    """Say on the card of a table of the session's people how much is to decide before it goes out; or nothing."""
    many = sum(to_decide(checked).values())
    return f", but for {'one decision' if many == 1 else f'{many} decisions'} of yours" if many else ""


def where_to_decide(tables: Sequence[Check], above: Check | None) -> str:
    """Say above the cards of tables of the session's people where it is asked what is still to decide; or nothing.

    Args:
        tables: as they were checked.
        above: the one about which it is asked above the cards; None for none.
    """
    now = [] if above is None else singles_of(above)[0]
    later = any(one and one != now for one in (singles_of(table)[0] for table in tables))
    asked = {"on Data": decisions.still_asked(), "above": now, "once you take a table": later}
    where = [one for one, there in asked.items() if there]
    return f" What else is yours to decide is asked {listed(where)}." if where else ""


def to_decide(checked: Check) -> dict[str, int]:
    """Return how much is still to decide before a table of the session's people goes out, by where it is asked."""
    asked = {"on Data": decisions.still_asked(), "below": len(singles_of(checked)[0])}
    return {where: many for where, many in asked.items() if many}


def first_to_decide(checked: Check) -> str:
    """Say, in place of Ready, how much is still to decide before a table of the session's people goes out."""
    asked = to_decide(checked)
    things = "one thing is" if sum(asked.values()) == 1 else f"{sum(asked.values())} things are"
    return f"**Almost: {things} yours to decide first, {' and '.join(asked)}.**" if asked else ""


def show_singles(checked: Check, give_way: Callable[[], None] | None, of: str = "publishable") -> None:
    """Ask on the page whether sensitive values that single people have in a checked table are hidden or stay.

    Args:
        checked: the table.
        give_way: as in :func:`show`; None where a search need not follow what is hidden.
        of: what the keys of the buttons begin with.
    """
    asked, shown = singles_of(checked)
    for name, values in shown:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words.plain(shown_sentence(name, values)))
            act("Decide anew", decisions.ask_again_of_shown, name, key=f"{of}-anew-{name}")
    for name, values in asked:
        together = hidden_together(checked.frame[name], checked.study.roles.as_values)
        them = "it" if len(values) == 1 else "them"
        rows = f"{sum(people for _, people in together):,} of {how_many(len(checked.frame), 'row')}"
        along = f"To hide {them} puts"
        # A button on a telephone is too narrow to name what goes with them.
        if others := [one for one in together if one[0] not in values]:
            along = f"Alone behind {ROOT_LABEL} it would still tell its row, so the next rarest goes with it, "
            along += f"{with_people(others)}:"
        st.markdown(words.plain(f"{single_sentence(name, values)} {along} {ROOT_LABEL} in {rows}."))
        with st.container(horizontal=True):
            label = words.plain(f"Hide {with_people(together)}{'' if give_way is None else ', search again'}")
            what = f"Shows {ROOT_LABEL} in their place; the rows stay."
            # Above the cards this question is the next thing to do; before the search Make it publishable is.
            looks: Literal["primary", "secondary"] = "primary" if give_way is not None else "secondary"
            act(label, _hide, name, together, give_way, help=what, type=looks, key=f"{of}-hide-{name}")
            kept = "It stands in the verdict as your decision; it can be decided anew here."
            left = (left_shown(name, values),)
            act(f"Leave {them} shown", decisions.decide, *left, help=kept, key=f"{of}-leave-{name}")


def _hide(name: str, values: Sequence[tuple[str, int]], give_way: Callable[[], None] | None) -> None:
    data, people = state.dataset(), sum(many for _, many in values)
    if data is not None:
        with state.one_change():
            read = datasets.with_cells_read_as(data, name, dict.fromkeys([value for value, _ in values], ROOT_LABEL))
            state.read_otherwise(read, state.study())
            who = how_many(people, "person", "people")
            # What was left shown before may be hidden now; what stays of it is asked anew.
            said = f"{name}: {how_many(len(values), 'value')} of {who} {decisions.HIDDEN}"
            decisions.note(said, over=lambda what: is_left_shown(what, name))
            if give_way is not None:
                begin(give_way)
