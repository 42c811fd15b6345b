"""What the page Data asks of a table before it can be published, one question at a time, in one place."""

import streamlit as st

from cra_dashboard.roles import cells, known, missing
from cra_dashboard.roles.question import Question, noted
from cra_dashboard.session import keys, state
from cra_dashboard.session.kept import Kept
from cra_engine.raw import contents

# Of a file: the question whose column was shown last, by its name, and what was decided then.
_LAST: Kept[tuple[str, frozenset[str]]] = Kept("cra_asked_last")
_ASKED: Kept[tuple[str, ...]] = Kept("cra_asked")  # of a file: the names of the questions so far, by their numbers
# Whoever answered a question finds the next one where the last one stood, by keyboard too.
_FOCUS = """<script>/* {} */ (question => {{
  question.tabIndex = -1; question.focus({{preventScroll: true}}); question.scrollIntoView({{block: "nearest"}})
}})(document.querySelector(".st-key-data-question, .st-key-data-answered"))</script>"""


def still_open(data: state.Dataset, found: tuple[contents.Column, ...]) -> list[Question]:
    """Give the questions that Data asks of a table, and that nobody has answered, the first first."""
    # Rows first: a number that repeats in them says who somebody is once they are out.
    return [
        *cells.asked(data, found),
        *cells.asked_of_rows(data, found),
        *known.asked(found),
        *missing.asked(data),
        *known.asked_at_last(found),
        *missing.asked_of_sensitive(data),
    ]


def show_next(data: state.Dataset, found: tuple[contents.Column, ...]) -> Question | None:
    """Show on Data the first question that is open, which of how many it is; None where none is, which is said then."""
    asked = still_open(data, found)
    before = _ASKED.of(data.file) or ()
    if not asked:
        _LAST.drop()
        # Of an uploaded table also where nothing was asked, as all was decided before; without a study the page asks
        # which columns others know.
        if (before or data.uploaded) and state.study() is not None:
            with st.container(border=True, key="data-answered"):
                st.markdown(":material/check_circle: **All questions are answered.** Next: May it go out?")
                if before:
                    st.html(_FOCUS.format(f"after {len(before)}"), unsafe_allow_javascript=True)
        return None
    first = asked[0].name
    last, decided = _LAST.of(data.file) or ("", frozenset[str]())
    if last != first and asked[0].column:
        st.session_state[keys.COLUMN_SHOWN] = asked[0].column
    answered = last and noted() - decided and last not in {question.name for question in asked}
    if answered and first in before[: before.index(last)]:  # which answers raised anew: it is one more
        before = tuple("" if name == first else name for name in before)
    _LAST.keep(data.file, (first, frozenset(noted())))
    known = before if first in before else (*before, first)
    _ASKED.keep(data.file, known)
    with st.container(border=True, key="data-question"):
        counted = _counted(known, asked)
        st.caption(counted)
        asked[0].ask()
        if len(known) > 1:
            st.html(_FOCUS.format(f"{counted} of {len(known)}"), unsafe_allow_javascript=True)
    return asked[0]


def _counted(before: tuple[str, ...], asked: list[Question]) -> str:
    """Which question the first is, and how many are open beside it now: answers raise others, and settle some.

    One that comes back, by Undo or Change, has the number that it had.
    """
    others, more = len(asked) - 1, any(question.more for question in asked)
    if len(before) == 1 and not others and not more:
        return "One question"
    open_ = f"{others} more open now" if others else "no other open now"
    return f"Question {before.index(asked[0].name) + 1} · {open_}{', perhaps more' * more}"
