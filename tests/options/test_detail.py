"""The detail that an option loses is what Make it publishable says of the same table."""

import pytest

from cra_engine import OptionGrid, Roles, Rule, Study, compare, synthesize
from cra_engine.options import weights_text
from cra_engine.options.option import Way
from cra_engine.publishable import Choice, Space
from cra_engine.publishable.choice import AS_IT_IS
from cra_engine.publishable.making import Maker

TOY = synthesize("toy")


def people(*, gaps):
    """People with an illness, hidden of two, and a ward that go out as they are; some ages missing, where asked."""
    data = TOY.data.astype(str)
    data["illness"] = [("flu", "gout", "cold")[row % 3] for row in range(len(data))]
    data["unit"] = [("north", "south")[row % 2] for row in range(len(data))]
    data.loc[[5, 9], "illness"] = "*"
    if gaps:
        data.loc[[3, 8, 20], "age"] = ""
    return data


@pytest.mark.parametrize("gaps", ["leave-out", "category", "none"])
@pytest.mark.parametrize("layers", [2, 3])
def test_an_option_loses_the_detail_that_the_same_publishable_table_loses(gaps, layers):
    data, (age, weight) = people(gaps=gaps != "none"), TOY.study.attributes
    attributes = [age if gaps == "none" else age.with_missing(gaps), weight]
    study = Study(attributes, 3).with_roles(Roles(keep=["illness", "unit"]))
    space = Space.of(data, study, Rule())
    heights = tuple(layers if column.known else AS_IT_IS for column in space.columns)
    table = Maker(space, Rule()).make(Choice(heights, 3, Way.of(study), ""))
    compared = compare(data, table.made.study, OptionGrid.of(table.made.study))
    assert compared.present.value("detail") == pytest.approx(table.cost, abs=1e-12)
    told = weights_text(compared.weights)
    assert told.startswith("of all detail age is 50.0 %, ")
    assert told.endswith(", but age counts threefold, as hardly any analysis does without it")
    assert 0 < table.cost < 1


def test_one_value_far_outside_makes_no_group_look_finer():
    """An age of 214 in the group of 100 and more stretched the range, and 25 years of 80 lost next to nothing."""
    age, weight = TOY.study.attributes
    study = TOY.study.changed(attributes=[age.changed(above=True), weight])
    lost = []
    for oldest in (100, 214):
        data = TOY.data.copy()
        data.loc[data["age"].idxmax(), "age"] = oldest
        space = Space.of(data, study, Rule())
        place = [column.name for column in space.columns].index("age")
        lost.append([space.least_cost(place, layers, "leave-out") for layers in (2, 3)])
    assert 0 < lost[0][1] < lost[0][0]
    assert lost[0] == lost[1]
