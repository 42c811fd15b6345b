"""What the tables of a choice cost at least, worked out without publishing one: some cell of its hierarchies is shown.

Whoever shows less than k people, or too few sensitive values, is no class: so each row shows a cell that holds enough
of both, and loses what the least costly of these loses. By global recoding all rows that are shown show cells of one
state. A table of some forty rows has so few pairs of rows and states that all of this takes a millisecond or two, and
publishing one choice forty; a search that looks at what costs least first publishes few choices then.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.publishable.choice import REMOVED, Choice, Heights
from cra_engine.publishable.space import Space
from cra_engine.risk.uniques import cell_codes

MOST_PAIRS = 4_000_000  # pairs of rows, and rows in states, up to which a cost is bounded so
MOST_VALUES = 40  # of a sensitive column likewise


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cells of all states around the rows of some columns.

    Attributes:
        people: per state and row how many people are in its cell.
        diverse: per privacy model that asks for so many values, how many the cell has.
        lost: per state and row the detail that the row loses by showing it.
        often: how many records each row stands for.
        whole: of all that may be lost, the weight of the columns that are shown.
        gone: the weight of those that are removed.
        left_out: number of records that are left out.
    """

    people: NDArray[np.int64]
    diverse: tuple[tuple[int, NDArray[np.int64]], ...]
    lost: NDArray[np.float64]
    often: NDArray[np.int64]
    whole: float
    gone: float
    left_out: int


class LeastCosts:
    """Bounds of what the choices of a search cost.

    Args:
        space: what there is to choose.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._cells: tuple[object, _Cells | None] | None = None
        self._known: dict[tuple[Heights, str, int, object], float] = {}
        models = [one for one in space.privacy if isinstance(one, LDiversity)]
        self._values = [(one.least, cell_codes(space.data[one.attribute])) for one in models]

    def of(self, choice: Choice) -> float:
        """Returns a cost that no table of a choice is below; infinite where there is no such table."""
        bound = self._space.bound(choice.heights, choice.gaps)
        key = (choice.heights, choice.gaps, choice.k, self._kind(choice))
        if key not in self._known:
            cells = self._around(choice.heights, choice.gaps)
            self._known[key] = bound if cells is None else max(bound, self._least(cells, choice))
        return self._known[key]

    @staticmethod
    def _kind(choice: Choice) -> object:
        """Ways whose tables are bounded alike."""
        match choice.way.name:
            case "global":
                return choice.way.setting
            case "safe":
                return "safe"
            case _:
                return "local"

    def _least(self, cells: _Cells, choice: Choice) -> float:
        enough = cells.people >= choice.k
        if choice.way.name != "safe":  # of safe recoding the check alone asks for values
            for least, values in cells.diverse:
                enough &= values >= least
        people = int(cells.often.sum())
        if choice.way.name == "global":
            lost = np.where(enough, cells.lost, cells.whole)
            hidden = np.where(enough, 0, cells.often).sum(axis=1)
            allowed = hidden <= math.floor(Fraction(choice.way.setting) * people)
            sums = (lost * cells.often).sum(axis=1)[allowed]
            cost = float(sums.min(initial=math.inf))
        else:
            lost = np.where(enough, cells.lost, cells.whole).min(axis=0)
            cost = float((lost * cells.often).sum())
        cost += people * cells.gone
        return (cost / self._space.whole + cells.left_out) / (people + cells.left_out)

    def _around(self, heights: Heights, gaps: str) -> _Cells | None:
        """The cells around all rows that these columns show; None where they are too many, or no row is shown."""
        if self._cells is None or self._cells[0] != (heights, gaps):
            self._cells = (heights, gaps), self._found(heights, gaps)
        return self._cells[1]

    def _found(self, heights: Heights, gaps: str) -> _Cells | None:
        space = self._space
        places = [place for place, height in enumerate(heights) if height > 0]
        layers = [one for place in places if (one := space.layers(place, heights[place], gaps)) is not None]
        if len(layers) < len(places):
            return None
        shape = tuple(len(one.ranks) for one in layers)
        shown = np.logical_and.reduce([space.codes(place, heights[place], gaps) >= 0 for place in places])
        rows = np.flatnonzero(shown)
        states = math.prod(shape)
        if not len(rows) or len(rows) * max(len(rows), states) > MOST_PAIRS:
            return None
        often = space.often[rows]
        # Two rows share the cells of a state whose layers are at least those on which each column first joins them.
        meets = np.zeros((len(rows), len(rows)), dtype=np.int64)
        lost = np.zeros((len(rows), *shape))
        for at, (place, one) in enumerate(zip(places, layers, strict=True)):
            ranks = one.ranks[:, rows]
            joins = (ranks[:, :, None] != ranks[:, None, :]).sum(axis=0)
            meets = meets * shape[at] + joins
            own = space.weights[space.columns[place].name] * one.lost[:, rows].T
            lost += own.reshape(len(rows), *(shape[at] if axis == at else 1 for axis in range(len(shape))))
        keys = meets + np.arange(len(rows))[:, None] * states

        def held(of: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
            times = np.broadcast_to(often if of is None else often * of, meets.shape)
            found = np.bincount(keys.ravel(), times.ravel(), len(rows) * states).astype(np.int64)
            found = found.reshape(len(rows), *shape)
            for axis in range(1, found.ndim):
                found = np.cumsum(found, axis=axis)
            return np.ascontiguousarray(found.reshape(len(rows), states).T)

        values = []
        for least, codes in self._values:
            numbers, different = pd.factorize(codes[rows])
            if len(different) <= MOST_VALUES:
                several = sum((held(numbers == value) > 0).astype(np.int64) for value in range(len(different)))
                values.append((least, np.asarray(several)))
        removed = [c.name for c, height in zip(space.columns, heights, strict=True) if height == REMOVED]
        grouped = sum(space.weights[space.columns[place].name] for place in places)
        left_out = space.records - space.repeats - int(often.sum())
        return _Cells(
            held(),
            tuple(values),
            np.ascontiguousarray(lost.reshape(len(rows), states).T),
            often,
            grouped,
            sum(space.weights[name] for name in removed),
            left_out,
        )
