"""Options of the command line, and the text that it has for people."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from cra_engine.assess.attacked import assess, attack_by_class
from cra_engine.attacks.refinement.attack import attack
from cra_engine.release import read_release
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from done import ROOT, process


@pytest.fixture
def toy(run):
    """The toy's files and its release."""
    assert run("synthesize", "toy", "--seed", 1, "--output", "data.csv", "--study", "study.toml").status == 0
    assert run("recode", "data.csv", "--keep-order", "--study", "study.toml", "--output", "release.csv").status == 0
    return run


def test_listing_everything_is_complete(toy):
    attacked = toy("attack", "release.csv", "--study", "study.toml", "--json").json
    for index, part in [*enumerate(attacked["classes"]), (-1, attacked["suppressed"])]:
        listed = toy("attack", "release.csv", "--study", "study.toml", "--list", index, "--limit", 10**6, "--json").json
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
    assert len(attacked) == 1 + len(classes) + 1 + 2  # heading, classes, suppressed records, means, prior
    assert attacked[-2].startswith("Mean ratio ")
    assert attacked[-1].endswith("(prior distinct).")
    listed = toy("attack", "release.csv", "--study", "study.toml", "--list", -1, "--limit", 1).out.splitlines()
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


def test_what_is_wrong_with_many_classes_is_said_once(run):
    Path("study.toml").write_text(
        'k = 2\n[[attribute]]\nname = "a"\nlower = 0\nupper = 8\nlayers = 3\n', encoding="utf-8"
    )
    Path("release.csv").write_text("a\n" + '"[0, 4["\n' * 3 + '"[4, 8["\n' * 3, encoding="utf-8")
    done = run("attack", "release.csv", "--study", "study.toml")
    assert done.err.startswith("Note: Class 0 and 1 other, each: no data satisfy its constraints;")
    assert done.err.count("no data satisfy") == 1
    assert done.out.count("none fits") == 2
    assert "nan" not in done.out
    assert "\nNo mean ratio: a class that no data set explains has none.\n" in done.out


@pytest.mark.usefixtures("toy")
def test_a_release_goes_to_standard_output_too(tmp_path):
    done = process(
        "recode", "data.csv", "--keep-order", "--study", "study.toml", "--output", "/dev/stdout", cwd=tmp_path
    )
    assert done.status == 0
    assert done.out.startswith(Path("release.csv").read_text(encoding="utf-8"))


def test_help_and_usage(run):
    help_ = run("--help")
    assert help_.status == 0
    for command in ("synthesize", "recode", "attack", "experiment", "single-out"):
        assert command in help_.out
        assert run(command, "--help").status == 0


HEAVY = [
    *(
        "scipy",
        "ortools",
        "streamlit",
        "plotly",
        "jinja2",
        "joblib",
        "gmpy2",
        "dask",
        "distributed",
        "pydantic",
        "tomlkit",
    ),
    *("rich", "matplotlib", "sklearn"),
]


def loaded(code, heavy):
    """Those of the libraries that a program has loaded when it is done."""
    code += f"\nimport sys; print('LOADED', [name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def test_help_loads_nothing_that_it_does_not_need():
    code = (
        "import sys; sys.argv = ['cra-engine', '--help']\n"
        "from cra_engine.cli import commands\n"
        "try: commands.main()\n"
        "except SystemExit: pass"
    )
    unasked = [name for name in HEAVY if name not in {"pydantic", "rich"}]  # which show the help
    assert loaded(code, ["pandas", "numpy", *unasked]) == "LOADED []"


def test_the_engine_begins_with_pandas_alone():
    assert loaded("from cra_engine import Study, attack, recode", HEAVY) == "LOADED []"


def test_one_prior_for_every_command_and_for_the_pages_where_nobody_chooses(run):
    """Six people in four places: some are surely alike."""
    Path("study.toml").write_text(
        'k = 2\n[[attribute]]\nname = "a"\nlower = 0\nupper = 4\nlayers = 2\n', encoding="utf-8"
    )
    Path("release.csv").write_text("a\n" + '"[0, 2["\n' * 3 + '"[2, 4["\n' * 3, encoding="utf-8")
    given = ["release.csv", "--study", "study.toml"]
    for command in (["attack", *given], ["single-out", *given], ["compose", "release.csv", *given]):
        assert "(prior assignments)" in run(*command).out
        assert run(*command, "--json").json["prior"] == "assignments"
    assert "(prior independent)" in run("single-out", *given, "--prior", "independent").out
    release = read_release("release.csv", Study([Attribute("a", 0, 4, 2)], 2))
    assert assess(release).prior == attack_by_class(release, None, None).prior.name == "assignments"
