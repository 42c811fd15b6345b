"""Tables of spreadsheets and statistics programs: the table that a CSV file would hold, or why there is none."""

import gzip
import subprocess
from datetime import date, datetime, time, timedelta
from itertools import product
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from typer.testing import CliRunner

from cra_engine.cli.commands import app
from cra_engine.errors import DataError, MissingLibraryError, TooLargeError
from cra_engine.files import foreign, foreign_reader, table_faults
from cra_engine.files.csv_text import csv_text
from cra_engine.files.foreign import converted
from cra_engine.files.kinds import READ, WRITTEN
from cra_engine.files.tables import read_noted
from cra_engine.raw.contents import inspect, proposed_study
from foreign_files import ods, parquet, statistical, xlsx

FILES = Path(__file__).parents[1] / "data" / "files"
SEXES = {1: "female", 2: "male"}
# Every kind of cell that all of the formats know; a gap in each kind.
COLUMNS = {
    "age": [20 + 7 * row % 61 for row in range(40)],
    "weight": [None if row == 3 else 50.5 + row * 11 % 37 for row in range(40)],
    "admitted": [None if row == 5 else date(2024, 1 + row % 12, 1 + 5 * row % 28) for row in range(40)],
    "sex": [1 + row % 2 for row in range(40)],
    "town": ["" if row == 8 else ("Ulm", "Köln", "São Paulo")[row % 3] for row in range(40)],
}
AS_CSV = "age;weight;admitted;sex;town\n" + "".join(
    ";".join(
        "" if cell is None else SEXES[cell] if name == "sex" else str(cell)
        for name, cell in zip(COLUMNS, row, strict=True)
    )
    + "\n"
    for row in zip(*COLUMNS.values(), strict=True)
)
IN_WORDS = COLUMNS | {"sex": [SEXES[code] for code in COLUMNS["sex"]]}
ROWS = [list(IN_WORDS), *zip(*IN_WORDS.values(), strict=True)]
WAYS = {
    ".csv": lambda _: AS_CSV.encode(),
    ".xlsx": lambda _: xlsx(ROWS),
    ".ods": lambda _: ods([[cell if cell != "" else None for cell in row] for row in ROWS]),
    ".sav": lambda folder: statistical(folder, ".sav", COLUMNS, variable_value_labels={"sex": SEXES}),
    ".dta": lambda folder: statistical(folder, ".dta", COLUMNS, variable_value_labels={"sex": SEXES}),
    ".xpt": lambda folder: statistical(folder, ".xpt", IN_WORDS),
    ".parquet": lambda _: parquet(IN_WORDS),
}
STUDY = """k = 4
[[attribute]]
name = "age"
lower = 0
upper = 128
layers = 5
[[attribute]]
name = "weight"
lower = 0
upper = 128
layers = 4
resolution = 0.5
missing = "category"
[roles]
keep = ["admitted", "sex", "town"]
"""

BELOW = "; in a spreadsheet the rows below stand further down by as many."


def release_of(folder: Path, name: str, output: str = "out.csv") -> bytes:
    """The release that the command line makes of a file."""
    (folder / "study.toml").write_text(STUDY)
    command = ["recode", name, "--study", "study.toml", "--keep-order", "--output", output]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, (result.output, result.exception)
    return (folder / output).read_bytes()


@pytest.mark.parametrize("ending", [ending for ending in WAYS if ending != ".csv"])
def test_the_same_table_gives_the_same_study_and_the_same_release(ending, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_bytes(AS_CSV.encode())
    Path(f"table{ending}").write_bytes(WAYS[ending](tmp_path))
    table, notes = read_noted(Path(f"table{ending}"))
    expected, _ = read_noted(AS_CSV.encode())
    assert notes == ()
    if ending != ".parquet":  # whose columns have types
        pd.testing.assert_frame_equal(table, expected)
    studies = [proposed_study(inspect(one)).to_toml_text() for one in (table, expected)]
    assert studies[0] == studies[1]
    assert release_of(tmp_path, f"table{ending}") == release_of(tmp_path, "table.csv")
    uploaded, _ = read_noted(WAYS[ending](tmp_path), f"table{ending}")
    pd.testing.assert_frame_equal(uploaded, table)


def test_a_file_that_sas_wrote_is_the_iris_that_others_know(tmp_path, monkeypatch):
    """No library writes .sas7bdat; this one is of SAS itself."""
    monkeypatch.chdir(tmp_path)
    iris = load_iris(as_frame=True)
    known = iris.data.map(lambda cell: str(int(cell)) if cell == int(cell) else str(cell))
    species = [iris.target_names[number][:6] for number in iris.target]
    for ending in ("sas7bdat", "dta", "sav"):
        content = gzip.decompress((FILES / f"iris.{ending}.gz").read_bytes())
        table, notes = read_noted(content, f"iris.{ending}")
        assert notes == ()
        assert table.iloc[:, :4].to_numpy().tolist() == known.to_numpy().tolist(), ending
        assert [cell[:6] for cell in table.iloc[:, 4]] == species
        assert {len(cell) > 6 for cell in table.iloc[100:, 4]} == {ending != "sas7bdat"}
    sas = gzip.decompress((FILES / "iris.sas7bdat.gz").read_bytes())
    Path("iris.sas7bdat").write_bytes(sas)
    table, _ = read_noted(sas, "iris.sas7bdat")
    Path("iris.csv").write_text(csv_text(table))
    Path("iris.xlsx").write_bytes(converted(csv_text(table), "iris.xlsx"))
    Path("study.toml").write_text("")
    study = STUDY.replace('"age"', '"Sepal_Length"').replace('"weight"', '"Petal_Length"')
    study = study.replace("layers = 5", "layers = 5\nresolution = 0.1").replace("= 0.5", "= 0.1")
    monkeypatch.setattr(
        "test_foreign_tables.STUDY",
        study.replace('"admitted", "sex", "town"', '"Species", "Sepal_Width", "Petal_Width"'),
    )
    releases = [release_of(tmp_path, f"iris.{ending}") for ending in ("sas7bdat", "csv", "xlsx")]
    assert releases[0] == releases[1] == releases[2]
    assert releases[0].count(b"\n") == 151


# ---------------------------------------------------------------- spreadsheets as people make them


def test_cells_of_a_sheet_are_the_text_that_csv_would_hold():
    def more(book, sheet):
        sheet.write_number(1, 3, 0.25, book.add_format({"num_format": "0 %"}))
        sheet.write_formula(1, 4, "=A2*2", None, 68)
        sheet.write_datetime(1, 5, time(13, 45), book.add_format({"num_format": "hh:mm"}))
        sheet.write_datetime(1, 6, timedelta(hours=36), book.add_format({"num_format": "[h]:mm"}))
        stamp = book.add_format({"num_format": "dd.mm.yyyy hh:mm"})
        sheet.write_datetime(1, 7, datetime(2024, 1, 31, 13, 45), stamp)  # noqa: DTZ001 - Excel knows no zone
        sheet.write_datetime(2, 7, date(2024, 2, 29), stamp)
        sheet.write_blank(500, 9, None, stamp)  # a cell that was formatted once

    rows = [
        ["age", "id", "sum", "share", "twice", "at", "for", "seen", "ok"],
        [34.0, "007", 0.1 + 0.2, None, None, None, None, None, True],
        [1e6, " x ", 1234567.891, None, None, None, None, None, False],
    ]
    table, notes = read_noted(xlsx(rows, more), "people.xlsx")
    assert notes == ()
    assert table.to_numpy().tolist() == [
        ["34", "007", "0.3", "0.25", "68", "13:45:00", "36:00:00", "2024-01-31 13:45:00", "TRUE"],
        ["1000000", " x ", "1234567.891", "", "", "", "", "2024-02-29 00:00:00", "FALSE"],
    ]


def test_lines_without_a_record_are_left_out_and_told():
    rows = [[None, None], ["age", "town"], [1, "Ulm"], [None, None], [2, "Bonn"], [None, None], [None, None]]
    for content, name in ((xlsx(rows), "people.xlsx"), (ods(rows), "people.ods")):
        table, notes = read_noted(content, name)
        assert table.to_numpy().tolist() == [["1", "Ulm"], ["2", "Bonn"]]
        assert notes == (f"1 blank line of {name} (the first after row 1) held no record{BELOW}",)
    table, notes = read_noted(xlsx([["age"], [1], [None], [2]]), "people.xlsx")
    assert (table["age"].tolist(), notes) == (["1", "", "2"], ())


def test_of_several_sheets_the_first_that_is_shown_is_read_and_the_others_are_named():
    def more(book, sheet):
        book.add_worksheet("Codes").write(0, 0, "code")
        sheet.hide()
        book.get_worksheet_by_name("Codes").activate()

    table, notes = read_noted(xlsx([["age"], [1]], more), "people.xlsx")
    assert list(table.columns) == ["code"]
    assert notes == ("Of people.xlsx the sheet 'Codes' was read; not read: 'People'.",)
    table, notes = read_noted(ods([["age"], [1]], '<table:table table:name="Notes"></table:table>'), "people.ods")
    assert (list(table.columns), notes) == (["age"], ("Of people.ods the sheet 'People' was read; not read: 'Notes'.",))


NAMES = ["age", "weight", "town"]
HEADERS = {
    "groups of columns": (
        [[None, "Body", None], NAMES, [1, 2, "Ulm"]],
        lambda _, sheet: sheet.merge_range(0, 1, 0, 2, "Body"),
        "the cells B1:C1 are merged where the columns' names are; if line 2 names the columns, delete the lines above",
    ),
    "a title": (
        [["Patients of 2023"], [], NAMES, [1, 2, "Ulm"]],
        None,
        "line 1 has one cell for 3 columns; if line 3 names the columns, delete the lines above it",
    ),
    "a merged name": (
        [["age", "town", None], [1, "Ulm", None]],
        lambda _, sheet: sheet.merge_range(0, 1, 0, 2, "town"),
        "the cells B1:C1 are merged where the columns' names are; give each column a name of its own",
    ),
    "no name": ([["age", None, "town"], [1, 2, None]], None, "column 2 has no name"),
    "a name twice": ([["age", "age"], [1, 2]], None, "'age' appears twice"),
    "nothing": ([], None, "is empty; a table needs a line of column names"),
}


@pytest.mark.parametrize("what", HEADERS)
def test_a_first_line_that_names_no_columns_is_refused_with_what_to_do(what):
    rows, change, sentence = HEADERS[what]
    with pytest.raises(DataError) as raised:
        read_noted(xlsx(rows, change), "people.xlsx")
    assert sentence in str(raised.value)
    assert str(raised.value).startswith("people.xlsx")


def test_merged_cells_below_the_names_are_told():
    def merge(_, sheet):
        sheet.merge_range(1, 1, 2, 1, "Ulm")

    table, notes = read_noted(xlsx([["age", "town"], [1], [2]], merge), "people.xlsx")
    assert table["town"].tolist() == ["Ulm", ""]
    (note,) = notes
    assert "of merged cells (B2:B3) the first holds the value and the others are read as empty" in note


def test_a_password_is_told_in_one_sentence():
    encrypted = '<manifest:encryption-data manifest:checksum-type="SHA256"/>'
    for content, name in (
        ((FILES / "locked.xlsx").read_bytes(), "locked.xlsx"),
        (ods([], locked=encrypted), "locked.ods"),
    ):
        with pytest.raises(DataError, match=rf"^{name} is locked with a password; open it, save it without one"):
            read_noted(content, name)


# ---------------------------------------------------------------- missing codes and words


def test_missing_codes_of_spss_become_empty_cells_and_are_told(tmp_path):
    columns = {"age": [34.0, -9.0, 98.0, 998.0, None], "sex": [1, 2, 1, 9, 2], "code": ["a", "XX", "b", "", "c"]}
    content = statistical(
        tmp_path,
        ".sav",
        columns,
        missing_ranges={"age": [{"lo": 990, "hi": 999}, -9], "sex": [9], "code": ["XX"]},
        variable_value_labels={"age": {-9: "refused", 98: "98 and older"}, "sex": {**SEXES, 9: "unknown"}},
    )
    table, notes = read_noted(content, "people.sav")
    assert table.to_numpy().tolist() == [
        ["34", "female", "a"],
        ["", "male", ""],
        ["98", "female", "b"],
        ["", "", ""],
        ["", "male", "c"],
    ]
    assert notes == (
        (
            "Read as empty, since people.sav calls them missing: 1 of 'age' (-9 'refused'), 1 of 'age' (998), "
            "1 of 'sex' (9 'unknown'), 1 of 'code' (XX)."
        ),
        "These columns keep their numbers, of which people.sav names only some: 'age' (such as 98 '98 and older').",
    )


def test_missing_codes_of_stata_become_empty_cells_and_are_told(tmp_path):
    content = statistical(
        tmp_path,
        ".dta",
        {"age": [34.0, "a", 98.0, "z"], "sex": [1, 2, 1, 2]},
        missing_user_values={"age": ["a", "z"]},
        variable_value_labels={"age": {"a": "refused"}, "sex": SEXES},
    )
    table, notes = read_noted(content, "people.dta")
    assert table.to_numpy().tolist() == [["34", "female"], ["", "male"], ["98", "female"], ["", "male"]]
    said = "Read as empty, since people.dta calls them missing: 1 of 'age' (.a 'refused'), 1 of 'age' (.z)."
    assert notes == (said,)


# ---------------------------------------------------------------- files that are none


def test_what_is_no_such_file_is_refused():
    contents = (b"", b"age;town\n1;Ulm\n", b"PK\x03\x04", b"$FL2" + bytes(300))
    for ending, content in product(READ, contents):
        ((kind, sentence),) = foreign_reader.told(content, ending, "people", 10).items()
        assert kind == "refused"
        assert sentence.startswith(f"people is no {ending} file that can be read (")
    with pytest.raises(DataError, match=r"^people\.xlsx is no \.xlsx file"):
        read_noted(b"age;town\n1;Ulm\n", "people.xlsx")


def test_a_file_that_breaks_its_reader_breaks_nothing_else():
    with pytest.raises(DataError, match="ended the program that reads it"):
        read_noted(FILES / "breaks_its_reader.sav")


def test_one_stray_cell_in_the_last_row_and_column_is_refused():
    def stray(_, sheet):
        sheet.write((1 << 20) - 1, (1 << 14) - 1, "x")

    with pytest.raises(DataError, match=r"people.xlsx ended the program that reads it: .* or 8 GB"):
        read_noted(xlsx([["age"], [1]], stray), "people.xlsx")


def test_more_cells_than_the_engine_admits_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(table_faults, "MAX_CELLS", 100)
    for ending in (".xlsx", ".ods", ".sav", ".dta", ".xpt"):
        with pytest.raises(TooLargeError, match=r"^table\.\w+ holds at least \d+ cells, more than 100"):
            read_noted(WAYS[ending](tmp_path), f"table{ending}")


@pytest.mark.parametrize(("ending", "library"), [(".xlsx", "python_calamine"), (".sav", "pyreadstat")])
def test_a_missing_reader_is_named_with_the_command_that_brings_it(ending, library, monkeypatch):
    monkeypatch.setitem(foreign_reader.sys.modules, library, None)
    assert foreign_reader.told(b"", ending, "people", 10) == {"missing": library}
    answer = subprocess.CompletedProcess([], 0, b'{"missing": "%s"}' % library.encode())
    monkeypatch.setattr(foreign.subprocess, "run", lambda *_, **__: answer)
    with pytest.raises(
        MissingLibraryError, match=rf"{library}, which [^;]+, is not installed; run: .*cra-explorer\[formats\]"
    ):
        read_noted(b"", f"people{ending}")


def test_a_csv_file_under_a_wrong_name_says_what_it_is(tmp_path):
    with pytest.raises(DataError, match=r"or give it its own ending, \.xlsx\."):
        read_noted(xlsx([["age"]]), "people.csv")
    with pytest.raises(DataError, match=r"or give it its own ending, \.sav\."):
        read_noted(WAYS[".sav"](tmp_path), "people.csv")


# ---------------------------------------------------------------- handed out


@pytest.mark.parametrize("ending", WRITTEN)
def test_a_release_in_another_format_holds_the_same_cells_in_the_same_order(ending, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_bytes(AS_CSV.encode())
    as_csv, _ = read_noted(release_of(tmp_path, "table.csv"))
    Path("table.xlsx").write_bytes(WAYS[".xlsx"](tmp_path))
    release_of(tmp_path, "table.xlsx", f"out{ending}")
    table, _ = read_noted(Path(f"out{ending}"))
    pd.testing.assert_frame_equal(table.fillna("").astype(str), as_csv)
    assert "[" in "".join(as_csv["age"])
    attacks = [
        CliRunner().invoke(app, ["attack", name, "--study", "study.toml", "--json"])
        for name in ("out.csv", f"out{ending}")
    ]
    assert attacks[0].stdout == attacks[1].stdout != ""


CELLS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=8).map(str.strip),
    st.integers(-(10**17), 10**17).map(str),
    st.floats(allow_nan=False, width=32).map(str),
    st.sampled_from(["", "nan", "inf", "-0", "007", "1e5", "=1+1", "TRUE", "1_000", "[20, 40["]),
)


@pytest.mark.parametrize("ending", [".xlsx", ".dta"])
@settings(max_examples=25)
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6))
def test_cells_survive_a_file_of_another_program(ending, rows):
    text = csv_text(pd.DataFrame(rows, columns=["a", "b"], dtype=str))
    expected, _ = read_noted(text.encode())
    told = foreign_reader.told(converted(text, f"t{ending}"), ending, "t", 1000)
    records = [list(row) for row in zip(*told["cells"], strict=True)]
    kept = expected.to_numpy().tolist()
    # Of a sheet empty lines are no records.
    assert records == (kept if ending == ".dta" else [row for row in kept if any(row)])


def test_numbers_become_numbers_and_words_stay_words():
    table = pa.BufferReader(converted("age;id;share;far\n[20, 40[;007;0.5;1e+20\n*;8;;7\n", "t.parquet"))
    stored = pa.parquet.read_table(table).to_pydict()
    assert stored == {"age": ["[20, 40[", "*"], "id": ["007", "8"], "share": [0.5, None], "far": [1e20, 7.0]}


def test_what_a_format_cannot_hold_is_told(tmp_path, monkeypatch):
    for ending, name in ((".dta", "blood pressure"), (".sav", "_age"), (".xpt", "größe")):
        with pytest.raises(DataError, match=r"^A file of \w+ cannot hold this table: .*; take CSV or Parquet\.$"):
            converted(f"{name}\n1\n", f"t{ending}")
    monkeypatch.chdir(tmp_path)
    for output, sentence in (
        ("out.ods", r"\.ods is read, not written; take \.csv"),
        ("out.sas7bdat", r"\.sas7bdat is read, not written"),
    ):
        result = CliRunner().invoke(app, ["recode", "none.csv", "--study", "none.toml", "--output", output])
        with pytest.raises(Exception, match=sentence):
            raise result.exception
    result = CliRunner().invoke(app, ["check", "none.csv", "--study", "none.toml", "--output", "out.xlsx"])
    assert "which this command does not write there" in str(result.exception)
    result = CliRunner().invoke(app, ["recode", "t.xlsx", "--study", "none.toml", "--streaming", "--output", "o.csv"])
    assert result.exit_code != 0
