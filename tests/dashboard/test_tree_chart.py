"""The drawn hierarchy: every record in one box per layer, every box where its interval is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_dashboard import palette
from cra_dashboard.charts.tree import node_rows, records_per_node, tree_figure, tree_takeaway
from cra_engine import Attribute
from cra_engine.study.file_hierarchy import read_hierarchy

AGE = Attribute("age", 0, 80, 4, unit="years")
# Leaves of ten years: 2, 0, 5, 1 and so on.
HELD = [2, 0, 5, 1, 0, 0, 3, 1]
LEAF = np.repeat(np.arange(8), HELD)


def test_records_add_up_layer_by_layer():
    # 2+0, 5+1, 0+0, 3+1; then 2+6, 0+4; then all.
    assert records_per_node(AGE, LEAF) == [HELD, [2, 6, 0, 4], [8, 4], [12]]


def test_records_outside_the_domain_are_in_no_box():
    assert records_per_node(AGE, np.array([-1, 0, 7, 8, 8])) == [[1, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 1], [1, 1], [2]]


@given(st.integers(1, 6), st.integers(2, 4), st.lists(st.integers(0, 10**6), max_size=60))
def test_each_layer_holds_everybody(layers, fanout, places):
    leaves = fanout ** (layers - 1)
    attribute = Attribute("x", 0, max(2, 2 * leaves), layers, fanout)
    leaf = np.array([place % leaves for place in places], dtype=np.int64)
    records = records_per_node(attribute, leaf)
    assert [len(layer) for layer in records] == [attribute.nodes_in(layer) for layer in range(1, layers + 1)]
    assert {sum(layer) for layer in records} == {len(places)}


def test_every_node_is_drawn_once_where_its_interval_is():
    figure = tree_figure(AGE, records_per_node(AGE, LEAF), 3)
    drawn = sorted((tile.x, tile.x + tile.wide, tile.y + 1) for tile in figure.tiles)
    assert drawn == sorted((node.start, node.stop, node.layer) for layer in AGE.layer_nodes for node in layer)


def test_boxes_with_fewer_than_k_are_dotted_and_named():
    figure = tree_figure(AGE, records_per_node(AGE, LEAF), 3)
    assert {(one.dash, one.colour, one.name) for one in figure.outlines} == {
        ("dot", palette.STOLEN, "fewer than k = 3 records")
    }
    assert [(mark.colour, mark.name) for mark in figure.legend] == [(palette.STOLEN, "fewer than k = 3 records")]
    assert {mark.dash for mark in figure.legend} == {one.dash for one in figure.outlines} == {"dot"}
    # Leaves of 2, 1 and 1; on layer 2 the box of 2. The others hold 3 or more, or nobody, who cannot stand out.
    assert sorted((one.x0, one.x1, one.y1) for one in figure.outlines) == [(0, 1, 1), (0, 2, 2), (3, 4, 1), (7, 8, 1)]
    everybody = tree_figure(AGE, records_per_node(AGE, np.arange(8)), 1)
    assert (everybody.outlines, everybody.legend) == ([], [])


def test_the_fuller_a_box_of_its_layer_the_darker():
    tiles = tree_figure(AGE, records_per_node(AGE, LEAF), 3).tiles
    # Of 5 at the most: 2, 0, 5, 1 and so on.
    assert [tile.opacity for tile in tiles if tile.y == 0] == [0.2, 0, 0.5, 0.1, 0, 0, 0.3, 0.1]


def test_rows_are_called_layers_as_everywhere():
    axis = tree_figure(AGE, records_per_node(AGE, LEAF), 3).upwards
    assert axis.labels == ["layer 1", "layer 2", "layer 3", "layer 4"]
    assert axis.places == [0.5, 1.5, 2.5, 3.5]


def test_written_in_the_boxes_and_told():
    tiles = tree_figure(AGE, records_per_node(AGE, LEAF), 3).tiles
    text = [tile.text for tile in tiles]
    assert "12\nall, shown as *" in text
    assert "8\n[0, 40[" in text
    # The ends of the finest intervals stand on the axis.
    assert text[:8] == [f"{held}\n" for held in HELD]
    assert tiles[3].told == "age: [30, 40[\nlayer 1: 1 record"


@pytest.mark.parametrize("layers", [1, 4, 6, 7, 12])
def test_labels_are_thinned_out(layers):
    attribute = Attribute("x", 0, 4096, layers)
    records = records_per_node(attribute, np.zeros(5, dtype=np.int64))
    figure = tree_figure(attribute, records, 2)
    ticks = figure.across
    assert (ticks.labels[0], ticks.labels[-1]) == ("0", "4096")
    assert (ticks.places[0], ticks.places[-1]) == (0, attribute.leaves)
    assert len(ticks.places) <= 9
    assert len(figure.upwards.labels) == layers


def test_the_table_behind_lists_every_node_root_first():
    rows = node_rows(AGE, records_per_node(AGE, LEAF))
    assert rows[0] == {"layer": 4, "interval": "[0, 80[", "published as": "*", "records": 12}
    assert rows[-1] == {"layer": 1, "interval": "[70, 80[", "published as": "[70, 80[", "records": 1}
    assert len(rows) == 15


def test_the_takeaway():
    assert tree_takeaway(AGE, records_per_node(AGE, LEAF), 3) == (
        "Hierarchy of age: 4 layers over 8 leaves, of which 3 hold no record and 3 fewer than k = 3; "
        "the fullest holds 5."
    )


def test_categories_are_named_in_their_boxes_alone():
    towns = read_hierarchy(b"Oslo;Norway;*\nBern;Switzerland & Liechtenstein;*\nRome;Italy;*\n", "town")
    figure = tree_figure(towns, records_per_node(towns, np.array([0, 0, 1, 2])), 2)
    text = [tile.text for tile in figure.tiles]
    assert "2\nNorway" in text
    assert "1\nSwitzerland & Liechtenstein" in text
    assert (figure.across.title, figure.across.labels, figure.across.ticks) == ("town", (), False)
    assert tree_figure(AGE, records_per_node(AGE, LEAF), 3).across.ticks


def test_leaves_of_different_width():
    ages = read_hierarchy(b"".join(b"%d;%s;*\n" % (i, b"[0, 3[" if i < 3 else b"[3, 10[") for i in range(10)), "age")
    assert records_per_node(ages, np.array([0, 1, 1, 1])) == [[1, 3], [4]]
    ticks = tree_figure(ages, records_per_node(ages, np.array([0, 1])), 1).across
    assert (ticks.labels, ticks.places) == (["0", "3", "10"], [0, 1, 2])
