"""Several releases of every count vector of a small grid: what pairs and triples of them leave possible, by listing.

The hierarchies of a release may cut the same domains into other leaves. The vectors count the people between all edges
of all of them; each release sees the sums over its own leaves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise, product
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from cra_engine.release import Release
from cra_engine.study.study import Study
from oracles.programs import spreads
from oracles.sweep import Published, SmallGrid

Shape = tuple[int, int, int]
"""Layers, fanout, values per leaf."""


@dataclass(frozen=True)
class Given:
    """How one release is made: its hierarchies, k, and the share that a step must publish."""

    shapes: tuple[Shape, ...]
    k: int
    share: str | None = None

    def study(self, attributes) -> Study:
        return Study(attributes, self.k, "paper" if self.share is None else Decimal(self.share))


class Together:
    """Releases of the same tables, each made in its own way from all tables of some records.

    Attributes:
        cells: the boxes between the edges of all hierarchies.
        worlds: count vectors of that many records (vectors x cells).
        published: per way to publish every release that some vector gives.
    """

    def __init__(self, givens: Sequence[Given], records: Sequence[int]) -> None:
        self.givens = givens
        domains = [[fanout ** (layers - 1) * leaf for layers, fanout, leaf in given.shapes] for given in givens]
        assert all(domain == domains[0] for domain in domains)
        edges = [
            sorted({leaf * at for given in givens for leaf in [given.shapes[a][2]] for at in range(end // leaf + 1)})
            for a, end in enumerate(domains[0])
        ]
        self.pieces = [list(pairwise(ends)) for ends in edges]
        self.cells = list(product(*(range(len(own)) for own in self.pieces)))
        self.volumes = [
            prod(self.pieces[a][at][1] - self.pieces[a][at][0] for a, at in enumerate(cell)) for cell in self.cells
        ]
        self.records = records
        self.worlds = [np.array(list(spreads(n, len(self.cells))), dtype=np.int64) for n in records]
        self.studies: list[Study] = []
        self.grids: list[SmallGrid] = []
        self.sums: list[NDArray[np.int64]] = []
        self.published: list[list[tuple[Published, Release, set[int]]]] = []
        for given, n, worlds in zip(givens, records, self.worlds, strict=True):
            plain = SmallGrid(given.shapes, given.k)
            study = given.study(plain.attributes)
            grid = SmallGrid(given.shapes, given.k, study.step_minimum(n))
            self.sums.append(self._sums(grid, given))
            own, which = np.unique(worlds @ self.sums[-1], axis=0, return_inverse=True)
            which = which.ravel()
            found = []
            for one in grid.releases(own):
                release = Release(study, one.table(grid.attributes))
                givers = set(np.flatnonzero(np.isin(which, one.worlds)).tolist())
                found.append((one, release, givers))
            self.studies.append(study)
            self.grids.append(grid)
            self.published.append(found)

    def _sums(self, grid: SmallGrid, given: Given) -> NDArray[np.int64]:
        """Which of a release's cells holds each box (boxes x its cells)."""
        place = {cell: position for position, cell in enumerate(grid.cells)}
        result = np.zeros((len(self.cells), len(grid.cells)), dtype=np.int64)
        for row, cell in enumerate(self.cells):
            own = tuple(self.pieces[a][at][0] // given.shapes[a][2] for a, at in enumerate(cell))
            result[row, place[own]] = 1
        return result

    @cached_property
    def tied(self) -> bool:
        """True where some losses tie."""
        return any(len(group) > 1 for grid in self.grids for group in grid.groups)

    def joint(self) -> Iterator[tuple[list[Release], list[int]]]:
        """Every combination of releases that some vector gives, with the vectors."""
        for choice in product(*self.published):
            givers = set.intersection(*(own for _, _, own in choice))
            if givers:
                yield [release for _, release, _ in choice], sorted(givers)

    def weight(self, counts: Sequence[int]) -> int:
        """Sets of distinct records with these counts."""
        return prod(comb(volume, int(count)) for volume, count in zip(self.volumes, counts, strict=True))

    def ordered(self, counts: Sequence[int], sizes: Sequence[int]) -> int:
        """Ordered tables of records that may be alike, the rows in sets of these sizes that are told apart."""
        ways = prod(volume ** int(count) for volume, count in zip(self.volumes, counts, strict=True))
        ways *= prod(factorial(size) for size in sizes)
        return ways // prod(factorial(int(count)) for count in counts)

    def grown(self) -> Iterator[tuple[list[Release], list[tuple[int, int]]]]:
        """Every pair of releases that some table and a part of its people give, with the vectors of both."""
        earlier, later = self.worlds
        fits = (earlier[:, np.newaxis, :] <= later[np.newaxis, :, :]).all(axis=2)
        for (_, first, givers), (_, second, takers) in product(*self.published):
            pairs = [(a, b) for a in sorted(givers) for b in sorted(takers) if fits[a, b]]
            if pairs:
                yield [first, second], pairs

    def pair_weight(self, part: Sequence[int], whole: Sequence[int]) -> int:
        """Sets of distinct records with these counts, and a part of each with those."""
        return self.weight(whole) * prod(comb(int(b), int(a)) for a, b in zip(part, whole, strict=True))

    def owners(self, which: int, published: Published) -> list[int]:
        """Per box the class that takes its people, by the order of the states; -1 for what is left. Without ties."""
        grid, given = self.grids[which], self.givens[which]
        turns = [state for group in grid.groups for state in group]
        order = sorted(range(len(published.classes)), key=lambda i: turns.index(published.classes[i][0]))
        result = []
        for cell in self.cells:
            leaves = tuple(self.pieces[a][at][0] // given.shapes[a][2] for a, at in enumerate(cell))
            result.append(next((i for i in order if _covers(grid, published.classes[i], leaves)), -1))
        return result


def _covers(grid: SmallGrid, found: tuple[tuple[int, ...], tuple[int, ...], int], leaves: tuple[int, ...]) -> bool:
    state, ranks, _ = found
    spans = [a.fanout ** (layer - 1) for a, layer in zip(grid.attributes, state, strict=True)]
    return all(leaf // span == rank for leaf, span, rank in zip(leaves, spans, ranks, strict=True))
