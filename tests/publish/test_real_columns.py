"""Columns as clinics have them - categories, dates, codes, gaps - published by the literal algorithm and attacked."""

import random
import re
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

from cra_engine import (
    Attribute,
    DataError,
    Release,
    Study,
    StudyError,
    attack,
    read_table,
    recode,
    safe_recode,
    single_out,
)
from cra_engine.files import block_files
from cra_engine.publish.check import check_release
from cra_engine.publish.local.streaming import recode_file
from cra_engine.raw.columns import read_column
from cra_engine.raw.dates import days_in
from cra_engine.study.file_hierarchy import FileHierarchy
from oracles.unequal import Tree, local_recoding, random_rows
from shares import first
from small_tables import raw_layer, regular_rows
from truth import excluded

MISSING = ("leave-out", "category", "*")
GAPS = ("", "NA", "?", "null")


def dated(rng, name, missing, coded):
    """Years, from 2010 on, in intervals whose ends are written by hand, and how days of each year are written."""
    layers = rng.choice([2, 3, 4])
    leaf = rng.choice([1, 2])
    years = leaf * 2 ** (layers - 1)
    start = date(2010, 1, 1)
    rows = []
    for year in range(years):
        labels = []
        for layer in range(layers - 1):
            width = leaf * 2**layer
            lower = 2010 + year // width * width
            labels.append(f"[{lower}-01-01, {lower + width}-01-01[")
        rows.append((str(2010 + year), *labels, "*"))
    finest = rng.choice([0, 1, 1])
    below, above = coded and rng.random() < 0.5, coded and rng.random() < 0.5
    if below:
        rows.append(("2009", *["<2010-01-01"] * (layers - 1), "*"))
    if above:
        rows.append((str(2010 + years), *[f">={2010 + years}-01-01"] * (layers - 1), "*"))
    attribute = Attribute(
        name,
        start,
        date(2010 + years, 1, 1),
        layers,
        unit="year",
        finest=finest,
        missing=missing,
        below=below,
        above=above,
    )

    def written(value):
        return (date(int(value), 1, 1) + timedelta(days=rng.randrange(365))).isoformat()

    shown = {("2009" if below else ""): "<2010-01-01", (str(2010 + years) if above else ""): f">={2010 + years}-01-01"}
    if not finest:
        rows = [(row[0], shown.get(row[0], row[0]), *row[1:]) for row in rows]
    return attribute, rows, written


def counted(rng, name, missing, coded):
    """Whole numbers from 0 on; codes at either end."""
    values, layers = rng.choice([(8, 2), (8, 3), (16, 3), (8, 4)])
    finest = rng.choice([0, 1, 1])
    below, above = coded and rng.random() < 0.5, coded and rng.random() < 0.5
    rows = regular_rows(values, layers)
    if not finest:
        rows = raw_layer(rows)
    width = len(rows[0]) - 2
    if below:
        rows.append(("-1", *["<0"] * width, "*"))
    if above:
        rows.append((str(values), *[f">={values}"] * width, "*"))
    attribute = Attribute(name, 0, values, layers, finest=finest, missing=missing, below=below, above=above)

    def written(value):
        if value == "-1":
            return rng.choice(["<0", "-1", "under 0", "-3"])
        if value == str(values):
            return rng.choice([f"{values}+", f">={values}", str(values), str(values + 4), f"{values} and over"])
        return value

    return attribute, rows, written


def filed(rng, name, missing, _):
    """A file of categories, or of intervals, with its values shown or hidden."""
    numeric = rng.random() < 0.3
    listed = random_rows(rng, numeric=numeric, name="xyz"[int(name[1])])
    finest = rng.choice([0, 0, 1])
    attribute = FileHierarchy(name, tuple(listed), "", finest, missing)
    return attribute, (list(listed) if finest else raw_layer(listed)), str


def published(seed, missing=None, coded=False):
    """A random table, what the literal algorithm made of it, and the study."""
    rng = random.Random(f"real columns {seed} {missing} {coded}")
    columns = []
    for place in range(rng.choice([1, 2, 2, 3])):
        make = rng.choice([dated, counted, filed])
        choice = missing if missing is not None and (place == 0 or rng.random() < 0.5) else ""
        columns.append((*make(rng, f"q{place}", choice, coded), choice))
    rows = []
    for _, tree, _, choice in columns:
        layers = len(tree[0]) - 2
        gap = {"category": ("NULL", *["NULL"] * layers, "*"), "*": ("gap", *["*"] * (layers + 1))}
        rows.append([*tree, *([gap[choice]] if choice in gap else [])])
    records, cells = [], []
    centres = [[rng.randrange(len(tree)) for tree in rows] for _ in range(3)]
    for _ in range(rng.randint(6, 26)):
        centre = rng.choice(centres)
        record = [
            tree[min(max(round(rng.gauss(at, rng.choice([0, 1, 4]))), 0), len(tree) - 1)][0]
            for tree, at in zip(rows, centre, strict=True)
        ]
        text = [
            rng.choice(GAPS) if value in ("NULL", "gap") else column[2](value)
            for value, column in zip(record, columns, strict=True)
        ]
        gone = [place for place, column in enumerate(columns) if column[3] == "leave-out" and rng.random() < 0.15]
        for place in gone:
            text[place] = rng.choice(GAPS)
        cells.append(tuple(text))
        if not gone:
            records.append(tuple(record))
    share = rng.choice([None, None, Fraction(1, 10), Fraction(1, 4)])
    k = rng.choice([2, 2, 3])
    study = Study([column[0] for column in columns], k, "paper" if share is None else float(share))
    data = pd.DataFrame(cells, columns=study.names, dtype=object)
    if len(records) < k:
        return None
    labels = local_recoding([Tree(tree) for tree in rows], k, records, share, rng)
    return data, pd.DataFrame(labels, columns=study.names), study


def sound(seeds, missing=None, coded=False):
    """Nothing that is true is excluded; says how much there was to exclude."""
    seen = Counter()
    for seed in seeds:
        made = published(seed, missing, coded)
        if made is None:
            continue
        data, table, study = made
        release = Release(study, table)
        assert not release.raw_records
        assert excluded(release, data) == [], (seed, missing)
        seen["releases"] += 1
        seen["classes"] += len(release.classes)
        seen["compound"] += sum(not c.segment.basic for c in release.classes)
        seen["shown"] += any(not a.finest for a in study.attributes)
        seen["dates"] += any(a.dates for a in study.attributes)
        seen["categories"] += any(not a.numeric for a in study.attributes)
        seen["coded"] += any(isinstance(a, Attribute) and (a.below or a.above) for a in study.attributes)
    return seen


def test_the_truth_is_excluded_in_no_release_of_the_literal_algorithm():
    seen = sound(range(40))
    assert seen["releases"] == 40
    assert min(seen[kind] for kind in ("shown", "dates", "categories")) >= 8, seen
    assert seen["compound"] >= 60, seen


@pytest.mark.exhaustive
def test_the_truth_is_excluded_in_none_of_five_hundred_releases():
    seen = sound(range(500))
    assert seen["releases"] == 500
    assert min(seen[kind] for kind in ("shown", "dates", "categories")) >= 150, seen


@pytest.mark.parametrize("missing", MISSING)
def test_gaps_and_codes_exclude_no_truth(missing):
    seen = sound(range(25), missing, coded=True)
    assert seen["releases"] >= 20
    assert seen["coded"] >= 5, seen


@pytest.mark.exhaustive
@pytest.mark.parametrize("missing", MISSING)
def test_gaps_and_codes_exclude_no_truth_in_many_releases(missing):
    assert sound(range(200), missing, coded=True)["releases"] >= 190


# ---------------------------------------------------------------- what becomes of gaps


def counted_gaps(seeds, missing):
    """Recode random tables with gaps: every row is published or listed, and the truth stays feasible."""
    seen = Counter()
    for seed in seeds:
        made = published(seed, missing, coded=True)
        if made is None:
            continue
        data, _, study = made
        chosen = [attribute.name for attribute in study.attributes if attribute.missing]
        gap = {name: [row for row, cell in enumerate(data[name], start=1) if cell in GAPS] for name in chosen}
        rows = sorted({row for name in chosen for row in gap[name]})
        recoding = recode(data, study)
        assert list(recoding.left_out) == (rows if missing == "leave-out" else [])
        assert len(recoding.frame) + len(recoding.left_out) == len(data)
        for name, found in gap.items():
            said = [w for w in recoding.warnings if w.startswith(f"Column {name!r}: {len(found)} missing value")]
            assert len(said) == (len(found) > 0), recoding.warnings
        if rows and missing == "leave-out":
            assert any(f"{len(rows)} row" in w and f"of {len(data)} left out" in w for w in recoding.warnings)
        labels = recoding.frame.astype(str)
        for name, found in gap.items():
            shown = set(labels.loc[[row - 1 for row in found if row - 1 in labels.index], name])
            assert shown <= {"category": {"NULL", "*"}, "*": {"*"}, "leave-out": set()}[missing]
        check_release(data, study, recoding.frame)
        assert excluded(recoding.release, data) == [], (seed, missing)
        seen["tables"] += 1
        seen["gaps"] += len(rows)
    return seen


@pytest.mark.parametrize("missing", MISSING)
def test_every_row_with_a_gap_is_published_or_listed(missing):
    seen = counted_gaps(range(20), missing)
    assert seen["tables"] >= 18
    assert seen["gaps"] >= 20, seen


@pytest.mark.exhaustive
@pytest.mark.parametrize("missing", MISSING)
def test_two_hundred_tables_with_gaps(missing):
    assert counted_gaps(range(215), missing)["tables"] >= 200


@pytest.mark.parametrize("missing", ["", "category"])
def test_a_gap_that_nobody_chose_for_is_refused(missing):
    study = Study([Attribute("age", 0, 8, 3, missing=missing), Attribute("weight", 0, 8, 3)], 2)
    data = pd.DataFrame({"age": ["1", "2", ""], "weight": ["1", "2", "3"]})
    if missing:
        assert recode(data, study).records == 3
        data["weight"] = ["1", "", "3"]
    with pytest.raises(
        DataError, match=r"1 missing value .*complete or remove these rows, or choose what becomes of them"
    ):
        recode(data, study)


def test_where_every_row_has_a_gap_nothing_is_published():
    study = Study([Attribute("age", 0, 8, 3, missing="leave-out")], 2)
    with pytest.raises(DataError, match="Every row has a missing value"):
        recode(pd.DataFrame({"age": ["", "NA", "?"]}), study)


def test_a_gap_of_its_own_is_not_taken_for_a_value():
    rows = (("NULL", "a", "*"), ("x", "a", "*"))
    with pytest.raises(StudyError, match="lists 'NULL', which is how a gap is shown"):
        FileHierarchy("q", rows, "", 0, "category")
    # A word for a gap that the file lists is a value: nothing is missing.
    kept = FileHierarchy("q", (("none", "*"), ("x", "*")), "", 0, "leave-out")
    data = pd.DataFrame({"q": ["none", "none", "x", "x", ""]})
    assert recode(data, Study([kept], 2)).left_out == (5,)
    assert safe_recode(data, Study([kept], 2), epsilon=1, seed=1).left_out == (5,)


@pytest.mark.parametrize("seeds", first(1, [range(4), range(4, 40)]), ids=["few", "many"])
def test_a_file_with_gaps_is_recoded_block_by_block_to_the_byte(tmp_path, monkeypatch, seeds):
    monkeypatch.setattr(block_files, "BLOCK", 64)  # so that a few rows are a block
    for seed in seeds:
        for missing in MISSING:
            made = published(seed, missing, coded=True)
            if made is None:
                continue
            data, _, study = made
            data.to_csv(tmp_path / "data.csv", index=False)
            folder = tmp_path / f"{seed}-{missing}"
            folder.mkdir()
            study.to_toml(folder / "study.toml")
            read = read_table(tmp_path / "data.csv")
            assert Study.from_toml(folder / "study.toml") == study
            whole = recode(read, study)
            streamed = recode_file(tmp_path / "data.csv", study, tmp_path / "release.csv", keep_order=True)
            assert (tmp_path / "release.csv").read_text(encoding="utf-8") == whole.release.to_csv_text(
                keep_order=True
            ), seed
            assert (streamed.warnings, streamed.left_out) == (whole.warnings, whole.left_out)


# ---------------------------------------------------------------- what is written in cells


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        (["2013-05-17", "2014"], "1 cell that name a whole year, and the study counts in months: '2014' in row 2"),
        (["01/02/2013", "03/04/2014"], "'01/02/2013' in row 1 (2 in a spreadsheet) can be 2013-02-01 or 2013-01-02"),
        (["2013-05-17", "soon"], "written like '2013-05-17' in row 1 (2 in a spreadsheet): 'soon' in row 2"),
        (
            ["28.09.2013", "29.09.2013", "09/30/2013"],
            "like '28.09.2013' in row 1 (2 in a spreadsheet): '09/30/2013' in row 3 (4 in a spreadsheet); write",
        ),
        (["2013-05-17", "2031-01-01"], "1 value outside the domain [2012-01-01, 2016-01-01[: 2031-01-01 in row 2"),
    ],
)
def test_a_date_that_is_none_or_two_is_refused(cells, problem):
    day = Attribute("day", date(2012, 1, 1), date(2016, 1, 1), 3, unit="month")
    with pytest.raises(DataError, match=re.escape(problem)):
        recode(pd.DataFrame({"day": cells}), Study([day], 2))


def test_year_month_day_is_read_among_dates_of_another_order():
    cells = ["28.09.2013", "2013-09-30", "03.04.2014", "2013-12-01 08:15"]
    days, problems = days_in(pd.Series(cells, name="day"))
    assert days == [date(2013, 9, 28), date(2013, 9, 30), date(2014, 4, 3), date(2013, 12, 1)]
    assert problems == []
    # What can be two days still is none.
    assert days_in(pd.Series(["01/02/2013", "2013-09-30"], name="day"))[0] == [None, None]


@pytest.mark.parametrize(
    ("cell", "leaf"),
    [
        ("90+", 3),
        (">= 90", 3),
        ("> 89", 3),
        ("90 and over", 3),
        ("95", 3),
        ("<18", 0),
        ("under 18", 0),
        ("17", 0),
        ("18", 1),
    ],
)
def test_codes_lie_in_a_leaf_of_their_own(cell, leaf):
    age = Attribute("age", 18, 90, 2, above=True, below=True)
    read = read_column(pd.Series([cell, "34"], name="age"), age)
    leaves, problems = read.leaves, read.problems
    assert (leaves.tolist(), problems) == ([leaf, 1], ())


def test_a_code_that_covers_more_than_its_leaf_is_refused():
    age = Attribute("age", 18, 90, 2, above=True)
    with pytest.raises(
        DataError, match=r"'80\+' in row 1 \(2 in a spreadsheet\); for '80\+' set upper = 80 and above = true"
    ):
        recode(pd.DataFrame({"age": ["80+", "34", "35"]}), Study([age], 2))


def test_files_of_values_and_a_root_are_published_by_their_values():
    sex = FileHierarchy("sex", (("Male", "*"), ("Female", "*")), finest=0)
    data = pd.DataFrame({"sex": ["Male", "Female", "Male", "Female", "Male"]})
    assert list(recode(data, Study([sex], 2)).frame["sex"]) == list(data["sex"])
    lost = recode(data, Study([sex.with_finest(1)], 2))
    assert set(lost.frame["sex"]) == {"*"}
    assert "Column 'sex' is published as '*' in every row" in lost.warnings[0]


@pytest.mark.parametrize("k", [2, 5, 10])
@pytest.mark.parametrize("profile", ["paper", "arx-gui"])
def test_adult_by_files_of_values_loses_no_column_and_no_truth(k, profile):
    data = read_table(Path(__file__).parents[2] / "sample_data" / "adult.csv")
    names = ["sex", "race", "marital-status"]
    files = [FileHierarchy(name, tuple((v, "*") for v in sorted(set(data[name]))), finest=0) for name in names]
    recoding = recode(data[names], Study(files, k, profile))
    assert not [warning for warning in recoding.warnings if "in every row" in warning]
    assert all((recoding.frame[name].astype(str) != "*").mean() > 0.9 for name in names)
    found = single_out(attack(recoding.release), data[names])
    assert [part.index for part in found.classes if not part.valid] == []
    assert found.suppressed is None or found.suppressed.valid


@pytest.mark.parametrize(
    ("cells", "orders"),
    [
        (["67063", "68163"], {"%Y%m%d", "%Y"}),
        (["31.12.2024", "01.02.2023"], {"%Y.%m.%d", "%d.%m.%Y", "%Y%m%d", "%Y"}),
        (["3rd", "4th"], {"%Y%m%d", "%Y", "%d %b %Y", "%d %B %Y", "%b %Y", "%b %d %Y"}),
    ],
)
def test_orders_of_dates_whose_signs_no_cell_has_are_not_tried(monkeypatch, cells, orders):
    """Each try costs a millisecond, and a search reads the same columns again for every table."""
    tried, read = set(), pd.to_datetime
    monkeypatch.setattr(pd, "to_datetime", lambda *given, **how: tried.add(how["format"]) or read(*given, **how))
    days_in(pd.Series(cells, name="day"))
    assert tried == orders
