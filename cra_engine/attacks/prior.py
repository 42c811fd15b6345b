"""Priors: which tables a reader takes for likelier than others before reading the release.

The bounds of an attack say which tables are possible; a prior says how they weigh. Each weighs the numbers of records
in cells by a product over the cells, and cells merge, so the same sums over orthants do for all:

- ``distinct`` (the paper's): records differ, every set of them is alike likely. ``C(V, n)`` sets of n in V places.
- ``independent``: records may repeat, each takes every place alike. Ordered tables count: ``V^n / n!`` per set of
  places, times the factorial of all records.
- a population: records may repeat, and are drawn from shares that are known per attribute; V is then the share.
- ``assignments``: records may repeat, and nobody knows how common a cell is: all shares of the cells are alike likely,
  so every assignment of numbers to cells is. ``C(n + f - 1, n)`` assignments of n records to f cells.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from cra_engine.choices import Prior as PriorName
from cra_engine.counting.sums import assigned_to_cells, placed_in_cell, repeated_in_cell
from cra_engine.errors import CRAError
from cra_engine.expected import expect
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.population import Population

WRITTEN_OUT = 1000  # records of one place whose tables are counted to the last digit on the way to their logarithm
LN_10 = math.log(10)
_EQUALLY = "if all tables that are left are equally likely"
_SUPPOSED = {
    "distinct": f"{_EQUALLY}, no two of their records alike",
    "independent": f"{_EQUALLY}, their records alike or not",
    "assignments": f"{_EQUALLY}, a table being an assignment of numbers of records to cells",
    "population": "if tables weigh what the given shares make of them",
}
# The same beside a number that speaks of people; everything else says it in full.
_IN_SHORT = {
    "distinct": "if all tables that this one may come from are equally likely",
    "independent": "if all tables that this one may come from are equally likely, records alike or not",
    "assignments": "if all possible ways to fill the groups are equally likely",
    "population": _SUPPOSED["population"],
}


def in_short(prior: str) -> str:
    """Return what a prior of this name supposes, as a clause for readers beside a number of people."""
    return _IN_SHORT.get(prior, f"prior {prior}")


@dataclass(frozen=True)
class Prior:
    """How possible tables weigh in an attack.

    Attributes:
        name: ``"distinct"``, ``"independent"``, ``"assignments"`` or ``"population"``.
        weights: with a population per attribute and leaf its share as a whole number; else None.
    """

    name: str = "distinct"
    weights: tuple[tuple[int, ...], ...] | None = None

    @property
    def supposed(self) -> str:
        """What the prior supposes, with its name: a clause to stand beside whatever it makes likely."""
        return f"{_SUPPOSED[self.name]} (prior {self.name})"

    @property
    def repeats(self) -> bool:
        """True where records may be alike in every quasi-identifier."""
        return self.name != "distinct"

    @property
    def ordered(self) -> bool:
        """True where tables count with the order of their rows, so that each row is a draw of its own."""
        return self.name in ("independent", "population")

    @property
    def by_cells(self) -> bool:
        """True where cells count, however many values they hold."""
        return self.name == "assignments"

    def cells(self, grid: Grid, segment: Segment) -> NDArray[Any]:
        """The measure of each cell of a segment: its volume, its share of the population, or 1."""
        if self.by_cells:
            return np.ones([node.stop - node.start for node in grid.nodes(segment)], dtype=object)
        if self.weights is None:
            return grid.cell_volumes(segment)
        result = np.ones((), dtype=object)
        for row, node in zip(self.weights, grid.nodes(segment), strict=True):
            result = np.multiply.outer(result, np.array(row[node.start : node.stop], dtype=object))
        return np.asarray(result, dtype=object)

    def whole(self, grid: Grid, segment: Segment) -> int:
        """The measure of a segment."""
        if self.by_cells:
            return math.prod(node.stop - node.start for node in grid.nodes(segment))
        if self.weights is None:
            return grid.volume(segment)
        nodes = zip(self.weights, grid.nodes(segment), strict=True)
        return math.prod(sum(row[node.start : node.stop]) for row, node in nodes)

    def tables(self, measure: int, size: int) -> int:
        """Returns how much the tables of some records in one place weigh together."""
        return measure**size if self.ordered else self.ways(measure, size, 0)

    def log10_tables(self, measure: int, size: int) -> float:
        """Returns the decimal logarithm of :meth:`tables`, minus infinity where there is none.

        The number itself has millions of digits where a million records lie in one place.
        """
        if size <= WRITTEN_OUT or not measure:
            number = self.tables(measure, size)
            return math.log10(number) if number else -math.inf
        if self.ordered:
            return size * math.log10(measure)
        return log10_comb(size + measure - 1 if self.by_cells else measure, size)

    def ways(self, measure: int, size: int, most: int) -> int:
        """The weight of some records in one place as a factor of a product; where tables are ordered times ``most!``.

        Args:
            measure: of the place.
            size: number of records.
            most: the largest number of records that any factor has.
        """
        if self.ordered:
            return int(measure**size * (math.factorial(most) // math.factorial(size)))
        if self.by_cells:
            return math.comb(size + measure - 1, size) if measure else int(size == 0)
        return math.comb(measure, size)

    def in_cell(self, parts: Sequence[int], measure: int, rest: int) -> list[Fraction]:
        """From the weights by the number of records in a union of cells those by the number in one of them.

        Args:
            parts: weight of the data sets with 0, 1, 2, .. records in the union.
            measure: of the cell.
            rest: measure of the union's other cells.
        """
        if self.by_cells:
            return assigned_to_cells(parts, measure, rest)
        return (repeated_in_cell if self.repeats else placed_in_cell)(parts, measure, rest)


def log10_comb(places: int, size: int) -> float:
    """Return the decimal logarithm of how many sets of so many places a prior counts; minus infinity for none.

    >>> round(log10_comb(52, 5), 6) == round(math.log10(math.comb(52, 5)), 6), log10_comb(3, 4)
    (True, -inf)
    """
    fewer = min(size, places - size)
    if fewer <= 0:
        return 0.0 if fewer == 0 else -math.inf
    ordered = fewer * math.log(places) + math.fsum(np.log1p(-np.arange(fewer) * (1 / places)))
    return (ordered - math.lgamma(fewer + 1)) / LN_10


DISTINCT = Prior()


def prior_of(prior: str, population: Population | None) -> Prior:
    """Return an attack's prior of this name, or a population's.

    Raises:
        CRAError: there is no such prior.
    """
    if population is not None:
        expect(population, Population, "population")
        return Prior("population", population.weights)
    if not isinstance(prior, str) or prior not in get_args(PriorName):
        raise CRAError(f"prior is {prior!r}; take 'distinct', 'independent' or 'assignments', or give a population.")
    return Prior(prior)
