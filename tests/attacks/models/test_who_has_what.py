"""Who has what: a case worked out by hand, its command, and its findings."""

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, LDiversity, Release, Roles, Study, attack, who_has_what
from cra_engine.criteria.average_risk import AverageRisk

STUDY = Study([Attribute("age", 0, 40, 2)], 2, privacy=[LDiversity("illness", 2)])
TABLE = pd.DataFrame({"age": ["*"] * 3, "illness": ["flu", "flu", "cold"]})


def test_both_with_flu_are_in_one_leaf_and_the_one_who_is_alone_has_the_cold():
    """Flu and cold together would have been a class; so would all three."""
    for prior in ("distinct", "independent", "assignments"):
        attacked = attack(Release(STUDY, TABLE), prior=prior)
        (part,) = attacked.parts
        found = who_has_what(attacked)
        assert found.finished
        for one in found.cells:
            assert set(one.possible) == {"flu", "cold"}
            assert not one.alone  # either leaf may be the one
            assert one.alone_with["cold"] == pytest.approx(0.5)
            assert one.alone_with["flu"] == 0
            assert one.beliefs == one.shares  # two leaves that are alike tell no more
        assert part.cell_probabilities(1) == [pytest.approx(0.5)] * 2


def test_a_class_formed_before_tells_whom_the_suppressed_record_is():
    table = pd.DataFrame({"age": ["*", "[20, 40[", "[20, 40["], "illness": ["HIV", "flu", "cold"]})
    found = who_has_what(attack(Release(STUDY, table)))
    (only,) = found.certain
    assert (only.cell, only.certain) == ((0,), "HIV")
    assert found.sentence(only) == "Exactly one person has age in [0, 20), and that person has HIV."


def test_the_command_says_it(run, tmp_path):
    STUDY.to_toml(tmp_path / "study.toml")
    table = pd.DataFrame({"age": ["*", "[20, 40[", "[20, 40["], "illness": ["HIV", "flu", "cold"]})
    table.to_csv(tmp_path / "release.csv", index=False)
    asked = ("single-out", tmp_path / "release.csv", "--study", tmp_path / "study.toml", "--values")
    said = run(*asked)
    assert "that person has HIV." in said.out
    told = run(*asked, "--json").json
    assert told["certain"] == 1
    assert told["cells"][0]["possible"] == ["HIV"]


def test_a_study_can_name_the_column_under_its_roles():
    study = Study([Attribute("age", 0, 40, 2)], 2, roles=Roles(sensitive=["illness"]))
    table = pd.DataFrame({"age": ["*", "[20, 40[", "[20, 40["], "illness": ["HIV", "flu", "flu"]})
    found = who_has_what(attack(Release(study, table)))
    assert [one.certain for one in found.certain] == ["HIV"]


def test_values_that_no_model_asks_for_are_as_likely_as_their_shares():
    """An average risk of a half asks for classes of two on average, and nothing of illnesses."""
    risk = Study([Attribute("age", 0, 40, 2)], 1, privacy=[AverageRisk("0.5")], roles=Roles(sensitive=["illness"]))
    table = pd.DataFrame({"age": ["*", "[20, 40[", "[20, 40["], "illness": ["HIV", "flu", "flu"]})
    found = who_has_what(attack(Release(risk, table)))
    (only,) = found.certain
    assert (only.cell, only.certain, only.beliefs) == ((0,), "HIV", {"HIV": 1})
    assert not found.warnings


def test_a_release_without_a_sensitive_column_is_told_so():
    with pytest.raises(CRAError, match="shows no sensitive column"):
        who_has_what(attack(Release(Study([Attribute("age", 0, 40, 2)], 2), TABLE[["age"]])))
