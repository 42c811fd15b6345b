"""The release: classes read from labels, files in every form, and what is no release of the study."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.errors import DataError, ReleaseError, TooLargeError
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release, read_release
from cra_engine.study.attribute import Attribute
from cra_engine.study.grid import Segment
from cra_engine.study.study import Study
from strategies import cases

STUDY = Study([Attribute("a", 0, 8, 3), Attribute("b", 0, 8, 3)], 2)


def table(*labels):
    return pd.DataFrame([label.split(" x ") for label in labels], columns=["a", "b"])


# Rows out of order on purpose. States by loss: (1,1), then (1,2) and (2,1), which tie, then (1,3) and (3,1), ..
# 1 + Q_loss per layer: 8/7, 10/7, 2; (2,2) has 100/49 = 2.04, (1,3) has 16/7 = 2.29: (2,2) comes before (1,3).
ROWS = [
    "[0, 2[ x *",
    "* x *",
    "[4, 8[ x [0, 4[",
    "[6, 8[ x [6, 8[",
    "[0, 4[ x [2, 4[",
    "[0, 2[ x *",
    "[4, 8[ x [0, 4[",
    "[4, 8[ x [0, 4[",
    "[6, 8[ x [6, 8[",
    "[0, 2[ x [4, 8[",
    "[0, 4[ x [2, 4[",
    "[0, 4[ x [0, 2[",
    "[0, 2[ x [4, 8[",
    "[0, 4[ x [0, 2[",
]


def test_classes_come_in_the_attackers_order():
    release = Release(STUDY, table(*ROWS))
    assert [(c.segment.state, c.segment.ranks, c.size) for c in release.classes] == [
        ((1, 1), (3, 3), 2),
        ((1, 2), (0, 1), 2),
        ((2, 1), (0, 0), 2),  # within a state by rank
        ((2, 1), (0, 1), 2),
        ((2, 2), (1, 0), 3),
        ((1, 3), (0, 0), 2),
    ]
    assert (release.suppressed, release.records, release.k) == (1, 14, 2)
    assert release.class_of_row.tolist() == [5, -1, 4, 0, 3, 5, 4, 4, 0, 1, 3, 2, 1, 2]
    assert release.rows_of(4).tolist() == [2, 6, 7]
    assert release.rows_of(-1).tolist() == [1]


@given(st.permutations(ROWS))
def test_the_order_of_the_rows_says_nothing(rows):
    assert Release(STUDY, table(*rows)).classes == Release(STUDY, table(*ROWS)).classes


def test_other_spellings_of_the_intervals():
    # Closed with ) as in the paper, other blanks, decimals written out, and the root as an interval.
    release = Release(STUDY, table("[0,4) x [0.0, 2.00[", "[0, 4[ x  [0, 2)", "[0, 8[ x *", "* x [0, 8)"))
    assert [(c.segment, c.size) for c in release.classes] == [(Segment((2, 1), (0, 0)), 2)]
    assert release.suppressed == 2


def test_everybody_may_be_suppressed():
    release = Release(STUDY, table("* x *", "* x *", "* x *"))
    assert (release.classes, release.suppressed) == ((), 3)


def test_an_attribute_of_one_layer_is_always_at_its_root():
    study = Study([Attribute("a", 0, 8, 1), Attribute("b", 0, 8, 2)], 2)
    release = Release(study, table("* x [0, 4[", "* x [0, 4[", "* x *"))
    assert [(c.segment, c.size) for c in release.classes] == [(Segment((1, 1), (0, 0)), 2)]
    assert release.suppressed == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "holds no record"),
        (
            ["[0, 2[ x *", "[0, 2[ x *", "[0, 3[ x *"],
            r"Column 'a', row 3 \(4 in a spreadsheet\): '\[0, 3\[' is no interval of this study's",
        ),
        (
            ["[0, 2[ x *", "9 x 2"],
            r"Column 'a', row 2 \(3 in a spreadsheet\): '9' is no interval .* \(its finest are like '\[0, 2\['\)",
        ),
        (["1 x *", "1 x 2"], r"Every record shows raw values \('a' among them\)"),
        (["[0, 2[ x ", "[0, 2[ x "], r"Column 'b', row 1 \(2 in a spreadsheet\): '' is no interval"),
        (
            ["[0, 2[ x *", "[0, 2[ x *", "* x [2, 4["],
            r"class b in \[2, 4\[ of row 3 \(4 in .*\), has 1 record, fewer than k = 2; this is not a release",
        ),
        (["[0, 8[ x [0, 2["], r"class b in \[0, 2\[ of row 1 \(2 in a spreadsheet\), has 1 record"),
    ],
)
def test_what_is_no_release_of_the_study(rows, message):
    with pytest.raises(ReleaseError, match=message):
        Release(STUDY, table(*rows))


def test_a_table_of_numbers_is_no_release():
    # A raw table in the place of the release: easily done.
    with pytest.raises(ReleaseError, match=r"Column 'a', row 1 \(2 in a spreadsheet\): '5' is no interval"):
        Release(STUDY, pd.DataFrame({"a": [5, 6], "b": [1, 2]}))
    with pytest.raises(ReleaseError, match=r"Column 'a', row 2 \(3 in a spreadsheet\): 'nan' is no interval"):
        Release(STUDY, pd.DataFrame({"a": ["*", None], "b": ["*", "*"]}))


def test_the_columns_must_be_there_once():
    with pytest.raises(ReleaseError, match="not a release of this study: The table has no column 'b'; it has: 'a'"):
        Release(STUDY, pd.DataFrame({"a": ["*", "*"]}))
    with pytest.raises(ReleaseError, match="several columns 'a'"):
        Release(STUDY, pd.DataFrame([["*", "*", "*"]], columns=["a", "a", "b"]))


def test_a_file_that_is_no_table_is_a_data_error(tmp_path):
    with pytest.raises(DataError, match=r"release\.csv cannot be read"):
        read_release(tmp_path / "release.csv", STUDY)
    with pytest.raises(DataError, match=r"^upload\.csv is empty"):
        read_release(b"", STUDY, "upload.csv")


def test_a_grid_that_is_too_large_is_refused_before_any_label_is_read():
    wide = Study([Attribute(f"a{i}", 0, 4096, 12) for i in range(6)], 2)
    labels = [node.label for layer in wide.attributes[0].layer_nodes for node in layer]
    with pytest.raises(TooLargeError, match="take fewer attributes or fewer layers"):
        Release(wide, pd.DataFrame(dict.fromkeys(wide.names, labels)))


def test_an_index_is_not_published():
    # Somebody may have set it from a column: it would carry the raw values along.
    raw = pd.DataFrame({"a": [1, 0, 7], "b": [0, 1, 7]}).set_index("a", drop=False)
    recoding = recode(raw, STUDY)
    assert recoding.frame.index.tolist() == [1, 0, 7]
    assert recoding.release.table.index.tolist() == [0, 1, 2]


# ---------------------------------------------------------------- files


def written(release, delimiter, quoting):
    """The published table by csv.writer, independent of the engine's own writer."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting)
    writer.writerow(release.table.columns)
    writer.writerows(release.table.to_numpy(dtype=object).tolist())
    return text.getvalue()


def same(release, other):
    assert other.classes == release.classes
    assert other.suppressed == release.suppressed
    assert other.class_of_row.tolist() == release.class_of_row.tolist()
    assert list(other.table.columns) == list(release.table.columns)
    for name in release.table.columns:
        assert [str(cell) for cell in release.table[name]] == other.table[name].tolist()


@given(
    case=cases(),
    note=st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff,;\t|'"))),
    delimiter=st.sampled_from(",;\t"),
    quoted=st.booleans(),
    bom=st.booleans(),
)
def test_a_release_survives_any_csv(case, note, delimiter, quoted, bom):
    data = case.data.assign(**{"a note": [note[row] if row < len(note) else "" for row in range(len(case.data))]})
    release = recode(data, case.study).release
    # Labels hold a comma, so that a comma between columns needs quotes, and csv.writer sets them.
    text = written(release, delimiter, csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    same(release, read_release(text.encode("utf-8-sig" if bom else "utf-8"), case.study))


@pytest.mark.parametrize("note", ["\r", "a\rb", "\n", "\r\n", ";", '"', "", " "])
def test_cells_that_csv_must_quote(note):
    release = recode(pd.DataFrame({"note": [note] * 3, "a": [1, 0, 7], "b": [0, 1, 7], "last": note}), STUDY).release
    same(release, read_release(release.to_csv_text(keep_order=True).encode(), STUDY))


@given(case=cases(), note=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff")))
def test_a_release_survives_its_own_file(case, note):
    data = case.data.assign(note=note, code=7)
    release = recode(data, case.study).release
    same(release, read_release(release.to_csv_text(keep_order=True).encode(), case.study))


def test_the_file_by_hand(tmp_path):
    data = pd.DataFrame({"id": [3, 1, 2], "b": [0, 7, 1], "note": ["x;y", "", 'say "a"'], "a": [1, 5, 0]})
    release = recode(data, STUDY).release
    release.to_csv(tmp_path / "release.csv", keep_order=True)
    assert (tmp_path / "release.csv").read_bytes() == (
        b'id;b;note;a\n3;[0, 2[;"x;y";[0, 2[\n1;*;;*\n2;[0, 2[;"say ""a""";[0, 2[\n'
    )
    same(release, read_release(tmp_path / "release.csv", STUDY))


def test_other_columns_stay_as_they_were():
    data = pd.DataFrame(
        {
            "a": [1, 0, 7],
            "when": pd.to_datetime(["2020-01-01", "2020-01-02", None]),
            "score": [0.1, np.nan, 1e300],
            "b": [0, 1, 7],
            "kind": pd.Categorical(["x", "y", "x"]),
        }
    )
    published = recode(data, STUDY).release.table
    pd.testing.assert_frame_equal(published[["when", "score", "kind"]], data[["when", "score", "kind"]])
    assert list(published.columns) == list(data.columns)
