"""The schemas of what commands print: one for each that prints JSON, itself a schema, and strict where it says so."""

import json
from pathlib import Path

import jsonschema
import pytest
import typer
from typer.testing import CliRunner

from cra_engine.cli.commands import app
from cra_engine.cli.shapes import SHAPES
from cra_engine.errors import CRAError
from json_shapes import assert_shape

COMMANDS = typer.main.get_command(app).commands


def test_every_command_that_prints_json_has_one():
    printing = {name for name, one in COMMANDS.items() if any("--json" in option.opts for option in one.params)}
    assert set(SHAPES) == printing


@pytest.mark.parametrize("name", SHAPES)
def test_it_is_a_schema_and_asks_for_its_version(name):
    done = CliRunner().invoke(app, ["--schema", name], catch_exceptions=False)
    schema = json.loads(done.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({}, schema)


def test_a_command_that_prints_none_is_refused():
    with pytest.raises(CRAError, match="'synthesise' prints no JSON; give one of attack, audit"):
        CliRunner().invoke(app, ["--schema", "synthesise"], catch_exceptions=False)


def test_what_does_not_fit_is_refused():
    count = {"unique": 1, "below": 2}
    fits = {"schema_version": 1, "records": 7, "below": 5, "ea": count, "ea_amb": count}
    assert_shape("effective-anonymity", json.dumps(fits))
    for wrong in ({"records": "7"}, {"schema_version": 2}, {"more": 1}, {"ea": {"unique": 1}}):
        with pytest.raises(jsonschema.ValidationError):
            assert_shape("effective-anonymity", json.dumps(fits | wrong))


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("microaggregate people.csv --k 3 --column weight --suppress --output new.csv", {"hidden_cells"}),
        ("effective-anonymity people.csv --qi age --qi town --withheld 3 --apart town", {"mistaken"}),
        ("downcode release.csv --study study.toml --supposing arx --output new.csv", {"forced"}),
        ("check people.csv --study study.toml --also weight --fail-on never --output new.html", {"also_together"}),
        ("minimal few.csv --study few.toml --all --output new.csv", {"releases"}),
        ("experiment --simulate ladder --runs 1", {"domain"}),
        ("compare people.csv --study study.toml --around --output new.html", {"recommended"}),
    ],
    ids=lambda value: value.split()[0] if isinstance(value, str) else "",
)
def test_what_options_add_fits_too(tmp_path, monkeypatch, command, more):
    monkeypatch.chdir(tmp_path)
    rows = [(20 + row * 7 % 60, 50 + row * 11 % 40, ("Ulm", "Bonn")[row % 2]) for row in range(60)]
    lines = ["age,weight,town", *(f"{age},{weight},{town}" for age, weight, town in rows)]
    Path("people.csv").write_text("\n".join(lines), encoding="utf-8")
    Path("few.csv").write_text("age\n10\n20\n30\n70\n", encoding="utf-8")
    attribute = '[[attribute]]\nname = "age"\nlower = 0\nupper = 80\nlayers = 3\n'
    Path("study.toml").write_text(f"k = 3\n{attribute}", encoding="utf-8")
    Path("few.toml").write_text(f"k = 2\n{attribute}", encoding="utf-8")
    runner = CliRunner()
    made = runner.invoke(app, ["recode", "people.csv", "--study", "study.toml", "--output", "release.csv"])
    assert made.exit_code == 0, made.stderr
    done = runner.invoke(app, [*command.split(), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert more <= set(json.loads(done.stdout))
    assert_shape(command.split()[0], done.stdout)
