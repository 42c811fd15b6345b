"""A lesson as a page to print: a picture, what is said and done, questions; and the solutions, a file of their own.

One HTML file that needs nothing else. The numbers are those of the lesson's own study.
"""

from markupsafe import Markup

from cra_dashboard.lessons.facts import Facts
from cra_dashboard.lessons.files import Lesson
from cra_dashboard.lessons.handout_picture import picture, step_pictures
from cra_dashboard.lessons.markup import html
from cra_dashboard.places import LESSONS
from cra_dashboard.session import datasets
from cra_engine.reports.page import fill_template


def handout(lesson: Lesson) -> str:
    """Write a lesson's handout as HTML: its steps with what is known at each, and questions with room to answer."""
    steps = _steps(lesson)
    drawn = picture(_facts(lesson.study), lesson.picture) if lesson.picture else Markup()
    return _page(
        lesson,
        steps=steps,
        picture=Markup() if drawn == steps[0]["before"] else drawn,
        questions=[html(_facts(lesson.study).fill(one.question)) for one in lesson.exercise],
    )


def solutions(lesson: Lesson) -> str:
    """Write the solutions to a lesson's steps and questions as HTML, for whoever teaches it."""
    facts = _facts(lesson.study)
    return _page(lesson, steps=_steps(lesson), solutions=[html(facts.fill(one.solution)) for one in lesson.exercise])


def _steps(lesson: Lesson) -> list[dict[str, Markup | bool]]:
    steps: list[dict[str, Markup | bool]] = []
    above = known = Markup()
    for place, step in enumerate(lesson.step):
        facts, grown = _begun_and_done(lesson, place)
        before, after = step_pictures(facts, grown, step)
        if step.sheet:
            before = picture(facts, step.sheet)
        elif place and _drawn_by_now(lesson, place):
            before = Markup()  # whoever is at an earlier step has not drawn that yet
        if step.solved:
            after = picture(grown, step.solved)
        title, text, task = (html(facts.fill(told)) for told in (step.title, step.text, step.paper))
        found = html(grown.fill(step.found))
        # What stands above already is not drawn again, but where somebody draws into it.
        shown = Markup() if before == above and not step.draws else before
        drawn = shown, (Markup() if after == known else after)
        told: dict[str, Markup | bool] = {"title": title, "text": text, "task": task, "found": found}
        told["draws"] = step.draws
        # For the next leaf is what answers the question before it: the raw table, and the release with a larger k.
        told["leaf"] = (step.sheet == "records" and before != above) or (place > 0 and "k" in step.begin)
        steps.append(told | {"before": drawn[0], "after": drawn[1]})
        above, known = before, after
    return steps


def _begun_and_done(lesson: Lesson, place: int) -> tuple[Facts, Facts]:
    """The facts with which a step begins, and those with which it ends: k may be another one then."""
    step, begun = lesson.step[place], _facts(lesson.study_of(place))
    begun = begun.with_k(k) if (k := step.begin.get("k")) else begun
    done = begun.with_k(k) if (k := step.given.get("k", begun.study.k)) != begun.study.k else begun
    # On paper nobody chooses a class: the step speaks of the one that it ends with.
    if (part := step.given.get("part", step.begin.get("part"))) is None:
        return begun, done
    return begun.of(part), done.of(part)


def _drawn_by_now(lesson: Lesson, place: int) -> bool:
    """Whether a step begins with boxes that learners have been asked to draw on the same sheet."""
    step, asked = lesson.step[place], any(one.page == "recode" for one in lesson.step[:place])
    return asked and (step.page != "recode" or step.begin.get("step") != 0)


def _page(lesson: Lesson, **parts: object) -> str:
    usual = dict.fromkeys(("steps", "picture", "questions", "solutions"))
    study = datasets.EXAMPLES[lesson.study]
    return fill_template(LESSONS / "handout.html.j2", lesson=lesson, study=study, **(usual | parts))


def _facts(study: str) -> Facts:
    data, own = datasets.example(study)
    return Facts.of_table(data.frame, own)
