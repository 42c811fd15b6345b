"""What the pages show of every class: one row each, the suppressed records last."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median_high

import numpy as np
import pandas as pd
from propcache.api import cached_property

from cra_dashboard.texts import numbering, words
from cra_engine import Attack, Release, TooLargeError
from cra_engine.attacks.refinement import ratios
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.release import Owner
from cra_engine.study.grid import Grid, Segment
from cra_engine.words import count, how_many, quotient


@dataclass(frozen=True)
class ClassRow:
    """The numbers of one class, or of the suppressed records, as tables on pages read.

    Attributes:
        index: the class's place in the attacker's order; None for the suppressed records.
        segment: its box.
        size: number of its records.
        free_cells: cells that its records may lie in; cells: all cells of its box.
        promised: data sets that the published interval allows: what a reader without the attack is left with.
        remaining: data sets that the attack leaves, 0 where none fits; None where counting them is too large.
        fillings: ways to spread the records over the cells; None likewise, and where values decide which of them fit.
        problem: a sentence on why ``remaining`` is 0 or None, else empty.
        number: the class's number on the pages; its index where nobody knows better.
    """

    index: int | None
    segment: Segment
    size: int
    free_cells: int
    cells: int
    promised: int
    remaining: int | None
    fillings: int | None
    problem: str = ""
    number: int | None = None

    @property
    def kind(self) -> str:
        """``basic`` (a single cell), ``compound`` or ``suppressed``."""
        return "suppressed" if self.index is None else "basic" if self.segment.basic else "compound"

    @property
    def title(self) -> str:
        """``class 3`` or ``the suppressed records``."""
        return words.name_of(self.number)

    @cached_property
    def ratio(self) -> Fraction | None:
        """Promised over remaining, exactly; None where nothing fits or it was not counted."""
        if self.kind == "basic":
            return Fraction(1)
        return Fraction(self.promised, self.remaining) if self.remaining else None


def class_row(part: ClassAttack) -> ClassRow:
    """Return the numbers of one class, or of the suppressed records, as a row to read."""
    cells = math.prod(node.stop - node.start for node in part.release.grid.nodes(part.segment))
    promised = part.lr_solutions
    remaining: int | None = None
    fillings: int | None = None
    problem = ""
    if part.basic:
        # All records lie in the one cell, which no earlier class can cover: nothing to count.
        remaining, fillings = promised, 1
    else:
        try:
            remaining = part.cra_solutions
            fillings = part.combinations if part.listed or part.models is None else None
            problem = "" if part.problem is None else numbering.numbered(part.problem, part.release)
        except TooLargeError as error:
            problem = f"{words.sentence(numbering.name_of(part.release, part.index))}: {error}"
    free = len(part.free_cells)
    number = None if part.index is None else numbering.number_of(part.release, part.index)
    return ClassRow(part.index, part.segment, part.size, free, cells, promised, remaining, fillings, problem, number)


def class_rows(attack: Attack) -> list[ClassRow]:
    """Return a row to read per class of an attack's release, the suppressed last where there are any."""
    return [class_row(part) for part in attack.parts]


def by_number(rows: Sequence[ClassRow]) -> list[int]:
    """Order rows to read by the numbers of their classes, the suppressed records last."""
    return sorted(range(len(rows)), key=lambda place: (rows[place].number is None, rows[place].number or 0))


def deepest(rows: Sequence[ClassRow]) -> ClassRow | None:
    """Return the row to read with the largest ratio, the first of equals; None where no row has one."""
    counted = [row for row in rows if row.ratio is not None]
    return max(counted, key=lambda row: row.ratio or 0, default=None)


def mean_ratio(rows: Sequence[ClassRow]) -> Fraction | None:
    """Return the mean of the rows' ratios; None where one has none, or without rows."""
    return ratios.mean_ratio([row.ratio for row in rows])


def one_of_every(promised: int, remaining: int) -> str:
    """Say to readers which part of the tables is left, in small numbers first: the whole ones are beyond imagining."""
    if promised == remaining:
        return f"every table that the intervals seem to allow is left ({count(promised)})"
    every = quotient(promised, remaining)
    allowed = f"of every {every} tables that the intervals seem to allow, 1 is left"
    return f"{allowed} ({count(remaining)} of {count(promised)})"


def headline(rows: Sequence[ClassRow]) -> str:
    """Say to readers what the attack does to this release, in a few sentences."""
    classes = [row for row in rows if row.index is not None]
    suppressed = [row for row in rows if row.index is None]
    return " ".join(
        part for part in (_make_up(classes, suppressed), _deepest_cut(classes, suppressed), _typical(classes)) if part
    )


def _make_up(classes: Sequence[ClassRow], suppressed: Sequence[ClassRow]) -> str:
    if not classes:
        return "This release has no class: every record is suppressed."
    compound = sum(row.kind == "compound" for row in classes)
    if compound == 0:
        wider = "each on a single cell"
    elif compound == len(classes):
        wider = "wider than one cell" if compound == 1 else "all wider than one cell"
    else:
        wider = f"{count(compound)} of them wider than one cell"
    besides = f", and {how_many(suppressed[0].size, 'suppressed record')}" if suppressed else ""
    return f"This release has {how_many(len(classes), 'class', 'classes')}, {wider}{besides}."


def _deepest_cut(classes: Sequence[ClassRow], suppressed: Sequence[ClassRow]) -> str:
    best = deepest(classes)
    if best is None or best.ratio == 1:
        # Suppressed records are what is left to tell where no class is refined.
        best = max((row for row in (best, deepest(suppressed)) if row), key=lambda row: row.ratio or 0, default=None)
    if best is None or best.remaining is None:
        return ""
    if best.ratio == 1:
        return "The attack cuts nothing here: every table that the published intervals allow remains possible."
    where = "the suppressed rows" if best.index is None else best.title
    return f"The attack cuts deepest in {where}: {one_of_every(best.promised, best.remaining)}."


def _typical(classes: Sequence[ClassRow]) -> str:
    ratios = [row.ratio for row in classes if row.kind == "compound" and row.ratio is not None]
    if len(ratios) < 2 or max(ratios) == 1:
        return ""
    middle = median_high(ratios)
    if middle == 1:
        return f"{ratios.count(middle)} of the {len(ratios)} wider classes lose nothing."
    least = quotient(middle.numerator, middle.denominator)
    return f"In at least half of the wider classes at most 1 of every {least} is left."


def class_table(rows: Sequence[ClassRow], grid: Grid) -> pd.DataFrame:
    """Return the rows of classes as a table to read and sort; powers of ten stand as their exponents."""
    return pd.DataFrame(
        {
            "Class": ["suppressed" if row.number is None else str(row.number) for row in rows],
            "Records": [row.size for row in rows],
            "Times fewer": [None if row.ratio is None else _sortable(row.ratio) for row in rows],
            "Promised, log10": [math.log10(row.promised) if row.promised else None for row in rows],
            "Remaining, log10": [math.log10(row.remaining) if row.remaining else None for row in rows],
            "Fillings": [None if row.fillings is None else _sortable(row.fillings) for row in rows],
            "Free cells": [row.free_cells for row in rows],
            "All cells": [row.cells for row in rows],
            "State": [words.state(row.segment.state) for row in rows],
            "Kind": [row.kind for row in rows],
            "Box": [words.box(grid, row.segment) for row in rows],
        }
    )


def _sortable(number: int | Fraction) -> float:
    """A float to sort by; what passes its range stands at the end of it."""
    return float(min(number, 10**300))


def values_table(release: Release, columns: Sequence[str], most: int) -> pd.DataFrame:
    """Return for a page which values each class shows, and of how many people; the suppressed records come last.

    Args:
        release: that shows them.
        columns: whose values.
        most: classes at most.
    """
    weights = np.ones(len(release.table), dtype=np.int64) if release.weights is None else release.weights

    def told(index: int, name: str) -> str:
        rows = release.rows_of(index)
        people = pd.Series(weights[rows]).groupby(release.table[name].astype(str).to_numpy()[rows]).sum()
        return ", ".join(f"{number:,} {value}" for value, number in people.items())

    classes = numbering.in_order(release, range(len(release.classes)))[:most]
    names = {index: str(numbering.number_of(release, index)) for index in classes}
    names |= {int(Owner.SUPPRESSED): "suppressed"} if release.suppressed else {}
    return pd.DataFrame(
        {"Class": list(names.values()), **{name: [told(index, name) for index in names] for name in columns}}
    )
