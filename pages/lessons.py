"""Lessons of about five minutes each, on the real pages; handouts; the paper's errors as exercises."""

from functools import partial

import streamlit as st

from cra_dashboard.lessons import asking, panel, progress
from cra_dashboard.lessons.files import Lesson, all_lessons
from cra_dashboard.lessons.handout import handout, solutions
from cra_dashboard.lessons.paper_errors import paper_errors
from cra_dashboard.panels.frame import require_app
from cra_dashboard.session import state
from cra_dashboard.texts import words
from cra_engine.words import how_many

ASK = "lessons-replace"

require_app()
st.title("Lessons")
st.markdown(
    f"{len(all_lessons())} lessons of about five minutes each. They run on the other pages, with invented people: a "
    "panel beside them says what to look at and what to do, and goes on when you have done it. Nothing has to be known "
    "beforehand."
)
with st.container(border=True, horizontal=True, vertical_alignment="center"):
    st.markdown("**New here?** One suppressed person, followed from hidden to certain, in eight minutes.")
    st.page_link("pages/story.py", label="Begin with the story", icon=":material/auto_stories:")
done = [lesson for lesson in all_lessons().values() if progress.complete(lesson)]
told = f"{len(done)} of {len(all_lessons())} lessons done"
score = asking.score()
st.progress(len(done) / len(all_lessons()), text=f"{told} · {score}" if score.answered else told)
st.caption("This browser alone remembers which steps are done; your predictions stay in this session.")


def begin(lesson: Lesson) -> None:
    """Start a lesson; an uploaded table is replaced only after the person has said so."""
    data = state.dataset()
    if data is not None and data.recipe is None and st.session_state.get(ASK) != lesson.id:
        st.session_state[ASK] = lesson.id
        return
    st.session_state.pop(ASK, None)
    panel.start(lesson)


def keep() -> None:
    """Keep the table."""
    st.session_state.pop(ASK, None)


now = progress.current()
following = (
    now[0] if now else next((lesson for lesson in all_lessons().values() if not progress.complete(lesson)), None)
)
with st.grid("auto", min_column_width=300):
    for lesson in all_lessons().values():
        with st.container(border=True, height="stretch"):
            st.markdown(f"**{lesson.number}. {words.plain(lesson.title)}**")
            st.markdown(words.plain(lesson.aim))
            steps, number = progress.steps_done(lesson), len(lesson.step)
            going = now is not None and now[0].id == lesson.id
            if progress.complete(lesson):
                status, label = ":material/check_circle: Done", "Do it again"
            elif steps or going:
                status, label = f":material/pending: {steps} of {how_many(number, 'step')} done", "Go on"
            else:
                status, label = f"{how_many(number, 'step')}, about {lesson.minutes} minutes", "Start"
            st.caption(status)
            if st.session_state.get(ASK) == lesson.id:
                st.warning(
                    "Your own table is open. The lesson replaces it, and it is then dropped from this session.",
                    icon=":material/warning:",
                )
                with st.container(horizontal=True):
                    st.button(
                        "Replace it and start",
                        type="primary",
                        key=f"lesson-replace-{lesson.id}",
                        on_click=begin,
                        args=(lesson,),
                    )
                    st.button("Keep my table", key=f"lesson-keep-{lesson.id}", on_click=keep)
                continue
            with st.container(horizontal=True):
                st.button(
                    f"{label}: lesson {lesson.number}",
                    key=f"lesson-start-{lesson.id}",
                    type="primary" if lesson is following else "secondary",
                    on_click=begin,
                    args=(lesson,),
                )
                st.download_button(
                    "Handout",
                    partial(handout, lesson),
                    f"lesson-{lesson.number}.html",
                    "text/html",
                    key=f"lesson-handout-{lesson.id}",
                    icon=":material/print:",
                    on_click="ignore",
                    help="A page to print, with a picture and questions.",
                )
                st.download_button(
                    "Solutions",
                    partial(solutions, lesson),
                    f"lesson-{lesson.number}-solutions.html",
                    "text/html",
                    key=f"lesson-solutions-{lesson.id}",
                    icon=":material/key:",
                    on_click="ignore",
                )

st.header("The paper's errors, as exercises", anchor="paper")
st.markdown(
    "For those who read the scientific paper on the attack: every place below says something that cannot be right. "
    "Find out what, then open the solution: its numbers are computed by the program."
)
for number, error in enumerate(state.once("paper errors", "", paper_errors), 1):
    with st.container(border=True):
        st.markdown(f"**{number}.** *{words.plain(error.where)}*")
        st.markdown(words.plain(error.question).replace("\\*every\\*", "*every*"))
        with st.expander(f"Solution {number}"):
            st.markdown(words.plain(error.solution))
