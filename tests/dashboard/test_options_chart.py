"""The picture of options: which marks, where, and the border of what the frontier reaches."""

from dataclasses import replace
from decimal import Decimal
from functools import cache

import pandas as pd
import pytest

from cra_dashboard.options.chart import ENDLESS, on_dotted_line, options_figure, outline, piles, places_of
from cra_dashboard.options.names import Letter, in_lines, is_readable, worth_naming
from cra_engine import Attribute, OptionGrid, Study, Way, compare
from cra_engine.assess.figure import Figure
from cra_engine.options import GIVEN, KEPT

STUDY = Study([Attribute("a", 0, 8, 3)], 2)
# k = 2 loses 2/7 and isolates two; with wider leaves 3/7 and nobody; k = 3 loses all; k = 9 cannot be.
WAYS = (Way("local", "paper"), Way("global", Decimal(0)))


@cache
def result():
    return compare(pd.DataFrame({"a": [0, 3, 4, 5]}), STUDY, OptionGrid((2, 3, 9), ((3, 2),), WAYS))


def figure(given="expected", chosen=None, present=None):
    return options_figure(result(), KEPT["loss"], GIVEN[given], chosen or {}, present)


def marks(drawn):
    return {
        trace.name: {number: (x, y) for (number, *_), x, y in zip(trace.customdata, trace.x, trace.y, strict=True)}
        for trace in drawn.data
        if trace.customdata is not None
    }


def lying(drawn):
    """The options that lie on each mark, by the number of the one that is drawn."""
    held = [pile for trace in drawn.data if trace.customdata is not None for pile in trace.customdata]
    return {pile[0]: list(pile) for pile in held}


def written(drawn):
    """What is written beside each mark, in one line."""
    beside = {}
    for trace in drawn.data:
        if trace.customdata is not None:
            beside |= {
                pile[0]: text.replace("<br>", " ") for pile, text in zip(trace.customdata, trace.text, strict=True)
            }
    return beside


def test_every_option_that_can_be_published_lies_on_one_mark_of_its_kind():
    drawn, found = figure(), marks(figure())
    possible = [point for point in result().points if not point.problem]
    assert sorted(number for pile in lying(drawn).values() for number in pile) == [p.number for p in possible]
    for number in lying(drawn):
        point = result().point(number)
        kind = "ARX-LR" if point.option.way.name == "local" else "global"
        name = f"{kind}: {'passes' if point.verdict == 'ready' else 'does not pass'}"
        assert found[name][number] == (point.value("loss"), point.value("expected"))


def test_no_mark_hides_another_and_what_lies_on_one_spot_is_counted():
    drawn = figure()
    places = [place for of_kind in marks(drawn).values() for place in of_kind.values()]
    assert len(places) == len(set(places))
    assert max(map(len, lying(drawn).values())) > 1
    for number, pile in lying(drawn).items():
        same = {result().point(n).value("loss") for n in pile}, {result().point(n).value("expected") for n in pile}
        assert all(len(values) == 1 for values in same)
        assert written(drawn)[number].endswith(f"\u00d7{len(pile)}") == (len(pile) > 1)
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


def test_a_chosen_mark_has_its_name_where_it_can_be_read():
    places = {1: (0.0, 0.0), 2: (40.0, 10.0), 3: (100.0, 100.0)}
    assert is_readable(Letter(3, "B", "safe 1", left=False), places)
    assert not is_readable(Letter(3, "B", "safe 1", left=False), places, [Letter(3, "A", "local", left=False)])
    long = in_lines("safe 1, age 40 years, weight 40 kg")
    assert is_readable(Letter(3, "B", long, left=False), places)  # broken into lines it has room
    assert not is_readable(Letter(3, "B", "safe 1, age 40 years, weight 40 kg", left=False), places)  # cut at the left
    assert not is_readable(Letter(1, "B", "safe 1, age 4", above=True), places)  # over the second mark
    assert is_readable(Letter(1, "B", "safe 1, age 4"), places)


def test_marks_on_one_spot_are_labelled_once_and_shares_end_at_100_percent():
    # 3 and 4 suppress everybody: with either all is lost.
    drawn = figure(chosen={"A": 3, "B": 4}, present=result().points[0])
    labels = [f"<b>A, B</b> {result().point(3).short} \u00d72", f"<b>in use</b> {result().points[0].short}"]
    assert sorted(note.text for note in drawn.layout.annotations) == labels
    assert 1 < drawn.layout.xaxis.range[1] <= 1.04
    both = tuple(replace(point, number=number) for number, point in enumerate(result().points[2:4], 1))
    alone = options_figure(replace(result(), points=both), KEPT["loss"], GIVEN["expected"], {}, None)
    assert alone.layout.xaxis.range[0] < 0.95
    assert alone.layout.xaxis.range[1] <= 1.04


def test_of_many_marks_those_on_the_frontier_are_named(monkeypatch):
    monkeypatch.setattr("cra_dashboard.options.chart.MOST_NAMED", 0)
    drawn = figure()
    best = {
        place
        for places in marks(drawn).values()
        for number, place in places.items()
        if number in result().frontier(KEPT["loss"])
    }
    called = {
        (x, y)
        for trace in drawn.data
        if trace.customdata is not None
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
        if any(map(str.isalpha, text))
    }
    assert called
    assert called <= set(outline(best))


def named(places, letters=(), frontier=(), down=1):
    found = worth_naming([(number, "four") for number in places], places, letters, frontier, down)
    return {number: side for number, (_, side) in found.items()}


# In the corners, so that all else lies well inside.
CORNERS = {8: (0.0, 0.0), 9: (100.0, 100.0)}


def test_a_name_stands_above_its_mark_where_there_is_room():
    assert named(CORNERS | {1: (50.0, 50.0), 2: (50.0, 20.0)}) | {8: "", 9: ""} == {
        1: "top center",
        2: "top center",
        8: "",
        9: "",
    }


def test_a_name_gives_way_to_a_mark_a_letter_and_the_frontier():
    alone = CORNERS | {1: (50.0, 50.0)}
    assert named(alone)[1] == "top center"
    # A mark right above, and one below with the axis turned round.
    assert named(alone | {2: (50.0, 58.0)})[1] != "top center"
    assert named(alone | {2: (50.0, 42.0)}, down=-1)[1] != "top center"
    # The letter of a mark to the right, which stands to its left and a little above.
    assert named(alone | {2: (70.0, 50.0)}, [Letter(2, "A, in use", left=False, above=True)])[1] != "top center"
    # The frontier runs by above.
    assert named(alone, frontier=[(0.0, 57.0), (100.0, 57.0)])[1] != "top center"


def test_a_name_that_would_lie_over_something_on_every_side_is_left_out():
    around = {at: (50.0 + 7 * (at % 5 - 2), 50.0 + 7 * (at // 5 - 2)) for at in range(25)}
    assert 12 not in named(CORNERS | {100 + at: place for at, place in around.items() if at != 12} | {12: around[12]})


def test_of_what_may_be_written_beside_a_mark_the_first_that_has_room_is_written():
    around = CORNERS | {1: (50.0, 50.0), 2: (50.0, 62.0), 3: (50.0, 38.0)}
    wanted = [(1, "a name so long that it has no room on any side"), (1, "short"), (1, "later")]
    assert worth_naming(wanted, around)[1][0] == "short"


def test_the_frontier_is_a_staircase():
    (line,) = [trace for trace in figure().data if trace.mode == "lines"]
    # From 2/7 with two people to 3/7 with nobody: in between, no option is known that gives away less than two.
    assert list(line.x) == pytest.approx([2 / 7, 3 / 7, 3 / 7])
    assert list(line.y) == pytest.approx([2, 2, 0])


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
    name = result().point(1).short
    assert [note.text for note in drawn.layout.annotations] == [f"<b>A, B, in use</b> {name}"]
    assert all(name not in (trace.text or ()) for trace in drawn.data)
    apart = figure(chosen={"A": 1, "B": 3})
    assert {note.text: note.x for note in apart.layout.annotations} == {
        f"<b>A</b> {name}": pytest.approx(2 / 7),
        f"<b>B</b> {result().point(3).short} \u00d72": pytest.approx(result().point(3).value("loss")),
    }


def test_down_is_always_less_given_away_and_what_has_no_bound_stands_on_top():
    assert figure("left").layout.yaxis.autorange == "reversed"
    assert figure("expected").layout.yaxis.autorange is None
    drawn = figure("gain")
    assert "\u221e" in drawn.layout.yaxis.ticktext
    (places,) = [places for name, places in marks(drawn).items() if 1 in places]
    assert places[1][1] == pytest.approx(ENDLESS)  # nothing else is known: the scale ends at 1


def test_the_pointer_tells_the_option():
    told = [text for trace in figure().data if trace.hovertext is not None for text in trace.hovertext]
    (own,) = [text for text in told if text.startswith("<b>1: ")]
    assert own.startswith("<b>1: Local recoding, ARX-LR</b><br>Check: Stop. The release alone shows 2 descriptions")
    assert own.endswith("<br>Information lost: 28.6 %<br>Singled out, expected: 2")


def test_names_are_shown_as_text():
    study = Study([Attribute("<b>a</b>", 0, 8, 3)], 2)
    grid = OptionGrid((2,), ((3, 2),), (Way("local", "paper"),))
    result = compare(pd.DataFrame({"<b>a</b>": [0, 3, 4, 5]}), study, grid)
    drawn = options_figure(result, KEPT["loss"], GIVEN["expected"], {}, None)
    told = [text for trace in drawn.data if trace.hovertext is not None for text in trace.hovertext]
    assert any("finest: &lt;b&gt;a&lt;/b&gt; 4" in text for text in told)
