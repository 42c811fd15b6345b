"""The picture of choices: which marks, where, and the border of what the frontier reaches."""

from decimal import Decimal

import pandas as pd
import pytest

from cra_dashboard.what_if.chart import frontier_figure
from cra_engine import Attribute, Study
from cra_engine.what_ifs.choices import ChoiceGrid
from cra_engine.what_ifs.measures import GIVEN, KEPT, frontier
from cra_engine.what_ifs.run import what_if

STUDY = Study([Attribute("a", 0, 8, 3)], 2)
# k = 2 loses 2/7 and isolates two; with wider leaves 3/7 and nobody; k = 3 loses all; k = 9 cannot be.
RESULT = what_if(
    pd.DataFrame({"a": [0, 3, 4, 5]}),
    STUDY,
    ChoiceGrid((2, 3, 9), ((3, 2),), ("paper",), (Decimal(0),)),
)


def figure(given="expected", chosen=None, present=None):
    return frontier_figure(RESULT, KEPT["loss"], GIVEN[given], chosen or {}, present)


def marks(drawn):
    return {
        trace.name: {number: (x, y) for (number,), x, y in zip(trace.customdata, trace.x, trace.y, strict=True)}
        for trace in drawn.data
        if trace.customdata is not None
    }


def test_every_choice_that_can_be_published_is_a_mark():
    found = marks(figure())
    best = frontier(RESULT.points, KEPT["loss"], GIVEN["expected"])
    for point in RESULT.points:
        kind = "Local recoding" if point.choice.local else "Global recoding"
        name = f"{kind}: {'frontier' if point.number in best else 'beaten'}"
        if point.status == "failed":
            assert all(point.number not in places for places in found.values())
        else:
            assert found[name][point.number] == (point.kept.loss.value, point.given.expected)


def test_the_frontier_is_a_staircase():
    (line,) = [trace for trace in figure().data if trace.mode == "lines" and trace.line.dash == "solid"]
    # From 2/7 with two people to 3/7 with nobody: in between, no choice is known that gives away less than two.
    assert list(line.x) == pytest.approx([2 / 7, 3 / 7, 3 / 7])
    assert list(line.y) == pytest.approx([2, 2, 0])


def test_the_chosen_ones_are_ringed_and_named():
    drawn = figure(chosen={"A": 1, "B": 1}, present=RESULT.points[0])
    assert [note.text for note in drawn.layout.annotations] == ["<b>A, B, in use</b>"]
    apart = figure(chosen={"A": 1, "B": 7})
    assert {note.text: note.x for note in apart.layout.annotations} == {
        "<b>A</b>": pytest.approx(2 / 7),
        "<b>B</b>": pytest.approx(RESULT.point(7).kept.loss.value),
    }


def test_down_is_always_less_given_away():
    assert figure("left").layout.yaxis.autorange == "reversed"
    assert figure("expected").layout.yaxis.autorange is None


def test_the_pointer_tells_the_choice():
    told = [text for trace in figure().data if trace.hovertext is not None for text in trace.hovertext]
    (own,) = [text for text in told if text.startswith("<b>Number 1</b>")]
    assert own == (
        "<b>Number 1</b><br>k = 2, local, as in the paper<br>finest: a 2<br>Information lost: 28.6 %"
        "<br>People singled out, expected: 2.0"
    )


def test_names_are_shown_as_text():
    study = Study([Attribute("<b>a</b>", 0, 8, 3)], 2)
    result = what_if(pd.DataFrame({"<b>a</b>": [0, 3, 4, 5]}), study, ChoiceGrid((2,), ((3,),), ("paper",)))
    drawn = frontier_figure(result, KEPT["loss"], GIVEN["expected"], {}, None)
    (told,) = [text for trace in drawn.data if trace.hovertext is not None for text in trace.hovertext]
    assert "finest: &lt;b&gt;a&lt;/b&gt; 2" in told
