"""ARX's local recoding word for word: every state's loss added up class by class, and its search in every step."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from cra_engine.study.attribute import Attribute
from oracles.flash import LiteralFlash, Place
from oracles.literal import Ranks, Record, rank_of


@dataclass(frozen=True)
class Step:
    """What one step published: the state (layers from 1, in the table's column order) and the rows of each class."""

    state: tuple[int, ...]
    classes: dict[Ranks, list[int]]


class LiteralARX:
    """One run; attributes and records in the order of the table's columns; ``share`` of all records, or None."""

    def __init__(self, attributes: Sequence[Attribute], k: int, records: Sequence[Record], share: float | None) -> None:
        self.attributes, self.k, self.records = tuple(attributes), k, tuple(records)
        self.heights = tuple(a.layers for a in self.attributes)
        self.rank = [
            {
                (layer, value): rank_of(a, layer, value)
                for layer in range(1, a.layers + 1)
                for value in {r[i] for r in self.records}
            }
            for i, a in enumerate(self.attributes)
        ]
        self.distinct = [
            [
                len({ranks[layer, r[i]] for r in self.records}) / len({r[i] for r in self.records})
                for layer in range(1, a.layers + 1)
            ]
            for i, (a, ranks) in enumerate(zip(self.attributes, self.rank, strict=True))
        ]
        self.steps: list[Step] = []
        left = list(range(len(self.records)))
        share = 1 / len(left) if share is None else share
        limit = 1.0 - share
        while len(left) >= k:
            step = self.step(left, limit)
            if not step.classes or step.state == self.heights:  # the top shows nothing but roots
                break
            self.steps.append(step)
            gone = {row for rows in step.classes.values() for row in rows}
            left = [row for row in left if row not in gone]
            if left:
                limit = 1.0 - min(share * len(self.records) / len(left), 1.0)

    def boxes(self, place: Place, rows: Sequence[int]) -> dict[Ranks, list[int]]:
        """The boxes of a state in the order of their first rows."""
        found: dict[Ranks, list[int]] = {}
        for row in rows:
            ranks = tuple(self.rank[i][layer + 1, self.records[row][i]] for i, layer in enumerate(place))
            found.setdefault(ranks, []).append(row)
        return found

    def step(self, left: Sequence[int], limit: float) -> Step:
        boxes = {place: self.boxes(place, left) for place in product(*map(range, self.heights))}
        loss = {place: self.loss(place, boxes[place], len(left)) for place in boxes}
        allowed = math.floor(limit * len(left))

        def feasible(place: Place) -> bool:
            return sum(len(rows) for rows in boxes[place].values() if len(rows) < self.k) <= allowed

        search = LiteralFlash(self.heights, self.distinct, feasible, loss.__getitem__, suppression=limit != 0.0)
        assert search.optimum is not None
        classes = {ranks: rows for ranks, rows in boxes[search.optimum].items() if len(rows) >= self.k}
        return Step(tuple(layer + 1 for layer in search.optimum), classes)

    def loss(self, place: Place, boxes: dict[Ranks, list[int]], left: int) -> float:
        result = 1.0
        for a, layer in zip(self.attributes, place, strict=True):
            size = float((a.upper - a.lower) / a.resolution)
            node = a.node(layer + 1, 0)
            share = float(Fraction(node.upper - node.lower) / Fraction(a.upper - a.lower))
            total = 0.0
            for rows in boxes.values():
                total += float(len(rows)) * share
            least = left / size
            value = (total - least) / (left - least)
            value = math.floor(max(value, 0.0) * 1e10) / 1e10
            result *= math.pow(value + 1.0, 1.0 / len(self.attributes))
        return result - 1.0
