"""What is read out of a raw table's columns, and the study proposed from them."""

import pandas as pd
import pytest

from cra_dashboard.session import state
from cra_dashboard.table import columns
from cra_engine import Attribute, LDiversity, Roles, Study, check, recode
from cra_engine.raw import contents
from cra_engine.raw.columns import gaps_in, read_column
from cra_engine.raw.numbers import numbers
from cra_engine.raw.written import Problem


def inspect(**cells):
    return {column.name: column for column in contents.inspect(pd.DataFrame(cells))}


def test_numbers_text_and_nothing():
    found = inspect(
        age=["31", "45", " 31 ", ""],
        town=["Oslo", "Rome", "", "Oslo"],
        blank=["", "NA", "?", "null"],
        score=[0.5, 2.0, float("nan"), 1.0],
    )
    age, town, blank, score = found.values()
    assert (age.cells, age.missing, age.distinct, list(age.values)) == (4, 1, 2, [31, 45, 31])
    assert (age.smallest, age.largest, age.refusal) == ("31", "45", "")
    assert (town.numeric, town.missing, town.distinct, town.problems, town.proposal) == (False, 1, 2, (), None)
    assert "text" in town.refusal
    assert (blank.numeric, blank.missing, blank.refusal) == (False, 4, "It is empty.")
    assert (score.missing, score.distinct, score.smallest, score.largest) == (1, 3, "0.5", "2")


def test_a_few_texts_that_repeat_can_be_shown_each_by_itself_or_not_at_all():
    towns = inspect(town=["Oslo", "Rome"] * 3)["town"]
    assert (towns.refusal, towns.flat.rows) == ("", (("Oslo", "Oslo", "*"), ("Rome", "Rome", "*")))
    assert contents.proposed_study([towns]).attributes == (towns.flat,)
    many = inspect(note=[f"n{i}" for i in range(contents.MOST_TEXTS + 1)] * 3)["note"]
    assert many.flat is None
    assert "text" in many.refusal


@pytest.mark.parametrize("word", ["none", "None", "keine", "nein", "no"])
def test_a_word_that_says_there_is_none_is_a_value_wherever_values_are_counted(word):
    """27 people of whom 27 show it beside five illnesses, in classes of two that show it and an illness each."""
    ills = ["flu", "gout", "cold", "HIV", "asthma"]
    people = pd.DataFrame([{"age": 20 + n, "illness": ill} for n in range(27) for ill in (word, ills[n % 5])]).astype(
        str
    )
    (_, illness) = contents.inspect(people)
    assert (illness.missing, illness.distinct, dict(illness.counted)[word]) == (0, 6, 27)
    assert not gaps_in(people["illness"], illness.hierarchy).any()
    study = Study([Attribute("age", 16, 48, 6)], 2, roles=Roles(sensitive=["illness"]))
    checked = check(people, study)
    assert {column.name: column.distinct for column in checked.columns}["illness"] == 6
    assert [one.distinct_l for one in checked.diversity] == [2]
    diverse = study.changed(privacy=[LDiversity("illness", 2)])
    assert recode(people, diverse).frame["age"].tolist() == recode(people, study).frame["age"].tolist()
    assert check(people.assign(illness=["", "flu"] * 27), study).diversity[0].distinct_l == 1


def test_none_among_numbers_is_a_gap():
    (smoked,) = contents.inspect(pd.DataFrame({"cigarettes": ["10", "none", "20", "none", "5", "", "40"]}))
    assert (smoked.missing, smoked.distinct, smoked.numeric) == (3, 4, True)


def test_a_few_words_among_numbers_are_a_problem_many_make_it_text():
    few = inspect(age=["31", "45", "old"])["age"]
    assert [problem.rows for problem in few.problems] == [(3,)]
    assert few.proposal is not None
    many = inspect(age=["31", "young", "old"])["age"]
    assert (many.numeric, many.problems) == (False, ())


def test_all_columns_that_others_may_know_and_that_have_a_hierarchy_are_proposed():
    ten = range(10)
    found = contents.inspect(
        pd.DataFrame(
            {
                "line": ten,  # a running number
                "name": [f"p{i}" for i in ten],  # text
                "sex": [i % 2 for i in ten],  # two codes
                "gaps": ["", *(str(i * i) for i in range(1, 10))],
                "age": [20 + i * i for i in ten],
                "weight": [50 + 3 * i for i in ten],
                "height": [150 + 5 * i for i in ten],
            }
        )
    )
    study = contents.proposed_study(found)
    assert study.names == ("sex", "age", "weight", "height")
    assert (study.k, study.profile) == (5, "paper")


def test_what_others_may_know_is_proposed_however_few_its_values_and_nothing_else_unasked():
    found = contents.inspect(pd.DataFrame({"line": [1, 2, 3], "age": [31, 44, 31]}))
    study = contents.proposed_study(found)
    assert (study.names, study.k) == (("age",), 3)
    # Numbers of which nobody says that others may know them.
    draws = [7 * place % 40 for place in range(60)]
    unnamed = contents.inspect(pd.DataFrame({"pan_day": draws, "score": draws[::-1], "age": [20 + n for n in draws]}))
    assert contents.proposed_study(unnamed).names == ("age",)
    assert contents.proposed_study(unnamed[:2]) is None


def test_the_first_quasi_identifiers_that_somebody_chooses_come_with_the_roles_that_go_without_saying():
    draws = [7 * place % 40 for place in range(60)]
    table = {"score": draws, "mail": [f"p{place}@example.org" for place in draws], "asthma": ["yes", "no"] * 30}
    study = contents.with_quasi_identifiers(None, contents.inspect(pd.DataFrame(table)), ["score"])
    assert study.names == ("score",)
    assert (study.roles.remove, study.roles.sensitive) == (("mail",), ("asthma",))


def test_quasi_identifiers_that_stay_keep_hierarchy_and_place():
    found = contents.inspect(pd.DataFrame({name: [1, 5, 9, 14] for name in "abc"}))
    mine = Attribute("c", 0, 64, 5)
    study = Study([mine, Attribute("a", 0, 16, 2)], 2, "arx-gui")
    changed = contents.with_quasi_identifiers(study, found, ["a", "b", "c"])
    assert changed.names == ("c", "a", "b")
    assert changed.attributes[:2] == study.attributes
    assert (changed.k, changed.profile) == (2, "arx-gui")
    assert contents.with_quasi_identifiers(changed, found, ["c"]).attributes == (mine,)


def test_findings_hold_quasi_identifiers_against_their_domain():
    frame = pd.DataFrame({"age": [5, 15, 25], "score": ["1", "", "3"]})
    data = state.make_dataset("t", "", "uploaded", frame)
    found = contents.inspect(frame)
    attribute = Attribute("age", 0, 20, 2)
    study = Study([attribute], 2)
    rows = columns.findings(data, found, study)
    assert [(row["column"], row["rows"], row["stops the recoding"]) for row in rows] == [
        ("age", "row 3 (4 in a spreadsheet)", "yes"),
        ("score", "row 2 (3 in a spreadsheet)", "no"),
    ]
    # Without a study nothing is outside anything.
    assert [row["column"] for row in columns.findings(data, found, None)] == ["score"]


def test_empty_cells_of_a_yes_or_no_are_listed_and_its_values_are_published_as_they_are():
    frame = pd.DataFrame({"smoker": ["ja", "nein", "", "nein", "ja", "ja"], "insulin": [0, 1, 0, 1, 0, 0]})
    found = contents.inspect(frame)
    rows = columns.findings(state.make_dataset("t", "", "uploaded", frame), found, None)
    assert [(row["column"], row["rows"]) for row in rows] == [("smoker", "row 3 (4 in a spreadsheet)")]
    assert rows[0]["stops the recoding"] == "no"
    assert [node.label for node in found[1].hierarchy.layer_nodes[0]] == ["0", "1"]


def test_a_column_that_the_table_lacks_is_a_problem():
    data = state.make_dataset("t", "", "uploaded", pd.DataFrame({"age": [1]}))
    leaf, (problem,) = columns.placed(data, Attribute("weight", 0, 8, 2))
    assert len(leaf) == 0
    assert "no column 'weight'" in problem.text


def test_every_kind_of_finding_falls_into_what_and_how_to_mend():
    attribute = Attribute("age", 0, 20, 2)
    columns_with_findings = [
        pd.Series(["1", "", "x"], name="age"),
        pd.Series(["1", "a; b", "2,5"], name="age"),
        pd.Series(["1,5", "2,5"], name="age"),
        pd.Series([1, 99], name="age"),
        pd.Series([1.5, 2.5], name="age"),
    ]
    problems: list[Problem] = []
    for column in columns_with_findings:
        problems += [*numbers(column)[1], *read_column(column, attribute).problems]
    assert len(problems) >= 5
    for problem in problems:
        what, mend = columns.in_parts(problem)
        assert what
        assert mend
        assert f"Column 'age': {what}; {mend}." == problem.text
