"""What if on Adult (age, sex, race): a larger k is not beaten by a smaller one for the attack's sake."""

import lzma
from decimal import Decimal
from pathlib import Path

import pytest

from cra_engine import Attribute, Study, read_table, what_if
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.what_ifs.choices import ChoiceGrid
from cra_engine.what_ifs.measures import GIVEN, KEPT, better, frontier, same_table, sides
from cra_engine.what_ifs.words import justification, recommendation, recommended

ADULT = Path(__file__).resolve().parents[1] / "data" / "adult" / "adult.csv.xz"
LOSS, EXPECTED = KEPT["loss"], GIVEN["expected"]


@pytest.fixture(scope="module")
def result():
    with lzma.open(ADULT) as file:
        table = read_table(file.read(), "adult.csv")
    flat = [
        FileHierarchy(name, tuple((value, value, "*") for value in sorted(table[name].unique())))
        for name in ("sex", "race")
    ]
    study = Study([Attribute("age", 16, 96, 5), *flat], 5)
    layers = tuple((attribute.layers,) for attribute in study.attributes)
    return what_if(table, study, ChoiceGrid((2, 3, 5, 10, 20), layers, ("paper",), (Decimal(0), Decimal("0.05"))))


def of(result, k, limit=None):
    return next(p for p in result.points if (p.choice.k, p.choice.limit) == (k, limit))


def test_five_is_not_beaten_by_three(result):
    three, five = of(result, 3), of(result, 5)
    # By loss and the attack alone it would be: that is the trap.
    assert three.kept.loss < five.kept.loss
    assert three.given.expected < five.given.expected
    assert three.given.known > five.given.known
    assert not list(better(result.points, five, LOSS, EXPECTED))
    assert five.number in frontier(result.points, LOSS, EXPECTED)


def test_every_choice_on_the_frontier_is_justified_by_what_no_other_has(result):
    best = frontier(result.points, LOSS, EXPECTED)
    for number in best:
        point = result.point(number)
        sentence = justification(result, point, LOSS, EXPECTED)
        assert sentence.startswith(f"Number {number} (k = {point.choice.k}): loss ")
        for other in result.points:  # the sentence's claim, one by one
            if other.choice.local != point.choice.local or other.number == number:
                continue
            measures = (LOSS, *sides(EXPECTED))
            worse = any(measure.value(other) > measure.value(point) for measure in measures)
            alike = all(measure.value(other) == measure.value(point) for measure in measures)
            assert worse or alike


def test_globally_without_suppression_three_to_twenty_are_one_table(result):
    same, none = same_table(result.points), Decimal(0)
    largest = of(result, 20, none)
    # One state without suppressed records: the same rows, whatever k they were made for.
    for k in (3, 5, 10):
        assert (of(result, k, none).state, of(result, k, none).kept.suppressed) == (largest.state, 0)
        assert same[of(result, k, none).number] == largest.number
    assert of(result, 2, none).state != largest.state
    assert same[of(result, 2, none).number] != largest.number


def test_the_recommendation_keeps_k(result):
    chosen = recommended(result)
    assert chosen.choice.k >= 5
    text = recommendation(result)
    assert "A smaller k looks better to the attack alone, and costs protection" in text
    assert "risk for whom somebody knows" in text
