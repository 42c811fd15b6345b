"""The attack by order: against every order of small tables, and on 200 releases of sorted, nearly and unsorted ones."""

import random
from itertools import combinations, permutations, product
from math import comb, exp

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from cra_engine import Attribute, Study, recode, safe_recode
from cra_engine.attacks.order import (
    _log_apart,
    _log_chance,
    _out_of_place,
    attack_order,
    chance_that_rows_fit,
    sorted_spans,
)
from cra_engine.audits.audit import audit
from cra_engine.files.row_order import shuffled
from cra_engine.release import Owner, Release

AGE = Attribute("age", 0, 8, layers=4)
SPANS = [(node.start, node.stop) for layer in AGE.layer_nodes for node in layer]


def drawn(draw, rows):
    return np.array([draw.choice(SPANS) for _ in range(rows)])


def ascending(spans):
    """Every way to fill the rows with leaves that rise from row to row."""
    return [v for v in product(*(range(*span) for span in spans.tolist())) if list(v) == sorted(v)]


@pytest.mark.parametrize("seed", range(40))
def test_the_test_is_exact_and_each_end_is_attained(seed):
    draw = random.Random(seed)
    spans = drawn(draw, 5)
    ways, found = ascending(spans), sorted_spans(spans)
    assert (found is None) == (not ways)
    if found is not None:
        for row, (first, past) in enumerate(found.tolist()):
            assert {way[row] for way in ways} == set(range(first, past))


@pytest.mark.parametrize("seed", range(40))
def test_rows_out_of_place_are_the_fewest(seed):
    spans = drawn(random.Random(seed), 7)
    fewest = min(
        len(gone)
        for number in range(8)
        for gone in combinations(range(7), number)
        if sorted_spans(np.delete(spans, gone, axis=0)) is not None or number == 7
    )
    assert _out_of_place(spans) == fewest


@pytest.mark.parametrize("seed", range(25))
def test_the_chance_is_never_below_that_of_all_orders(seed):
    spans = drawn(random.Random(seed), 6)
    orders = list(permutations(range(6)))
    fits = sum(sorted_spans(spans[list(order)]) is not None for order in orders)
    assert fits / len(orders) <= exp(_log_chance(spans, AGE)) + 1e-12


def test_rows_drawn_at_random_have_none_in_common():
    rows = range(7)
    apart = sum(not set(one) & {0, 1} for one in combinations(rows, 3))
    assert exp(_log_apart(7, 3, 2)) == pytest.approx(apart / comb(7, 3))


STUDY = Study([Attribute("age", 0, 96, layers=5), Attribute("weight", 40, 120, layers=3)], k=3)


def people(draw, count):
    return pd.DataFrame({"age": draw.integers(0, 96, count), "weight": draw.integers(40, 120, count)})


def published(seed, order):
    """A release that keeps the order of its table, which is sorted by age, nearly so, or not; and the table."""
    draw = np.random.default_rng(seed)
    table = people(draw, 20 + seed % 60)
    if order != "not":
        table = table.sort_values("age", ascending=seed % 3 > 0, ignore_index=True)
    if order == "nearly":
        places = np.arange(len(table))
        for one in draw.choice(len(table) - 6, 4, replace=False):
            places[[one, one + 6]] = places[[one + 6, one]]
        table = table.iloc[places].reset_index(drop=True)
    made = recode(table, STUDY) if seed % 2 else safe_recode(table, STUDY, 8, seed=seed)
    return made.release, table


@pytest.mark.parametrize("releases", [24, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_releases_of_tables_that_are_sorted_nearly_and_not(releases):
    found = {"sorted": 0, "nearly": 0, "not": 0}
    narrowed = 0
    for seed in range(releases):
        for order in found:
            release, table = published(seed, order)
            told = attack_order(release)
            ages = [column for column in told.columns if column.name == "age"]
            found[order] += bool(told.columns)
            if order == "sorted":
                assert told.out_of_place["age"] == 0
                leaves = STUDY.attributes[0].reader.locate(table["age"].to_numpy())
                mine = [column for column in ages if column.descending == (seed % 3 == 0)]
                for column in mine:  # the table was sorted so: every true age is inside
                    assert ((column.spans[:, 0] <= leaves) & (leaves < column.spans[:, 1])).all()
                    narrowed += int(column.narrowed.sum())
            elif order == "nearly":
                assert told.out_of_place["age"] <= 8
    assert found["sorted"] > 3 * releases // 4
    assert narrowed > 5 * releases
    assert found["not"] <= binom.ppf(1 - 1e-6, releases, 0.001)


def test_by_chance_no_more_than_the_level_are_called_sorted():
    """Tables so small that chance matters: of all releases in random order at most one in twenty, as asked for."""
    called = 0
    for seed in range(400):
        draw = random.Random(seed)
        labels = [AGE.node(layer, draw.randrange(AGE.nodes_in(layer))).label for layer in (1, 2, 2, 1)]
        rows = [label for label in labels for _ in range(2)]
        draw.shuffle(rows)
        release = Release(Study([AGE], 2), pd.DataFrame({"age": rows}))
        called += bool(attack_order(release, level=0.05).columns)
    assert called <= binom.ppf(1 - 1e-6, 400, 0.05)
    assert called > 0


def test_a_kept_order_gives_back_what_was_generalized_and_a_random_one_nothing():
    draw = np.random.default_rng(31)
    table = people(draw, 300).sort_values("age", ignore_index=True)
    study = STUDY.with_k(10)
    for made in (recode(table, study), safe_recode(table, study, 1, seed=4)):
        kept = attack_order(made.release)
        assert kept.narrowed > 50
        suppressed = made.release.class_of_row == Owner.SUPPRESSED
        assert kept.columns[0].narrowed[suppressed].all()
        assert "sorted by 'age'" in kept.assumption
        out = attack_order(Release(made.release.study, shuffled(made.frame)))
        assert (out.columns, out.narrowed, out.assumption) == ((), 0, "")
        assert any("sorted by 'age'" in text for text in audit(made.frame, made.release.study, time_limit=5).findings)


def test_releases_that_keep_one_order_are_seen_to_fit_row_by_row():
    table = people(np.random.default_rng(1), 120)
    one, other = (recode(table, STUDY.with_k(k)) for k in (3, 7))
    chance = chance_that_rows_fit(one.release, other.release)
    assert chance is not None
    assert chance < 1e-6
    assert chance_that_rows_fit(one.release, Release(other.study, shuffled(other.frame))) is None
    assert chance_that_rows_fit(one.release, recode(table.iloc[:-1], STUDY).release) is None
