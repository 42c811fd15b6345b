"""The picture of options: which marks, where, and the border of what the frontier reaches."""

from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import pairwise
from math import inf

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_dashboard.options.chart import ENDLESS, on_dotted_line, options_figure, piles, places_of
from cra_dashboard.options.names import (
    APART,
    box_of_mark,
    in_pixels,
    meet,
    place_labels,
)
from cra_engine import Attribute, OptionGrid, Study, Way, compare
from cra_engine.assess.figure import Figure
from cra_engine.checks.outcome import Finding
from cra_engine.options import GIVEN, KEPT, worth_taking

STUDY = Study([Attribute("a", 0, 8, 3)], 2)
# k = 2 loses 2/7 and isolates two; with wider leaves 3/7 and nobody; k = 3 loses all; k = 9 cannot be.
WAYS = (Way("local", "paper"), Way("global", Decimal(0)))

ALONE = Finding("stop", "alone", "Somebody is alone.")
BEST = "7"  # wider leaves: the first that passes


@cache
def result():
    return compare(pd.DataFrame({"a": [0, 3, 4, 5]}), STUDY, OptionGrid((2, 3, 9), ((3, 2),), WAYS))


KINDS = {"x": "ARX-LR", "diamond": "global"}


def figure(given="expected", chosen=None, present=None):
    return options_figure(result(), KEPT["loss"], GIVEN[given], chosen or {}, present)


def marks(drawn):
    found = {}
    for trace in drawn.data:
        if trace.customdata is not None:
            places = {number: (x, y) for (number, *_), x, y in zip(trace.customdata, trace.x, trace.y, strict=True)}
            found.setdefault(KINDS[trace.marker.symbol.removesuffix("-open")], {}).update(places)
    return found


def lying(drawn):
    """The options that lie on each mark, by the number of the one that is drawn."""
    held = [pile for trace in drawn.data if trace.customdata is not None for pile in trace.customdata]
    return {pile[0]: list(pile) for pile in held}


def told(drawn):
    """What the pointer says of each mark."""
    return {
        pile[0]: text
        for trace in drawn.data
        if trace.customdata is not None
        for pile, text in zip(trace.customdata, trace.hovertext, strict=True)
    }


def test_the_legend_has_one_entry_for_each_way_that_is_drawn_filled_where_any_of_it_passes():
    traces = [trace for trace in figure().data if trace.customdata is not None]
    drawn = [trace.marker.symbol for trace in traces]
    assert len(drawn) == len(set(drawn))
    assert {"x", "x-open"} <= set(drawn)
    for trace in traces:
        kind = trace.marker.symbol.removesuffix("-open")
        assert trace.name == KINDS[kind]
        assert trace.showlegend == (trace.marker.symbol == kind or kind not in drawn)
        # A click on the entry takes both away.
        assert {one.legendgroup for one in traces if one.name == trace.name} == {trace.legendgroup}


def test_below_the_axis_of_detail_stands_what_each_column_counts():
    def below(weights, kept="detail"):
        drawn = options_figure(replace(result(), weights=weights), KEPT[kept], GIVEN["expected"], {}, None)
        return drawn.layout.xaxis.title.text.partition("<br>")[2]

    assert below({"age": 3.0, "a<b": 1.0}) == "age counts threefold, other columns once"
    assert below({"age": 3.0, "a<b": 3.0, "c": 1.0}) == "age and a&lt;b count threefold, other columns once"
    assert below({"a": 1.0, "b": 1.0}) == "all columns alike"
    assert below({"age": 3.0, "b": 1.0}, "loss") == ""


def labels(drawn):
    """What is written in the picture, by the place of its mark."""
    return {(note.x, note.y): note.text for note in drawn.layout.annotations}


def test_every_option_that_can_be_published_lies_on_one_mark_of_its_kind():
    drawn, found = figure(), marks(figure())
    possible = [point for point in result().points if not point.problem]
    assert sorted(number for pile in lying(drawn).values() for number in pile) == [p.number for p in possible]
    for number in lying(drawn):
        point = result().point(number)
        kind = "ARX-LR" if point.option.way.name == "local" else "global"
        assert found[kind][number] == (point.value("loss"), point.value("expected"))


def test_no_mark_hides_another_and_the_pointer_counts_what_lies_on_one_spot():
    drawn = figure()
    places = [place for of_kind in marks(drawn).values() for place in of_kind.values()]
    assert len(places) == len(set(places))
    assert max(map(len, lying(drawn).values())) > 1
    for number, pile in lying(drawn).items():
        same = {result().point(n).value("loss") for n in pile}, {result().point(n).value("expected") for n in pile}
        assert all(len(values) == 1 for values in same)
        assert (f"(and {len(pile) - 1} more here)" in told(drawn)[number]) == (len(pile) > 1)
    # Of a spot what is chosen is drawn, else one that passes the check.
    held = [pile for pile in lying(drawn).values() if len(pile) > 1]
    for pile in held:
        passing = [n for n in pile if result().point(n).verdict == "ready"]
        assert not passing or pile[0] in passing
        assert set(lying(figure(chosen={"A": pile[-1]}))[pile[-1]]) == set(pile)


def test_marks_that_nearly_lie_on_each_other_are_one():
    compared, measures = result(), (KEPT["loss"], GIVEN["expected"])
    numbers = list(places_of(compared, *measures))[:4]
    places = dict(zip(numbers, [(0.0, 0.0), (0.04, 0.04), (0.04, 1.0), (1.0, 0.5)], strict=True))
    found = piles(compared, places, [numbers[1]])
    assert {frozenset(pile) for pile in found.values()} == {
        frozenset(numbers[:2]),
        *(frozenset([n]) for n in numbers[2:]),
    }
    assert numbers[1] in found
    # Of two that are named each has its own numbers, so none is drawn at the other's place; only on one spot it is.
    apart = piles(compared, places, numbers[:2])
    assert all(apart[number] == (number,) for number in numbers[:2])
    alike = piles(compared, places | {numbers[1]: places[numbers[0]]}, numbers[:2])
    assert alike[numbers[0]] == (*numbers[:2],)


def test_a_mark_says_why_its_option_does_not_pass():
    seen = set()
    for trace in figure().data:
        if trace.customdata is None:
            continue
        hollow = trace.marker.symbol.endswith("-open")
        for (number, *_), text in zip(trace.customdata, trace.hovertext, strict=True):
            point, said = result().point(number), text.replace("<br>", " ")
            assert hollow == (point.verdict != "ready")
            first = next((finding.text for finding in point.findings if finding.level != "note"), "Ready")
            assert first.split(",")[0] in said
            seen.add(hollow)
    assert seen == {True, False}


def test_marks_on_one_spot_are_labelled_once_and_shares_end_at_100_percent():
    # 3 and 4 suppress everybody: with either all is lost.
    drawn = figure(chosen={"A": 3, "B": 4}, present=result().points[0])
    assert sorted(labels(drawn).values()) == ["1, in use", BEST, "<b>A</b> 3, <b>B</b> 4"]
    assert 1 < drawn.layout.xaxis.range[1] <= 1.04
    both = tuple(replace(point, number=number) for number, point in enumerate(result().points[2:4], 1))
    alone = options_figure(replace(result(), points=both), KEPT["loss"], GIVEN["expected"], {}, None)
    assert alone.layout.xaxis.range[0] < 0.95
    assert alone.layout.xaxis.range[1] <= 1.04


@given(st.integers(-40, 40), st.integers(-40, 20), st.integers(1, 40))
def test_what_keeps_clear_on_a_telephone_does_so_on_any_larger_screen(apart, least, wide):
    most = least + wide
    widened = (apart * (1 + step / 400) for step in range(400 * 41)) if apart else (0,)
    assert meet(apart, least, most) == any(least < now < most for now in widened)


def over(placed, places, apart, turned=False):
    """Which labels lie over which other labels, marks or rings where the outermost marks are so far apart."""
    at = in_pixels(places, apart, turned=turned)
    boxes = {one.number: moved(one.box, at[one.number]) for one in placed}
    found = {(n, other) for n, box in boxes.items() for other in boxes if n < other and overlap(box, boxes[other])}
    ringed = [one.number for one in placed]
    return found | {
        (n, "mark", other)
        for n, box in boxes.items()
        for other, place in at.items()
        if other != n and overlap(box, moved(box_of_mark(ring=other in ringed), place))
    }


def moved(box, place):
    return box[0] + place[0], box[1] + place[0], box[2] + place[1], box[3] + place[1]


def overlap(one, other):
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def test_a_label_gives_way_to_marks_rings_and_other_labels():
    corners = {8: (0.0, 0.0), 9: (100.0, 100.0)}

    def side(places, texts=None, ringed=()):
        placed = place_labels(texts or {1: "<b>B</b> 17"}, [1, *ringed], corners | places)
        assert over(placed, corners | places, APART) == set()
        return next((one.across, one.up) for one in placed if one.number == 1)

    alone = {1: (50.0, 50.0)}
    assert side(alone) == (1, 1)
    assert side(alone | {2: (60.0, 60.0)}) != (1, 1)  # a mark where it would stand
    assert side(alone | {2: (62.0, 34.0), 3: (40.0, 60.0), 4: (62.0, 72.0)}, ringed=[4]) == (-1, -1)  # a ring
    both = alone | {2: (35.0, 62.0)}
    assert side(both, {2: "<b>A</b> 1, in use", 1: "<b>B</b> 17"}) == (1, -1)  # another label has its first place
    # At the right edge it stands to the left, at the lower one above.
    assert place_labels({9: "<b>A</b> 1, in use"}, [9], corners)[0].across == -1
    assert place_labels({8: "8"}, [8], corners)[0].up == 1


def test_the_frontier_is_a_staircase():
    (line,) = [trace for trace in figure().data if trace.mode == "lines"]
    # From 2/7 with two people to 3/7 with nobody: left of the line and below it there is no option.
    assert list(line.x) == pytest.approx([2 / 7, 2 / 7, 3 / 7])
    assert list(line.y) == pytest.approx([2, 0, 0])


def test_the_dotted_line_runs_through_no_mark_that_is_beaten():
    """The third and the fourth keep as much as the second or give as much away as the first, and are beaten by them."""
    compared = options_at((0.2, 6.0), (0.4, 0.0), (0.4, 4.0), (0.3, 6.0))
    drawn = options_figure(compared, KEPT["detail"], GIVEN["expected"], {}, None)
    (line,) = [trace for trace in drawn.data if trace.mode == "lines"]
    places = {place for of_kind in marks(drawn).values() for place in of_kind.values()}
    assert places == {(0.2, 6.0), (0.4, 0.0), (0.4, 4.0), (0.3, 6.0)}
    corners = list(zip(line.x, line.y, strict=True))
    met = {
        (x, y)
        for x, y in places
        for (left, top), (right, low) in pairwise(corners)
        if left <= x <= right and low <= y <= top
    }
    assert met == {(0.2, 6.0), (0.4, 0.0)}


def options_at(*places):
    """As many options that pass the check, each with a detail lost and people singled out."""
    exact = [{"detail": x, "expected": y, "certain": 0.0, "prosecutor": 0.5, "gain": 0.0} for x, y in places]
    return replace(
        result(),
        points=tuple(
            replace(
                result().points[0],
                number=number,
                figures={key: Figure.exact(value) for key, value in numbers.items()},
                verdict="ready",
                findings=(),
                loss=None,
                table="",
            )
            for number, numbers in enumerate(exact, 1)
        ),
    )


@pytest.mark.parametrize("chosen", [{}, {"B": 3}, {"A": 2, "B": 3}])
def test_the_dotted_line_bends_at_marks_alone(chosen):
    """The third lies on the spot of the second, which alone is on the line; whichever is drawn, the line meets it."""
    compared = options_at((0.2, 6.0), (0.4, 0.0), (0.41, 0.0), (0.6, 5.0))
    drawn = options_figure(compared, KEPT["detail"], GIVEN["expected"], chosen, None)
    (line,) = [trace for trace in drawn.data if trace.mode == "lines"]
    places = {place for of_kind in marks(drawn).values() for place in of_kind.values()}
    corners = list(zip(line.x, line.y, strict=True))[::2]
    assert corners == [(0.2, 6.0), (0.41 if chosen == {"B": 3} else 0.4, 0.0)]
    assert set(corners) <= places


def test_what_is_beaten_by_none_for_the_other_side_of_risk_is_not_said_to_be_on_the_dotted_line():
    def point(number, detail, expected, prosecutor):
        numbers = {"detail": detail, "expected": expected, "certain": 0.0, "prosecutor": prosecutor, "gain": 0.0}
        known = {key: Figure.exact(number) for key, number in numbers.items()}
        return replace(result().points[0], number=number, figures=known, loss=None, table="")

    # The second keeps less and gives more away than the first to a stranger, and less to who knows somebody.
    points = (point(1, 0.3, 12.0, 0.5), point(2, 0.4, 34.0, 0.1), point(3, 0.4, 34.0, 0.5), point(4, 0.6, 2.0, 0.5))
    compared, measures = replace(result(), points=points), (KEPT["detail"], GIVEN["expected"])
    assert compared.frontier(*measures) == {1, 2, 4}
    assert on_dotted_line(compared, *measures) == {1, 4}


def test_the_chosen_ones_are_ringed_and_named():
    drawn = figure(chosen={"A": 1, "B": 1}, present=result().points[0])
    assert list(labels(drawn).values()) == ["<b>A, B</b> 1, in use", BEST]
    apart = figure(chosen={"A": 1, "B": 3})
    assert {text: x for (x, _), text in labels(apart).items()} == {
        BEST: result().recommended.value("loss"),
        "<b>A</b> 1": pytest.approx(2 / 7),
        "<b>B</b> 3": pytest.approx(result().point(3).value("loss")),
    }
    assert {trace.mode for trace in apart.data if trace.customdata is not None} == {"markers"}


def test_what_the_sentence_above_names_is_labelled():
    """The option to take; where none passes, the nearest."""
    passing = replace(result(), points=tuple(replace(p, verdict="ready", findings=()) for p in result().points))
    stopped = [p if p.verdict != "ready" else replace(p, verdict="stop", findings=(ALONE,)) for p in result().points]
    none = replace(result(), points=tuple(stopped))
    for compared, named in ((passing, passing.recommended), (none, none.nearest)):
        drawn = options_figure(compared, KEPT["loss"], GIVEN["expected"], {}, None)
        assert list(labels(drawn).values()) == [str(named.number)]


def test_options_that_the_sentence_names_have_marks_of_their_own_labelled_from_left_to_right():
    """The third loses a little less, with a smaller k; the second hides it, and both lose less than the best."""
    compared, loss = options_at((0.5, 0.0), (0.342, 0.0), (0.328, 0.0), (0.9, 5.0)), result().points[0].loss
    best, asked, smaller, far = (replace(point, loss=loss) for point in compared.points)
    asked = replace(asked, figures=asked.figures | {"gain": Figure.exact(inf)})
    smaller = replace(smaller, option=replace(smaller.option, k=1))
    compared = replace(compared, points=(best, asked, smaller, far))
    assert [point.number for point in worth_taking(compared)] == [1, 2, 3]
    drawn = options_figure(compared, KEPT["detail"], GIVEN["expected"], {}, None)
    assert sorted(labels(drawn).values()) == ["1", "3, 2"]  # from left to right
    (places,) = [places for places in marks(drawn).values() if 1 in places]
    assert (places[3][0], places[2][0]) == pytest.approx((0.328, 0.342))


def test_down_is_always_less_given_away_and_what_has_no_bound_stands_on_top():
    assert figure("left").layout.yaxis.autorange == "reversed"
    assert figure("expected").layout.yaxis.autorange is None
    drawn = figure("gain")
    assert "\u221e" in drawn.layout.yaxis.ticktext
    (places,) = [places for name, places in marks(drawn).items() if 1 in places]
    assert places[1][1] == pytest.approx(ENDLESS)  # nothing else is known: the scale ends at 1


def test_the_pointer_tells_the_option():
    own = told(figure())[1]
    assert own.startswith("<b>1: Local recoding, ARX-LR</b><br>Check: Stop. The release alone shows 2 descriptions")
    assert own.endswith("<br>Information lost: 28.6 %<br>Singled out, expected: 2")


def test_names_are_shown_as_text():
    study = Study([Attribute("<b>a</b>", 0, 8, 3)], 2)
    grid = OptionGrid((2,), ((3, 2),), (Way("local", "paper"),))
    result = compare(pd.DataFrame({"<b>a</b>": [0, 3, 4, 5]}), study, grid)
    drawn = options_figure(result, KEPT["loss"], GIVEN["expected"], {}, None)
    assert any("finest: &lt;b&gt;a&lt;/b&gt; 4" in text for text in told(drawn).values())
