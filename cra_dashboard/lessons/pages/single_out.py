"""Questions on singling out: who stands alone, and of whom the release alone says so."""

import numpy as np
import streamlit as st

from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, by_key, clear
from cra_dashboard.lessons.question import Question, among
from cra_dashboard.session import keys
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import name_of
from cra_engine import Recoding, SafeRecoding, SinglingOut, TightAttack
from cra_engine.study.grid import Cell
from cra_engine.words import how_many

OPEN = (
    "Several people fit each of these descriptions but one: the published table says so. How many people fit that one, "
    "only the raw table tells. "
)


def isolating(singled: SinglingOut, recoding: Recoding | SafeRecoding) -> Question | None:
    """Let the learner predict on Who stands alone which of several cells holds exactly one person."""
    grid, counts = recoding.grid, recoding.cell_counts(1)
    parts = [part for part in singled.attack.parts if not part.basic]
    owned = [cell for part in parts for cell in part.free_cells]
    alone = [cell for cell in owned if counts[cell] == 1]
    if not alone:
        return None
    answer = alone[len(alone) // 2]
    # The others: cells of which the release tells that they hold more; only then others, which nobody could rule out.
    several = [tuple(int(i) for i in place) for place in np.argwhere(counts > 1)]
    several.sort(key=lambda cell: (cell in owned, counts[cell], cell))
    wrong = [*several, *(cell for cell in owned if counts[cell] == 0)][:3]

    def name(cell: Cell) -> str:
        return words.sentence(words.cell(grid, cell))

    def held(cell: Cell) -> str:
        return "nobody" if counts[cell] == 0 else how_many(int(counts[cell]), "person", "people")

    index = next(part.index for part in parts if answer in part.free_cells)
    return among(
        f"{'' if set(wrong) & set(owned) else OPEN}**Which description fits exactly one person?**",
        name(answer),
        [(name(cell), f"It fits {held(cell)}.") for cell in wrong],
        [
            f"{words.isolates(grid, grid.cell_segment(answer))} That person is published in "
            f"{name_of(recoding.release, index)}, in a row that at least k = {recoding.study.k} people share."
            if index is not None
            else f"{words.isolates(grid, grid.cell_segment(answer))} That person is suppressed.",
            *(f"{name(cell)} fits {held(cell)}." for cell in wrong),
        ],
    )


def certain(tight: TightAttack, singled: SinglingOut) -> Question | None:
    """Let the learner predict on Who stands alone how many people the release alone singles out for certain."""
    if tight.status == "timeout":
        return None
    grid = tight.release.grid
    number = len(tight.isolated)
    results = [*singled.classes, *([singled.suppressed] if singled.suppressed else [])]
    true = sum(len(result.isolating) for result in results)
    many = how_many(number, "cell")
    return among(
        "Without the raw table: from the release, the hierarchies and k alone. In how many cells does an attacker know "
        "**for certain** that exactly one person is there?",
        f"{number}",
        [
            ("0", "All classes together leave no other possibility in some cells."),
            (f"{true}", "That many people do stand alone, but the attacker cannot know it of all of them."),
            (f"{sum(not part.basic for part in singled.attack.classes)}", "That is the number of wider classes."),
            (f"{number + 1}", ""),
        ],
        [
            f"{many}, by the attack on all classes together. {true} people stand alone in truth.",
            *(words.isolates(grid, grid.cell_segment(cell)) for cell in tight.isolated[:5]),
        ],
    )


# ---------------------------------------------------------------- what lessons know of the page


def chose_predicates(doing: Doing) -> bool:
    """Tell whether a lesson's step is done: the predicates of one class were asked for."""
    return any(place >= 0 for _, place in doing.new("predicates"))


def _begin(opening: Opening) -> None:
    clear(keys.PREDICATES)
    # What a step speaks of: the raw table, or what the release alone says.
    st.session_state[keys.SINGLED] = keys.FOR_CERTAIN if opening.wanted.get("certain_people") else keys.CHECKED


HOOKS = Hooks(
    "single_out",
    "Who stands alone",
    views={
        "single-out-figure": (by_key("stage"), "the picture of who stands alone"),
        "predicates": (by_key("single-out-predicates"), "the choice of a class of predicates"),
    },
    several={"predicates": keys.PREDICATES},
    conditions=(chose_predicates,),
    begins=("certain_people",),
    begin=_begin,
)
