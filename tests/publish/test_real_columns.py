"""Columns as clinics have them - categories, dates, codes, gaps - published by the literal algorithm and attacked."""

import random
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction

import pandas as pd
import pytest

from cra_engine import Attribute, FileHierarchy, Release, Study
from oracles.unequal import Tree, local_recoding, random_rows
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
        seen["coded"] += any(a.below or a.above for a in study.attributes)
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
