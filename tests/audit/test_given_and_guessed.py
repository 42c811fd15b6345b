"""What the audit is given, what it guesses, and that it says which; tables that cannot be audited."""

from decimal import Decimal

import pandas as pd
import pytest
from arx_samples import files_of, published, study_of

from cra_engine import (
    Attribute,
    CRAError,
    LDiversity,
    ReleaseError,
    Study,
    recode,
)
from cra_engine.audits.audit import audit
from cra_engine.audits.report import audit_html
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.quality import Quality


def test_k_is_the_smallest_class_where_nobody_says():
    table = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 5 + ["*"], "b": ["x"] * 9})
    audited = audit(table)
    assert audited.release.k == 3
    assert any("k is guessed: 3" in warning for warning in audited.warnings)
    assert not audit(table, k=2).k_guessed
    with pytest.raises(ReleaseError, match="fewer than k = 4"):
        audit(table, k=4)


def test_without_a_study_it_is_said_that_k_alone_is_supposed():
    table = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 5})
    said = "Whether more was asked for than k-anonymity is not known"
    assert said in " ".join(audit(table).warnings)
    assert said not in " ".join(audit(table, privacy=()).warnings)
    weighed = audit(table, privacy=(), weights={"a": Decimal("0.9"), "out": Decimal("0.1")})
    assert weighed.release.study.quality == Quality(weights={"a": "0.9"})


def test_several_spellings_of_an_interval_are_one_class():
    table = pd.DataFrame({"a": ["[0, 10["] * 2 + ["[0,10)"] * 2 + ["[10, 20["] * 5 + ["*"]})
    assert audit(table).release.k == 4


def test_a_study_leaves_nothing_to_guess():
    sample = "toy40b.ex38.k3"
    audited = audit(published(sample), study_of(sample, "paper"))
    assert (audited.k_guessed, audited.profile_guessed, audited.proposals) == (False, False, ())
    assert audited.release.study == study_of(sample, "paper")
    assert audit(published(sample), study_of(sample, "paper"), profile="arx-gui").release.study.profile == "arx-gui"


def test_files_for_some_columns_and_labels_for_the_rest():
    sample = "toy40b.ex38.k3"
    audited = audit(published(sample), hierarchies={"Q2": files_of(sample)["Q2"]})
    assert [p.hierarchy.name for p in audited.proposals] == ["Q1"]
    assert audited.release.study.names == ("Q1", "Q2")


def test_the_audit_says_what_it_supposes():
    supposed = " ".join(audit(published("toy40b.ex38.k3")).supposed)
    assert "g/s factor of 0" in supposed
    assert "that the labels suggest" in supposed
    assert "k is 3 or less" in supposed


@pytest.mark.parametrize(
    ("columns", "arguments", "says"),
    [
        ({"a": ["1", "2"]}, {}, "no quasi-identifier can be recognised"),
        ({"a": ["[0, 10[", "[5, 15["]}, {}, "two different hierarchies"),
        ({"a": ["[0, 10[", "[10, 20[", "[10, 20["]}, {}, "A single record shows"),
        ({"a": ["*", "*"], "b": ["*", "*"]}, {}, "in every row"),
        ({"a": []}, {}, "holds no record"),
        ({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3}, {"k": 1}, "2 or more"),
        ({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3}, {"profile": "mine"}, "'mine' is unknown"),
    ],
)
def test_tables_that_cannot_be_audited(columns, arguments, says):
    with pytest.raises(CRAError, match=says) as caught:
        audit(pd.DataFrame(columns), **arguments)
    assert "\n" not in str(caught.value)


def test_a_hierarchy_that_lacks_a_label_of_the_release():
    table = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[20, 30["] * 3})
    tree = FileHierarchy("a", (("1", "[0, 10[", "*"), ("11", "[10, 20[", "*")))
    with pytest.raises(ReleaseError, match=r"row 4 \(5 in a spreadsheet\): '\[20, 30\[' is no interval"):
        audit(table, hierarchies={"a": tree})
    with pytest.raises(CRAError, match="no column 'b'"):
        audit(table, hierarchies={"b": tree})


def test_time_runs_out():
    audited = audit(published("clinic500_2.ex38.k5"), study_of("clinic500_2.ex38.k5"), time_limit=0.0)
    assert audited.tight is None or audited.tight.status == "timeout"
    assert any("The time ran out" in warning for warning in audited.warnings)
    audit_html(audited)


def test_the_domain_that_is_computed_over_is_said():
    table = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3 + ["*"] * 2})
    audited = audit(table)
    (computed,) = audited.release.attributes
    said = next(text for text in audited.warnings if "is guessed" in text)
    # Room is left on both sides, but no number there is one that anybody published.
    assert "computed with room beyond the labels, below 0 to 20 or more" in said
    assert computed.lower < 0
    assert str(computed.lower) not in said
    assert not any("computed with room" in text for text in audit(table[:6]).warnings)


def test_no_chance_is_named_beyond_the_labels_of_a_guessed_hierarchy():
    # Two suppressed people may stand anywhere, but how far ages go beyond the labels nobody said.
    rows = [("[20, 40[", "[40, 60[")] * 3 + [("[40, 60[", "[40, 80[")] * 3 + [("[20, 40[", "[60, 80[")] * 3
    table = pd.DataFrame([*rows, ("*", "*"), ("*", "*")], columns=["age", "weight"])
    audited = audit(table)
    assert any(audited.beyond_labels(cell) for cell, _ in audited.assessment.cell_chances)
    assert audited.chances
    labels = [[node.label for node in attribute.layer_nodes[0]] for attribute in audited.release.attributes]
    named = {labels[place][leaf] for cell, _ in audited.chances for place, leaf in enumerate(cell)}
    assert all(label.startswith("[") for label in named)
    page = audit_html(audited)
    assert not any("likeliest is age is below" in text for text in audited.findings)
    assert '<td class="long">age is below' not in page


def test_what_may_be_global_recoding_is_said():
    local = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3 + ["[20, 40["] * 3})
    alike = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3})
    study = Study([Attribute("a", 0, 40, 3)], 2)
    assert any("global recoding" in text for text in audit(alike, study).warnings)
    assert not any("global recoding" in text for text in audit(local, study).warnings)


def test_the_models_of_a_study_and_its_quality_model_are_kept():
    table = pd.DataFrame({"age": [1, 2, 9, 10, 12, 13], "illness": ["flu", "cold", "flu", "flu", "gout", "flu"]})
    study = Study([Attribute("age", 0, 16, 3)], 2, privacy=[LDiversity("illness", 2)])
    published = recode(table, study).frame.astype(str)
    assert audit(published, study).release.study.privacy == study.privacy
    trees = {"age": study.attributes[0]}
    assert audit(published, hierarchies=trees, qi=["age"], k=2, privacy=study.privacy).release.study.privacy
    other = study.changed(quality=Quality("height"))
    assert audit(published, other).release.study.quality == other.quality
