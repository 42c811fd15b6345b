"""Effective anonymity against its definition, pair by pair."""

import random

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, DataError, Study, TooLargeError, effective_anonymity
from cra_engine.risk import effective_anonymity as module
from oracles.anonymity import effective

TREE = [
    ("a", "a", "ab", "*"),
    ("b", "b", "ab", "*"),
    ("c", "c", "c", "*"),
    ("d1", "d", "de", "*"),
    ("d2", "d", "de", "*"),
]
MEANT = {"a": "a", "b": "b", "ab": "ab", "c": "c", "d1": "1", "d2": "2", "d": "12", "de": "12", "*": "abc12"}


def test_the_example_by_hand():
    rows = [("F", "1986"), ("F", "?"), ("?", "1986"), ("F", "1990"), ("M", "1986"), ("M", "1986"), ("M", "1991")]
    table = pd.DataFrame([(*row, course) for row, course in zip(rows, "1111112", strict=True)], columns=list("sbc"))
    found = effective_anonymity(table, ["s", "b", "c"], missing=["?"])
    assert found.ea.tolist() == [1, 1, 1, 1, 2, 2, 1]
    assert found.ea_amb.tolist() == [3, 4, 5, 2, 3, 3, 1]


def plain_case(rng):
    width, rows = rng.randrange(1, 5), rng.randrange(1, 30)
    values = [[rng.choice(["x", "y", "z", "1", ""][: rng.randrange(2, 6)]) for _ in range(width)] for _ in range(rows)]
    for row in values:
        for place in range(width):
            if rng.random() < 0.25:
                row[place] = rng.choice(["", "?", " "])
    domain = frozenset("xyz1")
    cells = [[None if cell.strip() in ("", "?") else frozenset(cell) for cell in row] for row in values]
    names = [f"c{place}" for place in range(width)]
    return pd.DataFrame(values, columns=names), names, cells, [domain] * width


def study_case(rng):
    """Raw values and labels of every layer in one table, numbers and categories."""
    study = Study([Attribute("age", 0, 16, layers=3), Attribute.from_hierarchy("kind", TREE)], k=2)
    ages = {"*": range(16), "": range(16)}
    ages |= {f"[{low}, {low + step}[": range(low, low + step) for step in (4, 8) for low in range(0, 16, step)}
    ages |= {str(value): [value] for value in range(16)} | {"3.0": [3], "07": [7]}
    kinds = {**MEANT, "": MEANT["*"]}
    rows = [(rng.choice(list(ages)), rng.choice(list(kinds))) for _ in range(rng.randrange(1, 40))]
    cells = [(frozenset(ages[age]), frozenset(kinds[kind])) for age, kind in rows]
    return pd.DataFrame(rows, columns=["age", "kind"]), study, cells, [frozenset(range(16)), frozenset("abc12")]


@pytest.mark.parametrize("case", [plain_case, study_case])
@pytest.mark.parametrize("join", [-(10**9), 10**12], ids=["joined", "one by one"])
def test_it_is_the_definition_pair_by_pair(monkeypatch, case, join):
    monkeypatch.setattr(module, "JOIN", join)  # what makes one of the two ways the cheaper one
    for seed in range(150):
        table, by, cells, domains = case(random.Random(seed))
        found = effective_anonymity(table, by, missing="?")
        equal, meet = effective(cells, domains)
        assert found.ea.tolist() == equal, seed
        assert found.ea_amb.tolist() == meet, seed
        assert (found.ea_amb >= found.ea).all()


def test_numbers_of_a_data_frame_are_compared_as_they_are_with_gaps_missing():
    table = pd.DataFrame({"age": [34.0, np.nan, 35.0, 34.0], "sex": pd.Categorical(["f", "f", None, "f"])})
    found = effective_anonymity(table, ["age", "sex"])
    assert found.ea.tolist() == [2, 1, 1, 2]
    assert found.ea_amb.tolist() == [3, 4, 2, 3]


def test_more_values_than_one_number_can_tell_apart():
    """A hundred columns of four values each: their combinations pass 2**62, which a single key cannot hold."""
    rng = np.random.default_rng(1)
    values = rng.integers(4, size=(40, 100))
    values[20:] = values[:20]
    table = pd.DataFrame(values.astype(str), columns=[f"c{place}" for place in range(100)])
    table.loc[20:, "c7"] = ""
    found = effective_anonymity(table, list(table.columns))
    assert found.ea.tolist() == [1] * 40
    assert found.ea_amb.tolist() == [2] * 40


def test_what_cannot_be_measured_is_refused_in_a_sentence(monkeypatch):
    table = pd.DataFrame({"age": ["3", "", "[0, 4["], "sex": list("fmx")})
    study = Study([Attribute("age", 0, 16, layers=3)], k=2)
    assert effective_anonymity(table, study).ea_amb.tolist() == [3, 3, 3]
    for by, words in (
        ([], "No column is named"),
        (["age", "age"], "'age' is named twice"),
        (["height"], "no column 'height'"),
        (
            Study([Attribute("sex", 0, 16, layers=3)], k=2),
            r"row 1 \(2 in a spreadsheet\): 'f' is neither a value nor a label",
        ),
    ):
        with pytest.raises(DataError, match=words):
            effective_anonymity(table, by)
    with pytest.raises(DataError, match="no record"):
        effective_anonymity(table.iloc[:0], ["age"])
    monkeypatch.setattr(module, "MAX_WORK", 1)
    with pytest.raises(TooLargeError, match="2 different patterns in 3 different records"):
        effective_anonymity(table, ["age"])
