"""Hierarchies: labels and intervals by hand, and what holds for every attribute."""

import itertools
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.errors import StudyError
from cra_engine.study.attribute import Attribute
from cra_engine.words import number_text, shortest_number
from strategies import make_attribute


@st.composite
def attributes(draw):
    return make_attribute(
        draw(st.sampled_from(["w", "blood pressure", "größe"])),
        fanout=draw(st.integers(2, 5)),
        layers=draw(st.integers(1, 4)),
        leaf=draw(st.integers(2, 30)),
        lower=draw(st.sampled_from(["0", "-20", "7", "36.5", "-0.3", "0.01", "-1000.05", "1000000"])),
        step=draw(st.sampled_from(["1", "0.1", "0.01", "0.5", "0.25", "3", "1000", "0.0001"])),
    )


# ---------------------------------------------------------------- by hand


def labels(attribute):
    return [[node.label for node in layer] for layer in attribute.layer_nodes]


def test_labels_by_hand():
    assert labels(Attribute("w", 0, 400, 3)) == [
        ["[0, 100[", "[100, 200[", "[200, 300[", "[300, 400["],
        ["[0, 200[", "[200, 400["],
        ["*"],
    ]
    # 36 values of 0.1 from -0.6 on; three children a node: leaves of 4 values, then 12, then all.
    assert labels(Attribute("t", -0.6, 3.0, 3, fanout=3, resolution=0.1)) == [
        [
            "[-0.6, -0.2[",
            "[-0.2, 0.2[",
            "[0.2, 0.6[",
            "[0.6, 1[",
            "[1, 1.4[",
            "[1.4, 1.8[",
            "[1.8, 2.2[",
            "[2.2, 2.6[",
            "[2.6, 3[",
        ],
        ["[-0.6, 0.6[", "[0.6, 1.8[", "[1.8, 3["],
        ["*"],
    ]
    assert labels(Attribute("one", 0, 10, 1)) == [["*"]]  # leaf and root at once


def test_a_node_in_the_papers_notation():
    attribute = Attribute("w", 0, 400, 3)
    assert [attribute.node(layer, 0).interval for layer in (1, 2, 3)] == ["[0, 100[", "[0, 200[", "[0, 400["]


def test_children_by_hand():
    attribute = Attribute("w", 0, 400, 3)
    assert [node.label for node in attribute.children(3, 0)] == ["[0, 200[", "[200, 400["]
    assert [node.label for node in attribute.children(2, 1)] == ["[200, 300[", "[300, 400["]
    assert attribute.children(1, 3) == ()


def test_ranks_by_hand():
    assert [ranks.tolist() for ranks in Attribute("w", 0, 400, 3).ranks] == [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0"),
        ("-0.0", "0"),
        ("400", "400"),
        ("4E+2", "400"),
        ("36.50", "36.5"),
        ("-0.10", "-0.1"),
        ("0.0001", "0.0001"),
        ("1E-7", "0.0000001"),
        ("123456789012345", "123456789012345"),
    ],
)
def test_numbers_in_labels(value, text):
    assert number_text(Decimal(value)) == text


def test_plain_numbers_for_json():
    shown = [shortest_number(value) for value in (Decimal("36.5"), Decimal("36.0"), Fraction(1, 4))]
    assert shown == [36.5, 36, 0.25]
    assert isinstance(shown[1], int)
    assert isinstance(shortest_number(Decimal("36.0")), int)


def test_decimal_settings_are_taken_as_written():
    # 0.1 as a binary fraction is not a tenth; domain and steps would not fit.
    attribute = Attribute("t", 36.5, 38.1, 3, resolution=0.1)
    assert (attribute.resolution, attribute.values) == (Decimal("0.1"), 16)
    assert attribute == Attribute("t", Decimal("36.5"), Decimal("38.1"), 3, resolution=Decimal("0.1"))
    assert Attribute("t", np.int64(0), np.float64(0.8), 4, resolution=0.1).values == 8


# ---------------------------------------------------------------- what holds for every attribute


@given(attributes())
def test_every_layer_splits_the_domain_evenly(attribute):
    for layer in attribute.layer_nodes:
        assert layer[0].lower == attribute.lower
        assert layer[-1].upper == attribute.upper
        assert all(left.upper == right.lower for left, right in itertools.pairwise(layer))
        assert len({node.upper - node.lower for node in layer}) == 1
        assert sum(node.values for node in layer) == attribute.values
        assert [node.rank for node in layer] == list(range(len(layer)))
    for node in attribute.layer_nodes[0]:
        assert node.values * attribute.resolution == node.upper - node.lower


@given(attributes())
def test_children_split_their_node(attribute):
    for layer in range(2, attribute.layers + 1):
        for node in attribute.layer_nodes[layer - 1]:
            children = attribute.children(layer, node.rank)
            assert len(children) == attribute.fanout
            assert (children[0].lower, children[-1].upper) == (node.lower, node.upper)
            assert (children[0].start, children[-1].stop) == (node.start, node.stop)
            assert all(child.layer == layer - 1 for child in children)


@given(attributes())
def test_ranks_name_the_node_that_holds_the_leaf(attribute):
    for layer, ranks in enumerate(attribute.ranks, start=1):
        for leaf, rank in enumerate(ranks):
            node = attribute.node(layer, int(rank))
            assert node.start <= leaf < node.stop
            assert node.lower <= attribute.node(1, leaf).lower < attribute.node(1, leaf).upper <= node.upper


@given(attributes())
def test_loss_rises_from_above_zero_to_one(attribute):
    losses = [attribute.loss(layer) for layer in range(1, attribute.layers + 1)]
    assert all(low < high for low, high in itertools.pairwise(losses))
    assert losses[0] > 0  # a leaf of several values already loses something
    assert losses[-1] == 1


@given(attributes())
def test_every_label_is_read_as_its_own_node(attribute):
    for layer in attribute.layer_nodes:
        for node in layer:
            assert attribute.parse(node.label) == node
            assert attribute.parse(f"  {node.label} ") == node
            if node.label != "*":
                assert attribute.parse(node.label.replace(", ", ",")) == node
                assert attribute.parse(node.label[:-1] + ")") == node
                lower, upper = f"{node.lower:e}", f"{node.upper:+.6f}"
                assert attribute.parse(f"[ {lower} , {upper} [") == node
    root = attribute.layer_nodes[-1][0]
    assert attribute.parse(root.interval) == root  # some hierarchies spell the root out


@pytest.mark.parametrize(
    "label",
    [
        "",
        "0",
        "100",
        "[0, 100]",
        "]0, 100[",
        "(0, 100)",
        "[0; 100[",
        "[0, 50[",
        "[1, 100[",
        "[100, 0[",
        "[0, 800[",
        "[200, 100[",
        "[100, 300[",
        "[a, b[",
        "[--1, 2[",
        "[e, e[",
        "[1e999999999999, 2[",
        "**",
        "[0, 100[ lb",
    ],
)
def test_labels_of_no_node(label):
    assert Attribute("w", 0, 400, 3).parse(label) is None


@pytest.mark.parametrize("values", [np.array([-1, 0, 99, 100, 399, 400]), np.array([-0.001, 0, 99.9, 100, 399.9, 400])])
def test_locate_by_hand(values):
    # below, first leaf, its last value, second leaf, last leaf, above
    assert Attribute("w", 0, 400, 3).reader.locate(values).tolist() == [-1, 0, 0, 1, 3, 4]
    assert Attribute("w", 0, 400, 3).reader.locate(np.array([np.nan, -np.inf, np.inf])).tolist() == [-1, -1, 4]


# ---------------------------------------------------------------- what an attribute cannot be


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": " "}, "has no name"),
        ({"name": "w "}, "starts or ends with a blank"),
        ({"name": 3}, "'name' is 3: input should be a valid string"),
        ({"lower": "x"}, "'lower' is 'x': a number is needed, without quotes"),
        ({"lower": True}, "'lower' is True: a number is needed"),
        ({"upper": float("nan")}, "'upper' is NaN: input should be a finite number"),
        ({"layers": float("nan")}, "'layers' is nan: a whole number is needed"),
        ({"layers": Decimal("nan")}, "'layers' is NaN: a whole number is needed"),
        ({"upper": float("inf")}, "'upper' is Infinity: input should be a finite number"),
        ({"layers": 2.5}, "'layers' is 2.5: a whole number is needed, without a decimal point"),
        ({"layers": 0}, "0 layers; give 1 to 12"),
        ({"layers": 13}, "13 layers; give 1 to 12"),
        ({"fanout": 1}, "fanout 1; give 2 to 10"),
        ({"fanout": 11}, "fanout 11; give 2 to 10"),
        ({"layers": 6, "fanout": 10}, "100,000 leaves, more than 4,096"),
        ({"resolution": 0}, "resolution 0; give a number above 0"),
        ({"resolution": -1}, "resolution -1; give a number above 0"),
        ({"upper": 0}, "upper 0 is not above lower 0"),
        ({"upper": -5}, "upper -5 is not above lower 0"),
        ({"resolution": 0.3}, r"the domain \[0, 400\[ is not a whole number of steps of 0.3"),
        ({"upper": 1, "layers": 1}, "holds a single value"),
        ({"upper": 402}, "402 values cannot be split into 4 equal leaves .* take upper = 404 or other layers"),
        ({"upper": Decimal(10) ** 15}, "more than 15 digits"),
        ({"resolution": Decimal("1e-13")}, "more than 15 digits"),
        ({"resolution": Decimal("1e-99999999")}, "more than 15 digits"),
        ({"upper": Decimal("1e9999999")}, "more than 15 digits"),
    ],
)
def test_unusable_settings_are_named(settings, message):
    with pytest.raises(StudyError, match=message):
        Attribute(**({"name": "w", "lower": 0, "upper": 400, "layers": 3} | settings))


@given(
    lower=st.sampled_from(["0", "-7", "36.5"]),
    step=st.sampled_from(["1", "0.1", "5"]),
    values=st.integers(2, 500),
    layers=st.integers(1, 5),
    fanout=st.integers(2, 4),
)
def test_the_upper_bound_that_a_message_proposes_works(lower, step, values, layers, fanout):
    lower, step = Decimal(lower), Decimal(step)
    upper = lower + values * step
    try:
        Attribute("w", lower, upper, layers, fanout, step)
    except StudyError as error:
        assert values % fanout ** (layers - 1)
        proposed = Decimal(str(error).split("take upper = ")[1].split()[0])
        assert proposed > upper
        assert Attribute("w", lower, proposed, layers, fanout, step).values - values < fanout ** (layers - 1)
    else:
        assert values % fanout ** (layers - 1) == 0
