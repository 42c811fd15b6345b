"""Which options there are: layers of a hierarchy, grids around a study, wider ones, and how they are written."""

from datetime import date
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given
from small_grids import STUDY, grid

from cra_engine import Attribute, Option, OptionGrid, Study, StudyError, TooLargeError, Way
from cra_engine.cli.compare_options import grid_of, whole_numbers_of
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.options import Heights, finest, grid_around, possible_layers, ways_for, wider_options, with_layers
from cra_engine.raw.synthesis import synthesize
from cra_engine.study.file_hierarchy import FileHierarchy
from strategies import cases


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


@pytest.mark.parametrize(
    ("unit", "layers", "said"),
    [("quarter", 4, "1 quarter"), ("quarter", 3, "2 quarters"), ("quarter", 2, "1 year"), ("month", 3, "6 months")],
)
def test_intervals_of_dates_are_told_in_years_where_these_are_whole(unit, layers, said):
    attribute = Attribute("admitted", date(2022, 1, 1), date(2024, 1, 1), 4, unit=unit)
    assert finest(attribute, layers) == said


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


@pytest.mark.parametrize("name", ["toy", "clinic"])
def test_no_two_options_have_one_short_name(name):
    made = synthesize(name)
    models = [LDiversity("diagnosis", l=2), LDiversity("stay", l=2)]
    study = made.study.changed(privacy=models)
    around = grid_around(study, len(made.data))
    layers = tuple(possible_layers(attribute)[-3:] for attribute in study.attributes)
    every = [OptionGrid(around.ks[:3], layers, ways_for(study)), around]
    for planned in (*(tried.planned(study) for tried in every), wider_options(study, len(made.data))):
        short = [Heights(study).short(option) for option in planned]
        assert sorted(short) == sorted(set(short))


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
