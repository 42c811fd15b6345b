"""The attack on one class of a safe release: every table that fits is possible, and each has its weight, exactly."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.refinement.constraints import Constraint
from cra_engine.attacks.refinement.region_trees import RegionTrees, paths
from cra_engine.counting.pieces import Filling, Piece, PieceSum, Series
from cra_engine.errors import CRAError
from cra_engine.sentences import Sentence
from cra_engine.study.regions import SUPPRESSED, Weighing


class SafeClassAttack(ClassAttack):
    """The attack on one class of a safe release, or on its suppressed records.

    As a class of ARX-LR it has free cells; unlike there no bound excludes a table of them, so ``cra_solutions`` counts
    all that fit. They are not alike likely: a table with k records or more in one box was the less likely to leave that
    box unpublished, the more there are. Probabilities and draws weigh each table by that, exactly.
    """

    def __init__(self, trees: RegionTrees, *parts: Any, **more: Any) -> None:
        """Built by :func:`~cra_engine.attacks.refinement.attack.attack`.

        Args:
            trees: the regions of the release.
            parts: what any class is built of.
            more: the same by name.
        """
        super().__init__(*parts, **more)
        self.trees = trees

    @property
    def weighted(self) -> bool:
        """True: the tables that are left differ in how likely they are."""
        return True

    @property
    def _made(self) -> Callable[..., Self]:
        return partial(type(self), self.trees)

    @property
    def gain(self) -> Fraction:
        """The most that the recoding's choices change the odds between two cells for one person, as a logarithm."""
        return self.release.regions.gains[-1 if self.index is None else self.index]

    @property
    def _region(self) -> int:
        return SUPPRESSED if self.index is None else self.index

    @property
    def _height(self) -> int:
        return self.release.regions.height(self._region)

    @cached_property
    def _sum(self) -> PieceSum:
        if self.contradiction and not self.coincident:
            raise CRAError(str(self.problem))
        filling: Filling = "assigned" if self.prior.by_cells else "repeated" if self.alike else "different"
        return PieceSum(self.trees.roots[self._region], self.size, filling)

    @cached_property
    def _codes(self) -> NDArray[np.int64]:
        return np.asarray(np.ravel_multi_index(tuple(np.array(self.free_cells).T), self.release.grid.shape))

    @cached_property
    def _kinds(self) -> list[tuple[int, ...]]:
        """Per free cell the kinds of boxes above it, the widest first."""
        return list(zip(*(row.tolist() for row in reversed(paths(self.trees, self._codes, self._height))), strict=True))

    @cached_property
    def _distributions(self) -> list[list[float]]:
        if self._region not in self.trees.roots:
            return [[*[0.0] * self.size, 1.0]]  # a class on a single cell
        if not self._height:  # a domain that nothing cuts: everybody is in its only cell
            return [[*[0.0] * self.size, 1.0] for _ in self.free_cells]
        sums, known = self._sum, dict[tuple[int, ...], list[float]]()
        around: dict[tuple[int, ...], tuple[Piece, Series]] = {(): (sums.root, sums.around)}
        inside: dict[tuple[int, ...], dict[int, Series]] = {}
        for path in dict.fromkeys(self._kinds):
            for depth in range(1, len(path) + 1):
                here, above = path[:depth], path[: depth - 1]
                if here in around:
                    continue
                piece, outside = around[above]
                if above not in inside:
                    inside[above] = sums.inside(outside, piece)
                own = self.trees.pieces[self._height - depth][here[-1]]
                around[here] = own, inside[above][id(own)]
            piece, outside = around[path]
            known[path] = sums.law(outside, piece)
        return [known[path] for path in self._kinds]

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Records per free cell (draws x free cells), each table drawn with its weight among all that fit.

        Raises:
            CRAError: nothing is feasible.
        """
        if self._region not in self.trees.roots or not self._height:
            return np.full((count, 1), self.size)
        result = np.zeros((count, len(self.free_cells)), dtype=np.int64)
        for row in range(count):
            self._spread(result[row], np.arange(len(self.free_cells)), 0, self._sum.root, self.size, rng)
        return result

    def _spread(
        self,
        row: NDArray[np.int64],
        cells: NDArray[np.int64],
        depth: int,
        piece: Piece,
        held: int,
        rng: np.random.Generator,
    ) -> None:
        """Put the records of a box into its cells, given by their places among the free ones."""
        if piece.measure:
            row[cells[0]] = held
            return
        place = self._height - depth - 1
        boxes = self._codes[cells]
        for below in range(place):
            boxes = self.trees.parents[below][boxes]
        parts: dict[int, list[NDArray[np.int64]]] = {}
        for box in np.unique(boxes):
            own = self.trees.pieces[place][int(self.trees.kinds[place][box])]
            parts.setdefault(id(own), []).append(cells[boxes == box])
        for (own, _), numbers in zip(piece.parts, self._sum.split(piece, held, rng), strict=True):
            for inside, number in zip(parts[id(own)], numbers, strict=True):
                if number:
                    self._spread(row, inside, depth + 1, own, number, rng)

    def constraints(self) -> list[Constraint]:
        """The constraints on the class in words: where its records lie, and how tables of them weigh."""
        return [*super().constraints(), *self._weights()]

    def _weights(self) -> list[Constraint]:
        regions = self.release.regions
        if self.basic:
            return []
        return [
            Constraint("weights", Sentence(_told(one, len(regions.chain))), (self.segment,), 0, self.size)
            for one in regions.weighings(self._region)
        ]


def _told(one: Weighing, releases: int) -> str:
    """What a rung says of how likely tables are, in a sentence."""
    where = f", when release {one.release + 1} was drawn," if releases > 1 else ""
    outside = ", as far as as many were left outside," if one.two_sided else ""
    return (
        f"On rung {one.rung} of the ladder{where} they lay in {one.pieces:,} boxes that were not published: each "
        f"record from the {one.k}th on in one of them{outside} makes a table exp(-{float(one.rate):.3g}) times as "
        "likely, and none impossible."
    )
