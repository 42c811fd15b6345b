"""The documentation against the code: examples run, and every key and option is explained."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cra_engine.cli.commands import app
from cra_engine.raw.first_study import MEANINGS
from cra_engine.study.study import Study
from hatch_build import for_the_index
from json_shapes import assert_shape

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
COMMANDS = typer.main.get_command(app).commands
JSON_WORDS = (DOCS / "json.md").read_text(encoding="utf-8")
JSON_TABLE = [line for line in JSON_WORDS.splitlines() if line.startswith("| `")]


def read(name):
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(name, language):
    return re.findall(rf"```{language}\n(.*?)```", read(name), re.DOTALL)


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
    Path("values.toml").write_text(Path("study.toml").read_text("utf-8") + '\n[roles]\nsensitive = ["seen"]\n', "utf-8")
    seen = [line.strip() + f",{'ab'[row % 2]}\n" for row, line in enumerate(rows)]
    Path("seen.csv").write_text(header.strip() + ",seen\n" + "".join(seen), "utf-8")
    run("recode", "seen.csv", "--study", "values.toml", "--output", "values.csv")
    return {
        "attack, sorted": run("attack", "kept.csv", *release[1:], "--tight", "--sorted-by", by, "--json"),
        "recode": run("recode", "data.csv", "--study", "study.toml", "--output", "release.csv", "--json"),
        "attack": run("attack", *release, "--tight", "--time-limit", 600, "--json"),
        "attack, listed": run("attack", *release, "--list", 0, "--json"),
        "single-out": run("single-out", *release, "--json"),
        "single-out, values": run("single-out", "values.csv", "--study", "values.toml", "--values", "--json"),
        "compare": run("compare", "data.csv", "--study", "study.toml", "--output", "r.html", "--json"),
        "single-out, raw": run("single-out", *release, "--data", "data.csv", "--json"),
    }


NAMED_BY_DATA = {"shares", "likelihoods", "alone_with"}  # by the values of a column


def keys(value):
    """All keys of a JSON value, however deep."""
    if isinstance(value, dict):
        return set(value).union(*(keys(inner) for key, inner in value.items() if key not in NAMED_BY_DATA))
    return set().union(*(keys(inner) for inner in value)) if isinstance(value, list) else set()


def test_every_key_of_the_json_is_explained(ran):
    explained = set(re.findall(r"`([a-z0-9_]+)`", read("json-commands.md")))
    in_one_table = set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in JSON_TABLE)))
    for name, output in ran.items():
        assert_shape(name.split(",")[0], output)
        assert keys(json.loads(output)) <= explained
        assert keys(json.loads(output)) <= in_one_table


def test_each_word_of_json_is_explained_once():
    words = [word for line in JSON_TABLE for word in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert len(words) == len(set(words)) > 200


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_named(command):
    (usage,) = re.findall(rf"^    cra-engine {command}(?: .*)?$", read("command-line.md"), re.MULTILINE)
    options = {option for parameter in COMMANDS[command].params for option in parameter.opts if option.startswith("--")}
    options -= {"--help"}
    assert set(re.findall(r"--[a-z-]+", usage)) | {"--time-limit", "--quiet"} == options


def test_the_study_file_can_be_read(tmp_path):
    (text,) = blocks("study-file.md", "toml")
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    (tmp_path / "sex.csv").write_text("F;female;*\nM;male;*\n", encoding="utf-8")
    study = Study.from_toml(tmp_path / "study.toml")
    assert (study.k, study.names) == (5, ("weight", "temperature", "sex", "admitted"))
    # F, M and a gap; 16 years, with those before and after.
    assert [attribute.leaves for attribute in study.attributes] == [8, 9, 3, 18]


def test_the_python_example_runs(ran, tmp_path):
    assert ran
    (code,) = blocks("researchers.md", "python")
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


def test_the_index_shows_a_readme_whose_links_lead_into_the_repository_or_are_none():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    without = for_the_index(readme, "", "1.2.3")
    assert "](docs/" in readme
    assert re.findall(r"\]\((?!https?:)", without) == []
    assert "what lives where" in without
    given = for_the_index(readme, "https://git.example/o/r", "1.2.3")
    led = re.findall(r"\]\(https://git.example/o/r/(blob|raw)/v1\.2\.3/([^)]+)\)", given)
    assert {how for how, _ in led} == {"blob", "raw"}
    assert all((ROOT / path).exists() and (how == "raw") == path.endswith(".png") for how, path in led)


def said_by(path):
    """What a module can say to people: its texts, but for what documents it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in lone:
            yield node.value


def test_nobody_is_sent_to_a_file_that_an_installation_does_not_hold():
    modules = [path for room in ("cra_engine", "cra_dashboard", "pages") for path in (ROOT / room).rglob("*.py")]
    assert [(path, text) for path in modules for text in said_by(path) if re.search(r"docs/[a-z-]+\.md", text)] == []


@pytest.mark.parametrize(
    ("name", "settings"), [("Attribute", "lower upper layers unit missing"), ("Study", "k profile")]
)
def test_what_a_first_study_points_to_explains_its_settings(name, settings):
    assert f"cra_engine.{name}" in MEANINGS
    command = [sys.executable, "-m", "pydoc", f"cra_engine.{name}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [setting for setting in settings.split() if not re.search(rf"^ \|  +{setting}: ", said, re.MULTILINE)] == []
