"""The joint system with the values that records show: who can be where, and who can have what there.

A table is a number of records per open cell and shown value. It gives the release if each class's cells hold the
records that it shows, value by value, and no box of a state passed when the state had its turn (docs/method.md, 18).
Of each cell three things are asked: can it hold nobody, can it hold two or more, and can somebody in it show a value.
A table that shows one of them settles it; what no table can show is proven not to be so. Each solve is made to show as
much as it can that no table showed before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from cra_engine.attacks.refinement.formation import finer_first
from cra_engine.attacks.refinement.models import ShownModels
from cra_engine.attacks.solver.bounds import Hypothesis
from cra_engine.attacks.solver.proofs import solve_model
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.counting import cp_sat as cp_model
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.patience import checkpoint
from cra_engine.release import Owner
from cra_engine.study.grid import Cell, Segment
from cra_engine.study.tree import ROOT_LABEL

Fact = tuple[int, str | int]
"""An open cell, and ``"nobody"``, ``"several"`` or the place of a value among those shown."""
NOBODY, SEVERAL = "nobody", "several"
MOST_VARIABLES = 60_000
MOST_LISTED = 5_000  # ways to part a sub-segment's records by value that a model may list
SOON, LONG = 0.5, 2.0  # seconds for a table that shows as much as it can, or one thing


@dataclass(frozen=True)
class ShownValues:
    """What the tight attack settles of who can be where with which sensitive value.

    Attributes:
        possible: per open cell the places among ``ShownModels.kinds`` that somebody in it can show.
        alone: the open cells that hold exactly one person in every table.
        finished: False where the time ran out; then more values count as possible than are, and fewer cells as alone.
        complete: True where these are all such cells: ``finished``, and no impossible table was counted.
        contradiction: True where no table gives the release.
    """

    possible: dict[Cell, frozenset[int]]
    alone: frozenset[Cell]
    finished: bool
    complete: bool
    contradiction: bool = False


def shown_values(system: TightSystem, models: ShownModels, left: Callable[[], float]) -> ShownValues:
    """Settle who can be where with which sensitive value, all classes together.

    Args:
        system: the joint system of the release.
        models: the values that it shows.
        left: gives the seconds that may still be spent.
    """
    unseen: set[Fact] = set()
    for hypothesis in system.hypotheses:
        for position, owner in enumerate(hypothesis.owner.tolist()):
            unseen |= {(position, kind) for kind in models.shown(_index(owner))}
            unseen |= {(position, NOBODY), (position, SEVERAL)}
    every, undecided, found = set(unseen), set[Fact](), False
    for hypothesis in system.hypotheses:
        built = _Joint(system, hypothesis, models)
        open_, met = (set(unseen), True) if built.large else built.search(unseen, left)
        undecided |= open_
        found |= met
    undecided &= unseen
    shown = (every - unseen) | undecided
    possible: dict[Cell, set[int]] = {}
    crowd: dict[Cell, set[str]] = {}
    slots: dict[Cell, int] = {}
    for cell in system.cells:
        slots[cell] = slots.get(cell, 0) + 1
        possible.setdefault(cell, set())
        crowd.setdefault(cell, set())
    for position, what in shown:
        cell = system.cells[position]
        if isinstance(what, int):
            possible[cell].add(what)
        else:
            crowd[cell].add(what)
    # A cell that several classes may fill holds one person only if that is so whoever fills it.
    alone = frozenset(
        cell for cell, number in slots.items() if number == 1 and not crowd[cell] and cell not in system.settled
    )
    finished = not undecided
    known = {cell: frozenset(kinds) for cell, kinds in possible.items()}
    return ShownValues(known, alone, finished, finished and not system.relaxed, not found)


def _index(owner: int) -> int | None:
    return None if owner == Owner.SUPPRESSED else owner


class _Joint:
    """The system under one order of formation as a model of CP-SAT."""

    def __init__(self, system: TightSystem, hypothesis: Hypothesis, models: ShownModels) -> None:
        self.system, self.models, self.model = system, models, cp_model.CpModel()
        self.owner: list[int] = hypothesis.owner.tolist()
        self.turn, self.order = hypothesis.turn, hypothesis.order
        own = [models.shown(_index(owner)) for owner in self.owner]
        self.large = sum(map(len, own)) > MOST_VARIABLES
        if self.large:
            return
        self.held = [
            {kind: self.model.new_int_var(0, self._of(owner)[kind], "") for kind in kinds}
            for owner, kinds in zip(self.owner, own, strict=True)
        ]
        for owner in dict.fromkeys(self.owner):
            cells = [position for position, other in enumerate(self.owner) if other == owner]
            for kind in models.shown(_index(owner)):
                self.model.add(sum(self.held[cell][kind] for cell in cells) == self._of(owner)[kind])
        if system.unordered:
            # Else a coarser state can have gone before finer ones.
            if finer_first(system.release):
                self._by_class()
        else:
            self._by_state()

    def _of(self, owner: int) -> list[int]:
        """How many records of a class, or of the suppressed, show each kind."""
        row: list[int] = self.models.held[-1 if owner == Owner.SUPPRESSED else owner].tolist()
        return row

    def _by_state(self) -> None:
        """No box of a state that is no class passed, of the records left at its turn."""
        system = self.system
        for at, state in enumerate(system.sweep(self.order)):
            checkpoint()
            if state == system.formation.top:
                continue
            boxes: dict[int, list[int]] = {}
            numbers, gaps = system.box_of(state), system.gaps(state)
            for cell, owner in enumerate(self.owner):
                if self.turn[owner] >= at:
                    boxes.setdefault(int(numbers[cell]), []).append(cell)
            formed = set(system.class_boxes.get(state, []))
            left, passing = system.left_by(state), []
            for number, cells in boxes.items():
                if number not in formed and not gaps[number]:
                    passing += self._fails(cells, 0, skipped=left > 0)
            if passing:
                self.model.add(sum(passing) <= left)

    def _by_class(self) -> None:
        """Of each class by itself no sub-segment passes."""
        system = self.system
        for part in system.parts:
            owner = Owner.SUPPRESSED if part.index is None else part.index
            own = [cell for cell, other in enumerate(self.owner) if other == owner]
            if part.basic or not own or not part.as_formed or part.size <= system.skipped_cap:
                continue
            for segment in self._parts_of(part.segment):
                checkpoint()
                cells = [cell for cell in own if system.grid.holds(segment, system.cells[cell])]
                if cells:
                    self._fails(cells, system.skipped_cap, skipped=False)

    def _parts_of(self, segment: Segment) -> list[Segment]:
        """The halves of a box where they say all; else all its sub-segments."""
        attributes = self.system.grid.attributes
        choices = []
        for attribute, layer, rank in zip(attributes, segment.state, segment.ranks, strict=True):
            nodes = attribute.children(layer, rank)
            inside = [(layer, rank)] + [(node.layer, node.rank) for node in nodes if not node.gap]
            if not self.models.closed:
                at = 1
                while at < len(inside):
                    inside += [(node.layer, node.rank) for node in attribute.children(*inside[at]) if not node.gap]
                    at += 1
            choices.append(inside)
        found = []
        for chosen in product(*choices):
            moved = sum(
                node != (layer, rank) for node, layer, rank in zip(chosen, segment.state, segment.ranks, strict=True)
            )
            if moved == 1 or (moved and not self.models.closed):
                found.append(Segment(tuple(layer for layer, _ in chosen), tuple(rank for _, rank in chosen)))
        return found

    def _fails(self, cells: Sequence[int], spare: int, *, skipped: bool) -> list[cp_model.IntVar]:
        """Says that these cells hold no more than ``spare``, or do not pass; with ``skipped`` gives what passes."""
        models, model = self.models, self.model
        kinds: dict[int, list[cp_model.IntVar]] = {}
        for cell in cells:
            for kind, held in self.held[cell].items():
                kinds.setdefault(kind, []).append(held)
        shares = dict.fromkeys(self.owner[cell] for cell in cells)
        most = {kind: sum(self._of(owner)[kind] for owner in shares) for kind in kinds}
        if not models.closed:
            return self._fails_by_table(kinds, most, spare)
        row = np.zeros((1, len(models.kinds)), dtype=np.int64)
        row[0, list(most)] = list(most.values())
        if sum(most.values()) <= max(spare, int(models.most_failing(row)[0])):
            return []
        together = sum(held for own in kinds.values() for held in own)
        ways = [model.new_bool_var("")]
        model.add(together <= max(spare, models.least - 1)).only_enforce_if(ways[0])
        for asked, (place, values) in zip(models.models, models.values, strict=True):
            if not isinstance(asked, LDiversity):
                continue
            by_value: dict[int, list[int]] = {}
            for kind in kinds:
                if values[int(place[kind])] != ROOT_LABEL:  # what is hidden may be any value of these
                    by_value.setdefault(int(place[kind]), []).append(kind)
            there = []
            for own in by_value.values():
                there.append(model.new_bool_var(""))
                shown = sum(held for kind in own for held in kinds[kind])
                model.add(shown <= sum(most[kind] for kind in own) * there[-1])
            ways.append(model.new_bool_var(""))
            model.add(sum(there) <= int(asked.least) - 1).only_enforce_if(ways[-1])
        if not skipped:
            model.add_bool_or(ways)
            return []
        passed = model.new_int_var(0, sum(most.values()), "")
        some = model.new_bool_var("")
        model.add_bool_or([*ways, some])
        model.add(passed >= together).only_enforce_if(some)
        return [passed]

    def _fails_by_table(
        self, kinds: dict[int, list[cp_model.IntVar]], most: dict[int, int], spare: int
    ) -> list[cp_model.IntVar]:
        order = list(kinds)
        if math.prod(most[kind] + 1 for kind in order) > MOST_LISTED:
            return []
        parts = np.zeros((math.prod(most[kind] + 1 for kind in order), len(self.models.kinds)), dtype=np.int64)
        parts[:, order] = list(product(*(range(most[kind] + 1) for kind in order)))
        failing = ~self.models.surely_pass(parts) | (parts.sum(axis=1) <= spare)
        if not failing.all():
            sums = []
            for kind in order:
                sums.append(self.model.new_int_var(0, most[kind], ""))
                self.model.add(sums[-1] == sum(kinds[kind]))
            self.model.add_allowed_assignments(sums, parts[failing][:, order].tolist())
        return []

    def search(self, unseen: set[Fact], left: Callable[[], float]) -> tuple[set[Fact], bool]:
        """Takes out of ``unseen`` what tables show; what of the rest is not decided, and whether there can be one."""
        marks: dict[Fact, cp_model.IntVar] = {}
        for cell, held in enumerate(self.held):
            together = sum(held.values())
            for kind, number in held.items():
                if (cell, kind) in unseen:
                    marks[cell, kind] = self.model.new_bool_var("")
                    self.model.add(number >= marks[cell, kind])
            size = sum(self._of(self.owner[cell]))
            if (cell, NOBODY) in unseen:
                marks[cell, NOBODY] = self.model.new_bool_var("")
                self.model.add(together <= size * (1 - marks[cell, NOBODY]))
            if (cell, SEVERAL) in unseen:
                marks[cell, SEVERAL] = self.model.new_bool_var("")
                self.model.add(together >= 2 * marks[cell, SEVERAL])
        asked = {fact: mark for fact, mark in marks.items() if fact in unseen}
        undecided: set[Fact] = set()
        solver, status = solve_model(self.model, left, math.inf)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return (set() if status == cp_model.INFEASIBLE else set(asked)), status != cp_model.INFEASIBLE
        while status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            checkpoint()
            before = len(asked)
            self._see(solver, unseen)
            asked = {fact: mark for fact, mark in asked.items() if fact in unseen}
            if not asked or len(asked) == before:
                break
            wide = self.model.clone()
            for at in range(len(wide.proto.variables)):
                wide.add_hint(wide.get_int_var_from_proto_index(at), solver.response_proto.solution[at])
            wide.maximize(sum(wide.get_bool_var_from_proto_index(mark.index) for mark in asked.values()))
            solver, status = solve_model(wide, left, SOON)
        for fact, mark in asked.items():
            checkpoint()
            if fact in unseen:
                tried = self.model.clone()
                tried.add(tried.get_bool_var_from_proto_index(mark.index) == 1)
                solver, status = solve_model(tried, left, LONG)
                if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                    self._see(solver, unseen)
                elif status != cp_model.INFEASIBLE:
                    undecided.add(fact)
        return undecided & unseen, True

    def _see(self, solver: cp_model.CpSolver, unseen: set[Fact]) -> None:
        """Takes out what one table shows."""
        for cell, held in enumerate(self.held):
            numbers = {kind: solver.value(number) for kind, number in held.items()}
            unseen -= {(cell, kind) for kind, number in numbers.items() if number}
            people = sum(numbers.values())
            unseen -= {(cell, NOBODY)} if not people else {(cell, SEVERAL)} if people > 1 else set()
