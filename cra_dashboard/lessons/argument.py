"""Why the suppressed person of the toy is certain: the proof that the engine finds, in the parts the story needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from propcache.api import cached_property

from cra_dashboard.charts.grid import leaf_positions
from cra_dashboard.charts.tight import spans_of
from cra_dashboard.session.attacks import toy
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import number_of
from cra_engine import Attack, TightAttack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.solver.bounds import Bound
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.study.grid import Cell, Segment
from cra_engine.words import listed, spoken

SECONDS = 60.0  # for the search of the smallest proof; it takes a fraction of one


@dataclass(frozen=True, eq=False)
class Argument:
    """The story's proof that a suppressed person is in one cell.

    Attributes:
        attack: on the release, class by class.
        suppressed: whoever is in no box.
        truth: where the suppressed person is by the raw table, in cells across and upwards.
        spans: per cell how few and how many people it can hold.
        cell: where the suppressed person is for certain.
        bounds: that prove it; none can be left out.
        beside: a class in which somebody else stands alone for certain.
        pairs: boxes around its cells that were never published, and that prove it.
    """

    attack: Attack
    suppressed: ClassAttack
    truth: tuple[float, float]
    spans: Mapping[Cell, tuple[int, int]]
    cell: Cell
    bounds: tuple[Bound, ...]
    beside: ClassAttack
    pairs: tuple[Segment, ...]

    @property
    def numbers(self) -> dict[Cell, int]:
        """Per cell the number of people where it is certain."""
        return {cell: fewest for cell, (fewest, most) in self.spans.items() if fewest == most}

    @property
    def k(self) -> int:
        """Of the study."""
        return self.attack.release.k

    @property
    def one_more(self) -> int:
        """For how many the pair with the suppressed person in it has room besides."""
        return self.k - 1 - self.numbers[self.cell]

    @cached_property
    def quarters(self) -> tuple[Segment, ...]:
        """Every box of the state whose boxes, never published, bound the people who were left."""
        (state,) = {bound.state for bound in self.bounds if bound.state is not None}
        return self._boxes(state)

    def _boxes(self, state: tuple[int, ...]) -> tuple[Segment, ...]:
        shape = self.attack.release.grid.box_shape(state)
        return tuple(Segment(state, tuple(int(rank) for rank in ranks)) for ranks in np.ndindex(*shape))

    @cached_property
    def split(self) -> ClassAttack:
        """A class of the pairs' shape, which the boxes that tie with pairs would split had they come first."""
        return next(part for part in self.attack.classes if part.segment.state == self.pairs[0].state)

    @cached_property
    def splitting(self) -> tuple[Segment, ...]:
        """These boxes."""
        grid, cells = self.attack.release.grid, set(self.split.free_cells)
        return tuple(box for box in self._boxes(self.beside.segment.state) if cells & set(grid.cells(box)))

    @cached_property
    def above(self) -> ClassAttack:
        """The long class that shares such a box with it."""
        return next(part for part in self.long if set(part.free_cells) & self._shared)

    @cached_property
    def crammed(self) -> Segment:
        """The quarter that would hold all of that class."""
        left = set(self.above.free_cells) - self._shared
        return next(quarter for quarter in self.quarters if left <= set(self.attack.release.grid.cells(quarter)))

    @property
    def _shared(self) -> set[Cell]:
        return {cell for box in self.splitting for cell in self.attack.release.grid.cells(box)}

    @cached_property
    def long(self) -> tuple[ClassAttack, ...]:
        """The classes that the proof speaks of: formed when the quarters had had their turn."""
        named = {bound.part for bound in self.bounds}
        return tuple(part for part in self.attack.classes if part.index in named)

    @cached_property
    def crowded(self) -> tuple[Segment, ...]:
        """The quarters that the people of the long boxes can be in."""
        grid = self.attack.release.grid
        cells = {cell for part in self.long for cell in part.free_cells}
        return tuple(quarter for quarter in self.quarters if cells & set(grid.cells(quarter)))

    @cached_property
    def if_first(self) -> dict[int, Cell]:
        """Per long class the cell of the other that would be certain had this one come first.

        Where the two cross everybody is of the first one; so the other's in that full quarter are beside that cell.
        """
        release = self.attack.release
        one, other = (set(part.free_cells) for part in self.long)
        (around,) = (cells for cells in map(set, map(release.grid.cells, self.quarters)) if cells & one & other)
        return {
            number_of(release, part.index or 0): min(around & theirs - own)
            for part, own, theirs in zip(self.long, (one, other), (other, one), strict=True)
        }

    @cached_property
    def others(self) -> set[Cell]:
        """The cells of whoever else stands alone for certain."""
        return {cell for cell, number in self.numbers.items() if number == 1} - {self.cell}

    @cached_property
    def right(self) -> Mapping[str, frozenset[str]]:
        """What is right to click, by its name in the story: cells as ``c1.0``, classes as ``b6``, and so on."""
        return {
            "certain": frozenset({name_of(self.cell)}),
            "plain": frozenset(name_of(part.free_cells[0]) for part in self.attack.classes if part.basic),
            "free": frozenset(map(name_of, self.suppressed.free_cells)),
            "late": frozenset(f"b{part.index}" for part in self.long),
            "below_k": frozenset({f"n{self.k - 1}"}),
            "spare": frozenset(f"q{n}" for n, quarter in enumerate(self.quarters) if quarter not in self.crowded),
            "one_more": frozenset({f"n{self.one_more}"}),
            "others": frozenset(map(name_of, self.others)),
        }

    @cached_property
    def facts(self) -> dict[str, str]:
        """What the texts name."""
        grid, late = self.attack.release.grid, sum(part.size for part in self.long)
        numbers = {
            "records": self.attack.release.records,
            "cells": grid.size,
            "known": len(self.numbers),
            "below_k": self.k - 1,
            "one_more": self.one_more,
            "free": len(self.suppressed.free_cells),
            "plain": len(self.right["plain"]),
            "late": len(self.long),
            "late_people": late,
            "left": late + self.suppressed.size,
            "rooms": len(self.quarters),
            "crowded": len(self.crowded),
            "places": len(self.crowded) * (self.k - 1),
            "beside": self.beside.size,
            "above_size": self.above.size,
        }
        told = {name: spelled(number) for name, number in numbers.items()} | {
            "place": words.plain(spoken(grid.describe(self.cell))),
            "late_sizes": listed([spelled(part.size) for part in self.long]),
        }
        boxes = {"split": self.split.index, "above": self.above.index, "tall": self.beside.index}
        plain = {name: str(number_of(self.attack.release, index or 0)) for name, index in boxes.items()}
        for place, (number, cell) in enumerate(sorted(self.if_first.items()), 1):
            plain |= {f"tied_{place}": f"{number}", f"tied_{place}_place": words.plain(spoken(grid.describe(cell)))}
        told |= {name.capitalize(): words.sentence(text) for name, text in told.items()}
        return told | plain | {"k": f"{self.k}"}


_SPELLED = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def spelled(number: int) -> str:
    """Spell a number as it stands in the story's text: in letters up to twelve."""
    return _SPELLED[number] if number < len(_SPELLED) else f"{number:,}"


def name_of(cell: Cell) -> str:
    """Return a cell's name in the story's picture."""
    return f"c{'.'.join(map(str, cell))}"


@cache
def argument() -> Argument:
    """Find the story's proof in the toy, as it is published and attacked."""
    data, study, recoding = toy().data, toy().study, toy().recoding
    found, together = toy().attack, toy().tight
    ((cell, suppressed),) = [
        (cell, found.suppressed) for cell in together.isolated if found.suppressed and found.suppressed.may_fill(cell)
    ]
    bounds = _proof(together, cell)
    other = next(one for one in together.isolated if one != cell)
    beside = next(part for part in found.classes if part.may_fill(other))
    boxes = {bound.segment for bound in _proof(together, other) if bound.state is not None}
    around = [box for box in boxes if any(one in beside.free_cells for one in recoding.grid.cells(box))]
    out, leaves = recoding.iteration_of_record == 0, locate(data.frame, study).leaves
    (across,), (upwards,) = (
        leaf_positions(attribute, leaves[out, place], numbers(data.frame[attribute.name])[0][out])
        for place, attribute in enumerate(study.attributes)
    )
    return Argument(
        found,
        suppressed,
        (float(across), float(upwards)),
        spans_of(together),
        cell,
        bounds,
        beside,
        tuple(sorted(around, key=str)),
    )


def _proof(together: TightAttack, cell: Cell) -> tuple[Bound, ...]:
    """What forces a cell's number, under an order of tied states that is possible."""
    return next(one.bounds for one in together.explain(cell, SECONDS) if one.possible and one.minimal)
