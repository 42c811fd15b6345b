"""The page that is filed: what stands on it, and what a release is called."""

import re
from datetime import date

import pandas as pd
import pytest
from six_people import AGE, STUDY, TABLE, WARDS, WARDS_STUDY, codes, text

from cra_engine import (
    Attribute,
    Roles,
    Study,
    StudyError,
    check,
    recode,
    repair,
    safe_recode,
    synthesize,
)
from cra_engine.checks.report import check_html
from cra_engine.checks.signed import UNREASONED, UNSIGNED
from cra_engine.study.file_hierarchy import FileHierarchy


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
    for who, why, lacks in (
        ("", "for the registry", UNSIGNED),
        ("Ada", "ok", UNREASONED),
        ("A", "for the registry", UNSIGNED),
    ):
        with pytest.raises(StudyError, match=re.escape(lacks)):
            check_html(checked, decided_by=who, reason=why)


def test_a_release_that_is_ready_has_no_reason_but_one_that_somebody_gave():
    table = pd.DataFrame({"age": ["[20, 40["] * 5, "illness": list("abcab")})
    study = Study([Attribute("age", 20, 60, 2)], 5).with_roles(Roles(sensitive=["illness"]))
    checked = check(None, study, table)
    assert checked.verdict == "ready"
    assert "<b>Reason</b>" not in check_html(checked, decided_by="R. Meier")
    assert "<span>R. Meier</span>  <b>Date</b>".replace("  ", " ") in check_html(checked, decided_by="R. Meier")
    assert ">The registry asked for it</span>" in check_html(
        checked, decided_by="R. Meier", reason="The registry asked for it"
    )


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
