"""What a tile of published boxes says where it stands for several cells."""

import math

import numpy as np
import pytest

from cra_dashboard.charts.published import Shown, published_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import CHOSEN, of_class
from cra_engine import Attribute
from cra_engine.release import Owner
from cra_engine.study.grid import Grid

GRID = Grid([Attribute("a", 0, 4, 2), Attribute("b", 0, 4, 2), Attribute("c", 0, 4, 2)])


@pytest.mark.parametrize(
    ("behind", "said"),
    [
        ((0.0, 0.0), "1\u00d7"),
        # e to the power of 0.5: so many times surer.
        ((0.0, 0.5), "1.65\u00d7"),
        ((0.25, 0.5), "1.65\u00d7"),
        # Where one of them is not known, no other one bounds what the choices tell here.
        ((0.5, math.nan), "?"),
        ((0.0, math.nan), "?"),
        # Nothing is larger than what has no bound.
        ((math.inf, math.nan), "\u221e"),
        ((math.inf, 0.5), "\u221e"),
    ],
)
def test_a_tile_bounds_every_cell_behind_it(behind, said):
    assert GRID.shape == (2, 2, 2)
    of_cells = np.zeros(GRID.shape)
    of_cells[1, 0] = behind
    owner = np.full(GRID.shape, Owner.SUPPRESSED, dtype=np.int64)
    drawn = published_figure(Shown(GRID, (), (), owner, (), of_cells), View.of(GRID, 0, 1, ((2, None),)))
    texts = [tile.text for tile in drawn.tiles if tile.text]
    assert sorted(texts) == sorted([said, *["1\u00d7"] * 3])


def test_each_box_has_its_number_and_colour_and_the_chosen_one_stands_out():
    grid = Grid(GRID.attributes[:2])
    owner = np.full(grid.shape, Owner.SUPPRESSED, dtype=np.int64)
    cells = [grid.cell_segment(cell) for cell in ((0, 0), (1, 1))]
    shown = Shown(grid, tuple((cell, 3) for cell in cells), (1, 0), owner, (0.0, 0.0), np.zeros(grid.shape))
    drawn = published_figure(shown, View.of(grid, 0, 1), chosen=1).outlines
    assert {(one.x0, one.label, one.colour) for one in drawn} == {(0, "1", of_class(1)), (1, "0", of_class(0))}
    assert max(drawn, key=lambda one: one.width).label == "0"


@pytest.mark.parametrize(
    ("gains", "named"),
    [
        # e to the power of 0.25 and of 0.5; what is between them has a shade between theirs.
        ((0.5, 0.25, 0.4), ["at most 1.28\u00d7", "at most 1.65\u00d7"]),
        ((0.5, 0.5, 0.5), ["at most 1.65\u00d7"]),
        ((0.0, math.inf, 0.5), ["at most 1.65\u00d7", "places excluded"]),
        ((0.0, 0.0, 0.0), []),
    ],
)
def test_the_legend_shows_the_least_and_the_most_in_shades_that_no_box_tints(gains, named):
    grid = Grid(GRID.attributes[:2])
    owner = np.full(grid.shape, Owner.SUPPRESSED, dtype=np.int64)
    of_cells = np.array([[gains[0], gains[1]], [gains[2], 0.0]])
    shown = Shown(grid, ((grid.cell_segment((0, 0)), 3),), (0,), owner, (gains[0],), of_cells)
    drawn = published_figure(shown, View.of(grid, 0, 1))
    *scale, box = drawn.legend
    assert [mark.name for mark in scale] == named
    assert box.name == "a published box: its number"
    assert {one.opacity for one in drawn.outlines} == {0}
    shades = {tile.text: tile.opacity for tile in drawn.tiles if tile.fill == CHOSEN}
    assert sorted(shades.values()) == [shades[text] for text in sorted(shades)]
    ends = {mark.name.removeprefix("at most "): mark.opacity for mark in scale if mark.colour == CHOSEN}
    assert ends == {text: shades[text] for text in ends}  # as the tiles have them
