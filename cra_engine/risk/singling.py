"""Fuzzy predicate singling out: which cells isolate one person (paper, section 6, Table 4).

With the raw data at hand each class's valid assignment is looked up, as the paper does. Without, every cell gets the
probability that it holds exactly one person.
"""

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.attacks.refinement.attack import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.refinement.owners import cell_chances
from cra_engine.errors import DataError, TooLargeError
from cra_engine.expected import expect, expect_seconds
from cra_engine.raw.matched_rows import matched_rows, no_assignment
from cra_engine.raw.placement import locate
from cra_engine.release import Owner, Release
from cra_engine.results import Json, Result, plain
from cra_engine.study.grid import Cell
from cra_engine.words import outward

Outcome = Literal["failed", "one", "many"]
Codes = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class SingledClass:
    """The risk of being singled out in one class.

    Attributes:
        index: the class's index; None for the suppressed records.
        outcome: ``"failed"``, ``"one"`` or ``"many"``: how many predicates isolate a person (Table 4).
        valid: True when the true counts are among the feasible assignments of the attack.
        counts: the true counts, one per free cell.
        isolating: the cells that hold exactly one record of the whole table.
        rows: for each isolating cell the row of its record, from 0, among the rows of the release: those of the raw
            table without what was left out for missing values.
    """

    index: int | None
    outcome: Outcome
    valid: bool
    counts: tuple[int, ...]
    isolating: tuple[Cell, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class SinglingOut(Result):
    """The risk of being singled out, checked against the raw data.

    Attributes:
        attack: the attack it rests on.
        classes: one result per class, in the attacker's order.
        suppressed: the result on the suppressed records, None where there are none.
        index: the raw table's own index, of the rows that the release holds.
    """

    attack: Attack
    classes: tuple[SingledClass, ...]
    suppressed: SingledClass | None
    index: "pd.Index[Any]"

    def summary(self) -> dict[str, object]:
        """Number of classes per outcome."""
        return {str(outcome): count for outcome, count in self.outcomes.items()}

    def to_frame(self) -> pd.DataFrame:
        """A row per isolating cell: its class (-1 for the suppressed), the predicate, and the row of its record.

        The row is named as the raw table's own index names it: ``data.loc[row]`` is the record, also where rows of the
        table were left out for missing values.
        """
        grid = self.attack.release.grid
        singled = [*self.classes, *([self.suppressed] if self.suppressed else [])]
        return pd.DataFrame(
            [
                (Owner.SUPPRESSED.value if one.index is None else one.index, grid.describe(cell), self.index[row])
                for one in singled
                for cell, row in zip(one.isolating, one.rows, strict=True)
            ],
            columns=["class", "predicate", "row"],
        )

    def to_dict(self) -> Json:
        """As plain data: what came of each class, with the boxes that hold exactly one record."""
        return plain(
            {
                "classes": [self._single(result) for result in self.classes],
                "suppressed": None if self.suppressed is None else self._single(self.suppressed),
                "summary": self.outcomes,
                "summary_compound": self.outcomes_compound,
            }
        )

    def _single(self, result: SingledClass) -> Json:
        boxes = _boxes(self.attack, result.isolating)
        return {"index": result.index, "outcome": result.outcome, "valid": result.valid, "isolating": boxes}

    @property
    def outcomes(self) -> dict[Outcome, int]:
        """Number of classes per outcome, suppressed records not included."""
        return count_outcomes(self.classes)

    @property
    def outcomes_compound(self) -> dict[Outcome, int]:
        """Number of compound classes per outcome; a class on a single cell never isolates anybody."""
        return count_outcomes([c for c, part in zip(self.classes, self.attack.classes, strict=True) if not part.basic])


def _boxes(attack: Attack, cells: Sequence[Cell]) -> list[Any]:
    grid = attack.release.grid
    return [grid.box(grid.cell_segment(cell)) for cell in cells]


def count_outcomes(results: Sequence[SingledClass]) -> dict[Outcome, int]:
    """Count the classes by each outcome of singling out."""
    outcomes = Counter(result.outcome for result in results)
    return {"failed": outcomes["failed"], "one": outcomes["one"], "many": outcomes["many"]}


@dataclass(frozen=True)
class CellChance:
    """The risk in one cell: the probability that it isolates one person, from the release alone.

    Attributes:
        cell: leaf indices.
        probability: that the cell holds exactly one record.
        parts: indices of the classes that may fill it (None for the suppressed, ``Owner.RAW`` for records with raw
            values); several classes where a tie leaves it open.
    """

    cell: Cell
    probability: float
    parts: tuple[int | None, ...]


@dataclass(frozen=True)
class CellBounds:
    """The bounds of the risk in a cell whose class is too large to count exactly.

    Attributes:
        cell: leaf indices.
        lower: no more than the probability that the cell holds exactly one record.
        upper: no less than it.
        parts: as of :class:`CellChance`.
    """

    cell: Cell
    lower: float
    upper: float
    parts: tuple[int | None, ...]


@dataclass(frozen=True, repr=False)
class SinglingChances(Result):
    """The risk of being singled out, without the raw data.

    Attributes:
        attack: the attack it rests on.
        cells: cells that may hold exactly one record, most probable first, then in the order of the grid.
        bounded: more such cells, of which only limits of the probability are known; the highest upper limit first.
        weighed: False when some cells are shared by classes of too many states to weigh every order of them.
        complete: False when the time ran out before every class was counted; its cells are among ``bounded``.
    """

    attack: Attack
    cells: tuple[CellChance, ...]
    weighed: bool = True
    bounded: tuple[CellBounds, ...] = ()
    complete: bool = True

    def summary(self) -> dict[str, object]:
        """Number of cells, how many isolate one person on average, and whether the time sufficed."""
        lower, upper = self.expected_bounds
        expected = f"{upper:.6g}" if lower == upper else f"{lower:.6g}..{upper:.6g}"
        cut = {} if self.complete else {"complete": False}
        return {"cells": len(self.cells) + len(self.bounded), "expected_isolated": expected} | cut

    def to_frame(self) -> pd.DataFrame:
        """A row per cell, most probable first: the predicate and its probability to be true of exactly one person.

        Between ``lower`` and ``upper``, which are equal where it is known.
        """
        grid = self.attack.release.grid
        known = [(chance.cell, chance.probability, chance.probability, chance.probability) for chance in self.cells]
        limited = [(limits.cell, math.nan, limits.lower, limits.upper) for limits in self.bounded]
        return pd.DataFrame(
            [(grid.describe(cell), *numbers) for cell, *numbers in known + limited],
            columns=["predicate", "probability", "lower", "upper"],
        )

    def to_dict(self) -> Json:
        """As plain data: per cell the chance of exactly one record, or what it lies between."""
        known = [(chance.cell, chance.probability, chance.probability, chance.parts) for chance in self.cells]
        limited = [(limits.cell, limits.lower, limits.upper, limits.parts) for limits in self.bounded]
        return plain(
            {
                "cells": [
                    {
                        "box": _boxes(self.attack, [cell])[0],
                        "probability": lower if lower == upper else None,
                        "probability_bounds": [lower, upper],
                        "classes": parts,
                    }
                    for cell, lower, upper, parts in known + limited
                ],
                "assumption": self.assumption or None,
                "prior": self.attack.prior.name,
                "expected_isolated": None if self.bounded else self.expected_isolated,
                "expected_isolated_bounds": self.expected_bounds,
                "complete": self.complete,
            }
        )

    @property
    def shared(self) -> int:
        """Number of cells that several classes may fill, since a tie leaves open which of them was formed first."""
        parts = [one.parts for one in self.cells] + [one.parts for one in self.bounded]
        return sum(sum(part != Owner.RAW for part in own) > 1 for own in parts)

    @property
    def assumption(self) -> str:
        """Returns what the probabilities of shared cells suppose, in a sentence; empty where there are none.

        In truth one of the classes took all records of such a cell, and the other none; which one depends on the order
        of formation. Each order is weighed by the number of tables that it leaves.
        """
        if not self.shared:
            return ""
        cells = "1 cell" if self.shared == 1 else f"{self.shared:,} cells"
        if self.attack.release.study.changed_afterwards:
            return (
                f"{cells} may hold people of several classes, since some were changed after they had formed; the "
                "probability supposes that these classes fill the cell independently."
            )
        how = (
            "there each order in which they may have formed is weighed by the number of tables that it leaves"
            if self.weighed
            else "where the orders in which they may have formed are too many to weigh, the probability supposes that "
            "these classes fill the cell independently"
        )
        return f"{cells} may belong to either of several classes that tie; {how}."

    @property
    def expected_isolated(self) -> float:
        """Expected number of cells that isolate one person, class by class.

        What boxes across classes forbid is left out, so that on the whole it is a little too low (docs/method.md);
        :attr:`cra_engine.TightAttack.expected_isolated` is the mean over exactly the tables that give the release.

        Raises:
            TooLargeError: a class is too large to count; ``expected_bounds`` says between which numbers it lies.
        """
        if self.bounded:
            lower, upper = outward(*self.expected_bounds, 1)
            large = (
                "are too large to count" if self.complete else "are too large to count, or were not in the given time"
            )
            raise TooLargeError(
                "How many cells are expected to hold exactly one person is not known exactly, since some classes "
                f"{large}; the number lies between {lower:.1f} and {upper:.1f}."
            )
        return self.expected_bounds[0]

    @property
    def expected_bounds(self) -> tuple[float, float]:
        """Two numbers between which ``expected_isolated`` lies, equal where it is known."""
        known = float(sum(chance.probability for chance in self.cells))
        # No more cells hold exactly one person than there are people.
        sizes = {part.index: part.size for part in (*self.attack.parts, *self.attack.raw)}
        people = sum(sizes[index] for index in {index for limits in self.bounded for index in limits.parts})
        upper = min(people, sum(limits.upper for limits in self.bounded))
        return known + sum(limits.lower for limits in self.bounded), known + upper


@overload
def single_out(attack: Attack, data: pd.DataFrame, *, time_limit: float = ...) -> SinglingOut: ...


@overload
def single_out(attack: Attack, data: None = None, *, time_limit: float = ...) -> SinglingChances: ...


def single_out(
    attack: Attack, data: pd.DataFrame | None = None, *, time_limit: float = 60.0
) -> SinglingOut | SinglingChances:
    """Return which cells isolate one person.

    Args:
        attack: the attack on the release.
        data: the raw table, or None for the attacker's own view. Rows that the study
            leaves out for missing values may be among them or not.
        time_limit: seconds for the attacker's own view; when they are over, of what was not counted limits are given.

    Returns:
        With data, the outcome per class with its predicates; without, the probability per cell. The probabilities take
        every data set that satisfies a class's constraints as equally likely, each class for itself; where classes that
        tie share a cell, see ``SinglingChances.assumption``.

    Raises:
        DataError: the raw table is not the one that was published.
        CRAError: without data, a class that no data set explains; or a time limit below 0.

    >>> from cra_engine import attack, recode, synthesize
    >>> toy = synthesize("toy")
    >>> found = single_out(attack(recode(toy.data, toy.study).release), toy.data)
    >>> found.outcomes
    {'failed': 5, 'one': 2, 'many': 1}
    """
    expect(attack, Attack, "single_out(attack)")
    if data is not None:
        expect(data, pd.DataFrame, "single_out(data)")
    expect_seconds(time_limit)
    return _chances(attack, time_limit) if data is None else _check(attack, data)


def _check(attack: Attack, data: pd.DataFrame) -> SinglingOut:
    release = attack.release
    release.refuse_counted()
    located = locate(data, release.study)
    data = located.data
    if len(data) != release.records:
        raise DataError(
            f"The raw table has {len(data)} rows and the release {release.records}; they must be the same records."
        )
    leaves = located.leaves
    if not _covered(release, leaves):  # its rows stand in an order of their own
        order = matched_rows(data, release.table, release.study)
        if order is None:
            raise no_assignment()
        data, leaves = data.iloc[order], leaves[order]
    code = release.grid.codes(leaves)
    held = np.bincount(code, minlength=release.grid.size)
    owners = release.class_of_row
    order = np.argsort(owners, kind="stable")
    ends = np.searchsorted(owners[order], np.arange(int(Owner.RAW), len(release.classes) + 1))
    rows = {owner + int(Owner.RAW): order[start:stop] for owner, (start, stop) in enumerate(pairwise(ends.tolist()))}
    results = [
        _single(part, rows[int(Owner.SUPPRESSED) if part.index is None else part.index], leaves, code, held)
        for part in attack.parts
    ]
    suppressed = results.pop() if attack.suppressed is not None else None
    return SinglingOut(attack, tuple(results), suppressed, data.index)


def _covered(release: Release, leaves: Codes) -> bool:
    """Returns whether each row's box holds the record in its place."""
    owners = release.class_of_row
    nodes = [release.grid.nodes(released.segment) for released in release.classes]
    ends = np.array([[(node.start, node.stop) for node in own] for own in nodes], dtype=np.int64)
    shown = np.flatnonzero(owners >= 0)
    if not len(shown):
        return True
    own = ends[owners[shown]]
    return bool(((leaves[shown] >= own[..., 0]) & (leaves[shown] < own[..., 1])).all())


def _single(part: ClassAttack, rows: Codes, leaves: Codes, code: Codes, held: Codes) -> SingledClass:
    own = leaves[rows]
    if part.basic and part.index is not None:  # a cell with k records isolates nobody
        return SingledClass(part.index, "failed", part.feasible((part.size,)), (part.size,), (), ())
    true = Counter(map(tuple, own.tolist()))
    counts = tuple(true.pop(cell, 0) for cell in part.free_cells)
    alone = held[code[rows]] == 1
    isolating, alone_rows = [tuple(cell) for cell in own[alone].tolist()], rows[alone].tolist()
    order = sorted(range(len(alone_rows)), key=lambda position: isolating[position])
    return SingledClass(
        part.index,
        ("failed", "one", "many")[min(len(alone_rows), 2)],
        not true and part.feasible(counts),
        counts,
        tuple(isolating[position] for position in order),
        tuple(alone_rows[position] for position in order),
    )


def _chances(attack: Attack, time_limit: float) -> SinglingChances:
    end = time.monotonic() + time_limit
    chances = cell_chances(attack, lambda: end - time.monotonic())
    known = [CellChance(cell, lower, parts) for cell, lower, upper, parts in chances.cells if lower == upper]
    known.sort(key=lambda chance: (-chance.probability, chance.cell))
    limited = [CellBounds(*bounds) for bounds in chances.cells if bounds[1] < bounds[2]]
    limited.sort(key=lambda limits: (-limits.upper, -limits.lower, limits.cell))
    return SinglingChances(attack, tuple(known), chances.weighed, tuple(limited), chances.complete)
