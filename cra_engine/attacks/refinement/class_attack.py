"""The attack on one class of a release, or on its suppressed records, counted exactly (paper, section 4)."""

import math
import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.refinement.bounds import ClassBounds
from cra_engine.attacks.refinement.chance_bounds import chance_bounds
from cra_engine.attacks.refinement.constraints import Constraint, describe_constraints
from cra_engine.attacks.refinement.ratios import as_float, log10_of_ratio
from cra_engine.counting.enumeration import Enumeration, enumerate_assignments
from cra_engine.counting.inclusion import SetSum
from cra_engine.counting.kinds import KindSum
from cra_engine.counting.sums import (
    OrthantSum,
    Weigh,
    multisets,
    repeated_in_cell,
    repetitions,
    spread,
    spread_alike,
)
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.release import Owner
from cra_engine.results import Json, plain
from cra_engine.sentences import Sentence
from cra_engine.study.grid import Cell, Segment
from cra_engine.words import apart, digits

MANY, QUICK_SECONDS = 2, 0.5
CHANCE_SECONDS = 2.0  # about, for the limits of the probabilities of all cells of a class


class ClassAttack(ClassBounds):
    """The attack on one equivalence class, or on the suppressed records: bounds, and the counts they leave.

    Built by :func:`~cra_engine.attacks.refinement.attack.attack`; its attributes are those of :class:`ClassBounds`.
    """

    def __repr__(self) -> str:
        """In one line; nothing is counted for it."""
        box = self.release.grid.describe(self.segment)
        return f"{type(self).__name__}({self.title}: {box}; size={self.size}, free_cells={len(self.free_cells)})"

    @property
    def weighted(self) -> bool:
        """True where the tables that are left differ in how likely they are: in a release of safe recoding."""
        return False

    def without(self, taken: Sequence[Segment]) -> "ClassAttack":
        """The same class where others, formed earlier, have emptied these boxes."""
        free = self._free.copy()
        start = [node.start for node in self.release.grid.nodes(self.segment)]
        for segment in taken:
            place = [
                slice(max(node.start - first, 0), max(node.stop - first, 0))
                for node, first in zip(self.release.grid.nodes(segment), start, strict=True)
            ]
            free[tuple(place)] = False
        return self._like(free, self.prior)

    def _like(self, free: NDArray[np.bool_], prior: Prior) -> "ClassAttack":
        """The same class with these free cells under this prior."""
        return ClassAttack(
            self.release,
            self.index,
            self.segment,
            self.size,
            free,
            self.earlier,
            prior,
            self._hidden_values,
            self.coding,
            self.models,
        )

    def solutions_by_count(self, orthant: int) -> list[int]:
        """``cra_solutions`` parted by the number of records that an orthant holds: 0, 1, 2, .."""
        return [self._whole(part) for part in self.held_by_orthant[orthant]]

    @cached_property
    def by_value(self) -> KindSum | None:
        """The sum by the values that its records show; None where no privacy model asks for them, or too many are.

        It counts what ``cra_solutions`` counts, each way to deal the values to the rows of ordered tables once.
        """
        if self.models is None or not self._fanouts or self._caps is not None:
            return None
        try:
            fillings = self.models.fillings(self.index)
            held = np.zeros((len(fillings.sizes), len(self.models.kinds)), dtype=np.int64)
            held[:, self.models.shown(self.index)] = fillings.held
            # What a skipped state may leave a half can hold whatever it shows.
            skipped = self.release.study.skipped_cap(self.release.records)
            allowed = (np.array(fillings.sizes) <= skipped) | ~self.models.surely_pass(held)
            own = KindSum(
                self._fanouts,
                self._orthant_measures,
                self._weigh,
                fillings,
                allowed,
                closed=self.models.closed,
            )
            own.by_filling  # noqa: B018 - to know whether it can be had
        except TooLargeError:
            return None
        return own

    @property
    def _weigh(self) -> Weigh:
        if self.prior.by_cells:
            return multisets
        return repetitions(self._most) if self.prior.repeats else math.comb

    @cached_property
    def dealings(self) -> int:
        """How many tables differ by the values alone that its records show: 1 where rows count in their order."""
        return (
            1 if self.models is None or self.index == Owner.RAW or self.prior.ordered else self.models.ways(self.index)
        )

    @cached_property
    def _alike(self) -> "ClassAttack":
        """The same class where records may be alike, and each number of them in a cell counts alike."""
        return self if self.prior.by_cells else self._like(self._free, Prior("assignments"))

    @cached_property
    def held_by_orthant(self) -> list[list[int]]:
        """Per orthant and number of records that it can hold the part of the sum in which it does."""
        if self.by_value is None:
            return [[int(part) for part in parts] for parts in self._worlds.by_orthant]
        sizes, rows = self.by_value.fillings.sizes, []
        for held in self.by_value.by_filling:
            row = [0] * (max((sizes[filling] for filling in held), default=0) + 1)
            for filling, part in held.items():
                row[sizes[filling]] += part
            rows.append(row)
        return rows

    @property
    def numbered(self) -> int:
        """The tables that its numbers of records leave, whatever values they show; as :meth:`draw` draws them."""
        return self._whole(self._worlds.total)

    @cached_property
    def _placements(self) -> OrthantSum:
        if self.prior.by_cells:
            return self._assignments
        if self.prior.repeats:
            return self._repeating
        return OrthantSum(self._fanouts, self._orthant_measures, math.comb, self.size, self.cap)

    @property
    def _most(self) -> int:
        """The most records that one orthant can hold."""
        return self.cap if self._fanouts else self.size

    @cached_property
    def _repeating(self) -> OrthantSum:
        return OrthantSum(self._fanouts, self._orthant_measures, repetitions(self._most), self.size, self.cap)

    def _whole(self, ways: int) -> int:
        """The number of tables that a sum of weights stands for."""
        if not self.prior.ordered:
            return ways
        return int(ways * math.factorial(self.size) // math.factorial(self._most) ** self._orthant_count)

    @cached_property
    def lr_solutions(self) -> int:
        """Data sets that the published interval seems to allow: ``C(volume, size)`` (section 4.1).

        Where records may repeat, ordered tables: ``volume ** size``; with a population each with its weight; with the
        prior ``"assignments"`` those of numbers to all cells of the box. Under privacy models besides k tables differ
        by who shows which value, too.
        """
        return self.prior.tables(self.measure, self.size) * self.dealings

    @cached_property
    def cra_solutions(self) -> int:
        """Data sets that the constraints leave (section 4.5), exactly; as ``lr_solutions`` counts them.

        Raises:
            TooLargeError: they are too many to count; ``cra_bounds`` says between which numbers they are.
        """
        return self._known(self.cra_bounds)

    @cached_property
    def cra_bounds(self) -> tuple[int, int]:
        """Two whole numbers between which ``cra_solutions`` lies, equal where it is counted exactly."""
        if self.by_value is not None:
            total = self.by_value.total
            if self.prior.ordered and self.models is not None:  # whose rows' values are known
                total = self._whole(total) // self.models.ways(self.index)
            return total, total
        if self.models is not None and self._fanouts:
            fewest = self._whole(self._fewest(self._orthant_measures, self._weigh))
            return fewest * self.dealings, self._bounds_by_number[1] * self.dealings
        lower, upper = self._bounds_by_number
        return lower * self.dealings, upper * self.dealings

    def _fewest(self, measures: Sequence[int], weigh: Weigh) -> int:
        """The sum over what no half holds enough records for to pass any privacy model."""
        never = min(self.cap, self.release.study.child_cap(self.release.records))
        try:
            return OrthantSum(self._fanouts, measures, weigh, self.size, never).total if never else 0
        except TooLargeError:
            return 0

    @cached_property
    def _bounds_by_number(self) -> tuple[int, int]:
        """Limits of the tables that the largest number of records in a half leaves."""
        if self.prior.by_cells:
            return self._combinations_by_number
        if not self._fanouts:  # nothing bounds it, as nothing bounds a class on a single cell
            total = self.prior.tables(sum(self._orthant_measures), self.size)
            return total, total
        if self.size >= MANY * (self.cap + 1):  # several children may break their bound: sets of them take less time
            result = self._sets.bracket(QUICK_SECONDS)
            if result.exact:
                return result.lower, result.upper
        try:
            total = self._whole(self._placements.total)
        except TooLargeError:
            result = self._sets.bracket()
            return result.lower, result.upper
        return total, total

    @property
    def counted(self) -> bool:
        """True when ``cra_solutions`` is counted exactly."""
        return self.cra_bounds[0] == self.cra_bounds[1]

    @property
    def listed(self) -> bool:
        """True when ``combinations`` is counted exactly."""
        return self.combinations_bounds[0] == self.combinations_bounds[1]

    @cached_property
    def combinations(self) -> int:
        """Feasible assignments of counts to cells (the paper's Table 5), exactly.

        Raises:
            TooLargeError: they are too many to count; ``combinations_bounds`` says between which numbers they are.
        """
        return self._known(self.combinations_bounds)

    @cached_property
    def combinations_bounds(self) -> tuple[int, int]:
        """Two whole numbers between which ``combinations`` lies, equal where it is counted exactly."""
        lower, upper = self._combinations_by_number
        if self.models is None or not self._fanouts:
            return lower, upper
        return self._fewest(self._orthant_cells, multisets), upper

    @cached_property
    def _combinations_by_number(self) -> tuple[int, int]:
        """Limits of the assignments that the largest number of records in a half leaves."""
        if not self._fanouts:
            total = multisets(sum(self._orthant_cells), self.size)
            return total, total
        try:
            total = self._assignments.total
        except TooLargeError:
            result = self._cell_sets.bracket()
            return result.lower, result.upper
        return total, total

    @property
    def _cell_sets(self) -> SetSum:
        return SetSum(self._fanouts, self._orthant_cells, multisets, self.size, self.cap)

    @property
    def _sets(self) -> SetSum:
        """``cra_solutions`` as a sum by sets of children."""
        if self.prior.by_cells:
            return self._cell_sets
        if not self.prior.repeats:
            return SetSum(self._fanouts, self._orthant_measures, math.comb, self.size, self.cap)
        ways, scale = repetitions(self.size), math.factorial(self.size)
        return SetSum(self._fanouts, self._orthant_measures, ways, self.size, self.cap, scale)

    def _known(self, bounds: tuple[int, int]) -> int:
        lower, upper = bounds
        if lower < upper:
            raise TooLargeError(
                f"Counting this class exactly ({self.size} records, {len(self._fanouts)} generalized attributes) would "
                f"take too long; the number lies between {' and '.join(apart(lower, upper))}."
            )
        return lower

    @cached_property
    def _assignments(self) -> OrthantSum:
        return OrthantSum(self._fanouts, self._orthant_cells, multisets, self.size, self.cap)

    @cached_property
    def certain_counts(self) -> dict[Cell, int]:
        """The free cells that hold the same number of records in every feasible assignment, with that number.

        Assignments let records be alike, so this holds whether they are or not.

        Raises:
            CRAError: nothing is feasible.
        """
        if len(self.free_cells) == 1:
            return {self.free_cells[0]: self.size}
        if self.contradiction and not self.coincident:
            raise CRAError(str(self.problem))
        # What volumes alone force says nothing about records that may be alike.
        if self.coincident or any(0 < measure < min(self.size, self.cap) for measure in self._orthant_measures):
            return self._alike.steady()
        return self.steady()

    def steady(self) -> dict[Cell, int]:
        """As ``certain_counts``, as far as the prior's own tables tell."""
        held = [[n for n, part in enumerate(parts) if part] for parts in self.held_by_orthant]
        # One of several cells of an orthant is certain only where the orthant is empty.
        certain = [
            counts[0] if len(counts) == 1 and (counts[0] == 0 or cells == 1) else None
            for counts, cells in zip(held, self._orthant_cells, strict=True)
        ]
        result = zip(self.free_cells, (certain[orthant] for orthant in self.orthant_of_cell), strict=True)
        return {cell: count for cell, count in result if count is not None}

    @cached_property
    def count_ranges(self) -> dict[Cell, tuple[int, int]]:
        """Per free cell the smallest and the largest number of records in a feasible assignment.

        Raises:
            TooLargeError: that would take too long to count.
        """
        held = [[n for n, part in enumerate(parts) if part] or [0] for parts in self._alike.held_by_orthant]
        # Cells of one orthant can each be empty while another holds everything.
        ends = [
            (counts[0] if cells == 1 else 0, counts[-1])
            for counts, cells in zip(held, self._orthant_cells, strict=True)
        ]
        return {cell: ends[o] for cell, o in zip(self.free_cells, self.orthant_of_cell, strict=True)}

    @property
    def contradiction(self) -> bool:
        """True when no data set of distinct records satisfies the constraints; ``problem`` says why."""
        return self.cra_bounds[1] == 0

    @cached_property
    def coincident(self) -> bool:
        """True when the constraints can be met only if some records are alike in every quasi-identifier.

        The paper supposes distinct records (section 2); then there is nothing to count. Probabilities and draws let
        values repeat here: each record takes each value of its cell independently.
        """
        return self.contradiction and not self.prior.repeats and self._alike.cra_bounds[1] > 0

    @property
    def alike(self) -> bool:
        """True when records may be alike in every quasi-identifier: so the prior says, or there is no other way."""
        return self.prior.repeats or self.coincident

    @property
    def problem(self) -> Sentence | None:
        """A sentence on why there is nothing to count, None where there is."""
        if not self.contradiction:
            return None
        if self.coincident:
            return Sentence(
                self.title,
                ": some of its records must be alike in every quasi-identifier, since its cells have "
                "too few values; the counts suppose distinct records, so there is nothing to count.",
            )
        return Sentence(
            self.title,
            ": no data satisfy its constraints; "
            "check that k, the profile and the hierarchies are those of the release.",
        )

    @property
    def exact_ratio(self) -> Fraction | None:
        """``lr_solutions / cra_solutions``; 1 on a single cell, None where nothing is feasible or too much to count."""
        if self.basic:
            return Fraction(1)
        return None if self.contradiction or not self.counted else Fraction(self.lr_solutions, self.cra_solutions)

    @property
    def ratio(self) -> float:
        """The ratio as a float: infinite past 1e308, NaN where nothing is feasible or it is too much to count.

        Then ``ratio_bounds`` says between which numbers it lies.
        """
        return as_float(self.exact_ratio)

    @property
    def ratio_bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Two numbers between which the ratio lies, equal where it is known; None where there is none, or no limit."""
        known = self.exact_ratio
        if known is not None or self.contradiction:
            return known, known
        fewest, most = self.cra_bounds
        return Fraction(self.lr_solutions, most), Fraction(self.lr_solutions, fewest) if fewest else None

    @property
    def log10_ratio(self) -> float:
        """The ratio's decimal logarithm, finite for any size; NaN where the ratio is."""
        return log10_of_ratio(self.exact_ratio)

    def to_dict(self) -> Json:
        """The class as plain data: its box, its size, and what is left of it."""
        known = self.basic or self.counted
        fewest, most = self.combinations_bounds
        return plain(
            {
                "state": self.segment.state,
                "box": self.release.grid.box(self.segment),
                "size": self.size,
                "free_cells": len(self.free_cells),
                "lr_solutions": digits(self.lr_solutions),
                "cra_solutions": digits(self.cra_solutions) if known else None,
                "cra_bounds": list(map(digits, self.cra_bounds)),
                "ratio": self.ratio if known else None,
                "log10_ratio": self.log10_ratio if known else None,
                "combinations": digits(fewest) if fewest == most else None,
                "combinations_bounds": [digits(fewest), digits(most)],
            }
        )

    def value_chances(self, cell: Cell) -> dict[int, tuple[Fraction, Fraction]] | None:
        """What somebody in a free cell shows, all tables that the class by itself leaves counting alike.

        Returns:
            Per place among ``models.kinds`` that the class shows: how likely somebody who is in the cell shows it, and
            the probability that exactly one person is there, who does. None where that is not counted.
        """
        if self.coincident:
            return self._like(self._free, Prior("independent")).value_chances(cell)
        if self.models is None or self.contradiction:
            return None
        place = self.free_cells.index(cell)
        orthant, measure = self.orthant_of_cell[place], self.cell_measures[place]
        rest = self._orthant_measures[orthant] - measure
        kinds, sums = self.models.shown(self.index), self.by_value
        if not self._fanouts:  # nothing bounds it, so that every record is as likely to be in the cell
            one = self._alone_among(self.size, measure, rest)
            held = self.models.held[-1 if self.index is None else self.index].tolist()
            return {kind: (Fraction(held[kind], self.size), one * held[kind] / self.size) for kind in kinds}
        if sums is None:
            return None
        weights, sizes = sums.by_filling[orthant], sums.fillings.sizes
        rows = {filling: sums.fillings.held[filling].tolist() for filling in weights}
        people = sum(part * sizes[filling] for filling, part in weights.items())
        alone = {n: self._alone_among(n, measure, rest) for n in {sizes[filling] for filling in weights} if n}
        found = {}
        for at, kind in enumerate(kinds):
            shown = sum(part * rows[filling][at] for filling, part in weights.items())
            by_one = sum(
                part * alone[sizes[filling]] * Fraction(rows[filling][at], sizes[filling])
                for filling, part in weights.items()
                if sizes[filling]
            )
            found[kind] = (Fraction(shown, people) if people else Fraction(0), Fraction(by_one) / sums.total)
        return found

    def _alone_among(self, n: int, measure: int, rest: int) -> Fraction:
        """That one of n records in an orthant, and no more, is in a cell of it."""
        # A whole number of ways to fill the orthant, of which any multiple would do.
        row = self.prior.in_cell([0] * n + [self.prior.ways(measure + rest, n, n)], measure, rest)
        ways = sum(row, Fraction(0))
        return Fraction(row[1]) / ways if len(row) > 1 and ways else Fraction(0)

    def cell_distributions(self) -> list[list[float]]:
        """Per free cell, the probability that it holds 0, 1, 2, .. records.

        Every raw data set that satisfies the class's constraints is taken as equally likely.

        Raises:
            CRAError: nothing is feasible.
        """
        return self._distributions

    def cell_probabilities(self, j: int) -> list[float]:
        """Per free cell, the probability that it holds exactly ``j`` records, in the order of ``free_cells``.

        Raises:
            CRAError: nothing is feasible.
        """
        return [row[j] if 0 <= j < len(row) else 0.0 for row in self._distributions]

    def cell_probability_bounds(self, j: int) -> list[tuple[float, float]]:
        """Per free cell two numbers between which the probability lies that it holds exactly ``j`` records.

        They are equal where the class is counted exactly.

        Raises:
            CRAError: nothing is feasible.
        """
        try:
            return [(chance, chance) for chance in self.cell_probabilities(j)]
        except TooLargeError:
            pass
        if self.coincident:
            return self._like(self._free, Prior("independent")).cell_probability_bounds(j)
        alike = len(set(self._orthant_measures)) == 1  # then any orthant stands for all
        orthants = [0 if alike else orthant for orthant in self.orthant_of_cell]
        cells = list(zip(orthants, self.cell_measures, strict=True))
        seconds = CHANCE_SECONDS / len(set(cells))
        known = {
            cell: chance_bounds(self._sets, self.cra_bounds, *cell, j, seconds, ordered=self.prior.ordered)
            for cell in set(cells)
        }
        return [(float(lower), float(upper)) for lower, upper in map(known.__getitem__, cells)]

    @cached_property
    def _distributions(self) -> list[list[float]]:
        if self.by_value is not None and self.coincident:
            return self._like(self._free, Prior("independent")).cell_distributions()
        rows, total = self.held_by_orthant, sum(self.held_by_orthant[0])
        known: dict[tuple[int, int], list[float]] = {}
        shared = repeated_in_cell if self.coincident else self.prior.in_cell
        for orthant, measure in set(zip(self.orthant_of_cell, self.cell_measures, strict=True)):
            row = shared(rows[orthant], measure, self._orthant_measures[orthant] - measure)
            known[orthant, measure] = [float(value / total) for value in row]
        return [known[key] for key in zip(self.orthant_of_cell, self.cell_measures, strict=True)]

    @cached_property
    def _worlds(self) -> OrthantSum:
        """The sum that probabilities and draws are taken from."""
        if not self.contradiction:
            return self._placements
        if not self.coincident:
            raise CRAError(str(self.problem))
        return self._repeating

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
