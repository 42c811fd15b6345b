"""The README's commands and examples, run as they stand there, one after the other in one folder."""

import json
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import validate
from typer.testing import CliRunner

from cra_engine import Study, read_table
from cra_engine.cli.commands import app

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
*WALK, PIPELINE = re.findall(r"^    cra-engine (.*)$", README, re.MULTILINE)
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
DRAW = random.Random(11)


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """The folder in which all commands were given, and what each printed."""
    folder = tmp_path_factory.mktemp("readme")
    rows = [
        f"{DRAW.choice(['Meier', 'Frei', 'Rossi'])} {DRAW.choice(['Ada', 'Bo', 'Cy'])},{DRAW.randrange(18, 90)},"
        f"{DRAW.choice('FM')},{DRAW.choice(['flu', 'gout', 'asthma', 'fracture'])}"
        for _ in range(120)
    ]
    (folder / "people.csv").write_text("\n".join(["name,age,sex,diagnosis", *rows]) + "\n", encoding="utf-8")
    printed = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in WALK:
            done = CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)
            assert done.exit_code == 0, (line, done.output)
            printed.append(done.stdout)
    return folder, printed


def ran(code, folder):
    """What an example of the README prints, with warnings as errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_way_from_a_table_of_ones_own_to_one_that_may_go_out(walked):
    folder, printed = walked
    assert [line.split()[0] for line in WALK] == ["roles", "recode", "attack", "check", "publishable"]
    study = Study.from_toml(folder / "study.toml")
    assert (study.names, study.roles.remove, study.roles.sensitive) == (("age", "sex"), ("name",), ("diagnosis",))
    assert list(read_table(folder / "release.csv").columns) == ["age", "sex", "diagnosis"]
    assert printed[-1].startswith("READY")
    assert (folder / "archive" / "hand-out" / "release.csv").exists()
    assert (folder / "verdict.html").exists()


def test_a_pipeline_gets_one_json_object_and_a_status_and_no_file(walked, monkeypatch):
    folder, _ = walked
    monkeypatch.chdir(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    run = CliRunner().invoke
    schema = json.loads(run(app, re.search(r"`cra-engine (--schema .*)`", README)[1]).stdout)
    for least, lost in (("stop", {"stop"}), ("attention", {"stop", "attention"}), ("never", set())):
        done = run(app, f"{PIPELINE} --fail-on {least}")
        told = json.loads(done.stdout)
        validate(told, schema)
        assert done.exit_code == (told["verdict"] in lost)
    assert told["verdict"] != "ready"
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_the_study_that_is_shown_is_what_roles_begins(walked, tmp_path):
    (shown,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "study.toml").write_text(shown, encoding="utf-8")
    (tmp_path / "sex.csv").write_bytes((walked[0] / "sex.csv").read_bytes())
    told, begun = Study.from_toml(tmp_path / "study.toml"), Study.from_toml(walked[0] / "study.toml")
    assert (told.k, told.profile, told.names, told.roles) == (begun.k, begun.profile, begun.names, begun.roles)
    assert told.attributes[0] == begun.attributes[0]


def test_the_examples_run(walked, tmp_path):
    first, second = EXAMPLES
    assert len(ran(first, tmp_path).splitlines()) == 3  # two classes, and the number of people singled out
    lines = ran(second, walked[0]).splitlines()
    assert {"ready", "attention", "stop"} & set(lines)


def test_what_a_stranger_types_first_asks_nothing_of_the_systems_python():
    (line,) = re.findall(r"^    (python3 .*)$", README, re.MULTILINE)
    assert line.split(" && ") == [
        "python3 -m venv cra",
        'cra/bin/pip install "cra-explorer[app]"',
        "cra/bin/cra-explorer",
    ]
