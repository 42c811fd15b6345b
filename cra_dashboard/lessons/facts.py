"""The numbers in the lessons' texts: each is computed from the study on the screen when the text is shown.

A text names a fact as ``{name}``; ``{name:5}`` is the same fact of the same study with k = 5.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
from propcache.api import cached_property

from cra_dashboard.lessons.argument import argument
from cra_dashboard.texts import numbering, words
from cra_dashboard.texts.class_rows import ClassRow, class_row, class_rows, deepest, mean_ratio
from cra_dashboard.texts.class_story import class_story
from cra_dashboard.texts.reasons import ties
from cra_engine import (
    Attack,
    GlobalRecoding,
    Recoding,
    SafeRecoding,
    SensitiveCells,
    SinglingOut,
    Study,
    attack,
    global_recode,
    sensitive_cells,
    single_out,
)
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.criteria.concentration import USUAL
from cra_engine.publish.microaggregation.mdav import Clusters
from cra_engine.publish.microaggregation.microaggregate import complying, formed_clusters, squared_error
from cra_engine.raw.exact_columns import ExactColumns, exact_columns
from cra_engine.release import Owner
from cra_engine.words import count, fewer, how_many, listed, odds_factor, quotient

MOST_TERMS = 12
_NAMED = re.compile(r"\{(?P<fact>\w+)(?::(?P<k>\d+))?\}")

IsOne = Callable[[ClassAttack], bool]


def places_of(attacked: Attack, kind: str) -> list[int]:
    """Return the places of all classes that a lesson means by a kind, among the attack's parts; see :data:`PARTS`."""
    is_one = PARTS[kind](attacked)
    return [place for place, part in enumerate(attacked.parts) if is_one(part)]


def chosen_part(attacked: Attack, kind: str) -> int:
    """Return the first class that a lesson means by a kind; the first of all where there is none."""
    return next(iter(places_of(attacked, kind)), 0)


def _deepest(attacked: Attack, after: Iterable[ClassRow] = ()) -> IsOne:
    best = deepest([row for row in map(class_row, attacked.classes) if row not in after])
    return lambda part: best is not None and part.index == best.index


def _next_deepest(attacked: Attack) -> IsOne:
    first = deepest([class_row(one) for one in attacked.classes])
    return _deepest(attacked, [] if first is None else [first])


def _last_basic(attacked: Attack) -> IsOne:
    last = max((part.index for part in attacked.classes if part.basic and part.index is not None), default=-1)
    return lambda part: part.index == last


# What lessons call a class: given an attack, which of its parts are meant.
PARTS: Mapping[str, Callable[[Attack], IsOne]] = {
    "basic": lambda _: lambda part: part.index is not None and part.basic,
    "compound": lambda _: lambda part: part.index is not None and not part.basic,
    "robbed": lambda _: lambda part: part.index is not None and not part.basic and bool(part.earlier),
    "deepest": _deepest,
    "next_deepest": _next_deepest,
    "last_basic": _last_basic,
    "suppressed": lambda _: lambda part: part.index is None,
}


def tie_step(recoding: Recoding | SafeRecoding) -> int:
    """Return the step with a tie for lessons: the first iteration that broke an exact one; the last where none did."""
    tied = (step.index for step in recoding.iterations if len(step.tied) > 1)
    return next(tied, len(recoding.iterations))


def two_draws(frame: pd.DataFrame, study: Study) -> tuple[SafeRecoding, SafeRecoding]:
    """Return two safe draws of a table that know nothing of each other, the same for every lesson.

    Of the toy with epsilon 1 these two settle who is alone; most pairs do, not all. They are never handed out: with a
    seed the coins are known.
    """
    return numbering.safely_recoded(frame, study, 5), numbering.safely_recoded(frame, study, 27)


@dataclass(frozen=True)
class Facts:
    """The facts that a lesson's texts can say of a study.

    Attributes:
        frame: the table.
        recoding: of the table.
        attacked: the attack on its release.
        place: of the class that is looked at; the one that loses most where none is.
    """

    frame: pd.DataFrame
    recoding: Recoding
    attacked: Attack
    place: int | None = None

    @classmethod
    def of_table(cls, frame: pd.DataFrame, study: Study) -> "Facts":
        """The facts of a table that nobody has recoded and attacked yet."""
        recoding = numbering.recoded(frame, study)
        return cls(frame, recoding, attack(recoding.release))

    @property
    def study(self) -> Study:
        """The study of the recoding."""
        return self.recoding.study

    @cached_property
    def rows(self) -> list[ClassRow]:
        """The numbers of every class."""
        return class_rows(self.attacked)

    @cached_property
    def singled(self) -> SinglingOut:
        """Singling out with the table at hand."""
        return single_out(self.attacked, self.frame)

    @cached_property
    def columns(self) -> ExactColumns:
        """The table's numbers, exact."""
        return exact_columns(self.frame)

    @cached_property
    def clusters(self) -> Clusters:
        """The table's records in clusters of the study's k or more."""
        return formed_clusters(self.columns, self.study.k)

    @cached_property
    def complying_clusters(self) -> Clusters:
        """The same, merged until no rule calls a cell sensitive."""
        return complying(self.columns, self.clusters, USUAL)

    @cached_property
    def sensitive(self) -> SensitiveCells:
        """The cells of these clusters by both rules."""
        return sensitive_cells(self.clusters, self.columns)

    @cached_property
    def strict(self) -> GlobalRecoding:
        """One state for all records, nothing suppressed."""
        return global_recode(self.frame, self.study)

    @cached_property
    def generous(self) -> GlobalRecoding:
        """One state for all records, up to half of them suppressed."""
        return global_recode(self.frame, self.study, suppression_limit=Fraction(1, 2))

    @property
    def part(self) -> ClassAttack:
        """The class that is looked at."""
        place = self.place if self.place is not None and self.place < len(self.attacked.parts) else None
        return self.attacked.parts[chosen_part(self.attacked, "deepest") if place is None else place]

    @cached_property
    def row(self) -> ClassRow:
        """Its numbers."""
        return class_row(self.part)

    def of(self, kind: str) -> "Facts":
        """The same with the first class of a kind."""
        return replace(self, place=chosen_part(self.attacked, kind))

    def with_k(self, k: int) -> "Facts":
        """The same table with another k."""
        return Facts.of_table(self.frame, self.study.with_k(k))

    def fill(self, text: str) -> str:
        """A text with its facts put in."""
        return _NAMED.sub(
            lambda named: FACTS[named["fact"]](self.with_k(int(named["k"])) if named["k"] else self), text
        )


# ---------------------------------------------------------------- the facts


def _box(part: ClassAttack) -> str:
    return words.plain(words.box(part.release.grid, part.segment))


def _mean(facts: Facts) -> str:
    mean = mean_ratio([row for row in facts.rows if row.kind == "compound"])
    return "not defined (no class is wider than a cell)" if mean is None else _short(mean)


def _mean_cells(facts: Facts) -> str:
    cells = [row.cells for row in facts.rows if row.kind == "compound"]
    return f"{sum(cells) / len(cells):.1f}" if cells else "no"


def _short(value: Fraction) -> str:
    return quotient(value.numerator, value.denominator)


def _terms(facts: Facts) -> str:
    """The class's remaining tables as a sum over its fillings: a product of binomials each."""
    part = facts.part
    found = part.assignments(MOST_TERMS + 1, 5)
    if len(found.assignments) > MOST_TERMS or not found.complete:
        return f"a sum over {count(part.combinations)} fillings"
    terms = [
        " · ".join(f"C({volume}, {held})" for volume, held in zip(part.cell_volumes, counts, strict=True) if held)
        for counts in found.assignments
    ]
    return f"{' + '.join(terms)} = {count(part.cra_solutions)}"


def _first_step(facts: Facts) -> str:
    step = facts.recoding.iterations[0]
    return f"{how_many(step.before - step.after, 'person', 'people')} in {how_many(len(step.classes), 'box', 'boxes')}"


def _tie_reason(facts: Facts) -> str:
    step = tie_step(facts.recoding)
    told = ties(facts.recoding, step, facts.recoding.candidates(step))
    return " ".join(told) or "No step had to break a tie."


def _tied_states(facts: Facts) -> str:
    """The states between which the step with a tie had to decide, the one that it took first."""
    taken = facts.recoding.iterations[tie_step(facts.recoding) - 1]
    return listed([words.state(taken.state), *(words.state(c.state) for c in taken.tied if c.state != taken.state)])


def _draws(facts: Facts) -> tuple[SafeRecoding, SafeRecoding]:
    return two_draws(facts.frame, facts.study.with_epsilon("1"))


def _subtracted(facts: Facts) -> tuple[int, int]:
    """People of a box of the first of two draws, and of a box of the second inside it that leaves fewer than k."""
    first, second = _draws(facts)
    return next(
        (outer.size, inner.size)
        for outer in first.classes
        for inner in second.classes
        if 0 < outer.size - inner.size < facts.study.k and first.grid.contains(outer.segment, inner.segment)
    )


def _taken(facts: Facts) -> str:
    row = facts.row
    if row.cells == row.free_cells:
        return f"no earlier class took any of its {how_many(row.cells, 'cell')}"
    return f"earlier classes took {row.cells - row.free_cells:,} of its {how_many(row.cells, 'cell')}"


def _called(part: ClassAttack) -> str:
    return numbering.name_of(part.release, part.index)


def _bounds(facts: Facts) -> str:
    told = [
        numbering.numbered(c.text, facts.part.release) for c in facts.part.constraints() if c.kind in {"halves", "none"}
    ]
    return words.plain(" ".join(told)) or "No half is bounded."


def _sizes(facts: Facts) -> str:
    """How many people are in each box, by its number."""
    sizes = sorted((row.number, row.size) for row in facts.rows if row.number is not None)
    return listed([f"{size:,}" for _, size in sizes])


def _cells_of(kind: str) -> Callable[[Facts], str]:
    return lambda facts: f"{len([row for row in facts.rows if row.kind == kind]):,}"


def _alone(facts: Facts) -> int:
    found = facts.singled
    return sum(len(r.isolating) for r in (*found.classes, *([found.suppressed] if found.suppressed else [])))


def _alone_in(facts: Facts) -> str:
    """How many cells with exactly one person each class has that has any."""
    release = facts.attacked.release
    cells = enumerate(len(one.isolating) for one in facts.singled.classes)
    numbers = sorted((numbering.number_of(release, index), some) for index, some in cells if some)
    return listed([f"{some} in class {number}" for number, some in numbers])


def _isolated(facts: Facts) -> str:
    grid, recoding = facts.attacked.release.grid, facts.recoding
    counts = recoding.cell_counts(1)
    for part in facts.attacked.parts:
        for cell in part.free_cells:
            if not part.basic and counts[cell] == 1:
                return words.plain(words.isolates(grid, grid.cell_segment(cell)))
    return "No cell holds exactly one person."


def _alike(facts: Facts) -> str:
    """How many people would be in classes that show one value of the sensitive column, under k alone."""
    release = numbering.recoded(facts.frame, facts.study.changed(privacy=())).release
    shown = [
        release.table.loc[release.rows_of(index), name]
        for index, _ in enumerate(release.classes)
        for name in facts.study.roles.sensitive
    ]
    return f"{sum(len(own) for own in shown if len(set(own)) == 1):,}"


def _finer(facts: Facts) -> str:
    """An anonymous state below the one that loses least, with which a search that stops early would be content."""
    found = facts.generous
    finer = [
        state
        for state in map(tuple, np.argwhere(found.looks.anonymous).tolist())
        if state != found.state and all(low <= high for low, high in zip(state, found.state, strict=True))
    ]
    return words.state(max(finer, key=sum)) if finer else "none"


def _of_story(name: str, _: Facts) -> str:
    return argument().facts[name]


FACTS: Mapping[str, Callable[[Facts], str]] = {
    # the table and the study
    "records": lambda f: f"{f.recoding.records:,}",
    "k": lambda f: str(f.study.k),
    "below_k": lambda f: str(f.study.k - 1),
    "attributes": lambda f: words.plain(listed(list(f.study.names))),
    "layers": lambda f: listed([f"{a.layers} for {words.plain(a.name)}" for a in f.study.attributes]),
    "states": lambda f: f"{f.recoding.lattice.size:,}",
    "cells": lambda f: f"{f.recoding.grid.size:,}",
    "leaves": lambda f: listed([f"{a.leaves} for {words.plain(a.name)}" for a in f.study.attributes]),
    "top": lambda f: words.state(f.recoding.lattice.top),
    "alike": _alike,
    "step_minimum": lambda f: how_many(f.recoding.step_minimum, "record"),
    # the recoding
    "first_step": _first_step,
    "tie_step": lambda f: f"{tie_step(f.recoding):,}",
    "tie_reason": _tie_reason,
    "tied_states": _tied_states,
    "first_states": lambda f: listed([words.state(step.state) for step in f.recoding.iterations[:2]]),
    "classes": lambda f: f"{len(f.recoding.classes):,}",
    "basic_classes": _cells_of("basic"),
    "wider_classes": _cells_of("compound"),
    "sizes": _sizes,
    "suppressed": lambda f: how_many(f.recoding.suppressed, "person", "people"),
    # the class that is looked at
    "name": lambda f: _called(f.part),
    "size": lambda f: f"{f.part.size:,}",
    "other_half": lambda f: f"{max(0, f.part.size - f.part.cap):,}",
    "box": lambda f: _box(f.part),
    "class_cells": lambda f: f"{f.row.cells:,}",
    "free_cells": lambda f: f"{f.row.free_cells:,}",
    "taken": _taken,
    "volume": lambda f: f"{f.part.release.grid.volume(f.part.segment):,}",
    "promised": lambda f: count(f.part.lr_solutions),
    "remaining": lambda f: count(f.part.cra_solutions),
    "fewer": lambda f: fewer(f.part.lr_solutions, f.part.cra_solutions),
    "fillings": lambda f: count(f.part.combinations),
    "terms": _terms,
    "bounds": _bounds,
    "story": lambda f: words.plain(" ".join(class_story(f.part, f.row))),
    "open_cells": lambda f: f"{int((f.attacked.owner == Owner.UNDECIDED).sum()):,}",
    # classes by kind
    "deepest": lambda f: _called(f.of("deepest").part),
    "next_deepest": lambda f: _called(f.of("next_deepest").part),
    "robbed": lambda f: _called(f.of("robbed").part),
    "robbed_box": lambda f: _box(f.of("robbed").part),
    "compound": lambda f: _called(f.of("compound").part),
    "mean_ratio": _mean,
    "mean_cells": _mean_cells,
    "suppressed_ratio": lambda f: FACTS["fewer"](f.of("suppressed")),
    "suppressed_free": lambda f: FACTS["free_cells"](f.of("suppressed")),
    # two safe draws of the table
    "draw_most": lambda f: odds_factor(float(max(_draws(f)[0].gains))),
    "draw_outer": lambda f: f"{_subtracted(f)[0]}",
    "draw_inner": lambda f: f"{_subtracted(f)[1]}",
    "draw_left": lambda f: how_many(operator.sub(*_subtracted(f)), "person", "people"),
    # singling out
    "failed": lambda f: f"{f.singled.outcomes['failed']:,}",
    "reached": lambda f: f"{f.singled.outcomes['one'] + f.singled.outcomes['many']:,}",
    "alone": lambda f: f"{_alone(f):,}",
    "alone_in": _alone_in,
    "isolated": _isolated,
    # microaggregation with the study's k
    "cluster_cells": lambda f: f"{f.sensitive.cells:,}",
    "dominated": lambda f: f"{len(f.sensitive.findings[0].sensitive):,}",
    "close": lambda f: f"{len(f.sensitive.findings[1].sensitive):,}",
    "variance_lost": lambda f: f"{100 * squared_error(f.columns, f.clusters):.3g} %",
    "variance_lost_merged": lambda f: f"{100 * squared_error(f.columns, f.complying_clusters):.3g} %",
    # global recoding with the study's k
    "global_states": lambda f: f"{f.strict.looks.states:,}",
    "global_checked": lambda f: f"{f.strict.looks.checked:,}",
    "global_predicted": lambda f: f"{f.strict.looks.states - f.strict.looks.checked:,}",
    "half_checked": lambda f: f"{f.generous.looks.checked:,}",
    "half_limit": lambda f: f"{f.generous.limit:,}",
    "half_taken": lambda f: words.state(f.generous.state),
    "half_finer": _finer,
    # the proof of the story, which is of the toy
    **{
        f"story_{name}": partial(_of_story, name)
        for name in ("left", "rooms", "late_people", "crowded", "place", "tied_1", "tied_2")
    },
    "story_room": partial(_of_story, "below_k"),
}
