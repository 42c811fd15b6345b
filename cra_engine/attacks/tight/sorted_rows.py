"""All classes of a release together with the order of its rows, supposing that the table was sorted.

Of a table sorted by age the rows below an age are the first rows of the file, however many they are. So that number,
one for each border between two leaves, settles how many records of each class lie below the border. CP-SAT is asked for
the least and the most of each number that the bounds of the tight attack allow, which is all that can be known of each
row, and then for the cells that hold the same number in every sorted table. See docs/tight-attack.md, "A table that was
sorted".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.attacks.order import SortedColumn, Spans, suppose_sorted
from cra_engine.attacks.solver.parts import PartSum
from cra_engine.attacks.solver.proofs import SLICE, bounded_model, solve_model
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.counting import cp_sat as cp_model
from cra_engine.patience import Deadline, Stopped
from cra_engine.release import Owner
from cra_engine.results import Json, Result, plain
from cra_engine.study.grid import Cell

MOST_STEPS = 2_000_000  # rows that borders can stand between, over all borders and classes
Window = tuple[int, int]


@dataclass(frozen=True, eq=False, repr=False)
class SortedRows(Result):
    """What the tight attack learns of a release if its rows stand in the order of a table that was sorted.

    Attributes:
        tight: the attack on all classes together, which supposes no order.
        column: the column and the direction that are supposed, and what the labels alone say then.
        spans: per row the leaves that its value can lie in, first and one past the last. Shape (records, 2).
        fixed_cells: the cells whose count is the same in every such table.
        complete: True where each end of ``spans`` is attained, and ``fixed_cells`` lists all, for tables that keep the
            bounds of ``tight``, records alike or not. False where the time ran out: then there may be more.
        refuted: True where no sorted table gives this release; nothing follows then.
    """

    tight: TightAttack
    column: SortedColumn
    spans: Spans
    fixed_cells: dict[Cell, int]
    complete: bool
    refuted: bool

    @property
    def narrowed(self) -> NDArray[np.bool_]:
        """Per row whether this is less than its label says."""
        return np.asarray((self.spans != self.column.shown).any(axis=1))

    @property
    def isolated(self) -> tuple[Cell, ...]:
        """The cells that hold exactly one person in every such table."""
        return tuple(cell for cell, count in self.fixed_cells.items() if count == 1)

    @property
    def assumption(self) -> str:
        """What is supposed, in a sentence."""
        return self.column.assumption

    def summary(self) -> dict[str, object]:
        """Rows that are narrowed and people who are isolated."""
        return {"column": self.column.name, "narrowed": int(self.narrowed.sum()), "isolated": len(self.isolated)}

    def interval(self, row: int) -> tuple[float | str, float | str]:
        """The interval that a row's value lies in, upper outside."""
        first, past = self.spans[row].tolist()
        grid, axis = self.tight.release.grid, self.tight.release.study.names.index(self.column.name)
        cell = [0] * len(grid.shape)
        ends = []
        for leaf in (first, past - 1):
            cell[axis] = leaf
            ends.append(grid.box(grid.cell_segment(tuple(cell)))[axis])
        return ends[0][0], ends[1][1]

    def to_frame(self) -> pd.DataFrame:
        """A row per row of the release: its label, and the interval that its value lies in."""
        label = self.tight.release.table[self.column.name]
        ends = [self.interval(row) for row in range(len(self.spans))]
        return pd.DataFrame({"label": label, "lower": [e[0] for e in ends], "upper": [e[1] for e in ends]})

    def to_dict(self) -> Json:
        """Returns plain data, as ``attack --tight --sorted-by NAME --json`` prints it under ``sorted``."""
        grid, rows = self.tight.release.grid, np.flatnonzero(self.narrowed).tolist()
        intervals: dict[tuple[object, object], list[int]] = {}
        for row in rows:
            intervals.setdefault(self.interval(row), []).append(row)
        return plain(
            {
                "supposed": [self.assumption],
                "log10_chance": self.column.log10_chance,
                "refuted": self.refuted,
                "complete": self.complete,
                "narrowed": [
                    {"lower": lower, "upper": upper, "rows": own} for (lower, upper), own in intervals.items()
                ],
                "fixed_cells": [
                    {"box": grid.box(grid.cell_segment(cell)), "records": count}
                    for cell, count in self.fixed_cells.items()
                ],
                "isolated": [grid.box(grid.cell_segment(cell)) for cell in self.isolated],
            }
        )


def narrow_by_order(
    tight: TightAttack,
    name: str,
    *,
    descending: bool = False,
    time_limit: float = 60.0,
    cancelled: Callable[[], bool] = lambda: False,
) -> SortedRows:
    """Narrow the tight attack's rows and cells by the rows' order, supposing that the table was sorted.

    Args:
        tight: the attack on all classes together.
        name: of the quasi-identifier.
        descending: whether its values fall from row to row.
        time_limit: seconds; when they are over, what is proven so far is returned.
        cancelled: asked several times a second; when it answers True the run ends as at the time limit.

    Raises:
        CRAError: no quasi-identifier of numbers has this name, or the labels cannot be sorted so.

    >>> import pandas as pd
    >>> from cra_engine import Attribute, Release, Study, tight_attack
    >>> study = Study([Attribute("age", 0, 80, layers=3)], k=2)
    >>> release = Release(study, pd.DataFrame({"age": ["[0, 20[", "[0, 20[", "*", "[40, 60[", "[40, 60["]}))
    >>> found = narrow_by_order(tight_attack(release), "age")
    >>> found.interval(2), found.isolated
    ((20, 40), ((1,),))
    """
    column = suppose_sorted(tight.release, name, descending=descending)
    deadline = Deadline(time_limit, cancelled)
    rows = _Rows.of(tight, column)
    windows = list(rows.windows)
    fixed: dict[Cell, int] = {}
    refuted = complete = False
    try:
        with deadline.limit():
            cases = [case for case in _cases(tight, rows) if case.first(deadline)]
            refuted = not cases
            for place in range(len(windows)) if cases else ():
                windows[place] = _ends(cases, place, windows[place], deadline)
            fixed = _held(tight, cases, deadline) if cases else {}
            complete = all(case.coupled for case in cases)
    except Stopped:
        pass
    spans = column.spans if refuted else rows.spans(windows, descending=descending)
    known = {} if refuted else dict(tight.fixed_cells) | fixed
    return SortedRows(tight, column, spans, dict(sorted(known.items())), complete, refuted)


@dataclass(frozen=True)
class _Rows:
    """The rows in the order in which they ascend.

    Attributes:
        axis: place of the attribute.
        owner: per row its class, or an ``Owner``.
        windows: per border, before leaf 1 and so on, the fewest and the most rows that can stand below it.
    """

    axis: int
    owner: NDArray[np.int32]
    windows: tuple[Window, ...]

    @classmethod
    def of(cls, tight: TightAttack, column: SortedColumn) -> _Rows:
        release = tight.release
        axis = release.study.names.index(column.name)
        turn = slice(None, None, -1) if column.descending else slice(None)
        spans, leaves = column.spans[turn], release.grid.shape[axis]
        borders = range(1, leaves)
        fewest = np.searchsorted(spans[:, 1], borders, side="right").tolist()
        most = np.searchsorted(spans[:, 0], borders, side="left").tolist()
        return cls(axis, release.class_of_row[turn], tuple(zip(fewest, most, strict=True)))

    def spans(self, windows: Sequence[Window], *, descending: bool) -> Spans:
        """Per row of the release the leaves between the borders that it can stand between."""
        places = np.arange(len(self.owner))
        fewest, most = (np.sort([window[side] for window in windows]) for side in (0, 1))
        first = np.searchsorted(most, places, side="right")
        past = np.searchsorted(fewest, places, side="right") + 1
        found = np.stack([first, past], axis=1).astype(np.int64)
        return found[::-1] if descending else found


class _Case:
    """The bounds under one order of tied states, with a border's number of rows per border, as a model.

    Attributes:
        coupled: False where the table is too large for it, and each class is bounded by itself.
        cells: per variable of ``counts`` its cell.
        found: the records of each cell in a table that was met.
        met: per table that was met the rows below each border.
    """

    def __init__(
        self, rows: _Rows, cells: Sequence[Cell], owner: NDArray[np.int64], sums: Sequence[PartSum], records: int
    ) -> None:
        self.cells = cells
        self.model, self.counts = bounded_model([(0, records)] * len(cells), sums)
        self.borders = [self.model.new_int_var(low, high, "") for low, high in rows.windows]
        for lower, upper in zip(self.borders, self.borders[1:], strict=False):
            self.model.add(lower <= upper)
        leaf = np.array([cell[rows.axis] for cell in cells], dtype=np.int64)
        owners = np.unique(owner).tolist()
        width = sum(high - low + 1 for low, high in rows.windows)
        self.coupled = width * len(owners) <= MOST_STEPS
        for own in owners:
            of_own = np.concatenate([[0], np.cumsum(rows.owner == own)])
            members = np.flatnonzero(owner == own)
            for place, (low, high) in enumerate(rows.windows):
                below = sum(self.counts[cell] for cell in members[leaf[members] <= place].tolist())
                held = of_own[low : high + 1].tolist()
                if held[0] == held[-1]:
                    self.model.add(below == held[0])
                elif held == list(range(held[0], held[0] + len(held))):  # no other class has rows there
                    self.model.add(below == self.borders[place] - low + held[0])
                elif not self.coupled:
                    self.model.add_linear_constraint(below, held[0], held[-1])
                else:
                    there = self.model.new_int_var(held[0], held[-1], "")
                    self.model.add_element(self.borders[place] - low, held, there)
                    self.model.add(below == there)
        self.found: Counter[Cell] = Counter()
        self.met: list[list[int]] = []

    def first(self, deadline: Deadline) -> bool:
        """Whether some sorted table gives the release under this order of tied states; two are met, far apart."""
        for wanted in (sum(self.borders), -sum(self.borders)):
            self.model.minimize(wanted)
            solver = _solved(self.model, deadline, SLICE)
            if solver is None:
                return False
            self.met.append([solver.value(border) for border in self.borders])
            self.found = self._counts(solver, self.counts)
        return True

    def furthest(self, place: int, end: int, deadline: Deadline, *, below: bool) -> int:
        """The fewest (or the most) rows below a border, or ``end`` where that is as few (or as many)."""
        asked = self.model.clone()
        border = asked.get_int_var_from_proto_index(self.borders[place].index)
        asked.add(border < end if below else border > end)
        (asked.minimize if below else asked.maximize)(border)
        solver = _solved(asked, deadline)
        if solver is None:
            return end
        borders = [asked.get_int_var_from_proto_index(one.index) for one in self.borders]
        self.met.append([solver.value(one) for one in borders])
        return self.met[-1][place]

    def other(self, held: Mapping[Cell, int], deadline: Deadline) -> Counter[Cell] | None:
        """The counts of a table that has another count in as many of these cells as can be; None where none has."""
        asked = self.model.clone()
        counts = [asked.get_int_var_from_proto_index(count.index) for count in self.counts]
        of_cell: dict[Cell, list[cp_model.IntVar]] = {}
        for cell, count in zip(self.cells, counts, strict=True):
            of_cell.setdefault(cell, []).append(count)
        differs = []
        for cell, number in held.items():
            differs.append(asked.new_bool_var(""))
            asked.add(sum(of_cell[cell]) != number).only_enforce_if(differs[-1])
        asked.add_bool_or(differs)
        asked.maximize(sum(differs))
        solver = _solved(asked, deadline, SLICE)
        return None if solver is None else self._counts(solver, counts)

    def _counts(self, solver: cp_model.CpSolver, counts: Sequence[cp_model.IntVar]) -> Counter[Cell]:
        found: Counter[Cell] = Counter()
        for cell, count in zip(self.cells, counts, strict=True):
            found[cell] += solver.value(count)
        return found


def _solved(model: cp_model.CpModel, deadline: Deadline, seconds: float | None = None) -> cp_model.CpSolver | None:
    """The solver with the best that there is, or with what it found in so many seconds; None where there is nothing.

    Raises:
        Stopped: there was no answer in time.
    """
    most = math.inf if seconds is None else seconds
    solver, status = solve_model(model, lambda: deadline.left, most, probing=False)
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL and (seconds is None or status != cp_model.FEASIBLE):
        raise Stopped
    return solver


def _cases(tight: TightAttack, rows: _Rows) -> Iterator[_Case]:
    """A model per order of tied states; of a safe release, where nothing straddles classes, of their sizes alone."""
    release = tight.release
    if tight.system is not None:
        for hypothesis in tight.system.hypotheses:
            sums = [
                PartSum(tuple(b.cells), b.lower, b.upper, tuple(map(tuple, b.boxes)), (0,) * len(b.boxes), b.k)
                for b in hypothesis.bounds
            ]
            yield _Case(rows, tight.system.cells, hypothesis.owner, sums, release.records)
        return
    cells: list[Cell] = []
    owner: list[int] = []
    sums = []
    for part in tight.parts:
        if part.basic and part.index is not None:
            continue
        own = range(len(cells), len(cells) + len(part.free_cells))
        sums.append(PartSum(tuple(own), part.size, part.size))
        cells += part.free_cells
        owner += [Owner.SUPPRESSED if part.index is None else part.index] * len(own)
    yield _Case(rows, cells, np.array(owner, dtype=np.int64), sums, release.records)


def _ends(cases: Sequence[_Case], place: int, window: Window, deadline: Deadline) -> Window:
    """The fewest and the most rows that stand below a border in some sorted table; what was met is gone beyond."""
    met = [borders[place] for case in cases for borders in case.met]
    least, most = min(met), max(met)
    for case in cases:
        if least > window[0]:
            least = case.furthest(place, least, deadline, below=True)
        if most < window[1]:
            most = case.furthest(place, most, deadline, below=False)
    return least, most


def _held(tight: TightAttack, cases: Sequence[_Case], deadline: Deadline) -> dict[Cell, int]:
    """The open cells that hold the same number in every sorted table: no table has another in any of those left."""
    raw = tight.release.raw_cells
    cells = [cell for cell in dict.fromkeys(cases[0].cells) if cell not in tight.fixed_cells and not raw[cell]]
    held = {cell: cases[0].found[cell] for cell in cells}
    for case in cases:
        held = {cell: count for cell, count in held.items() if case.found[cell] == count}
        while held and (others := case.other(held, deadline)) is not None:
            held = {cell: count for cell, count in held.items() if others[cell] == count}
    return {cell: count + tight.settled.get(cell, 0) for cell, count in held.items()}
