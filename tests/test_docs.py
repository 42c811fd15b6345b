"""The documentation against the code: examples run, and every key and option is explained."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cra_engine.cli.commands import app
from cra_engine.study.study import Study

ROOT = Path(__file__).resolve().parents[1]
GUIDE = (ROOT / "docs" / "user-guide.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands
JSON_WORDS = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
JSON_TABLE = [line for line in JSON_WORDS.splitlines() if line.startswith("| `")]


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """The JSON of every command, on the toy."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        done = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
        assert done.exit_code == 0
        return done.stdout

    run("synthesize", "toy", "--output", "data.csv", "--study", "study.toml")
    release = ("release.csv", "--study", "study.toml")
    header, *rows = Path("data.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("sorted.csv").write_text(header + "".join(sorted(rows, key=lambda row: float(row.split(",")[0]))), "utf-8")
    run("recode", "sorted.csv", "--study", "study.toml", "--keep-order", "--output", "kept.csv")
    by = header.split(",")[0]
    return {
        "attack, sorted": run("attack", "kept.csv", *release[1:], "--tight", "--sorted-by", by, "--json"),
        "recode": run("recode", "data.csv", "--study", "study.toml", "--output", "release.csv", "--json"),
        "attack": run("attack", *release, "--tight", "--time-limit", 600, "--json"),
        "attack, listed": run("attack", *release, "--list", 0, "--json"),
        "single-out": run("single-out", *release, "--json"),
        "compare": run("compare", "data.csv", "--study", "study.toml", "--output", "r.html", "--json"),
        "single-out, raw": run("single-out", *release, "--data", "data.csv", "--json"),
    }


def keys(value):
    """All keys of a JSON value, however deep."""
    if isinstance(value, dict):
        return set(value).union(*(keys(inner) for inner in value.values()))
    return set().union(*(keys(inner) for inner in value)) if isinstance(value, list) else set()


def test_every_key_of_the_json_is_explained(ran):
    explained = set(re.findall(r"`([a-z0-9_]+)`", GUIDE))
    in_one_table = set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in JSON_TABLE)))
    for output in ran.values():
        assert keys(json.loads(output)) <= explained
        assert keys(json.loads(output)) <= in_one_table


def test_each_word_of_json_is_explained_once():
    words = [word for line in JSON_TABLE for word in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert len(words) == len(set(words)) > 200


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_named(command):
    usage = next((line for line in GUIDE.splitlines() if line.startswith(f"    cra-engine {command}")), "")
    assert usage
    options = {option for parameter in COMMANDS[command].params for option in parameter.opts if option.startswith("--")}
    options -= {"--help"}
    assert set(re.findall(r"--[a-z-]+", usage)) == options


def test_the_study_file_can_be_read(tmp_path):
    (text,) = blocks("toml")
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    (tmp_path / "sex.csv").write_text("F;female;*\nM;male;*\n", encoding="utf-8")
    study = Study.from_toml(tmp_path / "study.toml")
    assert (study.k, study.names) == (5, ("weight", "temperature", "sex", "admitted"))
    # F, M and a gap; 16 years, with those before and after.
    assert [attribute.leaves for attribute in study.attributes] == [8, 9, 3, 18]


def test_the_python_example_runs(ran, tmp_path):
    assert ran
    (code,) = blocks("python")
    environment = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Class 0" in done.stdout


@pytest.mark.parametrize(
    "path", [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"], ids=lambda path: path.name
)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        page = path.parent / name if name else path
        assert page.exists(), target
        assert not anchor or anchor in anchors(page), target


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
