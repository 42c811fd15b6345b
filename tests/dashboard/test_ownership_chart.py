"""Pictures on the grid: what stands in each tile; the releases are worked out in :mod:`cases`."""

from dataclasses import dataclass

import pandas as pd
from cases import TIED, attacked

from cra_dashboard.attack.chosen import Chosen
from cra_dashboard.attack.one_class import what_is_shown
from cra_dashboard.charts.counts import chance_figure, filling_figure, isolated_figure
from cra_dashboard.charts.ownership import class_box, overview_figure, owner_in_words, ownership_figure
from cra_dashboard.charts.view import View
from cra_dashboard.palette import BOX_WIDTH, CERTAIN_OPACITY, ISOLATED, LIKELY, STOLEN, UNDECIDED, of_class, opacity_of
from cra_dashboard.session import keys
from cra_dashboard.texts.class_rows import class_rows
from cra_engine import Attribute, Release, Study, attack

FLAT = View((4, 4), 0, 1)


@dataclass(frozen=True)
class Read:
    """What a picture consists of, by tile; empty texts and fills are left out."""

    labels: dict
    fills: dict
    opacities: dict
    hovers: dict
    borders: set
    legend: list


def picture(figure):
    tiles = figure.tiles
    return Read(
        {(tile.x, tile.y): tile.text for tile in tiles if tile.text},
        {(tile.x, tile.y): tile.fill for tile in tiles if tile.fill},
        {(tile.x, tile.y): tile.opacity for tile in tiles if tile.fill},
        {(tile.x, tile.y): tile.told for tile in tiles},
        {(o.x0, o.x1, o.y0, o.y1, o.colour, o.dash) for o in figure.outlines},
        [f"{mark.sign} {mark.name}".strip() for mark in figure.legend],
    )


def test_own_and_stolen_cells():
    found = attacked()
    figure = picture(ownership_figure(found, found.classes[1], FLAT))
    assert figure.labels == {(0, 0): "✕0", (0, 1): "✔", (1, 0): "✔", (1, 1): "✔"}
    # Each class in its own colour, the one that took a cell too.
    assert figure.fills == {(0, 0): of_class(0), (0, 1): of_class(1), (1, 0): of_class(1), (1, 1): of_class(1)}
    assert figure.opacities[0, 0] < figure.opacities[1, 1]
    # The other boxes stand behind, with their numbers, thinner: who took the cell is in sight.
    assert figure.borders == {(0, 2, 0, 2, of_class(1), "solid"), (0, 1, 0, 1, of_class(0), "solid")}
    behind, own = ownership_figure(found, found.classes[1], FLAT).outlines
    assert (behind.label, own.label) == ("0", "")
    assert behind.width < BOX_WIDTH < own.width
    assert figure.hovers[0, 0] == "a from 0 to under 2\nb from 0 to under 2\nwhoever is here is in class 0"
    assert figure.hovers[3, 3].endswith("whoever is here was suppressed\noutside the box of class 1")
    assert figure.legend == [
        "✔ its own cells",
        "✕0 taken by class 0",
        "a published box: its number",
        "the box of class 1",
    ]


def test_suppressed_records_may_be_wherever_no_class_is():
    found = attacked()
    texts = picture(ownership_figure(found, found.suppressed, FLAT)).labels
    assert {place: text for place, text in texts.items() if text != "✔"} == {
        (0, 0): "✕0",
        (0, 1): "✕1",
        (1, 0): "✕1",
        (1, 1): "✕1",
    }
    assert len(texts) == 16


def test_a_tie_leaves_a_cell_open():
    found = attacked(TIED, 400)
    figure = picture(ownership_figure(found, found.classes[0], FLAT))
    assert figure.labels == {(2, 0): "✔", (2, 1): "?", (2, 2): "✔", (2, 3): "✔"}
    assert figure.fills[2, 1] == UNDECIDED
    assert figure.borders == {(2, 3, 0, 4, of_class(0), "solid"), (0, 4, 1, 2, of_class(1), "solid")}
    assert "class 0 or class 1: a tie leaves it open" in figure.hovers[2, 1]
    assert "? left open by a tie" in figure.legend
    assert owner_in_words(found, (2, 0)) == "whoever is here is in class 0"


def test_sorted_ties_leave_nothing_open():
    found = attacked(TIED, 400, ties="paper")
    assert picture(ownership_figure(found, found.classes[1], FLAT)).labels == {
        (0, 1): "✔",
        (1, 1): "✔",
        (2, 1): "✕0",
        (3, 1): "✔",
    }


def test_the_whole_grid_by_owner():
    figure = picture(overview_figure(attacked(), FLAT))
    found = figure.labels
    assert found[0, 0] == "0"
    assert {place for place, text in found.items() if text == "1"} == {(0, 1), (1, 0), (1, 1)}
    assert sum(text == "–" for text in found.values()) == 12  # noqa: RUF001 - a dash
    assert figure.borders == {(0, 2, 0, 2, of_class(1), "solid")}
    assert figure.legend == ["– no class", "a published box: its number"]  # noqa: RUF001
    assert (figure.fills[0, 0], figure.fills[1, 1]) == (of_class(0), of_class(1))
    assert picture(overview_figure(attacked(TIED, 400), FLAT)).labels[2, 1] == "?"


def test_nobody_is_where_nobody_was_suppressed():
    found = attacked(TIED, 400)
    assert owner_in_words(found, (0, 0)) == "nobody is here"


def test_a_filling():
    found = attacked()
    part = found.classes[1]
    assert part.free_cells == [(0, 1), (1, 0), (1, 1)]
    figure = picture(filling_figure(part, (1, 2, 0), FLAT))
    assert figure.labels == {(0, 0): "✕", (0, 1): "1", (1, 0): "2", (1, 1): "0"}
    assert figure.fills == {(0, 0): STOLEN, (0, 1): ISOLATED, (1, 0): of_class(1)}


def test_chances():
    found = attacked()
    part = found.classes[1]
    chances = zip(part.free_cells, part.cell_probabilities(1), strict=True)
    figure = picture(chance_figure(found.release.grid, chances, FLAT, part.segment, class_box(part, FLAT)))
    # 11/14, 11/14 and 4/7.
    assert figure.labels == {(0, 0): "✕", (0, 1): "79 %", (1, 0): "79 %", (1, 1): "57 %"}
    assert figure.opacities[0, 1] == opacity_of(11 / 14)
    assert figure.opacities[1, 1] == opacity_of(4 / 7) < figure.opacities[0, 1]
    # The box of a class has the class's colour here as everywhere.
    assert (0, 2, 0, 2, of_class(1), "solid") in figure.borders
    without = picture(chance_figure(found.release.grid, [((3, 3), 0.25)], FLAT))
    assert without.labels == {(3, 3): "25 %"}
    assert not without.borders


def test_only_what_is_certain_is_framed_and_fully_filled():
    found = attacked()
    figure = picture(chance_figure(found.release.grid, [((0, 0), 1.0), ((0, 1), 0.999)], FLAT))
    assert figure.borders == {(0, 1, 0, 1, LIKELY, "solid")}
    assert figure.opacities[0, 0] == CERTAIN_OPACITY > figure.opacities[0, 1] + 0.05
    assert "100 %: certain" in figure.legend
    # A tile of several cells says an expected number: two cells of one half each make nothing certain.
    deep = attacked(DEEP, names="abc").release.grid
    summed = picture(chance_figure(deep, [((0, 0, 0), 0.5), ((0, 0, 1), 0.5)], TOGETHER))
    assert summed.labels == {(0, 0): "1.0"}
    assert not summed.borders


def test_isolated_cells():
    found = attacked()
    figure = picture(isolated_figure(found, [(0, 1), (3, 3)], FLAT, found.classes[1]))
    assert figure.labels == {(0, 1): "○", (3, 3): "○"}
    assert set(figure.fills.values()) == {ISOLATED}
    assert figure.borders == {(0, 2, 0, 2, of_class(1), "solid"), (0, 1, 0, 1, of_class(0), "solid")}
    # Without a class: every published box, those of a single cell too, as on the page's other pictures.
    every = picture(isolated_figure(found, [(0, 1)], FLAT))
    assert every.borders == {(0, 2, 0, 2, of_class(1), "solid"), (0, 1, 0, 1, of_class(0), "solid")}
    assert len(every.borders) == len(found.release.classes)


# The class c in [0, 4) of three attributes, with its cell (0,0,0) taken: 32 cells in the box, 16 tiles of 2 cells each.
DEEP = [("[0, 2[", "[0, 2[", "[0, 2[")] * 3 + [("*", "*", "[0, 4[")] * 3
TOGETHER, SLICED = View((4, 4, 4), 0, 1, ((2, None),)), View((4, 4, 4), 0, 1, ((2, 0),))


def test_tiles_of_several_cells_carry_sums():
    found = attacked(DEEP, names="abc")
    part = found.classes[1]
    figure = picture(ownership_figure(found, part, TOGETHER))
    assert figure.labels[0, 0] == "1/2"
    assert figure.labels[3, 3] == "2/2"
    assert "1 of 2 cells of class 1 are free\nthe others were taken by class 0" in figure.hovers[0, 0]
    # Of the four cells behind (0,0) class 0 has one on its own, class 1 one, and nobody two.
    assert picture(overview_figure(found, TOGETHER)).labels[0, 0] == "3/4"
    counts = [int(cell[:2] == (3, 3)) for cell in part.free_cells]
    assert picture(filling_figure(part, counts, TOGETHER)).labels[3, 3] == "2"
    chances = [(cell, 0.5) for cell in part.free_cells]
    deep = picture(chance_figure(found.release.grid, chances, TOGETHER, part.segment)).labels
    assert (deep[0, 0], deep[3, 3]) == ("0.5", "1.0")
    assert picture(isolated_figure(found, [(1, 1, 0), (1, 1, 3)], TOGETHER)).labels == {(1, 1): "2"}


def test_the_legend_begins_with_what_the_numbers_count():
    found = attacked(DEEP, names="abc")
    part, grid = found.classes[1], found.release.grid
    chances = [(cell, 0.5) for cell in part.free_cells]

    def heads(view):
        return [
            ownership_figure(found, part, view).heading,
            overview_figure(found, view).heading,
            filling_figure(part, [0] * len(part.free_cells), view).heading,
            chance_figure(grid, chances, view, of="nobody").heading,
            isolated_figure(found, [], view).heading,
        ]

    assert heads(TOGETHER) == [
        "Number of free cells, of all:",
        "Number of cells, of all:",
        "Number of people:",
        "Expected number of cells with nobody:",
        "Number of cells:",
    ]
    # Of single cells two pictures have signs, no numbers.
    assert heads(SLICED) == ["", "Whose cell it is, by class:", "Number of people:", "Chance of nobody:", ""]


def test_where_no_single_cell_is_drawn_the_sentence_has_the_number():
    found = attacked(DEEP, names="abc")
    shown = Chosen(found, class_rows(found), 1, TOGETHER)
    assert what_is_shown(shown, keys.OWNERS).startswith(
        "Class 1 is a box of 3 people. They can be only in 31 of its 32 cells. "
    )
    alone = Chosen(found, class_rows(found), 0, TOGETHER)
    assert "They can be only in its one cell. " in what_is_shown(alone, keys.OWNERS)


def test_a_slice_shows_single_cells_and_may_miss_the_class():
    found = attacked(DEEP, names="abc")
    part = found.classes[1]
    assert picture(ownership_figure(found, part, SLICED)).labels[0, 0] == "✕0"
    beyond = picture(ownership_figure(found, part, View((4, 4, 4), 0, 1, ((2, 3),))))
    assert not beyond.labels
    assert not beyond.borders


def test_one_attribute_is_one_row():
    found = attacked([("[0, 4[",)] * 3, names="a")
    figure = picture(ownership_figure(found, found.classes[0], View((4,), 0, None)))
    assert figure.labels == {(0, 0): "✔", (1, 0): "✔"}


def test_in_a_fine_grid_the_outlines_tell_who_took_what():
    grid = [Attribute("a", 0, 64, 6), Attribute("b", 0, 64, 6)]
    rows = [("[0, 32[", "[0, 32[")] * 3 + [("*", "*")]
    found = attack(Release(Study(grid, 3), pd.DataFrame(rows, columns=["a", "b"])))
    fine = ownership_figure(found, found.suppressed, View((32, 32), 0, 1))
    assert [(outline.label, outline.colour) for outline in fine.outlines] == [
        ("0", of_class(0)),
        ("", of_class(None)),
    ]


def test_a_grid_too_fine_is_folded():
    # 128 x 128 leaves of one value in tiles of 2 x 2: four cells each. The class lost the cell (0,0).
    attributes = [Attribute(name, 0, 128, 8) for name in "ab"]
    rows = [("[0, 1[", "[0, 1[")] * 3 + [("[0, 4[", "[0, 4[")] * 3
    found = attack(Release(Study(attributes, 3), pd.DataFrame(rows, columns=["a", "b"])))
    view = View.of(found.release.grid, 0, 1)
    figure = picture(ownership_figure(found, found.classes[1], view))
    assert (view.columns, view.rows) == (64, 64)
    # There is no room for texts.
    assert not figure.labels
    free = {place: told.split("\n")[2] for place, told in figure.hovers.items() if place in figure.fills}
    some = dict.fromkeys([(0, 1), (1, 0), (1, 1)], "4 of 4 cells of class 1 are free")
    assert free == {(0, 0): "3 of 4 cells of class 1 are free"} | some
    assert figure.borders == {(0, 2, 0, 2, of_class(1), "solid")}
