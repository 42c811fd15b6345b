"""What the check finds of the attack: who is certain, under which g/s factor, and what time leaves out."""

import random
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest
from six_people import STUDY, TABLE, WARDS, WARDS_STUDY, codes, text

from cra_engine import (
    Attribute,
    CRAError,
    Release,
    Roles,
    Rule,
    Study,
    StudyError,
    attack,
    check,
    global_recode,
    recode,
    single_out,
    synthesize,
)
from cra_engine.assess import attacked
from cra_engine.assess.figure import Figure
from cra_engine.attacks.full_domain import global_view
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.checks.demands import NAMES, demands_of
from cra_engine.checks.findings import of_attack
from cra_engine.checks.report import check_html
from cra_engine.patience import Stopped
from cra_engine.words import how_many
from shares import first
from truth import counts_of
from weighed import weighed_case, weighed_release


def test_people_singled_out_for_certain_stop_the_release_unless_the_rule_allows_it():
    # The README's four: both halves of [0, 4[ hold one person each.
    study = Study([Attribute("a", 0, 8, 3)], 2)
    data = pd.DataFrame({"a": [0, 3, 4, 5]})
    found = check(data, study)
    assert (found.verdict, found.assessment.certain) == ("stop", Figure.exact(2))
    assert "2 descriptions that fit exactly one person for certain (a in [0, 2[; a in [2, 4[)" in text(found, "certain")
    assert check(data, study, rule=Rule(nobody_certain=False)).verdict == "attention"


def test_a_release_of_one_state_is_read_as_a_global_recoding():
    rng = random.Random(3)
    study = Study([Attribute("a", 0, 16, 4), Attribute("b", 0, 16, 4)], 3)
    data = pd.DataFrame({"a": [rng.randrange(16) for _ in range(60)], "b": [rng.randrange(16) for _ in range(60)]})
    made = global_recode(data, study, suppression_limit=0.2)
    found = check(data, study, made.frame.astype(str))
    view = global_view(made.release)
    assert found.assessment.recoding == "global"
    assert (found.assessment.certain.value, found.assessment.expected.value) == (view.certain, view.expected)
    # The losses are those that global recoding itself counts.
    assert found.utility.entropy == pytest.approx(made.measures.value("entropy"))
    assert found.utility.aecs == made.measures.aecs
    assert found.utility.discernibility == made.measures.discernibility
    assert found.utility.precision == made.measures.precision


# ---------------------------------------------------------------- the g/s factor


def weighed(seed):
    """A table that the literal algorithm publishes with g/s factor 1/2; None where it shows nothing."""
    case = weighed_case(seed)
    frame = weighed_release(case, Fraction(1, 2))
    return (case, frame) if set(frame.iloc[:, 0]) != {"*"} else None


@pytest.mark.parametrize("seeds", first(1, [[1, 14, 55], range(200)]), ids=["few", "many"])
def test_certain_holds_for_the_factor_that_it_names(seeds):
    """As if the factor were 0 some are called certain falsely: it is said what for, and not said against the table."""
    false, true, refuted = 0, 0, 0
    for seed in seeds:
        if (found := weighed(seed)) is None:
            continue
        case, frame = found
        held = counts_of(Release(case.study, frame), case.data)
        for factor in (None, "0.5"):
            checked = check(None, case.study, frame, gs_factor=factor)
            if checked.assessment is None or not checked.assessment.certain_cells:
                continue
            wrong = any(held[cell] != 1 for cell in checked.assessment.certain_cells)
            if factor:
                true += 1
                assert not wrong
            elif checked.assessment.recoding == "local":
                false += wrong
                assert text(checked, "certain").startswith("If ARX ran with its usual setting")
        seen = check(case.data, case.study, frame)
        if seen.assessment is None:
            continue
        assert all(held[cell] == 1 for cell in seen.assessment.certain_cells)
        if "The raw table refutes" in seen.assessment.contradiction:
            refuted += 1
            assert "the raw table refutes" in text(seen, "made-otherwise")
            assert "certain" not in codes(seen)
    assert false
    assert true
    assert refuted


def test_what_recoding_makes_of_the_table_needs_no_condition():
    made = synthesize("toy")
    frame = recode(made.data, made.study).frame
    assert text(check(made.data, made.study, frame), "certain").startswith("The release alone shows 2 descriptions")
    assert text(check(None, made.study, frame), "certain").startswith("If ARX ran with its usual setting")


def test_a_factor_that_is_none_is_refused():
    with pytest.raises(StudyError, match="from 0 to 1"):
        check(TABLE, STUDY, gs_factor=2)


def test_time_that_runs_out_is_told():
    made = synthesize("clinic")
    found = check(made.data, made.study, time_limit=0)
    assert found.assessment is None
    assert "the time ran out" in text(found, "attack-out-of-time")


def test_sets_of_columns_that_the_time_leaves_out_are_told():
    found = check(WARDS, WARDS_STUDY, time_limit=0)
    assert found.unique.people == check(WARDS, WARDS_STUDY).unique.people
    assert found.unique.by_size == (0,)
    said = "sets of 2 to 3 columns are too many and were not counted"
    assert said in text(found, "alone")
    assert said in check_html(found)
    assert "were not counted" not in check_html(check(WARDS, WARDS_STUDY))


def test_whom_more_columns_leave_alone_is_told_beside_those_whom_the_attack_counts():
    found = check(WARDS, WARDS_STUDY)
    figures = {row.name: row.figure for row in demands_of(found)}
    assert figures[NAMES["alone"]] == "2 of 24 people (8.3 %), wanted 0"
    plain = check(WARDS[["age", "illness"]], WARDS_STUDY.with_roles(Roles(sensitive=["illness"])))
    assert {row.name: row.figure for row in demands_of(plain)}[
        NAMES["alone"]
    ] == "nothing goes out beside groups and sensitive columns"


def test_a_time_limit_that_is_none_is_refused():
    with pytest.raises(CRAError, match="The time limit is -1"):
        check(WARDS, WARDS_STUDY, time_limit=-1)


def stops(*_, **__):
    raise Stopped


@pytest.mark.parametrize("kind", ["toy", "clinic"])
def test_what_was_found_before_the_time_ran_out_stays_as_a_bound(kind, monkeypatch):
    made = synthesize(kind)
    whole = check(made.data, made.study)
    monkeypatch.setattr(attacked, "tight_attack", stops)
    found = check(made.data, made.study)
    release = recode(made.data, made.study).release
    alone = attack(release, prior="independent").isolated
    assert (whole.assessment.certain.sure, found.assessment.certain.sure) == ("exact", "timeout")
    certain = found.assessment.certain
    assert certain.lower == certain.value == len(found.assessment.certain_texts) == len(alone)
    assert certain.lower <= whole.assessment.certain.value <= certain.upper
    by_class = single_out(attack(release)).expected_isolated
    assert (found.assessment.expected.value, found.assessment.expected.sure) == (by_class, "estimate")
    assert found.assessment.by_intervals == whole.assessment.by_intervals
    assert text(found, "attack-out-of-time").startswith("Not all was looked at: ")
    assert "the time ran out" in text(found, "attack-out-of-time")
    (row,) = [row for row in demands_of(found) if row.name == NAMES["certain"]]
    assert row.figure == f"{f'at least {len(alone)}' if alone else '0 found, not all looked at'}, wanted 0"
    assert "the time ran out, and more time can find more" in check_html(found)
    if alone:
        assert f"shows at least {how_many(len(alone), 'description')} that fit" in text(found, "certain")
        assert "at least" not in text(whole, "certain")
    assert text(found, "expected").startswith(f"About {by_class:.0f} of {len(made.data)} people (")
    assert text(whole, "expected").startswith(f"About {whole.assessment.expected.value:.0f} of ")
    # What follows stands first, then how it is known.
    follows = (
        "would likely be alone, and the rule asks for fewer than 1: coarser groups leave fewer, or a person decides "
    )
    assert f"{follows}that this may go out. Likely, not proven: by the attack" in text(whole, "expected")
    assert (whole.to_dict()["attack"]["complete"], found.to_dict()["attack"]["complete"]) == (True, False)


def test_beside_a_likely_number_stands_how_good_the_best_guess_is():
    made = synthesize("clinic")
    assessment = replace(check(made.data, made.study).assessment, expected=Figure.estimate(9.0))
    right = ", and the best guess at one is right with {}. An estimate"
    for certain, likeliest, told in (
        (0, Figure.exact(0.031), right.format("3 %")),
        (0, Figure.estimate(0.031), right.format("about 3 %")),
        (0, Figure(None, 0.0, 0.101, "timeout"), right.format("at most 11 %")),
        (2, Figure.exact(1.0), ". An estimate"),
    ):
        known = replace(assessment, certain=Figure.exact(certain), likeliest=likeliest)
        found = {one.code: one.text for one in of_attack(known, "", Rule(), late=False, supposed=False)}
        assert "That rows look alike does not prevent it" in found["expected"]
        assert f"a stranger with this table alone has to guess{told}" in found["expected"]


def test_an_expected_number_of_which_limits_are_known_is_told_by_them():
    made = synthesize("toy")
    assessment = check(made.data, made.study).assessment
    for lower, upper, told in ((0.2, 3.4, True), (0.2, 0.9, False)):
        bounded = replace(assessment, expected=Figure(None, lower, upper, "timeout"))
        found = [
            one.text for one in of_attack(bounded, "", Rule(), late=False, supposed=False) if one.code == "expected"
        ]
        assert [
            one.startswith(
                "0 to 4 of 36 people (11 %: more than one in ten) would likely be alone, and the rule "
                "asks for fewer than 1"
            )
            for one in found
        ] == [True] * told


def test_an_expected_number_that_takes_too_long_keeps_nobody_from_what_is_certain(monkeypatch):
    made = synthesize("toy")
    whole = check(made.data, made.study)
    monkeypatch.setattr(TightAttack, "expected_isolated", None)
    monkeypatch.setattr(attacked, "single_out", stops)
    found = check(made.data, made.study)
    assert found.assessment.expected == Figure.unknown()
    assert (found.assessment.certain, found.verdict) == (whole.assessment.certain, "stop")
    assert found.assessment.certain.value == 2
    assert "the time ran out" in text(found, "attack-out-of-time")
