"""The frontier against its definition: what nothing beats on both sides, equal tables, bounds, exact losses."""

import math
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from small_grids import DATA, STUDY, grid

from cra_engine import Option, Way, compare
from cra_engine.options import GIVEN, KEPT, Measure, Point, better, frontier, same_table
from cra_engine.options.measures import Figure
from cra_engine.utility.loss import MeanLoss

LOSS = KEPT["loss"]
SMALL = st.integers(0, 3)
WAYS_OF = st.sampled_from(["local", "repaired", "safe", "global"])
PLACES = st.lists(
    st.tuples(
        WAYS_OF,
        st.none() | SMALL,
        st.none() | SMALL,
        SMALL,
        st.none() | st.integers(0, 1),
        st.none() | st.sampled_from([0, 1, math.inf]),
        SMALL,
    ),
    max_size=12,
)
ACROSS = Measure("x", "", True, "less", "")
UPWARDS = Measure("y", "", False, "less", "")


def place(number, way, x, y, known=0, certain=0, gain=0, table="", k=2):
    values = {"x": x, "y": y, "prosecutor": known, "certain": certain, "gain": gain}
    figures = {key: Figure.unknown() if value is None else Figure.exact(value) for key, value in values.items()}
    return Point(number, Option(k, (2,), Way(way)), "", "", figures, table=table and f"{way} {table}")


@given(PLACES)
def test_the_frontier_is_what_nothing_beats_on_both_sides(places):
    points = [place(number, *one[:6]) for number, one in enumerate(places, start=1)]
    reader = {"repaired": "local"}

    def beats(one, other):
        keys = ["x", "y", "prosecutor", "certain"]
        first, second = ([p.value(key) for key in keys] for p in (one, other))
        if None in (*first, *second) or first == second:
            return False
        ways = [reader.get(p.option.way.name, p.option.way.name) for p in (one, other)]
        gains = [p.value("gain") for p in (one, other)]
        if ways[0] != ways[1] and (None in gains or gains[0] > gains[1]):
            return False
        return all(a <= b for a, b in zip(first, second, strict=True))

    for point in points:
        rivals = [other for other in points if beats(other, point)]
        assert better(points, point, ACROSS, UPWARDS) == rivals
        on = point.number in frontier(points, ACROSS, UPWARDS)
        assert on == (not rivals and None not in (point.value("x"), point.value("y")))


@given(PLACES, st.lists(st.integers(2, 5), min_size=12, max_size=12))
def test_equal_tables_are_one_option(places, ks):
    points = [
        place(number, *one[:6], table=str(one[6]), k=k)
        for number, (one, k) in enumerate(zip(places, ks, strict=False), start=1)
    ]
    same = same_table(points)
    for point in points:
        equal = [p for p in points if p.table == point.table]
        assert {same[p.number] for p in equal} == {same[point.number]}
        (chosen,) = [p for p in equal if p.number == same[point.number]]
        assert chosen.option.k == max(p.option.k for p in equal)
    best = frontier(points, ACROSS, UPWARDS)
    assert all(same[number] == number for number in best)


def test_a_smaller_k_beats_no_larger_one_for_the_attacks_sake_alone():
    # k = 3 loses less and is expected to single out fewer; who knows a person is right more often.
    three, five = place(1, "local", 1, 10.1, known=1 / 3, k=3), place(2, "local", 2, 11.8, known=1 / 5, k=5)
    assert frontier([three, five], ACROSS, UPWARDS) == {1, 2}
    assert not better([three, five], five, ACROSS, UPWARDS)
    worse = place(3, "local", 2, 11.8, known=1 / 4, k=4)
    assert frontier([three, five, worse], ACROSS, UPWARDS) == {1, 2}
    assert better([three, five, worse], worse, ACROSS, UPWARDS) == [five]


def test_a_bound_beats_by_its_worse_end_and_is_beaten_by_its_better_one():
    # In time nobody was found to be certain in the first; there may be up to three, so it is not known to be better.
    cut, one = place(1, "local", 1, 1), place(2, "local", 2, 2, certain=1)
    cut = replace(cut, figures=cut.figures | {"certain": Figure(0, 0, 3, "timeout")})
    assert frontier([cut, one], ACROSS, UPWARDS) == {1, 2}
    assert not better([cut, one], one, ACROSS, UPWARDS)
    many = place(3, "local", 2, 2, certain=3)
    assert better([cut, many], many, ACROSS, UPWARDS) == [cut]
    # Nobody can be better than what is at best as good.
    none = place(4, "local", 0, 0)
    assert better([cut, none], cut, ACROSS, UPWARDS) == [none]
    open_ended = replace(cut, figures=cut.figures | {"certain": Figure(0, 0, None, "bound")})
    assert not better([open_ended, many], many, ACROSS, UPWARDS)


def test_losses_are_compared_exactly():
    # The closest fractions to the root of 2 with a denominator this long differ from it in the 27th digit.
    p, q = 1, 1
    for _ in range(35):
        p, q = p + 2 * q, p + q
    losses = [MeanLoss({Fraction(2): 1}, 2), MeanLoss({Fraction(p, q) ** 2: 1}, 2)]
    assert losses[0].value == losses[1].value
    figures = {key: Figure.exact(1) for key in ("loss", "y", "prosecutor", "certain", "gain")}
    points = [Point(n, Option(2, (2,), Way("local")), "", "", figures, loss) for n, loss in enumerate(losses)]
    assert frontier(points, LOSS, UPWARDS) == {int(p * p < 2 * q * q)}


def test_more_tables_left_are_better():
    points = compare(DATA, STUDY, grid(layers=((2, 3),))).points
    assert {p.option.layers for p in points if p.number in frontier(points, LOSS, GIVEN["left"])} == {(2,), (3,)}
    fewest = frontier(points, KEPT["suppressed"], GIVEN["left"])
    assert {p.option.layers for p in points if p.number in fewest} == {(2,)}
