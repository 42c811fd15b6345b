"""Files that belong together: both new or both old, however the program ends, and nothing else in the folder."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cra_engine import synthesize
from cra_engine.cli.commands import app
from cra_engine.files.finishing import finish
from cra_engine.files.whole import all_or_nothing, write_whole

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system knows no files without a name")

OLD = {"one": b"old one\n", "two": b"old two\n"}
COMMANDS = {
    "synthesize": ["toy", "--output", "one", "--study", "two"],
    "safe-recode": ["data.csv", "--study", "study.toml", "--epsilon", "1", "--output", "one", "--study-output", "two"],
    "safe-recode in blocks": [
        *("data.csv", "--study", "study.toml", "--epsilon", "1", "--streaming"),
        *("--output", "one", "--study-output", "two"),
    ],
    "global-recode": ["data.csv", "--study", "study.toml", "--output", "one", "--lattice", "two"],
    "heterogeneous": [
        *("data.csv", "--qi", "age", "--sensitive", "weight", "--l", "2", "--output", "one", "--graph", "two")
    ],
}
# What a folder holds that appears as a whole, and what an experiment writes row by row, so that it can go on.
FOLDER = ["recode", "parts", "--study", "study.toml", "--backend", "loky", "--output", "released"]
PARTS = {"released/0.parquet", "released/1.parquet"}
EXPERIMENT = ["experiment", "plan.toml", "--jobs", "1", "--output", "rows.csv", "--timings", "seconds.csv"]
PLAN = """
k = [2, 3]
samples = 4
[[dataset]]
name = "toy"
data = "data.csv"
study = "study.toml"
records = 30
sets = [{ attributes = ["age", "weight"] }]
"""


@pytest.fixture
def folder(tmp_path):
    made = synthesize("toy", seed=1)
    (tmp_path / "data.csv").write_text(made.to_csv_text(), encoding="utf-8")
    made.study.to_toml(tmp_path / "study.toml")
    (tmp_path / "parts").mkdir()
    for number in range(2):
        made.data.iloc[number::2].to_parquet(tmp_path / "parts" / f"{number}.parquet", index=False)
    return tmp_path


def files(folder):
    """Every file and every folder that is empty, hidden ones too."""
    paths = [path for path in folder.rglob("*") if path.is_file() or not any(path.iterdir())]
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"" for path in paths}


def call(name):
    return [name.split()[0], *COMMANDS[name]]


def started(folder, arguments, code="", room=None):
    """A run of its own, with some code before it, on a disk on which a file gets so much room."""
    limit = None if room is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    run = f"{code}\nimport sys\nsys.argv = ['cra-engine', *sys.argv[1:]]\nfrom cra_engine.cli import commands\n"
    return subprocess.Popen(
        [sys.executable, "-c", f"{run}commands.main()", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=limit,  # noqa: PLW1509 - of a process without threads
    )


def end_of(folder, before):
    """What the folder holds when whoever gives the names is done: nothing hidden, and both files new or none."""
    for _ in range(600):
        now = files(folder)
        new = [now.get(name) != before.get(name) for name in OLD]
        if set(now) - set(OLD) == set(before) - set(OLD) and new[0] == new[1]:
            return now, new[0]
        time.sleep(0.05)
    raise AssertionError((sorted(now), new))


@pytest.mark.parametrize("old", [{}, OLD])
@pytest.mark.parametrize("name", COMMANDS)
def test_both_files_or_none(folder, monkeypatch, name, old):
    monkeypatch.chdir(folder)
    for own, text in old.items():
        (folder / own).write_bytes(text)
    before = files(folder)
    nowhere = [word if word != "two" else "nowhere/two" for word in call(name)]
    assert CliRunner().invoke(app, nowhere).exit_code != 0
    assert files(folder) == before
    assert CliRunner().invoke(app, call(name)).exit_code == 0
    _, new = end_of(folder, before)
    assert new


def test_an_error_after_the_files_were_written_leaves_none(folder, monkeypatch):
    monkeypatch.chdir(folder)
    before = files(folder)
    monkeypatch.setattr("cra_engine.cli.safe_recode.how_many", lambda *_: 1 / 0)
    assert CliRunner().invoke(app, call("safe-recode")).exit_code != 0
    assert files(folder) == before


def test_a_large_epsilon_publishes_and_says_so(folder, monkeypatch):
    monkeypatch.chdir(folder)
    arguments = [word if word != "1" else "1000" for word in call("safe-recode")]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "odds times e^" in done.output
    assert CliRunner().invoke(app, ["audit", "one", "--study", "two", "--output", "audit.html"]).exit_code == 0


def test_a_full_disk_leaves_what_was_there(folder):
    for own, text in OLD.items():
        (folder / own).write_bytes(text)
    before = files(folder)
    assert started(folder, call("global-recode"), room=60).wait() == 2
    assert files(folder) == before


KILLED = """
import os, signal
from types import SimpleNamespace
from cra_engine.files import whole
class Killed(whole.subprocess.Popen):
    def __init__(self, *given, **how):
        if {before}: os.kill(os.getpid(), signal.SIGKILL)
        super().__init__(*given, **how)
    def communicate(self, said):
        self.stdin.write(said if {whole} else said[:20])
        self.stdin.close()
        os.kill(os.getpid(), signal.SIGKILL)
whole.subprocess = SimpleNamespace(**vars(whole.subprocess) | {{"Popen": Killed}})  # for others it stays
"""


@pytest.mark.parametrize(
    ("before", "whole", "old"), [(True, True, OLD), (False, False, OLD), (False, True, OLD), (False, True, {})]
)
def test_a_kill_while_names_are_given_leaves_both_or_none(folder, before, whole, old):
    for own, text in old.items():
        (folder / own).write_bytes(text)
    there = files(folder)
    run = started(folder, call("global-recode"), KILLED.format(before=before, whole=whole))
    assert run.wait() == -signal.SIGKILL
    if whole and not before:
        for _ in range(600):
            if files(folder).keys() >= OLD.keys() and all(files(folder)[name] != OLD[name] for name in OLD):
                break
            time.sleep(0.05)
    now, new = end_of(folder, there)
    assert new == (whole and not before)
    assert set(now) - set(OLD) == set(there) - set(OLD)


def test_a_name_that_cannot_be_given_takes_back_the_others(tmp_path):
    for name, text in OLD.items():
        (tmp_path / name).write_bytes(text)
        (tmp_path / f".{name}.draft").write_text("new")
    (tmp_path / "two").unlink()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "thing").touch()
    steps = [(None, str(tmp_path), f".{name}.draft", f".{name}.old.draft", name) for name in OLD]
    at, _ = finish(steps)
    assert at == 1
    assert {path.name for path in tmp_path.iterdir()} == {"one", "two"}
    assert (tmp_path / "one").read_bytes() == OLD["one"]


def test_nothing_appears_before_all_of_it_is_there(tmp_path):
    with all_or_nothing():
        write_whole((tmp_path / "one", "1"))
        write_whole((tmp_path / "two", "2"))
        assert not list(tmp_path.iterdir())
    assert files(tmp_path) == {"one": b"1", "two": b"2"}


def kill(folder, arguments, seconds):
    """Run a command and kill it, without any warning, after some seconds; its workers end by themselves."""
    run = started(folder, arguments)
    time.sleep(seconds)
    run.kill()
    run.wait()


def took(folder, arguments):
    """How many seconds a command takes."""
    start = time.monotonic()
    assert started(folder, arguments).wait() == 0
    return time.monotonic() - start


@pytest.mark.parametrize("kills", [1, pytest.param(40, marks=pytest.mark.exhaustive)])
def test_a_folder_appears_as_a_whole_or_not_at_all(folder, kills):
    before, draw, published = files(folder), random.Random(31), 0
    lasting = took(folder, FOLDER)
    for _ in range(kills):
        shutil.rmtree(folder / "released", ignore_errors=True)
        kill(folder, FOLDER, draw.uniform(0.3, 1.2) * lasting)
        for _ in range(600):
            left = set(files(folder)) - set(before)
            if left in (set(), PARTS):
                break
            time.sleep(0.05)
        assert left in (set(), PARTS)
        published += bool(left)
    assert kills < 40 or 0 < published < kills


@pytest.mark.exhaustive
def test_an_experiment_that_is_killed_at_any_moment_goes_on(folder):
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    lasting = took(folder, EXPERIMENT)
    before, draw = files(folder), random.Random(31)
    stopped = 0
    for _ in range(30):
        for name in ("rows.csv", "seconds.csv"):
            (folder / name).unlink(missing_ok=True)
        kill(folder, EXPERIMENT, draw.uniform(0.5, 1.1) * lasting)
        there = files(folder)
        assert set(there) <= set(before)
        stopped += there.get("rows.csv") != before["rows.csv"]
        assert before["rows.csv"].startswith(there.get("rows.csv", b""))
        assert started(folder, EXPERIMENT).wait() == 0
        assert files(folder)["rows.csv"] == before["rows.csv"]
        assert files(folder)["seconds.csv"].count(b"\n") == before["rows.csv"].count(b"\n")
    assert stopped


@pytest.mark.exhaustive
def test_two_hundred_kills_at_any_moment(folder):
    draw = random.Random(31)
    lasting = {name: took(folder, call(name)) for name in COMMANDS}
    published = 0
    for turn in range(200):
        for own, text in OLD.items() if turn % 2 else ():
            (folder / own).write_bytes(text)
        if not turn % 2:
            for own in OLD:
                (folder / own).unlink(missing_ok=True)
        before, name = files(folder), draw.choice(list(COMMANDS))
        kill(folder, call(name), draw.uniform(0.5, 1.1) * lasting[name])
        time.sleep(0.2)
        _, new = end_of(folder, before)
        published += new
    assert 0 < published < 200
