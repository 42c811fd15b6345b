"""A class on its telephones: the page that it opens there, and the questions of lessons as it is asked them."""

from collections.abc import Callable, Hashable

from markupsafe import Markup

from cra_dashboard.charts.drawing import tag
from cra_dashboard.classroom import room
from cra_dashboard.lessons.browser import component_of
from cra_dashboard.lessons.markup import bold_only, html
from cra_dashboard.lessons.question import Question
from cra_dashboard.one_file import page
from cra_dashboard.session.components import SCRIPTS
from cra_engine.scenes.script import modules


def telephone_page() -> str:
    """Return the HTML that a class sees on its telephones; it holds no question and no answer."""
    return page(
        title="CRA Explorer: the class",
        text="Guess with your class what a k-anonymized table gives away.",
        script=modules(SCRIPTS, "telephone.js"),
        begin='new (need("telephone.js").Telephone)(parent);',
        style=(SCRIPTS / "telephone.css").read_text("utf-8"),
        data={},
        asks=True,
    )


def class_question(question: Question, count: str, title: str, picture: Markup) -> room.Question:
    """Return a lesson's question as a class is asked it on its telephones.

    Args:
        question: with its answers.
        count: which step it is, in words.
        title: of the step.
        picture: what everybody may see while it is asked; empty where there is none.
    """
    names = [f"o{place}" for place in range(len(question.options))]
    buttons = Markup("").join(
        tag("button", text, type="button", data_choice=name) for name, text in zip(names, question.options, strict=True)
    )
    shown = str(picture + tag("div", buttons, class_="options"))
    asked = {"count": count, "title": title, "text": "", "ask": str(_html(question.text)), "picture": shown}
    answer = tag("strong", question.answer)
    found = Markup("{} {}").format(answer, Markup(" ").join(_html(sentence) for sentence in question.why))
    return room.Question(
        asked,
        asked | {"found": str(found)},
        frozenset(names),
        frozenset(names[place] for place in (question.right, *question.also)),
        {names[place]: str(_html(text)) for place, text in (question.against | question.also).items()},
    )


def ask(
    here: room.Room, name: Hashable, question: Question, asked: Callable[[], room.Question], *, answered: bool
) -> None:
    """Ask a class on its telephones, and show how it guesses, where the page is now.

    Args:
        here: the room.
        name: of the question; under the same name it is asked once.
        question: of the lesson.
        asked: the same as the class is asked it.
        answered: whether its answer is in front.
    """
    at = here.ask(name, asked, room.ANSWERED if answered else room.ASKED)
    right = [question.right, *question.also] if answered else []
    component_of("guesses")(key=f"guesses-{at}", data={"at": at, "options": list(question.options), "right": right})


def _html(text: str) -> Markup:
    return html(bold_only(text))
