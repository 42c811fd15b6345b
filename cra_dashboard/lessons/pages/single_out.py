"""Questions on singling out: who stands alone, and of whom the release alone says so."""

import streamlit as st

from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, by_key, clear
from cra_dashboard.lessons.question import Question, among
from cra_dashboard.session import keys
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import name_of
from cra_engine import Recoding, SafeRecoding, SinglingOut, TightAttack
from cra_engine.study.grid import Cell
from cra_engine.words import how_many

NOWHERE = "None of these"


def isolating(singled: SinglingOut, recoding: Recoding | SafeRecoding) -> Question | None:
    """Let the learner predict which of several cells may hold exactly one person, by what the classes say."""
    grid, counts = recoding.grid, recoding.cell_counts(1)
    parts = [part for part in singled.attack.parts if not part.basic]
    alone = [cell for part in parts for cell in part.free_cells if counts[cell] == 1]
    if not alone:
        return None
    answer = alone[len(alone) // 2]
    full = [(part.free_cells[0], part) for part in singled.attack.classes if part.basic]

    def name(cell: Cell) -> str:
        return words.sentence(words.cell(grid, cell))

    index = next(part.index for part in parts if answer in part.free_cells)
    where = (
        "is suppressed: in one of the cells that no box covers"
        if index is None
        else f"shares a row with at least {recoding.study.k - 1} others, in {name_of(recoding.release, index)}"
    )
    against = [
        (name(cell), f"That is all of {name_of(recoding.release, part.index)}: it fits {part.size} people.")
        for cell, part in full[:3]
    ]
    return among(
        "By the published boxes alone: **which description may fit exactly one person?**",
        name(answer),
        against,
        [
            f"A box of one cell tells how many people fit: at least k = {recoding.study.k}. Any other leaves it open.",
            f"The raw table settles it. {words.isolates(grid, grid.cell_segment(answer))} That person {where}.",
        ],
    )


def certain(tight: TightAttack, singled: SinglingOut) -> Question | None:
    """Let the learner predict on Who stands alone where the release alone leaves one person and nothing else."""
    if tight.status == "timeout":
        return None
    grid = tight.release.grid
    number = len(tight.isolated)
    results = [*singled.classes, *([singled.suppressed] if singled.suppressed else [])]
    true = sum(len(result.isolating) for result in results)

    def name(cell: Cell) -> str:
        return words.sentence(words.cell(grid, cell))

    others = sorted((one for one in tight.cells if one.highest and one.lowest != one.highest), key=lambda one: one.cell)
    against = [
        (name(one.cell), f"From {one.lowest} to {how_many(one.highest, 'person', 'people')} can be there.")
        for one in others[:: max(1, len(others) // 2)][:2]
    ]
    against += [
        (name(one.cell), f"There are {one.lowest} people, also for certain.")
        for one in tight.cells
        if one.fixed and one.lowest > 1
    ][:1]
    return among(
        "Without the raw table: from the release, the hierarchies and k alone. **In which cell is exactly one person, "
        "for certain?**",
        name(tight.isolated[0]) if number else NOWHERE,
        [*against, (NOWHERE, "All classes together leave no other possibility in one of them.")],
        [
            f"All classes together say so of {how_many(number, 'cell')}. {true} people stand alone in truth.",
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
        "predicates": (by_key("single-out-predicates"), "the choice of a class"),
    },
    several={"predicates": keys.PREDICATES},
    conditions=(chose_predicates,),
    begins=("certain_people",),
    begin=_begin,
)
