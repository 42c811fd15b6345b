"""Options on Adult (age, sex, race): a larger k is not beaten by a smaller one for the attack's sake."""

import lzma
from decimal import Decimal
from pathlib import Path

import pytest

from cra_engine import Attribute, OptionGrid, Study, Way, compare, read_table
from cra_engine.options import GIVEN, KEPT, better, justification, same_table, sides
from cra_engine.study.file_hierarchy import FileHierarchy

ADULT = Path(__file__).resolve().parents[1] / "data" / "adult" / "adult.csv.xz"
LOSS, DETAIL, EXPECTED = KEPT["loss"], KEPT["detail"], GIVEN["expected"]


@pytest.fixture(scope="module")
def result():
    with lzma.open(ADULT) as file:
        table = read_table(file.read(), "adult.csv")[["age", "sex", "race"]]
    flat = [
        FileHierarchy(name, tuple((value, value, "*") for value in sorted(table[name].unique())))
        for name in ("sex", "race")
    ]
    study = Study([Attribute("age", 16, 96, 5), *flat], 5)
    layers = tuple((attribute.layers,) for attribute in study.attributes)
    return compare(table, study, OptionGrid((3, 5, 20), layers, (Way("local", "paper"), Way("global", Decimal(0)))))


def of(result, k, name="local"):
    return next(p for p in result.points if (p.option.k, p.option.way.name) == (k, name))


def test_five_is_not_beaten_by_three(result):
    three, five = of(result, 3), of(result, 5)
    # By loss alone it would be: that is the trap.
    assert three.loss < five.loss
    assert three.value("prosecutor") > five.value("prosecutor")
    assert three not in better(result.points, five, LOSS, EXPECTED)
    assert five.number in result.frontier()


def test_every_option_on_the_frontier_is_justified_by_what_no_other_has(result):
    for number in result.frontier():
        point = result.point(number)
        assert justification(result, point).startswith(f"Number {number} ({point.label}): detail lost ")
        for other in result.points:  # the sentence's claim, one by one
            if other.option.way.name != point.option.way.name or other.number == number:
                continue
            measures = (DETAIL, *sides(EXPECTED))
            worse = any(other.rank(measure) > point.rank(measure) for measure in measures)
            alike = all(other.rank(measure) == point.rank(measure) for measure in measures)
            assert worse or alike


def test_globally_without_suppression_three_to_twenty_are_one_table(result):
    same = same_table(result.points)
    largest = of(result, 20, "global")
    # One state without suppressed records: the same rows, whatever k they were made for.
    for k in (3, 5):
        assert (of(result, k, "global").state, of(result, k, "global").value("suppressed")) == (largest.state, 0)
        assert same[of(result, k, "global").number] == largest.number
