"""Plans: what they say, which samples they draw, and one sentence on what is wrong with one."""

import re

import pandas as pd
import pytest
from small_plans import HAND_DATA, HAND_PLAN, HAND_STUDY, ROOT, SMALL, write
from typer.testing import CliRunner

from cra_engine.attacks.refinement.attack import attack
from cra_engine.cli import commands as cli
from cra_engine.errors import CRAError, DataError
from cra_engine.experiments import run as experiments
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.run import run_experiment
from cra_engine.files.tables import read_table
from cra_engine.publish.local.recoding import recode

PAPER = ROOT / "plans" / "paper.toml"


def test_the_papers_plan_is_table_1():
    plan = Plan.from_toml(PAPER)
    assert plan.size == len(list(plan.runs)) == 300
    assert (plan.samples, plan.ks, plan.singling_out, plan.tight_time_limit) == (12, (3, 4, 5, 6, 7), True, None)
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
        ("tight_time_limit = 60", "tight_time_limit = 61"),
        ("tight_time_limit = 60", "singling_out = false"),
        ("tight_time_limit = 60", 'profile = "arx-gui"'),
        ("tight_time_limit = 60", 'tight_time_limit = 60\nties = "arx"'),
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
        ("tight_time_limit = 60", "ties = 'c3'", "'ties' is 'c3'"),
        ("tight_time_limit = 60", "tight_time_limit = -1", "'tight_time_limit' is"),
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
