"""The commands check and roles: files, JSON, sentences."""

import hashlib
import json
import random
import re

import pandas as pd
import pytest

from cra_engine import Study, read_table
from cra_engine.checks.signed import UNREASONED, UNSIGNED

KEYS = {"verdict", "findings", "columns", "k", "risk", "diversity", "attack", "utility"}
DRAW = random.Random(5)
STUDY = 'k = 5\n[[attribute]]\nname = "Age"\nlower = 10\nupper = 100\nlayers = 3\nfanout = 3\n'


def clinic_csv():
    """A spreadsheet's table: names, numbers and free text beside ages and illnesses."""
    rows = ["Name;Insurance;Birth;Age;Sex;BMI;Diagnosis;Remarks"]
    for number in range(90):
        age = 20 + DRAW.randrange(60)
        rows.append(
            f"{DRAW.choice(['Meier', 'Frei', 'Rossi', 'Ba'])} {DRAW.choice(['Ada', 'Bo', 'Cy'])};"
            f"756.{number:04}.{DRAW.randrange(10**4):04}.{DRAW.randrange(100):02};"
            f"{DRAW.randrange(1, 29):02}.{DRAW.randrange(1, 13):02}.{2026 - age};{age};{DRAW.choice('FM')};"
            f"{DRAW.gauss(26, 4):.2f};{DRAW.choice(['flu', 'gout', 'HIV'])};came in with complaint {number} about sleep"
        )
    return "\n".join(rows) + "\n"


@pytest.fixture
def run(run, tmp_path):
    """Run the command line in a folder of its own, with a table and a study."""
    (tmp_path / "data.csv").write_text(clinic_csv(), encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    return run


CHECK = ("check", "data.csv", "--study", "study.toml", "--output", "verdict.html")
DIRECT = ("Name", "Insurance", "Birth", "Remarks")


def test_what_identifies_is_named_and_stops_the_release(run, tmp_path):
    status, out, err = run(*CHECK, "--json")
    assert status == 1
    found = json.loads(out)
    assert set(found) >= KEYS
    assert found["verdict"] == "stop"
    stopped = [one["text"] for one in found["findings"] if one["level"] == "stop"]
    for name in DIRECT:
        assert any(f"'{name}'" in text for text in stopped)
        assert any(f"'{name}'" in text for text in found["warnings"])
        assert f"Note: The column '{name}'" in err
    assert "Note: The column 'BMI' nearly says" in err
    columns = {column["name"]: column for column in found["columns"]}
    assert set(columns["Age"]) >= {"name", "role", "distinct", "identifying"}
    assert {name for name, column in columns.items() if column["identifying"]} == {*DIRECT, "BMI"}
    assert set(found["risk"]) >= {"prosecutor_max", "prosecutor_mean", "marketer", "records_above"}
    assert set(found["attack"]) >= {"certain", "expected_isolated", "mean_ratio"}
    assert isinstance(found["utility"]["discernibility"], str)
    page = (tmp_path / "verdict.html").read_text(encoding="utf-8")
    digest = hashlib.sha256((tmp_path / "data.csv").read_bytes()).hexdigest()
    assert digest in page
    assert {one["what"]: one["sha256"] for one in found["files"]}["data"] == digest
    assert "came in with" not in page


def test_roles_are_proposed_and_the_release_then_holds_nothing_that_identifies(run, tmp_path):
    status, out, _ = run("roles", "data.csv", "--study", "study.toml", "--output", "better.toml")
    assert status == 0
    assert "Insurance: removed; its cells are insurance, patient or other numbers of a person." in out
    study = Study.from_toml(tmp_path / "better.toml")
    assert set(study.roles.remove) == set(DIRECT)
    assert study.roles.sensitive == ("Diagnosis",)
    assert study.roles.of("BMI") == study.roles.of("Sex") == "undecided"
    status, out, err = run(
        "recode", "--keep-order", "data.csv", "--study", "better.toml", "--output", "release.csv", "--json"
    )
    assert status == 0
    assert list(read_table(tmp_path / "release.csv").columns) == ["Age", "Sex", "BMI", "Diagnosis"]
    assert [w for w in json.loads(out)["warnings"] if "'BMI' nearly" in w]
    assert "Note: The column 'BMI' nearly says" in err
    # Block by block the release is the same, and what identifies is named all the same.
    status, out, err = run(
        "recode",
        "--keep-order",
        "data.csv",
        "--study",
        "better.toml",
        "--output",
        "blocks.csv",
        "--streaming",
        "--json",
    )
    assert status == 0
    assert (tmp_path / "blocks.csv").read_bytes() == (tmp_path / "release.csv").read_bytes()
    assert "Note: The column 'BMI' nearly says" in err
    for command in (["global-recode"], ["minimal"], ["safe-recode", "--epsilon", "1"]):
        name = f"{command[0]}.csv"
        status, out, err = run(*command, "data.csv", "--study", "better.toml", "--output", name, "--json")
        assert status == 0
        assert list(read_table(tmp_path / name).columns) == ["Age", "Sex", "BMI", "Diagnosis"]
        assert [w for w in json.loads(out)["warnings"] if "'BMI' nearly" in w]
        assert "Note: The column 'BMI' nearly says" in err


def test_a_release_by_itself_and_against_its_table(run):
    run("roles", "data.csv", "--study", "study.toml", "--output", "better.toml", "--keep")
    run("recode", "data.csv", "--study", "better.toml", "--output", "release.csv")
    study = ("--study", "better.toml", "--output", "v.html", "--json")
    alone = json.loads(run("check", "-", "--release", "release.csv", *study)[1])
    beside = json.loads(run("check", "data.csv", "--release", "release.csv", *study)[1])
    made = json.loads(run("check", "data.csv", *study)[1])
    assert alone["k"] == beside["k"] == made["k"]
    assert alone["attack"] == beside["attack"] == made["attack"]
    assert alone["utility"]["entropy"] is None
    assert beside["utility"] == made["utility"]
    more = json.loads(run("check", "data.csv", "--population", "data.csv", *study)[1])
    assert more["risk"]["journalist_max"] == more["risk"]["prosecutor_max"]


def test_it_says_what_to_publish_instead(run, tmp_path):
    run("roles", "data.csv", "--study", "study.toml", "--output", "better.toml", "--keep")
    study = ("--study", "better.toml", "--output", "v.html", "--json")
    plain = json.loads(run("check", "data.csv", *study)[1])
    assert plain["instead"] is None
    status, out, _ = run("check", "data.csv", "--compare", *study)
    assert status == 1
    found = json.loads(out)
    assert found["verdict"] == plain["verdict"]
    assert found["instead"]["recommended"] is None or "passes the check" in found["instead"]["reason"]
    (finding,) = [one for one in found["findings"] if one["code"] == "instead"]
    assert (finding["level"], found["instead"]["reason"] in finding["text"]) == ("note", True)
    assert "What to publish instead" in (tmp_path / "v.html").read_text(encoding="utf-8")
    # It is the way that compare itself would take.
    compared = json.loads(run("compare", "data.csv", "--study", "better.toml", "--output", "c.html", "--json")[1])
    named = {one["number"]: one["label"] for one in compared["options"]}
    assert found["instead"]["recommended"] == named.get(compared["recommended"])
    nearest = int(re.search(r"nearest to passing, with the fewest findings, is number (\d+)", compared["reason"])[1])
    assert f"nearest to it is {named[nearest]} (" in found["instead"]["reason"]
    assert compared["sensitive"] == "Diagnosis"


def test_the_rule_is_set_by_options(run):
    status, out, _ = run(
        *CHECK, "--k", 3, "--l", 1, "--t", "0.5", "--highest-risk", "0.3", "--certain-allowed", "--json"
    )
    assert status == 1
    rule = json.loads(out)["rule"]
    assert rule == {"k": 3, "l": 1, "t": 0.5, "highest_risk": 0.3, "alone": 0.05, "nobody_certain": False}


def test_a_study_keeps_its_comments_and_its_hierarchies_wherever_it_goes(run, tmp_path):
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "sex.csv").write_text("F;F;*\nM;M;*\n", encoding="utf-8")
    text = f'# ours\n{STUDY}[[attribute]]\nname = "Sex"\nhierarchy = "trees/sex.csv"\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    (tmp_path / "out").mkdir()
    status, _, err = run("roles", "data.csv", "--study", "study.toml", "--output", "out/new.toml")
    assert status == 0, err
    assert (tmp_path / "out" / "new.toml").read_text(encoding="utf-8").startswith("# ours\n")
    study = Study.from_toml(tmp_path / "out" / "new.toml")
    assert study.names == ("Age", "Sex")
    assert study.roles.of("Name") == "removed"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["new.toml"]


@pytest.mark.parametrize(
    ("verdict", "fail_on", "status"),
    [
        ("stop", [], 1),
        ("stop", ["--fail-on", "attention"], 1),
        ("stop", ["--fail-on", "never"], 0),
        ("attention", [], 0),
        ("attention", ["--fail-on", "attention"], 1),
        ("ready", ["--fail-on", "attention"], 0),
    ],
)
def test_a_script_sees_the_verdict_by_the_exit_status(run, tmp_path, verdict, fail_on, status):
    names = ["Age", "sex", "ill", *(["mail"] if verdict == "stop" else [])]
    rows = [[21 + 10 * (n // 6), "f", ["flu", "gout", "cold"][n % 3], f"p{n}@x.org"] for n in range(24)]
    pd.DataFrame(rows, columns=["Age", "sex", "ill", "mail"])[names].to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "people.toml").write_text(
        'k = 3\n[[attribute]]\nname = "Age"\nlower = 20\nupper = 60\nlayers = 3\n[roles]\nsensitive = ["ill"]\n'
        + ('remove = ["sex"]\n' if verdict == "ready" else "")
    )
    ended, out, err = run("check", "people.csv", "--study", "people.toml", "--output", "v.html", "--json", *fail_on)
    assert (json.loads(out)["verdict"], ended) == (verdict, status), err
    assert (tmp_path / "v.html").exists()


def test_roles_are_proposed_without_a_study(run, tmp_path):
    before = sorted(path.name for path in tmp_path.iterdir())
    status, out, err = run("roles", "data.csv", "--json")
    assert status == 0, err
    columns = {column["name"]: column for column in json.loads(out)["columns"]}
    assert (columns["Name"]["role"], columns["Age"]["proposed"]) == ("removed", "quasi-identifier")
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_in_words(run):
    status, out, _ = run(*CHECK)
    assert status == 1
    first, rest = out.split("\n", 1)
    assert first == "STOP: The rule does not let this release go out as it is."
    lines = rest.splitlines()
    stops = [line for line in lines if line.startswith("  stop: ")]
    assert len([line for line in lines if line.startswith("  not met: ")]) > 0
    assert stops
    assert out.endswith("Verdict in verdict.html.\n")


@pytest.mark.parametrize(
    "words",
    [
        CHECK,
        (*CHECK, "--k", "2", "--time-limit", "0.1"),
        ("check", "--help"),
        ("publishable", "few.csv", "--study", "study.toml", "--time-limit", "300", "--output", "out"),
        ("publishable", "--help"),
        ("publishable", "data.csv", "--study", "study.toml", "--k", "1", "--output", "out"),
    ],
)
def test_people_read_of_groups_as_on_the_pages(run, words, tmp_path):
    rows = [line.split(";") for line in clinic_csv().splitlines()]
    few = "".join(f"{row[3]};{row[4]};{row[6]}\n" for row in rows)  # a search among eight columns takes long
    (tmp_path / "few.csv").write_text(few, encoding="utf-8")
    _, out, err = run(*words)
    assert "roup" in out + err
    assert not re.search(r"\bclass(es)?\b", out + err, re.IGNORECASE)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("check", "-", "--study", "study.toml", "--output", "v.html"), "give it with --release"),
        (
            ("check", "-", "--release", "x.csv", "--compare", "--study", "study.toml", "--output", "v.html"),
            "instead of -",
        ),
        ((*CHECK, "--t", "x"), "t is 'x'; give a number"),
        ((*CHECK, "--t", "3"), "The rule's t is 3"),
        ((*CHECK, "--l", "0"), "The rule's l is 0"),
        (("check", "data.csv", "--study", "study.toml", "--output", "data.csv"), "named twice"),
        (("check", "none.csv", "--study", "study.toml", "--output", "v.html"), "none.csv cannot be read"),
        ((*CHECK, "--release", "study.toml"), "The release has no column 'Age'"),
        (("roles", "data.csv", "--study", "study.toml", "--output", "study.toml"), "named twice"),
    ],
)
def test_what_is_wrong_is_one_sentence(run, tmp_path, arguments, sentence):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert sentence in err.splitlines()[-1]
    assert "Traceback" not in err
    assert not (tmp_path / "v.html").exists()
    assert not (tmp_path / "verdict.html").exists()


@pytest.mark.parametrize("signing", [(), ("--decided-by", " "), ("--decided-by", "A"), ("--decided-by", "R. Meier")])
def test_a_reason_is_filed_with_the_name_of_who_gives_it_and_else_nothing_is(run, tmp_path, signing):
    why = "ok" if "R. Meier" in signing else "for request 12/2026 alone"
    status, _, err = run(*CHECK, "--reason", why, *signing)
    assert status == 2
    assert err.strip() == (UNREASONED if why == "ok" else UNSIGNED)
    assert not (tmp_path / "verdict.html").exists()
    run(*CHECK, "--fail-on", "never", "--decided-by", "R. Meier", "--reason", "for request 12/2026 alone")
    page = (tmp_path / "verdict.html").read_text()
    assert "<span>R. Meier</span>" in page
    assert ">for request 12/2026 alone</span>" in page
