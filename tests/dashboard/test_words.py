"""Boxes, states and Markdown in words; every expected text is worked out by hand."""

from cra_dashboard.texts import words
from cra_engine import Attribute
from cra_engine.study.file_hierarchy import read_hierarchy
from cra_engine.study.grid import Grid, Segment

GRID = Grid([Attribute("weight", 0, 100, 3, unit="kg"), Attribute("age", 20, 100, 3)])


def test_boxes_as_predicates():
    # Leaves of weight: 25 kg each; of age: 20 years each. The root of an attribute says nothing and is left out.
    assert words.isolates(GRID, Segment((1, 1), (1, 0))) == (
        "Exactly one person has weight from 25 to under 50 kg and age from 20 to under 40."
    )
    assert words.box(GRID, Segment((3, 2), (0, 1))) == "age from 60 to under 100"
    assert words.box(GRID, GRID.whole) == "everything"


def test_a_cell_by_the_numbers_of_the_axes():
    assert words.cell_by_ends(GRID, (1, 3)) == "weight 25 to 50, age 80 to 100"
    grid = Grid([read_hierarchy(b"[a, b];*\nm;*\n", "sex"), Attribute("age", 20, 100, 3, unit="years")])
    assert words.cell_by_ends(grid, (0, 0)) == "sex [a, b], age 20 to 40"


def test_a_category_is_no_interval():
    sex = read_hierarchy(b"f;f;*\nm;m;*\n", "sex")
    grid = Grid([sex, Attribute("age", 20, 100, 3, unit="years")])
    assert words.isolates(grid, Segment((1, 1), (0, 0))) == (
        "Exactly one person has sex f and age from 20 to under 40 years."
    )


def test_a_grid_of_one_cell_has_nothing_to_say_but_that_there_is_one():
    grid = Grid([Attribute("weight", 0, 100, 1)])
    assert words.isolates(grid, Segment((1,), (0,))) == "Exactly one person is in the table."
    assert words.box(grid, grid.whole) == "everything"


def test_names():
    assert (words.name_of(3), words.name_of(None), words.state((2, 3))) == (
        "class 3",
        "the suppressed records",
        "(2, 3)",
    )
    assert words.sentence("class 3 holds") == "Class 3 holds"


def test_a_column_name_cannot_format_the_page():
    assert words.plain("a*b_c in [0, 5) $ :red[x]") == r"a\*b\_c in \[0, 5) \$ \:red\[x\]"
