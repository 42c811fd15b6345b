"""Algorithms 1 and 2 (ARX-LR) word for word: the whole lattice is searched again in every iteration.

Besides what the paper has, a step can weigh what it leaves unpublished by a g/s factor, as ARX's quality model Loss
does (MetricMDNMLoss): of each record of a box that is too small it counts ``share + s (1 - share)`` and of each other
one ``g share``, with ``s = min(1, 2 factor)`` and ``g = min(1, 2 - 2 factor)``. And a step may have to publish a number
of records.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from cra_engine.study.attribute import Attribute

State = tuple[int, ...]
Ranks = tuple[int, ...]
Record = tuple[Fraction, ...]


@dataclass(frozen=True)
class LiteralClass:
    """One equivalence class: its nodes and the positions of its records in the table."""

    state: State
    ranks: Ranks
    rows: tuple[int, ...]


@dataclass(frozen=True)
class LiteralRecoding:
    """What Algorithm 2 returns: the classes of each iteration (sorted by rank), and the suppressed records' rows."""

    iterations: tuple[tuple[LiteralClass, ...], ...]
    suppressed: tuple[int, ...]

    @property
    def classes(self) -> tuple[LiteralClass, ...]:
        return tuple(found for iteration in self.iterations for found in iteration)


def rank_of(attribute: Attribute, layer: int, value: Fraction) -> int:
    """The rank of the one node of a layer whose interval holds ``value``."""
    (rank,) = (
        rank
        for rank in range(attribute.fanout ** (attribute.layers - layer))
        if attribute.node(layer, rank).lower <= value < attribute.node(layer, rank).upper
    )
    return rank


def q_loss(attribute: Attribute, layer: int, records: int) -> Fraction:
    """Equation (1), with the normalisation that follows it; layer 0 is the single value."""

    def raw(at: int) -> Fraction:
        domain = Fraction(attribute.upper - attribute.lower)
        length = Fraction(attribute.resolution)
        if at > 0:
            length = Fraction(attribute.node(at, 0).upper) - Fraction(attribute.node(at, 0).lower)
        return length / domain * records

    least, most = raw(0), raw(attribute.layers)
    return (raw(layer) - least) / (most - least)


def growth(attributes: Sequence[Attribute], state: State, records: int) -> Fraction:
    """``prod(Q_loss + 1)``: the loss of equation (2) grows with it, and it is exact, so ties are ties."""
    return prod((q_loss(a, layer, records) + 1 for a, layer in zip(attributes, state, strict=True)), start=Fraction(1))


def weighed_growth(
    attributes: Sequence[Attribute], state: State, records: int, published: int, factor: Fraction
) -> Fraction:
    """``prod(loss + 1)`` where suppression is weighed; all nodes of a layer are alike, so the records need no names."""
    s, g = min(Fraction(1), 2 * factor), min(Fraction(1), 2 - 2 * factor)
    grown = Fraction(1)
    for attribute, layer in zip(attributes, state, strict=True):
        domain = Fraction(attribute.upper - attribute.lower)
        node = attribute.node(layer, 0)
        share, least = Fraction(node.upper - node.lower) / domain, Fraction(attribute.resolution) / domain
        counted = published * g * share + (records - published) * (share + s * (1 - share))
        grown *= 1 + (counted - g * least * records) / (records - g * least * records)
    return grown


def c1(state: State) -> int:
    """First criterion of equation (3)."""
    return sum(state)


def c2(attributes: Sequence[Attribute], state: State) -> Fraction:
    """Second criterion of equation (3)."""
    return sum(Fraction(layer, a.layers) for a, layer in zip(attributes, state, strict=True)) / Fraction(len(state))


def c3(attributes: Sequence[Attribute], state: State, data: Sequence[Record]) -> Fraction:
    """Third criterion of equation (3): distinct intervals over distinct values, both in ``data``."""
    total = Fraction(0)
    for i, (attribute, layer) in enumerate(zip(attributes, state, strict=True)):
        column = {record[i] for record in data}
        total += Fraction(len({rank_of(attribute, layer, value) for value in column}), len(column))
    return 1 - total / len(attributes)


class LiteralARXLR:
    """Both algorithms over one table of records (each a tuple of exact numbers).

    With a ``factor`` the loss weighs suppression by it; a step counts that publishes ``at_least`` records.
    """

    def __init__(
        self,
        attributes: Sequence[Attribute],
        k: int,
        records: Sequence[Record],
        factor: Fraction = Fraction(0),
        at_least: int = 1,
    ) -> None:
        self.factor = factor
        self.at_least = at_least
        self.attributes = tuple(attributes)
        self.k = k
        self.records = tuple(records)
        self.top = tuple(attribute.layers for attribute in self.attributes)
        self.lattice = tuple(product(*(range(1, height + 1) for height in self.top)))
        # The one shortcut taken: where a value lies in a layer is looked up once.
        self._rank = [
            {
                (layer, value): rank_of(attribute, layer, value)
                for layer in range(1, attribute.layers + 1)
                for value in {record[i] for record in self.records}
            }
            for i, attribute in enumerate(self.attributes)
        ]

    def boxes(self, state: State, rows: Sequence[int]) -> dict[Ranks, list[int]]:
        """Apply a state to some records: the rows that fall into each box."""
        found: dict[Ranks, list[int]] = defaultdict(list)
        for row in rows:
            record = self.records[row]
            found[tuple(self._rank[i][layer, record[i]] for i, layer in enumerate(state))].append(row)
        return found

    def anonymous(self, state: State, rows: Sequence[int]) -> dict[Ranks, list[int]]:
        """Only the boxes that hold at least k records."""
        return {ranks: inside for ranks, inside in self.boxes(state, rows).items() if len(inside) >= self.k}

    def feasible(self, state: State, rows: Sequence[int]) -> bool:
        """Whether a step may take a state."""
        published = sum(len(inside) for inside in self.anonymous(state, rows).values())
        return published >= max(1, self.at_least)

    def growth(self, state: State, rows: Sequence[int]) -> Fraction:
        """What a state is compared by first."""
        if not self.factor:
            return growth(self.attributes, state, len(rows))
        published = sum(len(inside) for inside in self.anonymous(state, rows).values())
        return weighed_growth(self.attributes, state, len(rows), published, self.factor)

    def anonymizer(self, rows: Sequence[int]) -> State | None:
        """Algorithm 1 on the remaining records."""
        data = [self.records[row] for row in rows]
        optimal: State | None = None
        for current in self.lattice:
            if not self.feasible(current, rows):
                continue
            if optimal is None:
                optimal = current
                continue
            loss, best = (self.growth(state, rows) for state in (current, optimal))
            if loss < best:
                optimal = current
            elif loss == best:
                mine, other = c1(current), c1(optimal)
                # Three criteria, three branches, as in the paper.
                if mine < other:  # noqa: SIM114
                    optimal = current
                elif (  # noqa: SIM114
                    mine == other and c2(self.attributes, current) < c2(self.attributes, optimal)
                ):
                    optimal = current
                elif (
                    mine == other
                    and c2(self.attributes, current) == c2(self.attributes, optimal)
                    and c3(self.attributes, current, data) < c3(self.attributes, optimal, data)
                ):
                    optimal = current
        return optimal

    def local_recoding(self) -> LiteralRecoding:
        """Algorithm 2."""
        updated = list(range(len(self.records)))
        iterations = []
        while len(updated) >= self.k:
            optimal = self.anonymizer(updated)
            if optimal is None or optimal == self.top:
                break
            formed = self.anonymous(optimal, updated)
            iterations.append(
                tuple(LiteralClass(optimal, ranks, tuple(sorted(formed[ranks]))) for ranks in sorted(formed))
            )
            gone = {row for rows in formed.values() for row in rows}
            updated = [row for row in updated if row not in gone]
        return LiteralRecoding(tuple(iterations), tuple(updated))
