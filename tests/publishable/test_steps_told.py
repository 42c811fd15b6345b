"""What is said of each column of an outcome: how wide its groups are, what is hidden, what that loses."""

from dataclasses import replace
from datetime import date

import pandas as pd
import pytest
from searched import clinic

from cra_engine import Attribute, Roles, Rule, Study
from cra_engine.publishable import Choice, Space, Step, archive_files, publishable, settings_of
from cra_engine.publishable.columns import ChosenColumn
from cra_engine.publishable.making import Maker
from cra_engine.publishable.outcome import BY_ROLE
from cra_engine.publishable.words import label_of, shown_text
from cra_engine.study.file_hierarchy import FileHierarchy


def test_a_value_that_was_hidden_by_decision_is_lost_like_one_that_the_search_hides():
    data = pd.DataFrame(
        {"age": [str(20 + row % 20) for row in range(60)], "illness": ["*", *["flu", "gout"] * 29, "flu"]}
    )
    study = Study([Attribute("age", 20, 40, 2)], k=5).with_roles(Roles(sensitive=["illness"]))
    best = publishable(data, study, time_limit=60).outcomes[0]
    (said,) = [step.said for step in best.steps if step.column == "illness"]
    # One of 60 values of a column that counts one of four: age counts threefold.
    assert said == "as it is (sensitive), 1 value hidden as decided; 0.42 % lost"
    assert best.cost == pytest.approx(sum(step.cost for step in best.steps))


def test_values_behind_a_star_are_counted_by_column_whoever_hid_them():
    """Five people of a sex of their own show no year, the oldest of all nothing; two statuses were hidden before."""
    data, study = clinic()
    data.loc[3:7, "sex"] = "d"  # in three decades
    data.loc[[20, 22], "status"] = "*"
    sex = FileHierarchy("sex", (("m", "m", "*"), ("f", "f", "*"), ("d", "d", "*")))
    study = Study([study.attributes[0], sex], 5).with_roles(study.roles)
    space = Space.of(data, study, Rule())
    maker = Maker(space, Rule())
    table = maker.make(Choice((3, 2), 5, space.ways[0], ""))
    one = maker.outcome(table, maker.checked(table, 10.0))
    told = "Rows that show * in place of a value: 6 in birth year, 1 in sex and 3 in status."
    files = archive_files(one, settings_of(one, Rule(), "people.csv", data), "people.csv")
    assert told in files["hand-out/how-to-read.txt"]
    assert told in files["keep/verdict.html"]
    assert {name: step.text for step in one.steps if (name := step.column)} == {
        "birth year": "groups 10 wide, 3 groups in all, "  # one of four decades stands in no row
        "hidden in 6 rows, in 1 of them with all else that others may know, "
        "but no row shows under 1940 (1 person hidden)",
        "sex": "as it is, hidden in 1 row",
        "status": "as it is, hidden in 3 rows, of them 2 hidden as decided",
    }


def test_columns_that_hardly_show_anything_are_named():
    """Ward is hidden in 37 of 73 rows; of sex one group is left beside a star."""
    data, study = clinic("1955")
    data["ward"] = ["*" if row < 37 else ("n", "s")[row % 2] for row in range(73)]
    space = Space.of(data, study.with_roles(study.roles.given("ward", "sensitive")), Rule())
    maker = Maker(space, Rule())
    table = maker.make(Choice((3, 2), 5, space.ways[0], ""))
    table = replace(table, frame=table.frame.assign(sex=["*", *["f"] * 72]))
    assert maker.outcome(table, maker.checked(table, 10.0)).hardly == ("sex", "ward")
    half = replace(table, frame=table.frame.assign(ward=["*"] * 36 + ["n"] * 37))
    assert maker.outcome(half, maker.checked(half, 10.0)).hardly == ("sex",)


def test_missing_values_shown_as_a_star_are_said_where_they_cost():
    data, study = clinic("1955")
    data.loc[[3, 9], "sex"] = ""
    space = Space.of(data, study, Rule())
    maker = Maker(space, Rule())
    table = maker.make(Choice((0, 2), 5, space.ways[0], "*"))
    (sex,) = (step for step in maker.outcome(table, maker.checked(table, 10.0)).steps if step.column == "sex")
    assert sex.text == "as it is, hidden in 2 rows"
    assert sex.cost > 0


def test_a_width_without_a_unit_is_no_number_of_people():
    def width(attribute, layers=2, groups=2):
        column = ChosenColumn(attribute.name, attribute, (attribute.layers,), open_gaps=False, known=True)
        return shown_text(column, layers, "", silent=False, groups=groups)

    assert width(Attribute("Alter", 0, 80, 3)) == "groups of 40 years, 2 groups in all (finest allowed: 20 years)"
    assert width(Attribute("weight", 0, 80, 3, unit="kg")) == "groups of 40 kg, 2 groups in all (finest allowed: 20 kg)"
    assert width(Attribute("weight", 0, 80, 3)) == "groups 40 wide, 2 groups in all (finest allowed: 20 wide)"
    # Of more groups than say little nothing is counted.
    assert width(Attribute("weight", 0, 80, 4), 3, 4) == "groups 20 wide (finest allowed: 10 wide)"
    # As fine as a person agreed to, nothing has to be explained.
    assert width(Attribute("Alter", 0, 80, 3), 3, 4) == "groups of 20 years"
    narrow = Attribute("creatinine", 0, 1.28, 3, resolution=0.01)
    assert width(narrow, 3, 4) == "groups 0.32 wide, such as 0.64 to under 0.96"


def test_the_label_tells_every_column_that_is_wider_than_its_values():
    days = [f"2024-{1 + row % 8:02}-{1 + row % 28:02}" for row in range(48)]
    data = pd.DataFrame(
        {
            "admitted": days,
            "seen": days,
            "sex": [("f", "m")[row % 2] for row in range(48)],
            "weight": [str(row) for row in range(48)],
            "illness": ["flu", "gout", "cold"] * 16,
        }
    )
    begin, end = date(2024, 1, 1), date(2024, 9, 1)
    study = Study(
        [
            Attribute("admitted", begin, end, 3, unit="month"),
            Attribute("seen", begin, end, 4, unit="month"),
            FileHierarchy("sex", (("f", "*"), ("m", "*")), finest=0),
            Attribute("weight", 0, 48, 3),
        ],
        k=2,
    ).with_roles(Roles(sensitive=["illness"]))
    space = Space.of(data, study, Rule())
    finest = Choice(tuple(column.heights[0] for column in space.columns), space.ks[0], space.ways[0], "")
    assert label_of(space, finest) == (
        "admitted in groups of 2 months, seen in groups of 1 month, weight in groups 12 wide"
    )
    seen = next(column for column in space.columns if column.name == "seen")
    # Of dates in months nothing is lost by months.
    assert shown_text(seen, 4, "", silent=False, groups=8) == "groups of 1 month, as fine as the study has it"
    assert shown_text(seen, 3, "", silent=False, groups=4) == "groups of 2 months (finest allowed: 1 month)"
    daily = Attribute("seen", date(2024, 1, 1), date(2024, 1, 9), 4, unit="day")
    column = ChosenColumn("seen", daily, (4,), open_gaps=False, known=True)
    assert shown_text(column, 4, "", silent=False, groups=8) == "as it is"


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step("age", "groups of 20 years", 0.035), "groups of 20 years; 3.5 % lost"),
        (Step("sex", "as it is", 0.0), "as it is; nothing lost"),
        (Step("name", BY_ROLE, 0.0), "removed beforehand; not counted"),
    ],
)
def test_what_every_step_loses_is_told_in_one_form(step, said):
    assert step.said == said
