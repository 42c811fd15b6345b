"""Every count vector of a small grid, recoded all at once, and every release they can give.

The sweep knows the cells' counts and nothing else. Where several states have the same loss it follows every choice
among them: each count vector then has several releases, one of which the publisher's rules (c1, c2 and, from the raw
values, c3; or the floats of ARX) pick.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby, product
from math import comb, prod

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from oracles import literal
from oracles.programs import spreads

Counts = NDArray[np.int64]
State = tuple[int, ...]


@dataclass(frozen=True)
class Published:
    """One release and who gives it.

    Attributes:
        classes: state, ranks and size of each class.
        suppressed: what is left.
        worlds: positions of the count vectors that give it under some choice among tied states.
        certain: the positions among them that give nothing else.
    """

    classes: tuple[tuple[State, State, int], ...]
    suppressed: int
    worlds: NDArray[np.int64]
    certain: NDArray[np.int64]

    def table(self, attributes: Sequence[Attribute]) -> pd.DataFrame:
        """The release as it is published."""
        rows = []
        for state, ranks, size in self.classes:
            nodes = zip(attributes, state, ranks, strict=True)
            rows += [[attribute.node(layer, rank).label for attribute, layer, rank in nodes]] * size
        rows += [["*"] * len(attributes)] * self.suppressed
        return pd.DataFrame(rows, columns=[attribute.name for attribute in attributes])


class SmallGrid:
    """The cells of a few attributes, given as (layers, fanout, values per leaf).

    ``least`` is the number of records that a state must publish at once to be taken.
    """

    def __init__(self, shapes: Sequence[tuple[int, int, int]], k: int, least: int = 1) -> None:
        self.attributes = tuple(
            Attribute(name, 0, fanout ** (layers - 1) * leaf, layers, fanout)
            for name, (layers, fanout, leaf) in zip("abcd", shapes, strict=False)
        )
        self.k, self.least = k, least
        self.shape = tuple(fanout ** (layers - 1) for layers, fanout, _ in shapes)
        self.cells = list(product(*map(range, self.shape)))
        self.volume = prod(leaf for _, _, leaf in shapes)
        self.study = Study(self.attributes, k)

    @cached_property
    def groups(self) -> list[list[State]]:
        """The states below the top by ascending loss, those with the same loss together."""
        top = tuple(a.layers for a in self.attributes)

        def key(state: State) -> Fraction:
            return literal.growth(self.attributes, state, 1)

        states = sorted(product(*(range(1, layers + 1) for layers in top)), key=key)
        return [[state for state in group if state != top] for _, group in groupby(states, key=key)]

    @cached_property
    def boxes(self) -> dict[State, tuple[list[State], Counts]]:
        """Per state the ranks of its boxes, and which cells they hold (boxes x cells)."""
        result = {}
        for group in self.groups:
            for state in group:
                spans = [a.fanout ** (layer - 1) for a, layer in zip(self.attributes, state, strict=True)]
                ranks_of = [tuple(leaf // span for leaf, span in zip(cell, spans, strict=True)) for cell in self.cells]
                ranks = sorted(set(ranks_of))
                result[state] = ranks, np.array([[own == box for own in ranks_of] for box in ranks], dtype=np.int64)
        return result

    @cached_property
    def segments(self) -> list[tuple[State, State]]:
        return [(state, ranks) for state, (boxes, _) in self.boxes.items() for ranks in boxes]

    def count_vectors(self, records: int) -> Counts:
        """All ways to place some records in the cells (vectors x cells)."""
        return np.array(list(spreads(records, len(self.cells))), dtype=np.int64)

    def weight(self, counts: Sequence[int]) -> int:
        """Number of sets of distinct records with these counts."""
        return prod(comb(self.volume, int(count)) for count in counts)

    def releases(self, worlds: Counts) -> Iterator[Published]:
        """Every release that some of the count vectors can give."""
        place = {segment: position for position, segment in enumerate(self.segments)}
        which = np.arange(len(worlds))
        left, sizes = worlds.copy(), np.zeros((len(worlds), len(place)), dtype=np.int64)
        for group in self.groups:
            open_, done = [(which, left, sizes)], []
            while open_:
                which, left, sizes = open_.pop()
                finished = np.ones(len(which), dtype=bool)
                for state in group:
                    ranks, inside = self.boxes[state]
                    held = left @ inside.T
                    held[held < self.k] = 0
                    rows = held.sum(axis=1) >= max(self.least, 1)
                    finished &= ~rows
                    if rows.any():
                        more = sizes[rows]
                        more[:, [place[state, box] for box in ranks]] += held[rows]
                        rest = left[rows] * ~((held[rows] > 0) @ inside).astype(bool)
                        open_.append((which[rows], rest, more))
                done.append((which[finished], left[finished], sizes[finished]))
            which, left, sizes = (np.concatenate(part) for part in zip(*done, strict=True))
            _, first = np.unique(np.column_stack([which, sizes]), axis=0, return_index=True)
            which, left, sizes = which[first], left[first], sizes[first]
        choices = np.bincount(which, minlength=len(worlds))
        givers: dict[bytes, list[int]] = defaultdict(list)
        for row, key in enumerate(map(bytes, sizes.astype(np.int8))):
            givers[key].append(row)
        for rows in givers.values():
            found = sizes[rows[0]]
            classes = tuple((*self.segments[at], int(found[at])) for at in np.flatnonzero(found))
            own = which[rows]
            yield Published(classes, int(left[rows[0]].sum()), own, own[choices[own] == 1])

    def table(self, counts: Sequence[int], distinct: Sequence[Sequence[int]]) -> pd.DataFrame:
        """A raw table with these counts, in which so many values of attribute ``i`` occur: ``distinct[i][leaf]``."""
        rows = []
        used: dict[tuple[int, int], int] = defaultdict(int)
        for cell, count in zip(self.cells, counts, strict=True):
            for _ in range(int(count)):
                row = []
                for i, (attribute, leaf) in enumerate(zip(self.attributes, cell, strict=True)):
                    width = attribute.leaf_values[leaf]
                    row.append(leaf * width + used[i, leaf] % min(width, distinct[i][leaf]))
                    used[i, leaf] += 1
                rows.append(row)
        return pd.DataFrame(rows, columns=[attribute.name for attribute in self.attributes])
