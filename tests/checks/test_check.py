"""The gate: a verdict by hand, each finding by a release that has it, and rules that nothing gets around."""

import random
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import (
    Attribute,
    CRAError,
    DataError,
    DPresence,
    LDiversity,
    Release,
    Roles,
    Rule,
    Study,
    StudyError,
    TCloseness,
    attack,
    check,
    global_recode,
    recode,
    repair,
    safe_recode,
    single_out,
    synthesize,
)
from cra_engine.assess import attacked
from cra_engine.assess.figure import Figure
from cra_engine.attacks.full_domain import global_view
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.checks.check import verdict_of
from cra_engine.checks.demands import DEMANDS
from cra_engine.checks.findings import of_attack
from cra_engine.checks.outcome import Finding
from cra_engine.checks.report import check_html, measured
from cra_engine.checks.unique_people import beside_told
from cra_engine.checks.whole_rows import count_whole_rows
from cra_engine.patience import Stopped
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import how_many
from shares import first
from truth import counts_of
from weighed import weighed_case, weighed_release

AGE = Attribute("age", 20, 60, layers=3)
STUDY = Study([AGE], 3, roles=Roles(remove=["name"], sensitive=["illness"], keep=["arm"]))
# Three people to each ten years.
TABLE = pd.DataFrame(
    {
        "name": ["Ada Lo", "Bo Ray", "Cy Fox", "Di Orr", "Ed Poe", "Fay Wu"],
        "age": [21, 23, 25, 51, 53, 55],
        "illness": ["flu", "gout", "flu", "HIV", "HIV", "HIV"],
        "arm": ["A", "A", "A", "B", "B", "B"],
    }
)


def codes(found, level=None):
    return [one.code for one in found.findings if level in (None, one.level)]


def text(found, code):
    (finding,) = [one for one in found.findings if one.code == code]
    return finding.text


# ---------------------------------------------------------------- by hand


def test_a_class_that_shares_its_illness_stops_the_release_and_is_named():
    found = check(TABLE, STUDY)
    assert (found.verdict, found.k, found.classes, found.suppressed) == ("stop", 3, 2, 0)
    assert codes(found, "stop") == ["l-diversity"]
    assert "all 3 of age [50, 60[ show 'HIV'" in text(found, "l-diversity")
    (one,) = found.diversity
    assert (one.distinct_l, one.alike) == (1, (1,))
    # flu 2, gout 1, HIV 3 of 6; the second class is 1/2 away, and so is the first.
    assert one.t == Fraction(1, 2)


@pytest.mark.parametrize("empty", ["", "NA", "?"])
def test_an_empty_cell_is_no_second_illness(empty):
    found = check(TABLE.assign(illness=["flu", "gout", "flu", empty, "HIV", "HIV"]), STUDY)
    assert found.verdict == "stop"
    assert "all 2 whose value is known of age [50, 60[ show 'HIV'" in text(found, "l-diversity")
    # Two known illnesses are two; a class that says nothing of illness is called so.
    assert check(TABLE.assign(illness=["flu", "gout", empty, "HIV", "flu", "gout"]), STUDY).verdict == "ready"
    silent = check(TABLE.assign(illness=["flu", "gout", "flu", empty, empty, empty]), STUDY)
    assert f"all 3 of age [50, 60[ show {empty!r}" in text(silent, "l-diversity")


def test_an_empty_cell_weighs_in_no_number_of_diversity():
    # Known are flu and gout; flu, gout and cold: of five values 2, 2 and 1. The first class has two even ones, and is
    # (1/10 + 1/10 + 2/10) / 2 from the table; the second is 2/15 from it.
    found = check(TABLE.assign(illness=["flu", "gout", "", "flu", "gout", "cold"]), STUDY)
    (one,) = found.diversity
    assert one.entropy_l == pytest.approx(2)
    assert (one.t, one.farthest, one.fewest, one.distinct_l) == (Fraction(1, 5), 0, 0, 2)
    for limit, fails in (("0.2", False), ("0.19", True)):
        study = STUDY.changed(privacy=[TCloseness("illness", limit)])
        shown = ["flu", "gout", "", "flu", "gout", "cold"]  # recoding by a model refuses the empty cell
        failing = check(TABLE.assign(illness=shown), study, published().assign(illness=shown))
        assert ("privacy-model" in codes(failing)) == fails


def test_classes_that_share_a_value_are_named_the_rarest_value_first():
    # Five ages to a class of three: four share no, one shares yes, one says nothing.
    ages = [place for place in (21, 27, 32, 37, 42, 47) for _ in range(3)]
    frame = pd.DataFrame({"age": [f"[{age // 5 * 5}, {age // 5 * 5 + 5}[" for age in ages], "arm": "A"})
    frame["illness"] = ["no"] * 6 + ["", "", ""] + ["no"] * 6 + ["yes"] * 3
    found = check(None, STUDY.changed(attributes=[Attribute("age", 20, 60, layers=4)]), frame)
    assert text(found, "l-diversity").startswith(
        "Everybody in 6 groups shares one value of 'illness' ('yes' in 1, 'no' in 4 and nothing in 1), which is then "
        "known of whoever is in it: all 3 of age [45, 50[ show 'yes'; all 3 of age [20, 25[ show 'no'; "
    )
    assert "; and 3 more groups; ask" in text(found, "l-diversity")


def test_a_class_that_hides_its_illness_hides_no_other_class():
    hidden = published().assign(illness=["*"] * 3 + ["HIV"] * 3)
    for data in (None, TABLE.assign(illness=["flu"] * 3 + ["HIV"] * 3)):
        found = check(data, STUDY, hidden)
        assert found.verdict == "stop"
        assert "all 3 of age [50, 60[ show 'HIV'" in text(found, "l-diversity")
        assert found.diversity[0].alike == (1,)
    # What the raw table holds of a class that shows nothing is not known of anybody.
    raw = TABLE.assign(illness=["HIV"] * 3 + ["flu", "gout", "flu"])
    assert check(raw, STUDY, hidden.assign(illness=["*"] * 3 + ["flu", "gout", "flu"])).diversity[0].alike == ()
    modelled = STUDY.changed(privacy=[LDiversity("illness", variant="distinct", l=2)])
    assert "1 group fails" in text(check(None, modelled, hidden), "privacy-model")
    assert check(None, STUDY, hidden.assign(illness="*")).diversity == ()


def test_the_same_release_is_ready_once_its_classes_are_diverse():
    table = TABLE.assign(illness=["flu", "gout", "flu", "HIV", "flu", "gout"])
    found = check(table, STUDY)
    assert (found.verdict, codes(found)) == ("ready", [])
    assert found.risk.prosecutor_max == found.risk.prosecutor_mean == found.risk.marketer == Fraction(1, 3)
    assert found.risk.records_above == 0
    assert [(column.name, column.role, column.published) for column in found.columns] == [
        ("name", "removed", False),
        ("age", "quasi-identifier", True),
        ("illness", "sensitive", True),
        ("arm", "kept", True),
    ]
    assert "name" not in found.frame
    # Both classes stand on single cells: ten of forty years each, and nobody is alone in one.
    assert (found.assessment.certain, found.assessment.mean_ratio) == (Figure.exact(0), 1.0)
    assert found.utility.discernibility == 18
    assert found.utility.aecs == 3
    assert found.utility.precision == Fraction(1, 3)
    assert found.utility.loss == pytest.approx((10 - 1) / (40 - 1))
    # Each value occurs once, and three share an interval: log2 3 bits for each of six.
    assert found.utility.entropy == pytest.approx(6 * 1.584962500721156)


# ---------------------------------------------------------------- the rule


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (Rule(k=4), "k"),
        (Rule(l=3), "l-diversity"),
        (Rule(t="0.1"), "t-closeness"),
        (Rule(highest_risk="0.33"), "risk"),
    ],
)
def test_each_demand_stops_what_does_not_meet_it(rule, code):
    table = TABLE.assign(illness=["flu", "gout", "flu", "HIV", "flu", "gout"])
    found = check(table, STUDY, rule=rule)
    assert found.verdict == "stop"
    assert code in codes(found, "stop")


def test_what_the_rule_allows_does_not_stop():
    found = check(TABLE, STUDY, rule=Rule(l=1))
    assert found.verdict == "attention"
    assert codes(found) == ["l-diversity"]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"k": 0}, "The rule's k is 0"),
        ({"l": 0}, "The rule's l is 0"),
        ({"t": 2}, "The rule's t is 2"),
        ({"highest_risk": -1}, "The rule's highest risk is -1"),
        ({"alone": 1.5}, "The rule's share of people alone is 1.5"),
    ],
)
def test_a_rule_out_of_range_is_refused(settings, sentence):
    with pytest.raises(StudyError, match=sentence):
        Rule(**settings)


@given(st.lists(st.sampled_from(["stop", "attention", "note"])))
def test_the_gravest_finding_decides(levels):
    found = verdict_of([Finding(level, "x", "") for level in levels])
    assert found == ("stop" if "stop" in levels else "attention" if "attention" in levels else "ready")


# ---------------------------------------------------------------- columns


def test_a_name_that_nobody_decided_about_stops_the_release():
    people = [f"{first} {last}" for first in ("Ada", "Bo", "Cy", "Di") for last in ("Lo", "Ray", "Fox")]
    table = pd.DataFrame({"who": people, "age": [21, 22, 23, 24, 25, 26] * 2, "ill": list("abcdef") * 2})
    study = Study([AGE], 3, roles=Roles(sensitive=["ill"]))
    found = check(table, study)
    assert (found.verdict, codes(found)) == ("stop", ["identifying"])
    assert "'who'" in text(found, "identifying")
    assert "names of people" in text(found, "identifying")
    kept = check(table, study.with_roles(study.roles.given("who", "kept")))
    assert (kept.verdict, codes(kept)) == ("attention", ["identifying-kept"])
    removed = check(table, study.with_roles(study.roles.given("who", "removed")))
    assert (removed.verdict, codes(removed)) == ("ready", [])


def test_a_column_that_others_know_counts_with_the_quasi_identifiers():
    table = TABLE.assign(illness=["flu", "gout", "flu", "HIV", "flu", "gout"], sex=list("FFFMFF")).drop(columns="name")
    study = Study([AGE], 3, roles=Roles(sensitive=["illness"], keep=["arm", "sex"]))
    found = check(table, study)
    assert "1 person (17 %; the rule allows 5.0 %) is alone" in text(found, "alone")
    assert "1 by one column (sex: 1)" in text(found, "alone")
    assert (found.verdict, codes(found)) == ("stop", ["alone", "known-to-others", "whole-rows"])
    assert "'sex'" in text(found, "known-to-others")
    assert "the smallest group has 1 record" in text(found, "known-to-others")


def test_a_column_that_is_kept_is_counted_with_the_groups_that_it_breaks():
    # Sixteen of the twenties and eight of the fifties. Arm B is three of each; of the fifties' three all are positive.
    table = pd.DataFrame(
        {
            "age": [21] * 16 + [51] * 8,
            "arm": ["A"] * 13 + ["B"] * 3 + ["A"] * 5 + ["B"] * 3,
            "illness": ["no", "yes"] * 8 + ["no", "yes", "no", "no", "yes"] + ["yes"] * 3,
        }
    )
    found = check(table, Study([AGE], 5, roles=Roles(sensitive=["illness"], keep=["arm"])))
    assert (found.verdict, codes(found), found.k) == ("ready", ["whole-rows", "whole-rows-alike"], 8)
    assert text(found, "whole-rows").startswith(
        "By the columns that others may know at least 8 are alike; with 'arm', which goes out as it is, at least 3: "
        "2 groups are smaller than 5."
    )
    assert "everybody in 1 group of 2 or more records shares one value of 'illness'" in text(found, "whole-rows-alike")
    assert "arm B shows only 'yes'" in text(found, "whole-rows-alike")
    assert measured(found)[:2] == [
        "the smallest by 8; with 'arm', which goes out as it is, by 3",
        "illness: 2; with 'arm', which goes out as it is, illness: 1",
    ]
    assert found.to_dict()["whole_rows"] == {
        "columns": ["arm"], "smallest": 3, "below": 2, "fewest_values": {"illness": 1}, "groups_alike": {"illness": 1}
    }  # fmt: skip


def test_the_numbers_of_people_alone_add_up():
    # Each of sixteen combinations once: nobody is alone by three columns, but one whose room nobody shares is by one.
    rows = [(21 + 30 * (n & 1), *(str(n >> place & 1) for place in (1, 2, 3))) for n in range(16)]
    table = pd.DataFrame([*rows, (21, "9", "0", "0")], columns=["age", "arm", "side", "turn"])
    found = check(table, Study([AGE], 3, roles=Roles(keep=["arm", "side", "turn"])))
    assert (found.unique.people, found.unique.by_size) == (17, (1, 0, 0))
    assert "1 by one column and 16 by more columns together" in text(found, "alone")


def test_what_is_printed_in_a_row_is_counted_by_hand():
    rng = np.random.default_rng(6)
    for _ in range(30):
        size = int(rng.integers(1, 40))
        frame = pd.DataFrame(
            {
                "age": rng.choice(["[20, 30[", "[30, 40[", "*"], size),
                "arm": rng.choice(["A", "B", ""], size),
                "illness": rng.choice(["flu", "gout", "", "*", "unknown"], size),
            }
        )
        times = rng.integers(1, 4, size)
        found = count_whole_rows(frame, ["age"], ["arm"], ["illness"], 5, times)
        rows = frame.assign(times=times)
        said = rows[rows["illness"].isin(["flu", "gout"])]
        groups = rows.groupby(["age", "arm"])["times"].sum()
        values = said.groupby(["age", "arm"])["illness"].nunique()
        of_classes = said.groupby("age")["illness"].nunique()
        alike = [at for at, number in values.items() if number == 1 and of_classes[at[0]] > 1 and groups[at] > 1]
        assert (found.smallest, found.below) == (groups.min(), (groups < 5).sum())
        assert found.fewest.get("illness") == (values.min() if len(values) else None)
        assert found.alike.get("illness", (0,))[0] == len(alike)


WARDS = pd.DataFrame(
    {
        "age": [21, 23, 25, 51, 53, 55] * 4,
        "arm": ["A", "A", "B", "B", "A", "B"] * 3 + ["A", "A", "B", "B", "C", "C"],
        "shift": ["day"] * 18 + ["day", "day", "night", "night", "day", "day"],
        "illness": [f"illness {place}" for place in range(24)],
    }
)
WARDS_STUDY = Study([AGE], 3, roles=Roles(sensitive=["illness"], keep=["arm", "shift"]))


def test_people_alone_by_what_is_kept_are_counted_by_how_few_columns():
    # Released are [20, 30[ and [50, 60[. The nights are two people of arm B, one of each age; each is alone by age and
    # shift. Ward C has two people of one age. Nobody else is alone.
    found = check(WARDS, WARDS_STUDY)
    assert (found.verdict, codes(found, "stop")) == ("stop", ["alone"])
    unique = found.unique
    assert (unique.people, unique.by_intervals, unique.by_columns, unique.with_sensitive) == (2, 0, 0, 24)
    assert (unique.columns, unique.by_size, unique.by_column) == (("arm", "shift"), (0, 2, 0), {})
    assert unique.sets == ((("age", "shift"), 2),)
    assert text(found, "alone").startswith(
        "2 people (8.3 %; the rule allows 5.0 %) are alone by the published columns together, to whoever knows all "
        "of these of a person. "
        "Counted are what others know and 'arm' and 'shift': "
        "2 by 2 columns together (age and shift: 2); "
    )
    assert found.to_dict()["unique"]["smallest_sets"] == [{"columns": ["age", "shift"], "alone": 2}]
    assert "2 people (8.3 %; the rule allows 5.0 %) are alone" in check_html(found)
    assert "or remove it (without 'shift' 0 would be alone)" in text(found, "alone")
    assert (unique.by_gaps, unique.removed, unique.left) == (0, ("shift",), 0)
    # Above the share it stops, up to it a person has to look; what nobody can know is sensitive and does not count.
    assert check(WARDS, WARDS_STUDY, rule=Rule(alone="0.083")).verdict == "stop"
    assert check(WARDS, WARDS_STUDY, rule=Rule(alone=Fraction(2, 24))).verdict == "attention"
    assert check(WARDS, WARDS_STUDY, rule=Rule(alone=0)).verdict == "stop"
    for role in ("removed", "sensitive"):
        known = check(WARDS, WARDS_STUDY.with_roles(WARDS_STUDY.roles.given("shift", role)), rule=Rule(alone=0))
        assert ("alone" in codes(known), known.unique.people) == (False, 0)


def test_who_is_alone_only_by_an_empty_cell_is_said():
    # Nobody else of the fifties has no shift; the others of arm B show the same age and arm.
    found = check(WARDS.assign(shift=["day"] * 21 + ["", "day", "day"], arm="A"), WARDS_STUDY)
    assert (found.unique.people, found.unique.by_gaps) == (1, 1)
    assert "; 1 of them only by empty cells: others show the same where these show anything; " in text(found, "alone")


def test_a_value_that_says_it_is_unknown_makes_no_class_diverse():
    table = WARDS.drop(columns=["arm", "shift"]).assign(illness=["HIV", "k.A.", "unknown"] * 8)
    study = Study([AGE], 3, roles=Roles(sensitive=["illness"]))
    found = check(table, study)
    assert found.diversity[0].distinct_l == 1
    assert "shares one value of 'illness', 'HIV', which is then known" in text(found, "l-diversity")


def test_without_a_sensitive_column_somebody_has_to_say_so():
    found = check(TABLE.drop(columns="name"), Study([AGE], 3))
    assert codes(found) == ["no-sensitive"]
    assert found.verdict == "attention"
    decided = check(TABLE.drop(columns="name"), Study([AGE], 3, roles=Roles(remove=["illness"], keep=["arm"])))
    assert (decided.verdict, codes(decided)) == ("ready", ["no-sensitive"])


# ---------------------------------------------------------------- a release that is given


def published():
    return recode(TABLE, STUDY).frame.astype(str)


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
        after = found.accepting(dict.fromkeys(accepted, "Seen <b>by</b> the board."))
        assert after.verdict == "attention"
        assert [one.text for one in after.findings] == [one.text for one in found.findings]
        assert [one.text for one in after.findings if one.accepted] == accepted
        assert after.all_accepted == (accepted == asked)
        assert ("looked at all that the findings name" in check_html(after)) == (accepted == asked)
        assert check_html(after).count("Attention, accepted.") == len(accepted)
        assert ("Attention, accepted by decision" in check_html(after)) == (accepted == asked)
        assert "Seen &lt;b&gt;by&lt;/b&gt; the board." in check_html(after)
        assert after.to_dict() == found.to_dict()  # a fixed format, in which nothing is accepted
    assert not found.all_accepted


def test_nobody_can_accept_what_stops_a_release():
    frame = pd.DataFrame({"age": ["[20, 30["] * 3 + ["[30, 40["] * 2 + ["*"], "illness": list("abcabc"), "arm": "A"})
    found = check(None, STUDY, frame)
    after = found.accepting({one.text: "Never mind." for one in found.findings})
    assert after.verdict == "stop"
    assert not [one for one in after.findings if one.accepted and one.level != "attention"]
    said = re.search(r"does not let this release go out as it is\. Not met: ([^.]*)\.", check_html(after))
    stops = {DEMANDS[one.code] for one in after.findings if one.level == "stop"}
    assert said is not None
    assert set(said[1].split("; ")) == stops


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


# ---------------------------------------------------------------- the attack


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
    people = f"{found.unique.people} of {found.unique.records} people"
    said = f"{people}, by arm and shift beside what others know; above these columns are not counted"
    assert beside_told(found.unique) == said
    told = dict(zip(found.rule.demands(3), measured(found), strict=True))
    (alone,) = [value for demand, value in told.items() if "nobody is alone" in demand]
    (expected,) = [value for demand, value in told.items() if "the attack expects" in demand]
    assert alone.endswith(", by all columns that go out")
    assert expected.endswith(", by what others may know alone")
    plain = check(WARDS[["age", "illness"]], WARDS_STUDY.with_roles(Roles(sensitive=["illness"])))
    assert beside_told(plain.unique) == ""


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
    assert f"at least {len(alone)}" in check_html(found)
    if alone:
        assert f"shows at least {how_many(len(alone), 'description')} that fit" in text(found, "certain")
        assert "at least" not in text(whole, "certain")
    assert text(found, "expected").startswith(
        f"Likely, not proven: by the attack about {by_class:.0f} of {len(made.data)} people would be"
    )
    assert text(whole, "expected").startswith(
        f"Likely, not proven: by the attack about {whole.assessment.expected.value:.0f} of "
    )
    assert (whole.to_dict()["attack"]["complete"], found.to_dict()["attack"]["complete"]) == (True, False)


def test_beside_a_likely_number_stands_how_good_the_best_guess_is():
    made = synthesize("clinic")
    assessment = replace(check(made.data, made.study).assessment, expected=Figure.estimate(9.0))
    right = ", and the best guess at one is right with {}. Coarser"
    for certain, likeliest, told in (
        (0, Figure.exact(0.031), right.format("3 %")),
        (0, Figure.estimate(0.031), right.format("about 3 %")),
        (0, Figure(None, 0.0, 0.101, "timeout"), right.format("at most 11 %")),
        (2, Figure.exact(1.0), ". Coarser"),
    ):
        known = replace(assessment, certain=Figure.exact(certain), likeliest=likeliest)
        found = {one.code: one.text for one in of_attack(known, "", Rule(), late=False, supposed=False)}
        assert f"a stranger with this table alone has to guess inside a group{told}" in found["expected"]


def test_an_expected_number_of_which_limits_are_known_is_told_by_them():
    made = synthesize("toy")
    assessment = check(made.data, made.study).assessment
    for lower, upper, told in ((0.2, 3.4, True), (0.2, 0.9, False)):
        bounded = replace(assessment, expected=Figure(None, lower, upper, "timeout"))
        found = [
            one.text for one in of_attack(bounded, "", Rule(), late=False, supposed=False) if one.code == "expected"
        ]
        assert [
            one.startswith("Likely, not proven: by the attack 0 to 4 of 36 people would be alone") for one in found
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


# ---------------------------------------------------------------- the page


def test_the_page_holds_no_record_and_runs_nothing():
    values = [103.01 + 7.37 * i for i in range(40)]
    data = pd.DataFrame({"a": [f"{v:.2f}" for v in values], "<b>who</b>": [f"Secret Person{i}x" for i in range(40)]})
    study = Study([Attribute("a", 100, 420, 4, resolution=0.01)], 3)
    html = check_html(check(data, study), "<script>.csv")
    assert not [v for v in data["a"] if v in html]
    assert "Secret" not in html
    assert "<script" not in html
    assert "<b>who" not in html
    assert "&lt;b&gt;who" in html
    assert "://" not in html
    assert "default-src 'none'" in html


def test_a_column_that_the_study_says_nothing_of_is_named_and_the_release_is_of_the_table():
    weights = TABLE.assign(illness=["flu", "gout", "flu", "HIV", "flu", "gout"], weight=[60, 62, 64, 60, 62, 64])
    both = Study([AGE, Attribute("weight", 40, 120, layers=3)], 3, roles=STUDY.roles)
    frame = recode(weights, both).frame
    for rows in (frame, frame.iloc[[5, 0, 3, 1, 4, 2]]):  # also where the rows are in another order
        found = check(weights, STUDY, rows)
        assert "not-this-table" not in codes(found)
        assert codes(found, "stop") == ["no-hierarchy"]
        assert text(found, "no-hierarchy").startswith("The column 'weight' shows '[60, 80['")
    assert "no-hierarchy" not in codes(check(weights, both, frame))
    # A release of other people is of another table all the same.
    assert "not-this-table" in codes(check(weights.assign(age=[51] * 6), STUDY, frame))


def test_the_own_safe_and_repaired_releases_are_called_what_they_can_be():
    toy = synthesize("toy")
    safe = safe_recode(toy.data, toy.study, "1", seed=3)
    repaired = repair(recode(toy.data, toy.study).release)
    for frame in (safe.frame, repaired.frame):
        found = check(toy.data, toy.study, frame)
        assert "not-this-table" not in codes(found)
        assert {"attack-not-looked-at", "attack-out-of-time"}.isdisjoint(codes(found))
        assert "repair and safe recoding, or another program, make such" in text(found, "made-otherwise")
        assert found.verdict == "attention"
    assert "made-otherwise" not in codes(check(toy.data, toy.study.with_epsilon("1"), safe.frame))


def test_the_page_to_file_says_who_decided_and_why_or_has_lines_to_sign_on():
    checked = check(WARDS, WARDS_STUDY)
    signed = check_html(checked, decided_by="Ada <Lo>", reason="for the registry", on=date(2026, 3, 5))
    assert "<b>Decided by</b> <span>Ada &lt;Lo&gt;</span>" in signed
    assert '<span class="wide">for the registry</span> <b>Date</b> <span>5 March 2026</span>' in signed
    assert '<b>Decided by</b> <span></span> <b>Reason</b> <span class="wide"></span>' in check_html(checked)


def test_a_value_that_the_study_for_readers_leaves_out_is_named_as_what_is_missing():
    def sexes(*shown):
        return FileHierarchy("sex", tuple((one, one, "*") for one in shown))

    data = pd.DataFrame({"sex": ["f", "m", "f", "x", "m"]})
    release = pd.DataFrame({"sex": ["m", "f", "*", "m", "f"]})
    said = text(check(data, Study([sexes("f", "m", "none")], k=2), release), "not-this-table")
    assert "the hierarchy of column 'sex' has no place for what the table holds in row 4 " in said
    assert "not-this-table" not in codes(check(data, Study([sexes("f", "m", "x")], k=2), release))


def test_a_record_as_names_stops_a_table() -> None:
    """A file without a line of names: its first patient would go out in the first line; no value of theirs is told."""
    first = {"21": ["25", "21", "23", "51", "53", "55"], "flu": ["flu", "gout", "flu", "HIV", "flu", "HIV"]}
    study = Study([Attribute("21", 20, 60, layers=3)], 3, roles=Roles(sensitive=["flu"]))
    found = check(pd.DataFrame(first), study)
    assert found.verdict == "stop"
    assert "no-names" in codes(found, "stop")
    text = next(one.text for one in found.findings if one.code == "no-names")
    assert "21" not in text
    assert "flu" not in text
    named = pd.DataFrame(first).set_axis(["age", "illness"], axis=1)
    assert "no-names" not in codes(check(named, STUDY.with_roles(Roles(sensitive=["illness"]))))
