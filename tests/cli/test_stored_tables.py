"""Whatever a table is stored in, a CSV file, a Parquet file or a folder of either, commands say the same of it."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from clusters import cluster, killer, whole
from cra_engine import Attribute, Study, recode
from cra_engine.cli.commands import app
from cra_engine.errors import DataError, TooLargeError
from cra_engine.files import counted_rows, table_faults, tables
from cra_engine.files import stored as stored_files
from cra_engine.files.tables import LARGE, read_noted
from cra_engine.raw.synthesis import synthesize
from cra_engine.study.roles import Roles

STORED = ["table.parquet", "parts", "texts"]
TABLE = ["--study", "study.toml"]
# Each with the table or the release in the place of a word in braces.
COMMANDS = {
    line: line.replace(" ..", " --study study.toml").replace(" QI", " --qi age --qi weight").split()
    for line in (
        "recode {raw} .. --output out.csv --keep-order",
        "safe-recode {raw} .. --epsilon 1 --seed 3 --output out.csv",
        "global-recode {raw} .. --output out.csv --keep-order",
        "minimal {raw} .. --seed 1 --keep-order --output out.csv",
        "microaggregate {raw} .. --k 3 --keep-order --output out.csv",
        "heterogeneous {raw} QI --sensitive ill --l 2 --seed 1 --output out.csv",
        "effective-anonymity {raw} QI --output out.csv",
        "roles {raw}",
        "check {raw} .. --output out.html --fail-on never",
        "check {raw} --release {release} .. --output out.html --fail-on never",
        "attack {release} .. --tight",
        "single-out {release} .. --data {raw}",
        "single-out {release} ..",
        "compose {release} {release} ..",
        "audit {release} QI --k 3 --output out.html",
        "repair {release} .. --keep-order --output out.csv",
        "sensitive-cells {raw} --release {release} --by age --by weight --column cost",
        "compare {raw} .. --method local --method global --output out.html",
    )
}

SPREAD = [
    "attack {release} .. --tight",
    "single-out {release} ..",
    "single-out {release} .. --data {raw}",
    "compose {release} {release} ..",
    "check {raw} --release {release} .. --output out.html --fail-on never",
    "audit {release} QI --k 3 --output out.html",
    "global-recode {raw} .. --output out.csv --keep-order",
    "microaggregate {raw} .. --k 3 --keep-order --output out.csv",
    "compare {raw} .. --method local --method global --output out.html",
]


def store(frame: pd.DataFrame, name: str) -> None:
    """The table as CSV, as Parquet, and in parts of both."""
    folder = Path(name)
    folder.mkdir()
    frame.to_csv(folder / "table.csv", index=False)
    frame.to_parquet(folder / "table.parquet")
    for kind in ("parts", "texts"):
        (folder / kind).mkdir()
    for number in range(3):
        part = frame.iloc[number * len(frame) // 3 : (number + 1) * len(frame) // 3]
        part.to_parquet(folder / "parts" / f"part-{number:03}.parquet")
        part.to_csv(folder / "texts" / f"{number}.csv", index=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = synthesize("toy", 60, seed=2)
    people = made.data.assign(ill=["flu", "gout", "burn"] * 20, cost=[100 + 7 * row % 91 for row in range(60)])
    roles = Roles(sensitive=["ill"], keep=["cost"])
    study = Study(made.study.attributes, 3, roles=roles)
    study.to_toml("study.toml")
    store(people, "raw")
    store(recode(people, study).frame, "release")


def said(command: list[str], stored: str) -> tuple[dict, str]:
    """The JSON that a command prints of tables stored so, but for the names of files, and the table that it wrote."""
    names = {"{raw}": f"raw/{stored}", "{release}": f"release/{stored}"}
    result = CliRunner().invoke(app, [*(names.get(word, word) for word in command), "--json"])
    assert result.exit_code == 0, result.output
    written = Path("out.csv").read_text() if "out.csv" in command else ""
    told = json.loads(result.stdout)
    shutil.rmtree("made", ignore_errors=True)  # a folder has to be new
    return {name: value for name, value in told.items() if name not in ("files", "seconds")}, written


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_the_same_of_a_table_however_it_is_stored(name):
    told = said(COMMANDS[name], "table.csv")
    for stored in STORED:
        assert said(COMMANDS[name], stored) == told, stored


@pytest.mark.usefixtures("folder")
def test_workers_find_the_same():
    for name in SPREAD:
        told = said(COMMANDS[name], "table.csv")
        assert said([*COMMANDS[name], "--backend", "loky"], "parts") == told, name


@pytest.mark.usefixtures("folder")
def test_a_table_in_parts_becomes_the_same_archive():
    study = Study.from_toml("study.toml")
    study.changed(attributes=study.attributes[:1], roles=Roles(sensitive=["ill"], remove=["cost", "weight"])).to_toml(
        "study.toml"
    )
    command = ["publishable", "{raw}", "--study", "study.toml", "--output", "made"]
    told = said(command, "table.csv")
    assert told[0]["complete"]
    assert said([*command, "--backend", "loky"], "parts") == told
    assert said(command, "texts") == told


@pytest.mark.exhaustive
@pytest.mark.usefixtures("folder")
def test_a_cluster_finds_the_same_with_a_worker_killed_in_each_command(tmp_path, monkeypatch):
    counted, coded = counted_rows._counted, stored_files._coded
    with cluster(3) as made:
        for number, name in enumerate(SPREAD):
            told = said(COMMANDS[name], "table.csv")
            flag = tmp_path / f"killed-{number}"
            monkeypatch.setattr(counted_rows, "_counted", killer(flag, counted))
            monkeypatch.setattr(stored_files, "_coded", killer(flag, coded))
            spread = [*COMMANDS[name], "--backend", "dask", "--scheduler", made.scheduler_address]
            assert said(spread, "parts") == told, name
            assert flag.exists(), name
            whole(made, 3)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--backend", "dask"], "Name the cluster's scheduler"),
        (["--scheduler", "nowhere"], "No Dask scheduler answers at nowhere"),
        (["--backend", "loky", "--scheduler", "tcp://127.0.0.1:1"], "goes with --backend dask"),
    ],
)
def test_workers_that_cannot_count(more, says):
    assert says in refused("attack", "release/parts", *TABLE, *more)


def test_a_large_csv_file_is_the_table_that_python_reads_of_its_bytes(tmp_path, monkeypatch):
    path = tmp_path / "large.csv"
    line = '" 7,5";ä;"say ""so""";;\n'
    path.write_text("a;b;c;d;e\n" + line * (LARGE // len(line) + 1), encoding="utf-8")
    assert path.stat().st_size > LARGE
    by_arrow = [read_noted(path), read_noted(path.read_bytes(), path.name)]
    monkeypatch.setattr(tables, "LARGE", 1 << 40)
    expected, same = read_noted(path.read_bytes(), path.name)
    for table, notes in by_arrow:
        pd.testing.assert_frame_equal(table, expected)
        assert notes == same


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("stored", ["table.csv", *STORED])
def test_more_than_fits_into_memory_is_refused_however_it_is_stored(stored, monkeypatch):
    monkeypatch.setattr(tables, "LARGE", 0)
    columns = len(read_noted(Path("raw", stored))[0].columns)
    monkeypatch.setattr(table_faults, "MAX_CELLS", 60 * columns)
    assert len(read_noted(Path("raw", stored))[0]) == 60
    monkeypatch.setattr(table_faults, "MAX_CELLS", 60 * columns - 1)
    with pytest.raises(TooLargeError, match=rf"^{stored} holds at least {60 * columns} cells, more than "):
        read_noted(Path("raw", stored))
    monkeypatch.setattr(table_faults, "MAX_CELLS", 60 * columns)
    monkeypatch.setattr(stored_files, "MOST_BYTES", 500)
    with pytest.raises(TooLargeError, match=rf"^{stored} holds more than 500 bytes"):
        read_noted(Path("raw", stored))


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments])
    with pytest.raises(Exception) as raised:  # noqa: PT011 - the sentence is looked at by who asks
        raise result.exception
    return str(raised.value)


@pytest.mark.usefixtures("folder")
def test_a_folder_that_is_no_table_says_which_file_and_why():
    Path("empty").mkdir()
    assert "holds no .parquet file and no .csv file" in refused("attack", "empty", *TABLE)
    Path("raw/parts/more.csv").write_text("age,weight\n1,2\n")
    assert "holds part-000.parquet and more.csv" in refused("check", "raw/parts", *TABLE, "--output", "out.html")
    Path("raw/texts/9.csv").write_text("age,height\n1,2\n")
    text = refused("check", "raw/texts", *TABLE, "--output", "out.html")
    assert "9.csv has other columns than 0.csv: it has no column 'weight'" in text
    Path("raw/texts/9.csv").write_bytes(b"\x00\x01\x02")
    assert "9.csv is not text" in refused("check", "raw/texts", *TABLE, "--output", "out.html")


@pytest.mark.usefixtures("folder")
def test_what_is_no_part_is_named():
    Path("raw/texts/readme.md").write_text("three parts")
    Path("raw/texts/_SUCCESS").touch()
    _, notes = read_noted(Path("raw/texts"))
    assert notes == ("Not read, since it is no .csv file: readme.md.",)


@pytest.mark.parametrize("broken", [b"{", b'{"index_columns": 3}', b'{"index_columns": ["nobody"]}'])
def test_a_parquet_file_whose_note_of_pandas_is_broken_is_read(tmp_path, broken):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"age": [1, 2]}).replace_schema_metadata({b"pandas": broken}), path)
    assert read_noted(path)[0]["age"].tolist() == [1, 2]


UNREADABLE = {
    "text that is no UTF-8": (pa.array([b"S\xe3o Jo\xe3o", b"Ulm"]).view(pa.string()), "town.parquet .*UTF8"),
    "long text too": (pa.array([b"\xff", b"Ulm"], pa.large_binary()).view(pa.large_string()), "town.parquet .*UTF8"),
    "a time zone": (pa.array([0, 1], pa.timestamp("ns", "Nowhere/Bad")), "'town' of type timestamp"),
    "a word times its number": (  # gigabytes
        pa.DictionaryArray.from_arrays(pa.array([0] * 131072, pa.int8()), ["x" * 20000]),
        "'town' of type dictionary",
    ),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.exhaustive if "times" in what else ()) for what in UNREADABLE]
)
def test_cells_that_nobody_can_read_are_refused_without_quoting_them(what):
    column, sentence = UNREADABLE[what]
    ages = pa.array([21, 22] * (len(column) // 2))
    pq.write_table(pa.table({"age": ages, "weight": ages, "town": column}), "town.parquet")
    with pytest.raises(DataError, match=sentence) as raised:
        read_noted(Path("town.parquet"))
    assert "o Jo" not in str(raised.value)
    for output in ("out.csv", "out.parquet"):
        result = CliRunner().invoke(app, ["recode", "town.parquet", *TABLE, "--output", output])
        assert isinstance(result.exception, DataError), (output, result.exception)
        assert not Path(output).exists()


@pytest.mark.usefixtures("folder")
def test_lists_in_cells_are_refused_in_a_sentence():
    people = pq.read_table("raw/table.parquet", columns=["weight", "ill", "cost"])
    pq.write_table(people.append_column("age", pa.array([[21, 22]] * 60)), "lists.parquet")
    for command, output in (("recode", "out.csv"), ("global-recode", "out.csv"), ("check", "out.html")):
        assert "'age'" in refused(command, "lists.parquet", *TABLE, "--output", output)


LARGE_ONES = [2**53 + 1, None, 2**53 + 3, 7]


@pytest.mark.parametrize("stored", ["one.parquet", "many"])
def test_whole_numbers_with_gaps_stay_the_numbers_that_they_are(tmp_path, monkeypatch, stored):
    """Floats tell no two neighbours apart from 2^53 on; the gap and the large numbers can be in different parts."""
    monkeypatch.chdir(tmp_path)
    frame = pa.table({"age": [1, 2, 3, 4], "id": pa.array(LARGE_ONES, pa.int64()), "visits": [1, None, 3, None]})
    pq.write_table(frame, "one.parquet")
    Path("many").mkdir()
    for number, (begin, length) in enumerate([(0, 1), (1, 1), (2, 2)]):
        pq.write_table(frame.slice(begin, length), f"many/{number}.parquet")
    read, _ = stored_files.read_stored(Path(stored))
    assert [None if pd.isna(cell) else int(cell) for cell in read["id"]] == LARGE_ONES
    assert read["visits"].dtype == float
    Study([Attribute("age", 0, 8, 4)], 2, roles=Roles(keep=["id", "visits"])).to_toml("study.toml")
    for more in ([], ["--streaming"], ["--output", "out.parquet"]):
        command = ["recode", stored, *TABLE, "--output", "out.csv", *more]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
    as_text = pd.read_csv("out.csv", sep=";", dtype=str)["id"].dropna()
    as_stored = [cell for cell in pq.read_table("out.parquet")["id"].to_pylist() if cell is not None]
    for written in (as_text, map(str, as_stored)):
        assert sorted(written) == ["7", str(2**53 + 1), str(2**53 + 3)]


@pytest.mark.usefixtures("folder")
def test_a_folder_s_report_lists_what_was_read_and_says_what_was_not():
    (Path("raw/parts") / "README.txt").write_text("by hand")
    (Path("raw/parts") / "older").mkdir()
    command = ["check", "raw/parts", *TABLE, "--output", "out.html", "--fail-on", "never", "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    named = [one["name"] for one in json.loads(result.stdout)["files"] if one["what"] == "data"]
    assert named == [f"parts/part-{number:03}.parquet" for number in range(3)]
    assert "Not read, since it is no .parquet file: README.txt, older." in result.stderr


@pytest.mark.parametrize("name", [name for name in COMMANDS if "out.csv" in COMMANDS[name] and name != "recode"])
@pytest.mark.usefixtures("folder")
def test_no_csv_is_written_under_the_name_of_a_parquet_file(name):
    names = {"{raw}": "raw/parts", "{release}": "release/parts", "out.csv": "out.parquet"}
    done = CliRunner().invoke(app, [names.get(word, word) for word in COMMANDS[name]])
    assert done.exit_code == 0, done.output
    assert pq.read_table("out.parquet").num_rows == 60
