"""Questions on local recoding: into what a state cuts the grid, and which state comes next."""

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cra_dashboard.lessons.facts import tie_step
from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, Setting, by_key
from cra_dashboard.lessons.question import MOST_OPTIONS, Question, among, compared
from cra_dashboard.session import keys, state
from cra_dashboard.texts import reasons, words
from cra_dashboard.texts.numbering import recoded
from cra_engine import Recoding
from cra_engine.study.grid import Grid
from cra_engine.words import how_many, listed


def segments(grid: Grid, state: Sequence[int]) -> Question | None:
    """Let the learner predict on Recode into how many segments a state cuts the grid (paper, section 2)."""
    parts = [a.nodes_in(layer) for a, layer in zip(grid.attributes, state, strict=True)]
    product = " × ".join(str(number) for number in parts)
    each = listed(
        [
            f"{a.name} has {how_many(number, 'interval')} on layer {layer}"
            for a, number, layer in zip(grid.attributes, parts, state, strict=True)
        ]
    )
    return among(
        f"Into how many boxes does the state {words.state(state)} cut the grid?",
        f"{math.prod(parts)}",
        [
            (
                f"{sum(parts)}",
                f"{sum(parts)} is the sum; but each interval of one column meets each of the other.",
            ),
            (f"{math.prod(state)}", f"{math.prod(state)} is the product of the layers; the intervals on them count."),
            (f"{grid.size}", f"{grid.size} is the number of cells: the boxes of {words.state([1] * len(parts))}."),
        ],
        [f"{words.sentence(each)}: {product} = {math.prod(parts)} boxes."],
    )


_NONE = "None: the people who are left are suppressed"


def next_state(recoding: Recoding, index: int) -> Question | None:
    """Let the learner predict on Recode which state follows step ``index``; None at the end of the sweep."""
    steps, top = recoding.iterations, recoding.lattice.top
    if index > len(steps):
        return None
    every = recoding.candidates(index + 1)
    candidates = [c for c in every if c.state != top]
    chosen = steps[index].state if index < len(steps) else None
    able = [c for c in candidates if c.feasible and c.state != chosen]
    unable = [c for c in candidates if not c.feasible]
    if chosen is not None:
        key = recoding.lattice.key(chosen)
        unable = [c for c in unable if recoding.lattice.key(c.state) < key]
    # The nearest misses: cheap states whose fullest box almost suffices, and the next best that could publish.
    unable.sort(key=lambda c: (-c.largest, recoding.lattice.key(c.state)))
    if chosen is None:  # at the end the widest boxes tempt
        unable.sort(key=lambda c: recoding.lattice.key(c.state), reverse=True)
    near = unable[: MOST_OPTIONS - 2 - min(len(able), 2)]
    against: dict[str, str] = {}
    best = None if chosen is None else next(c for c in candidates if c.state == chosen)
    for c in near:
        if c.largest < recoding.study.k:
            against[words.state(c.state)] = (
                f"Its fullest box holds {c.largest:,} of the people who are left, fewer than k = {recoding.study.k}."
                if c.largest
                else "Everybody in its boxes is published already."
            )
        else:
            against[words.state(c.state)] = (
                f"Its boxes with at least k = {recoding.study.k} people hold {c.records:,} together, "
                f"and a step must publish at least {recoding.step_minimum:,}."
            )
    tied: dict[str, str] = {}
    for c in able[:2]:
        if best is None:
            continue
        mine, theirs = recoding.lattice.key(c.state), recoding.lattice.key(best.state)
        if mine == theirs:
            tied[words.state(c.state)] = (
                f"It loses exactly as much as {words.state(best.state)}, so nobody can tell without the raw table."
            )
        elif mine[0] == theirs[0]:
            against[words.state(c.state)] = (
                "It could publish too and loses exactly as much; the tie decides against it."
            )
        else:
            against[words.state(c.state)] = (
                f"It could publish too, but loses more: {c.loss:.4f} instead of {best.loss:.4f}."
            )
    right = _NONE if chosen is None else words.state(chosen)
    if chosen is not None:
        against[_NONE] = "There is still a state below the top that can publish."
    told = tuple(reasons.step_reason(recoding, index + 1, every))
    # "None" begins with a letter and sorts after the states.
    options = tuple(sorted({right, *against, *tied}))
    if len(options) < 2:
        return None
    found, also = ({options.index(option): why for option, why in of.items()} for of in (against, tied))
    return Question("**Which state is taken next**, if any?", options, options.index(right), told, found, also)


def more_steps(recoding: Recoding, data: pd.DataFrame) -> Question | None:
    """Let the learner predict on Recode whether the desktop program, ARX's, takes more or fewer steps."""
    study = recoding.study
    other = recoded(data, study.changed(profile="arx-gui"))
    before, after = len(recoding.iterations), len(other.iterations)
    said = (
        f"Then a step must publish at least {how_many(other.step_minimum, 'record')} of "
        f"{recoding.records:,}; before, {recoding.step_minimum:,} sufficed. States that publish fewer are skipped: "
        f"{how_many(after, 'step')} instead of {before:,}, "
        f"{how_many(len(other.classes), 'class', 'classes')} instead of {len(recoding.classes):,}."
    )
    return compared(
        "The desktop program ARX takes a state only if it publishes at least 1 % of all records. "
        "How many steps will there be then?",
        ("Fewer than now", "As many as now", "More than now"),
        before,
        after,
        said,
    )


# ---------------------------------------------------------------- what lessons know of the page


def stepped_to(doing: Doing, step: int | str) -> bool:
    """Tell whether a lesson's step is done: Recode stands at a number, ``"end"``, or ``"tie"`` for the first tie."""
    recoding = state.recoding()
    place = {"end": len(recoding.iterations) + 1, "tie": tie_step(recoding)}.get(str(step), step)
    return doing.now.page == "recode" and doing.changed("step") and doing.now.settings["step"] == int(place)


def _begin(opening: Opening) -> None:
    place = opening.wanted.get("step")
    if place is not None and not (opening.linked and keys.step() in st.session_state):
        st.session_state[keys.step()] = place


HOOKS = Hooks(
    "recode",
    "Recode",
    views={
        "recode-figure": (by_key("stage"), "the two pictures"),
        "stepper": ('[class*="st-key-recode-step-"][class*="-controls"]', "the buttons and the slider"),
        "recode-grid": (by_key("recode-grid"), "the picture of the records"),
    },
    settings={"step": Setting(keys.step, lambda step: step or 0)},
    conditions=(stepped_to,),
    begins=("step",),
    begin=_begin,
)
