"""The same bytes whoever does the work, and wherever it was stopped; and workers that cannot be had."""

import os
import re
import signal
import subprocess
import sys

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_plans import ROOT, SMALL, rows, write

from cra_engine.errors import CRAError, DataError
from cra_engine.experiments import rows as row_files
from cra_engine.experiments import run as experiments
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.rows import KEY_COLUMNS, TIMING_COLUMNS
from cra_engine.experiments.run import run_experiment
from cra_engine.experiments.workers import workers


def test_two_workers_write_the_same_bytes(small, expected, tmp_path):
    with workers("loky", 2):
        run_experiment(small, tmp_path / "results.csv", timings=tmp_path / "timings.csv")
    assert (tmp_path / "results.csv").read_bytes() == expected
    timed = rows(tmp_path / "timings.csv")
    assert len(timed) == small.size
    assert all(float(row["attack_seconds"]) > 0 and float(row["tight_seconds"]) > 0 for row in timed)


@pytest.mark.exhaustive
def test_a_dask_cluster_writes_the_same_bytes(small, expected, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=":0"
    ) as cluster:
        with workers("dask", scheduler=cluster.scheduler_address):
            run_experiment(small, tmp_path / "results.csv")
        with distributed.Client(cluster.scheduler_address) as client:
            ran = client.run(lambda: "cra_engine.experiments.run" in sys.modules)
    assert len(ran) == 2
    assert any(ran.values())  # the cluster did the work, not this process
    assert (tmp_path / "results.csv").read_bytes() == expected


# Kills itself and its workers in the middle of its eleventh row, whatever the machine is doing.
KILLED = """
import os, signal
from cra_engine.experiments import rows

honest, written = rows._Table._put, []

def put(table, line):
    written.append(line)
    if len(written) < 12:  # the header and ten rows
        honest(table, line)
        return
    honest(table, line[:7])
    os.killpg(0, signal.SIGKILL)

rows._Table._put = put
from cra_engine.__main__ import main
main()
"""


def test_killed_half_way_and_run_again(expected, tmp_path):
    plan = write(tmp_path, SMALL)
    output = tmp_path / "results.csv"
    arguments = ["experiment", str(plan), "--output", str(output), "--jobs", "2"]
    process = subprocess.run([sys.executable, "-c", KILLED, *arguments], cwd=ROOT, capture_output=True, check=False,
                             start_new_session=True)  # fmt: skip
    assert process.returncode == -signal.SIGKILL, process.stderr
    stopped = output.read_bytes()
    assert stopped.count(b"\n") == 11  # of 20 rows and a header
    assert not stopped.endswith(b"\n")
    command = [sys.executable, "-m", "cra_engine", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"20 rows in {output}, " in done.stdout
    assert output.read_bytes().startswith(stopped[: stopped.rfind(b"\n") + 1])
    assert output.read_bytes() == expected


class Quick:
    """Stands in for a run: says which one it was, and counts."""

    def __init__(self, plan):
        names = [name for name in row_files.columns(plan) if name not in KEY_COLUMNS]
        self.row = dict.fromkeys(names, "1")
        self.calls = 0

    def __call__(self, data, study, *_):
        self.calls += 1
        return self.row | {"records": str(len(data)), "cells": str(study.k)}, dict.fromkeys(TIMING_COLUMNS, "0.5")


@pytest.fixture(scope="module")
def quick_plan(tmp_path_factory):
    return Plan.from_toml(write(tmp_path_factory.mktemp("quick"), SMALL.replace("samples = 5", "samples = 2")))


@given(st.data())
def test_wherever_a_run_is_cut_off_it_goes_on_without_doubling_or_redoing(quick_plan, tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("cut")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiments, "run_one", quick := Quick(quick_plan))
        run_experiment(quick_plan, folder / "whole.csv", timings=folder / "whole.timings.csv")
        assert quick.calls == quick_plan.size == 8
        whole = (folder / "whole.csv").read_bytes()
        times = (folder / "whole.timings.csv").read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        complete = max(whole[:cut].count(b"\n") - 1, 0)
        (folder / "cut.csv").write_bytes(whole[:cut])
        # A row's timings are written before it, so they reach at least as far.
        lines = times.splitlines(keepends=True)
        least = len(b"".join(lines[: complete + 1])) if complete else 0
        (folder / "cut.timings.csv").write_bytes(times[: data.draw(st.integers(least, len(times)))])
        quick.calls = 0
        told = []
        already = run_experiment(
            quick_plan, folder / "cut.csv", timings=folder / "cut.timings.csv", progress=lambda *args: told.append(args)
        )
    assert already == complete
    assert quick.calls == 8 - complete
    assert (folder / "cut.csv").read_bytes() == whole
    assert (folder / "cut.timings.csv").read_bytes() == times
    assert [done for done, _, _ in told] == list(range(complete, 9))
    assert told[0] == (complete, 8, None)
    assert told[-1][2] in (None, 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "something else\n",
        lambda text: text.replace("pooled", "renamed", 1),
        lambda text: text + text.splitlines(keepends=True)[-1],
        lambda text: "".join(np.array(text.splitlines(keepends=True))[[0, 2, 1]]),
        lambda text: text.replace(",", ";"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufffd" + text,
    ],
)
def test_a_file_of_something_else_is_left_alone(small, expected, tmp_path, change):
    path = tmp_path / "results.csv"
    path.write_bytes(change(expected.decode()).encode())
    before = path.read_bytes()
    with pytest.raises(DataError, match="something else than results of this plan"):
        run_experiment(small, path)
    assert path.read_bytes() == before


def test_timings_that_do_not_cover_the_rows_are_refused(small, expected, tmp_path):
    (tmp_path / "results.csv").write_bytes(expected)
    with pytest.raises(DataError, match="does not cover"):
        run_experiment(small, tmp_path / "results.csv", timings=tmp_path / "timings.csv")
    with pytest.raises(DataError, match="named twice"):
        run_experiment(small, tmp_path / "new.csv", timings=tmp_path / "new.csv")
    assert not (tmp_path / "new.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("loky", 1, "tcp://127.0.0.1:1"), "goes with --backend dask"),
        (("dask", None, None), "Name the cluster's scheduler"),
        (("dask", None, "nowhere"), "No Dask scheduler answers at nowhere"),
    ],
)
def test_workers_that_cannot_be_had(arguments, says):
    with pytest.raises(CRAError, match=says), workers(*arguments):
        pass


def test_without_dask_one_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    says = re.escape("pip install 'cra-explorer[cluster]'")
    with pytest.raises(CRAError, match=says), workers("dask", scheduler="tcp://127.0.0.1:1"):
        pass


def kill_this_process():
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_lost_worker_is_said_in_one_sentence():
    with pytest.raises(CRAError, match="run the same command again"), workers("loky", 2):
        joblib.Parallel()(joblib.delayed(kill_this_process)() for _ in range(2))
