"""Who has what: a case worked out by hand, its command, and its findings."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, LDiversity, Release, Roles, Study, attack, check, recode, who_has_what
from cra_engine.checks import demands_of
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.risk.values import CellValues, WhoHasWhat

ROOT = Path(__file__).parents[3]
STUDY = Study([Attribute("age", 0, 40, 2)], 2, privacy=[LDiversity("illness", 2)])
THIRDS = [Fraction(1, 3)] * 3
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


def test_a_study_that_no_data_fit_is_refused_and_the_models_are_named():
    """Three of a class with flu and cold: for k alone one leaf would hold two of them, and be a class."""
    alone = Study([Attribute("age", 0, 40, 2)], 2, roles=Roles(sensitive=["illness"]))
    with pytest.raises(CRAError, match="No data give this release; check that k, the privacy models besides it,"):
        who_has_what(attack(Release(alone, TABLE)))


def test_a_class_formed_before_tells_whom_the_suppressed_record_is():
    table = pd.DataFrame({"age": ["*", "[20, 40[", "[20, 40["], "illness": ["HIV", "flu", "cold"]})
    found = who_has_what(attack(Release(STUDY, table)))
    (only,) = found.certain
    assert (only.cell, only.certain) == ((0,), "HIV")
    assert found.sentence(only) == "Exactly one person has age in [0, 20[, and that person has HIV."


def test_likelihoods_are_those_of_what_all_classes_together_leave():
    """By itself the class of two leaves it open who of them is where.

    But boxes of all ``a`` with a leaf of ``b`` were tried first (they lose less: 2 x 4/3 to 13/9 x 2), and there the
    suppressed flu and a gout would have been a class.
    """
    study = Study([Attribute("a", 0, 10, 2), Attribute("b", 0, 4, 2)], 1, privacy=[LDiversity("illness", 2)])
    rows = [("*", "*", "flu"), *[("[0, 5[", "[2, 4[", name) for name in ("cold", "HIV")]]
    rows += [("[5, 10[", "*", name) for name in ("gout", "flu")]
    attacked = attack(Release(study, pd.DataFrame(rows, columns=["a", "b", "illness"])))
    found = {one.cell: one for one in who_has_what(attacked).cells}
    assert {cell: one.certain for cell, one in found.items()} == {(0, 0): "flu", (1, 0): "flu", (1, 1): "gout"}
    (part,) = [part for part in attacked.parts if (1, 0) in part.free_cells]
    assert {belief for belief, _ in part.value_chances((1, 0)).values()} == {0.5}
    assert found[1, 0].beliefs == found[1, 0].alone_with == {"flu": 1, "gout": 0}
    assert found[1, 0].gain == found[1, 1].gain == 0.5


def test_where_one_person_is_certain_likelihoods_are_those_of_one_person():
    """A share of .25 asks for two records: the suppressed two are in different leaves, which they alone leave open."""
    study = Study([Attribute("a", 0, 8, 3)], 1, 0.25, [LDiversity("illness", 2)])
    rows = [("[0, 2[", name) for name in ("cold", "HIV", "cold")] + [
        ("[6, 8[", name) for name in ("cold", "HIV", "gout")
    ]
    table = pd.DataFrame([*rows, ("*", "flu"), ("*", "cold")], columns=["a", "illness"])
    attacked = attack(Release(study, table))
    assert sum(chance for _, chance in attacked.parts[-1].value_chances((1,)).values()) < 1
    assert [one.cell for one in who_has_what(attacked).cells] == [(1,), (2,)]
    for one in who_has_what(attacked).cells:
        assert one.alone
        assert one.beliefs == one.alone_with == {"flu": 0.5, "cold": 0.5}
        assert one.gain == 0


def test_an_unknown_likelihood_is_told_with_its_reason():
    """Nothing says what a value's likelihood is where the class by itself allows what all together exclude."""
    one = CellValues(
        (0,),
        (0,),
        False,
        ("flu", "cold"),
        dict(zip(("flu", "cold", "gout"), THIRDS, strict=True)),
        {"gout": Fraction(0)},
        {"gout": Fraction(0)},
        "reason",
    )
    assert (one.gain, one.likeliest) == (Fraction(1, 6), None)  # a third is shared out among two
    attacked = attack(Release(STUDY, TABLE))
    found = WhoHasWhat(attacked, ("illness",), (one,), True, True, True)
    assert found.to_dict()["cells"][0]["likelihoods"] == {"flu": None, "cold": None, "gout": 0}
    assert found.to_frame()["likelihood"].isna().tolist() == [True, True, False]
    assert found.warnings[-1] == "Of 1 of 1 cells the likelihood of some values is not known: reason."
    assert found.mean_gain == pytest.approx(1 / 6)


def cell_of(leaf, alone, *possible):
    shares = {"flu": Fraction(1, 2), "cold": Fraction(1, 4), "gout": Fraction(1, 4)}
    return CellValues((leaf,), (0,), alone, possible, shares, {}, {}, "reason")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([], "no cell settles the value of whoever is there, and none excludes a value that its class shows"),
        (
            [cell_of(0, True, "flu", "cold", "gout"), cell_of(1, False, "flu", "cold")],
            (
                "no cell settles the value of whoever is there; 1 person stands alone for certain, with several values "
                "left; in 1 cell nobody has some value that the class shows"
            ),
        ),
        (
            [cell_of(0, True, "flu"), cell_of(1, True, "flu", "cold"), cell_of(2, True, "flu", "gout")],
            (
                "1 cell settles the value of whoever is there; 3 people stand alone for certain, 1 of them there; in 2 "
                "more cells nobody has some value that the class shows"
            ),
        ),
        (
            [cell_of(0, False, "flu"), cell_of(1, False, "flu")],
            "2 cells settle the value of whoever is there, and nobody is certain to stand there alone",
        ),
        (
            [cell_of(0, False, "flu"), cell_of(1, True, "cold"), cell_of(2, False, "flu", "gout")],
            (
                "2 cells settle the value of whoever is there; 1 person stands alone for certain, there; in 1 more "
                "cell nobody has some value that the class shows"
            ),
        ),
        (
            [cell_of(0, False, "flu"), cell_of(1, True, "cold", "gout", "flu")],
            "1 cell settles the value of whoever is there; 1 person stands alone for certain, elsewhere",
        ),
        (
            [cell_of(0, True, "flu"), cell_of(1, True, "cold"), cell_of(2, False, "gout")],
            "3 cells settle the value of whoever is there; 2 people stand alone for certain, there",
        ),
    ],
)
def test_settled_cells_are_said_before_the_people_who_are_certain_to_stand_there(cells, said):
    """A cell that settles a value gives away whoever is known to be there, also where it may be empty."""
    found = WhoHasWhat(attack(Release(STUDY, TABLE)), ("illness",), tuple(cells), True, True, True)
    assert found.in_numbers() == said
    short = replace(found, complete=False).in_numbers()
    assert short == re.sub(r"(?<=; )(?=\d+ (person|people) stand)", "at least ", said)


def test_what_the_class_itself_tells_is_not_settled_by_a_cell():
    alike = CellValues((0,), (0,), False, ("flu",), {"flu": Fraction(1)}, {"flu": Fraction(1)}, {}, "")
    assert not WhoHasWhat(attack(Release(STUDY, TABLE)), ("illness",), (alike,), True, True, True).settled


def test_the_check_says_it_in_a_plain_sentence():
    people = pd.DataFrame({"age": [5, 25, 27], "illness": ["HIV", "flu", "cold"]})
    (told,) = [one.text for one in check(people, STUDY).findings if one.code == "who-has-what"]
    assert told == (
        "From the release alone, in 'illness': 1 cell settles the value of whoever is there; at least 1 person "
        "stands alone for certain, there. Exactly one person has age in [0, 20[, and that person has HIV. Ask for a "
        "larger l, or publish by safe recoding."
    )


def test_the_command_says_it(run, tmp_path):
    STUDY.to_toml(tmp_path / "study.toml")
    table = pd.DataFrame({"age": ["*", "[20, 40[", "[20, 40["], "illness": ["HIV", "flu", "cold"]})
    table.to_csv(tmp_path / "release.csv", index=False)
    asked = ("single-out", tmp_path / "release.csv", "--study", tmp_path / "study.toml", "--values")
    said = run(*asked)
    assert "that person has HIV." in said.out
    assert (
        "1 cell settles the value of whoever is there; at least 1 person stands alone for certain, there." in said.out
    )
    told = run(*asked, "--json").json
    assert told["certain"] == 1
    assert told["finished"]
    assert not told["complete"]  # under l-diversity impossible tables are counted, too
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


def test_the_check_and_who_has_what_count_the_same_people_and_say_as_sure():
    """Under l-diversity impossible tables are counted, too, so either may miss somebody."""
    ward, study = pd.read_csv(ROOT / "sample_data/ward.csv"), Study.from_toml(ROOT / "sample_data/ward.toml")
    checked = {one.name: one.figure for one in demands_of(check(ward, study))}
    found = who_has_what(attack(recode(ward, study).release))
    alone = sum(one.alone for one in found.cells)
    assert checked["nobody singled out for certain"].startswith(f"at least {alone} of 36 people")
    assert f"at least {alone} people stand alone for certain, {len(found.certain)} of them there" in found.in_numbers()
    assert checked["nobody's sensitive value known for certain"].startswith(
        f"at least {len(found.certain)} of 36 people"
    )
    assert 0 < len(found.certain) < alone
