"""Records over a tree of boxes, where each box weighs less the more of them it holds: exactly, by sums over the tree.

The weight of a table is the product of the ways to put so many records into each leaf, and for each box with n records
of ``exp(-x max(0, n - k + 1))`` for each time that it could have been published. It factorises over the boxes inside a
box, so one convolution per box gives the sums, and one more on the way down gives the law of each leaf's number. Boxes
that are made of the same boxes are one.

The weights are no rational numbers, so these sums are floating point: of 64 bits where the machine has them. They add
and multiply what is positive and never take a difference, so that rounding stays rounding. What is possible at all is
decided elsewhere, in whole numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cra_engine.errors import TooLargeError
from cra_engine.patience import checkpoint

Series = NDArray[Any]  # by number of records
Filling = Literal["different", "repeated", "assigned"]
"""How n records fill a leaf of measure V: ``C(V, n)`` sets of them, ``V^n / n!`` lists, or ``C(n + V - 1, n)``
assignments of their number to V cells."""
MAX_STEPS = 4 * 10**10  # products in convolutions, about a minute


class Trial(NamedTuple):
    """A time that a box of a tree to count could have been published, and was not.

    Attributes:
        spent: the exponent per record too many, x.
        k: records from which on it could have been.
        left: where it also had to leave k records, the records that were left with it when it was tried, m: then it
            weighs ``exp(-x max(0, min(n, m - n) - k + 1))``. None where it had not.
        more: records that it held besides, and that have been published since.
    """

    spent: float
    k: int
    left: int | None = None
    more: int = 0


@dataclass(frozen=True, eq=False)
class Piece:
    """A box of a counting tree: a leaf with its measure, or one that is made of others.

    Attributes:
        trials: when it could have been published; none for a box that weighs nothing itself.
        measure: ways to put one record into it, for a leaf; else 0.
        parts: what it is made of, alike ones together with their number; empty for a leaf.
    """

    trials: tuple[Trial, ...] = ()
    measure: int = 0
    parts: tuple[tuple["Piece", int], ...] = ()

    @cached_property
    def whole(self) -> int:
        """Ways to put one record into it."""
        return self.measure or sum(piece.whole * often for piece, often in self.parts)


class PieceSum:
    """The exact law of some records over a tree of boxes.

    Args:
        root: the tree; its own weight has no say, since it holds all records.
        size: number of records.
        filling: in how many ways records fill a leaf.

    Raises:
        TooLargeError: by an estimate made beforehand, it would take minutes.
    """

    def __init__(self, root: Piece, size: int, filling: Filling) -> None:
        self.root, self.size, self.filling = root, size, filling
        # Scaled so that each leaf's series is a distribution of its own, with as many records in all as there are:
        # the ratios stay, and nothing leaves the range of the numbers.
        self._rate = {
            "different": min(size / root.whole, 0.5),
            "repeated": size / root.whole,
            "assigned": size / (size + root.whole),
        }[filling]
        self._series: dict[int, Series] = {}
        if len(_pieces(root)) * (size + 1) ** 2 > MAX_STEPS:
            raise TooLargeError(
                f"The law of {size:,} records in this region would take minutes; take fewer records or attributes."
            )

    def series(self, piece: Piece) -> Series:
        """Per number of records the summed weight of the ways to put them into a box, up to a common factor."""
        if id(piece) not in self._series:
            checkpoint()
            inside = self._leaf(piece.measure) if piece.measure else self._product(piece.parts)
            self._series[id(piece)] = inside * self._weights(piece) if piece is not self.root else inside
        return self._series[id(piece)]

    def _weights(self, piece: Piece) -> Series:
        exponents = np.zeros(self.size + 1, dtype=np.longdouble)
        for trial in piece.trials:
            held = np.arange(self.size + 1) + trial.more
            held = held if trial.left is None else np.minimum(held, trial.left - held)
            exponents += np.longdouble(trial.spent) * np.maximum(0, held - trial.k + 1)
        return np.exp(-exponents)

    def _leaf(self, measure: int) -> Series:
        """The binomial distribution, Poisson's or the negative binomial one, by the logarithms of its ratios."""
        counts, share = np.arange(self.size, dtype=np.longdouble), np.longdouble(self._rate)
        whole = np.longdouble(measure)
        with np.errstate(divide="ignore", invalid="ignore"):
            match self.filling:
                case "different":
                    ways, start = np.log(np.maximum(whole - counts, 0)) - np.log1p(-share), whole * np.log1p(-share)
                case "repeated":
                    ways, start = np.log(whole), -whole * share
                case "assigned":
                    ways, start = np.log(whole + counts), whole * np.log1p(-share)
            ratios = ways - np.log(counts + 1) + np.log(share)
            logs = np.concatenate([[start], start + np.cumsum(ratios)])
        return np.asarray(np.exp(logs))

    def _product(self, parts: Sequence[tuple[Piece, int]]) -> Series:
        result = self._one
        for piece, often in parts:
            result = self._times(result, self._power(self.series(piece), often))
        return result

    @property
    def _one(self) -> Series:
        return np.array([1, *[0] * self.size], dtype=np.longdouble)

    def _times(self, one: Series, other: Series) -> Series:
        return np.convolve(one, other)[: self.size + 1]

    def _power(self, series: Series, often: int) -> Series:
        result, square = self._one, series
        while often:
            if often % 2:
                result = self._times(result, square)
            often //= 2
            if often:
                square = self._times(square, square)
        return result

    @cached_property
    def total(self) -> Any:
        """The summed weight of all ways to put the records into the tree, up to the common factor."""
        result = self.series(self.root)[self.size]
        if not result > 0:
            raise TooLargeError("The weights of this region are too far apart for the numbers of this machine.")
        return result

    def inside(self, outside: Series, piece: Piece) -> dict[int, Series]:
        """The summed weights around each kind of part of a box.

        Args:
            outside: per number of records in the box, the summed weight of all that is around it.
            piece: the box.

        Returns:
            The same per part, by the part's identity.
        """
        here = outside * self._weights(piece) if piece is not self.root else outside
        results = {}
        for own, often in piece.parts:
            checkpoint()
            others = self._power(self.series(own), often - 1)
            for other, number in piece.parts:
                if other is not own:
                    others = self._times(others, self._power(self.series(other), number))
            results[id(own)] = np.convolve(here[::-1], others)[: self.size + 1][::-1]
        return results

    @property
    def around(self) -> Series:
        """The weights around the root: nothing is there, and it holds all records."""
        return self._one[::-1]

    def law(self, outside: Series, leaf: Piece) -> list[float]:
        """Per number of records the probability that a leaf holds it, given what is around it."""
        return [float(chance) for chance in self.series(leaf) * outside / self.total]

    def split(self, piece: Piece, held: int, rng: np.random.Generator) -> list[list[int]]:
        """Records of a box drawn over its parts: per kind of part one number for each of the alike ones."""
        series = [self.series(own) for own, often in piece.parts for _ in range(often)]
        after = [self._one]
        for one in reversed(series):
            after.append(self._times(after[-1], one))
        drawn = []
        for place, one in enumerate(series):
            rest = after[len(series) - place - 1]
            weights = one[: held + 1] * rest[: held + 1][::-1]
            ends = np.cumsum(weights)
            count = int(np.searchsorted(ends, rng.random() * float(ends[-1]), side="right"))
            drawn.append(min(count, held))
            held -= drawn[-1]
        numbers = iter(drawn)
        return [[next(numbers) for _ in range(often)] for _, often in piece.parts]


def _pieces(root: Piece) -> list[Piece]:
    result, queue = {id(root): root}, [root]
    while queue:
        for piece, _ in queue.pop().parts:
            if id(piece) not in result:
                result[id(piece)] = piece
                queue.append(piece)
    return list(result.values())
