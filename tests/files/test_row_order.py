"""The order of the rows that are handed out: every order alike, whatever the order of the raw table."""

from collections import Counter
from math import factorial
from random import Random

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.stats import chi2
from typer.testing import CliRunner

from cra_engine import Attribute, Study, check, recode, safe_recode, single_out
from cra_engine.attacks.refinement.attack import attack
from cra_engine.cli.commands import app
from cra_engine.files import scattered
from cra_engine.files.row_order import random_order, release_text, shuffled
from cra_engine.publish.local.streaming import recode_file
from cra_engine.raw.matched_rows import matched_rows
from cra_engine.raw.sorted_columns import sorted_columns
from strategies import random_case

DRAWS = 12_000
STUDY = Study([Attribute("age", 0, 96, layers=4), Attribute("weight", 40, 120, layers=3)], k=4)


def people(count=300, seed=3):
    """People sorted by age, as a registry has them."""
    draw = np.random.default_rng(seed)
    table = pd.DataFrame({"age": draw.integers(0, 96, count), "weight": draw.integers(40, 120, count)})
    return table.sort_values("age", ignore_index=True).assign(number=range(count))


def alike(orders):
    """Whether orders occur as often as even draws have them, at a chance of one in ten thousand to be wrong."""
    counts = Counter(orders)
    expected = len(orders) / factorial(len(orders[0]))
    missing = factorial(len(orders[0])) - len(counts)
    distance = sum((count - expected) ** 2 / expected for count in counts.values()) + missing * expected
    return distance < chi2.ppf(1 - 1e-4, factorial(len(orders[0])) - 1)


def test_every_order_has_the_same_chance():
    draw = Random(1)
    assert alike([tuple(random_order(4, draw).tolist()) for _ in range(DRAWS)])
    assert not alike([tuple(np.roll(range(4), draw.randrange(4)).tolist()) for _ in range(DRAWS)])  # can fail


def test_rows_on_several_heaps_are_in_a_random_order_too(tmp_path, monkeypatch):
    monkeypatch.setattr(scattered, "ROWS", 2)
    draw, orders = Random(2), []
    for _ in range(3_000):
        with scattered.ScatteredRows(tmp_path, 4, draw) as rows:
            rows.add(pa.table({"row": [0, 1, 2]}))
            rows.add(pa.table({"row": [3]}))
            orders.append(tuple(row for block in rows.blocks() for row in block["row"].to_pylist()))
    assert alike(orders)
    assert not list(tmp_path.iterdir())


def test_a_seed_gives_one_order_and_none_another_each_time():
    table = pd.DataFrame({"row": range(100)}, index=range(100, 200))
    assert shuffled(table, 5).equals(shuffled(table, 5))
    assert not shuffled(table).equals(shuffled(table))
    assert list(shuffled(table).index) == list(range(100))


COMMANDS = {
    "recode": [],
    "recode in blocks": ["--streaming"],
    "safe-recode": ["--epsilon", "1", "--seed", "4"],
    "safe-recode in blocks": ["--epsilon", "1", "--seed", "4", "--streaming"],
    "global-recode": ["--suppression-limit", "0.1"],
    "minimal": ["--seed", "4"],
    "microaggregate": ["--k", "4", "--column", "age", "--column", "weight"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_handed_out_keeps_the_order_only_where_it_is_told_to(tmp_path, command):
    table = people()
    table.to_csv(tmp_path / "data.csv", index=False)
    STUDY.to_toml(tmp_path / "study.toml")
    name = command.split()[0]
    studied = [] if name == "microaggregate" else ["--study", str(tmp_path / "study.toml")]
    lines = {}
    for more in ("", "--keep-order"):
        output = tmp_path / f"release{more}.csv"
        given = [name, str(tmp_path / "data.csv"), *studied, *COMMANDS[command], "--output", str(output)]
        done = CliRunner().invoke(app, [*given, *filter(None, [more])])
        assert done.exit_code == 0, done.output
        lines[more] = output.read_text().splitlines()
    kept, out = lines["--keep-order"], lines[""]
    numbers = [[int(float(line.rsplit(";", 1)[1])) for line in own[1:]] for own in (kept, out)]
    assert numbers[0] == list(range(len(table)))
    assert sorted(numbers[1]) == numbers[0]
    assert abs(np.corrcoef(numbers[1], range(len(table)))[0, 1]) * np.sqrt(len(table)) < 5
    if name != "minimal":  # the same choices, so the same rows
        assert sorted(kept[1:]) == sorted(out[1:])
    assert kept[0] == out[0]


def test_check_names_a_kept_order_and_reads_a_random_one():
    table = people(40).drop(columns="number")
    frame = recode(table, STUDY).frame
    found = check(table, STUDY, frame, time_limit=600)
    order = [finding.text for finding in found.findings if finding.code == "order"]
    assert len(order) == 1
    assert "sorted by 'age'" in order[0]
    assert not [f for f in check(table, STUDY, time_limit=600).findings if f.code == "order"]
    apart = check(table, STUDY, shuffled(frame, 1), time_limit=600)
    assert {finding.code for finding in apart.findings} == {f.code for f in found.findings} - {"order"}
    assert apart.utility == found.utility
    assert (apart.records, apart.suppressed, apart.classes) == (found.records, found.suppressed, found.classes)


def test_a_release_of_other_people_is_still_told():
    table = people(40).drop(columns="number")
    other = people(40, seed=4).drop(columns="number")
    found = check(table, STUDY, shuffled(recode(other, STUDY).frame, 1), time_limit=600)
    assert "not-this-table" in {finding.code for finding in found.findings}


def test_sorted_columns_are_numbers_days_and_texts_and_no_chance():
    draw = np.random.default_rng(1)
    days = pd.date_range("2020-01-20", periods=40, freq="D").strftime("%d.%m.%Y")
    table = pd.DataFrame(
        {
            "admitted": days,
            "name": sorted(f"p{number}" for number in draw.integers(0, 900, 40)),
            "down": range(40, 0, -1),
            "age": draw.integers(0, 90, 40),
            "sex": draw.choice(["f", "m"], 40),
        }
    )
    assert {name for name, _ in sorted_columns(table)} == {"admitted", "name", "down"}
    nearly = table.assign(down=table["down"] + draw.normal(0, 3, 40))
    assert dict(sorted_columns(nearly, ["down"]))["down"] < -0.9
    for _ in range(200):  # of 400 columns in random order none is called sorted
        assert not sorted_columns(table.sample(frac=1, random_state=draw)[["age", "sex"]])


@pytest.mark.parametrize("seed", range(12))
def test_records_are_set_beside_rows_that_they_can_be_of(seed):
    case = random_case(seed)
    for made in (recode(case.data, case.study), safe_recode(case.data, case.study, 1, seed=seed)):
        frame = shuffled(made.frame, seed)
        order = matched_rows(case.data, frame, case.study)
        assert sorted(order.tolist()) == list(range(len(frame)))
        # A record is published with the first box that holds it, so that its box is found even without its row.
        shown = made.frame.reset_index(drop=True).iloc[order].astype(str).reset_index(drop=True)
        assert shown.equals(frame.astype(str))


def test_singling_out_is_checked_against_the_table_in_any_order():
    case = random_case(1)
    made = recode(case.data, case.study)
    text = made.release.to_csv_text(seed=1)
    there = single_out(attack(made.release), case.data)
    again = single_out(attack(type(made.release)(case.study, shuffled(made.frame, 1))), case.data)
    assert there.outcomes == again.outcomes
    assert [found.counts for found in there.classes] == [found.counts for found in again.classes]
    assert text == release_text(made.frame, seed=1)


def test_a_file_in_many_heaps_holds_the_rows_of_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr(scattered, "ROWS", 50)
    table = people()
    table.to_parquet(tmp_path / "data.parquet")
    for ending in ("csv", "parquet"):
        for keep in (True, False):
            recode_file(tmp_path / "data.parquet", STUDY, tmp_path / f"{keep}.{ending}", keep_order=keep)
    kept, out = (pd.read_parquet(tmp_path / f"{keep}.parquet") for keep in (True, False))
    assert list(kept["number"]) == list(range(300)) != list(out["number"])
    assert out.sort_values("number", ignore_index=True).astype(str).equals(kept.astype(str))
    texts = [(tmp_path / f"{keep}.csv").read_text().splitlines() for keep in (True, False)]
    assert texts[0] != texts[1]
    assert sorted(texts[0]) == sorted(texts[1])
