"""Recoding a file block by block against recoding it in memory: the same bytes, the same words."""

import csv
import io
import sys
from decimal import Decimal

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from cra_engine import Attribute, DataError, Study, TooLargeError, recode
from cra_engine.cli.commands import app, main
from cra_engine.files import block_files
from cra_engine.files.block_files import CsvTable
from cra_engine.files.csv_text import formulas
from cra_engine.files.notation import with_decimal
from cra_engine.files.stored import open_table
from cra_engine.files.tables import read_noted
from cra_engine.publish.local.streaming import _FilePass, recode_file
from cra_engine.raw.missing_words import MISSING
from cra_engine.raw.numbers import numbers, plain_numbers
from cra_engine.study.file_hierarchy import FileHierarchy
from shares import first
from strategies import random_case

AGE = Attribute("age", 0, 80, 4)
WEIGHT = Attribute("weight", 0, 200, 3, resolution=Decimal("0.5"))
STUDY = Study([AGE, WEIGHT], 2)
TOWNS = FileHierarchy("town", (("Ulm", "south", "*"), ("Bonn", "west", "*"), ("Köln", "west", "*")))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of a few lines, so that every file is many."""
    monkeypatch.setattr(block_files, "BLOCK", 37)
    monkeypatch.setattr(block_files, "CELLS", 9)
    monkeypatch.setattr(block_files, "ROWS", 5)


def in_memory(content, study, ties="paper", decimal=None):
    """The release's bytes, or the words of the refusal; warnings; notes."""
    try:
        table, notes = read_noted(content, "data.csv")
        raw = table if decimal is None else with_decimal(table, study.names, decimal)
        recoding = recode(raw, study, ties=ties)
    except (DataError, TooLargeError) as error:
        return str(error)
    text = recoding.release.to_csv_text(keep_order=True).encode()
    return text, recoding.warnings, notes, formulas(recoding.frame), recoding.classes, recoding.suppressed


def streamed(folder, content, study, ties="paper", decimal=None):
    source, output = folder / "data.csv", folder / "release.csv"
    source.write_bytes(content)
    output.unlink(missing_ok=True)
    try:
        recoding = recode_file(source, study, output, ties=ties, decimal=decimal, keep_order=True)
    except (DataError, TooLargeError) as error:
        assert not output.exists()
        assert [path.name for path in folder.iterdir()] == ["data.csv"]
        return str(error)
    assert sorted(path.name for path in folder.iterdir()) == ["data.csv", "release.csv"]
    found = (recoding.warnings, recoding.notes, recoding.formulas, recoding.classes, recoding.suppressed)
    return output.read_bytes(), *found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("streamed")


# ---------------------------------------------------------------- any file

CELL = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff"), max_size=5),
    st.sampled_from(["", "a;b", 'say "no"', "two\nlines", "a\rb", "a\r\nb", "1.50", "=1+1", "-5", "'=x", "NA", " x "]),
)
AGES = st.integers(0, 79).map(str)
WEIGHTS = st.integers(0, 399).map(lambda step: format(Decimal(step) / 2, "f"))
CARELESS = st.sampled_from(["7", " 7", "7.0", "+7", "07", "7e0", "7.", "71.5", "12.250", "7.25", "9.125", "9.000"])
COMMAS = st.integers(0, 399).map(lambda step: format(Decimal(step) / 2, "f").replace(".", ","))
ODD = st.sampled_from(
    ["", "NA", "x", "80", "-1", "-99", "1e3", "7,5", "1.250", "1,250", "0x10", "1_0", "inf", "nan", "٣"]
)


@st.composite
def files(draw):
    """The bytes of a table: quoted or not, with blank lines, of any encoding, line end and delimiter."""
    numeric = draw(st.sampled_from([WEIGHTS, WEIGHTS, CARELESS, COMMAS, st.one_of(WEIGHTS, ODD)]))
    others = draw(st.integers(0, 2))
    row = st.tuples(AGES, numeric, *[CELL] * others)
    rows = draw(st.lists(row, min_size=draw(st.sampled_from([0, 4, 12])), max_size=30))
    fault = draw(st.sampled_from([*[""] * 9, "cell", "row", "end"]))
    if fault == "cell" and rows:
        rows[draw(st.integers(0, len(rows) - 1))] = draw(st.tuples(ODD, ODD, *[CELL] * others))
    names = ["age", "weight", *["note", 'x;"y'][:others]]
    order = draw(st.permutations(range(len(names))))
    text = io.StringIO(newline="")
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    delimiter = draw(st.sampled_from(",;\t|"))
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator=end)
    for line in [names, *rows]:
        if draw(st.integers(0, 15)) == 0:
            text.write(end * draw(st.integers(1, 3)))
        cells = [line[i] for i in order]
        if fault == "row" and draw(st.integers(0, 9)) == 0:
            cells = cells[:-1]
        if any("\r" in cell for cell in cells):  # Python 3.11 leaves it unquoted
            csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator=end).writerow(cells)
        else:
            writer.writerow(cells)
    written = text.getvalue() + draw(st.sampled_from(["", "", end, end * 2]))
    if draw(st.booleans()):
        written = written.removesuffix(end)
    if fault == "end":
        written += draw(st.sampled_from(['"', "7"]))
    start = draw(st.sampled_from(["", "", "\n", "sep=" + delimiter + end]))
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"]))
    return (start + written).encode(encoding, errors="replace")


@given(content=files(), ties=st.sampled_from(["paper", "arx"]), decimal=st.sampled_from([None, None, "comma", "point"]))
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_any_file_gives_the_same_bytes_or_the_same_words(folder, content, ties, decimal):
    assert streamed(folder, content, STUDY, ties, decimal) == in_memory(content, STUDY, ties, decimal)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"age;weight\n",
        b"age;weight\n1;2\n\n3;4\n\n\n",
        b"age;weight\n1;2\n3\n",
        b"age;age\n1;2\n",
        b"age;height\n1;2\n",
        b"age;weight;n\n" + b"1;2;3\n" * 20 + b'1;2;"3\n',
        b"age;weight\n" + b"1;2,5\n" * 20,
        b"age;weight\n" + b"1;2,5\n" * 20 + b"1;2.5\n",
        b"age;weight\n" + b"1;2\n" * 20 + b"1;-99\n",
        b"age;weight\n" + b"1;2\n" * 20 + b"1;x\n",
        b"age;weight\n" + b"1;2.125\n" * 20,
        b"age;weight\n" + b"1;2.250\n" * 20 + b"5;7\n",
        "ä;age;weight\n".encode("cp1252") + b"1;2;5\n" * 20,
    ],
)
def test_what_is_odd_in_a_later_block_is_found(tmp_path, content):
    assert streamed(tmp_path, content, STUDY) == in_memory(content, STUDY)


CELLS = [
    "",
    "x",
    "a;b",
    'a"b',
    '"',
    "a\nb",
    "a\rb",
    "=1",
    "+1",
    "-1",
    "-1.5",
    "-x",
    "-",
    "@a",
    "'",
    "'a",
    "'=1",
    "''=1",
    "'-1",
]
CELLS += [
    " =1",
    "\t=1",
    "\ta",
    " a",
    "a ",
    "\r",
    "\uff1d1",
    "\uff0b1",
    "\uff0d1",
    "\uff201",
    "1e5",
    "-1e5",
    "-.5",
    "é",
    "a,b",
    "\x0b",
    "\u2028",
]


@pytest.mark.parametrize("cell", CELLS, ids=ascii)
def test_every_cell_is_written_as_in_memory(tmp_path, cell):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=",", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(["age", "weight", "note"])
    writer.writerows([age, 2 * age, cell if age == 40 else "plain"] for age in range(0, 80, 10))
    content = text.getvalue().encode()
    found = streamed(tmp_path, content, STUDY)
    assert not isinstance(found, str)
    assert found == in_memory(content, STUDY)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_end_within_a_cell_is_kept_wherever_a_block_ends(tmp_path, monkeypatch, end):
    content = f'age,weight,note{end}1,2,"first{end}second"{end}3,4,x{end}'.encode()
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    for size in range(1, len(content) + 1):
        monkeypatch.setattr(block_files, "BLOCK", size)
        table = open_table(path)
        notes = [note for block in table.blocks() for note in block["note"].to_pylist()]
        assert notes == [f"first{end}second", "x"], size


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blank_lines_slow_no_file_down_and_are_told_of_as_in_memory(tmp_path, monkeypatch, end):
    below = "held no record; in a spreadsheet the rows below stand further down by as many."
    blank, blanks = (f"{lines} of data.csv (the first {{}}) {below}" for lines in ("1 blank line", "3 blank lines"))
    path = tmp_path / "data.csv"
    monkeypatch.setattr(CsvTable, "_row_by_row", lambda *_: pytest.fail("read cell by cell"))
    for lines, said in [
        (["a,b", "1,2", "3,4", "", "5,6"], blank.format("after row 2")),
        (["a,b", "", "1,2", "", "", "3,4", "", ""], blanks.format("below the column names")),
        (["sep=;", "a;b", "1;2", "", '3;"4"', "", "", "5;6"], blanks.format("after row 1")),
        (["a,b", "1,2", "", ""], None),
    ]:
        path.write_bytes((end.join(lines) + end).encode())
        for size in range(16, 40):  # a record needs less
            monkeypatch.setattr(block_files, "BLOCK", size)
            table = open_table(path)
            numbers = [cell for block in table.blocks() for row in block.to_pylist() for cell in row.values()]
            assert numbers == [str(at) for at in range(1, len(numbers) + 1)]
            assert table.notes == read_noted(path)[1] == (() if said is None else (said,))


@pytest.mark.parametrize("quote", ["", '"'])
def test_cells_longer_than_any_reader_takes_are_refused_alike(tmp_path, quote):
    content = f"age;weight;n\n1;2;{quote}{'x' * 140_000}{quote}\n".encode()
    said = streamed(tmp_path, content, STUDY)
    assert isinstance(said, str)
    assert said == in_memory(content, STUDY)


# ---------------------------------------------------------------- every way to recode


def told(recoding):
    return recoding.classes, recoding.suppressed, recoding.iterations, recoding.warnings, recoding.records


@pytest.mark.parametrize("ties", ["paper", "arx"])
@pytest.mark.parametrize("profile", first(1, ["arx-gui", "paper", 0.2]))
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_random_studies_come_out_alike(tmp_path, monkeypatch, ties, profile, kind):
    monkeypatch.setattr(block_files, "BLOCK", 200)
    monkeypatch.setattr(block_files, "CELLS", 26)
    monkeypatch.setattr(block_files, "ROWS", 13)
    tied = 0
    for seed in range(6):
        case = random_case(seed, equal=seed % 2 == 0)
        study = Study(case.study.attributes, case.study.k, profile)
        source = tmp_path / f"data.{kind}"
        if kind == "csv":
            case.data.to_csv(source, index=False)
            table = read_noted(source)[0]
        else:
            case.data.to_parquet(source, index=seed % 3 == 0)
            table = pd.read_parquet(source)
        memory = recode(table, study, ties=ties)
        memory.release.to_csv(tmp_path / "memory.csv", keep_order=True)
        blocks = recode_file(source, study, tmp_path / "blocks.csv", ties=ties, keep_order=True)
        assert (tmp_path / "blocks.csv").read_bytes() == (tmp_path / "memory.csv").read_bytes()
        assert told(blocks) == told(memory)
        tied += any(step.tied for step in memory.iterations)
    assert tied or (ties, profile) != ("paper", "paper")  # c3, for which the file is read once more


def test_categories(tmp_path):
    rows = [["Ulm", 3], ["Bonn", 5], [" Köln ", 70], ["Bonn", 41], ["Ulm", 42], ["Ulm", 77], ["Köln", 3]] * 3
    study = Study([TOWNS, AGE], 3)
    content = pd.DataFrame(rows, columns=["town", "age"]).to_csv(index=False).encode()
    found = streamed(tmp_path, content, study)
    assert not isinstance(found, str)
    assert found == in_memory(content, study)
    content = content.replace(b"Bonn,41", b"Bern,41", 2)
    found = streamed(tmp_path, content, study)
    assert found == in_memory(content, study)
    assert found.startswith(
        "Column 'town': 2 values not listed in its hierarchy: 'Bern' in row 4, 'Bern' in row 11 (5, 12 in"
    )


# ---------------------------------------------------------------- Parquet

PLAIN = {
    "age": pa.array([1, 2, 3, 4, 51, 52, 53, 54, 79, 1, 2, 3], pa.int8()),
    "weight": pa.array([0.5, 1.5, 2, 3.5, 100, 101.5, 102, 103, 199.5, 0, 0, 0], pa.float32()),
    "text": pa.array(["a", "b;c", None, 'd"', "=1", "", "e\nf", "é", "1.50", "NA", "-1", " x"]),
    "whole": pa.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], pa.int64()),
    "gaps": pa.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, None], pa.int64()),
    "real": pa.array([0.1, 1.0, 1e-7, 1e22, None, 2.5, 3, 4, 5, 6, 7, 1 / 3]),
    "yes": pa.array([True, False, None] * 4),
    "kind": pa.array(["p", "q"] * 6).dictionary_encode(),
    "day": pa.array([19_000] * 11 + [None], pa.int32()).cast(pa.date32()),
    "exact": pa.array([Decimal("1.50")] * 12),
}


def test_parquet_columns_of_every_kind(tmp_path):
    source = tmp_path / "data.parquet"
    pq.write_table(pa.table(PLAIN), source, row_group_size=7)
    memory = recode(pd.read_parquet(source), STUDY)
    blocks = recode_file(source, STUDY, tmp_path / "release.csv", keep_order=True)
    assert (tmp_path / "release.csv").read_text(encoding="utf-8") == memory.release.to_csv_text(keep_order=True)
    assert told(blocks) == told(memory)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_parquet_release_keeps_types_and_holds_the_same_labels(tmp_path, kind):
    source = tmp_path / f"data.{kind}"
    if kind == "csv":
        source.write_bytes(b"age;note;weight\n" + b"".join(b"%d;1.50;%d\n" % (i % 80, 3 * i % 200) for i in range(90)))
        table = read_noted(source)[0]
    else:
        pq.write_table(pa.table(PLAIN), source)
        table = pd.read_parquet(source)
    recode_file(source, STUDY, tmp_path / "release.parquet", keep_order=True)
    memory = recode(table, STUDY).frame
    released = pq.read_table(tmp_path / "release.parquet")
    assert released.column_names == list(memory.columns)
    for name in STUDY.names:
        assert released.column(name).to_pylist() == memory[name].astype(str).tolist()
    others = [name for name in released.column_names if name not in STUDY.names]
    before = pq.read_table(source) if kind == "parquet" else pa.table({"note": ["1.50"] * 90})
    assert released.select(others).schema.types == before.select(others).schema.types
    for name in others:  # of categories those alone that are shown
        assert released.column(name).to_pylist() == before.column(name).to_pylist()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"age": [1, None, 3] * 3, "weight": [1.0] * 9},
            r"Column 'age': 3 missing values in rows 2, 5 and 8 \(3, 6, 9 in",
        ),
        ({"age": [1] * 9, "weight": [1.0] * 8 + [float("nan")]}, r"Column 'weight': 1 missing value in row 9 \(10 in"),
        ({"age": [1] * 8 + [80], "weight": [1.0] * 9}, r"1 value outside the domain \[0, 80\[: 80 in row 9"),
        ({"age": [1], "weight": [1.0]}, "k = 2 is more than the 1 records"),
        ({"age": pa.array([], pa.int64()), "weight": pa.array([], pa.int64())}, "holds no record"),
        ({"age": [1, 2]}, "no column 'weight'"),
    ],
)
def test_parquet_tables_are_refused_in_the_same_words(tmp_path, columns, message):
    source = tmp_path / "data.parquet"
    pq.write_table(pa.table(columns), source)
    with pytest.raises(DataError, match=message) as blocks:
        recode_file(source, STUDY, tmp_path / "release.csv", keep_order=True)
    with pytest.raises(DataError) as memory:
        recode(pd.read_parquet(source), STUDY)
    assert str(blocks.value) == str(memory.value)
    assert [path.name for path in tmp_path.iterdir()] == ["data.parquet"]


def test_an_index_that_pandas_stored_is_not_published(tmp_path):
    data = pd.DataFrame({"age": [1, 2, 3], "weight": [1, 2, 3]}, index=pd.Index([17, 27, 37], name="number"))
    data.to_parquet(tmp_path / "data.parquet")
    recode_file(tmp_path / "data.parquet", STUDY, tmp_path / "release.csv", keep_order=True)
    assert (tmp_path / "release.csv").read_text().splitlines()[0] == "age;weight"


def test_what_is_no_parquet_file(tmp_path):
    (tmp_path / "data.parquet").write_bytes(b"age;weight\n1;2\n")
    with pytest.raises(DataError, match=r"^data\.parquet is no Parquet file that can be read: .*\.$"):
        recode_file(tmp_path / "data.parquet", STUDY, tmp_path / "release.csv", keep_order=True)


# ---------------------------------------------------------------- what can happen on the way


@pytest.mark.parametrize(
    "change", [b"age;weight\n" + b"1;2\n" * 19 + b"79;2\n", b"age;weight\n" + b"1;2\n" * 21, b"age;weight\n1;\xff\n"]
)
def test_a_file_that_changes_meanwhile_gives_no_release(tmp_path, monkeypatch, change):
    source = tmp_path / "data.csv"
    source.write_bytes(b"age;weight\n" + b"1;2\n" * 20)
    write = _FilePass.write
    monkeypatch.setattr(
        _FilePass, "write", lambda self, path, **how: (source.write_bytes(change), write(self, path, **how))
    )
    with pytest.raises(DataError, match=r"^data\.csv was changed while it was read; try again\.$"):
        recode_file(source, STUDY, tmp_path / "release.csv", keep_order=True)
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_the_output_is_never_the_input(tmp_path):
    source = tmp_path / "data.csv"
    source.write_bytes(b"age;weight\n" + b"1;2\n" * 20)
    (tmp_path / "link.csv").symlink_to(source)
    with pytest.raises(DataError, match="is named twice"):
        recode_file(source, STUDY, tmp_path / "link.csv")
    assert source.read_bytes().count(b"\n") == 21


def test_a_folder_that_is_not_there(tmp_path):
    source = tmp_path / "data.csv"
    source.write_bytes(b"age;weight\n" + b"1;2\n" * 20)
    with pytest.raises(DataError, match="cannot be written: No such file"):
        recode_file(source, STUDY, tmp_path / "nowhere" / "release.csv")


# ---------------------------------------------------------------- the command line


@pytest.fixture
def files_of_a_study(tmp_path):
    (tmp_path / "data.csv").write_bytes(b"age;weight;n\n" + b"".join(b"%d;%d;=a\n" % (i % 80, i) for i in range(150)))
    STUDY.to_toml(tmp_path / "study.toml")
    return tmp_path


def run(folder, *options, source="data.csv", output="release.csv"):
    return CliRunner().invoke(
        app,
        [
            "recode",
            "--keep-order",
            str(folder / source),
            "--study",
            str(folder / "study.toml"),
            "--output",
            str(folder / output),
            *options,
        ],
    )


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_the_command_says_the_same_either_way(files_of_a_study, option):
    memory = run(files_of_a_study, *option)
    content = (files_of_a_study / "release.csv").read_bytes()
    blocks = run(files_of_a_study, "--streaming", *option)
    assert memory.exit_code == blocks.exit_code == 0
    assert blocks.output == memory.output
    assert (files_of_a_study / "release.csv").read_bytes() == content


def test_large_files_and_parquet_are_streamed_unasked(files_of_a_study, monkeypatch):
    monkeypatch.setattr("cra_engine.files.tables.read_noted", lambda _: pytest.fail("read into memory"))
    assert run(files_of_a_study, output="release.parquet").exit_code == 0
    assert pq.read_metadata(files_of_a_study / "release.parquet").num_rows == 150
    monkeypatch.setattr("cra_engine.cli.files.LARGE", 100)
    assert run(files_of_a_study).exit_code == 0
    refused = run(files_of_a_study, "--in-memory", output="release.parquet")
    assert "leave out --in-memory" in str(refused.exception)


def test_without_the_package_one_sentence_names_it(files_of_a_study, monkeypatch, capsys):
    monkeypatch.chdir(files_of_a_study)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "cra_engine.publish.local.streaming", raising=False)
    monkeypatch.delattr("cra_engine.publish.local.streaming", raising=False)  # where another test has imported it
    arguments = ("recode", "data.csv", "--study", "study.toml", "--output", "release.csv", "--streaming")
    monkeypatch.setattr(sys, "argv", ["cra-engine", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "The library pyarrow, which reads and writes Parquet, folders of parts, and tables block by block, is not "
        "installed; run: pip install 'cra-explorer[streaming]'.\n"
    )
    assert not (files_of_a_study / "release.csv").exists()


# ---------------------------------------------------------------- numbers at once


@given(
    st.lists(
        st.one_of(ODD, CARELESS, WEIGHTS, st.text(max_size=4), st.floats().map(repr), st.integers().map(str)),
        max_size=8,
    )
)
@settings(max_examples=150)
def test_numbers_read_at_once_are_those_read_one_by_one(cells):
    column = pd.Series(cells, dtype="str", name="x")
    at_once = plain_numbers(column)
    if at_once is not None:
        values, problems = numbers(column.astype(object))
        assert not any(problem.fatal and not problem.asks for problem in problems)
        assert not any(cell.strip().lower() in MISSING for cell in cells)
        assert values.tolist() == at_once.tolist()


def test_words_for_nothing_among_numbers_are_missing_in_a_file_too(folder):
    ages, said = [*range(20, 40), *range(50, 70)], {3: "k.A.", 9: "Unbekannt", 27: "-"}
    lines = [f"{said.get(row, age)};{60 + row % 9},5" for row, age in enumerate(ages)]
    study = STUDY.changed(attributes=[AGE.changed(missing="leave-out"), WEIGHT])
    content = "\n".join(["age;weight", *lines]).encode()
    known = in_memory(content, study)
    assert known[0].count(b"\n") == 1 + 40 - 3
    assert streamed(folder, content, study) == known
