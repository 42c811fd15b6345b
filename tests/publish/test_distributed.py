"""A table in parts: the same rows as one machine, whoever does the work, and one sentence for what cannot be done."""

import sys

import joblib
import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from clusters import cluster, killer
from cra_engine import Attribute, CRAError, Study, recode
from cra_engine.cli.commands import app
from cra_engine.experiments.workers import workers
from cra_engine.publish.local import distributed as spread
from cra_engine.publish.local.distributed import recode_folder
from cra_engine.publish.local.streaming import recode_file
from cra_engine.study.file_hierarchy import FileHierarchy
from shares import first
from strategies import random_case

pq = pytest.importorskip("pyarrow.parquet")
WARD = FileHierarchy("ward", tuple((name, name, "*") for name in ("A", "B", "C")))
STUDY = Study([Attribute("age", 0, 64, 4), Attribute("weight", 0, 64, 4), WARD], k=5)


def people(records, seed=1):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"p{row}" for row in range(records)],
            "age": rng.integers(0, 64, records),
            "weight": rng.integers(0, 640, records) / 10,
            "ward": rng.choice(["A", "B", "C"], records),
        }
    )


def parted(table, folder, sizes):
    folder.mkdir()
    start = 0
    for number, size in enumerate(sizes):
        table.iloc[start : start + size].to_parquet(folder / f"part-{number:03}.parquet", index=False)
        start += size
    assert start == len(table)
    return folder


def whole(folder):
    return pd.concat([pd.read_parquet(path) for path in sorted(folder.iterdir())], ignore_index=True)


def here():
    return joblib.parallel_config(n_jobs=1)


@pytest.mark.parametrize("sizes", [[500], [1, 0, 299, 200], [100] * 5])
def test_the_rows_are_those_of_one_machine(tmp_path, sizes):
    table = people(500)
    table.to_parquet(tmp_path / "table.parquet", index=False)
    one = recode_file(tmp_path / "table.parquet", STUDY, tmp_path / "one.parquet", keep_order=True)
    with here():
        many = recode_folder(parted(table, tmp_path / "parts", sizes), STUDY, tmp_path / "release", keep_order=True)
    expected = pd.read_parquet(tmp_path / "one.parquet")
    assert whole(tmp_path / "release").astype(str).equals(expected.astype(str))
    assert [(c.segment, c.size, c.iteration) for c in many.classes] == [
        (c.segment, c.size, c.iteration) for c in one.classes
    ]
    assert many.cells.first_rows.tolist() == one.cells.first_rows.tolist()
    assert len(many.parts_written) == len(sizes)


@pytest.mark.parametrize("seeds", first(1, [range(12), range(12, 120)]), ids=["few", "many"])
@pytest.mark.parametrize("ties", ["paper", "arx"])
def test_random_tables_with_ties(tmp_path, ties, seeds):
    for seed in seeds:
        case = random_case(seed, equal=True)
        table = case.data.copy()
        for name in case.study.names:
            table[name] = pd.to_numeric(table[name].astype(str).str.strip())
        half = len(table) // 3
        folder = parted(table, tmp_path / f"{seed}", [half, len(table) - half])
        with here():
            recode_folder(folder, case.study, tmp_path / f"out-{seed}", ties=ties, keep_order=True)
        expected = recode(table.reset_index(drop=True), case.study, ties=ties).frame
        assert whole(tmp_path / f"out-{seed}").astype(str).equals(expected.astype(str)), f"seed {seed}"


@pytest.mark.parametrize("ties", ["paper", "arx"])
def test_a_part_without_rows_is_published_as_one(tmp_path, ties):
    table = people(60)
    folder = parted(table, tmp_path / "parts", [0, 40, 0, 20])
    with here():
        recode_folder(folder, STUDY, tmp_path / "out", ties=ties, keep_order=True)
    assert len(pd.read_parquet(tmp_path / "out" / "part-000.parquet")) == 0
    assert whole(tmp_path / "out").astype(str).equals(recode(table, STUDY, ties=ties).frame.astype(str))


# ---------------------------------------------------------------- workers


def test_one_of_two_workers_is_killed_in_the_middle(tmp_path, monkeypatch):
    table = people(600)
    parts = parted(table, tmp_path / "parts", [100] * 6)
    expected = recode(table, STUDY).frame
    flag = tmp_path / "killed"
    monkeypatch.setattr(spread, "_labelled", killer(flag, spread._labelled))
    with cluster() as made:
        with workers("dask", scheduler=made.scheduler_address):
            recode_folder(parts, STUDY, tmp_path / "release", keep_order=True)
        with pytest.importorskip("distributed").Client(made.scheduler_address) as client:
            ran = client.run(lambda: "cra_engine.publish.local.distributed" in sys.modules)
    assert flag.exists()
    assert any(ran.values())  # the cluster did the work, not this process
    assert whole(tmp_path / "release").astype(str).equals(expected.astype(str))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["killed", "parts", "release"]
    assert not any(path.name.startswith(".") for path in (tmp_path / "release").iterdir())


# ---------------------------------------------------------------- what cannot be done


def refused(tmp_path, folder, study=STUDY):
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(CRAError) as caught, here():
        recode_folder(folder, study, tmp_path / "release", keep_order=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith(".")
    return text


def test_folders_that_hold_no_table(tmp_path):
    (tmp_path / "empty").mkdir()
    assert "holds no .parquet file" in refused(tmp_path, tmp_path / "empty")
    assert "is no folder" in refused(tmp_path, tmp_path / "nowhere")
    (tmp_path / "empty" / "a.parquet").write_bytes(b"PAR1 nonsense")
    assert "no Parquet file that can be read" in refused(tmp_path, tmp_path / "empty")


def test_parts_that_differ(tmp_path):
    table = people(40)
    folder = parted(table, tmp_path / "parts", [20, 20])
    second = folder / "part-001.parquet"
    for changed, says in (
        (table.drop(columns="weight"), "it has no column 'weight'"),
        (table.assign(more=1), "it also has 'more'"),
        (table.astype({"age": "float64"}), "its 'age' is of type double instead of int64"),
        (table[["age", "name", "weight", "ward"]], "they stand in another order"),
    ):
        changed.to_parquet(second, index=False)
        text = refused(tmp_path, folder)
        assert says in text
        assert "part-001.parquet has other columns than part-000.parquet" in text


def test_values_that_do_not_fit(tmp_path):
    table = people(40)
    table.loc[30, "age"] = 99
    assert "part-001.parquet: Column 'age'" in refused(tmp_path, parted(table, tmp_path / "a", [20, 20]))
    table = people(40).astype({"age": str})
    assert "is of type" in refused(tmp_path, parted(table, tmp_path / "b", [20, 20]))
    assert "no column 'age'" in refused(tmp_path, parted(people(40).drop(columns="age"), tmp_path / "c", [40]))
    assert "holds no record" in refused(tmp_path, parted(people(0), tmp_path / "d", [0, 0])).replace(
        "no records", "no record"
    )
    assert "k = 50" in refused(tmp_path, parted(people(40), tmp_path / "e", [40]), STUDY.with_k(50))


def test_a_part_that_changes_meanwhile_and_a_folder_that_is_there(tmp_path, monkeypatch):
    table = people(60)
    folder = parted(table, tmp_path / "parts", [30, 30])
    honest = spread.recode_cells

    def later(*given):
        people(60, seed=2).iloc[:30].to_parquet(folder / "part-000.parquet", index=False)
        return honest(*given)

    monkeypatch.setattr(spread, "recode_cells", later)
    assert "was changed while it was read" in refused(tmp_path, folder)
    monkeypatch.undo()
    with pytest.raises(CRAError, match="is there already"):
        recode_folder(folder, STUDY, folder, keep_order=True)


def test_other_files_are_named(tmp_path):
    folder = parted(people(60), tmp_path / "parts", [30, 30])
    (folder / "readme.txt").write_text("parts", encoding="utf-8")
    (folder / "_SUCCESS").touch()
    with here():
        found = recode_folder(folder, STUDY, tmp_path / "release", keep_order=True)
    assert found.notes == ("Not read, since it is no .parquet file: readme.txt.",)


def test_the_command(tmp_path):
    folder = parted(people(60), tmp_path / "parts", [30, 30])
    STUDY.to_toml(tmp_path / "study.toml")
    asked = [
        "recode",
        "--keep-order",
        str(folder),
        "--study",
        str(tmp_path / "study.toml"),
        "--output",
        str(tmp_path / "release"),
    ]
    result = CliRunner().invoke(app, [*asked, "--backend", "loky"])
    assert result.exit_code == 0, result.output
    assert "60 records, k = 5" in result.output
    expected = recode(people(60), STUDY).frame
    assert whole(tmp_path / "release").astype(str).equals(expected.astype(str))
    for more, says in (
        (("--scheduler", "nowhere"), "No Dask scheduler answers at nowhere"),
        ((), "for a folder of parts, add --backend loky"),
        (("--backend", "dask"), "Name the cluster's scheduler"),
        (("--backend", "loky", "--scheduler", "tcp://127.0.0.1:1"), "goes with --backend dask"),
        (("--backend", "loky", "--decimal", "comma"), "for single files"),
    ):
        caught = CliRunner().invoke(app, [*asked[:-1], str(tmp_path / "other"), *more]).exception
        assert isinstance(caught, CRAError)
        assert says in str(caught)
        assert not (tmp_path / "other").exists()
