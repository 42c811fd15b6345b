"""What an audit's verdict rests on, and that numbers by a guess can be wrong in either direction."""

import re

import pandas as pd
import pytest

from cra_engine import Attribute, Study, audit, check, recode, synthesize
from cra_engine.assess.attacked import assess
from cra_engine.audits.notes import NOT_BY_ARX
from cra_engine.audits.report import audit_html
from cra_engine.checks.demands import NAMES, demands_of
from cra_engine.checks.report import check_html, meaning_of
from cra_engine.release import Release
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.roles import Roles

LOW, HIGH = "[0, 10[", "[10, 20["
PAIR = Study([Attribute("a", 0, 20, 2), Attribute("b", 0, 20, 2)], 5)
# Six people lie in the two cells of b's upper half. Five in one of them would have been published there: 2 and 4,
# 3 and 3, 4 and 2 are left, and nobody is alone.
HALF = pd.DataFrame([(LOW, LOW)] * 5 + [(HIGH, LOW)] * 5 + [("*", HIGH)] * 6, columns=["a", "b"])


def graver(audited):
    """What the verdict rests on: the code of each finding that is no note, with its level."""
    return [(one.level, one.code) for one in audited.checked.findings if one.level != "note"]


def test_without_the_study_more_can_seem_alone_than_are():
    guessed, known = audit(HALF), audit(HALF, PAIR)
    assert known.assessment.expected.value == 0
    assert guessed.assessment.expected.value >= 1
    assert known.verdict == "ready"
    assert not graver(known)
    assert guessed.verdict == "attention"
    assert {("attention", "guessed"), ("attention", "expected")} <= set(graver(guessed))
    (told,) = [one.text for one in guessed.checked.findings if one.code == "guessed"]
    assert "With it fewer can be likely alone, as it rules tables out, or more" in told
    assert guessed.guessed.startswith("Guessed without study or ZIP: hierarchies")
    assert guessed.guessed in audit_html(guessed)
    assert not known.guessed


def test_without_the_study_fewer_can_seem_alone_than_are():
    # Whoever does not know that [0, 40[ has two halves sees five people in one cell, and nobody alone.
    table = pd.DataFrame({"age": ["[0, 40["] * 5 + ["[40, 80["] * 5})
    guessed, known = audit(table), audit(table, Study([Attribute("age", 0, 80, 4)], 5))
    assert guessed.assessment.expected.value == 0
    assert known.assessment.expected.value >= 1
    assert set(graver(known)) == {("attention", "expected"), ("attention", "way-not-known")}


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_the_verdict_is_that_of_the_gravest_reason_and_the_report_has_all(k):
    toy = synthesize("toy")
    table = recode(toy.data, toy.study.with_k(k)).release.table.astype(str)
    for audited in (audit(table), audit(table, toy.study.with_k(k))):
        levels = [level for level, _ in graver(audited)]
        assert levels == sorted(levels, reverse=True)  # stop before attention
        assert audited.verdict == (levels[0] if levels else "ready")
        assert ("stop" in levels) == bool(audited.isolated)
        page = audit_html(audited)
        assert all(f"<td>{row.name}</td>" in page for row in demands_of(audited.checked))


@pytest.mark.parametrize(
    ("shown", "figure", "mark", "fewest"),
    [
        ("*", "no column outside the groups, wanted none", "met", "2 of illness"),
        (
            None,
            "sex outside the groups, wanted none (guessed: nobody said who knows sex)",
            "not known",
            "1 of illness with sex",
        ),
    ],
)
def test_a_table_alone_is_held_against_the_demands_that_it_is_with_its_study_and_a_guess_says_that_it_is_one(
    shown, figure, mark, fewest
):
    table = pd.DataFrame({"age": [LOW] * 8 + [HIGH] * 8, "sex": ["f", "m"] * 8, "illness": ["flu", "gout"] * 8})
    table["sex"] = shown or table["sex"]
    sex = [FileHierarchy("sex", (("f", "*"), ("m", "*")))] if shown else []
    study = Study([Attribute("age", 0, 20, 2), *sex], 4).with_roles(Roles(sensitive=("illness",)))
    alone, known = ({row.name: row for row in demands_of(audit(table, of).checked)} for of in (None, study))
    more = {NAMES["guessed"], NAMES["in-doubt"], NAMES["way-not-known"]}  # asked for because of what nobody said
    assert set(alone) - more == set(known) - more
    for rows in (alone, known):
        about = rows[NAMES["known-to-others"]]
        assert (about.figure, about.mark) == (figure, mark)
        assert rows[NAMES["l-diversity"]].figure == f"fewest: {fewest}, wanted 2"
    assert alone[NAMES["few-suppressed"]].figure == "0 rows, wanted 0, or k and more, or their sensitive values hidden"


def test_where_nobody_said_what_is_sensitive_nothing_stops_by_it_and_no_sentence_says_that_it_does():
    """Half of them are alone by the nights, by the table alone as with the study that calls these sensitive."""
    nights = [*map(str, range(10, 30)), *["9"] * 20]
    table = pd.DataFrame({"age": ([LOW] * 10 + [HIGH] * 10) * 2, "nights": nights, "icd": ["I61.9", "I63.4"] * 20})
    study = Study([Attribute("age", 0, 20, 2)], 4).with_roles(Roles(sensitive=("icd", "nights")))
    alone, known = audit(table), audit(table, study)
    assert alone.verdict == known.verdict == "attention"
    (found,) = [one for one in alone.checked.findings if one.code == "alone"]
    assert (found.level, found.text.partition(";")[0]) == ("attention", "20 people (50 %")
    for said in (found.text, *(row.asked for row in demands_of(alone.checked))):
        assert not re.search(r"the rule allows|% stop\b", said)
    assert "the study, or the ZIP of the release, says which of them are sensitive" in found.text
    assert "(without 'nights' 0 would be alone)" in found.text
    rows = {row.name: row for row in demands_of(known.checked)}
    assert rows[NAMES["alone"]].mark == "met"
    assert (
        rows[NAMES["known-to-others"]].measured
        == "20 of 40 people (50 %: more than one in ten) alone if others know nights"
    )
    for audited, told in ((alone, True), (known, False)):
        assert ("without its study" in meaning_of(audited.checked)) == told
    # Kept by a study it stops, as the sentence says.
    kept = audit(table, study.with_roles(Roles(sensitive=("icd",), keep=("nights",))))
    assert kept.verdict == "stop"
    assert any("the rule allows 5.0 %" in one.text for one in kept.checked.findings)


def of_one_illness(*, kept=()):
    """Sixteen people in four groups by age and sex; one group of four has one illness, no group by age alone."""
    ills = ["gout"] * 4 + ["flu", "cold"] * 6
    table = pd.DataFrame({"age": [LOW] * 8 + [HIGH] * 8, "sex": (["f"] * 4 + ["m"] * 4) * 2, "illness": ills})
    study = Study([Attribute("age", 0, 20, 2)], 4).with_roles(Roles(sensitive=("illness",), keep=kept))
    return audit(table), audit(table, study), check(None, study, table)


def test_one_illness_for_a_whole_group_stops_a_table_alone_as_with_its_study_and_the_verdict_begins_with_it():
    alone, known, checked = of_one_illness()
    for judged in (alone.checked, known.checked, checked):
        assert judged.verdict == "stop"
        assert meaning_of(judged).startswith(
            "In 1 group by sex, too, everybody has the same illness: 4 people in all. "
        )
        (found,) = [one for one in judged.findings if one.level == "stop"]
        assert (found.code, "sex f show 'gout'" in found.text) == ("l-diversity", True)
        assert "whole-rows-alike" not in {one.code for one in judged.findings}  # the same groups, more gently
        (row,) = [one for one in demands_of(judged) if one.name == NAMES["l-diversity"]]
        assert (row.mark, row.figure) == ("not met", "fewest: 1 of illness with sex, wanted 2")
    assert "In 1 group by sex, too, everybody has the same illness: 4 people in all." in alone.findings


def test_groups_are_not_by_a_column_that_somebody_decided_to_keep():
    alone, known, checked = of_one_illness(kept=("sex",))
    assert alone.verdict == "stop"
    for judged in (known.checked, checked):
        assert judged.verdict == "attention"
        assert "everybody has" not in meaning_of(judged)
        assert [one.level for one in judged.findings if one.code == "whole-rows-alike"] == ["note"]


def test_who_shows_no_illness_is_not_counted_among_those_of_whom_it_is_known():
    table = pd.DataFrame({"age": [LOW] * 8 + [HIGH] * 8, "illness": ["gout"] * 5 + [""] * 3 + ["flu", "cold"] * 4})
    told = meaning_of(audit(table).checked)
    assert told.startswith("In 1 group everybody whose value is known has the same illness: 5 people in all. ")


def test_a_column_that_somebody_decided_to_keep_is_no_guess():
    table = pd.DataFrame({"age": [LOW] * 8 + [HIGH] * 8, "sex": ["f", "m"] * 8})
    study = Study([Attribute("age", 0, 20, 2)], 4).with_roles(Roles(keep=("sex",)))
    rows = {row.name: row for row in demands_of(audit(table, study).checked)}
    about = rows[NAMES["known-to-others"]]
    assert (about.figure, about.mark) == ("sex outside the groups, wanted none", "not met")


def test_what_contradicts_its_settings_is_said_and_no_number_beside_it():
    # Of nine in two cells one holds five at least, which would have been published.
    nine = pd.concat([HALF, HALF.tail(3)])
    audited = audit(nine, PAIR)
    assert audited.contradicted
    assert graver(audited) == [("attention", "made-otherwise")]
    rows = {row.name: row.figure for row in demands_of(audited.checked)}
    assert rows[NAMES["certain"]] == rows[NAMES["expected"]] == "not looked at"


@pytest.mark.parametrize("kind", ["toy", "clinic"])
def test_check_audit_and_the_verdict_name_the_same_demands_in_the_same_order_with_the_same_figures(kind):
    made = synthesize(kind)
    table = recode(made.data, made.study).frame.astype(str)
    checked, audited = check(made.data, made.study, table), audit(table, made.study)
    told = [(row.name, row.figure, row.mark) for row in demands_of(checked)]
    assert [(row.name, row.figure, row.mark) for row in demands_of(audited.checked)] == told
    assert audited.verdict == checked.verdict
    for page in (check_html(checked), audit_html(audited)):
        cells = re.findall(r"<td>[✓✗?] ([a-z ]+)</td><td>([^<]*)</td><td class=\"long\">([^<]*?),? *<", page)
        assert [(name, figure.removesuffix("."), mark) for mark, name, figure in cells] == told  # a sentence follows


def test_a_table_of_one_state_is_not_ready_where_local_recoding_would_leave_somebody_alone():
    # Global recoding to twenties and tens leaves fewer than one likely alone; local recoding would not have left
    # four in one of the cells, which leaves more.
    table = pd.DataFrame([("[0, 20[", "[0, 10[")] * 4 + [("[20, 40[", "[10, 20[")] * 4, columns=["a", "b"])
    study = Study([Attribute("a", 0, 40, 3), Attribute("b", 0, 20, 2)], 4)
    audited = audit(table, study)
    assert audited.assessment.recoding == "global"
    by_local = assess(Release(study, table), local=True)
    assert audited.assessment.expected.value < 1 <= by_local.expected.value
    assert graver(audited) == [("attention", "way-not-known")]
    assert audited.verdict == "attention"
    (row,) = [row for row in demands_of(audited.checked) if row.name == NAMES["way-not-known"]]
    assert row.mark == "not known"
    assert f"about {by_local.expected.value:.0f} would be likely alone" in row.findings[0].text


def test_a_k_that_was_read_off_the_table_is_never_ticked():
    # Its smallest group meets a k that is that group's size whatever the publisher wanted.
    guessed, known = ({row.name: row for row in demands_of(audit(HALF, k=k).checked)} for k in (None, 5))
    for name in (NAMES["k"], NAMES["risk"]):
        assert (guessed[name].mark, known[name].mark) == ("not known", "met")
    assert guessed[NAMES["k"]].figure == "k is not known; the smallest group has 5"
    assert guessed[NAMES["risk"]].figure == "at most 1 in 5 (20 %), wanted one in k"
    assert ("attention", "k-guessed") in graver(audit(HALF))
    assert "k-guessed" not in dict(map(reversed, graver(audit(HALF, k=5))))


def test_a_table_that_local_recoding_cannot_have_made_is_not_told_to_fit_it():
    """Five suppressed people of one half would have been published there; global recoding to these cells hides them."""
    rows = [(LOW, LOW)] * 5 + [(HIGH, LOW)] * 5 + [("*", "*")] * 9
    audited = audit(pd.DataFrame(rows, columns=["a", "b"]), PAIR)
    assert audited.assessment.recoding == "global"
    assert NOT_BY_ARX in audited.warnings
    told = " ".join((*audited.warnings, *audited.supposed))
    for claim in ("contradicts it", "not looked at", "no data satisfy", "g/s factor"):
        assert claim not in told


def test_a_table_of_which_rows_were_suppressed_afterwards_is_attacked_as_such():
    rows = [(LOW, LOW)] * 5 + [(HIGH, LOW)] * 5 + [("*", "*")] * 9
    audited = audit(pd.DataFrame(rows, columns=["a", "b"]), PAIR.changed(more_suppressed=True))
    assert audited.assessment.recoding == "local"
    assert not audited.contradicted
    assert "suppressed more rows afterwards" in audited.supposed[0]
    assert any("rows were suppressed after the classes formed" in warning for warning in audited.warnings)
