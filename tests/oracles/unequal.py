"""Algorithm 2 with a loss that depends on the remaining records, as ARX has it for hierarchies of unequal nodes.

The loss of an attribute's layer is the mean, over the remaining records, of the share of listed values below their
node, normalised to 0 for single values and 1 for the root; a state's is the geometric mean over the attributes. The
whole lattice is searched again in every iteration, on the labels of the hierarchy's rows and nothing else.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, prod

Row = tuple[str, ...]
"""A listed value with its labels from layer 1 to the root."""


class Tree:
    """A hierarchy as its rows say it."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.layers = len(rows[0]) - 1
        self.path = {row[0]: row[1:] for row in rows}
        self.size = sum(row[1] != "*" or self.layers == 1 for row in rows)
        # A node is its whole way to the root: two nodes may be labelled alike.
        self.held = [Counter(row[layer:] for row in rows) for layer in range(1, self.layers + 1)]

    def node(self, value: str, layer: int) -> Row:
        return self.path[value][layer - 1 :]

    def loss(self, values: Sequence[str], layer: int) -> Fraction:
        least = Fraction(1, self.size)
        known = [value for value in values if self.path[value][0] != "*" or self.layers == 1]
        if not known:
            return Fraction(0)  # of gaps that are * from the start the same is lost in every layer
        held = [min(self.held[layer - 1][self.node(value, layer)], self.size) for value in known]
        shares = [Fraction(many, self.size) for many in held]
        return (sum(shares, Fraction(0)) / len(known) - least) / (1 - least)


def local_recoding(
    trees: Sequence[Tree], k: int, records: Sequence[Row], share: Fraction | None, rng: random.Random
) -> list[Row]:
    """The published labels per record; a tie of loss and c1 goes to any of the tied states.

    ``share`` is the part of all records that a step must publish, None where a single class is enough.
    """
    top = tuple(tree.layers for tree in trees)
    lattice = list(product(*(range(1, height + 1) for height in top)))
    needed = 1 if share is None else ceil(share * len(records))
    published: list[Row] = [("*",) * len(trees)] * len(records)
    left = list(range(len(records)))
    while len(left) >= k:
        best: list[tuple[tuple[Fraction, int], tuple[int, ...], list[list[int]]]] = []
        for state in lattice:
            boxes = defaultdict(list)
            for row in left:
                boxes[tuple(t.node(v, layer) for t, v, layer in zip(trees, records[row], state, strict=True))].append(
                    row
                )
            full = [rows for box, rows in boxes.items() if len(rows) >= k and not gap_below_root(box)]
            if full and sum(map(len, full)) >= needed:
                growth = prod(
                    (1 + tree.loss([records[row][i] for row in left], state[i]) for i, tree in enumerate(trees)),
                    start=Fraction(1),
                )
                best.append(((growth, sum(state)), state, full))
        if not best:
            break
        least = min(key for key, _, _ in best)
        _, state, full = rng.choice([found for found in best if found[0] == least])
        if state == top:
            break
        for rows in full:
            for row in rows:
                published[row] = tuple(
                    t.node(v, layer)[0] for t, v, layer in zip(trees, records[row], state, strict=True)
                )
        gone = {row for rows in full for row in rows}
        left = [row for row in left if row not in gone]
    return published


def gap_below_root(box: Sequence[Row]) -> bool:
    """True where a box shows a gap that is ``*`` from the start below the root: none may."""
    return any(node[0] == "*" and len(node) > 1 for node in box)


def random_rows(rng: random.Random, *, numeric: bool, name: str) -> list[Row]:
    """A random tree over a few values: nodes of any size, with one child or many."""
    values = rng.randint(4, 14)
    layers = rng.randint(2, 4)
    cuts = [[0, values]]
    for _ in range(layers - 1):
        coarser = cuts[-1]
        fewer = min(values + 1, len(coarser) + rng.randint(0, 4))
        inner = [cut for cut in range(1, values) if cut not in coarser]
        cuts.append(sorted({*coarser, *rng.sample(inner, min(len(inner), fewer - len(coarser)))}))
    cuts.reverse()  # leaves first, the root last
    rows = []
    for value in range(values):
        labels = []
        for layer, edges in enumerate(cuts, start=1):
            lower, upper = next((a, b) for a, b in pairwise(edges) if a <= value < b)
            if layer == layers:
                labels.append("*")
            else:
                labels.append(f"[{lower}, {upper}[" if numeric else f"{name}{lower}-{upper - 1}")
        rows.append((str(value) if numeric else f"{name}{value}", *labels))
    return rows


def random_records(rng: random.Random, trees: Sequence[Sequence[Row]], size: int) -> list[Row]:
    """Records gathered around a few centres; values repeat."""
    centres = [[rng.randrange(len(rows)) for rows in trees] for _ in range(rng.randint(1, 3))]
    records = []
    for _ in range(size):
        centre = rng.choice(centres)
        spread = rng.choice([1, 2, 6])
        records.append(
            tuple(
                rows[min(max(round(rng.gauss(at, spread)), 0), len(rows) - 1)][0]
                for rows, at in zip(trees, centre, strict=True)
            )
        )
    return records
