"""Tasks to solve on the grid. The engine checks; whatever meets the task counts, and a wrong answer is told why."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from cra_dashboard.playground.names import NAMES
from cra_dashboard.playground.outcome import Outcome
from cra_dashboard.playground.scene import Base, Scene, base_of, renamed
from cra_dashboard.session import datasets
from cra_dashboard.texts.spoken import spoken
from cra_engine import Study
from cra_engine.words import how_many, listed

# Does the same table with another k give a person away? Asked of whoever holds the outcomes.
Elsewhere = Callable[[Scene], Outcome]


@dataclass(frozen=True)
class Verdict:
    """Whether a task is solved, and why or why not."""

    solved: bool
    text: str


@dataclass(frozen=True, eq=False)
class Challenge:
    """A task.

    Attributes:
        key: its short name.
        title: what it is called.
        task: what to do.
        base: the table it starts from.
        start: the scene it starts from.
        marked: who is named in the picture.
        judge: of an outcome and of what else may be asked, the verdict; not asked while nothing was changed.
    """

    key: str
    title: str
    task: str
    base: Base
    start: Scene
    marked: tuple[int, ...]
    judge: Callable[["Challenge", Outcome, Elsewhere], Verdict]

    def check(self, outcome: Outcome, elsewhere: Elsewhere) -> Verdict:
        """The verdict on a scene.

        Args:
            outcome: of the scene.
            elsewhere: the outcome of another scene on the same table.
        """
        scene = outcome.scene
        if scene.base != self.base.name:
            return Verdict(False, "This is another table; press Start again.")
        if scene == self.start:
            return Verdict(False, "Nothing has changed yet.")
        return self.judge(self, outcome, elsewhere)


def _everybody_stays(challenge: Challenge, scene: Scene) -> Verdict | None:
    if scene.gone or scene.added:
        return Verdict(False, "Nobody may be taken out or put in here; undo that.")
    return _k_stays(challenge, scene)


def _k_stays(challenge: Challenge, scene: Scene) -> Verdict | None:
    if scene.k != challenge.start.k:
        return Verdict(False, f"k has to stay {challenge.start.k} here; it is {scene.k}.")
    return None


def _protect(challenge: Challenge, outcome: Outcome, _: Elsewhere) -> Verdict:
    scene, anna = outcome.scene, challenge.marked[0]
    broken = _everybody_stays(challenge, scene)
    if broken:
        return broken
    if anna in scene.moved:
        return Verdict(False, "Anna herself has to stay where she is; move others.")
    if len(scene.moved) > 2:
        return Verdict(False, f"{len(scene.moved)} people have moved; at most two may.")
    if outcome.certain:
        places = listed([_where(outcome, cell) for cell in outcome.certain[:3]])
        who = "1 person is" if len(outcome.certain) == 1 else f"{len(outcome.certain)} people are"
        return Verdict(False, f"Not yet: {who} still known for certain, at {places}.")
    if not outcome.finished:
        return Verdict(False, "Nobody was found to be certain, but the calculation was not finished in time.")
    return Verdict(True, "Nobody is known for certain any more: of no cell anybody knows that it holds exactly one.")


def _where(outcome: Outcome, number: int) -> str:
    grid = outcome.attack.release.grid
    return spoken(grid.describe_cell(outcome.base.cell(number)))


def _smallest_k(challenge: Challenge, outcome: Outcome, elsewhere: Elsewhere) -> Verdict:
    scene, anna = outcome.scene, challenge.marked[0]
    if scene.moved or scene.gone or scene.added:
        return Verdict(False, "Everybody has to stay where they are here; change k alone.")
    home = challenge.base.number(challenge.base.people[anna].cell)
    if home not in outcome.certain:
        low, high, _ = outcome.cells[home]
        held = f"exactly {low}" if low == high else f"{low} to {high}"
        return Verdict(False, f"With k = {scene.k} Anna is not given away: her cell is known to hold {held} people.")
    for smaller in range(2, scene.k):
        if home in elsewhere(Scene(scene.base, smaller)).certain:
            return Verdict(False, f"k = {scene.k} gives Anna away, but so does a smaller k.")
    below = "a smaller one does not" if scene.k == 3 else "no smaller one does"
    more = " A larger k does not simply protect more." if scene.k > 2 else ""
    return Verdict(True, f"k = {scene.k} gives Anna away, and {below}.{more}")


def _single_out(challenge: Challenge, outcome: Outcome, _: Elsewhere) -> Verdict:
    scene = outcome.scene
    broken = _k_stays(challenge, scene)
    if broken:
        return broken
    number = outcome.attack.release.records
    if number != 6:
        return Verdict(False, f"There are {number} people; it takes exactly six.")
    if not outcome.certain:
        boxes = how_many(len(outcome.formed), "box", "boxes")
        return Verdict(
            False, f"Not yet: with {boxes} each cell could hold another number of people, or holds none or several."
        )
    who = "somebody" if len(outcome.certain) == 1 else f"{len(outcome.certain)} people"
    return Verdict(True, f"Done: six people, and {who} can be pointed at for certain.")


def _stealing(challenge: Challenge, outcome: Outcome, _: Elsewhere) -> Verdict:
    broken = _k_stays(challenge, outcome.scene)
    if broken:
        return broken
    attacked = outcome.attack
    for index in outcome.formed:
        for rival, _segment in attacked.classes[index].stolen:
            thief, victim = outcome.number_of(rival), outcome.number_of(index)
            return Verdict(
                True, f"Box {thief} was formed first and took everybody in the cells it shares with box {victim}."
            )
    formed = outcome.formed
    tied = [
        (outcome.number_of(one), outcome.number_of(other))
        for place, one in enumerate(formed)
        for other in formed[place + 1 :]
        if attacked.undecided(one, other) and _share(outcome, one, other)
    ]
    if tied:
        one, other = tied[0]
        return Verdict(
            False,
            f"Boxes {one} and {other} overlap, but they cost the same: nobody outside knows which came first. "
            "Make boxes of different shape overlap.",
        )
    if len(formed) < 2:
        return Verdict(False, f"There {'is one box' if formed else 'is no box'}; it takes two that overlap.")
    return Verdict(False, f"The {len(formed)} boxes lie apart: none reaches into cells of an earlier one.")


def _share(outcome: Outcome, one: int, other: int) -> bool:
    release = outcome.attack.release
    return bool(
        set(release.grid.cells(release.classes[one].segment)) & set(release.grid.cells(release.classes[other].segment))
    )


_TWENTY_FOUR = (
    "85,51 76,109 61,53 73,74 31,105 65,119 99,70 91,101 41,103 81,70 83,67 23,100 "
    "43,65 52,110 66,97 25,61 36,92 30,112 76,101 68,106 78,64 99,87 38,88 21,90"
)
_SIX = "26,47 33,52 46,66 51,73 67,91 88,113"
_NINE = "79,118 67,74 37,63 20,83 84,99 97,50 62,110 98,45 68,61"


def toy() -> Base:
    """The table that the playground opens with."""
    data, study = datasets.example("toy")
    return base_of("toy", data.frame, study, _names(len(data.frame)))


def _made(name: str, pairs: str, study: Study) -> Base:
    frame = pd.DataFrame([[int(value) for value in pair.split(",")] for pair in pairs.split()], columns=study.names)
    return base_of(name, frame, study, _names(len(frame)))


def _names(count: int) -> list[str]:
    return [*NAMES, *(f"Person {number + 1}" for number in range(len(NAMES), count))][:count]


def challenges(start: Base) -> tuple[Challenge, ...]:
    """All tasks, in the order in which they are offered.

    Args:
        start: the table that the playground opens with, see :func:`toy`.
    """
    study = start.study
    anna = 14
    many = renamed(_made("many", _TWENTY_FOUR, study), {anna: "Anna", 1: "Gita"})
    six, nine = _made("six", _SIX, study.with_k(2)), _made("nine", _NINE, study)
    return (
        Challenge(
            "protect",
            "Protect Anna",
            "Anna is one of the two who are known for certain. Move at most two others so that nobody is.",
            start,
            Scene("toy", start.study.k),
            (1,),
            _protect,
        ),
        Challenge(
            "smallest-k",
            "The k that gives her away",
            "Anna is here again, among 24 people. Find the smallest k with which she is known for certain.",
            many,
            Scene("many", 8),
            (anna,),
            _smallest_k,
        ),
        Challenge(
            "six",
            "Six are enough",
            "Six people, k = 2. Place them so that at least one of them is known for certain.",
            six,
            Scene("six", 2),
            (),
            _single_out,
        ),
        Challenge(
            "stealing",
            "Make a box steal",
            "Move people until an earlier box takes everybody in cells that a later box covers too.",
            nine,
            Scene("nine", 3),
            (),
            _stealing,
        ),
    )
