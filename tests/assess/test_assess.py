"""The one judgement: certain is so in the data, each number says how sure it is, and nothing is concluded too much."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import Attribute, CRAError, LDiversity, Release, Study, audit, check, global_recode, recode, synthesize
from cra_engine.assess import attacked
from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import (
    NOT_SETTLED,
    OUT_OF_TIME,
    SEVERAL_LAYERS,
    against_data,
    assess,
    how_certain,
    how_likely,
)
from cra_engine.assess.figure import Figure
from cra_engine.assess.one_state import is_read_as_global, states_of, views_of_states
from cra_engine.attacks.full_domain import global_view
from cra_engine.attacks.tight.attack import tight_attack
from cra_engine.attacks.tight.outcome import BY_NUMBERS, NO_ORDER
from cra_engine.checks.demands import demands_of
from cra_engine.patience import Deadline, Stopped, stoppable
from cra_engine.study.file_hierarchy import read_hierarchy
from strategies import cases
from truth import counts_of

AGE = Attribute("age", 0, 40, layers=3)


def release_of(labels, study):
    return Release(study, pd.DataFrame({study.names[0]: labels}))


def toy(k=3):
    made = synthesize("toy")
    return recode(made.data, made.study.with_k(k)).release


# ---------------------------------------------------------------- what is certain


@settings(max_examples=60)
@given(cases(), st.sampled_from([True, False]))
def test_what_is_called_certain_is_so_in_the_data_and_the_limits_hold(case, local):
    try:
        release = recode(case.data, case.study).release
        assessment = assess(release, local=local)
    except CRAError:
        return
    held = counts_of(release, case.data)
    alone = int((held == 1).sum())
    assert all(held[cell] == 1 for cell in assessment.certain_cells)
    assert assessment.contradiction == ""
    if assessment.certain.value is not None:
        assert assessment.certain.value <= alone
        assert (
            assessment.certain.upper is None or assessment.certain.sure == "exact" or alone <= assessment.certain.upper
        )
    for figure in (assessment.certain, assessment.expected, assessment.likeliest, assessment.left):
        assert figure.lower is None or figure.value is None or figure.lower <= figure.value
        assert figure.upper is None or figure.value is None or figure.value <= figure.upper
        assert (figure.sure == "exact") == (figure.value is not None and figure.lower == figure.upper == figure.value)


@settings(max_examples=30)
@given(cases())
def test_less_is_certain_of_a_release_that_may_be_global(case):
    try:
        release = recode(case.data, case.study).release
    except CRAError:
        return
    known, unknown = assess(release, local=True), assess(release)
    if known.certain.value is not None and unknown.certain.value is not None:
        assert unknown.certain.value <= known.certain.value


def only_child(k=2):
    tree = read_hierarchy(b"a;A;*\nb;A;*\nc;c;*\n", "x")
    return Study([tree], k)


def test_a_node_that_is_labelled_like_its_only_child_does_not_make_a_global_recoding_local():
    """Published with the second layer throughout: nobody is certain. By local recoding a and b would hold one each."""
    study, labels = only_child(), ["A", "A", "c", "c"]
    release = release_of(labels, study)
    assert [released.segment.state for released in release.classes] == [(1,), (2,)]
    assert states_of(release) == [(2,)]
    assert assess(release, local=True).certain.value == 2
    assert assess(release).certain == Figure.exact(0)
    data = pd.DataFrame({"x": ["a", "a", "c", "c"]})
    assert check(data, study, release.table).assessment.certain == Figure.exact(0)


def test_a_global_recoding_is_read_as_one():
    made = synthesize("clinic", 120)
    published = global_recode(made.data, made.study, suppression_limit=0.2)
    release = Release(made.study, published.frame)
    assert is_read_as_global(release)
    view, assessment = global_view(published.release), assess(release)
    assert views_of_states(release) == [(published.release, view)]
    assert (assessment.recoding, assessment.tight) == ("global", None)
    assert assessment.expected == Figure.exact(view.expected)
    assert assess(published.release).expected == assessment.expected


def test_certain_of_a_global_recoding_are_the_boxes_that_were_not_published():
    # [0, 10[ and [30, 40[ were not published, so each holds fewer than two of the two suppressed.
    release = release_of(["*", "[10, 20[", "[20, 30[", "*", "[20, 30[", "[10, 20["], Study([AGE], 2))
    assessment = assess(release)
    assert (assessment.recoding, assessment.certain) == ("global", Figure.exact(2))
    assert assessment.certain_cells == ((0,), (3,))
    assert assessment.certain_texts == ("age in [0, 10[", "age in [30, 40[")


def test_where_models_decide_too_what_is_suppressed_a_box_may_hide_any_number_of_records():
    """The two suppressed of the test above may both be in [0, 10[, where a model failed: nobody is certain."""
    study = Study([AGE], 2, privacy=[LDiversity("ill", 2)])
    ages = ["*", "[10, 20[", "[20, 30[", "*", "[20, 30[", "[10, 20["]
    release = Release(study, pd.DataFrame({"age": ages, "ill": ["*", "a", "a", "*", "b", "b"]}))
    assessment = assess(release)
    assert (assessment.recoding, assessment.certain.value, assessment.certain.sure) == ("global", 0, "bound")
    assert assessment.certain_cells == ()
    # One in each of two boxes of ten values, of all pairs of twenty.
    assert assessment.expected.value == pytest.approx(2 * 10 * 10 / math.comb(20, 2))
    assert assessment.expected.sure == "estimate"
    assert assessment.left.value == pytest.approx(math.log10(math.comb(10, 2) ** 2 * math.comb(20, 2)))


def test_a_single_place_for_a_suppressed_record_is_certain_whatever_the_models():
    study = Study([AGE], 2, privacy=[LDiversity("ill", 2)])
    ages = ["[0, 10[", "[10, 20[", "[20, 30["] * 2
    release = Release(study, pd.DataFrame({"age": [*ages, "*"], "ill": [*"aaabbb", "*"]}))
    assert assess(release).certain_cells == ((3,),)


# Of one state: the boxes of single leaves have one illness each, or those below 10 and from 20 on.
UNDER_MODELS = {
    "nobody suppressed": (
        Study([Attribute("age", 0, 40, 2), Attribute("weight", 0, 4, 2)], 3, privacy=[LDiversity("ill", 2)]),
        {"age": [1, 5, 9, 21, 25, 29] * 2, "weight": [0] * 6 + [3] * 6, "ill": [*"aaabbb"] * 2},
        0,
    ),
    "some suppressed": (
        Study([AGE], 3, privacy=[LDiversity("ill", 2)]),
        {"age": [1, 11, 18, 22, 33, 38] * 2, "ill": [*"ababab"] * 2},
        4,
    ),
}


@pytest.mark.parametrize("name", UNDER_MODELS)
def test_an_audit_with_the_study_says_what_the_check_says_of_one_state_under_models(name):
    study, columns, suppressed = UNDER_MODELS[name]
    data = pd.DataFrame(columns)
    release = recode(data, study).release
    assert (release.suppressed, is_read_as_global(release)) == (suppressed, True)
    audited = audit(release.table, study)
    checked = check(data, study)
    assert (audited.verdict, checked.verdict) == ("ready", "ready")
    shown, told = ([(one.said, one.mark) for one in demands_of(each)] for each in (audited.checked, checked))
    assert shown == told


def test_what_the_states_that_fit_differ_in_lies_between_what_they_say():
    """Two of a, b and c, suppressed: by leaves one in two of three boxes, by the second layer in c and in a or b."""
    tree = read_hierarchy(b"a;A;*\nb;A;*\nc;c;*\nd;d;*\n", "x")
    release = release_of(["*", "*", "d", "d"], Study([tree], 2))
    assessment = assess(release)
    assert assessment.recoding == "global"
    assert assessment.certain == Figure.exact(0)
    assert (assessment.likeliest.value, assessment.likeliest.sure) == (None, "bound")
    assert (assessment.likeliest.lower, assessment.likeliest.upper) == (pytest.approx(2 / 3), 1)
    assert (assessment.left.lower, assessment.left.upper) == (
        pytest.approx(math.log10(2)),
        pytest.approx(math.log10(3)),
    )
    assert assessment.expected == Figure.exact(pytest.approx(2))
    assert assessment.left.note
    audited = audit(release.table, release.study)
    said = "the rule of suppression leaves 2 to 3, by whichever of the states that fit all labels"
    assert any(said in finding for finding in audited.findings)


def test_of_a_release_that_the_raw_table_refutes_no_attack_is_left():
    made = synthesize("toy")
    release = recode(made.data, made.study).release
    assessment = assess(release, local=True)
    refuted = against_data(assessment, np.zeros((release.records, 2), dtype=int))
    assert refuted.contradiction
    assert refuted.likeliest == refuted.left == Figure.unknown()
    assert (refuted.certain_cells, refuted.tight, refuted.chances) == ((), None, None)
    assert refuted.promised == assessment.promised


def test_a_guessed_hierarchy_bounds_nothing_of_what_may_be_global():
    release = Release(Study([AGE], 2), pd.DataFrame({"age": ["[0, 10["] * 3 + ["*"] * 3}), guessed=True)
    assessment = assess(release)
    assert (assessment.recoding, assessment.certain.value, assessment.certain.sure) == ("global", 0, "bound")
    assert assessment.expected.sure == "estimate"


# ---------------------------------------------------------------- one policy


def test_records_differ_unless_the_boxes_are_too_small_for_that():
    assert assess(toy(), local=True).prior == "distinct"
    crowded = synthesize("toy", 100)
    release = recode(crowded.data, crowded.study).release
    assessment = assess(release, local=True)
    assert assessment.prior == "assignments"
    assert assessment.expected.value == tight_attack(release, prior="assignments").expected_isolated
    asked = assess(release, local=True, prior="independent")
    assert asked.prior == "independent"
    assert asked.certain == assessment.certain
    assert asked.expected != assessment.expected


def test_a_contradiction_leaves_the_intervals_alone():
    # Each ten years of [0, 20[ hold one person at most, and there are five.
    release = release_of(["[0, 20["] * 5 + ["[20, 30["] * 3, Study([AGE], 2))
    assessment = assess(release, local=True)
    assert "No data give this table" in assessment.contradiction
    assert assessment.certain.value == 0
    assert assessment.certain.sure == "bound"
    assert (assessment.expected.value, assessment.expected.sure) == (assessment.by_intervals.value, "estimate")
    assert assessment.cell_chances == []


def test_a_release_whose_labels_stand_in_several_layers_proves_nobody_where_steps_publish_a_share():
    study = Study(only_child().attributes, 2, "arx-gui")
    assessment = assess(release_of(["A", "A", "c", "c"], study), local=True)
    assert assessment.missing == (SEVERAL_LAYERS,)
    assert assessment.certain == Figure.unknown(SEVERAL_LAYERS)
    assert assessment.tight is None


# ---------------------------------------------------------------- time


def test_without_time_nothing_is_known_and_it_is_said():
    assessment = assess(toy(), local=True, deadline=Deadline(0))
    assert assessment.missing == (OUT_OF_TIME,)
    assert assessment.certain == assessment.expected == Figure.unknown()


def test_time_that_runs_out_is_no_other_reason():
    """Raw values leave it open whether more is certain, however long one looks: that is no lack of time."""
    release = release_of(["3", "17", "[0, 20[", "[0, 20[", "[20, 40[", "[20, 40["], Study([AGE], 2))
    assessment = assess(release, local=True)
    assert assessment.certain.sure == "bound"
    assert assessment.missing == ()
    made = synthesize("clinic")
    release = recode(made.data, made.study).release
    ended = iter([False] * 40)
    late = assess(release, local=True, deadline=Deadline(60, lambda: next(ended, True)))
    assert late.certain.sure in ("timeout", "unknown")
    assert late.missing
    assert set(late.missing) <= {NOT_SETTLED, OUT_OF_TIME}


def test_whoever_waits_outside_may_end_it():
    with pytest.raises(Stopped), stoppable(lambda: True):
        assess(toy(), local=True)


@pytest.mark.parametrize("seed", [-1, 1.5])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(CRAError, match="The seed is"):
        assess(toy(), seed=seed)


# ---------------------------------------------------------------- how it shows itself


def test_it_shows_itself_in_one_line():
    assert repr(assess(toy(), local=True)) == "Assessment('local', certain=2 (exact), expected=5.09215 (exact))"
    assert repr(Assessment(toy(), "local", "distinct")) == "Assessment('local', certain=unknown, expected=unknown)"


def test_the_chances_of_single_cells_begin_with_the_certain_ones():
    assessment = assess(toy(), local=True)
    cells, chances = zip(*assessment.cell_chances, strict=True)
    assert cells[:2] == assessment.certain_cells
    assert chances[:2] == (1.0, 1.0)
    assert all(chance < 1 for chance in chances[2:])
    assert sum(chances) == pytest.approx(assessment.expected.value)


# ---------------------------------------------------------------- how sure, in sentences

BESIDE = {"STATES", "ALIKE"}  # notes of figures that no sentence takes up
CLAUSES = [
    text.format(NO_ORDER)
    for name, text in vars(attacked).items()
    if name.isupper() and isinstance(text, str) and text[:1].islower() and name not in BESIDE
]
JOINED = r"as (?:the|each|all|tables|records|privacy|too)\b[^.;]*? (?:is|are|was|were|may|also decide)\b[^.;]*\."


@pytest.mark.parametrize("reason", [*CLAUSES, BY_NUMBERS, NO_ORDER])
def test_every_reason_makes_a_sentence_with_every_frame(reason):
    assert len(CLAUSES) >= 6
    known = assess(toy(), local=True)
    certain = how_certain(replace(known, certain=Figure(0, 0, None, "bound", reason), tight=None))
    likely = how_likely(replace(known, expected=Figure.estimate(2.0, reason)))
    for said in [likely, *([] if reason == attacked.BY_CLASS else [certain])]:
        assert re.search(JOINED + "$", said), said
    assert re.fullmatch(r"[A-Z][^.]+\.", certain)
