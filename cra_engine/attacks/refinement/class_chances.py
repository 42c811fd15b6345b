"""What each cell of one class holds in the tables that its bounds leave: for certain, at most, and how likely."""

from fractions import Fraction

from propcache.api import cached_property

from cra_engine.attacks.prior import Prior
from cra_engine.attacks.refinement.chance_bounds import chance_bounds
from cra_engine.attacks.refinement.class_counts import ClassCounts
from cra_engine.counting.sums import repeated_in_cell
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.study.grid import Cell

CHANCE_SECONDS = 2.0  # about, for the limits of the probabilities of all cells of a class


class ClassChances(ClassCounts):
    """The counts of one class, and what they say of its cells."""

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
        people = sum(n * part for n, part in enumerate(sums.by_orthant[orthant]))
        shown = {n: row for n, row in enumerate(sums.shown[orthant]) if n and any(row)}
        alone = {n: self._alone_among(n, measure, rest) / n for n in shown}
        found = {}
        for at, kind in enumerate(kinds):
            by_one = sum(alone[n] * row[at] for n, row in shown.items())
            all_shown = sum(row[at] for row in shown.values())
            found[kind] = (Fraction(all_shown, people) if people else Fraction(0), Fraction(by_one) / sums.total)
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
