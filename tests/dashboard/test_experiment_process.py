"""The process that runs an experiment: the command line's rows, ended at once, and nothing on the disk."""

import dataclasses
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cra_dashboard.experiments import process as experiment_process
from cra_dashboard.experiments.process import jobs, stream
from cra_engine import CRAError
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.rows import header
from cra_engine.experiments.run import run_experiment

PLAN = """
seed = 3
samples = {samples}
k = [3, 5]
tight_time_limit = 60
[[dataset]]
name = "toy"
synthetic = "toy"
records = 40
sets = [{{ attributes = ["age", "weight"] }}]
"""


def plan(samples=2):
    return Plan.from_toml_text(PLAN.format(samples=samples))


def never():
    return False


@pytest.fixture
def processes(monkeypatch):
    """Every process that is started."""
    started = []
    popen = subprocess.Popen

    class Recorded(popen):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            started.append(self)

    monkeypatch.setattr(experiment_process.subprocess, "Popen", Recorded)
    return started


def group_is_gone(process):
    """Whether the process and its workers have ended."""
    for _ in range(3000):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_the_rows_are_the_command_lines_and_no_file_is_written(tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setenv("HOME", str(scratch))
    made = plan()
    lines, files = [header(made)], []
    for line in stream(made, 0, never):  # two workers where there are two processors
        lines.append(line)
        files += [path for path in scratch.rglob("*") if path.is_file()]
    run_experiment(made, tmp_path / "results.csv")
    assert b"".join(lines) == (tmp_path / "results.csv").read_bytes()
    assert files == []
    rest = list(stream(made, 3, never))
    assert rest == lines[4:]


def test_it_ends_at_once_with_its_workers_when_cancelled(processes):
    first = threading.Event()

    def noted():
        for line in stream(plan(samples=5000), 0, first.is_set):
            first.set()
            yield line

    assert 0 < len(list(noted())) < 10_000
    (process,) = processes
    assert group_is_gone(process)


def test_it_ends_with_whoever_started_it():
    command = [sys.executable, "-m", "cra_dashboard.experiments.process"]
    root = Path(experiment_process.__file__).parents[1]
    with subprocess.Popen(
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        pickle.dump((plan(samples=5000), 0), process.stdin)
        process.stdin.flush()
        assert process.stdout.readline().startswith(b'["row"')
        process.stdin.close()
        assert process.wait(300) != 0
    assert group_is_gone(process)


def test_a_run_that_fails_is_one_sentence(processes):
    too_large = dataclasses.replace(plan(), ks=(41,))
    with pytest.raises(CRAError, match="k = 41 is more than the 40 records"):
        list(stream(too_large, 0, never))
    assert group_is_gone(processes[0])


class Dying:
    """A plan of which the process dies."""

    def __reduce__(self):
        return os._exit, (1,)


def test_a_process_that_is_lost_is_one_sentence(processes):
    with pytest.raises(CRAError, match="ended before its work was done"):
        list(stream(Dying(), 0, never))
    assert group_is_gone(processes[0])


def test_as_many_workers_as_the_runs_are_worth(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    quick = dataclasses.replace(plan(), tight_time_limit=None)
    assert [jobs(quick, left) for left in (1, 99, 100, 250, 5000)] == [1, 1, 2, 3, 8]
    assert [jobs(plan(), left) for left in (1, 3, 250)] == [1, 3, 8]
