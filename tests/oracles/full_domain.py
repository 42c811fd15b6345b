"""Global recoding straight from its definitions: dictionaries and fractions, one record at a time, every state."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from math import prod


class Problem:
    """A small table, its hierarchies as rows of labels, and what is asked of it.

    Args:
        records: per record the raw value of each quasi-identifier.
        trees: per quasi-identifier a mapping from raw value to its labels, layer 0 to the root.
        sensitive: per sensitive column one value per record.
        marked: per record whether it is to be published; None for all.
    """

    def __init__(self, records, trees, sensitive, marked=None):
        self.records, self.trees, self.sensitive = records, trees, sensitive
        self.marked = [True] * len(records) if marked is None else marked
        self.rows = [row for row, mark in enumerate(self.marked) if mark]
        self.heights = [len(next(iter(tree.values()))) - 1 for tree in trees]

    def states(self):
        return product(*(range(height + 1) for height in self.heights))

    def shown(self, row, state):
        return tuple(
            tree[value][layer] for tree, value, layer in zip(self.trees, self.records[row], state, strict=True)
        )

    def outcome(self, state, models):
        """Suppressed rows and sizes of the kept classes."""
        everyone, published = Counter(), defaultdict(list)
        for row, mark in enumerate(self.marked):
            everyone[self.shown(row, state)] += 1
            if mark:
                published[self.shown(row, state)].append(row)
        suppressed, sizes = [], []
        for label, rows in published.items():
            if all(self.passes(rows, everyone[label], model) for model in models):
                sizes.append(len(rows))
            else:
                suppressed += rows
        return suppressed, sizes

    def passes(self, rows, population, model):
        kind, *parameters = model
        if kind == "k":
            return len(rows) >= parameters[0]
        if kind == "presence":
            return parameters[0] <= Fraction(len(rows), population) <= parameters[1]
        column = self.sensitive[parameters[0]]
        counts = Counter(column[row] for row in rows)
        if kind == "distinct":
            return len(counts) >= parameters[1]
        if kind == "entropy":
            return parameters[1] ** len(rows) * prod(c**c for c in counts.values()) <= len(rows) ** len(rows)
        if kind == "recursive":
            ordered = sorted(counts.values(), reverse=True)
            return len(ordered) >= parameters[1] and ordered[0] < parameters[2] * sum(ordered[parameters[1] - 1 :])
        overall = Counter(column[row] for row in self.rows)
        apart = {
            value: Fraction(counts[value], len(rows)) - Fraction(many, len(self.rows))
            for value, many in overall.items()
        }
        if kind == "equal":
            distance = sum(abs(part) for part in apart.values()) / 2
        elif kind == "ordered":
            values = sorted(apart)
            distance = sum(abs(sum(apart[v] for v in values[: i + 1])) for i in range(len(values)))
            distance = Fraction(distance, max(len(values) - 1, 1))
        else:
            distance = self.tree_distance(apart, parameters[2])
        return distance <= parameters[1]

    @staticmethod
    def tree_distance(apart, tree):
        height = len(next(iter(tree.values()))) - 1
        total = Fraction(0)
        for layer in range(1, height + 1):
            children = defaultdict(Fraction)
            for value, part in apart.items():
                children[tuple(tree[value][layer - 1 :])] += part
            sides = defaultdict(lambda: [Fraction(0), Fraction(0)])
            for path, part in children.items():
                sides[path[1:]][part < 0] += abs(part)
            total += sum(Fraction(layer, height) * min(side) for side in sides.values())
        return total

    def losses(self, state, models):
        """The four losses, entropy as two to its power so that it stays a fraction."""
        suppressed, sizes = self.outcome(state, models)
        n, s = len(self.rows), len(suppressed)
        climbed = sum(Fraction(layer, height) for layer, height in zip(state, self.heights, strict=True))
        entropy = Fraction(1)
        for position in range(len(self.heights)):
            tree = self.trees[position]
            layer = state[position]
            raw = Counter(self.records[row][position] for row in self.rows)
            after = Counter(tree[self.records[row][position]][layer] for row in self.rows)
            for row in self.rows:
                value = self.records[row][position]
                entropy *= Fraction(after[tree[value][layer]], raw[value])
            for many in Counter(tree[self.records[row][position]][layer] for row in suppressed).values():
                entropy *= Fraction(s, many) ** many
        return {
            "aecs": Fraction(n, max(len(sizes) + (s > 0), 1)),
            "discernibility": sum(size * size for size in sizes) + n * s,
            "precision": ((n - s) * climbed / len(self.heights) + s) / n,
            "entropy": entropy,
        }

    def anonymous(self, models, limit):
        """The states that suppress few enough, with the number of suppressed records."""
        found = {state: len(self.outcome(state, models)[0]) for state in self.states()}
        return {state: suppressed for state, suppressed in found.items() if suppressed <= limit}

    def best(self, models, limit, utility):
        """The anonymous state of least loss; of equals the smallest sum of layers, then the smaller state."""
        return min(
            self.anonymous(models, limit),
            key=lambda state: (self.losses(state, models)[utility], sum(state), state),
            default=None,
        )
