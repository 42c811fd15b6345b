"""Which outcomes are shown, and that what is said of each is true of it against the others."""

from types import SimpleNamespace

import pandas as pd
from hypothesis import example, given
from hypothesis import strategies as st

from cra_engine import Attribute, Study
from cra_engine.publishable import Outcome, Step, best_of

COLUMNS = "age", "sex", "city", "height"
STUDY = Study([Attribute("age", 0, 80, 4)], 2)


def outcome(costs, suppressed=0):
    """A table that costs so much per column; what costs 9 is not shown."""
    steps = tuple(Step(name, "", cost / 100) for name, cost in costs.items())
    gone = tuple(name for name, cost in costs.items() if cost == 9)
    cost = sum(costs.values()) / 100
    ages = [
        f"[{low}, {low + 80 // 2**finer}[" for finer in (3 - costs["age"] // 3,) for low in range(0, 80, 80 // 2**finer)
    ]
    checked = SimpleNamespace(verdict="ready", frame=pd.DataFrame({"age": [*ages, ages[0], "*"]}))
    return Outcome(None, "", "", STUDY, checked, None, cost, steps, suppressed, 0, 0, gone, None, basic=("age", "sex"))


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


costs = st.fixed_dictionaries({name: st.integers(0, 9) for name in COLUMNS})


@given(st.lists(st.tuples(costs, st.integers(0, 3)), min_size=1, max_size=8))
@example([({"sex": 0, "age": 0, "city": 0, "height": 2}, 1), ({"sex": 1, "age": 1, "city": 0, "height": 0}, 0)])
def test_every_title_is_true(drawn):
    shown = best_of([outcome(*one) for one in drawn])
    assert 1 <= len(shown) <= 3
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
