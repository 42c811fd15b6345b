"""The gate: a verdict by hand, each finding by a table that has it, and rules that nothing gets around."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from six_people import AGE, STUDY, TABLE, WARDS, WARDS_STUDY, codes, published, text

from cra_engine import (
    Attribute,
    LDiversity,
    Roles,
    Rule,
    Study,
    StudyError,
    TCloseness,
    check,
)
from cra_engine.assess.figure import Figure
from cra_engine.checks.check import verdict_of
from cra_engine.checks.demands import NAMES, demands_of
from cra_engine.checks.outcome import Finding
from cra_engine.checks.report import check_html
from cra_engine.checks.whole_rows import count_whole_rows


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
    figures = {row.name: row.figure for row in demands_of(found)}
    assert figures[NAMES["k"]] == "smallest group: 8, wanted 5 (with all that is published: 3)"
    assert figures[NAMES["l-diversity"]] == "fewest: 2 of illness, wanted 2"
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
