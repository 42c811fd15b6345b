"""Options: a case worked out by hand, every point against its steps one by one, the frontier against its definition."""

import math
from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from itertools import product

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import (
    Attribute,
    CRAError,
    DataError,
    Option,
    OptionGrid,
    Study,
    StudyError,
    TooLargeError,
    Way,
    attack,
    compare,
    recode,
    tight_attack,
)
from cra_engine.cli.compare_options import grid_of, whole_numbers_of
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.options import (
    GIVEN,
    KEPT,
    Heights,
    Measure,
    Point,
    better,
    finest,
    frontier,
    grid_around,
    possible_layers,
    same_table,
    verdict_text,
    ways_for,
    wider_options,
    with_layers,
)
from cra_engine.options.measures import OUT_OF_TIME, Figure
from cra_engine.patience import checkpoint
from cra_engine.publish.full_domain.least_loss import least_loss
from cra_engine.raw.synthesis import synthesize
from cra_engine.study.file_hierarchy import FileHierarchy, read_hierarchy
from cra_engine.study.hierarchy_files import hierarchy_text
from cra_engine.utility.loss import MeanLoss
from strategies import cases

STUDY = Study([Attribute("a", 0, 8, 3)], 2)
DATA = pd.DataFrame({"a": [0, 3, 4, 5]})
LOSS, EXPECTED = KEPT["loss"], GIVEN["expected"]


def grid(ks=(2,), layers=((3,),), profiles=("paper",), limits=()):
    ways = (*(Way("local", profile) for profile in profiles), *(Way("global", Decimal(limit)) for limit in limits))
    return OptionGrid(tuple(ks), tuple(map(tuple, layers)), ways)


# ---------------------------------------------------------------- by hand


def test_a_table_of_four_by_hand():
    result = compare(DATA, STUDY, grid(ks=(2, 3, 5), layers=((3, 2),), limits=("0", "0.5")))
    assert result.complete
    assert [point.number for point in result.points] == list(range(1, 19))
    found = {(p.option.k, p.option.layers[0], p.option.way.name, p.option.way.setting): p for p in result.points}

    # Published: [4, 6[ with two records, a single value losing 0 and all eight 1: (2 - 1) / 7; then [0, 4[, 3 / 7.
    own = found[2, 3, "local", "paper"]
    assert own is result.present
    assert own.loss.growths == {Fraction(8, 7): 2, Fraction(10, 7): 2}
    assert own.value("loss") == pytest.approx(2 / 7)
    assert (own.value("class_size"), own.value("suppressed")) == (2, 0)
    # Had both people of [0, 4[ been in one half, it had been published: each half holds one. 2 * 2 of C(4, 2) tables,
    # times one for [4, 6[. Four people on eight values may be alike: then numbers of people per cell count alike,
    # and of these one is left, one person in each half. The intervals leave three, (2, 0), (1, 1) and (0, 2).
    assert (own.value("certain"), own.value("expected"), own.value("likeliest")) == (2, 2, 1)
    assert own.value("expected_intervals") == pytest.approx(2 / 3)
    assert own.value("left") == 0
    assert (own.value("alone"), own.value("prosecutor"), own.value("gain")) == (2, 0.5, math.inf)
    assert (own.verdict, own.findings[0].code) == ("stop", "certain")

    # Leaves of four values: two classes on single cells.
    coarse = found[2, 2, "local", "paper"]
    assert coarse.value("loss") == pytest.approx(3 / 7)
    assert [coarse.value(key) for key in ("certain", "expected", "alone")] == [0, 0, 0]
    assert coarse.value("left") == 0
    assert coarse.verdict == "ready"
    assert result.recommended is coarse

    # k = 3: no box below the root holds three, so all are suppressed, two in each half: three ways each.
    none = found[3, 3, "local", "paper"]
    assert (none.value("loss"), none.value("suppressed")) == (1, 4)
    assert 10 ** none.value("left") == pytest.approx(9)

    # Globally: at layer 1 two of four are suppressed, which loses (2 / 7 + 2) / 4; at layer 2 nobody, 3 / 7: better.
    for limit in (Decimal(0), Decimal("0.5")):
        point = found[2, 3, "global", limit]
        assert (point.state, point.value("suppressed")) == ((2,), 0)
        assert point.value("loss") == pytest.approx(3 / 7)
        # Two records on four values each: a quarter holds one of them with 2 * 2 / 6, four quarters.
        assert point.value("expected") == pytest.approx(8 / 3)
        assert point.value("alone") == 2
    assert found[3, 3, "global", Decimal(0)].state == (3,)

    for point in result.points:
        if point.option.k == 5:
            assert (
                point.problem
                == "k = 5 is more than the 4 records of the table; take a smaller k, or wait for more records."
            )


@pytest.mark.parametrize("name", ["toy", "clinic"])
def test_no_two_options_have_one_short_name(name):
    made = synthesize(name)
    models = [LDiversity("diagnosis", l=2), LDiversity("stay", l=2)]
    study = made.study.changed(privacy=models)
    around = grid_around(study, len(made.data))
    layers = tuple(possible_layers(attribute)[-3:] for attribute in study.attributes)
    every = [OptionGrid(around.ks[:3], layers, ways_for(study)), around]
    for planned in (*(grid.planned(study) for grid in every), wider_options(study, len(made.data))):
        short = [Heights(study).short(option) for option in planned]
        assert sorted(short) == sorted(set(short))


# ---------------------------------------------------------------- every point is what the steps give


@pytest.mark.exhaustive
@settings(max_examples=8)
@given(cases(fanouts=(2,)), st.data())
def test_every_point_is_recoding_attack_and_singling_out(case, data):
    study, table = case.study, case.data
    lower = tuple(data.draw(st.integers(max(1, a.layers - 1), a.layers)) for a in study.attributes)
    profile, limit = data.draw(st.sampled_from(["paper", Decimal("0.2")])), data.draw(st.sampled_from(["0", "0.3"]))
    ks = (study.k + data.draw(st.integers(0, 1)),)
    tried = grid(ks, [(height,) for height in lower], (profile,), (limit,))
    result = compare(table, study, tried)
    for point in data.draw(st.lists(st.sampled_from(result.points), max_size=6, unique_by=id)):
        option = point.option
        heights = [with_layers(a, n) for a, n in zip(study.attributes, option.layers, strict=True)]
        if option.k > len(table):
            assert point.problem
        elif option.way.name == "local":
            check_local(point, table, Study(heights, option.k, option.way.setting))
        else:
            check_global(point, table, Study(heights, option.k))
    sizes = Counter(point.option for point in result.points)
    assert set(sizes) == set(tried.planned(study))
    assert max(sizes.values()) == 1


def check_local(point, table, study):
    recoding = recode(table, study)
    sizes = [c.size for c in recoding.classes]
    assert point.value("suppressed") == recoding.suppressed
    states = [recoding.lattice.loss(c.segment.state) for c in recoding.classes]
    lost = sum(s * loss for s, loss in zip(sizes, states, strict=True)) + recoding.suppressed
    assert point.value("loss") == pytest.approx(lost / len(table))
    # What is said to be certain, and what is said to be alone, is so in the table.
    held = recoding.cell_counts(1)
    assert point.value("alone") == (held == 1).sum()
    if point.value("certain") is None:
        assert point.notes
    else:
        assert point.value("certain") <= point.value("alone")
    if len({released.segment.state for released in recoding.release.classes}) > 1:
        certain = set(attack(recoding.release, prior="independent").isolated)
        assert point.value("certain") is None or len(certain) <= point.value("certain")


def check_global(point, table, study):
    found = least_loss(table, study, point.option.way.setting)
    assert point.state == found.state
    assert point.loss == found.loss
    everything = found.state == tuple(a.layers for a in study.attributes)  # then all rows show * throughout
    assert point.value("suppressed") == (len(table) if everything else found.suppressed)
    if point.value("certain") is not None:
        assert point.value("certain") <= point.value("alone")


def test_a_sorted_table_is_judged_as_it_is_handed_out():
    toy = synthesize("toy")
    data = toy.data.sort_values(list(toy.study.names)).reset_index(drop=True)
    point = compare(data, toy.study, OptionGrid.of(toy.study, [Way("local", "paper")])).present
    codes = {finding.code for finding in point.findings}
    assert codes
    assert "order" not in codes


def test_who_is_certain_is_said_of_all_classes_together():
    made = synthesize("toy")
    point = compare(made.data, made.study, OptionGrid.of(made.study, [Way("local", "paper")])).present
    tight = tight_attack(recode(made.data, made.study).release, time_limit=600)
    assert (point.value("certain"), point.figures["certain"].sure) == (len(tight.isolated), "exact") == (2, "exact")


# ---------------------------------------------------------------- the frontier

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


# ---------------------------------------------------------------- running


def test_the_studys_own_option_is_always_tried():
    result = compare(DATA, STUDY, grid(ks=(3,)))
    assert [(p.number, p.option.k) for p in result.points] == [(1, 2), (2, 3)]
    assert result.present is result.points[0]
    with pytest.raises(CRAError, match="numbered 1 to 2"):
        result.point(3)


def test_progress_and_an_early_end():
    told = []
    result = compare(
        DATA, STUDY, grid(ks=(2, 3, 4)), progress=lambda *now: told.append(now), cancelled=lambda: len(told) == 2
    )
    assert [(done, total) for done, total, _ in told] == [(1, 3), (2, 3)]
    assert (len(result.points), result.complete) == (2, False)
    whole = compare(DATA, STUDY, grid(ks=(2, 3, 4)), progress=lambda *now: told.append(now))
    assert (told[-1][:2], told[-1][2], whole.complete) == ((3, 3), 0, True)


def test_an_option_that_was_done_when_the_comparison_is_cancelled_is_kept(monkeypatch):
    compared, done = import_module("cra_engine.options.compare"), []
    figures = compared.figures
    monkeypatch.setattr(compared, "figures", lambda *args: (figures(*args), done.append(True))[0])
    result = compare(DATA, STUDY, grid(ks=(2, 3, 4)), cancelled=lambda: len(done) == 2)
    assert (len(done), len(result.points), result.complete) == (2, 2, False)


def test_a_check_of_an_option_ends_where_the_comparison_is_cancelled(monkeypatch):
    """Not only once it is done: a check may take a minute."""
    made = synthesize("toy")
    checking = []

    def slow_check(*_, **__):
        checking.append(True)
        checkpoint()
        pytest.fail("the check went on")

    monkeypatch.setattr(import_module("cra_engine.options.compare"), "check", slow_check)
    result = compare(made.data, made.study, cancelled=lambda: bool(checking))
    assert (len(checking), result.complete, result.points) == (1, False, ())


def test_an_option_that_takes_too_long_says_so():
    made = synthesize("clinic")
    layers = [(a.layers,) for a in made.study.attributes]
    result = compare(made.data, made.study, grid((5,), layers, limits=("0.1",)), time_limit=0)
    for point in result.points:
        assert point.problem == OUT_OF_TIME or OUT_OF_TIME in point.notes
        assert (point.value("expected"), point.value("certain")) == (None, None)
        assert point.verdict != "ready"
        assert not point.problem or verdict_text(point) == "out of time"
    assert not result.frontier()
    assert result.recommended is None


def test_what_is_too_large_stays_in_the_table():
    study = Study([Attribute(name, 0, 256, 9) for name in "abc"], 2)
    data = pd.DataFrame({name: [0, 1, 252, 253] for name in "abc"})  # hardly a count query fits one of these
    local, whole = compare(data, study, grid((2,), ((9,), (9,), (9,)), limits=(0,))).points
    for point in (local, whole):
        assert not point.problem
        assert "the grid has 16,777,216 cells, more than 4,000,000;" in point.notes[0]
        assert point.value("class_size") == 2
        assert (point.value("expected"), point.value("certain"), point.verdict) == (None, None, "attention")


def test_columns_of_0_and_1_are_compared():
    study = Study([Attribute(name, 0, 2, 2) for name in "ab"], 2)
    data = pd.DataFrame({"a": [0, 0, 1, 1] * 3, "b": [0, 1] * 6})
    (point,) = compare(data, study, grid(layers=((2,), (2,)))).points
    assert not point.problem
    assert point.value("query_error") is not None


def test_layers_that_a_hierarchy_cannot_have_stay_in_the_table():
    result = compare(DATA, STUDY, grid(layers=((3, 7),)))
    assert [bool(point.problem) for point in result.points] == [False, True]
    assert "cannot be split into 64 equal leaves" in result.points[1].problem


def test_a_table_that_does_not_fit_stops_everything():
    with pytest.raises(DataError, match="no column 'a'"):
        compare(pd.DataFrame({"b": [1, 2]}), STUDY)


# ---------------------------------------------------------------- options


def test_layers_are_taken_off_below():
    attribute = Attribute("a", 0, 24, 3, unit="kg")
    assert possible_layers(attribute) == (1, 2, 3, 4)
    assert with_layers(attribute, 4) == Attribute("a", 0, 24, 4, unit="kg")
    assert [finest(attribute, n) for n in (1, 2, 3, 4, 5)] == [
        "not published",
        "12 kg",
        "6 kg",
        "3 kg",
        "5 layers (not possible)",
    ]


def test_layers_of_a_hierarchy_file():
    rows = tuple(
        (str(v), f"[{v // 2 * 2}, {v // 2 * 2 + 2}[", f"[{v // 4 * 4}, {v // 4 * 4 + 4}[", "*") for v in range(8)
    )
    tree = FileHierarchy("a", rows, "years")
    # The root alone is no interval, and a file says nothing about layers below its own.
    assert possible_layers(tree) == (2, 3)
    assert [node.label for node in with_layers(tree, 2).layer_nodes[0]] == ["[0, 4[", "[4, 8["]
    assert (finest(tree, 3), finest(tree, 2)) == ("2 years", "4 years")
    towns = FileHierarchy("town", (("A", "N", "*"), ("B", "N", "*"), ("C", "S", "*")))
    assert possible_layers(towns) == (1, 2)
    assert finest(towns, 2) == "2 categories"
    with pytest.raises(StudyError, match="2 layers in its file; it cannot have 3"):
        with_layers(towns, 3)


@given(cases())
def test_fewer_layers_are_the_upper_ones(case):
    for attribute in case.study.attributes:
        for layers in range(1, attribute.layers):
            lower = with_layers(attribute, layers)
            dropped = attribute.layers - layers
            for mine, theirs in zip(lower.layer_nodes, attribute.layer_nodes[dropped:], strict=True):
                assert [(n.lower, n.upper, n.label) for n in mine] == [(n.lower, n.upper, n.label) for n in theirs]


def test_a_hierarchy_file_of_the_same_tree_gives_the_same():
    made = synthesize("toy")
    trees = [read_hierarchy(hierarchy_text(a).encode(), a.name, a.unit, "tree.csv") for a in made.study.attributes]
    study = Study(trees, made.study.k)
    tried = grid((3, 4), ((2, 3), (2, 3)), limits=("0",))
    for mine, theirs in zip(
        compare(made.data, made.study, tried).points, compare(made.data, study, tried).points, strict=True
    ):
        assert mine.option == theirs.option
        assert (mine.loss, mine.state, mine.verdict) == (theirs.loss, theirs.state, theirs.verdict)
        assert mine.value("expected") == pytest.approx(theirs.value("expected"))
        assert mine.value("left") == pytest.approx(theirs.value("left"))


def test_the_grid_around_a_study():
    made = synthesize("clinic")
    around = grid_around(made.study, 500)
    assert around.ks == (3, 4, 5, 6, 7)
    assert around.layers == ((3, 4), (2, 3), (2, 3))
    assert around.size == 5 * 8 * 3
    assert grid_around(STUDY, 3).ks == (2, 3)


def test_wider_options_are_no_finer_and_of_no_smaller_k():
    made = synthesize("clinic")
    own = Option.of(made.study)
    options = wider_options(made.study, 500)
    assert len(set(options)) == len(options)
    for option in options:
        assert option.k >= own.k
        assert all(2 <= n <= most for n, most in zip(option.layers, own.layers, strict=True))
        assert option.study(made.study).k == option.k
    assert all(option.k <= 7 for option in wider_options(made.study, 7))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"ks": ()}, StudyError),
        ({"layers": ((),)}, StudyError),
        ({"profiles": ()}, StudyError),
        ({"limits": ("1.5",)}, StudyError),
        ({"ks": range(2, 3000)}, TooLargeError),
    ],
)
def test_grids_that_are_none(arguments, error):
    with pytest.raises(error):
        grid(**arguments)


# ---------------------------------------------------------------- choices as text


def test_options_as_text():
    study = Study([Attribute("a=b", 0, 8, 3), Attribute("c", 0, 8, 4)], 4)
    read = grid_of(study, 100, "3-5,8", ["a=b=2-3"], ["local", "global"], ["paper", "0.02"], None, "0,0.1")
    assert read == grid((3, 4, 5, 8), ((2, 3), (4,)), ("paper", Decimal("0.02")), ("0", "0.1"))
    assert grid_of(study, 100, around=True) == grid_around(study, 100)
    assert grid_of(study, 100) == OptionGrid.of(study)
    safe = grid_of(study, 100, methods=["safe"], epsilons="0.25,3")
    assert safe.ways == (Way("safe", Decimal("0.25")), Way("safe", Decimal(3)))
    with pytest.raises(StudyError, match="take local, safe"):
        grid_of(study, 100, methods=["none"])


@pytest.mark.parametrize("text", ["", "x", "7-3", "3-", "-3", "3;4", "1-999999", "99999999"])
def test_numbers_that_are_none(text):
    with pytest.raises(StudyError, match="--k is"):
        whole_numbers_of(text, "--k")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"layers": ["d=3"]}, "NAME being one of: a"),
        ({"layers": ["a"]}, "NAME being one of: a"),
        ({"layers": ["a=x"]}, "--layers for a is 'x'"),
        ({"profiles": ["papper"]}, "--profile is 'papper'"),
        ({"profiles": ["nan"]}, "--profile is 'nan'"),
        ({"suppression": "5%"}, "--suppression is '5%'"),
        ({"suppression": "0,2"}, "--suppression is '2'"),
        ({"epsilons": "0"}, "--epsilon is '0'"),
    ],
)
def test_text_that_is_no_option(arguments, sentence):
    with pytest.raises(StudyError, match="give") as caught:
        grid_of(STUDY, 4, **arguments)
    assert sentence in str(caught.value)


def test_every_combination_is_there_once():
    tried = grid((2, 3), ((2, 3), (1, 4)), ("paper",), ("0",))
    options = list(tried.options())
    assert len(options) == len(set(options)) == tried.size == 16
    assert {option.layers for option in options} == set(product((2, 3), (1, 4)))
    # What publishes no nodes of the hierarchies is tried once per k.
    free = OptionGrid((2, 3), ((2, 3), (1, 4)), (Way("local", "paper"), Way("heterogeneous")))
    options = list(free.options())
    assert len(options) == len(set(options)) == free.size == 8 + 2


@pytest.mark.parametrize(
    ("unit", "layers", "said"),
    [("quarter", 4, "1 quarter"), ("quarter", 3, "2 quarters"), ("quarter", 2, "1 year"), ("month", 3, "6 months")],
)
def test_intervals_of_dates_are_told_in_years_where_these_are_whole(unit, layers, said):
    attribute = Attribute("admitted", date(2022, 1, 1), date(2024, 1, 1), 4, unit=unit)
    assert finest(attribute, layers) == said
