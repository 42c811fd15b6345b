"""Where OR-Tools cannot be installed: what needs no solver works, the rest says what was not proven or is missing."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cra_engine import CRAError
from cra_engine.attacks.solver.views import NO_SOLVER
from cra_engine.cli.commands import app

ROOT = Path(__file__).resolve().parents[2]
CLINIC = ROOT / "sample_data" / "clinic.csv"
STUDY = ("--study", str(CLINIC.with_suffix(".toml")))


@pytest.fixture(autouse=True)
def no_solver(monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name.partition(".")[0] == "ortools"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "ortools", None)
    monkeypatch.chdir(tmp_path)
    assert run("recode", CLINIC, *STUDY, "--output", "release.csv").exit_code == 0


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_what_needs_none_works():
    for words in (
        ("attack", "release.csv", *STUDY),
        ("single-out", "release.csv", *STUDY),
        ("audit", "release.csv", *STUDY, "--output", "audit.html", "--time-limit", "2"),
        ("check", CLINIC, *STUDY, "--output", "verdict.html", "--fail-on", "never", "--time-limit", "2"),
        ("global-recode", CLINIC, *STUDY, "--output", "global.csv"),
        ("safe-recode", CLINIC, *STUDY, "--epsilon", "1", "--output", "safe.csv"),
    ):
        done = run(*words)
        assert done.exit_code == 0, done.stderr


def test_the_tight_attack_says_what_was_not_proven():
    done = run("attack", "release.csv", *STUDY, "--tight", "--time-limit", "2")
    assert done.exit_code == 0, done.stderr
    assert NO_SOLVER in done.output


def test_a_list_names_what_to_install():
    with pytest.raises(
        CRAError, match="needs the library ortools, which is not installed; run: pip install cra-explorer"
    ):
        run("attack", "release.csv", *STUDY, "--list", "0")


def test_no_public_name_loads_it():
    code = "import sys, cra_engine; [getattr(cra_engine, name) for name in cra_engine.__all__]; "
    done = subprocess.run(
        [sys.executable, "-c", code + "print('ortools' in sys.modules)"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
