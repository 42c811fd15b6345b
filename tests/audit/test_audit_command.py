"""The command audit."""

import json
import shutil

import pandas as pd
import pytest
from arx_samples import ARX
from typer.testing import CliRunner

from cra_engine import (
    CRAError,
    StudyError,
)
from cra_engine.audits.audit import audit
from cra_engine.cli.commands import app


def run(*arguments):
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


def test_the_command_writes_the_report_and_prints_one_object(tmp_path):
    release = ARX / "outputs" / "toy40b.ex38.k3.csv"
    study = ARX / "studies" / "toy40b.paper.toml"
    output = tmp_path / "report.html"
    result = run(release, "--study", study, "--k", 3, "--output", output, "--json")
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    attacked = CliRunner().invoke(app, ["attack", str(release), "--study", str(study), "--k", "3", "--tight", "--json"])
    expected = json.loads(attacked.stdout)
    assert set(expected) <= set(printed)
    assert set(expected["tight"]) == set(printed["tight"])
    assert {key: printed[key] for key in expected if key != "warnings"} == {
        key: value for key, value in expected.items() if key != "warnings"
    }
    assert output.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("prefix", ["", "anything_"])
def test_the_command_takes_a_folder_of_hierarchies(tmp_path, prefix):
    folder = tmp_path / "trees"
    folder.mkdir()
    for name in ("Q1", "Q2"):
        shutil.copy(ARX / "hierarchies" / f"toy40b_{name}.csv", folder / f"{prefix}{name}.csv")
    result = run(ARX / "outputs/toy40b.ex38.k3.csv", "--hierarchies", folder, "--output", tmp_path / "r.html")
    assert result.exit_code == 0
    assert "is guessed. Intervals" not in result.output
    assert "Report in" in result.stdout


def test_the_longest_column_name_takes_a_file(tmp_path):
    folder = tmp_path / "trees"
    folder.mkdir()
    (folder / "x_max_age.csv").write_text("1;[0, 10[;*\n11;[10, 20[;*\n", encoding="utf-8")
    rows = ["[0, 10[,[0, 10["] * 3 + ["[10, 20[,[10, 20["] * 3
    release = tmp_path / "r.csv"
    release.write_text("age;max_age\n" + "\n".join(row.replace("[,[", "[;[") for row in rows), encoding="utf-8")
    result = run(release, "--hierarchies", folder, "--output", tmp_path / "r.html")
    assert result.exit_code == 0
    assert "hierarchy of 'age' is guessed" in result.output
    assert "hierarchy of 'max_age' is guessed" not in result.output


def raises(*arguments):
    result = run(*arguments)
    assert isinstance(result.exception, CRAError)
    return str(result.exception)


def test_mistakes_on_the_command_line(tmp_path):
    release, output = ARX / "outputs/toy40b.ex38.k3.csv", tmp_path / "r.html"
    study = ARX / "studies/toy40b.paper.toml"
    assert "no folder" in raises(release, "--hierarchies", tmp_path / "none", "--output", output)
    assert "named for a quasi-identifier" in raises(release, "--hierarchies", tmp_path, "--output", output)
    assert "not both" in raises(release, "--hierarchies", tmp_path, "--study", study, "--output", output)
    assert "unknown" in raises(release, "--profile", "nan", "--output", output)
    assert "unknown" in raises(release, "--profile", "2", "--output", output)
    assert "named twice" in raises(release, "--output", release)
    long = tmp_path / ("x" * 300 + ".csv")
    assert "cannot be read" in raises(long, "--output", output)
    assert "cannot be written" in raises(release, "--output", long)
    for name in ("a_Q1.csv", "b_Q1.csv"):
        shutil.copy(ARX / "hierarchies/toy40b_Q1.csv", tmp_path / name)
    assert "a_Q1.csv and b_Q1.csv" in raises(release, "--hierarchies", tmp_path, "--output", output)
    assert not output.exists()


def test_mixed_delimiters_are_a_sentence(tmp_path):
    release = tmp_path / "r.csv"
    release.write_text("a;b\n[0, 10[;[0, 10[\n[0, 10[\t[0, 10[\n", encoding="utf-8")
    assert "row 2" in raises(release, "--output", tmp_path / "r.html")


def test_a_study_error_is_one_sentence():
    with pytest.raises(StudyError):
        audit(pd.DataFrame({"a": ["[0, 10[", "x"] * 3 + ["*"]}))
