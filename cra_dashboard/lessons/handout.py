"""A lesson as a page to print: what is said, what to do, questions with room to answer, and the solutions apart.

One HTML file that needs nothing else. The numbers are those of the lesson's own study.
"""

import re
from html import escape
from typing import TypedDict

from markupsafe import Markup

from cra_dashboard.lessons.facts import Facts
from cra_dashboard.lessons.files import FOLDER, Lesson
from cra_dashboard.session import datasets
from cra_engine.reports.page import fill

_BOLD, _SLANTED = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"\*(.+?)\*")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]<>#+|~$:!])")


class _Written(TypedDict):
    title: Markup
    text: Markup
    task: Markup


def handout(lesson: Lesson) -> str:
    """A lesson's handout as HTML."""
    studies = {lesson.study, *(lesson.study_of(place) for place in range(len(lesson.step)))}
    facts_of = {study: _facts(study) for study in studies}
    steps = []
    for place, step in enumerate(lesson.step):
        facts = facts_of[lesson.study_of(place)]
        if step.begin.part is not None:
            facts = facts.of(step.begin.part)
        steps.append(
            _Written(title=_html(step.title), text=_html(facts.fill(step.text)), task=_html(facts.fill(step.task)))
        )
    facts = facts_of[lesson.study]
    return fill(
        FOLDER / "handout.html.j2",
        lesson=lesson,
        steps=steps,
        study=datasets.EXAMPLES[lesson.study],
        questions=[_html(facts.fill(one.question)) for one in lesson.exercise],
        solutions=[_html(facts.fill(one.solution)) for one in lesson.exercise],
    )


def _facts(study: str) -> Facts:
    data, own = datasets.example(study)
    return Facts.of_table(data.frame, own)


def _html(text: str) -> Markup:
    """The little Markdown that lessons use, as HTML: bold, slanted, and characters that were escaped."""
    # Escaped characters wait as code points that nobody types.
    kept = _ESCAPE.sub(lambda match: chr(0xE000 + ord(match[1])), text)
    html = _SLANTED.sub(r"<em>\1</em>", _BOLD.sub(r"<strong>\1</strong>", escape(kept))).replace("`", "")
    return Markup(re.sub("[\ue000-\ue07f]", lambda match: escape(chr(ord(match[0]) - 0xE000)), html))  # noqa: S704
