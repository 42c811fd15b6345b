"""The wheel as somebody installs it: everything in it, nothing of a developer's, and as safe as ``make run``.

Installing asks the package index, so these tests are not part of ``make test``: ``make wheel`` runs them.
"""

import itertools
import json
import subprocess
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import drive
from cra_dashboard.panels import menu
from install import ROOT, Served, plain_environment, run

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CARRIED = ("app.py", "pages", "lessons", "plans", "sample_data", ".streamlit/config.toml")
PROGRAMS = ("cra-engine", "cra-explorer")


# ---------------------------------------------------------------- what is in it


def sources(place: str) -> Iterator[str]:
    """A file of the checkout, or all files of a folder, without what Python compiled."""
    path = ROOT / place
    for file in [path] if path.is_file() else path.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file.relative_to(ROOT).as_posix()


def test_it_holds_the_packages_and_what_the_dashboard_shows_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as opened:
        held = {name for name in opened.namelist() if ".dist-info/" not in name}
    packages = {name for package in ("cra_engine", "cra_dashboard") for name in sources(package)}
    site = {f"cra_dashboard/site/{name}" for place in CARRIED for name in sources(place)}
    assert "cra_dashboard/site/pages/start.py" in site
    assert held == packages | site


def test_it_brings_what_is_asked_for_and_no_development_tool(programs, lean_programs):
    needed, extras = PROJECT["dependencies"], PROJECT["optional-dependencies"]
    assert {"pytest", "ruff", "mypy", "distributed"} <= names(itertools.chain(*extras.values()))
    for folder, wanted in (
        (lean_programs, needed),
        (programs, [*needed, *extras["app"], *extras["formats"], *extras["solver"]]),
    ):
        listed = json.loads(run(folder / "python", "-m", "pip", "list", "--format", "json"))
        there = {canonicalize_name(package["name"]) for package in listed}
        others = names(itertools.chain(*extras.values())) - names(wanted) - {"cra-explorer"}
        if folder == programs:
            others -= {"pyarrow", "jsonschema"}  # Streamlit itself needs them
        assert names(wanted) | {"cra-explorer"} <= there
        assert not others & there
        run(folder / "python", "-m", "pip", "check")


def names(requirements: Iterable[str]) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in requirements}


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["cra-explorer", "--no-browser"], "streamlit, is not installed; run: pip install 'cra-explorer[app]'."),
        (
            ["cra-engine", "recode", "data.csv", "--study", "study.toml", "--output", "release.csv", "--streaming"],
            "pyarrow, is not installed; run: pip install 'cra-explorer[streaming]'.",
        ),
        (
            ["cra-engine", "recode", "data.csv", "--study", "study.toml", "--output", "release.xlsx"],
            "xlsxwriter, is not installed; run: pip install 'cra-explorer[formats]'.",
        ),
        (
            ["cra-engine", "microaggregate", "data.csv", "--k=3", "--p=20", "--suppress", "--output=new.csv"],
            "ortools, is not installed; run: pip install 'cra-explorer[solver]'.",
        ),
    ],
    ids=["dashboard", "block by block", "Excel", "solver"],
)
def test_what_is_missing_is_said_with_the_command_that_brings_it(lean_programs, tmp_path, command, sentence):
    run(
        lean_programs / "cra-engine", "synthesize", "toy", "--output", "data.csv", "--study", "study.toml", cwd=tmp_path
    )
    done = subprocess.run(
        [lean_programs / command[0], *command[1:]],
        cwd=tmp_path, env=plain_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    library, _, says = sentence.partition(", ")
    assert done.stderr.startswith(f"The library {library}, which ")
    assert done.stderr.strip().endswith(says)


# ---------------------------------------------------------------- on the command line


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_explains_itself_from_any_folder(programs, trap, program):
    done = subprocess.run(
        [programs / program, "--help"], cwd=trap, env=plain_environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: " in done.stdout


def test_the_way_from_a_table_to_a_report(lean_programs, tmp_path):
    engine = lean_programs / "cra-engine"
    run(engine, "synthesize", "toy", "--output", "data.csv", "--study", "study.toml", cwd=tmp_path)
    run(engine, "recode", "data.csv", "--study", "study.toml", "--output", "release.csv", cwd=tmp_path)
    attacked = json.loads(run(engine, "attack", "release.csv", "--study", "study.toml", "--json", cwd=tmp_path))
    assert attacked["classes"]
    run(engine, "audit", "release.csv", "--output", "report.html", cwd=tmp_path)
    run(engine, "compare", "data.csv", "--study", "study.toml", "--output", "options.html", cwd=tmp_path)
    for report in ("report.html", "options.html"):
        assert "</html>" in (tmp_path / report).read_text(encoding="utf-8")


# ---------------------------------------------------------------- the dashboard


def listed(section: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, dict):
            yield from listed(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def test_it_runs_from_the_wheel_and_not_from_the_checkout(installed: Served, programs):
    environment = programs.parent
    assert all(Path(file).is_relative_to(environment) for file in installed.files.values()), installed.files
    assert not [place for place in installed.path if place == str(ROOT)]


def test_the_settings_in_force_are_those_of_make_run(installed: Served, made_run: Served):
    assert Path(made_run.files["cra_dashboard"]).is_relative_to(ROOT)
    assert len(installed.settings) > 100  # all of Streamlit's options, not ours alone
    # Each start has its own: the ports, a key drawn at random, and where a file of secrets would lie.
    own = {"server.port", "browser.serverPort", "server.cookieSecret", "secrets.files"}
    assert own <= installed.settings.keys()
    assert {n: v for n, v in installed.settings.items() if n not in own} == {
        n: v for n, v in made_run.settings.items() if n not in own
    }


def test_every_setting_of_the_list_is_in_force(installed: Served):
    wanted = dict(listed(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))))
    assert wanted["server.address"] == "127.0.0.1"
    for name, value in wanted.items():
        found = installed.settings[name]
        assert (set(found) == set(value)) if isinstance(value, list) else (found == value), name


def test_it_listens_on_this_machine_only_and_on_the_port_that_was_asked_for(installed: Served):
    process = psutil.Process(installed.server.process.pid)
    listening = {
        connection.laddr
        for process in [process, *process.children(recursive=True)]
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {("127.0.0.1", urlsplit(installed.server.url).port)}


def test_every_page_is_served(installed: Served, browser):
    drive.open_app(browser, installed.server.url)
    drive.press(browser, "Publish the toy, step by step")
    titles = [title for name, (title, _) in menu.PAGES.items() if name != "glossary"]
    assert len(titles) + 1 == len(list((ROOT / "pages").glob("*.py")))
    for title in titles:
        drive.open_page(browser, title)
        assert title.lower() in drive.text(browser).lower()  # the story's heading has it in its middle
        drive.assert_no_exception(browser)
        assert drive.outside_addresses(browser) == []
        assert drive.too_wide(browser) == 0
    assert drive.console_errors(browser) == []


def test_a_second_one_on_the_same_port_is_one_sentence(installed: Served, programs, tmp_path):
    port = urlsplit(installed.server.url).port
    done = subprocess.run(
        [programs / "cra-explorer", "--no-browser", "--port", str(port)],
        cwd=tmp_path, env=plain_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip().startswith(f"Port {port} is in use")
    assert len(done.stderr.strip().splitlines()) == 1
