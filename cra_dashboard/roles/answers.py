"""The answered questions of the page Data, each with a way to be asked again."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import streamlit as st

from cra_dashboard.panels.frame import left_to_publish, records_said
from cra_dashboard.roles.cells import ask_again_of_cells, ask_again_of_word, propose_after
from cra_dashboard.roles.known import ask_role_anew, begin_instead, in_place_of_last
from cra_dashboard.roles.missing import choose_gaps
from cra_dashboard.roles.question import KNOWN, is_only_noted
from cra_dashboard.session import decisions, handed_out, state
from cra_dashboard.session.fields import act
from cra_dashboard.table.source import name_anew
from cra_dashboard.texts import words
from cra_engine import Study


def show_answered() -> None:
    """List on Data what was answered, folded, each answer with a button by which its question is asked again."""
    noted = handed_out.holding()
    decided = sum(decisions.by_people(one.what) for one in noted)
    if not noted:
        return
    supposed = f"supposed by the program: {len(noted) - decided}" * (len(noted) > decided)
    counts = [f"Decided about columns and rows: {decided}"] * (decided > 0) + [supposed] * (supposed != "")
    with st.expander(words.sentence("; ".join(counts))):
        for place, one in enumerate(noted):
            again = _again(one.what)
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(words.plain(words.sentence(one.what)), width="stretch")
                if again is not None:
                    act("Change", ask_again, again, key=f"data-again-{place}", type="tertiary")
                else:
                    st.page_link("pages/check.py", label="Change on Check")
        st.caption("Change asks again. Undo takes back the last change first.")


def records_told(data: state.Dataset, study: Study | None) -> str:
    """Say on Data how many records the answers leave, and the table that was taken where it has not as many."""
    said, left, taken = records_said(data, study), len(left_to_publish(data, study)), handed_out.taken()
    if taken is None or taken.problem or len(taken.drawn.frame) == left:
        return said
    rows, out = len(taken.drawn.frame), len(taken.drawn.decided.in_the_way)
    besides = f": the search left {out:,} out besides" if left - out == rows else ""
    return f"{said} by your answers ({rows:,} in the table that was taken{besides})"


def ask_again(again: Callable[[], object]) -> None:
    """Make on Data one change of all that asking again takes; none where it only asks."""
    with nullcontext() if again in (name_anew, begin_instead) else state.one_change():
        again()


def _again(what: str) -> Callable[[], object] | None:
    """What makes Data ask again what was decided; None where it cannot."""
    study = state.study()
    if study is None:
        return None
    if what.startswith(decisions.OF_NAMES):
        return name_anew
    data = state.dataset()
    for why in data.left_out if data is not None else ():
        if what.startswith(f"{decisions.LEFT_ROWS}{why}:"):
            return partial(propose_after, partial(decisions.leave_in, why))
    for word in study.roles.as_values:
        if what == KNOWN.format(word):
            return partial(ask_again_of_word, word)
    if is_only_noted(what):
        return partial(decisions.drop, what.__eq__)
    for column in decisions.columns():
        if decisions.on_cells(column.name)(what):
            return partial(ask_again_of_cells, column.name)
        if decisions.on_gaps(column.name)(what):
            return partial(_gaps_again, column.name)
        if decisions.on_role(column.name)(what):
            if study.names != (column.name,):
                return partial(ask_role_anew, column.name)
            return begin_instead if data is not None and in_place_of_last(state.columns_of(data)) else None
    return None


def _gaps_again(name: str) -> None:
    choose_gaps((name,), "")
    decisions.drop(decisions.on_gaps(name))
