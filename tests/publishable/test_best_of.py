"""Which outcomes are shown, and that what is said of each is true of it against the others."""

from types import SimpleNamespace

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cra_engine import Attribute, Study
from cra_engine.publishable import Outcome, Step, best_of
from cra_engine.publishable.choice import Decided, Pin

COLUMNS = "age", "sex", "city", "height"
BASIC = "age", "sex"
STUDY = Study([Attribute("age", 0, 80, 4)], 2)


def outcome(costs, suppressed=0, left_out=0, pins=(), hardly=(), rows=0):
    """A table that costs so much per column, and by rows that are left out; what costs 9 is not shown."""
    decided = Decided(pins=tuple(map(Pin, pins)))
    steps = (*(Step(name, "", cost / 100) for name, cost in costs.items()), Step("", "left out", rows / 100))
    gone = tuple(name for name, cost in costs.items() if cost == 9)
    cost = (sum(costs.values()) + rows) / 100
    weights = dict.fromkeys(costs, 0.09)
    ages = [
        f"[{low}, {low + 80 // 2**finer}[" for finer in (3 - costs["age"] // 3,) for low in range(0, 80, 80 // 2**finer)
    ]
    checked = SimpleNamespace(verdict="ready", frame=pd.DataFrame({"age": [*ages, ages[0], "*"]}))
    besides = {"weights": weights, "basic": BASIC, "hardly": hardly}
    return Outcome(None, "", "", STUDY, checked, None, cost, steps, suppressed, left_out, 0, gone, decided, **besides)


def said(*ready):
    return [one.best_at for one in best_of(ready)]


def test_what_is_finest_is_named_and_what_is_not_shown_is_not():
    most = outcome({"age": 4, "sex": 0, "city": 9})
    finest = outcome({"age": 1, "sex": 9, "city": 9})
    assert said(most, finest) == ["keeps most detail", "keeps age (8 groups) finest"]


def test_the_same_columns_minus_one_are_not_shown():
    most = outcome({"age": 4, "sex": 0, "city": 2})
    assert said(most, outcome({"age": 4, "sex": 0, "city": 9})) == ["keeps most detail"]
    assert said(most, outcome({"age": 4, "sex": 0, "city": 2})) == ["keeps most detail"]


def test_not_all_that_is_shown_goes_without_age():
    cheap = {"age": 9, "sex": 0, "city": 0, "height": 4}
    shown = best_of(
        [
            outcome(cheap),
            outcome(cheap | {"height": 2, "city": 3}),
            outcome(cheap | {"height": 1, "city": 4}),
            outcome({"age": 5, "sex": 9, "city": 9, "height": 9}),
        ]
    )
    assert "age" not in shown[-1].gone
    assert shown[-1].best_at == "keeps age (4 groups) finest"


def test_another_column_is_named():
    one, other = {"age": 2, "sex": 0, "city": 9, "height": 0}, {"age": 2, "sex": 0, "city": 8, "height": 9}
    assert said(outcome(one), outcome(other)) == ["keeps most detail", "shows city"]


def test_as_many_groups_at_less_detail_take_no_title_away():
    most = outcome({"age": 4, "sex": 0, "city": 0}, left_out=2)
    finest = outcome({"age": 2, "sex": 0, "city": 4}, left_out=2)
    columns = outcome({"age": 5, "sex": 1, "city": 1, "height": 0}, left_out=2)
    assert said(most, finest) == ["keeps most detail", "keeps age (8 groups) finest"]
    without_sex = outcome({"age": 1, "sex": 9, "city": 9}, left_out=0)
    shown = best_of([most, finest, columns, without_sex])
    assert [(one.best_at, one.cost) for one in shown] == [
        ("keeps most detail", most.cost),
        ("keeps most detail in age and sex", finest.cost),
        ("leaves out fewest rows", without_sex.cost),
    ]


def test_as_few_rows_left_out_at_less_detail_take_no_title_away():
    most = outcome({"age": 2, "sex": 0, "city": 0}, left_out=5)
    few = outcome({"age": 3, "sex": 1, "city": 0}, suppressed=3)
    fewer = outcome({"age": 3, "sex": 9, "city": 9})
    assert said(most, few) == ["keeps most detail", "leaves out fewest rows; 3 say little"]
    assert said(most, few, fewer) == [*said(most, few), "leaves fewest rows without detail"]


def test_a_column_that_hardly_shows_anything_is_not_counted_among_most_columns_nor_called_shown():
    most = outcome({"age": 1, "sex": 0, "city": 9, "height": 9}, left_out=2)
    more = {"age": 8, "sex": 1, "city": 8, "height": 9}
    assert said(most, outcome(more, left_out=2)) == ["keeps most detail", "keeps most columns"]
    assert said(most, outcome(more, left_out=2, hardly=("city",))) == ["keeps most detail"]
    assert said(most, outcome(more, left_out=2, hardly=("age",))) == ["keeps most detail", "shows city"]


def test_what_keeps_most_of_what_has_to_stay_stands_first_where_that_costs_little_more():
    most = {"age": 4, "sex": 0, "city": 0, "height": 0}
    finer = "keeps age (8 groups) finest"
    for city in (3, 7):  # the second costs five of a hundred more, of all detail
        dear = outcome({**most, "age": 2, "city": city}, pins=["age"])
        assert said(outcome(most, pins=["age"]), dear) == [finer, "keeps most detail"]
    assert said(outcome(most), outcome({**most, "age": 2, "city": 3})) == ["keeps most detail", finer]
    dear = outcome({**most, "age": 2, "city": 8}, pins=["age"])
    assert said(outcome(most, pins=["age"]), dear) == ["keeps most detail", finer]


def test_what_is_too_dear_does_not_keep_what_costs_little_more_from_standing_first():
    most = outcome({"age": 4, "sex": 0, "city": 4, "height": 0}, pins=["city"])
    near = outcome({"age": 5, "sex": 2, "city": 2, "height": 0}, pins=["city"])
    dear = outcome({"age": 7, "sex": 5, "city": 1, "height": 8}, pins=["city"], left_out=0)
    shown = best_of([most, near, dear])
    assert [one.costs for one in shown[:2]] == [near.costs, most.costs]
    assert shown[0].best_at == "keeps more of what has to stay, for little less detail"


def test_of_several_columns_that_have_to_stay_the_sum_counts():
    most = outcome({"age": 4, "sex": 0, "city": 3, "height": 0}, pins=["age", "city"])
    age = outcome({"age": 1, "sex": 0, "city": 5, "height": 2}, pins=["age", "city"])
    city = outcome({"age": 5, "sex": 0, "city": 0, "height": 3}, pins=["age", "city"])
    assert best_of([most, age, city])[0].costs == city.costs
    assert [one.pins_lost for one in (city, age, most)] == [0.05, 0.06, 0.07]


def test_rows_that_are_left_out_keep_nothing_of_what_has_to_stay():
    """Of one table age is finer by 1 % of all detail; that leaves 30 % of all rows out costs more than that."""
    every = outcome({"age": 4, "sex": 0, "city": 0, "height": 8}, pins=["age"])
    fewer = outcome({"age": 3, "sex": 0, "city": 0, "height": 0}, left_out=30, pins=["age"], rows=30)
    assert every.pins_kept["age"] == pytest.approx(1 - 4 / 9)
    assert fewer.pins_kept["age"] == pytest.approx(0.7 - 3 / 9)
    assert every.pins_lost < fewer.pins_lost
    assert best_of([fewer, every])[0].costs == every.costs


costs = st.fixed_dictionaries({name: st.integers(0, 9) for name in COLUMNS})


pinned = st.sampled_from([(), ("age",), ("city", "age")])


@given(st.lists(st.tuples(costs, st.integers(0, 3)), min_size=1, max_size=8), pinned)
@example(
    [
        ({"age": 1, "sex": 0, "city": 0, "height": 0}, 1),
        ({"age": 0, "sex": 1, "city": 0, "height": 0}, 1),
        ({"age": 0, "sex": 1, "city": 0, "height": 1}, 0),
    ],
    ("age",),
)
@example([({"age": 1, "sex": 0}, 1), ({"age": 0, "sex": 1}, 1), ({"age": 0, "sex": 1}, 0)], ("age",))
@example(
    [
        ({"age": 1, "sex": 0, "city": 0, "height": 1}, 1),
        ({"age": 2, "sex": 0, "city": 0, "height": 0}, 0),
        ({"age": 1, "sex": 1, "city": 0, "height": 0}, 0),
    ],
    ("age",),
)
@example([({"sex": 0, "age": 0, "city": 0, "height": 2}, 1), ({"sex": 1, "age": 1, "city": 0, "height": 0}, 0)], ())
def test_every_title_is_true(drawn, pins):
    shown = best_of([outcome(*one, pins=pins) for one in drawn])
    assert 1 <= len(shown) <= 3
    least = min(one.cost for one in shown)
    near = [one for one in shown if one.cost <= least + 0.05 + 1e-9]
    assert shown[0] is min(near, key=lambda one: (one.pins_lost, one.cost))
    assert [one.cost for one in shown[1:]] == sorted(one.cost for one in shown[1:])
    for one in shown:
        others = [other for other in shown if other is not one]
        for other in others:
            finer = any(cost < other.costs[name] for name, cost in one.costs.items())
            assert finer or one.lost_rows < other.lost_rows
        match one.best_at.split():
            case ["keeps", "most", "detail"]:
                assert all(one.cost < other.cost for other in others)
            case ["keeps", "most", "columns"]:
                assert all(len(one.gone) < len(other.gone) for other in others)
            case ["keeps", "more", *_]:
                assert one is shown[0]
                assert one.pins_lost < min(others, key=lambda other: (other.cost, -other.pins_lost)).pins_lost
            case ["keeps", "most", "detail", "in", *_]:
                assert all(one.asked_for_lost < other.asked_for_lost for other in others)
            case ["keeps", *names, "finest"]:
                groups = " ".join(names).partition(" (")[2].partition(" groups)")[0]
                assert groups == (str(len(set(one.frame["age"])) - 1) if "age" in names else "")
                for name in {"age", "sex"} & set(names):
                    assert name not in one.gone
                    assert all(one.costs[name] < other.costs[name] for other in others)
            case ["leaves", "fewest", *_]:
                assert all(one.lost_rows < other.lost_rows for other in others)
            case ["shows", *names]:
                for name in " ".join(names).replace(",", "").replace(" and", "").split():
                    assert name not in one.gone
                    assert all(name in other.gone for other in others)
            case _:
                raise AssertionError(one.best_at)


def worth(one):
    """What the title of a table says, by what it says it of; the less the better."""
    match one.best_at.split():
        case ["keeps", "most", "detail"]:
            return {"detail": one.cost}
        case ["keeps", "most", "columns"]:
            return {"columns": (len(one.gone), one.cost)}
        case ["keeps", "most", "detail", "in", *names]:
            return {" ".join(names): (one.asked_for_lost, one.cost)}
        case ["keeps", *names, "finest"]:
            return {name: (one.costs[name], one.groups_of("age"), one.cost) for name in {"age", "sex"} & set(names)}
        case ["leaves", "out", *_]:
            return {"left out": (one.left_out, one.cost)}
        case ["leaves", *_]:
            return {"rows": (one.lost_rows, one.cost)}
    return {}


found = st.lists(st.tuples(costs, st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=8)


@given(found, st.integers(1, 7), pinned)
def test_what_is_found_later_makes_no_table_with_the_same_title_worse(drawn, first, pins):
    tables = [outcome(*one, pins=pins) for one in drawn]
    before = {title: value for one in best_of(tables[:first]) for title, value in worth(one).items()}
    for one in best_of(tables):
        for title, value in worth(one).items():
            if title in ("age", "sex") and title in before:
                cost, groups, lost = before[title]
                assert value[0] <= cost
                assert title == "sex" or value[1] > groups or value[2] <= lost
            else:
                assert value <= before.get(title, value)
