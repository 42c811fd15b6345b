"""The drawn hierarchy: every record in one box per layer, every box where its interval is."""

from html import unescape
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_dashboard import palette
from cra_dashboard.charts.tree import MANY_LEAVES, node_rows, records_per_node, tree_figure, tree_takeaway
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


def shapes(figure):
    return [shape for shape in figure.layout.shapes if not shape.name]


def boxes(path):
    """The rectangles of a path as (left, bottom, right, top)."""
    found = []
    for box in path.split("Z")[:-1]:
        start, rest = box.removeprefix("M").split("H")[0], box.split("H")[1]
        left, bottom = start.split(",")
        right, top = rest.split("V")
        found.append(tuple(float(edge) for edge in (left, bottom, right, top)))
    return found


def test_every_node_is_drawn_once_where_its_interval_is():
    figure = tree_figure(AGE, records_per_node(AGE, LEAF), 3)
    drawn = sorted((box[0], box[2], int(box[1]) + 1) for shape in shapes(figure) for box in boxes(shape.path))
    assert drawn == sorted((node.start, node.stop, node.layer) for layer in AGE.layer_nodes for node in layer)


def test_boxes_with_fewer_than_k_are_dotted_and_named():
    figure = tree_figure(AGE, records_per_node(AGE, LEAF), 3)
    (thin,) = [shape for shape in figure.layout.shapes if shape.name]
    assert thin.name == "fewer than k = 3 records"
    assert (thin.line.dash, thin.line.color, thin.showlegend) == ("dot", palette.STOLEN, True)
    # Leaves of 2, 1 and 1; on layer 2 the box of 2. The others hold 3 or more, or nobody, who cannot stand out.
    assert sorted((box[0], int(box[1]) + 1) for box in boxes(thin.path)) == [(0, 1), (0, 2), (3, 1), (7, 1)]
    everybody = tree_figure(AGE, records_per_node(AGE, np.arange(8)), 1)
    assert not [shape for shape in everybody.layout.shapes if shape.name]


def test_rows_are_called_layers_as_everywhere():
    axis = tree_figure(AGE, records_per_node(AGE, LEAF), 3).layout.yaxis
    assert axis.ticktext == ("layer 1", "layer 2", "layer 3", "layer 4")
    assert axis.tickvals == (0.5, 1.5, 2.5, 3.5)


def test_written_in_the_boxes():
    text = tree_figure(AGE, records_per_node(AGE, LEAF), 3).data[0].text
    assert "<b>12</b><br>all, shown as *" in text
    assert "<b>8</b><br>[0, 40[" in text
    assert text.count("<b>0</b>") == 4  # three leaves and one box of layer 2


@pytest.mark.parametrize("layers", [1, 4, 6, 7, 12])
def test_labels_are_thinned_out(layers):
    attribute = Attribute("x", 0, 4096, layers)
    records = records_per_node(attribute, np.zeros(5, dtype=np.int64))
    figure = tree_figure(attribute, records, 2)
    ticks = figure.layout.xaxis
    assert (ticks.ticktext[0], ticks.ticktext[-1]) == ("0", "4096")
    assert (ticks.tickvals[0], ticks.tickvals[-1]) == (0, attribute.leaves)
    assert len(ticks.tickvals) <= MANY_LEAVES + 1
    # Whatever the number of leaves, the browser gets a handful of shapes.
    assert len(figure.layout.shapes) <= 13
    assert len(figure.layout.yaxis.ticktext) == layers


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


def test_categories_are_named_in_their_boxes_as_far_as_they_fit():
    towns = read_hierarchy(b"Oslo;Norway;*\nBern;Switzerland & Liechtenstein;*\nRome;Italy;*\n", "town")
    figure = tree_figure(towns, records_per_node(towns, np.array([0, 0, 1, 2])), 2)
    text = figure.data[0].text
    assert "<b>2</b><br>Norway" in text
    assert "<b>1</b><br>Italy" in text
    (shortened,) = [label for label in text if "Switz" in label]
    assert shortened.endswith("…")
    # The pointer shows it whole, with signs that Plotly would read as HTML escaped.
    assert any("Switzerland &amp; Liechtenstein" in hover for hover in figure.data[1].text)
    assert figure.layout.xaxis.showticklabels is False
    assert tree_figure(AGE, records_per_node(AGE, LEAF), 3).layout.xaxis.showticklabels is None


def test_leaves_of_different_width():
    ages = read_hierarchy(b"".join(b"%d;%s;*\n" % (i, b"[0, 3[" if i < 3 else b"[3, 10[") for i in range(10)), "age")
    assert records_per_node(ages, np.array([0, 1, 1, 1])) == [[1, 3], [4]]
    ticks = tree_figure(ages, records_per_node(ages, np.array([0, 1])), 1).layout.xaxis
    assert (ticks.ticktext, ticks.tickvals) == (("0", "3", "10"), (0, 1, 2))


@pytest.mark.parametrize("coded", [{"above": True}, {"below": True, "above": True, "missing": "category"}])
def test_labels_of_codes_stand_clear_of_the_ends_beside_them_on_a_telephone(coded):
    age = Attribute("age", 10, 90, 4, **coded)
    figure = tree_figure(age, records_per_node(age, np.zeros(1, dtype=np.int64)), 5)
    # 7.5 pixels a character, 250 pixels for all leaves.
    taken = []
    for place, text in zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True):
        line, label = text.count("<br>"), unescape(text.replace("<br>", ""))
        middle, half = 250 * place / age.leaves, 7.5 * len(label) / 2
        taken.append((line, middle - half, middle + half))
    taken.sort()
    assert all(one[0] < other[0] or one[2] <= other[1] for one, other in pairwise(taken)), taken
    assert {">=90"} <= {unescape(text).replace("<br>", "") for text in figure.layout.xaxis.ticktext}
