"""The naive Bayes attack on any published table, against the formula in exact fractions."""

from collections import Counter
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import CRAError
from cra_engine.attacks.naive_bayes import naive_bayes
from cra_engine.published import Categories, Extent, Extents, Interval, Published


def table(ages: list[Interval], towns: list[Extent], ill: list[str]) -> Published:
    none = np.empty(0, dtype=np.int64)
    extents = {"age": Extents(tuple(ages), np.arange(len(ages))), "town": Extents(tuple(towns), np.arange(len(towns)))}
    return Published(pd.DataFrame({"illness": ill}), extents, (), none)


def covers(extent: Any, value: Any) -> bool:
    if isinstance(extent, Interval):
        return extent.lower <= value < extent.upper or (extent.closed and value == extent.upper)
    return str(value) in extent.values  # noqa: PD011


def by_formula(published: Published, people: pd.DataFrame, alpha: int) -> list[str]:
    ill = [v for v in published.frame["illness"] if v != "*"]
    counts = Counter(ill)
    guesses = []
    for person in people.to_dict("records"):

        def score(value: str, person: dict[Any, Any] = person) -> Fraction:
            parts = []
            for name in people.columns:
                extents = published.extents[name]
                shown = sum(
                    v == value and covers(extents.distinct[at], person[name])
                    for v, at in zip(published.frame["illness"], extents.of_row, strict=True)
                )
                parts.append(Fraction(shown + alpha, counts[value] + alpha * people[name].nunique()))
            return counts[value] * prod(parts)

        best = max(map(score, counts))
        guesses.append(min((-counts[value], value) for value in counts if score(value) == best)[1])
    return guesses


@st.composite
def published_tables(draw: st.DrawFn) -> tuple[Published, pd.DataFrame]:
    rows = draw(st.integers(1, 9))
    ends = st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans())
    ages = [
        Interval(min(a, b), max(a, b) + (not closed), closed)
        for a, b, closed in draw(st.lists(ends, min_size=rows, max_size=rows))
    ]
    towns: list[Extent] = [
        Categories(frozenset(held))
        for held in draw(st.lists(st.sets(st.sampled_from("ABCD"), min_size=1), min_size=rows, max_size=rows))
    ]
    ill = draw(st.lists(st.sampled_from(["x", "y", "z", "*"]), min_size=rows - 1, max_size=rows - 1))
    people = draw(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("ABCD")), min_size=1, max_size=8))
    return table(ages, towns, ["x", *ill]), pd.DataFrame(people, columns=["age", "town"])


@settings(max_examples=150)
@given(published_tables(), st.integers(0, 1))
def test_guesses_are_those_of_the_formula(drawn: tuple[Published, pd.DataFrame], alpha: int) -> None:
    published, people = drawn
    guesses = naive_bayes(published, people, ["age", "town"], "illness", alpha=alpha).guesses
    assert list(guesses) == by_formula(published, people, alpha)


def test_equal_products_of_different_factors_are_a_tie() -> None:
    # x: 2 * 1/2 * 1/2, y: 2 * 1/4 ... both 1/2 exactly; the more frequent value wins, then the name.
    ages = [
        Interval(0, 9, closed=True),
        Interval(5, 9, closed=True),
        Interval(0, 9, closed=True),
        Interval(5, 9, closed=True),
    ]
    towns: list[Extent] = [Categories(frozenset("AB")), Categories(frozenset("B"))] * 2
    published = table(ages, towns, ["y", "y", "x", "x"])
    people = pd.DataFrame({"age": [1], "town": ["A"]})
    assert naive_bayes(published, people, ["age", "town"], "illness").guesses == ("x",)


def test_a_table_that_says_all_is_guessed_and_one_that_says_nothing_is_not() -> None:
    people = pd.DataFrame({"age": [1, 2, 3, 4], "town": list("ABCD")})
    truth = ["x", "x", "x", "y"]
    everything: list[Extent] = [Categories(frozenset("ABCD"))] * 4
    clear = table([Interval(a, a, closed=True) for a in (1, 2, 3, 4)], everything, truth)
    vague = table([Interval(1, 4, closed=True)] * 4, everything, truth)
    told, blind = (naive_bayes(t, people, ["age", "town"], "illness") for t in (clear, vague))
    assert told.accuracy(truth) == 1
    assert blind.accuracy(truth) == blind.baseline(truth) == Fraction(3, 4)


def test_a_value_that_no_row_covers_falls_to_the_most_frequent() -> None:
    published = table([Interval(1, 1, closed=True)] * 3, [Categories(frozenset("A"))] * 3, ["y", "x", "y"])
    people = pd.DataFrame({"age": [9], "town": ["A"]})
    assert naive_bayes(published, people, ["age", "town"], "illness").guesses == ("y",)


def test_a_table_without_a_sensitive_value_is_refused() -> None:
    published = table([Interval(1, 1, closed=True)], [Categories(frozenset("A"))], ["*"])
    with pytest.raises(CRAError, match="no sensitive value"):
        naive_bayes(published, pd.DataFrame({"age": [9], "town": ["A"]}), ["age", "town"], "illness")
