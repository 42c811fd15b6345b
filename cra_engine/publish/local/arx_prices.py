"""What states lose by ARX's quality models, in the arithmetic of ARX, from the cells that remain.

Sources: ARX 3.9, package metric.v2; docs/local-models.md says what each model is. ``share`` is a node's part of its
domain, ``n`` the remaining records.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cra_engine.publish.flash import Place
from cra_engine.publish.local.arx_search import Price
from cra_engine.raw.cells import Filled, OccupiedCells
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import State
from cra_engine.study.quality import Quality

# ARX cuts the losses of attributes after the tenth decimal.
_CUT = 1e10

ValueCounts = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Of an attribute's raw values in cells: the value, the cell's place among all, the records."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """All boxes of a state that hold records, in the order in which ARX's local recoding goes through them.

    Attributes:
        ranks: per box and attribute (in the order of the table's columns) its node.
        sizes: per box its records.
        published: per box whether it passes.
    """

    ranks: NDArray[np.int64]
    sizes: NDArray[np.int64]
    published: NDArray[np.bool_]

    @property
    def kept(self) -> int:
        """Records in boxes that pass."""
        return int(self.sizes[self.published].sum())

    @classmethod
    def of(cls, cells: OccupiedCells, state: State, columns: Sequence[int], filled: Filled) -> "Boxes":
        """The boxes of a state."""
        position, codes, totals = cells.boxes(state, gaps=True)
        first = np.full(len(totals), np.iinfo(np.int64).max)
        np.minimum.at(first, position, cells.first_rows)
        order = np.argsort(first)
        ranks = cells.grid.ranks_of(state, codes)[:, list(columns)]
        return cls(ranks[order], totals[order], np.isin(codes, filled.codes)[order])


class Prices:
    """What states lose in one step of ARX's local recoding.

    Args:
        quality: the quality model.
        attributes: in the order of the table's columns.
        cells: what remains.
        columns: the positions of these attributes in the study.
        values: per attribute its raw values in cells; asked for by the entropies alone.
    """

    def __init__(
        self,
        quality: Quality,
        attributes: Sequence[Hierarchy],
        cells: OccupiedCells,
        columns: Sequence[int],
        values: Callable[[int], ValueCounts],
    ) -> None:
        self._quality, self._attributes, self._cells, self._columns = quality, attributes, cells, columns
        self._records = cells.records
        factor = 0.5 if quality.model == "normalized-entropy" else float(quality.gs_factor)
        self._g = 1.0 if factor <= 0.5 else 1.0 - 2.0 * (factor - 0.5)
        self._s = 2.0 * factor if factor < 0.5 else 1.0
        weights = [float(quality.weight(attribute.name)) for attribute in attributes]
        most = max(weights)
        self._weights = [weight / most for weight in weights] if most else [1.0] * len(weights)
        self._entropies: list[list[float]] = []
        self._uppers: list[float] = []
        if quality.model in ("entropy", "normalized-entropy"):
            for position in range(len(attributes)):
                self._read_entropies(position, *values(position))

    @property
    def monotone(self) -> bool:
        """Whether a coarser state never loses less, as ARX supposes."""
        return self._quality.model == "height"

    # ------------------------------------------------------------ prices and bounds

    def price(self, place: Place, boxes: Boxes) -> Price:
        """What a state loses."""
        match self._quality.model:
            case "loss":
                return self._aggregate([self._loss(i, layer, boxes) for i, layer in enumerate(place)])
            case "precision":
                kept = float(boxes.kept)
                away = float(self._records) - kept
                levels = [self._level(i, layer) for i, layer in enumerate(place)]
                return self._aggregate([(kept * v * self._g + away * self._s) / self._records for v in levels])
            case "height":
                return self._heights(place)
            case "entropy" | "normalized-entropy":
                return self._aggregate(self._normalized(self._with_suppressed(place, boxes)))
            case "aecs":
                kept = float(boxes.published.sum()) * self._s  # ARX exchanges the two factors on purpose
                return (_over(self._records, kept if boxes.published.all() else kept + self._g),)
            case "discernibility":
                sizes = boxes.sizes.astype(float)
                return (float(np.where(boxes.published, sizes * sizes, self._records * sizes).sum()),)
            case _:
                return (self._ambiguity(place, boxes, boxes.published),)

    def bound(self, place: Place, boxes: Boxes, *, passes: bool) -> Price | None:
        """What a state that was checked is taken to lose at least."""
        match self._quality.model:
            case "loss":
                return self._aggregate([self._spread(i, layer, boxes) for i, layer in enumerate(place)])
            case "entropy" | "normalized-entropy" if passes:
                # ARX forgets the sign here, so that the bound of a state that passes leaves out nothing.
                return self._aggregate(self._normalized([self._entropies[i][p] * self._g for i, p in enumerate(place)]))
            case "aecs":
                return (_over(self._records, len(boxes.sizes) * self._s),)
            case "discernibility":
                sizes = boxes.sizes.astype(float)
                return (float((sizes * sizes).sum()),)
            case "ambiguity":
                return (self._ambiguity(place, boxes, np.ones(len(boxes.sizes), dtype=bool)),)
            case _:
                return self.early_bound(place)

    def early_bound(self, place: Place) -> Price | None:
        """What a state is taken to lose at least before it is checked; None where ARX knows nothing."""
        match self._quality.model:
            case "precision":
                return self._aggregate([self._level(i, layer) * self._g for i, layer in enumerate(place)])
            case "height":
                return self._heights(place)
            case "entropy" | "normalized-entropy":
                raw = [self._entropies[i][p] * self._g for i, p in enumerate(place)]
                return self._aggregate(self._normalized([_cut(-value if value else value) for value in raw]))
            case _:
                return None

    # ------------------------------------------------------------ of single attributes

    def _level(self, i: int, layer: int) -> float:
        attribute = self._attributes[i]
        height = attribute.layers - 1 + attribute.finest
        return (layer + attribute.finest) / height if height else 0.0

    def _heights(self, place: Place) -> Price:
        return self._aggregate([float(layer + a.finest) for a, layer in zip(self._attributes, place, strict=True)])

    def _shares(self, i: int, layer: int, boxes: Boxes) -> NDArray[np.float64]:
        return np.array([float(share) for share in self._attributes[i].shares(layer + 1)])[boxes.ranks[:, i]]

    def _loss(self, i: int, layer: int, boxes: Boxes) -> float:
        sizes = boxes.sizes.astype(float)
        share = sizes * self._shares(i, layer, boxes)
        away = sizes if self._s == 1.0 else share + self._s * (sizes - share)
        return self._of_domain(i, np.where(boxes.published, share * self._g, away))

    def _spread(self, i: int, layer: int, boxes: Boxes) -> float:
        return self._of_domain(i, boxes.sizes * self._shares(i, layer, boxes) * self._g)

    def _of_domain(self, i: int, terms: NDArray[np.float64]) -> float:
        least = self._g * float(self._records * self._attributes[i].least_share)
        value = (float(np.cumsum(terms)[-1]) - least) / (self._records - least)
        return _cut(max(value, 0.0))

    def _ambiguity(self, place: Place, boxes: Boxes, shown: NDArray[np.bool_]) -> float:
        result = np.ones(len(boxes.sizes))
        for i, layer in enumerate(place):
            domain = float(1 / self._attributes[i].least_share)
            result *= np.where(shown, self._shares(i, layer, boxes), 1.0) * domain
        return float(np.cumsum(result * boxes.sizes)[-1])

    def _read_entropies(
        self, i: int, value: NDArray[np.int64], cell: NDArray[np.int64], count: NDArray[np.int64]
    ) -> None:
        """The negative entropy of each layer of an attribute, and what normalizes it."""
        attribute, leaves = self._attributes[i], self._cells.leaves[:, self._columns[i]]
        places = self._cells.places
        position = np.full(int(max(cell.max(initial=0), places.max(initial=0))) + 1, -1, dtype=np.int64)
        position[places] = np.arange(len(places))
        there = position[cell] >= 0
        value, count, leaf = value[there], count[there], leaves[position[cell[there]]]
        often = np.bincount(value, count)
        leaf_of = np.zeros(len(often), dtype=np.int64)
        leaf_of[value] = leaf
        present = np.flatnonzero(often)
        often, leaf_of = often[present], leaf_of[present]
        found = []
        for ranks in attribute.ranks:
            held = np.bincount(ranks[leaf_of], often)
            found.append(_summed(often * _log2(often / held[ranks[leaf_of]])))
        self._entropies.append(found)
        upper = _summed(often * _log2(often / self._records)) * self._g
        self._uppers.append(_cut(-upper if upper else upper))

    def _with_suppressed(self, place: Place, boxes: Boxes) -> list[float]:
        away = boxes.sizes[~boxes.published]
        suppressed, result = float(away.sum()), []
        for i, layer in enumerate(place):
            value = self._entropies[i][layer] * self._g
            if suppressed:
                held = np.bincount(boxes.ranks[~boxes.published, i], away)
                held = held[held > 0]
                value += _summed(held * _log2(held / suppressed) * self._s)
            result.append(_cut(-value if value else value))
        return result

    def _normalized(self, values: Sequence[float]) -> list[float]:
        if self._quality.model != "normalized-entropy":
            return list(values)
        return [_over(value, upper) for value, upper in zip(values, self._uppers, strict=True)]

    # ------------------------------------------------------------ all attributes together

    def _aggregate(self, values: Sequence[float]) -> Price:
        many, weighed = len(values), [v * w for v, w in zip(values, self._weights, strict=True)]
        match self._quality.aggregate:
            case "geometric-mean":
                result = 1.0
                for value, weight in zip(values, self._weights, strict=True):
                    result *= _power(value * weight + 1.0, 1.0 / many)
                return (result - 1.0,)
            case "arithmetic-mean":
                total = 0.0
                for value, weight in zip(values, self._weights, strict=True):
                    total += (value / many) * weight
                return (total,)
            case "sum":
                total = 0.0
                for value in weighed:
                    total += value
                return (total if math.isfinite(total) else float(np.finfo(float).max),)
            case "maximum":
                return (max(0.0, *weighed) if not any(map(math.isnan, weighed)) else math.nan,)
            case _:
                return tuple(sorted(weighed, reverse=True))


def _cut(value: float) -> float:
    return math.floor(value * _CUT) / _CUT


def _log2(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log(values) / math.log(2.0))


def _summed(terms: NDArray[np.float64]) -> float:
    return float(np.cumsum(terms)[-1]) if len(terms) else 0.0


def _over(value: float, by: float) -> float:
    """A quotient as Java has it."""
    return value / by if by else math.nan if value == 0 or math.isnan(value) else math.copysign(math.inf, value)


def _power(base: float, exponent: float) -> float:
    """A power as Java has it: no number for a root of what is below zero."""
    return math.nan if base < 0 and exponent % 1 else math.pow(base, exponent)
