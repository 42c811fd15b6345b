"""The drawn grid, read back from the picture: what is filled, outlined, written, and what the pointer is told."""

import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_dashboard import palette
from cra_dashboard.charts.grid import axis_of, leaf_positions
from cra_dashboard.charts.look import HEIGHT, LOOK, axis, chart, texts_fit
from cra_dashboard.charts.paper import on_paper
from cra_dashboard.charts.picture import Axis, Outline
from cra_dashboard.charts.tiled import box_outlines, tiled_figure
from cra_dashboard.charts.view import View
from cra_engine import Attribute
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node

# Four leaves of 25 across, two of 10 upwards.
AGE = Attribute("age", 0, 100, 3, unit="years")
DOSE = Attribute("dose", 20, 40, 2, unit="mg")


GRID = Grid([AGE, DOSE])


def drawn(shown, outlines=(), attributes=(AGE, DOSE), **how):
    """The picture of the cells that are in ``shown``, by place, as a mark and a text; of others nothing is known."""
    grid = Grid(attributes)
    view = View.of(grid, 0, 1 if len(attributes) > 1 else None)
    told = {"heading": "Number of people:"} | how
    return tiled_figure(grid, view, lambda x, y: (*shown.get((x, y), (palette.BLANK, "")), ""), outlines, **told)


def texts(figure):
    return {(tile.x, tile.y): tile.text for tile in figure.tiles if tile.text}


def test_fills_are_those_of_the_marks():
    faint = palette.Mark(palette.OWN, opacity=0.1)
    figure = drawn({(0, 0): (palette.FREE, ""), (2, 0): (faint, ""), (2, 1): (palette.BLANK, "7")})
    assert {(tile.x, tile.y): (tile.fill, tile.opacity) for tile in figure.tiles if tile.fill} == {
        (0, 0): (palette.FREE.colour, palette.FREE.opacity),
        (2, 0): (palette.OWN, 0.1),
    }
    assert len(figure.tiles) == 8


def test_labels_that_do_not_fit_their_outline_are_left_out():
    wide = [Attribute(name, 0, 64, 7) for name in "ab"]
    outlines = [Outline(0, 1, 0, 1, palette.OWN, "class 1"), Outline(0, 32, 0, 32, palette.OWN, "class 2")]
    assert [one.label for one in drawn({}, outlines, wide).outlines] == ["", "class 2"]


def test_numbers_are_left_out_together_where_one_does_not_fit():
    many = [Attribute("x", 0, 16, 5), DOSE]
    ones = {(x, y): (palette.BLANK, "1") for x in range(16) for y in range(2)}
    assert len(texts(drawn(ones, attributes=many))) == 32
    assert not texts(drawn(ones | {(0, 0): (palette.BLANK, "10,000")}, attributes=many))


def test_texts_fit_by_their_longest():
    assert texts_fit(4, ["1", "1234"])
    assert not texts_fit(64, ["1"])
    assert texts_fit(64, ["1"], span=8)


def test_each_tile_tells_where_it_is():
    told = {(tile.x, tile.y): tile.told for tile in drawn({}).tiles}
    assert told[3, 1] == "age from 75 to under 100 years\ndose from 30 to under 40 mg"


def test_axes_show_boundaries_with_names_and_units():
    across, upwards = axis_of(AGE), axis_of(DOSE)
    assert across.places == [0, 1, 2, 3, 4]
    assert across.labels == ["0", "25", "50", "75", "100"]
    assert upwards.labels == ["20", "30", "40"]
    assert (across.title, upwards.title) == ("age (years)", "dose (mg)")
    assert across.ticks


def test_a_name_is_shown_as_it_is_written():
    assert axis_of(Attribute("a<b>&c", 0, 4, 2)).title == "a<b>&c"


def test_labels_of_many_boundaries_are_thinned_along_the_hierarchy():
    axis = axis_of(Attribute("cost", 0, 640_000, 7))
    assert (axis.labels[0], axis.labels[-1]) == ("0", "640000")
    # Whole nodes of one layer: 64 / 2^n boundaries, and the right place for each.
    assert len(axis.places) - 1 in {1, 2, 4, 8, 16, 32}
    assert [10_000 * place for place in axis.places] == [int(text) for text in axis.labels]
    # Lines between all of the 64 cells would be all one sees.
    assert axis.ruled == axis.places


@pytest.mark.parametrize("layers", [1, 2, 4, 7])
def test_any_size_can_be_drawn(layers):
    attribute = Attribute("x", 0, 64, layers)
    leaves = 2 ** (layers - 1)
    figure = drawn({}, attributes=[attribute, Attribute("y", 0, 64, layers)])
    assert len(figure.tiles) == leaves**2
    assert figure.across.ends == figure.upwards.ends == (0, leaves)


def test_one_attribute_is_a_row_without_a_second_axis():
    figure = drawn({}, attributes=[AGE])
    assert figure.upwards == Axis("", (0, 1))
    assert len(figure.tiles) == 4
    assert figure.height < HEIGHT


BOXES = [(0, Segment((3, 2), (0, 0))), (1, Segment((1, 2), (0, 0))), (2, Segment((1, 1), (2, 0)))]
PEOPLE = {0: "5 people", 1: "3 people", 2: "1 person"}


def test_a_box_says_its_number_and_its_people_in_its_corner_and_the_legend_writes_them_alike():
    found = box_outlines(GRID, BOXES, View.of(GRID, 0, 1), people=PEOPLE)
    at = {one.label: (one.x0, one.x1, one.y0, one.y1, one.people, one.line) for one in found}
    # Two boxes begin at one corner: each has a line there.
    assert at == {
        "0": (0, 4, 0, 2, "5 people", 0),
        "1": (0, 1, 0, 2, "3 people", 1),
        "2": (2, 3, 0, 1, "1 person", 0),
    }
    (entry,) = drawn({}, found).legend
    assert (entry.name, entry.symbol) == ("a published box (number: people)", "square-open")


def test_without_room_for_its_people_a_box_says_its_number():
    fine = [Attribute(name, 0, 64, 5) for name in "ab"]
    grid = Grid(fine)
    whole, half = Segment((5, 5), (0, 0)), Segment((4, 5), (0, 0))
    found = box_outlines(grid, [(0, whole), (1, half)], View.of(grid, 0, 1), people={0: "5 people", 1: "6 people"})
    # They begin at one corner: the wider one is named where the other ends.
    assert [(one.label, one.at, one.people) for one in found] == [("0", (8, 16), ""), ("1", (0, 16), "")]
    assert [entry.name for entry in drawn({}, found, fine).legend] == ["a published box: its number"]


def test_a_name_ends_where_another_one_begins():
    # Two boxes begin at the left, one a cell further to the right: eight columns leave room for three letters. A number
    # stands in one box alone, as far as that has room beside the others.
    columns = [Attribute("a", 0, 8, 4), Attribute("b", 0, 4, 1)]
    grid = Grid(columns)
    boxes = [(10, Segment((4, 1), (0, 0))), (11, Segment((3, 1), (0, 0))), (12, Segment((1, 1), (1, 0)))]

    def named(of):
        return [(one.label, one.at) for one in box_outlines(grid, of, View.of(grid, 0, 1))]

    assert named(boxes) == [("10", (4, 1)), ("11", (0, 1)), ("12", (1, 1))]
    assert named(boxes[:2]) == [("10", (4, 1)), ("11", (0, 1))]
    # Where the narrower one ends, a third one begins: they are named together. Two columns have room for six letters.
    between = [boxes[1], (13, Segment((2, 1), (0, 0))), (14, Segment((2, 1), (1, 0)))]
    assert named(between) == [("11, 13", (0, 1)), ("", (0, 1)), ("14", (2, 1))]


def test_a_taller_box_is_named_where_the_lower_one_ends():
    grid = Grid([Attribute(name, 0, 4, 3) for name in "ab"])
    # [0, 2) in a for both; [0, 4) and [2, 4) in b. A third box below begins where the second ends.
    tall, low, third = (3, Segment((2, 3), (0, 0))), (4, Segment((2, 2), (0, 1))), (5, Segment((1, 2), (0, 0)))

    def named(*of):
        return {one.label: one.at for one in box_outlines(grid, of, View.of(grid, 0, 1))}

    assert named(tall, low) == {"3": (0, 2), "4": (0, 4)}
    assert named(tall, low, third) == {"3, 4": (0, 4), "": (0, 4), "5": (0, 2)}


def test_borders_are_in_the_legend_by_name_and_those_without_one_are_not():
    own, open_ = Outline(0, 1, 0, 1, palette.OWN, name="its box"), Outline(1, 2, 0, 1, palette.CHOSEN)
    assert [(mark.name, mark.colour) for mark in drawn({}, [own, own, open_]).legend] == [("its box", palette.OWN)]


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
    axis = axis_of(BLOOD_GROUPS)
    assert axis.places == [0.5, 1.5, 2.5, 3.5]
    assert axis.labels == ["A", "<", "0", "B"]
    assert not axis.ticks


def test_records_of_one_category_stay_countable():
    places = leaf_positions(BLOOD_GROUPS, np.array([2, 2, 2, 0]))
    assert [int(place) for place in places] == [2, 2, 2, 0]
    assert len(set(places)) == 4


def test_a_dashed_border_is_dashed_in_the_legend_on_paper_too():
    whole, dashed = (Outline(0, 1, 0, 1, palette.INK, dash=dash, name=dash) for dash in ("solid", "dash"))
    assert [mark.dash for mark in drawn({}, [whole, dashed]).legend] == ["solid", "dash"]
    paper = on_paper(drawn({}, [whole, dashed]), View.of(GRID, 0, 1, ()), GRID, "")
    printed = re.findall(r"<tspan[^>]*>([□⬚]) </tspan><tspan>(\w+)", paper)
    assert printed == [("□", "solid"), ("⬚", "dash")]


def test_the_legend_explains_the_marks_that_a_cell_has():
    keys = [palette.ALONE, palette.NOBODY]
    figure = drawn({(0, 0): (palette.ALONE, "1")}, keys=keys, scale=[palette.OUT], heading="Cells:")
    assert [mark.name for mark in figure.legend] == [palette.OUT.name, palette.ALONE.name]
    assert figure.heading == "Cells:"


def test_a_chart_leaves_background_to_the_page_and_its_text_to_the_theme():
    layout = chart([], HEIGHT, axis("age"), axis("records"), legend=LOOK["legend"]).layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
    fonts = [layout.xaxis.tickfont, layout.xaxis.title.font, layout.legend.font, layout.font]
    assert {font.color for font in fonts} == {palette.INK}
    assert min(font.size for font in fonts) >= 13
