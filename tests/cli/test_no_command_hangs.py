"""What once hung, broke off or was said too late is refused at once, in one bounded sentence."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cra_engine
from cra_engine.cli import commands
from every_command import fill

STUDY = 'k = {k}\n[[attribute]]\nname = "age"\nlower = 0\nupper = 80\nlayers = {layers}\nfanout = {fanout}\n'


@pytest.fixture
def refused(run, tmp_path):
    """Runs a command in a folder that holds all files; returns the one sentence that it ends with."""
    fill(tmp_path)

    def command(*arguments):
        status, out, err = run(*arguments)
        assert (status, out, err.count("\n")) == (2, "", 1), err
        return err

    return command


@pytest.mark.parametrize("key", ["k", "layers", "fanout"])
@pytest.mark.parametrize("number", ["nan", "-nan", "inf"])
def test_a_study_of_no_number_is_refused(key, number, refused, tmp_path):
    text = STUDY.format_map({"k": 3, "layers": 3, "fanout": 2} | {key: number})
    (tmp_path / "odd.toml").write_text(text, encoding="utf-8")
    assert "whole number is needed" in refused("recode", "people.csv", "--study", "odd.toml", "--output", "out.csv")


@pytest.mark.parametrize(
    "cells",
    [pa.array([[20], [30, 40], []]), pa.array([{"x": 1}] * 3), pa.array([[("a", 1)]] * 3, pa.map_("string", "int64"))],
)
def test_cells_of_parquet_that_are_no_values_are_refused(cells, refused, tmp_path):
    pq.write_table(pa.table({"age": cells}), tmp_path / "odd.parquet")
    said = refused("recode", "odd.parquet", "--study", "study.toml", "--output", "out.parquet")
    assert "in its cells; write one value per cell" in said


@pytest.mark.parametrize(
    "broken", [b"{{{", b'{"columns": 5}', b"\xff\xfe", b'{"index_columns": ["zz"], "columns": [{}]}']
)
def test_what_pandas_wrote_beside_a_parquet_table_is_not_needed(broken, run, tmp_path):
    fill(tmp_path)
    table = pa.table({"age": [21, 22, 23]}).replace_schema_metadata({b"pandas": broken})
    pq.write_table(table, tmp_path / "odd.parquet")
    assert run("recode", "odd.parquet", "--study", "study.toml", "--output", "out.parquet")[0] == 0
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 3


def test_too_many_releases_are_counted_before_they_are_read(refused):
    names = [f"not-there-{number}.csv" for number in range(2000)]
    assert "2,000 releases are more than 20" in refused("compose", *names, "--study", "study.toml")


def test_compare_says_before_its_work_that_it_cannot_write(refused, monkeypatch):
    def worked(*_, **__):
        raise AssertionError("it worked first")

    monkeypatch.setattr(cra_engine, "compare", worked, raising=False)
    said = refused("compare", "people.csv", "--study", "study.toml", "--output", "nowhere/out.html")
    assert "nowhere/out.html cannot be written" in said


@pytest.mark.parametrize("option", ["--gs-factor", "--alone", "--t"])
def test_a_refused_value_is_not_printed_whole(option, refused):
    said = refused("check", "people.csv", "--study", "study.toml", "--output", "out.html", option, "9x" * 2500)
    assert len(said) <= commands.MOST_SAID + 10


def test_a_table_without_a_quasi_identifier_cannot_be_made_publishable(refused, tmp_path):
    (tmp_path / "few.csv").write_text("name;illness\n1;flu\n2;gout\n", encoding="utf-8")
    assert "no column 'age'" in refused("publishable", "few.csv", "--study", "study.toml", "--output", "new")
