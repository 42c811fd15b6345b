"""Releases of the literal algorithm where a step weighs suppression by a g/s factor."""

from fractions import Fraction

import pandas as pd

from cra_engine import Study
from oracles.literal import LiteralARXLR
from strategies import Case, random_case


def weighed_release(case: Case, factor: Fraction, at_least: int = 1) -> pd.DataFrame:
    """The published quasi-identifiers of a case, rows in its order."""
    attributes = case.study.attributes
    recoding = LiteralARXLR(attributes, case.study.k, case.records, factor, at_least).local_recoding()
    rows = [["*"] * len(attributes) for _ in case.records]
    for found in recoding.classes:
        nodes = [a.node(layer, rank) for a, layer, rank in zip(attributes, found.state, found.ranks, strict=True)]
        for row in found.rows:
            rows[row] = [node.label for node in nodes]
    return pd.DataFrame(rows, columns=list(case.study.names))


def weighed_case(seed: int) -> Case:
    """A case whose grid is small enough for the literal algorithm."""
    case = random_case(seed, count=[1, 2, 2, 3][seed % 4], most_records=40)
    return Case(Study(case.study.attributes, min(case.study.k, 4)), case.data, case.records)
