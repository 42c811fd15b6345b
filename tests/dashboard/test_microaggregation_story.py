"""What the page Microaggregate says, and asks, of cells that are worked out by hand."""

from fractions import Fraction

import pandas as pd
import pytest

from cra_dashboard.lessons.pages.microaggregate import largest
from cra_dashboard.microaggregation import story
from cra_dashboard.microaggregation.chart import BOTH, ELSEWHERE, ONE, SAFE, UNDEFINED, clusters_figure, statuses
from cra_engine import Dominance, PRule, sensitive_cells
from cra_engine.risk.sensitive_cells import Cell


def cell(*contributions: int) -> Cell:
    return Cell(0, "income", tuple(range(len(contributions))), tuple(map(Fraction, contributions)))


def test_the_question_of_the_largest_by_hand() -> None:
    asked = largest(cell(90, 10, 5))
    assert asked is not None
    assert asked.options[asked.right] == "85 to 95"
    assert set(asked.options) == {"0 to 95", "0 to 105", "10 to 105", "85 to 95"}
    assert "The other record can have no more than 10: at least 85" in asked.why[1]
    assert set(asked.against) == set(range(4)) - {asked.right}


def test_two_contributors_know_each_other_and_one_is_asked_nothing() -> None:
    asked = largest(cell(70, 20))
    assert asked is not None
    assert asked.options[asked.right] == "exactly 70"
    assert "each of two contributors" in asked.why[1]
    assert largest(cell(7)) is None
    assert largest(cell(5, -1)) is None


@pytest.mark.parametrize(
    ("k", "rule", "said"),
    [
        (3, Dominance(2, "0.6"), "at least 2/3 of any total"),
        (2, Dominance(2, "0.6"), "everything"),
        (4, Dominance(2, "0.6"), ""),
        (5, Dominance(3, "0.6"), ""),
        (2, Dominance(1, "0.4"), "the largest has at least 1/2"),
    ],
)
def test_what_arithmetic_alone_decides(k, rule, said) -> None:
    told = story.arithmetic(k, rule)
    assert said in told
    assert bool(told) == bool(said)


def test_how_each_class_is_drawn() -> None:
    table = pd.DataFrame(
        {
            "x": [90, 5, 5, 10, 10, 10, 10, 41, 20, 20, 19, -1, 2, 2],
            "y": [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 1, 1, 1],
            "z": [1, 1, 1, 90, 5, 5, 5, 1, 1, 1, 1, 1, 1, 1],
        }
    )
    groups = [[0, 1, 2], [3, 4, 5, 6], [7, 8, 9, 10], [11, 12, 13], [3]]
    found = sensitive_cells(groups[:4], table, [Dominance(2, "0.6"), PRule("0.3")])
    assert statuses(found, (0, 0)) == [BOTH, ELSEWHERE, ONE, ELSEWHERE]
    loose = sensitive_cells(groups[1:4], table, [Dominance(2, "0.95"), PRule("0.001")], ["x", "y"])
    assert statuses(loose, (0, 1)) == [SAFE, SAFE, UNDEFINED]
    figure = clusters_figure(found, (0, 1), 0, "cluster")
    named = {trace.name for trace in figure.data if trace.name}
    assert named == {BOTH[0], ELSEWHERE[0], ONE[0], "a record, joined to the mean of its cluster", "this cluster"}


def test_the_headline_never_calls_the_undefined_safe() -> None:
    table = pd.DataFrame({"x": [1, 2, 3, -4, 5, 6]})
    found = sensitive_cells([[0, 1, 2], [3, 4, 5]], table, [Dominance(2, "1"), PRule("0.01")])
    said = story.headline(found, "cluster")
    assert "Of 2 totals, 0 are sensitive by" in said
    assert "Each total is of one column in one cluster (a cell)" in said
    assert "they are not safe" in said
    assert [story.verdict(found, rule, 1, 0).value for rule in (0, 1)] == ["undefined", "undefined"]
    assert "nothing says that the cell is safe" in story.estimates_told(found.cell(1, 0))
