"""Count queries and certainty penalties of published tables, by hand and against plain sums."""

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import CRAError
from cra_engine.published import Categories, Extent, Extents, Interval, Published
from cra_engine.utility.certainty_penalty import certainty_penalty
from cra_engine.utility.count_queries import People, estimates, random_queries, read_queries, relative_error

NONE = np.empty(0, dtype=np.int64)
TABLE_1 = {
    "age": ((53, 59), (53, 59), (28, 39), (28, 41), (40, 59), (28, 39), (39, 41), (40, 57)),
    "salary": ((25, 34), (25, 34), (41, 59), (20, 59), (20, 35), (41, 59), (20, 47), (27, 35)),
}
TABLE_1_DATA = pd.DataFrame(
    {"age": [59, 57, 39, 28, 41, 37, 40, 53], "salary": [25, 27, 47, 41, 20, 59, 35, 34], "illness": list("abcdefgh")}
)


def table_1() -> Published:
    extents = {
        name: Extents(tuple(Interval(a, b, closed=True) for a, b in ends), np.arange(8))
        for name, ends in TABLE_1.items()
    }
    return Published(pd.DataFrame({"illness": list("abcdefgh")}), extents, (), NONE)


def test_the_penalty_of_the_papers_table_1() -> None:
    # By hand: age widths 6 6 11 13 19 11 2 17 of 31, salary 9 9 18 39 15 18 27 8 of 39.
    exact = (Fraction(6 + 6 + 11 + 13 + 19 + 11 + 2 + 17, 31) + Fraction(9 + 9 + 18 + 39 + 15 + 18 + 27 + 8, 39)) / 16
    found = certainty_penalty(table_1(), TABLE_1_DATA, ["age", "salary"])
    assert found == pytest.approx(float(exact))
    assert round(found, 5) == 0.40054


def test_a_query_on_table_1_by_hand() -> None:
    # Ages 53 to 59 (53, 57, 59): rows 0, 1 wholly; row 4 [40, 59] holds 40 41 53 57 59: 3/5; row 7 [40, 57] 40 41 53
    # 57: 2/4. Salaries up to 27 (20 25 27): rows 0, 1 hold 25 27 34: 2/3; row 4 20 25 27 34 35: 3/5; row 7 27 34 35:
    # 1/3.
    query = {"age": Interval(53, 59, closed=True), "salary": Interval(20, 27, closed=True)}
    by_hand = 2 * Fraction(2, 3) + Fraction(3, 5) * Fraction(3, 5) + Fraction(1, 2) * Fraction(1, 3)
    (found,) = estimates(table_1(), TABLE_1_DATA, "illness", [query])
    assert found == pytest.approx(float(by_hand))
    assert People(TABLE_1_DATA).count(query) == 2


@st.composite
def asked_tables(draw: st.DrawFn) -> tuple[Published, pd.DataFrame, dict[str, Extent]]:
    rows = draw(st.integers(1, 8))
    ends = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=rows, max_size=rows))
    ages = [Interval(min(pair), max(pair), closed=True) for pair in ends]
    held = draw(st.lists(st.sets(st.sampled_from("ABC"), min_size=1), min_size=rows, max_size=rows))
    ill = draw(st.lists(st.sampled_from(["x", "y", "*"]), min_size=rows, max_size=rows))
    extents = {
        "age": Extents(tuple(ages), np.arange(rows)),
        "town": Extents(tuple(Categories(frozenset(each)) for each in held), np.arange(rows)),
    }
    people = draw(
        st.lists(st.tuples(st.integers(0, 6), st.sampled_from("ABC"), st.sampled_from("xy")), min_size=1, max_size=9)
    )
    data = pd.DataFrame(people, columns=["age", "town", "illness"])
    low, high = sorted(draw(st.tuples(st.integers(0, 6), st.integers(0, 6))))
    everything: dict[str, Extent] = {
        "age": Interval(low, high, closed=True),
        "town": Categories(frozenset(draw(st.sets(st.sampled_from("ABCZ"))))),
        "illness": Categories(frozenset(draw(st.sets(st.sampled_from("xyz*"))))),
    }
    wanted = draw(st.sets(st.sampled_from(sorted(everything)), min_size=1))
    return (
        Published(pd.DataFrame({"illness": ill}), extents, (), NONE),
        data,
        {name: everything[name] for name in wanted},
    )


def by_definition(published: Published, data: pd.DataFrame, query: dict[str, Any]) -> Fraction | None:
    """The sum row by row; None where a cell holds no value of the data, whose share the definition leaves open."""
    total = Fraction(0)
    for row, value in enumerate(published.frame["illness"]):
        asked = query["illness"].values if "illness" in query else {"x", "y"}  # noqa: PD011
        if value not in set(data["illness"]) & set(asked):
            continue
        part = Fraction(1)
        for name in set(query) - {"illness"}:
            extent: Any = published.extents[name].distinct[row]
            if name == "age":
                domain = {v for v in data[name] if extent.lower <= v <= extent.upper}
                fits = {v for v in domain if query[name].lower <= v <= query[name].upper}
            else:
                domain = set(data[name]) & extent.values  # noqa: PD011
                fits = domain & query[name].values  # noqa: PD011
            if not domain:
                return None
            part *= Fraction(len(fits), len(domain))
        total += part
    return total


@settings(max_examples=200)
@given(asked_tables())
def test_estimates_are_those_of_the_definition(drawn: tuple[Published, pd.DataFrame, dict[str, Extent]]) -> None:
    published, data, query = drawn
    expected = by_definition(published, data, query)
    if expected is not None:
        assert estimates(published, data, "illness", [query]) == [pytest.approx(float(expected))]


def test_a_table_published_as_it_is_answers_exactly() -> None:
    extents = {
        "age": Extents(tuple(Interval(a, a, closed=True) for a in TABLE_1_DATA["age"].tolist()), np.arange(8)),
        "salary": Extents(tuple(Interval(a, a, closed=True) for a in TABLE_1_DATA["salary"].tolist()), np.arange(8)),
    }
    published = Published(TABLE_1_DATA[["illness"]], extents, (), NONE)
    queries = random_queries(TABLE_1_DATA, "illness", 2, 0.3, 20, Random(0))
    exact = [People(TABLE_1_DATA).count(query) for query in queries]
    assert min(exact) > 0
    assert estimates(published, TABLE_1_DATA, "illness", queries) == exact
    assert relative_error(3, 2) == 0.5


def test_queries_are_drawn_where_hardly_one_fits_a_record() -> None:
    # A range of less than the whole domain holds 0 or 1 only by beginning or ending there exactly.
    data = pd.DataFrame({"a": [0, 1, 1], "b": [1.0, 0.0, 1.0], "illness": ["flu", "gout", "cold"]})
    queries = random_queries(data, "illness", 2, 0.1, 40, Random(0))
    assert len(queries) == 40
    assert min(People(data).count(query) for query in queries) > 0
    assert {frozenset(query) for query in queries} == {frozenset(data)}
    extents = [extent for query in queries for extent in query.values() if isinstance(extent, Interval)]
    assert [extent.upper - extent.lower for extent in extents] == pytest.approx([0.1 ** (1 / 3)] * 80)


def test_points_that_are_no_value_and_nodes_count_too() -> None:
    # A mean of 32.5 is a number of its own; the node [28, 40[ holds 28 37 39.
    extents = {"age": Extents((Interval(32.5, 32.5, closed=True), Interval(28, 40)), np.array([0, 1]))}
    published = Published(pd.DataFrame({"illness": ["a", "b"]}), extents, (), NONE)
    asked = [{"age": Interval(30, 38, closed=True)}, {"age": Interval(33, 38, closed=True)}]
    assert estimates(published, TABLE_1_DATA, "illness", asked) == pytest.approx([1 + 1 / 3, 1 / 3])


def test_a_gap_between_values_counts_by_its_length() -> None:
    extents = {"age": Extents((Interval(42, 52, closed=True),), np.array([0]))}
    published = Published(pd.DataFrame({"illness": ["a"]}), extents, (), NONE)
    asked = [{"age": Interval(50, 60, closed=True)}, {"age": Interval(53, 60, closed=True)}]
    assert estimates(published, TABLE_1_DATA, "illness", asked) == pytest.approx([0.2, 0])


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_gaps_and_points_against_fractions(draw: st.DataObject) -> None:
    # Nobody has a value from 3 to 20: each interval there counts by the share of its length that is asked for.
    number = st.integers(3, 20)
    ends = [sorted(pair) for pair in draw.draw(st.lists(st.tuples(number, number), min_size=1, max_size=9))]
    low, high = sorted(draw.draw(st.tuples(st.integers(1, 22), st.integers(1, 22))))
    expected = sum(
        Fraction(max(0, min(last, high) - max(first, low)), last - first) if first < last else low <= first <= high
        for first, last in ends
    )
    extents = Extents(tuple(Interval(Fraction(a), Fraction(b), closed=True) for a, b in ends), np.arange(len(ends)))
    published = Published(pd.DataFrame({"illness": ["a"] * len(ends)}), {"age": extents}, (), NONE)
    data = pd.DataFrame({"age": [1, 2, 21, 22], "illness": ["a", "a", "b", "b"]})
    (found,) = estimates(published, data, "illness", [{"age": Interval(low, high, closed=True)}])
    assert found == pytest.approx(float(expected))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("{}", "must be a list"),
        ("[1]", "Query 1 is no object"),
        ("[{}]", "Query 1 is no object"),
        ('[{"age": [1, 2]}, {"weight": [1, 2]}]', "Query 2 asks for 'weight'"),
        ('[{"age": 3}]', "column 'age': give a list"),
        ('[{"age": [3]}]', "a range of two numbers"),
        ('[{"age": [4, 3]}]', "lo <= hi"),
        ('[{"age": [1, NaN]}]', "no JSON: NaN is no number"),
        ('[{"age": [true, 3]}]', "a range of two numbers"),
        ('[{"illness": [["a"]]}]', "a list of values"),
    ],
)
def test_queries_that_cannot_be_read_get_a_sentence(text: str, said: str) -> None:
    with pytest.raises(CRAError, match=said):
        read_queries(text, TABLE_1_DATA, "illness")


def test_queries_are_read_by_the_kind_of_their_column() -> None:
    data = TABLE_1_DATA.assign(code=list("12345678"))
    (query,) = read_queries('[{"age": [30, 40.5], "code": [1, "2"], "illness": ["a"]}]', data, "illness")
    assert query["age"] == Interval(30, 40.5, closed=True)
    assert query["code"] == Categories(frozenset({"1", "2"}))


@pytest.mark.parametrize(("attributes", "selectivity"), [(0, 0.1), (3, 0.1), (1, 0), (1, 1.5)])
def test_random_queries_that_cannot_be_drawn_are_refused(attributes: int, selectivity: float) -> None:
    with pytest.raises(CRAError, match=r"ask for|give a share"):
        random_queries(TABLE_1_DATA, "illness", attributes, selectivity, 1, Random(0))
