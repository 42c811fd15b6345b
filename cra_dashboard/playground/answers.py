"""What the page's script may ask, and what it gets: a function of the question; what is known is kept at hand."""

import contextlib
import logging
from collections import OrderedDict
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from cra_dashboard.playground.challenges import Challenge
from cra_dashboard.playground.elimination import elimination
from cra_dashboard.playground.outcome import ALL, LONGER, SUPPRESSED, Outcome, outcome_of
from cra_dashboard.playground.scene import (
    LARGEST_K,
    MOST_ADDED,
    MOST_CELLS,
    Base,
    Scene,
    name_of_added,
    place_of_added,
    read,
)
from cra_dashboard.playground.why import why
from cra_dashboard.texts.spoken import spoken
from cra_engine import CRAError

_LOGGER = logging.getLogger(__name__)
KEPT = 200  # outcomes kept in a session
MOST_ASKED = 6  # scenes in one question
FAILED = "This could not be worked out; undo the last change."
NOT_UNDERSTOOD = "The page asked something that makes no sense here; reload it."

SceneText = Annotated[str, StringConstraints(max_length=8000, pattern=r"^[a-z0-9.-]+$")]


class Question(BaseModel):
    """One question of the page.

    Attributes:
        id: its number, given back with the answer.
        scene: what the page shows.
        ask: scenes whose outcome is wanted, the most urgent first.
        why: a cell of the scene to be explained.
        steps: a box of the scene whose elimination is wanted, :data:`SUPPRESSED`, or :data:`ALL`.
        check: a challenge to be judged.
        more: True to calculate longer what was cut short for this scene.
        bases: True where the page has lost the starting tables.
        panel: what is open, for the address.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: int = Field(ge=0, le=2**53)
    scene: SceneText
    ask: Annotated[list[SceneText], Field(max_length=MOST_ASKED)] = []
    why: int | None = Field(default=None, ge=0, lt=MOST_CELLS)
    steps: int | None = Field(default=None, ge=ALL, lt=MOST_CELLS)
    check: Annotated[str, StringConstraints(max_length=20)] | None = None
    more: bool = False
    bases: bool = False
    panel: Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]{0,40}$")] = ""


class Answers:
    """The starting tables, what is known of their scenes, and which challenges are solved."""

    def __init__(self, bases: dict[str, Base], challenges: tuple[Challenge, ...]) -> None:
        """Start with nothing known."""
        self.bases = bases
        self.challenges = {challenge.key: challenge for challenge in challenges}
        self.solved: list[str] = []
        self._known: OrderedDict[str, Outcome | str] = OrderedDict()

    def base(self, text: str) -> Base:
        """The starting table of a scene's text.

        Raises:
            CRAError: there is none of that name.
        """
        name = text.split("-", maxsplit=1)[0]
        if name not in self.bases:
            raise CRAError(f"There is no table {name[:20]!r} here.")
        return self.bases[name]

    def forget(self, name: str) -> None:
        """Drop what is known of the scenes of a starting table: another table takes its name."""
        for text in [text for text in self._known if text.split("-")[0] == name]:
            del self._known[text]

    def outcome(self, text: str) -> Outcome:
        """What follows from a scene, by its text.

        Raises:
            CRAError: the text is no scene, or nothing can be published.
        """
        base = self.base(text)
        return self._outcome(read(text, base))

    def _outcome(self, scene: Scene) -> Outcome:
        text = scene.text
        if text not in self._known:
            try:
                self._known[text] = outcome_of(self.bases[scene.base], scene)
            except CRAError as error:
                self._known[text] = str(error)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(text)
        found = self._known[text]
        if isinstance(found, str):
            raise CRAError(found)
        return found

    def answer(self, asked: Any) -> dict[str, Any]:
        """The answer to a question as it came from the page; never raises, whatever was asked."""
        number = asked.get("id") if isinstance(asked, dict) else None
        refused = {"id": number if isinstance(number, int) else 0}
        try:
            return self._answer(Question.model_validate(asked))
        except ValidationError:
            return refused | {"error": NOT_UNDERSTOOD}
        except Exception as error:  # noqa: BLE001 - the page would show its text, which may quote a row
            _LOGGER.error("A question of the playground failed: %s", type(error).__name__)  # noqa: TRY400 - likewise
            return refused | {"error": FAILED}

    def _answer(self, question: Question) -> dict[str, Any]:
        if question.more:
            self._calculate_longer(question.scene)
        answer: dict[str, Any] = {"id": question.id, "outcomes": {text: self._plain(text) for text in question.ask}}
        if question.more:
            answer["outcomes"][question.scene] = self._plain(question.scene)
        if question.bases:
            answer |= self.start()
        for name, wanted in (("why", question.why), ("steps", question.steps), ("check", question.check)):
            if wanted is not None:
                answer[name] = {"scene": question.scene, "of": wanted} | self._asked(name, question.scene, wanted)
        answer["solved"] = list(self.solved)
        return answer

    def _calculate_longer(self, text: str) -> None:
        """Replace what is known of a scene where its calculation was cut short."""
        with contextlib.suppress(CRAError):
            base = self.base(text)
            scene = read(text, base)
            if self._outcome(scene).cut_short:
                self._known[scene.text] = outcome_of(base, scene, LONGER)

    def _plain(self, text: str) -> dict[str, Any]:
        try:
            return self.outcome(text).plain
        except CRAError as error:
            return {"error": str(error)}

    def _asked(self, name: str, text: str, wanted: Any) -> dict[str, Any]:
        try:
            outcome = self.outcome(text)
            if name == "check":
                return self._check(outcome, wanted)
            if name == "steps":
                if wanted >= len(outcome.formed) or (wanted == SUPPRESSED and outcome.attack.suppressed is None):
                    return {"error": "This box is not there any more."}
                return elimination(outcome, wanted)
            if wanted >= outcome.base.shape[0] * outcome.base.shape[1]:
                return {"error": NOT_UNDERSTOOD}
            return why(outcome, wanted)
        except CRAError as error:
            return {"error": str(error)}

    def _check(self, outcome: Outcome, key: str) -> dict[str, Any]:
        if key not in self.challenges:
            return {"error": NOT_UNDERSTOOD}
        verdict = self.challenges[key].check(outcome, self._outcome)
        if verdict.solved and key not in self.solved:
            self.solved.append(key)
        return {"done": verdict.solved, "text": verdict.text}

    def start(self) -> dict[str, Any]:
        """The starting tables and the tasks, as plain data for the page."""
        return {
            "bases": {name: _plain_base(base) for name, base in self.bases.items()},
            "challenges": [
                {
                    "key": challenge.key,
                    "title": challenge.title,
                    "task": challenge.task,
                    "scene": challenge.start.text,
                    "marked": list(challenge.marked),
                }
                for challenge in self.challenges.values()
            ],
            "solved": list(self.solved),
        }


def _plain_base(base: Base) -> dict[str, Any]:
    attributes = base.study.attributes
    return {
        "shape": list(base.shape),
        "k": base.study.k,
        "largestK": LARGEST_K,
        "people": [[p.name, base.number(p.cell), *_inside(base, p.cell, p.place)] for p in base.people],
        "added": [
            [name_of_added(base, number), *_inside(base, (0, 0), place_of_added(base, number))]
            for number in range(MOST_ADDED)
        ],
        "attributes": [
            {
                "name": attribute.name,
                "unit": attribute.unit,
                "edges": [] if not attribute.numeric else _edges(attribute),
                "labels": [spoken(node.interval) for node in attribute.layer_nodes[0]],
            }
            for attribute in attributes
        ],
    }


def _edges(attribute: Any) -> list[str]:
    nodes = attribute.layer_nodes[0]
    return [node.interval[1:].split(",")[0] for node in nodes] + [nodes[-1].interval[:-1].split(", ")[1]]


def _inside(base: Base, cell: tuple[int, int], place: tuple[int, int]) -> list[float]:
    """Where a person stands inside a cell, as shares of its width and height."""
    return [
        round((at + 0.5) / max(1, attribute.leaf_values[leaf]), 3)
        for attribute, leaf, at in zip(base.study.attributes, cell, place, strict=True)
    ]
