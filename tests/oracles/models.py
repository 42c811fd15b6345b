"""ARX-LR under privacy models besides k: Algorithms 1 and 2 word for word, with "holds k records" replaced by a test.

Each test is written from the model's definition, on the sensitive values of a group and those of the whole table.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import pandas as pd

from cra_engine import Attribute, LDiversity, Roles, Study, TCloseness
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.beta_likeness import BetaLikeness
from cra_engine.criteria.delta_disclosure import DeltaDisclosure
from cra_engine.criteria.models import PrivacyModel
from oracles.literal import LiteralARXLR, Ranks, Record, State

Passes = Callable[[Sequence[str]], bool]


def distinct(number: int) -> Passes:
    return lambda group: len(set(group)) >= number


def entropy(number: float) -> Passes:
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


FAMILIES = ("distinct", "entropy", "recursive", "close", "ordered", "beta", "enhanced", "disclosure", "risk", "two")


def random_models(rng: random.Random, family: str, *, met: bool = True) -> list[PrivacyModel]:
    """Models of a family, with ``met`` at limits that groups of some records can meet exactly, else at others."""
    number, limit = rng.choice([2, 2, 3]), Fraction(rng.randint(10, 60), 100 if met else 101)
    match family:
        case "distinct":
            return [LDiversity("illness", number)]
        case "entropy":
            return [LDiversity("illness", number if met else number - Fraction(1, 7), "entropy")]
        case "recursive":
            return [LDiversity("illness", 2, "recursive", rng.choice([1, 2, 3]))]
        case "close" | "ordered":
            return [TCloseness("illness", limit, "equal" if family == "close" else "ordered")]
        case "beta" | "enhanced":
            return [BetaLikeness("illness", 4 * limit, "basic" if family == "beta" else family)]
        case "disclosure":
            return [DeltaDisclosure("illness", 4 * limit)]
        case "risk":
            return [AverageRisk(Fraction(1, rng.choice([2, 3, 4])))]
    other = rng.choice(["recursive", "close", "beta", "disclosure", "risk"])
    return [model for one in ("distinct", other) for model in random_models(rng, one, met=met)]


def asked_of(study: Study, values: Sequence[str]) -> tuple[list[Passes], Fraction | None]:
    """The models of a study as tests on single groups, and the average risk that it allows."""
    tests: list[Passes] = []
    risk = None
    for model in study.privacy:
        match model:
            case LDiversity(variant="distinct"):
                tests.append(distinct(int(model.l)))
            case LDiversity(variant="entropy"):
                tests.append(entropy(float(model.l)))
            case LDiversity():
                tests.append(recursive(model.c, int(model.l)))
            case TCloseness():
                tests.append((close if model.distance == "equal" else close_in_order)(model.t, values))
            case BetaLikeness():
                tests.append((beta if model.variant == "basic" else enhanced_beta)(model.beta, values))
            case DeltaDisclosure():
                tests.append(disclosure(float(model.delta), values))
            case AverageRisk():
                risk = model.risk
    assert len(tests) + (risk is not None) == len(study.privacy)
    return tests, risk


def literal(study: Study, records: Sequence[Record], values: Sequence[str], at_least: int = 1) -> LiteralModels:
    """The literal program under the models of a study."""
    tests, risk = asked_of(study, values)
    return LiteralModels(study.attributes, study.k, records, values, tests, at_least, risk)


def random_release(
    rng: random.Random, family: str, most: int = 24, *, met: bool = True
) -> tuple[pd.DataFrame, pd.DataFrame, Study]:
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
    illnesses = (list("1248") if family == "ordered" else ["flu", "cold", "gout", "HIV"])[: rng.choice([2, 3, 4])]
    weights = rng.choice([[1, 1, 1, 1], [6, 3, 2, 1]])[: len(illnesses)]
    values = rng.choices(illnesses, weights, k=number)
    k = rng.choice([1, 2, 2, 3])
    share = rng.choice([None, None, None, Fraction(1, 4), Fraction(1, 10)])
    profile = "paper" if share is None else float(share)
    study = Study(attributes, k, profile, random_models(rng, family, met=met), roles=Roles(sensitive=["illness"]))
    made = literal(study, records, values, 1 if share is None else math.ceil(share * number))
    data = pd.DataFrame(records, columns=[a.name for a in attributes]).astype(float).assign(illness=values)
    return data, made.labels(), study
