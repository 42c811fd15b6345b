"""What has to stay stays, in every row that is shown; who stands in its way is left out or named."""

from decimal import Decimal
from itertools import islice
from random import Random

import pandas as pd
import pytest
from searched import clinic, small_table, with_few_of_an_age, with_gaps_in_two_columns

from cra_engine import CRAError, Release, Rule, StudyError, synthesize
from cra_engine.options.option import LIKELIEST, Way
from cra_engine.publishable import Pin, Space, publishable, published_by, search_on, settings_of
from cra_engine.publishable.making import Maker
from cra_engine.publishable.one_search import Search
from cra_engine.words import percent
from truth import excluded


def test_what_is_pinned_stays():
    made = synthesize("toy")
    found = publishable(made.data, made.study, pins=[Pin("weight", Decimal(20))], time_limit=60)
    weight = next(column for column in found.space.columns if column.name == "weight")
    assert 0 not in weight.heights
    for one in found.outcomes:
        finest = next(a for a in one.study.attributes if a.name == "weight").layer_nodes[0]
        assert all(node.upper - node.lower <= 20 for node in finest)
    with pytest.raises(StudyError, match="keeps nothing"):
        Pin.of("weight=often")
    with pytest.raises(StudyError, match="finer ones"):
        publishable(made.data, made.study, pins=[Pin("weight", Decimal("0.5"))])
    with pytest.raises(StudyError, match="'height' does not go out"):
        publishable(made.data, made.study, pins=[Pin("height")])


def test_what_is_kept_of_each_pinned_column_is_counted_by_itself():
    """Of a ward that goes out as it stands the share of the rows that do not hide it, however much it weighs."""
    data, study = small_table(0)
    space = Space.of(data, study, Rule(), [Pin("age"), Pin("ward")])
    maker, hidden = Maker(space, Rule()), set()
    for choice in islice(space.choices(), 8):
        try:
            table = maker.make(choice)
        except CRAError:
            continue  # a pinned column would tell nothing
        outcome = maker.outcome(table, maker.checked(table, 10.0))
        stars = int((outcome.frame["ward"].astype(str) == "*").sum())
        assert set(outcome.frame["ward"].astype(str)) <= {"north", "south", "*"}
        assert list(outcome.pins_kept) == ["age", "ward"]
        assert outcome.pins_kept["ward"] == pytest.approx(1 - stars / len(data))
        lost = sum(outcome.weights[name] * (1 - share) for name, share in outcome.pins_kept.items())
        rest = sum(cost for name, cost in outcome.costs.items() if name not in outcome.pins_kept)
        assert outcome.cost == pytest.approx(lost + rest)
        hidden.add(stars)
    assert max(hidden) > 0


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("way", [Way("local", "paper"), Way("repaired", LIKELIEST), Way("global", Decimal("0.05"))])
def test_no_row_that_is_shown_is_wider_than_what_was_pinned(seed, way):
    random = Random(seed)
    data, study = small_table(3 * seed)
    pins = [Pin("age", Decimal(random.choice([10, 20]))), Pin("weight", Decimal(random.choice([40, 50])))]
    pins = random.sample(pins, 2 - seed)
    space = Space.of(data, study, Rule(), pins)
    maker, made = Maker(space, Rule()), 0
    for choice in space.choices():
        if choice.way.name != way.name or choice.k != space.ks[0]:
            continue
        try:
            table = maker.make(choice)
        except CRAError:
            continue
        made += 1
        if way.name == "local":  # whoever reads the table by the study that is handed out excludes no truth
            assert excluded(Release(table.made.study, table.made.table.frame), table.data) == []
        names = [attribute.name for attribute in table.made.study.attributes]
        for row in table.frame[names].astype(str).to_dict("records"):
            if set(row.values()) == {"*"}:
                continue
            for pin in pins:
                assert _width_of(row[pin.name]) <= pin.widest
    assert made or way.name == "global"


def _width_of(label):
    lower, upper = map(int, label.strip("[]()").replace(";", ",").split(","))
    return upper - lower


def test_a_pin_makes_the_intervals_that_it_asks_for():
    data, study = clinic("1955")
    for width in (5, 10, 8):
        found = publishable(
            data, study.with_roles(study.roles), pins=[Pin("birth year", Decimal(width))], time_limit=60
        )
        finest = next(a for a in found.space.columns if a.name == "birth year").hierarchy.layer_nodes[0]
        assert {node.upper - node.lower for node in finest if not node.coded} == {width}


def test_no_pin_comes_to_a_better_table_than_the_search_without_it():
    data, study = with_gaps_in_two_columns()
    free = publishable(data, study, time_limit=60)
    for width in (10, 20):
        pinned = publishable(data, study, pins=[Pin("age", Decimal(width))], time_limit=60).outcomes[0]
        assert free.outcomes[0].cost <= pinned.cost
        # What is shown as finest of a column is no worse than what a pin of the column keeps.
        finest = next((one for one in free.outcomes if one.best_at.startswith("keeps age")), free.outcomes[0])
        assert finest.cost <= pinned.cost or finest.costs["age"] < pinned.costs["age"]
        assert finest.left_out <= pinned.left_out or finest.cost < pinned.cost


def test_what_a_pin_of_a_width_comes_to_without_a_few_people_is_found_without_the_width(monkeypatch):
    """Twenty years keep most: ten of both sexes, which leave two people more out, are the finest age beside it."""
    for part in ("go_on", "prove"):  # take long, and look for what costs less than the best alone
        monkeypatch.setattr(Search, part, lambda _: False)
    data, study = with_few_of_an_age()
    told = []
    free = publishable(data, study, time_limit=60, found=told.append)
    pinned = publishable(data, study, pins=[Pin("age", Decimal(10))], time_limit=60).outcomes[0]
    finest = next(one for one in free.outcomes if "age (4 groups)" in one.best_at)
    assert pinned.gone == finest.gone == ("ward",)
    assert (finest.cost, finest.left_out_rows) == (pytest.approx(pinned.cost), pinned.left_out_rows)
    assert len(finest.left_out_rows) == 5
    assert finest.choice in [one.choice for one in told]
    assert free.outcomes[0].cost < finest.cost
    assert free.outcomes[0].left_out == 3
    # What is found once stays, and is told once, when somebody searches on.
    again = search_on(free, time_limit=60, found=told.append)
    assert finest.choice in [one.choice for one in again.outcomes]
    assert [one.choice for one in told].count(finest.choice) == 1


@pytest.mark.exhaustive  # two minutes; test_best_of.py has the order by itself
def test_what_keeps_an_age_that_has_to_stay_finest_stands_first_where_that_costs_little_more():
    data, study = with_few_of_an_age()
    free, pinned = (publishable(data, study, pins=pins, time_limit=60).outcomes for pins in ([], [Pin("age")]))
    cheapest = min(pinned, key=lambda one: one.cost)
    assert free[0].choice == cheapest.choice
    assert (pinned[0].groups_of("age"), cheapest.groups_of("age")) == (4, 2)
    assert cheapest.cost < pinned[0].cost <= cheapest.cost + 0.05
    assert pinned[0].pins_kept["age"] > max(one.pins_kept["age"] for one in pinned[1:])


def test_rows_in_the_way_of_what_has_to_stay_are_left_out_and_told():
    data, study = clinic()
    pins = [Pin("birth year", Decimal(10)), Pin("sex")]
    found = publishable(data, study, pins=pins, time_limit=60)
    best = found.outcomes[0]
    assert best.decided.in_the_way == (73,)
    assert best.left_out_rows == (73,)
    assert all(pin.stays_in(best.study, best.gone) for pin in pins)
    assert [step.text for step in best.steps if not step.column] == ["1 row left out, so that all others show more"]
    assert f", 72 of 73 rows, {percent(1 - best.cost, 1)} of the detail of " in best.label
    assert any(told.startswith("Left out of outcome") and "row 73 (74 in" in told for told in found.warnings)
    again = published_by(data, settings_of(best, Rule(), "clinic.csv", data), best.choice.way, best.seed, best.decided)
    assert again.ready
    pd.testing.assert_frame_equal(again.frame, best.frame)
    # Without the outlier nothing is left out.
    assert not publishable(*clinic("1955"), pins=pins, time_limit=60).outcomes[0].left_out


def test_where_many_stand_in_the_way_of_what_has_to_stay_leaving_them_out_is_offered():
    data, study = clinic()
    more = pd.DataFrame({"birth year": ["1945"] * 4, "sex": ["f"] * 4, "status": ["flu"] * 4})
    data, pins = pd.concat([data, more], ignore_index=True), [Pin("birth year", Decimal(10)), Pin("sex")]
    found = publishable(data, study, pins=pins, time_limit=60)
    assert all(not one.decided.in_the_way for one in found.outcomes)
    away = found.kept_away[0]
    assert away.stays
    assert away.rows == (73, 74, 75, 76, 77)
    assert (
        str(away) == "5 people stand in groups too small or too much alike, for what has to stay: birth year and sex."
    )
    left = publishable(data, study, pins=pins, without_rows=away.rows, time_limit=60)
    assert left.outcomes[0].cost < min((one.cost for one in found.outcomes), default=1)
