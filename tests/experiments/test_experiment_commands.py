"""The command experiment, with a plan and with --report."""

import pytest
from typer.testing import CliRunner

from cra_engine.cli import commands as cli
from cra_engine.errors import CRAError, DataError
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results
from cra_engine.words import duration


def test_the_commands(tmp_path, by_hand):
    output = tmp_path / "again.csv"
    arguments = ["experiment", str(tmp_path / "plan.toml"), "--output", str(output), "--jobs", "1"]
    done = CliRunner().invoke(cli.app, arguments, catch_exceptions=False)
    assert (done.exit_code, done.stdout) == (0, f"1 rows in {output}.\n")
    assert output.read_bytes() == by_hand.read_bytes()
    done = CliRunner().invoke(
        cli.app,
        ["experiment", "--report", str(output), "--output", str(tmp_path / "new" / "report")],
        catch_exceptions=False,
    )
    assert done.exit_code == 0
    assert {path.name for path in (tmp_path / "new" / "report").iterdir()} == set(report_files(Results(output)))


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("name", ["plan.toml", "hand.csv", "hand_study.toml"])
def test_an_experiment_never_replaces_what_it_reads(tmp_path, name):
    before = (tmp_path / name).read_bytes()
    done = CliRunner().invoke(cli.app, ["experiment", str(tmp_path / "plan.toml"), "--output", str(tmp_path / name)])
    assert isinstance(done.exception, DataError)
    assert (tmp_path / name).read_bytes() == before


def test_an_interrupted_experiment_says_how_to_go_on(tmp_path, by_hand, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("cra_engine.experiments.run.run_experiment", interrupted)
    done = CliRunner().invoke(cli.app, ["experiment", str(tmp_path / "plan.toml"), "--output", str(by_hand)])
    assert isinstance(done.exception, CRAError)
    assert str(done.exception) == f"Stopped; run the same command again to go on with {by_hand}."


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.4, "59 s"), (60, "1 min"), (3580, "1 h 0 min"), (7500, "2 h 5 min")]
)
def test_durations(seconds, text):
    assert duration(seconds) == text
