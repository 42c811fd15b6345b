"""Files as they come: no record vanishes without a word, and nothing is read as something else."""

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cra_engine import Attribute, CRAError, DataError, Study, read_release, read_table, recode
from cra_engine.files.tables import read_noted
from cra_engine.publish.check import check_release
from cra_engine.raw import contents

STUDY = Study([Attribute("age", 0, 80, 3)], 2)
ODD = ["", "NA", "-999", "inf", "-inf", "nan", "1e308", "1e400", "1,5", "1.000,5", "1.250", "1,250", "\u22125", "x"]
ODD += [" 7 ", "=1+1", "<script>alert(1)</script>", "\u202e12", "\u05e9\u05dc\u05d5\u05dd", "12\u00a0500", '"', "a\nb"]
ODD += ["\u0663"]
cells = st.one_of(st.integers(0, 79).map(str), st.sampled_from(ODD))


def recoded(table):
    """The recoding, or the sentence that says why there is none."""
    try:
        return recode(table, STUDY), ""
    except CRAError as error:
        return None, str(error)


def written(frame, delimiter, encoding):
    return frame.to_csv(index=False, sep=delimiter, quoting=1).encode(encoding)


@settings(max_examples=80)
@given(
    ages=st.lists(cells, max_size=12),
    note=st.sampled_from(ODD),
    delimiter=st.sampled_from(",;\t|"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]),
)
@example(ages=["-999", "5", "6"], note="", delimiter=";", encoding="utf-8")
@example(ages=["1,5", "2"], note="", delimiter=";", encoding="utf-8")
def test_a_table_is_recoded_whole_or_refused_in_a_sentence(ages, note, delimiter, encoding):
    frame = pd.DataFrame({"id": [f"p{row}" for row in range(len(ages))], "age": ages, "note": note}, dtype=str)
    table, notes = read_noted(written(frame, delimiter, encoding), "data.csv")
    assert table.equals(frame)
    assert notes == ()
    found = contents.inspect(table)
    assert [column.cells for column in found] == [len(ages)] * 3
    recoding, said = recoded(table)
    if recoding is None:
        assert said.endswith(".")
        assert "\n" not in said
        return
    check_release(table, STUDY, recoding.frame)
    again = read_release(recoding.release.to_csv_text(keep_order=True).encode(), STUDY)
    assert again.table["id"].tolist() == frame["id"].tolist()
    assert again.table["note"].tolist() == frame["note"].tolist()
    assert sum(one.size for one in again.classes) + again.suppressed == len(ages)


@pytest.mark.parametrize(
    ("ages", "says"),
    [
        ([], "holds no record"),
        (["5"], "k = 2 is more than the 1 records"),
        (["5", "inf"], "1 value outside the domain"),
        (["5", "1e308"], "1 value outside the domain"),
        (["5", "-999"], "1 value outside the domain"),
        (["5", ""], "1 missing value"),
        (["5", "NA"], "1 missing value"),
        (["5", "\u202e12"], "1 cell with text"),
    ],
)
def test_values_that_cannot_be_placed_are_named(ages, says):
    with pytest.raises(DataError, match=says):
        recode(pd.DataFrame({"age": ages}, dtype=str), STUDY)


@pytest.mark.parametrize("ages", [["5"] * 9, [str(age) for age in range(80)], ["5", "6"]])
def test_constant_and_all_different_columns(ages):
    table = pd.DataFrame({"age": ages}, dtype=str)
    recoding = recode(table, STUDY)
    check_release(table, STUDY, recoding.frame)
    (column,) = contents.inspect(table)
    assert column.cells == len(ages)


def test_an_index_that_repeats_multiplies_no_row():
    table = pd.DataFrame({"age": ["5", "6", "70", "71"], "note": list("abcd")}, index=[0, 0, 1, 1])
    recoding = recode(table, STUDY)
    assert recoding.frame["note"].tolist() == list("abcd")
    check_release(table, STUDY, recoding.frame)


def foreign():
    table = pd.DataFrame({"age": [1, 2], "w": [3, 4]})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("xl/workbook.xml", (2020, 1, 1, 0, 0, 0)), table.to_csv())
    parquet, feather = io.BytesIO(), io.BytesIO()
    table.to_parquet(parquet)
    table.to_feather(feather)
    numbers = io.BytesIO()
    np.save(numbers, table.to_numpy())
    return {
        "an Excel or zip file": packed.getvalue(),
        "a Parquet file": parquet.getvalue(),
        "a Feather file": feather.getvalue(),
        "a gzip file": gzip.compress(table.to_csv().encode(), mtime=0),
        "not text": numbers.getvalue(),
        "a web page": table.to_html().replace("<table", "<!DOCTYPE html><table").encode(),
        "a JSON file": table.to_json(orient="records").encode(),
        "an XML file": b"<?xml version='1.0' encoding='utf-8'?>\n<data><row/></data>",
    }


@pytest.mark.parametrize("kind", foreign())
def test_a_renamed_file_is_refused_by_what_it_holds(kind):
    advice = r"save the table as CSV and take that file(, or give it its own ending, \.\w+)?\.$"
    with pytest.raises(DataError, match=rf"^data\.csv is {kind}.*; {advice}"):
        read_table(foreign()[kind], "data.csv")


def test_a_million_rows():
    ages = np.arange(1_000_000) % 80
    table = read_table(b"age;note\n" + b"".join(b"%d;x\n" % age for age in ages), "data.csv")
    assert table["age"].tolist() == list(map(str, ages))
    recoding = recode(table, STUDY)
    check_release(table, STUDY, recoding.frame)
    assert sum(one.size for one in recoding.classes) == 1_000_000
