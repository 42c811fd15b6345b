"""The command line from raw data to who is singled out, with its JSON as documented."""

import math
import shutil
from pathlib import Path

import pandas as pd
import pytest

from cra_engine.study.study import Study
from done import ROOT, process
from shares import first

RECODE = {"records", "k", "classes", "suppressed", "left_out", "iterations", "loss", "measures", "warnings"}


RECODED_CLASS = {"state", "box", "size", "iteration"}


ATTACK = {
    "records",
    "k",
    "ties",
    "prior",
    "attributes",
    "classes",
    "suppressed",
    "mean_ratio",
    "mean_ratio_compound",
} | {"warnings"}


PART = {"state", "box", "size", "free_cells", "lr_solutions", "cra_solutions", "ratio", "log10_ratio"} | {
    "combinations",
    "cra_bounds",
    "combinations_bounds",
}


ENUMERATE = {"cells", "assignments", "complete", "combinations"}


SINGLED = {"classes", "suppressed", "summary", "summary_compound"}


SINGLED_CLASS = {"index", "outcome", "valid", "isolating"}


CHANCES = {"cells", "assumption", "prior", "expected_isolated", "expected_isolated_bounds", "complete"}


OUTCOMES = {"failed", "one", "many"}


def check_box(box, study):
    assert len(box) == len(study.attributes)
    for (lower, upper), attribute in zip(box, study.attributes, strict=True):
        assert float(attribute.lower) <= lower < upper <= float(attribute.upper)


def check_part(part, study):
    assert set(part) == PART
    check_box(part["box"], study)
    assert len(part["state"]) == len(study.attributes)
    assert all(isinstance(part[name], int) for name in ("size", "free_cells"))
    # Whole numbers that can pass 2**53 are text.
    lr, cra, combinations = (int(part[name]) for name in ("lr_solutions", "cra_solutions", "combinations"))
    for name in ("lr_solutions", "cra_solutions", "combinations"):
        assert isinstance(part[name], str)
    steps = [
        round((upper - lower) / float(a.resolution))
        for (lower, upper), a in zip(part["box"], study.attributes, strict=True)
    ]
    assert lr == math.comb(math.prod(steps), part["size"])
    assert lr >= cra >= 1
    assert combinations >= 1
    assert part["ratio"] == pytest.approx(lr / cra)
    assert part["log10_ratio"] == pytest.approx(math.log10(lr) - math.log10(cra), abs=1e-9)
    if all(layer == 1 for layer in part["state"]):
        assert (part["free_cells"], lr) == (1, cra)


def whole_path(run, data, study_path, *k):
    """Recode, attack without the raw table, list, single out without and with it; returns the attack's JSON."""
    study = Study.from_toml(study_path)
    raw = pd.read_csv(data)
    wanted = int(k[1]) if k else study.k

    recoded = run("recode", data, "--study", study_path, *k, "--output", "release.csv", "--json").json
    assert set(recoded) == RECODE
    assert (recoded["records"], recoded["k"]) == (len(raw), wanted)
    assert all(set(c) == RECODED_CLASS for c in recoded["classes"])
    assert min(c["size"] for c in recoded["classes"]) >= wanted
    assert sum(c["size"] for c in recoded["classes"]) + recoded["suppressed"] == len(raw)
    assert {c["iteration"] for c in recoded["classes"]} == set(range(1, recoded["iterations"] + 1))
    published = pd.read_csv("release.csv", sep=";", dtype=str)
    assert list(published.columns) == list(raw.columns)
    assert len(published) == len(raw)

    # The attacker has the release and the study, and nothing else.
    folder = Path("attacker")
    folder.mkdir(exist_ok=True)
    for name, file in (("release.csv", "release.csv"), ("study.toml", study_path)):
        shutil.copy(file, folder / name)
    hidden = Path("hidden.csv")
    Path(data).rename(hidden)
    where = ("attacker/release.csv", "--study", "attacker/study.toml", *k)
    attacked = run("attack", *where, "--json").json
    assert set(attacked) == ATTACK
    assert (attacked["records"], attacked["k"], attacked["ties"]) == (len(raw), wanted, "sound")
    assert attacked["attributes"] == list(study.names)
    assert attacked["warnings"] == []
    for part in [*attacked["classes"], *([attacked["suppressed"]] if attacked["suppressed"] else [])]:
        check_part(part, study)
    assert [(c["state"], c["box"], c["size"]) for c in attacked["classes"]] == [
        (c["state"], c["box"], c["size"]) for c in recoded["classes"]
    ]
    assert (attacked["suppressed"] or {"size": 0})["size"] == recoded["suppressed"]
    ratios = [c["ratio"] for c in attacked["classes"]]
    compound = [c["ratio"] for c in attacked["classes"] if any(layer > 1 for layer in c["state"])]
    assert attacked["mean_ratio"] == pytest.approx(sum(ratios) / len(ratios))
    assert attacked["mean_ratio_compound"] == pytest.approx(sum(compound) / len(compound))

    index = next(i for i, c in enumerate(attacked["classes"]) if any(layer > 1 for layer in c["state"]))
    one = attacked["classes"][index]
    listed = run("attack", *where, "--list", index, "--limit", 7, "--json").json
    assert set(listed) == ENUMERATE
    assert listed["combinations"] == one["combinations"]
    assert len(listed["cells"]) == one["free_cells"]
    assert len(listed["assignments"]) == min(7, int(one["combinations"]))
    assert listed["complete"] == (int(one["combinations"]) <= 7)
    assert all(sum(counts) == one["size"] and len(counts) == one["free_cells"] for counts in listed["assignments"])
    for box in listed["cells"]:
        check_box(box, study)

    chances = run("single-out", *where, "--json").json
    assert set(chances) == CHANCES
    assert all(set(cell) == {"box", "probability", "probability_bounds", "classes"} for cell in chances["cells"])
    probabilities = [cell["probability"] for cell in chances["cells"]]
    assert all(0 < probability <= 1 for probability in probabilities)
    assert probabilities == sorted(probabilities, reverse=True)
    assert chances["expected_isolated"] == pytest.approx(sum(probabilities))

    hidden.rename(data)
    singled = run("single-out", *where, "--data", data, "--json").json
    assert set(singled) == SINGLED
    assert [c["index"] for c in singled["classes"]] == list(range(len(attacked["classes"])))
    for single in singled["classes"]:
        assert set(single) == SINGLED_CLASS
        assert single["valid"] is True
        assert single["outcome"] == ("failed", "one", "many")[min(len(single["isolating"]), 2)]
    for name in ("summary", "summary_compound"):
        assert set(singled[name]) == OUTCOMES
    assert sum(singled["summary"].values()) == len(attacked["classes"])
    assert sum(singled["summary_compound"].values()) == len(compound)
    # Whoever is singled out with the raw data had a chance without: the cell holds exactly one row of the raw table.
    possible = [cell["box"] for cell in chances["cells"]]
    parts = [*singled["classes"], *([singled["suppressed"]] if singled["suppressed"] else [])]
    for box in (box for single in parts for box in single["isolating"]):
        assert box in possible
        inside = pd.Series(data=True, index=raw.index)
        for (lower, upper), name in zip(box, study.names, strict=True):
            inside &= (raw[name] >= lower) & (raw[name] < upper)
        assert inside.sum() == 1
    return attacked


def test_the_whole_path_on_a_synthetic_clinic(run):
    made = run("synthesize", "clinic", "--records", 500, "--seed", 7, "--output", "data.csv", "--study", "study.toml")
    assert (made.status, made.err) == (0, "")
    assert len(pd.read_csv("data.csv")) == 500
    whole_path(run, "data.csv", "study.toml", "--k", "5")


@pytest.mark.parametrize("k", first(2, [3, 7, 4, 5, 6]))
def test_the_whole_path_on_the_diabetes_table(run, k):
    for name in ("diabetes.csv", "diabetes.toml"):
        shutil.copy(ROOT / "sample_data" / name, name)
    whole_path(run, "diabetes.csv", "diabetes.toml", "--k", str(k))


@pytest.mark.parametrize("kind", ["toy", "clinic", "hospitals"])
def test_the_same_seed_gives_the_same_files(run, kind):
    for folder in ("one", "two"):
        Path(folder).mkdir()
        arguments = ("--records", 60, "--seed", 3, "--output", f"{folder}/data.csv", "--study", f"{folder}/study.toml")
        assert run("synthesize", kind, *arguments).status == 0
    for name in ("data.csv", "study.toml"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()


def test_as_a_process(run, tmp_path):
    assert run("synthesize", "toy", "--output", "data.csv", "--study", "study.toml").status == 0
    recoded = process(
        "recode", "data.csv", "--study", "study.toml", "--output", "release.csv", "--json", "-q", cwd=tmp_path
    )
    assert set(recoded.json) == RECODE
    assert recoded.err == ""


def test_counts_past_4300_digits_are_written_out(run):
    # 800 suppressed records: C(10**12, 800) has over 7,000 digits, more than str() of an int writes.
    Path("study.toml").write_text(
        'k = 801\n[[attribute]]\nname = "a"\nlower = 0\nupper = 1000000000000\nlayers = 1\n', encoding="utf-8"
    )
    Path("release.csv").write_text("a\n" + "*\n" * 800, encoding="utf-8")
    suppressed = run("attack", "release.csv", "--study", "study.toml", "--json").json["suppressed"]
    assert len(suppressed["lr_solutions"]) > 4300
    assert suppressed["lr_solutions"] == suppressed["cra_solutions"]
    assert run("attack", "release.csv", "--study", "study.toml").status == 0
