"""The gate before a release that is given, and the population that it is held against."""

import re
from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest
from six_people import AGE, STUDY, TABLE, codes, published, text

from cra_engine import (
    DataError,
    DPresence,
    LDiversity,
    Roles,
    Rule,
    Study,
    check,
)
from cra_engine.checks.demands import demand_of
from cra_engine.checks.report import check_html


def test_a_release_of_the_table_gives_the_same_answer_as_recoding_it():
    given, made = check(TABLE, STUDY, published()), check(TABLE, STUDY)
    assert given.to_dict() == made.to_dict()


def test_a_release_alone_tells_all_but_what_is_lost_of_the_table():
    alone = check(None, STUDY, published())
    assert (alone.verdict, codes(alone)) == ("stop", ["l-diversity"])
    assert alone.utility.entropy is None
    assert alone.utility.loss == check(TABLE, STUDY).utility.loss


def wrong_interval(frame):
    frame.loc[4, "age"] = "[20, 30["
    return frame


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda frame: frame.iloc[:5], "it has 5 records and the table 6"),
        (wrong_interval, "column 'age', row 5 (6 in a spreadsheet): the published interval does not hold"),
        (lambda frame: frame.assign(arm="A"), "column 'arm', row 4 (5 in a spreadsheet): it shows another value"),
        (lambda frame: frame.assign(more="x"), "it has the column 'more'"),
    ],
)
def test_a_release_of_another_table_is_stopped(change, sentence):
    found = check(TABLE, STUDY, change(published()))
    assert found.verdict == "stop"
    assert sentence in text(found, "not-this-table")


def test_a_removed_column_in_the_release_is_stopped():
    found = check(TABLE, STUDY, published().assign(name=TABLE["name"]))
    assert "removed-published" in codes(found, "stop")


def test_small_classes_and_few_suppressed_records():
    frame = pd.DataFrame({"age": ["[20, 30["] * 3 + ["[30, 40["] * 2 + ["*"], "illness": list("abcabc"), "arm": "A"})
    found = check(None, STUDY, frame)
    assert (found.k, found.suppressed) == (2, 1)
    assert "age [30, 40[ with 2 records" in text(found, "k")
    assert "risk" in codes(found, "stop")
    assert "1 record is suppressed, fewer than k = 3" in text(found, "few-suppressed")


def test_few_suppressed_records_without_sensitive_values_ask_for_nothing():
    frame = pd.DataFrame({"age": ["[20, 30["] * 3 + ["*"] * 2, "illness": ["a", "b", "c", "*", "*"], "arm": "A"})
    found = check(None, STUDY, frame)
    assert "few-suppressed" in codes(found, "note")
    assert "They show no sensitive value" in text(found, "few-suppressed")
    # One value is enough to tell something of two people, and without a sensitive column nobody knows what tells it.
    one = check(None, STUDY, frame.assign(illness=["a", "b", "c", "*", "flu"]))
    none = check(None, STUDY.with_roles(Roles(keep=["arm", "illness"])), frame)
    assert "few-suppressed" in codes(one, "attention")
    assert "few-suppressed" in codes(none, "attention")


def test_what_is_accepted_stays_a_finding_and_turns_no_verdict():
    frame = pd.DataFrame({"age": ["[20, 30["] * 3 + ["*"], "illness": list("abca"), "arm": "A"})
    found = check(None, STUDY, frame)
    assert found.verdict == "attention"
    asked = [one.text for one in found.findings if one.level == "attention"]
    assert "few-suppressed" in codes(found)
    for accepted in (asked[:1], asked):
        after = found.accepting(dict.fromkeys(accepted, "Seen by all <b>there</b>, decided by the board"))
        assert after.verdict == "attention"
        assert [one.text for one in after.findings] == [one.text for one in found.findings]
        assert [one.text for one in after.findings if one.accepted] == accepted
        assert after.all_accepted == (accepted == asked)
        assert ("<p>Not met or not known: " in check_html(after)) == (accepted == asked)
        assert check_html(after).count("Attention, accepted.") == len(accepted)
        assert ("Attention, accepted by decision" in check_html(after)) == (accepted == asked)
        assert "Seen by all &lt;b&gt;there&lt;/b&gt;, decided by the board" in check_html(after)
        assert after.to_dict() == found.to_dict()  # a fixed format, in which nothing is accepted
    assert not found.all_accepted


def test_nobody_can_accept_what_stops_a_release():
    frame = pd.DataFrame({"age": ["[20, 30["] * 3 + ["[30, 40["] * 2 + ["*"], "illness": list("abcabc"), "arm": "A"})
    found = check(None, STUDY, frame)
    after = found.accepting({one.text: "Never mind that one, decided by Ada" for one in found.findings})
    assert after.verdict == "stop"
    assert not [one for one in after.findings if one.accepted and one.level != "attention"]
    said = re.findall(r"<td>✗ not met</td><td>([^<]*)</td>", check_html(after))
    assert {demand_of(one) for one in after.findings if one.level == "stop"} <= set(said)


def test_suppressed_records_that_are_alike_are_told():
    frame = pd.DataFrame(
        {"age": ["[20, 30["] * 3 + ["*"] * 3, "illness": ["a", "b", "c", "HIV", "HIV", "HIV"], "arm": "A"}
    )
    found = check(None, STUDY, frame)
    assert "All 3 suppressed records show 'HIV'" in text(found, "suppressed-alike")
    hidden = frame.assign(illness=["a", "b", "c", "*", "*", "*"])
    assert "suppressed-alike" not in codes(check(None, STUDY, hidden))


def test_a_column_that_only_a_privacy_model_names_is_sensitive():
    frame = pd.DataFrame(
        {"age": ["[20, 30["] * 3 + ["*"] * 3, "illness": ["flu"] * 3 + ["HIV"] * 3, "arm": list("abcabc")}
    )
    study = Study([AGE], 3, privacy=[LDiversity("illness", 2)], roles=Roles(keep=["arm"]))
    found = check(None, study, frame)
    assert [column.role for column in found.columns] == ["quasi-identifier", "sensitive", "kept"]
    assert "no-sensitive" not in codes(found)
    assert "Everybody in 1 group shares one value of 'illness', 'flu'" in text(found, "l-diversity")
    assert "All 3 suppressed records show 'HIV'" in text(found, "suppressed-alike")
    # What is to be removed stays so, and a column that is kept is protected as the model asks.
    removed = check(None, study.with_roles(Roles(remove=["illness"], keep=["arm"])), frame)
    assert "removed-published" in codes(removed)
    kept = check(None, study.with_roles(Roles(keep=["arm", "illness"])), frame)
    assert "suppressed-alike" in codes(kept)


def test_everything_suppressed():
    found = check(None, STUDY, pd.DataFrame({"age": ["*"] * 3, "illness": list("abc"), "arm": "A"}))
    assert (found.k, found.risk, found.diversity) == (None, None, ())
    assert "all-suppressed" in codes(found)
    assert check_html(found)


def test_labels_of_no_hierarchy_leave_the_attack_out_and_say_so():
    frame = published().assign(age=["young"] * 3 + ["old"] * 3)
    found = check(None, STUDY, frame)
    assert found.k == 3
    assert found.assessment is None
    assert (found.utility.loss, found.utility.precision) == (None, None)
    assert "column 'age' shows 'young', which is no label" in text(found, "attack-not-looked-at")


def test_the_models_of_the_study_are_asked():
    diverse = LDiversity("illness", variant="distinct", l=2)
    found = check(TABLE, STUDY.changed(privacy=[diverse]), published(), rule=Rule(l=1))
    assert "1 group fails the study's distinct 2-diversity of illness" in text(found, "privacy-model")


def test_d_presence_is_asked_of_the_population():
    """The classes hold three records each; of the people who fit there are 6 and 12."""
    people = pd.DataFrame({"age": [*TABLE["age"], *[TABLE["age"].min()] * 3, *[TABLE["age"].max()] * 9]})
    sizes = {str(label): len(rows) for label, rows in published().groupby("age").groups.items()}
    assert list(sizes.values()) == [3, 3]

    def asked(lower, upper):
        model = DPresence("study", value="yes", lower=Decimal(lower), upper=Decimal(upper))
        return STUDY.changed(privacy=[model])

    assert "needs the population" in text(
        check(TABLE, asked("0.1", "0.5"), published(), rule=Rule(l=1)), "privacy-model"
    )
    fitting = check(TABLE, asked("0.25", "0.5"), published(), population=people, rule=Rule(l=1))
    assert "privacy-model" not in {one.code for one in fitting.findings}
    for lower, upper in (("0.26", "0.5"), ("0.25", "0.49")):
        found = check(TABLE, asked(lower, upper), published(), population=people, rule=Rule(l=1))
        assert "1 group fails the study's" in text(found, "privacy-model")
        assert found.verdict == "stop"


def test_what_to_publish_instead_is_one_more_finding_and_changes_no_verdict():
    found = check(TABLE, STUDY, rule=Rule(l=1))
    more = found.recommending("Safe recoding, epsilon 1", "Safe recoding, epsilon 1 loses least.")
    assert more.verdict == found.verdict
    assert text(more, "instead") == "What to publish instead: Safe recoding, epsilon 1 loses least."
    assert len(more.recommending(None, "No way.").findings) == len(found.findings) + 1
    assert found.to_dict()["instead"] is None
    assert more.to_dict()["instead"]["recommended"] == "Safe recoding, epsilon 1"
    assert "Safe recoding, epsilon 1 loses least." in check_html(more)


def test_nothing_to_look_at():
    with pytest.raises(DataError, match="neither a raw table nor a release"):
        check(None, STUDY)
    with pytest.raises(DataError, match="holds no record"):
        check(None, STUDY, published().iloc[:0])
    with pytest.raises(DataError, match="no column 'age'"):
        check(None, STUDY, published().drop(columns="age"))


# ---------------------------------------------------------------- the population


def test_people_of_the_population_are_counted_by_the_published_intervals():
    people = pd.DataFrame({"age": [20, 29, 29, 30, 50, 59, 59, 59, 3]})
    found = check(TABLE, STUDY, population=people)
    # Three fit [20, 30[, four fit [50, 60[.
    assert found.risk.journalist_max == Fraction(1, 3)
    assert found.risk.marketer == Fraction(1, 6) * (Fraction(3, 3) + Fraction(3, 4))
    assert "population" not in codes(found)
    few = check(TABLE, STUDY, population=people.iloc[:2])
    assert "6 published records stand in groups" in text(few, "population")
