"""Releases without their study, put together: what is certain then is so in the table, and what is guessed is said."""

import random
from contextlib import suppress
from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from cra_dashboard.charts.grid import axis_of
from cra_engine import Attribute, CRAError, ReleaseError, Study, compose, recode, synthesize
from cra_engine.assess.attacked import suggested_prior
from cra_engine.audits.guessed_release import guessed_release, values_alike
from shares import first
from strategies import random_case

TOY = synthesize("toy")


def shown(data, study, k):
    """The table as its reader gets it, every cell as text."""
    return recode(data, study.with_k(k)).frame.astype(str)


def inside(data, together, cell):
    """How many people of the table are in a common cell."""
    rows = pd.Series(data=True, index=data.index)
    for attribute, leaf in zip(together.grid.attributes, cell, strict=True):
        node = attribute.layer_nodes[0][leaf]
        values = data[attribute.name].astype(float)
        rows &= (values >= float(node.lower)) & (values < float(node.upper))
    return int(rows.sum())


@pytest.mark.parametrize("seeds", first(1, [range(14), range(14, 40)]), ids=str)
def test_what_is_certain_is_so_in_the_table(seeds: range) -> None:
    put = 0
    for seed in seeds:
        case, read = random_case(seed), []
        for k in (case.study.k, case.study.k + 2):
            with suppress(CRAError):  # too little is shown to guess anything from
                read.append(guessed_release(shown(case.data, case.study, k)).release)
        if read:
            together = compose(read, time_limit=5, prior=suggested_prior(read))
            put += len(read) > 1
            for cell, count in together.fixed_cells.items():
                assert inside(case.data, together, cell) == count
    assert put >= len(seeds) / 4


def test_two_releases_of_other_layers_have_common_pieces() -> None:
    coarser = TOY.study.changed(attributes=[own.changed(layers=own.layers - 1) for own in TOY.study.attributes])
    read = [guessed_release(shown(TOY.data, study, 4)).release for study in (TOY.study, coarser)]
    together = compose(read, time_limit=5)
    for cell, count in together.fixed_cells.items():
        assert inside(TOY.data, together, cell) == count


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize(("units", "layers"), [(("year", "month"), (3, 5)), (("month", "day"), (4, 3))])
def test_dates_that_are_counted_in_other_periods_are_put_together_by_their_days(given, units, layers) -> None:
    """By years the numbers are about 2010, by months 24120: none of one would be in the other's domain."""
    rng = random.Random(f"{units}")
    days = [date(2010, 1, 1) + timedelta(rng.randrange(8 * 365)) for _ in range(60)]
    ends = {"year": date(2018, 1, 1), "month": date(2018, 1, 1), "day": date(2018, 9, 16)}
    data, read = pd.DataFrame({"born": [day.isoformat() for day in days]}), []
    for k, (unit, many) in enumerate(zip(units, layers, strict=True), start=4):
        study = Study([Attribute("born", date(2010, 1, 1), ends[unit], many, unit=unit)], k)
        published = recode(data, study).release
        read.append(published if given else guessed_release(published.table.astype(str)).release)
    together = compose(read, time_limit=5)
    (born,) = together.grid.attributes
    held = []
    for node in born.layer_nodes[0]:
        if node.category:
            continue  # beyond all labels
        first, past = map(date.fromisoformat, node.ends)
        assert node.label == f"[{first.isoformat()}, {past.isoformat()}["
        held.append(sum(first <= day < past for day in days))
        cell = (node.rank,)
        assert together.fixed_cells.get(cell, held[-1]) == held[-1]
    assert sum(held) == 60
    assert len(held) > 4


def test_no_end_of_a_guessed_domain_is_told_as_a_number() -> None:
    """How far values go beyond the labels is supposed; on the axis and in a cell's name it would read as a fact."""
    tables = [
        pd.DataFrame({"age": ["[20, 40["] * 2 + ["[40, 60["] * 2 + ["*"]}),
        pd.DataFrame({"age": ["[20, 30["] * 2 + ["[40, 60["] * 2 + ["*"]}),
    ]
    (age,) = compose([guessed_release(table).release for table in tables]).grid.attributes
    named = [node.interval for node in age.layer_nodes[0]]
    assert named == ["below 20", "[20, 30[", "[30, 40[", "[40, 60[", "60 or more"]
    assert axis_of(age).labels == ["20", "30", "40", "60"]
    assert axis_of(age).title == "age (ends guessed)"


@pytest.mark.parametrize(("width", "first", "last"), [(5, "15", "90"), (1, "17", "83")])
def test_an_axis_too_crowded_for_its_intervals_begins_and_ends_with_what_a_release_shows(
    width: int, first: str, last: str
) -> None:
    """The root's ends were taken, which lie three times all that is shown beyond it: ages began at -210."""
    labels = [f"[{start}, {start + width}[" for start in range(int(first), int(last), width)]
    (age,) = guessed_release(pd.DataFrame({"age": [*labels * 2, "*"]})).release.grid.attributes
    axis = axis_of(age)
    assert age.lower < 0
    assert (axis.labels, axis.places) == ([first, last], [1, age.leaves - 1])
    assert axis.title == "age (ends guessed)"


def test_columns_of_categories_are_left_out_and_named() -> None:
    table = pd.DataFrame({"age": ["[0, 20["] * 4 + ["[20, 40["] * 5, "ward": ["A"] * 4 + ["B"] * 3 + ["*"] * 2})
    read = guessed_release(table)
    assert read.left_out == ("ward",)
    assert "ward, whose categories may hold others" in read.said
    assert [attribute.name for attribute in compose([read.release], time_limit=5).grid.attributes] == ["age"]


def test_categories_that_somebody_names_are_read_and_what_is_certain_then_is_so() -> None:
    for seed in range(8):
        drawn = np.random.default_rng(seed)
        data = pd.DataFrame({"age": drawn.integers(0, 60, 90), "sex": drawn.choice(["F", "M"], 90)})
        tables = [
            data.assign(age=[next(f"[{a}, {b}[" for a, b in pairwise(ends) if a <= age < b) for age in data["age"]])
            for ends in ([0, 20, 40, 60], [0, 30, 60])
        ]
        assert values_alike(tables) == ("sex",)
        assert all(guessed_release(table).doubtful == ("sex",) for table in tables)
        read = [guessed_release(table, named=["age", "sex"]) for table in tables]
        assert all(not one.left_out and not one.doubtful for one in read)
        together = compose([one.release for one in read], prior="assignments")
        ages, sexes = (own.layer_nodes[0] for own in together.grid.attributes)
        for (age, sex), count in together.fixed_cells.items():
            there = data["age"].between(int(ages[age].lower), int(ages[age].upper) - 1)
            assert int((there & (data["sex"] == sexes[sex].label)).sum()) == count
        # 20 to 30 is what 0 to 30 has beyond 0 to 20, and so on: all four ages of both sexes, so there are no more.
        assert (len(together.fixed_cells), together.fixed_text) == (8, "8")


def test_categories_alone_are_one_sentence() -> None:
    with pytest.raises(ReleaseError, match=r"ward show categories only.* give the study file"):
        guessed_release(pd.DataFrame({"ward": ["A", "A", "B", "B", "*"]}))


def test_k_is_as_stated_or_that_of_the_smallest_class() -> None:
    table = pd.DataFrame({"age": ["[0, 20["] * 4 + ["[20, 40["] * 5})
    assert guessed_release(table).release.k == 4
    assert "k = 4 from the smallest group" in guessed_release(table).said
    assert guessed_release(table, 3).release.k == 3
    assert "smallest group" not in guessed_release(table, 3).said


def test_releases_that_contradict_each_other_ask_for_their_studies() -> None:
    tables = [pd.DataFrame({"age": ["[0, 20["] * few + ["[20, 40["] * (9 - few)}) for few in (4, 5)]
    with pytest.raises(CRAError, match="give the study file of each"):
        compose([guessed_release(table).release for table in tables], time_limit=5)
