"""A table in files as its different rows: of each as many records as reading them one by one finds."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cra_engine import Attribute, ReleaseError, Study, attack, compose, read_release, recode, single_out
from cra_engine.attacks.order import attack_order
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.errors import DataError, TooLargeError
from cra_engine.files import block_files, counted_rows, table_faults
from cra_engine.files.counted_rows import count_rows
from cra_engine.files.stored import open_table
from cra_engine.files.tables import read_table
from cra_engine.release import count_release
from cra_engine.words import rows_text

STUDY = Study([Attribute("age", 0, 40, layers=3)], k=2)
LABELS = ["[0, 10[", "[10, 20[", "*", "", "=1"]
CELLS, KINDS = st.sampled_from(LABELS), pd.CategoricalDtype(LABELS)


def parts(folder, frames, kind):
    folder.mkdir()
    for number, frame in enumerate(frames):
        path = folder / f"{number}.{kind}"
        if kind == "csv":
            frame.to_csv(path, index=False)
        else:
            frame.to_parquet(path, index=False)
    return folder


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.tuples(CELLS, CELLS, st.integers(0, 2)), max_size=12), min_size=1, max_size=4),
    st.sampled_from(["csv", "parquet"]),
    st.integers(1, 30),
)
def test_each_row_is_counted_as_often_as_it_stands_there(tmp_path_factory, written, kind, waiting):
    frames = [pd.DataFrame(rows, columns=["age", "place", "n"]) for rows in written]
    if kind == "parquet":  # a part without rows has types too
        frames = [frame.astype({"age": KINDS, "place": str, "n": "int64"}) for frame in frames]
    folder = parts(tmp_path_factory.mktemp("table") / "parts", frames, kind)
    before, counted_rows.WAITING = counted_rows.WAITING, waiting
    try:
        found = count_rows(open_table(folder), ["n", "age", "nowhere"])
    finally:
        counted_rows.WAITING = before
    assert list(found.frame.columns) == ["age", "n"]
    every = [(str(row.age), str(row.n)) for frame in frames for row in frame.itertuples()]
    rows = [tuple(map(str, row)) for row in found.frame.itertuples(index=False)]
    assert dict(zip(rows, found.records.tolist(), strict=True)) == Counter(every)
    assert found.first.tolist() == [every.index(row) for row in rows] == sorted(found.first.tolist())
    starts = np.cumsum([0, *map(len, frames)])
    for place, first in enumerate(found.first.tolist()):
        part = int(np.searchsorted(starts, first, side="right")) - 1
        assert found.place(place) == f"{rows_text([first - starts[part] + 1])} of {part}.{kind}"


def test_rows_that_all_differ_are_counted_a_few_times_each(tmp_path, monkeypatch):
    """However many blocks they come in: a table of blocks that were all counted again with each took hours."""
    pd.DataFrame({"n": range(2000)}).to_parquet(tmp_path / "n.parquet", index=False)
    monkeypatch.setattr(block_files, "ROWS", 10)
    monkeypatch.setattr(counted_rows, "WAITING", 50)
    honest, looked_at = counted_rows._grouped, []

    def noted(tables):
        looked_at.append(sum(map(len, tables)))
        return honest(tables)

    monkeypatch.setattr(counted_rows, "_grouped", noted)
    assert count_rows(open_table(tmp_path / "n.parquet"), ["n"]).records.tolist() == [1] * 2000
    assert len(looked_at) > 200  # each block by itself, and some together
    assert sum(looked_at) <= 6 * 2000


def whole_numbers(folder, cells):
    """A column of numbers in two parts, counted, and as it is read."""
    parts(folder, [pd.DataFrame({"n": pd.array(own, dtype="Int64")}) for own in cells], "parquet")
    return count_rows(open_table(folder), ["n"]).frame["n"], read_table(folder)["n"]


def test_numbers_are_those_that_are_read_row_by_row(tmp_path):
    for name, cells in (
        ("plain", ([1, 2], [2, 3])),
        ("gaps", ([1, 2], [2, None])),
        ("wide", ([1, 1 << 60], [2, None])),
    ):
        counted, read = whole_numbers(tmp_path / name, cells)
        assert counted.dtype == read.dtype
        assert counted.tolist() == pytest.approx(read.drop_duplicates().tolist(), nan_ok=True) or name == "wide"
        assert counted.astype(str).tolist() == read.drop_duplicates().astype(str).tolist()


def people(rows, seed=0, study=STUDY):
    rng = np.random.default_rng(seed)
    raw = {"age": rng.integers(0, 40, rows), "ill": rng.choice(["flu", "gout", "burn"], rows), "name": range(rows)}
    return recode(pd.DataFrame(raw).astype(str), study).frame.astype(str)


@pytest.mark.parametrize("models", [(), (LDiversity("ill", 2),)])
def test_an_attack_finds_the_same_in_counted_rows(tmp_path, models):
    study = STUDY.changed(privacy=models)
    table = people(90, 1, study)
    folder = parts(tmp_path / "parts", [table[:40], table[40:40], table[40:]], "parquet")
    counted, notes = count_release(folder, study)
    rows = read_release(folder, study)
    assert notes == ()
    assert len(counted.table) < 25 < counted.records == rows.records == 90
    assert counted.to_dict() == rows.to_dict()
    one, other = attack(counted, prior="assignments"), attack(rows, prior="assignments")
    assert one.to_dict() == other.to_dict()
    assert single_out(one).to_dict() == single_out(other).to_dict()
    mixed, whole = (compose([own, rows], prior="assignments") for own in (counted, rows))
    assert mixed.to_dict() == whole.to_dict()


def test_what_needs_each_row_is_refused(tmp_path):
    table = people(30)
    release = count_release(parts(tmp_path / "parts", [table], "csv"), STUDY)[0]
    for asked in (
        lambda: attack_order(release),
        lambda: single_out(attack(release, prior="assignments"), table),
        lambda: compose([release, release], linked_rows=True),
        lambda: compose([release, release], id_column="name"),
        release.to_csv_text,
    ):
        with pytest.raises(ReleaseError, match="were counted"):
            asked()


def test_a_part_that_cannot_be_read_is_named(tmp_path):
    table = people(30)
    strange = table.assign(age=["[0, 11[", *table["age"][1:]])
    folder = parts(tmp_path / "labels", [table, strange], "csv")
    with pytest.raises(ReleaseError, match=r"row 1 \(2 in a spreadsheet\) of 1\.csv: '\[0, 11\[' is no interval"):
        count_release(folder, STUDY)
    with pytest.raises(ReleaseError, match="no column 'age'; it has: 'ill', 'name'"):
        count_release(parts(tmp_path / "columns", [table.drop(columns="age")], "csv"), STUDY)
    alone = table.assign(age="[0, 10[")
    alone.loc[20, "age"] = "[10, 20["
    with pytest.raises(ReleaseError, match=r"row 6 \(7 in a spreadsheet\) of 1\.csv, has 1 record, fewer than k = 2"):
        count_release(parts(tmp_path / "alone", [alone[:15], alone[15:]], "csv"), STUDY)
    cut = parts(tmp_path / "cut", [table, table], "csv") / "1.csv"
    cut.write_text(cut.read_text().rstrip() + ";more,and,more\n")
    with pytest.raises(DataError, match=r"1\.csv"):
        count_release(tmp_path / "cut", STUDY)
    with pytest.raises(ReleaseError, match="holds no record"):
        count_release(parts(tmp_path / "none", [table[:0]], "parquet"), STUDY)


def test_more_different_rows_than_fit_into_memory(tmp_path, monkeypatch):
    folder = parts(tmp_path / "parts", [people(30), people(30, seed=1)], "csv")
    shown = read_table(folder)[["age", "ill"]].drop_duplicates()
    monkeypatch.setattr(table_faults, "MAX_CELLS", 60)
    assert count_rows(open_table(folder), ["age", "ill"]).frame.equals(shown.reset_index(drop=True))
    with pytest.raises(TooLargeError, match="parts holds in different rows"):
        count_rows(open_table(folder), ["age", "name"])
