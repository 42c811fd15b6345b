"""The story's steps, checked, and everything that the page's script needs of them."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from cra_dashboard.classroom.room import Question
from cra_dashboard.lessons.argument import Argument
from cra_dashboard.lessons.markup import html
from cra_dashboard.lessons.story.picture import Choices, Layer, Picture
from cra_dashboard.places import LESSONS
from cra_engine.files.toml_text import parse_toml

_Said = Annotated[str, Field(min_length=1, max_length=420)]
_TEXTS = ("title", "text", "because", "why", "ask", "against", "found", "doubt")


class Step(BaseModel):
    """One step of the story: what to know, what to predict by a click in the picture, and why it is so.

    Attributes:
        title: of the step.
        text: what to know; ``{name}`` stands for one of :attr:`Argument.facts`.
        because: the question after a reason that the text leaves out; why: the reason, which takes the text's place.
        lit: layers of the picture beside that reason.
        ask: what to click.
        choices: what can be clicked.
        right: what is right, by its name in :attr:`Argument.right`.
        against: what speaks against everything else.
        found: shown after the click, or when it is asked for.
        doubt: what an expert may ask then, and the answer; folded.
        before: layers of the picture while it is asked; after: once it is answered.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: _Said
    text: _Said
    because: str = ""
    why: str = ""
    lit: tuple[Layer, ...] = ()
    ask: _Said
    choices: Choices
    right: Literal["certain", "plain", "free", "late", "below_k", "spare", "one_more", "others"]
    against: _Said
    found: _Said
    doubt: str = ""
    before: tuple[Layer, ...]
    after: tuple[Layer, ...]


def steps() -> list[Step]:
    """Return the steps of the story, as lessons/story.toml has them."""
    found = parse_toml((LESSONS / "story.toml").read_text("utf-8"), "story.toml")
    return [Step.model_validate(step) for step in found["step"]]


def class_questions(shown: Argument) -> list[Question]:
    """Return the story's steps as a class is asked on its telephones; what comes first tells nothing of an answer."""
    picture, told_steps, found = Picture(shown), steps(), []
    for place, step in enumerate(told_steps, 1):
        told = {text: str(html(getattr(step, text).format_map(shown.facts))) for text in _TEXTS}
        asked = {"count": f"{place} of {len(told_steps)}"} | {name: told[name] for name in ("title", "text", "ask")}
        before, after = (str(picture.of_step(layers, step.choices)) for layers in (step.before, step.after))
        choices = frozenset(re.findall(r'data-choice="([^"]+)"', before))
        right = shown.right[step.right]
        answer = asked | {"found": told["found"], "picture": after}
        against = dict.fromkeys(choices - right, told["against"])
        found.append(Question(asked | {"picture": before}, answer, choices, frozenset(right), against))
    return found


def story(shown: Argument) -> dict[str, Any]:
    """Return the story's picture, and its steps with their texts, as plain data."""
    told = steps()
    return {
        "picture": str(Picture(shown).svg([step.choices for step in told])),
        "steps": [
            {text: str(html(getattr(step, text).format_map(shown.facts))) for text in _TEXTS}
            | {"right": sorted(shown.right[step.right]), "before": step.before, "after": step.after, "lit": step.lit}
            for step in told
        ],
    }
