"""Reading raw tables, and placing their records on the grid: hand-checked cases, csv.writer and Fraction as oracles."""

import csv
import io
import re
import tracemalloc
import zipfile
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cra_engine.errors import CRAError, DataError, TooLargeError
from cra_engine.files import table_faults
from cra_engine.files.tables import read_noted, read_table
from cra_engine.raw.columns import read_column
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.study import Study
from strategies import make_attribute


def cells(table):
    return [list(table.columns), *table.to_numpy(dtype=object).tolist()]


# ---------------------------------------------------------------- reading

PLAIN = [["id", "weight", "note"], ["1", "81.5", "a b"], ["2", "", "ü"]]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_delimiter_encoding_and_line_end(delimiter, encoding, end):
    text = "".join(delimiter.join(row) + end for row in PLAIN)
    assert cells(read_table(text.encode(encoding))) == PLAIN


def test_cells_are_text_as_they_stand():
    table = read_table(b"a,b,c,d\n007, 1.50 ,NA,1e3\n")
    assert cells(table)[1] == ["007", " 1.50 ", "NA", "1e3"]


def test_quoted_cells_keep_delimiters_quotes_and_line_ends():
    table = read_table(b'name;note\n"Doe; Jane";"said ""no"""\nRoe;"two\nlines"\n')
    assert cells(table) == [["name", "note"], ["Doe; Jane", 'said "no"'], ["Roe", "two\nlines"]]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ('id,"Diagnosis; coded; ICD"\n1,2\n', ["id", "Diagnosis; coded; ICD"]),
        ('id,"Diagnosis; coded; ICD"\n', ["id", "Diagnosis; coded; ICD"]),
        ("weight (lb, dry);age\n1;2\n", ["weight (lb, dry)", "age"]),
        ('id;"Last, first"\n1;"Doe, Jane"\n', ["id", "Last, first"]),
        ("size;note\n1,5;a\n2,5;b\n", ["size", "note"]),
        ("weight\n81,5\n", ["weight"]),
        ("PAR1,PAR2\n1,2\n", ["PAR1", "PAR2"]),  # Parquet files begin so, too
    ],
)
def test_a_delimiter_inside_names_or_cells_does_not_mislead(text, columns):
    assert list(read_table(text.encode()).columns) == columns


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_byte_order_mark(encoding):
    assert cells(read_table("id;größe\n1;Ä\n".encode(encoding))) == [["id", "größe"], ["1", "Ä"]]


@pytest.mark.parametrize("first", ["sep=;\n", "sep=;\r\n", '"sep=;"\n', "\ufeffsep=;\n", "\nsep=;\n"])
def test_excels_first_line_names_the_delimiter_and_is_no_record(first):
    assert cells(read_table(f"{first}a,b;c\n1,5;2\n".encode())) == [["a,b", "c"], ["1,5", "2"]]


def test_any_delimiter_that_excels_line_names_is_taken():
    assert cells(read_table(b"sep=^\na,b^c\n1^2\n")) == [["a,b", "c"], ["1", "2"]]
    assert cells(read_table(b"sep=\na\n")) == [["sep="], ["a"]]  # it names none: a column


def test_a_file_with_more_cells_than_admitted_is_refused_before_it_is_split(monkeypatch):
    monkeypatch.setattr(table_faults, "MAX_CELLS", 8)
    assert len(read_table(b"a,b\n1,2\n3,4\n5,6\n")) == 3
    with pytest.raises(TooLargeError, match=r"^data\.csv holds about 10 cells, more than 8; keep the columns"):
        read_table(b"a,b\n1,2\n3,4\n5,6\n7,8\n", "data.csv")


def test_what_is_left_out_or_guessed_is_said():
    table, notes = read_noted(b"\na,b\n\n1,2\n\n\n3,4\n\n", "data.csv")
    assert cells(table) == [["a", "b"], ["1", "2"], ["3", "4"]]
    below = "; in a spreadsheet the rows below stand further down by as many."
    assert notes == (f"3 blank lines of data.csv (the first below the column names) held no record{below}",)
    table, notes = read_noted("a,größe\n1,2\n".encode("cp1252"), "data.csv")
    assert notes == ("data.csv is not UTF-8 and was read as Windows-1252; check letters such as ä, é and ñ.",)
    assert read_noted(b"a,b\n1,2\n\n")[1] == ()  # the end of the file is no gap


def test_blank_lines_around_and_between_records_are_no_records():
    assert cells(read_table(b"\n\r\na,b\n\n1,2\n\n3,4\n\n\n")) == [["a", "b"], ["1", "2"], ["3", "4"]]


def test_a_blank_line_in_a_single_column_is_an_empty_cell():
    # Otherwise a record without a value would vanish.
    assert cells(read_table(b"a\n1\n\n3\n\n")) == [["a"], ["1"], [""], ["3"]]


def test_a_path_is_read_and_named_in_messages(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes(b"a,b\n1\n")
    with pytest.raises(
        DataError, match=r"^data\.csv, row 1 \(2 in a spreadsheet\): 1 cells where the first line names 2 columns"
    ):
        read_table(path)
    with pytest.raises(DataError, match=r"^nothing\.csv cannot be read: No such file"):
        read_table(tmp_path / "nothing.csv")
    # A folder is a table in parts, and this one's part is that file.
    with pytest.raises(DataError, match=r"^data\.csv, row 1 \(2 in a spreadsheet\): 1 cells where"):
        read_table(tmp_path)


def zipped():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        # A fixed date: the bytes name the test, and every worker must find the same tests.
        archive.writestr(zipfile.ZipInfo("xl/workbook.xml", (2020, 1, 1, 0, 0, 0)), "<workbook/>")
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"\n\n\r\n", "is empty"),
        (zipped(), "an Excel or zip file, not a CSV"),
        (b"\xd0\xcf\x11\xe0rest", "an Excel file, not a CSV"),
        (b"PAR1\x15\x00rest", "a Parquet file, not a CSV"),
        (b"%PDF-1.7\n1 0 obj", "a PDF, not a CSV"),
        (b"ARROW1\x00\x00rest", "a Feather file, not a CSV"),
        (b"\x1f\x8b\x08\x00rest", "a gzip file, not a CSV"),
        (b"BZh91AY&SYrest", "a bzip2 file, not a CSV"),
        (b"SQLite format 3\x00rest", "an SQLite database, not a CSV"),
        (b"$FL2@(#) SPSS DATA FILE", "an SPSS file, not a CSV"),
        (b"\x89PNG\r\n\x1a\nrest", "a picture, not a CSV"),
        (b"\x7fELF\x02\x01\x01\x00", "a program, not a CSV"),
        (b"MZ\x90\x00\x03", "a program, not a CSV"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html><table>", "a web page (HTML), not a CSV"),
        (b"<?xml version='1.0'?>", "an XML file, not a CSV"),
        (b'[{"age": 1, "sex": 2}]', "a JSON file, not a CSV"),
        (b'{\n  "age": [1, 2]}', "a JSON file, not a CSV"),
        (b"a,b\n1,\x00\n", "is not text"),
        ("a,b\n1,\x00\n".encode("utf-16"), "is not text"),
        ("a,b\n1,2\n".encode("utf-32"), "is not text"),
        (bytes(range(256)) * 20, "is not text"),
        (b",".join(b"c%d" % column for column in range(1001)) + b"\n", "has 1,001 columns, more than 1,000; keep"),
        (b"a,b\n1,\x81\x8d\n", "unknown encoding"),
        ("a,b\n1,2\n".encode("utf-16") + b"x", "unknown encoding"),
        (b"a,b\n1,2,3\n", "row 1 (2 in a spreadsheet): 3 cells where the first line names 2 columns"),
        (b"a,b\n1,2\n3\n", "row 2 (3 in a spreadsheet): 1 cells where the first line names 2 columns"),
        (b"a,,c\n1,2,3\n", "column 2 has no name"),
        (b"a, \n1,2\n", "column 2 has no name"),
        (b"a,b,a\n1,2,3\n", "'a' appears twice"),
        (b'a,b\n"1,2\n', "not a well-formed CSV"),
        (b'a,b\n"1"x,2\n', "not a well-formed CSV"),
        (b'"' + b"x" * 200_000, "not a well-formed CSV"),  # a quote that never closes
    ],
)
def test_what_is_no_table_is_said_in_a_sentence(content, message):
    with pytest.raises(CRAError, match=re.escape(message)) as caught:
        read_table(content, "data.csv")
    assert str(caught.value).startswith("data.csv")
    assert str(caught.value).endswith(".")


def characters(but):
    """Any text a cell can hold: no NUL and no byte order mark, which are no part of a text file."""
    return st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff" + but)


@st.composite
def tables(draw, delimiter):
    """Cells of a table; other delimiters are left out, since then nobody could tell which one is meant."""
    text = st.text(characters("".join(set(",;\t|") - {delimiter})), max_size=6)
    names = draw(st.lists(text.filter(str.strip), min_size=1, max_size=4, unique=True))
    row = st.lists(text, min_size=len(names), max_size=len(names))
    return [names, *draw(st.lists(row, max_size=6))]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@given(data=st.data(), quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), bom=st.booleans())
def test_reads_what_a_csv_writer_writes(delimiter, data, quoting, bom):
    table = data.draw(tables(delimiter))
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator="\r\n").writerows(table)
    assert cells(read_table(text.getvalue().encode("utf-8-sig" if bom else "utf-8"))) == table


@given(
    table=st.integers(2, 4).flatmap(
        lambda width: st.lists(
            st.lists(st.text(characters(""), max_size=6), min_size=width, max_size=width), min_size=1, max_size=6
        )
    ),
    delimiter=st.sampled_from(",;\t|"),
)
def test_quoted_cells_may_hold_any_delimiter(table, delimiter):
    names = [f"column {position}" for position in range(len(table[0]))]
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([names, *table])
    assert cells(read_table(text.getvalue().encode())) == [names, *table]


# ---------------------------------------------------------------- numbers

WEIGHT = Attribute("w", 0, 400, 3)  # leaves of 100
STUDY = Study([WEIGHT], 2)


def leaves(values, attribute=WEIGHT):
    return locate(pd.DataFrame({"w": values}), Study([attribute], 2)).leaves.ravel().tolist()


@pytest.mark.parametrize(
    "column",
    [
        [0, 99, 100, 399],
        [0.0, 99.0, 100.0, 399.0],
        ["0", "99", "100", "399"],
        [" 0 ", "+99", "1e2", "399."],
        [Decimal(0), Decimal(99), Decimal(100), Decimal(399)],
        pd.array([0, 99, 100, 399], dtype="Int64"),
        pd.array([0, 99, 100, 399], dtype="Float64"),
        pd.array(["0", "99", "100", "399"], dtype="string"),
        pd.Categorical([0, 99, 100, 399]),
        np.array([0, 99, 100, 399], dtype=np.uint16),
    ],
)
def test_numbers_are_placed_however_they_are_stored(column):
    assert leaves(column) == [0, 0, 1, 3]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, "Float32", "str"])
def test_decimals_are_placed_as_they_are_written(kind):
    # Stored in 32 bits, 0.7 is 0.699999988: read as a number of 64 bits, it would fall below its own leaf.
    tenths = Attribute("w", 0, Decimal("0.8"), 4, resolution=Decimal("0.1"))
    column = pd.Series([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]).astype(kind)
    assert leaves(column, tenths) == [0, 1, 2, 3, 4, 5, 6, 7]


GAPS = [
    ["1", None, "", "2"],
    ["1", "n/a", " ", "2"],
    ["1", "NaN", "?", "2"],
    ["1", "k.A.", "nicht erhoben", "2"],
    ["1,5", "-", "Unbekannt", "2,5"],
    [1.0, float("nan"), None, 2.0],
    pd.array([1, None, None, 2], dtype="Int64"),
    pd.array([1, None, None, 2], dtype="Float64"),
    pd.array(["1", None, None, "2"], dtype="string"),
    pd.Series(["1", pd.NA, pd.NaT, "2"], dtype=object),
    pd.Categorical([1, None, None, 2]),
]


@pytest.mark.parametrize("column", GAPS)
def test_every_kind_of_gap_is_reported(column):
    with pytest.raises(DataError, match=r"^Column 'w': 2 missing values in rows 2 and 3 \(3, 4 in a spreadsheet\);"):
        leaves(column)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (
            ["1", "x", "3", "", "y"],
            r"1 missing value in row 4 \(5 in a spreadsheet\)",
        ),  # gaps come first: they are mended in another way
        (
            ["1", "x", "3", "y"],
            r"2 cells with text .*: 'x' in row 2, 'y' in row 4 \(3, 5 in a spreadsheet\); correct them",
        ),
        (
            ["1", "3,500"],
            r"'3,500' in row 2 \(3 in a spreadsheet\) can be 3\.5 or 3500; say whether a comma or a point .*--decimal",
        ),
        (
            ["2.5", "3,5"],
            r"'3,5' in row 2 \(3 in a spreadsheet\) has a decimal comma and '2\.5' in row 1 .* a decimal point; write",
        ),
        (["a", "b", "c", "d"], r"4 cells with text .*: 'a' in row 1, 'b' in row 2, 'c' in row 3 "),
        ([True, False], "2 cells with text"),
        (["0x10", "1_000", "1 0000", "½"], "4 cells with text"),
        (
            [1, -1, 400, 2, 999],
            r"3 values outside .*: -1 in row 2, 400 in row 3, 999 in row 5 \(3, 4, 6 in a spreadsheet\); widen",
        ),
        (
            [0, 1, 500, 400, -3, 7, 1000],
            r"4 values outside .*: 500 in row 3, 400 in row 4, -3 in row 5 \(4, 5, 6 in a spreadsheet\); widen",
        ),
        ([1, float("inf")], "1 value outside the domain .*: inf in row 2"),
        (["1", "99999999999999999999999999"], "1 value outside the domain"),
        (["-1", "18446744073709551615"], "2 values outside the domain"),
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), "2 cells with text"),
    ],
)
def test_what_cannot_be_placed_is_named_with_its_rows(column, message):
    with pytest.raises(DataError, match=message) as caught:
        leaves(column)
    assert str(caught.value).startswith("Column 'w': ")


def test_the_table_must_fit_the_study():
    with pytest.raises(DataError, match=r"no column 'w'; it has: 'v', 'two\\nlines'"):
        locate(pd.DataFrame({"v": [1], "two\nlines": [2]}), STUDY)
    with pytest.raises(DataError, match="several columns 'w'"):
        locate(pd.DataFrame([[1, 2]], columns=["w", "w"]), STUDY)
    with pytest.raises(DataError, match="holds no record"):
        locate(pd.DataFrame({"w": []}), STUDY)


def test_values_between_two_steps_are_placed_and_noted():
    located = locate(pd.DataFrame({"w": [1, 99.5, 100.25, 399.75, 7.5]}), STUDY)
    assert located.leaves.ravel().tolist() == [0, 0, 1, 3, 0]
    (note,) = located.warnings
    assert note.startswith("Column 'w': 4 values finer than the resolution 1: 99.5 in row 2, 100.25 in row 3, 399.75")


def test_every_finding_of_a_column_is_kept():
    problems = read_column(pd.Series(["1", "", "x", "500", "-1", ""], name="w"), WEIGHT).problems
    assert [(problem.rows, problem.fatal) for problem in problems] == [((2, 6), True), ((3,), True), ((4, 5), True)]


def test_a_code_for_missing_values_is_noted():
    _, (note,) = numbers(pd.Series(["80", "-999", "75.5", "-999"], name="w"))
    assert (note.rows, note.fatal) == ((2, 4), False)
    assert note.text.startswith(
        "Column 'w': 2 cells in rows 2 and 4 (3, 5 in a spreadsheet) with -999, the only negative number, which often"
    )
    for other in (["80", "-999", "-3"], ["-999", "-999"], ["80", "-998"]):
        assert numbers(pd.Series(other, name="w"))[1] == []


def test_whole_numbers_stay_whole():
    # 2**53 + 1 is no double.
    values, problems = numbers(pd.Series([str(2**53), str(2**53 + 1)], name="w"))
    assert values.tolist() == [2**53, 2**53 + 1]
    assert problems == []


# ---------------------------------------------------------------- an oracle in fractions


@st.composite
def attributes(draw):
    """Domains with decimals, negative ones too."""
    return make_attribute(
        "w",
        fanout=draw(st.integers(2, 4)),
        layers=draw(st.integers(1, 4)),
        leaf=draw(st.integers(2, 12)),
        lower=draw(st.sampled_from(["0", "-20", "7", "36.5", "-0.3", "0.01", "-1000.05", "123456"])),
        step=draw(st.sampled_from(["1", "0.1", "0.01", "0.5", "0.25", "3", "0.0001"])),
    )


def slow_leaf(attribute, value):
    """The leaf by comparing fractions, one leaf after the other; None outside the domain."""
    width = (Fraction(attribute.upper) - Fraction(attribute.lower)) / attribute.fanout ** (attribute.layers - 1)
    for leaf in range(attribute.fanout ** (attribute.layers - 1)):
        lower = Fraction(attribute.lower) + leaf * width
        if lower <= Fraction(value) < lower + width:
            return leaf
    return None


@given(data=st.data(), kind=st.sampled_from(["text", "float"]))
def test_locate_agrees_with_fractions(data, kind):
    attribute = data.draw(attributes())
    width = (attribute.upper - attribute.lower) / attribute.fanout ** (attribute.layers - 1)
    edges = [attribute.lower + leaf * width for leaf in range(attribute.fanout ** (attribute.layers - 1) + 1)]
    step = attribute.resolution
    near = st.tuples(st.sampled_from(edges), st.integers(-3, 3), st.sampled_from([step, step / 10, step / 1000]))
    values = data.draw(st.lists(near.map(lambda found: found[0] + found[1] * found[2]), min_size=1, max_size=20))
    column = pd.Series([str(value) if kind == "text" else float(value) for value in values], name="w")
    expected = [slow_leaf(attribute, value) for value in values]
    outside = [row for row, leaf in enumerate(expected, start=1) if leaf is None]
    between = [
        row
        for row, value in enumerate(values, start=1)
        if (Fraction(value) - Fraction(attribute.lower)) / Fraction(step) % 1
    ]

    read = read_column(column, attribute)
    placed, problems = read.leaves, read.problems
    assume(not any(problem.asks or "not as" in problem.text for problem in problems))  # 7.000, and perhaps 7
    fatal = [problem for problem in problems if problem.fatal]
    if outside:
        assert [problem.rows for problem in fatal] == [tuple(outside)]
        for row in outside:
            assert not 0 <= placed[row - 1] < attribute.leaves
    else:
        assert fatal == []
        assert [problem.rows for problem in problems] == ([tuple(between)] if between else [])
    assert [leaf for leaf in placed.tolist() if 0 <= leaf < attribute.leaves] == [
        leaf for leaf in expected if leaf is not None
    ]


@pytest.mark.parametrize("start", ["0", "99999999", "-5000000000"])
def test_steps_of_a_large_domain_are_not_called_too_fine(start):
    # Divided by the resolution, 99999999.0001 - 99999999 is 1.0003 steps in floats; it is one step.
    attribute = make_attribute("w", fanout=2, layers=2, leaf=5000, lower=start, step="0.0001")
    values = [Decimal(start) + Decimal("0.0001") * position for position in range(10_000)]
    read = read_column(pd.Series([str(value) for value in values], name="w"), attribute)
    placed, problems = read.leaves, read.problems
    assert problems == ()
    assert placed.tolist() == [0] * 5000 + [1] * 5000


@pytest.mark.parametrize("most", [0, 127, 128, 255, 256, 32767, 32768, 2**31 - 1, 2**31, 2**53 - 1])
def test_whole_numbers_are_held_as_they_are_whatever_their_size(most):
    attribute = Attribute("w", 0, 80, 3)
    for values in ([0, most], [-most, 0], [-most - 1 if most < 2**53 - 1 else 0, most]):
        read = read_column(pd.Series([str(value) for value in values], name="w"), attribute)
        assert read.raw_values.tolist() == values
        assert read.raw_values.dtype == np.int64


def test_columns_of_text_that_were_read_take_less_than_half_of_their_table():
    draw, records = np.random.default_rng(4), 200_000
    towns = FileHierarchy("town", tuple((f"town {i}", "north" if i < 8 else "south", "*") for i in range(16)))
    study = Study([Attribute("age", 0, 96, 4), towns], k=2)
    ages, places = draw.integers(0, 96, records), draw.integers(0, 16, records)
    data = pd.DataFrame({"age": ages.astype(str), "town": [f"town {i}" for i in places]}, dtype="str")
    size = data.memory_usage(index=False, deep=True).sum()
    locate(data.head(1000), study)  # whatever is made once and kept
    tracemalloc.start()
    try:
        located = locate(data, study)
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert held <= size / 2
    assert [column.raw_values.tolist() for column in located.columns] == [ages.tolist(), data["town"].tolist()]
