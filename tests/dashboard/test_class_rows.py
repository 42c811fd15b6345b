"""The rows of a release, its headline and its table; the numbers are worked out in :mod:`cases`."""

import math
from fractions import Fraction

import pandas as pd
import pytest
from cases import TIED, attacked

from cra_dashboard.attack.chosen import written
from cra_dashboard.texts.class_rows import ClassRow, class_rows, class_table, deepest, headline, mean_ratio
from cra_engine.counting import inclusion
from cra_engine.counting import sums as counting
from cra_engine.study.grid import Segment


def row(index=0, ratio=(1, 1), *, cells=4):
    """A made-up row with a given ratio; compound unless it has one cell."""
    state = (1, 1) if cells == 1 else (2, 2)
    return ClassRow(index, Segment(state, (0, 0)), 3, cells, cells, ratio[0], ratio[1], 1, number=index)


def test_rows_by_hand():
    rows = class_rows(attacked())
    assert [(r.title, r.kind, r.size, r.free_cells, r.cells) for r in rows] == [
        ("class 0", "basic", 3, 1, 1),
        ("class 1", "compound", 3, 3, 4),
        ("the suppressed records", "suppressed", 1, 12, 16),
    ]
    assert [(r.promised, r.remaining, r.fillings) for r in rows] == [(4, 4, 1), (560, 112, 3), (64, 48, 12)]
    assert [r.ratio for r in rows] == [1, 5, Fraction(4, 3)]


def test_the_deepest_cut_is_the_first_of_equals_and_exact():
    # The second is larger by 1 in 10^40: floats would call the two equal.
    rows = [row(0, (10**40, 10**20)), row(1, (10**40 + 1, 10**20)), row(2, (10**40 + 1, 10**20))]
    assert deepest(rows) is rows[1]
    assert deepest([row(0, (5, 0))]) is None
    assert deepest([]) is None


def test_means():
    mean = mean_ratio([row(0, (1, 1)), row(1, (5, 1)), row(2, (4, 3))])
    assert abs(mean - Fraction(22, 9)) < Fraction(1, 10**29)
    # Past what floats hold, too.
    assert mean_ratio([row(0, (10**400, 1)), row(1, (1, 1))]) == Fraction(10**400 + 1, 2)
    assert mean_ratio([]) is None
    assert mean_ratio([row(0, (5, 0)), row(1)]) is None  # a class that nothing explains has no ratio


SEEM = "tables that the intervals seem to allow, 1 is left"
NOTHING = "The attack cuts nothing here: every table that the published intervals allow remains possible."


@pytest.mark.parametrize(
    ("rows", "sentences"),
    [
        (
            [row(0, cells=1), row(1, (560, 112)), row(None, (64, 48))],
            [
                "This release has 2 classes, 1 of them wider than one cell, and 3 suppressed records.",
                f"The attack cuts deepest in class 1: of every 5 {SEEM} (112 of 560).",
            ],
        ),
        (
            [row(0, (12, 6)), row(1, (12, 3)), row(2, (12, 4))],
            [
                "This release has 3 classes, all wider than one cell.",
                f"The attack cuts deepest in class 1: of every 4 {SEEM} (3 of 12).",
                "In at least half of the wider classes at most 1 of every 3 is left.",
            ],
        ),
        (
            [row(0, (12, 12)), row(1, (12, 12)), row(2, (12, 3))],
            [
                "This release has 3 classes, all wider than one cell.",
                f"The attack cuts deepest in class 2: of every 4 {SEEM} (3 of 12).",
                "2 of the 3 wider classes lose nothing.",
            ],
        ),
        (
            # 20/18, 20/15, 20/10 and 20/5 times.
            [row(0, (20, 18)), row(1, (20, 15)), row(2, (20, 10)), row(3, (20, 5))],
            [
                "This release has 4 classes, all wider than one cell.",
                f"The attack cuts deepest in class 3: of every 4 {SEEM} (5 of 20).",
                "In at least half of the wider classes at most 1 of every 2 is left.",
            ],
        ),
        (
            [row(0, cells=1), row(None, (64, 48))],
            [
                "This release has 1 class, each on a single cell, and 3 suppressed records.",
                f"The attack cuts deepest in the suppressed rows: of every 1.3 {SEEM} (48 of 64).",
            ],
        ),
        ([row(0, cells=1)], ["This release has 1 class, each on a single cell.", NOTHING]),
        ([row(0, (560, 0))], ["This release has 1 class, wider than one cell."]),
        ([row(None, (9, 9))], ["This release has no class: every record is suppressed.", NOTHING]),
    ],
)
def test_headlines(rows, sentences):
    assert headline(rows) == " ".join(sentences)


def test_a_class_too_large_to_count_keeps_what_is_known(monkeypatch):
    monkeypatch.setattr(counting, "MAX_TABLE_BYTES", 1)
    monkeypatch.setattr(inclusion, "MAX_SETS", 0)
    found = class_rows(attacked())[1]
    assert (found.promised, found.remaining, found.fillings, found.ratio) == (560, None, None, None)
    assert "Counting this class exactly" in found.problem


def test_the_table_sorts_by_numbers_and_says_nothing_where_there_is_no_ratio():
    grid = attacked().release.grid
    huge = row(0, (10**5000, 1))
    table = class_table([huge, row(1, (560, 0)), *class_rows(attacked())[1:]], grid)
    assert list(table["Class"]) == ["0", "1", "1", "suppressed"]
    assert table["Promised, log10"].iloc[0] == pytest.approx(5000)
    assert table["Times fewer"].iloc[0] > 1e299  # past what a float can hold, yet sorted last
    assert math.isnan(table["Times fewer"].iloc[1])
    assert table["Remaining, log10"].iloc[2] == pytest.approx(math.log10(112))
    assert list(table["Box"])[2:] == ["a from 0 to under 4 and b from 0 to under 4", "everything"]


def test_the_table_of_classes_writes_large_numbers_as_pages_do_and_sorts_by_them():
    numbers = {"Times fewer": [6.827e8, 3.6, math.nan], "Fillings": [0.0, 4e20, 12.0]}
    read = written(pd.DataFrame(numbers))
    html = read.to_html()
    for said in ("6.83 × 10⁸", "3.60", "4.0 × 10²⁰", ">12<", ">0<"):
        assert said in html
    assert "e+" not in html
    assert read.data["Fillings"].rank().tolist() == [1, 3, 2]
    # A browser shows no whole number past 2⁵³.
    assert read.data.max().max() < 2**53


def test_ties_take_no_cell_from_either():
    rows = class_rows(attacked(TIED, 400))
    assert [r.free_cells for r in rows] == [4, 4]
    assert [r.free_cells for r in class_rows(attacked(TIED, 400, ties="paper"))] == [4, 3]
