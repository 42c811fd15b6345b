"""A time limit is the whole command's: what reading took is not there any more for the work."""

from importlib import import_module

import pytest
from typer.testing import CliRunner

import cra_engine
from cra_engine import CRAError, recode, synthesize
from cra_engine.cli import clock
from cra_engine.cli.commands import app

READING = 90.0
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
    """By the command's own clock whatever it does before its work takes a minute and a half; the first calls say 0."""

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
@pytest.mark.parametrize(("seconds", "left"), [(100, 10), (60, 0)])
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
    assert str(said) == "Within 60 s no option was measured; allow more time with --time-limit."


@pytest.mark.usefixtures("folder")
def test_options_that_were_not_tried_are_said_to_be_missing(monkeypatch):
    whole, done = cra_engine.compare, []

    def one(*given, progress, cancelled, **settings):
        assert not cancelled()
        return whole(*given, progress=lambda *_: done.append(progress), cancelled=lambda: bool(done), **settings)

    monkeypatch.setattr(cra_engine, "compare", one, raising=False)
    command = ["compare", "data.csv", "--study", "study.toml", "--output", "out.html", "--time-limit", "3600"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0
    assert "The time limit was over before all options were tried" in result.output
