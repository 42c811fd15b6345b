"""Singling out: outcomes by hand with the raw data, probabilities by trying every data set without them."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from cra_engine.attacks.refinement.attack import attack
from cra_engine.errors import CRAError, DataError
from cra_engine.publish.local.recoding import recode
from cra_engine.raw.synthesis import synthesize
from cra_engine.release import Release
from cra_engine.risk.singling import single_out
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from strategies import cases, make_attribute

EIGHT = [Attribute("a", 0, 8, 3), Attribute("b", 0, 8, 3)]  # leaves of 2 values: cell (i, j) is [2i, 2i+2) x [2j, 2j+2)
STUDY = Study(EIGHT, 3)


def table(rows):
    return pd.DataFrame(rows, columns=["a", "b"])


def released(*rows, k=3, attributes=EIGHT):
    labels = [label for count, *label in rows for _ in range(count)]
    return Release(Study(attributes, k), pd.DataFrame(labels, columns=[a.name for a in attributes]))


# ---------------------------------------------------------------- with the raw data, by hand

# k = 3. Nobody shares a cell with two others but the three in (3,3); no box of (1,2) or (2,1) holds three; then (2,2):
#   rows 0-2    cells (0,0), (0,1), (1,0): one each          -> class a in [0, 4), b in [0, 4)
#   rows 3-5    cells (2,0) twice, (3,1) once                -> class a in [4, 8), b in [0, 4)
#   rows 6-9    cells (0,2) twice, (1,3) twice               -> class a in [0, 4), b in [4, 8)
#   rows 10-12  cell (3,3) three times                       -> class on that cell, formed first
#   row 13      cell (2,2)                                   -> left over
RAW = [
    *[(0, 0), (1, 3), (3, 1)],
    *[(4, 0), (5, 1), (7, 3)],
    *[(0, 4), (1, 5), (2, 6), (3, 7)],
    *[(6, 6), (6, 7), (7, 6)],
    (4, 4),
]


def test_outcomes_by_hand():
    release = recode(table(RAW), STUDY).release
    assert [(c.segment.state, c.segment.ranks) for c in release.classes] == [
        ((1, 1), (3, 3)),
        ((2, 2), (0, 0)),
        ((2, 2), (0, 1)),
        ((2, 2), (1, 0)),
    ]
    found = single_out(attack(release), table(RAW))
    assert [c.index for c in found.classes] == [0, 1, 2, 3]
    assert [c.outcome for c in found.classes] == ["failed", "many", "failed", "one"]
    assert [c.isolating for c in found.classes] == [(), ((0, 0), (0, 1), (1, 0)), (), ((3, 1),)]
    assert [c.rows for c in found.classes] == [(), (0, 1, 2), (), (5,)]
    assert [c.counts for c in found.classes] == [(3,), (1, 1, 1, 0), (2, 0, 0, 2), (2, 0, 0, 1)]
    assert all(c.valid for c in found.classes)
    assert found.outcomes == {"failed": 2, "one": 1, "many": 1}
    assert found.outcomes_compound == {"failed": 1, "one": 1, "many": 1}  # without the class on a single cell
    suppressed = found.suppressed
    assert (suppressed.index, suppressed.outcome, suppressed.isolating, suppressed.rows) == (
        None,
        "one",
        ((2, 2),),
        (13,),
    )
    assert suppressed.valid
    # Cells that no class covers: (2,2), (2,3) and (3,2).
    assert suppressed.counts == (1, 0, 0)


def test_rows_are_matched_one_by_one():
    # Shuffled together, table and release still fit, and the rows named follow.
    order = [5, 13, 0, 7, 9, 12, 3, 1, 4, 11, 2, 6, 10, 8]
    shuffled = table([RAW[row] for row in order])
    found = single_out(attack(recode(shuffled, STUDY).release), shuffled)
    assert found.outcomes == {"failed": 2, "one": 1, "many": 1}
    (one,) = [c for c in found.classes if c.outcome == "one"]
    assert one.rows == (0,)
    assert shuffled.iloc[one.rows[0]].tolist() == list(RAW[5])


def test_a_release_without_suppressed_records():
    release = recode(table(RAW[:13]), STUDY).release
    assert single_out(attack(release), table(RAW[:13])).suppressed is None


def test_a_crowd_that_an_earlier_class_took():
    # Three in (0,0), published on their own, and one in each of the three cells around, in the box over all four.
    rows = [(0, 0), (1, 1), (0, 1), (0, 2), (2, 0), (3, 3)]
    found = single_out(attack(recode(table(rows), STUDY).release), table(rows))
    assert [c.outcome for c in found.classes] == ["failed", "many"]
    assert found.classes[1].isolating == ((0, 1), (1, 0), (1, 1))
    assert found.classes[1].counts == (1, 1, 1)  # the cell (0,0) is not free


# Leaves A (3,1), B (2,2), C (1,1), D (2,2), E (0,1), F (2,1) on both domains [0, 400), k = 3, as (y, x): the column
# a in [100, 200) and the row b in [200, 300) tie in loss, c1 and c2; c3 lets the row go first, which takes F.
SIX = [(135, 370), (290, 290), (115, 150), (245, 260), (125, 95), (155, 215)]
SIX_STUDY = Study([Attribute("a", 0, 400, 3), Attribute("b", 0, 400, 3)], 3)


def test_the_papers_order_of_ties_can_exclude_the_truth():
    # The states in their written order give the cell (1,2) to the column, but its one record, F, is in the row. So the
    # row's true counts are not among its feasible assignments: not valid. That F is alone in the cell stays true.
    release = recode(table(SIX), SIX_STUDY).release
    paper = single_out(attack(release, ties="paper"), table(SIX))
    column, row = paper.classes
    assert (column.valid, row.valid) == (True, False)
    assert (1, 2) in row.isolating
    assert (1, 2) not in attack(release, ties="paper").classes[1].free_cells
    sound = single_out(attack(release), table(SIX))
    assert [c.valid for c in sound.classes] == [True, True]
    assert [c.outcome for c in sound.classes] == [c.outcome for c in paper.classes]
    assert [c.isolating for c in sound.classes] == [c.isolating for c in paper.classes]


def test_a_wrong_profile_can_exclude_the_truth():
    # Four records in one half of the box: a class like this cannot come from the paper's profile.
    rows = [(0, 0), (0, 1), (1, 2), (1, 3), (2, 0)]
    release = released((5, "[0, 4[", "[0, 4["))
    (found,) = single_out(attack(release), table(rows)).classes
    assert not found.valid
    assert found.outcome == "one"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda raw: raw.iloc[:-1], "raw table has 13 rows and the release 14"),
        (lambda raw: pd.concat([raw, raw]), "raw table has 28 rows and the release 14"),
        (lambda raw: raw.assign(b=[7, *raw["b"][1:]]), "No assignment of the raw table"),
        (lambda raw: raw.drop(columns="b"), "no column 'b'"),
        (lambda raw: raw.assign(b="x"), "14 cells with text"),
        (lambda raw: raw.assign(b=99), "14 values outside the domain"),
    ],
)
def test_a_raw_table_that_is_not_the_published_one(change, message):
    found = attack(recode(table(RAW), STUDY).release)
    with pytest.raises(DataError, match=message):
        single_out(found, change(table(RAW)))


@settings(max_examples=60)
@given(cases())
def test_with_sound_ties_the_truth_is_always_among_the_possible(case):
    release = recode(case.data, case.study).release
    found = attack(release)
    result = single_out(found, case.data)
    crowd = Counter(
        tuple(int(a.reader.locate(np.array([float(v)]))[0]) for a, v in zip(case.study.attributes, record, strict=True))
        for record in case.records
    )
    parts = [*result.classes, *([result.suppressed] if result.suppressed else [])]
    for single, part in zip(parts, found.parts, strict=True):
        assert single.valid
        assert sum(single.counts) == part.size
        assert single.outcome == ("failed" if not single.isolating else "one" if len(single.isolating) == 1 else "many")
    # Everybody who is alone in a cell is found, once.
    assert sorted(cell for single in parts for cell in single.isolating) == sorted(
        cell for cell, count in crowd.items() if count == 1
    )
    assert sum(result.outcomes.values()) == len(release.classes)
    assert sum(result.outcomes_compound.values()) == sum(not c.segment.basic for c in release.classes)


# ---------------------------------------------------------------- without, by hand


def test_chances_by_hand():
    # Three of four cells of 4 values each, k = 3, (0,0) published on its own, one more record suppressed. The data sets
    # of the box: (1,1,1) 64, (1,2,0) and (2,1,0) 24 each, over (0,1), (1,0), (1,1): see the cases worked out by hand.
    release = released((3, "[0, 2[", "[0, 2["), (3, "[0, 4[", "[0, 4["), (1, "*", "*"))
    found = single_out(attack(release))
    chances = {chance.cell: chance.probability for chance in found.cells}
    assert chances.pop((0, 1)) == pytest.approx(88 / 112)
    assert chances.pop((1, 0)) == pytest.approx(88 / 112)
    assert chances.pop((1, 1)) == pytest.approx(64 / 112)
    assert (0, 0) not in chances  # three records in one cell isolate nobody
    assert len(chances) == 12
    assert list(chances.values()) == pytest.approx([1 / 12] * 12)
    assert found.expected_isolated == pytest.approx(240 / 112 + 1)
    # Most probable first, equals in the order of the grid.
    assert [chance.cell for chance in found.cells[:3]] == [(0, 1), (1, 0), (1, 1)]
    assert [chance.cell for chance in found.cells[3:]] == sorted(chances)
    assert [chance.parts for chance in found.cells[:4]] == [(1,), (1,), (1,), (None,)]


def test_a_cell_that_cannot_hold_exactly_one_is_left_out():
    # Four records over two leaves, two at most in each: always two and two.
    found = single_out(attack(released((4, "[0, 4["), attributes=EIGHT[:1])))
    assert found.cells == ()
    assert found.expected_isolated == 0


def test_a_class_that_nothing_explains_has_no_chances():
    # k = 2: at most one record in each half, so a box of two halves cannot hold three.
    with pytest.raises(CRAError, match="Class 0: no data satisfy its constraints"):
        single_out(attack(released((3, "[0, 4["), attributes=EIGHT[:1], k=2)))


# ---------------------------------------------------------------- without, by trying every data set


def points(attributes, segment_nodes):
    """Every combination of value steps inside a box."""
    per_attribute = (
        range(int((n.lower - a.lower) / a.resolution), int((n.upper - a.lower) / a.resolution))
        for a, n in zip(attributes, segment_nodes, strict=True)
    )
    return list(product(*per_attribute))


def worlds(found, part):
    """All data sets of distinct records that a class or the suppressed records can hold, as the paper's text has it."""
    attributes = found.release.attributes
    grid = found.release.grid
    nodes = grid.nodes(part.segment)
    sizes = [a.leaf_values[0] for a in attributes]
    earlier = [
        grid.nodes(c.segment)
        for c in found.release.classes
        if part.index is None or found.release.lattice.before(c.segment.state, part.segment.state)
    ]

    def inside(point, box):
        return all(n.start <= v // size < n.stop for n, v, size in zip(box, point, sizes, strict=True))

    free = [p for p in points(attributes, nodes) if not any(inside(p, box) for box in earlier)]
    bounded = part.size >= found.release.k
    children = [
        (*nodes[:i], child, *nodes[i + 1 :])
        for i, a in enumerate(attributes)
        for child in a.children(nodes[i].layer, nodes[i].rank)
    ]
    for world in combinations(free, part.size):
        if not bounded or all(sum(inside(p, child) for p in world) < found.release.k for child in children):
            yield Counter(tuple(v // size for v, size in zip(p, sizes, strict=True)) for p in world)


def chances_by_trying(found):
    """Per cell, the probability that exactly one record of all classes is in it, each class drawn for itself.

    Two classes that share cells are drawn together: one of them took everybody there.
    """
    views, everybody = {}, [list(worlds(found, part)) for part in found.parts]
    for (one, part), (two, other) in combinations(enumerate(found.parts), 2):
        shared = set(part.free_cells) & set(other.free_cells)
        together = [
            (a, b) for a in everybody[one] for b in everybody[two] if not (shared & set(a)) or not (shared & set(b))
        ]
        if shared and together:  # else no data set gives both
            everybody[one], everybody[two] = [a + b for a, b in together], []
    for every in everybody:
        for cell in {cell for world in every for cell in world}:
            held = Counter(world[cell] for world in every)
            views.setdefault(cell, []).append([Fraction(held[j], len(every)) for j in (0, 1)])
    chances = {}
    for cell, parts in views.items():
        if len(parts) == 1:
            chances[cell] = parts[0][1]
        else:
            (none, one), (other_none, other_one) = parts
            chances[cell] = one * other_none + none * other_one
    return {cell: chance for cell, chance in chances.items() if chance}


SMALL = make_attribute("a", fanout=2, layers=3, leaf=2), make_attribute("b", fanout=2, layers=2, leaf=2)
THREE = make_attribute("a", fanout=3, layers=2, leaf=2), make_attribute("b", fanout=3, layers=2, leaf=1)
SQUARE = make_attribute("a", fanout=2, layers=2, leaf=2), make_attribute("b", fanout=2, layers=2, leaf=2)


@pytest.mark.parametrize(
    "release",
    [
        pytest.param(released((3, "[0, 4[", "*"), (2, "*", "*"), attributes=SMALL), id="box and suppressed records"),
        # A box, then a column and a row that tie and share (1, 0), of which the row has lost (0, 0) to the box.
        pytest.param(
            released((3, "[0, 2[", "[0, 4["), (3, "[2, 4[", "*"), (4, "*", "[0, 2["), (2, "*", "*")),
            id="overlaps",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(released((4, "*", "*"), attributes=SMALL), id="suppressed records of k or more"),
        pytest.param(released((3, "*", "[0, 1["), (2, "*", "*"), attributes=THREE), id="three children"),
        pytest.param(released((4, "*", "*"), attributes=THREE, k=4), id="three children each"),
        # One leaf of a and the whole of b, one leaf of b and the whole of a: an exact tie, and (1, 1) may be either's.
        pytest.param(released((3, "[2, 4[", "*"), (3, "*", "[2, 4["), attributes=SQUARE), id="tie"),
        pytest.param(
            released((4, "[2, 4[", "*"), (3, "*", "[2, 4["), (1, "*", "*"), attributes=SQUARE), id="tie, more"
        ),
    ],
)
def test_chances_by_trying_every_data_set(release):
    found = attack(release)
    assert not any(part.contradiction for part in found.parts)
    result = single_out(found)
    expected = chances_by_trying(found)
    basic = [c.segment.ranks for c in release.classes if c.segment.basic]
    assert {chance.cell: pytest.approx(chance.probability) for chance in result.cells} == expected
    assert not set(basic) & set(expected)
    assert result.expected_isolated == pytest.approx(float(sum(expected.values())))


def test_the_tied_case_by_hand():
    # Leaves of 2, cells of 4 values, k = 3, three records in the column a in [2, 4) and three in the row b in [2, 4).
    # Column: cells (1,0) and (1,1), shares (1,2) or (2,1): 4 * 6 = 24 data sets each; exactly one in (1,1) with 1/2,
    # never none. The row likewise. So both put somebody into (1,1), and nobody is alone there.
    found = single_out(attack(released((3, "[2, 4[", "*"), (3, "*", "[2, 4["), attributes=SQUARE)))
    assert {chance.cell: chance.probability for chance in found.cells} == {(1, 0): 0.5, (0, 1): 0.5}
    assert comb(4, 1) * comb(4, 2) == 24


def test_cells_that_tied_classes_share_say_what_is_assumed():
    made = synthesize("toy")  # its column 1 and line 3 tie, and both want the same corner
    tied = single_out(attack(recode(made.data, made.study).release))
    assert [(chance.cell, chance.parts) for chance in tied.cells if len(chance.parts) > 1] == [((3, 3), (6, 7))]
    assert tied.assumption.startswith("1 cell may belong to either of several classes that tie")
    written = tied.to_dict()
    assert written["assumption"] == tied.assumption
    assert [cell["box"] for cell in written["cells"] if cell["classes"] == [6, 7]] == [[[80, 100], [100, 120]]]
    alone = single_out(attack(released((3, "[0, 4[", "*"), (2, "*", "*"), attributes=SMALL)))
    assert (alone.shared, alone.assumption) == (0, "")
    assert alone.to_dict()["assumption"] is None
