"""The tight attack on a table that was sorted: against every sorted table, and on tables that are sorted or not."""

import json
import random
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from typer.testing import CliRunner

from cra_engine import Attribute, CRAError, Release, Study, recode, safe_recode, tight_attack
from cra_engine.attacks.order import attack_order
from cra_engine.attacks.tight.sorted_rows import narrow_by_order
from cra_engine.audits.audit import audit
from cra_engine.cli.commands import app
from cra_engine.files.row_order import shuffled

SMALL = Study([Attribute("a", 0, 8, layers=3), Attribute("b", 0, 8, layers=2)], k=2)


def small(seed, *, descending=False):
    """A table of few records, sorted by a."""
    draw = random.Random(seed)
    rows = [(draw.randrange(8), draw.randrange(8)) for _ in range(draw.randint(5, 6))]
    table = pd.DataFrame(rows, columns=["a", "b"])
    return table.sort_values("a", ascending=not descending, ignore_index=True)


def every_sorted_table(release, *, descending=False):
    """Every way to give each row a cell, the leaves of a rising from row to row, that gives the release (or may)."""
    system = tight_attack(release).bounds
    grid = release.grid
    options = []
    for owner in release.class_of_row.tolist():
        if owner >= 0 and release.classes[owner].segment.basic:
            options.append([release.classes[owner].segment.ranks])
            continue
        options.append(system.cells)
    assert grid.shape == (4, 2)
    for hypothesis in system.hypotheses:
        of = {cell: int(owner) for cell, owner in zip(system.cells, hypothesis.owner, strict=True)}
        own = [
            [cell for cell in cells if of.get(cell, owner) == owner]
            for cells, owner in zip(options, release.class_of_row.tolist(), strict=True)
        ]
        for cells in product(*own):
            leaves = [cell[0] for cell in cells]
            if leaves == sorted(leaves, reverse=descending):
                counts = Counter(cells)
                held = [counts[cell] for cell in system.cells]
                if all(bound.allows(held) for bound in hypothesis.bounds):
                    yield leaves, counts


@pytest.mark.parametrize("seed", [*range(25), *(pytest.param(s, marks=pytest.mark.exhaustive) for s in range(25, 200))])
def test_what_is_said_is_what_every_sorted_table_has_and_no_less(seed):
    descending = seed % 3 == 0
    release = recode(small(seed, descending=descending), SMALL).release
    found = narrow_by_order(tight_attack(release), "a", descending=descending)
    assert found.complete
    assert not found.refuted
    tables = list(every_sorted_table(release, descending=descending))
    for row, (first, past) in enumerate(found.spans.tolist()):
        leaves = {leaves[row] for leaves, _ in tables}
        assert (min(leaves), max(leaves) + 1) == (first, past)
    for cell in product(range(4), range(2)):
        held = {counts[cell] for _, counts in tables}
        told = found.fixed_cells.get(cell, 0 if cell not in found.tight.bounds.cells else None)
        assert told == (held.pop() if len(held) == 1 else None)


def test_labels_that_can_be_sorted_are_refuted_where_no_sorted_table_keeps_the_bounds():
    refuted = 0
    for seed in range(60):
        release = recode(small(seed), SMALL).release
        other = Release(SMALL, shuffled(release.table, seed))
        try:
            found = narrow_by_order(tight_attack(other), "a")
        except CRAError:
            continue
        tables = any(True for _ in every_sorted_table(other))
        assert found.refuted == (not tables)
        refuted += found.refuted
    assert refuted


STUDY = Study([Attribute("age", 0, 96, layers=5), Attribute("weight", 40, 120, layers=3)], k=4)


def people(seed, order):
    """People in the order of their age, nearly so, or not."""
    draw = np.random.default_rng(seed)
    count = 20 + seed % 60
    table = pd.DataFrame({"age": draw.integers(0, 96, count), "weight": draw.integers(40, 120, count)})
    if order != "not":
        table = table.sort_values("age", ascending=seed % 3 > 0, ignore_index=True)
    if order == "nearly":
        places = np.arange(count)
        for one in draw.choice(count - 6, 4, replace=False):
            places[[one, one + 6]] = places[[one + 6, one]]
        table = table.iloc[places].reset_index(drop=True)
    return table


@pytest.mark.parametrize("releases", [3, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_truth_is_inside_whenever_the_table_was_sorted(releases):
    called, rows, more, refuted = Counter(), 0, 0, 0
    for seed in range(releases):
        for order in ("sorted", "nearly", "not"):
            table = people(seed, order)
            made = recode(table, STUDY) if seed % 2 else safe_recode(table, STUDY, 1, seed=seed)
            told = attack_order(made.release)
            called[order] += bool(told.columns)
            descending = seed % 3 == 0
            try:
                tight = tight_attack(made.release, time_limit=600 if releases < 10 else 3)
                found = narrow_by_order(tight, "age", descending=descending, time_limit=3600)
            except CRAError:
                assert order != "sorted"
                continue
            if order != "sorted":
                refuted += found.refuted
                continue
            assert not found.refuted
            leaves = STUDY.attributes[0].reader.locate(table["age"].to_numpy())
            others = STUDY.attributes[1].reader.locate(table["weight"].to_numpy())
            assert ((found.spans[:, 0] <= leaves) & (leaves < found.spans[:, 1])).all()
            held = Counter(zip(leaves.tolist(), others.tolist(), strict=True))
            assert all(held[cell] == count for cell, count in found.fixed_cells.items())
            rows += int(found.narrowed.sum())
            more += int((found.spans != found.column.spans).any(axis=1).sum())
    print(releases, dict(called), rows, more, refuted)  # noqa: T201 - what the sweep found
    assert called["sorted"] >= releases // 2
    assert called["not"] <= binom.ppf(1 - 1e-6, releases, 0.001)
    assert rows > 5 * releases
    assert more > releases


def test_a_registry_sorted_by_age_gives_back_more_than_its_labels_alone():
    """300 people, k = 10: the order narrows rows, the classes' bounds narrow more of them, and the audit says so."""
    draw = np.random.default_rng(31)
    table = pd.DataFrame({"age": draw.integers(0, 96, 300), "weight": draw.integers(40, 120, 300)})
    table = table.sort_values("age", ignore_index=True)
    study = STUDY.with_k(10)
    made = recode(table, study)
    found = narrow_by_order(tight_attack(made.release, time_limit=10), "age", time_limit=3600)
    leaves = STUDY.attributes[0].reader.locate(table["age"].to_numpy())
    assert ((found.spans[:, 0] <= leaves) & (leaves < found.spans[:, 1])).all()
    assert int(found.narrowed.sum()) >= int(found.column.narrowed.sum()) > 50
    said = audit(made.frame, study, time_limit=20).findings
    assert any("sorted by 'age', ascending" in text and "the order narrows" in text for text in said)


def test_the_command_names_what_it_supposes(tmp_path):
    study = STUDY.with_k(3)
    made = recode(people(1, "sorted"), study)
    made.release.to_csv(tmp_path / "release.csv", keep_order=True)
    study.to_toml(tmp_path / "study.toml")
    given = ["attack", str(tmp_path / "release.csv"), "--study", str(tmp_path / "study.toml"), "--tight"]
    done = CliRunner().invoke(app, [*given, "--sorted-by", "age", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["sorted"] == narrow_by_order(tight_attack(made.release), "age").to_dict()
    assert told["sorted"]["supposed"] == [
        "Supposed: that the rows stand in the table's order, and that it was sorted by 'age', ascending."
    ]
    said = CliRunner().invoke(app, [*given, "--sorted-by", "age"])
    assert "sorted by 'age', ascending" in said.stdout
    turned = CliRunner().invoke(app, [*given, "--sorted-by", "age", "--descending"])
    assert "not those of a table sorted by 'age', descending; they can be ascending" in str(turned.exception)
    wrong = CliRunner().invoke(app, [*given, "--sorted-by", "sex"])
    assert "take age or weight" in str(wrong.exception)
    idle = CliRunner().invoke(app, [*given[:-1], "--sorted-by", "age"])
    assert "--sorted-by is for the attack with --tight" in idle.stderr
