"""Questions to answer before the page shows it: the choices, the right one and why, all computed by the engine."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

import numpy as np
import pandas as pd

from cra_dashboard.texts import reasons, words
from cra_dashboard.texts.class_rows import class_rows, mean_ratio
from cra_engine import (
    Attack,
    Cell,
    ClassAttack,
    Composition,
    Grid,
    Recoding,
    SinglingOut,
    Study,
    TightAttack,
    attack,
    recode,
)
from cra_engine.attacks.refinement.half_range import half_range
from cra_engine.risk.sensitive_cells import Cell as TotalCell
from cra_engine.words import count, exactly, fewer, how_many, listed, quotient

MOST_OPTIONS = 5
MOST_CELLS = 5000  # of a class, to look through one by one


@dataclass(frozen=True)
class Question:
    """A question with several answers, of which one is right.

    Attributes:
        text: the question.
        options: the answers in an order that gives nothing away.
        right: position of the right one.
        why: the reason, as sentences.
        against: what speaks against an answer that is not right, by its position; where there is something to say.
        evidence: a small table that shows it, one column of which names the rows.
    """

    text: str
    options: tuple[str, ...]
    right: int
    why: tuple[str, ...]
    against: dict[int, str] = field(default_factory=dict)
    evidence: pd.DataFrame | None = field(default=None, compare=False)


def _question(text: str, right: str, others: Sequence[tuple[str, str]], why: Sequence[str]) -> Question | None:
    """A question whose answers stand in the order of their texts' numbers; None where nothing competes."""
    against = {option: reason for option, reason in reversed(others) if option != right}
    if not against:
        return None
    # The order of writing, numbers by their size: it does not depend on which answer is right.
    options = sorted([right, *against], key=_by_numbers)
    places = {options.index(option): reason for option, reason in against.items() if reason}
    return Question(text, tuple(options), options.index(right), tuple(why), places)


def _by_numbers(text: str) -> tuple[list[float], str]:
    numbers, digits = [], ""
    for character in f"{text} ":
        if character.isdigit() or (character == "." and digits):
            digits += character
        elif character != "," or not digits:
            if digits:
                numbers.append(float(digits.rstrip(".")))
            digits = ""
    return numbers, text


# ---------------------------------------------------------------- cells of a microaggregated table


def largest(cell: TotalCell) -> Question | None:
    """What the second largest contributor of a cell concludes of the largest, from the total."""
    closest = cell.closest()
    if closest is None:
        return None
    second, total, others = cell.contributions[1], cell.total, len(cell.rows) - 2

    def span(low: Fraction, high: Fraction) -> str:
        return f"exactly {_number(high)}" if low == high else f"{_number(low)} to {_number(high)}"

    own, left, most = _number(second), _number(closest.upper), _number(total)
    why = [f"The total is {most}. Less the own {own}, {left} is left for everybody else, so the largest has no more."]
    if others:
        rest = "The other record" if others == 1 else f"Each of the other {others:,} records"
        why.append(
            f"{rest} can have no more than {own}: at least {_number(closest.lower)} stays with the largest. "
            f"The truth is {_number(cell.contributions[0])}."
        )
    else:
        why.append("Nobody else is in the cell: each of two contributors knows the other exactly.")
    return _question(
        f"The {cell.column} of {len(cell.rows)} records adds up to {most}. The second largest contributor has {own}, "
        "and knows to be second. **What does the largest have?**",
        span(closest.lower, closest.upper),
        [
            (span(Fraction(0), total), "That is what everybody can say who knows the total; one knows more."),
            (span(second, total), f"The own {own} is part of the total and can be subtracted."),
            (span(Fraction(0), closest.upper), f"The largest has more than the second: {own} or more."),
        ],
        why,
    )


def _number(value: Fraction) -> str:
    return f"{float(value):,.6g}"


# ---------------------------------------------------------------- several releases


def together(found: Composition) -> Question | None:
    """How many people all releases isolate together, of which each tells so much alone."""
    if len(found.releases) < 2:
        return None
    right, told = len(found.isolated), len(found.cells)
    alone = [(len(one.fixed_cells), len(one.isolated)) for one in found.alone]
    said = "; ".join(
        f"release {number} (k = {one.release.k}) tells {how_many(cells, 'cell')} and isolates "
        f"{how_many(people, 'person', 'people') if people else 'nobody'}"
        for number, (one, (cells, people)) in enumerate(zip(found.alone, alone, strict=True), start=1)
    )
    most = max(people for _, people in alone)
    others = [
        (str(most), "A release that says nothing new of a cell can still exclude what another one leaves open."),
        (str(sum(people for _, people in alone) + 1), "It is no sum: each bound of one release works on all others."),
        (str(right + 2), "As many are not certain: two tables that give all releases differ there."),
        (str(right + 5), "As many are not certain: two tables that give all releases differ there."),
    ]
    return _question(
        f"Of {told} cells {said}. **How many people do they isolate together?**",
        str(right),
        [(text, why) for text, why in others if text != str(right)],
        [
            f"Together they tell {len(found.fixed_cells)} of {told} cells.",
            "Every table that is left must give each of the releases. What one leaves open the other excludes.",
        ],
    )


# ---------------------------------------------------------------- recoding


def segments(grid: Grid, state: Sequence[int]) -> Question | None:
    """Into how many segments a state cuts the grid (paper, section 2)."""
    parts = [a.nodes_in(layer) for a, layer in zip(grid.attributes, state, strict=True)]
    product = " × ".join(str(number) for number in parts)
    each = listed(
        [
            f"{a.name} has {how_many(number, 'interval')} on layer {layer}"
            for a, number, layer in zip(grid.attributes, parts, state, strict=True)
        ]
    )
    return _question(
        f"Into how many boxes does the state {words.state(state)} cut the grid?",
        f"{math.prod(parts)}",
        [
            (f"{sum(parts)}", "That is the sum: every interval of one attribute meets every one of the other."),
            (f"{math.prod(state)}", "That is the product of the layers; it is the intervals on them that count."),
            (f"{grid.size}", f"That is the number of cells: the boxes of {words.state([1] * len(parts))}."),
        ],
        [f"{words.sentence(each)}: {product} = {math.prod(parts)} boxes. Such a box is called a segment."],
    )


_NONE = "None: the records that are left are suppressed"


def next_state(recoding: Recoding, index: int) -> Question | None:
    """Which state the iteration after step ``index`` takes; None at the end of the sweep."""
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
    near = unable[: MOST_OPTIONS - 2 - min(len(able), 2)]
    against: dict[str, str] = {}
    best = None if chosen is None else next(c for c in candidates if c.state == chosen)
    for c in near:
        if c.largest < recoding.study.k:
            against[words.state(c.state)] = (
                f"Its fullest box holds {c.largest:,} of the remaining records, fewer than k = {recoding.study.k}."
                if c.largest
                else "All records in its boxes are published already."
            )
        else:
            against[words.state(c.state)] = (
                f"Its boxes with at least k = {recoding.study.k} records hold {c.records:,} together, "
                f"and a step must publish at least {recoding.step_minimum:,}."
            )
    for c in able[:2]:
        if best is None:
            continue
        same = recoding.lattice.key(c.state)[0] == recoding.lattice.key(best.state)[0]
        against[words.state(c.state)] = (
            "It could publish too and loses exactly as much; the tie decides against it."
            if same
            else f"It could publish too, but loses more: {c.loss:.4f} instead of {best.loss:.4f}."
        )
    found = sorted(against.items())
    if chosen is not None:
        found.append((_NONE, "There is still a state below the top that can publish."))
    told = [text.replace("`", "") for text in reasons.why(recoding, index + 1, every)]
    order = sorted({words.state(chosen) if chosen else _NONE, *(option for option, _ in found)})
    if len(order) < 2:
        return None
    # "None" begins with a letter and sorts after the states.
    right = order.index(words.state(chosen) if chosen else _NONE)
    places = {order.index(option): reason for option, reason in found if order.index(option) != right}
    text = f"Step {index + 1} comes next. **Which state will it take?**"
    return Question(text, tuple(order), right, tuple(told), places)


def more_steps(recoding: Recoding, data: pd.DataFrame, profile: str) -> Question | None:
    """Whether the publisher takes more or fewer steps under another profile."""
    study = recoding.study
    other = recode(data, study.changed(profile=profile))
    before, after = len(recoding.iterations), len(other.iterations)
    said = (
        f"Then a step must publish at least {how_many(other.step_minimum, 'record')} of "
        f"{recoding.records:,}; before, {recoding.step_minimum:,} sufficed. States that publish fewer are skipped: "
        f"{how_many(after, 'iteration')} instead of {before:,}, "
        f"{how_many(len(other.classes), 'class', 'classes')} instead of {len(recoding.classes):,}."
    )
    return _compared(
        "The desktop program ARX takes a state only if it publishes at least 1 % of all records. "
        "How many iterations will there be then?",
        ("Fewer than now", "As many as now", "More than now"),
        before,
        after,
        said,
    )


def _compared(
    text: str, options: tuple[str, str, str], before: int | Fraction, after: int | Fraction, said: str
) -> Question:
    right = 0 if after < before else 1 if after == before else 2
    return Question(text, options, right, (said,))


# ---------------------------------------------------------------- the attack


def compound(part: ClassAttack) -> Question | None:
    """Whether a class is basic or compound (paper, section 2)."""
    if part.index is None:
        return None
    grid = part.release.grid
    cells = math.prod(node.stop - node.start for node in grid.nodes(part.segment))
    layers = ", ".join(
        f"{a.name} on layer {layer}" for a, layer in zip(grid.attributes, part.segment.state, strict=True)
    )
    kind = "basic" if part.basic else "compound"
    return Question(
        f"Class {part.index} is published as {words.box(grid, part.segment)}. Is it basic or compound?",
        ("Basic: a single cell", "Compound: wider than one cell"),
        0 if part.basic else 1,
        (f"It has {layers}, so it covers {how_many(cells, 'cell')}: it is {kind}.",),
    )


def half(part: ClassAttack) -> Question | None:
    """How many records of a class can lie in a half of it; None where no half is bounded."""
    if not part.generalized or part.size <= part.cap or len(part.free_cells) > MOST_CELLS or part.contradiction:
        return None
    grid, size = part.release.grid, part.size
    halves = [child for split in part.generalized for child in split.children]
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
    constraints = [c.text for c in part.constraints() if c.kind in {"halves", "overlap"}]
    return _question(
        f"{words.sentence(words.name_of(part.index))} has {size} records in {words.box(grid, part.segment)}. "
        f"How many of them can lie in {words.box(grid, asked)}?",
        _range(low, high),
        others[: MOST_OPTIONS - 1],
        [*constraints, f"All of this together leaves {_range(low, high)} for this half."],
    )


def _amiss(guess: tuple[int, int], true: tuple[int, int]) -> str:
    """What a guessed range gets wrong."""
    out = [n for n in (guess[0], guess[1]) if not true[0] <= n <= true[1]]
    if out:
        return f"{listed([str(n) for n in dict.fromkeys(out)], 'or')} in this half cannot be."
    return f"{true[0] if true[0] < guess[0] else true[1]} in this half can be as well."


def _range(low: int, high: int) -> str:
    return f"exactly {low}" if low == high else f"{low} or {high}" if high == low + 1 else f"from {low} to {high}"


def free_cells(part: ClassAttack) -> Question | None:
    """In how many cells of its box the records of a class can lie."""
    grid = part.release.grid
    cells = math.prod(node.stop - node.start for node in grid.nodes(part.segment))
    free = len(part.free_cells)
    if cells == free:
        return None
    taken = listed([f"class {index}" for index, _ in part.stolen])
    why = (
        [c.text for c in part.constraints() if c.kind == "overlap"]
        if len(part.stolen) <= 5
        else [f"{how_many(len(part.stolen), 'earlier class', 'earlier classes')} took cells of it."]
    )
    return _question(
        f"The box of {words.name_of(part.index)} has {cells:,} cells. In how many of them can its "
        f"{how_many(part.size, 'record')} lie?",
        f"{free:,}",
        [
            (f"{cells:,}", f"Cells that an earlier class took are empty for it: {taken}." if taken else ""),
            (f"{max(1, cells - len(part.stolen)):,}", "A class that was formed earlier can take several cells."),
            (
                f"{min(part.size, cells):,}",
                "That is the number of its records; each of them has several cells to be in.",
            ),
            (f"{max(1, cells // 2):,}", ""),
        ],
        [*why, f"Of {cells:,} cells, {free:,} {'is' if free == 1 else 'are'} left."],
    )


def owner(part: ClassAttack, attacked: Attack) -> Question | None:
    """To which of several classes whose boxes cover a cell its records belong; None where no cell is contested."""
    if part.index is None or not part.stolen:
        return None
    grid, release = part.release.grid, attacked.release
    for cell in islice(grid.cells(part.segment), MOST_CELLS):
        if part.may_fill(cell):
            continue
        earlier = [i for i, segment in part.stolen if grid.contains(segment, grid.cell_segment(cell))]
        covering = [*sorted(earlier), part.index]
        first = covering[0]
        if any(attacked.undecided(first, i) for i in covering[1:]):
            continue
        names = [f"Class {i}" for i in covering]
        others = [(name, f"It was formed later than class {first}, which took everybody there.") for name in names[1:]]
        others.append(("Nobody knows", "The order of the classes follows from the release alone: see below."))
        states = [
            f"class {i} comes from the state {words.state(release.classes[i].segment.state)}, "
            f"with a loss of {release.lattice.loss(release.classes[i].segment.state):.4f}"
            for i in covering
        ]
        return _question(
            f"The boxes of {listed([name.lower() for name in names])} cover the cell "
            f"{words.box(grid, grid.cell_segment(cell))}. If there are people in that cell, "
            "to which class do they belong?",
            names[0],
            others,
            [
                f"{words.sentence('; '.join(states))}.",
                f"The state that loses least comes first: class {first} took everybody in its box before that.",
            ],
        )
    return None


def ratio(part: ClassAttack) -> Question | None:
    """How many times fewer tables remain than a class's interval promises."""
    if part.basic or part.contradiction:
        return None
    grid, size = part.release.grid, part.size
    promised, left = part.lr_solutions, part.cra_solutions
    only_taken = math.comb(sum(part.cell_volumes), size)
    answer = _times(promised, left)
    others = [
        ("As many as before", "Some of the tables that the box allows would have been published otherwise."),
        (_times(promised, only_taken), "That counts only the cells that were taken; the halves are bounded as well.")
        if only_taken and promised != only_taken
        else (_times(size, 1), "That is the number of its records."),
        (_times(only_taken, left), "That counts only the bounds on the halves; cells were taken as well.")
        if only_taken != promised
        else (_times(2, 1), "That would be one half; the bounds cut otherwise."),
        (_times(promised * size, left), ""),
    ]
    return _question(
        f"Going by its box alone, {count(promised)} tables are possible for {words.name_of(part.index)} "
        f"({words.box(grid, part.segment)}, {how_many(size, 'record')}). How many times fewer does the "
        "attack leave?",
        answer,
        [(option, reason) for option, reason in others if option != answer],
        [
            f"{exactly(promised)} promised, {exactly(left)} remaining: {answer.lower()}.",
            *(c.text for c in part.constraints() if c.kind == "halves"),
        ],
    )


def _times(larger: int, smaller: int) -> str:
    return words.sentence(fewer(larger, smaller))


def larger_k(data: pd.DataFrame, study: Study, other: int) -> Question | None:
    """Whether the mean ratio of the wider classes grows or shrinks with another k."""
    found = {}
    for k in (study.k, other):
        made = recode(data, study.with_k(k))
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
    return _compared(
        f"With k = {other} instead of {study.k}, at least {other} people share every row. What happens to the mean "
        "ratio of the wider classes: how much does the attack rule out?",
        ("It rules out less", "The same", "It rules out more"),
        mean,
        mean_other,
        said,
    )


# ---------------------------------------------------------------- singling out


def isolating(singled: SinglingOut, recoding: Recoding) -> Question | None:
    """Which of several cells holds exactly one person."""
    grid, counts = recoding.grid, recoding.cell_counts(1)
    parts = [part for part in singled.attack.parts if not part.basic]
    owned = [cell for part in parts for cell in part.free_cells]
    alone = [cell for cell in owned if counts[cell] == 1]
    if not alone:
        return None
    answer = alone[len(alone) // 2]
    # The others: cells that the attack leaves open as well, then full ones.
    empty = [cell for cell in owned if counts[cell] == 0]
    several = [tuple(int(i) for i in place) for place in np.argwhere(counts > 1)]
    several.sort(key=lambda cell: (cell not in owned, counts[cell], cell))
    wrong = [*several[:2], *empty[:2]][:3]

    def name(cell: Cell) -> str:
        return words.sentence(words.box(grid, grid.cell_segment(cell)))

    def held(cell: Cell) -> str:
        return "nobody" if counts[cell] == 0 else how_many(int(counts[cell]), "person", "people")

    index = next(part.index for part in parts if answer in part.free_cells)
    return _question(
        "Several people fit some of these descriptions, and nobody fits others. **Which one fits exactly one person?**",
        name(answer),
        [(name(cell), f"It fits {held(cell)}.") for cell in wrong],
        [
            f"{words.isolates(grid, grid.cell_segment(answer))} That person is published in "
            f"{words.name_of(index)}, in a row that at least k = {recoding.study.k} people share."
            if index is not None
            else f"{words.isolates(grid, grid.cell_segment(answer))} That person is suppressed.",
            *(f"{name(cell)} fits {held(cell)}." for cell in wrong),
        ],
    )


def certain(tight: TightAttack, singled: SinglingOut) -> Question | None:
    """How many people the release alone singles out for certain."""
    if tight.status == "timeout":
        return None
    grid = tight.release.grid
    number = len(tight.isolated)
    results = [*singled.classes, *([singled.outliers] if singled.outliers else [])]
    true = sum(len(result.isolating) for result in results)
    many = how_many(number, "cell")
    return _question(
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


# ---------------------------------------------------------------- heterogeneous generalization


def other_side(l: int | None, records: int, twice: Fraction) -> Question | None:  # noqa: E741 - its name in the field
    """How many people see a value twice, where no row stands for a value twice (paper 001, Theorem 3)."""
    if l is None:
        return None
    options = ("nobody", "less than 1 in 20", "between 1 in 20 and 1 in 4", "more than 1 in 4")
    right = 0 if not twice else 1 if twice < Fraction(1, 20) else 2 if twice < Fraction(1, 4) else 3
    return Question(
        f"Behind each row stand {l} different values: no two of its people share one. Now take a person, and the {l} "
        f"rows that the person matches. How many of the {records:,} people see some value twice on their rows?",
        options,
        right,
        (
            f"{how_many(round(twice * records), 'person', 'people')} of {records:,}.",
            "A row takes one match from each bucket, so the values **behind** it differ.",
            "But which of them a row **shows** is drawn row by row: two rows of a person may show the same value.",
        ),
        {0: "The proof speaks of the values behind a row. Nothing in it looks at a person's rows."} if right else {},
    )
