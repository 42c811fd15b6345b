"""A lesson as a page to print: a picture, what is said and done, questions; and the solutions, a file of their own.

One HTML file that needs nothing else. The numbers are those of the lesson's own study.
"""

from typing import TypedDict

from markupsafe import Markup

from cra_dashboard.lessons.facts import Facts
from cra_dashboard.lessons.files import FOLDER, Lesson
from cra_dashboard.lessons.handout_picture import picture
from cra_dashboard.lessons.markup import html
from cra_dashboard.session import datasets
from cra_engine.reports.page import fill


class _Written(TypedDict):
    title: Markup
    text: Markup
    task: Markup


def handout(lesson: Lesson) -> str:
    """A lesson's handout as HTML: its picture, its steps, and questions with room to answer."""
    studies = {lesson.study, *(lesson.study_of(place) for place in range(len(lesson.step)))}
    facts_of = {study: _facts(study) for study in studies}
    steps = []
    for place, step in enumerate(lesson.step):
        facts = facts_of[lesson.study_of(place)]
        if "part" in step.begin:
            facts = facts.of(step.begin["part"])
        steps.append(
            _Written(title=html(step.title), text=html(facts.fill(step.text)), task=html(facts.fill(step.task)))
        )
    facts = facts_of[lesson.study]
    return _page(
        lesson,
        steps=steps,
        picture=picture(facts, lesson.picture),
        questions=[html(facts.fill(one.question)) for one in lesson.exercise],
    )


def solutions(lesson: Lesson) -> str:
    """The solutions to a lesson's questions as HTML, for whoever teaches it."""
    facts = _facts(lesson.study)
    return _page(lesson, solutions=[html(facts.fill(one.solution)) for one in lesson.exercise])


def _page(lesson: Lesson, **parts: object) -> str:
    usual = dict.fromkeys(("steps", "picture", "questions", "solutions"))
    study = datasets.EXAMPLES[lesson.study]
    return fill(FOLDER / "handout.html.j2", lesson=lesson, study=study, **(usual | parts))


def _facts(study: str) -> Facts:
    data, own = datasets.example(study)
    return Facts.of_table(data.frame, own)
