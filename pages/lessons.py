"""Lessons of about five minutes each, on the real pages; handouts; the paper's errors as exercises."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from cra_dashboard.lessons import asking, handed_in, panel, progress
from cra_dashboard.lessons.files import IN_CLASS, ON_DEVICES, PATHS, Lesson, all_lessons
from cra_dashboard.lessons.handout import handout, solutions
from cra_dashboard.lessons.paper_errors import paper_errors
from cra_dashboard.lessons.story.file import story_file
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.stage import folded
from cra_dashboard.playground.file import playground_file
from cra_dashboard.session import fields, keys, state
from cra_dashboard.texts import words
from cra_engine.files.zipped import packed_zip
from cra_engine.words import how_many

CLASS_MINUTES = sum(minutes for _, minutes, _ in IN_CLASS)
NUMBERED = "A number names a lesson. For a learner alone: in class see For teachers, above."


def page() -> None:
    """Shows the page from top to bottom."""
    require_app()
    lessons = list(all_lessons().values())
    done = [lesson for lesson in lessons if progress.complete(lesson)]
    st.title(
        "Lessons: which comes next?" if done else "Lessons: where to begin?",
        help="They run on the other pages, with invented people: a panel says what to do, and goes on when you have "
        "done it. This browser alone remembers which steps are done; your predictions stay in this session.",
    )
    folded(
        {f"For teachers: {CLASS_MINUTES} minutes in class, handouts and solutions": show_papers}, keys.FOR_TEACHERS, ""
    )
    following = progress.following()
    with st.grid("auto", min_column_width=300):
        with st.container(border=True, height="stretch"):
            st.markdown("**New here?** Read the story: eight minutes.")
            st.page_link("pages/story.py", label="The story", icon=":material/auto_stories:")
        if following is not None:
            with st.container(border=True, height="stretch"):
                st.markdown(f"**{following.number}. {words.plain(following.title)}.**", help=words.plain(following.aim))
                label = f"{'Go on' if going(following) else 'Start'}: lesson {following.number}"
                key = f"lesson-start-first-{following.id}"
                fields.act(label, panel.start, following, key=key, type="primary")
    told = f"{len(done)} of {len(lessons)} lessons done"
    score = asking.score()
    st.progress(len(done) / len(lessons), text=f"{told} · {score}" if score.answered else told)
    show_paths(lessons)
    handed_in.show()
    folded({"Exercises: the paper's errors": exercises}, "lesson-paper", "")


def show_paths(lessons: Sequence[Lesson]) -> None:
    """Shows the paths through the lessons, with their minutes, and their lessons, a line each."""
    for name, numbers in PATHS.items():
        chosen = [lesson for lesson in lessons if lesson.number in numbers]
        st.markdown(f"**{name}: {sum(lesson.minutes for lesson in chosen)} minutes**", help=NUMBERED)
        with st.grid("auto", min_column_width=260, gap="xsmall", key=f"lesson-list-{chosen[0].number}"):
            for lesson in chosen:
                with st.container(gap=None):
                    start(lesson)
                    if going(lesson):
                        st.caption(f"{progress.steps_done(lesson)} of {how_many(len(lesson.step), 'step')} done")


def start(lesson: Lesson) -> None:
    """Shows the button that starts a lesson; its panel asks whether it may replace the session's own table."""
    fields.act(
        f"**{lesson.number}.** {words.plain(lesson.title)}",
        panel.start,
        lesson,
        icon="check_circle" if progress.complete(lesson) else "pending" if going(lesson) else "school",
        key=f"lesson-start-{lesson.id}",
        width="stretch",
        help=f"{words.plain(lesson.aim)} {how_many(len(lesson.step), 'step')}, about {lesson.minutes} minutes.",
    )


def going(lesson: Lesson) -> bool:
    """Tells whether it was begun and is not done."""
    now = progress.current()
    begun = progress.steps_done(lesson) > 0 or (now is not None and now[0].id == lesson.id)
    return begun and not progress.complete(lesson)


def show_papers() -> None:
    """Shows the plan for a class, what there is for its devices, and to print; solutions are closed: others look on."""
    st.markdown(f"**{CLASS_MINUTES} minutes in class, with a projector**")
    st.markdown("\n".join(f"1. *{what} ({minutes} min).* {how}" for what, minutes, how in IN_CLASS))
    st.markdown(ON_DEVICES)
    with st.container(horizontal=True):
        download("Story as one file", story_file, "story.html", key="story-file")
        download("Playground as one file", playground_file, "playground.html", key="lesson-playground-file")
    st.markdown("**Handouts, with pictures and questions**")
    papers(handout, "handouts", "print")
    folded({"Solutions": partial(papers, solutions, "solutions", "key")}, "lesson-solutions", "")


def papers(made: Callable[[Lesson], str], what: str, icon: str) -> None:
    """Shows a button for all papers, and one for each lesson's."""
    named = {f"lesson-{lesson.number:02}-{what}.html": lesson for lesson in all_lessons().values()}
    download(
        f"All {what}",
        lambda: packed_zip({name: made(lesson) for name, lesson in named.items()}),
        f"{what}.zip",
        key=f"lesson-{icon}-all",
        icon=icon,
    )
    with st.grid("auto", min_column_width=430, gap="xsmall"):
        for name, lesson in named.items():
            title = f"{lesson.number}. {words.plain(lesson.title)}"
            download(title, partial(made, lesson), name, key=f"lesson-{icon}-{lesson.id}", icon=icon)


def exercises() -> None:
    """Shows the places of the paper that cannot be right."""
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


page()
