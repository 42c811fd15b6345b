"""What the page Data asks of a table before it can be published, one question at a time, in one place."""

import streamlit as st

from cra_dashboard.roles import cells, known, missing
from cra_dashboard.roles.question import Question
from cra_dashboard.session import keys, state
from cra_dashboard.session.kept import Kept
from cra_engine.raw import contents

_LAST = "cra_asked_last"  # the name of the question whose column was shown last
_ASKED: Kept[int] = Kept("cra_asked")  # questions that were shown so far about a file
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
    number = _ASKED.of(data.file) or 0
    if not asked:
        st.session_state.pop(_LAST, None)
        if number and state.study() is not None:  # until then the page asks which columns others know
            with st.container(border=True, key="data-answered"):
                st.markdown(":material/check_circle: **All questions are answered.** Next: May it go out?")
                st.html(_FOCUS.format(f"after {number}"), unsafe_allow_javascript=True)
        return None
    first = asked[0].name
    if asked[0].column and st.session_state.get(_LAST) != first:
        st.session_state[keys.COLUMN_SHOWN] = asked[0].column
    # One that comes back, by Undo or by an answer to another, is one more: a number that falls would count nothing.
    if not number or st.session_state.get(_LAST) != first:
        _ASKED.keep(data.file, number := number + 1)
    st.session_state[_LAST] = first
    left, so_far = len(asked) - 1, " so far" if any(question.more for question in asked) else ""
    with st.container(border=True, key="data-question"):
        # How many more there are depends on the answers, and is said as of now.
        counted = f"Question {number}{f', {left} more{so_far}' if left else '' if so_far else ', the last one'}"
        st.caption(counted)
        asked[0].ask()
        if number > 1:
            st.html(_FOCUS.format(counted), unsafe_allow_javascript=True)
    return asked[0]
