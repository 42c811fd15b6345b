"""A table sorted by age, as a registry keeps it, through every command that publishes it: its order tells nothing."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from cra_engine import Attribute, Study
from cra_engine.attacks.order import sorted_spans
from cra_engine.cli.commands import app

STUDY = Study([Attribute("age", 0, 96, layers=5), Attribute("weight", 40, 120, layers=3)], k=10)
SAFE = ("--epsilon", "1", "--seed", "4", "--study-output", "safe.toml")
COMMANDS = {
    "recode": ("--study", "study.toml"),
    "safe-recode": ("--study", "study.toml", *SAFE),
    "global-recode": ("--study", "study.toml", "--suppression-limit", "0.1"),
    "minimal": ("--study", "study.toml", "--seed", "4"),
    "repair": ("--study", "study.toml", "--likeliest", "0.6"),
    "microaggregate": ("--k", "10", "--column", "age", "--column", "weight"),
    "heterogeneous": ("--qi", "age", "--qi", "weight", "--sensitive", "illness", "--l", "2", "--seed", "4"),
}
KEPT = [name for name in COMMANDS if name != "heterogeneous"]  # whose rows stand for no single record


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = np.random.default_rng(31)
    table = pd.DataFrame({"age": draw.integers(0, 96, 300), "weight": draw.integers(40, 120, 300)})
    table = table.sort_values("age", ignore_index=True).assign(illness=draw.choice(["flu", "gout", "cold"], 300))
    table.to_csv("data.csv", index=False)
    STUDY.to_toml("study.toml")

    def called(*given):
        done = CliRunner().invoke(app, list(given))
        assert done.exit_code == 0, (done.output, done.exception)
        return done.stdout

    called("recode", "data.csv", "--study", "study.toml", "--keep-order", "--output", "before.csv")

    def publish(name, *more):
        source = "before.csv" if name == "repair" else "data.csv"
        called(name, source, *COMMANDS[name], *more, "--output", "out.csv")
        return pd.read_csv("out.csv", sep=";", dtype=str), called

    return publish


def ages(column):
    """Per row the ages that its label says; a mean says itself."""

    def ends(label):
        if label == "*":
            return 0, 96
        if "[" not in label:
            return float(label), float(label) + 1e-9
        return tuple(float(end) for end in label.strip("[]()").replace("[", "").split(","))

    return np.array([ends(label) for label in column])


def narrowed(column):
    """How many rows the order tells more of, in either direction; none where the rows cannot be sorted."""
    spans = ages(column)
    found = [(rows, sorted_spans(rows)) for rows in (spans, spans[::-1])]
    return max(0 if inside is None else int((inside != rows).any(axis=1).sum()) for rows, inside in found)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_order_of_a_sorted_table_narrows_no_row(run, name):
    table, _ = run(name)
    assert len(table) >= 300
    assert narrowed(table["age"]) == 0


@pytest.mark.parametrize("name", KEPT)
def test_a_kept_order_narrows_rows_as_ever_and_check_names_it(run, name):
    table, called = run(name, "--keep-order")
    if name == "microaggregate":  # its means are no limits, but they rise with the rows
        means = table["age"].astype(float)
        assert np.corrcoef(means, range(300))[0, 1] > 0.9
        return
    if name != "global-recode":  # whose labels are all of one layer, so that nothing is left to narrow
        assert narrowed(table["age"]) > (20 if name == "safe-recode" else 50)
    study = "safe.toml" if name == "safe-recode" else "study.toml"
    studied = ["--study", study, "--release", "out.csv", "--fail-on", "never", "--time-limit", "5"]
    said = called("check", "data.csv", *studied, "--output", "verdict.html", "--json")
    orders = [one["text"] for one in json.loads(said)["findings"] if one["code"] == "order"]
    assert len(orders) == 1
    assert "sorted by 'age'" in orders[0]
