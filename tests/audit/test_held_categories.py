"""Audits of categories whose hierarchy is guessed: nothing is certain of what another label may hold."""

import random

import pandas as pd
import pytest

from cra_engine import CRAError
from cra_engine.audits.audit import audit
from oracles.unequal import Tree, local_recoding, random_rows

QUICK, ALL = 40, 2000
WRONG = 800  # 'a0-4' is a group of 'a2-2' and others, which the labels do not tell


def published(seed):
    """Rows of random trees, some of them of texts, records, and their release by local recoding."""
    rng = random.Random(f"categories {seed}")
    attributes = rng.choice([1, 2, 2])
    rows = [random_rows(rng, numeric=rng.random() < 0.4, name="abc"[place]) for place in range(attributes)]
    records = [tuple(rng.choice(tree)[0] for tree in rows) for _ in range(rng.randint(4, 20))]
    k = rng.choice([2, 2, 3])
    labels = local_recoding([Tree(tree) for tree in rows], k, records, None, rng)
    return rows, records, pd.DataFrame(labels, columns=["Q1", "Q2"][:attributes], dtype=str), k


def false_claims(audited, rows, records):
    """The cells that an audit calls certain and that not exactly one person fits, by the publisher's own trees."""
    wrong = []
    for cell in audited.isolated:
        labels = [a.layer_nodes[0][leaf].label for a, leaf in zip(audited.release.attributes, cell, strict=True)]
        held = [{value[0]: set(value) for value in tree} for tree in rows]
        if any(label not in set().union(*of.values()) for of, label in zip(held, labels, strict=True)):
            continue  # "not shown" and bounds that are guessed are no labels of the publisher's
        fitting = [
            record
            for record in records
            if all(label in of[value] for of, label, value in zip(held, labels, record, strict=True))
        ]
        if len(fitting) != 1:
            wrong.append((labels, len(fitting)))
    return wrong


def check(seed):
    rows, records, table, k = published(seed)
    try:
        audited = audit(table, k=k, profile="paper", qi=list(table.columns), time_limit=5, seed=1)
    except CRAError:
        return  # the labels show too little
    assert false_claims(audited, rows, records) == [], f"seed {seed}"


def test_a_category_that_may_be_a_group_of_another_is_nowhere_certain():
    rows, records, table, k = published(WRONG)
    audited = audit(table, k=k, profile="paper", qi=["Q1", "Q2"], time_limit=5, seed=1)
    assert {"a0-4", "a2-2"} <= set(table["Q1"])
    assert audited.isolated == ()
    assert audited.assessment.certain.sure == "bound"
    (said,) = [text for text in audited.warnings if "would hold exactly one person" in text]
    assert "another category of a guessed hierarchy may be a group that holds it" in said
    assert all(chance < 1 for _, chance in audited.assessment.cell_chances)
    assert false_claims(audited, rows, records) == []


def test_nothing_false_is_certain_of_guessed_categories():
    for seed in range(QUICK):
        check(seed)


@pytest.mark.exhaustive
def test_nothing_false_is_certain_of_many_guessed_categories():
    for seed in range(QUICK, ALL):
        check(seed)
