"""A time limit is the whole command's: what reading took is not there for the work, and nothing goes past it."""

import io
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cra_engine
from cra_engine import CRAError, recode, synthesize
from cra_engine.cli import clock, guard, progress
from cra_engine.cli.commands import app
from cra_engine.cli.progress import Progress
from cra_engine.files.whole import whole_file
from cra_engine.patience import checkpoint, tell

READING = 65.0
LIMITED = {
    "audit": "audit release.csv --output out.html",
    "check": "check data.csv --output out.html",
    "publishable": "publishable data.csv --output out",
    "repair": "repair release.csv --output out.csv",
    "compose": "compose release.csv release.csv",
    "tight_attack": "attack release.csv --tight",
    "single_out": "single-out release.csv",
    "who_has_what": "single-out release.csv --values",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    toy = synthesize("toy", 40, seed=2)
    toy.data.to_csv("data.csv", index=False)
    toy.study.to_toml("study.toml")
    recode(toy.data, toy.study).release.to_csv("release.csv")


@pytest.fixture
def slow(monkeypatch):
    """By the command's own clock whatever it does before its work takes a minute; the first calls say 0."""

    def after(times: int) -> None:
        told = iter([0.0] * times)
        said = staticmethod(lambda: next(told, READING))
        monkeypatch.setattr(clock, "time", type("Clock", (), {"monotonic": said}))

    return after


def run(line: str, seconds: int) -> CRAError:
    result = CliRunner().invoke(app, [*line.split(), "--study", "study.toml", "--time-limit", str(seconds)])
    return result.exception


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize(("seconds", "left"), [(75, 10), (60, 0)])
def test_reading_is_part_of_the_time_limit(name, seconds, left, slow, monkeypatch):
    def asked(*_, time_limit, **__):
        raise CRAError(f"left: {time_limit:g}")

    slow(1)
    place = import_module("cra_engine.publishable") if name == "publishable" else cra_engine
    monkeypatch.setattr(place, name, asked, raising=False)
    assert str(run(LIMITED[name], seconds)) == f"left: {left}"


@pytest.mark.usefixtures("folder")
def test_a_comparison_keeps_to_one_limit_for_all_options(slow):
    slow(1)
    said = run("compare data.csv --output out.html", 60)
    assert str(said) == "Within the time limit no option was measured; allow more with --time-limit."


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("compare data.csv --output out.html", "The time limit was over before all options were tried"),
        ("check data.csv --output out.html --fail-on never --compare", "before all ways to publish were tried"),
    ],
)
def test_options_that_were_not_tried_are_said_to_be_missing(command, said, monkeypatch):
    whole, done = cra_engine.compare, []

    def one(*given, progress, cancelled, **settings):
        assert not cancelled()
        return whole(*given, progress=lambda *_: done.append(progress), cancelled=lambda: bool(done), **settings)

    monkeypatch.setattr(cra_engine, "compare", one, raising=False)
    result = CliRunner().invoke(app, [*command.split(), "--study", "study.toml", "--time-limit", "3600"])
    assert result.exit_code == 0
    assert said in result.output


def asleep():
    time.sleep(900)


def at_work():
    while True:
        pass


def deaf():
    """Stand for a library that swallows the first of whatever comes."""
    try:
        time.sleep(900)
    except KeyboardInterrupt:
        at_work()


def patient():
    """Stand for a loop that ends by itself where it is asked to."""
    while True:
        time.sleep(0.01)
        checkpoint()


@pytest.mark.parametrize("lasts", [asleep, at_work, deaf, patient])
@pytest.mark.parametrize("limited", ["", "all of it"])
def test_what_is_not_done_in_time_is_ended_and_writes_nothing(lasts, limited, tmp_path, monkeypatch):
    def later(output: Path) -> None:
        """Stand for any command: all are registered so."""
        with whole_file(output) as file:
            file.write(b"half of it")
            lasts()

    monkeypatch.setattr(clock, "GRACE", 0.0)
    held = guard.Commands()
    held.command("later", limited=limited)(later)
    held.command("other")(later)
    result = CliRunner().invoke(held, ["later", str(tmp_path / "out.csv"), "--time-limit", "0.01"])
    assert isinstance(result.exception, CRAError)
    assert str(result.exception).startswith("The 0.01 s of --time-limit were over before later was done; nothing was")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def clocked(monkeypatch):
    """Progress by a clock that the test turns."""
    now = [0.0]
    monkeypatch.setattr(progress, "time", type("Clock", (), {"monotonic": staticmethod(lambda: now[0])}))
    monkeypatch.setattr(progress, "PATIENCE", 2.0)
    stream = io.StringIO()
    shown = Progress(stream)

    def after(seconds, most=None):
        now[0] = seconds
        shown.show(seconds, most)
        text = stream.getvalue()
        stream.truncate(stream.seek(0))
        return text

    return shown, after


def test_what_lasts_says_how_far_it_is_and_what_is_left(clocked):
    shown, after = clocked
    assert after(1.9) == ""
    assert after(2) == "reading, 2 s so far\n"
    shown.at("classes attacked", 0, 40)
    assert after(7) == ""  # ten seconds after the line before it
    shown.at("classes attacked", 10, 40)
    assert after(12) == "10 of 40 classes attacked, about 30 s left\n"
    assert after(22, most=8) == "10 of 40 classes attacked, 22 s so far, at most 8 s left\n"
    shown.at("writing")
    assert after(32) == "writing, 32 s so far\n"


def test_what_a_command_counts_itself_stands_above_the_steps_of_the_engine(clocked):
    shown, after = clocked
    count = shown.counting("options")
    count(1, 4, 60.0)
    shown.at("classes attacked", 10, 40)
    assert after(12) == "1 of 4 options, about 48 s left\n"
    count(7, 0)
    assert after(22) == "7 options, 22 s so far\n"


def test_a_quiet_command_says_nothing(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    stream = io.StringIO()
    Progress(stream, quiet=True).show(100.0, None)
    assert stream.getvalue() == ""


def test_a_line_comes_while_the_work_goes_on(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with clock.running(None, hands_over=False, quiet=False):
        tell("knitting")
        while not sys.stderr.getvalue():
            time.sleep(0.01)
    assert sys.stderr.getvalue().startswith("knitting, 0 s so far")


def test_progress_on_a_terminal_is_one_line(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    stream = io.StringIO()
    stream.isatty = lambda: True
    shown = Progress(stream)
    shown.at("writing a long word")
    shown.show(1.0, None)
    shown.at("writing")
    shown.show(2.0, None)
    shown.close()
    first, second = "writing a long word, 1 s so far", "writing, 2 s so far"
    assert stream.getvalue() == f"\r{first}\r{second:<{len(first)}}\n"
