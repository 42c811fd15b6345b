"""Questions on one class: where its records can lie, whose a cell is, and what the attack leaves."""

import math
from fractions import Fraction
from itertools import islice

import pandas as pd
import streamlit as st

from cra_dashboard.lessons.facts import chosen_part, places_of
from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, Setting, by_key, clear
from cra_dashboard.lessons.question import MOST_OPTIONS, Question, among, compared
from cra_dashboard.session import keys, state
from cra_dashboard.texts import words
from cra_dashboard.texts.class_rows import class_rows, mean_ratio
from cra_dashboard.texts.numbering import in_order, name_of, numbered, recoded
from cra_engine import Attack, Study, attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.refinement.half_range import half_range
from cra_engine.words import count, exactly, fewer, how_many, listed, quotient

MOST_CELLS = 5000  # of a class, to look through one by one


def compound(part: ClassAttack) -> Question | None:
    """Let the learner predict on Attack whether a class is basic or compound (paper, section 2)."""
    if part.index is None:
        return None
    grid = part.release.grid
    cells = math.prod(node.stop - node.start for node in grid.nodes(part.segment))
    layers = ", ".join(
        f"{a.name} on layer {layer}" for a, layer in zip(grid.attributes, part.segment.state, strict=True)
    )
    kind = "basic" if part.basic else "compound"
    return Question(
        f"{words.sentence(name_of(part.release, part.index))} is published as {words.box(grid, part.segment)}. "
        "Is it basic or compound?",
        ("Basic: a single cell", "Compound: wider than one cell"),
        0 if part.basic else 1,
        (f"It has {layers}, so it covers {how_many(cells, 'cell')}: it is {kind}.",),
    )


def half(part: ClassAttack) -> Question | None:
    """Let the learner predict on Attack how many of a class's records lie in a half of it; None if none is bounded."""
    if not part.bounded_attributes or part.size <= part.cap or len(part.free_cells) > MOST_CELLS or part.contradiction:
        return None
    grid, size = part.release.grid, part.size
    halves = [child for split in part.bounded_attributes for child in split.children]
    ranges = {child: half_range(part, child) for child in halves}
    # The half that shows most: bounded on both sides, and not the same as what any half gets.
    asked = min(halves, key=lambda child: (ranges[child][1] == 0, ranges[child][1] - ranges[child][0]))
    low, high = ranges[asked]
    guesses = [
        (0, size),
        (1, size),
        (0, part.cap),
        (max(0, size - part.cap), part.cap),
        (size // 2, -(-size // 2)),
    ]
    others = [(_range(*guess), _amiss(guess, (low, high))) for guess in guesses if guess != (low, high)]
    constraints = [numbered(c.text, part.release) for c in part.constraints() if c.kind in {"halves", "overlap"}]
    return among(
        f"{words.sentence(name_of(part.release, part.index))} has {how_many(size, 'person', 'people')} in "
        f"{words.box(grid, part.segment)}. "
        f"From this box alone, how many of them can lie in {words.box(grid, asked)}?",
        _range(low, high),
        others[: MOST_OPTIONS - 1],
        [*constraints, f"All of this together leaves {_range(low, high)} for this half."],
    )


def _amiss(guess: tuple[int, int], true: tuple[int, int]) -> str:
    """What a guessed range gets wrong."""
    out = [n for n in (guess[0], guess[1]) if not true[0] <= n <= true[1]]
    if out:
        return f"This half cannot hold {listed([str(n) for n in dict.fromkeys(out)], 'or')}."
    return f"This half can hold {true[0] if true[0] < guess[0] else true[1]}, too."


def _range(low: int, high: int) -> str:
    return f"exactly {low}" if low == high else f"{low} or {high}" if high == low + 1 else f"from {low} to {high}"


def free_cells(part: ClassAttack) -> Question | None:
    """Let the learner predict on Attack in how many cells of its box a class can have people, by the boxes alone."""
    grid = part.release.grid
    cells = math.prod(node.stop - node.start for node in grid.nodes(part.segment))
    free = len(part.free_cells)
    if cells == free:
        return None
    taken = listed(
        [name_of(part.release, index) for index in in_order(part.release, (index for index, _ in part.earlier))]
    )
    why = (
        [numbered(c.text, part.release) for c in part.constraints() if c.kind == "overlap"]
        if len(part.earlier) <= 5
        else [f"{how_many(len(part.earlier), 'box', 'boxes')} took everybody inside."]
    )
    return among(
        _where_it_can_be(part, cells),
        f"{free:,}",
        [
            (
                f"{cells:,}",
                "In every cell of a box that box took everybody."
                if part.index is None
                else f"Cells that an earlier class took are empty for it: {taken}.",
            ),
            (f"{max(1, cells - len(part.earlier)):,}", "A box can take several cells."),
            (
                f"{min(part.size, cells):,}",
                "All boxes together can settle that, as the story shows; here each box says only who is not in it."
                if part.index is None
                else f"It has {how_many(part.size, 'person', 'people')}; each of them has several cells to be in.",
            ),
            (f"{max(1, cells // 2):,}", ""),
        ],
        [*why, f"Of {cells:,} cells, {free:,} {'is' if free == 1 else 'are'} left."],
    )


def _where_it_can_be(part: ClassAttack, cells: int) -> str:
    people = how_many(part.size, "person", "people")
    if part.index is None:
        return (
            f"The suppressed row shows only stars: by it alone, {people} can be in any of {cells:,} cells. Now use the "
            "boxes, but nothing yet of what was **not** published. How many cells are left?"
        )
    return (
        f"The box of {name_of(part.release, part.index)} has {cells:,} cells. In how many of them can its {people} be?"
    )


def owner(part: ClassAttack, attacked: Attack) -> Question | None:
    """Let the learner predict on Attack to which of several classes a covered cell's people belong, if any compete."""
    if part.index is None or not part.earlier:
        return None
    grid, release = part.release.grid, attacked.release
    for cell in islice(grid.cells(part.segment), MOST_CELLS):
        if part.may_fill(cell):
            continue
        earlier = [i for i, segment in part.earlier if grid.holds(segment, cell)]
        covering = [*sorted(earlier), part.index]
        first = covering[0]
        if any(attacked.undecided(first, i) for i in covering[1:]):
            continue
        names = [words.sentence(name_of(release, i)) for i in covering]
        others = [
            (name, f"{name} was formed later than {name_of(release, first)}, which took everybody there.")
            for name in names[1:]
        ]
        others.append(("Nobody knows", "The order of the classes follows from the release alone: see below."))
        states = [
            f"{name_of(release, i)} comes from the state {words.state(release.classes[i].segment.state)}, "
            f"with a loss of {release.lattice.loss(release.classes[i].segment.state):.4f}"
            for i in covering
        ]
        return among(
            f"The boxes of {listed([name.lower() for name in names])} cover the cell "
            f"{words.cell(grid, cell)}. If there are people in that cell, "
            "to which class do they belong?",
            names[0],
            others,
            [
                f"{words.sentence('; '.join(states))}.",
                f"The state that loses least comes first, so {name_of(release, first)} took everybody in its box.",
            ],
        )
    return None


def ratio(part: ClassAttack) -> Question | None:
    """Let the learner predict on Attack how many times fewer tables remain than a class's interval promises."""
    if part.basic or part.contradiction:
        return None
    grid, size = part.release.grid, part.size
    promised, left = part.lr_solutions, part.cra_solutions
    only_taken = math.comb(sum(part.cell_volumes), size)
    answer = _times(promised, left)
    others = [
        ("As many as before", "Some of the tables that the box allows would have been published otherwise."),
        (_times(promised, only_taken), "So many by the cells that were taken; the halves are bounded as well.")
        if only_taken and promised != only_taken
        else (_times(size, 1), f"{size} is the number of its people."),
        (_times(only_taken, left), "So many by the bounds on the halves; cells were taken as well.")
        if only_taken != promised
        else (_times(2, 1), "Half of them would be left then; the bounds cut otherwise."),
        (_times(promised * size, left), ""),
    ]
    return among(
        f"Going by its box alone, {count(promised)} tables are possible for {name_of(part.release, part.index)} "
        f"({words.box(grid, part.segment)}, {how_many(size, 'person', 'people')}). How many times fewer does the "
        "attack leave?",
        answer,
        [(option, reason) for option, reason in others if option != answer],
        [
            f"{exactly(promised)} promised, {exactly(left)} remaining: {answer.lower()}.",
            *(numbered(c.text, part.release) for c in part.constraints() if c.kind == "halves"),
        ],
    )


def _times(larger: int, smaller: int) -> str:
    return words.sentence(fewer(larger, smaller))


def larger_k(data: pd.DataFrame, study: Study, other: int) -> Question | None:
    """Let the learner predict on Attack whether the mean ratio of the wider classes grows or shrinks with another k."""
    found = {}
    for k in (study.k, other):
        made = recoded(data, study.with_k(k))
        rows = [row for row in class_rows(attack(made.release)) if row.kind == "compound"]
        found[k] = (mean_ratio(rows), rows)
    (mean, rows), (mean_other, rows_other) = found[study.k], found[other]
    if mean is None or mean_other is None:
        return None

    def told(k: int, mean: Fraction, classes: int, cells: Fraction) -> str:
        return (
            f"k = {k}: {how_many(classes, 'wider class', 'wider classes')} of "
            f"{float(cells):.1f} cells on average, mean ratio {quotient(mean.numerator, mean.denominator)}"
        )

    sizes = [Fraction(sum(row.cells for row in of), len(of)) for of in (rows, rows_other)]
    said = (
        f"{told(study.k, mean, len(rows), sizes[0])}. {told(other, mean_other, len(rows_other), sizes[1])}. "
        "A class that has to find more people spreads over a wider box, and the wider the box, the more of it the "
        "attack can rule out."
        if mean_other > mean and sizes[1] > sizes[0]
        else f"{told(study.k, mean, len(rows), sizes[0])}. {told(other, mean_other, len(rows_other), sizes[1])}."
    )
    return compared(
        f"With k = {study.k} the attack leaves {quotient(mean.numerator, mean.denominator)} times fewer tables of a "
        f"wider class than its box promises, on average: that is the mean ratio. With k = {other}, at least {other} "
        "people share every row. What happens to the mean ratio: how much does the attack rule out?",
        ("It rules out less", "The same", "It rules out more"),
        mean,
        mean_other,
        said,
    )


# ---------------------------------------------------------------- what lessons know of the page


def selected(doing: Doing, part: str) -> bool:
    """Tell whether a lesson's step is done: a class of this kind was chosen on the page Attack."""
    here = doing.now.settings["part"]
    return doing.now.page == "attack" and doing.changed("part") and here in places_of(state.attacked(), part)


def compared_classes(doing: Doing, classes: int) -> bool:
    """Tell whether a lesson's step is done: so many different wider classes were looked at."""
    wider = set(places_of(state.attacked(), "compound"))
    return len({one.settings["part"] for one in doing.since if one.page == "attack"} & wider) >= classes


def leafed(doing: Doing, fillings: int) -> bool:
    """Tell whether a lesson's step is done: so many fillings were looked at besides the first."""
    seen = {pair for one in doing.since for pair in one.several["fillings"] if pair[1] != 1}
    return len(seen - doing.began.several["fillings"]) >= fillings


def looked_with_k(doing: Doing, k: int, part: str) -> bool:
    """Tell whether a lesson's step is done: with this k, a class of this kind was chosen on Attack."""
    now, here = doing.now, doing.now.settings["part"]
    if now.study is None or now.study.k != k or now.page != "attack" or here is None:
        return False
    # The class that the page shows first was not chosen by anybody.
    shown = {one.settings["part"] for one in (doing.began, *doing.since) if one.study == now.study} - {None}
    return len(shown) >= 2 and here in places_of(state.attacked(), part)


def _begin(opening: Opening) -> None:
    chosen, part = st.session_state, opening.wanted.get("part")
    clear(keys.FILLINGS)  # one that was left at the last could not be leafed on
    linked = opening.linked and opening.done != selected.__name__
    if part is not None and not (linked and keys.chosen_class() in chosen):
        chosen[keys.chosen_class()] = chosen_part(state.attacked(), part)
    chosen[keys.MAP] = keys.WHOLE_RELEASE if opening.wanted.get("whole_map") else keys.THIS_CLASS


HOOKS = Hooks(
    "attack",
    "Attack",
    views={
        "attack-figure": (by_key("stage"), "the picture of the class"),
        "attack-class": (by_key("attack-one-class"), "the choice of a class, and what is said of it"),
        "attack-look": (by_key(keys.MAP), "the choice of what the picture is about"),
        "attack-fillings": (by_key("attack-leaf"), "the buttons that leaf through the fillings"),
    },
    settings={
        "part": Setting(keys.chosen_class),
        "whole_map": Setting(keys.MAP, lambda looked: looked == keys.WHOLE_RELEASE),
        "of_class": Setting(keys.SHOWN),
    },
    several={"fillings": keys.FILLINGS},
    conditions=(selected, compared_classes, leafed, looked_with_k),
    begins=("part", "whole_map"),
    begin=_begin,
)
