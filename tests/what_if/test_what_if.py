"""What-if: a case worked out by hand, every point against its steps one by one, the frontier against its definition."""

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import Attribute, CRAError, DataError, Study, StudyError, TooLargeError, attack, recode, single_out
from cra_engine.attacks.full_domain import global_view
from cra_engine.cli.what_if_options import grid_of, whole_numbers
from cra_engine.publish.full_domain.least_loss import least_loss
from cra_engine.raw.synthesis import synthesize
from cra_engine.study.file_hierarchy import FileHierarchy, read_hierarchy
from cra_engine.study.hierarchy_files import hierarchy_text
from cra_engine.utility.loss import MeanLoss
from cra_engine.what_ifs import run as module
from cra_engine.what_ifs.choices import Choice, ChoiceGrid, default_grid, finest, possible_layers, with_layers
from cra_engine.what_ifs.measures import GIVEN, KEPT, Measure, better, frontier, same_table
from cra_engine.what_ifs.run import local_point, planned, together, what_if
from strategies import cases

STUDY = Study([Attribute("a", 0, 8, 3)], 2)
DATA = pd.DataFrame({"a": [0, 3, 4, 5]})


def grid(ks=(2,), layers=((3,),), profiles=("paper",), limits=()):
    return ChoiceGrid(tuple(ks), tuple(map(tuple, layers)), tuple(profiles), tuple(map(Decimal, limits)))


# ---------------------------------------------------------------- by hand


def test_a_table_of_four_by_hand():
    result = what_if(DATA, STUDY, grid(ks=(2, 3, 5), layers=((3, 2),), limits=("0", "0.5")))
    assert result.complete
    assert [point.number for point in result.points] == list(range(1, 19))
    found = {(p.choice.k, p.choice.layers[0], p.choice.limit): p for p in result.points}

    # Published: [4, 6[ with two records, a single value losing 0 and all eight 1: (2 - 1) / 7; then [0, 4[, 3 / 7.
    own = found[2, 3, None]
    assert own is result.present
    assert own.status == "exact"
    assert own.kept.loss.growths == {Fraction(8, 7): 2, Fraction(10, 7): 2}
    assert own.kept.loss.value == pytest.approx(2 / 7)
    assert (own.kept.classes, own.kept.average_size, own.kept.suppressed) == (2, 2, 0)
    # Had both people of [0, 4[ been in one half, it had been published: each half holds one. 2 * 2 of C(4, 2) tables,
    # times one for [4, 6[. Who reads the intervals gives each of the two halves a chance of 2 * 2 / 6.
    given = own.given
    assert (given.certain, given.expected, given.likeliest) == (2, 2, 1)
    assert given.expected_intervals == pytest.approx(4 / 3)
    assert (10**given.log10_promised, 10**given.log10_left) == pytest.approx((6, 4))
    assert 10**given.log10_ratio == pytest.approx(1.5)
    assert (given.alone, given.outcomes) == (2, {"failed": 1, "one": 0, "many": 1})

    # Leaves of four values: two classes on single cells.
    coarse = found[2, 2, None]
    assert coarse.kept.loss.value == pytest.approx(3 / 7)
    assert (coarse.given.certain, coarse.given.expected, coarse.given.alone) == (0, 0, 0)
    assert (10**coarse.given.log10_promised, 10**coarse.given.log10_left) == pytest.approx((36, 36))

    # k = 3: no box below the root holds three, so all are suppressed, two in each half: C(4, 2)^2 of C(8, 4).
    none = found[3, 3, None]
    assert (none.kept.loss.value, none.kept.classes, none.kept.average_size) == (1, 0, None)
    assert (none.kept.suppressed, none.kept.suppressed_share) == (4, 1)
    assert (10**none.given.log10_promised, 10**none.given.log10_left) == pytest.approx((70, 36))
    assert found[3, 3, 0] != none

    # Globally: at layer 1 two of four are suppressed, which loses (2 / 7 + 2) / 4; at layer 2 nobody, 3 / 7: better.
    for limit in (Decimal(0), Decimal("0.5")):
        point = found[2, 3, limit]
        assert (point.state, point.kept.suppressed) == ((2,), 0)
        assert point.kept.loss.value == pytest.approx(3 / 7)
        # Two records on four values each: a quarter holds one of them with 2 * 2 / 6, four quarters.
        assert point.given.expected == pytest.approx(8 / 3)
        assert point.given.alone == 2
    assert found[3, 3, Decimal(0)].state == (3,)

    for point in result.points:
        if point.choice.k == 5:
            assert point.status == "failed"
            assert point.problem == "k = 5 is more than the 4 records of the table; take a smaller k."


# ---------------------------------------------------------------- every point is what the steps give


@settings(max_examples=15)
@given(cases(fanouts=(2,)), st.data())
def test_every_point_is_recoding_attack_and_singling_out(case, data):
    study, table = case.study, case.data
    layers = tuple(tuple(range(max(1, a.layers - 1), a.layers + 1)) for a in study.attributes)
    profile = data.draw(st.sampled_from(["paper", Decimal("0.2")]))
    result = what_if(table, study, grid((study.k, study.k + 1), layers, ("paper", profile), ("0", "0.3")))
    for point in data.draw(st.lists(st.sampled_from(result.points), max_size=6, unique_by=id)):
        choice = point.choice
        chosen = Study([with_layers(a, n) for a, n in zip(study.attributes, choice.layers, strict=True)], choice.k)
        if choice.k > len(table):
            assert point.problem
        elif choice.local:
            chosen = Study(chosen.attributes, choice.k, choice.profile)
            check_local(point, table, chosen)
        else:
            check_global(point, table, chosen)
    sizes = Counter(point.choice for point in result.points)
    assert set(sizes) == set(planned(study, result.grid))
    assert max(sizes.values()) == 1


def check_local(point, table, study):
    recoding = recode(table, study)
    attacked = attack(recoding.release)
    kept, given = point.kept, point.given
    sizes = [c.size for c in recoding.classes]
    assert (kept.classes, kept.suppressed) == (len(sizes), recoding.suppressed)
    assert kept.average_size == (pytest.approx(sum(sizes) / len(sizes)) if sizes else None)
    states = [recoding.lattice.loss(c.segment.state) for c in recoding.classes]
    lost = sum(s * loss for s, loss in zip(sizes, states, strict=True)) + recoding.suppressed
    assert kept.loss.value == pytest.approx(lost / len(table))
    chances = single_out(attacked)
    assert given.expected == pytest.approx(chances.expected_isolated)
    assert given.likeliest == pytest.approx(max((c.probability for c in chances.cells), default=0))
    assert given.certain == len(attacked.isolated)
    singled = single_out(attacked, table)
    parts = [*singled.classes, *([singled.suppressed] if singled.suppressed else [])]
    assert given.alone == sum(len(part.isolating) for part in parts)
    assert given.outcomes == singled.outcomes
    if all(part.basic or part.cra_solutions for part in attacked.parts):
        wide = [part for part in attacked.parts if not part.basic]
        ratio = math.prod(Fraction(part.lr_solutions, part.cra_solutions) for part in wide)
        assert 10**given.log10_ratio == pytest.approx(float(ratio))
    else:
        assert any("alike" in note for note in point.notes)
    # What is said to be certain, and what is said to be alone, is so in the table.
    held = recoding.cell_counts(1)
    assert given.alone == (held == 1).sum()
    assert given.certain <= given.alone


def check_global(point, table, study):
    found = least_loss(table, study, point.choice.limit)
    view = global_view(found.release)
    assert point.state == found.state
    assert (point.kept.loss, point.kept.classes) == (found.loss, len(found.classes))
    assert point.kept.suppressed == found.suppressed
    assert (point.given.certain, point.given.expected) == (view.certain, view.expected)
    assert point.given.log10_left == view.log10_left
    assert point.given.certain <= point.given.alone


def test_all_classes_together_is_the_tight_attack():
    made = synthesize("toy")
    found = together(made.data, made.study, Choice.of(made.study), time_limit=600)
    assert (found.status, found.complete, found.stderr) == ("exact", True, 0)
    point = local_point(made.data, made.study)
    assert point.given.certain <= found.certain <= point.given.alone
    assert found.log10_left < point.given.log10_left
    with pytest.raises(CRAError, match="no order of formation"):
        together(made.data, made.study, Choice(3, (3, 3), None, Decimal(0)))


# ---------------------------------------------------------------- the frontier

SMALL = st.integers(0, 3)
PLACES = st.lists(
    st.tuples(st.booleans(), st.none() | SMALL, st.none() | SMALL, SMALL, st.none() | st.integers(0, 1), SMALL),
    max_size=12,
)
ACROSS = Measure("x", "", "", lambda point: point.x, lambda point: point.x)
UPWARDS = Measure("y", "", "", lambda point: point.y, lambda point: point.y)


def place(number, local, x, y, known=0, certain=0, table="", k=2):
    choice, given = SimpleNamespace(local=local, k=k), SimpleNamespace(known=known, certain=certain)
    return SimpleNamespace(choice=choice, x=x, y=y, number=number, given=given, table=table)


@given(PLACES)
def test_the_frontier_is_what_nothing_beats_on_both_sides(places):
    points = [place(number, *one[:5]) for number, one in enumerate(places, start=1)]

    def beats(one, other):
        mine, its = ((p.x, p.y, p.given.known, p.given.certain) for p in (one, other))
        if one.choice.local != other.choice.local or None in (*mine, *its):
            return False
        return all(a <= b for a, b in zip(mine, its, strict=True)) and mine != its

    for point in points:
        rivals = [other for other in points if beats(other, point)]
        assert list(better(points, point, ACROSS, UPWARDS)) == rivals
        on = point.number in frontier(points, ACROSS, UPWARDS)
        assert on == (not rivals and None not in (point.x, point.y))


@given(PLACES, st.lists(st.integers(2, 5), min_size=12, max_size=12))
def test_equal_tables_are_one_choice(places, ks):
    points = [
        place(number, *one[:5], table=str(one[5]), k=k)
        for number, (one, k) in enumerate(zip(places, ks, strict=False), start=1)
    ]
    same = same_table(points)
    for point in points:
        equal = [p for p in points if (p.choice.local, p.table) == (point.choice.local, point.table)]
        assert {same[p.number] for p in equal} == {same[point.number]}
        (chosen,) = [p for p in equal if p.number == same[point.number]]
        assert chosen.choice.k == max(p.choice.k for p in equal)
    best = frontier(points, ACROSS, UPWARDS)
    assert all(same[number] == number for number in best)


def test_a_smaller_k_beats_no_larger_one_for_the_attacks_sake_alone():
    # k = 3 loses less and is expected to single out fewer; who knows a person is right more often.
    three, five = place(1, True, 1, 10.1, known=1 / 3, k=3), place(2, True, 2, 11.8, known=1 / 5, k=5)
    assert frontier([three, five], ACROSS, UPWARDS) == {1, 2}
    assert not list(better([three, five], five, ACROSS, UPWARDS))
    worse = place(3, True, 2, 11.8, known=1 / 4, k=4)
    assert frontier([three, five, worse], ACROSS, UPWARDS) == {1, 2}
    assert list(better([three, five, worse], worse, ACROSS, UPWARDS)) == [five]


def test_losses_are_compared_exactly():
    # The closest fractions to the root of 2 with a denominator this long differ from it in the 27th digit.
    p, q = 1, 1
    for _ in range(35):
        p, q = p + 2 * q, p + q
    losses = [MeanLoss({Fraction(2): 1}, 2), MeanLoss({Fraction(p, q) ** 2: 1}, 2)]
    assert losses[0].value == losses[1].value
    points = [place(n, True, loss, 1) for n, loss in enumerate(losses)]
    assert frontier(points, ACROSS, UPWARDS) == {int(p * p < 2 * q * q)}


def test_more_tables_left_are_better():
    points = what_if(DATA, STUDY, grid(layers=((2, 3),))).points
    assert {p.choice.layers for p in points if p.number in frontier(points, KEPT["loss"], GIVEN["left"])} == {
        (2,),
        (3,),
    }
    fewest = frontier(points, KEPT["suppressed"], GIVEN["left"])
    assert {p.choice.layers for p in points if p.number in fewest} == {(2,)}


# ---------------------------------------------------------------- running


def test_the_studys_own_choice_is_always_tried():
    result = what_if(DATA, STUDY, grid(ks=(3,)))
    assert [(p.number, p.choice.k) for p in result.points] == [(1, 2), (2, 3)]
    assert result.present is result.points[0]
    with pytest.raises(CRAError, match="numbered 1 to 2"):
        result.point(3)


def test_progress_and_an_early_end():
    told, asked = [], []

    def cancelled():
        asked.append(1)
        return len(told) == 2

    result = what_if(DATA, STUDY, grid(ks=(2, 3, 4)), progress=lambda *now: told.append(now), cancelled=cancelled)
    assert [(done, total) for done, total, _ in told] == [(1, 3), (2, 3)]
    assert (len(result.points), result.complete) == (2, False)
    whole = what_if(DATA, STUDY, grid(ks=(2, 3, 4)), progress=lambda *now: told.append(now))
    assert (told[-1][:2], told[-1][2], whole.complete) == ((3, 3), 0, True)


def test_a_choice_that_takes_too_long_says_so():
    made = synthesize("clinic")
    result = what_if(
        made.data,
        made.study,
        grid((5,), [(a.layers,) for a in made.study.attributes], limits=("0.1",)),
        point_seconds=0,
    )
    local, globally = result.points
    assert local.status == "incomplete"
    assert local.notes == (module.OUT_OF_TIME,)
    assert local.kept.classes
    assert (local.given.expected, local.given.certain) == (None, None)
    assert local.given.alone  # needs no attack
    assert (globally.status, globally.problem) == ("failed", module.OUT_OF_TIME)
    assert not frontier(result.points, KEPT["loss"], GIVEN["expected"])


def test_what_is_too_large_stays_in_the_table():
    study = Study([Attribute(name, 0, 4096, 3) for name in "abc"], 2)
    data = pd.DataFrame({name: [0, 1, 4000, 4001] for name in "abc"})
    result = what_if(data, study, grid((2,), ((3, 9), (3, 9), (3, 9)), limits=("0",)))
    failed = [point for point in result.points if point.choice.layers == (9, 9, 9)]
    # Global recoding needs no grid; to count what it gives away does.
    assert [point.choice.local for point in failed] == [True, False]
    assert "more than 4,000,000" in failed[0].problem
    assert failed[1].kept is not None
    assert any("more than 4,000,000" in note for note in failed[1].notes)
    assert sum(point.status == "exact" for point in result.points) >= 2


def test_layers_that_a_hierarchy_cannot_have_stay_in_the_table():
    result = what_if(DATA, STUDY, grid(layers=((3, 7),)))
    assert [point.status for point in result.points] == ["exact", "failed"]
    assert "cannot be split into 64 equal leaves" in result.points[1].problem


def test_records_that_must_be_alike_are_noted():
    # Three people on the two values of [0, 2[, so some are alike; both halves hold a value each.
    study = Study([Attribute("a", 0, 4, 3)], 3)
    point = local_point(pd.DataFrame({"a": [0, 1, 1, 3, 3, 3]}), study)
    assert any("alike" in note for note in point.notes)
    assert point.given.expected is not None


def test_a_table_that_does_not_fit_stops_everything():
    with pytest.raises(DataError, match="no column 'a'"):
        what_if(pd.DataFrame({"b": [1, 2]}), STUDY)


# ---------------------------------------------------------------- choices


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
    for mine, theirs in zip(
        what_if(made.data, made.study).points,
        what_if(made.data, study, default_grid(made.study, 36)).points,
        strict=True,
    ):
        assert mine.choice == theirs.choice
        assert (mine.kept, mine.state) == (theirs.kept, theirs.state)
        assert mine.given.expected == pytest.approx(theirs.given.expected)
        assert mine.given.log10_left == pytest.approx(theirs.given.log10_left)


def test_the_grid_around_a_study():
    made = synthesize("clinic")
    around = default_grid(made.study, 500)
    assert around.ks == (3, 4, 5, 6, 7)
    assert around.layers == ((3, 4), (2, 3), (2, 3))
    assert around.size == 5 * 8 * 3
    assert default_grid(STUDY, 3).ks == (2, 3)


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


def test_choices_as_text():
    study = Study([Attribute("a=b", 0, 8, 3), Attribute("c", 0, 8, 4)], 4)
    read = grid_of(study, 100, "3-5,8", ["a=b=2-3"], ["paper", "0.02"], "0,0.1")
    assert read == grid((3, 4, 5, 8), ((2, 3), (4,)), ("paper", Decimal("0.02")), ("0", "0.1"))
    assert grid_of(study, 100) == default_grid(study, 100)
    assert grid_of(study, 100, profiles=["none"]).profiles == ()
    assert grid_of(study, 100, suppression="none").limits == ()


@pytest.mark.parametrize("text", ["", "x", "7-3", "3-", "-3", "3;4", "1-999999", "99999999"])
def test_numbers_that_are_none(text):
    with pytest.raises(StudyError, match="--k is"):
        whole_numbers(text, "--k")


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
    ],
)
def test_text_that_is_no_choice(arguments, sentence):
    with pytest.raises(StudyError, match="give") as caught:
        grid_of(STUDY, 4, **arguments)
    assert sentence in str(caught.value)


def test_every_combination_is_there_once():
    tried = grid((2, 3), ((2, 3), (1, 4)), ("paper",), ("0",))
    choices = list(tried.choices())
    assert len(choices) == len(set(choices)) == tried.size == 16
    assert {c.layers for c in choices} == set(product((2, 3), (1, 4)))
