"""ARX-LR under privacy models besides k: Algorithms 1 and 2 word for word, with "holds k records" replaced by a test.

Each test is written from the model's definition, on the sensitive values of a group and those of the whole table.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import pandas as pd

from cra_engine import Attribute, LDiversity, Study, TCloseness
from oracles.literal import LiteralARXLR, Ranks, Record, State

Passes = Callable[[Sequence[str]], bool]


def distinct(number: int) -> Passes:
    return lambda group: len(set(group)) >= number


def entropy(number: int) -> Passes:
    """Shares of few records: a difference of floats below 1e-9 is none."""

    def passes(group: Sequence[str]) -> bool:
        shares = [held / len(group) for held in Counter(group).values()]
        return -sum(share * math.log(share) for share in shares) >= math.log(number) - 1e-9

    return passes


def recursive(factor: Fraction, number: int) -> Passes:
    def passes(group: Sequence[str]) -> bool:
        held = sorted(Counter(group).values(), reverse=True)
        return len(held) >= number and held[0] < factor * sum(held[number - 1 :])

    return passes


def close(limit: Fraction, table: Sequence[str]) -> Passes:
    """t-closeness with equal distances."""
    whole = Counter(table)

    def passes(group: Sequence[str]) -> bool:
        held = Counter(group)
        apart = sum(abs(Fraction(held[v], len(group)) - Fraction(whole[v], len(table))) for v in whole)
        return apart / 2 <= limit

    return passes


def close_in_order(limit: Fraction, table: Sequence[str]) -> Passes:
    """t-closeness of numbers."""
    whole = Counter(table)

    def passes(group: Sequence[str]) -> bool:
        held, moved, work = Counter(group), Fraction(0), Fraction(0)
        for value in sorted(whole, key=float):
            moved += Fraction(held[value], len(group)) - Fraction(whole[value], len(table))
            work += abs(moved)
        return work <= limit * (len(whole) - 1)

    return passes


def _ratios(group: Sequence[str], table: Sequence[str]) -> dict[str, Fraction]:
    """Per value of a group its share there over its share in the table."""
    held, whole = Counter(group), Counter(table)
    return {v: Fraction(held[v], len(group)) / Fraction(whole[v], len(table)) for v in held}


def beta(limit: Fraction, table: Sequence[str]) -> Passes:
    return lambda group: all(ratio - 1 <= limit for ratio in _ratios(group, table).values())


def enhanced_beta(limit: Fraction, table: Sequence[str]) -> Passes:
    rare = {value: -math.log(held / len(table)) for value, held in Counter(table).items()}
    return lambda group: all(ratio - 1 <= min(limit, rare[v]) for v, ratio in _ratios(group, table).items())


def disclosure(limit: float, table: Sequence[str]) -> Passes:
    return lambda group: all(abs(math.log2(ratio)) < limit for ratio in _ratios(group, table).values())


class LiteralModels(LiteralARXLR):
    """ARX-LR where a box is published that holds k records and passes each test.

    With a ``risk`` the smallest boxes of a state fail until the rest are so large on average.
    """

    def __init__(
        self,
        attributes: Sequence[Attribute],
        k: int,
        records: Sequence[Record],
        values: Sequence[str],
        tests: Sequence[Passes],
        at_least: int = 1,
        risk: Fraction | None = None,
    ) -> None:
        super().__init__(attributes, k, records, at_least=at_least)
        self.values, self.tests, self.risk = values, tests, risk

    def anonymous(self, state: State, rows: Sequence[int]) -> dict[Ranks, list[int]]:
        found = {
            ranks: inside
            for ranks, inside in super().anonymous(state, rows).items()
            if all(test([self.values[row] for row in inside]) for test in self.tests)
        }
        while self.risk is not None and found and len(found) > self.risk * sum(map(len, found.values())):
            del found[min(found, key=lambda ranks: (len(found[ranks]), found[ranks][0]))]
        return found

    def labels(self) -> pd.DataFrame:
        """The published table."""
        rows = [["*"] * len(self.attributes) for _ in self.records]
        for found in self.local_recoding().classes:
            box = [a.node(*at).label for a, *at in zip(self.attributes, found.state, found.ranks, strict=True)]
            for row in found.rows:
                rows[row] = list(box)
        frame = pd.DataFrame(rows, columns=[attribute.name for attribute in self.attributes])
        return frame.assign(illness=list(self.values))


FAMILIES = ("distinct", "entropy", "recursive", "close", "two")


def random_models(
    rng: random.Random, family: str, table: Sequence[str]
) -> tuple[list[LDiversity | TCloseness], list[Passes]]:
    """Models of a family, as the engine has them and as tests."""
    if family == "two":
        pairs = [random_models(rng, one, table) for one in ("distinct", rng.choice(["close", "recursive"]))]
        return [model for models, _ in pairs for model in models], [test for _, tests in pairs for test in tests]
    number = rng.choice([2, 2, 3])
    if family == "distinct":
        return [LDiversity("illness", number)], [distinct(number)]
    if family == "entropy":
        return [LDiversity("illness", number, "entropy")], [entropy(number)]
    if family == "recursive":
        factor = Fraction(rng.choice([1, 2, 3]))
        return [LDiversity("illness", 2, "recursive", factor)], [recursive(factor, 2)]
    limit = Fraction(rng.randint(10, 60), 100)
    return [TCloseness("illness", limit)], [close(limit, table)]


def random_release(rng: random.Random, family: str, most: int = 24) -> tuple[pd.DataFrame, pd.DataFrame, Study]:
    """A random table with the values of a column, what ARX-LR publishes of it under random models, and the study."""
    attributes = []
    for name in "ab"[: rng.choice([1, 2, 2, 2])]:
        layers = rng.choice([2, 3, 3])
        leaves = 2 ** (layers - 1)
        attributes.append(Attribute(name, 0, leaves * rng.choice([2, 5]), layers))
    if rng.random() < 0.2 and len(attributes) == 2:
        attributes.append(Attribute("c", 0, 6, 2))
    number = rng.randint(4, most)
    records = [tuple(Fraction(rng.randrange(int(a.upper))) for a in attributes) for _ in range(number)]
    illnesses = ["flu", "cold", "gout", "HIV"][: rng.choice([2, 3, 4])]
    weights = rng.choice([[1, 1, 1, 1], [6, 3, 2, 1]])[: len(illnesses)]
    values = rng.choices(illnesses, weights, k=number)
    k = rng.choice([1, 2, 2, 3])
    models, tests = random_models(rng, family, values)
    share = rng.choice([None, None, None, Fraction(1, 4), Fraction(1, 10)])
    study = Study(attributes, k, "paper" if share is None else float(share), models)
    at_least = 1 if share is None else math.ceil(share * number)
    made = LiteralModels(attributes, max(k, 1), records, values, tests, at_least)
    data = pd.DataFrame(records, columns=[a.name for a in attributes]).astype(float).assign(illness=values)
    return data, made.labels(), study
