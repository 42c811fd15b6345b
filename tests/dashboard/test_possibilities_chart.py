"""Promised against remaining possibilities: what is drawn where."""

import math

import pytest
from cases import attacked

from cra_dashboard.charts.possibilities import possibilities_figure, possibilities_told
from cra_dashboard.palette import of_class
from cra_dashboard.texts.class_rows import ClassRow, class_rows
from cra_engine.study.grid import Segment


def trace(figure, name):
    return next(found for found in figure.data if found.name == name)


def row(promised, remaining, index=0):
    return ClassRow(index, Segment((2, 2), (0, 0)), 3, 4, 4, promised, remaining, 1, number=index)


def test_each_class_stands_at_the_exponent_of_its_ratio():
    figure = possibilities_figure(class_rows(attacked()), 1)
    ratios = trace(figure, "times fewer")
    assert list(ratios.y) == pytest.approx([0, math.log10(5), math.log10(4 / 3)])
    assert list(ratios.text) == ["1×", "5×", "1.3×"]
    assert [list(place) for place in ratios.customdata] == [[0], [1], [2]]
    assert list(figure.layout.xaxis.ticktext) == ["0", "1", "out"]
    assert figure.layout.xaxis.automargin  # or the numbers would be cut
    # The same colours as on the maps.
    assert list(ratios.marker.color) == [of_class(0), of_class(1), of_class(None)]


def test_the_axis_is_linear_in_the_exponent_and_says_how_many_times():
    figure = possibilities_figure([row(10**1000, 10**400)])
    assert figure.layout.yaxis.type != "log"
    assert list(trace(figure, "times fewer").y) == pytest.approx([600])
    assert (figure.layout.yaxis.tickprefix, figure.layout.yaxis.ticksuffix) == ("10<sup>", "</sup>")
    assert 0.65 * figure.layout.yaxis.tickfont.size >= 11  # of what Plotly raises, in pixels
    assert figure.layout.yaxis.range[1] > 600
    small = possibilities_figure([row(560, 112)]).layout.yaxis
    assert list(small.ticktext) == ["1", "2", "5"]
    assert list(small.tickvals) == pytest.approx([0, math.log10(2), math.log10(5)])


def test_the_chosen_class_is_larger_and_framed():
    rows = class_rows(attacked())
    marked, plain = (trace(possibilities_figure(rows, chosen), "times fewer").marker for chosen in (1, None))
    assert list(marked.line.width) == [0, 3, 0]
    assert marked.size[1] > marked.size[0] == marked.size[2]
    assert set(plain.line.width) == {0}
    assert marked.opacity == 1  # marks of several sizes would fade
    uncounted = trace(possibilities_figure([row(560, None)], 0), "not counted").marker
    assert list(uncounted.line.width) == [3]


def test_what_no_table_explains_gets_a_cross_and_no_mark():
    figure = possibilities_figure([row(560, 112), row(560, 0, 1)])
    assert list(trace(figure, "no table fits").y) == [None, 0]
    assert trace(figure, "times fewer").y[1] is None


def test_what_was_not_counted_is_said_to_be():
    figure = possibilities_figure([row(560, None)])
    assert list(trace(figure, "times fewer").y) == [None]
    assert list(trace(figure, "not counted").y) == [0]
    assert "no table fits" not in [found.name for found in figure.data]


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (
            row(560, 112),
            "Class 0: of every 5 tables that the intervals seem to allow, 1 is left (112 of 560)",
        ),
        (row(560, 0), "Class 0: the intervals seem to allow 560 tables; no table of distinct records fits"),
        (
            row(560, None),
            "Class 0: the intervals seem to allow 560 tables; too many to count what the attack leaves",
        ),
        (
            row(64, 64, None),
            "The suppressed records: every table that the intervals seem to allow is left (64)",
        ),
    ],
)
def test_what_the_pointer_shows(found, text):
    assert possibilities_told(found) == text
    assert text in trace(possibilities_figure([found]), "times fewer").hovertext


def test_many_classes_get_few_labels():
    figure = possibilities_figure([row(560, 112, index) for index in range(500)], 499)
    assert len(figure.layout.xaxis.tickvals) <= 10
