"""How many people stand in the way of a choice of columns, counted in the raw table without publishing anything.

Where every group of people who look alike in all columns that are made coarser is large and diverse enough, and nobody
is alone with the columns that stay as they are beside them, recoding has nothing left to join: the table goes out just
so. Counting that takes a millisecond, publishing and checking a second. It is a guess of what the check will say, no
proof; coarser columns leave no more people in the way.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted
from cra_engine.checks.labels import known_in
from cra_engine.checks.rule import Rule
from cra_engine.publishable.choice import AS_IT_IS, REMOVED, Heights
from cra_engine.publishable.space import Space
from cra_engine.risk.uniques import cell_codes

_DENSE = 4  # numbers of groups per row up to which groups are counted in an array

Codes = NDArray[np.int64] | NDArray[np.int32]


class Crowds:
    """Counts who stands in the way of the choices of a search.

    Args:
        space: what there is to choose.
        rule: what is demanded.
    """

    def __init__(self, space: Space, rule: Rule) -> None:
        self.space, self.k, self.l = space, space.ks[0], rule.l
        self._sensitive: list[tuple[Codes, NDArray[np.bool_]]] = [
            (cell_codes(space.data[name]), known_in(space.data[name])) for name in space.sensitive if rule.l > 1
        ]
        self._known: dict[tuple[Heights, str], tuple[int, int]] = {}

    def in_the_way(self, heights: Heights, gaps: str) -> int:
        """Returns how many people stand in the way of a choice: in a group too small or too much alike, or alone."""
        return self._people(heights, gaps)[0]

    def stuck(self, heights: Heights, gaps: str) -> int:
        """Returns how many people are alone in a group that recoding has no reason to join with another."""
        return self._people(heights, gaps)[1]

    def rows_in_the_way(self, heights: Heights, gaps: str) -> NDArray[np.int64]:
        """Returns the rows of the people who stand in the way of a choice, from 0, ascending."""
        return np.flatnonzero(np.logical_or(*self._found(heights, gaps)))

    def _people(self, heights: Heights, gaps: str) -> tuple[int, int]:
        if (heights, gaps) not in self._known:
            way, stuck = self._found(heights, gaps)
            often = self.space.often
            self._known[heights, gaps] = int(often[way | stuck].sum()), int(often[stuck].sum())
        return self._known[heights, gaps]

    def _found(self, heights: Heights, gaps: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Per row whether it is in a group too small or too much alike, and whether it is alone in another one."""
        space, rows = self.space, len(self.space.data)
        grouped = [space.codes(place, height, gaps) for place, height in enumerate(heights) if height > 0]
        stays = [space.codes(place, AS_IT_IS, gaps) for place, height in enumerate(heights) if height == AS_IT_IS]
        shown = np.logical_and.reduce([codes >= 0 for codes in grouped]) if grouped else np.ones(rows, dtype=bool)
        way, stuck = np.zeros(rows, dtype=bool), np.zeros(rows, dtype=bool)
        if not shown.any():
            return ~way, ~stuck
        groups, many = _joined([codes[shown] for codes in grouped], int(shown.sum()))
        often = space.often[shown]
        small = counted(groups, many, often) < self.k
        for values, said in self._sensitive:
            own, known = values[shown], said[shown]
            pairs = pd.unique(groups[known] * (int(own.max()) + 1) + own[known]) // (int(own.max()) + 1)
            # A class of which nothing is known shows one value, the empty one.
            small |= np.maximum(np.bincount(pairs, minlength=many), 1) < self.l
        way[shown] = small[groups]
        if stays:
            alike, many = _joined([groups, *(codes[shown] for codes in stays)], len(groups))
            stuck[shown] = (counted(alike, many, often) == 1)[alike] & ~way[shown]
        return way, stuck

    def clear(
        self,
        gaps: str,
        value: Callable[[Heights], Any],
        looked: int,
        near: Callable[[Heights], None],
        allowed: int = 0,
    ) -> Iterator[Heights]:
        """Gives columns with which nobody is in the way, or few enough, each worth more than those before.

        From all columns as coarse as may be it goes on finer, always from what is worth most so far.

        Args:
            gaps: what becomes of missing values.
            value: what is lost, the less the better.
            looked: how many combinations are counted at most.
            near: told every combination that was counted and leaves too many in the way.
            allowed: how many people may be in the way.
        """
        start = self.space.coarsest
        if self.in_the_way(start, gaps) > allowed:
            near(start)
            return
        numbers, seen = count(), {start}
        queue = [(value(start), next(numbers), start)]
        best: Any = None
        while queue and looked > 0:
            worth, _, heights = heapq.heappop(queue)
            if best is None or worth < best:
                best = worth
                yield heights
            for finer in _finer(self.space, heights):
                if finer in seen:
                    continue
                seen.add(finer)
                looked -= 1
                if self.in_the_way(finer, gaps) > allowed:
                    near(finer)
                else:
                    heapq.heappush(queue, (value(finer), next(numbers), finer))


def _finer(space: Space, heights: Heights) -> Iterator[Heights]:
    """The same choice of columns with one a step finer, or as it is."""
    for place, (column, height) in enumerate(zip(space.columns, heights, strict=True)):
        at = column.heights.index(height)
        steps = {column.heights[at - 1]} if at else set()
        if height == REMOVED and AS_IT_IS in column.heights:
            steps.add(AS_IT_IS)
        for step in sorted(steps):
            yield (*heights[:place], step, *heights[place + 1 :])


def _joined(columns: Sequence[Codes], rows: int) -> tuple[NDArray[np.int64], int]:
    """One number per row for what it shows in all columns, and a number that all of these are below."""
    keys, many = np.zeros(rows, dtype=np.int64), 1
    for codes in columns:
        size = int(codes.max(initial=0)) + 1
        keys, many = keys * size + codes, many * size
        if many > _DENSE * rows:
            found, cells = pd.factorize(keys)
            keys, many = found.astype(np.int64), len(cells)
    return keys, many
