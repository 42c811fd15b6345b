"""The largest l and the smallest t of a table, against the criteria that they are of."""

from fractions import Fraction
from math import log

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.criteria.diversity import diversity
from cra_engine.criteria.groups import Groups
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.t_closeness import TCloseness

VALUES = st.one_of(st.integers(0, 4), st.sampled_from(["flu", "gout", "cold"]))


@st.composite
def tables(draw):
    kind = draw(st.sampled_from([st.integers(0, 4), st.sampled_from(["flu", "gout", "cold"])]))
    classes = draw(st.lists(st.lists(kind, min_size=1, max_size=7), min_size=1, max_size=5))
    rows, groups = [], []
    for values in classes:
        groups.append(list(range(len(rows), len(rows) + len(values))))
        rows += values
    return groups, pd.Series(rows)


@given(tables())
def test_the_criteria_pass_up_to_there_and_not_beyond(table):
    rows, column = table
    groups = Groups.of(rows, {"s": column})
    found = diversity(groups, "s")
    assert LDiversity("s", found.distinct_l).holds(groups)
    assert not LDiversity("s", found.distinct_l + 1).holds(groups)
    close = found.distance
    assert TCloseness("s", found.t, close).holds(groups)
    assert found.t == 0 or not TCloseness("s", found.t * Fraction(999, 1000), close).holds(groups)
    assert LDiversity("s", max(found.entropy_l * (1 - 1e-9), 1), "entropy").holds(groups)
    assert not LDiversity("s", found.entropy_l * (1 + 1e-6), "entropy").holds(groups)
    # The groups that are named are the ones that it is about.
    shown = [set(column.iloc[group]) for group in rows]
    assert len(shown[found.fewest]) == found.distinct_l == min(map(len, shown))
    assert found.alike == tuple(place for place, values in enumerate(shown) if len(values) == 1)
    assert TCloseness("s", 1, close).distances(groups)[found.farthest] == found.t
    shares = [(list(column.iloc[group]).count(value), len(group)) for group in rows for value in column.iloc[group]]
    assert found.most_alike in shares
    assert Fraction(*found.most_alike) == max(Fraction(*share) for share in shares)


def test_by_hand():
    column = pd.Series(["flu", "flu", "gout", "cold", "cold", "cold", "cold", "flu"])
    found = diversity(Groups.of([[0, 1, 2], [3, 4, 5, 6, 7]], {"illness": column}), "illness")
    # The table: flu 3/8, gout 1/8, cold 4/8. The first class: 2/3, 1/3, 0; the second: 1/5, 0, 4/5.
    assert (found.distinct_l, found.distance, found.alike) == (2, "equal", ())
    assert found.t == Fraction(1, 2)
    assert found.farthest == 0
    assert log(found.entropy_l) == pytest.approx(-(0.2 * log(0.2) + 0.8 * log(0.8)))


def test_numbers_are_in_order():
    # Three classes at 1, 2, 3: the middle one is nearer to the table than the outer ones.
    column = pd.Series([1, 1, 2, 2, 3, 3])
    found = diversity(Groups.of([[0, 1], [2, 3], [4, 5]], {"stage": column}), "stage")
    assert (found.distance, found.t) == ("ordered", Fraction(1, 2))
