"""Plans, runs that are stopped and go on, any number of workers, and the tables: against hand-worked numbers."""

import csv
import io
import math
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from cra_engine.attacks.refinement import ratios
from cra_engine.attacks.refinement.attack import attack
from cra_engine.cli import commands as cli
from cra_engine.cli.progress import Progress
from cra_engine.errors import CRAError, DataError
from cra_engine.experiments import rows as row_files
from cra_engine.experiments import run as experiments
from cra_engine.experiments.layout import shown
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import csv_text, definitions, markdown_table, report_files
from cra_engine.experiments.results import Results, log10, log10_mean, quantile
from cra_engine.experiments.rows import (
    CLASS_COLUMNS,
    KEY_COLUMNS,
    OUTLIER_COLUMNS,
    SINGLING_COLUMNS,
    TIGHT_COLUMNS,
    TIMING_COLUMNS,
)
from cra_engine.experiments.run import run_experiment
from cra_engine.experiments.tables import all_tables
from cra_engine.experiments.workers import workers
from cra_engine.files.tables import read_table
from cra_engine.publish.local.recoding import recode
from cra_engine.words import duration

ROOT = Path(__file__).resolve().parents[2]
PAPER = ROOT / "plans" / "paper.toml"

# Enough runs that a stop comes in between, small enough for a test.
SMALL = """
seed = 11
samples = 5
k = [3, 5]
tight_seconds = 60

[[dataset]]
name = "pooled"
synthetic = "hospitals"
pool = 120
records = 60
sets = [{ attributes = ["hosp_id", "APICC"], layers = [2, 3] }]

[[dataset]]
name = "fresh, each"
synthetic = "clinic"
records = 60
sets = [{ attributes = ["weight", "bp_systolic"] }]
"""

# Leaves of two values each. 0 and 2 meet in [0, 4), 4 and 5 on the leaf [4, 6), 7 is left over.
HAND_DATA = "x,name\n0,a\n2,b\n4,c\n5,d\n7,e\n"
HAND_STUDY = """
k = 9
[[attribute]]
name = "x"
lower = 0
upper = 8
layers = 3
"""
HAND_PLAN = """
k = [2]
tight_seconds = 60
[[dataset]]
name = "by hand"
data = "hand.csv"
study = "hand_study.toml"
sets = [{ attributes = ["x"] }]
"""


def write(folder, text, name="plan.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def small(tmp_path):
    return Plan.from_toml(write(tmp_path, SMALL))


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What a single worker writes for the small plan."""
    folder = tmp_path_factory.mktemp("expected")
    run_experiment(Plan.from_toml(write(folder, SMALL)), folder / "results.csv")
    return (folder / "results.csv").read_bytes()


@pytest.fixture
def by_hand(tmp_path):
    write(tmp_path, HAND_DATA, "hand.csv")
    write(tmp_path, HAND_STUDY, "hand_study.toml")
    run_experiment(Plan.from_toml(write(tmp_path, HAND_PLAN)), tmp_path / "results.csv")
    return tmp_path / "results.csv"


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# ---------------------------------------------------------------- the numbers


def test_a_row_worked_out_by_hand(by_hand):
    (row,) = rows(by_hand)
    expected_text = {
        "dataset": "by hand",
        "attributes": "x",
        "layers": "3",
        "sample": "0",
        "k": "2",
        "profile": "paper",
        "ties": "paper",
        "records": "5",
        "cells": "4",
        "classes": "2",
        "basic_classes": "1",
        "compound_classes": "1",
        "uncountable_classes": "0",
        "lr_sum_compound": "6",  # two of the four values of [0, 4)
        "cra_sum_compound": "4",  # one in each half
        "combinations_sum_compound": "1",
        "ratio_mean": "1.25",  # of 1.5 and, for the basic class, 1
        "ratio_mean_compound": "1.5",
        "each_combinations": "1",
        "outliers": "1",
        "outlier_free_cells": "1",
        "outlier_lr": "8",
        "outlier_cra": "2",
        "outlier_combinations": "1",
        "outlier_ratio": "4",
        "singled_failed": "0",
        "singled_one": "0",
        "singled_many": "1",
        "singled_invalid": "0",
        "tight_status": "exact",
        "tight_fixed_cells": "4",  # every cell: 1, 1, 2, and the outlier
        "tight_isolated": "3",
    }
    assert {name: row[name] for name in expected_text} == expected_text
    logs = {
        "log10_lr_mean": (6 + 1) / 2,
        "log10_cra_mean": (4 + 1) / 2,
        "log10_ratio_mean": 1.25,
        "each_log10_lr": 6,
        "each_log10_cra": 4,
        "each_log10_ratio": 1.5,
        "outlier_log10_ratio": 4,
        "tight_log10_intervals": 6 * 1 * 8,
        "tight_log10_per_class": 4 * 1 * 2,
        "tight_log10_worlds": 4 * 1 * 2,
    }
    for name, number in logs.items():
        assert float(row[name]) == pytest.approx(math.log10(number), abs=1e-11), name


def test_every_row_agrees_with_recoding_and_attacking_the_sample(small, expected, tmp_path):
    path = tmp_path / "results.csv"
    path.write_bytes(expected)
    compound_seen = 0
    for run, row in zip(small.runs, rows(path), strict=True):
        study = small.configurations[run.configuration].study.with_k(run.k)
        result = attack(recode(small.table(run.configuration, run.sample), study).release)
        compound = [c for c in result.classes if not c.basic]
        compound_seen += len(compound)
        assert int(row["classes"]) == len(result.classes)
        assert int(row["lr_sum_compound"]) == sum(c.lr_solutions for c in compound)
        assert int(row["cra_sum_compound"]) == sum(c.cra_solutions for c in compound)
        ratios = [Fraction(c.lr_solutions, c.cra_solutions) for c in compound]
        everybody = float((sum(ratios) + len(result.classes) - len(compound)) / len(result.classes))
        assert float(row["ratio_mean"]) == pytest.approx(everybody, rel=1e-9)
        if ratios:
            assert float(row["ratio_mean_compound"]) == pytest.approx(float(sum(ratios) / len(ratios)), rel=1e-9)
        else:
            assert row["ratio_mean_compound"] == ""
        assert sum(int(row[f"singled_{name}"]) for name in ("failed", "one", "many")) == len(compound)
        assert row["singled_invalid"] == "0"
    assert compound_seen > 20


def test_a_mean_past_the_largest_float_is_left_empty_with_its_logarithm():
    mean = ratios.mean_ratio([Fraction(10**400), Fraction(1)])
    assert experiments._number(ratios.as_float(mean)) == ""
    assert float(experiments._number(ratios.log10(mean))) == pytest.approx(400 - math.log10(2))
    assert (
        experiments._number(ratios.as_float(ratios.mean_ratio([])))
        == experiments._number(ratios.log10(ratios.mean_ratio([])))
        == ""
    )


def test_whole_numbers_of_any_length_are_written_in_full():
    assert experiments._whole(10**6000 + 7) == "1" + "0" * 5999 + "7"


# ---------------------------------------------------------------- plans


def test_the_papers_plan_is_table_1():
    plan = Plan.from_toml(PAPER)
    assert plan.size == len(list(plan.runs)) == 300
    assert (plan.samples, plan.ks, plan.singling_out, plan.tight_seconds) == (12, (3, 4, 5, 6, 7), True, None)
    assert [(c.source.records, c.study.names, [a.layers for a in c.study.attributes]) for c in plan.configurations] == [
        (800, ("hosp_id", "APICC"), [3, 3]),
        (800, ("hosp_id", "APICC", "GAPICC"), [3, 3, 3]),
        (800, ("hosp_id", "APICC", "GAPICC", "WI_X"), [3, 3, 3, 3]),
        (500, ("weight", "bp_systolic"), [4, 3]),
        (500, ("weight", "bp_systolic", "patient_id"), [4, 3, 3]),
    ]
    assert all(c.study.profile == "paper" for c in plan.configurations)
    assert len(plan.configurations[0].source.table) == 1013


@pytest.mark.parametrize("path", sorted((ROOT / "plans").glob("*.toml")), ids=lambda path: path.name)
def test_shipped_plans_can_be_read(path):
    assert Plan.from_toml(path).size


def test_samples_are_drawn_without_replacement_and_differ(small):
    pool = small.configurations[0].source.table
    seen = set()
    for sample in range(small.samples):
        drawn = small.table(0, sample)
        assert len(drawn) == 60
        assert not drawn["hosp_id"].duplicated().any()  # identifiers are distinct in the pool
        assert set(drawn.itertuples(index=False)) <= set(pool[list(drawn.columns)].itertuples(index=False))
        seen.add(tuple(drawn["hosp_id"]))
    assert len(seen) == small.samples
    fresh = {tuple(small.table(1, sample)["weight"]) for sample in range(small.samples)}
    assert len(fresh) == small.samples


def test_the_notation_of_numbers_is_that_of_the_whole_table(tmp_path):
    # Only 12,5 tells that a comma marks the decimals; a sample without it could be read as thousands.
    cells = ["12,5", *(f"{whole},{rest}" for whole in range(1, 10) for rest in ("250", "500"))]
    write(tmp_path, "\n".join(["x", *(f'"{cell}"' for cell in cells)]) + "\n", "hand.csv")
    write(tmp_path, HAND_STUDY.replace("upper = 8", "upper = 16\nresolution = 0.001"), "hand_study.toml")
    text = HAND_PLAN.replace("k = [2]", "k = [2]\nsamples = 6").replace("sets =", "records = 3\nsets =")
    plan = Plan.from_toml(write(tmp_path, text))
    drawn = [set(plan.table(0, sample)["x"]) for sample in range(6)]
    assert any(12.5 not in values for values in drawn)
    assert set.union(*drawn) <= {12.5, *(whole + rest for whole in range(1, 10) for rest in (0.25, 0.5))}


def test_a_sample_depends_on_its_indices_only(tmp_path, small):
    more = Plan.from_toml(write(tmp_path, SMALL.replace("samples = 5", "samples = 7").replace("k = [3, 5]", "k = [4]")))
    for configuration in (0, 1):
        pd.testing.assert_frame_equal(more.table(configuration, 4), small.table(configuration, 4))
    other = Plan.from_toml(write(tmp_path, SMALL.replace("seed = 11", "seed = 12")))
    assert not other.table(0, 4).equals(small.table(0, 4))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seed = 11", "seed = 12"),
        ("samples = 5", "samples = 4"),
        ("k = [3, 5]", "k = [3, 6]"),
        ("tight_seconds = 60", "tight_seconds = 61"),
        ("tight_seconds = 60", "singling_out = false"),
        ("tight_seconds = 60", 'profile = "arx-gui"'),
        ("tight_seconds = 60", 'tight_seconds = 60\nties = "arx"'),
        ("pool = 120", "pool = 121"),
        ("layers = [2, 3]", "layers = [3, 3]"),
        ('name = "pooled"', 'name = "other"'),
    ],
)
def test_the_fingerprint_tells_plans_apart(tmp_path, small, old, new):
    assert old in SMALL
    assert Plan.from_toml(write(tmp_path, SMALL.replace(old, new))).fingerprint != small.fingerprint


def test_the_fingerprint_sees_the_data_of_a_file(by_hand, tmp_path):
    first = Plan.from_toml(tmp_path / "plan.toml").fingerprint
    assert first == Plan.from_toml(tmp_path / "plan.toml").fingerprint
    write(tmp_path, HAND_DATA.replace("7,e", "6,e"), "hand.csv")
    assert Plan.from_toml(tmp_path / "plan.toml").fingerprint != first
    with pytest.raises(DataError, match="something else"):
        run_experiment(Plan.from_toml(tmp_path / "plan.toml"), by_hand)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("k = [3, 5]", "k = [3, 5", "not valid TOML"),
        ("k = [3, 5]", "", "'k' is missing"),
        ("k = [3, 5]", "k = [1]", "'k.1' is 1"),
        ("k = [3, 5]", 'k = ["3"]', "'k.1' is '3'"),
        ("k = [3, 5]", "k = []", "'k' is"),
        ("k = [3, 5]", "k = [3, 3]", "k = 3 is planned twice"),
        ("k = [3, 5]", "k = [61]", "k = 61 is more than the 60 records"),
        ("samples = 5", "samples = 0", "'samples' is 0"),
        ("samples = 5", "sample = 5", "'sample' is not a setting"),
        ("samples = 5", "profile = 'gui'", "Profile 'gui' is unknown"),
        ("tight_seconds = 60", "ties = 'c3'", "'ties' is 'c3'"),
        ("tight_seconds = 60", "tight_seconds = -1", "'tight_seconds' is"),
        ('synthetic = "clinic"', "", "Give either 'synthetic' or 'data'"),
        ('synthetic = "clinic"', 'synthetic = "clinics"', "'dataset.2.synthetic' is 'clinics'"),
        ('synthetic = "clinic"', 'data = "none.csv"', "'study' is missing"),
        ('synthetic = "clinic"', 'synthetic = "clinic"\nstudy = "x.toml"', "'study' goes with 'data'"),
        ("pool = 120\nrecords = 60", "pool = 120\nrecords = 121", "more than the 120 there are"),
        ("pool = 120", "pool = 60", "All 5 samples would hold the same 60 records"),
        ("layers = [2, 3]", "layers = [2]", "2 attributes and 1 numbers of layers"),
        ("layers = [2, 3]", "layers = [2, 90]", "APICC"),
        ('"hosp_id", "APICC"', '"hosp_id", "hospital"', "no attribute 'hospital'"),
        ('"hosp_id", "APICC"', '"hosp_id", "hosp_id"', "appears twice"),
        ('name = "pooled"', 'name = "a\\nb"', "control character"),
        ('sets = [{ attributes = ["weight", "bp_systolic"] }]', "sets = []", "'dataset.2.sets' is"),
    ],
)  # fmt: skip
def test_a_wrong_plan_is_answered_by_one_sentence(tmp_path, old, new, says):
    assert old in SMALL
    path = write(tmp_path, SMALL.replace(old, new))
    with pytest.raises(CRAError, match=re.escape(says)) as caught:
        Plan.from_toml(path)
    assert str(caught.value).startswith("plan.toml")
    done = CliRunner().invoke(cli.app, ["experiment", str(path), "--output", str(tmp_path / "results.csv")])
    assert isinstance(done.exception, CRAError)
    assert not (tmp_path / "results.csv").exists()


def test_data_that_do_not_fit_are_found_before_anything_runs(tmp_path):
    write(tmp_path, HAND_DATA.replace("7,e", "70,e"), "hand.csv")
    write(tmp_path, HAND_STUDY, "hand_study.toml")
    with pytest.raises(DataError, match=r"data set 'by hand': Column 'x': 1 value outside the domain"):
        Plan.from_toml(write(tmp_path, HAND_PLAN))


def test_a_plan_can_have_ties_broken_as_arx_does():
    # The toy's two hierarchies are alike, so that mirrored states tie.
    text = """
        samples = 8
        k = [3, 4]
        ties = "TIES"
        [[dataset]]
        name = "toy"
        synthetic = "toy"
        records = 30
        sets = [{ attributes = ["age", "weight"] }]
    """
    found = {}
    for ties in ("paper", "arx"):
        plan = Plan.from_toml_text(text.replace("TIES", ties))
        found[ties] = [row for row, _ in experiments.run_rows(plan)]
        for run, row in zip(plan.runs, found[ties], strict=True):
            study = plan.configurations[run.configuration].study.with_k(run.k)
            result = attack(recode(plan.table(run.configuration, run.sample), study, ties=ties).release)
            assert row["ties"] == ties
            assert int(row["lr_sum_compound"]) == sum(c.lr_solutions for c in result.classes if not c.basic)
            assert int(row["cra_sum_compound"]) == sum(c.cra_solutions for c in result.classes if not c.basic)
    results = [[row["each_log10_lr"] for row in found[ties]] for ties in found]
    assert results[0] != results[1]  # the setting does something


def test_the_files_of_a_plan_can_be_given_instead_of_read(tmp_path):
    write(tmp_path, HAND_DATA.replace("x,name", "x,sex").replace(",a", ",f").replace(",b", ",m"), "hand.csv")
    write(tmp_path, HAND_STUDY + '[[attribute]]\nname = "sex"\nhierarchy = "sex.csv"\n', "hand_study.toml")
    write(tmp_path, "".join(f"{value};{value};*\n" for value in "fmcde"), "sex.csv")
    text = HAND_PLAN.replace('sets = [{ attributes = ["x"] }]', 'sets = [{ attributes = ["x", "sex"] }]')
    read = Plan.from_toml(write(tmp_path, text))
    given = Plan.from_toml_text(text, find=lambda name: (tmp_path / name).read_bytes())
    table = read_table(tmp_path / "hand.csv")
    tables = Plan.from_toml_text(
        text, find=lambda name: table if name == "hand.csv" else (tmp_path / name).read_bytes()
    )
    assert given.fingerprint == tables.fingerprint == read.fingerprint
    with pytest.raises(CRAError, match=re.escape("data set 'by hand': It names the file 'hand_study.toml'")):
        Plan.from_toml_text(text)
    with pytest.raises(CRAError, match=re.escape("hand_study.toml is a table; name the study file")):
        Plan.from_toml_text(text, find=lambda _: table)
    with pytest.raises(CRAError, match=re.escape("hand_study.toml is not UTF-8 text")):
        Plan.from_toml_text(text, find=lambda _: b"\xff")


def test_sets_may_differ_in_layers_only(tmp_path):
    twice = '{ attributes = ["x"] }, { attributes = ["x"], layers = [2] }'
    write(tmp_path, HAND_DATA, "hand.csv")
    write(tmp_path, HAND_STUDY, "hand_study.toml")
    plan = Plan.from_toml(write(tmp_path, HAND_PLAN.replace('{ attributes = ["x"] }', twice)))
    assert [c.study.attributes[0].layers for c in plan.configurations] == [3, 2]
    with pytest.raises(CRAError, match=re.escape("data set 'by hand' with x (3 layers) is planned twice")):
        Plan.from_toml(write(tmp_path, HAND_PLAN.replace('{ attributes = ["x"] }', twice.replace("2]", "3]"))))


# ---------------------------------------------------------------- the same bytes, whoever does the work


def test_two_workers_write_the_same_bytes(small, expected, tmp_path):
    with workers("loky", 2):
        run_experiment(small, tmp_path / "results.csv", timings=tmp_path / "timings.csv")
    assert (tmp_path / "results.csv").read_bytes() == expected
    timed = rows(tmp_path / "timings.csv")
    assert len(timed) == small.size
    assert all(float(row["attack_seconds"]) > 0 and float(row["tight_seconds"]) > 0 for row in timed)


@pytest.mark.exhaustive
def test_a_dask_cluster_writes_the_same_bytes(small, expected, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        with workers("dask", scheduler=cluster.scheduler_address):
            run_experiment(small, tmp_path / "results.csv")
        with distributed.Client(cluster.scheduler_address) as client:
            ran = client.run(lambda: "cra_engine.experiments.run" in sys.modules)
    assert len(ran) == 2
    assert any(ran.values())  # the cluster did the work, not this process
    assert (tmp_path / "results.csv").read_bytes() == expected


# Kills itself and its workers in the middle of its eleventh row, whatever the machine is doing.
KILLED = """
import os, signal
from cra_engine.experiments import rows

honest, written = rows._Table._put, []

def put(table, line):
    written.append(line)
    if len(written) < 12:  # the header and ten rows
        honest(table, line)
        return
    honest(table, line[:7])
    os.killpg(0, signal.SIGKILL)

rows._Table._put = put
from cra_engine.__main__ import main
main()
"""


def test_killed_half_way_and_run_again(tmp_path):
    plan = write(tmp_path, SMALL.replace("samples = 5", "samples = 30").replace("tight_seconds = 60", ""))
    output = tmp_path / "results.csv"
    arguments = ["experiment", str(plan), "--output", str(output), "--jobs", "2"]
    process = subprocess.run([sys.executable, "-c", KILLED, *arguments], cwd=ROOT, capture_output=True, check=False,
                             start_new_session=True)  # fmt: skip
    assert process.returncode == -signal.SIGKILL, process.stderr
    stopped = output.read_bytes()
    assert stopped.count(b"\n") == 11  # of 120 rows and a header
    assert not stopped.endswith(b"\n")
    command = [sys.executable, "-m", "cra_engine", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"120 rows in {output}, " in done.stdout
    assert output.read_bytes().startswith(stopped[: stopped.rfind(b"\n") + 1])
    run_experiment(Plan.from_toml(plan), tmp_path / "at_once.csv")
    assert output.read_bytes() == (tmp_path / "at_once.csv").read_bytes()


class Quick:
    """Stands in for a run: says which one it was, and counts."""

    def __init__(self, plan):
        names = [name for name in row_files.columns(plan) if name not in KEY_COLUMNS]
        self.row = dict.fromkeys(names, "1")
        self.calls = 0

    def __call__(self, data, study, *_):
        self.calls += 1
        return self.row | {"records": str(len(data)), "cells": str(study.k)}, dict.fromkeys(TIMING_COLUMNS, "0.5")


@pytest.fixture(scope="module")
def quick_plan(tmp_path_factory):
    return Plan.from_toml(write(tmp_path_factory.mktemp("quick"), SMALL.replace("samples = 5", "samples = 2")))


@given(st.data())
def test_wherever_a_run_is_cut_off_it_goes_on_without_doubling_or_redoing(quick_plan, tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("cut")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiments, "run_one", quick := Quick(quick_plan))
        run_experiment(quick_plan, folder / "whole.csv", timings=folder / "whole.timings.csv")
        assert quick.calls == quick_plan.size == 8
        whole = (folder / "whole.csv").read_bytes()
        times = (folder / "whole.timings.csv").read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        complete = max(whole[:cut].count(b"\n") - 1, 0)
        (folder / "cut.csv").write_bytes(whole[:cut])
        # A row's timings are written before it, so they reach at least as far.
        lines = times.splitlines(keepends=True)
        least = len(b"".join(lines[: complete + 1])) if complete else 0
        (folder / "cut.timings.csv").write_bytes(times[: data.draw(st.integers(least, len(times)))])
        quick.calls = 0
        told = []
        already = run_experiment(
            quick_plan, folder / "cut.csv", timings=folder / "cut.timings.csv", progress=lambda *args: told.append(args)
        )
    assert already == complete
    assert quick.calls == 8 - complete
    assert (folder / "cut.csv").read_bytes() == whole
    assert (folder / "cut.timings.csv").read_bytes() == times
    assert [done for done, _, _ in told] == list(range(complete, 9))
    assert told[0] == (complete, 8, None)
    assert told[-1][2] in (None, 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "something else\n",
        lambda text: text.replace("pooled", "renamed", 1),
        lambda text: text + text.splitlines(keepends=True)[-1],
        lambda text: "".join(np.array(text.splitlines(keepends=True))[[0, 2, 1]]),
        lambda text: text.replace(",", ";"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufffd" + text,
    ],
)
def test_a_file_of_something_else_is_left_alone(small, expected, tmp_path, change):
    path = tmp_path / "results.csv"
    path.write_bytes(change(expected.decode()).encode())
    before = path.read_bytes()
    with pytest.raises(DataError, match="something else than results of this plan"):
        run_experiment(small, path)
    assert path.read_bytes() == before


def test_timings_that_do_not_cover_the_rows_are_refused(small, expected, tmp_path):
    (tmp_path / "results.csv").write_bytes(expected)
    with pytest.raises(DataError, match="does not cover"):
        run_experiment(small, tmp_path / "results.csv", timings=tmp_path / "timings.csv")
    with pytest.raises(DataError, match="named twice"):
        run_experiment(small, tmp_path / "new.csv", timings=tmp_path / "new.csv")
    assert not (tmp_path / "new.csv").exists()


# ---------------------------------------------------------------- who does the work


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("loky", 1, "tcp://127.0.0.1:1"), "goes with --backend dask"),
        (("dask", None, None), "Name the cluster's scheduler"),
        (("dask", None, "nowhere"), "No Dask scheduler answers at nowhere"),
    ],
)
def test_workers_that_cannot_be_had(arguments, says):
    with pytest.raises(CRAError, match=says), workers(*arguments):
        pass


def test_without_dask_one_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    says = re.escape("pip install 'cra-explorer[cluster]'")
    with pytest.raises(CRAError, match=says), workers("dask", scheduler="tcp://127.0.0.1:1"):
        pass


def kill_this_process():
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_lost_worker_is_said_in_one_sentence():
    with pytest.raises(CRAError, match="run the same command again"), workers("loky", 2):
        joblib.Parallel()(joblib.delayed(kill_this_process)() for _ in range(2))


# ---------------------------------------------------------------- the command line


def test_the_commands(tmp_path, by_hand):
    output = tmp_path / "again.csv"
    arguments = ["experiment", str(tmp_path / "plan.toml"), "--output", str(output), "--jobs", "1"]
    done = CliRunner().invoke(cli.app, arguments, catch_exceptions=False)
    assert (done.exit_code, done.stdout) == (0, f"1 rows in {output}.\n")
    assert done.stderr.splitlines() == ["0 of 1 runs", "1 of 1 runs"]
    assert output.read_bytes() == by_hand.read_bytes()
    done = CliRunner().invoke(
        cli.app, ["report", str(output), "--output", str(tmp_path / "new" / "report")], catch_exceptions=False
    )
    assert done.exit_code == 0
    assert {path.name for path in (tmp_path / "new" / "report").iterdir()} == set(report_files(Results(output)))


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("name", ["plan.toml", "hand.csv", "hand_study.toml"])
def test_an_experiment_never_replaces_what_it_reads(tmp_path, name):
    before = (tmp_path / name).read_bytes()
    done = CliRunner().invoke(cli.app, ["experiment", str(tmp_path / "plan.toml"), "--output", str(tmp_path / name)])
    assert isinstance(done.exception, DataError)
    assert (tmp_path / name).read_bytes() == before


def test_an_interrupted_experiment_says_how_to_go_on(tmp_path, by_hand, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("cra_engine.experiments.run.run_experiment", interrupted)
    done = CliRunner().invoke(cli.app, ["experiment", str(tmp_path / "plan.toml"), "--output", str(by_hand)])
    assert isinstance(done.exception, CRAError)
    assert str(done.exception) == f"Stopped; run the same command again to go on with {by_hand}."


def test_progress_on_a_terminal_is_one_line():
    stream = io.StringIO()
    stream.isatty = lambda: True
    progress = Progress(stream)
    progress.show(0, 2, None)
    progress.show(2, 2, 0.0)
    progress.end()
    progress.end()
    assert [part.strip() for part in stream.getvalue().split("\r")] == ["", "0 of 2 runs", "2 of 2 runs"]
    assert stream.getvalue().endswith("\n")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.4, "59 s"), (60, "1 min"), (3580, "1 h 0 min"), (7500, "2 h 5 min")]
)
def test_durations(seconds, text):
    assert duration(seconds) == text


# ---------------------------------------------------------------- the tables


def table(results, key):
    found = {table.key: table for table in all_tables(results)}[key]
    return [{c.title: value for c, value in zip(found.columns, row, strict=True)} for row in found.rows]


def test_tables_worked_out_by_hand(by_hand):
    """Three samples of one configuration, told apart by a few numbers; the others are the hand-worked row's."""
    first = rows(by_hand)[0]
    none = {
        "sample": "1",
        "basic_classes": "4",
        "classes": "4",
        "compound_classes": "0",
        "lr_sum_compound": "0",
        "cra_sum_compound": "0",
        "combinations_sum_compound": "0",
        "ratio_mean": "1",
        "log10_ratio_mean": "0",
        "ratio_mean_compound": "",
        "log10_ratio_mean_compound": "",
        **{name: "" for name in first if name.startswith(("each_", "outlier_"))},
        "outliers": "0",
        "singled_many": "0",
    }
    two = {
        "sample": "2",
        "classes": "3",
        "compound_classes": "2",
        "lr_sum_compound": "2" + "0" * 400,
        "cra_sum_compound": "20",
        "combinations_sum_compound": "6",
        "log10_ratio_mean_compound": "2",
        "ratio_mean_compound": "100",
        "each_log10_ratio": "1 2.255272505103306",
        "each_combinations": "1 5",
        "singled_failed": "1",
        "singled_many": "1",
        "outlier_log10_ratio": "1",
    }
    with by_hand.open("a", encoding="utf-8", newline="") as file:
        csv.DictWriter(file, first, lineterminator="\n").writerows([first | none, first | two])
    results = Results(by_hand)

    (row,) = table(results, "table2")
    assert row["QIs"] == 1
    assert row["k = 2: LR solutions"] == pytest.approx(400 + math.log10(1 / 2))  # the mean of 6 and 10^400
    assert row["k = 2: CRA solutions"] == pytest.approx(math.log10((4 + 10) / 2))
    assert row["k = 2: CRA ratio"] == pytest.approx(math.log10((1.5 + 100) / 2))
    (row,) = table(results, "table2_spread")
    assert (row["samples with any"], row["compound classes"]) == (2, 3)
    assert row["ratio, all classes"] == pytest.approx(math.log10((1.25 + 1 + 1.25) / 3))
    assert row["median"] == pytest.approx(1)  # of 1.5, 10 and 180
    assert row["largest"] == pytest.approx(math.log10(180))
    (row,) = table(results, "table3")
    assert row["k = 2: CRA ratio"] == pytest.approx(math.log10((4 + 10) / 2))
    (row,) = table(results, "table3_spread")
    assert (row["samples with any"], row["covered"]) == (2, pytest.approx(75))
    assert row["outliers"] == pytest.approx(2 / 3)
    (row,) = table(results, "table4")
    assert [row[f"k = 2: {name}"] for name in ("failed", "1 record", "> 1 record")] == pytest.approx(
        [100 / 3, 0, 200 / 3]
    )
    (row,) = table(results, "table4_spread")
    assert row["singled out, by sample"] == pytest.approx((100 + 50) / 2)
    (row,) = table(results, "table5")
    assert row["k = 2: combinations"] == pytest.approx(math.log10((1 + 3) / 2))
    everybody, alone = table(results, "figure5")
    assert (everybody["QIs"], alone["QIs"]) == ("all", "1")
    assert everybody["basic"] == alone["basic"] == pytest.approx((50 + 100 + 100 / 3) / 3)
    (row,) = table(results, "tight")
    assert (row["samples"], row["exact"], row["isolated"]) == (3, 3, 3)

    made = next(t for t in all_tables(results) if t.key == "table2")
    header, line = csv.reader(csv_text(made).splitlines())
    cells = dict(zip(header, line, strict=True))
    assert cells["k = 2: LR solutions"] == ""  # no float holds it
    assert float(cells["k = 2: LR solutions (log10)"]) == pytest.approx(399.69897)
    assert float(cells["k = 2: CRA solutions"]) == pytest.approx(7)


class Page(HTMLParser):
    """What the tests ask of the HTML report."""

    def __init__(self):
        super().__init__()
        self.heads, self.loads, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag not in ("meta", "rect", "line"):
            self.open.append(tag)
        if tag == "th" and attributes.get("scope") == "col":
            self.heads.append(attributes.get("title"))
        self.loads += [value for name, value in attrs if name in ("src", "href") and value]

    def handle_endtag(self, tag):
        if tag not in ("meta", "rect", "line"):
            assert self.open.pop() == tag


def test_the_report_is_whole_in_every_form(expected, tmp_path):
    (tmp_path / "results.csv").write_bytes(expected)
    results = Results(tmp_path / "results.csv")
    made = report_files(results)
    page = Page()
    page.feed(made["report.html"])
    assert not page.open
    assert not page.loads
    assert "url(http" not in made["report.html"]
    assert page.heads
    assert all(page.heads)  # every column says what it is
    figure = ET.fromstring(made["figure5.svg"])  # noqa: S314 - our own
    bars = [title.text for title in figure.iter("{http://www.w3.org/2000/svg}title")]
    assert len(bars) == 2 * 2 * 2  # two data sets, two k, two parts
    for found in all_tables(results):
        lines = [line for line in markdown_table(found).splitlines() if line]
        assert len(lines) == 2 + len(found.rows)
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(found.columns) + 1}
        parsed = list(csv.reader(made[f"{found.key}.csv"].splitlines()))
        assert {len(line) for line in parsed} == {
            len(found.columns) + sum(column.kind == "power" for column in found.columns)
        }
        assert f"## {found.title}" in made["report.md"]
    assert "not finished" not in made["report.md"]


def test_a_report_on_half_an_experiment_says_so(expected, tmp_path):
    (tmp_path / "results.csv").write_bytes(expected[: len(expected) // 2])
    assert "The experiment is not finished" in report_files(Results(tmp_path / "results.csv"))["report.md"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda _: "", "does not hold results"),
        (lambda _: "a,b\n1,2\n", "no column 'plan'"),
        (lambda text: text.splitlines(keepends=True)[0], "no rows yet"),
        (lambda text: text + text.splitlines(keepends=True)[1], "several experiments"),
        (lambda text: text.replace(",60,", ",sixty,", 1), "row 1: 'records' is 'sixty'"),
        (lambda text: text.replace(",singled_one,", ",singled_two,"), "no column 'singled_one'"),
    ],
)
def test_what_is_no_results_file_is_refused(expected, tmp_path, change, says):
    path = tmp_path / "results.csv"
    path.write_text(change(expected.decode()), encoding="utf-8", newline="")
    with pytest.raises(DataError, match=re.escape(says)):
        Results(path)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=30))
def test_means_by_logarithms_are_means(logs):
    assert 10 ** log10_mean(logs) == pytest.approx(sum(10**log for log in logs) / len(logs))
    assert log10_mean([log + 1000 for log in logs]) == pytest.approx(log10_mean(logs) + 1000)


def test_sets_of_one_size_are_told_apart_by_their_attributes():
    text = """
        samples = 2
        k = [3, 4]
        [[dataset]]
        name = "clinic"
        synthetic = "clinic"
        records = 40
        sets = [{ attributes = ["weight", "bp_systolic"] }, { attributes = ["weight", "bp_systolic"], layers = [3, 3] }]
    """
    plan = Plan.from_toml_text(text)
    content = row_files.header(plan) + b"".join(
        row_files.csv_line([row[name] for name in row_files.columns(plan)]) for row, _ in experiments.run_rows(plan)
    )
    results = Results(content)
    finer, coarser = "weight, bp_systolic (4, 3 layers)", "weight, bp_systolic (3, 3 layers)"
    assert [row["attributes"] for row in table(results, "table2")] == [finer, coarser]
    assert [row["attributes"] for row in table(results, "table2_spread")] == [finer, finer, coarser, coarser]
    assert [row["QIs"] for row in table(results, "figure5")] == ["all", "all", finer, finer, coarser, coarser]
    courses = {row["course"] for row in table(results, "trends")}
    assert courses == {f"{finer}, k grows", f"{coarser}, k grows"}  # neither has more quasi-identifiers than the other
    assert {len(line) for line in csv.reader(report_files(results)["table2_spread.csv"].splitlines())}


@pytest.mark.parametrize("number", ["1", "7", "999999999999999999", "1" + "0" * 18, "123456789" * 700, "2.5e3"])
def test_logarithms_of_whole_numbers_of_any_length(number):
    assert log10(number) == pytest.approx(float(Decimal(number).log10()), rel=1e-15)


def test_the_logarithm_of_nothing():
    assert log10("0") == log10("000") == -math.inf


def test_nothing_has_no_mean_and_no_quantile():
    assert log10_mean([]) is None
    assert log10_mean([None, 2.0]) == 2
    assert log10_mean([-math.inf, 2.0]) == pytest.approx(2 - math.log10(2))
    assert quantile([], 0.5) is None
    assert quantile([1, 2, 4], 0.75) == 3


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "power", "-"),
        (math.log10(1.5), "power", "1.50"),
        (math.log10(1886.2), "power", "1,886"),
        (21 + math.log10(3.256), "power", "3.26 × 10²¹"),
        (400 + math.log10(9.999), "power", "1.00 × 10⁴⁰¹"),
        (-math.inf, "power", "0"),
        (12.345, "percent", "12.3 %"),
        (1234, "count", "1,234"),
        (0.125, "number", "0.12"),
        ("all", "text", "all"),
    ],
)
def test_values_as_people_read_them(value, kind, text):
    assert shown(value, kind) == text


def test_every_column_is_explained_in_the_documentation():
    text = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    explained = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.MULTILINE))
    parts = (KEY_COLUMNS, CLASS_COLUMNS, OUTLIER_COLUMNS, SINGLING_COLUMNS, TIGHT_COLUMNS, TIMING_COLUMNS)
    assert explained == {name: meaning for part in parts for name, meaning in part.items()}


def test_every_column_of_the_report_is_explained_in_the_documentation(expected):
    text = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    explained = text[text.index("<!-- report-columns") : text.index("<!-- end of report-columns")]
    for found in all_tables(Results(expected)):
        part = explained[explained.index(f"\n{found.title}:\n") :].split("| --- | --- |\n")[1].split("\n\n")[0]
        assert part.strip() == "\n".join(f"| {column.name} | {column.help} |" for column in definitions(found))
