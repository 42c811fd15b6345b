"""What is proposed to be kept, held against the check: it is seldom what the check then stops a table for."""

import numpy as np
import pandas as pd
import pytest

from cra_engine import Roles, check
from cra_engine.raw.contents import inspect, proposed_study
from cra_engine.raw.proposed_roles import propose_roles

DRAW = np.random.default_rng(5)
KNOWN = {
    "age": lambda size: DRAW.integers(18, 90, size),
    "sex": lambda size: DRAW.choice(["f", "m"], size),
    "zip": lambda size: DRAW.choice(["8001", "8002", "8003", "8004"], size),
}


def drawn(size, names, values, skew):
    """A random table with a column of whole numbers, and how often it is about its size: the rarer, the more skew."""
    weights = 1 / np.arange(1, values + 1) ** skew
    points = DRAW.choice(values, size, p=weights / weights.sum()) + 1
    return pd.DataFrame({**{name: KNOWN[name](size) for name in names}, "points": points}).astype(str)


def proposed_and_stopped(table):
    """Whether the points are proposed to be kept, and whether the check stops the table for it where they are."""
    study = proposed_study(inspect(table)).with_roles(Roles(keep=["points"]))
    (proposed,) = [one for one in propose_roles(table, study.names) if one.name == "points"]
    stopped = any(one.level == "stop" and one.code == "alone" for one in check(table, study).findings)
    return proposed.role == "kept", stopped


def test_what_is_proposed_to_be_kept_is_seldom_stopped_and_what_is_not_mostly_is():
    told = []
    for _ in range(80):
        names = DRAW.permutation(list(KNOWN))[: DRAW.integers(1, 4)]
        size, values = int(DRAW.choice([60, 120, 300])), int(DRAW.choice([2, 3, 4, 5, 8, 12, 21, 35]))
        told.append(proposed_and_stopped(drawn(size, list(names), values, float(DRAW.choice([0, 0.5, 1, 2])))))
    kept = [stopped for keeps, stopped in told if keeps]
    known = [stopped for keeps, stopped in told if not keeps]
    assert min(len(kept), len(known)) >= 12
    assert sum(kept) <= len(kept) / 6
    assert sum(known) >= len(known) * 4 / 5


@pytest.mark.parametrize("values", [21, 49])
def test_an_exact_length_of_stay_of_few_people_is_not_proposed_to_be_kept(values):
    assert proposed_and_stopped(drawn(60, ["age", "sex"], values, 0)) == (False, True)
