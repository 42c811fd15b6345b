"""A recoded table as criteria, losses and queries read it."""

from pathlib import Path
from random import Random

import pandas as pd

from cra_engine import Study, read_table, recode, synthesize
from cra_engine.attacks.naive_bayes import naive_bayes
from cra_engine.publish.published_rows import published_rows
from cra_engine.published import Categories, Interval
from cra_engine.utility.certainty_penalty import certainty_penalty
from cra_engine.utility.count_queries import People, estimates, random_queries

SAMPLES = Path(__file__).resolve().parents[2] / "sample_data"


def test_a_local_recoding_covers_its_records_in_its_own_classes() -> None:
    made = synthesize("clinic", 300, 3)
    recoding = recode(made.data, made.study)
    table = published_rows(recoding.frame, made.study)
    assert len(table.suppressed) == recoding.suppressed
    assert sorted(map(len, table.groups)) == sorted(found.size for found in recoding.classes)
    for name in made.study.names:
        extents = table.extents[name]
        for at, value in zip(extents.of_row, made.data[name], strict=True):
            extent = extents.distinct[at]
            assert isinstance(extent, Interval)
            assert extent.lower <= float(value) < extent.upper


def test_categories_are_those_below_the_node(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text("A;north;*\nB;north;*\nC;south;*\n")
    (tmp_path / "study.toml").write_text('k = 2\n[[attribute]]\nname = "town"\nhierarchy = "town.csv"\n')
    study = Study.from_toml(tmp_path / "study.toml")
    table = published_rows(recode(pd.DataFrame({"town": ["A", "B", "C"]}), study).frame, study)
    extents = table.extents["town"]
    assert [extents.distinct[at] for at in extents.of_row] == [
        *[Categories(frozenset({"A", "B"}))] * 2,
        Categories(frozenset({"A", "B", "C"})),
    ]
    assert table.suppressed.tolist() == [2]


def test_queries_penalties_and_the_attack_work_on_a_local_recoding() -> None:
    study = Study.from_toml(SAMPLES / "diabetes.toml")
    raw = read_table(SAMPLES / "diabetes.csv")
    table = published_rows(recode(raw, study).frame, study)
    data = pd.DataFrame({name: raw[name].astype(float) for name in study.names} | {"sex": raw["sex"].astype(str)})
    names = list(study.names)
    assert 0 < certainty_penalty(table, data, names) < 1
    queries = random_queries(data, "sex", 2, 0.2, 25, Random(0))
    found = estimates(table, data, "sex", queries)
    exact = list(map(People(data).count, queries))
    assert all(0 <= estimated <= len(data) for estimated in found)
    # The whole table is asked for exactly, and random queries come near on the whole.
    everything = {name: Interval(data[name].min(), data[name].max(), closed=True) for name in names}
    assert estimates(table, data, "sex", [everything]) == [len(data)]
    assert abs(sum(found) - sum(exact)) < sum(exact) / 2
    learned = naive_bayes(table, data, names, "sex")
    assert learned.accuracy(data["sex"]) > learned.baseline(data["sex"])
