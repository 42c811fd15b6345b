"""The command line: the whole path with its JSON, and one sentence and status 2 for everything that is wrong."""

import io
import json
import math
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from cra_engine.attacks.refinement.attack import attack
from cra_engine.cli import commands as cli
from cra_engine.release import read_release
from cra_engine.study.study import Study

ROOT = Path(__file__).resolve().parents[2]


class Done:
    """What a command left behind."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def json(self):
        """The one JSON object on stdout; anything else there fails."""
        assert self.status == 0, self.err
        result = json.loads(self.out)
        assert isinstance(result, dict)
        return result


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the command line in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["cra-engine", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        out, err = capsys.readouterr()
        return Done(caught.value.code or 0, out, err)

    return command


def process(*arguments, cwd):
    """Run it as people do, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "cra_engine", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


# ---------------------------------------------------------------- the keys, as documented

RECODE = {"records", "k", "classes", "outliers", "left_out", "iterations", "measures", "warnings"}
RECODED_CLASS = {"state", "box", "size", "iteration"}
ATTACK = {"records", "k", "ties", "prior", "attributes", "classes", "outliers", "mean_ratio", "mean_ratio_compound"} | {
    "warnings"
}
PART = {"state", "box", "size", "free_cells", "lr_solutions", "cra_solutions", "ratio", "log10_ratio"} | {
    "combinations",
    "cra_bounds",
    "combinations_bounds",
}
ENUMERATE = {"cells", "assignments", "complete", "combinations"}
SINGLED = {"classes", "outliers", "summary", "summary_compound"}
SINGLED_CLASS = {"index", "outcome", "valid", "isolating"}
CHANCES = {"cells", "assumption", "prior", "expected_isolated", "expected_isolated_bounds"}
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
    assert sum(c["size"] for c in recoded["classes"]) + recoded["outliers"] == len(raw)
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
    for part in [*attacked["classes"], *([attacked["outliers"]] if attacked["outliers"] else [])]:
        check_part(part, study)
    assert [(c["state"], c["box"], c["size"]) for c in attacked["classes"]] == [
        (c["state"], c["box"], c["size"]) for c in recoded["classes"]
    ]
    assert (attacked["outliers"] or {"size": 0})["size"] == recoded["outliers"]
    ratios = [c["ratio"] for c in attacked["classes"]]
    compound = [c["ratio"] for c in attacked["classes"] if any(layer > 1 for layer in c["state"])]
    assert attacked["mean_ratio"] == pytest.approx(sum(ratios) / len(ratios))
    assert attacked["mean_ratio_compound"] == pytest.approx(sum(compound) / len(compound))

    index = next(i for i, c in enumerate(attacked["classes"]) if any(layer > 1 for layer in c["state"]))
    one = attacked["classes"][index]
    listed = run("enumerate", *where, "--class", index, "--limit", 7, "--json").json
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
    parts = [*singled["classes"], *([singled["outliers"]] if singled["outliers"] else [])]
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


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7])
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


# ---------------------------------------------------------------- options, and the text for people


@pytest.fixture
def toy(run):
    """The toy's files and its release."""
    assert run("synthesize", "toy", "--seed", 1, "--output", "data.csv", "--study", "study.toml").status == 0
    assert run("recode", "data.csv", "--study", "study.toml", "--output", "release.csv").status == 0
    return run


def test_listing_everything_is_complete(toy):
    attacked = toy("attack", "release.csv", "--study", "study.toml", "--json").json
    for index, part in [*enumerate(attacked["classes"]), (-1, attacked["outliers"])]:
        listed = toy(
            "enumerate", "release.csv", "--study", "study.toml", "--class", index, "--limit", 10**6, "--json"
        ).json
        assert listed["complete"] is True
        assert len(listed["assignments"]) == int(listed["combinations"]) == int(part["combinations"])
        assert len({tuple(counts) for counts in listed["assignments"]}) == len(listed["assignments"])


def test_the_order_of_ties_is_an_option(toy):
    result = {}
    for ties in ("sound", "paper"):
        result[ties] = toy("attack", "release.csv", "--study", "study.toml", "--ties", ties, "--json").json
        assert result[ties]["ties"] == ties
        expected = attack(read_release("release.csv", Study.from_toml("study.toml")), ties=ties)
        assert [c["cra_solutions"] for c in result[ties]["classes"]] == [str(c.cra_solutions) for c in expected.classes]
    assert result["sound"]["classes"] != result["paper"]["classes"]  # the toy is laid out to show ties
    singled = toy(
        "single-out", "release.csv", "--study", "study.toml", "--data", "data.csv", "--ties", "paper", "--json"
    )
    assert not all(c["valid"] for c in singled.json["classes"])


def test_k_on_the_command_line_goes_before_the_study(toy):
    assert toy("recode", "data.csv", "--study", "study.toml", "--k", 6, "--output", "six.csv", "--json").json["k"] == 6
    assert toy("attack", "six.csv", "--study", "study.toml", "--k", 6, "--json").json["k"] == 6


def test_text_for_people(toy):
    recoded = toy("recode", "data.csv", "--study", "study.toml", "--output", "again.csv").out
    assert recoded.startswith("36 records, k = 3: ")
    assert recoded.endswith("Release in again.csv.\n")
    attacked = toy("attack", "release.csv", "--study", "study.toml").out.splitlines()
    classes = toy("attack", "release.csv", "--study", "study.toml", "--json").json["classes"]
    assert len(attacked) == 1 + len(classes) + 1 + 1  # heading, classes, outliers, means
    assert attacked[-1].startswith("Mean ratio ")
    listed = toy("enumerate", "release.csv", "--study", "study.toml", "--class", -1, "--limit", 1).out.splitlines()
    assert listed[-1].endswith("(not all: the listing was cut short).")
    assert "Expected number of cells" in toy("single-out", "release.csv", "--study", "study.toml").out
    singled = toy("single-out", "release.csv", "--study", "study.toml", "--data", "data.csv").out
    assert "exactly one record has age in [" in singled
    assert singled.splitlines()[-1].startswith("Classes: ")


def test_findings_that_stop_nothing_are_noted(toy):
    raw = pd.read_csv("data.csv").astype(float)
    raw.loc[3, "age"] += 0.5
    raw.to_csv("half.csv", index=False)
    done = toy("recode", "half.csv", "--study", "study.toml", "--output", "half_release.csv", "--json")
    (note,) = done.json["warnings"]
    assert note.startswith("Column 'age': 1 value finer than the resolution 1")
    assert done.err == f"Note: {note}\n"


def test_a_release_that_no_table_explains_is_noted(run):
    # Three in a box of two leaves with k = 2: one half would hold two.
    Path("study.toml").write_text(
        'k = 2\n[[attribute]]\nname = "a"\nlower = 0\nupper = 8\nlayers = 3\n', encoding="utf-8"
    )
    Path("release.csv").write_text("a\n" + '"[0, 4["\n' * 3, encoding="utf-8")
    done = run("attack", "release.csv", "--study", "study.toml", "--json")
    (part,) = done.json["classes"]
    assert (part["cra_solutions"], part["ratio"], part["log10_ratio"]) == ("0", None, None)
    assert done.json["warnings"][0].startswith("Class 0: no data satisfy")
    assert done.err.startswith("Note: Class 0: no data satisfy")


@pytest.mark.usefixtures("toy")
def test_a_release_goes_to_standard_output_too(tmp_path):
    done = process("recode", "data.csv", "--study", "study.toml", "--output", "/dev/stdout", cwd=tmp_path)
    assert done.status == 0
    assert done.out.startswith(Path("release.csv").read_text(encoding="utf-8"))


def test_help_and_usage(run):
    help_ = run("--help")
    assert help_.status == 0
    for command in ("synthesize", "recode", "attack", "enumerate", "single-out", "dashboard"):
        assert command in help_.out
        assert run(command, "--help").status == 0


# ---------------------------------------------------------------- what is wrong

STUDY = """
k = 3
[[attribute]]
name = "age"
lower = 0
upper = 80
layers = 3
[[attribute]]
name = "weight"
lower = 0
upper = 160
layers = 3
"""
DATA = "id,age,weight\n" + "".join(f"{i},{7 * i % 80},{11 * i % 160}\n" for i in range(30))
LABELS = "age;weight\n" + "[0, 20[;[0, 40[\n" * 3


def zipped():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return content.getvalue()


RECODE_IT = ("recode", "data.csv", "--study", "study.toml", "--output", "out.csv", "--json")
ATTACK_IT = ("attack", "release.csv", "--study", "study.toml", "--json")
LIST_IT = ("enumerate", "release.csv", "--study", "study.toml", "--json")
SINGLE_IT = ("single-out", "release.csv", "--study", "study.toml", "--json")
MAKE_IT = ("synthesize", "clinic", "--output", "out.csv", "--study", "out.toml")


def data(text):
    return {"data.csv": text}


def study(old, new):
    assert old in STUDY
    return {"study.toml": STUDY.replace(old, new, 1)}


def out_of_domain():
    lines = DATA.splitlines()
    for row, cells in ((4, "x,-1,5"), (9, "x,80,5"), (11, "x,81.5,5"), (20, "x,900,5")):
        lines[row] = cells
    return "\n".join(lines)


WRONG = {
    "k below 2": ({}, (*RECODE_IT, "--k", 1), "k is 1; it must be 2 or more"),
    "k of 0": ({}, (*ATTACK_IT, "--k", 0), "k is 0; it must be 2 or more"),
    "k above the records": ({}, (*RECODE_IT, "--k", 31), "k = 31 is more than the 30 records"),
    "k below 2 in the study": (study("k = 3", "k = 1"), RECODE_IT, "k is 1; it must be 2 or more"),
    "attribute not in the table": (
        data("id,age\n1,2\n3,4\n5,6\n"),
        RECODE_IT,
        "has no column 'weight'; it has: 'id', 'age'",
    ),
    "values outside the domain": (
        data(out_of_domain()),
        RECODE_IT,
        "Column 'age': 4 values outside the domain [0, 80): -1 in row 4, 80 in row 9, 81.5 in row 11; widen",
    ),
    "text among numbers": (
        data("age,weight\n1,2\nold,4\n5,6\n"),
        RECODE_IT,
        "Column 'age': 1 cell with text where a number is needed: 'old' in row 2",
    ),
    "empty cells": (data("age,weight\n1,2\n3,\n,6\n5,6\n7,\n"), RECODE_IT, "Column 'age': 1 empty cell (row 3)"),
    "empty file": (data(""), RECODE_IT, "data.csv is empty"),
    "header only": (data("age,weight\n"), RECODE_IT, "The table holds no record"),
    "layers that do not divide": (
        study("upper = 80", "upper = 82"),
        RECODE_IT,
        "Attribute 'age': 82 values cannot be split into 4 equal leaves (3 layers, fanout 2); take upper = 84",
    ),
    "attribute twice": (study('"weight"', '"age"'), RECODE_IT, "Attribute 'age' appears twice in the study"),
    "column twice": (data("age,weight,age\n1,2,3\n"), RECODE_IT, "data.csv: the column name 'age' appears twice"),
    "row too short": (data("age,weight\n1,2\n3\n"), RECODE_IT, "data.csv, row 2: 1 cells where the first line names 2"),
    "an Excel file": (data(zipped()), RECODE_IT, "data.csv is an Excel or zip file, not a CSV text"),
    "broken quotes": (data('age,weight\n1,"2\n'), RECODE_IT, "data.csv is not a well-formed CSV"),
    "a name of two lines": (
        data('"age\n(years)",weight\n1,2\n'),
        RECODE_IT,
        "has no column 'age'; it has: 'age\\n(years)'",
    ),
    "no data file": ({"data.csv": None}, RECODE_IT, "data.csv cannot be read: No such file"),
    "no study file": ({"study.toml": None}, RECODE_IT, "The study file study.toml cannot be read: No such file"),
    "no release file": ({"release.csv": None}, ATTACK_IT, "release.csv cannot be read: No such file"),
    "study is no TOML": ({"study.toml": "k = = 3"}, ATTACK_IT, "study.toml is not valid TOML"),
    "study is a CSV": ({"study.toml": DATA}, ATTACK_IT, "study.toml is not valid TOML"),
    "study is an Excel file": ({"study.toml": zipped()}, ATTACK_IT, "study.toml is not"),
    "study setting misspelt": (study("layers", "leyers"), ATTACK_IT, "'attribute.1.layers' is missing"),
    "study without k": (study("k = 3", ""), ATTACK_IT, "'k' is missing"),
    "unknown profile": (study("k = 3", 'k = 3\nprofile = "x"'), ATTACK_IT, "Profile 'x' is unknown"),
    "too many states": (
        {
            "study.toml": STUDY.replace("upper = 80", "upper = 4096")
            .replace("upper = 160", "upper = 4096")
            .replace("3\n", "12\n")
        },
        ATTACK_IT,
        "take fewer attributes or fewer layers",
    ),
    "a label of another study": (
        {"release.csv": LABELS + "[0, 30[;*\n" * 3},
        ATTACK_IT,
        "Column 'age', row 4: '[0, 30[' is no interval of this study's hierarchy",
    ),
    "a raw table for the release": (
        {"release.csv": DATA},
        ATTACK_IT,
        "Every record shows raw values ('age' among them)",
    ),
    "a class smaller than k": (
        {"release.csv": LABELS + "[20, 40[;*\n" * 2},
        ATTACK_IT,
        "The class age in [20, 40) (row 4) has 2 records, fewer than k = 3; this is not a release with that k",
    ),
    "a release of a smaller k": ({}, (*ATTACK_IT, "--k", 4), "has 3 records, fewer than k = 4"),
    "a release without a column": ({"release.csv": "age\n*\n"}, ATTACK_IT, "The table has no column 'weight'"),
    "an empty release": ({"release.csv": ""}, ATTACK_IT, "release.csv is empty"),
    "a release without records": ({"release.csv": "age;weight\n"}, ATTACK_IT, "The release holds no record"),
    "a class that is not there": ({}, (*LIST_IT, "--class", 1), "There is no class 1; give 0 to 0."),
    "a negative class": ({}, (*LIST_IT, "--class", -2), "There is no class -2; give 0 to 0."),
    "no outliers to list": ({}, (*LIST_IT, "--class", -1), "There is no class -1; give 0 to 0."),
    "only outliers to list": (
        {"release.csv": "age;weight\n*;*\n"},
        (*LIST_IT, "--class", 0),
        "There is no class 0; there is none, or -1 for the outliers.",
    ),
    "raw table of another size": ({}, (*SINGLE_IT, "--data", "data.csv"), "raw table has 30 rows and the release 3"),
    "raw table in another order": (
        data("age,weight\n1,2\n70,4\n5,6\n"),
        (*SINGLE_IT, "--data", "data.csv"),
        "Row 2: the raw age lies outside the interval [0, 20) published in that row",
    ),
    "nothing possible": (
        {"release.csv": "age;weight\n" + "[0, 40[;*\n" * 9},
        SINGLE_IT,
        "Class 0: no data satisfy its constraints",
    ),
    "an output folder that is not there": (
        {},
        ("recode", "data.csv", "--study", "study.toml", "--output", "nowhere/out.csv"),
        "nowhere/out.csv cannot be written: No such file",
    ),
    "an output over the input": (
        {},
        ("recode", "data.csv", "--study", "study.toml", "--output", "./data.csv"),
        "data.csv is named twice; give the output a file of its own",
    ),
    "an output that is a folder": (
        {},
        ("recode", "data.csv", "--study", "study.toml", "--output", "."),
        ". cannot be written: Is a directory",
    ),
    "a study that cannot be written": (
        {},
        ("synthesize", "toy", "--output", "out.csv", "--study", "nowhere/out.toml"),
        "nowhere/out.toml cannot be written",
    ),
    "table and study in one file": (
        {},
        ("synthesize", "toy", "--output", "out.csv", "--study", "out.csv"),
        "out.csv is named twice",
    ),
    "no records": ({}, (*MAKE_IT, "--records", 0), "The number of records is 0"),
    "negative seed": ({}, (*MAKE_IT, "--seed", -1), "The seed is -1"),
}


def place(files):
    """The folder with its files; None takes one away."""
    for name, content in ({"data.csv": DATA, "study.toml": STUDY, "release.csv": LABELS} | files).items():
        if isinstance(content, bytes):
            Path(name).write_bytes(content)
        elif content is not None:
            Path(name).write_text(content, encoding="utf-8")


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_one_sentence(run, case):
    files, arguments, message = WRONG[case]
    place(files)
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.err.endswith(".\n")
    assert "Traceback" not in done.err
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before  # no output left


def test_the_cases_are_right_but_for_what_is_wrong(run):
    place({})
    for arguments in (RECODE_IT, ATTACK_IT, (*LIST_IT, "--class", 0), SINGLE_IT):
        assert run(*arguments).json
    assert run(*MAKE_IT).status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing",),
        ("attack", "release.csv"),
        (*ATTACK_IT, "--unknown"),
        (*ATTACK_IT, "--k", "five"),
        (*ATTACK_IT, "--ties", "arx"),
        (*LIST_IT, "--class", 0, "--limit", 0),
        LIST_IT,
        ("recode", "data.csv", "--study", "study.toml"),
        ("synthesize", "nobody", "--output", "out.csv", "--study", "out.toml"),
    ],
)
def test_a_command_that_cannot_be_understood(run, arguments):
    place({})
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.endswith("--help.\n")
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    assert not Path("out.csv").exists()


# ---------------------------------------------------------------- in a process of its own


def test_as_a_process(run, tmp_path):
    assert run("synthesize", "toy", "--output", "data.csv", "--study", "study.toml").status == 0
    recoded = process("recode", "data.csv", "--study", "study.toml", "--output", "release.csv", "--json", cwd=tmp_path)
    assert set(recoded.json) == RECODE
    assert recoded.err == ""


def test_a_process_that_fails_leaves_one_line_and_status_2(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "data.csv").write_bytes(zipped())
    done = process(*RECODE_IT, cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert done.err == "data.csv is an Excel or zip file, not a CSV text; save the table as CSV and take that file.\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "study.toml"]


def test_counts_past_4300_digits_are_written_out(run):
    # 800 suppressed records: C(10**12, 800) has over 7,000 digits, more than str() of an int writes.
    Path("study.toml").write_text(
        'k = 801\n[[attribute]]\nname = "a"\nlower = 0\nupper = 1000000000000\nlayers = 1\n', encoding="utf-8"
    )
    Path("release.csv").write_text("a\n" + "*\n" * 800, encoding="utf-8")
    outliers = run("attack", "release.csv", "--study", "study.toml", "--json").json["outliers"]
    assert len(outliers["lr_solutions"]) > 4300
    assert outliers["lr_solutions"] == outliers["cra_solutions"]
    assert run("attack", "release.csv", "--study", "study.toml").status == 0
