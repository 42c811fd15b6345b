"""k, l, t and the textbook risks against another library's answers and against counting record by record."""

import json
import lzma
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, Roles, Study, check, read_table
from cra_engine.study.file_hierarchy import FileHierarchy

DATA = Path(__file__).resolve().parents[1] / "data"
RESULTS = json.loads((DATA / "pycanon" / "results.json").read_text(encoding="utf-8"))
SENSITIVE = ("illness", "cost")


def random_release(seed):
    """A release of some classes with two sensitive columns; the generator and the draws are fixed."""
    rng = np.random.Generator(np.random.PCG64(seed))
    records = int(rng.integers(6, 120))
    shown = {f"q{i}": rng.integers(0, int(rng.integers(2, 5)), records) for i in range(int(rng.integers(1, 4)))}
    frame = pd.DataFrame({name: [f"[{10 * v}, {10 * v + 10}[" for v in values] for name, values in shown.items()})
    frame["illness"] = rng.choice(["flu", "gout", "cold", "HIV", "none"], records, p=[0.4, 0.25, 0.2, 0.05, 0.1])
    frame["cost"] = rng.integers(1, 9, records) * 10
    return frame


def checked(frame, names, sensitive):
    study = Study([Attribute(name, 0, 80, layers=4) for name in names], 2, roles=Roles(sensitive=sensitive))
    return check(None, study, frame)


def agree(found, answer, sensitive):
    assert found.k == answer["k"]
    by_name = {one.column: one for one in found.diversity}
    assert set(by_name) == set(sensitive)
    for name in sensitive:
        one, other = by_name[name], answer[name]
        assert one.distinct_l == other["l"]
        assert float(one.t) == pytest.approx(other["t"], abs=1e-12)
        # Their floor is of a float: at a whole number it may be one less.
        assert other["entropy_l"] in {int(one.entropy_l + 1e-9), int(one.entropy_l - 1e-9)}


def by_record(frame, names, threshold):
    """The risks as their definitions say them: each record counts those that show the same."""
    rows = list(map(tuple, frame[names].to_numpy().tolist()))
    risks = [Fraction(1, rows.count(row)) for row in rows]
    return max(risks), sum(risks) / len(risks), sum(risk > threshold for risk in risks)


@pytest.mark.parametrize("answer", RESULTS["random"], ids=lambda answer: str(answer["seed"]))
def test_random_releases(answer):
    frame = random_release(answer["seed"])
    names = [name for name in frame if name.startswith("q")]
    found = checked(frame, names, SENSITIVE)
    agree(found, answer, SENSITIVE)
    highest, mean, above = by_record(frame, names, Fraction(1, 2))
    risk = found.risk
    assert (risk.prosecutor_max, risk.prosecutor_mean, risk.records_above) == (highest, mean, above)
    # Where the table is the population, as many records are matched rightly as there are classes.
    assert risk.marketer == Fraction(len(set(map(tuple, frame[names].to_numpy().tolist()))), len(frame))


def test_adult():
    with lzma.open(DATA / "adult" / "adult.csv.xz") as file:
        table = read_table(file.read(), "adult.csv")
    table["age"] = [f"[{int(age) // 10 * 10}, {int(age) // 10 * 10 + 10}[" for age in table["age"]]
    trees = [
        FileHierarchy(name, tuple((value, value, "*") for value in sorted(table[name].unique())))
        for name in ("sex", "race")
    ]
    sensitive = ("occupation", "salary-class")
    study = Study([Attribute("age", 10, 90, 4), *trees], 2, roles=Roles(sensitive=sensitive))
    found = check(None, study, table, time_limit=0)
    agree(found, RESULTS["adult"], sensitive)
    sizes = table.groupby(["age", "sex", "race"]).size()
    assert (found.classes, found.risk.prosecutor_max) == (len(sizes), Fraction(1, int(sizes.min())))
    assert found.risk.prosecutor_mean == found.risk.marketer == Fraction(len(sizes), len(table))
    assert found.risk.records_above == int(sizes[sizes < 2].sum())
