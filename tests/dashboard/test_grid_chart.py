"""The drawn grid, read back from the figure: what is filled, outlined, written, and where the pointer is answered."""

import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_dashboard import palette
from cra_dashboard.charts.grid import Outline, Points, Tile, grid_figure, leaf_positions
from cra_dashboard.charts.look import HEIGHT, LOOK, axis, chart, texts_fit
from cra_engine import Attribute
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node

# Four leaves of 25 across, two of 10 upwards.
AGE = Attribute("age", 0, 100, 3, unit="years")
DOSE = Attribute("dose", 20, 40, 2, unit="mg")


def rectangles(shape):
    """The rectangles of a path, as (x0, x1, y0, y1)."""
    found = re.findall(r"M([\d.]+),([\d.]+)H([\d.]+)V([\d.]+)H([\d.]+)Z", shape.path)
    return [(float(x0), float(x1), float(y0), float(y1)) for x0, y0, x1, y1, _ in found]


def written(figure):
    return [text for trace in figure.data if trace.mode == "text" for text in trace.text]


def targets(figure):
    return next(trace for trace in figure.data if trace.customdata is not None)


def every_tile(columns, rows, **look):
    look = {"fill": palette.OWN, "text": "", "hover": ""} | look
    return [Tile(x, y, **look) for x in range(columns) for y in range(rows)]


def test_fills_are_the_cells_of_the_tiles_grouped_by_look():
    tiles = [
        Tile(0, 0, palette.OWN, "", ""),
        Tile(3, 1, palette.OWN, "", ""),
        Tile(1, 0, palette.STOLEN, "", ""),
        Tile(2, 0, palette.OWN, "", "", opacity=0.1),
        Tile(2, 1, None, "7", ""),
    ]
    shapes = grid_figure(AGE, DOSE, tiles).layout.shapes
    assert [(shape.fillcolor, shape.opacity, rectangles(shape)) for shape in shapes] == [
        (palette.OWN, 0.35, [(0, 1, 0, 1), (3, 4, 1, 2)]),
        (palette.STOLEN, 0.35, [(1, 2, 0, 1)]),
        (palette.OWN, 0.1, [(2, 3, 0, 1)]),
    ]


def test_outlines_lie_just_inside_their_segment_and_are_told_apart_without_colour():
    figure = grid_figure(
        AGE,
        DOSE,
        [],
        [Outline(0, 2, 0, 2, palette.OWN, dash="dot", width=2), Outline(3, 4, 1, 2, palette.CHOSEN, "class 3")],
    )
    (dotted, solid) = figure.layout.shapes
    assert (dotted.line.dash, dotted.line.width, dotted.line.color) == ("dot", 2, palette.OWN)
    assert (solid.line.dash, solid.line.width, solid.line.color) == ("solid", 3, palette.CHOSEN)
    ((x0, x1, y0, y1),) = rectangles(dotted)
    assert 0 < x0 < 0.2
    assert 1.8 < x1 < 2
    assert 0 < y0 < 0.2
    assert 1.8 < y1 < 2
    assert written(figure) == ["<b>class 3</b>"]


def test_labels_that_do_not_fit_their_outline_are_left_out():
    wide = Attribute("x", 0, 64, 7)
    outlines = [Outline(0, 1, 0, 1, palette.OWN, "class 1"), Outline(0, 32, 0, 32, palette.OWN, "class 2")]
    assert written(grid_figure(wide, wide, [], outlines)) == ["<b>class 2</b>"]


def test_numbers_stand_in_the_cells():
    tiles = [Tile(0, 0, None, "12", ""), Tile(1, 1, palette.ISOLATED, "!1", ""), Tile(2, 0, None, "", "")]
    figure = grid_figure(AGE, DOSE, tiles)
    (trace,) = [trace for trace in figure.data if trace.mode == "text"]
    assert list(zip(trace.x, trace.y, trace.text, strict=True)) == [(0.5, 0.5, "12"), (1.5, 1.5, "!1"), (2.5, 0.5, "")]


def test_numbers_are_left_out_together_where_one_does_not_fit():
    many = Attribute("x", 0, 16, 5)
    assert written(grid_figure(many, DOSE, every_tile(16, 2, text="1"))) == ["1"] * 32
    assert written(grid_figure(many, DOSE, [*every_tile(16, 2, text="1"), Tile(0, 0, None, "10,000", "")])) == []


def test_texts_fit_by_their_longest():
    assert texts_fit(4, ["1", "1234"])
    assert not texts_fit(64, ["1"])
    assert texts_fit(64, ["1"], span=8)


def test_each_tile_answers_the_pointer():
    tiles = [Tile(3, 1, None, "", "three, one"), Tile(0, 0, palette.OWN, "", "zero")]
    trace = targets(grid_figure(AGE, DOSE, tiles))
    assert [list(pair) for pair in trace.customdata] == [[3, 1], [0, 0]]
    assert list(trace.text) == ["three, one", "zero"]
    assert list(zip(trace.x, trace.y, strict=True)) == [(3.5, 1.5), (0.5, 0.5)]


def test_axes_show_boundaries_with_names_and_units():
    layout = grid_figure(AGE, DOSE, []).layout
    assert list(layout.xaxis.tickvals) == [0, 1, 2, 3, 4]
    assert list(layout.xaxis.ticktext) == ["0", "25", "50", "75", "100"]
    assert list(layout.yaxis.ticktext) == ["20", "30", "40"]
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("age (years)", "dose (mg)")


def test_a_name_is_shown_as_it_is_written():
    assert grid_figure(Attribute("a<b>&c", 0, 4, 2), None, []).layout.xaxis.title.text == "a&lt;b&gt;&amp;c"


def test_labels_of_many_boundaries_are_thinned_along_the_hierarchy():
    axis = grid_figure(Attribute("cost", 0, 640_000, 7), DOSE, []).layout.xaxis
    assert (axis.ticktext[0], axis.ticktext[-1]) == ("0", "640000")
    # Whole nodes of one layer: 64 / 2^n boundaries, and the right place for each.
    assert len(axis.tickvals) - 1 in {1, 2, 4, 8, 16, 32}
    assert [10_000 * place for place in axis.tickvals] == [int(text) for text in axis.ticktext]


@pytest.mark.parametrize("layers", [1, 2, 4, 7])
def test_any_size_can_be_drawn(layers):
    attribute = Attribute("x", 0, 64, layers)
    leaves = 2 ** (layers - 1)
    figure = grid_figure(attribute, attribute, every_tile(leaves, leaves))
    assert len(rectangles(figure.layout.shapes[0])) == leaves**2
    assert tuple(figure.layout.xaxis.range) == tuple(figure.layout.yaxis.range) == (0, leaves)


def test_one_attribute_is_a_row_without_a_second_axis():
    figure = grid_figure(
        AGE,
        None,
        every_tile(4, 1, text="3"),
        points=[Points([0.5, 0.5, 0.5], None, "record", ["#8A8A8A"] * 3, ["circle"] * 3, [8] * 3)],
    )
    assert figure.layout.yaxis.visible is False
    assert tuple(figure.layout.yaxis.range) == (0, 1)
    dots = figure.data[0]
    assert len(set(dots.y)) == 3  # equal values stay countable
    assert all(0 < y < 1 for y in dots.y)


def test_records_are_dots_with_a_look_of_their_own():
    looks = [palette.SUPPRESSED, palette.OWN], ["x", "circle-open"], [8, 11]
    figure = grid_figure(AGE, DOSE, [], points=[Points([0.1, 3.9], [0.2, 1.5], "record", *looks)])
    dots = figure.data[0]
    assert (list(dots.x), list(dots.y)) == ([0.1, 3.9], [0.2, 1.5])
    assert dots.name == "record"
    assert tuple(map(list, (dots.marker.color, dots.marker.symbol, dots.marker.size))) == looks
    # A hollow mark is drawn by its line alone.
    assert list(dots.marker.line.width) == [0, 2]


@given(st.lists(st.floats(-3, 4.999), min_size=1, max_size=30), st.integers(1, 5))
def test_a_record_lies_in_its_cell_clear_of_the_border_in_the_order_of_the_values(values, layers):
    attribute = Attribute("x", -3, 5, layers, resolution=0.5)
    leaves = attribute.reader.locate(np.array(values))
    places = leaf_positions(attribute, leaves, values)
    assert (np.floor(places) == leaves).all()
    assert (places > leaves).all()
    assert (np.diff(places[np.argsort(values)]) >= 0).all()


BLOOD_GROUPS = Hierarchy(
    "blood group",
    (
        tuple(
            Node(1, i, i, i + 1, Decimal(i), Decimal(i + 1), 1, label, category=True) for i, label in enumerate("A<0B")
        ),
        (Node(2, 0, 0, 4, Decimal(0), Decimal(4), 4, "*", category=True),),
    ),
    listed={label: leaf for leaf, label in enumerate("A<0B")},
)


def test_categories_are_named_in_the_middle_of_their_cells():
    axis = grid_figure(BLOOD_GROUPS, DOSE, []).layout.xaxis
    assert list(axis.tickvals) == [0.5, 1.5, 2.5, 3.5]
    assert list(axis.ticktext) == ["A", "&lt;", "0", "B"]


def test_records_of_one_category_stay_countable():
    places = leaf_positions(BLOOD_GROUPS, np.array([2, 2, 2, 0]))
    assert [int(place) for place in places] == [2, 2, 2, 0]
    assert len(set(places)) == 4


def test_the_legend_explains_the_marks_it_is_given_with_their_signs():
    marks = [palette.ALONE, palette.BOX]
    entries = [trace for trace in grid_figure(AGE, DOSE, [], legend=marks, heading="Cells:").data if trace.name]
    assert [(entry.name, entry.marker.color, entry.marker.symbol) for entry in entries] == [
        ("1 exactly one person", palette.ISOLATED, "square"),
        ("a published box", palette.INK, "square-open"),
    ]
    assert all(list(entry.x) == [None] for entry in entries)
    assert grid_figure(AGE, DOSE, [], legend=marks, heading="Cells:").layout.legend.title.text == "Cells:"


def test_a_chart_leaves_background_to_the_page_and_its_text_to_the_theme():
    layout = chart([], HEIGHT, axis("age"), axis("records"), legend=LOOK["legend"]).layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
    fonts = [layout.xaxis.tickfont, layout.xaxis.title.font, layout.legend.font, layout.font]
    assert {font.color for font in fonts} == {palette.INK}
    assert min(font.size for font in fonts) >= 13
