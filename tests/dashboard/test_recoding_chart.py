"""One step of a recoding on the grid, against the case worked out in hand_recodings.three_decide."""

import numpy as np
import pytest
from hand_recodings import nothing_works, three_decide

from cra_dashboard import palette
from cra_dashboard.charts.recoding import (
    class_table,
    counts_table,
    cuts_of,
    first_owning_classes,
    formed_outlines,
    owning_classes,
    step_figure,
    step_legend,
    tile_counts,
)
from cra_dashboard.charts.tiled import box_outlines
from cra_dashboard.charts.view import View
from cra_engine import Attribute, recode, synthesize
from cra_engine.study.grid import Grid, Segment

FLAT = View((4, 4), 0, 1)


def tiles_of(figure):
    return {(tile.x, tile.y): tile.told for tile in figure.tiles}


def counts(recoding, index):
    tiles = tile_counts(recoding, FLAT, index)
    parts = (tiles.left, tiles.now, tiles.before)
    return {(x, y): tuple(int(part[x, y]) for part in parts) for x, y in np.argwhere(sum(parts)).tolist()}


def test_where_the_records_are_after_each_step():
    recoding, _ = three_decide()
    left, now, before = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    assert counts(recoding, 0) == {(3, 1): left, (2, 2): (2, 0, 0), (1, 1): left, (0, 1): left, (2, 1): left}
    assert counts(recoding, 1) == {(3, 1): left, (2, 2): (0, 2, 0), (1, 1): left, (0, 1): left, (2, 1): now}
    assert counts(recoding, 2) == {(3, 1): now, (2, 2): (0, 0, 2), (1, 1): now, (0, 1): now, (2, 1): before}
    assert counts(recoding, 3) == {(3, 1): before, (2, 2): (0, 0, 2), (1, 1): before, (0, 1): before, (2, 1): before}


@pytest.mark.parametrize("index", range(4))
def test_no_record_is_lost_on_the_way(index):
    recoding, _ = three_decide()
    parts = tile_counts(recoding, FLAT, index)
    assert int((parts.left + parts.now + parts.before).sum()) == 6
    assert counts_table(recoding, FLAT, index).select_dtypes("number").to_numpy().sum() == 6


def test_this_steps_class_is_marked_and_named_the_others_are_not():
    recoding, _ = three_decide()
    # Class 0 is (1,3): weight leaf 2, every pressure; class 1 is (3,1): pressure leaf 1.
    (first,) = formed_outlines(recoding, FLAT, 1)
    assert (first.x0, first.x1, first.y0, first.y1) == (2, 3, 0, 4)
    assert (first.label, first.colour, first.dash) == ("0", palette.of_class(0), "solid")
    earlier, second = formed_outlines(recoding, FLAT, 2)
    # A class keeps its colour.
    assert (earlier.label, earlier.dash, earlier.colour) == ("0", "solid", palette.of_class(0))
    assert earlier.width < second.width
    assert second.colour == palette.of_class(1)
    assert (earlier.x0, earlier.x1) == (2, 3)
    assert (second.x0, second.x1, second.y0, second.y1, second.label) == (0, 4, 1, 2, "1")
    assert {outline.width for outline in formed_outlines(recoding, FLAT, 3)} == {earlier.width}
    assert formed_outlines(recoding, FLAT, 0) == []


def test_classes_behind_each_other_are_counted():
    recoding, _ = three_decide()
    # Seen along weight only, with all pressures together: the class of step 2 spans every weight.
    (first, second) = formed_outlines(recoding, View((4, 4), 0, None, ((1, None),)), 2)
    assert (first.x0, first.x1, first.y0, first.y1) == (2, 3, 0, 1)
    assert (second.x0, second.x1) == (0, 4)
    # In the slice of pressures [300, 400) only class 0 is met.
    assert len(formed_outlines(recoding, View((4, 4), 0, None, ((1, 3),)), 2)) == 1


def test_behind_a_tile_of_several_cells_a_class_has_its_own_colour():
    recoding, _ = three_decide()
    # Along weight, all pressures together: records stand at weights 0, 1 and 3 (class 1) and 2 (class 0).
    along = View((4, 4), 0, None, ((1, None),))
    assert first_owning_classes(recoding, along).ravel().tolist() == [1, 1, 0, 1]
    # Along pressure class 0, which was formed first, has records at 1 and 2; at 1 class 1 has some, too.
    assert first_owning_classes(recoding, View((4, 4), 1, None, ((0, None),))).ravel().tolist() == [-1, 0, 0, -1]


@pytest.mark.parametrize("dots", [True, False])
@pytest.mark.parametrize("index", range(4))
def test_no_two_entries_of_a_legend_look_alike(index, dots):
    recoding, _ = three_decide()
    entries = step_legend(recoding, index, dots=dots)
    assert len({(mark.symbol, mark.colour) for mark in entries}) == len(entries)


def test_a_step_s_legend_explains_what_is_drawn_and_nothing_else():
    recoding, data = three_decide()

    def seen(index):
        return [mark.name for mark in step_legend(recoding, index, dots=True) if not mark.unseen]

    assert seen(0) == ["not published yet"]
    assert seen(1) == ["published now, by class", "not published yet", palette.BOX.name]
    assert seen(2) == ["published now, by class", "published earlier, by class", palette.BOX.name]  # nobody is left
    # The room of all is kept, so that the picture holds still.
    assert len({len(step_legend(recoding, index, dots=True)) for index in range(3)}) == 1
    symbols = {dot.symbol for dot in step_figure(recoding, FLAT, 1, data).dots}
    assert symbols == {"circle", "diamond"}


def test_classes_behind_each_other_are_named_as_far_as_there_is_room():
    def labels(classes, leaves):
        grid = Grid([Attribute("a", 0, 64, leaves), Attribute("b", 0, 64, 2)])
        first = Segment((1, 1), (0, 0))
        boxes = ((number, first) for number in range(classes))
        return [one.label for one in box_outlines(grid, boxes, View.of(grid, 0, 1), chosen=[1])]

    assert labels(1, 3) == ["0"]
    # What a step forms comes first; one border is drawn for both.
    assert labels(2, 3) == ["1, 0"]
    assert labels(2, 5) == [""]
    assert labels(2, 4) == ["1+"]


def test_hover_tells_the_box_and_its_records():
    recoding, _ = three_decide()
    shown = tiles_of(step_figure(recoding, FLAT, 1))
    assert len(shown) == 16
    assert shown[2, 2] == "weight from 200 to under 300 lb\npressure from 200 to under 300\n2 records published now"
    assert shown[0, 0].endswith("no record")
    assert "1 record not published yet" in shown[3, 1]


def test_numbers_are_marked_beside_their_colour():
    recoding, _ = three_decide()
    written = {(tile.x, tile.y): tile.text for tile in step_figure(recoding, FLAT, 1).tiles if tile.text}
    assert written == {(2, 2): "✓2", (2, 1): "✓1", (3, 1): "1", (1, 1): "1", (0, 1): "1"}


def test_dots_are_the_records_of_the_view_by_what_became_of_them():
    recoding, data = three_decide()
    dots = step_figure(recoding, FLAT, 1, data).dots
    looks = [(int(dot.x), dot.symbol, dot.colour) for dot in dots]
    assert [look for look in looks if look[0] == 2 and look[1] == "diamond"] == 3 * [
        (2, "diamond", palette.of_class(0))
    ]
    assert sorted(symbol for _, symbol, _ in looks) == 3 * ["circle"] + 3 * ["diamond"]
    assert {colour for _, symbol, colour in looks if symbol == "circle"} == {palette.SUPPRESSED}
    sliced = step_figure(recoding, View((4, 4), 0, None, ((1, 2),)), 1, data).dots
    assert [dot.symbol for dot in sliced] == 2 * ["diamond"]
    assert len({dot.y for dot in sliced}) == 2  # on one row equal values stay countable
    # One step on, and the same dots stand in the same places.
    later = step_figure(recoding, FLAT, 2, data).dots
    assert [(dot.x, dot.y) for dot in later] == [(dot.x, dot.y) for dot in dots]
    assert sorted(dot.symbol for dot in later) == 3 * ["circle"] + 3 * ["diamond"]


def test_each_cell_belongs_to_the_class_that_took_its_records():
    recoding, _ = three_decide()
    owner = owning_classes(recoding)
    # Class 0 was formed first and has all of weight leaf 2; class 1 what is left of pressure leaf 1.
    assert owner[2].tolist() == [0, 0, 0, 0]
    assert [int(owner[x, 1]) for x in (0, 1, 3)] == [1, 1, 1]
    assert (owner[:, 0] == -1).sum() == 3


def test_a_state_cuts_the_grid_into_its_boxes():
    recoding, _ = three_decide()
    cuts = cuts_of(recoding.grid, FLAT)
    assert (cuts["across"], cuts["upwards"]) == (0, 1)
    # State (2, 1): two halves of weight, four leaves of pressure.
    assert (cuts["x"][2 - 1], cuts["y"][1 - 1]) == ([0, 2, 4], [0, 1, 2, 3, 4])
    assert cuts["x"][3 - 1] == [0, 4]


def test_a_state_cuts_a_folded_view_where_its_boxes_are_told_apart():
    grid = Grid([Attribute("a", 0, 1024, 11), Attribute("b", 0, 8, 4)])
    cuts = cuts_of(grid, View.of(grid, 1, 0))
    # 1024 leaves of a are drawn as 64 tiles upwards: layers finer than these cut between all of them.
    assert (cuts["across"], cuts["upwards"]) == (1, 0)
    assert cuts["y"][0] == cuts["y"][4] == list(range(65))
    assert cuts["y"][10] == [0, 64]
    assert cuts["x"][1] == [0, 2, 4, 6, 8]


def test_the_legend_names_each_sign_of_a_person_that_is_drawn_and_no_other():
    """At k = 2 the toy has more classes than there are colours: the people of the last are rings."""
    toy = synthesize("toy")
    recoding = recode(toy.data, toy.study.with_k(2))
    view, last = View.of(recoding.grid, 0, 1), len(recoding.iterations) + 1
    for index in range(last + 1):
        drawn = {
            ("" if dot.colour in palette.CLASSES else "grey", dot.symbol)
            for dot in step_figure(recoding, view, index, toy.data).dots
        }
        named = {
            ("" if mark.colour == palette.INK else "grey", mark.symbol)
            for mark in step_legend(recoding, index, dots=True)
            if not mark.unseen and mark != palette.BOX
        }
        assert named == drawn, index
    assert ("", "circle-open") in drawn


def test_at_the_end_what_is_left_is_called_suppressed():
    recoding, data = nothing_works()
    figure = step_figure(recoding, FLAT, 1, data)
    seen = [mark.name for mark in step_legend(recoding, 1, dots=True) if not mark.unseen]
    assert seen == ["suppressed"]  # there is no class, and no box
    assert {dot.colour for dot in figure.dots} == {palette.SUPPRESSED}
    assert "1 record suppressed" in tiles_of(figure)[0, 0]
    assert list(counts_table(recoding, FLAT, 1)["suppressed"]) == [1] * 6


def test_the_classes_formed_so_far():
    recoding, _ = three_decide()
    assert class_table(recoding, 0).empty
    assert class_table(recoding, 1).to_dict("records") == [
        {
            "class": 0,
            "box": "weight from 200 to under 300 lb",
            "records": 3,
            "state": "(1, 3)",
            "formed in step": 1,
        }
    ]
    assert list(class_table(recoding, 3)["formed in step"]) == [1, 2]
