"""Questions on singling out: who stands alone, and of whom the release alone says so."""

import streamlit as st

from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, by_key, clear
from cra_dashboard.lessons.question import Question, among
from cra_dashboard.session import keys
from cra_dashboard.texts import words
from cra_engine import Recoding, SafeRecoding, SinglingOut, TightAttack
from cra_engine.study.grid import Cell
from cra_engine.words import how_many, spanned

NOWHERE = "None of these"


def isolating(singled: SinglingOut, recoding: Recoding | SafeRecoding) -> Question | None:
    """Let the learner predict of how many people the raw table says that they stand alone in a cell."""
    counts, records = recoding.cell_counts(1), recoding.records
    wider = [part for part in singled.attack.parts if not part.basic]
    # Where classes tie a cell is free in several of them.
    alone = sum(counts[cell] == 1 for cell in {cell for part in wider for cell in part.free_cells})
    if not alone:
        return None
    hidden = sum(part.size for part in wider)
    return among(
        f"With the raw table at hand: **how many of {records:,} people stand alone in a cell?**",
        f"{alone:,}",
        [
            (f"{len(wider):,}", "Not one for each wider box and the suppressed: some hold several, some nobody."),
            (f"{hidden:,}", "So many are suppressed or in wider boxes, but some of them share their cell."),
            (f"{records:,}", "On a box of one cell at least k people share that cell."),
        ],
        [f"{hidden:,} people are suppressed or in wider boxes; {alone:,} of them share their cell with nobody."],
    )


def certain(tight: TightAttack) -> Question | None:
    """Let the learner predict on Who stands alone where the release alone leaves one person and nothing else."""
    if tight.status == "timeout":
        return None
    grid = tight.release.grid
    alone = tight.isolated

    def name(cell: Cell) -> str:
        # One line each beside the picture: all answers are in sight.
        return words.sentence(words.cell_by_ends(grid, cell))

    others = sorted((one for one in tight.cells if one.highest and one.lowest != one.highest), key=lambda one: one.cell)
    against = [
        (name(one.cell), f"In your cell {spanned(one.lowest, one.highest)} people can be.")
        for one in others[:: max(1, len(others) // 2)][:2]
    ]
    against += [
        (name(one.cell), f"In your cell are exactly {one.lowest} people, for certain.")
        for one in tight.cells
        if one.fixed and one.lowest > 1
    ][:1]
    return among(
        "From the release, the hierarchies and k alone: **in which cell is exactly one person, "
        f"for certain?**{' (Two are right; one is enough.)' if len(alone) > 1 else ''}",
        name(alone[0]) if alone else NOWHERE,
        [*against, (NOWHERE, "All classes together leave no other possibility in one of them.")],
        [f"All classes together say so of {how_many(len(alone), 'cell')}: no table that is left has another number."],
        {name(cell): "Both are certain." for cell in alone[1:2]},
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
