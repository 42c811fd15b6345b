"""What goes wrong outside the program: a full disk, a solver that gives up, memory that runs out, a fault of its own.

A sentence each time, what was there stays, nothing half-written is left, and what is not known is never called known.
"""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from ortools.sat.python import cp_model

from cra_engine import Attribute, DataError, Study, attack, read_release, recode, tight_attack
from cra_engine.cli import commands as cli
from cra_engine.counting.enumeration import enumerate_assignments
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.run import run_experiment
from drawn import count_nothing
from strategies import random_case

ROOT = Path(__file__).resolve().parents[1]
STUDY = 'k = 3\n[[attribute]]\nname = "age"\nlower = 0\nupper = 80\nlayers = 3\n'
DATA = "age;note\n" + "".join(f"{row % 80};{'x' * 30}\n" for row in range(300))
PLAN = 'samples = 4\nk = [3]\n[[dataset]]\nname = "toy"\nsynthetic = "toy"\nrecords = 30\n'
PLAN += 'sets = [{ attributes = ["weight"], layers = [2] }, { attributes = ["weight"], layers = [3] }]\n'
ROOM = 600  # bytes that a file may have on the full disk


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "data.csv").write_text(DATA, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def run(folder, *arguments, room=None):
    """Run a command as people do, on a disk on which a file gets so much room."""

    def limit():
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", "cra_engine", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_one_sentence(done, says):
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert done.stderr.endswith(".\n")
    assert "Traceback" not in done.stderr


RECODE = ("recode", "data.csv", "--study", "study.toml", "--output")


@pytest.mark.parametrize("before", [None, "the release of yesterday\n"])
def test_a_full_disk_leaves_the_old_release_and_nothing_half_written(folder, before):
    if before is not None:
        (folder / "release.csv").write_text(before, encoding="utf-8")
    there = files(folder)
    assert_one_sentence(run(folder, *RECODE, "release.csv", room=ROOM), "release.csv cannot be written: ")
    assert files(folder) == there


def test_a_full_device_is_a_sentence(folder):
    assert_one_sentence(
        run(folder, *RECODE, "/dev/full"), "/dev/full cannot be written: No space left on device; make room."
    )


def test_a_full_disk_under_an_experiment_loses_no_row(folder):
    plan = Plan.from_toml(folder / "plan.toml")
    run_experiment(plan, folder / "whole.csv")
    whole = (folder / "whole.csv").read_bytes()
    experiment = ("experiment", "plan.toml", "--jobs", "1", "--output", "cut.csv")
    stopped = run(folder, *experiment, room=len(whole) * 2 // 3)
    assert_one_sentence(stopped, "cut.csv cannot be written: ")
    cut = (folder / "cut.csv").read_bytes()
    assert whole.startswith(cut)
    assert cut.count(b"\n") > 2
    run_experiment(plan, folder / "cut.csv")
    assert (folder / "cut.csv").read_bytes() == whole


def test_all_files_of_a_report_or_none(folder):
    run_experiment(Plan.from_toml(folder / "plan.toml"), folder / "results.csv")
    (folder / "report").mkdir()
    there = files(folder)
    assert_one_sentence(
        run(folder, "experiment", "--report", "results.csv", "--output", "report", room=ROOM), "cannot be written: "
    )
    assert files(folder) == there


@pytest.mark.parametrize("write", ["release", "study"])
def test_writing_from_python_is_whole_too(folder, monkeypatch, write):
    release = read_release(b"age\n*\n*\n*\n", Study([Attribute("age", 0, 80, 3)], 3))
    target = folder / "kept"
    target.write_text("old", encoding="utf-8")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match="kept cannot be written: No space left on device"):
        release.to_csv(target) if write == "release" else release.study.to_toml(target)
    assert target.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["data.csv", "kept", "plan.toml", "study.toml"]


# ---------------------------------------------------------------- the solver


@pytest.fixture
def two():
    """Two leaves, k = 2, two suppressed records: one in each leaf, for certain."""
    return read_release(b"a\n*\n*\n", Study([Attribute("a", 0, 20, 2)], 2))


@pytest.fixture(params=[cp_model.UNKNOWN, cp_model.MODEL_INVALID], ids=["unknown", "invalid"])
def giving_up(request, monkeypatch):
    """A solver that ends without an answer, as after a time-out or a fault of its own."""
    monkeypatch.setattr(cp_model.CpSolver, "solve", lambda *_: request.param)


@pytest.mark.usefixtures("giving_up")
def test_a_listing_without_an_answer_is_not_called_complete():
    listing = enumerate_assignments([(0,), (1,)], 3, [[[0], [1]]], 2, 2, limit=10, time_limit=1)
    assert (listing.assignments, listing.complete, listing.combinations) == ([], False, 2)


def test_nothing_is_certain_without_an_answer(monkeypatch):
    # The last two releases hold certain counts that nothing but the solver can prove.
    releases = [recode(case.data, case.study).release for case in map(random_case, (0, 9, 28, 47))]
    honest = [tight_attack(release, time_limit=600) for release in releases]
    count_nothing(monkeypatch)
    open_ended = 0
    for status in (cp_model.UNKNOWN, cp_model.MODEL_INVALID):
        monkeypatch.setattr(cp_model.CpSolver, "solve", lambda *_, status=status: status)
        for release, known in zip(releases, honest, strict=True):
            found = tight_attack(release, time_limit=1)
            assert found.fixed_cells.items() <= known.fixed_cells.items()
            assert found.fixed_cells == known.fixed_cells or not found.complete
            open_ended += not found.complete
    assert open_ended


@pytest.mark.usefixtures("giving_up")
def test_no_reason_is_given_without_an_answer(two):
    attacked = tight_attack(two, time_limit=600)  # counted without the solver
    assert attacked.status == "exact"
    assert set(attacked.isolated) == {(0,), (1,)}
    assert not any(reason.bounds or reason.minimal for reason in attacked.explain((0,), 1))


def test_a_solver_that_dies_is_a_sentence(folder, monkeypatch, capsys):
    def dying(*_):
        raise RuntimeError("row 7: Ada, 34")

    monkeypatch.setattr(cp_model.CpSolver, "solve", dying)
    monkeypatch.chdir(folder)
    (folder / "release.csv").write_text("age\n" + "[0, 40[\n" * 3, encoding="utf-8")
    assert attack(read_release(folder / "release.csv", Study.from_toml("study.toml"))).classes[0].combinations > 1
    arguments = ["attack", "release.csv", "--study", "study.toml", "--list", "0"]
    monkeypatch.setattr(sys, "argv", ["cra-engine", *arguments])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    out, err = capsys.readouterr()
    assert (caught.value.code, out) == (70, "")
    assert err.startswith("The program broke off (RuntimeError in test_faults.py, line ")
    assert "Ada" not in err
    assert "Traceback" not in err


def test_a_killed_run_leaves_the_old_release(folder):
    (folder / "release.csv").write_text("old", encoding="utf-8")
    there = files(folder)
    killed = "import os, signal; import cra_engine; cra_engine.recode = lambda *_, **__: os.kill(os.getpid(), 9);"
    ran = f"import sys; sys.argv = ['cra-engine', *{[*RECODE, 'release.csv']!r}]"
    code = f"{killed} from cra_engine.cli.commands import main; {ran}; main()"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert files(folder) == there


def test_memory_that_runs_out_is_a_sentence(folder, monkeypatch, capsys):
    def greedy(*_, **__):
        raise MemoryError

    monkeypatch.setattr("cra_engine.recode", greedy)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["cra-engine", *RECODE, "release.csv"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 2
    assert capsys.readouterr().err == "There is not enough memory; take fewer records or fewer attributes.\n"
    assert not (folder / "release.csv").exists()
