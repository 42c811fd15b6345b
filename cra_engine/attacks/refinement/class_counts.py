"""How many tables the bounds on one class leave, counted exactly where that is possible (paper, section 4)."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.refinement.bounds import ClassBounds
from cra_engine.attacks.refinement.ratios import as_float, log10_of_ratio
from cra_engine.counting.inclusion import SetSum
from cra_engine.counting.kinds import KindSum
from cra_engine.counting.sums import OrthantSum, Weigh, multisets, repetitions
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.release import Owner
from cra_engine.sentences import Sentence
from cra_engine.study.grid import Segment
from cra_engine.words import apart

MANY, QUICK_SECONDS = 2, 0.5
CHECK_STUDY = "check that k, the privacy models besides it, the profile and the hierarchies are those of the release."


class ClassCounts(ClassBounds):
    """The bounds on one class, and the numbers of tables that they leave."""

    def without(self, taken: Sequence[Segment]) -> Self:
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

    @property
    def _made(self) -> Callable[..., Self]:
        """What makes one more of its kind."""
        return type(self)

    def _like(self, free: NDArray[np.bool_], prior: Prior) -> Self:
        """The same class with these free cells under this prior."""
        return self._made(
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
        return [self._tables(part) for part in self.held_by_orthant[orthant]]

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
            allowed = (fillings.sizes <= skipped) | ~self.models.surely_pass(held)
            weigh = repetitions(self.size) if self.prior.ordered else self._weigh
            return KindSum(self._fanouts, self._orthant_measures, weigh, fillings, allowed)
        except TooLargeError:
            return None

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
    def _alike(self) -> Self:
        """The same class where records may be alike, and each number of them in a cell counts alike."""
        return self if self.prior.by_cells else self._like(self._free, Prior("assignments"))

    @cached_property
    def held_by_orthant(self) -> list[list[int]]:
        """Per orthant and number of records that it can hold the part of the sum in which it does."""
        if self.by_value is not None:
            return self.by_value.by_orthant
        return [[int(part) for part in parts] for parts in self._worlds.by_orthant]

    @property
    def numbered(self) -> int:
        """The tables that its numbers of records leave, whatever values they show; as :meth:`draw` draws them."""
        return self._whole(self._worlds.total)

    @cached_property
    def _worlds(self) -> OrthantSum:
        """The sum that probabilities and draws are taken from."""
        if not self.contradiction:
            return self._placements
        if not self.coincident:
            raise CRAError(str(self.problem))
        return self._repeating

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

    def _whole(self, ways: int, most: int | None = None) -> int:
        """The number of tables that a sum of weights stands for, with so many in an orthant."""
        if not self.prior.ordered:
            return ways
        scale: int = math.factorial(self._most if most is None else most) ** self._orthant_count
        return ways * math.factorial(self.size) // scale

    def _tables(self, part: int) -> int:
        """The number of tables with their values that a part of ``held_by_orthant`` stands for."""
        if self.by_value is None or self.models is None:
            return self._whole(part) * self.dealings
        # Where rows count in their order it is known who shows what.
        return self._whole(part, self.size) // (self.models.ways(self.index) if self.prior.ordered else 1)

    @cached_property
    def lr_solutions(self) -> int:
        """Data sets that the published interval seems to allow: ``C(volume, size)`` (section 4.1).

        Where records may repeat, ordered tables: ``volume ** size``; with a population each with its weight; with the
        prior ``"assignments"`` those of numbers to all cells of the box. Under privacy models besides k tables differ
        by who shows which value, too.
        """
        return self._promised * self.dealings

    @cached_property
    def _promised(self) -> int:
        """``lr_solutions`` but for who shows which value."""
        return self.prior.tables(self.measure, self.size)

    @cached_property
    def log10_lr(self) -> float:
        """The decimal logarithm of ``lr_solutions``, which is not worked out for it; minus infinity for none."""
        return self.prior.log10_tables(self.measure, self.size) + math.log10(self.dealings)

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
            return (self._tables(self.by_value.total),) * 2
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
            measure = sum(self._orthant_measures)
            total = self._promised if measure == self.measure else self.prior.tables(measure, self.size)
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
        fewest = self._fewest(self._orthant_cells, multisets)
        # Where tables are left so is an assignment, though none that leaves fewer than k records in every half.
        return max(fewest, int(self.by_value is not None and self.by_value.total > 0)), upper

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

    @property
    def contradiction(self) -> bool:
        """True when no data set of distinct records satisfies the constraints; ``problem`` says why."""
        if not self._fanouts and self.by_value is None:  # whose number of tables may have millions of digits
            return self.prior.log10_tables(sum(self._orthant_measures), self.size) == -math.inf
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
            f": no data satisfy its constraints; {CHECK_STUDY}",
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
