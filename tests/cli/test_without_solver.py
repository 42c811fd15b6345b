"""Where OR-Tools and gmpy2 cannot be installed: what every command does, as docs/command-line.md has it in a table."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cra_engine.assess import attacked
from cra_engine.cli.commands import app
from cra_engine.counting import convolution
from cra_engine.errors import MissingLibraryError
from every_command import CALLS, fill

ROOT = Path(__file__).resolve().parents[2]
CLINIC = ROOT / "sample_data" / "clinic.csv"
STUDY = ("--study", CLINIC.with_suffix(".toml"))
SOON = ("--time-limit", "1")
# Calls that ask a solver, beside or in place of those that need none.
MORE = {
    "attack --list": ("clinic-release.csv", *STUDY, "--list", "0"),
    "attack --tight": ("clinic-release.csv", *STUDY, "--tight", *SOON),
    "compose": ("clinic-release.csv", "clinic-release.csv", *STUDY, *SOON),
    "microaggregate --suppress": (*CALLS["microaggregate"], "--p", "20", "--suppress"),
}
ALL = {**CALLS, **MORE}
TABLE = dict(
    re.findall(
        r"^\| `([^`]+)` \| ([^|]+) \|$",
        (ROOT / "docs/command-line.md").read_text("utf-8").split("## Without OR-Tools and gmpy2")[1],
        re.MULTILINE,
    )
)
SAME, LESS, MISSING = "the same", "says what was not proven", "says what to install"


@pytest.fixture(autouse=True)
def neither(monkeypatch):
    for library in ("ortools", "gmpy2"):
        for name in [name for name in sys.modules if name.partition(".")[0] == library]:
            monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.setitem(sys.modules, library, None)
    convolution._packers.cache_clear()
    yield
    convolution._packers.cache_clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("every-command")
    fill(place)
    return place


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_table_has_every_command():
    assert {name.split()[0] for name in TABLE} == {command.name for command in app.registered_commands} - {"dashboard"}
    assert set(TABLE) == set(ALL)
    assert {said.strip() for said in TABLE.values()} == {SAME, LESS, MISSING}


@pytest.mark.parametrize("name", ALL)
def test_a_command_without_them(folder, monkeypatch, name):
    monkeypatch.chdir(folder)
    if not Path("release.csv").exists():
        made = {"release.csv": ("people.csv", "study.toml"), "clinic-release.csv": (CLINIC, STUDY[1])}
        for release, (data, study) in made.items():
            assert run("recode", "--keep-order", data, "--study", study, "--output", release).exit_code == 0
        assert run("experiment", "plan.toml", "--output", "results.csv", "--jobs", "1").exit_code == 0
    for old in folder.glob("new-*"):
        old.unlink() if old.is_file() else shutil.rmtree(old)
    if name in {
        "audit",
        "check",
        "publishable",
    }:  # as for a release that the attack on all classes does not settle without a solver
        whole = attacked.tight_attack
        monkeypatch.setattr(attacked, "tight_attack", lambda *a, **k: replace(whole(*a, **k), complete=False))
    done = run(name.split()[0], *[word for word in name.split()[1:] if word not in ALL[name]], *ALL[name])
    if TABLE[name] == MISSING:
        assert str(done.exception) == str(MissingLibraryError("ortools"))
        return
    assert done.exit_code == (name == "publishable"), (done.exception, done.stderr)  # 1: nothing that is proven
    said = done.output + "".join(path.read_text("utf-8") for path in folder.glob("new-*.html"))
    assert bool(re.search("library ortools(, which [^;]+,)? is not installed", said)) == (TABLE[name] == LESS)
    if name == "publishable":
        assert done.stderr.startswith("Note: The library ortools is not installed")  # before anybody waits for less


def test_no_public_name_loads_them():
    code = "import sys, cra_engine; [getattr(cra_engine, name) for name in cra_engine.__all__]; "
    code += "print({'ortools', 'gmpy2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("call", [name for name, told in TABLE.items() if told == MISSING])
def test_the_help_of_an_option_that_needs_the_solver_says_so(call):
    command, option = call.split()
    parameters = typer.main.get_command(app).commands[command].params
    assert "Needs [solver]." in next(one.help for one in parameters if option in one.opts)
