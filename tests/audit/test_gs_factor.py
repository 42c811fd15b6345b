"""Releases where ARX weighed suppression: what is called certain stays true when the g/s factor is given."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Release, Study, attack
from cra_engine.audits.audit import audit
from cra_engine.audits.report import audit_html
from cra_engine.study.coding_model import CodingModel, growth
from oracles.literal import LiteralARXLR, weighed_growth
from oracles.literal import growth as unweighed
from shares import first
from strategies import random_case
from truth import counts_of, excluded
from weighed import weighed_case, weighed_release


def releases(factor, seeds, share=None):
    """Released tables of the literal algorithm with what made them, those that show nothing among them."""
    for seed in seeds:
        case = weighed_case(seed)
        at_least = 1 if share is None else -(-len(case.records) * share.numerator // share.denominator)
        table = weighed_release(case, factor, at_least)
        yield seed, case, table


def false_statements(audited, data):
    """The certain statements of an audit that are not so in the data."""
    held = counts_of(audited.release, data)
    fixed = {} if audited.tight is None else audited.tight.fixed_cells
    return [c for c in audited.isolated if held[c] != 1] + [c for c, count in fixed.items() if held[c] != count]


# ---------------------------------------------------------------- the loss


@pytest.mark.parametrize("factor", ["0", "1/5", "1/2", "4/5", "1"])
def test_the_loss_is_the_literal_one(factor):
    for seed in range(20):
        case = random_case(seed, count=2)
        attributes, records = case.study.attributes, 60
        for state in LiteralARXLR(attributes, 2, case.records).lattice:
            for published in (2, 30, 60):
                expected = weighed_growth(attributes, state, records, published, Fraction(factor))
                found = growth(attributes, state, float(Fraction(factor)), np.array([published / records]))
                assert float(expected) == pytest.approx(float(found[0]), rel=1e-12)
                if factor == "0":
                    assert expected == unweighed(attributes, state, records)


def test_a_bound_worked_out_by_hand():
    # Shares 1/4 and 1/2 of 8 values: losses 1/7 and 3/7, so 1 + loss is 2 - 6/7 y and 2 - 4/7 y where y is the part
    # that is published. The coarser state published 6: the finer one no more than 6 * 4/6 = 4, whatever was left.
    attributes = (Attribute("a", 0, 8, 4),)
    model = CodingModel(attributes, Decimal("0.5"), {(3,): 6}, 20, 2, 2, sure=True)
    assert model.caps((3,), 6) == {0: 4}
    assert attack(Release(Study(attributes, 3), shown(6), gs_factor="0.5")).classes[0].cap == 4
    assert attack(Release(Study(attributes, 3), shown(6))).classes[0].problem is not None  # 2 in each half at most


def shown(size):
    return pd.DataFrame({"a": ["[0, 4["] * size + ["*"] * 2})


def beside(size):
    """The same beside a class of another state, so that it is no global recoding."""
    return pd.concat([shown(size), pd.DataFrame({"a": ["[4, 5["] * 3})], ignore_index=True)


# ---------------------------------------------------------------- nothing false


@pytest.mark.parametrize("seeds", first(1, [range(40), range(300)]), ids=["few", "many"])
@pytest.mark.parametrize("factor", ["1/2", "1/5", "4/5", "1"])
def test_the_truth_is_never_excluded(factor, seeds):
    bounded = 0
    for seed, case, table in releases(Fraction(factor), seeds):
        release = Release(case.study, table, gs_factor=float(Fraction(factor)))
        bounded += sum(part.size > part.cap for part in attack(release).parts if not part.basic)
        assert excluded(release, case.data) == [], f"seed {seed}"
    assert bounded or factor == "1"  # some of it is still known


@pytest.mark.parametrize("seeds", first(1, [range(30), range(300)]), ids=["few", "many"])
def test_the_truth_is_never_excluded_where_a_step_must_publish_a_share(seeds):
    share = Fraction(1, 5)
    for seed, case, table in releases(Fraction(1, 2), seeds, share):
        study = case.study.changed(profile=float(share))
        assert excluded(Release(study, table, gs_factor=0.5), case.data) == [], f"seed {seed}"


# 7 is one that is drawn from for long.
@pytest.mark.parametrize("seeds", first(1, [[*range(7), *range(8, 24)], range(310)]), ids=["few", "many"])
def test_nothing_called_certain_is_false_when_the_factor_is_given(seeds):
    known, contradicted, unsaid = 0, 0, 0
    for seed, case, table in releases(Fraction(1, 2), seeds):
        given = audit(table, case.study, gs_factor="0.5", time_limit=60, seed=1)
        assert not given.contradicted
        assert not given.gs_factor_supposed
        assert false_statements(given, case.data) == [], f"seed {seed}"
        known += len(given.isolated)
        supposed = audit(table, case.study, time_limit=60, seed=1)
        contradicted += supposed.contradicted
        certain = [text for text in supposed.findings if "for certain, known" in text]
        unsaid += sum("If ARX ran with its usual setting" not in text for text in certain)
    assert known  # some people are still singled out
    assert contradicted > len(seeds) // 10  # and the supposed 0 often shows itself to be wrong
    assert unsaid == 0


def test_guessed_hierarchies_and_another_factor():
    for seed, case, table in releases(Fraction(1, 2), range(40)):
        try:
            audited = audit(table, k=case.study.k, gs_factor="0.5", time_limit=1)
        except CRAError:
            continue  # labels that tell too little
        if set(audited.release.study.names) == set(case.study.names):
            assert excluded_by_guess(audited, case) == [], f"seed {seed}"


def excluded_by_guess(audited, case):
    """Parts of an audit by labels that leave the truth out."""
    attacked, found = audited.attack, []
    for part in attacked.parts:
        if part.basic:
            continue
        rows = audited.release.rows_of(-1 if part.index is None else part.index)
        held = counts_of_rows(audited.release, case, rows)
        if not part.feasible([held.get(cell, 0) for cell in part.free_cells]) or set(held) - set(part.free_cells):
            found.append(part.title)
    return found


def counts_of_rows(release, case, rows):
    held = {}
    order = {name: position for position, name in enumerate(case.study.names)}
    for row in rows:
        values = [float(case.records[row][order[name]]) for name in release.study.names]
        cell = tuple(int(a.reader.locate(np.array([v]))[0]) for a, v in zip(release.attributes, values, strict=True))
        held[cell] = held.get(cell, 0) + 1
    return held


# ---------------------------------------------------------------- what is said


def sure_table():
    """Each half of [40, 80[ holds one of its two; of the two suppressed [80, 160[ holds one, and [20, 40[ the other."""
    study = Study([Attribute("a", 0, 160, 4)], k=2)
    return study, pd.DataFrame({"a": ["[0, 20["] * 2 + ["[40, 80["] * 2 + ["*"] * 2})


def test_the_supposition_stands_beside_whatever_is_certain():
    study, table = sure_table()
    audited = audit(table, study)
    text = (
        "If ARX ran with its usual setting for local transformation, a g/s factor of 0, 3 cells of the grid hold "
        "exactly one person"
    )
    assert any(finding.startswith(text) for finding in audited.findings)
    assert any("a g/s factor of 0 is supposed" in warning for warning in audited.warnings)
    assert "a g/s factor of 0 in every step" in audited.supposed[0]
    assert "g/s factor 0 (supposed)" in " ".join(audit_html(audited).split())
    assert audited.to_dict()["gs_factor_supposed"] is True
    said = audit(table, study, gs_factor=0)
    assert said.isolated == audited.isolated
    assert any(finding.startswith("3 cells of the grid hold exactly one person") for finding in said.findings)
    assert not any("is supposed, as its desktop" in warning for warning in said.warnings)


def test_another_factor_leaves_what_the_end_of_the_sweep_tells():
    study, table = sure_table()
    half = audit(table, study, gs_factor="0.5")
    assert (1,) in half.isolated  # two in [80, 160[ would lose less than two suppressed
    assert "a g/s factor of 0.5 in every step (suppression counted in the loss)" in half.supposed[0]
    assert (1,) not in audit(table, study, gs_factor=1).isolated  # the root for both would lose nothing


def test_a_contradiction_of_0_says_whether_the_interface_s_default_explains_it():
    attributes = (Attribute("a", 0, 8, 4),)
    audited = audit(beside(6), Study(attributes, 3))
    assert audited.contradicted
    assert any("With a g/s factor of 0.5" in warning for warning in audited.warnings)
    assert not audit(beside(6), Study(attributes, 3), gs_factor="0.5").contradicted
    beyond = audit(beside(40), Study(attributes, 3), gs_factor="0.5")
    assert not any("With a g/s factor of 0.5" in warning for warning in beyond.warnings)


@pytest.mark.parametrize("factor", ["-0.1", "1.5", "half", "nan", ""])
def test_what_is_no_factor(factor):
    study, table = sure_table()
    with pytest.raises(CRAError, match="from 0 to 1"):
        audit(table, study, gs_factor=factor)


def test_safe_recoding_knows_none():
    study, table = sure_table()
    with pytest.raises(CRAError, match="safe recoding knows none"):
        audit(table, study.with_epsilon(1), gs_factor="0.5")


def test_the_words_of_a_bound_name_the_factor():
    study = Study((Attribute("a", 0, 8, 4),), 3)
    part = attack(Release(study, shown(6), gs_factor="0.5")).classes[0]
    assert "the finer state would have lost less" in part.constraints()[1].text
    open_ = attack(Release(study, shown(6), gs_factor="1")).classes[0]
    assert "no half is bounded" in open_.constraints()[1].text
