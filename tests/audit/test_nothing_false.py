"""Nothing that is called certain or proven is false: small random tables, whatever the publisher and the guess."""

import random
from collections import Counter
from itertools import combinations, product

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Release, Study, attack, recode, single_out, tight_attack
from cra_engine.assess.figure import Figure
from cra_engine.audits.audit import audit
from cra_engine.audits.quasi_identifiers import quasi_identifiers
from cra_engine.audits.report import audit_html
from cra_engine.release import Owner
from shares import first
from small_tables import published
from truth import counts_of

QUICK, ALL = 8, 2000


def false_claims(audited, data):
    """What an audit calls certain, proven or 100 %, and is not so."""
    held = counts_of(audited.release, data)
    found = [f"isolated {cell}" for cell in audited.isolated if held[cell] != 1]
    if not audited.contradicted:
        found += [f"isolated alone {cell}" for cell in audited.attack.isolated if held[cell] != 1]
        found += [
            f"100 % {cell}" for cell, chance in audited.assessment.cell_chances if chance == 1 and held[cell] != 1
        ]
    if audited.tight is not None:
        views = {view.cell: view for view in audited.tight.cells}
        found += [f"range {v}" for v in views.values() if not v.lowest <= held[v.cell] <= v.highest]
        found += [f"fixed {c}" for c, count in audited.tight.fixed_cells.items() if held[c] != count]
        found += [f"empty {cell}" for cell in zip(*held.nonzero(), strict=True) if tuple(cell) not in views]
    return found


def check(seed):
    data, table, study = published(seed)
    said = 0
    try:
        Release(study, table)
    except CRAError:
        return 0  # raw values only
    audited = audit(table, study, time_limit=5, seed=1)
    assert not audited.contradicted, f"seed {seed}"
    assert false_claims(audited, data) == [], f"seed {seed}"
    said += len(audited.isolated) + (len(audited.tight.fixed_cells) if audited.tight else 0)
    # What is supposed where nobody says how ARX ran holds for a single class per step, not for every share.
    for arguments in [{"k": study.k, "profile": study.profile}, *([{"k": study.k}] if study.share is None else [])]:
        try:
            guessed = audit(table, time_limit=5, seed=1, **arguments)
        except CRAError:
            continue  # the labels show too little
        assert false_claims(guessed, data) == [], f"seed {seed}, from the labels"
        said += len(guessed.isolated) + (len(guessed.tight.fixed_cells) if guessed.tight else 0)
    return said


def test_nothing_false_is_called_certain():
    assert sum(check(seed) for seed in range(QUICK)) > QUICK


@pytest.mark.exhaustive
def test_nothing_false_is_called_certain_of_many_tables():
    assert sum(check(seed) for seed in range(QUICK, ALL)) > ALL


# ---------------------------------------------------------------- a sensitive column that shows * where others do


def with_sensitive(seed):
    """A random release beside a column of two or three values, which shows ``*`` where everything else does."""
    data, table, study = published(seed)
    rng = random.Random(f"sensitive {seed}")
    hidden = (table == "*").all(axis=1)
    values = [rng.choice(["flu", "burn", "cut"]) for _ in range(len(table))]
    return data, table.assign(S=["*" if hide else value for hide, value in zip(hidden, values, strict=True)]), study


def check_beside_a_sensitive_column(seed):
    """How often the column was left out; nothing false is said then, and what is supposed names it."""
    data, table, study = with_sensitive(seed)
    try:
        audited = audit(table, k=study.k, profile=study.profile, time_limit=5, seed=1)
    except CRAError:
        return 0
    if audited.refuted != ("S",):
        assert audited.refuted == ()
        return 0
    assert "S" not in audited.release.study.names
    assert any("S is none" in line for line in audited.supposed)
    assert false_claims(audited, data) == [], f"seed {seed}"
    return 1


def test_nothing_false_is_certain_beside_a_sensitive_column():
    assert sum(check_beside_a_sensitive_column(seed) for seed in range(5 * QUICK)) > QUICK


@pytest.mark.exhaustive
def test_nothing_false_is_certain_beside_a_sensitive_column_of_many_tables():
    assert sum(check_beside_a_sensitive_column(seed) for seed in range(5 * QUICK, ALL)) > ALL // 10


def could_be(table, names, least=2):
    """Whether a table can have just these quasi-identifiers: nobody who is not suppressed stands alone in them."""
    shown = Counter(tuple(row) for row in table[list(names)].itertuples(index=False))
    return all(number >= least for row, number in shown.items() if set(row) != {"*"})


@pytest.mark.parametrize("seeds", first(1, [range(3), range(3, 40)]), ids=len)
def test_no_column_is_left_out_that_could_be_a_quasi_identifier(seeds):
    """Every set of columns that makes the table k-anonymous is tried, those of intervals being in each."""
    left_out = kept = 0
    for seed, turn in product(seeds, range(20)):
        rng = random.Random(f"columns {seed} {turn}")
        sure = ["age"] * rng.choice([0, 1, 1])
        plain = ["sex", "ward", "illness"][: rng.randint(1, 3)]
        shown = {"age": ["[0, 20[", "[20, 40["], "sex": ["f", "m"], "ward": ["1", "2"], "illness": ["a", "b", "c"]}
        rows = [[rng.choice([*shown[name], "*"]) for name in [*sure, *plain]] for _ in range(rng.randint(2, 5))]
        rows = [row for row in rows for _ in range(rng.choice([1, 2, 2, 3]))] + [["*"] * len(sure + plain)]
        table = pd.DataFrame(rows, columns=[*sure, *plain])
        plain = [name for name in plain if set(table[name]) != {"*"}]
        sure = [name for name in table if name not in plain]
        try:
            found = quasi_identifiers(table, {})
        except CRAError:
            continue
        left_out += bool(found.refuted)
        kept += not found.refuted
        possible = [
            {*sure, *beside}
            for many in range(len(plain) + 1)
            for beside in combinations(plain, many)
            if many + len(sure) and could_be(table, [*sure, *beside])
        ]
        assert not any(set(found.refuted) & names for names in possible), table
        assert not found.refuted or {attribute.name for attribute in found.attributes} | set(found.silent) in possible
    assert left_out > len(seeds) // 2
    assert kept > 3 * len(seeds)


def test_one_spelling_more_or_an_empty_cell_leaves_nobody_alone():
    table = pd.DataFrame(
        {
            "age": ["[0, 20[", "[0,20[", "[20, 40[", "[20, 40[", "[20, 40[", "*"],
            "illness": ["flu", "flu ", "burn", "burn", "", "*"],
        }
    )
    assert quasi_identifiers(table, {}).refuted == ()
    table.loc[4, "illness"] = "cut"
    assert quasi_identifiers(table, {}).refuted == ("illness",)
    # Somebody who names it, or gives its hierarchy, knows better.
    assert quasi_identifiers(table, {}, ["age", "illness"]).refuted == ()


def test_where_either_of_two_columns_could_be_meant_none_is_left_out():
    pairs = ["f;a", "f;b", "m;a", "m;b", "f;c", "m;c"]  # each value more than once beside an age, every pair once
    rows = [f"{age};{pair}".split(";") for age in ("[0, 20[", "[20, 40[") for pair in pairs]
    table = pd.DataFrame([*rows, ["*"] * 3], columns=["age", "sex", "wing"])
    assert quasi_identifiers(table, {}).refuted == ()
    with pytest.raises(CRAError, match="check that"):
        audit(table)


# ---------------------------------------------------------------- cases worked by hand


def test_records_with_raw_values_count_in_their_cell():
    # 12, 12, 3 and 15: the raw records lie in [10, 20), beside one of the two of [0, 20[.
    study = Study([Attribute("age", 0, 40, 3)], 2)
    table = pd.DataFrame({"age": ["12", "12", "[0, 20[", "[0, 20["]})
    audited = audit(table, study, profile="paper")
    assert audited.isolated == ((0,),)
    assert {view.cell: (view.lowest, view.highest) for view in audited.tight.cells} == {(0,): (1, 1), (1,): (3, 3)}
    assert audited.assessment.expected == Figure.exact(1)
    assert not any("likeliest" in finding for finding in audited.findings)
    assert attack(audited.release).isolated == [(0,)]


def test_raw_values_of_one_column_may_lie_in_any_cell_of_the_other():
    study = Study([Attribute("a", 0, 40, 3), Attribute("b", 0, 40, 3)], 2)
    data = pd.DataFrame({"a": [12, 12, 3, 15], "b": [3, 13, 25, 35]})
    table = pd.DataFrame({"a": ["12", "12", "[0, 20[", "[0, 20["], "b": ["[0, 20["] * 2 + ["[20, 40["] * 2})
    release = Release(study, table)
    held = counts_of(release, data)
    tight = tight_attack(release)
    assert all(view.lowest <= held[view.cell] <= view.highest for view in tight.cells)
    # Two records with a = 12 in [0, 20[: had both been in one half of it, that half had been published.
    assert [tight.fixed_cells[1, b] for b in (0, 1)] == [1, 1]
    assert {chance.cell: chance.parts for chance in single_out(attack(release)).cells}[1, 0] == (Owner.RAW,)


def test_suppressed_records_may_lie_beyond_every_label():
    study = Study([Attribute("age", 0, 40, 3), Attribute("bmi", 0, 48, 3)], 2)
    data = pd.DataFrame({"age": [37, 7, 18, 1, 20], "bmi": [37, 40, 34, 1, 40]})
    audited = audit(recode(data, study).frame.astype(str))
    assert false_claims(audited, data) == []
    assert audited.isolated == ()
    ages = audited.release.attributes[0]
    assert [node.label for node in ages.layer_nodes[0]] == ["below 0", "[0, 20[", "[20, 40[", "40 or more"]
    # Nor does the picture begin at a number that nobody published.
    assert "age, below 0 to 40 or more" in audit_html(audited)


def test_a_guess_holds_only_boxes_that_labels_show():
    # Leaves [0, 4[, [4, 6[ and [6, 8[: a layer of width 2 would hold [0, 2[ and [2, 4[, which nobody looked at.
    table = pd.DataFrame({"a": ["[0, 4["] * 3 + ["[4, 6["] * 3 + ["[6, 8["] * 3})
    (shown,) = audit(table).release.attributes
    assert [node.label for node in shown.layer_nodes[0]] == ["[0, 4[", "[4, 6[", "[6, 8["]
    assert not any(node.gap for node in shown.layer_nodes[0])
    table = pd.DataFrame({"a": ["[0, 4["] * 3 + ["[4, 6["] * 3 + ["[0, 16["] * 3})
    (shown,) = audit(table).release.attributes
    assert [(node.label, node.gap) for node in shown.layer_nodes[0]] == [
        ("[0, 4[", False),
        ("[4, 6[", False),
        ("[6, 16[", True),
    ]


def test_categories_that_no_label_shows_keep_a_place():
    table = pd.DataFrame({"a": ["flu"] * 3 + ["cut"] * 3 + ["*"] * 2})
    (shown,) = audit(table).release.attributes
    assert [(node.label, node.gap) for node in shown.layer_nodes[0]] == [
        ("flu", False),
        ("cut", False),
        ("not shown", True),
    ]


def test_a_chance_says_how_sure_it_is():
    audited = audit(pd.DataFrame({"age": ["[0, 10["] * 3 + ["[20, 40["] * 3}), Study([Attribute("age", 0, 40, 3)], 3))
    (found,) = [finding for finding in audited.findings if "the likeliest is" in finding]
    assert "in a single one they can be off by ten percentage points and more" in found
