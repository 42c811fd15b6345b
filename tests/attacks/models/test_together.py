"""Two releases of the same people, each under privacy models of its own: no table that gives both is excluded."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod

import pytest

from cra_engine import Attribute, Release, Roles, Study, compose
from oracles.models import FAMILIES, literal, random_models


def tables(values, cells):
    """All tables with these sensitive values, as sorted pairs of a cell and a value."""
    held = sorted(Counter(values).items())
    for chosen in product(*(combinations_with_replacement(cells, number) for _, number in held)):
        yield sorted((cell, value) for (value, _), own in zip(held, chosen, strict=True) for cell in own)


def published(study, table):
    """What the literal program publishes of records at the lower ends of their cells."""
    lower = [[Fraction(int(a.node(1, leaf).lower)) for leaf in range(2 ** (a.layers - 1))] for a in study.attributes]
    records = [tuple(ends[leaf] for ends, leaf in zip(lower, cell, strict=True)) for cell, _ in table]
    return literal(study, records, [value for _, value in table]).labels()


def check(seed, most=1_500):
    """One pair of releases; whether anything is certain of it."""
    rng = random.Random(f"composed under models {seed}")
    families = FAMILIES[seed % len(FAMILIES)], rng.choice([name for name in FAMILIES if name != "ordered"])
    values = list("1248") if "ordered" in families else ["flu", "cold", "gout", "HIV"]
    while True:
        attributes = [
            Attribute(name, 0, rng.choice([8, 20]), rng.choice([2, 3])) for name in "ab"[: rng.choice([1, 2])]
        ]
        cells = list(product(*(range(2 ** (a.layers - 1)) for a in attributes)))
        ill = sorted(rng.choices(values[: rng.choice([2, 3])], k=rng.randint(4, 7)))
        if prod(comb(n + len(cells) - 1, n) for n in Counter(ill).values()) <= most:
            break
    studies = [
        Study(attributes, rng.choice([1, 2, 3]), privacy=random_models(rng, family), roles=Roles(sensitive=["illness"]))
        for family in families
    ]
    truth = sorted((rng.choice(cells), value) for value in ill)
    labels = [published(study, truth) for study in studies]
    found = compose([Release(s, shown) for s, shown in zip(studies, labels, strict=True)], prior="assignments")
    possible = {cell: set() for cell in cells}
    told = [sorted(shown.to_numpy().tolist()) for shown in labels]
    for table in tables(ill, cells):
        if all(
            sorted(published(study, table).to_numpy().tolist()) == own for study, own in zip(studies, told, strict=True)
        ):
            held = Counter(cell for cell, _ in table)
            for cell in cells:
                possible[cell].add(held[cell])
    assert all(possible.values()), seed  # the truth is among them
    views = {view.cell: view for view in found.cells}
    for cell, counts in possible.items():
        view = views.get(cell)
        if view is not None:
            assert view.lowest <= min(counts) <= max(counts) <= view.highest, (seed, cell)
    assert all(possible[cell] == {1} for cell in found.isolated), seed
    return any(view.lowest == view.highest for view in found.cells)


@pytest.mark.parametrize("seed", range(len(FAMILIES)))
def test_two_releases_under_models_leave_all_tables_that_give_both(seed):
    check(seed)


def test_something_is_certain_of_some_of_them():
    assert any(check(seed) for seed in range(3))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(len(FAMILIES), 300))
def test_three_hundred_pairs_under_models(seed):
    check(seed)


def test_all_tables_of_two_values_by_hand():
    assert list(tables(["flu", "cold"], [(0,), (1,)])) == [
        sorted([((cold,), "cold"), ((flu,), "flu")]) for cold in range(2) for flu in range(2)
    ]
