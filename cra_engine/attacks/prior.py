"""What a reader supposes of the records before reading the release: which tables are likelier than others.

The bounds of an attack say which tables are possible; a prior says how they weigh. All three weigh a table by a product
over its records, so the same sums over orthants do for each:

- ``distinct`` (the paper's): records differ, every set of them is alike likely. ``C(V, n)`` sets of n in V places.
- ``independent``: records may repeat, each takes every place alike. Ordered tables count: ``V^n / n!`` per set of
  places, times the factorial of all records.
- a population: records may repeat, and are drawn from shares that are known per attribute; V is then the share.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.errors import CRAError
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.population import Population


@dataclass(frozen=True)
class Prior:
    """How tables weigh.

    Attributes:
        name: ``"distinct"``, ``"independent"`` or ``"population"``.
        weights: with a population per attribute and leaf its share as a whole number; else None.
    """

    name: str = "distinct"
    weights: tuple[tuple[int, ...], ...] | None = None

    @property
    def repeats(self) -> bool:
        """True where records may be alike in every quasi-identifier."""
        return self.name != "distinct"

    def cells(self, grid: Grid, segment: Segment) -> NDArray[Any]:
        """The measure of each cell of a segment: its volume, or its share of the population."""
        if self.weights is None:
            return grid.cell_volumes(segment)
        result = np.ones((), dtype=object)
        for row, node in zip(self.weights, grid.nodes(segment), strict=True):
            result = np.multiply.outer(result, np.array(row[node.start : node.stop], dtype=object))
        return np.asarray(result, dtype=object)

    def whole(self, grid: Grid, segment: Segment) -> int:
        """The measure of a segment."""
        if self.weights is None:
            return grid.volume(segment)
        nodes = zip(self.weights, grid.nodes(segment), strict=True)
        return math.prod(sum(row[node.start : node.stop]) for row, node in nodes)

    def tables(self, measure: int, size: int) -> int:
        """How much the tables of some records in one place weigh together."""
        return measure**size if self.repeats else math.comb(measure, size)


DISTINCT = Prior()


def prior_of(prior: str, population: Population | None) -> Prior:
    """The prior of this name, or a population's.

    Raises:
        CRAError: there is no such prior.
    """
    if population is not None:
        return Prior("population", population.weights)
    if prior not in ("distinct", "independent"):
        raise CRAError(f"prior is {prior!r}; take 'distinct' or 'independent', or give a population.")
    return Prior(prior)
