"""What an audit's verdict rests on, and that numbers by a guess can be wrong in either direction."""

import pandas as pd
import pytest

from cra_engine import Attribute, Study, audit, recode, synthesize
from cra_engine.audits.report import audit_html

LOW, HIGH = "[0, 10[", "[10, 20["
PAIR = Study([Attribute("a", 0, 20, 2), Attribute("b", 0, 20, 2)], 5)
# Six people lie in the two cells of b's upper half. Five in one of them would have been published there: 2 and 4,
# 3 and 3, 4 and 2 are left, and nobody is alone.
HALF = pd.DataFrame([(LOW, LOW)] * 5 + [(HIGH, LOW)] * 5 + [("*", HIGH)] * 6, columns=["a", "b"])


def level_and_first_word(audited):
    return [(level, text.partition(":")[0]) for level, text in audited.reasons]


def test_without_the_study_more_can_seem_alone_than_are():
    guessed, known = audit(HALF), audit(HALF, PAIR)
    assert known.assessment.expected.value == 0
    assert guessed.assessment.expected.value >= 1
    assert known.verdict == "ready"
    assert not known.reasons
    assert guessed.verdict == "attention"
    assert level_and_first_word(guessed) == [
        ("attention", "Guessed without the study"),
        ("attention", "Likely alone"),
    ]
    assert "With it fewer can be likely alone, as it rules tables out, or more" in guessed.reasons[0][1]


def test_without_the_study_fewer_can_seem_alone_than_are():
    # Whoever does not know that [0, 40[ has two halves sees five people in one cell, and nobody alone.
    table = pd.DataFrame({"age": ["[0, 40["] * 5 + ["[40, 80["] * 5})
    guessed, known = audit(table), audit(table, Study([Attribute("age", 0, 80, 4)], 5))
    assert guessed.assessment.expected.value == 0
    assert known.assessment.expected.value >= 1
    assert [level for level, _ in known.reasons] == ["attention"]


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_the_verdict_is_that_of_the_gravest_reason_and_the_report_has_all(k):
    toy = synthesize("toy")
    table = recode(toy.data, toy.study.with_k(k)).release.table.astype(str)
    for audited in (audit(table), audit(table, toy.study.with_k(k))):
        levels = [level for level, _ in audited.reasons]
        assert levels == sorted(levels, reverse=True)  # stop before attention
        assert audited.verdict == (levels[0] if levels else "ready")
        assert ("stop" in levels) == bool(audited.isolated)
        page = audit_html(audited)
        assert all(f"<strong>{level.capitalize()}.</strong> {text}" in page for level, text in audited.reasons)


def test_what_contradicts_its_settings_is_said_and_no_number_beside_it():
    # Of nine in two cells one holds five at least, which would have been published.
    nine = pd.concat([HALF, HALF.tail(3)])
    audited = audit(nine, PAIR)
    assert audited.contradicted
    assert audited.reasons == (("attention", "No data give this table with these settings."),)
