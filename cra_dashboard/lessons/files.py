"""The lessons as data: files in the folder lessons, each checked against the models here."""

from collections.abc import Callable, Collection
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from cra_dashboard.lessons.registry import BEGINS, CONDITIONS, PAGES, VIEWS
from cra_dashboard.places import LESSONS
from cra_engine import StudyError
from cra_engine.files.checked import explain
from cra_engine.files.toml_text import parse_toml


def one_of(names: Collection[str], what: str) -> Callable[[str], str]:
    """Return a check that a name in a lesson file is one of those that mean something."""

    def known(name: str) -> str:
        if name not in names:
            raise ValueError(f"{name!r} is no {what}; take one of {', '.join(sorted(names))}")
        return name

    return known


Page = Annotated[str, AfterValidator(one_of(PAGES, "page that lessons go to"))]
Done = Annotated[str, AfterValidator(one_of(CONDITIONS, "condition"))]
ViewName = Annotated[str, AfterValidator(one_of(VIEWS, "view"))]
Begins = Annotated[str, AfterValidator(one_of(BEGINS, "thing that a step begins with"))]
# A picture on a handout.
Kind = Literal[
    "records", "boxes", "people", "class", "owners", "certain", "states", "coarse", "mean", "buckets", "minimal"
]
# What stands on a projector is read from the last row: a few sentences at a time.
Short = Annotated[str, Field(min_length=1, max_length=420)]


# The lessons by what they lead to, in the order in which one is offered after the other.
PATHS = {
    "The core": (1, 2, 3, 4, 5, 6),
    "What follows": (7, 8, 9, 10),
    "Other papers": (11, 12, 13),
    "Further": (14, 15, 16, 17),
}

# An hour in class: what, its minutes, and how; docs/lecturers.md says the same.
IN_CLASS = (
    ("The story, presented", 8, "Let the class point at a cell before you press the right arrow key."),
    ("The playground", 15, "Let the class move people, and say before each move who will be certain."),
    ("Challenge 2 there", 10, "Which is the smallest k that gives Anna away? Why does a larger one not simply help?"),
    ("Two releases: lesson 14", 5, "Each alone says little."),
    (
        "Talk",
        7,
        "“No auxiliary information” was supposed to make k-anonymity safe. What did the attacker use instead?",
    ),
)

ON_DEVICES = (
    "**On the devices of a class.** Hand out the story or the playground, a file each, by mail or a learning platform: "
    "it opens in any browser and asks no server. Or start this program by `cra-explorer --class`: **Present** then "
    "shows the address at which all telephones in this network guess along."
)


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Step(_Model):
    """One step of a lesson.

    Attributes:
        title: of the step.
        page: where it happens.
        text: what to know; ``{name}`` stands for a fact, see :mod:`cra_dashboard.lessons.facts`.
        screen_text: what follows the text on the screen only: a handout has neither its pictures nor its buttons.
        task: what to do.
        paper: what to do on a handout, which has no buttons.
        sheet: the picture that a handout has at this step, by its kind in :mod:`cra_dashboard.lessons.handout_picture`,
            where that is not what the step's page shows first.
        solved: likewise of the solutions.
        draws: the answer is drawn into the step's own picture, which a handout then has in place of lines to write on.
        figure: the picture that it speaks of, by its name in :data:`cra_dashboard.lessons.registry.VIEWS`; it is in the
            window when the step begins and when it ends.
        view: what to look at, or to act on, likewise; that of a step with a question is the question.
        done: the condition, by its name in :data:`cra_dashboard.lessons.registry.CONDITIONS`.
        given: its arguments.
        found: what the learner has just seen, shown when the step is done.
        screen_found: what follows it on the screen only.
        question: what the learner is asked, by the kind of question the page knows.
        study: the built-in study, where it is not the lesson's.
        begin: how the step finds the pages, by the names that these know.
    """

    title: Short
    page: Page
    text: Short
    screen_text: str = ""
    task: Short
    paper: Short
    sheet: Kind | None = None
    draws: bool = False
    solved: Kind | None = None
    figure: ViewName
    view: ViewName
    done: Done
    given: dict[str, Any] = {}
    found: Short
    screen_found: str = ""
    question: str | None = None
    study: str | None = None
    begin: dict[Begins, Any] = {}


class Exercise(_Model):
    """A question for a lesson's handout, with its solution; both may hold facts."""

    question: Short
    solution: str


class Lesson(_Model):
    """A lesson of about five minutes.

    Attributes:
        id: its name in links.
        number: its place in the list.
        title: what it is called.
        aim: what the learner knows afterwards.
        minutes: how long it takes.
        study: the built-in study that it runs on.
        picture: at the top of the handout, likewise, where a picture there answers none of its questions.
        step: the steps in order.
        exercise: for the handout.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")]
    number: int = Field(ge=1)
    title: Short
    aim: Short
    minutes: int = Field(ge=1, le=15)
    study: str
    picture: Kind | None = None
    step: tuple[Step, ...] = Field(min_length=2)
    exercise: tuple[Exercise, ...] = Field(min_length=2)

    def study_of(self, place: int) -> str:
        """The built-in study of a step."""
        return self.step[place].study or self.study


def lesson_of(text: str, name: str) -> Lesson:
    """Read the lesson of a lesson file.

    Args:
        text: of the file.
        name: the file's name for messages.

    Raises:
        StudyError: it is no TOML, or no lesson.
    """
    try:
        return Lesson.model_validate(parse_toml(text, name))
    except ValidationError as error:
        raise StudyError(f"{name}: {explain(error)}") from None


@cache
def all_lessons() -> dict[str, Lesson]:
    """Return every lesson by its name, in the order of the paths."""
    found = [lesson_of(file.read_text("utf-8"), file.name) for file in LESSONS.glob("[0-9]*.toml")]
    order = [number for numbers in PATHS.values() for number in numbers]
    return {lesson.id: lesson for lesson in sorted(found, key=lambda lesson: order.index(lesson.number))}
