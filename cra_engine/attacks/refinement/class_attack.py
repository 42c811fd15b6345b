"""The attack on one class of a release, or on its suppressed records, as a whole: told, drawn from, listed."""

import random

import numpy as np
from numpy.typing import NDArray

from cra_engine.attacks.refinement.class_chances import ClassChances
from cra_engine.attacks.refinement.constraints import Constraint, describe_constraints
from cra_engine.counting.enumeration import Enumeration, enumerate_assignments
from cra_engine.counting.sums import spread, spread_alike
from cra_engine.results import Json, plain
from cra_engine.study.grid import Cell
from cra_engine.words import digits


class ClassAttack(ClassChances):
    """The attack on one equivalence class, or on the suppressed records: bounds, and the counts they leave.

    Built by :func:`~cra_engine.attacks.refinement.attack.attack`; its attributes are those of
    :class:`~cra_engine.attacks.refinement.bounds.ClassBounds`.
    """

    def __repr__(self) -> str:
        """In one line; nothing is counted for it."""
        box = self.release.grid.describe(self.segment)
        return f"{type(self).__name__}({self.title}: {box}; size={self.size}, free_cells={len(self.free_cells)})"

    @property
    def weighted(self) -> bool:
        """True where the tables that are left differ in how likely they are: in a release of safe recoding."""
        return False

    def to_dict(self) -> Json:
        """The class as plain data: its box, its size, and what is left of it."""
        known = self.basic or self.counted
        fewest, most = self.combinations_bounds
        # Numbers of a hundred thousand digits, of which most are equal: each is written once.
        written = {number: digits(number) for number in {self.lr_solutions, *self.cra_bounds, fewest, most}}
        return plain(
            {
                "state": self.segment.state,
                "box": self.release.grid.box(self.segment),
                "size": self.size,
                "free_cells": len(self.free_cells),
                "lr_solutions": written[self.lr_solutions],
                "cra_solutions": written[self.cra_solutions] if known else None,
                "cra_bounds": [written[number] for number in self.cra_bounds],
                "ratio": self.ratio if known else None,
                "log10_ratio": self.log10_ratio if known else None,
                "combinations": written[fewest] if fewest == most else None,
                "combinations_bounds": [written[fewest], written[most]],
            }
        )

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Records per free cell (draws x free cells) of data sets drawn uniformly among all feasible ones.

        Raises:
            CRAError: nothing is feasible.
        """
        held = self._worlds.sample(rng, count)
        if self.prior.by_cells:
            return spread_alike(held, self.orthant_of_cell, rng)
        return spread(held, self.orthant_of_cell, self.cell_measures, rng, distinct=not self.alike)

    def sample(self, count: int, seed: int) -> list[tuple[int, ...]]:
        """Draw assignments: records per free cell of data sets drawn uniformly among all feasible ones.

        Raises:
            CRAError: nothing is feasible.
        """
        return [tuple(row) for row in self.draw(np.random.default_rng(seed), count).tolist()]

    def sample_records(self, count: int, seed: int) -> list[list[tuple[int, ...]]]:
        """Draw raw data sets uniformly among all that satisfy the class's constraints.

        Returns:
            ``count`` data sets, each a list of ``size`` distinct records, a record one value index per attribute (0 is
            the domain's lower end, steps of the resolution).

        Raises:
            CRAError: nothing is feasible.
        """
        inside = random.Random(seed)
        worlds = []
        for assignment in self.sample(count, seed):
            world: list[tuple[int, ...]] = []
            for cell, volume, held in zip(self.free_cells, self.cell_volumes, assignment, strict=True):
                places: list[int] = []
                while len(places) < held:
                    place = inside.randrange(volume)
                    if self.alike or place not in places:
                        places.append(place)
                world += [self._record(cell, place) for place in sorted(places)]
            worlds.append(world)
        return worlds

    def _record(self, cell: Cell, offset: int) -> tuple[int, ...]:
        record = []
        for attribute, leaf in zip(reversed(self.release.attributes), reversed(cell), strict=True):
            offset, value = divmod(offset, attribute.leaf_values[leaf])
            record.append(sum(attribute.leaf_values[:leaf]) + value)
        return tuple(reversed(record))

    def assignments(self, limit: int = 1000, time_limit: float = 10.0) -> Enumeration:
        """List feasible assignments with CP-SAT, to look at them; see :func:`enumerate_assignments`."""
        children = [
            [
                [position for position, cell in enumerate(self.free_cells) if self.release.grid.holds(child, cell)]
                for child in part.children
            ]
            for part in self.bounded_attributes
        ]
        return enumerate_assignments(
            self.free_cells,
            self.size,
            children,
            self.cap,
            self._known(self._combinations_by_number),
            limit=limit,
            time_limit=time_limit,
        )

    def constraints(self) -> list[Constraint]:
        """The constraints in words with their numbers."""
        return describe_constraints(self)
