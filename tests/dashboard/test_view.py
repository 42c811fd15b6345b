"""Views of grids with many attributes: sums, slices, outlines, and the widgets that choose them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from cra_dashboard.charts.view import View
from cra_engine import Attribute
from cra_engine.audits.guessed_hierarchies import propose_hierarchy
from cra_engine.audits.guessed_release import guessed_release
from cra_engine.study.grid import Grid, Segment


def make_grid(heights):
    return Grid([Attribute(f"q{i}", 0, 2 ** (h + 1), h, unit="kg") for i, h in enumerate(heights)])


@st.composite
def views(draw):
    """A grid of 1 to 4 attributes, with a view of it; either axis may be folded to any layer."""
    grid = make_grid(draw(st.lists(st.integers(1, 3), min_size=1, max_size=4)))
    order = draw(st.permutations(range(len(grid.shape))))
    fixed = tuple((p, draw(st.none() | st.integers(0, grid.shape[p] - 1))) for p in sorted(order[2:]))
    starts = [
        tuple(node.start for node in draw(st.sampled_from([(), *grid.attributes[position].layer_nodes[1:]])))
        for position in order[:2]
    ]
    return grid, View(grid.shape, order[0], order[1] if len(order) > 1 else None, fixed, *starts)


@given(views())
def test_a_tile_is_the_sum_of_the_cells_behind_it(case):
    grid, view = case
    array = np.arange(1, grid.size + 1).reshape(grid.shape)
    tiles = view.project(array)
    assert tiles.shape == (view.columns, view.rows)
    for x in range(view.columns):
        for y in range(view.rows):
            assert tiles[x, y] == sum(array[cell] for cell in view.cells(x, y))


@given(views())
def test_a_cell_is_behind_the_tile_that_shows_it_and_no_other(case):
    grid, view = case
    behind = {cell: (x, y) for x in range(view.columns) for y in range(view.rows) for cell in view.cells(x, y)}
    sliced = {place: leaf for place, leaf in view.fixed if leaf is not None}
    for cell in grid.cells(grid.whole):
        assert (cell in behind) == all(cell[place] == leaf for place, leaf in sliced.items())
    assert len(behind) == sum(len(view.cells(x, y)) for x in range(view.columns) for y in range(view.rows))
    if view.flat:
        assert len(behind) == view.columns * view.rows
    elif not view.folded:
        assert len(behind) > view.columns * view.rows
    leaves = np.array(grid.cells(grid.whole))
    assert [bool(shown) for shown in view.inside(leaves)] == [tuple(cell) in behind for cell in leaves.tolist()]


@given(views(), st.data())
def test_an_outline_holds_the_tiles_of_the_segments_cells(case, data):
    grid, view = case
    state = tuple(data.draw(st.integers(1, attribute.layers)) for attribute in grid.attributes)
    ranks = tuple(
        data.draw(st.integers(0, attribute.nodes_in(layer) - 1))
        for attribute, layer in zip(grid.attributes, state, strict=True)
    )
    segment = Segment(state, ranks)
    inside = set(grid.cells(segment))
    every = ((x, y) for x in range(view.columns) for y in range(view.rows))
    shown = {tile for tile in every if not inside.isdisjoint(view.cells(*tile))}
    border = view.outline(grid, segment)
    if border is None:
        assert not shown
    else:
        x0, x1, y0, y1 = border
        assert shown == {(x, y) for x in range(x0, x1) for y in range(y0, y1)}


@given(views())
def test_the_axes_have_a_leaf_per_tile(case):
    grid, view = case
    across, up = view.axes(grid.attributes)
    assert across.leaves == view.columns
    assert (1 if up is None else up.leaves) == view.rows
    for axis, position in ((across, view.x), (up, view.y)):
        if axis is None:
            continue
        whole = grid.attributes[position]
        # The same intervals under the same root, from some layer on.
        intervals = [[node.interval for node in nodes] for nodes in whole.layer_nodes]
        assert [[node.interval for node in nodes] for nodes in axis.layer_nodes] == intervals[-axis.layers :]
        for layer in range(2, axis.layers + 1):
            for rank, node in enumerate(axis.layer_nodes[layer - 1]):
                inside = axis.layer_nodes[0][node.start : node.stop]
                assert (inside[0].lower, inside[-1].upper) == (node.lower, node.upper)
                assert set(axis.ranks[layer - 1][node.start : node.stop]) == {rank}


def test_an_attribute_with_too_many_leaves_is_folded():
    grid = Grid([Attribute("fine", 0, 512, 9, unit="mg"), Attribute("coarse", 0, 4, 2)])
    view = View.of(grid, 0, 1)
    # 256 leaves of 2; the finest layer of at most 64 nodes has nodes of 8.
    assert (view.columns, view.rows, view.flat) == (64, 2, False)
    assert view.cells(63, 1) == [(leaf, 1) for leaf in (252, 253, 254, 255)]
    assert view.describe(grid.attributes, 63, 0) == "fine from 504 to under 512 mg\ncoarse from 0 to under 2"
    # A segment within a tile is drawn as the tile that holds it.
    assert view.outline(grid, Segment((1, 1), (253, 0))) == (63, 64, 0, 1)
    assert not View.of(Grid([Attribute("fine", 0, 512, 7)]), 0, None).folded


def test_flags_are_counted():
    grid = make_grid([2, 2, 2])
    owner = np.zeros(grid.shape, dtype=int)
    owner[0, 0, :] = 3
    owner[1, 0, 0] = 3
    assert View(grid.shape, 0, 1, ((2, None),)).project(owner == 3).tolist() == [[2, 0], [1, 0]]


def test_a_tile_in_words_names_the_shown_attributes_and_the_slice():
    grid = Grid([Attribute("a<b", 0, 4, 2), Attribute("weight", 0, 8, 2, unit="kg"), Attribute("age", 0, 100, 3)])
    view = View(grid.shape, 1, 0, ((2, 3),))
    assert (
        view.describe(grid.attributes, 0, 1)
        == "a<b from 2 to under 4\nweight from 0 to under 4 kg\nage from 75 to under 100"
    )


# --- The widgets -----------------------------------------------------------------------------------------------------


def page(attributes):
    """A page that asks for a view and shows the answer; AppTest runs its source on its own."""
    import streamlit as st  # noqa: PLC0415

    from cra_dashboard.session.view_choice import choose_view  # noqa: PLC0415
    from cra_engine.study.grid import Grid  # noqa: PLC0415

    view = choose_view(Grid(attributes), "test")
    st.text(f"{view.x} {view.y} {view.fixed}")


def shown(app):
    assert not app.exception
    return app.text[0].value


def run(*names):
    return AppTest.from_function(page, args=([Attribute(name, 0, 4, 2) for name in names],), default_timeout=300).run()


@pytest.mark.parametrize(("names", "view"), [(["a"], "0 None ()"), (["a", "b"], "0 1 ()")])
def test_nothing_is_asked_about_one_or_two_attributes(names, view):
    app = run(*names)
    assert not app.selectbox
    assert shown(app) == view


def test_the_person_chooses_the_pair_and_the_slice():
    app = run("a", "b", "c", "d")
    assert shown(app) == "0 1 ((2, None), (3, None))"
    assert [box.label for box in app.selectbox] == ["Across", "Upwards", "c", "d"]
    assert app.selectbox[2].options == ["all together", "[0, 2[", "[2, 4["]
    app.selectbox[2].set_value(1).run()
    assert shown(app) == "0 1 ((2, 1), (3, None))"
    app.selectbox[0].set_value(3).run()
    # The attribute that is shown across is no longer offered for the other axis; the slice of c is kept.
    assert app.selectbox[1].options == ["a", "b", "c"]
    assert shown(app) == "3 0 ((1, None), (2, 1))"


def test_what_is_no_interval_is_said_as_what_it_is():
    # What an audit guesses beyond all labels, and categories.
    (ages,) = guessed_release(pd.DataFrame({"age": ["[20, 30["] * 2 + ["[40, 60["] * 2 + ["*"]})).release.attributes
    sexes = propose_hierarchy(["f", "m", "*"], "sex").hierarchy
    said = View.of(Grid([ages, sexes]), 0, 1).describe((ages, sexes), 0, 1)
    assert said == "age is below 20\nsex is m"
