"""Tables left and certain cells: what is drawn where."""

import math
from types import SimpleNamespace

import pytest
from certain import BY_CLASS, BY_INTERVALS, FRAME, NEWLY, STUDY, TOGETHER

from cra_dashboard import palette
from cra_dashboard.charts.tight import certain_figure
from cra_dashboard.charts.view import View
from cra_dashboard.texts.tight_story import FEWER, tables_left
from cra_engine import Attribute, recode, tight_attack
from cra_engine.study.grid import Grid
from cra_engine.words import power

GRID = Grid(STUDY.attributes)


@pytest.fixture(scope="module")
def tight():
    return tight_attack(recode(FRAME, STUDY).release)


def texts(figure):
    return [tile.text for tile in figure.tiles if tile.text]


def estimated(**changed):
    known = {"log10_worlds": 3.0, "log10_worlds_stderr": 0.1, "counted": False, "relaxed": False}
    return SimpleNamespace(log10_worlds_per_class=4.0, log10_worlds_intervals=5.0, **known | changed)


def test_the_ways_of_reading_beside_each_other(tight):
    left = tables_left(tight)
    assert left["Read by"].tolist() == ["Intervals alone", "Each class by itself", "All classes together"]
    # The ratio is drawn: how many times fewer than the intervals allow.
    wanted = [math.log10(BY_INTERVALS / number) for number in (BY_INTERVALS, BY_CLASS, TOGETHER)]
    assert left[FEWER].tolist() == pytest.approx(wanted)
    assert left["Tables left"].tolist() == [power(math.log10(n)) for n in (BY_INTERVALS, BY_CLASS, TOGETHER)]


def test_an_estimate_names_its_error():
    *_, together = tables_left(estimated())["Tables left"]
    assert together == "1,000 (estimate, standard error 23 %)"
    assert tables_left(estimated(relaxed=True))["Tables left"].str.startswith("at most").tolist() == [False, True, True]


def test_what_is_not_known_has_no_bar():
    unknown = tables_left(estimated(log10_worlds=None, log10_worlds_stderr=None))
    assert unknown[FEWER].isna().tolist() == [False, False, True]
    assert unknown["Tables left"].tolist()[-1] == "not known"


def test_certain_cells_by_hand():
    spans = {(3, 3): (1, 1), (1, 0): (0, 0), (0, 0): (2, 2), (0, 1): (0, 2)}
    figure = certain_figure(GRID, spans, View.of(GRID, 0, 1), chosen=(3, 3), fresh=NEWLY)
    assert sorted(texts(figure)) == ["0\nnew", "0\N{EN DASH}2", "1\nnew", "2"]
    names = {f"{mark.sign} {mark.name}".strip() for mark in figure.legend}
    known = {"1 exactly one", "2 exactly so many", "0 nobody", "0\N{EN DASH}2: from 0 to 2 people"}
    assert names == known | {"the cell asked about"}
    # Who stands alone is filled, whether that is new or not; that nobody is there, fainter.
    assert figure.heading == "Number of people:"
    # What is new says so below its number, and the legend's example does not.
    fresh = certain_figure(GRID, {(0, 0): (2, 2)}, View.of(GRID, 0, 1), fresh=[(0, 0)])
    assert [f"{mark.sign} {mark.name}" for mark in fresh.legend] == ["2 exactly so many"]
    # One key stands for all ranges, whichever there are.
    ranges = certain_figure(GRID, {(0, 0): (1, 6), (1, 1): (1200, 1201)}, View.of(GRID, 0, 1))
    assert [f"{mark.sign} {mark.name}" for mark in ranges.legend] == ["1\N{EN DASH}6: from 1 to 6 people"]
    assert {(tile.x, tile.y): (tile.fill, tile.opacity) for tile in figure.tiles if tile.fill} == {
        (3, 3): (palette.ISOLATED, palette.ALONE.opacity),
        (1, 0): (palette.SUPPRESSED, palette.NOBODY.opacity),
    }
    assert [(one.x0, one.x1, one.y0, one.y1) for one in figure.outlines] == [(3, 4, 3, 4)]


def test_tiles_of_several_cells_count_the_certain_ones():
    grid = Grid([Attribute(name, 0, 8, 3) for name in "abc"])
    spans = {(0, 0, 0): (1, 1), (0, 0, 3): (2, 2), (1, 0, 0): (0, 0), (1, 0, 1): (0, 1)}
    # None of the numbers can be read as people, as they are where a tile is a single cell.
    figure = certain_figure(grid, spans, View.of(grid, 0, 1, ((2, None),)))
    assert sorted(texts(figure)) == ["1\ncell", "2\ncells"]
    assert figure.heading == "Number of cells that are certain:"
    fills = {(tile.x, tile.y): (tile.fill, tile.told.split("\n")[-1]) for tile in figure.tiles if tile.fill}
    assert fills == {
        (0, 0): (palette.ISOLATED, "2 cells with a certain number of people, 1 of them with exactly one"),
        (1, 0): (palette.OWN, "1 cell with a certain number of people, none of them with exactly one"),
    }
    assert {mark.name for mark in figure.legend} == {"some with exactly one person", "none with exactly one person"}
    # So too where many columns leave no room for both in one line: the picture writes the word below.
    many = Grid([Attribute("a", 0, 8, 4), *(Attribute(name, 0, 8, 3) for name in "bc")])
    assert texts(certain_figure(many, {(0, 0, 0): (2, 2)}, View.of(many, 0, 1, ((2, None),)))) == ["1\ncell"]
